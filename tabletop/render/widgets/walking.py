"""Keyboard navigation of a screen's widgets: Ctrl-Tab starts and ends it; Tab and arrows move the focus, Enter presses.

It reaches buttons, links in texts, entries, drop-down lists and sliders, in reading order. The widgets are
pygame_gui's; pressing one by key posts the same event as a click.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pygame
import pygame_gui
from pygame_gui.elements import UIButton, UIDropDownMenu, UIHorizontalSlider, UITextBox, UITextEntryLine

from tabletop.render.drawing.theme import colour
from tabletop.render.widgets.scrolling import Area

#: Keys that move the focus, with their steps; keys that leave an entry; keys that press.
STEPS = {pygame.K_TAB: 1, pygame.K_DOWN: 1, pygame.K_RIGHT: 1, pygame.K_UP: -1, pygame.K_LEFT: -1}
LEAVES = (pygame.K_TAB, pygame.K_UP, pygame.K_DOWN)
PRESSES = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE)
#: Pixels of the frame around the focus, of its margin, and of the height within which widgets count as one row.
FRAME, AIR, ROW = 2, 3, 8


@dataclass(frozen=True)
class Stop:
    """Something that can get the focus: its widget, its place in the window, and the target if it is a link.

    For anything that is not a widget, ``link`` is its word.
    """

    widget: Any
    place: pygame.Rect
    link: str = ""
    #: The number of a link in its text; the text itself, which scrolls, comes after its links.
    number: int = 0

    @property
    def same_as(self) -> tuple[Any, str, int]:
        """Its identity, wherever it is scrolled to."""
        return self.widget, self.link, self.number

    @property
    def order(self) -> tuple[int, int, int]:
        """Its place in reading order: by rows, from left to right; a link comes where its text is."""
        if isinstance(self.widget, UITextBox):
            return self.widget.rect.top // ROW, self.widget.rect.left, self.number
        return self.place.centery // ROW, self.place.left, 0


class Walk:
    """The keyboard navigation of a manager's widgets: whether it is on, and the focus."""

    def __init__(self, manager: pygame_gui.UIManager) -> None:
        self._manager = manager
        self.on = False
        #: Further things that can be pressed, by word, and the word of one just pressed.
        self.also: Callable[[], Mapping[str, pygame.Rect]] = dict
        self.word = ""
        #: The scrolling part of the window, if there is one.
        self.area: Area | None = None
        self._at: tuple[int, int] | None = None
        self._reached: tuple[Any, str, int] | None = None

    def stops(self) -> list[Stop]:
        """Return everything that can get the focus now, in reading order."""
        widgets = [w for w in self._manager.get_sprite_group().sprites() if getattr(w, "visible", False)]
        reachable = [stop for widget in widgets for stop in _stops_of(widget)]
        reachable = [stop for stop in reachable if not _hidden(stop, widgets)]
        reachable += [Stop(None, place, word) for word, place in self.also().items()]
        return sorted(reachable, key=lambda stop: (self._band(stop), *stop.order))

    def _band(self, stop: Stop) -> int:
        """Return 0 for a stop above the scrolling part, 1 for one in it, visible or not, and 2 for one below."""
        if self.area is None or self.area.holds(stop.widget):
            return 1
        return 0 if stop.place.centery < self.area.view.centery else 2

    @property
    def stop(self) -> Stop | None:
        """The stop that has the focus."""
        stops = self.stops() if self.on else []
        return stops[self._number(stops)] if stops else None

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event; return whether it was for the navigation."""
        self.word = ""
        if event.type == pygame.MOUSEBUTTONDOWN:
            self.on = False
        if event.type != pygame.KEYDOWN:
            return False
        if event.key == pygame.K_TAB and event.mod & pygame.KMOD_CTRL:
            self.on, self._at = not self.on, None
            return True
        if not self.on:
            return False
        if event.key == pygame.K_ESCAPE:
            self.on = False
            return True
        if self._typing and event.key not in LEAVES:
            return False
        stops = self.stops()
        if event.key in STEPS and stops:
            self._go(stops, -1 if event.mod & pygame.KMOD_SHIFT else STEPS[event.key], event.key)
        elif event.key in PRESSES and stops:
            self._press(stops[self._number(stops)])
        return event.key in STEPS or event.key in PRESSES

    @property
    def _typing(self) -> bool:
        """Whether keys go into an entry."""
        manager: Any = self._manager  # pygame_gui leaves some methods untyped
        return any(isinstance(widget, UITextEntryLine) for widget in manager.get_focus_set() or ())

    def draw(self, surface: pygame.Surface, scale: float) -> None:
        """Draw a frame around the focus."""
        stop = self.stop
        if stop is not None:
            air = round(AIR * scale)
            place, wide = stop.place.inflate(2 * air, 2 * air), max(1, round(FRAME * scale))
            if self.area is not None and self.area.holds(stop.widget):
                surface.set_clip(self.area.view)
            pygame.draw.rect(surface, colour("room", "focus"), place, wide)
            surface.set_clip(None)

    def _press(self, stop: Stop) -> None:
        if stop.widget is None:
            self.word = stop.link
        else:
            _press(stop)

    def _number(self, stops: list[Stop]) -> int:
        """Return the number of the focused stop; after a new layout, of the one nearest to its old place.

        In a scrolling part a place does not identify a stop: what is scrolled away lies where others are visible.
        """
        if self._at is None:
            return 0
        for k, stop in enumerate(stops):
            if stop.widget is not None and stop.same_as == self._reached:
                return k
        x, y = self._at
        return min(range(len(stops)), key=lambda k: abs(stops[k].place.left - x) + 4 * abs(stops[k].place.centery - y))

    def _go(self, stops: list[Stop], step: int, key: int) -> None:
        number = self._number(stops)
        if key in (pygame.K_LEFT, pygame.K_RIGHT) and _changed(stops[number], step):
            self._at = (stops[number].place.left, stops[number].place.centery)
            return
        if self._typing:
            self._manager.set_focus_set(None)
        reached = stops[(number + step) % len(stops)]
        self._reached = reached.same_as
        self._at = (reached.place.left, reached.place.centery - self._into_sight(reached))

    def _into_sight(self, stop: Stop) -> int:
        """Scroll until a stop is visible; return by how many pixels it has moved up."""
        moved = _into_sight(stop)
        if self.area is not None and self.area.holds(stop.widget):
            moved += self.area.into_sight(stop.place.move(0, -moved))
        return moved


def _stops_of(widget: Any) -> Iterator[Stop]:
    if isinstance(widget, UITextBox):
        links = tuple(getattr(widget, "link_hover_chunks", ()))
        for number, chunk in enumerate(links):
            yield Stop(widget, _in_text(widget, chunk), str(chunk.href), number)
        if widget.scroll_bar is not None:
            yield Stop(widget, _place(widget), number=len(links))
    elif isinstance(widget, UIDropDownMenu | UIHorizontalSlider | UITextEntryLine):
        if widget.is_enabled:
            yield Stop(widget, _place(widget))
    elif isinstance(widget, UIButton) and widget.is_enabled and not _a_part(widget):
        yield Stop(widget, _place(widget))


def _place(widget: Any) -> pygame.Rect:
    return pygame.Rect(widget.get_abs_rect())


def _a_part(button: Any) -> bool:
    """Return whether a button belongs to a scroll bar, a drop-down list or a slider."""
    return any("arrow" in name or "sliding" in name or "option" in name or "expand" in name for name in _names(button))


def _names(button: Any) -> list[str]:
    return [str(name) for name in (*button.object_ids[-1:], *button.element_ids[-1:], *button.class_ids[-1:])]


def _in_text(box: Any, chunk: pygame.Rect) -> pygame.Rect:
    """Return the place of a link in the window, as if it were not scrolled out of view."""
    across, down = box.rounded_corner_width_offsets[0], box.rounded_corner_height_offsets[0]
    left = box.rect.left + box.padding[0] + box.border_width["left"] + box.shadow_width + across
    top = box.rect.top + box.padding[1] + box.border_width["top"] + box.shadow_width + down
    return pygame.Rect(left + chunk.x, top + chunk.y - round(_scrolled(box)), chunk.width, chunk.height)


def _scrolled(box: Any) -> float:
    """Return by how many pixels a text is scrolled down."""
    return 0.0 if box.scroll_bar is None else box.scroll_bar.start_percentage * box.text_box_layout.layout_rect.height


def _into_sight(stop: Stop) -> int:
    """Scroll a link's text until the link is visible; return by how many pixels it has moved up."""
    box: Any = stop.widget
    if not stop.link or getattr(box, "scroll_bar", None) is None:
        return 0
    if box.rect.inflate(-AIR, -AIR).contains(stop.place):
        return 0
    before, high = _scrolled(box), box.text_box_layout.layout_rect.height
    wanted = before + stop.place.centery - box.rect.centery
    box.scroll_bar.set_scroll_from_start_percentage(min(1.0, max(0.0, wanted / high)))
    box.scroll_bar.has_moved_recently = True
    return round(_scrolled(box) - before)


def _hidden(stop: Stop, widgets: list[Any]) -> bool:
    """Return whether a panel of a higher layer covers a stop."""
    over = (w for w in widgets if isinstance(w, pygame_gui.elements.UIPanel) and w.layer > stop.widget.layer)
    return any(w.get_abs_rect().collidepoint(stop.place.center) for w in over)


def _press(stop: Stop) -> None:
    """Do what a click on it would do."""
    widget: Any = stop.widget
    if stop.link:
        _post(pygame_gui.UI_TEXT_BOX_LINK_CLICKED, widget, link_target=stop.link)
    elif isinstance(widget, UITextEntryLine):
        widget.ui_manager.set_focus_set(widget.get_focus_set())
    elif isinstance(widget, UIDropDownMenu | UIHorizontalSlider):
        _changed(stop, 1)
    elif isinstance(widget, UITextBox):
        _page_down(widget)
    else:
        _post(pygame_gui.UI_BUTTON_PRESSED, widget)


def _page_down(box: Any) -> None:
    """Scroll a text down by its visible height, from its end back to the beginning."""
    bar = box.scroll_bar
    at_end = bar.start_percentage + bar.visible_percentage >= 1.0 - 1e-3
    bar.set_scroll_from_start_percentage(0.0 if at_end else bar.start_percentage + bar.visible_percentage)
    bar.has_moved_recently = True


def _changed(stop: Stop, step: int) -> bool:
    """Go to the next value of a list or a slider; return whether it is one."""
    widget: Any = stop.widget
    if isinstance(widget, UIDropDownMenu):
        labels = [option[0] if isinstance(option, tuple) else option for option in widget.options_list]
        now = widget.selected_option[0]
        index = labels.index(now) if now in labels else 0
        _post(pygame_gui.UI_DROP_DOWN_MENU_CHANGED, widget, text=labels[(index + step) % len(labels)])
        return True
    if isinstance(stop.widget, UIHorizontalSlider):
        low, high = widget.value_range
        value = min(high, max(low, widget.get_current_value() + step * widget.increment))
        widget.set_current_value(value)
        _post(pygame_gui.UI_HORIZONTAL_SLIDER_MOVED, widget, value=value)
        return True
    return False


def _post(kind: int, widget: Any, **what: Any) -> None:
    pygame.event.post(pygame.event.Event(kind, {"ui_element": widget, **what}))
