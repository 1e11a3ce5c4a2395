"""The protocol of a screen, and how it requests the next one; ``router`` goes there between two frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import pygame

from tabletop.render.destinations import Destination
from tabletop.render.drawing import measures, theme
from tabletop.render.settings.model import Settings


class Screen(Protocol):
    """One screen of the window. ``going`` is where it wants to go next, None while it stays.

    Optional attributes: ``fills_screen``, True to fill the whole display; ``dropped(path) -> bool``, which returns True
    if it takes a dropped file; ``unkept``, a sentence on what would be lost by leaving it (empty if nothing), because
    of which leaving must be asked for twice; and ``covered()``, called when it lies deep under others, to drop pictures
    it can paint again.
    """

    going: Going | None

    def frame(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        """Handle the events since the last frame and draw on the display surface (without flipping it)."""

    def shown(self, look: Look) -> None:
        """Adapt to the present window: size, scale or settings may have changed while another screen was on top."""

    def close(self) -> None:
        """Stop the background work."""


@dataclass(frozen=True)
class Look:
    """The look of things: the player's settings, and the screen's own magnification (2 on a high-resolution one)."""

    settings: Settings
    density: float = 1.0

    @property
    def scale(self) -> float:
        """Screen pixels to a design pixel."""
        return self.density * self.settings.scale

    def put_on(self) -> None:
        """Apply the settings to everything drawn and written from now on."""
        theme.apply_theme(self.settings.palette, self.settings.symbols, self.settings.look)
        measures.wish(self.settings.units)


#: Makes a screen for the present window; raises TabletopError, in one clear line, if it cannot.
Maker = Callable[[Look], Screen]


@dataclass(frozen=True)
class Open:
    """Go to a new screen, over the present one or ``instead`` of it."""

    make: Maker
    instead: bool = False


@dataclass(frozen=True)
class Go:
    """Go to a destination, over the present screen or ``instead`` of it."""

    to: Destination
    instead: bool = False


@dataclass(frozen=True)
class Back:
    """Leave this screen; the program ends after the last one. ``home`` leaves all but the first."""

    home: bool = False


@dataclass(frozen=True)
class Set:
    """Take over new settings: they are saved, and every screen adapts."""

    settings: Settings


@dataclass(frozen=True)
class Keep:
    """Save new settings that this screen already follows; the others adapt when they are shown."""

    settings: Settings


@dataclass(frozen=True)
class Leave:
    """End the program."""


Going = Open | Go | Back | Set | Keep | Leave
