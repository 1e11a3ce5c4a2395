"""Everything that can be pressed on a screen is reached by Tab, and pressed by Enter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pygame
import pytest

from tabletop.render.judge.screen import JudgingScreen
from tabletop.render.widgets.controls import Did, Widgets
from tabletop.render.widgets.pages.page import Page
from tabletop.render.widgets.walking import Walk
from tools.places import spots
from tools.tour_states import SIZES, STATES, Guide, at_home, shown

#: Walked through in every run; all states in the sweep.
FEW = ("settings", "quick", "load", "judge-place", "table-pointed", "replay", "lesson", "drill")


@pytest.fixture(scope="module")
def home() -> Iterator[None]:
    with at_home():
        yield


def walk_of(screen: Any) -> Walk:
    """Return the walk through a screen's widgets."""
    holder = next(h for name in ("form", "widgets", "panel") if (h := getattr(screen, name, None)) is not None)
    found: Walk = getattr(holder, "walk", None) or holder._widgets.walk
    return found


def reached_on_page(guide: Guide, page: Page) -> set[str]:
    """Return the words that Tab comes to on a page."""
    page.turn_to(None)
    found = set[str]()
    for _ in range(len(page.spots) + 1):
        guide.tells(pygame.KEYDOWN, key=pygame.K_TAB, mod=0, unicode="")
        found.add(str(page.focus))
    return found


def reached(guide: Guide) -> list[pygame.Rect]:
    """Return the places that Ctrl-Tab and Tab come to in a window."""
    walk, found = walk_of(guide.top), list[pygame.Rect]()
    guide.tells(pygame.KEYDOWN, key=pygame.K_TAB, mod=pygame.KMOD_CTRL, unicode="")
    for _ in range(len(walk.stops()) + 2):
        stop = walk.stop
        assert stop is not None
        found.append(stop.place)
        guide.tells(pygame.KEYDOWN, key=pygame.K_TAB, mod=0, unicode="")
    return found


def walked(name: str, size: tuple[int, int, float]) -> None:
    guide = shown(name, size)
    try:
        if isinstance(guide.top, Page):
            assert reached_on_page(guide, guide.top) >= {spot.word for spot in guide.top.spots if spot.live}
            return
        if isinstance(guide.top, JudgingScreen):
            walked_through_rows(guide, guide.top)
            return
        wanted = {word: rect for word, rect in spots(guide.top) if word != "foot" and not under_a_page(guide.top, word)}
        places = {tuple(place) for place in reached(guide)}
        assert not [word for word, rect in wanted.items() if tuple(rect) not in places]
    finally:
        guide.app.close()


def under_a_page(screen: Any, word: str) -> bool:
    """Say whether the button of a word lies under a page laid over the panel: it cannot be clicked either."""
    panel: Any = getattr(screen, "panel", None)
    panel_page = getattr(panel, "page_rect", None)
    place = dict(spots(screen))[word]
    if panel_page is None or not panel_page.collidepoint(place.center):
        return False
    return not any(button in panel._page_parts for button in panel._buttons if button.rect == place)


def walked_through_rows(guide: Guide, screen: JudgingScreen) -> None:
    """Every button and entry is reached, those scrolled away too, and is seen when it is."""
    widgets, came = screen.form._widgets, set[str]()
    words = {made: word for word, made in widgets._made.items() if made.is_enabled}
    guide.tells(pygame.KEYDOWN, key=pygame.K_TAB, mod=pygame.KMOD_CTRL, unicode="")
    for _ in range(len(widgets.walk.stops()) + 1):
        guide.tells(pygame.KEYDOWN, key=pygame.K_TAB, mod=0, unicode="")
        stop = widgets.walk.stop
        assert stop is not None and stop.widget in words
        assert widgets.area is not None
        if widgets.area.holds(stop.widget) and stop.place.height < widgets.area.view.height:
            assert widgets.area.view.contains(stop.place), words[stop.widget]
        came.add(words[stop.widget])
    assert not {word for word in words.values() if word not in came and word not in screen.form._texts}


@pytest.mark.parametrize("name", FEW)
def test_every_spot_is_reached(name: str, home: None) -> None:
    walked(name, SIZES[0])


@pytest.mark.parametrize("name", ["judge-table", "judge-photo"])
def test_rows_scrolled_away_are_reached_too(name: str, home: None) -> None:
    walked(name, SIZES[3])


@pytest.mark.sweep
@pytest.mark.parametrize("size", [SIZES[0], SIZES[-1]], ids=["1280x720", "1920x1080@2"])
@pytest.mark.parametrize("name", STATES)
def test_every_spot_is_reached_in_every_state(name: str, size: tuple[int, int, float], home: None) -> None:
    walked(name, size)


def test_enter_sets_what_tab_has_come_to(home: None) -> None:
    guide = shown("settings", SIZES[0])
    try:
        page = guide.top
        assert isinstance(page, Page)
        for _ in range(len(page.spots)):
            guide.tells(pygame.KEYDOWN, key=pygame.K_TAB, mod=0, unicode="")
            if page.focus == "palette:grey":
                break
        guide.strikes(pygame.K_RETURN)
        assert guide.app.top.look.settings.palette == "grey"  # type: ignore[attr-defined]
    finally:
        guide.app.close()


def test_a_battle_is_led_to_its_menu_and_an_overlay_is_switched_by_the_walk(home: None) -> None:
    guide = shown("table-pointed", SIZES[0])
    try:
        window, walk = guide.game, guide.game.panel.walk
        guide.tells(pygame.KEYDOWN, key=pygame.K_TAB, mod=pygame.KMOD_CTRL, unicode="")
        before = window.controller.model.overlays
        switch = next(rect for word, rect in spots(window) if word == "overlay:threat")
        for _ in range(len(walk.stops())):
            if walk.stop is not None and walk.stop.place == switch:
                break
            guide.tells(pygame.KEYDOWN, key=pygame.K_TAB, mod=0, unicode="")
        guide.strikes(pygame.K_RETURN)
        guide.rests(3)
        assert window.controller.model.overlays ^ before == {"threat"}
        guide.strikes(pygame.K_ESCAPE)
        assert not walk.on
    finally:
        guide.app.close()


def test_the_strip_of_a_lesson_is_pressed_by_the_walk(home: None) -> None:
    guide = shown("lesson", SIZES[0])
    try:
        window = guide.game
        guide.tells(pygame.KEYDOWN, key=pygame.K_TAB, mod=pygame.KMOD_CTRL, unicode="")
        hint = next(rect for word, rect in spots(window) if word == "hint:")
        for _ in range(len(window.panel.walk.stops())):
            if window.panel.walk.stop is not None and window.panel.walk.stop.place == hint:
                break
            guide.tells(pygame.KEYDOWN, key=pygame.K_TAB, mod=0, unicode="")
        before = window.content().feedback  # type: ignore[attr-defined]
        guide.strikes(pygame.K_RETURN)
        assert window.content().feedback != before  # type: ignore[attr-defined]
    finally:
        guide.app.close()


# --- widgets of other kinds ------------------------------------------------------------------------------------------


@pytest.fixture
def widgets() -> Iterator[Widgets]:
    pygame.display.init()
    pygame.display.set_mode((640, 480))
    made = Widgets((640, 480), 1.0)
    made.button((10, 10, 100, 30), "first", "First")
    made.choice((10, 50, 200, 30), "kind", [("a", "Alpha"), ("b", "Beta")], "a")
    made.entry((10, 90, 200, 30), "name", "")
    made.slider((10, 130, 200, 30), "size", 5, 0, 10, 1)
    made.box((10, 170, 200, 60), "see <a href='rule:X'>X</a> for more", "text")
    yield made
    made.close()


def strike(widgets: Widgets, *keys: int, mod: int = 0) -> list[Did]:
    """Press keys and return what widgets told of it."""
    told = list[Did]()
    for key in keys:
        pygame.event.clear()
        first = widgets.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=""))
        told += [did for did in (first, *map(widgets.handle, pygame.event.get())) if did is not None and did.word]
        widgets.update(0.05)
    return told


def test_all_kinds_of_widgets_do_by_keys_what_a_click_does(widgets: Widgets) -> None:
    strike(widgets, pygame.K_TAB, mod=pygame.KMOD_CTRL)
    assert strike(widgets, pygame.K_RETURN) == [Did("first")]
    assert strike(widgets, pygame.K_TAB, pygame.K_RIGHT) == [Did("kind", "b")]
    strike(widgets, pygame.K_TAB, pygame.K_RETURN)
    assert widgets.typing
    assert strike(widgets, pygame.K_TAB, pygame.K_RIGHT) == [Did("size", 6)]
    assert not widgets.typing, "Tab leads out of a line"
    assert strike(widgets, pygame.K_TAB, pygame.K_RETURN) == [Did("text", "rule:X")]
    strike(widgets, pygame.K_ESCAPE)
    assert strike(widgets, pygame.K_RETURN) == []


def test_a_widget_that_is_shut_is_passed_over(widgets: Widgets) -> None:
    widgets.set_open("first", False)
    assert all(stop.place != widgets._made["first"].get_abs_rect() for stop in widgets.walk.stops())
