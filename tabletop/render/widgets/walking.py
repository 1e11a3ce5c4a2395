"""Going through the widgets of a screen by keys: Ctrl-Tab begins and ends it; Tab and the arrows go on, Enter presses.

Buttons, links in texts, lines to type in, lists to choose from and sliders are reached, in reading order. The widgets
are pygame_gui's; what is pressed here is told by the same events as what is clicked.
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

#: Keys that go on, and the step they take; those that lead out of a line
#: that is typed in; those that press.
STEPS = {pygame.K_TAB: 1, pygame.K_DOWN: 1, pygame.K_RIGHT: 1, pygame.K_UP: -1, pygame.K_LEFT: -1}
LEAVES = (pygame.K_TAB, pygame.K_UP, pygame.K_DOWN)
PRESSES = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE)
#: Pixels of the frame round what is reached, of its air, and within which two widgets stand in one row.
FRAME, AIR, ROW = 2, 3, 8


@dataclass(frozen=True)
class Stop:
    """Something that can be reached: its widget, where it lies on the window, and what its link names, if it is one.

    What is no widget has its word there.
    """

    widget: Any
    place: pygame.Rect
    link: str = ""
    #: The number of a link in its text; what scrolls the text comes after all of them.
    number: int = 0

    @property
    def same_as(self) -> tuple[Any, str, int]:
        """What tells it from the others, wherever it is scrolled to."""
        return self.widget, self.link, self.number

    @property
    def order(self) -> tuple[int, int, int]:
        """Where it comes in reading order: by rows, from left to right; a link where its text stands."""
        if isinstance(self.widget, UITextBox):
            return self.widget.rect.top // ROW, self.widget.rect.left, self.number
        return self.place.centery // ROW, self.place.left, 0


class Walk:
    """Where somebody is who goes through the widgets of a manager by keys."""

    def __init__(self, manager: pygame_gui.UIManager) -> None:
        self._manager = manager
        self.on = False
        #: What can be pressed besides the widgets, by its words, and the word of such a one just pressed.
        self.also: Callable[[], Mapping[str, pygame.Rect]] = dict
        self.word = ""
        #: The part of the window that scrolls, if there is one.
        self.area: Area | None = None
        self._at: tuple[int, int] | None = None
        self._reached: tuple[Any, str, int] | None = None

    def stops(self) -> list[Stop]:
        """Return all that can be reached now, in reading order."""
        widgets = [w for w in self._manager.get_sprite_group().sprites() if getattr(w, "visible", False)]
        found = [stop for widget in widgets for stop in _stops_of(widget)]
        found = [stop for stop in found if not _hidden(stop, widgets)]
        found += [Stop(None, place, word) for word, place in self.also().items()]
        return sorted(found, key=lambda stop: (self._band(stop), *stop.order))

    def _band(self, stop: Stop) -> int:
        """Return 0 for what stands above the part that scrolls, 1 for what is in it, seen or not, and 2 below it."""
        if self.area is None or self.area.holds(stop.widget):
            return 1
        return 0 if stop.place.centery < self.area.view.centery else 2

    @property
    def stop(self) -> Stop | None:
        """What is reached now."""
        stops = self.stops() if self.on else []
        return stops[self._number(stops)] if stops else None

    def handle(self, event: pygame.event.Event) -> bool:
        """Take in an event; return whether it was for the walk."""
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
        """Whether keys go into a line."""
        manager: Any = self._manager  # pygame_gui leaves some methods untyped
        return any(isinstance(widget, UITextEntryLine) for widget in manager.get_focus_set() or ())

    def draw(self, surface: pygame.Surface, scale: float) -> None:
        """Frame what is reached."""
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
        """Return the number of the stop reached: where widgets were laid anew, that of the nearest to where it was.

        Places alone do not tell it where something scrolls: what is scrolled away lies where others are seen.
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
        """Scroll until a stop is seen; return by how many pixels it has moved up."""
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
    """Say whether a button belongs to a bar that scrolls, a list to choose from or a slider."""
    return any("arrow" in name or "sliding" in name or "option" in name or "expand" in name for name in _names(button))


def _names(button: Any) -> list[str]:
    return [str(name) for name in (*button.object_ids[-1:], *button.element_ids[-1:], *button.class_ids[-1:])]


def _in_text(box: Any, chunk: pygame.Rect) -> pygame.Rect:
    """Return where a link lies on the window, or would lie, where it is scrolled away."""
    across, down = box.rounded_corner_width_offsets[0], box.rounded_corner_height_offsets[0]
    left = box.rect.left + box.padding[0] + box.border_width["left"] + box.shadow_width + across
    top = box.rect.top + box.padding[1] + box.border_width["top"] + box.shadow_width + down
    return pygame.Rect(left + chunk.x, top + chunk.y - round(_scrolled(box)), chunk.width, chunk.height)


def _scrolled(box: Any) -> float:
    """Return how many pixels a text is scrolled down."""
    return 0.0 if box.scroll_bar is None else box.scroll_bar.start_percentage * box.text_box_layout.layout_rect.height


def _into_sight(stop: Stop) -> int:
    """Scroll a link's text until it is seen; return by how many pixels it has moved up."""
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
    """Say whether a panel of a higher layer lies over a stop."""
    over = (w for w in widgets if isinstance(w, pygame_gui.elements.UIPanel) and w.layer > stop.widget.layer)
    return any(w.get_abs_rect().collidepoint(stop.place.center) for w in over)


def _press(stop: Stop) -> None:
    """Do what a click on it does."""
    widget: Any = stop.widget
    if stop.link:
        _tell(pygame_gui.UI_TEXT_BOX_LINK_CLICKED, widget, link_target=stop.link)
    elif isinstance(widget, UITextEntryLine):
        widget.ui_manager.set_focus_set(widget.get_focus_set())
    elif isinstance(widget, UIDropDownMenu | UIHorizontalSlider):
        _changed(stop, 1)
    elif isinstance(widget, UITextBox):
        _page_down(widget)
    else:
        _tell(pygame_gui.UI_BUTTON_PRESSED, widget)


def _page_down(box: Any) -> None:
    """Scroll a text on by what is seen of it, from its end back to its beginning."""
    bar = box.scroll_bar
    at_end = bar.start_percentage + bar.visible_percentage >= 1.0 - 1e-3
    bar.set_scroll_from_start_percentage(0.0 if at_end else bar.start_percentage + bar.visible_percentage)
    bar.has_moved_recently = True


def _changed(stop: Stop, step: int) -> bool:
    """Go on to the next value of a list or a slider; return whether it is one."""
    widget: Any = stop.widget
    if isinstance(widget, UIDropDownMenu):
        labels = [option[0] if isinstance(option, tuple) else option for option in widget.options_list]
        now = widget.selected_option[0]
        there = labels.index(now) if now in labels else 0
        _tell(pygame_gui.UI_DROP_DOWN_MENU_CHANGED, widget, text=labels[(there + step) % len(labels)])
        return True
    if isinstance(stop.widget, UIHorizontalSlider):
        low, high = widget.value_range
        value = min(high, max(low, widget.get_current_value() + step * widget.increment))
        widget.set_current_value(value)
        _tell(pygame_gui.UI_HORIZONTAL_SLIDER_MOVED, widget, value=value)
        return True
    return False


def _tell(kind: int, widget: Any, **what: Any) -> None:
    pygame.event.post(pygame.event.Event(kind, {"ui_element": widget, **what}))
