"""A unit with losses already marked is told from one that is weak from the start."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.dice import ScriptedDice
from tabletop.battle.opening import opening_data, opening_of
from tabletop.errors import Unreadable
from tabletop.play.engine import begin, play_of
from tabletop.play.files.load import load_scene_data
from tabletop.play.saves.saved_opening import check_meaning
from tabletop.rules.common import base_losses
from tabletop.rules.sauve_qui_peut.levels import levels_of
from tabletop.terminal import views
from tests.loaded import scenario

TABLE = {"unit": "mm", "width": 900, "height": 600}


def scene(rules: str = "destiny", game: dict[str, Any] | None = None, **keys: Any) -> Battle:
    """Return a battle of two units of infantry by some rules; ``keys`` are further ones of the first."""
    quality = {"destiny": "french-line", "realm-of-chance": "french-line"}.get(rules)
    row = {"troop": "infantry", "formation": "line", "facing": 0, **({"quality": quality} if quality else {})}
    units = [
        {"id": "a", "side": "french", **row, "at": [300, 100], **keys},
        {"id": "b", "side": "allied", **row, "at": [300, 400], "bases": 4},
    ]
    data = {"format": "tabletop-scene/1", "title": "A", "rules": rules, "table": TABLE, "units": units}
    return load_scene_data({**data, **({} if game is None else {"game": game})})


def faults(**keys: Any) -> list[str]:
    """Return the faults of such a battle."""
    with pytest.raises(Unreadable) as caught:
        scene(**keys)
    return [fault.text for fault in caught.value.faults]


@pytest.mark.parametrize("rules", ["destiny", "realm-of-chance"])
def test_three_of_five_bases(rules: str) -> None:
    """A unit of five bases that has lost two stands with three; its army had nine bases and has lost two."""
    options = {"sauve_qui_peut": True}
    battle = begin(scene(rules, {"options": options}, bases=5, lost=2), 1, ScriptedDice(rest=3)).battle
    assert battle.unit("a").strength == 3
    assert (base_losses.army(battle, "french"), base_losses.lost(battle, "french")) == (5, 2)
    assert (base_losses.army(battle, "allied"), base_losses.lost(battle, "allied")) == (4, 0)
    weak = begin(scene(rules, {"options": options}, bases=3), 1, ScriptedDice(rest=3)).battle
    assert weak.unit("a").bases == battle.unit("a").bases
    assert (base_losses.army(weak, "french"), base_losses.lost(weak, "french")) == (3, 0)


def test_a_card_says_what_a_unit_lost_before_the_battle() -> None:
    """At the prompt it is one of five bases with two lost, not one of three."""
    battle = scene("destiny", {"options": {"sauve_qui_peut": True}}, bases=5, lost=2)
    assert "3 bases (2 lost before the battle)" in views.card(battle, battle.unit("a"))
    assert "lost" not in views.card(battle, battle.unit("b"))


def test_a_saved_opening_keeps_what_units_lost_before() -> None:
    """It is read again as it was; more than the option adds up to, or what is no number of bases, is refused."""
    battle = scene("destiny", {"options": {"sauve_qui_peut": True}}, bases=5, lost=2)
    data = opening_data(battle)
    check_meaning(opening_of(data))
    assert opening_of(data).unit("a") == battle.unit("a")
    for wrong, said in ((3, "lost more bases before the battle"), (-1, "cannot have lost -1 bases")):
        marked = battle.with_unit(replace(battle.unit("a"), marks={"lost_before": wrong}))
        with pytest.raises(ValueError, match=said):
            check_meaning(marked)


@pytest.mark.parametrize(
    ("side", "bases", "lost", "tested", "coming"), [("french", 110, 20, 15, 22), ("allied", 114, 29, 25, 35)]
)
def test_the_losses_at_waterloo(side: str, bases: int, lost: int, tested: int, coming: int) -> None:
    """SQP-TST-09: its units' losses are the army's; the mark they reach is tested, the next is not."""
    battle = begin(scenario("destiny/waterloo-evening"), 1).battle
    assert (base_losses.army(battle, side), base_losses.lost(battle, side)) == (bases, lost)
    assert sum(unit.marks.get("lost_before", 0) for unit in battle.side(side)) == lost
    levels = levels_of(battle, side)
    assert levels.percentage(int(battle.memory[f"crisis:{side}"])) == tested
    said = play_of(battle).outlook(battle, side)
    assert said.startswith(f"{lost} of {bases} bases lost") and f"; at {coming} each unit throws" in said


def test_losses_of_units_are_added_to_those_of_the_scenario() -> None:
    """The option lost_before keeps what the scenario says and gains what the units say."""
    battle = scene("destiny", {"options": {"lost_before": {"allied": 1, "french": 3}}}, bases=5, lost=1)
    assert battle.setup.options["lost_before"] == {"allied": 1, "french": 4}
    assert "lost_before" not in scene("destiny", {}, bases=5, lost=0).setup.options


def test_losses_that_cannot_be_are_one_line() -> None:
    """Losses need the number of bases, and leave at least one."""
    assert faults(bases=3, lost=3) == ["unit 'a': lost: 3 of 3 leave none; leave the unit out and add them to "
                                       "'lost_before'"]  # fmt: skip
    assert faults(lost=2) == ["unit 'a': 'bases' is missing beside it: how many it had; write e.g. 'bases: 4'"]
    assert faults(bases=9, lost=5) == ["unit 'a': bases: 9 is not between 1 and 5"]
    assert faults(bases=3, lost=-1) == ["unit 'a': lost: -1 is out of bounds; it must be at least 0"]


def test_rules_that_count_no_losses_before_the_battle_say_so() -> None:
    """In There Stand Empires a unit is as strong as it stands; a ship of Age of Sail is always one base."""
    ship = {"id": "a", "side": "french", "troop": "frigate", "at": [30, 30], "facing": 0, "bases": 1, "lost": 1}
    table = {"unit": "cm", "width": 90, "height": 60}
    data = {"format": "tabletop-scene/1", "title": "A", "rules": "sail", "table": table, "units": [ship]}
    with pytest.raises(Unreadable, match=r"Age of Sail counts no losses before the battle; leave lost out$"):
        load_scene_data(data)
    table = {"unit": "in", "width": 30, "height": 20}
    unit = {"id": "a", "side": "french", "troop": "infantry", "at": [9, 9], "facing": 0, "bases": 3, "lost": 1}
    data = {"format": "tabletop-scene/1", "title": "A", "rules": "tse", "table": table, "units": [unit]}
    with pytest.raises(Unreadable, match="before the battle; give the bases that are left, and leave lost out"):
        load_scene_data(data)
