"""Conversion of shapely geometry to drawing primitives, and placing symbols by rule, never at random."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point
from tabletop.render.drawing.primitives import Area, Pen, Ring


def ring(coordinates: Iterable[Iterable[float]]) -> Ring:
    """Return points as plain pairs of floats."""
    return tuple((float(x), float(y)) for x, y in coordinates)


def corners(line: BaseGeometry) -> Ring:
    """Return the points of a line or ring as plain pairs of floats."""
    return tuple((x, y) for x, y in shapely.get_coordinates(line).tolist())


def polygon(points: Ring, holes: Iterable[Ring] = ()) -> shapely.Polygon:
    """Return the polygon of plain pairs, built many times faster than by shapely from single pairs."""
    return shapely.Polygon(np.array(points), [np.array(hole) for hole in holes])


def polygons(shape: BaseGeometry) -> list[shapely.Polygon]:
    """Return the polygons of any geometry."""
    return [p for p in shapely.get_parts(shape) if isinstance(p, shapely.Polygon) and not p.is_empty]


def strings(shape: BaseGeometry) -> list[Ring]:
    """Return the lines of any geometry; a polygon gives its rings."""
    rings: list[Ring] = []
    for part in shapely.get_parts(shape):
        if part.is_empty:
            continue
        if isinstance(part, shapely.Polygon):
            rings += [corners(r) for r in (part.exterior, *part.interiors)]
        elif isinstance(part, shapely.GeometryCollection):
            rings += strings(part)
        elif isinstance(part, shapely.LineString):
            rings.append(corners(part))
    return rings


def areas(shape: BaseGeometry, fill: str | None = None, pen: Pen | None = None, opacity: float = 1.0) -> list[Area]:
    """Return an Area for each polygon of ``shape``."""
    return [
        Area(tuple(corners(r)[:-1] for r in (p.exterior, *p.interiors)), fill, pen, opacity) for p in polygons(shape)
    ]


def jitter(name: str, i: int, j: int = 0) -> tuple[float, float]:
    """Return two numbers in [-0.5, 0.5), always the same for the same arguments."""
    h = zlib.crc32(f"{name}:{i}:{j}".encode())
    return (h & 0xFFFF) / 65536 - 0.5, (h >> 16) / 65536 - 0.5


def scattered(area: BaseGeometry, spacing: float, name: str) -> list[Point]:
    """Return points scattered evenly over an area: a grid of rows, offset and jittered."""
    if area.is_empty or area.area <= 0:
        return []
    west, south, east, north = area.bounds
    spots = []
    for j in range(math.floor(south / spacing), math.ceil(north / spacing) + 1):
        for i in range(math.floor(west / spacing), math.ceil(east / spacing) + 1):
            dx, dy = jitter(name, i, j)
            spots.append(((i + 0.5 * (j % 2) + 0.85 * dx) * spacing, (j + 0.85 * dy) * spacing))
    at = np.array(spots)
    inside = shapely.contains_xy(area, at[:, 0], at[:, 1])
    return [(float(x), float(y)) for x, y in at[inside]]


def along(line: BaseGeometry, spacing: float, first: float = 0.5) -> Iterator[tuple[Point, Point]]:
    """Yield points evenly spaced along a line or ring, each with the line's unit vector there."""
    length = float(line.length)
    count = max(1, round(length / spacing)) if length > 0 else 0
    for i in range(count):
        at = (i + first) * length / count
        x, y = line.interpolate(at).coords[0]
        a, b = line.interpolate(max(0.0, at - 0.02 * spacing)), line.interpolate(min(length, at + 0.02 * spacing))
        dx, dy = b.x - a.x, b.y - a.y
        size = math.hypot(dx, dy)
        if size > 0:
            yield (x, y), (dx / size, dy / size)


def ticks(
    line: BaseGeometry, spacing: float, lengths: tuple[float, ...], side: int = 1, start: float = 0.0
) -> list[Ring]:
    """Return short strokes to the left (side 1) or right (-1) of a line, with lengths taken in turn."""
    strokes: list[Ring] = []
    for i, ((x, y), (dx, dy)) in enumerate(along(line, spacing)):
        nx, ny, size = -dy * side, dx * side, lengths[i % len(lengths)]
        strokes.append(((x, y), (x + size * nx, y + size * ny)))
    return strokes


def hatching(area: BaseGeometry, spacing: float, degrees: float = 45.0) -> list[Ring]:
    """Return parallel lines, ``spacing`` apart, cut to an area; they fall on one grid for the whole table."""
    if area.is_empty:
        return []
    west, south, east, north = area.bounds
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    offsets = [-s * x + c * y for x in (west, east) for y in (south, north)]
    reaches = [c * x + s * y for x in (west, east) for y in (south, north)]
    low, high = min(reaches), max(reaches)
    rows = range(math.ceil(min(offsets) / spacing), math.floor(max(offsets) / spacing) + 1)
    lines = [[(c * r - s * k * spacing, s * r + c * k * spacing) for r in (low, high)] for k in rows]
    if not lines:
        return []
    return strings(shapely.MultiLineString(lines).intersection(area))


def rays(shape: shapely.Polygon) -> shapely.Polygon:
    """Return the polygon with its outer ring counter-clockwise, so that its inside is on the left."""
    return shapely.geometry.polygon.orient(shape)
