"""What obstacles hide of a base: does some line from a stretch of front reach it and pass beside them all?

A line crosses an obstacle when it comes within the tolerance of it on its way to the base, or where it meets the base.
The lines that pass beside all obstacles form regions, and a region's corners are lines fixed by two constraints of four
kinds: an end of the stretch, a corner of the base, a point where an obstacle meets the base's outline, and an end or
corner of an obstacle that is just passed. So trying every line fixed by two of them decides whether any line passes; no
sampling does. Lines that just pass are placed a hair farther off than the tolerance. Source: TSE-COV-09.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import shapely

from tabletop.geometry.measure import SAME_PLACE, Point
from tabletop.geometry.shapes import hull_about

Line = tuple[Point, Point]
Floats = np.ndarray[Any, np.dtype[np.float64]]

#: How much farther off than the tolerance (as a share of it, plus table units) a line that just passes an obstacle is
#: placed.
FARTHER, HAIR = 2e-3, 1e-7
#: Rounding error (table units) within which a line still meets a corner.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Passing:
    """A line that reaches the base and how far it passes beside the nearest obstacle, in table units."""

    line: Line
    beside: float


@dataclass(frozen=True)
class View:
    """A base seen over obstacles: ``corners`` (k, 2) of its convex outline, counter-clockwise.

    ``obstacle`` is a line, an area or several of either; a line within the tolerance ``t`` crosses it.
    """

    corners: Floats
    obstacle: shapely.Geometry
    t: float

    @classmethod
    def of(cls, base: shapely.Polygon, obstacle: shapely.Geometry, t: float) -> View:
        """Return the view of a convex base."""
        corners = shapely.get_coordinates(base)[:-1]
        return cls(corners if shapely.is_ccw(shapely.get_exterior_ring(base)) else corners[::-1], obstacle, t)

    @property
    def off(self) -> float:
        """The distance from an obstacle of a line that just passes it."""
        return self.t * (1.0 + FARTHER) + HAIR

    @cached_property
    def sides(self) -> tuple[Floats, Floats]:
        """Outward unit normals (k, 2) of the sides of the base, and the offset of each side (k)."""
        ways = np.roll(self.corners, -1, axis=0) - self.corners
        out = np.stack([ways[:, 1], -ways[:, 0]], axis=1) / np.hypot(*ways.T)[:, None]
        return out, (out * self.corners).sum(1)

    @cached_property
    def points(self) -> Floats:
        """Corners of the base, and the points where the part of its outline hidden by obstacles ends."""
        outline = shapely.linearrings(self.corners)
        cut = shapely.intersection(shapely.boundary(shapely.buffer(self.obstacle, self.off, quad_segs=16)), outline)
        return np.vstack([self.corners, shapely.get_coordinates(cut)])

    def ends(self, a: Point, b: Point) -> Floats:
        """Return the ends and corners (n, 2) of the obstacles near lines from ``a`` or ``b``."""
        hull = hull_about(np.vstack([self.corners, [a, b]]))
        near = shapely.intersection(self.obstacle, shapely.buffer(hull, 4.0 * self.t))
        corners: Floats = np.unique(shapely.get_coordinates(near), axis=0)
        return corners

    def reached(self, starts: Floats, ways: Floats) -> tuple[np.ndarray, Floats]:
        """Return which rays from ``starts`` (n, 2) along unit ``ways`` meet the base, and where (n, 2)."""
        out, far = self.sides
        ahead = far - starts @ out.T + ROUNDING
        rate = ways @ out.T
        with np.errstate(divide="ignore", invalid="ignore"):
            at = ahead / rate
        first = np.where(rate < -1e-14, at, 0.0).max(1, initial=0.0)
        last = np.where(rate > 1e-14, at, np.inf).min(1)
        beside = ((np.abs(rate) <= 1e-14) & (ahead < 0.0)).any(1)
        return (first <= last) & ~beside, starts + first[:, None] * ways

    def passing(self, starts: Floats, ways: Floats) -> tuple[Floats, Floats]:
        """Return the rays that reach the base beside all obstacles: from (n, 2) and to (n, 2)."""
        length = np.hypot(*ways.T)
        long_enough = length > SAME_PLACE
        starts, ways = starts[long_enough], ways[long_enough] / length[long_enough, None]
        met, ends = self.reached(starts, ways)
        starts, ends = starts[met], ends[met]
        free = ~shapely.dwithin(_segments(starts, ends), self.obstacle, self.t)
        return starts[free], ends[free]


def passes(view: View, a: Point, b: Point) -> Passing | None:
    """Return a line from the stretch ``a`` to ``b`` (or the one point) that passes beside all obstacles.

    None if every line crosses one. Of the lines tried it is the one that passes farthest off. In table units
    (TSE-COV-09).

    >>> view = View.of(shapely.box(4.0, 8.0, 6.0, 9.0), shapely.LineString([(0.0, 7.0), (4.5, 7.0)]), 0.005)
    >>> passes(view, (5.5, 5.0), (5.5, 5.0)) is not None, passes(view, (0.0, 6.9), (0.0, 6.9)) is None
    (True, True)
    """
    first = np.broadcast_to(np.asarray(a), view.corners.shape)
    starts, ends = view.passing(
        first, view.corners - first
    )  # to the corners from one end: usually these lines answer the question already
    if not len(starts):
        starts, ends = view.passing(*_tried(view, a, b))
    if not len(starts):
        return None
    beside = shapely.distance(_segments(starts, ends), view.obstacle)
    k = int(np.argmax(np.where(np.isnan(beside), np.inf, beside)))
    (ax, ay), (bx, by) = starts[k].tolist(), ends[k].tolist()
    return Passing(((ax, ay), (bx, by)), float(beside[k]))


def open_stretches(view: View, a: Point, b: Point) -> list[Line]:
    """Return the parts of the stretch ``a`` to ``b`` from every point of which some line passes beside all obstacles.

    In table units (TSE-COV-09).

    >>> view = View.of(shapely.box(4.0, 8.0, 6.0, 9.0), shapely.LineString([(0.0, 7.0), (4.5, 7.0)]), 0.005)
    >>> len(open_stretches(view, (4.0, 5.0), (6.0, 5.0)))
    1
    """
    starts, ways = _tried(view, a, b)
    met, _ = view.reached(starts, ways / np.maximum(np.hypot(*ways.T), SAME_PLACE)[:, None])
    length = math.dist(a, b)
    if length <= SAME_PLACE:
        return [(a, b)] if passes(view, a, b) else []
    unit = (np.subtract(b, a)) / length
    cuts = np.unique(np.round(np.clip((starts[met] - a) @ unit, 0.0, length), 9))
    cuts = np.unique(np.concatenate([[0.0], cuts, [length]]))
    spans: list[tuple[float, float]] = []
    for low, high in pairwise(cuts.tolist()):
        middle = _at(a, unit, (low + high) / 2.0)
        if passes(view, middle, middle) is None:
            continue
        if spans and spans[-1][1] == low:
            low = spans.pop()[0]
        spans.append((low, high))
    return [(_at(a, unit, low), _at(a, unit, high)) for low, high in spans]


def stretches_within(a: Point, b: Point, shape: shapely.Geometry, reach: float) -> list[Line]:
    """Return the parts of the straight stretch ``a`` to ``b`` that lie within ``reach`` of a polygon, exactly.

    In table units (TSE-COV-09).

    >>> stretches_within((0.0, 0.0), (10.0, 0.0), shapely.box(4.0, 0.0, 6.0, 2.0), 1.0)
    [((3.0, 0.0), (7.0, 0.0))]
    """
    length = math.dist(a, b)
    if length <= SAME_PLACE:
        return [(a, b)] if shapely.distance(shapely.Point(a), shape) <= reach else []
    unit = np.subtract(b, a) / length
    spans = []
    for ring in shapely.get_parts(shapely.get_rings(shapely.get_parts(shape))):
        for p, q in pairwise(shapely.get_coordinates(ring)):
            span = _near_side(np.asarray(a), unit, p, q, reach)
            if span is not None and span[0] <= length and span[1] >= 0.0:
                spans.append((max(0.0, span[0]), min(length, span[1])))
    return [(_at(a, unit, low), _at(a, unit, high)) for low, high in _joined(spans)]


def _near_side(a: Floats, unit: Floats, p: Floats, q: Floats, reach: float) -> tuple[float, float] | None:
    """Return the stretch of a line (from ``a`` along ``unit``) that lies within ``reach`` of the side p to q."""
    distances: list[float] = []
    for end in (p, q):
        along, off = float((end - a) @ unit), float(unit[0] * (end - a)[1] - unit[1] * (end - a)[0])
        if abs(off) <= reach:
            half = math.sqrt(reach * reach - off * off)
            distances += [along - half, along + half]
    side = q - p
    wide = float(np.hypot(*side))
    if wide > SAME_PLACE:
        distances += _beside(a, unit, p, side / wide, wide, reach)
    return (min(distances), max(distances)) if distances else None


def _beside(a: Floats, unit: Floats, p: Floats, way: Floats, wide: float, reach: float) -> list[float]:
    """Return where the line enters and leaves the rectangle within ``reach`` of a side, perpendicular to it."""
    low, high = -math.inf, math.inf
    for axis, lo, hi in ((way, 0.0, wide), (np.array([-way[1], way[0]]), -reach, reach)):
        at, rate = float((a - p) @ axis), float(unit @ axis)
        if abs(rate) < 1e-14:
            if not lo <= at <= hi:
                return []
            continue
        first, last = sorted(((lo - at) / rate, (hi - at) / rate))
        low, high = max(low, first), min(high, last)
    return [low, high] if low <= high and math.isfinite(low) and math.isfinite(high) else []


def _joined(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for low, high in sorted(spans):
        if merged and low <= merged[-1][1]:
            low, high = merged[-1][0], max(high, merged.pop()[1])
        merged.append((low, high))
    return merged


def _at(a: Point, unit: Floats, along: float) -> Point:
    return float(a[0] + along * unit[0]), float(a[1] + along * unit[1])


def _segments(starts: Floats, ends: Floats) -> Any:
    return shapely.linestrings(np.stack([starts, ends], axis=1)) if len(starts) else np.array([], object)


# --- the lines tried --------------------------------------------------------------------------------------------------


def _tried(view: View, a: Point, b: Point) -> tuple[Floats, Floats]:
    """Return every line from the stretch fixed by two constraints: starts (n, 2) and directions (n, 2)."""
    points, discs = view.points, view.ends(a, b)
    stretch = [a] if a == b else [a, b]
    lines = [_from_point(np.asarray(end), points, discs, view.off) for end in stretch]
    if a != b:
        lines.append(_from_stretch(np.asarray(a), np.asarray(b), points, discs, view))
    starts, ways = (np.concatenate(parts) for parts in zip(*lines, strict=True))
    return starts, ways


def _from_point(end: Floats, points: Floats, discs: Floats, off: float) -> tuple[Floats, Floats]:
    """Return the lines from one point to others, and just past the ends of obstacles."""
    ways = np.vstack([points - end, *_just_past(end[None], discs, off)])
    return np.broadcast_to(end, ways.shape), ways


def _from_stretch(a: Floats, b: Floats, points: Floats, discs: Floats, view: View) -> tuple[Floats, Floats]:
    """Return the lines fixed by two constraints other than the stretch's ends, from where they meet the stretch."""
    held, ways = [np.repeat(points, len(points), 0)], [np.tile(points, (len(points), 1))]
    ways[0] = ways[0] - held[0]
    for way in _just_past(points, discs, view.off):
        held.append(np.repeat(points, len(discs), 0))
        ways.append(way)
    for through, way in _past_both(discs, view.off):
        held.append(through)
        ways.append(way)
    return _met(a, b, np.concatenate(held), np.concatenate(ways), view.corners.mean(0))


def _met(a: Floats, b: Floats, held: Floats, ways: Floats, centre: Floats) -> tuple[Floats, Floats]:
    """Return where lines through ``held`` (n, 2) along ``ways`` meet the stretch, and their direction towards
    ``centre``."""
    side = b - a
    cross = side[0] * ways[:, 1] - side[1] * ways[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        at = ((held - a)[:, 0] * ways[:, 1] - (held - a)[:, 1] * ways[:, 0]) / cross
    slack = ROUNDING / max(float(np.hypot(*side)), SAME_PLACE)
    on_stretch = np.isfinite(at) & (at >= -slack) & (at <= 1.0 + slack)
    starts, ways = a + np.clip(at[on_stretch], 0.0, 1.0)[:, None] * side, ways[on_stretch]
    ahead = np.where(((centre - starts) * ways).sum(1) < 0.0, -1.0, 1.0)
    return starts, ways * ahead[:, None]


def _just_past(points: Floats, discs: Floats, off: float) -> Iterator[Floats]:
    """Yield the directions (n * m, 2) from n points that pass m others at the distance ``off``, on either side."""
    ways = (discs[None] - points[:, None]).reshape(-1, 2)
    far = np.hypot(*ways.T)
    for hand in (-1.0, 1.0):
        with np.errstate(invalid="ignore"):
            turn = hand * np.arcsin(off / np.maximum(far, off))
        tangents = _turned(ways, turn)
        yield np.where((far > off)[:, None], tangents, 0.0)


def _past_both(discs: Floats, off: float) -> Iterator[tuple[Floats, Floats]]:
    """Yield the lines that pass two obstacles' ends at the distance ``off``: a point (n, 2) and the direction of
    each."""
    i, j = np.triu_indices(len(discs), 1)
    p, ways = discs[i], discs[j] - discs[i]
    far = np.maximum(np.hypot(*ways.T), SAME_PLACE)
    square = np.stack([-ways[:, 1], ways[:, 0]], axis=1) / far[:, None] * off
    for hand in (-1.0, 1.0):
        yield p + hand * square, ways
        turn = hand * np.arcsin(np.minimum(1.0, 2.0 * off / far))
        yield p + ways / 2.0, _turned(ways, turn)


def _turned(ways: Floats, turn: Floats) -> Floats:
    """Return vectors (n, 2) turned by ``turn`` (n) radians, counter-clockwise."""
    c, s = np.cos(turn), np.sin(turn)
    return np.stack([c * ways[:, 0] - s * ways[:, 1], s * ways[:, 0] + c * ways[:, 1]], axis=1)
