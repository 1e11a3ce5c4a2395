"""The program's window: a stack of screens, of which the topmost is shown and receives the events.

A screen never opens another itself. It sets where it wants to go (``going``), and the router goes there between two
frames. Errors inside a screen are caught here: a notice, a report file, and the game goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pygame

from tabletop.errors import BadQuestion, TabletopError
from tabletop.render import error_report, rooms
from tabletop.render.destinations import Destination, ToBattle, of_file
from tabletop.render.full_screen import FullScreen
from tabletop.render.screens import Back, Go, Going, Keep, Leave, Look, Maker, Open, Screen, Set
from tabletop.render.table import bindings, notices

#: Frames in a row that may fail before a screen is left.
MOST_FAILURES = 3
#: Seconds for which a warning about unsaved work counts as given.
PATIENCE = 30.0
#: Screens from the top that keep their pictures, so that going back is immediate.
NEAR = 2


class App:
    """The program in its window: ``step`` runs one frame."""

    def __init__(self, first: Maker, look: Look) -> None:
        self.look = look
        look.put_on()
        self.notice = ""
        #: Seconds without any event.
        self.still = 0.0
        #: Seconds the last frame took.
        self.took = 0.0
        self._warned: Screen | None = None
        self._patience = 0.0
        self._failures = 0
        self._screen = FullScreen()
        self._filled = False
        self._resized: list[pygame.event.Event] = []
        self.stack: list[Screen] = []
        self.stack.append(first(look))
        self._fill()

    @property
    def top(self) -> Screen:
        """The screen that is shown."""
        return self.stack[-1]

    def step(self, seconds: float, events: Sequence[pygame.event.Event] | None = None) -> bool:
        """Run one frame; return False when the program is to end."""
        begun = time.perf_counter()
        happened = [*self._resized, *(pygame.event.get() if events is None else events)]
        self._resized = []
        self._patience -= seconds
        self.still = 0.0 if happened else self.still + seconds
        if any(event.type == pygame.QUIT for event in happened) and self._let_go(0, quitting=True):
            return False
        if any(event.type == pygame.KEYDOWN and event.key == pygame.K_F11 for event in happened):
            happened = [event for event in happened if getattr(event, "key", None) != pygame.K_F11]
            happened.append(self._screen.turn())
        if self.notice:
            happened = self._while_noticed(happened)
        self._framed(happened, seconds)
        surface = pygame.display.get_surface()
        if self.notice and surface is not None:
            notices.word(surface, self.notice, self.look.scale)
        pygame.display.flip()
        self.took = time.perf_counter() - begun
        return bool(self.stack)

    def close(self) -> None:
        """Close every screen."""
        while self.stack:
            self._closed(self.stack.pop())

    def _while_noticed(self, events: Sequence[pygame.event.Event]) -> list[pygame.event.Event]:
        """Return the remaining events: the first click or key only closes the notice."""
        away = (pygame.MOUSEBUTTONDOWN, pygame.KEYDOWN)
        for number, event in enumerate(events):
            if event.type in away:
                self.notice = ""
                return [*events[:number], *events[number + 1 :]]
        return list(events)

    def _framed(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        screen = self.top
        try:
            passed = [event for event in events if event.type != pygame.DROPFILE]
            plain = getattr(screen, "hears_keys_as_they_are", False)
            screen.frame(
                passed if plain else bindings.usual(passed, self.look.settings.keys, getattr(screen, "commands", None)),
                seconds,
            )
            self._failures = 0
        except Exception as error:  # the game must go on: report the error, write it down, keep the window
            self._failed(error)
        going, screen.going = screen.going, None
        if going is not None:
            self._go(going)
            self._fill()
        for event in events:
            if event.type == pygame.DROPFILE and self.stack:
                self._dropped(Path(event.file))

    def _fill(self) -> None:
        """Fill the screen if the top screen asks for it, and return to the window after it; F11 still switches."""
        wanted = bool(self.stack) and getattr(self.top, "fills_screen", False)
        if wanted != self._filled:
            if self._screen.full != wanted:
                self._resized.append(self._screen.turn())
            self._filled = wanted

    def _dropped(self, path: Path) -> None:
        """Offer a dropped file to the top screen, else open it."""
        taken: Callable[[Path], bool] | None = getattr(self.top, "dropped", None)
        try:
            if taken is None or not taken(path):
                self._go(Go(self._not_open(path)))
        except TabletopError as error:
            self.notice = str(error)
        except Exception as error:
            self._failed(error)

    def _not_open(self, path: Path) -> Destination:
        """Return the destination for a file; BadQuestion for a game open in a screen already: both would write it."""
        to = of_file(path)
        if isinstance(to, ToBattle) and any(_shows(screen, path) for screen in self.stack):
            raise BadQuestion(f"{path.name} is open already: it is the battle you came from")
        return to

    def _failed(self, error: Exception) -> None:
        self._failures += 1
        self.notice = error_report.report_error(error)
        if self._failures >= MOST_FAILURES:
            self._failures = 0
            self._back(Back())

    def _go(self, going: Going) -> None:
        handlers: dict[type, Callable[..., None]] = {
            Open: self._open, Go: self._visit, Back: self._back, Set: self._set, Keep: self._keep,
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

    def _visit(self, going: Go) -> None:
        self._open(Open(rooms.room(going.to), going.instead))

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

    def _let_go(self, keep: int, quitting: bool = False) -> bool:
        """Return whether all screens but the first ``keep`` may be left; unsaved work is first warned about once.

        With ``quitting`` an unfinished battle is warned about once too, even if it is saved.
        """
        leaving = list(reversed(self.stack[keep:]))
        losing = next((screen for screen in leaving if getattr(screen, "unkept", "")), None)
        state = "unkept"
        if losing is None and quitting:
            losing, state = (
                next((screen for screen in leaving if getattr(screen, "unfinished", "")), None),
                "unfinished",
            )
        if losing is None or (losing is self._warned and self._patience > 0.0):
            self._warned = None
            return True
        self._warned, self._patience = losing, PATIENCE
        self.notice = f"{getattr(losing, state, '')} Do it once more to leave it all the same."
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
            self.notice = error_report.report_error(error)


def _nothing() -> None:
    """Do nothing: for screens that have nothing to drop."""


def _shows(screen: Screen, path: Path) -> bool:
    kept = getattr(screen, "kept_in", None)
    try:
        return kept is not None and Path(kept).resolve() == path.resolve()
    except OSError:
        return False
