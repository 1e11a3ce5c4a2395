"""Writes the handouts of a lesson in the background, since playing its solutions takes seconds."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from tabletop.errors import TabletopError
from tabletop.lessons.reading import load_lesson
from tabletop.play.workers.pools import follow_parent
from tabletop.render.descriptions import place
from tabletop.render.handouts.lesson import of_lesson
from tabletop.render.handouts.page import write_numbered


class LessonWriter:
    """Writes one lesson at a time, in a process of its own, or with ``inline`` in this one (for tests)."""

    def __init__(self, inline: bool = False) -> None:
        self._inline = inline
        self._pool: ProcessPoolExecutor | None = None
        self._at_work: Future[str] | None = None

    @property
    def busy(self) -> bool:
        """Whether a lesson is being written."""
        return self._at_work is not None

    def begin(self, lesson: Path, folder: Path) -> None:
        """Start writing a lesson into a folder, unless another is being written."""
        if self.busy:
            return
        if self._inline:
            self._at_work = Future()
            self._at_work.set_result(written(lesson, folder))
            return
        way = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(1, mp_context=way, initializer=follow_parent)
        self._at_work = self._pool.submit(written, lesson, folder)

    def listen(self) -> str:
        """Return the outcome once it is done, else "". Call it once a frame."""
        if self._at_work is None or not self._at_work.done():
            return ""
        done, self._at_work = self._at_work, None
        self.close()
        try:
            return done.result()
        except BrokenProcessPool:
            return "The handout could not be written: its process ended."

    def close(self) -> None:
        """Stop the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None


def written(lesson: Path, folder: Path) -> str:
    """Write the handouts of a lesson's file into a folder; return where they are, or the error, in one line."""
    try:
        loaded = load_lesson(lesson)
        return f"Written: {place(write_numbered(folder, f'lesson {loaded.name}', of_lesson(loaded)))}"
    except TabletopError as error:
        return str(error).splitlines()[0]
