"""Widgets for a screen, placed explicitly: buttons, labels, texts, choices, entries and sliders.

They are pygame_gui's, which only this file, the two panels and their helpers know, so that it could be replaced.
Places are in design pixels; the scale is applied here. A player's action is reported as a plain ``Did``.
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

#: Left, top, width and height in design pixels.
Place = tuple[float, float, float, float]


@dataclass(frozen=True)
class Did:
    """A player's action: the widget's word, and the new value of a choice, an entry, a slider or a link."""

    word: str
    value: Any = None


class Widgets:
    """All widgets of one screen. ``clear`` removes them, so that they can be laid out again."""

    def __init__(self, window: tuple[int, int], scale: float) -> None:
        self.scale = scale
        self._manager: pygame_gui.UIManager = manager(window, scale)
        self.walk = Walk(self._manager)
        self._words: dict[UIElement, str] = {}
        self._values: dict[UIElement, dict[str, str]] = {}
        self._made: dict[str, Any] = {}
        self._focus: str | None = None
        #: The scrolling area, if there is one, and whether widgets are being laid out in it.
        self.area: Area | None = None
        self._into_area = False

    # --- laying out --------------------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Remove every widget; an entry with the focus is remembered."""
        self._focus = next((w for w, made in self._made.items() if getattr(made, "is_focused", False)), None)
        wipe(self._manager)
        self.area = self.walk.area = None
        self._words.clear()
        self._values.clear()
        self._made.clear()

    def close(self) -> None:
        """Destroy the widgets."""
        self.clear()
        shut(self._manager)

    def resized(self, window: tuple[int, int]) -> None:
        """Adapt to another window size; the widgets must be laid out again afterwards."""
        self._manager.set_window_resolution(window)
        self.clear()

    @contextmanager
    def scrolling(self, place: Place) -> Iterator[None]:
        """Lay out the widgets added in this context in a scrolling part of the window."""
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
        """Add a button that sends ``word``; style ``#strong`` marks the usual choice of a screen."""
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
        """Add one line of text."""
        UILabel(self._rect(place), text, self._manager, self._holder, object_id=style)

    def box(self, place: Place, html: str, word: str = "", *, whole: bool = False) -> None:
        """Add a text, which scrolls if it is too long, or with ``whole`` is as tall as it needs.

        Its links send ``word`` with their target.
        """
        rect = self._rect(place)
        if whole:
            rect.height = -1
        made = UITextBox("", rect, self._manager, container=self._holder)
        widen_bar(made, self.scale)
        write(made, html)
        self._keep(made, word)

    def choice(self, place: Place, word: str, options: Sequence[tuple[str, str]], chosen: str) -> None:
        """Add a drop-down list of options, each (value, label)."""
        labels = {label: value for value, label in options}
        first = next((label for value, label in options if value == chosen), next(iter(labels), ""))
        made = UIDropDownMenu(list(labels), first, self._rect(place), self._manager, self._holder)
        self._values[made] = labels
        self._keep(made, word)

    def entry(self, place: Place, word: str, text: str, hint: str = "") -> None:
        """Add a line to type in; ``Did`` comes with every change."""
        made = UITextEntryLine(self._rect(place), self._manager, self._holder, placeholder_text=hint or None)
        made.set_text(text)
        self._keep(made, word)
        if word == self._focus:
            focus: Any = made.focus
            focus()

    def slider(self, place: Place, word: str, value: float, low: float, high: float, step: float) -> None:
        """Add a slider."""
        made = UIHorizontalSlider(
            self._rect(place), value, (low, high), self._manager, self._holder, click_increment=step
        )
        self._keep(made, word)

    # --- after laying out --------------------------------------------------------------------------------------------

    def write(self, word: str, html: str) -> None:
        """Replace the text of a box or an entry."""
        made = self._made[word]
        if isinstance(made, UITextBox):
            write(made, html)
            if self.area is not None and self.area.holds(made):
                self.area.fit()
        else:
            made.set_text(html)

    def set_open(self, word: str, open_: bool) -> None:
        """Enable a button, or disable it."""
        made = self._made[word]
        if made.is_enabled != open_:
            change: Any = made.enable if open_ else made.disable
            change()

    def set_pressed(self, word: str, pressed: bool) -> None:
        """Show a button as pressed, or not."""
        made = self._made[word]
        if made.is_selected != pressed:
            set_pressed(made, pressed)

    @property
    def typing(self) -> bool:
        """Whether keys go to an entry now."""
        return any(isinstance(made, UITextEntryLine) and made.is_focused for made in self._made.values())

    @property
    def typed_in(self) -> str | None:
        """The word of the entry that has the focus, None if none has."""
        entries = ((word, made) for word, made in self._made.items() if isinstance(made, UITextEntryLine))
        return next((word for word, made in entries if made.is_focused), None)

    def type_in(self, word: str) -> None:
        """Give an entry the focus with its text selected, so that typing replaces it."""
        self.turn_to(word)
        made = self._made[word]
        made.focus()
        made.select_range = [0, len(made.get_text())]

    def leave(self) -> None:
        """Take the focus from every entry."""
        self._manager.set_focus_set(None)

    def turn_to(self, word: str) -> None:
        """Scroll until the widget of a word is visible."""
        made = self._made.get(word)
        if made is not None and self.area is not None and self.area.holds(made):
            self.area.into_sight(made.get_abs_rect())

    @property
    def words(self) -> dict[str, pygame.Rect]:
        """The words that can be sent now, with the visible places of their widgets in the window."""
        places = {word: self._seen(made) for word, made in self._made.items() if made.is_enabled}
        return {word: place for word, place in places.items() if place.width and place.height}

    def _seen(self, made: Any) -> pygame.Rect:
        place = pygame.Rect(made.get_abs_rect())
        return self.area.seen(place) if self.area is not None and self.area.holds(made) else place

    def covers(self, pixel: tuple[int, int]) -> bool:
        """Return whether a widget lies at a pixel."""
        return any(self._seen(made).collidepoint(pixel) for made in self._made.values())

    def handle(self, event: pygame.event.Event) -> Did | None:
        """Return the player's action in ``event``; ``Did("")`` if a widget used it up otherwise, else None."""
        used = self.walk.handle(event) or self._manager.process_events(event)
        used = used or (self.area is not None and self.area.wheel(event))
        element: Any = getattr(event, "ui_element", None)
        word = self._words.get(element)
        value = _NOTHING if word is None else _value(event)
        if word is None or value is _NOTHING:
            return Did("") if used else None
        return Did(word, self._values.get(element, {}).get(value, value) if isinstance(value, str) else value)

    def update(self, seconds: float) -> None:
        """Advance the widgets' time."""
        self._manager.update(seconds)
        if self.area is not None:
            self.area.update()

    def draw(self, surface: pygame.Surface) -> None:
        """Draw them."""
        self._manager.draw_ui(surface)
        self.walk.draw(surface, self.scale)

    def _rect(self, place: Place) -> pygame.Rect:
        """Return a place in pixels, relative to the container of the widgets being laid out."""
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
#: Name of a widget's new value in each event that carries one.
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
