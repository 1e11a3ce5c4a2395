"""A page to choose a folder on: where something is to be written, without typing the way there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tabletop.play.files.typed_paths import is_folder, typed_path
from tabletop.render import descriptions
from tabletop.render.screens import Back, Look, Maker
from tabletop.render.widgets.pages.browse import ROW, Browse
from tabletop.render.widgets.pages.spots import Spot, text


def choosing(folder: Path, taken: Callable[[Path], None]) -> Maker:
    """Return what makes the page, begun in ``folder`` or the nearest one there is; ``taken`` gets what is chosen."""
    start = next((place for place in (folder, *folder.parents) if is_folder(place)), Path.home())
    return lambda look: Folders(look, start, taken)


class Folders(Browse):
    """Looks for a folder."""

    title = "Choose a folder"
    keys = "Arrows choose, Enter goes into a folder, Esc leaves everything where it was."
    offers = "Go there"

    def __init__(self, look: Look, folder: Path, taken: Callable[[Path], None]) -> None:
        self._taken = taken
        super().__init__(look, folder)

    def go(self, folder: Path) -> None:
        """Look into a folder; only the folders in it matter."""
        super().go(folder)
        self.files = ()

    def head(self) -> Sequence[tuple[str, str, str]]:
        """The folder that is looked into is the one chosen."""
        return (("take", "Take this folder", f"Everything goes to {descriptions.place(self.folder)} from now on"),)

    def below(self, left: float, top: float, wide: float) -> Sequence[Spot]:
        """Say where one is, and that there is nothing further down."""
        said = f"{descriptions.place(self.folder)} has no folders in it." if not self.folders else ""
        return [Spot((left, top, wide, ROW), text(said, 14, "quiet"))]

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
