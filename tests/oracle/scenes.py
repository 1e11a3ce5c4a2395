"""Random tables and lines for the sweeps; more than half of them at a boundary.

Whole numbers of 1/K inch with K = 2048: the measuring grid is every second one, so "half a grid step either side" is a
whole number too. Seeds make every case reproducible.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import NamedTuple

from tests.oracle.sight import Ground, Law, Piece, Point, stretches, twice_area

K = 2048
STEP = 2  # the measuring grid
SIZE = 40 * K
#: The kinds of line of which the boundary half is made.
NUDGES = (0, 0, 0, 1, -1, 2, -2)
NEAR_T = (0, 0, 1, -1, 2, -2, 10, -10, 12, -12)  # 10/2048 = 0.0049 < t < 12/2048 = 0.0059
DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1), (3, 4), (4, 3), (-3, 4), (4, -3), (-4, -3), (5, 12))


class Case(NamedTuple):
    start: Point
    end: Point
    kind: str


def _coarse(rng: Random, low: float, high: float) -> int:
    """A whole number of quarter inches, mostly: shared corners and collinear edges come about by themselves."""
    step = rng.choice((K // 4, K // 4, K // 2, K, STEP))
    return round(rng.uniform(low, high) * K / step) * step


def outline(rng: Random, x: int, y: int, w: int, h: int) -> list[Point]:
    """Return a simple polygon in the box: rectangle, triangle, L, U, trapezium or star-shaped."""
    shape = rng.choice(("box", "box", "triangle", "ell", "cup", "trapezium", "star"))
    a, b = w // 4 // STEP * STEP, h // 4 // STEP * STEP
    if shape == "box":
        ring = [(0, 0), (w, 0), (w, h), (0, h)]
    elif shape == "triangle":
        ring = [(0, 0), (w, b), (a, h)]
    elif shape == "ell":
        ring = [(0, 0), (w, 0), (w, 2 * b), (2 * a, 2 * b), (2 * a, h), (0, h)]
    elif shape == "cup":
        ring = [(0, 0), (w, 0), (w, h), (3 * a, h), (3 * a, b), (a, b), (a, h), (0, h)]
    elif shape == "trapezium":
        ring = [(0, 0), (w, 0), (3 * a, h), (a, h)]
    else:
        n = rng.randint(5, 9)
        angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(n))
        radii = [rng.uniform(0.3, 0.5) for _ in range(n)]
        ring = [
            (round((w / 2 + r * w * math.cos(t)) / STEP) * STEP, round((h / 2 + r * h * math.sin(t)) / STEP) * STEP)
            for t, r in zip(angles, radii, strict=True)
        ]
        if not _simple(ring):
            return outline(rng, x, y, w, h)
    if rng.random() < 0.5:
        ring = [(w - p, q) for p, q in ring]
    return [(x + p, y + q) for p, q in ring]


def _simple(ring: list[Point]) -> bool:
    """Star-shaped about its middle only when no gap between neighbours is half a turn; a cheap exact check."""
    n = len(ring)
    if len(set(ring)) < n or twice_area(ring) == 0:
        return False

    def turn(o: Point, p: Point, q: Point) -> int:
        c = (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0])
        return (c > 0) - (c < 0)

    for i in range(n):
        a, b = ring[i], ring[(i + 1) % n]
        if turn(a, b, ring[(i + 2) % n]) == 0:
            return False
        for j in range(i + 2, n):
            if (j + 1) % n == i:
                continue
            c, d = ring[j], ring[(j + 1) % n]
            if turn(a, b, c) * turn(a, b, d) <= 0 and turn(c, d, a) * turn(c, d, b) <= 0:
                return False
    return True


def pieces(rng: Random) -> list[Piece]:
    """A few woods, houses and hills, some flush, some overlapping, some nested, on levels 0 to 3."""
    found: list[Piece] = []
    for n in range(rng.choice((0, 1, 1, 2, 2))):
        x, y = _coarse(rng, 2, 24), _coarse(rng, 2, 24)
        w, h = _coarse(rng, 5, 14), _coarse(rng, 5, 14)
        for level in range(1, rng.randint(1, 3) + 1):
            ring = outline(rng, x, y, w, h) if level == 1 else _box(x, y, w, h)
            found.append(Piece(f"hill-{n}-{level}", (tuple(ring),), level, hill=True))
            x, y = x + rng.choice((0, K // 2, K)), y + rng.choice((0, K // 2, K))
            w, h = max(K, w - 2 * K), max(K, h - 2 * K)
    if found and rng.random() < 0.4:
        found.append(_beside(rng, found[-1], "hill-beside"))
    for n in range(rng.randint(1, 4)):
        x, y = _coarse(rng, 2, 34), _coarse(rng, 2, 34)
        ring = outline(rng, x, y, _coarse(rng, 0.5, 6), _coarse(rng, 0.5, 6))
        q = rng.choice((Fraction(3), Fraction(3), Fraction(3), Fraction(0), Fraction(2)))
        level = rng.choice((0, 0, 0, 0, 1, 2))
        found.append(Piece(f"wood-{n}", (tuple(ring),), level, see_through=q))
        if rng.random() < 0.4:
            found.append(_beside(rng, found[-1], f"wood-{n}-beside"))
    return [p for p in found if twice_area(p.rings[0]) and len(set(p.rings[0])) == len(p.rings[0])]


def _box(x: int, y: int, w: int, h: int) -> list[Point]:
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


def _beside(rng: Random, piece: Piece, name: str) -> Piece:
    """A box flush with one side of the piece's box, overlapping it, or touching it at a corner only."""
    x0, y0, x1, y1 = piece.box
    w, h = x1 - x0, y1 - y0
    x, y = rng.choice(
        ((x1, y0), (x0, y1), (x1, y1), (x1 - STEP, y0), (x0 + w // 4 * 2, y0 + h // 4 * 2), (x1 + STEP, y0))
    )
    x, y = x // STEP * STEP, y // STEP * STEP
    return Piece(name, (tuple(_box(x, y, w, h)),), piece.level, piece.hill, piece.see_through)


def _anywhere(rng: Random) -> Point:
    return rng.randint(0, SIZE // STEP) * STEP, rng.randint(0, SIZE // STEP) * STEP


def _vertices(rng: Random, ground: Ground) -> Point:
    return rng.choice(rng.choice(ground.pieces).rings[0])


def _on_a_hill(rng: Random, ground: Ground) -> Point:
    """A point of the highest contour, where there is one."""
    if not ground.hills:
        return _anywhere(rng)
    piece = max((h for group in ground.hills for h in group), key=lambda h: h.level)
    (ax, ay), (bx, by), (cx, cy) = rng.sample(piece.rings[0], 3)
    return (2 * ax + bx + cx) // 4 // STEP * STEP, (2 * ay + by + cy) // 4 // STEP * STEP


def _on_an_edge(rng: Random, ground: Ground) -> Point:
    (ax, ay), (bx, by) = rng.choice(rng.choice(ground.pieces).edges)
    n = rng.choice((2, 3, 4, 5))
    return ax + (bx - ax) // n, ay + (by - ay) // n


def _extended(a: Point, b: Point, before: float, after: float) -> tuple[Point, Point]:
    """Both ends on the exact line through a and b, some whole steps of it out."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    g = math.gcd(dx, dy) or 1
    dx, dy = dx // g, dy // g
    m, n = round(before * g), round(after * g)
    return (a[0] - m * dx, a[1] - m * dy), (b[0] + n * dx, b[1] + n * dy)


def _along(rng: Random, ground: Ground) -> Case:
    """Through two vertices, so along an edge, across a diagonal or grazing two pieces."""
    a, b = _vertices(rng, ground), _vertices(rng, ground)
    if rng.random() < 0.5:
        a, b = rng.choice(rng.choice(ground.pieces).edges)
    s, e = _extended(a, b, rng.choice((0, 0.25, 1, 2)), rng.choice((0, 0.25, 1, 2)))
    return Case(s, e, "along")


def _through(rng: Random, ground: Ground) -> Case:
    """Through one vertex in any direction."""
    v, w = _vertices(rng, ground), _anywhere(rng)
    s, e = _extended(v, w, rng.choice((0, 0.5, 1)), 0)
    return Case(s, e, "through")


def _shifted(rng: Random, ground: Ground) -> Case:
    """Nearly along or through: both ends, or one, half a grid step or a whole one off."""
    s, e, kind = rng.choice((_along, _through))(rng, ground)
    dx, dy = rng.choice(NUDGES), rng.choice(NUDGES)
    both = rng.random() < 0.7
    return Case((s[0] + dx, s[1] + dy), (e[0] + dx * both, e[1] + dy * both), kind + "-shifted")


def _from_edge(rng: Random, ground: Ground) -> Case:
    """From a point of an edge, or a hair off it."""
    s = _on_an_edge(rng, ground)
    s = (s[0] + rng.choice(NUDGES), s[1] + rng.choice(NUDGES))
    return Case(s, rng.choice((_anywhere(rng), _on_an_edge(rng, ground))), "from-edge")


def _at_a_limit(rng: Random, ground: Ground) -> Case:
    """Ends where the budget is spent, where a shadow ends, or at a piece's near or far side; give or take t."""
    dx, dy = rng.choice(DIRECTIONS)
    size = math.isqrt(dx * dx + dy * dy)
    s = rng.choice((lambda r, _: _anywhere(r), _on_an_edge, _on_a_hill, _on_a_hill))(rng, ground)
    far = (s[0] + dx * SIZE // size, s[1] + dy * SIZE // size)
    spans = [
        (float(a) * SIZE, float(b) * SIZE)
        for group in [g for _, g in ground.tall] + ground.hills
        for a, b in stretches(group, s, far)
    ]
    if not spans:
        return _through(rng, ground)
    a, b = rng.choice(spans)
    wanted = rng.choice((a + 3 * K, a, b, 2 * b, 2 * b, 1.5 * b, 1.5 * b, 1.25 * b, 1.125 * b, max(0.0, 3 * K - b) + a))
    n = round(wanted / size) + rng.choice(NEAR_T)
    ends = (s, (s[0] + n * dx, s[1] + n * dy))
    return Case(*(ends if rng.random() < 0.5 else ends[::-1]), "limit")


BOUNDARY = (_along, _along, _through, _shifted, _from_edge, _at_a_limit, _at_a_limit)


def cases(rng: Random, ground: Ground, count: int) -> Iterator[Case]:
    """Yield ``count`` lines on the table, some two thirds of them at a boundary."""
    done = 0
    while done < count:
        if rng.random() < 0.33:
            case = Case(rng.choice((_anywhere(rng), _on_a_hill(rng, ground))), _anywhere(rng), "anywhere")
        else:
            case = rng.choice(BOUNDARY)(rng, ground)
        if case.start != case.end and all(0 <= v <= SIZE for p in case[:2] for v in p):
            done += 1
            yield case


def ground(seed: int, law: Law | None = None) -> tuple[Random, Ground]:
    """Return the random stream and the table of a seed."""
    rng = Random(seed)
    found = pieces(rng)
    while not found:
        found = pieces(rng)
    return rng, Ground(found, K, law)
