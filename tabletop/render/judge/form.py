"""The panel beside the table: rows of buttons, choices, entries and texts, one under the other.

What is shown is plain data. Widgets are laid anew only when the rows are others; a text or number that changes is
written into the widget that is there, unless somebody is typing in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pygame

from tabletop.render.drawing.lettering import shortened, width, wrapped
from tabletop.render.drawing.theme import colour
from tabletop.render.widgets.controls import Did, Widgets
from tabletop.render.widgets.panel_page import Key
from tabletop.render.widgets.styles import FONT, SMALL

#: Pixels of the design: the panel, its margin, a row, the room between rows, a label, and the words at the foot.
WIDE, PAD, ROW, AIR, LABEL, FOOT = 404.0, 12.0, 30.0, 6.0, 104.0, 80.0
#: Pixels of the design a label keeps from its button's edge at least.
ROUND = 4.0
#: Pixels of the design a window needs for the panel and a table beside it; the least scale.
WIDEST, LEAST = 640.0, 0.5
#: The least height of a text that takes the room left by the rows: where that is less, all of it scrolls with them.
TEXT = 120.0


@dataclass(frozen=True)
class Heading:
    """A line in bold."""

    text: str


@dataclass(frozen=True)
class Note:
    """A line in grey; in the colour of a no, in as many lines as it takes, where it says what is ``wrong``."""

    text: str
    wrong: bool = False


@dataclass(frozen=True)
class Keys:
    """Buttons in rows of ``columns``."""

    keys: tuple[Key, ...]
    columns: int = 3
    pressed: frozenset[str] = frozenset()
    shut: frozenset[str] = frozenset()
    strong: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Choose:
    """A list to choose one of, each (value, label)."""

    label: str
    word: str
    options: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True)
class Type:
    """Lines to type in, side by side, each (word, text, hint)."""

    label: str
    entries: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Slide:
    """A slider."""

    label: str
    word: str
    value: float
    low: float
    high: float
    step: float


@dataclass(frozen=True)
class Page:
    """A text that takes the room that is left, the last part of a page; its links send ``word``."""

    word: str
    html: str


Part = Heading | Note | Keys | Choose | Type | Slide | Page


def _fitting(window: tuple[int, int], scale: float) -> float:
    """Return the scale of the panel: as wanted, as far as a table has room beside it; rows without room scroll."""
    return max(LEAST, min(scale, window[0] / WIDEST))


class Form:
    """The panel's widgets."""

    def __init__(self, window: tuple[int, int], scale: float) -> None:
        self._window, self._wanted = window, scale
        self._widgets = Widgets(window, _fitting(window, scale))
        self._laid: tuple[Any, ...] = ()
        self._on_page = ""
        self._texts: dict[str, str] = {}
        self._keys: set[str] = set()
        self._y = 0.0

    @property
    def scale(self) -> float:
        """Pixels to one pixel of the design."""
        return self._widgets.scale

    @property
    def wide(self) -> float:
        """The panel's width in pixels of the design."""
        return WIDE

    @property
    def width(self) -> int:
        """Pixels the panel takes from the table."""
        return round(self.wide * self.scale)

    @property
    def typing(self) -> bool:
        """Whether keys go into an entry now."""
        return self._widgets.typing

    def type_in(self, word: str) -> None:
        """Let keys go into an entry."""
        self._widgets.type_in(word)

    def leave(self) -> None:
        """Let nobody type any longer."""
        self._widgets.leave()

    def turn_to(self, word: str) -> None:
        """Scroll until what sends a word is seen."""
        self._widgets.turn_to(word)

    @property
    def scrolling(self) -> pygame.Rect | None:
        """Where the rows scroll now; None where all of them are seen."""
        area = self._widgets.area
        return area.view if area is not None and area.most else None

    @property
    def words(self) -> dict[str, pygame.Rect]:
        """The words that can be sent now, and where their widgets lie."""
        return self._widgets.words

    def covers(self, pixel: tuple[int, int]) -> bool:
        """True where the panel hides the table."""
        return pixel[0] >= self._window[0] - self.width

    def close(self) -> None:
        """Be done with its widgets."""
        self._widgets.close()

    def resized(self, window: tuple[int, int]) -> None:
        """Fit a window of another size."""
        self._window = window
        if _fitting(window, self._wanted) != self.scale:
            self._widgets.close()
            self._widgets = Widgets(window, _fitting(window, self._wanted))
        else:
            self._widgets.resized(window)
        self._laid, self._on_page = (), ""

    def handle(self, event: pygame.event.Event) -> Did | None:
        """Return what a player did with the panel; ``Did("")`` when it used the event up, else None."""
        did = self._widgets.handle(event)
        if did is not None and did.word in self._texts and isinstance(did.value, str):
            self._texts[did.word] = did.value
        return did

    def show(self, page: str, head: Sequence[Part], rows: Sequence[Part], foot: str, seconds: float) -> None:
        """Show a page: what stays at its head, the rows that scroll below it, and some words at the foot (html).

        While somebody types, the rows stay as they are: a new one would take the line from under the fingers.
        """
        parts = (*head, *rows)
        shape = (self._window, len(head), *(_shape(part) for part in parts))
        texts = _texts(parts)
        typing = page == self._on_page and self._widgets.typed_in in dict(texts)
        if shape != self._laid and not typing:
            area = self._widgets.area
            scrolled = area.scrolled if area is not None and page == self._on_page else 0
            self._lay(head, rows, foot)
            if self._widgets.area is not None:
                self._widgets.area.scroll_to(scrolled)
            self._laid, self._on_page = shape, page
        for word, text in (*texts, ("foot", foot)):
            self._write(word, text)
        for part in parts:
            if isinstance(part, Keys):
                self._lit(part)
        self._widgets.update(seconds)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the panel."""
        place = pygame.Rect(self._window[0] - self.width, 0, self.width, self._window[1])
        pygame.draw.rect(surface, colour("page", "panel"), place)
        pygame.draw.line(surface, colour("page", "panel_edge"), place.topleft, place.bottomleft, round(2 * self.scale))
        self._widgets.draw(surface)

    def _lit(self, part: Keys) -> None:
        """Show which buttons are pressed in, and which may be pressed."""
        for key in part.keys:
            if key.word in self._keys:
                self._widgets.set_open(key.word, key.word not in part.shut)
                self._widgets.set_pressed(key.word, key.word in part.pressed)

    def _write(self, word: str, text: str) -> None:
        known = self._texts.get(word)
        if known is not None and known != text and self._widgets.typed_in != word:
            self._widgets.write(word, text)
            self._texts[word] = text

    # --- laying ------------------------------------------------------------------------------------------------------

    def _lay(self, head: Sequence[Part], rows: Sequence[Part], foot: str) -> None:
        self._widgets.clear()
        self._texts, self._keys = dict(_texts((*head, *rows))), set()
        self._y = PAD
        high = self._window[1] / self.scale
        for part in head:
            self._layers[type(part)](self, part)
        with self._widgets.scrolling((self._left, self._y, self._room + PAD, max(ROW, self._bottom - self._y))):
            for part in rows:
                self._layers[type(part)](self, part)
        self._widgets.box((self._left, high - FOOT - PAD, self._room, FOOT), foot, "foot")
        self._texts["foot"] = foot

    @property
    def _bottom(self) -> float:
        """Where the rows end."""
        return self._window[1] / self.scale - FOOT - PAD - AIR

    @property
    def _left(self) -> float:
        return self._window[0] / self.scale - self.wide + PAD

    @property
    def _room(self) -> float:
        return self.wide - 2 * PAD

    def _next(self, high: float = ROW) -> float:
        """Return where the next row begins, and go on below it."""
        y, self._y = self._y, self._y + high + AIR
        return y

    def _heading(self, part: Heading) -> None:
        self._widgets.label(
            (self._left, self._next(22), self._room, 22), shortened(part.text, FONT, self._room - 4, "bold"), "#heading"
        )

    def _note(self, part: Note) -> None:
        if part.wrong:
            for line in wrapped(part.text, SMALL, self._room - 8):
                self._widgets.label((self._left, self._next(19) - AIR / 2, self._room, 19), line, "#wrong")
                self._y -= AIR
            self._y += AIR
            return
        self._widgets.label(
            (self._left, self._next(20), self._room, 20), shortened(part.text, SMALL, self._room - 4), "#note"
        )

    def _buttons(self, part: Keys) -> None:
        for first in range(0, len(part.keys), part.columns):
            row = part.keys[first : first + part.columns]
            left, y = self._left, self._next()
            for key, wide in zip(row, _widths(row, part, self._room), strict=True):
                place = (left, y, wide, ROW)
                left += wide + AIR
                style = "#strong" if key.word in part.strong else "#plain"
                self._widgets.button(place, key.word, key.label, key.hint, style=style)
                self._keys.add(key.word)

    def _choose(self, part: Choose) -> None:
        y = self._labelled(part.label)
        self._widgets.choice((self._left + LABEL, y, self._room - LABEL, ROW), part.word, part.options, part.chosen)

    def _type(self, part: Type) -> None:
        y, n = self._labelled(part.label), len(part.entries)
        left = self._left + (LABEL if part.label else 0.0)
        wide = (self._left + self._room - left - (n - 1) * AIR) / n
        for k, (word, text, hint) in enumerate(part.entries):
            self._widgets.entry((left + k * (wide + AIR), y, wide, ROW), word, text, hint)

    def _slide(self, part: Slide) -> None:
        y = self._labelled(part.label)
        place = (self._left + LABEL, y, self._room - LABEL, ROW)
        self._widgets.slider(place, part.word, part.value, part.low, part.high, part.step)

    def _labelled(self, label: str) -> float:
        y = self._next()
        if label:
            self._widgets.label((self._left, y, LABEL - AIR, ROW), label, "#note")
        return y

    def _page(self, part: Page) -> None:
        high = self._bottom - self._y
        place = (self._left, self._next(high), self._room, high)
        self._widgets.box(place, part.html, part.word, whole=high < TEXT)

    _layers: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        Heading: _heading,
        Note: _note,
        Keys: _buttons,
        Choose: _choose,
        Type: _type,
        Slide: _slide,
        Page: _page,
    }


def _widths(row: Sequence[Key], part: Keys, room: float) -> list[float]:
    """Return how wide the buttons of a row are: alike, unless a label would be cut and the others can give way."""
    room -= (part.columns - 1) * AIR
    alike = room / part.columns
    needed = [width(key.label, FONT, "bold" if key.word in part.strong else "plain") for key in row]
    spare = room - sum(needed)
    if max(needed) + 2 * ROUND <= alike or len(row) < part.columns or spare <= 0:
        return [alike] * len(row)
    return [each + spare / part.columns for each in needed]


def _shape(part: Part) -> Part:
    """Return a part without what can be changed in the widgets that are there."""
    if isinstance(part, Type):
        return replace(part, entries=tuple((word, "", hint) for word, _, hint in part.entries))
    if isinstance(part, Keys):
        return replace(part, pressed=frozenset(), shut=frozenset())
    if isinstance(part, Page):
        return replace(part, html="")
    return replace(part, value=part.low) if isinstance(part, Slide) else part


def _texts(parts: Sequence[Part]) -> list[tuple[str, str]]:
    entries = [(word, text) for p in parts if isinstance(p, Type) for word, text, _ in p.entries]
    return entries + [(p.word, p.html) for p in parts if isinstance(p, Page)]
