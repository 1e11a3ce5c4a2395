"""Widgets for a screen, placed by hand: buttons, labels, texts, choices, entries and sliders.

They are pygame_gui's, which nothing outside this file and the two panels knows, so that it could be replaced. Places
are in pixels of the design; the scale is applied here. What a player does with a widget comes back as a plain ``Did``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pygame
import pygame_gui
from pygame_gui.core import UIElement
from pygame_gui.elements import (
    UIButton,
    UIDropDownMenu,
    UIHorizontalSlider,
    UILabel,
    UITextBox,
    UITextEntryLine,
)

from tabletop.render.widgets.scrolling import Area
from tabletop.render.widgets.styles import manager, set_pressed, shut, widen_bar, wipe, write
from tabletop.render.widgets.walking import Walk

#: Left, top, width and height in pixels of the design.
Place = tuple[float, float, float, float]


@dataclass(frozen=True)
class Did:
    """What a player did: the widget's word, and the new value of a choice, an entry, a slider or a link."""

    word: str
    value: Any = None


class Widgets:
    """All widgets of one screen. ``clear`` takes them away, to be laid anew."""

    def __init__(self, window: tuple[int, int], scale: float) -> None:
        self.scale = scale
        self._manager: pygame_gui.UIManager = manager(window, scale)
        self.walk = Walk(self._manager)
        self._words: dict[UIElement, str] = {}
        self._values: dict[UIElement, dict[str, str]] = {}
        self._made: dict[str, Any] = {}
        self._focus: str | None = None
        #: The part of them that scrolls, if there is one, and whether widgets are being laid into it.
        self.area: Area | None = None
        self._into_area = False

    # --- laying ------------------------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Take every widget away; an entry that was being typed in is remembered as the focus."""
        self._focus = next((w for w, made in self._made.items() if getattr(made, "is_focused", False)), None)
        wipe(self._manager)
        self.area = self.walk.area = None
        self._words.clear()
        self._values.clear()
        self._made.clear()

    def close(self) -> None:
        """Be done with them for good."""
        self.clear()
        shut(self._manager)

    def resized(self, window: tuple[int, int]) -> None:
        """Fit a window of another size; lay the widgets anew afterwards."""
        self._manager.set_window_resolution(window)
        self.clear()

    @contextmanager
    def scrolling(self, place: Place) -> Iterator[None]:
        """Lay what is laid meanwhile into a part of the window that scrolls."""
        self.area = self.walk.area = Area(self._manager, self._rect(place), self.scale)
        self._into_area = True
        try:
            yield
        finally:
            self._into_area = False
        self.area.fit()

    def button(
        self, place: Place, word: str, label: str, hint: str = "", *, style: str = "#plain", open_: bool = True,
        pressed: bool = False,
    ) -> None:  # fmt: skip
        """Lay a button that sends ``word``; style ``#strong`` is the usual choice of a screen."""
        made = UIButton(
            self._rect(place), label, self._manager, self._holder, tool_tip_text=hint or None, object_id=style
        )
        if pressed:
            set_pressed(made, True)
        if not open_:
            shut: Any = made.disable
            shut()
        self._keep(made, word)

    def label(self, place: Place, text: str, style: str = "#note") -> None:
        """Lay one line of text."""
        UILabel(self._rect(place), text, self._manager, self._holder, object_id=style)

    def box(self, place: Place, html: str, word: str = "", *, whole: bool = False) -> None:
        """Lay a text that scrolls where it is long, or is as tall as it takes where it shall be seen ``whole``.

        Its links send ``word`` with what they name.
        """
        rect = self._rect(place)
        if whole:
            rect.height = -1
        made = UITextBox("", rect, self._manager, container=self._holder)
        widen_bar(made, self.scale)
        write(made, html)
        self._keep(made, word)

    def choice(self, place: Place, word: str, options: Sequence[tuple[str, str]], chosen: str) -> None:
        """Lay a list to choose one of, each (value, label)."""
        labels = {label: value for value, label in options}
        first = next((label for value, label in options if value == chosen), next(iter(labels), ""))
        made = UIDropDownMenu(list(labels), first, self._rect(place), self._manager, self._holder)
        self._values[made] = labels
        self._keep(made, word)

    def entry(self, place: Place, word: str, text: str, hint: str = "") -> None:
        """Lay a line to type in; ``Did`` comes with every change."""
        made = UITextEntryLine(self._rect(place), self._manager, self._holder, placeholder_text=hint or None)
        made.set_text(text)
        self._keep(made, word)
        if word == self._focus:
            focus: Any = made.focus
            focus()

    def slider(self, place: Place, word: str, value: float, low: float, high: float, step: float) -> None:
        """Lay a slider."""
        made = UIHorizontalSlider(
            self._rect(place), value, (low, high), self._manager, self._holder, click_increment=step
        )
        self._keep(made, word)

    # --- while they lie there ----------------------------------------------------------------------------------------

    def write(self, word: str, html: str) -> None:
        """Write another text into a box or an entry."""
        made = self._made[word]
        if isinstance(made, UITextBox):
            write(made, html)
            if self.area is not None and self.area.holds(made):
                self.area.fit()
        else:
            made.set_text(html)

    def set_open(self, word: str, open_: bool) -> None:
        """Let a button be pressed from now on, or no longer."""
        made = self._made[word]
        if made.is_enabled != open_:
            change: Any = made.enable if open_ else made.disable
            change()

    def set_pressed(self, word: str, pressed: bool) -> None:
        """Show a button pressed in, or not."""
        made = self._made[word]
        if made.is_selected != pressed:
            set_pressed(made, pressed)

    @property
    def typing(self) -> bool:
        """Whether keys go into an entry now."""
        return any(isinstance(made, UITextEntryLine) and made.is_focused for made in self._made.values())

    @property
    def typed_in(self) -> str | None:
        """The word of the entry that somebody is typing in, None while there is none."""
        entries = ((word, made) for word, made in self._made.items() if isinstance(made, UITextEntryLine))
        return next((word for word, made in entries if made.is_focused), None)

    def type_in(self, word: str) -> None:
        """Let keys go into an entry: what is typed takes the place of what stands there."""
        self.turn_to(word)
        made = self._made[word]
        made.focus()
        made.select_range = [0, len(made.get_text())]

    def leave(self) -> None:
        """Let nobody type any longer."""
        self._manager.set_focus_set(None)

    def turn_to(self, word: str) -> None:
        """Scroll until what sends a word is seen."""
        made = self._made.get(word)
        if made is not None and self.area is not None and self.area.holds(made):
            self.area.into_sight(made.get_abs_rect())

    @property
    def words(self) -> dict[str, pygame.Rect]:
        """The words that can be sent now, and where on the window their widgets are seen."""
        found = {word: self._seen(made) for word, made in self._made.items() if made.is_enabled}
        return {word: place for word, place in found.items() if place.width and place.height}

    def _seen(self, made: Any) -> pygame.Rect:
        place = pygame.Rect(made.get_abs_rect())
        return self.area.seen(place) if self.area is not None and self.area.holds(made) else place

    def covers(self, pixel: tuple[int, int]) -> bool:
        """True where a widget lies."""
        return any(self._seen(made).collidepoint(pixel) for made in self._made.values())

    def handle(self, event: pygame.event.Event) -> Did | None:
        """Return what a player did with ``event``; ``Did("")`` when a widget used it up otherwise, else None."""
        used = self.walk.handle(event) or self._manager.process_events(event)
        used = used or (self.area is not None and self.area.wheel(event))
        element: Any = getattr(event, "ui_element", None)
        word = self._words.get(element)
        value = _NOTHING if word is None else _value(event)
        if word is None or value is _NOTHING:
            return Did("") if used else None
        return Did(word, self._values.get(element, {}).get(value, value) if isinstance(value, str) else value)

    def update(self, seconds: float) -> None:
        """Let the widgets know that time has passed."""
        self._manager.update(seconds)
        if self.area is not None:
            self.area.update()

    def draw(self, surface: pygame.Surface) -> None:
        """Draw them."""
        self._manager.draw_ui(surface)
        self.walk.draw(surface, self.scale)

    def _rect(self, place: Place) -> pygame.Rect:
        """Return a place in pixels, from the corner of what holds the widgets being laid."""
        left, top, wide, high = (round(n * self.scale) for n in place)
        if self.area is not None and self._into_area:
            left, top = left - self.area.view.left, top - self.area.view.top
        return pygame.Rect(left, top, wide, high)

    @property
    def _holder(self) -> Any:
        return self.area.inner if self.area is not None and self._into_area else None

    def _keep(self, made: Any, word: str) -> None:
        if word:
            self._words[made] = word
            self._made[word] = made


_NOTHING = object()
#: What the new value of a widget is called in the event that tells of it.
_VALUES = {
    pygame_gui.UI_BUTTON_PRESSED: None,
    pygame_gui.UI_DROP_DOWN_MENU_CHANGED: "text",
    pygame_gui.UI_TEXT_ENTRY_CHANGED: "text",
    pygame_gui.UI_HORIZONTAL_SLIDER_MOVED: "value",
    pygame_gui.UI_TEXT_BOX_LINK_CLICKED: "link_target",
}


def _value(event: pygame.event.Event) -> Any:
    if event.type not in _VALUES:
        return _NOTHING
    name = _VALUES[event.type]
    return None if name is None else getattr(event, name)
