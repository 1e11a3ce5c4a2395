"""How far straight lines from a point get for a budget, in all directions: an upper bound that is close to exact.

Lines go out evenly spaced and to both sides of every corner of what they may meet. So between two neighbours there is
no corner, and all lines there meet the same edges in the same order, each at a distance that is a convex function of
the bearing. The sector between them is given the length of a line that meets every obstacle, and enters all rough and
impassable ground, at the later of the two distances, and leaves it at the earlier: no line between them gets farther.
Where that is more than ``STEP`` beyond either, or they do not meet the same edges, another line is inserted between
them, until they are so close that what lies between does not matter. So a passage over a bridge, or past the end of a
hedge, is never cut short by the lines beside it, and the area exceeds what the cost law allows by less than ``MOST``.
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

#: Angle (radians) between evenly spaced lines, and from a corner's direction to the lines on both its sides.
SPACING, BESIDE = math.radians(3.0), 1e-6
#: A sector may extend this much (table units) beyond either of its lines; lines closer (radians) need none between
#: them.
STEP, CLOSE = 0.1, 1e-4
#: No point of the area is farther than this (table units) from ground that the law allows.
MOST = 0.15


@dataclass(frozen=True)
class _Line:
    """A straight line: what it meets, its stretches in impassable ground, and how far it goes."""

    toll: Toll
    closed: tuple[Span, ...]
    far: float

    @classmethod
    def of(cls, toll: Toll, closed: tuple[Span, ...]) -> _Line:
        """Return the line that continues until its budget, which is its length, is spent or closed ground stops it."""
        budget, t = toll.charge, toll.cost_model.t
        return cls(toll, closed, min(toll.affordable(budget) + t, _stopped(closed, t)))


@dataclass(frozen=True)
class _Sector:
    """Two neighbouring lines, the bearing of the first and the angle to the other."""

    bearing: float
    gap: float
    first: _Line
    other: _Line

    @property
    def far(self) -> float | None:
        """How far the ground between the two reaches; None if that needs another line between them."""
        between = _between(self.first, self.other, self.gap)
        if self.gap <= CLOSE:
            return max(self.first.far, self.other.far, between.far if between else 0.0)
        least = min(self.first.far, self.other.far)
        return between.far if between and between.far - least <= STEP else None


def ground_of_lines(start: Point, budget: float, ground: Ground, cost_model: CostModel) -> BaseGeometry:
    """Return where straight lines from ``start`` (table units) that cost no more than ``budget`` may end.

    By the cost of lines (TSE-ASL-06); impassable ground stops them, unless they cross no more than the tolerance of it
    or pass through a gap (TSE-ASL-07, TSE-MOV-15). The area holds all of that ground, and less than ``MOST`` more.

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
    left, reached = [_Sector(*wedge) for wedge in every], list[tuple[float, float, float]]()
    while left:
        reach = [sector.far for sector in left]
        reached += [(wedge.bearing, wedge.gap, far) for wedge, far in zip(left, reach, strict=True) if far is not None]
        split = [wedge for wedge, far in zip(left, reach, strict=True) if far is None]
        middles = np.array([wedge.bearing + wedge.gap / 2 for wedge in split])
        more = _lines(start, middles, budget, ground, closed, cost_model) if split else []
        pairs = list(zip(split, more, strict=True))
        left = [replace(wedge, gap=wedge.gap / 2, other=line) for wedge, line in pairs]
        left += [
            replace(wedge, bearing=wedge.bearing + wedge.gap / 2, gap=wedge.gap / 2, first=line)
            for wedge, line in pairs
        ]
    return _star(start, sorted(reached))


def _closed(ground: Ground) -> Patches:
    """Return the impassable ground without the gaps through it."""
    parts = [
        part if opening is None else opening.closed
        for part, opening in zip(ground.barred.parts, ground.opened, strict=True)
    ]
    return Patches.of(shapely.union_all(np.array(parts, object)), ())


def _bearings(start: Point, budget: float, ground: Ground, closed: Patches) -> np.ndarray:
    """Return the distinct bearings of the first lines, in order."""
    corners = _corners(ground, closed) - np.array(start)
    away = np.hypot(*corners.T)
    near = corners[(away <= budget) & (away > 0.0)]
    toward = np.arctan2(near[:, 0], near[:, 1])
    even = np.arange(0.0, 2 * math.pi, SPACING)
    return np.asarray(np.unique(np.concatenate([even, toward - BESIDE, toward + BESIDE]) % (2 * math.pi)))


def _corners(ground: Ground, closed: Patches) -> np.ndarray:
    """Return the corners (n, 2) of all that lines may meet, and where choke-points' borders cross it (TSE-MOV-09)."""
    kinds = (ground.rough, ground.linear, ground.choke, closed)
    corners = [kind.outline.points for kind in kinds if kind]
    if ground.choke:
        border = shapely.boundary(ground.choke.area)
        crossed = [shapely.intersection(border, kind.parts) for kind in kinds[:2] if kind]
        corners += [shapely.get_coordinates(shapes) for shapes in crossed]
    return np.concatenate([np.zeros((0, 2)), *corners])


def _lines(
    start: Point, bearings: np.ndarray, budget: float, ground: Ground, closed: Patches, cost_model: CostModel
) -> list[_Line]:
    """Return the lines at these bearings; what they meet within the tolerance of their end is left out."""
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
    """Return a line that no line between the two surpasses; None if they do not meet the same edges."""
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
    """Return the stretches common to all lines between two; their ends may lie nearer by the sagitta of the arc."""
    ends = ((max(a, b), min(to, until) * math.cos(gap / 2)) for (a, to), (b, until) in zip(one, other, strict=True))
    return tuple((low, high) for low, high in ends if high > low)


def _star(start: Point, sectors: Sequence[tuple[float, float, float]]) -> BaseGeometry:
    """Return the area around ``start`` made up of sectors in order: bearing, angle, how far each reaches; with arcs."""
    bearing, gap, far = np.array(sectors).T
    u = np.stack([directions_of(bearing), directions_of(bearing + gap)], axis=1)
    ring = np.array(start) + (far / np.cos(gap / 2))[:, None, None] * u
    return shapely.make_valid(shapely.Polygon(ring.reshape(-1, 2)))
