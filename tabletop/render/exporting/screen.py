"""The screen on which is chosen what to export; what was written, and where, is said on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import pygame

from tabletop.errors import TabletopError
from tabletop.render.drawing import Item, Pen
from tabletop.render.exporting.filming import Filming
from tabletop.render.exporting.places import documents_folder, free_path, pictures_folder
from tabletop.render.exporting.subject import Subject, write_report, write_view
from tabletop.render.lettering import shortened
from tabletop.render.replaying.paper import HEAD, LETTERS, PAGE, block, line, painted
from tabletop.render.screens import Back, Going, Look, Maker
from tabletop.render.theme import colour
from tabletop.render.widgets import Widgets

#: Pixels of the design: the sheet, its margin, a row and its keys.
WIDE, HIGH, PAD, ROW, KEY, KEY_HIGH = 720, 456, 28, 64, 92, 32
#: Rows of the sheet: what it is, what it is good for, and its keys (word, label, hint).
Row = tuple[str, str, tuple[tuple[str, str, str], ...]]
PICTURES: tuple[Row, ...] = (
    (
        "This view",
        "With all that is marked on the table",
        (("view.png", "PNG", "A picture for looking at"), ("view.svg", "SVG", "A drawing, sharp at every size")),
    ),
    (
        "The whole table",
        "As a map with title, ruler and key",
        (("whole.png", "PNG", "A picture for looking at"), ("whole.svg", "SVG", "A drawing, sharp at every size")),
    ),
)
TELLING: tuple[Row, ...] = (
    (
        "Report of the battle",
        "A page with maps of its turns, for any browser",
        (("report.html", "HTML", "One file that holds everything"),),
    ),
    (
        "Film of the battle",
        "Every action moving, and told below",
        (
            ("film.gif", "GIF", "Shows everywhere"),
            ("film.png", "PNG", "An animated PNG: finer colours in some programs"),
            ("film.webp", "WebP", "The smallest"),
        ),
    ),
)


def exporting(subject: Subject) -> Maker:
    """Return what makes the screen."""
    return lambda look: Exporting(subject, look)


class Exporting:
    """The choice of what to export."""

    def __init__(self, subject: Subject, look: Look) -> None:
        self.subject, self.scale = subject, look.scale
        self.going: Going | None = None
        self.said = ""
        self.filming: Filming | None = None
        self.surface = pygame.display.get_surface() or pygame.display.set_mode((1280, 800), pygame.RESIZABLE)
        self.widgets = Widgets(self.surface.get_size(), self.scale)
        self._laid: tuple[object, ...] = ()

    @property
    def rows(self) -> Sequence[Row]:
        """What can be exported."""
        return (*PICTURES, *TELLING) if self.subject.told else PICTURES

    def shown(self, look: Look) -> None:
        """Fit the window as it is now."""
        self.surface = pygame.display.get_surface() or self.surface
        if look.scale != self.scale:
            self.scale = look.scale
            self.widgets = Widgets(self.surface.get_size(), self.scale)
        self.widgets.resized(self.surface.get_size())
        self._laid = ()

    def close(self) -> None:
        """Leave a film off that is not done."""
        if self.filming is not None:
            self.filming.close()

    # --- one frame ---------------------------------------------------------------------------------------------------

    def frame(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        """Take in what has happened and draw the sheet."""
        for event in events:
            self.handle(event)
        self._listen()
        self._lay()
        self.widgets.update(seconds)
        self.surface.fill(colour("room", "floor"))
        painted(self.surface, self._sheet(), self._items(), self.scale)
        self.widgets.draw(self.surface)

    def _listen(self) -> None:
        if self.filming is not None:
            self.filming.listen()
            if self.filming.ended:
                self.said = self.filming.ended
                self.filming.close()
                self.filming = None

    def _sheet(self) -> pygame.Rect:
        """The sheet, in the window's pixels."""
        wide, high = (round(n * self.scale) for n in (WIDE, HIGH))
        place = pygame.Rect(0, 0, min(wide, self.surface.get_width()), min(high, self.surface.get_height()))
        place.center = self.surface.get_rect().center
        return place

    def _items(self) -> list[Item]:
        wide, high = (n / self.scale for n in self._sheet().size)
        edge = Pen(colour("page", "ink"), 2.0)
        items: list[Item] = [PAGE.panel(1, 1, wide - 1, high - 1, colour("page", "panel"), edge)]
        items.append(line(PAD, 30.0, "Export", "ink", "bold", 19.0))
        for k, (name, good_for, _) in enumerate(self.rows):
            y = 72.0 + ROW * k
            room = wide - 3 * PAD - 3 * (KEY + 8)
            items.append(line(PAD, y, name, "ink", "bold", HEAD))
            items.append(line(PAD, y + 20, shortened(good_for, LETTERS, max(40.0, room)), "quiet"))
        return [*items, *self._news(wide, high)]

    def _news(self, wide: float, high: float) -> list[Item]:
        """Return how far a film is, what was written last, or where files go."""
        y = high - 104.0
        if self.filming is not None:
            done, of = self.filming.done, max(1, self.filming.of)
            room = wide - 2 * PAD
            told = f"The film is being made: {done} of {of} pictures" if self.filming.of else "The film is begun ..."
            return [
                line(PAD, y, told),
                PAGE.panel(PAD, y + 14, PAD + room, y + 24, "#ffffff", Pen(colour("page", "ink"), 1.0)),
                PAGE.panel(PAD, y + 14, PAD + room * done / of, y + 24, colour("answer", "yes")),
            ]
        told = self.said or f"Pictures and films go to {pictures_folder()}, reports to {documents_folder()}."
        ink, face = ("ink", "bold") if self.said else ("quiet", "plain")
        return [line(PAD, y + 19 * k, text, ink, face) for k, text in enumerate(block(told, wide - 2 * PAD, 3))]

    def _lay(self) -> None:
        key = (self.surface.get_size(), self.scale, self.filming is not None)
        if key == self._laid:
            return
        self._laid = key
        self.widgets.clear()
        sheet, free = self._sheet(), self.filming is None
        left, top, right = sheet.left / self.scale, sheet.top / self.scale, sheet.right / self.scale - PAD
        for k, (_, _, keys) in enumerate(self.rows):
            for number, (word, label, hint) in enumerate(keys):
                x = right - (len(keys) - number) * (KEY + 8) + 8
                open_ = free or not word.startswith("film")
                self.widgets.button((x, top + 66 + ROW * k, KEY, KEY_HIGH), word, label, hint, open_=open_)
        bottom = sheet.bottom / self.scale - KEY_HIGH - 14
        if not free:
            self.widgets.button((left + PAD, bottom, 150, KEY_HIGH), "stop", "Leave the film off", "Nothing is written")
        self.widgets.button((right - 110, bottom, 110, KEY_HIGH), "close", "Back", "Back (Esc)", style="#strong")

    # --- events ------------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Take in one event."""
        if event.type == pygame.VIDEORESIZE:
            self.surface = pygame.display.get_surface() or self.surface
            self.widgets.resized(self.surface.get_size())
            self._laid = ()
            return
        did = self.widgets.handle(event)
        if did is not None and did.word:
            self.press(did.word)
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.press("close")

    def press(self, word: str) -> None:
        """Do what a key of the sheet says; what goes wrong is said in one line."""
        kind, _, suffix = word.partition(".")
        try:
            self._acts[kind](self, f".{suffix}")
        except TabletopError as error:
            self.said = str(error)

    def _view(self, suffix: str) -> None:
        self.said = f"This view is in {write_view(self.subject, suffix)}."

    def _whole(self, suffix: str) -> None:
        self.said = f"The whole table is in {write_view(self.subject, suffix, all_of_it=True)}."

    def _report(self, _: str) -> None:
        self.said = f"The report is in {write_report(self.subject)}."

    def _film(self, suffix: str) -> None:
        header = self.subject.header
        if header is not None and self.filming is None:
            path = free_path(pictures_folder(), self.subject.battle.title or "battle", suffix)
            self.filming = Filming(header, self.subject.steps, path)

    def _stop(self, _: str) -> None:
        if self.filming is not None:
            self.filming.leave_off()

    def _close(self, _: str) -> None:
        self.going = Back()

    _acts: ClassVar[Mapping[str, Callable[[Exporting, str], None]]] = {
        "view": _view,
        "whole": _whole,
        "report": _report,
        "film": _film,
        "stop": _stop,
        "close": _close,
    }
