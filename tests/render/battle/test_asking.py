"""Questions turned over to who is asked, numbers that choose, the menu of a unit clicked with the right button."""

from collections.abc import Iterator

import pygame
import pytest

from tabletop.battle.action import Action
from tabletop.play.session import Session
from tabletop.render.battle import shape, words
from tabletop.render.battle.offers import offers
from tests.render.battle.driver import Player, playing, session


def charged(players: tuple[str, str]) -> Session:
    """The starter's first moves until somebody is asked whether to countercharge, or the like, by the other side."""
    for seed in range(1, 60):
        played = session("tse/skirmish", players, seed)
        for _ in range(120):
            if played.battle.over:
                break
            last = played.steps[-1].action
            if played.battle.pending and last is not None and last.side != played.battle.pending[0].side:
                return played
            played.do(next(iter(_sensible(played))))
    raise AssertionError("nobody was asked anything")


def _sensible(played: Session) -> Iterator[Action]:
    from tabletop.battle.action import answer
    from tabletop.play.computer.choice import Chosen
    from tabletop.play.players import player_kind

    if played.battle.pending:
        decision = played.battle.pending[0]
        yield answer(decision.side, decision.choices[0])
        return
    make = player_kind("greedy").make
    assert make is not None
    chosen: Chosen = make(len(played.steps)).choose(played.battle)
    yield chosen.action


@pytest.fixture(scope="module")
def asked() -> Session:
    return charged(("human", "human"))


def test_between_two_persons_the_screen_is_handed_over_first(asked: Session) -> None:
    with playing(asked) as player:
        side = asked.battle.pending[0].side
        assert player.desk.state.turned_over
        assert [w for w in player.words if w.startswith(("ready:", "answer:"))] == ["ready:"]
        assert f"Over to the {side.capitalize()} player" in words.handing_over(player.desk.state)
        before = len(asked.steps)
        player.key(pygame.K_1)
        assert not player.desk.state.turned_over and len(asked.steps) == before
        player.wait(2)
        assert {w for w in player.words if w.startswith("answer:")} == {
            f"answer:{choice}" for choice in asked.battle.pending[0].choices
        }
        assert f"{side.capitalize()} player:" in words.question(player.desk.state)
        assert set(player.desk.state.promised) <= set(asked.battle.pending[0].choices)


def test_enter_takes_the_screen_and_a_number_answers(asked: Session) -> None:
    with playing(asked) as player:
        player.key(pygame.K_RETURN)
        choice = asked.battle.pending[0].choices[1]
        player.key(pygame.K_2)
        done = asked.steps[-1].action
        assert done is not None and done.options["choice"] == choice


def test_the_first_question_needs_no_handing_over() -> None:
    with playing(session("tse/starter", ("human", "human"), 1)) as player:
        assert not player.desk.state.turned_over
        player.key(pygame.K_2)
        done = player.desk.game.session.steps[-1].action
        assert done is not None and done.options["choice"] == "second"


# --- numbers ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def bras() -> Iterator[Player]:
    with playing(session("tse/quatre-bras", ("human", "human"), 3)) as player:
        player.key(pygame.K_1)
        yield player


def test_alt_and_a_number_press_a_row_of_the_list(bras: Player) -> None:
    bras.key(pygame.K_2, pygame.KMOD_ALT)
    assert bras.desk.model.battle.clock.group == "foy"
    bras.key(pygame.K_4, pygame.KMOD_ALT)
    assert bras.desk.model.selected == "jamin"
    opened = [c.kind for c in bras.desk.state.menu if c.open]
    bras.key(pygame.K_1, pygame.KMOD_ALT)
    done = bras.desk.game.session.steps[-1].action
    assert opened[0] == "hold" and done is not None and done.kind == "hold"


def test_a_number_alone_chooses_a_suggestion_and_else_shows_an_overlay(bras: Player) -> None:
    bras.key(pygame.K_3, pygame.KMOD_ALT)
    bras.pick("soye")
    shown = set(bras.desk.model.overlays)
    bras.key(pygame.K_1)
    assert bras.desk.model.overlays != shown
    bras.press("kind:maneuver")
    bras.wait(2)
    offered = offers(bras.desk.state)
    assert offered
    bras.key(pygame.K_1)
    proposal = bras.desk.state.chosen.proposal
    assert offered[0] in (proposal and proposal.action, bras.desk.game.session.steps[-1].action)


# --- the menu at hand ------------------------------------------------------------------------------------------------


def right_click(player: Player, name: str) -> None:
    pixel = player.pixel(player.at(name))
    player.move(pixel)
    player.down(pixel, button=3)
    player.up(pixel, button=3)
    player.wait()


def click_row(player: Player, word: str) -> None:
    menu = player.window.at_hand
    number = next(n for n, row in enumerate(menu.rows) if row.word == word)
    left, top = player.window.panel.table_rect.topleft
    place = menu.place
    player.click((place.left + left + 20, round(place.top + top + 8 + 24 * (number + 0.5))))


def test_a_right_click_opens_what_a_unit_may_do_with_the_reasons(bras: Player) -> None:
    bras.key(pygame.K_2, pygame.KMOD_ALT)
    right_click(bras, "jamin")
    menu = bras.window.at_hand
    closed = next(row for row in menu.rows if row.word == "kind:regroup")
    assert not closed.open and closed.rule == "TSE-REG-01"
    click_row(bras, "kind:regroup")
    assert menu.rows and bras.desk.state.chosen.picked is None
    click_row(bras, "kind:deploy")
    assert not menu.rows and bras.desk.state.chosen.picked == "deploy" and shape.on_the_spot(bras.desk.state)


def test_a_right_click_on_an_enemy_opens_what_may_be_done_to_him(bras: Player) -> None:
    bras.key(pygame.K_2, pygame.KMOD_ALT)
    bras.pick("jamin")
    right_click(bras, "brunswick-light")
    rows = {row.word: row for row in bras.window.at_hand.rows}
    assert rows["aim:assault/brunswick-light"].open
    click_row(bras, "aim:assault/brunswick-light")
    assert bras.desk.state.chosen.proposal is not None
    assert bras.desk.state.chosen.proposal.action == Action("assault", "french", "jamin", "brunswick-light")


def test_escape_and_a_click_elsewhere_shut_the_menu(bras: Player) -> None:
    right_click(bras, "jamin")
    assert bras.window.at_hand.rows
    bras.key(pygame.K_ESCAPE)
    assert not bras.window.at_hand.rows and bras.desk.model.selected == "jamin"
    right_click(bras, "jamin")
    bras.click((5, 300))
    assert not bras.window.at_hand.rows
