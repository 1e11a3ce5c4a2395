"""The matrix of legal actions, what is suggested, what is drawn at random, and battles that stay sound."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.progress import Clock
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.play import engine
from tabletop.play.engine import play_of
from tabletop.rules.tse.tables import troop
from tabletop.rules.tse.turn import sequence
from tests.playing import FIELD, RECEIVED, do, general, scene, unit

FORMATIONS = ("deployed", "maneuver-column", "march-column", "square")
TROOPS = ("infantry", "light-cavalry", "heavy-cavalry", "horse-artillery", "light-foot-artillery", "transport")
#: What everybody on the table may try who is not demoralized.
MOVES = {"hold", "deploy", "maneuver", "march"}


def open_kinds(battle: Battle, id: str = "a") -> set[str]:  # noqa: A002
    return {choice.kind for choice in play_of(battle).menu(battle, id) if choice.open}


def expected(kind: str, formation: str, status: str, linear: bool) -> set[str]:
    """Return what the matrix of legal actions says, written from its table."""
    if status == "demoralized":
        return {"hold", "regroup"}
    found = MOVES | ({"regroup"} if status == "disordered" else set())
    family = troop(kind).family
    if family == "infantry":
        found |= {"square"}
    if family in ("infantry", "artillery"):
        found |= {"deployed-fire"} if formation == "deployed" else set()
        found |= {"advancing-fire"} if formation in ("maneuver-column", "square") else set()
    if family in ("infantry", "cavalry") and formation == "maneuver-column":
        found |= {"assault"}
    if family == "infantry" and linear and formation == "deployed":
        found |= {"assault"}
    return found


@pytest.mark.parametrize("kind", TROOPS)
@pytest.mark.parametrize("status", ["ok", "disordered", "demoralized"])
def test_the_matrix_of_legal_actions(kind: str, status: str) -> None:
    """TSE-ACT-01, -10, -20, -30, -40, -41, -50, -60, -70, -90, -91, -92, -93, -94: by kind, formation and status."""
    for formation, linear in product(FORMATIONS, (False, True)):
        if (formation == "square" or linear) and kind != "infantry":
            continue
        own = unit(troop=kind, formation=formation, status=status, bases=2)
        own = replace(own, linear=linear)
        assert open_kinds(scene(own)) == expected(kind, formation, status, linear), (formation, linear)


def test_what_is_closed_says_by_which_rule() -> None:
    """TSE-ACT-91: every closed entry cites the rules that close it."""
    for choice in play_of(scene(unit())).menu(scene(unit(status="demoralized")), "a"):
        if not choice.open:
            assert choice.verdict is not None
            assert all(reason.rule.startswith("TSE-") for reason in choice.verdict.because)
            assert not any(reason.holds for reason in choice.verdict.because)


def test_nothing_is_open_to_who_has_acted_or_is_not_active() -> None:
    """TSE-TRN-04, TSE-TRN-07."""
    battle = do(scene(unit(), unit("b", at=(9.0, 0.0))), "hold").battle
    assert open_kinds(battle) == set()
    assert open_kinds(scene(unit(parent="other"))) == set()


def test_the_menu_agrees_with_the_judge() -> None:
    """TSE-ACT-91: what the menu closes the judge refuses, whatever the particulars."""
    battle = scene(unit(status="demoralized"), unit("c", troop="transport", at=(9.0, 0.0)), general())
    for who in ("a", "c", "div"):
        for choice in play_of(battle).menu(battle, who):
            if not choice.open and choice.kind in ("deploy", "maneuver", "march", "square", "regroup", "route-march"):
                action = Action(choice.kind, "blue", who, options={"facing": 0.0})
                assert not engine.judge(battle, action).holds, (who, choice.kind)


# --- battles ---------------------------------------------------------------------------------------------------------


def three_against_three() -> Battle:
    """Return two small divisions 9 in apart with a wood and a lake between them."""
    things: list[Unit] = [general("d", (0.0, -12.0)), general("r", (0.0, 12.0), side="red")]
    kinds = (("infantry", 4), ("light-cavalry", 3), ("light-foot-artillery", 1))
    for k, (kind, n) in enumerate(kinds):
        x = 6.0 * (k - 1)
        form = {"troop": kind, "bases": n, "formation": "maneuver-column"}
        things.append(unit(f"b{k}", parent="d", at=(x, -5.0), **form))
        things.append(unit(f"r{k}", parent="r", side="red", at=(x, 5.0), facing=180, **form))
    wood = FIELD.box("wood", "woods", (-8.0, -3.0), (-1.0, 1.0))
    lake = FIELD.box("lake", "lake", (2.0, 4.0), (-1.0, 1.0))
    battle = FIELD.battle(*things, wood, lake)
    setup = replace(scene(unit()).setup, turns=5)
    return replace(battle, setup=setup)


def rules_kept(before: Battle, step: engine.Step) -> None:
    """Check what every step must keep: soundness, no order to the demoralized, one action a turn."""
    assert play_of(step.battle).faults(step.battle) == []
    action = step.action
    assert action is not None
    if action.unit is None:
        return
    who = before.anyone(action.unit)
    assert not who.marks.get("acted")
    if who.status == "demoralized":
        assert action.kind in ("hold", "regroup")


@pytest.mark.parametrize("seed", range(4))
def test_random_battles_stay_sound(seed: int) -> None:
    """TSE-ACT-91, TSE-TRN-07, TSE-TRN-09, TSE-MOV-16, TSE-MOV-21: after every action, until the last turn."""
    battle, rng = engine.begin(three_against_three(), seed).battle, Random(seed)
    while engine.mover(battle) is not None:
        action = play_of(battle).random_action(battle, rng)
        assert engine.judge(battle, action).holds, action
        step = engine.submit(battle, action)
        if step.action is not None and step.verdict is not None:
            rules_kept(battle, step)
        battle = step.battle
    assert battle.over
    assert battle.clock.turn <= 5


def test_random_actions_are_repeatable_and_varied() -> None:
    """One seed, one battle; many kinds of actions are drawn."""

    def kinds(seed: int) -> list[str]:
        battle, rng = engine.begin(three_against_three(), 5).battle, Random(seed)
        found: list[str] = []
        while engine.mover(battle) is not None and len(found) < 60:
            action = play_of(battle).random_action(battle, rng)
            found.append(action.kind)
            battle = engine.submit(battle, action).battle
        return found

    assert kinds(1) == kinds(1)
    assert {"hold", "maneuver", "deploy", "march", "general"} <= {*kinds(1), *kinds(2), *kinds(3)}


def suggested(battle: Battle) -> list[Action]:
    found = list(play_of(battle).suggest(battle))
    assert all(engine.judge(battle, action).holds for action in found)
    return found


def test_suggestions_are_allowed_and_never_none() -> None:
    """Every suggestion passes the judge; there is always one before the battle is over."""
    battle, rng = engine.begin(three_against_three(), 3).battle, Random(3)
    while engine.mover(battle) is not None and battle.clock.turn < 3:
        found = suggested(battle)
        assert found
        battle = engine.submit(battle, rng.choice(found)).battle
        assert play_of(battle).faults(battle) == []


def test_what_is_suggested_to_whom() -> None:
    """Moves to the front, sides and rear as the case is; squares near horse; regroups for the shaken; always a hold."""
    horse = unit("horse", troop="light-cavalry", side="red", parent=None, at=(0.0, 9.0), facing=180)
    whole = suggested(scene(unit(), general(), horse))
    assert {a.kind for a in whole if a.unit == "a"} >= {"hold", "deploy", "maneuver", "square"}
    assert [a.kind for a in whole if a.unit == "div"][-2:] == ["general", "hold"]
    lengths = {round(a.options["path"][0][1] - 40.75, 2) for a in whole if a.kind == "maneuver"}
    assert {6.0, 3.0, 1.5} <= lengths, "all of the move, half and a quarter of it"
    assert not any(a.kind == "regroup" for a in whole)
    shaken = suggested(scene(unit(status="disordered"), horse))
    assert any(a.kind == "regroup" for a in shaken)
    assert any(a.kind == "maneuver" and a.options["path"][0][1] < 40.0 for a in shaken), "away"
    far = suggested(scene(unit(), replace(horse.moved(0.0, 20.0))))
    assert any(a.kind == "march" for a in far)
    assert not any(a.kind in ("square", "regroup") for a in far)
    alone = suggested(scene(unit()))
    assert {a.kind for a in alone} == {"hold", "finish"}


def test_a_march_by_the_road_is_suggested() -> None:
    """TSE-MOV-11: from beside it, round its bend, half as far again as across country."""
    road = FIELD.path("road", "road", (-8.0, 0.0), (4.0, 0.0), (4.0, 30.0))
    enemy = unit("enemy", side="red", parent=None, at=(4.0, 30.0), facing=180)
    column = unit(formation="march-column", at=(-3.0, 0.0), facing=90)
    found = [a for a in suggested(scene(column, road, enemy)) if a.kind == "march"]
    (by_road,) = [a for a in found if len(a.options["path"]) > 1]
    assert FIELD.back(by_road.options["path"][-1]) == pytest.approx((4.0, 13.5 - 5.5), abs=0.01)


def test_groups_and_answers_are_suggested() -> None:
    """TSE-TRN-02, TSE-TRN-05: when a side is asked, and when it must choose."""
    battle = engine.begin(three_against_three(), 1).battle
    assert {a.options["choice"] for a in suggested(battle)} == {"first", "second"}
    battle = replace(battle, pending=(), clock=Clock(1, sequence.CHOOSING, "blue"))
    assert [a.options["group"] for a in suggested(battle)] == ["d"]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("maneuver", {"path": "north"}),
        ("maneuver", {"path": ((1.0,),)}),
        ("maneuver", {"path": ((float("nan"), 1.0),)}),
        ("maneuver", {"path": ((1e300, 1.0),)}),
        ("maneuver", {"facing": "east"}),
        ("maneuver", {"facing": float("inf")}),
        ("maneuver", {"front": 2.5}),
        ("maneuver", {"to": (1.0, True)}),
        ("maneuver", {"facing": 0.0, "to_fire": "yes"}),
        ("march", {"head": -1, "facing": 0.0}),
        ("march", {"head": 40, "facing": 0.0}),
        ("deploy", {"shift": 3}),
        ("deploy", {"bend": ("a",)}),
        ("square", {"ref": 9}),
        ("regroup", {"formation": "wedge"}),
        ("route-march", {"length": -1.0}),
        ("maneuver", {}),
        ("dance", {}),
    ],
)
def test_nonsense_is_refused_in_one_line(kind: str, options: dict[str, Any]) -> None:
    """Whatever a file or a player gives: the option, its value and the cure, or the rule that forbids it anyway."""
    battle = scene(unit(status="disordered"))
    action = Action(kind, "blue", "a", options=options)
    try:
        assert not engine.judge(battle, action).holds
    except BadQuestion as error:
        assert "\n" not in str(error)


# --- faults ----------------------------------------------------------------------------------------------------------


def faults(*units: Unit) -> list[str]:
    battle = scene(*units)
    return list(play_of(battle).faults(battle))


def test_each_fault_is_found() -> None:
    """TSE-MOV-16, TSE-MOV-21, TSE-STS-01, TSE-STS-06, TSE-UNI-21, TSE-FRM-01, TSE-ACT-91."""
    assert faults(unit(), unit("b", at=(2.0, 0.0))) == []
    assert "deep in one another" in faults(unit(), unit("b", at=(1.9, 0.0)))[0]
    assert "edge" in faults(unit().moved(39.5, 0.0))[0]
    assert faults(replace(unit(), marks={"started": 8}))[0] == "a has 4 bases of 8"
    assert faults(replace(unit(), marks={"started": 3}))[0] == "a has 4 bases of 3"
    assert faults(replace(unit(), marks={"started": 7})) == []
    assert "routed" in faults(replace(unit(), status="routed"))[0]
    assert "may still fire" in faults(replace(unit(status="demoralized"), marks={"may_fire": "advancing"}))[0]
    twice = scene(unit())
    assert "two places" in play_of(twice).faults(replace(twice, awaited=(unit(),)))[0]


def test_a_column_coming_on_is_no_fault() -> None:
    """TSE-ACT-83: its tail may be off the table."""
    assert faults(replace(unit().moved(39.5, 0.0), marks={"coming_on": True})) == []


def test_a_received_order_is_on_record_before_the_move() -> None:
    """TSE-APP-06: every ordered action goes through the calculator first."""
    step = do(scene(unit()), "deploy", "a", RECEIVED, facing=90.0)
    names = [type(event).__name__ for event in step.events]
    assert names.index("Thrown") < names.index("Told") < names.index("Placed")
