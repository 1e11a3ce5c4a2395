"""What a screen is, and how it says where it wants to go; ``router`` takes the player there between two frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import pygame

from tabletop.render.destinations import Destination
from tabletop.render.drawing import measures, theme
from tabletop.render.settings.model import Settings


class Screen(Protocol):
    """One thing the window shows. ``going`` is where it wants to go next, None while it stays.

    It may also have ``fills_screen``, True when it wants all the screen, ``dropped(path) -> bool``, True when it takes
    a file dropped on it, ``unkept``, a sentence on what would be lost with it, empty while all is kept: then it is left
    only when that is asked for twice, and ``covered()``, called when it lies deep under others: it drops
    pictures it can paint again.
    """

    going: Going | None

    def frame(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        """Take in what has happened since the last frame and draw on the display surface (without flipping it)."""

    def shown(self, look: Look) -> None:
        """Fit the window as it is now: its size, scale or settings may have changed while another was on top."""

    def close(self) -> None:
        """End what runs in the background."""


@dataclass(frozen=True)
class Look:
    """How things are to look: the player's settings, and what the screen itself magnifies (2 on a fine one)."""

    settings: Settings
    density: float = 1.0

    @property
    def scale(self) -> float:
        """Pixels to one pixel of the design."""
        return self.density * self.settings.scale

    def put_on(self) -> None:
        """Let everything that is drawn and said from now on follow the settings."""
        theme.wear(self.settings.palette, self.settings.symbols, self.settings.look)
        measures.wish(self.settings.units)


#: Makes a screen for the window as it is; TabletopError, in one clear line, when it cannot be made.
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
    """Leave this screen; the program ends when it was the last. ``home`` leaves all but the first."""

    home: bool = False


@dataclass(frozen=True)
class Set:
    """Take over other settings; they are kept, and every screen is shown anew."""

    settings: Settings


@dataclass(frozen=True)
class Keep:
    """Keep other settings, which this screen follows already and the others will when they are shown."""

    settings: Settings


@dataclass(frozen=True)
class Leave:
    """End the program."""


Going = Open | Go | Back | Set | Keep | Leave
