"""Questions turned over to who is asked, numbers that choose, the menu of a unit clicked with the right button."""

from collections.abc import Iterator

import pygame
import pytest

from tabletop.battle.action import ANSWER, Action
from tabletop.play.session import Session
from tabletop.render.battle import choices, shape, words
from tabletop.render.battle.offers import offers
from tabletop.render.table.commands import BATTLE, TABLES
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
        assert player.controller.state.turned_over
        assert [w for w in player.words if w.startswith(("ready:", "answer:"))] == ["ready:"]
        assert f"Over to the {side.capitalize()} player" in words.handing_over(player.controller.state)
        before = len(asked.steps)
        player.key(pygame.K_1)
        assert not player.controller.state.turned_over and len(asked.steps) == before
        player.wait(2)
        assert {w for w in player.words if w.startswith("answer:")} == {
            f"answer:{choice}" for choice in asked.battle.pending[0].choices
        }
        assert f"{side.capitalize()} player:" in words.question(player.controller.state)
        assert set(player.controller.state.promised) <= set(asked.battle.pending[0].choices)


def test_enter_takes_the_screen_and_a_number_answers(asked: Session) -> None:
    with playing(asked) as player:
        player.key(pygame.K_RETURN)
        choice = asked.battle.pending[0].choices[1]
        player.key(pygame.K_2)
        done = next(step.action for step in reversed(asked.steps) if step.action and step.action.kind == ANSWER)
        assert done.options["choice"] == choice


def test_the_first_question_needs_no_handing_over() -> None:
    with playing(session("tse/starter", ("human", "human"), 1)) as player:
        assert not player.controller.state.turned_over
        player.key(pygame.K_2)
        done = player.controller.game.session.steps[-1].action
        assert done is not None and done.options["choice"] == "second"


# --- numbers ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def bras() -> Iterator[Player]:
    with playing(session("tse/quatre-bras", ("human", "human"), 3)) as player:
        player.key(pygame.K_1)
        yield player


def numbered(player: Player) -> dict[int, str]:
    """Return what stands beside each number of the list."""
    return {row.number: row.word for row in choices.rows(player.controller.state) if row.number}


def test_a_digit_chooses_the_row_with_its_number(bras: Player) -> None:
    assert numbered(bras)[2] == "group:foy"
    bras.key(pygame.K_2)
    assert bras.controller.model.battle.clock.group == "foy"
    bras.pick("jamin")
    assert numbered(bras)[1] == "kind:hold"
    bras.key(pygame.K_1)
    done = bras.controller.game.session.steps[-1].action
    assert done is not None and (done.kind, done.unit) == ("hold", "jamin")


def test_a_digit_chooses_a_suggestion(bras: Player) -> None:
    bras.key(pygame.K_3)
    bras.pick("soye")
    bras.press("kind:maneuver")
    bras.wait(2)
    offered = offers(bras.controller.state)
    number = next(n for n, word in numbered(bras).items() if word == "offer:0")
    bras.key(pygame.K_0 + number)
    proposal = bras.controller.state.chosen.proposal
    assert offered[0] in (proposal and proposal.action, bras.controller.game.session.steps[-1].action)


def test_a_digit_never_shows_an_overlay(bras: Player) -> None:
    """Whatever is on the screen: a row is chosen by its number, or nothing is done."""
    shown = bras.controller.model.overlays
    for digit in range(10):
        bras.key(pygame.K_0 + digit)
        assert bras.controller.model.overlays == shown, digit
    keys = {key for command in TABLES[BATTLE].commands for key in command.keys}
    assert not keys & set("0123456789")


# --- the main button -------------------------------------------------------------------------------------------------


def main(player: Player) -> tuple[str, bool, tuple[int, int]]:
    """Return what stands on the main button, whether it can be pressed, and where it is."""
    button = next(b for b, word in player._buttons if word == "main:")
    x, y = button.get_abs_rect().topleft
    return button.text, button.is_enabled, (round(x), round(y))


def test_the_main_button_leads_through_a_group_from_one_place(bras: Player) -> None:
    """A group by one of its units, unit by unit, what is proposed, what ends it: the button stays where it is."""
    _, _, place = main(bras)
    assert main(bras)[:2] == ("Next unit", True)
    bras.pick("jamin")
    assert main(bras) == ("Let Foy act", True, place)
    bras.press("main:")
    assert bras.controller.model.battle.clock.group == "foy"
    first = bras.controller.model.selected
    assert first == min(bras.controller.state.facts.ready), "the first of the group is selected"
    assert main(bras) == ("Next unit", True, place)
    bras.press("main:")
    second = bras.controller.model.selected
    assert second is not None and second > str(first)
    bras.press("kind:hold")
    assert bras.controller.model.selected not in (None, second), "the next is selected once one has acted"
    for _ in range(12):
        if not bras.controller.state.facts.ready - {bras.controller.model.selected}:
            break
        bras.press("kind:hold")
    label, enabled, where = main(bras)
    assert label == words.label(bras.controller.model.battle, "finish") and enabled and where == place
    bras.press("main:")
    done = bras.controller.game.session.steps[-1].action
    assert done is not None and done.kind == "finish"


def test_the_main_button_says_what_is_to_be_done_where_it_can_do_nothing(asked: Session) -> None:
    with playing(charged(("human", "human"))) as player:
        assert main(player)[1]
        player.press("main:")
        assert not player.controller.state.turned_over
        assert main(player)[:2] == ("Answer the question", False)


@pytest.mark.parametrize("size", [(900, 600), (1280, 720), (1920, 1080)])
def test_the_main_button_is_whole_at_every_size(size: tuple[int, int]) -> None:
    with playing(session("tse/starter", ("human", "human"), 1), size) as player:
        panel = player.window.panel
        button = next(b for b, word in player._buttons if word == "main:").get_abs_rect()
        assert panel.layout.panel.contains(pygame.Rect(button))
        for name in ("card", "proof", "status"):
            assert not pygame.Rect(button).colliderect(panel._boxes[name].get_abs_rect())


# --- the only group --------------------------------------------------------------------------------------------------


def test_the_only_group_is_chosen_by_itself_and_undo_goes_past_it() -> None:
    with playing(session("tse/skirmish", ("human", "human"), 1), measuring=False) as player:
        player.press(next(word for word in player.words if word.startswith("answer:")))
        player.wait(2)
        steps = player.controller.game.session.steps
        chosen = steps[-1].action
        assert chosen is not None and "group" in chosen.options, "one group a side"
        assert player.controller.model.selected in player.controller.state.facts.ready
        player.press("kind:hold")
        player.press("undo:")
        player.wait(2)
        assert player.controller.model.battle.clock.group == chosen.options["group"]
        assert all(step.action is None or step.action.kind != "hold" for step in player.controller.game.session.steps)
        player.press("undo:")
        assert player.controller.model.battle.pending, "back at the question before it"
        player.press("redo:")
        player.press("redo:")
        player.wait(2)
        assert any(step.action and step.action.kind == "hold" for step in player.controller.game.session.steps)


# --- the menu at hand ------------------------------------------------------------------------------------------------


def right_click(player: Player, name: str) -> None:
    pixel = player.pixel(player.at(name))
    player.move(pixel)
    player.down(pixel, button=3)
    player.up(pixel, button=3)
    player.wait()


def click_row(player: Player, word: str) -> None:
    menu = player.window.context_menu
    number = next(n for n, row in enumerate(menu.rows) if row.word == word)
    left, top = player.window.panel.table_rect.topleft
    place = menu.place
    player.click((place.left + left + 20, round(place.top + top + menu._tops[number] + 12)))


def test_a_right_click_opens_what_a_unit_may_do_with_the_reasons(bras: Player) -> None:
    bras.key(pygame.K_2)
    right_click(bras, "jamin")
    menu = bras.window.context_menu
    closed = next(row for row in menu.rows if row.word == "kind:regroup")
    assert not closed.open and closed.rule == "TSE-REG-01"
    click_row(bras, "kind:regroup")
    assert menu.rows and bras.controller.state.chosen.picked is None
    click_row(bras, "kind:deploy")
    assert (
        not menu.rows and bras.controller.state.chosen.picked == "deploy" and shape.on_the_spot(bras.controller.state)
    )


def test_a_right_click_on_an_enemy_opens_what_may_be_done_to_him(bras: Player) -> None:
    bras.key(pygame.K_2)
    bras.pick("jamin")
    right_click(bras, "brunswick-light")
    rows = {row.word: row for row in bras.window.context_menu.rows}
    assert rows["aim:assault/brunswick-light"].open
    click_row(bras, "aim:assault/brunswick-light")
    assert bras.controller.state.chosen.proposal is not None
    assert bras.controller.state.chosen.proposal.action == Action("assault", "french", "jamin", "brunswick-light")


def test_escape_and_a_click_elsewhere_shut_the_menu(bras: Player) -> None:
    right_click(bras, "jamin")
    assert bras.window.context_menu.rows
    bras.key(pygame.K_ESCAPE)
    assert not bras.window.context_menu.rows and bras.controller.model.selected == "jamin"
    right_click(bras, "jamin")
    bras.click((5, 300))
    assert not bras.window.context_menu.rows
