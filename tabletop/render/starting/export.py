"""The sheet that writes what others may look at: the table as a picture, the battle told as a page."""

from __future__ import annotations

import re
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import platformdirs

from tabletop.errors import TabletopError
from tabletop.render.playing.desk import GameDesk
from tabletop.render.screens import Back, Look
from tabletop.render.starting import telling
from tabletop.render.starting.line import Line
from tabletop.render.starting.over import AIR, HIGH, Over
from tabletop.render.starting.spots import Spot, button, text, words

#: Word, label, hint of each kind of file, and how its name ends.
KINDS = (
    ("png", "Picture (PNG)", "The table as it stands, to send or to print", ".png"),
    ("svg", "Drawing (SVG)", "The table as it stands, sharp at every size", ".svg"),
    ("report", "Report (HTML)", "The battle told turn by turn, with maps, for a browser", ".html"),
)


def usual_folder() -> Path:
    """Return the folder such files go to unless another is named."""
    return Path(platformdirs.user_documents_dir()) / "tabletop"


class Export(Over):
    """Asks for a name and writes files of it."""

    usual = "report"
    wide = 640.0

    def __init__(self, look: Look, desk: GameDesk) -> None:
        super().__init__(look)
        self.desk = desk
        battle = desk.battle
        name = re.sub(r"[^\w]+", "-", battle.title.lower()).strip("-")[:60] or "battle"
        self.lines = {"path": Line(str(usual_folder() / f"{name}-turn-{max(1, battle.clock.turn)}"))}
        self.written: Path | None = None
        self._asked: Path | None = None
        self.turn_to("report")

    def stacked(self, wide: float) -> Sequence[tuple[float, Spot]]:
        """Return the line for the name, a button for every kind of file, and what was written."""
        each = (wide - 2 * AIR) / 3
        kinds = [
            (0.0, Spot((n * (each + AIR), 0, each, HIGH), button(label, word == "report", size=15), word, hint))
            for n, (word, label, hint, _) in enumerate(KINDS)
        ]
        half = (wide - AIR) / 2
        shown = self.written is not None
        return [
            (38.0, Spot((0, 0, wide, 30), words("Pictures and report", 22, "place"))),
            (30.0, Spot((0, 0, wide, 24), text("Written beside each other under this name:", 15, "quiet"))),
            (48.0, Spot((0, 0, wide, 36), self.lines["path"].draw, "path", "Folder and name", typed=True)),
            *kinds,
            (HIGH + AIR, Spot((0, 0, 0, 0), text(""))),
            (0.0, Spot((0, 0, half, HIGH), button("Done", size=15), "done", "Back (Esc)")),
            (HIGH + AIR, Spot((half + AIR, 0, half, HIGH), button("Open what was written", open_=shown), "show",
                              "In the program this system has for it", open=shown)),
            (44.0, Spot((0, 0, wide, 44), self.said())),
        ]  # fmt: skip

    @property
    def hint(self) -> str:
        """What was written last comes first."""
        return f"Written: {telling.place(self.written)}" if self.written is not None else super().hint

    def typed(self, word: str) -> None:
        """Another name: nothing is wrong with it yet."""
        self.note, self._asked, self.written = "", None, None

    def did(self, word: str) -> None:
        """Write a file, open it, or go back."""
        self.note = ""
        if word == "done":
            self.going = Back()
        elif word == "show" and self.written is not None:
            webbrowser.open(self.written.resolve().as_uri())
        else:
            self._write(word, next(suffix for name, _, _, suffix in KINDS if name == word))

    def _write(self, word: str, suffix: str) -> None:
        path = Path(self.lines["path"].text.strip()).expanduser()
        path = path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)
        self.written = None
        if path.exists() and path != self._asked:
            self._asked = path
            self.note = f"{path.name} is there already. Press once more to replace it."
            return
        try:
            if path.parent == usual_folder():
                path.parent.mkdir(parents=True, exist_ok=True)
            self._writers[word](self, path)
        except (TabletopError, OSError, ValueError) as error:
            self.note = str(error)
            return
        self.written, self._asked = path, path

    def _picture(self, path: Path) -> None:
        from tabletop.render.files import write_picture
        from tabletop.render.scene import picture

        write_picture(path, picture(self.desk.battle))

    def _report(self, path: Path) -> None:
        from tabletop.play.report import report
        from tabletop.render.report_page import write_page

        write_page(path, report(self.desk.session.header, self.desk.session.steps))

    _writers: ClassVar[Mapping[str, Callable[[Export, Path], None]]] = {
        "png": _picture,
        "svg": _picture,
        "report": _report,
    }
