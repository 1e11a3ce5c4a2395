"""What must never be so in a battle of the Ages: every fault is found in a state made so, and none in a sound one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.rules.ages.turn.faults import faults
from tests.destiny import battle, unit

DISRUPTED, ROUTS = {"status": "disrupted"}, {"status": "routing"}
HOUSE = Terrain.of_kind("farm", "town", outline=[(250, 550), (350, 550), (350, 650), (250, 650)])


def scene(**of: Any) -> Battle:
    """Return a sound battle of a battalion, cavalry and guns against two battalions, with these keys of some units."""
    rows: dict[str, Unit] = {
        "foot": unit("foot", at=[500, 200]),
        "horse": unit("horse", "blue", "heavy-cavalry", at=[650, 200]),
        "gun": unit("gun", "blue", "foot-artillery", at=[800, 200]),
        "red": unit("red", "red", at=[500, 700]),
        "other": unit("other", "red", at=[700, 700]),
    }
    changed = [replace(one, **of.get(name, {})) for name, one in rows.items()]
    return battle(*changed, turn=4, terrain=[HOUSE])


def marked(name: str, **marks: Any) -> Battle:
    return scene(**{name: {"marks": marks}})


SOUND = {
    "nothing": scene(),
    "guns that have fired": marked("gun", fired="red"),
    "limbered guns": scene(gun={"formation": "limbered"}),
    "guns taken this turn": marked("gun", captured=4),
    "a charge": marked("horse", charging=True, charged=4),
    "a charge of an earlier turn": marked("horse", charged=2),
    "an enemy who has been fought": marked("red", fought=True),
    "a unit that retires": scene(foot={**DISRUPTED, "marks": {"retiring": True}}),
    "a unit that routs": scene(foot=ROUTS),
}
FORGED = {
    "foot stands in red": scene(red={"bases": scene().unit("foot").bases}),
    "foot stands over the table's edge": scene(foot={"bases": unit("foot", at=[500, 5]).bases}),
    "gun has fired this turn and is limbered": scene(gun={"formation": "limbered", "marks": {"fired": "red"}}),
    "foot is no battery and has the mark 'fired'": marked("foot", fired="red"),
    "horse is no battery and has the mark 'abandoned'": marked("horse", abandoned=True),
    "red is no battery and has the mark 'captured'": marked("red", captured=2),
    "gun has 'captured' of turn 5": marked("gun", captured=5),
    "horse has 'charged' of turn 5": marked("horse", charged=5),
    "horse charges, but not by a charge of this turn": marked("horse", charging=True, charged=3),
    "foot retires and is not disrupted": marked("foot", retiring=True),
    "horse both pursues and retires": scene(horse={**DISRUPTED, "marks": {"retiring": True, "pursuing": "red"}}),
    "red is not of the side to move and has the mark 'moved'": marked("red", moved=True),
    "red is not of the side to move and has the mark 'spent'": marked("red", spent=0.5),
    **{
        f"horse routs and has the mark '{mark}'": scene(horse={**ROUTS, "marks": {mark: True, "charged": 4}})
        for mark in ("retreating", "pursuing", "charging")
    },
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_sound_states_have_no_fault(name: str) -> None:
    """ROC-SEQ-01, ROC-ART-09, ROC-MOV-03."""
    assert faults(SOUND[name]) == []


@pytest.mark.parametrize("fault", FORGED)
def test_every_fault_is_found(fault: str) -> None:
    """Nothing else is wrong with the state."""
    assert faults(FORGED[fault]) == [fault]


def test_two_units_in_a_house() -> None:
    """AGE-SET-03: they overlap, and both hold it; one is right."""
    one, two = (unit(name, formation="garrison", at=[300, 600]) for name in ("one", "two"))
    red = unit("red", "red", at=[700, 300])
    assert faults(battle(one, red, terrain=[HOUSE])) == []
    assert faults(battle(one, two, red, terrain=[HOUSE])) == ["one stands in two", "one and two both hold farm"]


@pytest.mark.parametrize(("bases_lost", "found"), [(20, []), (21, ["blue has lost 21 bases of 20"])])
def test_more_lost_than_there_was(bases_lost: int, found: list[str]) -> None:
    """AGE-CRI-01."""
    assert faults(replace(scene(), memory={"army:blue": 20, "lost:blue": bases_lost})) == found
