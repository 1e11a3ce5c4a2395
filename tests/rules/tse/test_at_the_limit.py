"""Exactly on a limit of the rules, and the least step to either side of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import shapely
from pydantic import ValidationError

from tabletop.battle.action import Action
from tabletop.battle.progress import Fallen
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.base import Base
from tabletop.geometry.line_of_sight import InterveningUnit, SightLaw, sight_line
from tabletop.geometry.terrain import Table
from tabletop.judge import ask
from tabletop.rules.rule_set import MusterError
from tabletop.rules.tse.calculator.calculator import army_morale
from tabletop.rules.tse.calculator.game_app import _effect
from tabletop.rules.tse.calculator.model import break_chance
from tabletop.rules.tse.calculator.model_data import Effects, Ladder, model
from tabletop.rules.tse.calculator.odds import _order_factors
from tabletop.rules.tse.computer import suggest
from tabletop.rules.tse.computer.position_value import evaluation
from tabletop.rules.tse.fire.arc import band_shapes
from tabletop.rules.tse.fire.cover import Cover, cover_reason
from tabletop.rules.tse.morale.army_morale import senior_lost
from tabletop.rules.tse.morale.losses import after_losses
from tabletop.rules.tse.morale.status import destroyed
from tabletop.rules.tse.movement.motion import ACTIONS
from tabletop.rules.tse.movement.reach import farthest_advance
from tabletop.rules.tse.muster import muster
from tabletop.rules.tse.rule_set import RULES
from tabletop.rules.tse.sight.judge import line_shapes
from tabletop.rules.tse.turn.action_options import FARTHEST, check_options
from tests.combat import Fate
from tests.field import Field
from tests.playing import FIELD, general, scene, unit

STEP = 1.0 / 1024.0


# --- armies, generals -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("left", "lost"), [("army", False), ("corps", False), ("division", True), (None, True)])
def test_a_general_of_the_same_rank_is_left(left: str | None, lost: bool) -> None:
    """TSE-LDR-09, TSE-MOR-06: his peer stands in for the senior general, one of lower rank does not."""
    fallen = general("fallen", (0.0, 10.0), "red", "corps")
    others = [] if left is None else [general("other", (0.0, 12.0), "red", left)]
    battle = scene(unit(), unit("e", side="red", at=(0.0, 20.0)), *others)
    assert senior_lost(replace(battle, fallen=(Fallen(fallen, "killed", 1),)), "red") == lost


def test_half_an_army() -> None:
    """TSE-MOR-01: exactly half is enough to break; one in a thousand short of it is not."""
    assert break_chance(0.5, False) > 0.0
    assert break_chance(0.4995, True) == 0.0


def test_a_whole_army_gone() -> None:
    """TSE-MOR-01: all of it may be gone, and no more than that."""
    form = {"destroyed": 3, "demoralized_units": 1, "units": 4, "senior_lost": False}
    assert army_morale(form, Fate({"army morale": "breaks"})) == "breaks"
    with pytest.raises(BadQuestion, match="5 units"):
        army_morale({**form, "destroyed": 4}, Fate())


@pytest.mark.parametrize(("away", "led"), [(6.0 - STEP, True), (6.0, True), (6.0 + STEP, False)])
def test_a_general_just_within_command(away: float, led: bool) -> None:
    """TSE-ORD-03: the outlook counts the units within 6 in of their general, 6 in among them."""
    battle = scene(unit(at=(0.0, 0.0)), general("div", (0.0, -away)))
    assert (evaluation(battle, battle.unit("div"))["command"].worth > 0.0) == led


@pytest.mark.parametrize(("away", "feared"), [(12.0, True), (12.0 + STEP, False)])
def test_a_general_just_within_reach_of_horse(away: float, feared: bool) -> None:
    """TSE-LDR-07: the outlook fears for a general alone within an assault of enemy cavalry."""
    horse = unit("e", side="red", troop="heavy-cavalry", at=(0.0, away), facing=180)
    battle = scene(unit(at=(-30.0, 0.0)), horse, general("div", (0.0, 0.0)))
    assert (evaluation(battle, battle.unit("div"))["overrun"].worth < 0.0) == feared


# --- losses -----------------------------------------------------------------------------------------------------------


def test_half_the_bases() -> None:
    """TSE-STS-06: half of them lost is the end, one fewer is not."""
    assert [destroyed(6, lost) for lost in (2, 3, 4)] == [False, True, True]
    assert [destroyed(5, lost) for lost in (2, 3)] == [False, True]


@pytest.mark.parametrize("formation", ["deployed", "maneuver-column", "march-column", "square"])
def test_no_loss_and_all_but_one(formation: str) -> None:
    """TSE-FRM-40: losing none changes nothing; one base can go on, none cannot."""
    whole = unit(formation=formation)
    battle = scene(whole)
    assert after_losses(battle, whole, 0) == whole
    assert after_losses(battle, whole, 3).strength == 1
    for lost in (4, -1):
        with pytest.raises(ValueError, match="4 bases"):
            after_losses(battle, whole, lost)


def test_a_line_attacked_in_the_middle_loses_its_right() -> None:
    """TSE-FRM-40: where both ends are as far from the attacker, the right end goes."""
    line = unit(formation="deployed")
    left = after_losses(scene(line), line, 1, (line.at[0], line.at[1] + 5.0))
    assert left.bases == line.bases[:3]


def test_a_column_keeps_the_width_it_has() -> None:
    """TSE-FRM-40, TSE-FRM-20: a front that is still legal is kept, not made narrower."""
    column = unit(bases=7, front=3)
    assert after_losses(scene(column), column, 1).front == 3
    assert after_losses(scene(column), column, 3).front == 2


@pytest.mark.parametrize(("bases", "words"), [(1, "loses 1 base"), (2, "loses 2 bases")])
def test_one_base_and_several(bases: int, words: str) -> None:
    assert _effect(Effects(lose=bases)) == words


# --- suggestions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("started", "weak"), [(4, True), (3, False)])
def test_three_quarters_left_is_weak(started: int, weak: bool) -> None:
    """TSE-STS-06: one more loss at three quarters brings half near."""
    assert suggest.weak(replace(unit(bases=3), marks={"started": started})) == weak


@pytest.mark.parametrize(("gap", "formed"), [(12.0, True), (12.0 + STEP, False)])
def test_a_square_is_thought_of_just_within_reach_of_horse(gap: float, formed: bool) -> None:
    """TSE-ASL-05: cavalry assaults from 12 in."""
    horse = unit("e", side="red", troop="heavy-cavalry", bases=2, front=2, at=(0.0, 20.0), facing=180)
    foot = unit(at=(0.0, 0.0))
    foot = foot.moved(0.0, horse.bounds[1] - gap - foot.bounds[3])
    assert bool(list(suggest.squares(scene(foot, horse), foot))) == formed


# --- what may be written ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "good", "bad"),
    [
        ("length", 0.0, -STEP),
        ("facing", FARTHEST, FARTHEST * 1.001),
        ("ref", 0, -1),
        ("to", (-FARTHEST, 0.0), (-FARTHEST * 1.001, 0.0)),
    ],
)
def test_particulars_at_their_limits(option: str, good: Any, bad: Any) -> None:
    check_options(Action("maneuver", "blue", "a", options={option: good}))
    with pytest.raises(BadQuestion, match=option):
        check_options(Action("maneuver", "blue", "a", options={option: bad}))


@pytest.mark.parametrize(("letters", "whole"), [(58, True), (59, False)])
def test_sixty_letters_are_shown_whole(letters: int, whole: bool) -> None:
    """With their quotation marks 58 letters make 60."""
    with pytest.raises(BadQuestion) as caught:
        check_options(Action("maneuver", "blue", "a", options={"facing": "x" * letters}))
    assert ("x" * letters in str(caught.value)) == whole


def ladder(**changes: Any) -> dict[str, Any]:
    """Return the model's ladder of fire as written, with changes."""
    return {**model().fire.model_dump(by_alias=True), **changes}


def test_a_ladder_ascends_strictly() -> None:
    """TSE-APP-01: no two steps of a ladder begin at one height."""
    steps = ladder()["ladder"]
    Ladder.model_validate(ladder())
    level = [steps[0], steps[1], {**steps[2], "above": steps[1]["above"]}, *steps[3:]]
    with pytest.raises(ValidationError, match="ascend"):
        Ladder.model_validate(ladder(ladder=level))


def test_a_spread_of_nothing_is_none() -> None:
    """TSE-APP-01: the draw of a ladder has some spread."""
    with pytest.raises(ValidationError, match="greater than 0"):
        Ladder.model_validate(ladder(spread={**ladder()["spread"], "is": 0.0}))


def column(**keys: Any) -> Unit:
    """Return a march column strung out due south from (10, 10)."""
    entry = {"id": "a", "side": "blue", "troop": "infantry", "bases": 4, "formation": "march-column"}
    return muster({**entry, "track": [[10, 10], [10, 2]], **keys}, Field().rulings())


def test_a_column_written_an_inch_off_its_track() -> None:
    """TSE-FRM-25: the track decides; a place written beside it may be an inch off, and a facing 45 degrees."""
    assert column(front_mid=[11, 10]).bases == column().bases
    assert column(facing=45).bases == column(facing=-45).bases == column().bases
    with pytest.raises(MusterError, match="track"):
        column(front_mid=[11 + STEP, 10])
    with pytest.raises(MusterError, match="track"):
        column(facing=45 + 1 / 64)


def test_bends_as_far_as_they_may() -> None:
    """TSE-FRM-11: a base faces within 45 degrees of the reference base, 45 among them."""
    entry = {"id": "a", "side": "blue", "troop": "infantry", "bases": 2, "formation": "deployed", "at": [10, 10]}
    made = muster({**entry, "facing": 0, "bend": [0, 45]}, Field().rulings())
    assert isinstance(made.bases[1], Base)
    assert made.bases[1].facing == 45.0
    with pytest.raises(MusterError, match="45"):
        muster({**entry, "facing": 0, "bend": [0, 45 + 1 / 64]}, Field().rulings())


# --- moves ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ahead", "holds"), [(6.0 - STEP, True), (6.0, True), (6.0 + 8 * STEP, False)])
def test_a_way_found_to_the_very_end_of_the_move(ahead: float, holds: bool) -> None:
    """TSE-MOV-01: where a maneuver ends with nothing left, a way is found too."""
    battle = FIELD.battle(unit())
    x, y = battle.unit("a").front_mid
    found = ask(battle, "move", ["a"], {"as": "maneuver", "to": (x, y + ahead)})
    assert found.measured["allowed"] == 6.0
    assert found.holds == holds


def test_with_nothing_to_spend_or_no_room_a_front_stays() -> None:
    """TSE-MOV-01, TSE-MOV-21: it may face ahead and go no step, which is not the same as not to be able to face so."""
    shaken = unit(status="demoralized")
    battle = FIELD.battle(shaken)
    assert farthest_advance(battle, battle.unit("a"), ACTIONS["maneuver"], 0.0) == 0.0
    there = unit()
    edge = there.moved(0.0, battle.table.height - there.bounds[3])
    assert farthest_advance(FIELD.battle(edge), edge, ACTIONS["maneuver"], 0.0) == 0.0


def test_a_line_without_length_can_be_drawn() -> None:
    """TSE-FIR-10: where units touch, what would forbid the line is a point of it."""
    unit = InterveningUnit(shapely.box(8.0, 10.25, 9.0, 12.0), 0, 0.5, "friend")
    line = sight_line(Table.of("in", 20, 20), (8.5, 10.0), (8.5, 10.0), SightLaw(), (unit,))
    assert line.hindrances
    shapes = list(line_shapes(line, "witness"))
    assert {point for shape in shapes for point in shape.points} == {(8.5, 10.0)}


@pytest.mark.parametrize(("troops", "bands"), [("infantry", 0), ("heavy-foot-artillery", 3)])
def test_the_range_itself_is_no_band_short_of_it(troops: str, bands: int) -> None:
    """TSE-FIR-04: drawn are the break-points short of the range, 3 in of 3 in not among them."""
    firer = unit(troop=troops)
    labels = {shape.label for shape in band_shapes(FIELD.battle(firer), firer)}
    assert len(labels) == bands


def test_no_cover_is_a_reason_that_fails() -> None:
    """TSE-COV-01."""
    assert not cover_reason(unit(), Cover()).holds
    assert cover_reason(unit(), Cover("soft", pieces=("wood",))).holds


def test_a_straight_fall_back_neither_bends_nor_turns() -> None:
    """TSE-INV-06: on open ground nothing is said of a bend."""
    source = unit("source", side="red", at=(0.0, 6.0), facing=180)
    found = FIELD.fall_back(FIELD.battle(unit("unit"), source), 3.0)
    assert found.holds
    assert "TSE-INV-06" not in {reason.rule for reason in found.because}


# --- what else no test noticed when it was changed --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("troops", "actions"),
    [
        ("infantry", {"maneuver", "march", "deploy", "square"}),
        ("heavy-cavalry", {"maneuver", "march", "deploy"}),
        ("heavy-foot-artillery", {"maneuver", "march", "deploy"}),
    ],
)
def test_infantry_alone_forms_squares(troops: str, actions: set[str]) -> None:
    """TSE-ACT-30, TSE-FRM-30."""
    assert set(RULES.actions(unit(troop=troops))) == actions
    assert RULES.actions(general()) == ("general",)


@pytest.mark.parametrize(("away", "names"), [(20.0, set()), (5.0, {"a general near leaves this share of both"})])
def test_the_chances_of_orders_are_named(away: float, names: set[str]) -> None:
    """TSE-ORD-01, TSE-ORD-03: what may be lost or delayed, and the general who is near."""
    battle = scene(unit(), general("div", (0.0, -away)))
    found = {factor.name for factor in _order_factors(battle, Action("maneuver", "blue", "a"))}
    assert found == {"orders lost", "orders delayed", *names}
