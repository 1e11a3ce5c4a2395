"""Recovery of unsaved work: every change is kept on the disk, and offered again if the program ended without saving.

Each running program has its own file in one folder, locked with ``saves.lock``. The system releases the lock when the
program ends, however it ends, so that a file without a lock holds work that nobody has saved.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from tabletop.play.files.draft import Draft
from tabletop.play.files.rewriting import plain
from tabletop.play.files.writing import write_whole
from tabletop.play.saves import autosave, lock
from tabletop.play.workshop.sources import Origin

FORMAT, SUFFIX = "tabletop-work/1", ".work.json"
#: The files in which this process keeps its own work.
_own: set[Path] = set()
_numbers = itertools.count(1)


def folder() -> Path:
    """Return the folder of unsaved work, beside that of the saved games."""
    return autosave.games_folder().parent / "unsaved"


@dataclass(frozen=True)
class Work:
    """A draft, the files it was opened from, and the file it is saved in (None: not yet)."""

    draft: Draft
    origin: Origin | None = None
    path: Path | None = None


@dataclass(frozen=True)
class Left:
    """Unsaved work of a program that has ended: its file, the work, and when it was last changed."""

    file: Path
    work: Work
    when: datetime

    @property
    def notice(self) -> str:
        """A line that tells the user of this work."""
        return f"'{self.work.draft.title}' was not saved when the program ended ({self.when:%d %b %H:%M})."


class Keeper:
    """Keeps the work of one screen on the disk. The latest state is written, on a separate thread unless ``inline``.

    ``trouble`` says why the last attempt failed, "" if it did not; the work stays in memory, and is written with the
    next change or by ``again``.
    """

    def __init__(self, inline: bool = False) -> None:
        self.trouble = ""
        self._inline = inline
        self._file: Path | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._writing: Future[str] | None = None
        self._next: Work | None = None
        self._failed: Work | None = None

    def keep(self, work: Work) -> None:
        """Write the work as it is now; if states come faster than they can be written, only the last is written."""
        self._next = work
        self.listen()

    def listen(self) -> None:
        """Collect the result of the last write and begin the next one; call it once per frame."""
        if self._writing is not None:
            if not self._writing.done():
                return
            self.trouble, self._writing = self._writing.result(), None
        work = self._next
        if work is None:
            return
        self._next = None
        self._failed = work
        if self._inline:
            self.trouble = self._write(work)
            return
        self._thread = self._thread or ThreadPoolExecutor(1, "tabletop-keeper")
        self._writing = self._thread.submit(self._write, work)

    def again(self) -> None:
        """Try once more to write work that could not be written."""
        if self.trouble and self._next is None and self._writing is None and self._failed is not None:
            self.keep(self._failed)

    def forget(self) -> None:
        """Remove the file, because the work has been saved or is not wanted."""
        self._next = self._failed = None
        self._wait()
        self.trouble = ""
        if self._file is not None:
            _drop(self._file)
            self._file = None

    def close(self) -> None:
        """Remove the file and end the thread; a program that ends normally leaves no work to recover."""
        self.forget()
        if self._thread is not None:
            self._thread.shutdown()

    def _wait(self) -> None:
        if self._writing is not None:
            self.trouble, self._writing = self._writing.result(), None

    def _write(self, work: Work) -> str:
        try:
            if self._file is None:
                self._file = _new_file()
            write_whole(self._file, json.dumps(_data(work), ensure_ascii=False).encode("utf-8"))
        except OSError as error:
            return f"{error.strerror or error}"
        return ""


def _new_file() -> Path:
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{os.getpid()}-{next(_numbers)}{SUFFIX}"
    lock.take(path)
    _own.add(path)
    return path


def _drop(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
    lock.let_go(path)
    _own.discard(path)


# --- found again -----------------------------------------------------------------------------------------------------


def left() -> list[Left]:
    """Return the unsaved work of programs that have ended, newest first; unreadable files are skipped."""
    try:
        files = [path for path in folder().iterdir() if path.name.endswith(SUFFIX) and path not in _own]
    except OSError:
        return []
    unsaved_work = [work for path in files if _nobodys(path) and (work := _read(path)) is not None]
    return sorted(unsaved_work, key=lambda each: each.when, reverse=True)


def _nobodys(path: Path) -> bool:
    in_use = lock.take(path)
    if not in_use:
        lock.let_go(path)
    return not in_use


def _read(path: Path) -> Left | None:
    try:
        data = json.loads(path.read_text("utf-8"))
        return (
            Left(path, _work(data), datetime.fromtimestamp(path.stat().st_mtime)) if data["format"] == FORMAT else None
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def give_up(work: Left) -> None:
    """Remove recovered work that another program now holds or that is not wanted."""
    with contextlib.suppress(OSError):
        work.file.unlink(missing_ok=True)


# --- as data ---------------------------------------------------------------------------------------------------------


def _data(work: Work) -> dict[str, Any]:
    origin = work.origin
    return {
        "format": FORMAT,
        "draft": _of_draft(work.draft),
        "path": str(work.path) if work.path is not None else None,
        "origin": None if origin is None else {
            "path": str(origin.path), "format": origin.format,
            "texts": {str(path): text for path, text in origin.texts.items()}, "draft": _of_draft(origin.draft),
            "armies": [str(path) for path in origin.armies],
            "ground": str(origin.ground) if origin.ground is not None else None,
        },
    }  # fmt: skip


_FIELDS: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("title", str), ("rules", str), ("table", dict), ("terrain", tuple), ("units", tuple), ("rulings", dict),
    ("rest", dict), ("alone", str),
)  # fmt: skip


def _of_draft(draft: Draft) -> dict[str, Any]:
    return {name: plain(getattr(draft, name)) for name, _ in _FIELDS}


def _to_draft(data: dict[str, Any]) -> Draft:
    return Draft(**{name: convert(data[name]) for name, convert in _FIELDS})


def _work(data: dict[str, Any]) -> Work:
    path, source = data["path"], data["origin"]
    origin = None
    if source is not None:
        texts = {Path(name): str(text) for name, text in source["texts"].items()}
        armies = tuple(Path(name) for name in source["armies"])
        ground = Path(source["ground"]) if source["ground"] is not None else None
        origin = Origin(Path(source["path"]), source["format"], texts, _to_draft(source["draft"]), armies, ground)
    return Work(_to_draft(data["draft"]), origin, Path(path) if path is not None else None)
