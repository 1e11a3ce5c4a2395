"""Arcs, distances, zones, bands, overlap, command, move cost and cover, each as an exact signed slack in inches.

A slack is measured minus limit. The tolerance is applied by the named predicates below it, never by the measurement.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracle import T, plane
from tests.oracle.plane import Point, Q, Rect, Ring


@dataclass(frozen=True)
class Answer:
    """Does it hold, and how far (inches, signed) was the measurement from the threshold that decided."""

    holds: bool
    slack: float
    measured: float


def at_most(measured: int, limit: Fraction, t: Fraction = T) -> Answer:
    """Closed limits: range, command, reach, cost, arc."""
    slack = measured - plane.fixed(limit + t)
    return Answer(slack <= 0, plane.inches(slack), plane.inches(measured))


def under(measured: int, limit: Fraction, t: Fraction = T) -> Answer:
    """Open limits: the zone of control."""
    slack = measured - plane.fixed(limit - t)
    return Answer(slack < 0, plane.inches(slack), plane.inches(measured))


def over(measured: int, limit: Fraction, t: Fraction = T) -> Answer:
    """Lengths that must exceed the tolerance: depth of an overlap."""
    slack = measured - plane.fixed(limit + t)
    return Answer(slack > 0, plane.inches(slack), plane.inches(measured))


def point_in_arc(bases: Iterable[Rect], p: Point) -> Answer:
    """TSE-FIR-05: the unit arc is the union of its bases' arcs, closed; compared by distance."""
    return at_most(min(plane.point_to_convex(p, b.arc()) for b in bases), Fraction(0))


def rect_in_arc(bases: Iterable[Rect], targets: Sequence[Rect]) -> Answer:
    """Some part of the target lies in the arc, or within the tolerance of it."""
    return at_most(min(plane.between(b.arc(), t.ring) for b in bases for t in targets), Fraction(0))


def distance(a: Iterable[Rect], b: Sequence[Rect]) -> int:
    """Between nearest edges."""
    return min(plane.between(p.ring, r.ring) for p in a for r in b)


def disc_distance(centre: Point, radius: Fraction, rects: Iterable[Rect]) -> int:
    return max(0, min(plane.point_to_convex(centre, r.ring) for r in rects) - plane.fixed(radius))


def zone_breach(a: Sequence[Rect], b: Sequence[Rect]) -> Answer:
    """TSE-MOV-17: nearer than 1 in; exactly 1 in is allowed."""
    return under(distance(a, b), Fraction(1))


def zone_of_forming(a: Sequence[Rect], b: Sequence[Rect]) -> Answer:
    """TSE-FRM-24: a march column may not form within 1 in, exactly 1 in included."""
    return at_most(distance(a, b), Fraction(1))


def command(centre: Point, radius: Fraction, rects: Sequence[Rect]) -> Answer:
    """TSE-ORD-03: within 6 in of the general's edge."""
    return at_most(disc_distance(centre, radius, rects), Fraction(6))


def overlap(a: Rect, b: Rect) -> Answer:
    return over(plane.depth(a.ring, b.ring), Fraction(0))


def band(measured: int, limits: Sequence[int]) -> tuple[int | None, float]:
    """TSE-FIR-04: index of the band, the lower one on a break-point, None beyond; and the nearest threshold's slack."""
    slacks = [measured - plane.fixed(limit + T) for limit in limits]
    index = next((i for i, slack in enumerate(slacks) if slack <= 0), None)
    return index, min((plane.inches(s) for s in slacks), key=abs)


# --- straight moves -------------------------------------------------------------------------------------------------


def _local_ring(base: Rect, ring: Ring) -> list[Point]:
    return [base.local(p) for p in ring]


def _spans_at(ring: Ring, ahead: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Where the line straight across at ``ahead`` (no vertex at that height) is inside the ring: lateral spans."""
    found = []
    for (ax, ay), (bx, by) in plane.edges(ring):
        if (ay > ahead) != (by > ahead):
            found.append(ax + (ahead - ay) * Fraction(bx - ax, by - ay))
    found.sort()
    return list(zip(found[::2], found[1::2], strict=True))


def rough_length(base: Rect, ahead: Fraction, rough: Sequence[Ring], trim: Fraction = Fraction(0)) -> int:
    """TSE-MOV-06: how much of a straight advance the front edge has some positive length inside rough ground.

    In 1/Q inch. ``trim`` shortens the edge at both ends: a flank that close to rough is a hair from being in it.
    """
    w, far = base.w // 2 - plane.fixed(trim), plane.fixed(ahead)
    rings = [_local_ring(base, ring) for ring in rough]
    events = {0, far}
    for ring in rings:
        for a, b in plane.edges(ring):
            events.add(a[1])
            for side in (-w, w):
                if (a[0] - side) * (b[0] - side) < 0:
                    events.add(a[1] + (b[1] - a[1]) * (side - a[0]) // (b[0] - a[0]))
    at = sorted(e for e in events if 0 <= e <= far)
    total = 0
    for u, v in itertools.pairwise(at):
        if v - u < Q >> 60:
            continue
        middle = Fraction(u + v, 2)
        half = Fraction(w)
        widths = [min(r, half) - max(l, -half) for ring in rings for l, r in _spans_at(ring, middle)]
        best = max(widths, default=-Q)
        if best > Q >> 100:
            total += v - u
    return total


def crossings(base: Rect, ahead: Fraction, linears: Sequence[Sequence[Point]]) -> int:
    """TSE-MOV-08: how many linear obstacles the front edge crosses on a straight advance.

    An obstacle (lines apart from each other) is crossed once for each stretch of the way during which the front edge
    lies on it: a hedge bent away from the front is met at both ends at first and is still one hedge, a ring of wall is
    crossed going in and going out. One the front stands against counts, one it only reaches at the end is still to be
    crossed, and one it stands astride of was met before. Reaching into the front by no more than the tolerance is none.
    """
    t = plane.fixed(T)
    w, far = base.w // 2 - t, plane.fixed(ahead) - t
    return sum(_times_met([base.local(p) for p in line], w, far, -t) for line in linears)


def _times_met(points: Sequence[Point], w: int, far: int, start: int) -> int:
    spans = []
    for a, b in itertools.pairwise(points):
        clipped = _clip(a, b, (-w, w), (-1000 * Q, far))
        if clipped is not None:
            spans.append(sorted(a[1] + (b[1] - a[1]) * u for u in clipped))
    met: list[list[Fraction]] = []
    for low, high in sorted(spans):
        if met and low <= met[-1][1]:
            met[-1][1] = max(high, met[-1][1])
        else:
            met.append([low, high])
    return sum(low >= start for low, _ in met)


def _clip(a: Point, b: Point, *limits: tuple[int, int]) -> tuple[Fraction, Fraction] | None:
    """Which share of the segment has a length inside the open rectangle."""
    lo, hi = Fraction(0), Fraction(1)
    for i, (low, high) in enumerate(limits):
        d = b[i] - a[i]
        if d == 0:
            if not low < a[i] < high:
                return None
            continue
        u, v = sorted((Fraction(low - a[i], d), Fraction(high - a[i], d)))
        lo, hi = max(lo, u), min(hi, v)
    return (lo, hi) if hi > lo else None


def straight_cost(
    bases: Sequence[Rect],
    ahead: Fraction,
    k: int,
    rough: Sequence[Ring],
    linears: Sequence[Sequence[Point]] = (),
    trim: Fraction = Fraction(0),
) -> int:
    """TSE-MOV-05..08: length, (k-1) times the most any base spends in rough, half an inch for each obstacle crossed."""
    spent = max(rough_length(base, ahead, rough, trim) for base in bases)
    walls = max(crossings(base, ahead, linears) for base in bases)
    return plane.fixed(ahead) + (k - 1) * spent + walls * Q // 2


def inside_area(base: Rect, area: Ring) -> Answer:
    """TSE-COV-08: a base is covered when its footprint is wholly inside a convex area, give or take the tolerance."""
    return at_most(max(plane.point_to_convex(p, area) for p in base.ring), Fraction(0))
