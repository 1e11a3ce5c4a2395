"""The autosave: every action on the disk before the next one is asked for.

A line is appended, flushed and forced to the disk. When that fails (disk full, no right to write) the game in memory
goes on; at the next action the whole file is written anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import platformdirs

from tabletop.errors import Unsaved
from tabletop.play import versions
from tabletop.play.engine import Step
from tabletop.play.save import Header, Saved, header_line, step_line
from tabletop.play.versions import Versions
from tabletop.play.writing import write_whole


def games_folder() -> Path:
    """Return the folder saved games go to unless told where: the one this system keeps for the user's data."""
    return Path(platformdirs.user_data_dir("tabletop", appauthor=False)) / "games"


def free_path(title: str, folder: Path | None = None) -> Path:
    """Return the path of a file not there yet, named for the battle; Unsaved when the folder cannot be made."""
    folder = games_folder() if folder is None else folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unsaved(_sentence(folder, error)) from None
    stem = re.sub(r"[^\w]+", "-", title.lower()).strip("-")[:60] or "battle"
    names = [f"{stem}.jsonl", *(f"{stem}-{k}.jsonl" for k in range(2, 10_000))]
    return next(path for name in names if not (path := folder / name).exists())


class Journal:
    """A game's lines, and the file they are kept in while it is played (none: they are only kept when saved)."""

    def __init__(self, header: Header, steps: Sequence[Step], path: Path | None = None) -> None:
        self.path = path
        self._header = header
        self._steps = list(steps)
        self._lines: list[bytes] = []  # the header's, then one for each step as far as they have been needed
        self._size = -1  # bytes of the file when it holds just these lines

    @classmethod
    def of(cls, saved: Saved, steps: Sequence[Step], path: Path | None = None) -> Journal:
        """Return the journal of a game just read; ``path`` is the file it is kept in from now on."""
        found = cls(saved.header, steps, path)
        found._lines = list(saved.raw)
        return found

    def add(self, step: Step) -> None:
        """Put one step on the disk; Unsaved, the step still kept for the next attempt, when that cannot be done."""
        self._steps.append(step)
        self.keep()

    def drop(self) -> None:
        """Take the last step out of the file; Unsaved when that cannot be done: it is not written again later."""
        self._steps.pop()
        del self._lines[len(self._steps) + 1 :]
        self._size = -1
        self.keep()

    def keep(self) -> None:
        """Bring the file up to date: the new lines appended when it is as it was left, else all written anew."""
        if self.path is None:
            return
        written = len(self._lines)
        self._catch_up()
        try:
            if self._as_left(self.path):
                self._append(self.path, b"".join(self._lines[written:]))
            else:
                self._write(self.path)
        except OSError as error:
            self._size = -1
            raise Unsaved(_sentence(self.path, error)) from None

    def save_as(self, path: Path) -> None:
        """Write the whole game to another file and keep it there from now on; Unsaved, nothing changed, if it fails."""
        self._catch_up()
        try:
            self._write(path)
        except OSError as error:
            raise Unsaved(_sentence(path, error)) from None
        self.path = path

    def _catch_up(self) -> None:
        if not self._lines:
            self._lines.append(header_line(self._header))
        for n in range(len(self._lines) - 1, len(self._steps)):
            under = self._under(n)
            self._lines.append(
                step_line(n, self._steps[n], self._lines[-1], under if under != self._under(n - 1) else None)
            )

    def _under(self, n: int) -> Versions:
        """Return the versions step ``n`` was played under; before the first, those the header names."""
        header = self._header
        if n < 0:
            return header.begun_under
        here = self._steps[n].under
        return versions.current(header.opening.rules) if here is None else here

    def _as_left(self, path: Path) -> bool:
        """Return whether the file is there as this journal left it: not moved away, not changed by another."""
        try:
            return path.stat().st_size == self._size
        except OSError:
            return False

    def _append(self, path: Path, line: bytes) -> None:
        size, self._size = self._size, -1
        with path.open("ab") as stream:
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())
        self._size = size + len(line)

    def _write(self, path: Path) -> None:
        """Write all to a temporary file and move it to its place in one step."""
        data = b"".join(self._lines)
        write_whole(path, data)
        self._size = len(data)


def _sentence(path: Path, error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{path}: the game cannot be saved there ({reason}); make room, or save it in another folder"
