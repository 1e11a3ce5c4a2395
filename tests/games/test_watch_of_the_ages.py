"""The watch over battles of the Ages finds each fault that is put into a step, and none in a sound one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Changed, Event, Lost, Removed, Told
from tabletop.play.engine import Step, begin
from tests.destiny import battle, done, unit
from tests.games.positions import HOSTS, generated, position
from tests.games.watch import OF_THE_AGES
from tests.games.watch_of_the_ages import WatchOfTheAges


def scene(lost: int = 0, **of: Any) -> Battle:
    """Return a battle whose losses are counted, with these keys of some units."""
    rows = [
        unit("a", at=[300, 300]),
        unit("gun", "red", "foot-artillery", at=[700, 300]),
        unit("e", "red", at=[500, 700]),
    ]
    changed = [replace(one, **of.get(one.id, {})) for one in rows]
    return replace(battle(*changed, turn=4), memory={"army:blue": 5, "army:red": 6, "lost:red": lost})


def found(before: Battle, after: Battle, *events: Event) -> list[str]:
    """Return what the watch says of a step from one battle to another by these events."""
    watch = WatchOfTheAges()
    watch.begins(before)
    return list(watch.faults(before, Step(None, None, events, after)))


LOSS, GONE = Lost("e", 2, {}), Removed("e", "fled")
TAKEN = Changed("gun", side="blue")
CREW = (Lost("e", 2, {}), Told("crew", {"bases": 2}, "e"))


@pytest.mark.parametrize(
    ("events", "noted"), [((LOSS,), 2), ((GONE,), 5), ((LOSS, GONE), 5), ((TAKEN,), 1), (CREW, 0), ((), 0)]
)
def test_losses_noted_are_the_bases_gone(events: tuple[Event, ...], noted: int) -> None:
    """AGE-CRI-01, AGE-ART-08: bases lost and units gone, guns taken; not the bases that crew guns."""
    assert found(scene(), scene(noted), *events) == []
    for wrong in (noted - 1, noted + 1):
        assert found(scene(), scene(wrong), *events) == [f"red has lost {noted} bases, and {wrong} are noted"]


@pytest.mark.parametrize(("last", "now", "wrong"), [(None, 4, False), (3, 3, False), (1, 7, False), (1, 6, True)])
def test_a_charge_too_soon(last: int | None, now: int, wrong: bool) -> None:
    """AGE-MOV-08: one in six turns."""
    before = scene(a={"marks": {} if last is None else {"charged": last}})
    said = [f"a charges in turn {now}, after a charge in turn {last}"] if wrong else []
    assert found(before, scene(a={"marks": {"charged": now}})) == said


def test_a_square_stands() -> None:
    """ROC-FRM-06: but one that routs runs, and one that forms stood elsewhere before."""
    square = unit("a", formation="square", at=[300, 300])
    there, routs = {"formation": "square", "bases": square.bases}, {"status": "routing"}
    moved = {**there, "bases": square.moved(0.0, 1.0).bases}
    assert found(scene(a=there), scene(a=moved)) == ["a has moved in square"]
    for before, after in ((there, there), ({}, moved), (there, {**moved, **routs}), (there, {})):
        assert found(scene(a=before), scene(a=after)) == []


def crisis(percent: int, *units: str) -> tuple[Event, ...]:
    return (Told("crisis", {"side": "red", "percent": percent, "level": 0}), *(Told("in crisis", {}, u) for u in units))


def test_a_level_tested_twice() -> None:
    """AGE-CRI-02, SQP-TST-02, SQP-TST-10: an army throws once at a mark, and each unit once."""
    watch, same = WatchOfTheAges(), scene()
    watch.begins(same)

    def said(*events: Event) -> list[str]:
        return list(watch.faults(same, Step(None, None, events, same)))

    assert said(*crisis(15, "e", "gun")) == [] and said(*crisis(25, "e"), *crisis(30, "e")) == []
    assert said(*crisis(30)) == ["red is tested at 30 in a hundred after 30"]
    assert said(*crisis(20)) == ["red is tested at 20 in a hundred after 30"]
    assert said(*crisis(45, "e", "e")) == ["e throws twice in one crisis"]


def test_losses_before_the_battle_count_from_the_beginning() -> None:
    """SQP-TST-09."""
    start = battle(unit("a"), unit("e", "red", at=[500, 700]), options={"sauve_qui_peut": True, "lost_before": 3})
    step = begin(replace(start, clock=replace(start.clock, turn=0, side=None)), 1)
    for options, right in ((start.setup.options, True), ({}, False)):
        watch = WatchOfTheAges()
        watch.begins(start)
        forged = replace(step.battle, setup=replace(step.battle.setup, options=options))
        assert (list(watch.opens(replace(step, battle=forged))) == []) is right


def test_a_gun_overrun_in_play() -> None:
    """AGE-ART-07, AGE-ART-08: the captor's base that crews it is no loss, the gun is one."""
    start = scene(gun={"bases": unit("gun", "red", "foot-artillery", at=[300, 322]).bases})
    step = done(start, "move", "a", path=[(300, 357.5)])
    watch = WatchOfTheAges()
    watch.begins(start)
    assert step.battle.unit("gun").side == "blue" and step.battle.memory["lost:red"] == 1
    assert list(watch.faults(start, step)) == []


def test_a_third_of_the_generated_positions_has_the_crisis_of_sauve_qui_peut() -> None:
    """Those of the other numbers stay as they are; every option of the module comes, and hazard too."""
    assert set(HOSTS) == set(OF_THE_AGES)
    for rules in HOSTS:
        options = [position(f"{rules}:{number}").setup.options for number in range(9)]
        assert [bool(each.get("sauve_qui_peut")) for each in options] == [False, True, False] * 3
        assert not any(each for each in options if "sauve_qui_peut" not in each)
    many = [generated("destiny", number).setup.options for number in range(1, 60, 3)]
    assert {each["sauve_qui_peut"] for each in many} == {True, "hazard"}
    assert {key for each in many for key in each} == {"sauve_qui_peut", "army_mean", "lost_before", "army_breaks"}
