"""The log of a battle being played, as pages: which is shown, of whom, and how much of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tabletop.geometry.measure import Point
from tabletop.render.battle import words
from tabletop.render.battle.board import Board
from tabletop.render.battle.desk import GameDesk
from tabletop.render.drawing.theme import side_styles
from tabletop.render.table.hand import Hand


class Logged(Protocol):
    """What the log needs of the window it stands in."""

    @property
    def desk(self) -> GameDesk:
        """The desk on which the battle is played."""

    @property
    def panel(self) -> Board:
        """The board on which the log stands."""

    @property
    def hand(self) -> Hand:
        """The hand, whose cursor may be over the log."""

    def look_toward(self, spots: Sequence[Point]) -> None:
        """Bring these places into sight."""


class LogPages:
    """The pages of the log; ``only``: of the unit selected alone."""

    def __init__(self, window: Logged) -> None:
        self.window = window
        self.page = 0
        self.only = False
        self._kept: tuple[Any, str] = (None, "")
        self._version = -1

    def text(self) -> str:
        """Return the page of the log that is shown, the newest when something has happened."""
        desk = self.window.desk
        version = desk.state.record.version
        if version != self._version:
            self._version, self.page = version, 0
        told = desk.game.told
        brief = self.brief
        key = (version, len(told), desk.model.selected, self.page, self.only, brief)
        if self._kept[0] != key:
            styles = side_styles(desk.model.battle.setup.sides)
            tints = {side: style.fill for side, style in styles.items()}
            fits = self.window.panel.log_fits if brief else None
            self._kept = (key, words.log(told, tints, self.page, desk.model.unit, self.only, fits))
        return self._kept[1]

    @property
    def brief(self) -> bool:
        """Whether of the log's page only what is seen without scrolling is written: while the computer plays.

        The whole page takes the time of several frames; it is there when the hand goes to the log, or the turn comes.
        """
        computers, panel = self.window.desk.game.computers, self.window.panel
        at = panel.table_rect.left + self.window.hand.cursor[0], panel.table_rect.top + self.window.hand.cursor[1]
        reading = self.page > 0 or panel.log_rect.collidepoint(at)
        busy = computers.plays(self.window.desk.state.facts.mover) and not computers.paused
        return busy and not reading

    def turn(self, pages: str) -> None:
        """Turn the pages of the log; the newest is the first."""
        last = max(0, (len(self.window.desk.state.record.lines) - 1) // words.LOG_LINES)
        self.page = min(last, max(0, self.page + int(pages)))

    def filter(self) -> None:
        """Show in the log only what tells of the unit selected, or everything again."""
        self.only, self.page = not self.only, 0

    def look_at(self, value: str) -> None:
        """Show where and when a line of the log was; the same again, no longer."""
        if not value.isdigit():
            return
        self.window.desk.game.look_at(int(value))
        line = self.window.desk.state.chosen.looked_at
        if line is not None and line.at is not None:
            self.window.look_toward((line.at,))
