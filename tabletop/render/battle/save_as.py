"""The dialog that saves a battle in another file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tabletop.errors import Unsaved
from tabletop.play.files.typed_paths import is_there, typed_path
from tabletop.play.saves.autosave import free_path
from tabletop.render.battle.controller import BattleController
from tabletop.render.screens import Back, Look, Open
from tabletop.render.table.model import Note
from tabletop.render.widgets.pages import folders
from tabletop.render.widgets.pages.sheet import AIR, HIGH, Over
from tabletop.render.widgets.pages.spots import Spot, button, text, words
from tabletop.render.widgets.pages.text_entry import Line


class SaveAs(Over):
    """Asks for a file and writes the game to it."""

    usual = "save"
    wide = 640.0

    def __init__(self, look: Look, controller: BattleController) -> None:
        super().__init__(look)
        self.controller = controller
        self.lines = {"path": Line(self._proposed())}
        self._asked: Path | None = None
        self.turn_to("path")

    def _proposed(self) -> str:
        try:
            return str(free_path(self.controller.model.battle.title))
        except Unsaved as lack:
            self.note = str(lack)
            return str(Path.home() / "battle.jsonl")

    def stacked(self, wide: float) -> Sequence[tuple[float, Spot]]:
        """Return the line for the file and the buttons."""
        half = (wide - AIR) / 2
        notice = "The game is kept in this file from now on; what is in the present one stays as it is."
        return [
            (38.0, Spot((0, 0, wide, 30), words("Save the battle as", 22, "place"))),
            (52.0, Spot((0, 0, wide, 48), text(notice, 15, "quiet"))),
            (0.0, Spot((0, 0, wide - 150 - AIR, 36), self.lines["path"].draw, "path", "Any name", typed=True)),
            (48.0, Spot((wide - 150, 0, 150, 36), button("Another folder"), "folder", "Look for a folder")),
            (0.0, Spot((half + AIR, 0, half, HIGH), button("Save", True, size=16), "save", "Write it (Enter)")),
            (HIGH + AIR, Spot((0, 0, half, HIGH), button("Cancel", size=16), "cancel", "Keep it where it is (Esc)")),
            (40.0, Spot((0, 0, wide, 40), self.note_or_hint())),
        ]

    def typed(self, word: str) -> None:
        """Clear the error message: the name has changed."""
        self.note, self._asked = "", None

    def did(self, word: str) -> None:
        """Write the game, or cancel."""
        if word == "cancel":
            self.going = Back()
        elif word == "folder":
            self.going = Open(folders.choosing(typed_path(self.lines["path"].text).parent, self._into))
        else:
            self._save(self.lines["path"].text.strip())

    def _into(self, folder: Path) -> None:
        """Move the file name to another folder."""
        name = typed_path(self.lines["path"].text).name or "battle.jsonl"
        self.lines["path"] = Line(str(folder / name))
        self.note, self._asked = "", None

    def _save(self, name: str) -> None:
        path = typed_path(name)
        if not name:
            self.note = "Name a file."
        elif is_there(path) and path != self.controller.game.session.path and path != self._asked:
            self._asked = path
            self.note = f"{path.name} is there already. Save once more to replace it."
        else:
            self._write(path)

    def _write(self, path: Path) -> None:
        try:
            self.controller.game.session.save_as(path)
        except Unsaved as lack:
            self.note = str(lack)
            return
        self.controller.update(Note(f"The game is kept in {path}."))
        self.going = Back()
