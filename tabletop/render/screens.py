"""The one window and what it shows: a stack of screens, of which the topmost is seen and hears the events.

A screen never opens another by itself. It says where it wants to go (``going``), and the program goes there between two
frames. Whatever goes wrong inside a screen is caught here: a calm word, a report file, and the game goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import pygame

from tabletop.errors import TabletopError
from tabletop.render import mishap, notices
from tabletop.render.settings import Settings

#: Frames in a row that may fail before a screen is left.
MOST_FAILURES = 3


class Screen(Protocol):
    """One thing the window shows. ``going`` is where it wants to go next, None while it stays."""

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


#: Makes a screen for the window as it is; TabletopError, in one clear line, when it cannot be made.
Maker = Callable[[Look], Screen]


@dataclass(frozen=True)
class Open:
    """Go to a new screen, over the present one or ``instead`` of it."""

    make: Maker
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
class Leave:
    """End the program."""


Going = Open | Back | Set | Leave


class App:
    """The program in its window: ``step`` is one frame."""

    def __init__(self, first: Maker, look: Look) -> None:
        self.look = look
        self.notice = ""
        self._failures = 0
        self.stack: list[Screen] = []
        self.stack.append(first(look))

    @property
    def top(self) -> Screen:
        """The screen that is seen."""
        return self.stack[-1]

    def step(self, seconds: float, events: Sequence[pygame.event.Event] | None = None) -> bool:
        """Show one frame; False when the program is to end."""
        happened = list(pygame.event.get() if events is None else events)
        if any(event.type == pygame.QUIT for event in happened):
            return False
        if self.notice:
            happened = self._while_noticed(happened)
        self._framed(happened, seconds)
        surface = pygame.display.get_surface()
        if self.notice and surface is not None:
            notices.word(surface, self.notice, self.look.scale)
        pygame.display.flip()
        return bool(self.stack)

    def close(self) -> None:
        """Close every screen."""
        while self.stack:
            self._closed(self.stack.pop())

    def _while_noticed(self, events: Sequence[pygame.event.Event]) -> list[pygame.event.Event]:
        """Return what is left of the events: the first click or key only puts the notice away."""
        away = (pygame.MOUSEBUTTONDOWN, pygame.KEYDOWN)
        for number, event in enumerate(events):
            if event.type in away:
                self.notice = ""
                return [*events[:number], *events[number + 1 :]]
        return list(events)

    def _framed(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        screen = self.top
        try:
            screen.frame(events, seconds)
            self._failures = 0
        except Exception as error:  # the game must live on: say it, write it down, keep the window
            self._failed(error)
        going, screen.going = screen.going, None
        if going is not None:
            self._go(going)

    def _failed(self, error: Exception) -> None:
        self._failures += 1
        self.notice = mishap.said(error)
        if self._failures >= MOST_FAILURES:
            self._failures = 0
            self._back(Back())

    def _go(self, going: Going) -> None:
        handlers: dict[type, Callable[..., None]] = {
            Open: self._open, Back: self._back, Set: self._set, Leave: lambda _: self.close(),
        }  # fmt: skip
        try:
            handlers[type(going)](going)
        except TabletopError as error:
            self.notice = str(error)
        except Exception as error:
            self._failed(error)

    def _open(self, going: Open) -> None:
        made = going.make(self.look)
        if going.instead:
            self._closed(self.stack.pop())
        self.stack.append(made)

    def _back(self, going: Back) -> None:
        keep = 1 if going.home else len(self.stack) - 1
        while len(self.stack) > keep:
            self._closed(self.stack.pop())
        if self.stack:
            self.top.shown(self.look)

    def _set(self, going: Set) -> None:
        self.look = Look(going.settings, self.look.density)
        trouble = going.settings.keep()
        self.notice = trouble or self.notice
        self.top.shown(self.look)

    def _closed(self, screen: Screen) -> None:
        try:
            screen.close()
        except Exception as error:
            self.notice = mishap.said(error)
