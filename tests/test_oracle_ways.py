"""Ways to places and ground in reach, held against a search of its own kind: a lattice of places and headings."""

from __future__ import annotations

import pytest

from tabletop.battle.battle import Battle
from tabletop.geometry.terrain import Table
from tabletop.rules.tse.muster import muster
from tabletop.rules.tse.rule_set import RULES
from tests.oracle.any_angle import AnyAngle

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
