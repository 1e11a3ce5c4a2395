"""Rectangles, arcs and discs with any heading, in whole numbers with 180 binary places (54 decimal digits)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import isqrt

BITS = 180
Q = 1 << BITS
Point = tuple[int, int]
Ring = Sequence[Point]


def fixed(value: Fraction | int | float) -> int:
    """Return ``value`` (inches) as a whole number of 1/Q inch."""
    f = Fraction(value)
    return (f.numerator << BITS) // f.denominator


def inches(value: int) -> float:
    return float(Fraction(value, Q))


@cache
def _pi() -> int:
    def arctan_inverse(n: int) -> int:
        term = total = (Q << 32) // n
        k, sign = 3, -1
        while term:
            term //= n * n
            total += sign * (term // k)
            k, sign = k + 2, -sign
        return total

    return (16 * arctan_inverse(5) - 4 * arctan_inverse(239)) >> 32


@cache
def heading(sixty_fourths: int) -> Point:
    """Return (sin, cos) of a compass bearing in 1/64 degrees, exact at quarter turns."""
    quarter, rest = divmod(sixty_fourths % (360 * 64), 90 * 64)
    if rest == 0:
        s, c = 0, Q
    else:
        s, c = _sine(rest), _sine(90 * 64 - rest)
    return [(s, c), (c, -s), (-s, -c), (-c, s)][quarter]


def _sine(sixty_fourths: int) -> int:
    angle = (_pi() * sixty_fourths) // (180 * 64)
    square = (angle * angle) >> BITS
    term = total = angle
    k = 1
    while term:
        term = -((term * square) >> BITS) // ((k + 1) * (k + 2))
        total += term
        k += 2
        if abs(term) < 2:
            break
    return total


class Rect:
    """A base: centre, facing in 1/64 degrees, frontage, depth; everything else in fixed point."""

    def __init__(self, x: Fraction, y: Fraction, facing: int, frontage: Fraction, depth: Fraction) -> None:
        self.x, self.y, self.w, self.d = fixed(x), fixed(y), fixed(frontage), fixed(depth)
        self.f = heading(facing)
        self.r = (self.f[1], -self.f[0])

    def at(self, lateral: int, ahead: int) -> Point:
        """Return the point ``lateral`` right and ``ahead`` of the middle of the front edge."""
        reach = self.d // 2 + ahead
        return (
            self.x + ((reach * self.f[0] + lateral * self.r[0]) >> BITS),
            self.y + ((reach * self.f[1] + lateral * self.r[1]) >> BITS),
        )

    def local(self, p: Point) -> Point:
        dx, dy = p[0] - self.x, p[1] - self.y
        return (
            (dx * self.r[0] + dy * self.r[1]) >> BITS,
            ((dx * self.f[0] + dy * self.f[1]) >> BITS) - self.d // 2,
        )

    @property
    def ring(self) -> list[Point]:
        """Corners: front left, front right, rear right, rear left."""
        w = self.w // 2
        return [self.at(-w, 0), self.at(w, 0), self.at(w, -self.d), self.at(-w, -self.d)]

    def arc(self, reach: int = 400) -> list[Point]:
        """The arc of fire: ahead of the front edge, within 45 degrees of its ends, cut at ``reach`` inches."""
        w, far = self.w // 2, reach * Q
        return [self.at(-w, 0), self.at(w, 0), self.at(w + far, far), self.at(-w - far, far)]


def _cross(o: Point, a: Point, b: Point) -> int:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def edges(ring: Ring) -> list[tuple[Point, Point]]:
    return list(zip(ring, [*ring[1:], ring[0]], strict=True))


def point_to_segment(p: Point, a: Point, b: Point) -> int:
    """Distance in 1/Q inch."""
    ex, ey, px, py = b[0] - a[0], b[1] - a[1], p[0] - a[0], p[1] - a[1]
    square, along = ex * ex + ey * ey, ex * px + ey * py
    if along <= 0 or square == 0:
        return isqrt(px * px + py * py)
    if along >= square:
        return isqrt((p[0] - b[0]) ** 2 + (p[1] - b[1]) ** 2)
    return isqrt((ex * py - ey * px) ** 2 // square)


def inside_convex(p: Point, ring: Ring) -> bool:
    """Closed containment in a convex ring of either orientation."""
    signs = [_cross(a, b, p) for a, b in edges(ring)]
    return all(c >= 0 for c in signs) or all(c <= 0 for c in signs)


def point_to_convex(p: Point, ring: Ring) -> int:
    """Distance from a point to a convex ring with its inside."""
    return 0 if inside_convex(p, ring) else min(point_to_segment(p, a, b) for a, b in edges(ring))


def crossing(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Do the open segments cross?"""
    return _cross(a, b, c) * _cross(a, b, d) < 0 and _cross(c, d, a) * _cross(c, d, b) < 0


def between(a: Ring, b: Ring) -> int:
    """Distance between two convex rings with their insides, 0 when they touch or overlap."""
    if any(inside_convex(p, b) for p in a) or any(inside_convex(p, a) for p in b):
        return 0
    if any(crossing(*e, *f) for e in edges(a) for f in edges(b)):
        return 0
    near = [point_to_segment(p, *f) for p in a for f in edges(b)]
    return min(near + [point_to_segment(p, *f) for p in b for f in edges(a)])


def depth(a: Ring, b: Ring) -> int:
    """How deep two convex rings overlap: the shortest shift that parts them; negative or 0 when they do not overlap."""
    best: int | None = None
    for p, r in [*edges(a), *edges(b)]:
        nx, ny = r[1] - p[1], p[0] - r[0]
        size = isqrt(nx * nx + ny * ny)
        pa, pb = [x * nx + y * ny for x, y in a], [x * nx + y * ny for x, y in b]
        overlap = min(max(pa) - min(pb), max(pb) - min(pa)) // size
        best = overlap if best is None else min(best, overlap)
    assert best is not None
    return best
