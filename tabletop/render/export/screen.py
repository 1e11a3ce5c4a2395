"""The dialog to choose what to export; it can change the folder for files, and shows what was written."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tabletop.errors import TabletopError
from tabletop.render import descriptions
from tabletop.render.destinations import Subject
from tabletop.render.export.pressing import Pressing
from tabletop.render.export.written import write_report, write_view
from tabletop.render.film.process import Filming, of_battle
from tabletop.render.places import choose, documents_folder, free_path, pictures_folder
from tabletop.render.screens import Back, Look, Maker, Open
from tabletop.render.widgets.pages import folders
from tabletop.render.widgets.pages.brush import Brush, Place
from tabletop.render.widgets.pages.sheet import AIR, HIGH, Over
from tabletop.render.widgets.pages.spots import Draw, Spot, State, button, text, words

#: Design pixels: height of a row, width of one of its keys.
ROW, KEY = 56.0, 84.0


@dataclass(frozen=True)
class Row:
    """Something that can be exported: its name, its use, its keys as (word, label, hint)."""

    name: str
    good_for: str
    keys: tuple[tuple[str, str, str], ...]


PICTURE, DRAWING = "A picture, to send or to print", "A drawing, sharp at every size"
PICTURES = (
    Row(
        "This view",
        "With all that is marked on the table",
        (("view.png", "PNG", PICTURE), ("view.svg", "SVG", DRAWING)),
    ),
    Row(
        "The whole table",
        "A map with title, ruler and key",
        (("whole.png", "PNG", PICTURE), ("whole.svg", "SVG", DRAWING)),
    ),
)
PRINTING = Row(
    "On paper, at true scale",
    "Sheets, bases to cut out, rulers, arcs",
    (
        ("print.A4", "A4", "To play on a real table without miniatures: a PDF to print at 100 %"),
        ("print.Letter", "Letter", "To play on a real table without miniatures: a PDF to print at 100 %"),
    ),
)
TELLING = (
    Row("Report", "The battle told turn by turn, with maps", (("report.html", "HTML", "One page, for any browser"),)),
    Row(
        "Film",
        "Every action moving, and told below it",
        (
            ("film.gif", "GIF", "An animated picture that shows everywhere"),
            ("film.png", "PNG", "An animated picture for browsers"),
            ("film.webp", "WebP", "An animated picture for browsers, the smallest file"),
        ),
    ),
)


def exporting(subject: Subject) -> Maker:
    """Return the function that makes the dialog."""
    return lambda look: Exporting(subject, look)


class Exporting(Over):
    """The choice of what to export."""

    usual = "view.png"
    wide = 640.0

    def __init__(self, subject: Subject, look: Look) -> None:
        super().__init__(look)
        self.subject = subject
        self.written: Path | None = None
        self.outcome = ""
        self.filming: Filming | Pressing | None = None
        self.turn_to("view.png")

    @property
    def rows(self) -> Sequence[Row]:
        """What can be exported."""
        return (*PICTURES, PRINTING, *TELLING) if self.subject.has_game else (*PICTURES, PRINTING)

    @property
    def headed(self) -> str:
        """The title of the dialog."""
        return "Pictures, print, report, film" if self.subject.has_game else "Pictures and print"

    def close(self) -> None:
        """Stop a film that is still being made."""
        if self.filming is not None:
            self.filming.close()

    # --- layout ------------------------------------------------------------------------------------------------------

    def stacked(self, wide: float) -> Sequence[tuple[float, Spot]]:
        """Return the rows with their keys, the result, and the buttons."""
        stacked = [(44.0, Spot((0, 0, wide, 30), words(self.headed, 22, "place")))]
        for row in self.rows:
            stacked += self._row(row, wide)
        half = (wide - AIR) / 2
        shown, filming = self.written is not None, self.filming is not None
        show = Spot((0, 0, half, HIGH), button("Open what was written", open_=shown), "show", "", open=shown)
        stop = Spot((0, 0, half, HIGH), button("Leave it off"), "stop", "Nothing is written then")
        done = Spot((half + AIR, 0, half, HIGH), button("Done", strong=True), "done", "Back (Esc)")
        elsewhere = Spot((wide - 150, 2, 150, HIGH - 4), button("Another folder"), "folder", "Where the files go")
        return [
            *stacked,
            (0.0, elsewhere),
            (74.0, Spot((0, 4, wide - 150 - AIR, 68), self.note_or_hint())),
            (0.0, stop if filming else show),
            (HIGH, done),
        ]

    def _row(self, row: Row, wide: float) -> list[tuple[float, Spot]]:
        free = self.filming is None
        spots = [(0.0, Spot((0, 0, wide, 22), words(row.name, 15, "bold")))]
        spots.append((0.0, Spot((0, 21, wide - 3 * (KEY + AIR), 22), words(row.good_for, 14, ink="quiet"))))
        for number, (word, label, hint) in enumerate(row.keys):
            left = wide - (len(row.keys) - number) * (KEY + AIR) + AIR
            open_ = free or not word.startswith(("film", "print"))
            spot = Spot((left, 2, KEY, HIGH - 4), button(label, open_=open_), word, hint, open=open_)
            spots.append((0.0, spot))
        spots.append((ROW, Spot((0, 0, 0, 0), text(""))))
        return spots

    def note_or_hint(self) -> Draw:
        """Return a line with a film's progress, an error, what was written, or the hint of the key under the cursor."""
        if self.filming is not None:
            return self._far
        if self.note:
            return super().note_or_hint()
        fill = "ink" if self.outcome else "quiet"
        return lambda brush, place, _: brush.lines(self.outcome or self.hint or self._usually(), place, 14, fill)

    def _usually(self) -> str:
        pictures, documents = descriptions.place(pictures_folder()), descriptions.place(documents_folder())
        if pictures == documents:
            return f"Everything goes to {pictures}."
        return f"Pictures go to {pictures}" + (f", reports to {documents}." if self.subject.has_game else ".")

    def _far(self, brush: Brush, place: Place, _: State) -> None:
        assert self.filming is not None
        left, top, wide, _high = place
        done, of = self.filming.done, self.filming.of
        pressing = isinstance(self.filming, Pressing)
        what, parts = ("The sheets are", "pages") if pressing else ("The film is", "pictures")
        progress = f"{what} being made: {done} of {of} {parts}" if of else f"{what} begun ..."
        brush.line(progress, left, top + 10, wide, 14)
        brush.paper((left, top + 26, wide, 10), "light", "edge", 4)
        if done:
            brush.paper((left, top + 26, wide * done / of, 10), "strong", "", 4)

    # --- actions -----------------------------------------------------------------------------------------------------

    def work(self, seconds: float) -> bool:
        """Take in the progress of a film."""
        if self.filming is None:
            return False
        self.filming.listen()
        if self.filming.ended:
            self._filmed(self.filming)
        return True

    def _filmed(self, filming: Filming | Pressing) -> None:
        self.filming = None
        filming.close()
        if filming.path.exists():
            what, more = (
                ("The sheets are", " Print at 100 %.") if isinstance(filming, Pressing) else ("The film is", "")
            )
            self.written, self.outcome = filming.path, f"{what} in {descriptions.place(filming.path)}.{more}"
        else:
            self.note = filming.ended

    def did(self, word: str) -> None:
        """Do what a key says; an error is shown in one line, and leaves no partial file."""
        kind, _, suffix = word.partition(".")
        self.note = self.outcome = ""
        try:
            self._acts[kind](self, f".{suffix}")
        except TabletopError as error:
            self.note = str(error)

    def _wrote(self, what: str, path: Path) -> None:
        self.written, self.outcome = path, f"{what} is in {descriptions.place(path)}."

    def _view(self, suffix: str) -> None:
        self._wrote("This view", write_view(self.subject, suffix))

    def _whole(self, suffix: str) -> None:
        self._wrote("The whole table", write_view(self.subject, suffix, all_of_it=True))

    def _report(self, _: str) -> None:
        self._wrote("The report", write_report(self.subject))

    def _film(self, suffix: str) -> None:
        header = self.subject.header
        if header is not None and self.filming is None:
            path = free_path(pictures_folder(), self.subject.battle.title or "battle", suffix)
            self.filming = of_battle(header, self.subject.steps, path)

    def _print(self, paper: str) -> None:
        if self.filming is None:
            title = f"{self.subject.title} on paper"
            path = free_path(documents_folder(), title, ".pdf")
            self.filming = Pressing(self.subject.battle, path, paper.removeprefix("."))

    def _stop(self, _: str) -> None:
        if self.filming is not None:
            self.filming.leave_off()

    def _show(self, _: str) -> None:
        if self.written is not None:
            webbrowser.open(self.written.resolve().as_uri())

    def _folder(self, _: str) -> None:
        self.going = Open(folders.choosing(pictures_folder(), choose))

    def _done(self, _: str) -> None:
        self.going = Back()

    _acts: ClassVar[Mapping[str, Callable[[Exporting, str], None]]] = {
        "view": _view,
        "whole": _whole,
        "report": _report,
        "film": _film,
        "print": _print,
        "stop": _stop,
        "show": _show,
        "folder": _folder,
        "done": _done,
    }
