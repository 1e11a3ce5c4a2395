"""What is refused, why a menu is shut, how answers read, and where questions and cards lie."""

from __future__ import annotations

import math
from dataclasses import replace

import pygame
import pytest

from tabletop.battle.action import answer
from tabletop.battle.progress import Decision, Outcome
from tabletop.battle.unit import standing
from tabletop.geometry.verdict import SideView
from tabletop.play import engine, routes
from tabletop.play.engine import Step, play_of
from tabletop.play.session import Session
from tabletop.render.battle import (
    choices,
    playback,
    proposal_view,
    refusal_view,
    result_card,
    status_line,
    unit_card,
    words,
)
from tabletop.render.battle.facts import Facts
from tabletop.render.battle.next_step import next_step
from tabletop.render.drawing.primitives import Area
from tabletop.render.events.log_lines import Line
from tabletop.render.table import inset
from tabletop.render.table.foreground import PLATES, Foreground
from tabletop.render.table.model import Stand, TakeAnswers
from tests.render.battle.driver import DRILL, STARTER, Player, playing, session
from tests.terminal.test_terminal_alternatives import guns_and_foot


def ahead(player: Player, name: str, far: float) -> tuple[float, float]:
    """Return a point so far in front of a unit's middle."""
    (x, y), (east, north) = player.at(name), player.controller.model.battle.unit(name).forward
    return x + far * east, y + far * north


def refuse(player: Player, name: str = "auer") -> None:
    """Drag a unit much too far."""
    player.drag(name, ahead(player, name, 12.0))
    player.wait(2)
    assert player.controller.state.chosen.refused is not None


# --- a move that was refused -----------------------------------------------------------------------------------------


def test_a_refused_move_stays_where_it_was_tried(starter: Player) -> None:
    there = ahead(starter, "auer", 12.0)
    refuse(starter)
    kept = starter.controller.state.chosen.refused_move
    assert kept is not None and kept.ghost is not None and kept.verdict is starter.controller.state.chosen.refused
    assert math.dist(kept.ghost.at, there) < 0.5
    names = [layer.name for layer in refusal_view.drawing(starter.controller.state, starter.window.camera).layers]
    assert {"tried", "nearest"} <= set(names)
    assert [row.word for row in choices.rows(starter.controller.state)] == ["", "back:"]
    assert next_step(starter.controller.state).word == "nearest:"
    assert "TSE-MOV-01" in words.text(starter.controller.state)


def test_enter_goes_as_near_as_is_allowed(starter: Player) -> None:
    refuse(starter)
    kept, battle = starter.controller.state.chosen.refused_move, starter.controller.model.battle
    assert kept is not None
    nearest = routes.as_far_as_it_may(battle, kept.action)
    starter.key(pygame.K_RETURN)
    starter.wait()
    proposal = starter.controller.state.chosen.proposal
    assert proposal is not None and proposal.action == nearest
    assert engine.judge(battle, proposal.action).holds
    assert starter.controller.state.chosen.refused_move is None


def test_what_is_proposed_then_stands_where_it_would_be_done(starter: Player) -> None:
    """The nearest that is allowed is no longer in hand: the table shows the way there, until it is laid aside."""
    refuse(starter)
    assert not proposal_view.drawing(starter.controller.state, starter.window.camera).layers
    starter.key(pygame.K_RETURN)
    starter.wait()
    proposal = starter.controller.state.chosen.proposal
    assert proposal is not None and starter.controller.model.drag is None
    drawn = proposal_view.drawing(starter.controller.state, starter.window.camera)
    base = next(item for item in drawn.layer("proposed").items if isinstance(item, Area)).rings[0]
    there = standing(starter.controller.model.battle.unit("auer"), proposal.verdict.measured["after"])
    assert any(math.dist(base[0], corner) < 1e-6 for corner in there.bases[0].polygon.exterior.coords)
    assert math.dist(there.at, starter.at("auer")) > 2.0
    starter.key(pygame.K_ESCAPE)
    starter.wait()
    assert not proposal_view.drawing(starter.controller.state, starter.window.camera).layers


def test_a_unit_in_hand_shows_by_itself_where_it_would_stand(starter: Player) -> None:
    starter.drag("auer", ahead(starter, "auer", 1.0))
    assert starter.controller.state.chosen.proposal is not None and starter.controller.model.drag is not None
    assert not proposal_view.drawing(starter.controller.state, starter.window.camera).layers


def test_the_price_of_a_move_lies_over_badges(bras: Player) -> None:
    """What is drawn last on the table are plates."""
    names = {layer.name for layer in Foreground().drawing(bras.controller.model, bras.window.camera).layers}
    assert not names & set(PLATES)
    bras.pick("jamin")
    bras.move(bras.pixel(bras.at("jamin")))
    bras.down(bras.pixel(bras.at("jamin")))
    bras.move(bras.pixel(ahead(bras, "jamin", 2.0)))
    bras.wait(3)
    drawn = [layer.name for layer in bras.window.canvas.over_all(bras.controller.picture(), bras.window.camera)]
    assert "cost" in drawn and "bands" in drawn


def test_escape_puts_a_refusal_away_and_leaves_the_unit_selected(starter: Player) -> None:
    refuse(starter)
    starter.key(pygame.K_ESCAPE)
    starter.wait()
    assert (
        starter.controller.state.chosen.refused is None
        and starter.controller.state.chosen.refused_move is None
        and starter.controller.state.nearest is None
    )
    assert starter.controller.model.selected == "auer"
    assert "kind:maneuver" in starter.words
    assert not refusal_view.drawing(starter.controller.state, starter.window.camera).layers


def test_a_refused_unit_is_taken_again_at_once(starter: Player) -> None:
    refuse(starter)
    starter.drag("auer", ahead(starter, "auer", 1.0))
    assert starter.controller.state.chosen.refused is None and starter.controller.state.chosen.proposal is not None


def test_where_nothing_of_a_way_is_allowed_that_is_said(starter: Player) -> None:
    refuse(starter)
    starter.controller.update(TakeAnswers({("nearest",): "nothing of that way is allowed"}))
    assert "Nothing of that way is allowed." in words.text(starter.controller.state)
    assert next_step(starter.controller.state).word != "nearest:"


def test_a_shape_that_may_not_be_stays_in_hand(starter: Player) -> None:
    """TSE-FRM-11: a line bent too far."""
    starter.pick("auer")
    starter.press("kind:deploy")
    for _ in range(11):
        starter.key(pygame.K_RIGHTBRACKET)
    starter.wait(2)
    starter.key(pygame.K_RETURN)
    starter.wait()
    assert starter.controller.model.drag is not None and starter.controller.state.chosen.refused is None
    assert "shape it otherwise" in status_line.status(starter.controller.state)
    for _ in range(11):
        starter.key(pygame.K_LEFTBRACKET)
    starter.wait(2)
    assert "shape it otherwise" not in status_line.status(starter.controller.state)
    starter.key(pygame.K_RETURN)
    starter.wait()
    assert starter.controller.state.chosen.proposal is not None


# --- a menu that is shut ---------------------------------------------------------------------------------------------


def test_before_its_group_is_chosen_the_reason_is_said_once() -> None:
    """TSE-TRN-04."""
    with playing(session("tse/quatre-bras", ("human", "human"), 3)) as player:
        player.press(next(word for word in player.words if word.startswith("answer:")))
        name = player.controller.state.facts.groups[0].members[-1].id
        player.pick(name)
        listed = choices.rows(player.controller.state)
        assert not [row for row in listed if row.word.startswith("kind:")]
        assert [row.word.partition(":")[0] for row in listed] == ["", "group"]
        told = words.text(player.controller.state)
        assert told.count("must be chosen first") == 1
        later = player.controller.state.facts.later(name)
        assert later and words.label(player.controller.model.battle, later[0]) in told.partition("Then it may")[2]
        assert words.situation(player.controller.state, player.controller.game.computers.paused)[1].endswith(
            "choose who acts"
        )


def test_ending_a_phase_says_which() -> None:
    with playing(session(DRILL, ("human", "human"), 3), measuring=False) as player:
        for _ in range(30):
            found = [row for row in choices.rows(player.controller.state) if row.word.startswith("end:")]
            if found:
                break
            player.key(pygame.K_1)
            player.wait()
        phase = player.controller.model.battle.clock.phase
        assert phase and found[0].label == f"End the {phase} phase"


# --- how answers read ------------------------------------------------------------------------------------------------


def test_answers_say_what_they_mean() -> None:
    """TSE-TRN-02."""
    with playing(session(STARTER, ("human", "human"), 1), measuring=False) as player:
        asked = status_line.asked(player.controller.state, player.controller.game.stage)
        assert asked is not None
        assert [key.label for key in asked.keys] == ["1  Go first", "2  Go second"]
        assert "one of your divisions acts" in words.question(player.controller.state)


def test_whom_to_break_through_against_is_called_by_name() -> None:
    """TSE-ASL-70."""
    battle = session("tse/quatre-bras", ("human", "human"), 1).battle
    decision = Decision("allied", "breakthrough", ("stay", "advance", "assault gauthier"), "?", "van-merlen")
    found = play_of(battle).replies(battle, decision)
    assert [found[choice].label for choice in decision.choices] == ["Stay", "Ride on", "Assault Gauthier"]


@pytest.mark.parametrize("open_before", [True, False])
def test_a_question_hides_nothing_of_the_table(bras: Player, open_before: bool) -> None:
    """Where the panel was put away it comes back for as long as the question is asked."""
    name, controller = "pack", bras.controller
    if not open_before:
        bras.key(pygame.K_p)
        assert not bras.window.panel.layout.panel.width
    side = controller.model.battle.unit(name).side
    decision = Decision(side, "breakthrough", ("stay", "advance"), "Stay, or go on?", name, {"left": 2.0})
    clock = replace(controller.model.battle.clock, side=side)
    battle = replace(controller.model.battle, clock=clock, pending=(decision,))
    controller.update(Stand(battle))
    controller.game.store.stand(
        Facts(battle), replace(controller.state.record, version=controller.state.record.version + 1)
    )
    controller.game.hand_over()
    bras.wait(3)
    place, layout = bras.window.panel.asked_rect, bras.window.panel.layout
    assert place is not None and layout.panel.contains(place) and not place.colliderect(layout.table)
    assert "answer:advance" in bras.words


# --- what lies over the table ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("corner", [(60.0, 60.0), (800.0, 60.0), (60.0, 500.0), (430.0, 280.0)])
def test_the_card_hides_no_unit_where_there_is_room(corner: tuple[float, float]) -> None:
    """A crowd in one half of the table, what happens amid it: the card lies in the other half."""
    crowd = [(20.0 + 40.0 * k, 20.0 + 30.0 * n) for k in range(10) for n in range(18)]
    left, top = result_card.placed((868, 558), (330.0, 124.0), [crowd[90]], crowd, 56.0)
    assert not [p for p in crowd if left <= p[0] <= left + 330.0 and top <= p[1] <= top + 124.0]
    near, up = result_card.placed((868, 558), (330.0, 124.0), [corner], [], 56.0)
    assert not (near <= corner[0] <= near + 330.0 and up <= corner[1] <= up + 124.0)


def test_over_open_level_ground_no_section_hides_the_table() -> None:
    plain = SideView((0.0, 0.0), (4.0, 0.0), 1, 1, ground=((0.0, 4.0, 1),))
    hill = SideView((0.0, 0.0), (4.0, 0.0), 1, 1, ground=((0.0, 2.0, 1), (2.0, 4.0, 2)))
    wood = SideView((0.0, 0.0), (4.0, 0.0), 1, 1, ground=((0.0, 4.0, 1),), obstructions=((1.0, 2.0, 1, "wood", True),))
    assert [inset.telling(view) for view in (plain, hill, wood)] == [False, True, True]


def test_a_general_with_a_unit_is_told_on_both_cards() -> None:
    """TSE-LDR-06."""
    with playing(session("tse/quatre-bras", ("human", "human"), 3), measuring=False) as player:
        controller = player.controller
        general = controller.model.battle.unit("bachelu")
        (x, y), (hx, hy) = general.at, controller.model.battle.unit("husson").at
        controller.update(Stand(controller.model.battle.with_unit(general.moved(hx - x, hy - y))))
        controller.select("bachelu")
        assert "ttached to Husson" in unit_card.card(controller.state)
        controller.select("husson")
        assert "Bachelu is with it" in unit_card.card(controller.state)


def test_the_card_of_an_answer_says_the_question_once_and_by_name() -> None:
    """TSE-ASL-70."""
    battle = session("tse/quatre-bras", ("human", "human"), 1).battle
    question = Decision("french", "breakthrough", ("stay", "assault kempt"), "Stay, or go on?", "soye")
    battle = replace(battle, pending=(question,))
    step = Step(answer("french", "assault kempt"), None, (), replace(battle, pending=()))
    lines = [Line(1, 1, "French was asked: Stay, or go on? – assault Kempt."), Line(1, 1, "Soye went in.")]
    shown = playback.show_of(battle, step, lines, own=False)
    assert shown is not None
    assert shown.heading == "Stay, or go on? Assault Kempt"
    assert shown.texts == ("Soye went in.",)


def test_after_the_end_there_is_nothing_to_pause_or_step_through() -> None:
    with playing(session(STARTER, ("greedy", "greedy"), 1), measuring=False) as player:
        player.controller.game.computers.paused = True
        assert {"pause:", "step:"} <= {key.word for key in player.window.commands.buttons("bar", player.window)}
        player.controller.update(Stand(replace(player.controller.model.battle, outcome=Outcome("french", "points"))))
        assert not {"pause:", "step:"} & {key.word for key in player.window.commands.buttons("bar", player.window)}


# --- what is offered instead -----------------------------------------------------------------------------------------


def test_clicking_on_supported_guns_offers_their_infantry() -> None:
    """TSE-ASL-40: the refusal says why, and the list beside it offers the assault on the infantry."""
    begun = Session.start(guns_and_foot(), 1, dict.fromkeys(("blue", "red"), "human"), None)
    with playing(begun, measuring=False) as player:
        player.press("answer:second")
        player.wait(2)  # the only group is chosen by itself
        player.controller.call("unit")
        player.controller.proposals.attack("guns")
        player.wait()
        assert player.controller.state.chosen.refused is not None and "TSE-ASL-40" in words.text(
            player.controller.state
        )
        offered = [row for row in choices.rows(player.controller.state) if row.word.startswith("offer:")]
        assert [row.written for row in offered] == ["1   Advancing fire, at guns", "2   Assault, at foot"]
        player.press("offer:1")
        assert player.controller.state.chosen.proposal is not None
        assert (
            player.controller.state.chosen.proposal.action.kind,
            player.controller.state.chosen.proposal.action.target,
        ) == (
            "assault",
            "foot",
        )


def test_back_lays_the_offer_aside() -> None:
    """TSE-ASL-40: Esc goes back to the unit's own list."""
    begun = Session.start(guns_and_foot(), 1, dict.fromkeys(("blue", "red"), "human"), None)
    with playing(begun, measuring=False) as player:
        player.press("answer:second")
        player.wait(2)  # the only group is chosen by itself
        player.controller.call("unit")
        player.controller.proposals.aim("assault", "guns")
        assert player.controller.state.chosen.between
        player.controller.cancel()
        assert (player.controller.state.chosen.refused, player.controller.state.chosen.between) == (None, ())
