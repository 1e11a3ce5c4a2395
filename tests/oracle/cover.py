"""Cover behind obstacles by plain sampling: does a base show past them from some firing point (TSE-COV-09)?

Points of the front and of the base's outline are tried one against another, in floats; nothing is clever here. What is
found shows; what is not found may hide between the points, so a test asks with a little to spare on either side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Point = tuple[float, float]
Line = tuple[Point, Point]


def between(a: Point, b: Point, share: float) -> Point:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def point_to_line(p: Point, a: Point, b: Point) -> float:
    """Distance of a point from a stretch."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    share = 0.0 if square == 0.0 else max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square))
    return math.dist(p, between(a, b, share))


def _side(a: Point, b: Point, p: Point) -> float:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def apart(one: Line, other: Line) -> float:
    """Distance between two stretches."""
    (a, b), (c, d) = one, other
    if _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0:
        return 0.0
    return min(point_to_line(a, c, d), point_to_line(b, c, d), point_to_line(c, a, b), point_to_line(d, a, b))


def inside(ring: Sequence[Point], one: Line) -> float:
    """Length of a stretch inside a convex ring given counter-clockwise."""
    low, high = 0.0, 1.0
    for k, c in enumerate(ring):
        d = ring[(k + 1) % len(ring)]
        at, to = _side(c, d, one[0]), _side(c, d, one[1])
        if at < 0 and to < 0:
            return 0.0
        if at < 0:
            low = max(low, at / (at - to))
        elif to < 0:
            high = min(high, at / (at - to))
    return max(0.0, high - low) * math.dist(*one)


def outline(ring: Sequence[Point], steps: int) -> list[Point]:
    return [between(c, ring[(k + 1) % len(ring)], i / steps) for k, c in enumerate(ring) for i in range(steps)]


def reaches(line: Line, ring: Sequence[Point], houses: Sequence[Sequence[Point]]) -> bool:
    """Whether a line comes to the base from outside, past every house."""
    return inside(ring, line) < 1e-9 and all(inside(house, line) <= 0.005 for house in houses)


def shortest(start: Point, ring: Sequence[Point], houses: Sequence[Sequence[Point]], steps: int = 24) -> float:
    """Length of the shortest clear line from a point to the base, of those tried."""
    foot = [
        between(c, d, share)
        for k, c in enumerate(ring)
        for d in (ring[(k + 1) % len(ring)],)
        for share in (_foot(start, c, d),)
    ]
    lines = ((start, end) for end in (*foot, *outline(ring, steps)))
    return min((math.dist(*line) for line in lines if reaches(line, ring, houses)), default=math.inf)


def _foot(p: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    return max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)))


def shown(
    front: Line,
    ring: Sequence[Point],
    walls: Sequence[Line],
    houses: Sequence[Sequence[Point]],
    longer: float,
    past: float,
    steps: int = 48,
) -> Line | None:
    """Return a line from a firing point to the base farther than ``past`` from every wall; None if none was found.

    Firing points have a clear line at most ``longer`` above the shortest found.
    """
    starts = [between(*front, k / steps) for k in range(steps + 1)]
    lengths = [shortest(start, ring, houses) for start in starts]
    limit = min(lengths) + longer
    for start in (s for s, far in zip(starts, lengths, strict=True) if far <= limit):
        for end in outline(ring, steps):
            line = (start, end)
            if inside(ring, line) < 1e-9 and all(apart(line, wall) > past for wall in walls):
                return line
    return None
