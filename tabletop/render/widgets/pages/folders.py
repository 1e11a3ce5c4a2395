"""A page to choose a folder for files to be written, without typing its path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tabletop.play.files.typed_paths import is_folder, typed_path
from tabletop.render import descriptions
from tabletop.render.screens import Back, Look, Maker
from tabletop.render.widgets.pages.browse import ROW, Browse
from tabletop.render.widgets.pages.spots import Spot, text


def choosing(folder: Path, taken: Callable[[Path], None]) -> Maker:
    """Return the function that makes the page, shown first in ``folder`` or a parent; ``taken`` gets the choice."""
    start = next((place for place in (folder, *folder.parents) if is_folder(place)), Path.home())
    return lambda look: Folders(look, start, taken)


class Folders(Browse):
    """The page to choose a folder."""

    title = "Choose a folder"
    keys = "Arrows choose, Enter goes into a folder, Esc leaves everything where it was."
    offers = "Go there"

    def __init__(self, look: Look, folder: Path, taken: Callable[[Path], None]) -> None:
        self._taken = taken
        super().__init__(look, folder)

    def go(self, folder: Path) -> None:
        """Show a folder; only the folders in it matter."""
        super().go(folder)
        self.files = ()

    def head(self) -> Sequence[tuple[str, str, str]]:
        """The button that chooses the folder shown."""
        return (("take", "Take this folder", f"Everything goes to {descriptions.place(self.folder)} from now on"),)

    def below(self, left: float, top: float, wide: float) -> Sequence[Spot]:
        """Say that the folder has no subfolders, if so."""
        message = f"{descriptions.place(self.folder)} has no folders in it." if not self.folders else ""
        return [Spot((left, top, wide, ROW), text(message, 14, "quiet"))]

    def chose(self, word: str) -> None:
        """Take the folder, or go to another."""
        if word != "take":
            super().chose(word)
            return
        self._taken(self.folder)
        self.going = Back()

    def _go_or_open(self, path: Path) -> None:
        if is_folder(path):
            self.go(path)
        else:
            self.note = f"There is no folder {descriptions.place(typed_path(str(path)))}."
