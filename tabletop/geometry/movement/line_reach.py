"""How far straight lines from a point get for a budget, all round: never less ground than their price allows.

Lines go out evenly spaced and to both sides of every corner of what they may meet. So between two neighbours there is
no corner, and all lines there meet the same edges in the same order, each at a distance that is a convex function of
the bearing. The ground between them reaches as far as a line would that meets every obstacle, and enters all rough and
impassable ground, as late as the later of the two, and leaves it as early as the earlier: no line between them gets
farther. Where that is more than ``STEP`` beyond either, or they do not meet the same, a further line is put in between,
until they lie so close that what is between them does not matter. So a passage over a bridge, or past the end of a
hedge, is never cut short by the lines beside it, and shown is less than ``MOST`` more than the law of the price gives.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point
from tabletop.geometry.movement.ground import Ground, Patches
from tabletop.geometry.movement.line_cost import line_tolls
from tabletop.geometry.movement.motion_cost import CostModel, Toll
from tabletop.geometry.movement.move_context import directions_of
from tabletop.geometry.movement.stretches import Span, lines_spans

#: Radians between evenly spaced lines, and to each side of a corner's direction.
SPACING, BESIDE = math.radians(3.0), 1e-6
#: Ground may be shown so much (table units) beyond either neighbour; lines closer (radians) need none between them.
STEP, CLOSE = 0.1, 1e-4
#: The ground shown is not farther than this (table units) from ground the law gives.
MOST = 0.15


@dataclass(frozen=True)
class _Line:
    """A straight line: what it meets, its stretches in impassable ground, and how far it goes."""

    toll: Toll
    closed: tuple[Span, ...]
    far: float

    @classmethod
    def of(cls, toll: Toll, closed: tuple[Span, ...]) -> _Line:
        """Return the line that goes on until its budget, which is its length, is spent or closed ground stops it."""
        budget, t = toll.charge, toll.cost_model.t
        return cls(toll, closed, min(toll.affordable(budget) + t, _stopped(closed, t)))


@dataclass(frozen=True)
class _Sector:
    """Two neighbouring lines, the bearing of the first and the angle from it to the other."""

    bearing: float
    gap: float
    first: _Line
    other: _Line

    @property
    def far(self) -> float | None:
        """How far the ground between the two reaches; None if that cannot be said without a line between them."""
        between = _between(self.first, self.other, self.gap)
        if self.gap <= CLOSE:
            return max(self.first.far, self.other.far, between.far if between else 0.0)
        least = min(self.first.far, self.other.far)
        return between.far if between and between.far - least <= STEP else None


def ground_of_lines(start: Point, budget: float, ground: Ground, cost_model: CostModel) -> BaseGeometry:
    """Return where straight lines from ``start`` (table units) that cost no more than ``budget`` may end.

    By the price of lines (TSE-ASL-06); impassable ground stops them, unless they cross no more than the tolerance of it
    or pass by a gap (TSE-ASL-07, TSE-MOV-15). All of that ground, and by less than ``MOST`` more.

    >>> from tabletop.geometry import CostModel, Table, ground_of
    >>> prices, ground = CostModel(rough=2.0, linear=2.0, choke=1.0), ground_of(Table.of("in", 20, 20, []))
    >>> [round(edge, 1) for edge in ground_of_lines((10.0, 10.0), 6.0, ground, prices).bounds]
    [4.0, 4.0, 16.0, 16.0]
    """
    closed = _closed(ground)
    bearings = _bearings(start, budget, ground, closed)
    lines = _lines(start, bearings, budget, ground, closed, cost_model)
    gaps = np.diff(bearings, append=bearings[0] + 2 * math.pi)
    every = zip(bearings.tolist(), gaps.tolist(), lines, [*lines[1:], lines[0]], strict=True)
    left, found = [_Sector(*one) for one in every], list[tuple[float, float, float]]()
    while left:
        reach = [sector.far for sector in left]
        found += [(one.bearing, one.gap, far) for one, far in zip(left, reach, strict=True) if far is not None]
        split = [one for one, far in zip(left, reach, strict=True) if far is None]
        middles = np.array([one.bearing + one.gap / 2 for one in split])
        more = _lines(start, middles, budget, ground, closed, cost_model) if split else []
        pairs = list(zip(split, more, strict=True))
        left = [replace(one, gap=one.gap / 2, other=line) for one, line in pairs]
        left += [replace(one, bearing=one.bearing + one.gap / 2, gap=one.gap / 2, first=line) for one, line in pairs]
    return _star(start, sorted(found))


def _closed(ground: Ground) -> Patches:
    """Return the impassable ground without what leads through it."""
    parts = [part if one is None else one.closed for part, one in zip(ground.barred.parts, ground.opened, strict=True)]
    return Patches.of(shapely.union_all(np.array(parts, object)), ())


def _bearings(start: Point, budget: float, ground: Ground, closed: Patches) -> np.ndarray:
    """Return the bearings of the first lines, in order, none twice."""
    corners = _corners(ground, closed) - np.array(start)
    away = np.hypot(*corners.T)
    near = corners[(away <= budget) & (away > 0.0)]
    toward = np.arctan2(near[:, 0], near[:, 1])
    even = np.arange(0.0, 2 * math.pi, SPACING)
    return np.asarray(np.unique(np.concatenate([even, toward - BESIDE, toward + BESIDE]) % (2 * math.pi)))


def _corners(ground: Ground, closed: Patches) -> np.ndarray:
    """Return the corners (n, 2) of all that lines may meet, and where choke-points' borders cross it (TSE-MOV-09)."""
    kinds = (ground.rough, ground.linear, ground.choke, closed)
    found = [kind.outline.points for kind in kinds if kind]
    if ground.choke:
        border = shapely.boundary(ground.choke.area)
        crossed = [shapely.intersection(border, kind.parts) for kind in kinds[:2] if kind]
        found += [shapely.get_coordinates(shapes) for shapes in crossed]
    return np.concatenate([np.zeros((0, 2)), *found])


def _lines(
    start: Point, bearings: np.ndarray, budget: float, ground: Ground, closed: Patches, cost_model: CostModel
) -> list[_Line]:
    """Return the lines that go out that way; what they meet within the tolerance of their end is left out."""
    ends = np.array(start) + budget * directions_of(bearings)
    starts, n = np.broadcast_to(np.array(start), ends.shape), len(bearings)
    barred = lines_spans(starts, ends - starts, np.full(n, budget), closed) if closed else [list[Span]()] * n
    tolls = line_tolls(start, ends, ground, cost_model)
    return [_Line.of(replace(toll, charge=budget), tuple(own)) for toll, own in zip(tolls, barred, strict=True)]


def _stopped(closed: Sequence[Span], t: float) -> float:
    """Return how far a line goes before it has crossed more than ``t`` of impassable ground."""
    crossed = 0.0
    for low, high in closed:
        crossed += high - low
        if crossed > t:
            return high - (crossed - t)
    return math.inf


def _between(one: _Line, other: _Line, gap: float) -> _Line | None:
    """Return a line no line between the two gets farther than; None if they do not meet the same."""
    a, b = one.toll, other.toll
    met = zip((*a.rough, *a.linear, a.choke, one.closed), (*b.rough, *b.linear, b.choke, other.closed), strict=True)
    if any(len(own) != len(theirs) for own, theirs in met):
        return None
    rough = tuple(_common(own, theirs, gap) for own, theirs in zip(a.rough, b.rough, strict=True))
    linear = tuple(_later(own, theirs) for own, theirs in zip(a.linear, b.linear, strict=True))
    toll = replace(a, rough=rough, linear=linear, choke=_later(a.choke, b.choke))
    return _Line.of(toll, _common(one.closed, other.closed, gap))


def _later(one: Sequence[float], other: Sequence[float]) -> tuple[float, ...]:
    return tuple(max(pair) for pair in zip(one, other, strict=True))


def _common(one: Sequence[Span], other: Sequence[Span], gap: float) -> tuple[Span, ...]:
    """Return the stretches all lines between two have in common: what is left may lie nearer by as much as an arc."""
    ends = ((max(a, b), min(to, until) * math.cos(gap / 2)) for (a, to), (b, until) in zip(one, other, strict=True))
    return tuple((low, high) for low, high in ends if high > low)


def _star(start: Point, sectors: Sequence[tuple[float, float, float]]) -> BaseGeometry:
    """Return the ground about ``start`` of sectors in order: bearing, angle, how far each reaches; arcs included."""
    bearing, gap, far = np.array(sectors).T
    u = np.stack([directions_of(bearing), directions_of(bearing + gap)], axis=1)
    ring = np.array(start) + (far / np.cos(gap / 2))[:, None, None] * u
    return shapely.make_valid(shapely.Polygon(ring.reshape(-1, 2)))
