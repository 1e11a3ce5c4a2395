"""What a learner has done of which lesson, kept in one small file.

A file that cannot be read costs the progress and nothing else: it is put aside under another name, and a sentence says
so. One that cannot be written is a sentence too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import platformdirs

from tabletop.play.files.writing import write_whole

FORMAT = "tabletop-progress/1"
#: The longest file that is read, in bytes.
LONGEST = 1_000_000


def usual_path() -> Path:
    """Return the file of the progress, below the system's folder for the user's data."""
    return Path(platformdirs.user_data_dir("tabletop", appauthor=False)) / "progress.json"


class Progress:
    """The steps done of every lesson; ``trouble`` is what a learner should know of how it is kept, or ""."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = usual_path() if path is None else path
        self.trouble = ""
        self._done: dict[str, int] = {}
        self._read()

    def done(self, lesson: str) -> int:
        """Return how many steps of a lesson have been done."""
        return self._done.get(lesson, 0)

    def note(self, lesson: str, steps: int) -> None:
        """Note that so many steps of a lesson are done; fewer than before change nothing."""
        if steps <= self.done(lesson):
            return
        self._done[lesson] = steps
        data = {"format": FORMAT, "done": dict(sorted(self._done.items()))}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, (json.dumps(data, indent=1) + "\n").encode())
        except OSError as error:
            self.trouble = f"Your progress is not kept: {self.path} cannot be written ({error.strerror or error})."

    def _read(self) -> None:
        try:
            with self.path.open("rb") as stream:
                raw = stream.read(LONGEST + 1)
        except FileNotFoundError:
            return
        except OSError as error:
            self.trouble = f"Your progress cannot be read ({error.strerror or error}): {self.path}."
            return
        try:
            self._done = _steps(json.loads(raw[:LONGEST].decode("utf-8")))
        except (ValueError, RecursionError):
            self._put_aside()

    def _put_aside(self) -> None:
        aside = self.path.with_name(self.path.name + ".damaged")
        with suppress(OSError):
            self.path.replace(aside)
        self.trouble = f"The file with your progress was damaged and is put aside as {aside.name}; all begins anew."


def _steps(data: Any) -> dict[str, int]:
    """Return the steps done by lesson; ValueError for data of another shape."""
    done = data.get("done") if isinstance(data, Mapping) and data.get("format") == FORMAT else None
    if not isinstance(done, Mapping):
        raise ValueError("no progress")
    if not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= 1000 for n in done.values()):
        raise ValueError("no numbers of steps")
    return {str(name): int(n) for name, n in done.items()}
