"""Fall-backs whose directions are asked about many at once, each once: the answers are those asked for one by one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pytest
import shapely

from tabletop.geometry.base import Base
from tabletop.geometry.measure import heading
from tabletop.geometry.movement.choke_points import shifts_barred
from tabletop.geometry.movement.configuration_space import Obstacles
from tabletop.geometry.movement.fall_back import Arc, Budget, clear_so_far, least, once, to_the_same_side
from tabletop.geometry.movement.ground import Opened
from tabletop.play.files.opened import open_battle
from tabletop.rules.tse.morale.fall_back_budget import Spending
from tabletop.rules.tse.morale.fall_back_direction import flight_of
from tabletop.rules.tse.morale.fall_back_obstacles import obstacles_of
from tabletop.rules.tse.morale.fall_back_path import Falling, on_table_at_once

ARC = Arc(180.0, -30.0, 30.0)


def test_each_direction_is_asked_about_once() -> None:
    """TSE-INV-06: a direction asked about again, with others, is answered as at first."""
    asked: list[float] = []

    def legal(deviations: Sequence[float]) -> np.ndarray:
        asked.extend(deviations)
        return np.array([deviation > 0.0 for deviation in deviations])

    known = once(legal)
    assert known([1.0, -1.0]).tolist() == [True, False]
    assert known([-1.0, 2.0, 1.0]).tolist() == [False, True, True]
    assert asked == [1.0, -1.0, 2.0]


def test_a_direction_to_the_same_side_is_told_only_where_the_least_lies_there() -> None:
    """TSE-INV-06: whatever is legal, the side is that of the least legal deviation, and that one is legal."""
    rng, found = random.Random(5), Counter[float]()
    for _ in range(400):
        good = {float(d) for d in rng.sample(range(-30, 31), rng.randint(1, 6))}
        likely = rng.uniform(-30.0, 30.0)

        def legal(deviations: Sequence[float], good: set[float] = good) -> np.ndarray:
            return np.array([deviation in good for deviation in deviations], bool)

        side, first = to_the_same_side([0.0], ARC, legal, likely), least([0.0], ARC, legal, np.inf)
        assert first is not None
        if side is not None:
            assert side in good
            assert np.sign(side) == np.sign(first), (good, likely)
            found[np.sign(side)] += 1
    assert min(found[1.0], found[-1.0]) > 5


def test_what_an_opened_feature_bars_is_kept_for_the_same_bases_feature_and_tolerance() -> None:
    """TSE-MOV-15: other bases, points to keep clear, banks, bridges or tolerances bar other shifts."""
    bridge, wider = shapely.box(9.0, 10.0, 11.0, 12.0), shapely.box(8.0, 10.0, 12.0, 12.0)
    river, broad = (Opened(shapely.box(0.0, 10.0, 20.0, far) - bridge, bridge) for far in (12.0, 13.0))
    base, other = Base(10.0, 8.0, 0.0, 1.0, 1.0), Base(10.0, 8.0, 0.0, 1.0, 2.0)
    asked = [
        ([base], (10.0, 8.5), (), river, 0.005),
        ([other], (10.0, 8.5), (), river, 0.005),
        ([base], (10.0, 8.0), (), river, 0.005),
        ([base], (10.0, 8.5), ((10.4, 8.0),), river, 0.005),
        ([base], (10.0, 8.5), (), broad, 0.005),
        ([base], (10.0, 8.5), (), Opened(river.closed, wider), 0.005),
        ([base], (10.0, 8.5), (), river, 0.05),
    ]
    found = [shapely.to_wkb(shifts_barred(*one)) for one in asked]
    assert len(set(found)) == len(asked)
    assert [shapely.to_wkb(shifts_barred(*one)) for one in asked] == found


def test_a_way_on_the_table_is_kept_for_the_same_hints_alone() -> None:
    """TSE-INV-10: what is found at once depends on which ways are hinted at."""
    battle = open_battle("starter")
    unit = battle.unit("arnaud")
    flight = flight_of(battle, unit, battle.unit("auer"), False, None)
    obstacles = obstacles_of(battle, unit, 3.0, leading=flight.leading)
    falling = Falling(battle, unit, flight.arc, obstacles, Spending.of(battle, unit, 3.0, flight.leading))
    hint = (0.0, 0.0), heading(flight.arc.wanted + 5.0)
    found = [on_table_at_once(falling, hints) for hints in ((), (hint,), (), (hint,))]
    assert None not in found
    assert found[0] != found[1]
    assert found[:2] == found[2:]
    assert found[0] is found[2]


@dataclass(frozen=True)
class Lengths:
    """A budget of which it is known how far it surely carries: at once, and then worked out; and at the most."""

    least: float
    short: float
    long: float

    def at_least(self, before: Sequence[Any], _starts: np.ndarray, _ways: np.ndarray) -> np.ndarray:
        return np.full(len(before), self.least)

    def between(self, before: Sequence[Any], _starts: np.ndarray, _ways: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.full(len(before), self.short), np.full(len(before), self.long)


@pytest.mark.parametrize(
    ("lengths", "clear"),
    [((1.0, 1.0, 2.0), True), ((1.0, 3.0, 3.5), False), ((3.0, 3.0, 3.5), False), ((1.0, 1.5, 1.8), False)],
)
def test_legs_are_clear_as_far_as_they_surely_go(lengths: tuple[float, float, float], clear: bool) -> None:
    """TSE-INV-08: a leg that surely comes to a wall, or surely ends in a friend, need not be priced."""
    law = Obstacles(walls=(shapely.box(-1.0, 2.2, 1.0, 4.0),), ends=(shapely.box(-1.0, 1.4, 1.0, 1.9),))
    budget = cast("Budget", Lengths(*lengths))
    assert clear_so_far([()], np.zeros((1, 2)), np.array([[0.0, 1.0]]), law, budget).tolist() == [clear]
