"""The autosave: every action is on the disk before the next one is done, and only one program writes to a file.

A line is appended, flushed and forced to the disk. If that fails (disk full, no right to write), the game goes on in
memory, and at the next action the whole file is rewritten.
"""

from __future__ import annotations

import os
import re
import weakref
from collections.abc import Sequence
from pathlib import Path

import platformdirs

from tabletop.errors import Unsaved
from tabletop.play.engine import Step
from tabletop.play.files.writing import write_whole
from tabletop.play.saves import lock, versions
from tabletop.play.saves.save import Header, Saved, header_line, step_line
from tabletop.play.saves.versions import Versions


def games_folder() -> Path:
    """Return the default folder of saved games, below the system's folder for the user's data."""
    return Path(platformdirs.user_data_dir("tabletop", appauthor=False)) / "games"


def free_path(title: str, folder: Path | None = None) -> Path:
    """Return the path of a new file named after the battle; Unsaved if the folder cannot be made."""
    folder = games_folder() if folder is None else folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unsaved(_sentence(folder, error)) from None
    stem = re.sub(r"[^\w]+", "-", title.lower()).strip("-")[:60] or "battle"
    names = [f"{stem}.jsonl", *(f"{stem}-{k}.jsonl" for k in range(2, 10_000))]
    return next(path for name in names if not (path := folder / name).exists())


class Autosave:
    """A game's lines, and the file they are kept in while it is played (None: they are only written by ``save_as``).

    Only one program writes to a file (``lock``), and before it writes it checks that the file still ends as it left it.
    If another program has the game open, or has added to it, both go on and neither loses anything: this game is kept
    in a new file beside the old one, and ``notice`` says so.
    """

    def __init__(self, header: Header, steps: Sequence[Step], path: Path | None = None) -> None:
        self.path = path
        self.notice: str | None = None
        self._header = header
        self._steps = list(steps)
        self._lines: list[bytes] = []  # the header line, then those of the steps, made when needed
        self._size = -1  # bytes of the file when it holds exactly these lines
        self._left: tuple[int, bytes] | None = None  # bytes and last line of the file when it was last complete
        self._line_under_way = b""  # the text last appended, perhaps in part
        self._elsewhere = False  # another program has this file
        self._let_go: weakref.finalize[..., Autosave] | None = None

    @classmethod
    def of(cls, saved: Saved, steps: Sequence[Step], path: Path | None = None) -> Autosave:
        """Return the autosave of a game just read; ``path`` is the file it is kept in from now on."""
        autosave = cls(saved.header, steps, path)
        autosave._lines = list(saved.raw)
        if path is not None and _same_file(path, saved.file):
            autosave._goes_on(path, saved.cut_off)
        return autosave

    def _goes_on(self, path: Path, cut_off: bool) -> None:
        """Continue the file a game was read from; if its last line was cut off, the file will be rewritten."""
        self._whole(b"".join(self._lines))
        if cut_off:
            self._size = -1
        self._take(path)
        if self._elsewhere:
            self.notice = f"{path.name} is open in another program: what you do is kept in a new file of its own"

    def begin(self) -> None:
        """Bring the file up to date when the game is opened, unless another program has it."""
        if not self._elsewhere:
            self.keep()

    def add(self, step: Step) -> None:
        """Write one step to the disk; Unsaved if that fails, with the step kept for the next attempt."""
        self._steps.append(step)
        self.keep()

    def drop(self) -> None:
        """Remove the last step from the file; Unsaved if that fails, but later attempts leave the step out."""
        self._steps.pop()
        del self._lines[len(self._steps) + 1 :]
        self._size = -1
        self.keep()

    def keep(self) -> None:
        """Bring the file up to date: append the new lines if it is as it was left, else rewrite it."""
        if self.path is None:
            return
        written = len(self._lines)
        self._catch_up()
        try:
            self._own_place(self.path)
            if self._size >= 0 and self.path.exists():
                self._append(self.path, b"".join(self._lines[written:]))
            else:
                self._write(self.path)
        except OSError as error:
            self._size = -1
            raise Unsaved(_sentence(self.path, error)) from None

    def save_as(self, path: Path) -> None:
        """Write the whole game to another file and keep it there from now on; Unsaved, with nothing changed, if not."""
        self._catch_up()
        if path == self.path:
            self.keep()
            return
        if lock.take(path):
            raise Unsaved(f"{path} is open in another program; close it there, or name another file")
        try:
            self._write(path)
        except OSError as error:
            lock.let_go(path)
            raise Unsaved(_sentence(path, error)) from None
        self._leave()
        self._take(path)
        lock.let_go(path)
        self.path = path

    def _catch_up(self) -> None:
        if not self._lines:
            self._lines.append(header_line(self._header))
        for n in range(len(self._lines) - 1, len(self._steps)):
            under = self._under(n)
            changed = under if under != self._under(n - 1) else None
            self._lines.append(step_line(n, self._steps[n], self._lines[-1], changed))

    def _under(self, n: int) -> Versions:
        """Return the versions step ``n`` was played under; before the first, those the header names."""
        header = self._header
        if n < 0:
            return header.begun_under
        under = self._steps[n].under
        return versions.current(header.opening.rules) if under is None else under

    # --- ownership of the file ---

    def _take(self, path: Path) -> None:
        """Lock a file until another is written or this object is deleted; note if another program has it."""
        self._elsewhere = lock.take(path)
        if not self._elsewhere:
            self._let_go = weakref.finalize(self, lock.let_go, path)

    def _leave(self) -> None:
        if self._let_go is not None:
            self._let_go()
            self._let_go = None

    def _own_place(self, path: Path) -> None:
        """Make sure that this object may write the file; if another program has it, go on in a new one beside it."""
        if self._let_go is None:
            self._take(path)
        if not self._elsewhere and self._as_left(path):
            return
        why = "is open in another program" if self._elsewhere else "has been changed by another program"
        self._leave()
        self.path, self._size, self._left = _beside(path), -1, None
        self._take(self.path)
        self.notice = f"{path.name} {why} and stays as it is; this game is kept in {self.path} from here on"

    def _as_left(self, path: Path) -> bool:
        """Return whether the file is gone, ends as it was left, or ends with part of a line that was not completed."""
        if self._left is None:
            return True  # never written yet, so this object begins it
        size, last = self._left
        try:
            with path.open("rb") as stream:
                stream.seek(max(0, size - len(last)))
                tail = stream.read(len(last) + self._torn)
        except OSError:
            return not path.exists()
        more = tail[len(last) :]
        return tail.startswith(last) and (not more or (self._size < 0 and self._begun(more)))

    @property
    def _torn(self) -> int:
        """The bytes to read beyond the known end: more than the line that was being written can have."""
        return 1 + sum(map(len, self._lines))

    def _begun(self, more: bytes) -> bool:
        """Return whether these bytes are the beginning of the text being written, or an unfinished line."""
        return self._line_under_way.startswith(more) or not more.endswith(b"\n")

    def _whole(self, data: bytes) -> None:
        """Note that the file holds exactly ``data``."""
        self._size, self._left = len(data), (len(data), data[-len(self._lines[-1]) :])

    def _append(self, path: Path, line: bytes) -> None:
        size, self._size, self._line_under_way = self._size, -1, line
        with path.open("ab") as stream:
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())
        self._size = size + len(line)
        self._left = (self._size, self._lines[-1])

    def _write(self, path: Path) -> None:
        """Write everything to a temporary file and move it to its place in one step."""
        data = b"".join(self._lines)
        write_whole(path, data)
        self._whole(data)


def _beside(path: Path) -> Path:
    """Return the path of a new file in the same folder as another, with a similar name."""
    names = (f"{path.stem}-{k}{path.suffix}" for k in range(2, 10_000))
    return next(place for name in names if not (place := path.with_name(name)).exists())


def _same_file(path: Path, name: str) -> bool:
    try:
        return path.samefile(name)
    except OSError:
        return False


def _sentence(path: Path, error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{path}: the game cannot be saved there ({reason}); make room, or save it in another folder"
