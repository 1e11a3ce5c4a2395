"""Battles of every rule set from the start screen to their end by mouse and keys alone are the engine's battles."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.render.battle.driver import same_as_by_hand
from tests.render.somebody import Somebody
from tools.places import spots


def begun(somebody: Somebody, name: str) -> None:
    """Begin a battle for two people, from the start screen on."""
    somebody.rest()
    somebody.does("new")
    somebody.rest()
    somebody.does(next(word for word, _ in spots(somebody.top) if word.endswith(f"/{name}.yaml")))
    for word, _ in spots(somebody.top):
        if word.startswith("seat:") and word.endswith(":human"):
            somebody.does(word)
    somebody.does("begin")
    somebody.game.pace("at once")
    somebody.rest(5)


def fought(somebody: Somebody, scenario: str, tmp_path: Path, turns: int) -> None:
    begun(somebody, scenario.rpartition("/")[2])
    session = somebody.session
    somebody.plays(lambda: session.battle.over or session.battle.clock.turn >= turns, 4_000)
    assert len(session.steps) > 5
    assert same_as_by_hand(session, scenario, tmp_path)


def test_a_skirmish_to_its_end_and_looked_at_again(somebody: Somebody, tmp_path: Path) -> None:
    fought(somebody, "tse/skirmish", tmp_path, 99)
    session = somebody.session
    assert session.battle.over
    somebody.rest(5)
    somebody.does("replay:")
    assert type(somebody.top).__name__ == "Replaying"


@pytest.mark.sweep  # its turns are in battle/test_whole_battles.py, the way from the start screen in the others
def test_turns_of_the_drill_ground(somebody: Somebody, tmp_path: Path) -> None:
    fought(somebody, "realm-of-chance/drill-ground", tmp_path, 2)


@pytest.mark.parametrize(
    "scenario", ["destiny/lancers", "reason/rail-fence", "gloire/causeway", "glaube/ford", "sail/long-sand"]
)
def test_a_first_turn_of_each_age(somebody: Somebody, scenario: str, tmp_path: Path) -> None:
    fought(somebody, scenario, tmp_path, 2)


@pytest.mark.sweep
@pytest.mark.parametrize(
    "scenario",
    [
        "tse/starter",
        "realm-of-chance/drill-ground",
        "destiny/lancers",
        "destiny/last-half-hour",  # with the crisis of morale of Sauve qui peut
        "reason/rail-fence",
        "gloire/causeway",
        "glaube/ford",
        "sail/long-sand",
    ],
)
def test_whole_battles(somebody: Somebody, scenario: str, tmp_path: Path) -> None:
    fought(somebody, scenario, tmp_path, 99)
    assert somebody.session.battle.over
