"""The menu of a battle being played: resume, save elsewhere, watch again, take pictures, leave."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from tabletop.render import descriptions
from tabletop.render.battle.controller import BattleController
from tabletop.render.destinations import Subject
from tabletop.render.drawing.lettering import wrapped
from tabletop.render.screens import Back, Going, Look, Maker
from tabletop.render.table.commands import MENU, TABLES
from tabletop.render.widgets.pages.sheet import AIR, HIGH, Over
from tabletop.render.widgets.pages.spots import Spot, button, text, words


class Played(Protocol):
    """What the menu reads and changes in a battle's window."""

    controller: BattleController
    helping: bool
    teaches: bool
    going: Going | None

    @property
    def unkept(self) -> str: ...
    @property
    def kept_in(self) -> Path | None: ...
    def subject(self) -> Subject: ...


def game_menu(window: Played) -> Maker:
    """Return the function that makes the menu of the battle in this window."""
    return lambda look: GameMenu(look, window)


class GameMenu(Over):
    """The sheet with the menu."""

    usual = "resume"

    def __init__(self, look: Look, window: Played) -> None:
        super().__init__(look)
        self.window = window
        self.turn_to("resume")

    def stacked(self, wide: float) -> Sequence[tuple[float, Spot]]:
        """Return the title, the turn, where the battle is saved, and the buttons."""
        battle, kept = self.window.controller.model.battle, self._kept()
        rows = wrapped(kept, 14, wide)[:3]
        titled = wrapped(battle.title, 22, wide, "place")[:2]
        turn = descriptions.turn(battle, self.window.controller.game.session.mover)
        stacked = [
            *((28.0 + 6.0 * (line is titled[-1]), Spot((0, 0, wide, 30), words(line, 22, "place"))) for line in titled),
            (24.0, Spot((0, 0, wide, 20), words(turn, 15, "bold"))),
            (20.0 * len(rows) + 12, Spot((0, 0, wide, 20.0 * len(rows)), text(kept, 14, "quiet"))),
        ]
        for key in TABLES[MENU].buttons("menu", self.window):
            spot = Spot((0, 0, wide, HIGH), button(key.label, key.word == self.usual, size=16), key.word, key.hint)
            stacked.append((HIGH + AIR, spot))
        return [*stacked, (36.0, Spot((0, 4, wide, 40), self.note_or_hint()))]

    def _kept(self) -> str:
        if self.window.unkept:
            return self.window.unkept
        path = self.window.kept_in
        return f"Kept in {descriptions.place(path)}" if path is not None else "Not kept in a file yet."

    def did(self, word: str) -> None:
        """Do what a button says in the battle's window, then return to it unless the button leads elsewhere."""
        TABLES[MENU].press(self.window, word)
        self.going, self.window.going = self.window.going or Back(), None
