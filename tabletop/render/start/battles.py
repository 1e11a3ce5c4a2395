"""New battle, the first of two pages: the available battles, each on a card with a picture of its field."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tabletop.play.files import installed
from tabletop.play.saves import library
from tabletop.play.saves.library import Field, Unfit
from tabletop.render import descriptions
from tabletop.render.screens import Open
from tabletop.render.start import cards
from tabletop.render.start.file_page import FilePage
from tabletop.render.start.setting_up import SettingUp
from tabletop.render.widgets.pages.brush import height_of
from tabletop.render.widgets.pages.page_with_back import GAP
from tabletop.render.widgets.pages.spots import Spot, text, words
from tabletop.rules.periods import period_of

#: Height of the words on the card of a battle that is not read yet.
WAITING = 172.0
#: Letter size of the line about a rule set.
ABOUT = 14.0


class Battles(FilePage[Field]):
    """The battles to choose from."""

    title = "New battle"
    widest = 1560.0
    picture = (400.0, 260.0)

    def look_round(self) -> None:
        """List the battles: those installed, and the player's own."""
        self.installed, self.own = library.installed_battles(), library.own_battles()
        self.note = self.installed.trouble or self.own.trouble
        for path in (*self.installed.paths, *self.own.paths):
            self.read(path, partial(library.field, path))

    def was_read(self, path: Path) -> None:
        """Have the battle painted."""
        field = self.contents[path]
        if isinstance(field, Field):
            self.paint(path, field.battle, field.files)

    # --- layout ------------------------------------------------------------------------------------------------------

    def head(self) -> Sequence[tuple[str, str, str]]:
        """The button that opens a file from anywhere."""
        return (("file", "Open a file ...", "A scenario, scene or saved game from anywhere; or drop it on the window"),)

    def content(self, left: float, top: float, wide: float, high: float) -> Sequence[Spot]:
        """Return the cards: the installed ones by rule set and period, then the player's own."""
        spots: list[Spot] = []
        for name, paths in self._groups():
            top = self._cards(spots, paths, left, _heading(spots, name, left, top, wide), wide) + 12
        spots.append(Spot((left, top, wide, 28), words("My battles", 18, "bold")))
        return [*spots, *self._own(left, top + 38, wide)]

    def _groups(self) -> list[tuple[str, list[Path]]]:
        """Return the rule sets by name, each with the files of its battles, where a file not read yet is installed."""
        groups: dict[str, list[Path]] = {}
        for path in self.installed.paths:
            field = self.contents.get(path)
            name = field.battle.rules if isinstance(field, Field) else installed.rules_of(path)
            groups.setdefault(name, []).append(path)
        return list(groups.items())

    def _own(self, left: float, top: float, wide: float) -> list[Spot]:
        spots: list[Spot] = []
        below = self._cards(spots, self.own.paths, left, top, wide)
        folder = descriptions.place(library.own_folder())
        advice = f"Your own scenario files go into the folder {folder}; or drop a file on the window."
        place = (left, below if self.own.paths else top, wide, 40)
        return [*spots, Spot(place, lambda b, p, _: b.lines(advice, p, 14, "quiet"))]

    def _cards(self, spots: list[Spot], paths: Sequence[Path], left: float, top: float, wide: float) -> float:
        """Lay out cards in rows and return where the next thing begins."""
        columns = max(1, int((wide + GAP) // (cards.CARD + GAP)))
        each = (wide - GAP * (columns - 1)) / columns
        for start in range(0, len(paths), columns):
            row = paths[start : start + columns]
            high = cards.picture_high(each) + max(self._words_high(path, each) for path in row)
            for column, path in enumerate(row):
                spots.append(self._card(path, (left + column * (each + GAP), top, each, high)))
            top += high + GAP
        return top

    def _words_high(self, path: Path, wide: float) -> float:
        """Return the height of the words on a card, read or not."""
        field = self.contents.get(path)
        return cards.words_high(field, wide) if isinstance(field, Field) else WAITING

    def _card(self, path: Path, place: tuple[float, float, float, float]) -> Spot:
        entry = self.contents.get(path)
        if isinstance(entry, Field):
            hint = f"{entry.battle.title}: {descriptions.forces(entry.battle)}."
            return Spot(place, cards.field_card(entry, self.pictures.get(path)), f"battle:{path}", hint)
        if isinstance(entry, Unfit):
            return Spot(place, cards.unfit_card(entry))
        return Spot(place, cards.waiting_card(path.stem.replace("-", " ").capitalize()))

    # --- actions -----------------------------------------------------------------------------------------------------

    def chose(self, word: str) -> None:
        """Go to the page of a battle, or look for a file."""
        kind, _, name = word.partition(":")
        if kind == "file":
            from tabletop.render.widgets.pages.browse import Browse

            self.going = Open(Browse)
            return
        field = self.contents.get(Path(name))
        if isinstance(field, Field):
            self.going = Open(lambda look: SettingUp(look, field))


def _heading(spots: list[Spot], name: str, left: float, top: float, wide: float) -> float:
    """Lay out a rule set's title with its period, and its line below; return where its cards begin."""
    period = period_of(name)
    spots.append(Spot((left, top, wide, 28), words(period.heading, 18, "bold")))
    if not period.about:
        return top + 38
    high = height_of(period.about, wide, ABOUT)
    spots.append(Spot((left, top + 29, wide, high), text(period.about, ABOUT, "quiet")))
    return top + 29 + high + 11
