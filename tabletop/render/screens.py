"""The one window and what it shows: a stack of screens, of which the topmost is seen and hears the events.

A screen never opens another by itself. It says where it wants to go (``going``), and the program goes there between two
frames. Whatever goes wrong inside a screen is caught here: a calm word, a report file, and the game goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pygame

from tabletop.errors import TabletopError
from tabletop.render import mishap, notices
from tabletop.render.drawing import measures, theme
from tabletop.render.settings.model import Settings
from tabletop.render.widgets import bindings

#: Frames in a row that may fail before a screen is left.
MOST_FAILURES = 3
#: Seconds for which a word on what would be lost is remembered.
PATIENCE = 30.0
#: Screens from the top that keep their pictures: what one comes back to at once.
NEAR = 2


class Screen(Protocol):
    """One thing the window shows. ``going`` is where it wants to go next, None while it stays.

    It may also have ``dropped(path) -> bool``, True when it takes a file dropped on it, ``unkept``, a sentence on
    what would be lost with it, empty while all is kept: then it is left only when that is asked for twice, and
    ``covered()``, called when it lies deep under others: it lets go of pictures it can paint again.
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
        theme.wear(self.settings.palette, self.settings.symbols)
        measures.wish(self.settings.units)


#: Makes a screen for the window as it is; TabletopError, in one clear line, when it cannot be made.
Maker = Callable[[Look], Screen]
#: Returns what opens a file dropped on the window, given the screens there are; TabletopError when nothing does.
Opening = Callable[[Path, Sequence[Screen]], Maker]


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
class Keep:
    """Keep other settings, which this screen follows already and the others will when they are shown."""

    settings: Settings


@dataclass(frozen=True)
class Leave:
    """End the program."""


Going = Open | Back | Set | Keep | Leave


class App:
    """The program in its window: ``step`` is one frame."""

    def __init__(self, first: Maker, look: Look, opening: Opening | None = None) -> None:
        self.look = look
        look.put_on()
        self.notice = ""
        #: Seconds in which nothing has happened.
        self.still = 0.0
        self._opening = opening
        self._warned: Screen | None = None
        self._patience = 0.0
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
        self._patience -= seconds
        self.still = 0.0 if happened else self.still + seconds
        if any(event.type == pygame.QUIT for event in happened) and self._let_go(0):
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
            heard = [event for event in events if event.type != pygame.DROPFILE]
            plain = getattr(screen, "hears_keys_as_they_are", False)
            screen.frame(heard if plain else bindings.usual(heard, self.look.settings.keys), seconds)
            self._failures = 0
        except Exception as error:  # the game must live on: say it, write it down, keep the window
            self._failed(error)
        going, screen.going = screen.going, None
        if going is not None:
            self._go(going)
        for event in events:
            if event.type == pygame.DROPFILE and self.stack:
                self._dropped(Path(event.file))

    def _dropped(self, path: Path) -> None:
        """Let the screen that is seen have a dropped file, or open what it holds."""
        taken: Callable[[Path], bool] | None = getattr(self.top, "dropped", None)
        try:
            if taken is not None and taken(path):
                return
        except TabletopError as error:
            self.notice = str(error)
            return
        except Exception as error:
            self._failed(error)
            return
        opening, stack = self._opening, tuple(self.stack)
        if opening is not None:
            self._go(Open(lambda look: opening(path, stack)(look)))

    def _failed(self, error: Exception) -> None:
        self._failures += 1
        self.notice = mishap.said(error)
        if self._failures >= MOST_FAILURES:
            self._failures = 0
            self._back(Back())

    def _go(self, going: Going) -> None:
        handlers: dict[type, Callable[..., None]] = {
            Open: self._open, Back: self._back, Set: self._set, Keep: self._keep,
            Leave: self._leave,
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
        for screen in self.stack[:-NEAR]:
            getattr(screen, "covered", _nothing)()

    def _back(self, going: Back) -> None:
        keep = 1 if going.home else len(self.stack) - 1
        if not self._let_go(keep):
            return
        while len(self.stack) > keep:
            self._closed(self.stack.pop())
        if self.stack:
            self.top.shown(self.look)

    def _leave(self, _: Leave) -> None:
        if self._let_go(0):
            self.close()

    def _let_go(self, keep: int) -> bool:
        """Return whether all screens but the first few may be left; what would be lost is said once before."""
        losing = next((screen for screen in reversed(self.stack[keep:]) if getattr(screen, "unkept", "")), None)
        if losing is None or (losing is self._warned and self._patience > 0.0):
            self._warned = None
            return True
        self._warned, self._patience = losing, PATIENCE
        self.notice = f"{getattr(losing, 'unkept', '')} Do it once more to leave it all the same."
        return False

    def _set(self, going: Set) -> None:
        self._keep(Keep(going.settings))
        self.top.shown(self.look)

    def _keep(self, going: Keep) -> None:
        self.look = Look(going.settings, self.look.density)
        self.look.put_on()
        self.notice = going.settings.keep() or self.notice

    def _closed(self, screen: Screen) -> None:
        try:
            screen.close()
        except Exception as error:
            self.notice = mishap.said(error)


def _nothing() -> None:
    """What a screen does that has nothing to let go of."""
