"""Shifts about which a piece of terrain comes to lie across a line between two fixed points, or leaves it.

A shift that brings a corner of the piece's outline onto the line lies on a segment parallel to the line. One that
brings an edge onto an end of the line lies on a segment parallel to that edge. Between these segments nothing about
what the line crosses changes, so each such region is represented by its points nearest to no shift at all: feet of
perpendiculars on the segments, and points where segments meet. A region may be too narrow for any ring of shifts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import shapely

from tabletop.geometry.measure import SAME_PLACE, Point, bearing, heading
from tabletop.judge.things import Placement, Thing, on_grid

#: How far from such a point its regions are tried, as shares of the search; a region narrower than the tolerances of
#: crossing is one only at some distance from its corner.
BESIDE = (0.0025, 0.01, 0.04)
#: A point this near to a segment (table units) lies on it.
ON_IT = 4 * SAME_PLACE

Segment = tuple[Point, Point]


def crossings(thing: Thing, start: Point, end: Point, radius: float) -> Iterator[Placement]:
    """Yield shifts of at most ``radius`` (table units) to either side of those where the line starts or ceases to
    cross the thing's outline in another way."""
    segments = list(_segments(thing, (start, end)))
    seen: set[Point] = set()
    for point, bearings in _meetings(segments, radius * (1.0 + max(BESIDE))):
        for degrees in _between(bearings):
            east, north = heading(degrees)
            for share in BESIDE:
                far = share * radius
                shift = on_grid(point[0] + far * east), on_grid(point[1] + far * north)
                if shift not in seen and 0.0 < math.hypot(*shift) <= radius:
                    seen.add(shift)
                    yield Placement(thing, shift)


def _segments(thing: Thing, ends: Segment) -> Iterator[Segment]:
    """Yield the segments of shifts that bring a corner onto the line, or an edge onto one of its ends."""
    for ring in _rings(thing):
        for corner in ring:
            yield _less(ends[0], corner), _less(ends[1], corner)
        for one, other in zip(ring, (*ring[1:], ring[0]), strict=True):
            for end in ends:
                yield _less(end, one), _less(end, other)


def _rings(thing: Thing) -> Iterator[Sequence[Point]]:
    """Yield the corners of every line and ring of the thing's outline; the last edge of a line joins its ends."""
    for part in shapely.get_parts(thing.shape):
        lines = (part.exterior, *part.interiors) if part.geom_type == "Polygon" else (part,)
        for line in lines:
            corners = [(float(x), float(y)) for x, y in shapely.get_coordinates(line)]
            yield corners[:-1] if corners[0] == corners[-1] else corners


def _meetings(segments: Sequence[Segment], radius: float) -> Iterator[tuple[Point, list[float]]]:
    """Yield points within the radius that represent regions, with the bearings in which segments leave them.

    They are the ends of segments and points where two meet, and the points of segments nearest to no shift.
    """
    near = [segment for segment in segments if math.hypot(*_nearest(segment)) <= radius]
    points = [_nearest(segment) for segment in near] + [end for segment in near for end in segment]
    points += [point for k, one in enumerate(near) for other in near[:k] if (point := _meeting(one, other)) is not None]
    within = [point for point in points if math.hypot(*point) <= radius]
    for point in dict.fromkeys(
        (round(x / SAME_PLACE) * SAME_PLACE, round(y / SAME_PLACE) * SAME_PLACE) for x, y in within
    ):
        yield point, [degrees for segment in near for degrees in _leaving(segment, point)]


def _leaving(segment: Segment, point: Point) -> Iterator[float]:
    """Yield the bearings in which a segment leaves a point, if the point lies on it."""
    (ax, ay), (bx, by) = segment
    length = math.hypot(bx - ax, by - ay)
    if length < SAME_PLACE:
        return
    across = ((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)) / length
    along = ((bx - ax) * (point[0] - ax) + (by - ay) * (point[1] - ay)) / length
    if abs(across) < ON_IT and -ON_IT < along < length + ON_IT:
        if along < length - ON_IT:
            yield bearing(bx - ax, by - ay)
        if along > ON_IT:
            yield bearing(ax - bx, ay - by)


def _between(bearings: Sequence[float]) -> Iterator[float]:
    """Yield the bearings halfway between neighbours."""
    around = sorted(set(bearings))
    for one, other in zip(around, (*around[1:], around[0] + 360.0), strict=True) if around else ():
        yield (one + other) / 2.0


def _nearest(segment: Segment) -> Point:
    """Return the point of a segment nearest to no shift."""
    (ax, ay), (bx, by) = segment
    dx, dy = bx - ax, by - ay
    squared = dx * dx + dy * dy
    share = min(max(-(ax * dx + ay * dy) / squared, 0.0), 1.0) if squared else 0.0
    return ax + share * dx, ay + share * dy


def _meeting(one: Segment, other: Segment) -> Point | None:
    """Return the point where two segments meet; None if they do not, or are parallel."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    turned = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if not turned:
        return None
    share = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / turned
    back = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / turned
    if not (0.0 <= share <= 1.0 and 0.0 <= back <= 1.0):
        return None
    return ax + share * (bx - ax), ay + share * (by - ay)


def _less(one: Point, other: Point) -> Point:
    return one[0] - other[0], one[1] - other[1]
