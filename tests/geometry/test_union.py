"""The union of areas at once, beside the library's: the same ground, and valid, whatever lies upon what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapely
from shapely import affinity

from tabletop.geometry.kernels.union import MOST
from tabletop.geometry.union import wound

#: Areas on a lattice agree but for points at which edges cross, on a grid of some 1e-8 of the extent.
CLOSE = 1e-6
Make = Callable[[np.random.Generator], list[Any]]


def edges_of(areas: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return where the edges of (multi)polygons begin and end, the ground on their left."""
    parts = shapely.orient_polygons(shapely.get_parts(np.asarray(areas, dtype=object)))
    points, number = shapely.get_coordinates(shapely.get_rings(parts), return_index=True)
    same = number[1:] == number[:-1]
    return points[:-1][same], points[1:][same]


def union_of(areas: Any) -> Any:
    found = wound(*edges_of(areas))
    assert found is not None, "in doubt"
    return found


def boxes(rng: np.random.Generator) -> list[Any]:
    """Rectangles on a lattice: edges upon edges, corners upon edges, holes that touch."""
    low = rng.integers(0, 7, (12, 2))
    return [shapely.box(x, y, x + w, y + h) for (x, y), (w, h) in zip(low, rng.integers(1, 4, (12, 2)), strict=True)]


def triangles(rng: np.random.Generator) -> list[Any]:
    """Triangles with corners on a lattice."""
    found = [shapely.Polygon(rng.integers(0, 6, (3, 2))) for _ in range(12)]
    return [one for one in found if one.area > 0.1]


def stars(rng: np.random.Generator) -> list[Any]:
    """Stars about places near each other, some with a star cut out, as views and fans are."""
    found = []
    for _ in range(6):
        turn = np.sort(rng.uniform(0, 2 * np.pi, 14))
        at = rng.uniform(10, 14, 2)
        ray = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        star = shapely.Polygon(at + ray * rng.uniform(2, 9, 14)[:, None])
        if star.is_valid:
            found.append(star.difference(shapely.Polygon(at + ray * 0.7)) if rng.uniform() < 0.5 else star)
    return found


def combs(rng: np.random.Generator) -> list[Any]:
    """Strips side by side along slanting lines, their sides a last bit apart: there the library's plain union errs."""
    turn, found = rng.uniform(0, 360), []
    for k in range(8):
        strip = shapely.box(k / 3, rng.uniform(0, 2), (k + 1) / 3, rng.uniform(3, 5))
        found.append(affinity.rotate(strip, turn, origin=(0.1, 0.2)))
    return found


MAKES = [boxes, triangles, stars, combs]


def same(areas: list[Any]) -> None:
    agree(union_of(areas), areas)


def agree(found: Any, areas: list[Any]) -> None:
    told = shapely.union_all(areas, grid_size=1e-9)
    assert shapely.is_valid(found), shapely.is_valid_reason(found)
    assert found.geom_type in ("Polygon", "MultiPolygon")
    assert shapely.symmetric_difference(found, told).area < CLOSE * max(1.0, told.length)


@pytest.mark.parametrize("make", MAKES)
def test_it_is_the_union_the_library_gives(make: Make) -> None:
    for seed in range(20):
        same(make(np.random.default_rng(seed)))


@pytest.mark.sweep
@pytest.mark.parametrize("make", MAKES)
def test_very_many_are_the_unions_the_library_gives(make: Make) -> None:
    """In doubt about one in a thousand at most: there the library is asked."""
    doubts = 0
    for seed in range(3000):
        areas = make(np.random.default_rng(seed))
        found = wound(*edges_of(areas))
        doubts += found is None
        if found is not None:
            agree(found, areas)
    assert doubts <= 3


def test_on_a_lattice_the_corners_are_exact() -> None:
    found = union_of([shapely.box(0, 0, 2, 2), shapely.box(2, 0, 4, 2), shapely.box(1, 1, 3, 5)])
    ring = [(0, 0), (4, 0), (4, 2), (3, 2), (3, 5), (1, 5), (1, 2), (0, 2)]
    assert found.normalize().equals_exact(shapely.Polygon(ring).normalize())


def test_a_hole_and_an_island_in_it() -> None:
    frame = [shapely.box(0, 0, 9, 1), shapely.box(0, 8, 9, 9), shapely.box(0, 0, 1, 9), shapely.box(8, 0, 9, 9)]
    found = union_of([*frame, shapely.box(4, 4, 5, 5)])
    assert [len(part.interiors) for part in shapely.get_parts(found)] in ([1, 0], [0, 1])
    assert found.area == pytest.approx(81 - 49 + 1)


def test_areas_that_touch_at_corners_are_parts() -> None:
    found = union_of([shapely.box(0, 0, 1, 1), shapely.box(1, 1, 2, 2)])
    assert found.geom_type == "MultiPolygon" and found.is_valid


def test_holes_that_touch_the_outline_and_each_other() -> None:
    wall = shapely.box(0, 0, 8, 8).difference(shapely.box(2, 2, 4, 4)).difference(shapely.box(4, 4, 6, 6))
    diamond = shapely.Polygon([(0, 4), (1, 3), (2, 4), (1, 5)])
    parts = list(shapely.get_parts(shapely.constrained_delaunay_triangles(wall.difference(diamond))))
    found = union_of(parts)
    assert found.is_valid and found.area == pytest.approx(64 - 4 - 4 - 2)


def test_turned_moved_and_in_another_order_it_is_the_same_ground() -> None:
    areas = stars(np.random.default_rng(3))
    ground = union_of(areas)
    for turn, shift in ((90, (0, 0)), (180, (3, 5)), (0, (-40, 25.5))):
        moved = [affinity.translate(affinity.rotate(one, turn, origin=(0, 0)), *shift) for one in reversed(areas)]
        back = affinity.rotate(affinity.translate(union_of(moved), -shift[0], -shift[1]), -turn, origin=(0, 0))
        assert shapely.symmetric_difference(ground, back).area < CLOSE * ground.length


def test_ground_to_the_right_counts_against_it() -> None:
    """A ring the other way round takes away once what another covers twice or once."""
    starts, ends = edges_of([shapely.box(0, 0, 4, 4), shapely.box(0, 0, 4, 4)])
    away = edges_of([shapely.box(1, 1, 2, 2)])
    found = wound(np.concatenate([starts, away[1]]), np.concatenate([ends, away[0]]))
    assert found is not None and found.area == pytest.approx(16.0)
    once = edges_of([shapely.box(0, 0, 4, 4)])
    found = wound(np.concatenate([once[0], away[1]]), np.concatenate([once[1], away[0]]))
    assert found is not None and found.area == pytest.approx(15.0)


def test_what_is_no_ring_is_in_doubt() -> None:
    starts, ends = edges_of([shapely.box(0, 0, 4, 4), shapely.box(1, 1, 6, 2)])
    assert wound(starts[1:], ends[1:]) is None
    assert wound(starts, np.where(ends == 6.0, np.inf, ends)) is None


def test_of_nothing_it_is_nothing() -> None:
    nothing = wound(np.zeros((0, 2)), np.zeros((0, 2)))
    assert nothing is not None and nothing.is_empty
    starts, ends = edges_of([shapely.box(0, 0, 4, 4)])
    found = wound(np.concatenate([starts, ends]), np.concatenate([ends, starts]))
    assert found is not None and found.is_empty


def test_hairs_thinner_than_the_grid_are_left_out() -> None:
    hair = shapely.Polygon([(0, 6), (4, 6), (4, 6 + 4.0 / MOST)])
    assert union_of([shapely.box(0, 0, 4, 4), hair]).area == 16.0
