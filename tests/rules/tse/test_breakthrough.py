"""The question ``breakthrough``: what is left, what bars it, and whom it must be asked of (TSE-ASL-70..73)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.progress import Decision
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.judge import ask, judge
from tabletop.play.batch import answers
from tests.field import FIELDS, Field

field = Field()
both_scales = pytest.mark.parametrize("field", FIELDS, ids=["15 mm", "doubled"])


def put(
    *things: Unit | Terrain,
    field: Field = field,
    options: dict[str, Any] | None = None,
    target: Unit | None = None,
    **unit: Any,
) -> Verdict:
    """G29: light cavalry from (0, 0), the beaten cavalry's front at (0, 10), the target on [2, 4] x [11, 11.75]."""
    rider = field.unit("a", **{"troop": "light-cavalry", "front_mid": (0, 0), **unit})
    beaten = field.unit("c", side="red", troop="light-cavalry", front_mid=(0, 10), facing=180)
    foe = target or field.line("b", (2, 11), n=2, side="red")
    return ask(field.battle(rider, beaten, foe, *things), "breakthrough", ["a", "b"], {"after": "c", **(options or {})})


def against(verdict: Verdict) -> list[str]:
    return [reason.rule for reason in verdict.because if not reason.holds]


@both_scales
def test_g29_what_is_left_and_what_it_costs(field: Field) -> None:
    """TSE-ASL-70, TSE-ASL-71: 2 left of 12; the square root of 5 is more."""
    verdict = put(field=field)
    assert against(verdict) == ["TSE-ASL-71"]
    assert verdict.measured["left"] == pytest.approx(2 * field.scale)
    assert verdict.measured["cost"] == pytest.approx(5**0.5 * field.scale, abs=1e-3)
    assert [field.back(point) for point in verdict.measured["path"]] == [
        pytest.approx((0, 10)), pytest.approx((2, 11))]  # fmt: skip


@pytest.mark.parametrize(("nearer", "holds"), [(0.23, False), (0.2355, True), (0.25, True)])
def test_what_is_left_is_a_closed_limit(nearer: float, holds: bool) -> None:
    """TSE-ASL-71: the rider starts nearer, so that more is left for 2.2361; the limit with its tolerance holds."""
    assert put(front_mid=(0, nearer)).holds is holds
    assert put(front_mid=(0, nearer), options={"brief": True}).holds is holds


def test_delayed_orders_halve_the_reach_of_both_assaults() -> None:
    """TSE-ASL-70, TSE-ASL-09: of 6 in, 3 remain after 3; a first assault out of reach is none."""
    assert put(front_mid=(0, 7), options={"delayed": True}).measured["left"] == pytest.approx(3.0)
    assert put(front_mid=(0, 7), options={"delayed": True}).holds
    assert against(put(options={"delayed": True}))[0] == "TSE-ASL-70"


def test_the_beaten_enemy_is_out_of_the_way_and_others_are_not() -> None:
    """TSE-ASL-70, TSE-ASL-07: straight on through where it stood; not through another unit."""
    behind = field.line("b", (-2, 12.5), side="red")
    assert put(target=behind, front_mid=(0, 2)).holds
    between = field.line("d", (-1, 11.7), n=2, side="red")
    assert "TSE-ASL-07" in against(put(between, target=behind, front_mid=(0, 2)))


def test_guns_supported_by_infantry_are_no_target() -> None:
    """TSE-ASL-40, TSE-ASL-42: while their infantry may be broken through to."""
    guns = field.unit("b", side="red", troop="light-foot-artillery", bases=1, formation="deployed",
                      at=(0.5, 12.5), facing=180)  # fmt: skip
    verdict = put(field.line("foot", (-4, 12), side="red"), target=guns, front_mid=(0, 2))
    assert against(verdict) == ["TSE-ASL-40"]
    assert verdict.measured["instead"] == ["foot"]


def test_who_never_breaks_through() -> None:
    """TSE-ASL-70, TSE-ASL-82."""
    assert against(put(troop="infantry", front_mid=(0, 6)))[0] == "TSE-ASL-70"
    assert against(put(target=field.line("b", (2, 11)))) == ["TSE-ASL-82"]


def test_it_must_be_said_whom_it_has_beaten() -> None:
    with pytest.raises(BadQuestion, match="--after UNIT"):
        put(options={"after": None})
    with pytest.raises(BadQuestion, match="no unit 'x'"):
        put(options={"after": "x"})


# --- the beaten enemy itself -----------------------------------------------------------------------------------------


def again(
    *things: Unit | Terrain, field: Field = field, options: dict[str, Any] | None = None, y: float = 0
) -> Verdict:
    """Cavalry from (0, y) against infantry whose front stands at (0, 6), and once more after beating it."""
    rider = field.unit("a", troop="light-cavalry", front_mid=(0, y))
    beaten = field.line("c", (-2, 6), side="red")
    battle = field.battle(rider, beaten, *things)
    if options and "distance" in options:
        options = {**options, "distance": options["distance"] * field.scale}
    return ask(battle, "breakthrough", ["a", "c"], {"after": "c", **(options or {})})


@both_scales
@pytest.mark.parametrize(("distance", "holds"), [(0.5, True), (3, True), (6, True), (6.02, False), (7, False)])
def test_the_unit_just_beaten_may_be_chosen_again_where_it_fell_back_to(
    distance: float, holds: bool, field: Field
) -> None:
    """TSE-ASL-71: of 12 in, 6 remain after 6; the way to it is as long as it was driven back."""
    verdict = again(field=field, options={"distance": distance})
    assert verdict.holds is holds
    assert verdict.measured["left"] == pytest.approx(6.0 * field.scale)
    assert verdict.measured["cost"] == pytest.approx(distance * field.scale, abs=2e-3 * field.scale)
    assert field.back(verdict.measured["path"][1]) == pytest.approx((0.0, 6.0 + distance), abs=2e-3)
    assert again(field=field, options={"distance": distance, "brief": True}).holds is holds


def test_without_a_distance_the_shortest_is_taken_and_the_longest_told() -> None:
    """TSE-ASL-71: how far it goes is the model's; both answers are given, and how to say it."""
    near = again(y=1.0)
    assert near.holds and near.measured["cost"] == pytest.approx(3.0, abs=2e-3)
    assert any("had it been driven back 6 in, it could be; say how far" in r.text for r in near.because)
    late = again(y=3.0, options={"delayed": True})
    assert late.holds and late.measured["left"] == pytest.approx(3.0)
    assert any("had it been driven back 6 in, it could not be" in r.text for r in late.because)


def test_who_cannot_be_driven_back_is_gone() -> None:
    """TSE-INV-08: with a lake all round behind, it surrenders; nobody is left to assault."""
    lake = field.box("lake", "lake", (-20, 20), (6.75, 20))
    verdict = again(lake, options={"distance": 3})
    assert against(verdict) == ["TSE-INV-08"]
    assert "surrenders" in verdict.because[0].text
    assert not again(lake, options={"distance": 3, "brief": True}).holds


def test_the_beaten_enemy_stands_in_the_way_where_it_was_driven() -> None:
    """TSE-ASL-07: said how far it went, it bars the way to whoever stands behind it."""
    far = field.line("b", (-2, 14), side="red")
    assert put(target=far, front_mid=(0, 2)).holds
    assert "TSE-ASL-07" in against(put(target=far, front_mid=(0, 2), options={"distance": 1.5}))


def test_the_margin_of_a_second_charge_is_true() -> None:
    """Both set off a quarter of an inch farther apart cost the first charge what the second one needs."""
    rider = field.unit("a", troop="light-cavalry", front_mid=(0, 0))
    battle = field.battle(rider, field.line("c", (-2, 6), side="red"), field.line("d", (-8, 11), side="red"))
    options = {"after": "c", "distance": 5.75}
    verdict = judge(battle, "breakthrough", ["a", "c"], options)
    assert verdict.holds and verdict.margin == pytest.approx(0.25, abs=0.02)
    moved = verdict.as_json()["turned_by"]
    assert moved is not None and moved["id"] in ("a", "c")
    there = battle.with_unit(battle.unit(moved["id"]).moved(*moved["shift"]))
    assert not ask(there, "breakthrough", ["a", "c"], options).holds


def test_a_game_that_waits_for_the_decision_knows_what_is_left() -> None:
    """TSE-ASL-70: the cavalry stands in contact already, and the beaten enemy where it was driven."""
    rider = field.unit("a", troop="light-cavalry", front_mid=(0, 0))
    foe = field.line("b", (-2, 3), side="red")
    waiting = Decision("blue", "breakthrough", ("stay", "assault b"), "", "a", {"left": 3.0})
    battle = replace(field.battle(rider, foe), pending=(waiting,))
    verdict = ask(battle, "breakthrough", ["a", "b"])
    assert verdict.holds
    assert (verdict.measured["left"], verdict.measured["cost"]) == (3.0, 3.0)


def test_in_a_batch() -> None:
    """The contract: options ``after`` and ``delayed``."""
    unit = {"side": "blue", "troop": "light-cavalry", "bases": 4, "formation": "maneuver-column", "facing": 0}
    foe = {"side": "red", "troop": "infantry", "bases": 4, "formation": "deployed", "facing": 180}
    units = [{"id": "a", **unit, "front_mid": [20, 6]}, {"id": "c", **foe, "front_mid": [20, 9]},
             {"id": "b", **foe, "front_mid": [21, 12]}]  # fmt: skip
    scene = {"format": "tabletop-scene/1", "title": "t", "rules": "tse", "units": units,
             "table": {"unit": "in", "width": 48, "height": 36}}  # fmt: skip
    asked = [{"scene": scene, "question": "breakthrough", "args": ["a", "b"], "options": {"after": "c", **more}}
             for more in ({}, {"delayed": True})]  # fmt: skip
    found = [json.loads(line) for line in answers([json.dumps(one).encode() for one in asked], Path.cwd())]
    assert [(each["holds"], each["measured"]["left"]) for each in found] == [(True, 9.0), (True, 3.0)]
    assert found[0]["measured"]["cost"] == 3.0
