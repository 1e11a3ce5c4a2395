"""Cells of a footprint: convex, and together all of it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import shapely

from tabletop.geometry.sight.cells import Cell, _grown, cells_of, convex_parts
from tabletop.geometry.sight.law import ground_of
from tabletop.geometry.sight.obstruction import SHRUNK, SightObstruction
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


def test_a_notch_of_no_width_between_bases_shrinks_without_a_warning() -> None:
    """Three bases of a wheeled column, which rounding has set 1e-13 mm apart along a part of their edge."""
    ring = [
        (645.4768611302563, 247.75629807527153), (723.0831388697435, 339.2837019247285),
        (753.5922734862291, 313.4149426782329), (695.3875651816138, 244.76938979114013),
        (680.132997873371, 257.7037694143879), (695.3875651816138, 244.76938979114007),
        (675.985995746742, 221.88753882877583), (645.4768611302563, 247.75629807527153),
    ]  # fmt: skip
    unit = shapely.Polygon(ring)
    unseen = SightObstruction(1, 0.0, False, ("unit",), unit, unit, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        shrunk = _grown(unseen, -SHRUNK / 2)
    assert shapely.area(shrunk) == pytest.approx(float(shapely.area(unit)), rel=1e-9)
    assert shapely.is_valid(shrunk) and shapely.covers(unit, shrunk)


def test_a_corner_that_rounding_has_doubled_is_one() -> None:
    ring = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (1.0 - 1e-14, 1.0 + 1e-14), (0.0, 1.0)]
    (corners,) = convex_parts(shapely.Polygon(ring))
    assert float(shapely.area(shapely.Polygon(corners))) == pytest.approx(1.0)
    assert len(corners) == 4


def test_a_speck_is_a_point() -> None:
    (corners,) = convex_parts(shapely.Polygon([(1.0, 1.0), (1.0 + 1e-12, 1.0), (1.0, 1.0 + 1e-12)]))
    assert corners.tolist() == [[pytest.approx(1.0), pytest.approx(1.0)]]
