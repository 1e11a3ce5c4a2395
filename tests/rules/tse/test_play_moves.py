"""Moves as actions: ordered, delayed, lost, and what may follow them (TSE-ACT, TSE-CMB, TSE-ORD)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tabletop.battle.action import Action
from tabletop.battle.dice import ScriptedDice
from tabletop.battle.unit import distance_between
from tabletop.play.engine import play_of, submit
from tabletop.rules.tse.calculator import model
from tests.playing import DELAYED, FIELD, LOST, RECEIVED, do, general, marks, north, refused, scene, told, unit, verdict

#: The front of a column of four bases, two deep, lies so far ahead of its centre.
FRONT = 0.75
NEAR = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, 4.0), facing=180)


def test_a_maneuver_goes_as_far_as_planned_when_orders_are_received() -> None:
    """TSE-ACT-21, TSE-ORD-01: and the order check is a draw, put on record."""
    step = do(scene(unit()), "maneuver", "a", RECEIVED, path=[(0.0, 6.0 + FRONT)])
    assert north(step) == pytest.approx(6.0 + FRONT)
    assert told(step, "orders") == {"action": "maneuver", "result": "received", "general": False}
    assert "acted" in marks(step)
    assert step.thrown


def test_a_delayed_maneuver_goes_half_as_far() -> None:
    """TSE-ACT-21, TSE-ORD-05: formation and facing are assumed all the same."""
    step = do(scene(unit(formation="deployed")), "maneuver", "a", DELAYED, path=[(0.0, 6.0 + FRONT)])
    assert north(step) == pytest.approx(3.0 + FRONT)
    assert step.battle.unit("a").formation == "maneuver-column"


def test_delayed_on_a_way_with_a_bend_it_stops_in_the_second_leg() -> None:
    """TSE-ACT-21, TSE-MOV-03: 2 straight, a quarter turn of a front 2 wide is over 1, so the turn is broken off."""
    step = do(scene(unit()), "maneuver", "a", DELAYED, path=[(0.0, 2.0 + FRONT), (2.0, 2.0 + FRONT)])
    assert north(step) == pytest.approx(2.0 + FRONT)
    assert step.battle.unit("a").facing == pytest.approx(math.degrees(1.0))


def test_delayed_in_rough_ground_it_goes_half_in_base_move() -> None:
    """TSE-ORD-05, TSE-MOV-05: 1 in of open and 2 of the 3 in of base move for 1 in of rough."""
    wood = FIELD.box("wood", "rough", (-5.0, 5.0), (1.0 + FRONT, 10.0))
    step = do(scene(unit(), wood), "maneuver", "a", DELAYED, path=[(0.0, 3.5 + FRONT)])
    assert north(step) == pytest.approx(2.0 + FRONT, abs=1e-5)


def test_delayed_it_does_not_stop_inside_friends() -> None:
    """TSE-ORD-05, TSE-MOV-16: it passes through them with its whole move, and stops short of them with half of it."""
    friends = unit("b", formation="deployed", bases=2, at=(0.0, 3.5))
    path = [(0.0, 6.0 + FRONT)]
    assert north(do(scene(unit(), friends), "maneuver", "a", RECEIVED, path=path)) == pytest.approx(6.0 + FRONT)
    step = do(scene(unit(), friends), "maneuver", "a", DELAYED, path=path)
    assert north(step) == pytest.approx(3.5 - 0.375, abs=0.01)
    assert play_of(step.battle).faults(step.battle) == []


def test_lost_orders_leave_it_where_and_as_it_is() -> None:
    """TSE-ORD-04: with nothing else to do it has held."""
    step = do(scene(unit(formation="deployed")), "maneuver", "a", LOST, path=[(0.0, 3.0)])
    assert step.battle.unit("a").bases == unit(formation="deployed").bases
    assert {"acted", "lost_orders"} <= set(marks(step))


@pytest.mark.parametrize("formation", ["deployed", "maneuver-column", "square"])
def test_lost_orders_leave_fire(formation: str) -> None:
    """TSE-CMB-05: with an enemy in range it may still fire, or hold, from the formation it is in; no second order."""
    enemy = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, 3.5), facing=180)
    step = do(scene(unit(formation=formation), enemy), "maneuver", "a", LOST, facing=90.0)
    menu = {c.kind for c in play_of(step.battle).menu(step.battle, "a") if c.open}
    assert menu == {"hold", "deployed-fire" if formation == "deployed" else "advancing-fire"}
    for kind in ("deploy", "maneuver", "march", "square"):
        assert "TSE-CMB-05" in refused(step.battle, kind, facing=0.0)


def test_lost_orders_leave_a_regroup() -> None:
    """TSE-CMB-05, TSE-REG-06: a disordered unit may regroup after them."""
    step = do(scene(unit(status="disordered")), "march", "a", LOST, path=[(0.0, 3.0)])
    assert "acted" not in marks(step)
    after = do(step.battle, "regroup", "a", 0.9)
    assert after.battle.unit("a").status == "ok"


def test_by_the_ruling_lost_orders_leave_nothing() -> None:
    """TSE-CMB-05: where it is so ruled the unit holds."""
    step = do(scene(unit(status="disordered"), NEAR, lost_orders_leave_fire=False), "march", "a", LOST, path=[(0, 2)])
    assert "acted" in marks(step)


def test_nobody_acts_between_the_two_halves() -> None:
    """TSE-TRN-04: units act one after another, each to the end."""
    enemy = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, 3.5), facing=180)
    step = do(scene(unit(), unit("b", at=(6.0, 0.0)), general(), enemy), "maneuver", "a", LOST, path=[(0.0, 1.0)])
    assert refused(step.battle, "hold", "b") == {"TSE-TRN-04"}
    assert refused(step.battle, "general", "div", path=[(0.0, -25.0)]) == {"TSE-TRN-04"}
    assert verdict(do(step.battle, "hold").battle, "hold", "b").holds


@pytest.mark.parametrize(("length", "fires"), [(3.0, True), (3.02, False), (2.7, True)])
def test_fire_after_half_a_maneuver(length: float, fires: bool) -> None:
    """TSE-CMB-02: exactly half of the allowed 6 in still leaves the shot; the move has used the action (TSE-CMB-04)."""
    enemy = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, 6.0), facing=180)
    step = do(scene(unit(at=(0.0, -0.5)), enemy), "maneuver", "a", RECEIVED, path=[(0.0, 0.25 + length)])
    assert ("may_fire" in marks(step)) is fires
    assert ("acted" in marks(step)) is not fires
    if fires:
        open_kinds = {c.kind for c in play_of(step.battle).menu(step.battle, "a") if c.open}
        assert open_kinds == {"hold", "advancing-fire"}
        assert refused(step.battle, "maneuver", facing=0.0) == {"TSE-CMB-03"}
        assert "acted" in marks(do(step.battle, "hold"))


def test_half_of_what_delayed_orders_allow() -> None:
    """TSE-CMB-02: of a delayed move it is a quarter of the whole; ``to_fire`` stops it there."""
    enemy = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, 5.2), facing=180)
    field = scene(unit(), enemy)
    assert "may_fire" not in marks(do(field, "maneuver", "a", DELAYED, path=[(0.0, 3.0 + FRONT)]))
    step = do(field, "maneuver", "a", DELAYED, path=[(0.0, 3.0 + FRONT)], to_fire=True)
    assert north(step) == pytest.approx(1.5 + FRONT)
    assert "may_fire" in marks(step)


def test_a_shot_after_too_long_a_move_names_the_rule_that_joins_them() -> None:
    """TSE-CMB-02: not that the unit has acted (TSE-TRN-07); after any other action it is that."""
    enemy = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, 8.0), facing=180)
    other = unit("b", at=(-8.0, 0.0))
    step = do(scene(unit(), other, enemy), "maneuver", "a", RECEIVED, path=[(0.0, 3.1 + FRONT)])
    found = verdict(step.battle, "advancing-fire", target="enemy")
    assert [r.rule for r in found.because if not r.holds] == ["TSE-CMB-02"]
    held = do(scene(unit(), other, enemy), "hold")
    found = verdict(held.battle, "advancing-fire", target="enemy")
    assert [r.rule for r in found.because if not r.holds] == ["TSE-TRN-07"]


def test_no_fire_after_a_march_or_a_square() -> None:
    """TSE-CMB-03, TSE-ACT-33: no other two actions combine."""
    for kind in ("march", "square"):
        step = do(scene(unit(), NEAR), kind, "a", RECEIVED, facing=0.0)
        assert "acted" in marks(step)


def test_nothing_in_range_ends_the_action() -> None:
    """TSE-CMB-04: where no enemy is within range there is no shot to wait for."""
    assert "acted" in marks(do(scene(unit()), "deploy", "a", RECEIVED, facing=0.0))


@pytest.mark.parametrize(("draw", "fires"), [(RECEIVED, True), (DELAYED, False)])
def test_fire_after_deploying(draw: float, fires: bool) -> None:
    """TSE-CMB-01, TSE-ACT-12: not when it was delayed."""
    step = do(scene(unit(formation="march-column"), NEAR), "deploy", "a", draw, facing=0.0)
    assert step.battle.unit("a").formation == "deployed"
    assert ("may_fire" in marks(step)) is fires


@pytest.mark.parametrize("troop", ["light-cavalry", "transport"])
def test_those_who_never_fire_do_not_fire_after_deploying(troop: str) -> None:
    """TSE-CMB-01, TSE-CMB-02: infantry and artillery only."""
    assert "acted" in marks(do(scene(unit(troop=troop), NEAR), "deploy", "a", RECEIVED, facing=0.0))
    assert "acted" in marks(do(scene(unit(troop=troop), NEAR), "maneuver", "a", RECEIVED, facing=0.0))


@pytest.mark.parametrize(("shift", "stands"), [(1.0, 0.5), (0.5, 0.5), (0.3, 0.3)])
def test_a_delayed_deployment_shifts_half_as_far(shift: float, stands: float) -> None:
    """TSE-ACT-12: half an inch at most; a shorter shift is not shortened."""
    line = unit(formation="deployed")
    step = do(scene(line), "deploy", "a", DELAYED, facing=0.0, ref=0, shift=(0.0, shift))
    assert step.battle.unit("a").at[1] - line.at[1] == pytest.approx(stands)
    whole = do(scene(line), "deploy", "a", RECEIVED, facing=0.0, ref=0, shift=(0.0, shift))
    assert whole.battle.unit("a").at[1] - line.at[1] == pytest.approx(shift)


def test_a_delayed_deployment_shifts_less_where_it_must() -> None:
    """TSE-ACT-12, TSE-MOV-16: from between friends it cannot come half as far, so it stays at the last free eighth."""
    line = unit(formation="deployed", bases=2)
    friends = unit("b", formation="deployed", bases=2, at=(0.0, 0.75 + 0.3))
    step = do(scene(line, friends), "deploy", "a", DELAYED, facing=0.0, ref=0, shift=(0.7, 0.1))
    assert step.battle.unit("a").at[0] - line.at[0] == pytest.approx(0.5 * 0.7 / math.hypot(0.7, 0.1))
    assert play_of(step.battle).faults(step.battle) == []


def test_a_square_needs_orders() -> None:
    """TSE-ACT-32: lost, it is not formed; delayed, there is nothing to shorten."""
    assert do(scene(unit()), "square", "a", LOST).battle.unit("a").formation == "maneuver-column"
    for draw in (DELAYED, RECEIVED):
        assert do(scene(unit()), "square", "a", draw).battle.unit("a").formation == "square"
    assert refused(scene(unit(troop="light-cavalry")), "square") == {"TSE-ACT-30"}


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_guns_stay_in_contact_with_a_square(side: float) -> None:
    """TSE-ACT-31: the battery beside the line is carried to the square, formation and facing as they were."""
    line = unit(formation="deployed", bases=8)
    guns = unit("guns", troop="light-foot-artillery", bases=1, formation="deployed", at=(side * 4.5, -0.125), facing=0)
    assert distance_between(line, guns) == pytest.approx(0.0)
    step = do(scene(line, guns), "square", "a", RECEIVED)
    there = step.battle.unit("guns")
    assert distance_between(step.battle.unit("a"), there) == pytest.approx(0.0, abs=1e-9)
    assert (there.formation, there.facing) == ("deployed", 0.0)
    assert "acted" not in there.marks
    assert play_of(step.battle).faults(step.battle) == []


def test_guns_that_cannot_come_along_stay() -> None:
    """TSE-ACT-31, TSE-FRM-07: where another unit stands in the way they are left where they are."""
    line = unit(formation="deployed", bases=8)
    guns = unit("guns", troop="light-foot-artillery", bases=1, formation="deployed", at=(4.5, -0.125), facing=0)
    free = do(scene(line, guns), "square", "a", RECEIVED).battle.unit("guns")
    x, y = FIELD.back(free.at)
    other = unit("b", formation="maneuver-column", bases=2, front=2, at=(x + 0.5, y + 0.6))
    step = do(scene(line, guns, other), "square", "a", RECEIVED)
    assert step.battle.unit("guns").at == guns.at


def test_transport_and_generals_get_no_more_than_their_own() -> None:
    """TSE-ORD-02, TSE-LDR-01: a general has no ordered actions; nor a demoralized unit any (TSE-ACT-91)."""
    field = scene(unit(status="demoralized"), general())
    assert "TSE-LDR-01" in refused(field, "maneuver", "div", path=[(0.0, -20.0)])
    for kind in ("deploy", "maneuver", "march", "square"):
        assert "TSE-ACT-91" in refused(field, kind, facing=0.0)


def test_a_disordered_unit_does_what_is_otherwise_legal() -> None:
    """TSE-ACT-92, TSE-ORD-07: and its orders are as sure as another's."""
    for kind in ("deploy", "maneuver", "march", "square"):
        assert (
            do(scene(unit(status="disordered")), kind, "a", RECEIVED, facing=0.0).battle.unit("a").status
            == "disordered"
        )
    assert model.order_odds(unit(status="disordered"), "march", False) == model.order_odds(unit(), "march", False)


@pytest.mark.parametrize(("south", "helps"), [(7.25, True), (7.3, False)])
def test_a_general_within_six_inches_helps(south: float, helps: bool) -> None:
    """TSE-ORD-03, TSE-ORD-06, TSE-LDR-02: a draw that delays without him lets the orders through with him."""
    step = do(scene(unit(), general(at=(0.0, -south))), "maneuver", "a", DELAYED, path=[(0.0, 6.0 + FRONT)])
    assert told(step, "orders")["result"] == ("received" if helps else "delayed")


def test_orders_follow_their_odds() -> None:
    """TSE-ORD-01: the draw is compared with the chances of being lost and delayed, no others."""
    lost, delayed, _ = model.order_odds(unit(), "maneuver", False)
    for draw, result in (
        (lost - 1e-6, "lost"),
        (lost + 1e-6, "delayed"),
        (lost + delayed - 1e-6, "delayed"),
        (lost + delayed + 1e-6, "received"),
    ):
        assert told(do(scene(unit()), "maneuver", "a", draw, path=[(0.0, 3.0)]), "orders")["result"] == result


def test_a_march_is_ordered_and_keeps_its_column() -> None:
    """TSE-ACT-70, TSE-APP-06: 9 in of march, delayed 4.5."""
    column = unit(formation="march-column")
    front = column.front_mid[1] - 40.0
    whole = do(scene(column), "march", "a", RECEIVED, path=[(0.0, front + 9.0)])
    late = do(scene(column), "march", "a", DELAYED, path=[(0.0, front + 9.0)])
    assert [north(whole), north(late)] == pytest.approx([front + 9.0, front + 4.5])


def test_nothing_is_ordered_by_halves() -> None:
    """TSE-ORD-02: holding and generals throw nothing."""
    field = scene(unit(), general())
    assert not do(field, "hold").thrown
    assert not do(field, "general", "div", path=[(0.0, -20.0)]).thrown


def test_the_measuring_law_judges_the_way() -> None:
    """TSE-MOV-01, TSE-MOV-17: too far, or too near an enemy, by the same law that measures."""
    assert refused(scene(unit()), "maneuver", path=[(0.0, 7.0)]) == {"TSE-MOV-01"}
    enemy = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, 5.0), facing=180)
    assert refused(scene(unit(), enemy), "maneuver", path=[(0.0, 4.0)]) == {"TSE-MOV-17"}


def test_twice_the_figures() -> None:
    """TSE-SCL-01: at scale 2 a delayed maneuver goes 6 in."""
    big = replace(FIELD, scale=2)
    column = big.unit("a", parent="div", quality="average", at=(0.0, 0.0))
    battle = big.battle(column, big.unit("b", parent="other", at=(9.0, 0.0)))
    small = scene(unit())
    battle = replace(battle, setup=small.setup, clock=small.clock)
    x, y = column.front_mid
    step = submit(battle, Action("maneuver", "blue", "a", options={"path": ((x, y + 12.0),)}), ScriptedDice([DELAYED]))
    assert step.battle.unit("a").front_mid[1] - y == pytest.approx(6.0)
