"""Generals: what they do, whom they help, what becomes of those in the way (TSE-LDR)."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.battle.dice import every_course
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.terrain import Terrain
from tabletop.play.engine import Step, play_of
from tabletop.rules.tse.calculator import model
from tabletop.rules.tse.command.generals import accompany, attached, attached_to, refuge
from tabletop.rules.tse.movement import resolve as movement_resolve
from tests.playing import FIELD, RECEIVED, action, do, general, refused, scene, told, unit

KILLED, CAPTURED, ESCAPES = 0.05, 0.2, 0.9


def ridden(draw: float | None, *things: Unit | Terrain, at: tuple[float, float] = (0.0, 3.0), **keys: Any) -> Step:
    """Return a column's maneuver 4 in ahead with a red general on its way, and what the draw does to him."""
    draws = [RECEIVED] if draw is None else [RECEIVED, draw]
    field = scene(unit(**keys), general("r", at, side="red"), *things)
    front = field.unit("a").front_mid[1] - 40.0
    return do(field, "maneuver", "a", *draws, path=[(0.0, front + 4.0)])


def test_generals_move_and_hold_and_nothing_else() -> None:
    """TSE-LDR-01, TSE-LDR-10: no combat, no formation."""
    field = scene(unit(), general())
    menu = {c.kind: c for c in play_of(field).menu(field, "div")}
    assert {kind for kind, c in menu.items() if c.open} == {"hold", "general"}
    assert all(c.verdict is not None and c.verdict.because for c in menu.values() if not c.open)


def test_a_general_moves_28_in_as_cavalry() -> None:
    """TSE-LDR-04, TSE-ACT-02: 28 in the open, a quarter in rough ground; no die."""
    field = scene(unit(at=(20.0, 0.0)), general(at=(0.0, -30.0)))
    assert do(field, "general", "div", path=[(0.0, -2.0)]).battle.unit("div").at == tuple(FIELD.put((0.0, -2.0)))
    assert refused(field, "general", "div", path=[(0.0, -1.9)]) == {"TSE-MOV-01"}
    rough = FIELD.box("bog", "rough", (-5.0, 5.0), (-29.0, 0.0))
    assert refused(scene(unit(at=(20.0, 0.0)), general(), rough), "general", "div", path=[(0.0, -20.0)]) == {
        "TSE-MOV-01"
    }


def test_a_general_keeps_out_of_zones_and_ends_among_friends() -> None:
    """TSE-LDR-05: 1 in off enemy units; on friendly ones he may stand."""
    enemy = unit("enemy", side="red", parent=None, at=(0.0, -20.0))
    field = scene(unit(), general(), enemy)
    assert refused(field, "general", "div", path=[(0.0, -10.0)]) == {"TSE-MOV-17"}
    assert do(scene(unit(), general(at=(0.0, -20.0))), "general", "div", path=[(0.0, 0.0)]).battle.has("div")


def test_his_place_counts_when_each_unit_acts() -> None:
    """TSE-LDR-03, TSE-ACT-03: he helps one before his move and another after it; as many as are near."""
    field = scene(unit(), unit("b", at=(0.0, 20.0)), unit("c", at=(4.0, 20.0)), general(at=(0.0, -5.0)))
    first = do(field, "deploy", "a", RECEIVED, facing=0.0)
    assert told(first, "orders")["general"]
    assert not told(do(field, "deploy", "b", RECEIVED, facing=0.0), "orders")["general"]
    moved = do(first.battle, "general", "div", path=[(-3.0, -5.0), (-3.0, 18.0)])
    second = do(moved.battle, "deploy", "b", RECEIVED, facing=0.0)
    third = do(second.battle, "deploy", "c", RECEIVED, facing=180.0, ref=3)
    assert told(second, "orders")["general"]
    assert told(third, "orders")["general"]


@pytest.mark.parametrize(("draw", "how"), [(KILLED, "killed"), (CAPTURED, "captured")])
def test_a_general_run_over_is_killed_or_captured(draw: float, how: str) -> None:
    """TSE-LDR-07, TSE-LDR-08, TSE-LDR-09: he is gone for good."""
    step = ridden(draw)
    assert not step.battle.has("r")
    assert [(f.unit.id, f.how) for f in step.battle.fallen] == [("r", how)]
    assert step.battle.awaited == ()


def test_one_who_escapes_goes_to_the_nearest_place_an_inch_off() -> None:
    """TSE-LDR-08: from the middle of the way to its side; it is not his action."""
    step = ridden(ESCAPES, at=(0.4, 4.0))
    spot = FIELD.back(step.battle.unit("r").at)
    assert distance_between(step.battle.unit("r"), step.battle.unit("a")) == pytest.approx(1.0, abs=0.005)
    assert spot == pytest.approx((1.0 + 1.0 + 0.5, 4.0), abs=0.005)
    assert "acted" not in step.battle.unit("r").marks


def test_one_the_column_has_left_behind_stays() -> None:
    """TSE-LDR-08: where the column has passed on, more than an inch, he is where he was."""
    field = scene(unit(), general("r", (0.0, 1.0), side="red"))
    step = do(field, "maneuver", "a", RECEIVED, ESCAPES, path=[(0.0, 6.0)])
    assert step.battle.unit("r").at == tuple(FIELD.put((0.0, 1.0)))


def test_of_places_as_near_that_nearest_to_a_friend() -> None:
    """TSE-LDR-08: he is in the middle of the column, and his own troops stand before it or behind it."""
    for y, goes in ((12.0, 6.25), (-6.0, 1.75)):
        troops = unit("friend", side="red", parent=None, at=(0.0, y))
        step = ridden(ESCAPES, troops, at=(0.0, 4.0))
        assert FIELD.back(step.battle.unit("r").at)[1] == pytest.approx(goes, abs=0.005)


def test_a_touched_edge_is_not_run_over() -> None:
    """TSE-LDR-07: the swept ground must reach into his base."""
    assert ridden(None, at=(1.5, 3.0)).battle.has("r")
    assert not ridden(KILLED, at=(1.48, 3.0)).battle.has("r")


def test_an_attached_general_is_safe() -> None:
    """TSE-LDR-06: one who touches a friendly unit, or stands in it."""
    beside = unit("friend", side="red", parent=None, at=(2.5, 3.0), bases=2, front=1)
    step = ridden(None, beside, at=(1.5, 3.0))
    assert step.battle.has("r")
    lone, troops = step.battle.unit("r"), step.battle.unit("friend")
    assert attached_to(step.battle, lone) == troops
    assert attached(step.battle, troops) == (lone,)


def test_by_the_ruling_nobody_is_attached() -> None:
    """TSE-LDR-06: "never"."""
    field = scene(unit(), general(at=(1.5, 0.0)), attached_general="never")
    assert attached_to(field, field.unit("div")) is None
    assert attached(field, field.unit("a")) == ()
    assert attached(scene(unit(), general(at=(1.5, 0.0))), unit()) != ()


def test_an_attached_general_goes_where_his_troops_are_driven() -> None:
    """TSE-LDR-06: by the same vector; into an enemy's zone he does not follow (TSE-LDR-05)."""
    field = scene(unit(), general(at=(1.5, 0.0)))
    moved = Unfolding(field)
    accompany(moved, attached(field, field.unit("a")), -1.0, -6.0)
    assert FIELD.back(moved.unit("div").at) == pytest.approx((0.5, -6.0))
    enemy = unit("enemy", side="red", parent=None, at=(2.5, -6.0))
    beside = Unfolding(scene(unit(), general(at=(1.5, 0.0)), enemy))
    accompany(beside, (beside.unit("div"),), 0.0, -6.0)
    assert distance_between(beside.unit("div"), beside.unit("enemy")) >= 0.995


def test_friends_and_the_drivers_own_generals_are_not_run_over() -> None:
    """TSE-LDR-07: an enemy's move only."""
    field = scene(unit(), general(at=(0.0, 3.0)))
    assert do(field, "maneuver", "a", RECEIVED, path=[(0.0, 4.75)]).battle.has("div")


def test_cavalry_captures_more() -> None:
    """TSE-LDR-08: a draw by which foot lets him go."""
    draw = 0.3
    assert ridden(draw, at=(0.0, 3.0)).battle.has("r")
    assert not ridden(draw, at=(0.0, 3.0), troop="light-cavalry").battle.has("r")


def test_a_place_is_on_passable_ground_and_on_the_table() -> None:
    """TSE-LDR-05, TSE-LDR-08: a general in the corner of a lake and the edge finds the free side."""
    lake = FIELD.box("lake", "lake", (1.0, 10.0), (-10.0, 10.0))
    field = scene(unit(at=(-10.0, 0.0)), lake, general("r", (0.9, 0.0), side="red"))
    spot = refuge(field, field.unit("r"))
    assert spot is not None
    assert FIELD.back(spot) == pytest.approx((0.5, 0.0), abs=0.005)
    corner = scene(unit(at=(-10.0, 0.0)), general("r", (39.9, 39.9), side="red"))
    there = refuge(corner, corner.unit("r"))
    assert there is not None
    assert FIELD.back(there) == pytest.approx((39.5, 39.5), abs=0.005)


def test_the_odds_of_a_move_tell_of_the_general_it_rides_over() -> None:
    """TSE-LDR-07, TSE-LDR-08: what may become of him is among the outcomes, with the chances of the calculator."""
    battle = scene(unit("a"), general("r", (0.0, 3.0), side="red"))
    ahead = FIELD.back(battle.unit("a").front_mid)[1] + 4.0
    asked = action(battle, "maneuver", "a", path=[(0.0, ahead)])
    ends = list(every_course(lambda chance: movement_resolve.reckon(battle, asked, chance)))
    whole = sum(share for share, end in ends if "received" in end.text)
    for fate, chance in zip(model.OVERRUN, model.overrun_odds(battle.unit("a")), strict=True):
        over = f"it rides over {battle.unit('r').called}: {fate}"
        told_so = sum(share for share, end in ends if "received" in end.text and over in end.text)
        assert told_so == pytest.approx(whole * chance)
    assert whole > 0.0


def test_a_general_does_not_route_march() -> None:
    """TSE-LDR-01: he moves and holds; it is not that he is demoralized."""
    battle = scene(unit("a"), general("div"))
    assert refused(battle, "route-march", "div") >= {"TSE-LDR-01"}
    assert "TSE-ACT-91" not in refused(battle, "route-march", "div")
