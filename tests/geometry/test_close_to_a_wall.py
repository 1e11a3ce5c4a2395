"""Bodies close to the end of a wall between them: lines about its corner may go in directions far apart."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from shapely.affinity import rotate, translate

from tabletop.geometry.line_of_sight import sight
from tabletop.geometry.sight.law import SightLaw
from tabletop.geometry.terrain import Table, Terrain

TURNS = (0.0, 90.0, 180.0, 270.0, 17.0, 121.5, 203.7, 311.1)


def close_up(rng: np.random.Generator) -> tuple[Table, list[shapely.Geometry], list[shapely.Geometry]]:
    """A thin wall, perhaps another in line with it, and fronts and footprints close by, on either side of it."""
    turn, thick, end = rng.choice([0.0, rng.uniform(0, 360)]), rng.uniform(0.05, 0.3), rng.uniform(8, 10)
    walls = [shapely.box(end - 6, 10 - thick / 2, end, 10 + thick / 2)]
    if rng.random() < 0.5:
        walls.append(shapely.box(end + rng.uniform(0.1, 1), 10 - thick / 2, end + 6, 10 + thick / 2))

    def body(side: float) -> shapely.Geometry:
        wide = rng.uniform(1, 8)
        shape = shapely.LineString([(0, 0), (wide, 0)]) if rng.random() < 0.5 else shapely.box(0, 0, wide, 0.75)
        shape = rotate(translate(shape, rng.uniform(10 - wide, 10), 10), rng.uniform(-12, 12))
        room = thick / 2 + rng.uniform(0.05, 0.8)
        up = 10 + room - shape.bounds[1] if side > 0 else 10 - room - shape.bounds[3]
        return rotate(translate(shape, 0, up), turn, origin=(10, 10))

    placed = [rotate(wall, turn, origin=(10, 10)) for wall in walls]
    rings = [shapely.get_coordinates(wall)[:-1].tolist() for wall in placed]
    table = Table.of("in", 20, 20, [Terrain.of_kind(f"w{k}", "building", outline=r) for k, r in enumerate(rings)])
    return table, [body(1.0) for _ in range(6)], [body(-1.0) for _ in range(6)]


def along(shape: shapely.Geometry) -> np.ndarray:
    line = shapely.boundary(shape) if shapely.get_dimensions(shape) == 2 else shape
    at = shapely.line_interpolate_point(np.array([line]), np.linspace(0.0, 1.0, 40), normalized=True)
    return shapely.get_coordinates(at)


@pytest.mark.parametrize("seed", range(5))
def test_no_line_that_anybody_can_draw_is_missed(seed: int) -> None:
    """TSE-LOS-01, TSE-LOS-04: of 1,600 lines none that is clear is shorter; asked."""
    table, spotters, targets = close_up(np.random.default_rng(seed))
    solid = shapely.union_all([piece.shape for piece in table.terrain])
    seen = 0
    for a, b in zip(spotters, targets, strict=True):
        p, q = along(a), along(b)
        ends = np.stack([np.repeat(p, len(q), axis=0), np.tile(q, (len(p), 1))], axis=1)
        lines = np.asarray(shapely.linestrings(ends))
        clear = lines[~shapely.intersects(solid, lines)]
        least = float(shapely.length(clear).min()) if len(clear) else math.inf
        usual = sight(table, a, b, SightLaw()).distance
        assert (math.inf if usual is None else usual) <= least + 1e-6
        seen += math.isfinite(least)
    assert seen >= 2
