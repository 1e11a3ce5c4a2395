"""Conversion of geometry into what a verdict carries: shapes to draw and nested coordinate lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import shapely

from tabletop.geometry.base import AnyBase
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Role, Shape

#: Grid (table units) for the union of many areas.
UNION_GRID = 1e-6

Rings = list[list[list[float]]]


def points_of(coordinates: np.ndarray) -> tuple[Point, ...]:
    """Return an (n, 2) array as a tuple of points."""
    return tuple((float(x), float(y)) for x, y in coordinates.tolist())


def shapes_of(role: Role, geometry: shapely.Geometry, label: str = "") -> tuple[Shape, ...]:
    """Return one shape for each part of ``geometry`` (points, lines, polygons with holes); the first is labelled."""
    parts = [part for part in shapely.get_parts(geometry) if not part.is_empty]
    return tuple(_shape(role, part, label if k == 0 else "") for k, part in enumerate(parts))


def line_shape(role: Role, line: tuple[Point, ...], label: str = "") -> Shape:
    """Return a polyline to draw."""
    return Shape(role, "line", line, label=label)


def ghosts(bases: Iterable[AnyBase]) -> tuple[Shape, ...]:
    """Return the shapes of bases where they would stand."""
    return tuple(shape for base in bases for shape in shapes_of("ghost", base.polygon))


def rings(polygon: shapely.Polygon) -> Rings:
    """Return the closed rings of a polygon as lists of [x, y], the outer ring first."""
    return [shapely.get_coordinates(ring).tolist() for ring in (polygon.exterior, *polygon.interiors)]


def _shape(role: Role, part: shapely.Geometry, label: str) -> Shape:
    if isinstance(part, shapely.Polygon):
        holes = tuple(points_of(shapely.get_coordinates(ring))[:-1] for ring in part.interiors)
        return Shape(role, "polygon", points_of(shapely.get_coordinates(part.exterior))[:-1], holes, label)
    points = points_of(shapely.get_coordinates(part))
    return Shape(role, "point" if len(points) == 1 else "line", points, label=label)


def hull_about(points: np.ndarray) -> shapely.Geometry:
    """Return the convex hull of (n, 2) points, one or more: a polygon, a line or a point."""
    shape: Any = shapely.linestrings(points) if len(points) > 1 else shapely.points(points[0])
    hull: Any = shapely.convex_hull(shape)  # the hull of one line through them: one geometry instead of n
    result: shapely.Geometry = hull
    return result


def hulls_about(points: np.ndarray) -> np.ndarray:
    """Return the convex hulls (k,) of k sets of n points each, (k, n, 2), n at least two."""
    return np.asarray(shapely.convex_hull(shapely.linestrings(points)))


def united(shapes: Any, grid: float = UNION_GRID) -> Any:
    """Return the union of the areas among ``shapes`` (an array or list), on a fine grid (table units).

    For many areas that share corners and hairlines, where the plain union loses whole wedges or fails. Lines and points
    among the shapes, or left over from repairing them, are dropped.
    """
    parts = shapely.get_parts(shapely.make_valid(np.asarray(shapes, dtype=object)))
    return shapely.union_all(parts[shapely.get_dimensions(parts) == 2], grid_size=grid)


def joined(shapes: Any) -> Any:
    """Return the union of areas as exactly as possible: on a fine grid only if the plain union fails."""
    try:
        return shapely.union_all(shapes)
    except shapely.GEOSException:
        return united(shapes)


def outlines(shape: shapely.Geometry) -> list[shapely.Geometry]:
    """Return the boundary rings of polygons and the lines of lines."""
    rings: list[shapely.Geometry] = []
    for part in shapely.get_parts(shape):
        if part.is_empty:
            continue
        rings += list(shapely.get_rings(part)) if shapely.get_dimensions(part) == 2 else [part]
    return rings
