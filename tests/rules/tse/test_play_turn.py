"""The turn: initiative, groups, one action each, the turn's end (TSE-TRN)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tabletop.battle.action import Action, answer
from tabletop.battle.battle import Battle
from tabletop.battle.dice import ScriptedDice
from tabletop.battle.event import Told
from tabletop.battle.progress import Clock
from tabletop.battle.unit import Unit
from tabletop.play import engine
from tabletop.play.engine import Step
from tabletop.rules.tse.turn import sequence
from tests.playing import FIELD, do, general, refused, scene, unit, verdict

#: Draws that name the Defender and the Attacker where both are as likely.
DEFENDER, ATTACKER = 0.2, 0.8


def army(*extra: Unit) -> tuple[Unit, ...]:
    """Return two blue divisions of two units and one, a blue corps troop, and one red division; nobody near anybody."""
    return (
        general("d1", (-20.0, -20.0)),
        unit("b1", parent="d1", at=(-20.0, -10.0)),
        unit("b2", parent="d1", at=(-10.0, -10.0)),
        unit("b3", parent="d2", at=(0.0, -10.0)),
        general("corps", (10.0, -20.0), rank="corps"),
        unit("b4", parent="corps", at=(10.0, -10.0)),
        general("r", (0.0, 30.0), side="red"),
        unit("r1", side="red", parent="r", at=(0.0, 20.0), facing=180),
        *extra,
    )


def opened(*draws: float, units: Sequence[Unit] = (), turns: int | None = None, **options: object) -> Step:
    """Return the beginning of a battle of these units (the army unless said)."""
    battle = FIELD.battle(*(units or army()))
    kept = scene(unit()).setup
    battle = replace(battle, setup=replace(kept, options=options, turns=turns))
    return engine.begin(battle, 7, ScriptedDice(list(draws)))


def play(battle: Battle, *actions: Action, draws: Sequence[float] = ()) -> Battle:
    dice = ScriptedDice(list(draws))
    for action in actions:
        battle = engine.submit(battle, action, dice).battle
    assert dice.script == []
    return battle


def choose(side: str, group: str) -> Action:
    return Action("choose", side, options={"group": group})


def finish(side: str) -> Action:
    return Action("finish", side)


def whole(side: str, group: str) -> tuple[Action, Action]:
    """Return the actions of an initiative in which everybody holds."""
    return choose(side, group), finish(side)


@pytest.mark.parametrize(("draw", "winner"), [(DEFENDER, "red"), (ATTACKER, "blue")])
@pytest.mark.parametrize(("choice", "goes"), [("first", True), ("second", False)])
def test_the_side_that_has_the_initiative_chooses_who_goes_first(
    draw: float, winner: str, choice: str, goes: bool
) -> None:
    """TSE-TRN-01, TSE-TRN-02: Attacker or Defender is drawn; that side decides."""
    battle = opened(draw).battle
    assert battle.pending[0].side == engine.mover(battle) == winner
    battle = play(battle, answer(winner, choice))
    assert (battle.clock.side == winner) is goes


def test_the_attacker_is_the_attacker_all_game_long() -> None:
    """TSE-TRN-01: by the scenario; in every turn the same."""
    battle = opened(ATTACKER, units=[general("b"), general("r", (0.0, 30.0), side="red")]).battle
    for _ in range(3):
        assert sequence.attacker(battle) == battle.pending[0].side == "blue"
        battle = play(battle, answer("blue", "first"), *whole("blue", "b"), *whole("red", "r"), draws=[ATTACKER])


@pytest.mark.parametrize(("bias", "draw", "winner"), [(0.9, 0.15, "blue"), (0.1, 0.85, "red"), (1.0, 0.001, "blue")])
def test_a_scenario_may_bias_the_initiative(bias: float, draw: float, winner: str) -> None:
    """TSE-TRN-02: the attacker's chance as the scenario gives it."""
    assert opened(draw, initiative_attacker=bias).battle.pending[0].side == winner


def test_an_initiative_is_a_division_or_a_higher_general_with_his_troops() -> None:
    """TSE-TRN-03: then the other side's turn comes; a division without its general is one all the same."""
    battle = play(opened(ATTACKER).battle, answer("blue", "first"))
    assert sequence.groups(battle) == ("corps", "d1", "d2")
    battle = play(battle, choose("blue", "corps"))
    assert {u.id for u in sequence.idle(battle, "blue", "corps")} == {"corps", "b4"}
    battle = play(battle, Action("hold", "blue", "corps"))
    assert battle.clock.side == "blue"
    battle = play(battle, Action("hold", "blue", "b4"))
    assert (battle.clock.side, battle.clock.phase) == ("red", sequence.CHOOSING)


def test_units_of_another_division_do_not_act() -> None:
    """TSE-TRN-03, TSE-TRN-04: nor the other side's."""
    battle = play(opened(ATTACKER).battle, answer("blue", "first"), choose("blue", "d1"))
    assert engine.judge(battle, Action("hold", "blue", "b1")).holds
    assert not engine.judge(battle, Action("hold", "blue", "b3")).holds
    assert not engine.judge(battle, Action("hold", "blue", "r1")).holds
    assert not engine.judge(battle, Action("hold", "red", "r1")).holds


def test_a_general_moves_between_two_units() -> None:
    """TSE-TRN-04, TSE-ACT-03: at any point, once, in one go."""
    battle = play(opened(ATTACKER).battle, answer("blue", "first"), choose("blue", "d1"), Action("hold", "blue", "b1"))
    path = (tuple(FIELD.put((-20.0, -15.0))),)
    battle = play(battle, Action("general", "blue", "d1", options={"path": path}))
    assert FIELD.back(battle.unit("d1").at) == pytest.approx((-20.0, -15.0))
    again = engine.judge(battle, Action("general", "blue", "d1", options={"path": path}))
    assert [r.rule for r in again.because if not r.holds] == ["TSE-TRN-07"]
    assert engine.judge(battle, Action("hold", "blue", "b2")).holds


def test_an_initiative_may_not_be_declined() -> None:
    """TSE-TRN-05: no action passes; a group that has acted is not chosen again."""
    battle = play(opened(ATTACKER).battle, answer("blue", "first"))
    assert set(engine.play_of(battle).kinds) >= {"choose", "hold", "finish"}
    assert "pass" not in engine.play_of(battle).kinds
    assert not engine.judge(battle, finish("blue")).holds
    battle = play(battle, *whole("blue", "d1"), *whole("red", "r"))
    refusal = engine.judge(battle, choose("blue", "d1"))
    assert [r.rule for r in refusal.because if not r.holds] == ["TSE-TRN-05"]


def test_a_side_with_nothing_left_lets_the_other_finish() -> None:
    """TSE-TRN-06: red has one group, blue takes its other two one after the other."""
    battle = play(opened(ATTACKER).battle, answer("blue", "first"), *whole("blue", "d1"), *whole("red", "r"))
    battle = play(battle, *whole("blue", "d2"))
    assert (battle.clock.side, sequence.groups(battle)) == ("blue", ("corps",))


def test_one_action_a_unit_a_turn() -> None:
    """TSE-TRN-07, TSE-ACT-01: to hold is an action like any other, and irrevocable."""
    battle = do(scene(unit(), unit("b", at=(9.0, 0.0))), "hold").battle
    assert refused(battle, "hold") == {"TSE-TRN-07"}
    assert refused(battle, "deploy", facing=0.0) == {"TSE-TRN-07"}


@pytest.mark.parametrize("status", ["ok", "disordered", "demoralized"])
def test_anybody_holds(status: str) -> None:
    """TSE-ACT-01: every unit in any condition, every general; no calculator."""
    assert not do(scene(unit(status=status)), "hold").thrown
    assert not do(scene(unit(), general()), "hold", "div").thrown


def test_a_unit_an_assault_used_is_skipped() -> None:
    """TSE-TRN-08: so is a group in which nobody is left; it costs no initiative."""
    units = [replace(u, marks={"acted": True}) if u.id == "b3" else u for u in army()]
    battle = replace(scene(*units), clock=Clock(1, sequence.CHOOSING, "blue"))
    assert "d2" not in sequence.groups(battle)
    assert not engine.judge(battle, choose("blue", "d2")).holds


def test_a_group_with_nothing_but_its_general_still_takes_its_initiative() -> None:
    """TSE-TRN-08: he has not acted."""
    units = [replace(u, marks={"acted": True}) if u.id in ("b1", "b2") else u for u in army()]
    assert "d1" in sequence.groups(replace(scene(*units), clock=Clock(1, sequence.CHOOSING, "blue")))


def test_the_turn_ends_when_everybody_has_acted() -> None:
    """TSE-TRN-09, TSE-TRN-12: who acted is forgotten; status and formation are not."""
    shaken = unit("b3", parent="d2", at=(0.0, -10.0), status="disordered", formation="square")
    units = [shaken if u.id == "b3" else u for u in army()]
    battle = play(opened(ATTACKER, units=units).battle, answer("blue", "first"))
    battle = play(battle, *whole("blue", "d1"), *whole("red", "r"), *whole("blue", "d2"))
    assert battle.clock.turn == 1
    battle = play(battle, *whole("blue", "corps"), draws=[DEFENDER])
    assert battle.clock.turn == 2
    assert not any(u.marks.get("acted") for u in battle.units)
    assert (battle.unit("b3").status, battle.unit("b3").formation) == ("disordered", "square")
    assert battle.pending[0].side == "red"


def test_the_battle_ends_with_its_last_turn() -> None:
    """TSE-TRN-09, TSE-SCL-03: a turn is an hour; after the last nobody acts."""
    units = [general("b"), general("r", (0.0, 30.0), side="red")]
    battle = opened(ATTACKER, units=units, turns=1).battle
    battle = play(battle, answer("blue", "first"), *whole("blue", "b"), *whole("red", "r"))
    assert battle.over
    assert engine.mover(battle) is None


def test_chaotic_initiative_is_drawn_before_every_division() -> None:
    """TSE-TRN-10: a side may go several times running; nobody is asked whether to go first."""
    battle = opened(ATTACKER, initiative="chaotic").battle
    assert not battle.pending
    battle = play(battle, *whole("blue", "d1"), draws=[ATTACKER])
    assert battle.clock.side == "blue"
    battle = play(battle, *whole("blue", "d2"), draws=[DEFENDER])
    assert battle.clock.side == "red"
    battle = play(battle, *whole("red", "r"), draws=[DEFENDER])
    assert battle.clock.side == "blue", "red, drawn, has nothing left"


def test_initiative_by_single_units() -> None:
    """TSE-TRN-11: one unit or one general, divisional generals included; sides alternate."""
    battle = play(opened(ATTACKER, initiative="unit").battle, answer("blue", "first"))
    assert sequence.groups(battle) == ("b1", "b2", "b3", "b4", "corps", "d1")
    battle = play(battle, choose("blue", "b1"))
    assert not engine.judge(battle, Action("hold", "blue", "b2")).holds
    battle = play(battle, Action("hold", "blue", "b1"))
    assert (battle.clock.side, sequence.groups(battle)) == ("red", ("r", "r1"))


def test_both_variants_together() -> None:
    """TSE-TRN-10, TSE-TRN-11: a draw before every single unit."""
    battle = opened(ATTACKER, initiative="chaotic-unit").battle
    battle = play(battle, choose("blue", "b1"), Action("hold", "blue", "b1"), draws=[ATTACKER])
    assert battle.clock.side == "blue"
    assert "b1" not in sequence.groups(battle)


def test_what_every_unit_started_with_is_noted() -> None:
    """TSE-STS-06: half of it destroys a unit."""
    battle = opened(ATTACKER).battle
    assert {u.marks["started"] for u in battle.units if not u.is_general} == {4}
    assert all("started" not in u.marks for u in battle.units if u.is_general)


def test_the_record_tells_the_turn_and_the_initiative() -> None:
    """TSE-TRN-02: who was named stands on record."""
    what = [event.what for event in opened(ATTACKER).events if isinstance(event, Told)]
    assert what == ["turn", "initiative"]


def test_only_the_side_asked_answers() -> None:
    """TSE-TRN-02: and nothing else is done before."""
    battle = opened(ATTACKER).battle
    assert not engine.judge(battle, answer("red", "first")).holds
    assert not engine.judge(battle, choose("blue", "d1")).holds
    assert not verdict(battle, "hold", "b1").holds
