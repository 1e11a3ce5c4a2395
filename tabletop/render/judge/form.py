"""The panel beside the table: rows of buttons, choices, entries and texts, one below another.

Its content is plain data. Widgets are laid out again only when the rows change; a changed text or number is written
into the existing widget, unless the player is typing in it.
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

#: Design pixels: the panel, its margin, a row, the gap between rows, a label, and the words at the bottom.
WIDE, PAD, ROW, AIR, LABEL, FOOT = 404.0, 12.0, 30.0, 6.0, 104.0, 80.0
#: Minimum distance of a label from its button's edge, in design pixels.
ROUND = 4.0
#: Design pixels that a window needs for the panel and a table beside it; the minimum scale.
WIDEST, LEAST = 640.0, 0.5
#: Minimum height of a text that fills the space left by the rows; with less space, everything scrolls.
TEXT = 120.0


@dataclass(frozen=True)
class Heading:
    """A line in bold."""

    text: str


@dataclass(frozen=True)
class Note:
    """A line in grey; if ``wrong``, in the colour of a no, and in as many lines as it needs."""

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
    """A list to choose from, each (value, label)."""

    label: str
    word: str
    options: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True)
class Type:
    """Entries side by side, each (word, text, hint)."""

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
    """A text that fills the space left, as the last part of a page; its links send ``word``."""

    word: str
    html: str


Part = Heading | Note | Keys | Choose | Type | Slide | Page


def _fitting(window: tuple[int, int], scale: float) -> float:
    """Return the scale of the panel: as wanted, unless the table would have no room beside it; long rows scroll."""
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
        """Screen pixels to a design pixel."""
        return self._widgets.scale

    @property
    def wide(self) -> float:
        """The panel's width in design pixels."""
        return WIDE

    @property
    def width(self) -> int:
        """The panel's width in screen pixels."""
        return round(self.wide * self.scale)

    @property
    def typing(self) -> bool:
        """Whether keys go into an entry now."""
        return self._widgets.typing

    def type_in(self, word: str) -> None:
        """Give an entry the focus."""
        self._widgets.type_in(word)

    def leave(self) -> None:
        """Take the focus from every entry."""
        self._widgets.leave()

    def turn_to(self, word: str) -> None:
        """Scroll until the widget of a word is visible."""
        self._widgets.turn_to(word)

    @property
    def scrolling(self) -> pygame.Rect | None:
        """The area in which the rows scroll now; None if all of them are visible."""
        area = self._widgets.area
        return area.view if area is not None and area.most else None

    @property
    def words(self) -> dict[str, pygame.Rect]:
        """The words that can be sent now, with the places of their widgets."""
        return self._widgets.words

    def covers(self, pixel: tuple[int, int]) -> bool:
        """Return whether the panel covers a pixel."""
        return pixel[0] >= self._window[0] - self.width

    def close(self) -> None:
        """Destroy the widgets."""
        self._widgets.close()

    def resized(self, window: tuple[int, int]) -> None:
        """Adapt to another window size."""
        self._window = window
        if _fitting(window, self._wanted) != self.scale:
            self._widgets.close()
            self._widgets = Widgets(window, _fitting(window, self._wanted))
        else:
            self._widgets.resized(window)
        self._laid, self._on_page = (), ""

    def handle(self, event: pygame.event.Event) -> Did | None:
        """Return the player's action on the panel; ``Did("")`` if it used the event up otherwise, else None."""
        did = self._widgets.handle(event)
        if did is not None and did.word in self._texts and isinstance(did.value, str):
            self._texts[did.word] = did.value
        return did

    def show(self, page: str, head: Sequence[Part], rows: Sequence[Part], foot: str, seconds: float) -> None:
        """Show a page: the fixed rows at its head, the scrolling rows below, and a text at the bottom (html).

        While the player types, the rows stay as they are: laying them out again would take the entry away.
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
        """Show which buttons are pressed, and which are enabled."""
        for key in part.keys:
            if key.word in self._keys:
                self._widgets.set_open(key.word, key.word not in part.shut)
                self._widgets.set_pressed(key.word, key.word in part.pressed)

    def _write(self, word: str, text: str) -> None:
        known = self._texts.get(word)
        if known is not None and known != text and self._widgets.typed_in != word:
            self._widgets.write(word, text)
            self._texts[word] = text

    # --- laying out --------------------------------------------------------------------------------------------------

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
        """Return the top of the next row, and advance below it."""
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
    """Return the widths of the buttons in a row: equal, unless a label would be cut and the others can give way."""
    room -= (part.columns - 1) * AIR
    alike = room / part.columns
    needed = [width(key.label, FONT, "bold" if key.word in part.strong else "plain") for key in row]
    spare = room - sum(needed)
    if max(needed) + 2 * ROUND <= alike or len(row) < part.columns or spare <= 0:
        return [alike] * len(row)
    return [each + spare / part.columns for each in needed]


def _shape(part: Part) -> Part:
    """Return a part without the values that can be changed in existing widgets."""
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
