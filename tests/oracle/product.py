"""The oracle's scenes as the product's nouns. The only module of the oracle that knows the product."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import shapely

from tabletop.geometry.terrain import Table, Terrain
from tests.oracle.scenes import SIZE, K
from tests.oracle.sight import Ground, Piece


def terrain(piece: Piece, k: int = K) -> Terrain:
    """Return the piece as terrain; whole numbers of 1/2048 in are floats without rounding."""
    outline = [(x / k, y / k) for x, y in piece.rings[0]]
    if piece.hill:
        return Terrain.of_kind(piece.id, "hill", outline=outline, level=piece.level)
    q = float(piece.see_through)
    return Terrain.of_kind(piece.id, "woods", outline=outline, level=piece.level, see_through=q)


def table(ground: Ground, scale: float = 1.0) -> Table:
    size = SIZE / ground.k
    return Table.of("in", size, size, [terrain(p, ground.k) for p in ground.pieces], scale)


def piece(terrain: Terrain, k: int) -> Piece:
    """Return terrain as a piece in whole units of 1/k in (exact when k is a power of two large enough)."""
    assert isinstance(terrain.shape, shapely.Polygon)
    rings = [terrain.shape.exterior, *terrain.shape.interiors]
    points = tuple(tuple((round(x * k), round(y * k)) for x, y in ring.coords[:-1]) for ring in rings)
    return Piece(terrain.id, points, terrain.level or 0, terrain.is_hill, Fraction(terrain.see_through))


def pieces(terrain: Sequence[Terrain], k: int) -> list[Piece]:
    return [piece(t, k) for t in terrain if t.is_hill or t.sight == "tall"]
