"""Ships that come on during a battle of Age of Sail, where and when the scenario says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import ScriptedDice
from tabletop.battle.event import Entered
from tabletop.errors import Unreadable
from tabletop.play.engine import begin, submit
from tabletop.play.files.load import load_scene
from tabletop.rules.sail.game import PLAY

SCENE = """\
format: tabletop-scene/1
title: A ship comes up
rules: sail
table: {unit: cm, width: 100, height: 80}
units:
  - {id: amphion, side: british, troop: frigate, at: [50, 20], facing: 0}
  - {id: flore, side: french, troop: frigate, at: [80, 60], facing: 180}
  - {id: active, side: british, troop: ship-of-the-line}
game:
  attacker: british
  turns: 5
  options: {wind_from: 270, first: attacker}
  arrivals:
    - {units: [active], turn: 2, at: [0, 40], facing: 90}
"""


def written(tmp_path: Path, text: str) -> Path:
    """Return the path of a file holding ``text``."""
    path = tmp_path / "scene.yaml"
    path.write_text(text, "utf-8")
    return path


def played(battle: Battle, *acts: tuple[str, str | None, dict[str, Any]]) -> Battle:
    """Return the battle after some actions of the sides whose turn it is; every die shows 3."""
    for kind, unit, options in acts:
        battle = submit(battle, Action(kind, str(battle.clock.side), unit, None, options), ScriptedDice(rest=3)).battle
    return battle


DONE: tuple[str, None, dict[str, Any]] = ("done", None, {})


def test_a_ship_comes_on_in_the_second_round_and_sails_on(tmp_path: Path) -> None:
    """A ship that is to come in round 2 stands with her stern at the edge then, and sails in the same turn."""
    battle = begin(load_scene(written(tmp_path, SCENE)), 0, ScriptedDice(rest=3)).battle
    assert not battle.has("active") and [unit.id for unit in battle.awaited] == ["active"]
    assert PLAY.menu(battle, "active") == []
    battle = played(battle, DONE, DONE)
    assert (battle.clock.turn, battle.clock.side, battle.awaited) == (2, "british", ())
    ship = battle.unit("active")
    assert ship.bounds[0] == pytest.approx(0.0)
    assert (ship.at[1], ship.facing) == (40.0, 90.0)
    after = played(battle, ("sail", "active", {"distance": 6.0}))
    assert after.unit("active").at[0] == pytest.approx(ship.at[0] + 6.0)
    assert not PLAY.faults(after)


def test_a_ship_waits_while_another_lies_where_she_comes_on(tmp_path: Path) -> None:
    """A ship due in round 2 stays off the table as long as her place at the edge is taken."""
    text = SCENE.replace("id: flore, side: french, troop: frigate, at: [80, 60]",
                         "id: flore, side: french, troop: frigate, status: anchored, at: [3, 40]")  # fmt: skip
    battle = played(begin(load_scene(written(tmp_path, text)), 0, ScriptedDice(rest=3)).battle, DONE, DONE)
    assert battle.clock.turn == 2
    assert [unit.id for unit in battle.awaited] == ["active"]


def test_a_side_whose_ships_are_still_to_come_is_not_beaten(tmp_path: Path) -> None:
    """SAIL-WIN-01: a side without a crew on the table is not beaten while a ship of hers is still to come."""
    text = SCENE.replace("at: [50, 20]", "at: [50, 20], status: struck")
    step = begin(load_scene(written(tmp_path, text)), 0, ScriptedDice(rest=3))
    battle = played(step.battle, DONE, DONE)
    assert not battle.over and battle.has("active")


def test_the_arrival_is_an_event_of_the_turn(tmp_path: Path) -> None:
    """The record of the battle holds the arrival with the way she came."""
    battle = played(begin(load_scene(written(tmp_path, SCENE)), 0, ScriptedDice(rest=3)).battle, DONE)
    step = submit(battle, Action("done", "french"), ScriptedDice(rest=3))
    entered = [event for event in step.events if isinstance(event, Entered)]
    assert [event.unit for event in entered] == ["active"]
    assert entered[0].path[0] == (0.0, 40.0)


def test_a_facing_between_the_sixteen_points_is_refused_at_the_arrival(tmp_path: Path) -> None:
    """SAIL-MOV-11: the line of the arrival is named, and the nearest of the sixteen points."""
    path = written(tmp_path, SCENE.replace("facing: 90}", "facing: 100}"))
    with pytest.raises(Unreadable) as error:
        load_scene(path)
    assert [(f.line, f.text) for f in error.value.faults] == [
        (14, "unit 'active': facing: 100 is none of the sixteen points; the nearest is 90")
    ]
