"""The steps a learner has done of each lesson, stored in one small file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import platformdirs

from tabletop.play.saves.kept_progress import KeptProgress

FORMAT = "tabletop-progress/1"


def usual_path() -> Path:
    """Return the usual path of the file, below the system's folder for the user's data."""
    return Path(platformdirs.user_data_dir("tabletop", appauthor=False)) / "progress.json"


class Progress:
    """The number of steps done of each lesson."""

    def __init__(self, path: Path | None = None) -> None:
        self._kept = KeptProgress(usual_path() if path is None else path, FORMAT)
        self._done: dict[str, int] = self._kept.read(_steps) or {}

    @property
    def path(self) -> Path:
        """The file."""
        return self._kept.path

    @property
    def trouble(self) -> str:
        """What the learner should know of how it is stored, or ""."""
        return self._kept.trouble

    @trouble.setter
    def trouble(self, text: str) -> None:
        self._kept.trouble = text

    def done(self, lesson: str) -> int:
        """Return how many steps of a lesson have been done."""
        return self._done.get(lesson, 0)

    def note(self, lesson: str, steps: int) -> None:
        """Record that this many steps of a lesson are done; fewer than before change nothing."""
        if steps <= self.done(lesson):
            return
        self._done[lesson] = steps
        self._kept.write({"done": dict(sorted(self._done.items()))})


def _steps(data: Mapping[str, Any]) -> dict[str, int]:
    """Return the steps done by lesson; ValueError if the data has another form."""
    done = data.get("done")
    if not isinstance(done, Mapping):
        raise ValueError("no progress")
    if not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= 1000 for n in done.values()):
        raise ValueError("no numbers of steps")
    return {str(name): int(n) for name, n in done.items()}
