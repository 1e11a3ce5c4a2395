"""Margins of a line between two points: a corner may come to lie across it between the directions a ring tries."""

import math
import random

import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.geometry.line_of_sight import clear_lines
from tabletop.geometry.measure import Point, snap_point
from tabletop.judge import judge
from tabletop.judge.things import Placement, on_grid, placed, things_of
from tabletop.play.files.opened import open_battle
from tabletop.rules.tse.sight.judge import law_of

#: By how much a margin may overestimate: 0.02 in.
RIGHT_TO = 0.02
DIRECTIONS, STEP, RADIUS = 180, 0.05, 2.0
SWEPT = [pytest.param(seed, marks=pytest.mark.sweep) for seed in (1, 3, 4, 5, 7, 11)]


def is_clear(battle: Battle, start: Point, end: Point) -> bool:
    return bool(clear_lines(battle.table, [start], [end], law_of(battle))[0])


def test_corner_that_touches_the_end_of_a_line_within_half_a_degree_of_shift_is_found() -> None:
    battle = open_battle("starter")
    start, end = (21.63, 11.57), (21.6, 6.6)
    verdict = judge(battle, "line", (), {"start": start, "end": end})
    assert verdict.holds and verdict.closeness is not None and verdict.closeness.shifted is not None
    assert verdict.closeness.shifted.id == "east-wood"
    assert verdict.closeness.shift == pytest.approx(1.888, abs=0.005)
    wood = next(thing for thing in things_of(battle) if thing.id == "east-wood")
    there = placed(battle, (Placement(wood, verdict.closeness.shifted.shift or (0.0, 0.0)).body(),))
    assert not is_clear(there, snap_point(start), snap_point(end))


@pytest.mark.parametrize(
    "seed", [0, 8, 9, *(pytest.param(seed, marks=pytest.mark.sweep) for seed in (1, 3, 4, 5, 7, 11))]
)
def test_brute_force_finds_no_shorter_shift_that_changes_a_line(seed: int) -> None:
    rng = random.Random(f"lines {seed}")
    battle = open_battle(rng.choice(("starter", "quatre-bras", "teaching")))
    table = battle.table
    start = snap_point((rng.uniform(2.0, table.width - 2.0), rng.uniform(2.0, table.height - 2.0)))
    way, length = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(2.0, 9.0)
    end = snap_point(
        (
            min(max(start[0] + length * math.sin(way), 0.0), table.width),
            min(max(start[1] + length * math.cos(way), 0.0), table.height),
        )
    )
    verdict = judge(battle, "line", (), {"start": start, "end": end})
    assert verdict.closeness is not None and verdict.searched is not None
    shortest = RADIUS + STEP if verdict.closeness.shift is None else verdict.closeness.shift
    pieces = [thing for thing in things_of(battle) if not thing.is_unit]
    near = [thing for thing in pieces if thing.shape.distance(shapely.LineString([start, end])) <= RADIUS]
    for thing in near:
        for k in range(1, int((shortest - RIGHT_TO) / STEP) + 1):
            for turn in range(DIRECTIONS):
                angle = 2.0 * math.pi * turn / DIRECTIONS
                shift = on_grid(k * STEP * math.sin(angle)), on_grid(k * STEP * math.cos(angle))
                if math.hypot(*shift) < shortest - RIGHT_TO:
                    there = placed(battle, (Placement(thing, shift).body(),))
                    assert is_clear(there, start, end) == verdict.holds, (thing.id, shift, verdict.closeness)
