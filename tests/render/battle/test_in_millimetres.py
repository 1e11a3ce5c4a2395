"""Realm of Chance at the window: lengths in millimetres, hollow squares, and each unit's own usual action."""

from dataclasses import replace

import shapely

from tabletop.geometry.verdict import Verdict
from tabletop.play import engine
from tabletop.play.signs import signs
from tabletop.play.workers.judge_worker import InlineJudgeWorker
from tabletop.render.battle import unit_card
from tabletop.render.drawing import measures
from tabletop.render.table import captions, foreground
from tabletop.render.table.controller import TableController
from tabletop.render.table.model import TableModel
from tabletop.render.table.pointing import unit_at
from tabletop.rules.ages.movement.formation import as_formed
from tests.render.battle.driver import DRILL, playing, session


def test_a_square_is_found_by_the_ground_it_stands_round() -> None:
    battle = session(DRILL, ("human", "human"), 1).battle
    formed = battle.with_unit(as_formed(battle, battle.unit("russian-1"), "square"))
    controller = TableController(TableModel(formed), InlineJudgeWorker(formed), InlineJudgeWorker(formed))
    square = formed.unit("russian-1")
    assert not any(base.polygon.buffer(1.0).covers(shapely.Point(square.at)) for base in square.bases)
    found = unit_at(controller.model.battle, square.at)
    assert found is not None and found.id == "russian-1"
    assert unit_at(controller.model.battle, (square.at[0], square.at[1] + 60.0)) is None


def test_what_a_move_costs_is_told_in_tenths_of_a_millimetre_and_in_the_unit_wished_for() -> None:
    """The plate over a ghost and the line beside the table say the same, each figure with its unit."""
    verdict = Verdict("move", (), "realm-of-chance", True, {"cost": 129.74, "allowed": 140.0})
    plate = foreground._price(verdict, False, "mm")
    assert plate == "129.7 of 140 mm  YES" and "<b>129.7 of 140 mm</b>" in captions._figures(verdict, "mm")
    try:
        measures.wish("inches")
        assert measures.in_chosen_unit(plate) == "5.1 of 5.51 in  YES"
    finally:
        measures.wish("table")


def test_what_was_chosen_for_one_unit_is_not_chosen_for_the_next() -> None:
    """One that may only change formation must not make the next one dragged do so."""
    with playing(session(DRILL, ("human", "human"), 1), measuring=False) as player:
        player.press("end:0")
        player.press("unit:french-3")
        player.press("kind:form")
        assert player.controller.model.action == "form"
        player.controller.select("french-1")
        assert player.controller.model.action == "move"


def test_of_a_move_used_two_places_are_told() -> None:
    with playing(session(DRILL, ("human", "human"), 1), measuring=False) as player:
        battle = player.controller.model.battle
        unit = replace(battle.unit("cuirassiers"), marks={"spent": 0.9087216})
        assert list(signs(battle, unit)) == ["0.91 of its move used"]


def test_ending_says_which_phase() -> None:
    battle = session(DRILL, ("human", "human"), 1).battle
    done = engine.play_of(battle).kinds["done"]
    assert done.called is not None and done.called(battle) == "End the artillery phase"


def test_a_way_back_that_can_only_be_begun_is_open() -> None:
    """ROC-MOV-06: uphill a whole withdrawal is too far; the shorter one that may be made is no reason to close it."""
    battle = session(DRILL, ("human", "human"), 1).battle
    turned = replace(battle, clock=replace(battle.clock, side="prussian", phase="movement"))
    menu = {choice.kind: choice for choice in engine.play_of(turned).menu(turned, "prussian-1")}
    assert menu["withdraw"].open and menu["retreat"].open


def test_a_nation_is_told_by_its_name_and_a_side_once() -> None:
    """Of a Russian battalion on the Prussian side, of a Prussian one, of a general who has no quality."""
    units = session(DRILL, ("human", "human"), 1).battle
    told = {
        name: unit_card._of("realm-of-chance", units.unit(name)) for name in ("russian-1", "prussian-1", "brigadier")
    }
    assert told == {
        "russian-1": "Russian line infantry, Prussian side",
        "prussian-1": "Prussian line infantry",
        "brigadier": "Prussian general",
    }


def test_the_card_tells_the_order_that_is_carried_and_the_one_understood() -> None:
    """ROC-ORD-01."""
    battle = session(DRILL, ("human", "human"), 1).battle
    remarks = engine.play_of(battle).remarks
    rider = replace(battle.unit("colonel"), marks={"carries": {"stance": "attack", "to": ("french-1", "french-2")}})
    assert remarks(battle, rider) == ("carries the order to attack for French battalion and French column",)
    assert remarks(battle, replace(battle.unit("french-1"), marks={"order": "hold"})) == ("ordered to hold",)
    assert remarks(battle, battle.unit("french-1")) == ()


def test_with_its_move_used_up_a_unit_does_not_go_back() -> None:
    """ROC-FRM-01, ROC-MOV-06: no way is left, however short; the reason says so."""
    battle = session(DRILL, ("human", "human"), 1).battle
    moved = battle.with_unit(replace(battle.unit("french-1"), marks={"spent": 1.4}))
    turned = replace(moved, clock=replace(battle.clock, phase="movement"))
    menu = {choice.kind: choice for choice in engine.play_of(turned).menu(turned, "french-1")}
    for kind in ("withdraw", "retreat"):
        assert not menu[kind].open and "0.0 mm left to go" in menu[kind].against[0].text
