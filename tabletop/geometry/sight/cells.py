"""The ground of a unit cut into convex cells on which everything about a sight line's end is constant.

All points of a cell have the same level and stand on the same hills and in the same obstructions. Contours and edges
are closed: what touches a contour has the higher level, what touches a wood stands in it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar

import numpy as np
import shapely

from tabletop.geometry.convex_bodies import Bodies
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.shapes import hull_about
from tabletop.geometry.sight.obstruction import AT_EDGE, SHRUNK, Floats, Ground, SightObstruction

#: A cell inside an area extends over this share of the closed margin, so that a point on its rim still stands inside.
MARGIN = 0.9
#: Corners this close (table units) are one corner, split by rounding where outlines meet.
ONE_CORNER = GRAZE * 1e-3
#: Number of footprints whose cells are cached.
KEPT = 256

T = TypeVar("T")
Piece = tuple[shapely.Geometry, frozenset[int]]


@dataclass(frozen=True, eq=False)
class Cell:
    """A convex polygon, segment or point (k, 2), counter-clockwise; its level; the obstructions it stands in."""

    points: Floats
    level: int
    within: frozenset[int]

    @cached_property
    def shape(self) -> shapely.Geometry:
        return hull_about(self.points)

    @cached_property
    def sides(self) -> tuple[Floats, Floats]:
        """Outward normals (m, 2) and offsets (m,): the cell is where normal . x <= offset; segments get end caps."""
        p = self.points
        if len(p) <= 2:
            way = p[-1] - p[0]
            length = float(np.hypot(*way))
            u = way / length if length > 0 else np.array([1.0, 0.0])
            normals = np.array([[-u[1], u[0]], [u[1], -u[0]], u, -u])
        else:
            way = np.concatenate([p[1:], p[:1]]) - p
            way = way / np.hypot(way[:, 0], way[:, 1])[:, None]
            normals = np.stack([way[:, 1], -way[:, 0]], axis=1)
        return normals, (p @ normals.T).max(0)

    @cached_property
    def body(self) -> Bodies:
        """The cell as one of many bodies."""
        normals, level = self.sides
        return Bodies(self.points[None], normals[None], level[None])


def hull_of(cells: Sequence[Cell]) -> Cell:
    """Return the convex hull of cells as one cell, at their highest level, standing in everything they stand in."""
    hull = hull_about(np.concatenate([cell.points for cell in cells]))
    within = frozenset[int]().union(*(cell.within for cell in cells))
    return Cell(_corners(hull), max(cell.level for cell in cells), within)


def whole_of(ground: Ground, footprint: shapely.Geometry, band: float) -> Cell:
    """Return a footprint's convex hull as one cell, at its highest level, standing in everything it touches; cached."""
    return _kept(ground, ("whole", footprint, band), lambda: _whole(ground, footprint, band))


def _whole(ground: Ground, footprint: shapely.Geometry, band: float) -> Cell:
    met = [obstruction for obstruction in _met(ground, footprint, band) if _touched(obstruction, footprint, band)]
    level = max((obstruction.level for obstruction in met if obstruction.hill), default=0)
    return Cell(_corners(shapely.convex_hull(footprint)), level, frozenset(obstruction.index for obstruction in met))


def _touched(obstruction: SightObstruction, footprint: shapely.Geometry, band: float) -> bool:
    """Return whether some point of a footprint counts as standing in an obstruction; for a wood within the
    tolerance."""
    if obstruction.hill or obstruction.see_through == 0 or band <= GRAZE:
        return bool(shapely.intersects(obstruction.grown, footprint))
    return bool(shapely.dwithin(obstruction.area, footprint, band + GRAZE))


def cells_of(
    ground: Ground, footprint: shapely.Geometry, band: float = GRAZE, closed_ground: Sequence[SightObstruction] = ()
) -> list[Cell]:
    """Return the cells of a footprint: polygons (a unit) or lines (its front edges).

    What lies within ``band`` of a tall obstruction counts as standing in it, by the tolerance. ``closed_ground`` is
    the ground around units that lines of fire must avoid or pass over; its indices are negative.
    """
    if not closed_ground:
        key = "cells", footprint, band
        return _kept(ground, key, lambda: _cells(ground, _pieces(ground, footprint, band)))
    pieces = _pieces(ground, footprint, band)
    for obstruction in closed_ground:
        pieces = [cut for piece, within in pieces for cut in _cut(obstruction, piece, within, band)]
    return _cells(ground, pieces)


def _pieces(ground: Ground, footprint: shapely.Geometry, band: float) -> list[Piece]:
    """Return the parts of a footprint, each with the obstructions it stands in; cached."""

    def cut() -> list[Piece]:
        pieces = [(part, frozenset[int]()) for part in shapely.get_parts(footprint)]
        for obstruction in _met(ground, footprint, band):
            pieces = [cut for piece, within in pieces for cut in _cut(obstruction, piece, within, band)]
        return pieces

    return _kept(ground, ("pieces", footprint, band), cut)


def _kept(ground: Ground, key: Hashable, make: Callable[[], T]) -> T:
    """Return an answer about some ground, from the cache if possible: every law asks about the same cells."""
    kept: dict[Hashable, T] = ground.__dict__.setdefault("_cells", {})
    if key not in kept:
        if len(kept) >= KEPT:
            kept.clear()
        kept[key] = make()
    return kept[key]


def _cells(ground: Ground, pieces: Sequence[Piece]) -> list[Cell]:
    cells = []
    for piece, within in pieces:
        level = max((ground.obstructions[k].level for k in within if k >= 0 and ground.obstructions[k].hill), default=0)
        cells += [Cell(points, level, within) for part in shapely.get_parts(piece) for points in convex_parts(part)]
    return cells


def _met(ground: Ground, footprint: shapely.Geometry, band: float) -> list[SightObstruction]:
    if not ground.obstructions:
        return []
    x0, y0, x1, y1 = shapely.bounds(footprint).tolist()
    box, r = ground.boxes, 2 * band
    hit = (box[:, 0] <= x1 + r) & (box[:, 2] >= x0 - r) & (box[:, 1] <= y1 + r) & (box[:, 3] >= y0 - r)
    return [ground.obstructions[k] for k in np.nonzero(hit)[0]]


def _cut(
    obstruction: SightObstruction, piece: shapely.Geometry, within: frozenset[int], band: float
) -> list[tuple[shapely.Geometry, frozenset[int]]]:
    """Return a piece cut into what stands in an obstruction and what does not, with a hair between them.

    Nobody stands in the edge of a house: a point there looks out along the ground in front of it, so the house keeps
    only what lies deeper than the hair by which the law shrinks it.
    """
    if obstruction.index < 0:
        return _cut_at(piece, within, obstruction, obstruction.area, _grown(obstruction, SHRUNK))
    if obstruction.see_through == 0 and not obstruction.hill:
        return _cut_at(piece, within, obstruction, obstruction.area, _grown(obstruction, -SHRUNK / 2))
    reach = GRAZE if obstruction.hill else band
    grown = _grown(obstruction, MARGIN * reach)
    return _cut_at(piece, within, obstruction, grown, _grown(obstruction, reach + GRAZE))


def _grown(obstruction: SightObstruction, by: float) -> shapely.Geometry:
    """Return an obstruction's area grown; cached on it."""
    kept: dict[float, shapely.Geometry] = obstruction.__dict__.setdefault("_grown", {})
    if by not in kept:
        # Bases that rounding has set apart leave a notch of no width, at whose tip a mitre has no end: GEOS divides by
        # zero there and cuts the corner off.
        with np.errstate(divide="ignore", invalid="ignore"):
            kept[by] = shapely.buffer(obstruction.area, by, join_style="mitre")
    return kept[by]


def _cut_at(
    piece: shapely.Geometry,
    within: frozenset[int],
    obstruction: SightObstruction,
    area: shapely.Geometry,
    beyond: shapely.Geometry,
) -> list[tuple[shapely.Geometry, frozenset[int]]]:
    """Return the part of a piece inside ``area``, marked as standing in it, and the part outside ``beyond``."""
    if not shapely.intersects(area, piece):
        return [(piece, within)]
    if shapely.covers(area, piece) and shapely.covers(beyond, piece):
        return [(piece, within | {obstruction.index})]
    inside, outside = shapely.intersection(piece, area), shapely.difference(piece, beyond)
    cut = [(part, within | {obstruction.index}) for part in shapely.get_parts(inside) if not part.is_empty]
    return cut + [(part, within) for part in shapely.get_parts(outside) if not part.is_empty]


@lru_cache(maxsize=1024)
def convex_parts(part: shapely.Geometry) -> list[Floats]:
    """Return a polygon, line or point as convex corner lists, counter-clockwise."""
    if shapely.get_dimensions(part) < 2:
        xy = shapely.get_coordinates(part)
        return [xy[k : k + 2] for k in range(max(1, len(xy) - 1))]
    hull = shapely.convex_hull(part)
    if shapely.get_dimensions(hull) < 2:
        return [shapely.get_coordinates(hull)]
    if float(shapely.area(hull) - shapely.area(part)) <= AT_EDGE * GRAZE * max(1.0, float(shapely.length(hull))):
        return [_corners(hull)]
    plain = shapely.simplify(part, ONE_CORNER)
    pieces = list(shapely.get_parts(shapely.constrained_delaunay_triangles(plain)))
    return [_corners(piece) for piece in _merged(pieces)]


def _merged(pieces: list[shapely.Geometry]) -> list[shapely.Geometry]:
    """Return triangles merged greedily along their sides into larger convex polygons."""
    todo = [(piece, frozenset(map(tuple, shapely.get_coordinates(piece).tolist()))) for piece in pieces]
    done: list[shapely.Geometry] = []
    while todo:
        grown, corners = todo.pop()
        joined = True
        while joined:
            joined = False
            for k, (neighbour, its) in enumerate(todo):
                if len(corners & its) < 2:
                    continue
                hull = shapely.convex_hull(shapely.multipoints(list(corners | its)))
                if float(shapely.area(hull)) <= float(shapely.area(grown) + shapely.area(neighbour)) + 1e-9:
                    grown, corners, joined = hull, corners | its, True
                    todo.pop(k)
                    break
        done.append(grown)
    return done


def _corners(hull: shapely.Geometry) -> Floats:
    """Return the corners of a convex polygon counter-clockwise, without those on a straight side.

    Corners that rounding has doubled are merged first: each of the two would seem to lie on a straight side.
    """
    if shapely.get_dimensions(hull) < 2:
        return shapely.get_coordinates(hull)
    xy = shapely.get_coordinates(shapely.orient_polygons(hull))
    way = xy[1:] - xy[:-1]
    apart = np.hypot(way[:, 0], way[:, 1]) > ONE_CORNER
    if not apart.any():
        return xy[:1]
    xy = xy[:-1][apart]
    b = np.concatenate([xy[1:], xy[:1]]) - xy
    a = np.concatenate([b[-1:], b[:-1]])
    turn = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    keep = turn > 1e-12
    return xy[keep] if keep.sum() >= 3 else xy
