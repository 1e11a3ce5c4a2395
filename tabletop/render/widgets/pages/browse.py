"""A page to look for a file: the folders and the files of one folder that can be opened."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tabletop.errors import TabletopError
from tabletop.play.files.typed_paths import is_folder, typed_path
from tabletop.play.saves import library
from tabletop.play.saves.autosave import games_folder
from tabletop.render import descriptions
from tabletop.render.destinations import of_file
from tabletop.render.screens import Go, Look
from tabletop.render.widgets.pages.brush import Brush, Place
from tabletop.render.widgets.pages.page_with_back import PageWithBack
from tabletop.render.widgets.pages.spots import Draw, Spot, State, button
from tabletop.render.widgets.pages.text_entry import Line

#: A row's height, and the most rows of one folder.
ROW, MOST = 34.0, 1000
SUFFIXES = (*library.BATTLE_FILES, *library.GAME_FILES)
#: The folder last shown.
_last: list[Path] = []


class Browse(PageWithBack):
    """Looks for a scenario or a saved game."""

    title = "Open a file"
    widest = 900.0
    keys = "Arrows choose, Enter opens, Esc goes back. A file may be dropped on the window as well."
    #: The label of the button that takes the typed path.
    offers = "Open"

    def __init__(self, look: Look, folder: Path | None = None) -> None:
        super().__init__(look)
        self.lines = {"path": Line("")}
        self.folders: tuple[Path, ...] = ()
        self.files: tuple[Path, ...] = ()
        self.go(folder or (_last[0] if _last else Path.home()))

    def go(self, folder: Path) -> None:
        """Show a folder; if it cannot be read, say so and stay."""
        try:
            paths = sorted(folder.iterdir(), key=lambda path: path.name.lower())
            seen = [path for path in paths if not path.name.startswith(".")]
            self.folders = tuple(path for path in seen if path.is_dir())[:MOST]
            self.files = tuple(path for path in seen if path.suffix.lower() in SUFFIXES and path.is_file())[:MOST]
        except OSError as error:
            self.note = f"{descriptions.place(folder)} cannot be read ({error.strerror or error})."
            return
        self.folder, self.note, self.scroll = folder, "", 0.0
        _last[:] = [folder]
        self.lines["path"].text = f"{folder}{os.sep}"
        self.anew()

    # --- layout ------------------------------------------------------------------------------------------------------

    def content(self, left: float, top: float, wide: float, high: float) -> Sequence[Spot]:
        """Return the line for a path, the usual places, and the rows of the folder."""
        spots = [
            Spot(
                (left, top, wide - 100, 34),
                self.lines["path"].draw,
                "path",
                "Type where it is, Enter goes there",
                typed=True,
            ),
            Spot((left + wide - 90, top, 90, 34), button(self.offers), "typed", "Open what is typed"),
        ]
        spots += self._usual_places(left, top + 46, wide)
        top += 96
        rows = (
            [("folder:" + str(self.folder.parent), "..", "The folder above")]
            if self.folder.parent != self.folder
            else []
        )
        rows += [(f"folder:{path}", f"{path.name}{os.sep}", "") for path in self.folders]
        rows += [(f"file:{path}", path.name, _kind(path)) for path in self.files]
        for number, (word, name, kind) in enumerate(rows):
            spots.append(Spot((left, top + number * (ROW + 2), wide, ROW), _row(name, kind), word))
        return [*spots, *self.below(left, top + len(rows) * (ROW + 2) + 6, wide)]

    def below(self, left: float, top: float, wide: float) -> Sequence[Spot]:
        """Say that no file here can be opened."""
        if self.files:
            return ()
        message = "There is no scenario (.yaml) and no saved game (.jsonl) in this folder."
        return [Spot((left, top, wide, 28), lambda b, p, _: b.lines(message, p, 14, "quiet"))]

    def _usual_places(self, left: float, top: float, wide: float) -> list[Spot]:
        places = [("Home", Path.home()), ("My battles", library.own_folder()), ("Saved games", games_folder())]
        if sys.platform == "win32" or (Path.home() / "Downloads").is_dir():
            places.append(("Downloads", Path.home() / "Downloads"))
        each = min(150.0, (wide - 10 * (len(places) - 1)) / len(places))
        return [
            Spot((left + n * (each + 10), top, each, 34), button(name), f"place:{path}", str(path))
            for n, (name, path) in enumerate(places)
        ]

    # --- actions -----------------------------------------------------------------------------------------------------

    @property
    def usual(self) -> str:  # type: ignore[override]
        """Enter in the line opens the typed path."""
        return "typed" if self.focus == "path" else ""

    def chose(self, word: str) -> None:
        """Go into a folder, or open a file."""
        kind, _, name = word.partition(":")
        if kind == "typed":
            self._go_or_open(typed_path(self.lines["path"].text))
        elif kind == "place":
            self._usual_place(Path(name))
        elif kind == "folder":
            self.go(Path(name))
        else:
            self._open(Path(name))

    def _usual_place(self, folder: Path) -> None:
        """Go to a usual place; the player's own folder is created if missing."""
        if folder == library.own_folder():
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                self.note = f"{descriptions.place(folder)} cannot be made ({error.strerror or error})."
                return
        self.go(folder)

    def _go_or_open(self, path: Path) -> None:
        if is_folder(path):
            self.go(path)
        else:
            self._open(path)

    def _open(self, path: Path) -> None:

        try:
            self.going = Go(of_file(path), instead=True)
        except TabletopError as error:
            self.note = str(error)


def _kind(path: Path) -> str:
    return "saved game" if path.suffix.lower() in library.GAME_FILES else "scenario or scene"


def _row(name: str, kind: str) -> Draw:
    def draw(brush: Brush, place: Place, state: State) -> None:
        left, top, wide, high = place
        lit = state.hovered or state.focused
        brush.paper(place, "card_lit" if lit else "card", "strong" if lit else "", 5)
        brush.line(name, left + 14, top + high / 2, wide - 200, 15, "bold" if not kind else "plain")
        brush.line(kind, left + wide - 14, top + high / 2, 170, 14, "plain", "quiet", "right")

    return draw
