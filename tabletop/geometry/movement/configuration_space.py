"""Moving a set of bases without turning: what stands in the way, as polygons in the space of translations.

There the bases are a single point and every obstacle is grown by the mirrored bases (their Minkowski sum, exact for
rectangles). A straight leg is a segment; where it becomes legal or illegal is computed in closed form.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice

import numpy as np
import shapely

from tabletop.geometry.base import AnyBase
from tabletop.geometry.measure import Point
from tabletop.geometry.shapes import hull_about, hulls_about, joined, outlines

#: Depth (table units) below which entering an obstacle is rounding: the exact law, for poses found by search.
EXACT = 1e-7


#: Area (table units squared) by which a convex shape may fall short of its hull: rounding.
FLAT = 1e-12
#: GEOS's type number of a polygon.
POLYGON = 3


@dataclass(frozen=True)
class Keep:
    """An enemy in the space of translations: a convex polygon, and how close to it the path may come."""

    shape: shapely.Polygon
    limit: float

    @property
    def real(self) -> bool:
        """Whether the distance is neither zero nor infinite."""
        return EXACT < self.limit < math.inf

    @cached_property
    def corners(self) -> np.ndarray:
        """The points (n, 2) where its outline turns."""
        return _corners(self.shape.exterior)


@dataclass(frozen=True)
class Obstacles:
    """What a path from the origin must respect: never enter ``walls``, nor come too close to ``keeps``, nor end in
    ``ends``.

    Walls and ends may be entered by up to ``give``: rounding for the exact law, the tolerance for a verdict.

    >>> import numpy as np
    >>> import shapely
    >>> from tabletop.geometry import Obstacles
    >>> wall = Obstacles(walls=(shapely.box(1.0, 1.0, 3.0, 3.0),))
    >>> wall.legs_clear(np.zeros((2, 2)), np.array([[4.0, 4.0], [4.0, 0.0]]))
    array([False,  True])
    """

    walls: tuple[shapely.Geometry, ...] = ()
    keeps: tuple[Keep, ...] = ()
    ends: tuple[shapely.Geometry, ...] = ()
    give: float = EXACT

    def exactly(self) -> Obstacles:
        """Return these obstacles under the exact law."""
        return self._exact

    @cached_property
    def _exact(self) -> Obstacles:
        return replace(self, give=EXACT)

    def moved(self, dx: float, dy: float) -> Obstacles:
        """Return these obstacles shifted by (dx, dy): as seen by bases that stand shifted by the opposite vector."""
        groups, by = (self.walls, tuple(k.shape for k in self.keeps), self.ends), np.array([dx, dy])
        shapes = shapely.transform(np.array([s for group in groups for s in group], object), lambda points: points + by)
        shifted = iter(shapes.tolist())
        walls, kept, ends = (tuple(islice(shifted, len(group))) for group in groups)
        keeps = tuple(replace(keep, shape=shape) for keep, shape in zip(self.keeps, kept, strict=True))
        return _Moved(walls, keeps, ends, self.give, home=self, by=(dx, dy))

    @cached_property
    def barred(self) -> shapely.Geometry:
        """The inside of the walls, deeper than may be entered."""
        return _inside(self.walls, self.give)

    @cached_property
    def closed(self) -> shapely.Geometry:
        """The inside of the ends, deeper than may be entered."""
        return _inside(self.ends, self.give)

    def legs_clear(self, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """Return for each leg from (n, 2) ``starts`` to ``ends`` whether it respects walls and keeps."""
        legs = np.asarray(shapely.linestrings(np.stack([starts, ends], axis=1)), dtype=object).reshape(-1)
        clear = np.asarray(~shapely.intersects(self.barred, legs))
        if self.keeps:
            shapes, limits, low, high = self._kept_away
            apart = (low > np.maximum(starts, ends)[:, None]) | (high < np.minimum(starts, ends)[:, None])
            leg, keep = np.nonzero(clear[:, None] & ~apart.any(axis=2))
            near = shapely.distance(legs[leg], shapes[keep]) < limits[keep] - self.give
            clear[leg[near]] = False
        return clear

    @cached_property
    def _kept_away(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The keeps' shapes and limits (k,), and the corners of the boxes (k, 2) outside which nothing is too close."""
        shapes, limits = np.array([k.shape for k in self.keeps], object), np.array([k.limit for k in self.keeps])
        low, high = np.split(shapely.bounds(shapes), 2, axis=1)
        return shapes, limits, low - limits[:, None], high + limits[:, None]

    def ends_clear(self, points: np.ndarray) -> np.ndarray:
        """Return for each of (n, 2) ``points`` whether a path may end there."""
        return ~np.asarray(shapely.intersects_xy(self.closed, points[:, 0], points[:, 1]))

    @cached_property
    def corners(self) -> np.ndarray:
        """Corners of the walls (n, 2)."""
        return np.concatenate([np.zeros((0, 2)), *map(_corners_of, self._outlined(self.walls))])

    @cached_property
    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """Ends (n, 2), (n, 2) of the edges a leg may end on: of walls and ends, and of enemies at their distance."""
        none = np.zeros((0, 2))
        sides = [_sides_of(shape) for shape in self._outlined((*self.walls, *self.ends))]
        sides += [_offset(keep.shape, self._limit(keep)) for keep in self.keeps if keep.real]
        return np.concatenate([none, *(a for a, _ in sides)]), np.concatenate([none, *(b for _, b in sides)])

    @cached_property
    def circles(self) -> tuple[np.ndarray, np.ndarray]:
        """Centres (n, 2) and radii (n,) of the circles around the enemies' corners."""
        real = [(k.corners, self._limit(k)) for k in self.keeps if k.real]
        centres = [np.zeros((0, 2)), *(ring for ring, _ in real)]
        return np.concatenate(centres), np.concatenate([np.zeros(0), *(np.full(len(r), limit) for r, limit in real)])

    def _outlined(self, shapes: tuple[shapely.Geometry, ...]) -> tuple[shapely.Geometry, ...]:
        """Return shapes that may not be entered with outlines to measure: unchanged under the exact law, else shrunk by
        ``give``.

        They are shrunk ``EXACT`` less than the law allows, so that what just touches them is legal whatever rounding
        does.
        """
        return tuple(shrunk(shape, self.give - EXACT) for shape in shapes) if self.give > EXACT else shapes

    def _limit(self, keep: Keep) -> float:
        return keep.limit if self.give <= EXACT else max(keep.limit - self.give + EXACT, EXACT)


@dataclass(frozen=True)
class _Moved(Obstacles):
    """Obstacles after the bases have been shifted: everything computed for ``home`` is reused, shifted ``by``."""

    home: Obstacles = Obstacles()
    by: Point = (0.0, 0.0)

    @cached_property
    def _exact(self) -> Obstacles:
        return self.home.exactly().moved(*self.by)

    @cached_property
    def barred(self) -> shapely.Geometry:
        return self._prepared(self.home.barred)

    @cached_property
    def closed(self) -> shapely.Geometry:
        return self._prepared(self.home.closed)

    def _prepared(self, shape: shapely.Geometry) -> shapely.Geometry:
        shifted = shapely.transform(shape, lambda points: points + self.by)
        shapely.prepare(shifted)
        return shifted

    @cached_property
    def _kept_away(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        _, limits, low, high = self.home._kept_away
        return np.array([k.shape for k in self.keeps], object), limits, low + self.by, high + self.by

    @cached_property
    def corners(self) -> np.ndarray:
        return np.asarray(self.home.corners + self.by)

    @cached_property
    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        starts, stops = self.home.edges
        return starts + self.by, stops + self.by

    @cached_property
    def circles(self) -> tuple[np.ndarray, np.ndarray]:
        centres, radii = self.home.circles
        return centres + self.by, radii


def obstacle(bases: Sequence[AnyBase], shape: shapely.Geometry) -> shapely.Geometry:
    """Return the translations (Minkowski sum, exact for rectangles) that make one of ``bases`` meet ``shape``
    (TSE-MOV-15).

    >>> import shapely
    >>> from tabletop.geometry import Base, obstacle
    >>> obstacle([Base(0.0, 0.0, 0.0, 1.0, 1.0)], shapely.box(4.0, 4.0, 6.0, 5.0)).bounds
    (3.5, 3.5, 6.5, 5.5)
    """
    return _obstacle(tuple(bases), shape)


@lru_cache(maxsize=512)
def _obstacle(bases: tuple[AnyBase, ...], shape: shapely.Geometry) -> shapely.Geometry:
    """Return the same, cached: a unit's fall-back is asked about again and again before the same others."""
    grown = [_grown(shape, body) for body in bodies(bases)]
    return grown[0] if len(grown) == 1 else joined(grown)


def obstacle_of(bases: Sequence[AnyBase], others: Sequence[AnyBase]) -> shapely.Geometry:
    """Return the translations that make one of ``bases`` meet one of ``others``, body by body (table units).

    Units may not end where others stand (TSE-MOV-16).

    >>> from tabletop.geometry import Base
    >>> obstacle_of([Base(0.0, 0.0, 0.0, 1.0, 1.0)], [Base(0.0, 4.0, 0.0, 1.0, 1.0)]).bounds
    (-1.0, 3.0, 1.0, 5.0)
    """
    return _obstacle_of(tuple(bases), tuple(others))


@lru_cache(maxsize=512)
def _obstacle_of(bases: tuple[AnyBase, ...], others: tuple[AnyBase, ...]) -> shapely.Geometry:
    grown = [hull_about(_sums(obstacle, body)) for body in bodies(bases) for obstacle in bodies(others)]
    return grown[0] if len(grown) == 1 else joined(grown)


def _sums(other: np.ndarray, body: np.ndarray) -> np.ndarray:
    """Return the differences (n, 2) of every corner of one convex body and every corner of another."""
    differences: np.ndarray = (other[:, None, :] - body[None, :, :]).reshape(-1, 2)
    return differences


def keeps(bases: Sequence[AnyBase], others: Sequence[AnyBase], limit: float) -> tuple[Keep, ...]:
    """Return what keeps ``bases`` at least ``limit`` (table units) away from ``others`` (TSE-MOV-17).

    >>> import numpy as np
    >>> from tabletop.geometry import Base, Obstacles, keeps
    >>> enemy = keeps([Base(0.0, 0.0, 0.0, 1.0, 1.0)], [Base(0.0, 4.0, 0.0, 1.0, 1.0)], 1.0)
    >>> Obstacles(keeps=enemy).legs_clear(np.zeros((2, 2)), np.array([[0.0, 1.5], [0.0, 2.5]]))
    array([ True, False])
    """
    return _keeps(tuple(bases), tuple(others), limit)


@lru_cache(maxsize=512)
def _keeps(bases: tuple[AnyBase, ...], others: tuple[AnyBase, ...], limit: float) -> tuple[Keep, ...]:
    sums = [_sums(obstacle, body) for body in bodies(bases) for obstacle in bodies(others)]
    if len({len(points) for points in sums}) == 1:  # usually all are rectangles
        hulls = hulls_about(np.array(sums)).tolist()
    else:
        hulls = [hull_about(points) for points in sums]
    return tuple(Keep(hull, limit) for hull in hulls)


def bodies(bases: Sequence[AnyBase]) -> list[np.ndarray]:
    """Return the corners of convex bodies that together cover ``bases``: neighbours that fill their hull are merged."""
    return _bodies(tuple(bases))


@lru_cache(maxsize=256)
def _bodies(bases: tuple[AnyBase, ...]) -> list[np.ndarray]:
    polygons = [base.polygon for base in bases]
    whole = _filled(polygons)
    if whole is not None:
        return [shapely.get_coordinates(whole)[:-1]]
    merged: list[list[shapely.Geometry]] = []
    for polygon in polygons:
        if merged and _filled([*merged[-1], polygon]) is not None:
            merged[-1].append(polygon)
        else:
            merged.append([polygon])
    return [shapely.get_coordinates(_filled(group))[:-1] for group in merged]


def _filled(polygons: Sequence[shapely.Geometry]) -> shapely.Geometry | None:
    """Return the convex hull of polygons that fill it, else None."""
    hull = shapely.convex_hull(shapely.geometrycollections(list(polygons)))
    return hull if float(shapely.area(hull)) - sum(float(shapely.area(p)) for p in polygons) < EXACT else None


# --- critical directions ---------------------------------------------------------------------------------------------


def critical(law: Obstacles, at: Point, length: float) -> np.ndarray:
    """Return the bearings (n,) at which a leg of ``length`` from ``at`` becomes legal or illegal."""
    origin = np.array(at)
    circles, radii = law.circles
    points = np.concatenate([_on_edges(law, origin, length), _on_circles(circles - origin, radii, length)])
    return np.concatenate([_bearings(points), passing(law, at, length)])


def passing(law: Obstacles, at: Point, length: float) -> np.ndarray:
    """Return the bearings (n,) of the corners of walls, and of the tangents to circles, within ``length`` of ``at``.

    A corner at ``at`` itself, where a wall is touched, has no bearing: rounding alone would give it one.
    """
    origin = np.array(at)
    circles, radii = law.circles
    corners, centres = law.corners - origin, circles - origin
    far = np.hypot(corners[:, 0], corners[:, 1])
    near = (far > 10.0 * EXACT) & (far <= length + EXACT)
    return np.concatenate([_bearings(corners[near]), _tangents(centres, radii, length)])


def directions(shapes: Sequence[shapely.Geometry]) -> np.ndarray:
    """Return the bearings (n,) of the corners of ``shapes`` from the origin."""
    return _bearings(shapely.get_coordinates(shapes))


def _bearings(points: np.ndarray) -> np.ndarray:
    return np.asarray(np.degrees(np.arctan2(points[:, 0], points[:, 1])))


def _on_edges(law: Obstacles, origin: np.ndarray, length: float) -> np.ndarray:
    """Return the points (relative to ``origin``) of edges exactly ``length`` away."""
    a, b = law.edges
    a, d = a - origin, b - a
    dd, ad, aa = (d**2).sum(axis=1), (a * d).sum(axis=1), (a**2).sum(axis=1) - length**2
    disc = ad**2 - dd * aa
    ok = (disc >= -EXACT * dd) & (dd > 0.0)
    points = [np.zeros((0, 2))]
    for sign in (-1.0, 1.0):
        share = (-ad[ok] + sign * np.sqrt(np.maximum(disc[ok], 0.0))) / dd[ok]
        on = (share >= -EXACT) & (share <= 1.0 + EXACT)
        points.append(a[ok][on] + share[on][:, None] * d[ok][on])
    return np.concatenate(points)


def _on_circles(centres: np.ndarray, radii: np.ndarray, length: float) -> np.ndarray:
    """Return the points of each circle exactly ``length`` from the origin."""
    far = np.hypot(centres[:, 0], centres[:, 1])
    ok = (far > EXACT) & (far <= radii + length + EXACT) & (far >= np.abs(radii - length) - EXACT)
    c, far, radii = centres[ok], far[ok], radii[ok]
    along = (far**2 + length**2 - radii**2) / (2 * far)
    aside = np.sqrt(np.maximum(length**2 - along**2, 0.0))
    u = c / far[:, None]
    v = np.stack([u[:, 1], -u[:, 0]], axis=1)
    return np.concatenate([along[:, None] * u + s * aside[:, None] * v for s in (1.0, -1.0)])


def _tangents(centres: np.ndarray, radii: np.ndarray, length: float) -> np.ndarray:
    """Return the bearings of the tangents from the origin, which may lie on it, to each circle within reach."""
    far = np.hypot(centres[:, 0], centres[:, 1])
    ok = (far >= radii - EXACT) & (far <= length + radii + EXACT) & (far > EXACT)
    middle, half = _bearings(centres[ok]), np.degrees(np.arcsin(np.minimum(1.0, radii[ok] / far[ok])))
    return np.concatenate([middle - half, middle + half])


# --- polygons --------------------------------------------------------------------------------------------------------


def _grown(shape: shapely.Geometry, body: np.ndarray) -> shapely.Geometry:
    """Return ``shape`` grown by a mirrored convex body: its edges swept by the body, and its inside."""
    if _convex(shape):
        return hull_about(_sums(shapely.get_coordinates(shape), body))
    swept = []
    for ring in outlines(shape):
        points = shapely.get_coordinates(ring)
        pairs = np.stack([points[:-1], points[1:]], axis=1)
        sums = (pairs[:, :, None, :] - body[None, None, :, :]).reshape(len(pairs), -1, 2)
        swept += hulls_about(sums).tolist()
    inside = [p for p in shapely.get_parts(shape) if shapely.get_dimensions(p) == 2]
    moved = [shapely.transform(p, lambda c: c - body[0]) for p in inside]
    whole: shapely.Geometry = joined([*swept, *moved])
    return whole


def _convex(shape: shapely.Geometry) -> bool:
    """Return whether a shape is a convex polygon without holes."""
    whole = shapely.get_type_id(shape) == POLYGON
    return whole and float(shapely.area(shapely.convex_hull(shape)) - shapely.area(shape)) < FLAT


@lru_cache(maxsize=512)
def _corners_of(shape: shapely.Geometry) -> np.ndarray:
    """Return the points (n, 2) where the outlines of a shape turn; cached like ``shrunk``."""
    return np.concatenate([np.zeros((0, 2)), *map(_corners, outlines(shape))])


@lru_cache(maxsize=512)
def _sides_of(shape: shapely.Geometry) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends (n, 2), (n, 2) of the edges of the outlines of a shape; cached likewise."""
    rings = [np.zeros((0, 2)), *map(shapely.get_coordinates, outlines(shape))]
    return np.concatenate([r[:-1] for r in rings]), np.concatenate([r[1:] for r in rings])


def _corners(line: shapely.Geometry) -> np.ndarray:
    """Return the points (n, 2) where a ring turns, or all points of a line; points that rounding left on an edge do
    not count."""
    points = shapely.get_coordinates(line)
    if len(points) < 4 or not shapely.is_closed(line):
        return points
    points = points[:-1]
    points = points[np.hypot(*(points - np.roll(points, 1, axis=0)).T) > EXACT]
    before, after = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    chord = before + after
    aside = np.abs(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0])
    return np.asarray(points[(aside > EXACT * np.hypot(*chord.T)) | ((before * after).sum(axis=1) < 0.0)])


@lru_cache(maxsize=512)
def _offset(shape: shapely.Polygon, distance: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of a convex polygon's edges, each edge moved outward by ``distance``."""
    ring = shapely.get_coordinates(shapely.orient_polygons(shape))
    d = ring[1:] - ring[:-1]
    out = np.stack([d[:, 1], -d[:, 0]], axis=1) / np.hypot(d[:, 0], d[:, 1])[:, None] * distance
    return ring[:-1] + out, ring[1:] + out


@lru_cache(maxsize=512)
def shrunk(shape: shapely.Geometry, by: float) -> shapely.Geometry:
    """Return ``shape`` shrunk by ``by``; cached, because most of what stands in the way is the same next time."""
    return shapely.buffer(shape, -by, join_style="mitre")


@lru_cache(maxsize=64)
def _inside(shapes: tuple[shapely.Geometry, ...], by: float) -> shapely.Geometry:
    """Return what lies deeper than ``by`` in one of ``shapes``, prepared. Each is shrunk by itself: gaps stay open."""
    area = shapely.union_all([shrunk(shape, by) for shape in shapes])
    shapely.prepare(area)
    return area
