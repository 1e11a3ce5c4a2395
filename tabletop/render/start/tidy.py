"""The dialogs that rename a saved game, or delete it after asking."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tabletop.battle.naming import capital
from tabletop.errors import Unsaved
from tabletop.play.saves.tidy import deleted, renamed
from tabletop.render.screens import Back, Look
from tabletop.render.widgets.pages.sheet import AIR, HIGH, Over
from tabletop.render.widgets.pages.spots import Spot, button, text, words
from tabletop.render.widgets.pages.text_entry import Line


class Renaming(Over):
    """The dialog that asks for another name."""

    usual = "rename"
    wide = 560.0

    def __init__(self, look: Look, path: Path, title: str) -> None:
        super().__init__(look)
        self.path, self.title = path, title
        self.lines = {"name": Line(path.stem)}
        self.turn_to("name")

    def stacked(self, wide: float) -> Sequence[tuple[float, Spot]]:
        """Return the line for the name, and the buttons."""
        half = (wide - AIR) / 2
        return [
            (38.0, Spot((0, 0, wide, 30), words("Rename the game", 22, "place"))),
            (34.0, Spot((0, 0, wide, 24), words(self.title, 15, ink="quiet"))),
            (48.0, Spot((0, 0, wide, 36), self.lines["name"].draw, "name", "Any name", typed=True)),
            (0.0, Spot((half + AIR, 0, half, HIGH), button("Rename", True, size=16), "rename", "Give it (Enter)")),
            (HIGH + AIR, Spot((0, 0, half, HIGH), button("Cancel", size=16), "cancel", "Keep its name (Esc)")),
            (40.0, Spot((0, 0, wide, 40), self.note_or_hint())),
        ]

    def typed(self, word: str) -> None:
        """Clear the error message: the name has changed."""
        self.note = ""

    def did(self, word: str) -> None:
        """Rename the game, or cancel."""
        if word == "rename":
            try:
                renamed(self.path, self.lines["name"].text)
            except Unsaved as lack:
                self.turn_to("name")
                self.note = f"{capital(str(lack))}."
                return
        if word in ("rename", "cancel"):
            self.going = Back()


class Deleting(Over):
    """The dialog that asks whether to delete a game."""

    usual = "cancel"
    wide = 560.0

    def __init__(self, look: Look, path: Path, title: str) -> None:
        super().__init__(look)
        self.path, self.title = path, title
        self.turn_to("cancel")

    def stacked(self, wide: float) -> Sequence[tuple[float, Spot]]:
        """Return the question, and two buttons; Enter keeps the game."""
        half = (wide - AIR) / 2
        notice = f"Its file {self.path.name} is deleted for good."
        return [
            (40.0, Spot((0, 0, wide, 30), words("Delete this game?", 22, "place"))),
            (28.0, Spot((0, 0, wide, 24), words(self.title, 15, "bold"))),
            (52.0, Spot((0, 0, wide, 44), text(notice, 15, "quiet"))),
            (
                0.0,
                Spot((half + AIR, 0, half, HIGH), button("Keep it", True, size=16), "cancel", "Keep it (Enter, Esc)"),
            ),
            (HIGH + AIR, Spot((0, 0, half, HIGH), button("Delete it", size=16), "delete", "It cannot be had back")),
            (40.0, Spot((0, 0, wide, 40), self.note_or_hint())),
        ]

    def did(self, word: str) -> None:
        """Delete it, or keep it."""
        if word == "delete":
            try:
                deleted(self.path)
            except Unsaved as lack:
                self.note = f"{capital(str(lack))}."
                return
        self.going = Back()
