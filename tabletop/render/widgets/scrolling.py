"""A part of the window whose widgets scroll vertically if there are more of them than fit."""

from __future__ import annotations

from typing import Any

import pygame
import pygame_gui
from pygame_gui.core import UIContainer
from pygame_gui.elements import UIDropDownMenu, UIVerticalScrollBar

from tabletop.render.widgets.styles import FONT

#: Design pixels: the bar at the right edge, scrolling by a wheel notch, the margin around a widget scrolled into view.
BAR, NOTCH, AIR = 10.0, 60.0, 6.0


class Area:
    """A view on a taller container. Widgets are placed in ``inner``; ``fit`` is called when all are placed."""

    def __init__(self, manager: pygame_gui.UIManager, place: pygame.Rect, scale: float) -> None:
        self._scale = scale
        self.view = pygame.Rect(place)
        outer = UIContainer(place, manager)
        bar = round(BAR * scale)
        self.inner = UIContainer(pygame.Rect(0, 0, place.width - bar, place.height), manager, container=outer)
        self._bar: Any = UIVerticalScrollBar(pygame.Rect(place.width - bar, 0, bar, place.height), 1.0, manager, outer)

    @property
    def most(self) -> int:
        """The maximum scroll in pixels."""
        return int(self.inner.rect.height) - self.view.height

    @property
    def scrolled(self) -> int:
        """The present scroll in pixels."""
        return self.view.top - int(self.inner.rect.top)

    def holds(self, widget: Any) -> bool:
        """Return whether a widget is placed in it."""
        return getattr(widget, "ui_container", None) is self.inner

    def seen(self, place: pygame.Rect) -> pygame.Rect:
        """Return the visible part of a place in it."""
        return place.clip(self.view)

    def fit(self) -> None:
        """Adjust the height to the widgets, and show the bar if not all of them are visible."""
        bottoms = [widget.rect.bottom for widget in self.inner.elements]
        high = max(self.view.height, max(bottoms, default=0) - int(self.inner.rect.top))
        self.inner.set_dimensions((self.inner.rect.width, high))
        if self.most:
            self._bar.show()
            self._bar.set_visible_percentage(self.view.height / high)
        else:
            self._bar.hide()
        self.scroll_to(self.scrolled)

    def scroll_to(self, pixels: float) -> None:
        """Scroll to a number of pixels from the top, within the limits."""
        self._moved(pixels)
        self._bar.set_scroll_from_start_percentage(self.scrolled / self.inner.rect.height)
        self._bar.has_moved_recently = False

    def into_sight(self, place: pygame.Rect) -> int:
        """Scroll until a place in it is visible; return by how many pixels the content has moved up."""
        before, air = self.scrolled, round(AIR * self._scale)
        down = max(0, place.bottom + air - self.view.bottom)
        up = max(0, self.view.top - (place.top - air))
        self.scroll_to(before + (down if not up else -up))
        return self.scrolled - before

    def wheel(self, event: pygame.event.Event) -> bool:
        """Scroll by the wheel of a mouse over it; return whether it did."""
        if event.type != pygame.MOUSEWHEEL or not self.most or not self.view.collidepoint(pygame.mouse.get_pos()):
            return False
        self.scroll_to(self.scrolled - event.y * NOTCH * self._scale)
        return True

    def update(self) -> None:
        """Follow the bar."""
        if self.most and self._bar.check_has_moved_recently():
            self._moved(self._bar.start_percentage * self.inner.rect.height)

    def _moved(self, pixels: float) -> None:
        self.inner.set_relative_position((0, -round(min(self.most, max(0.0, pixels)))))
        for menu in self.inner.elements:
            if isinstance(menu, UIDropDownMenu):
                self._opens_inside(menu)

    def _opens_inside(self, menu: Any) -> None:
        """Let a drop-down list open inside the view: below, or above if there is more room."""
        below, above = self.view.bottom - menu.rect.bottom, menu.rect.top - self.view.top
        wanted = len(menu.options_list) * 2 * round(FONT * self._scale)
        menu.expand_direction = "up" if below < wanted and above > below else "down"
        menu.expansion_height_limit = max(0, above if menu.expand_direction == "up" else below)
        menu.menu_states["expanded"].expand_direction = menu.expand_direction
