"""Arcs of fire: the ground ahead of a front, widened by 45 degrees outward from each end.

With (l, f) the lateral and forward distances from the middle of a front edge ``w`` long, the arc is the closed set
``f >= 0 and |l| <= w/2 + f`` (TSE-FIR-05). Its edges are straight rays, so it is drawn and clipped exactly; only the
optional clipping to a range uses chords of circles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import shapely

from tabletop.geometry.base import Base
from tabletop.geometry.measure import GRAZE, Point, heading, right_of, turn_between


@dataclass(frozen=True)
class Front:
    """A straight front: the front edge of one base, or the joined edges of bases that stand abreast.

    The union of the arcs of bases abreast is the arc of their joined edge, so one front stands for all of them.

    >>> from tabletop.geometry import Base, Front
    >>> front = Front.of(Base(5.0, 4.5, 0.0, 2.0, 1.0))
    >>> front.left, front.right, front.width
    ((4.0, 5.0), (6.0, 5.0), 2.0)
    """

    left: Point
    right: Point
    facing: float

    @classmethod
    def of(cls, base: Base) -> Front:
        """Return the front of one base."""
        left, right = base.front_edge.tolist()
        return cls((left[0], left[1]), (right[0], right[1]), base.facing)

    @cached_property
    def forward(self) -> Point:
        return heading(self.facing)

    @cached_property
    def middle(self) -> Point:
        return (self.left[0] + self.right[0]) / 2, (self.left[1] + self.right[1]) / 2

    @cached_property
    def width(self) -> float:
        return float(np.hypot(self.right[0] - self.left[0], self.right[1] - self.left[1]))

    @cached_property
    def edge(self) -> shapely.LineString:
        """The front edge, left end first."""
        return shapely.LineString([self.left, self.right])

    def ahead(self, points: np.ndarray) -> np.ndarray:
        """Return how far each of (n, 2) ``points`` lies ahead of the front line (negative behind)."""
        offsets = points - np.asarray(self.middle)
        return np.asarray(offsets[:, 0] * self.forward[0] + offsets[:, 1] * self.forward[1])

    def arc(self, reach: float) -> shapely.Polygon:
        """Return the arc, cut off ``reach`` ahead of the front line."""
        (fx, fy), (rx, ry) = self.forward, right_of(self.forward)
        (ax, ay), (bx, by) = self.left, self.right
        far_right = (bx + reach * (fx + rx), by + reach * (fy + ry))
        far_left = (ax + reach * (fx - rx), ay + reach * (fy - ry))
        return shapely.Polygon([self.left, self.right, far_right, far_left])

    def half_plane(self, reach: float) -> shapely.Polygon:
        """Return the ground ahead of the front line, cut off at ``reach`` ahead and to each side."""
        (fx, fy), (rx, ry), (mx, my) = self.forward, right_of(self.forward), self.middle
        left, right = (mx - reach * rx, my - reach * ry), (mx + reach * rx, my + reach * ry)
        deep = reach * fx, reach * fy
        far = [(right[0] + deep[0], right[1] + deep[1]), (left[0] + deep[0], left[1] + deep[1])]
        return shapely.Polygon([left, right, *far])

    def farthest(self, shape: shapely.Geometry) -> float:
        """Return an upper bound, from the bounding box, on the distance of any point of ``shape`` from the front's
        middle."""
        x0, y0, x1, y1 = shapely.bounds(shape).tolist()
        mx, my = self.middle
        return float(np.hypot(max(mx - x0, x1 - mx), max(my - y0, y1 - my)))


def fronts_of(bases: Iterable[Base]) -> tuple[Front, ...]:
    """Return the fronts of ``bases`` in layout order; bases that stand abreast share one front.

    >>> from tabletop.geometry import fronts_of, line
    >>> [front.width for front in fronts_of(line(4, 1.0, 0.75).about_centre((10.0, 10.0), 0.0))]
    [4.0]
    """
    return _fronts_of(tuple(bases))


@lru_cache(maxsize=1024)
def _fronts_of(bases: tuple[Base, ...]) -> tuple[Front, ...]:
    joined: list[Front] = []
    for base in bases:
        front = Front.of(base)
        if joined and _abreast(joined[-1], front):
            joined[-1] = Front(joined[-1].left, front.right, front.facing)
        else:
            joined.append(front)
    return tuple(joined)


def _abreast(a: Front, b: Front) -> bool:
    gap = np.hypot(a.right[0] - b.left[0], a.right[1] - b.left[1])
    return bool(gap <= GRAZE) and abs(turn_between(a.facing, b.facing)) <= GRAZE


def base_arc(base: Base, reach: float) -> shapely.Polygon:
    """Return the arc of one base, cut off ``reach`` (table units) ahead of its front line (TSE-FIR-05)."""
    return Front.of(base).arc(reach)


def unit_arc(bases: Iterable[Base], reach: float) -> shapely.Geometry:
    """Return the union of the arcs of ``bases``, each cut off ``reach`` ahead (TSE-FIR-26)."""
    return arc_of(fronts_of(bases), reach)


def arc_of(fronts: Sequence[Front], reach: float) -> shapely.Geometry:
    """Return the union of the arcs of ``fronts``, each cut off ``reach`` (table units) ahead; empty for no front.

    Source: TSE-FIR-05, TSE-FIR-26.

    >>> from tabletop.geometry import Base, arc_of, fronts_of
    >>> arc_of(fronts_of([Base(5.0, 4.5, 0.0, 2.0, 1.0)]), 6.0).bounds
    (-2.0, 5.0, 12.0, 11.0)
    """
    if len(fronts) == 1:
        return fronts[0].arc(reach)
    return shapely.union_all([front.arc(reach) for front in fronts])


def arc_in_range(fronts: Sequence[Front], distance: float) -> shapely.Geometry:
    """Return the part of the arc within ``distance`` of the front edges, for drawing (rounded by short chords)."""
    near = shapely.union_all([shapely.buffer(front.edge, distance, quad_segs=24) for front in fronts])
    return shapely.intersection(arc_of(fronts, 2.0 * distance), near)


def in_base_arc(base: Base, point: Point) -> bool:
    """Return whether ``point`` lies in the closed arc of ``base``; exact, without tolerance.

    >>> in_base_arc(Base(0.0, -0.5, 0.0, 1.0, 1.0), (1.5, 1.0))
    True
    """
    lateral, ahead = base.local(point)
    return ahead >= 0.0 and abs(lateral) <= base.frontage / 2 + ahead


def distance_to_arc(fronts: Sequence[Front], shape: shapely.Geometry) -> float:
    """Return the distance (table units) from ``shape`` to the nearest arc of ``fronts``, 0 inside one (TSE-FIR-05).

    Raises ValueError if ``fronts`` is empty.

    >>> import shapely
    >>> from tabletop.geometry import Base, distance_to_arc, fronts_of
    >>> fronts = fronts_of([Base(5.0, 4.5, 0.0, 2.0, 1.0)])
    >>> [distance_to_arc(fronts, shapely.box(4.0, y, 6.0, y + 1.0)) for y in (8.0, 3.0)]
    [0.0, 1.0]
    """
    return _distance_to_arc(tuple(fronts), shape)


@lru_cache(maxsize=1024)
def _distance_to_arc(fronts: tuple[Front, ...], shape: shapely.Geometry) -> float:
    return min(float(shapely.distance(front.arc(_reach(front, shape)), shape)) for front in fronts)


def part_in_arc(fronts: Sequence[Front], shape: shapely.Geometry, tolerance: float = 0.0) -> shapely.Geometry:
    """Return the part of ``shape`` inside the arcs of ``fronts``; empty if it is farther off than ``tolerance``.

    If no area of it lies inside but it comes within ``tolerance``, return its points nearest to the arc, as a sliver up
    to a rounding error (part of ``GRAZE``) deep.

    >>> import shapely
    >>> from tabletop.geometry import Base, fronts_of, part_in_arc
    >>> part_in_arc(fronts_of([Base(5.0, 4.5, 0.0, 2.0, 1.0)]), shapely.box(5.0, 7.0, 10.0, 8.0)).area
    3.5
    """
    return _part_in_arc(tuple(fronts), shape, tolerance)


@lru_cache(maxsize=1024)
def _part_in_arc(fronts: tuple[Front, ...], shape: shapely.Geometry, tolerance: float) -> shapely.Geometry:
    """Return the same, cached: a unit is often asked about the same target again after something else has moved."""
    arcs = arc_of(fronts, max((_reach(front, shape) for front in fronts), default=0.0))
    inside = areas(shapely.intersection(arcs, shape))
    if not shapely.is_empty(inside):
        return inside
    gap = float(shapely.distance(arcs, shape))
    if gap > tolerance:
        return shapely.Polygon()
    return shapely.intersection(shape, shapely.buffer(arcs, gap + GRAZE / 16, join_style="mitre"))


def areas(shape: shapely.Geometry) -> shapely.Geometry:
    """Return the polygons of ``shape``, without points, lines and slivers thinner than a rounding error."""
    kept = [part for part in shapely.get_parts(shape) if part.area > GRAZE * part.length]
    return kept[0] if len(kept) == 1 else shapely.MultiPolygon(kept)


def _reach(front: Front, shape: shapely.Geometry) -> float:
    """Return how far ahead to cut off an arc so that the cut changes neither whether nor how far ``shape`` is outside
    it."""
    return 2.0 * front.farthest(shape) + front.width
