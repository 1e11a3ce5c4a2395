"""Regrouping: who may, what it comes to, how the unit stands afterwards (TSE-REG, TSE-ACT-90)."""

from __future__ import annotations

import math

import pytest

from tabletop.battle.dice import every_course
from tabletop.rules.tse.calculator import model
from tabletop.rules.tse.morale.regrouping import reckon
from tests.playing import FIELD, action, do, general, marks, refused, scene, told, unit

#: Draws for average infantry: a demoralized one succeeds at 0.40, fully with 0.35 of that.
FAILS, ONE, FULL = 0.3, 0.7, 0.95


def test_only_the_disordered_and_the_demoralized() -> None:
    """TSE-REG-01, TSE-ACT-90: no general, nobody in good order; any kind of troops."""
    field = scene(unit(), general())
    assert refused(field, "regroup") == {"TSE-REG-01"}
    assert "TSE-REG-01" in refused(field, "regroup", "div")
    for troop in ("infantry", "heavy-cavalry", "horse-artillery", "transport"):
        assert do(scene(unit(troop=troop, status="disordered")), "regroup", "a", 0.99).battle.unit("a").status == "ok"


@pytest.mark.parametrize(
    ("status", "draw", "after"),
    [
        ("disordered", 0.2, "disordered"),
        ("disordered", 0.9, "ok"),
        ("demoralized", FAILS, "demoralized"),
        ("demoralized", ONE, "disordered"),
        ("demoralized", FULL, "ok"),
    ],
)
def test_what_it_comes_to(status: str, draw: float, after: str) -> None:
    """TSE-REG-02, TSE-REG-04: nothing, one step or all the way; the action is used."""
    before = unit(status=status)
    step = do(scene(before), "regroup", "a", draw)
    found = step.battle.unit("a")
    assert (found.status, found.bases, found.formation) == (after, before.bases, before.formation)
    assert "acted" in marks(step)
    assert told(step, "regroup")["status"] == after


@pytest.mark.parametrize("formation", ["deployed", "maneuver-column", "march-column", "square"])
def test_any_formation_and_facing_about_the_centre(formation: str) -> None:
    """TSE-REG-03: the centre-point stays; after one step too."""
    before = unit(status="demoralized", bases=5)
    step = do(scene(before), "regroup", "a", ONE, formation=formation, facing=135.0)
    after = step.battle.unit("a")
    assert (after.formation, after.facing) == (formation, 135.0)
    assert math.dist(after.at, before.at) < 1e-9


def test_a_failure_changes_no_formation() -> None:
    """TSE-REG-04: nothing changes."""
    step = do(scene(unit(status="disordered")), "regroup", "a", 0.1, formation="deployed", facing=90.0)
    assert step.battle.unit("a").formation == "maneuver-column"


def test_formations_are_those_of_the_troops() -> None:
    """TSE-REG-03, TSE-ACT-30: horse forms no square."""
    assert "TSE-ACT-30" in refused(
        scene(unit(troop="light-cavalry", status="disordered")), "regroup", formation="square"
    )


@pytest.mark.parametrize(("gap", "may"), [(1.0, True), (0.98, False)])
def test_nothing_within_an_inch_of_an_enemy(gap: float, may: bool) -> None:
    """TSE-REG-03: the line, half an inch nearer than the column's side, keeps an inch off."""
    column = unit(status="disordered", bases=4)
    enemy = unit("enemy", side="red", parent=None, formation="deployed", bases=1, troop="light-foot-artillery")
    x, y = column.at[0] - 40.0, column.at[1] - 40.0
    enemy = enemy.moved(40.0 + x + 2.0 + gap + 0.5 - enemy.at[0], 40.0 + y - enemy.at[1])
    field = scene(column, enemy)
    if may:
        assert do(field, "regroup", "a", 0.9, formation="deployed", facing=0.0).battle.unit("a").formation == "deployed"
    else:
        assert refused(field, "regroup", formation="deployed", facing=0.0) == {"TSE-FRM-15"}


def test_a_unit_already_nearer_may_keep_its_pose() -> None:
    """TSE-REG-03: as it stands it may regroup anywhere."""
    enemy = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, 1.5), facing=180)
    assert do(scene(unit(status="disordered"), enemy), "regroup", "a", 0.9).battle.unit("a").status == "ok"


def test_it_does_not_regroup_into_friends_or_off_the_table() -> None:
    """TSE-REG-03, TSE-MOV-16, TSE-MOV-21: wherever it could not form up otherwise."""
    friends = unit("b", formation="deployed", at=(3.2, 0.0))
    assert "TSE-MOV-16" in refused(
        scene(unit(status="disordered"), friends), "regroup", formation="deployed", facing=0.0
    )
    edge = unit(status="disordered", at=(-38.9, 0.0))
    assert "TSE-MOV-21" in refused(scene(edge), "regroup", formation="deployed", facing=0.0)


@pytest.mark.parametrize(("south", "status"), [(7.25, "ok"), (7.3, "disordered")])
def test_a_general_near_helps(south: float, status: str) -> None:
    """TSE-REG-05, TSE-LDR-02: a draw that fails without him succeeds with him, at 6 in and no farther."""
    assert do(scene(unit(status="disordered"), general(at=(0.0, -south))), "regroup", "a", 0.4).battle.unit(
        "a"
    ).status == (status)


def test_no_orders_are_needed() -> None:
    """TSE-REG-06, TSE-ORD-02: one draw only, that of the regroup."""
    step = do(scene(unit(status="disordered")), "regroup", "a", 0.5)
    assert [e.purpose for e in step.events if hasattr(e, "purpose")] == ["regroup: a"]


def test_its_odds_are_its_draws() -> None:
    """TSE-REG-02: what is shown beforehand are the resolver's own chances."""
    field = scene(unit(status="demoralized"))
    shown = {r.text: p for p, r in every_course(lambda chance: reckon(field, action(field, "regroup"), chance))}
    fails, one, full = model.regroup_odds(field.unit("a"), False)
    told = {"it fails: still demoralized": fails, "it is disordered": one, "it is in good order": full}
    assert shown == pytest.approx(told)


def test_it_runs_over_a_general_it_forms_on() -> None:
    """TSE-LDR-07: a line laid over a lone enemy general runs him over like a move."""
    lone = general("r", (1.7, 0.0), side="red")
    step = do(scene(unit(status="disordered"), lone), "regroup", "a", 0.9, 0.01, formation="deployed", facing=0.0)
    assert not step.battle.has("r")
    assert FIELD.back(step.battle.unit("a").at) == pytest.approx((0.0, 0.0))
