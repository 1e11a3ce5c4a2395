"""A town as a block plan: houses in rows along its own axis, leaving streets, roads and water free."""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.terrain import Terrain
from tabletop.render.drawing.primitives import Area, Item, Pen
from tabletop.render.drawing.shapes import jitter, polygons, ring, strings
from tabletop.render.drawing.theme import colour

#: Houses a town shows at least, if need be in a smaller size.
FEWEST = 4


def blocks(piece: Terrain, streets: BaseGeometry, grain: float) -> list[Item]:
    """Return the houses of a town: a shadow, a block and a roof each; at least one however small the town."""
    return [item for house in houses(piece, streets, grain) for item in _drawn(house, grain)]


def houses(piece: Terrain, streets: BaseGeometry, grain: float) -> list[shapely.Polygon]:
    """Return the outlines of a town's houses, off its streets; ``grain`` is an inch in table units."""
    yard = piece.shape.difference(streets.buffer(0.08 * grain)).buffer(-0.02 * grain)
    for size in (0.62, 0.45, 0.33, 0.25):
        found = [house for house in _rows(piece, size * grain) if house.within(yard)]
        if len(found) >= FEWEST:
            return found
    core = yard if not yard.is_empty else piece.shape
    return polygons(core.buffer(-0.05 * grain))


def _rows(piece: Terrain, size: float) -> Iterator[shapely.Polygon]:
    """Yield houses of about one size in rows over the box around a town."""
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
    local = ((-half_long, -half_wide), (half_long, -half_wide), (half_long, half_wide), (-half_long, half_wide))
    return shapely.Polygon(
        [
            (
                origin[0] + (cx + x) * u[0] + (cy + y) * v[0],
                origin[1] + (cx + x) * u[1] + (cy + y) * v[1],
            )
            for x, y in local
        ]
    )


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
