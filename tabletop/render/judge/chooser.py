"""Choosing a file beside the table: the folders and files of one folder as links, and an entry for the name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from tabletop.play.files.typed_paths import is_folder, typed_path
from tabletop.render.drawing.lettering import shortened
from tabletop.render.judge.form import Heading, Keys, Note, Page, Part, Type
from tabletop.render.widgets.panel_page import Key

#: Maximum files listed for a folder.
MOST = 400
#: Maximum width of a path in design pixels.
ROOM = 370.0


@dataclass
class Chooser:
    """A file being chosen: the purpose, the folder, the suffixes, the name.

    ``take`` is called with the file; ``new`` is for a file that may not exist yet.
    """

    title: str
    label: str
    folder: Path
    suffixes: tuple[str, ...]
    take: Callable[[Path], None]
    name: str = ""
    new: bool = False
    note: str = ""
    #: Folders one click away, each (label, folder).
    places: tuple[tuple[str, Path], ...] = ()
    #: Whether it has been shown with the focus in its entry.
    seen: bool = False

    def parts(self) -> Sequence[Part]:
        """Return the rows of the panel."""
        keys = (Key("choose:", self.label, "Enter does it too"), Key("leave:", "Cancel", "Leave it (Esc)"))
        endings = " ".join(self.suffixes)
        return (
            Heading(self.title),
            Keys(tuple(Key(f"place:{n}", label, str(path)) for n, (label, path) in enumerate(self.places)), 4),
            Note(shortened(str(self.folder), 14.0, ROOM)),
            Type("Name" if self.new else "Path", (("file", self.name, endings if not self.new else ""),)),
            Keys(keys, 2, strong=frozenset(("choose:",))),
            Page("look", self._listed()),
        )

    def _listed(self) -> str:
        try:
            paths = sorted(self.folder.iterdir(), key=lambda path: path.name.lower())
        except FileNotFoundError:
            return "This folder is not there yet; it is made when something is saved in it."
        except OSError as error:
            return f"This folder cannot be read ({escape(error.strerror or str(error))})."
        seen = [path for path in paths if not path.name.startswith(".")][:MOST]
        rows = [("..", "../")] if self.folder.parent != self.folder else []
        folders = [(path.name, f"{path.name}/") for path in seen if path.is_dir()]
        files = [(path.name, path.name) for path in seen if path.suffix.lower() in self.suffixes and path.is_file()]
        lines = [
            f"<a href='{escape(name, quote=True)}'>{escape(label)}</a>" for name, label in (*rows, *folders, *files)
        ]
        return "<br>".join(lines if files else [*lines, f"No file here ends in {', '.join(self.suffixes)}."])

    def go(self, number: str) -> None:
        """Go to one of the usual places."""
        self.folder, self.note = self.places[int(number)][1], ""

    def look(self, name: str) -> None:
        """Go into a folder, or choose a file."""
        path = (self.folder.parent if name == ".." else self.folder / name).resolve()
        if is_folder(path):
            self.folder = path
        elif self.new:
            self.name = name
        else:
            self.take(path)

    def choose(self) -> None:
        """Take what is typed: a name in this folder, or a whole path. A folder is opened."""
        if not self.name.strip():
            self.note = "Type a name, or click one."
            return
        path = self.folder / typed_path(self.name)
        if is_folder(path):
            self.folder, self.name = path.resolve(), ""
            return
        if self.new and path.suffix.lower() not in self.suffixes:
            path = path.with_name(path.name + self.suffixes[0])
        self.take(path)
