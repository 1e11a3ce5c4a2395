"""Cells of a footprint: convex, and together all of it."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from tabletop.geometry.sight.cells import Cell, cells_of, convex_parts
from tabletop.geometry.sight.law import ground_of
from tabletop.geometry.terrain import Table, Terrain
from tests.field import Field

FIELD = Field()


def area(cells: list[Cell]) -> float:
    return float(sum(shapely.area(cell.shape) for cell in cells))


@pytest.mark.parametrize("seed", range(40))
def test_a_bent_line_is_wholly_in_its_cells(seed: int) -> None:
    """Bases that touch at corners, which rounding has set apart or doubled (TSE-LOS-01)."""
    rng = np.random.default_rng(seed)
    bends = [0, *(15 * int(k) for k in rng.integers(-1, 2, 4))]
    bearing = float(rng.integers(0, 360 * 64)) / 64
    unit = FIELD.unit("a", bases=5, formation="deployed", bend=bends, reference=0, facing=bearing, at=(0.25, 0.5))
    cells = cells_of(ground_of(Table.of("in", 60.0, 60.0, [])), unit.footprint)
    assert area(cells) == pytest.approx(float(shapely.area(unit.footprint)), abs=1e-9)
    left = shapely.difference(unit.footprint, shapely.union_all([shapely.buffer(c.shape, 1e-7) for c in cells]))
    assert float(shapely.area(left)) < 1e-9


def test_a_footprint_cut_by_a_wood_is_wholly_in_its_cells() -> None:
    wood = Terrain.of_kind("wood", "woods", outline=[(39.0, 39.0), (40.3, 39.1), (40.1, 41.0), (39.0, 41.0)])
    unit = FIELD.unit("a", bases=4, formation="deployed", bend=[0, 15, 0, -15], reference=0, facing=33.0, at=(0.0, 0.0))
    cells = cells_of(ground_of(Table.of("in", 60.0, 60.0, [wood])), unit.footprint)
    assert area(cells) == pytest.approx(float(shapely.area(unit.footprint)), abs=1e-4)


def test_a_corner_that_rounding_has_doubled_is_one() -> None:
    ring = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (1.0 - 1e-14, 1.0 + 1e-14), (0.0, 1.0)]
    (corners,) = convex_parts(shapely.Polygon(ring))
    assert float(shapely.area(shapely.Polygon(corners))) == pytest.approx(1.0)
    assert len(corners) == 4


def test_a_speck_is_a_point() -> None:
    (corners,) = convex_parts(shapely.Polygon([(1.0, 1.0), (1.0 + 1e-12, 1.0), (1.0, 1.0 + 1e-12)]))
    assert corners.tolist() == [[pytest.approx(1.0), pytest.approx(1.0)]]
