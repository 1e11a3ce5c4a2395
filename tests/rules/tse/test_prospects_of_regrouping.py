"""What regrouping and coming on promise, by the model's own chances."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.progress import Arrival
from tabletop.rules.tse.calculator import model
from tabletop.rules.tse.calculator.model_data import model as whole
from tabletop.rules.tse.computer.action_value import prospect
from tabletop.rules.tse.computer.position_value import evaluation, total, weights
from tabletop.rules.tse.computer.unit_value import rate
from tabletop.rules.tse.morale.regrouping import posed
from tests.playing import FIELD, action, general, scene, unit


def field(status: str, **keys: Any) -> Battle:
    enemy = unit("r", side="red", parent="rd", at=(0.0, 20.0), facing=180)
    return scene(unit(status=status, **keys), unit("b", at=(9.0, 0.0)), enemy)


@pytest.mark.parametrize("quality", ["elite", "veteran", "average", "poor"])
def test_a_disordered_unit_that_regroups_is_worth_what_good_order_is(quality: str) -> None:
    """TSE-ACT-90, TSE-REG-01: its chance times the difference, and the chance in words."""
    battle = field("disordered", quality=quality)
    own, status = battle.unit("a"), whole().worth.status
    fails, *_ = model.regroup_odds(own, False)
    gain, why = prospect(battle, action(battle, "regroup"))
    lost = own.strength * rate(own) * (status["ok"].value - status["disordered"].value)
    assert gain == pytest.approx((1.0 - fails) * lost)
    assert why == f"{1.0 - fails:.0%} to bring a back, {gain:+.2f}"


def test_a_general_near_makes_it_worth_more() -> None:
    """TSE-REG-05."""
    alone = field("disordered")
    helped = scene(*(u for u in alone.units if u.id != "far"), general(at=(0.0, -3.0)))
    assert prospect(helped, action(helped, "regroup"))[0] > prospect(alone, action(alone, "regroup"))[0]


def test_a_demoralized_unit_brought_back_heartens_its_army_too() -> None:
    """TSE-REG-02, TSE-MOR-01: what its troops are worth by steps, and never less for its army's nerve."""
    battle = field("demoralized")
    own, status = battle.unit("a"), whole().worth.status
    _, one, full = model.regroup_odds(own, False)
    troops = own.strength * rate(own)
    steps = one * (status["disordered"].value - status["demoralized"].value)
    steps += full * (status["ok"].value - status["demoralized"].value)
    gain, why = prospect(battle, action(battle, "regroup"))
    assert gain >= troops * steps - 1e-9
    assert why.startswith(f"{one + full:.0%} to bring a back")


@pytest.mark.parametrize("status", ["disordered", "demoralized"])
def test_where_it_stands_after_a_regroup_counts(status: str) -> None:
    """TSE-REG-03: formation and facing are taken up on success only, and weighed as those of a move are."""
    battle = scene(unit(status=status, facing=180), unit("e", side="red", parent="rd", at=(0.0, 4.0), facing=180))
    own = battle.unit("a")
    as_it_stands = prospect(battle, action(battle, "regroup"))[0]
    turned = action(battle, "regroup", formation="deployed", facing=0.0)
    fails, *steps = model.regroup_odds(own, False)
    reached = ("ok",) if status == "disordered" else ("disordered", "ok")
    shares = (1.0 - fails,) if status == "disordered" else steps
    more = 0.0
    for share, after in zip(shares, reached, strict=True):
        there, old = replace(posed(battle, turned), status=after), replace(own, status=after)
        new, before = (total(evaluation(battle.with_unit(one), one)) for one in (there, old))
        more += share * (new - before)
    assert prospect(battle, turned)[0] == pytest.approx(as_it_stands + more)
    assert more > 0.0


def test_troops_to_come_are_worth_bringing_on() -> None:
    """TSE-ACT-80: whatever the way they take."""
    x, y = FIELD.put((0.0, -40.0))
    battle = scene(unit("b", at=(20.0, 0.0)), setup={"arrivals": (Arrival(("a",), 1, (x, y), 0.0),)})
    battle = replace(battle, awaited=(unit("a", formation="march-column"),))
    assert prospect(battle, Action("route-march", "blue", "a")) == (weights()["arrives"], "troops on to the table")
