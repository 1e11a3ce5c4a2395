"""Cases at the rim: questions that make no sense, models that are none, nowhere to stand, and words for it all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.dice import ScriptedDice
from tabletop.battle.event import Event, Removed, Scored, Settled, Told
from tabletop.battle.progress import Decision, Objective, Outcome
from tabletop.battle.unfolding import Unfolding
from tabletop.errors import BadQuestion, Broken
from tabletop.judge import ask
from tabletop.play import engine, narration
from tabletop.rules.tse.assault.charge import countercharge_reasons
from tabletop.rules.tse.assault.path import paths_to
from tabletop.rules.tse.calculator.model_data import model_of
from tabletop.rules.tse.command.generals import accompany, overrun, refuge
from tabletop.rules.tse.computer.unit_value import value, worth
from tabletop.rules.tse.fire.arc import gap_to_arc, part_in_unit_arc
from tabletop.rules.tse.fire.weaker_fire import may_shoot
from tabletop.rules.tse.turn import sequence, victory
from tabletop.rules.tse.turn.sequence import TURN_NOTES
from tests.playing import FIELD, general, scene, unit

# --- questions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "args", "options", "says"),
    [
        ("line", [], {"to": [1, 1]}, "give --start X,Y and --end X,Y"),
        ("field", ["far"], {}, "'far' is a general, who has no front and no arc"),
        ("reach", ["a"], {"as": "deploy"}, "'deploy' goes no way, so it has no reach"),
        ("reach", ["a"], {"as": "assault"}, "an assault goes for a unit; ask: assault A B"),
        ("reach", ["a"], {"as": "marsh"}, "did you mean 'march'?"),
        ("reach", ["a"], {"as": "general"}, "'a' is no general; ask with --as maneuver or march"),
        ("reach", ["far"], {"as": "march"}, "'far' is a general; ask with --as general"),
    ],
)
def test_a_question_that_makes_no_sense(question: str, args: list[str], options: dict[str, Any], says: str) -> None:
    with pytest.raises(BadQuestion) as caught:
        ask(scene(unit()), question, args, options)
    assert says in str(caught.value)


# --- the model -------------------------------------------------------------------------------------------------------

MODEL = resources.files("tabletop.rules.tse").joinpath("model.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("name: disordered, above: 0.65,", "name: disordered,", "every step but the first needs 'above'"),
        ("above: 1.35", "above: 0.65", "the steps of a ladder must ascend"),
        ("spread: {is: 0.6,", "spread: {is: 0.0,", "the spread must be greater than 0"),
        ("word: very weak, from: 0.0,", "word: very weak, from: 0.01,", "the words must ascend from 0"),
        ("word: moderate, from: 0.30,", "word: moderate, from: 0.10,", "the words must ascend from 0"),
        ("word: moderate, from: 0.30,", "word: moderate, from: 0.56,", "the words must ascend from 0"),
        ("    poor: {lost: 0.12,", "    bad: {lost: 0.12,", "orders.quality lacks poor; it needs: "),
    ],
)
def test_a_model_that_is_none_is_refused_in_one_line(old: str, new: str, says: str) -> None:
    """At the edge of what each ladder and list of words must be."""
    assert old in MODEL
    assert model_of(MODEL).version == 3
    with pytest.raises(Broken) as caught:
        model_of(MODEL.replace(old, new, 1))
    assert says in str(caught.value) and "\n" not in str(caught.value)


# --- a square --------------------------------------------------------------------------------------------------------


def round_about() -> list[tuple[str, tuple[float, float]]]:
    return [("north", (0.0, 6.0)), ("south", (0.0, -6.0)), ("east", (6.0, 0.0)), ("west", (-6.0, 0.0))]


@pytest.mark.parametrize(("where", "at"), round_about())
def test_nothing_lies_outside_a_squares_arc(where: str, at: tuple[float, float]) -> None:
    """TSE-FRM-32: it fires all round, whereas a column's arc holds only what is ahead, 45 degrees to either side."""
    square, column = unit(formation="square", front=1), unit("c")
    target = unit("r", side="red", parent=None, at=at)
    field = scene(square, target)
    assert gap_to_arc(field, square, target) == 0.0
    assert shapely.equals(part_in_unit_arc(field, square, target), target.footprint)
    assert (gap_to_arc(field, column, target) > 0.0) == (where != "north")


@pytest.mark.parametrize("ruling", [True, False])
@pytest.mark.parametrize(("where", "at"), [("ahead", (0.0, 3.5)), ("behind", (0.0, -3.5)), ("far", (0.0, 30.0))])
def test_who_may_shoot_loosely_is_who_shoots(ruling: bool, where: str, at: tuple[float, float]) -> None:
    """TSE-FIR-01, TSE-FIR-05: asked for less than a shot, it says yes wherever there is one, out of range not."""
    for formation, front in (("square", 1), ("deployed", None)):
        firer = unit(formation=formation, front=front)
        field = scene(firer, unit("r", side="red", parent=None, at=at), same_part=ruling)
        target = field.unit("r")
        shot = ask(field, "fire", ["a", "r"]).holds
        assert all(may_shoot(field, firer, target, shift) for shift in (0.001, 0.5, 3.0)) or not shot
        assert where != "far" or not ruling or not may_shoot(field, firer, target, 3.0)
        assert shot == (where == "ahead" or (where == "behind" and formation == "square"))


# --- open ground -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("deep", "open_"), [(-0.01, True), (0.0, True), (0.004, True), (0.006, False), (0.1, False)])
@pytest.mark.parametrize("where", ["beside the target", "beside the path"])
def test_ground_that_is_only_touched_leaves_a_charge_in_the_open(where: str, deep: float, open_: bool) -> None:
    """TSE-ASL-62: a marsh is in the way when it is entered deeper than the tape tells from touching it."""
    horse = FIELD.unit("a", troop="light-cavalry", front_mid=(0.0, 0.0))
    target = FIELD.unit("r", side="red", troop="light-cavalry", front_mid=(0.0, 8.0), facing=180)
    (path,) = paths_to(horse, target)
    edge, low, high = (1.0, 8.0, 10.0) if where == "beside the target" else (0.0, 2.0, 5.0)
    for marsh in (
        FIELD.box("marsh", "marsh", (edge - deep, 4.0), (low, high)),
        FIELD.box("marsh", "marsh", (-4.0, deep - edge), (low, high)),  # on the other side just so
    ):
        reasons = countercharge_reasons(FIELD.battle(horse, target, marsh), horse, target, path, True)
        assert [r.feature for r in reasons if not r.holds] == ([] if open_ else ["marsh"])


# --- generals without a place ----------------------------------------------------------------------------------------


def test_a_general_with_nowhere_to_go_is_captured() -> None:
    """TSE-LDR-05, TSE-LDR-08: he gets away as long as there is ground to stand on, and not when there is none."""
    sea = FIELD.box("sea", "lake", (-40.0, 40.0), (-40.0, 40.0))
    for waters, free in (((), True), ((sea,), False)):
        field = scene(unit(), general("r", (0.0, 3.0), side="red"), *waters)
        assert (refuge(field, field.unit("r")) is not None) is free
        rider, unfolding = field.unit("a"), Unfolding(field, ScriptedDice([0.9]))
        overrun(unfolding, rider, shapely.box(*FIELD.put((-2.0, 0.0)), *FIELD.put((2.0, 6.0))))
        assert told_of(unfolding) == "escapes"
        assert unfolding.battle.has("r") is free
        assert [event.how for event in unfolding.events if isinstance(event, Removed)] == ([] if free else ["captured"])


def told_of(unfolding: Unfolding) -> str:
    return str(next(event for event in unfolding.events if isinstance(event, Told)).values["result"])


def test_nobody_accompanies_who_has_left_the_table_or_has_no_room() -> None:
    """TSE-LDR-06, TSE-LDR-08: he goes along with his unit; he stays where no place is to be had at all."""
    field = scene(unit(), general("g", (0.0, 0.0)))
    gone = replace(field, units=tuple(u for u in field.units if u.id != "g"))
    for battle, moved in ((field, True), (gone, False)):
        unfolding = Unfolding(battle)
        accompany(unfolding, (field.unit("g"),), 0.0, -4.0)
        assert bool(unfolding.events) is moved
    sea = scene(unit(), general("g", (0.0, 0.0)), FIELD.box("sea", "lake", (-40.0, 40.0), (-40.0, 40.0)))
    unfolding = Unfolding(sea)
    accompany(unfolding, (sea.unit("g"),), 0.0, -4.0)
    assert not unfolding.events


# --- odds and worth --------------------------------------------------------------------------------------------------


def value_of_side(battle: Battle, side: str) -> float:
    return sum(value(u) for u in battle.units if u.side == side)


def test_what_a_position_is_worth_to_one_side_it_costs_the_other() -> None:
    """Units, ground held, points scored and the outcome: all of them weigh as much for one as against the other."""
    field = scene(unit(), unit("b", at=(5.0, 0.0)), unit("r", side="red", parent="rd", at=(0.0, 9.0), facing=180))
    x, y = FIELD.put((0.0, 5.0))
    mill = Objective("mill", (x, y), 2.0, 2.0, "The mill", "red")
    held = replace(field, setup=replace(field.setup, objectives=(mill,)))
    scored = replace(field, scores={"blue": 3.0})
    won = replace(field, outcome=Outcome("blue", "broke"))
    drawn = replace(field, outcome=Outcome(None, "night"))
    for battle in (field, held, scored, won, drawn):
        assert worth(battle, "blue") == pytest.approx(-worth(battle, "red"))
    assert worth(field, "blue") == pytest.approx(value_of_side(field, "blue") - value_of_side(field, "red"))
    assert worth(held, "blue") < worth(field, "blue") < worth(scored, "blue") < worth(won, "blue")
    assert worth(drawn, "blue") == worth(field, "blue")


def test_a_victory_is_worth_more_than_all_on_the_table() -> None:
    rich = scene(
        unit(), *(unit(f"r{k}", side="red", parent="rd", at=(3.0 * k - 30, 9.0), facing=180) for k in range(20))
    )
    assert worth(replace(rich, outcome=Outcome("blue", "broke")), "blue") > 0.0 > worth(rich, "blue")


# --- the last turn ---------------------------------------------------------------------------------------------------


def test_ground_nobody_holds_is_scored_by_nobody() -> None:
    """TSE-TRN-09."""
    places = tuple(
        Objective(name, (x, 40.0), 2.0, points, name, holder)
        for name, x, points, holder in (("mill", 30.0, 9.0, None), ("farm", 50.0, 2.0, "red"))
    )
    battle = scene(unit(), unit("r", side="red", parent="rd", at=(0.0, 9.0), facing=180), setup={"objectives": places})
    unfolding = Unfolding(battle)
    victory.end(unfolding)
    assert [e for e in unfolding.events if isinstance(e, Scored)] == [Scored("red", 2.0, "farm")]


def test_only_what_was_noted_for_a_turn_is_forgotten_with_it() -> None:
    """TSE-TRN-12, TSE-ASL-34: nobody has acted when a turn opens; what is remembered for good stays."""
    battle = scene(replace(unit(), marks={"acted": True, "started": 3}))
    unfolding = Unfolding(replace(battle, memory={f"{TURN_NOTES}assaulted": 2, "broken": "red"}))
    sequence.begin(unfolding)
    assert dict(unfolding.battle.memory) == {"broken": "red"}
    assert dict(unfolding.battle.unit("a").marks) == {"started": 3}


# --- words -----------------------------------------------------------------------------------------------------------


def said(event: Event, **changes: Any) -> list[str]:
    field = scene(unit(name="Kempt"), unit("r", side="red", parent=None, at=(0.0, 9.0), facing=180, name="Jamin"))
    return list(narration.sentences(replace(field, **changes), [event]))


ASSAULT: Mapping[str, Any] = {"result": "driven back", "words": {"fire": "well", "melee": ""}}


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (Told("assault", ASSAULT, "a", "r"), "Kempt assaulted Jamin (fire well): driven back."),
        (
            Told("assault", {**ASSAULT, "square": True, "words": {}}, "a", "r"),
            "Kempt assaulted Jamin; Jamin formed square in time: driven back.",
        ),
        (
            Told("assault", {**ASSAULT, "breakthrough": True, "words": None}, "a", "r"),
            "Kempt broke through on to Jamin: driven back.",
        ),
        (
            Told("morale", {"side": "red", "result": "breaks"}),
            "The red army had half its units lost or demoralized; it broke.",
        ),
        (
            Told("morale", {"side": "red", "result": "holds"}),
            "The red army had half its units lost or demoralized; it held.",
        ),
        (Told("overrun", {"result": "killed"}, "far", "r"), "far met Jamin at close quarters: killed."),
        (Told("surrender", {"why": "no way"}, "a"), "Kempt had nowhere to fall back to: no way."),
        (Told("regroup", {"result": "fails"}, "a"), "Kempt tried in vain to regroup."),
        (Told("regroup", {"result": "full"}, "a"), "Kempt regrouped."),
        (Told("fire", {"result": "no effect"}, "a", "r"), "Kempt fired at Jamin: without effect."),
        (Removed("r", "vanished"), "Jamin left the field (vanished)."),
    ],
)
def test_what_happened_in_the_words_of_the_rules(event: Event, says: str) -> None:
    """TSE-APP-09: with the performance words; what was not said of is left out."""
    assert said(event) == [says]


@pytest.mark.parametrize(("choice", "says"), [("first", "Red went first."), ("second", "Blue was made to go first.")])
def test_who_went_first(choice: str, says: str) -> None:
    """TSE-TRN-02: the winner of the initiative goes first or makes the other do so."""
    decision = Decision("red", "go-first", ("first", "second"))
    assert said(Settled(choice), pending=(decision,)) == [says]


def test_another_question_is_told_in_the_usual_words() -> None:
    decision = Decision("red", "countercharge", ("meet", "stand"), "Meet them?")
    assert said(Settled("stand"), pending=(decision,)) == ["Red was asked: Meet them? – stand."]


# --- suggestions -----------------------------------------------------------------------------------------------------


def test_nothing_is_suggested_once_the_battle_is_over() -> None:
    field = scene(unit())
    suggest = engine.play_of(field).suggest
    assert list(suggest(field))
    assert list(suggest(replace(field, outcome=Outcome("blue", "broke")))) == []
