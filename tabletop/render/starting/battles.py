"""New battle, the first of two pages: the battles there are, each on a card with a picture of its field."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pygame

from tabletop.play import shelf
from tabletop.play.shelf import Field, Unfit
from tabletop.render.pages.leaf import GAP, Leaf
from tabletop.render.pages.spots import Spot, words
from tabletop.render.screens import Look, Open
from tabletop.render.starting import cards, pictures, telling
from tabletop.render.starting.errands import AnyPorter, Porter
from tabletop.render.starting.setting_up import SettingUp

#: Letters of the smallest picture a card has, in pixels of the design.
PICTURE = (400, 260)


class Battles(Leaf):
    """The battles that can be begun."""

    title = "New battle"
    widest = 1560.0

    def __init__(self, look: Look, porter: AnyPorter[tuple[str, Path]] | None = None) -> None:
        super().__init__(look)
        self.porter: AnyPorter[tuple[str, Path]] = Porter() if porter is None else porter
        self.installed, self.own = shelf.Shelf(), shelf.Shelf()
        self.found: dict[Path, Field | Unfit] = {}
        self.pictures: dict[Path, pygame.Surface] = {}
        self._look_round()

    def _look_round(self) -> None:
        self.installed, self.own = shelf.installed_battles(), shelf.own_battles()
        self.note = self.installed.trouble or self.own.trouble
        for path in (*self.installed.paths, *self.own.paths):
            self.porter.ask(("field", path), lambda path=path: shelf.field(path))  # type: ignore[misc]

    def shown(self, look: Look) -> None:
        """Fit the window; the player's own folder may hold others than before."""
        super().shown(look)
        self._look_round()

    def close(self) -> None:
        """Let the porter go."""
        self.porter.close()

    def work(self, seconds: float) -> bool:
        """Take in what was read and painted."""
        news = self.porter.take()
        for (kind, path), made in news:
            if kind == "field":
                self.found[path] = made
                self._ask_picture(path, made)
            elif isinstance(made, pygame.Surface):
                self.pictures[path] = made
        return bool(news)

    def _ask_picture(self, path: Path, made: Field | Unfit) -> None:
        if not isinstance(made, Field):
            return
        scale, settings = self.scale, self.look.settings
        size = (round(PICTURE[0] * scale), round(PICTURE[1] * scale))
        self.porter.ask(("picture", path), lambda: pictures.of_files(made.battle, made.files, size, scale, settings))

    # --- what lies on it ---------------------------------------------------------------------------------------------

    def head(self) -> Sequence[tuple[str, str, str]]:
        """A battle may come from anywhere."""
        return (("file", "Open a file ...", "A scenario, scene or saved game from anywhere; or drop it on the window"),)

    def content(self, left: float, top: float, wide: float, high: float) -> Sequence[Spot]:
        """Return the cards: those that come with the program by rule set, then the player's own."""
        spots: list[Spot] = []
        for head, paths in self._groups():
            spots.append(Spot((left, top, wide, 28), words(head, 18, "bold")))
            top = self._cards(spots, paths, left, top + 38, wide) + 12
        spots.append(Spot((left, top, wide, 28), words("My battles", 18, "bold")))
        return [*spots, *self._own(left, top + 38, wide)]

    def _groups(self) -> list[tuple[str, list[Path]]]:
        groups: dict[str, list[Path]] = {}
        for path in self.installed.paths:
            found = self.found.get(path)
            name = telling.rules_title(found.battle) if isinstance(found, Field) else _rules_of(path)
            groups.setdefault(name, []).append(path)
        return list(groups.items())

    def _own(self, left: float, top: float, wide: float) -> list[Spot]:
        spots: list[Spot] = []
        below = self._cards(spots, self.own.paths, left, top, wide)
        folder = telling.place(shelf.own_folder())
        said = f"Your own scenario files go into the folder {folder}; or drop a file on the window."
        place = (left, below if self.own.paths else top, wide, 40)
        return [*spots, Spot(place, lambda b, p, _: b.lines(said, p, 14, "quiet"))]

    def _cards(self, spots: list[Spot], paths: Sequence[Path], left: float, top: float, wide: float) -> float:
        """Lay cards in rows and return where the next thing begins."""
        columns = max(1, int((wide + GAP) // (cards.CARD + GAP)))
        each = (wide - GAP * (columns - 1)) / columns
        high = min(each, 400) * cards.SHAPE + cards.WORDS
        for number, path in enumerate(paths):
            row, column = divmod(number, columns)
            spots.append(self._card(path, (left + column * (each + GAP), top + row * (high + GAP), each, high)))
        return top + -(-len(paths) // columns) * (high + GAP)

    def _card(self, path: Path, place: tuple[float, float, float, float]) -> Spot:
        found = self.found.get(path)
        if isinstance(found, Field):
            hint = f"{found.battle.title}: {telling.forces(found.battle)}."
            return Spot(place, cards.field_card(found, self.pictures.get(path)), f"battle:{path}", hint)
        if isinstance(found, Unfit):
            return Spot(place, cards.unfit_card(found))
        return Spot(place, cards.waiting_card(path.stem.replace("-", " ").capitalize()))

    # --- what is done ------------------------------------------------------------------------------------------------

    def chose(self, word: str) -> None:
        """Go on to the page of a battle, or look for a file."""
        kind, _, name = word.partition(":")
        if kind == "file":
            from tabletop.render.starting.browse import Browse

            self.going = Open(Browse)
            return
        found = self.found.get(Path(name))
        if isinstance(found, Field):
            self.going = Open(lambda look: SettingUp(look, found))


def _rules_of(path: Path) -> str:
    from tabletop.rules import rule_set

    name = path.parent.name
    return rule_set.find(name).title if name in rule_set.NAMES else name
