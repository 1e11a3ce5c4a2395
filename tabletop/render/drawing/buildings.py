"""A town as a block plan: houses along its streets, then in rows along its own axis; streets and water stay clear."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Table, Terrain
from tabletop.render.drawing.primitives import Area, Item, Pen
from tabletop.render.drawing.shapes import along, jitter, polygons, ring, strings
from tabletop.render.drawing.theme import colour

#: Sizes of houses (inches), largest first; smaller ones are added until this many stand on this share of the yard.
SIZES, FEWEST, BUILT = (0.48, 0.42, 0.33, 0.25, 0.19), 7, 0.33
#: Gap between a street and the houses facing it (inches), and between houses, as a share of their size.
PAVEMENT, GAP = 0.08, 0.16
#: Share of a road's width that stays clear of houses.
FREE = 0.7


def streets_of(table: Table) -> BaseGeometry:
    """Return the ground that houses avoid, in table units: water, and the middle of roads and tracks."""
    ways = [p for p in table.terrain if p.kind in ("road", "track")]
    middles = [p.shape if p.line is None else p.line.buffer(FREE * p.width / 2, cap_style="flat") for p in ways]
    return shapely.union_all([*middles, *(p.shape for p in table.terrain if p.kind in ("river", "lake"))])


def blocks(piece: Terrain, streets: BaseGeometry, grain: float) -> list[Item]:
    """Return the houses of a town: a shadow, a block and a roof each; at least one however small the town."""
    return [item for house in houses(piece, streets, grain) for item in _drawn(house, grain)]


def houses(piece: Terrain, streets: BaseGeometry, grain: float) -> list[shapely.Polygon]:
    """Return the outlines of a town's houses, off its streets; ``grain`` is an inch in table units."""
    yard = piece.shape.difference(streets.buffer(0.04 * grain)).buffer(-0.02 * grain)
    standing: list[shapely.Polygon] = []
    for size in SIZES:
        wished = [*_facing(piece, streets, size * grain, grain), *_rows(piece, size * grain)]
        standing = _apart(standing, wished, yard, GAP * size * grain)
        if len(standing) >= FEWEST and math.fsum(house.area for house in standing) >= BUILT * yard.area:
            break
    if standing:
        return standing
    core = yard if not yard.is_empty else piece.shape
    return polygons(core.buffer(-0.05 * grain))


def _apart(
    stand: list[shapely.Polygon], wished: Iterable[shapely.Polygon], yard: BaseGeometry, gap: float
) -> list[shapely.Polygon]:
    """Return the standing houses, and each wished one that lies in the yard and apart from all before it."""
    standing = list(stand)
    for house in wished:
        if house.within(yard) and not (standing and shapely.dwithin(house, standing, gap).any()):
            standing.append(house)
    return standing


def _facing(piece: Terrain, streets: BaseGeometry, size: float, grain: float) -> Iterator[shapely.Polygon]:
    """Yield houses along both sides of the streets through a town, their fronts to the street."""
    edges = [part.boundary for part in polygons(streets)]
    sides = shapely.line_merge(shapely.intersection(shapely.union_all(edges), piece.shape))
    for k, side in enumerate(strings(sides)):
        line = shapely.LineString(side)
        for i, ((x, y), (dx, dy)) in enumerate(along(line, 1.12 * size)):
            p, q = jitter(piece.id + " street", k, i)
            half_long, half_wide = size * (0.40 + 0.14 * p), size * (0.33 + 0.10 * q)
            off = PAVEMENT * grain + half_wide
            middle = next(
                (
                    spot
                    for spot in ((x - off * dy, y + off * dx), (x + off * dy, y - off * dx))
                    if not streets.contains(shapely.Point(spot))
                ),
                None,
            )
            if middle is not None:
                yield _box(middle, (dx, dy), half_long, half_wide)


def _box(middle: Point, way: Point, half_long: float, half_wide: float) -> shapely.Polygon:
    """Return a rectangle about a point, its long side along a unit vector."""
    (x, y), (dx, dy) = middle, way
    local = ((-half_long, -half_wide), (half_long, -half_wide), (half_long, half_wide), (-half_long, half_wide))
    return shapely.Polygon([(x + a * dx - b * dy, y + a * dy + b * dx) for a, b in local])


def _rows(piece: Terrain, size: float) -> Iterator[shapely.Polygon]:
    """Yield houses of about one size in rows over the bounding rectangle of a town."""
    corners = strings(shapely.minimum_rotated_rectangle(piece.shape))[0]
    (ox, oy), a, b = corners[0], corners[1], corners[3]
    long, wide = math.dist(corners[0], a), math.dist(corners[0], b)
    u = ((a[0] - ox) / long, (a[1] - oy) / long)
    v = ((b[0] - ox) / wide, (b[1] - oy) / wide)
    columns, rows = max(1, round(long / size)), max(1, round(wide / (0.9 * size)))
    for i in range(columns):
        for j in range(rows):
            yield _house(piece.id, i, j, (long / columns, wide / rows), (ox, oy), u, v)


def _house(
    name: str,
    i: int,
    j: int,
    cell: tuple[float, float],
    origin: tuple[float, float],
    u: tuple[float, float],
    v: tuple[float, float],
) -> shapely.Polygon:
    """Return one house in its cell, its size and place varied by the town's name."""
    p, q = jitter(name, i, j)
    r, s = jitter(name + "'", i, j)
    half_long, half_wide = cell[0] * (0.36 + 0.12 * r), cell[1] * (0.33 + 0.12 * s)
    cx, cy = (i + 0.5 + 0.12 * p) * cell[0], (j + 0.5 + 0.12 * q) * cell[1]
    middle = origin[0] + cx * u[0] + cy * v[0], origin[1] + cx * u[1] + cy * v[1]
    return _box(middle, u, half_long, half_wide)


def _drawn(house: BaseGeometry, grain: float) -> list[Item]:
    if house.is_empty or not isinstance(house, shapely.Polygon):
        return []
    outline = ring(house.exterior.coords)[:-1]
    d = 0.05 * grain
    shade = tuple((x + d, y - d) for x, y in outline)
    items: list[Item] = [Area((shade,), colour("town", "shade"), opacity=0.3)]
    items.append(Area((outline,), colour("town", "block"), Pen(colour("town", "block_edge"), 1.0)))
    if len(outline) == 4:
        items.append(Area((_upper_roof(outline),), colour("town", "roof")))
    return items


def _upper_roof(outline: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """Return the lit half of a roof: the half of the house toward the north-west, along its longer side."""
    p, q, r, s = outline
    if math.dist(p, q) < math.dist(q, r):
        p, q, r, s = q, r, s, p
    mid_ps, mid_qr = _middle(p, s), _middle(q, r)
    first, second = (p, q, mid_qr, mid_ps), (mid_ps, mid_qr, r, s)
    return min((first, second), key=lambda h: sum(x - y for x, y in h))


def _middle(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
