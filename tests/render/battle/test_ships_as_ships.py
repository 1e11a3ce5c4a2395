"""Ships are told as ships, by the noun of their rules: on cards, in guidance, in the report; units elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.battle.apply import fold
from tabletop.battle.event import Removed
from tabletop.battle.naming import side_name
from tabletop.play import briefing
from tabletop.play.engine import Step
from tabletop.play.files.opened import open_battle
from tabletop.play.saves import report
from tabletop.render import descriptions
from tabletop.render.battle import next_step, status_line, unit_card, words
from tabletop.render.drawing import report_page
from tabletop.render.drawing.loss_chart import loss_chart
from tabletop.render.events.reel import Reel
from tabletop.render.replay import side
from tabletop.render.table import captions
from tabletop.rules import rule_set
from tabletop.rules.periods import period_of
from tabletop.terminal import views
from tests import loaded
from tests.render.battle.driver import DRILL, playing, session

LISSA, LONG_SAND = "sail/lissa", "sail/long-sand"


@pytest.mark.parametrize("name", rule_set.NAMES)
def test_only_ships_have_a_noun_of_their_own(name: str) -> None:
    assert period_of(name).noun == ("ship" if name == "sail" else "unit")


def test_the_cards_of_battles_count_ships() -> None:
    lissa, drill = loaded.scenario(LISSA), loaded.scenario(DRILL)
    assert descriptions.size(lissa).startswith("10 ships, ") and descriptions.size(drill).startswith("9 units, ")
    assert descriptions.forces(lissa) == "British 4 ships; French 6 ships"
    assert descriptions.forces(drill) == "French 5 units; Prussian 4 units"


def test_a_briefing_counts_ships() -> None:
    battle = session(LISSA, ("human", "greedy"), 1).battle
    first = battle.setup.sides[0]
    told = briefing.briefing(battle, first)
    assert told.who.startswith(f"You have 4 {side_name(first)} ships. ")
    assert told.win.endswith("or sink, take or silence every enemy ship.")


@pytest.mark.parametrize(("scenario", "one"), [(LONG_SAND, "ship"), (DRILL, "unit")])
def test_the_guidance_beside_the_table_speaks_of_what_is_played_with(scenario: str, one: str) -> None:
    with playing(session(scenario, ("human", "human"), 3), measuring=False) as player:
        model = player.controller.state
        assert words.to_do(model).split()[1].rstrip("s") == one
        assert f"Click a {one} with a <b>green</b> badge" in words.text(model)
        assert next_step.next_step(model).label == f"Next {one}"
        assert f"</b> next {one}, " in status_line.status(model)
        assert f"Point at a {one} for its card" in unit_card.card(model) + captions.card(model.table)


def test_the_report_counts_ships_and_no_bases() -> None:
    played = session(LONG_SAND, ("human", "human"), 3)
    sunk = (Removed("gouda", "sunk"),)
    played.steps.append(Step(None, None, sunk, fold(played.battle, sunk)))
    told = report.report(played.header, played.steps)
    assert [line.split(": ")[1].split(";")[0] for line in report.who(told)[:2]] == ["4 ships", "4 ships"]
    assert report.losses(told, told.tallies[-1])[1] == "Dutch had lost 1 ship."
    page, chart = report_page.page(told), loss_chart(told)
    assert "Ships lost by the end of" in page and "<td>1</td>" in page and "ases lost" not in page
    assert ">ships lost</text>" in chart


def test_a_ship_in_a_replay_is_no_base() -> None:
    played = session(LONG_SAND, ("human", "human"), 3)
    reel = Reel.of_session(played).wound()
    card = side.card(played.battle.unit("gouda"), reel.moments[0])
    assert card == "Gouda (Dutch), ship of the line, sailing"


def test_one_point_is_one_point() -> None:
    battle = open_battle("drill-ground")
    scored = replace(battle, scores={"french": 1.0, "prussian": 2.0})
    assert "20 bases, 1 point." in views.situation(scored) and "15 bases, 2 points." in views.situation(scored)


@pytest.mark.parametrize(("scenario", "there"), [(LISSA, False), (DRILL, True)])
def test_the_sheet_of_keys_lists_what_these_rules_answer(scenario: str, there: bool) -> None:
    """Ships see one another over open water: no sight line, no heights and no falling back at sea."""
    with playing(session(scenario, ("human", "human"), 3), measuring=False) as player:
        rows = player.window._key_rows
        words_ = " ".join(does for _, does in rows)
        assert all((word in words_) == there for word in ("sight line", "heights"))
        assert "move, tape" in words_ and ("H T" in [keys for keys, _ in rows]) != there
        offered = {str(overlay) for overlay in player.controller.state.table.offered}
        assert ("threat" in words_) == ("threat" in offered)
