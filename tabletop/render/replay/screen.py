"""The screen of a replay: the table as in play, a timeline to drag along, keys to play and step, a clickable log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from tabletop.render.replay.commands import ZOOM_STEP
from tabletop.render.replay.playhead import PACES, Playhead
from tabletop.render.replay.rule_card import ruled
from tabletop.render.replay.view import View
from tabletop.render.screens import Back, Go, Going, Look, Maker, Open
from tabletop.render.table import bindings
from tabletop.render.widgets.key_dispatch import HELD, by_code, press_key
from tabletop.render.widgets.panel_page import Key

#: Seconds of a frame that replaying more of the battle may take.
SLICE = 0.012
#: Pixels the mouse must move before a press pans; pixels of a pan by key.
SLACK, PAN = 5, 60


def replaying(path: Path) -> Maker:
    """Return the function that makes the replay of a saved game; Unreadable, in one line, if the file is not one."""
    return lambda look: Replaying(reel.read(Path(path)), look)


def replaying_session(session: Session) -> Maker:
    """Return the function that makes the replay of a battle being played; it opens at the last action."""

    def make(look: Look) -> Replaying:
        made = Replaying(Reel.of_session(session), look, session)
        made.go(made.reel.length - 1)
        return made

    return make


@dataclass
class Press:
    """A mouse button held down: what it holds (``rail`` or ``table``), where it was pressed, whether it has moved."""

    what: str
    at: tuple[int, int]
    moved: bool = False


class Replaying(View):
    """A replay with its events and commands."""

    def __init__(self, shown: Reel, look: Look, session: Session | None = None) -> None:
        shown.wind(SLICE)
        if shown.error is not None and not shown.moments:
            raise shown.error
        super().__init__(shown, Playhead(shown, pace=PACES.get(look.settings.pace, 1)), look.scale)
        self.session = session
        self.going: Going | None = None
        self._wanted: int | None = None
        self._press: Press | None = None
        self._laid: tuple[Any, ...] = ()

    # --- the screen --------------------------------------------------------------------------------------------------

    def covered(self) -> None:
        """Drop the painted pictures of the table."""
        self.stage.covered()

    def shown(self, look: Look) -> None:
        """Adapt the window to the settings."""
        self.fit(look.scale)
        self.moved = bindings.rows(look.settings.keys, self.commands)
        self._laid = ()

    def close(self) -> None:
        """Destroy the widgets; nothing runs in the background."""
        self.widgets.close()

    def frame(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        """Handle events, play on, draw the replay."""
        self._wind()
        for event in events:
            self.handle(event)
        self.head.tick(seconds)
        self.held = self._press is not None
        self._lay()
        self.widgets.update(seconds)
        self.draw()

    def _wind(self) -> None:
        """Replay some more of a long battle; go to a requested moment once it is reached."""
        if not self.reel.whole:
            self.reel.wind(SLICE)
            if self.reel.error is not None:
                self.notice = f"The battle can be shown as far as action {self.reel.last}. {self.reel.broken}"
        self.log.grow()
        if self._wanted is not None:
            self.go(self._wanted)

    def go(self, n: int) -> None:
        """Go to a moment, or towards it while the battle is still being replayed."""
        self.head.go(n)
        self._wanted = None if self.reel.whole or n <= self.reel.last else n

    # --- keys on the screen ------------------------------------------------------------------------------------------

    def _lay(self) -> None:
        """Lay out the buttons again if they have changed."""
        key = (self.surface.get_size(), self.scale, self.head.playing, self.head.pace, self.reel.unfinished)
        if key == self._laid:
            return
        self._laid = key
        self.widgets.clear()
        self.keys_from = self.places.lay(self.widgets, self._buttons(), self.head.speed, self.may_go_on()[0])

    def _buttons(self) -> dict[str, tuple[Key, ...]]:
        """Return the buttons in their present state, by group."""
        return {group: self.commands.buttons(group, self) for group in ("transport", "pace", "bar")}

    def may_go_on(self) -> tuple[bool, str]:
        """Return whether the battle can be continued, and the hint that says so."""
        if self.session is not None:
            return self.reel.unfinished, "Go on with the battle; from an earlier action a new game branches off"
        if self.reel.unfinished:
            return True, "Go on playing from the action shown; from an earlier one a new game branches off"
        return False, "This battle is over: there is nothing to go on with"

    # --- events ------------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event."""
        if event.type == pygame.VIDEORESIZE:
            self.fit(self.scale)
            self._laid = ()
            return
        if (self.notice or self.helping) and event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN):
            self.notice, self.helping = "", False
            return
        did = self.widgets.handle(event)
        if did is not None:
            command = self.commands.find(did.word)
            if command is not None:
                self.commands.press(self, did.word)
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
            self._press = Press("table", event.pos)
        elif event.button == 1 and (rule := self.rule_at(event.pos)):
            self.head.playing = False
            self.going = Open(ruled(rule, self.head.moment.battle))
        elif event.button == 1 and (entry := self.entry_at(event.pos)) is not None:
            self.head.playing = False
            self.go(entry.n)

    def _on_rail(self, pixel: tuple[int, int]) -> None:
        """Handle a click on the timeline: a number goes to that turn, anywhere else moves the slider there."""
        place = self.places.rail
        x, y = (pixel[0] - place.left) / self.scale, (pixel[1] - place.top) / self.scale
        turn = self.rail.turn_at(x, y)
        self.head.playing = False
        if turn is not None:
            self.head.turn_number(turn)
            return
        self._press = Press("rail", pixel)
        self.go(self.rail.n_of(x))

    def _motion(self, event: pygame.event.Event) -> None:
        before, self.cursor = self.cursor, event.pos
        press = self._press
        if press is None:
            return
        if press.what == "rail":
            self.go(self.rail.n_of((event.pos[0] - self.places.rail.left) / self.scale))
            return
        press.moved |= max(abs(event.pos[0] - press.at[0]), abs(event.pos[1] - press.at[1])) > SLACK
        if press.moved:
            self._pan(event.pos[0] - before[0], event.pos[1] - before[1])

    def _wheel(self, event: pygame.event.Event) -> None:
        if self.places.log.collidepoint(self.cursor):
            self.log.roll(event.y)
        elif self.places.table.collidepoint(self.cursor):
            self._zoom(ZOOM_STEP**event.y)
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
        if not event.mod & HELD or (event.key, True) in by_code(self.commands):
            press_key(self, self.commands, event)

    def _arrow(self, way: tuple[int, int], shift: bool) -> None:
        """Go an action forward or back; with Shift pan the table."""
        if shift:
            self._pan(-PAN * way[0], PAN * way[1])
        elif way[0]:
            self.head.step(way[0])

    # --- destinations ------------------------------------------------------------------------------------------------

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
        self.going = Go(ToExport(Subject(moment.battle, self.camera, shown, when, self.reel.known_header, steps)))

    def _go_on(self) -> None:
        """Continue an unfinished battle: at its end with the same game, before it with a new one."""
        if not self.reel.unfinished:
            self.notice = self.may_go_on()[1] + "."
            return
        self.head.playing = False
        at_end = self.head.at == self.reel.last
        if at_end and self.session is not None:
            self.going = Back()
        else:
            self.going = Go(branching.going_on(self.reel, self.head.at), instead=self.session is None)

    def _try_again(self) -> None:
        """Start practice from the action shown, unless that action ended the battle."""
        if self.head.moment.battle.over:
            self.notice = "With this action the battle is over: go back to one before it, and try again from there."
            return
        self.head.playing = False
        self.going = Go(branching.trying(self.reel, self.head.at), instead=self.session is None)

    _handlers: ClassVar[dict[int, Callable[[Replaying, pygame.event.Event], None]]] = {
        pygame.MOUSEBUTTONDOWN: _down,
        pygame.MOUSEBUTTONUP: lambda s, e: setattr(s, "_press", None if e.button <= 3 else s._press),
        pygame.MOUSEMOTION: _motion,
        pygame.MOUSEWHEEL: _wheel,
        pygame.KEYDOWN: _key,
    }
