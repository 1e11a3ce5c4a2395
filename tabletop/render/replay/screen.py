"""The screen of a replay: the table as in play, a rail to slide along, keys to play and step, the log to click."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pygame

from tabletop.play.session import Session
from tabletop.render.destinations import Subject, ToExport
from tabletop.render.drawing.camera import Camera
from tabletop.render.events import reel
from tabletop.render.events.reel import Reel
from tabletop.render.replay import branching
from tabletop.render.replay.playhead import PACES, Playhead
from tabletop.render.replay.rule_card import ruled
from tabletop.render.replay.view import View
from tabletop.render.screens import Back, Go, Going, Look, Maker, Open

#: Seconds of a frame in which the battle may be wound off.
SLICE = 0.012
#: Pixels a press must move to pan; a step of the zoom and of the pan.
SLACK, ZOOM, PAN = 5, 1.15, 60


def replaying(path: Path) -> Maker:
    """Return what makes the replay of a saved game; Unreadable, in one line, where the file is none."""
    return lambda look: Replaying(reel.read(Path(path)), look)


def replaying_session(session: Session) -> Maker:
    """Return what makes the replay of a battle being played, as far as it has got; it opens at its last action."""

    def make(look: Look) -> Replaying:
        made = Replaying(Reel.of_session(session), look, session)
        made.go(made.reel.length - 1)
        return made

    return make


@dataclass
class Grip:
    """A mouse button held down: what it holds (``rail`` or ``table``), where it went down, whether it has moved."""

    what: str
    at: tuple[int, int]
    moved: bool = False


class Replaying(View):
    """A replay: what it shows, and what is done with it."""

    def __init__(self, shown: Reel, look: Look, session: Session | None = None) -> None:
        shown.wind(SLICE)
        if shown.error is not None and not shown.moments:
            raise shown.error
        super().__init__(shown, Playhead(shown, pace=PACES.get(look.settings.pace, 1)), look.scale)
        self.session = session
        self.going: Going | None = None
        self._wanted: int | None = None
        self._grip: Grip | None = None
        self._laid: tuple[Any, ...] = ()

    # --- the screen --------------------------------------------------------------------------------------------------

    def covered(self) -> None:
        """Let go of the pictures of the table."""
        self.stage.covered()

    def shown(self, look: Look) -> None:
        """Fit the window as it is now."""
        self.fit(look.scale)
        self._laid = ()

    def close(self) -> None:
        """Be done with its widgets; nothing runs in the background."""
        self.widgets.close()

    def frame(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        """Take in what has happened, let the replay play on, draw it."""
        self._wind()
        for event in events:
            self.handle(event)
        self.head.tick(seconds)
        self.held = self._grip is not None
        self._lay()
        self.widgets.update(seconds)
        self.draw()

    def _wind(self) -> None:
        """Wind off some more of a long battle; a place asked for before it was reached is gone to then."""
        if not self.reel.whole:
            self.reel.wind(SLICE)
            if self.reel.error is not None:
                self.notice = f"The battle can be shown as far as action {self.reel.last}. {self.reel.broken}"
        self.log.grow()
        if self._wanted is not None:
            self.go(self._wanted)

    def go(self, n: int) -> None:
        """Go to a moment, or towards it while the battle is still being wound off."""
        self.head.go(n)
        self._wanted = None if self.reel.whole or n <= self.reel.last else n

    # --- keys on the screen ------------------------------------------------------------------------------------------

    def _lay(self) -> None:
        """Lay the keys when they are others than lie there."""
        key = (self.surface.get_size(), self.scale, self.head.playing, self.head.pace, self.reel.unfinished)
        if key == self._laid:
            return
        self._laid = key
        self.widgets.clear()
        self.keys_from = self.places.lay(self.widgets, self.head, *self._may_go_on())

    def _may_go_on(self) -> tuple[bool, str]:
        """Return whether the battle can be gone on with, and what is said of it."""
        if self.session is not None:
            return self.reel.unfinished, "Go on with the battle; from an earlier action a new game branches off"
        if self.reel.unfinished:
            return True, "Go on playing from the action shown; from an earlier one a new game branches off (G)"
        return False, "This battle is over: there is nothing to go on with"

    # --- events ------------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Take in one event."""
        if event.type == pygame.VIDEORESIZE:
            self.fit(self.scale)
            self._laid = ()
            return
        if (self.notice or self.helping) and event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN):
            self.notice, self.helping = "", False
            return
        did = self.widgets.handle(event)
        if did is not None:
            if did.word in self._words:
                self._words[did.word](self)
            if event.type != pygame.MOUSEMOTION:
                return
        handler = self._handlers.get(event.type)
        if handler is not None:
            handler(self, event)

    def _down(self, event: pygame.event.Event) -> None:
        if event.button > 3:
            return
        if self.places.rail.collidepoint(event.pos) and event.button == 1:
            self._on_rail(event.pos)
        elif self.places.table.collidepoint(event.pos):
            self._grip = Grip("table", event.pos)
        elif event.button == 1 and (rule := self.rule_at(event.pos)):
            self.head.playing = False
            self.going = Open(ruled(rule, self.head.moment.battle))
        elif event.button == 1 and (entry := self.entry_at(event.pos)) is not None:
            self.head.playing = False
            self.go(entry.n)

    def _on_rail(self, pixel: tuple[int, int]) -> None:
        """A click on a number goes to that turn; anywhere else the slide comes to the hand."""
        place = self.places.rail
        x, y = (pixel[0] - place.left) / self.scale, (pixel[1] - place.top) / self.scale
        turn = self.rail.turn_at(x, y)
        self.head.playing = False
        if turn is not None:
            self.head.turn_number(turn)
            return
        self._grip = Grip("rail", pixel)
        self.go(self.rail.n_of(x))

    def _motion(self, event: pygame.event.Event) -> None:
        before, self.cursor = self.cursor, event.pos
        grip = self._grip
        if grip is None:
            return
        if grip.what == "rail":
            self.go(self.rail.n_of((event.pos[0] - self.places.rail.left) / self.scale))
            return
        grip.moved |= max(abs(event.pos[0] - grip.at[0]), abs(event.pos[1] - grip.at[1])) > SLACK
        if grip.moved:
            self._pan(event.pos[0] - before[0], event.pos[1] - before[1])

    def _wheel(self, event: pygame.event.Event) -> None:
        if self.places.log.collidepoint(self.cursor):
            self.log.roll(event.y)
        elif self.places.table.collidepoint(self.cursor):
            self._zoom(ZOOM**event.y)
        elif self.places.rail.collidepoint(self.cursor):
            self.head.step(-event.y)

    def _zoom(self, factor: float) -> None:
        smallest = Camera.fitting(self.table, self.places.table.size).scale
        self.camera = self.camera.zoomed(factor, self.on_table(self.cursor), smallest).kept_on(self.table)

    def _pan(self, right: float, down: float) -> None:
        self.camera = self.camera.panned(right, down).kept_on(self.table)

    def _fit(self) -> None:
        self.camera = Camera.fitting(self.table, self.places.table.size, density=self.scale)

    def _key(self, event: pygame.event.Event) -> None:
        if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            if event.key == pygame.K_e:
                self._export()
            return
        if event.mod & pygame.KMOD_SHIFT and event.key in _PANS:
            right, down = _PANS[event.key]
            self._pan(right * PAN, down * PAN)
        elif pygame.K_1 <= event.key <= pygame.K_9:
            self.head.turn_number(event.key - pygame.K_0)
        elif event.key in self._keys:
            self._keys[event.key](self)

    # --- where it leads ----------------------------------------------------------------------------------------------

    def _help(self) -> None:
        self.helping = not self.helping

    def _leave(self) -> None:
        self.going = Back()

    def _end(self) -> None:
        self.go(self.reel.length - 1)

    def _measure(self) -> None:
        from tabletop.render.table.window import measuring

        self.head.playing = False
        self.going = Open(measuring(self.head.moment.battle))

    def _export(self) -> None:
        self.head.playing = False
        moment, shown = self.head.moment, self.stage.drawings(self.head, self.camera)
        when, steps = f"turn {max(1, moment.turn)} action {moment.n}", self.reel.steps_until(self.reel.last)
        self.going = Go(ToExport(Subject(moment.battle, self.camera, shown, when, self.reel.header, steps)))

    def _go_on(self) -> None:
        """Go on playing, if the battle is unfinished: at its end with the same game, before it with a new one."""
        if not self.reel.unfinished:
            self.notice = self._may_go_on()[1] + "."
            return
        self.head.playing = False
        at_end = self.head.at == self.reel.last
        if at_end and self.session is not None:
            self.going = Back()
        else:
            self.going = Go(branching.going_on(self.reel, self.head.at), instead=self.session is None)

    _handlers: ClassVar[dict[int, Callable[[Replaying, pygame.event.Event], None]]] = {
        pygame.MOUSEBUTTONDOWN: _down,
        pygame.MOUSEBUTTONUP: lambda s, e: setattr(s, "_grip", None if e.button <= 3 else s._grip),
        pygame.MOUSEMOTION: _motion,
        pygame.MOUSEWHEEL: _wheel,
        pygame.KEYDOWN: _key,
    }

    _words: ClassVar[Mapping[str, Callable[[Replaying], None]]] = {
        "first": lambda s: s.head.step(-(10**9)),
        "turn-back": lambda s: s.head.turn(-1),
        "back": lambda s: s.head.step(-1),
        "play": lambda s: s.head.toggle(),
        "on": lambda s: s.head.step(1),
        "turn-on": lambda s: s.head.turn(1),
        "last": _end,
        "slower": lambda s: s.head.faster(-1),
        "faster": lambda s: s.head.faster(1),
        "fit": _fit,
        "measure": _measure,
        "export": _export,
        "go-on": _go_on,
        "help": _help,
        "close": _leave,
    }

    _keys: ClassVar[dict[int, Callable[[Replaying], None]]] = {
        pygame.K_SPACE: lambda s: s.head.toggle(),
        pygame.K_LEFT: lambda s: s.head.step(-1),
        pygame.K_RIGHT: lambda s: s.head.step(1),
        pygame.K_PAGEUP: lambda s: s.head.turn(-1),
        pygame.K_PAGEDOWN: lambda s: s.head.turn(1),
        pygame.K_HOME: lambda s: s.head.step(-(10**9)),
        pygame.K_END: _end,
        pygame.K_LEFTBRACKET: lambda s: s.head.faster(-1),
        pygame.K_RIGHTBRACKET: lambda s: s.head.faster(1),
        pygame.K_f: _fit,
        pygame.K_m: _measure,
        pygame.K_g: _go_on,
        pygame.K_ESCAPE: _leave,
        pygame.K_F1: _help,
        pygame.K_QUESTION: _help,
        pygame.K_SLASH: _help,
        pygame.K_PLUS: lambda s: s._zoom(ZOOM),
        pygame.K_EQUALS: lambda s: s._zoom(ZOOM),
        pygame.K_KP_PLUS: lambda s: s._zoom(ZOOM),
        pygame.K_MINUS: lambda s: s._zoom(1 / ZOOM),
        pygame.K_KP_MINUS: lambda s: s._zoom(1 / ZOOM),
    }


_PANS = {
    pygame.K_LEFT: (1, 0),
    pygame.K_RIGHT: (-1, 0),
    pygame.K_UP: (0, 1),
    pygame.K_DOWN: (0, -1),
}
