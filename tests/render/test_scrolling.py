"""Widgets that scroll: what is seen can be pressed, the rest is scrolled to by wheel, keys and program."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

from collections.abc import Iterator

import pygame
import pytest

from tabletop.render.widgets.controls import Widgets
from tabletop.render.widgets.scrolling import Area

ROWS = 20
KINDS = [(name, name.capitalize()) for name in ("alpha", "beta", "gamma", "delta")]


@pytest.fixture(params=[1.0, 2.0])
def widgets(request: pytest.FixtureRequest) -> Iterator[Widgets]:
    """A button above, twenty rows in a part that shows some six of them, and a button below."""
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((1600, 1200))
    pygame.event.clear()
    made = Widgets((1600, 1200), request.param)
    made.button((10, 10, 200, 30), "head", "Head")
    with made.scrolling((10, 50, 220, 200)):
        for k in range(ROWS):
            made.button((10, 50 + 36 * k, 200, 30), f"row:{k}", f"Row {k}")
        made.choice((10, 50 + 36 * ROWS, 200, 30), "kind", KINDS, "alpha")
    made.button((10, 260, 200, 30), "foot", "Foot")
    yield made
    made.close()


def area_of(widgets: Widgets) -> Area:
    assert widgets.area is not None
    return widgets.area


def test_only_what_is_seen_can_be_sent_and_where_it_is_seen(widgets: Widgets) -> None:
    view = area_of(widgets).view
    assert "row:0" in widgets.words and f"row:{ROWS - 1}" not in widgets.words
    inside = [rect for word, rect in widgets.words.items() if word.startswith("row:")]
    assert all(view.contains(rect) for rect in inside) and 5 <= len(inside) <= 7
    assert {"head", "foot"} <= set(widgets.words)


def test_the_wheel_scrolls_over_the_rows_and_nowhere_else(widgets: Widgets) -> None:
    area, notch = area_of(widgets), pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-1, flipped=False)
    pygame.mouse.set_pos((area.view.right + 100, area.view.top))
    widgets.handle(notch)
    assert area.scrolled == 0
    pygame.mouse.set_pos(area.view.center)
    widgets.handle(notch)
    assert area.scrolled > 0 and "row:0" not in widgets.words
    for _ in range(100):
        widgets.handle(notch)
    assert area.scrolled == area.most


def test_what_is_turned_to_is_seen(widgets: Widgets) -> None:
    for word in (f"row:{ROWS - 1}", "row:0", "row:10"):
        widgets.turn_to(word)
        assert widgets.words[word].height == round(30 * widgets.scale)


def test_the_bar_leads_to_the_end(widgets: Widgets) -> None:
    area = area_of(widgets)
    start = area._bar.sliding_button.get_abs_rect().center
    pygame.mouse.set_pos(start)
    widgets.update(0.1)
    widgets.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=start, button=1))
    for down in (20, 200, 400):
        pygame.mouse.set_pos((start[0], start[1] + round(down * widgets.scale)))
        widgets.update(0.1)
    assert area.scrolled >= area.most - 2
    widgets.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=start, button=1))


def test_a_list_opens_where_it_has_room(widgets: Widgets) -> None:
    widgets.turn_to("kind")
    area, menu = area_of(widgets), widgets._made["kind"]
    assert menu.expand_direction == "up"
    at = widgets.words["kind"].center
    pygame.mouse.set_pos(at)
    widgets.update(0.1)
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        widgets.handle(pygame.event.Event(kind, pos=at, button=1))
    for _ in range(3):
        for event in pygame.event.get():
            widgets.handle(event)
        widgets.update(0.1)
    opened = menu.menu_states["expanded"].options_selection_list
    assert opened is not None and area.view.contains(opened.get_abs_rect())


def test_a_text_without_room_is_as_tall_as_it_takes_and_scrolls_with_the_rows(widgets: Widgets) -> None:
    widgets.clear()
    with widgets.scrolling((10, 50, 220, 200)):
        widgets.box((10, 60, 200, 10), "few words", "text", whole=True)
    area = area_of(widgets)
    assert not area.most
    widgets.write("text", "many words " * 80)
    assert area.most > 0 and widgets._made["text"].scroll_bar is None


def test_rows_that_all_fit_do_not_scroll(widgets: Widgets) -> None:
    widgets.clear()
    with widgets.scrolling((10, 50, 220, 200)):
        widgets.button((10, 60, 200, 30), "one", "One")
    assert not area_of(widgets).most
    assert not area_of(widgets).wheel(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-1, flipped=False))
