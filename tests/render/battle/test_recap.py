"""The computer's moves stay on the table, numbered, until the person's next order; "Why?" gives its reason."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest
from shapely import box

from tabletop.battle.action import ANSWER
from tabletop.play.saves import replay, save
from tabletop.render.battle import recap, recap_view
from tabletop.render.drawing.plates import plate_boxes
from tabletop.render.drawing.primitives import Layer, Lines, Pen, Text
from tabletop.render.events import marks, telling
from tabletop.render.events.reel import Reel
from tests.render.battle.driver import DRILL, Player, let_the_computer_act, playing, session
from tests.render.battle.test_seeing import follow


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("recap") / "game.jsonl"


@pytest.fixture(scope="module")
def foe_first(kept: Path) -> Iterator[Player]:
    """A battle in which the computer has acted first and a person is to act."""
    with playing(session(DRILL, ("greedy", "human"), 3, kept), measuring=False) as player:
        let_the_computer_act(player)
        yield player


def numbers(player: Player) -> list[str]:
    """Return the numbers of moves that are drawn on the table."""
    layers = recap_view.drawing(player.controller.state, player.window.camera).layers
    return [
        item.text
        for layer in layers
        if layer.name == "numbers of moves"
        for item in layer.items
        if isinstance(item, Text)
    ]


def test_what_the_computer_did_stays_numbered_with_its_results(foe_first: Player) -> None:
    moves = recap.moves(foe_first.controller.state)
    assert len(moves) >= 4 and [move.number for move in moves] == list(range(1, len(moves) + 1))
    assert numbers(foe_first) == [str(move.number) for move in moves]
    drawn = {layer.name for layer in recap_view.drawing(foe_first.controller.state, foe_first.window.camera).layers}
    assert "what happened" in drawn
    shown: Any = foe_first.window.panel._boxes["proof"]
    for move in moves:
        assert len(recap.in_words(move).split()) <= recap.WORDS + 1
        assert f"why:{move.n}" in shown.html_text


def test_why_gives_the_reason_the_runner_up_and_both_values(foe_first: Player) -> None:
    move = recap.moves(foe_first.controller.state)[0]
    assert move.thought is not None and move.thought.value is not None and move.thought.other is not None
    assert follow(foe_first, "proof", "why:") == f"why:{move.n}"
    panel_page = foe_first.window.panel_page
    assert panel_page is not None and panel_page.title == "Why 1?"
    assert move.thought.why in panel_page.html
    assert f"{move.thought.value:+.2f}" in panel_page.html and f"{move.thought.other.value:+.2f}" in panel_page.html
    foe_first.key(pygame.K_ESCAPE)
    assert foe_first.window.panel_page is None


def test_the_recap_is_put_away_and_shown_again(foe_first: Player) -> None:
    assert numbers(foe_first)
    foe_first.press("recap:")
    assert not numbers(foe_first)
    foe_first.key(pygame.K_r)
    assert numbers(foe_first)


def test_the_replay_says_why_too(foe_first: Player, kept: Path) -> None:
    moves = recap.moves(foe_first.controller.state)
    reel = Reel.of_session(foe_first.controller.game.session)
    reel.wind(9.0)
    for move in moves:
        said = telling.why(reel.moments[move.n])
        assert move.thought is not None and move.thought.why in said
    saved = save.read(kept)
    again = Reel.of_saved(saved)
    again.wind(9.0)
    assert all(telling.why(again.moments[move.n]) for move in moves if move.thought is not None)
    orders = [line for line in saved.lines if line.action is not None and line.action.kind != ANSWER]
    assert orders and all(line.thought is not None for line in orders)
    assert replay.verify(saved).sound


def test_the_recap_goes_with_the_first_order_and_comes_back_when_asked(foe_first: Player) -> None:
    before = recap.moves(foe_first.controller.state)
    foe_first.press(next(word for word in foe_first.words if word.startswith("end:")))
    foe_first.wait(2)
    steps = foe_first.controller.game.session.steps
    last = next(step.action for step in reversed(steps) if step.action is not None and step.action.kind != ANSWER)
    assert last.side not in foe_first.controller.state.facts.computers, "the person still moves"
    assert not numbers(foe_first)
    foe_first.key(pygame.K_r)
    assert [move.n for move in recap.moves(foe_first.controller.state)] == [move.n for move in before]
    assert numbers(foe_first)


def test_the_log_runs_forward_under_turn_headings_in_the_colours_of_the_sides(foe_first: Player) -> None:
    foe_first.controller.select(None)
    foe_first.wait(2)
    text = foe_first.window.log.text()
    told = [int(part.partition("'")[0]) for part in text.split("log:")[1:]]
    assert told == sorted(told)
    assert "<b>Turn 1</b>" in text
    lines = foe_first.controller.state.record.lines
    assert {line.side for line in lines} <= {None, *foe_first.controller.model.battle.setup.sides}
    assert text.count("█") == sum(lines[number].side is not None for number in told) > 0


def test_ways_lie_under_the_badges_and_results_over_them(foe_first: Player) -> None:
    below, over = recap_view.split(recap_view.drawing(foe_first.controller.state, foe_first.window.camera))
    assert any(isinstance(item, Lines) for layer in below for item in layer.items)
    assert not any(isinstance(item, Text) for layer in below for item in layer.items)
    assert {layer.name for layer in over} == {marks.RESULTS, recap_view.NUMBERS}


def test_results_of_several_moves_share_no_place_and_no_line_crosses_them() -> None:
    """Three plates at one place move apart, and lie over the lines of every move."""
    line = Lines((((0.0, 0.0), (40.0, 0.0)),), Pen("#000000", 3.0))
    layers = [Layer("what happened", (line, *marks.plate((20.0, 0.0), word, marks.AIM, 10.0))) for word in "abc"]
    *below, told = marks.apart(layers, 10.0)
    assert [layer.items for layer in below] == [(line,)] * 3
    boxes = [box(*extent) for extent in plate_boxes([told], 10.0)]
    assert len(boxes) == 3 and not any(a.intersects(b) for a, b in itertools.combinations(boxes, 2))
    assert [item.text for item in told.items if isinstance(item, Text)] == ["a", "b", "c"]
