"""Base of pages that list files: each file is read and then painted in the background, and shown when ready."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

import pygame

from tabletop.battle.battle import Battle
from tabletop.play.saves.library import Unfit
from tabletop.render.screens import Look
from tabletop.render.start import pictures
from tabletop.render.start.background_jobs import AnyJobs, BackgroundJobs, Job
from tabletop.render.widgets.pages.page_with_back import PageWithBack

Content = TypeVar("Content")


class FilePage(PageWithBack, Generic[Content]):
    """Base of pages of files.

    ``contents`` has each file's content, or why it cannot be read; ``pictures`` its field.
    """

    #: Width and height of a picture, in design pixels.
    picture: ClassVar[tuple[float, float]]

    def __init__(self, look: Look, jobs: AnyJobs[tuple[str, Path]] | None = None) -> None:
        super().__init__(look)
        self.jobs: AnyJobs[tuple[str, Path]] = BackgroundJobs() if jobs is None else jobs
        self.contents: dict[Path, Content | Unfit] = {}
        self.pictures: dict[Path, pygame.Surface] = {}
        self.look_round()

    def look_round(self) -> None:
        """List the files, and have them read."""
        raise NotImplementedError

    def shown(self, look: Look) -> None:
        """Adapt to the window, and list the files again."""
        super().shown(look)
        self.look_round()

    def close(self) -> None:
        """Stop the background jobs."""
        self.jobs.close()

    def work(self, seconds: float) -> bool:
        """Take in what was read and painted."""
        news = self.jobs.take()
        for (kind, path), made in news:
            if kind == "read":
                self.contents[path] = made
                self.was_read(path)
            elif isinstance(made, pygame.Surface):
                self.pictures[path] = made
        return bool(news)

    def was_read(self, path: Path) -> None:
        """Do what follows when a file has been read."""

    def read(self, path: Path, job: Job) -> None:
        """Have a file read."""
        self.jobs.ask(("read", path), job)

    def paint(self, path: Path, battle: Battle, files: Iterable[str | Path]) -> None:
        """Have the field of a battle painted that was read from some files."""
        scale, settings = self.scale, self.look.settings
        size = (round(self.picture[0] * scale), round(self.picture[1] * scale))
        self.jobs.ask(("picture", path), lambda: pictures.of_files(battle, files, size, scale, settings))
