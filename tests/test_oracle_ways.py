"""Ways to places and ground in reach, held against a search of its own kind: a lattice of places and headings."""

from __future__ import annotations

import random

import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.geometry.terrain import Table
from tabletop.judge import ask
from tabletop.rules.tse.muster import muster
from tabletop.rules.tse.rule_set import RULES
from tests.oracle.any_angle import AnyAngle
from tests.oracle.ways import Tally, compare, in_reach, scene

RULINGS = RULES.ruling_values()


def round_an_enemy() -> Battle:
    """Return light cavalry south of a deployed line of infantry that it can just get behind."""
    entries = [
        {"id": "a", "side": "red", "troop": "light-cavalry", "quality": "elite", "bases": 4, "front": 2}
        | {"formation": "maneuver-column", "at": [20, 12], "facing": 0},
        {"id": "b", "side": "blue", "troop": "infantry", "bases": 4, "formation": "deployed"}
        | {"at": [20, 18], "facing": 180},
    ]
    units = [muster(entry, RULINGS) for entry in entries]
    return Battle.of("tse", Table.of("in", 48, 48, []), units, RULINGS)


@pytest.mark.sweep
def test_the_search_gets_behind_an_enemy() -> None:
    """For 13.23 of 14 (TSE-MOV-03, TSE-MOV-17), or a little less; compiled, or it takes minutes."""
    pytest.importorskip("numba", reason="the loops of the search take minutes without numba")
    battle = round_an_enemy()
    found = AnyAngle(battle, battle.unit("a")).best((21.0, 22.0))
    assert found is not None
    assert 13.0 < found.cost <= 13.235


def test_ground_beside_a_friend_is_in_reach() -> None:
    """Scene 2 of ``tests.oracle.ways``: two places with a legal way to each (TSE-MOV-01, TSE-MOV-16)."""
    battle = scene(random.Random("ways 2"))
    area = in_reach(battle)
    for way in ([(30.12, 29.336), (30.65, 26.417), (30.7, 26.3)], [(30.327, 29.41), (31.994, 26.4), (32.0, 26.4)]):
        assert ask(battle, "move", ["a"], {"path": [list(place) for place in way]}).holds
        assert shapely.intersects_xy(area, *way[-1]), way[-1]


@pytest.mark.sweep
@pytest.mark.parametrize("number", [4, 5])
def test_reach_and_moves_beside_the_search(number: int) -> None:
    """Nothing with 0.05 in to spare is refused, and of what moves to it allow little is left out (TSE-MOV-01).

    Two easy scenes. In others more is wanting: ``python -m tests.oracle.ways`` prints how much.
    """
    pytest.importorskip("numba", reason="the loops of the search take minutes without numba")
    tally = Tally([], [], [], [])
    compare(number, 2, tally, sampled=10)
    assert tally.ends >= 1
    assert tally.refused == []
    assert tally.omitted[0][0] < 0.03
