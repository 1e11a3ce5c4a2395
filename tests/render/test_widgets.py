"""Widgets laid by hand: what a player does with them comes back as plain words."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

from collections.abc import Iterator

import pygame
import pytest

from tabletop.render.widgets.controls import Did, Widgets
from tabletop.render.widgets.styles import FONT


@pytest.fixture(params=[1.0, 2.0])
def widgets(request: pytest.FixtureRequest) -> Iterator[Widgets]:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((1600, 1200))
    pygame.event.clear()
    yield Widgets((1600, 1200), request.param)


def pump(widgets: Widgets) -> list[Did]:
    """Let the widgets hear what has happened until nothing more does."""
    found: list[Did] = []
    for _ in range(4):
        widgets.update(0.1)
        found += [did for event in pygame.event.get() if (did := widgets.handle(event)) is not None and did.word]
    return found


def click(widgets: Widgets, at: tuple[int, int]) -> list[Did]:
    pygame.mouse.set_pos(at)
    widgets.update(0.1)
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        pygame.event.post(pygame.event.Event(kind, pos=at, button=1))
    return pump(widgets)


def test_a_button_sends_its_word_and_lies_where_it_was_laid(widgets: Widgets) -> None:
    widgets.button((100, 50, 200, 30), "go:3", "Go")
    rect = widgets.words["go:3"]
    assert rect.topleft == (100 * widgets.scale, 50 * widgets.scale) and rect.width == 200 * widgets.scale
    assert click(widgets, rect.center) == [Did("go:3")]
    assert widgets.covers(rect.center) and not widgets.covers((5, 5))


def test_a_shut_button_sends_nothing(widgets: Widgets) -> None:
    widgets.button((100, 50, 200, 30), "go", "Go", open_=False)
    assert "go" not in widgets.words
    assert click(widgets, (round(150 * widgets.scale), round(60 * widgets.scale))) == []


def test_typing_tells_every_change(widgets: Widgets) -> None:
    widgets.entry((100, 50, 200, 30), "seed", "7")
    click(widgets, widgets.words["seed"].center)
    assert widgets.typing
    pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text="5"))
    told = pump(widgets)
    assert [did.word for did in told] == ["seed"] and set(told[0].value) == {"5", "7"}


def test_a_choice_sends_the_value_not_the_label(widgets: Widgets) -> None:
    widgets.choice((100, 50, 200, 30), "who", [("human", "A person"), ("greedy", "The computer")], "human")
    click(widgets, widgets.words["who"].center)
    at = widgets.words["who"]
    told = click(widgets, (at.centerx, round(at.bottom + 3 * FONT * widgets.scale)))
    assert told == [Did("who", "greedy")]


def test_what_is_cleared_is_gone(widgets: Widgets) -> None:
    widgets.button((100, 50, 200, 30), "go", "Go")
    widgets.clear()
    assert widgets.words == {}
    assert click(widgets, (round(150 * widgets.scale), round(60 * widgets.scale))) == []


def test_the_bar_of_a_long_text_is_as_wide_beside_its_letters_at_every_scale(widgets: Widgets) -> None:
    widgets.box((100, 50, 200, 60), "many words " * 60, "said")
    bar = widgets._made["said"].scroll_bar
    assert bar is not None and bar.get_abs_rect().width == 20 * widgets.scale


def test_texts_keep_away_from_the_edges_of_their_boxes_at_every_scale(widgets: Widgets) -> None:
    widgets.box((100, 50, 200, 60), "A word", "said")
    made = widgets._made["said"]
    assert made.padding == (8 * widgets.scale, 6 * widgets.scale)
