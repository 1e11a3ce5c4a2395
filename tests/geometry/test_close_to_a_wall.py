"""Bodies close to the end of a wall between them: lines about its corner may go in directions far apart."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from shapely.affinity import rotate, translate

from tabletop.geometry.line_of_sight import sight
from tabletop.geometry.past_walls import Walls
from tabletop.geometry.sight_law import SightLaw
from tabletop.geometry.sights_at_once import clear_distances
from tabletop.geometry.terrain import Table, Terrain

pytestmark = pytest.mark.usefixtures("loops_too")

TURNS = (0.0, 90.0, 180.0, 270.0, 17.0, 121.5, 203.7, 311.1)


def walls_of(*areas: shapely.Polygon) -> Walls:
    return Walls.of(areas, shapely.union_all([area.buffer(-1e-7, join_style="mitre") for area in areas]))


def bodies(line: list[tuple[float, float]], turn: float) -> np.ndarray:
    return shapely.get_coordinates(rotate(shapely.LineString(line), turn, origin=(0.0, 0.0)))[None]


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("near", [0.25, 0.5, 1.0, 3.0])
def test_fronts_askew_on_both_sides_of_a_walls_end(near: float, turn: float, speed: str) -> None:
    """TSE-LOS-01: the shortest line goes straight past the end; the nearest points of the two lie behind the wall."""
    wall = rotate(shapely.box(-6.0, -0.125, 0.0, 0.125), turn, origin=(0.0, 0.0))
    a, b = bodies([(-5.0, -near), (1.0, -near - 0.25)], turn), bodies([(1.0, near + 0.25), (-5.0, near)], turn)
    length, ends = walls_of(wall).shortest(a, b)
    assert length.tolist() == [pytest.approx(2.0 * (near + 0.25 * 5.0 / 6.0), abs=1e-6)]
    assert np.hypot(*(ends[0, 1] - ends[0, 0])) == pytest.approx(length[0])


@pytest.mark.parametrize("turn", TURNS)
def test_a_front_seen_end_on_past_a_corner(turn: float, speed: str) -> None:
    """All lines from it about the corner go one way."""
    wall = rotate(shapely.box(3.0, -2.0, 5.0, 0.0), turn, origin=(0.0, 0.0))
    a, b = bodies([(0.0, 0.0), (1.0, 0.0)], turn), bodies([(5.25, -1.5), (7.25, 0.5)], turn)
    assert walls_of(wall).shortest(a, b)[0].tolist() == [pytest.approx(6.75 - 1.0)]


def test_the_shortest_of_the_clear_candidates_of_each_pair() -> None:
    """Also of the first pair of all, and when more than a round of candidates are clear."""
    lines = np.array([[(0.0, 0.0), (0.0, float(n))] for n in (1, 2, 3, 4, 5, 6, 7, 8)])
    pair, found = walls_of(shapely.box(5.0, 5.0, 6.0, 6.0))._first_clear(np.array([0] * 5 + [2] * 3), lines)
    assert pair.tolist() == [0, 2]
    assert found[:, 1, 1].tolist() == [1.0, 6.0]


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
    return shapely.get_coordinates(shapely.line_interpolate_point(line, np.linspace(0.0, 1.0, 40), normalized=True))


@pytest.mark.parametrize("seed", range(5))
def test_no_line_that_anybody_can_draw_is_missed(seed: int, speed: str) -> None:
    """TSE-LOS-01, TSE-LOS-04: of 1,600 lines none that is clear is shorter; asked at once and one by one."""
    table, spotters, targets = close_up(np.random.default_rng(seed))
    solid = shapely.union_all([piece.shape for piece in table.terrain])
    found, seen = clear_distances(table, spotters, targets, SightLaw(), 0.0), 0
    for a, b, told in zip(spotters, targets, found.tolist(), strict=True):
        p, q = along(a), along(b)
        lines = shapely.linestrings(np.stack([np.repeat(p, len(q), axis=0), np.tile(q, (len(p), 1))], axis=1))
        clear = lines[~shapely.intersects(solid, lines)]
        least = float(shapely.length(clear).min()) if len(clear) else math.inf
        usual = sight(table, a, b, SightLaw()).distance
        assert told <= least + 1e-6
        assert (math.inf if usual is None else usual) <= least + 1e-6
        seen += math.isfinite(least)
    assert seen >= 2
