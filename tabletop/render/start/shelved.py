"""Pages of what stands in files: each file is read, and then painted, beside the screen, and comes in as it is done."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

import pygame

from tabletop.battle.battle import Battle
from tabletop.play.saves.library import Unfit
from tabletop.render.screens import Look
from tabletop.render.start import pictures
from tabletop.render.start.errands import AnyPorter, Errand, Porter
from tabletop.render.widgets.pages.page_with_way_back import Leaf

Found = TypeVar("Found")


class Shelved(Leaf, Generic[Found]):
    """Base of the pages of files: ``found`` is what was read of each, or why it cannot be; ``pictures`` its field."""

    #: Width and height of a picture, in pixels of the design.
    picture: ClassVar[tuple[float, float]]

    def __init__(self, look: Look, porter: AnyPorter[tuple[str, Path]] | None = None) -> None:
        super().__init__(look)
        self.porter: AnyPorter[tuple[str, Path]] = Porter() if porter is None else porter
        self.found: dict[Path, Found | Unfit] = {}
        self.pictures: dict[Path, pygame.Surface] = {}
        self.look_round()

    def look_round(self) -> None:
        """See which files there are, and have them read."""
        raise NotImplementedError

    def shown(self, look: Look) -> None:
        """Fit the window; there may be other files than before."""
        super().shown(look)
        self.look_round()

    def close(self) -> None:
        """Let the porter go."""
        self.porter.close()

    def work(self, seconds: float) -> bool:
        """Take in what was read and painted."""
        news = self.porter.take()
        for (kind, path), made in news:
            if kind == "read":
                self.found[path] = made
                self.was_read(path)
            elif isinstance(made, pygame.Surface):
                self.pictures[path] = made
        return bool(news)

    def was_read(self, path: Path) -> None:
        """Do what follows when a file has been read."""

    def read(self, path: Path, errand: Errand) -> None:
        """Have a file read."""
        self.porter.ask(("read", path), errand)

    def paint(self, path: Path, battle: Battle, files: Iterable[str | Path]) -> None:
        """Have the field of a battle painted, which was read of some files."""
        scale, settings = self.scale, self.look.settings
        size = (round(self.picture[0] * scale), round(self.picture[1] * scale))
        self.porter.ask(("picture", path), lambda: pictures.of_files(battle, files, size, scale, settings))
