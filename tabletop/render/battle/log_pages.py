"""The log of a battle being played, in pages: which page is shown, filtered by unit or not, and how much of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tabletop.geometry.measure import Point
from tabletop.render.battle import words
from tabletop.render.battle.board import Board
from tabletop.render.battle.controller import BattleController
from tabletop.render.drawing.theme import side_styles
from tabletop.render.table.input import TableInput


class Logged(Protocol):
    """What the log needs of its window."""

    @property
    def controller(self) -> BattleController:
        """The controller on which the battle is played."""

    @property
    def panel(self) -> Board:
        """The board that contains the log."""

    @property
    def table_input(self) -> TableInput:
        """The handler of mouse and keys, whose cursor may be over the log."""

    def look_toward(self, spots: Sequence[Point]) -> None:
        """Move the camera until these points are in sight."""


class LogPages:
    """The pages of the log; with ``only``, the lines about the selected unit."""

    def __init__(self, window: Logged) -> None:
        self.window = window
        self.page = 0
        self.only = False
        self._kept: tuple[Any, str] = (None, "")
        self._version = -1

    def text(self) -> str:
        """Return the page of the log to show; a new event returns to the newest page."""
        controller = self.window.controller
        version = controller.state.record.version
        if version != self._version:
            self._version, self.page = version, 0
        lines = controller.game.shown_lines
        brief = self.brief
        key = (version, len(lines), controller.model.selected, self.page, self.only, brief)
        if self._kept[0] != key:
            styles = side_styles(controller.model.battle.setup.sides)
            tints = {side: style.fill for side, style in styles.items()}
            fits = self.window.panel.log_fits if brief else None
            self._kept = (key, words.log(lines, tints, self.page, controller.model.unit, self.only, fits))
        return self._kept[1]

    @property
    def brief(self) -> bool:
        """Whether only the lines visible without scrolling are written, as they are while the computer plays.

        Writing the whole page takes several frames: it waits for the cursor to be over the log or for a person's turn.
        """
        computers, panel = self.window.controller.game.computers, self.window.panel
        at = (
            panel.table_rect.left + self.window.table_input.cursor[0],
            panel.table_rect.top + self.window.table_input.cursor[1],
        )
        reading = self.page > 0 or panel.log_rect.collidepoint(at)
        busy = computers.plays(self.window.controller.state.facts.mover) and not computers.paused
        return busy and not reading

    def turn(self, pages: str) -> None:
        """Turn this many pages; the first page is the newest."""
        last = max(0, (len(self.window.controller.state.record.lines) - 1) // words.LOG_LINES)
        self.page = min(last, max(0, self.page + int(pages)))

    def filter(self) -> None:
        """Show only the lines about the selected unit, or all lines again."""
        self.only, self.page = not self.only, 0

    def look_at(self, value: str) -> None:
        """Show where and when a line of the log happened; called again with the same line, stop showing it."""
        if not value.isdigit():
            return
        self.window.controller.game.look_at(int(value))
        line = self.window.controller.state.chosen.looked_at
        if line is not None and line.at is not None:
            self.window.look_toward((line.at,))
