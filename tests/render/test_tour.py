"""In no state of the window is anything covered, cut off, laid over another or written too small: the tour says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from tabletop.render.drawing.primitives import Drawing, Frame, Layer, Lines, Pen, Text
from tabletop.render.painting import painter
from tabletop.render.widgets.pages.brush import Brush
from tools import display_list, tour, tour_faults
from tools.tour_states import ROOT, SIZES, STATES, at_home, shown

#: Looked over in every run; all of them, at every size, in the sweep.
FEW = ("settings", "judge-verdict", "game-question", "drill")


@pytest.fixture(scope="module")
def home() -> Iterator[None]:
    with at_home():
        yield


@pytest.mark.parametrize("name", FEW)
def test_nothing_is_wrong(name: str, home: None) -> None:
    assert tour.looked_over(name, SIZES[0]) == []


@pytest.mark.sweep
@pytest.mark.parametrize("size", SIZES, ids=tour.called)
@pytest.mark.parametrize("name", STATES)
def test_nothing_is_wrong_at_any_size(name: str, size: tuple[int, int, float], home: None) -> None:
    assert tour.looked_over(name, size) == []


# --- the tour can find what it looks for -----------------------------------------------------------------------------


def _screen(**parts: Any) -> Any:
    """Return what the tour takes for a screen."""
    return SimpleNamespace(**parts)


def told(draw: Callable[[Any], None], scale: float = 1.0, **screen: Any) -> list[str]:
    """Return what is wrong with a window on which this is drawn."""
    pygame.display.init()
    pygame.font.init()
    with display_list.recorded() as after:
        surface = pygame.display.set_mode((640, 480))
        shown = after(lambda: draw(surface))
        return tour_faults.faults(_screen(words={}, **screen), shown, scale)


def line(surface: Any, text: str, at: tuple[float, float], size: float = 15.0) -> None:
    Brush(surface, 1.0).line(text, *at, 400.0, size)


def painted(surface: Any, *items: Any) -> None:
    drawing = Drawing(tuple(Layer("one", (item,)) for item in items), (0.0, 0.0, 640.0, 480.0), 1.0)
    painter.paint(surface, drawing, Frame(1.0, 0.0, 480.0), 1.0)


WORD = Text((200.0, 300.0), "Lambert", 15.0, "#000000", halo="#ffffff")


def _sound(surface: Any) -> None:
    surface.fill("#ffffff")
    line(surface, "one", (40, 40))
    line(surface, "other", (40, 80))
    painted(surface, Lines((((0.0, 300.0), (400.0, 300.0)),), Pen("#000000", 3.0)), WORD)


def _kept(surface: Any) -> None:
    """What was painted on a sheet and is shown by laying that on the window, smaller than its words."""
    sheet = pygame.Surface((60, 30), pygame.SRCALPHA)
    line(sheet, "a sheet too narrow", (0, 15))
    surface.blit(sheet.convert_alpha(), (100, 100))


def _one_over_another(surface: Any) -> None:
    line(surface, "one", (40, 40))
    line(surface, "other", (45, 42))


def _hidden(surface: Any) -> None:
    line(surface, "under", (40, 40))
    pygame.draw.rect(surface, "#ff0000", (55, 20, 90, 40))


def _plate(surface: Any) -> None:
    """A plate of one line is no card: what it hides in part is told."""
    line(surface, "a name below", (40, 40))
    plate = pygame.Surface((80, 22))
    line(plate, "plate", (10, 11))
    surface.blit(plate, (80, 30))


PLANTED: dict[str, Callable[[Any], None]] = {
    "overlapping: 'one' and 'other'": _one_over_another,
    "small: 'tiny' 13 px": lambda s: line(s, "tiny", (40, 40), 13.0),
    "cut off: 'beyond the edge'": lambda s: line(s, "beyond the edge", (600, 40)),
    "cut off: 'a sheet too narrow'": _kept,
    "told nowhere in full": lambda s: Brush(s, 1.0).line("a name too long for its line", 40, 40, 90),
    "hidden in part: 'under'": _hidden,
    "hidden in part: 'a name below'": _plate,
    "struck through: 'Lambert'": lambda s: painted(
        s, WORD, Lines((((0.0, 300.0), (400.0, 300.0)),), Pen("#000000", 3.0))
    ),
}


def _card(surface: Any) -> None:
    """A card of two lines laid over a part of a name, as a sheet of paper on a map."""
    line(surface, "a name below", (40, 40))
    card = pygame.Surface((200, 60))
    card.fill("#ffffff")
    line(card, "first", (10, 15))
    line(card, "second", (10, 40))
    surface.blit(card, (80, 20))


def _tooltip(surface: Any) -> None:
    """The same, with rounded corners."""
    line(surface, "a name below", (40, 40))
    card = pygame.Surface((200, 60), pygame.SRCALPHA)
    pygame.draw.rect(card, "#ffffff", card.get_rect(), border_radius=3)
    line(card, "first", (10, 15))
    line(card, "second", (10, 40))
    surface.blit(card, (80, 20))


def _wiped(surface: Any) -> None:
    """A sheet of which a part is wiped clear and written on again lies over nothing."""
    sheet = pygame.Surface((640, 480), pygame.SRCALPHA)
    sheet.fill((0, 0, 0, 0), (100, 100, 80, 40))
    line(sheet, "again", (110, 120))
    surface.blit(sheet, (0, 0))


@pytest.mark.parametrize("draw", [_sound, _card, _tooltip, _wiped])
def test_where_nothing_is_wrong_nothing_is_told(draw: Callable[[Any], None]) -> None:
    assert told(draw) == []


def test_what_is_wiped_clear_is_not_laid() -> None:
    pygame.display.init()
    with display_list.recorded() as after:
        surface = pygame.display.set_mode((640, 480))
        assert after(lambda: _wiped(surface)).laid == []
        assert [one.place.size for one in after(lambda: _card(surface)).laid] == [(200, 60)]


@pytest.mark.parametrize("fault", PLANTED)
def test_a_fault_that_is_planted_is_told(fault: str) -> None:
    found = told(PLANTED[fault])
    assert any(fault in line for line in found), found


def test_a_sign_may_be_cut_by_the_edge_of_the_table_and_by_nothing_else() -> None:
    table = pygame.Rect(100, 100, 300, 200)

    def sign(box: tuple[int, int, int, int], seen: tuple[int, int, int, int]) -> display_list.Written:
        return display_list.Written("o", 14.0, pygame.Rect(box), pygame.Rect(seen))

    assert tour_faults.at_edge(sign((200, 90, 9, 17), (200, 100, 9, 7)), table)
    assert not tour_faults.at_edge(sign((200, 150, 9, 17), (200, 155, 9, 12)), table)
    assert not tour_faults.at_edge(sign((200, 90, 9, 17), (200, 104, 9, 3)), table)


def test_letters_are_small_by_the_scale_of_the_settings() -> None:
    assert told(lambda s: line(s, "enough", (40, 40), 28.0), 2.0) == []
    assert told(lambda s: line(s, "not", (40, 40), 27.0), 2.0) == ["small: 'not' 13.5 px"]


def test_what_lies_outside_or_over_another_is_told() -> None:
    words = {
        "one": pygame.Rect(10, 10, 50, 20),
        "two": pygame.Rect(40, 15, 50, 20),
        "far": pygame.Rect(-5, 200, 50, 20),
    }
    pygame.display.set_mode((640, 480))
    found = list(tour_faults.pressable(_screen(words=words)))
    assert len(found) == 2 and "outside: far" in found[0] and "one and two" in found[1]


def test_the_main_button_may_be_listed_by_what_it_sends_and_no_other_twice() -> None:
    place = pygame.Rect(10, 10, 50, 20)
    pygame.display.set_mode((640, 480))
    assert list(tour_faults.pressable(_screen(words={"main:": place, "next:": place}))) == []
    assert list(tour_faults.pressable(_screen(words={"main:": place, "next:": place.move(5, 0)})))
    assert list(tour_faults.pressable(_screen(words={"back:": place, "next:": place})))


def test_a_row_may_be_half_scrolled_away_only_where_rows_scroll() -> None:
    half = display_list.Written("row", 14.0, pygame.Rect(10, 90, 40, 20), pygame.Rect(10, 100, 40, 10))
    shown = display_list.Shown(texts=[half])
    pygame.display.set_mode((640, 480))
    form = SimpleNamespace(scrolling=None)
    assert list(tour_faults.cut(_screen(form=form), shown))
    form.scrolling = pygame.Rect(0, 100, 200, 200)
    assert list(tour_faults.cut(_screen(form=form), shown)) == []
    form.scrolling = pygame.Rect(300, 100, 200, 200)
    assert list(tour_faults.cut(_screen(form=form), shown))


def test_the_gaming_table_is_no_card_and_a_card_on_it_is(home: None) -> None:
    """What holds all of the table lies under its units; a sheet as large as that less a margin lies over them."""
    guide = shown("table-pointed", SIZES[3])
    try:
        screen: Any = guide.top
        ground, table = tour_faults._ground(screen), screen.panel.table_rect
        unit = next(tour_faults._subjects(screen))[0]
        text = display_list.Written("a word", 28.0, pygame.Rect(ground.center, (40, 20)), pygame.Rect(0, 0, 40, 20))

        def found(place: pygame.Rect) -> list[str]:
            drawn = display_list.Shown(texts=[text], laid=[display_list.Laid(place)])
            return [fault for fault in tour_faults.covered(screen, drawn) if fault.startswith(f"covered: {unit} by")]

        assert found(ground.inflate(8, 8).clip(table)) == []
        assert found(ground.inflate(-40, -40))
    finally:
        guide.app.close()


def test_a_card_over_the_unit_it_speaks_of_is_told(home: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Docked over its subject, the card is found; where the program docks it, nothing is."""
    from tabletop.render.battle import hover_card

    def over(size: tuple[int, int], subject: pygame.Rect, *_: Any) -> pygame.Rect:
        return pygame.Rect(subject.topleft, size)

    monkeypatch.setattr(hover_card, "beside", over)
    assert any(fault.startswith("covered: ") for fault in tour.looked_over("table-pointed", SIZES[0]))


def test_pictures_of_the_documentation_are_there_and_small() -> None:
    pictures = [tour.PICTURES / f"tour-{name}.png" for name in tour.SHOWN]
    page = (ROOT / "docs" / "the-window.md").read_text("utf-8")
    assert all(path.is_file() and f"pictures/{path.name}" in page for path in pictures)
    assert sum(path.stat().st_size for path in pictures) < 4_000_000
