"""The prompt at sea and in the Ages: the map, the help, suggestions and who may act say what the rules in play have."""

from __future__ import annotations

import pytest

from tabletop.battle.action import Action
from tabletop.play import engine
from tabletop.play.files.opened import open_battle
from tabletop.play.hints import Idea, suggested
from tabletop.rules.sail.phases import GUNNERY
from tabletop.terminal import views
from tabletop.terminal.chart import chart
from tests.rules.sail.test_sail_corrected import FAR
from tests.sail import battle, done, ship
from tests.terminal.typist import Typist


def at(name: str) -> Typist:
    return Typist(open_battle(name), 3)


def test_the_map_shows_the_shoal_and_not_the_sea() -> None:
    """SAIL-MOV-15: the shoal lies where the file has it, with its sign explained; the water is blank."""
    rows = chart(open_battle("long-sand")).splitlines()
    shoal = [row for row in rows if ";" in row and row.startswith("|")]
    assert len(shoal) == 5 and "Ground: ';' shoal." in rows
    assert all(30 <= column * 100 / 78 <= 61 for row in shoal for column, sign in enumerate(row[1:]) if sign == ";")
    assert rows[1] == "|" + " " * 78 + "|"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("schellenberg", "Ground: digits the levels of hills, '#' town, '\"' woods, '%' trench, '~' river or stream, "),
        ("drill-ground", "Ground: digits the levels of hills, '\"' woods. French: "),
    ],
)
def test_the_map_explains_its_signs(name: str, told: str) -> None:
    assert told in " ".join(chart(open_battle(name)).split())


@pytest.mark.parametrize(("name", "roads"), [("long-sand", False), ("schellenberg", True), ("starter", True)])
def test_roads_are_offered_where_there_are_roads(name: str, roads: bool) -> None:
    game = at(name)
    assert ("along ROAD" in game.type("help")) is roads


def test_a_ship_told_to_sail_is_not_sent_along_roads() -> None:
    said = at("long-sand").type("sail advice")
    assert "where shall Advice go? 'sail advice forward 2', 'toward NAME', 'to x,y'" in said and "ROAD" not in said


@pytest.mark.parametrize(
    ("name", "typed", "says"),
    [
        ("long-sand", "fire advice", "at whom? name an enemy after it: 'fire advice ENEMY'"),
        ("long-sand", "attack gouda", "by whom? name who does it before the enemy: 'attack NAME gouda'"),
        ("drill-ground", "bombard french-guns", "at whom? name an enemy after it: 'bombard french-guns ENEMY'"),
        ("drill-ground", "bombard hussars", "by whom? name who does it before the enemy: 'bombard NAME hussars'"),
    ],
)
def test_an_attack_that_names_one_unit_asks_for_the_other(name: str, typed: str, says: str) -> None:
    assert at(name).type(typed) == says


def test_every_ship_that_may_sail_is_given_courses() -> None:
    """All are allowed and hers alone; one that has sailed and an enemy's have none, and where to look is said."""
    game = at("long-sand")
    for name in ("advice", "monck", "pearl", "resolution"):
        courses = list(suggested(game.battle, name))
        assert courses and {action.unit for action in courses} == {name}
        assert all(engine.judge(game.battle, action).holds for action in courses)
    assert "1. sail resolution" in game.type("hint resolution")
    game.type("1")
    for name in ("resolution", "gouda"):
        said = game.type(f"hint {name}")
        assert "nothing to suggest" in said and f"'{name}' tells what it may do now" in said


def test_a_ship_at_anchor_is_told_to_weigh_when_she_may() -> None:
    """SAIL-MOV-14: in the sailing phase, before she has moved."""
    anchored = battle(ship("a", status="anchored"), FAR)
    assert {action.kind for action in suggested(anchored, "a")} == {"weigh"}
    assert not list(suggested(done(anchored, "weigh", "a").battle, "a"))
    assert not list(suggested(battle(ship("a", status="anchored"), FAR, phase=GUNNERY), "a"))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("long-sand", "The figure is the computer's mark for it: more is better."),
        ("drill-ground", "The figure is what the computer reckons it gains, in bases."),
    ],
)
def test_the_figures_of_suggestions_are_explained(name: str, says: str) -> None:
    assert at(name).type("hint").splitlines()[0] == f"  Best first. {says}"


@pytest.mark.parametrize(("value", "figure"), [(-0.004, "+0.00"), (0.0, "+0.00"), (-0.006, "-0.01")])
def test_no_figure_is_minus_nothing(value: float, figure: str) -> None:
    battle = open_battle("rossbach")
    assert views._promise(battle, Idea(Action("done", "prussian"), value, "why")) == f"   {figure}, why"


def test_who_lists_those_who_may_act() -> None:
    """ROC-SEQ-01: guns alone in the artillery phase; everybody on request."""
    game = at("luetzen")
    said, everybody = game.type("who"), game.type("who all")
    assert "heavy-guns-e - " in said and "heavy-guns-w - " in said and "green-brigade - " not in said
    assert "  23 others may not act now; 'who all' shows everybody." in said.splitlines()
    assert "green-brigade - " in everybody and "may not act now" not in everybody
    assert game.type("who green") == "'who' or 'who all'; 'card green' is about one"


def test_who_says_when_nobody_may_act() -> None:
    """SAIL-SEQ-03: in the gunnery phase, when no gun bears."""
    scene = battle(ship("a"), FAR, phase=GUNNERY)
    assert "  Nobody may act now; 'who all' shows everybody." in views.situation(scene).splitlines()


def test_dropping_and_raising_the_anchor_are_told() -> None:
    """SAIL-MOV-14."""
    game = at("long-sand")
    assert "Advice dropped anchor." in game.type("anchor advice")
    game.type("done")
    game.type("done")
    assert "Advice raised her anchor." in game.type("weigh advice")


def test_the_wrong_phase_is_told_in_good_english() -> None:
    """SAIL-SEQ-06."""
    said = at("long-sand").type("board advice gouda")
    assert "that is done in the gunnery phase; now is sailing [SAIL-SEQ-06]" in said


def test_compulsory_combat_is_named() -> None:
    """ROC-CBT-01: who must attack whom before the phase can end."""
    game = at("drill-ground")
    game.type("done", "done")
    said = " ".join(game.type("done").split())
    assert "combat is compulsory: French battalion must first attack Prussian battalion [ROC-CBT-01]" in said
    game.type("combat french-1 prussian-1")
    assert "compulsory" not in game.type("done")


def test_an_enemy_s_unit_is_told_by_its_side() -> None:
    """ROC-SEQ-01, SAIL-SEQ-06."""
    assert "Hussars are on the Prussian side" in at("drill-ground").type("move hussars forward 2")
    assert "Gouda is on the Dutch side" in at("long-sand").type("anchor gouda")


@pytest.mark.parametrize(
    ("name", "lines", "says"),
    [
        (
            "long-sand",
            ["sail advice forward 40"],
            "the course is 40.00 cm long, and she may go 12 cm [SAIL-MOV-01]",
        ),
        ("long-sand", ["sail advice forward 0.5"], "the least move is 1 cm (0.50 against 1.00) [SAIL-MOV-07]"),
        ("long-sand", ["fire advice gouda"], "in neither arc: Gouda bears 13.2 degrees [SAIL-ARC-01]"),
        ("luetzen", ["bombard heavy-guns-e trcka"], "the range is 548.2 of 500 mm [AGE-ART-02]"),
        (
            "luetzen",
            ["done", "charge green-brigade toward shot-in-the-ditch"],
            "after its wheel it has 0.0 mm left to go, and the way is 349.1 mm [AGE-MOV-01]",
        ),
        (
            "luetzen",
            ["done", "move green-brigade forward 400"],
            "it has 40.0 mm left to go, and the way is 400.0 mm [AGE-MOV-01]",
        ),
    ],
)
def test_a_refusal_says_what_is_wrong_once(name: str, lines: list[str], says: str) -> None:
    """Figures that the text does not have stand after it; those that it has are not said again."""
    assert f"It may not be done: {says}" in " ".join(at(name).type(*lines).split())


def test_a_menu_says_what_a_charge_needs() -> None:
    """ROC-MOV-03: no enemy is near enough."""
    said = " ".join(at("maida").type("1-1er-leger").split())
    assert "- charge: a charge must go straight on to within reach of an enemy, and this one goes nowhere" in said
