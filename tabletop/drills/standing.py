"""The player's standing in every family, by eye and by tape, when each is due, and the file that stores it.

A family is mastered when its score is narrow enough: it then comes back after a day, then after three, seven and 21
days, as long as it is still mastered each time (Leitner's boxes). The other families come all the time.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import platformdirs

from tabletop.drills.staircase import NARROWEST, Staircase, of_data
from tabletop.play.saves.kept_progress import KeptProgress

FORMAT = "tabletop-drills/1"
#: The means of judging.
MODES = ("eye", "tape")
#: The score at which a family is mastered, in inches; the days until it comes back, box by box.
MASTERED, DAYS = {"eye": 0.5, "tape": 0.2}, (1, 3, 7, 21)
#: Answers to a family that has come back before it is put off again.
AGAIN = 6


@dataclass(frozen=True)
class Standing:
    """The standing in one family in one mode; ``due`` is when it comes back, None if it comes all the time."""

    stairs: Staircase = field(default_factory=Staircase)
    box: int = 0
    due: date | None = None
    since: int = 0

    def answered(self, right: bool, mode: str, today: date, widest: float) -> Standing:
        """Return it after one more answer, put off if mastered."""
        stairs = self.stairs.answered(right, NARROWEST[mode], widest)
        now = replace(self, stairs=stairs, since=self.since + 1)
        score = stairs.score
        if now.since < AGAIN or score is None:
            return now
        if score > MASTERED[mode]:
            return replace(now, box=0, due=None)
        return replace(now, box=min(now.box + 1, len(DAYS) - 1), due=today + timedelta(DAYS[now.box]), since=0)

    def is_due(self, today: date) -> bool:
        """Return whether the family is asked on this day."""
        return self.due is None or self.due <= today

    def as_data(self) -> dict[str, Any]:
        """Return the standing as plain data."""
        due = None if self.due is None else self.due.isoformat()
        return {**self.stairs.as_data(), "box": self.box, "due": due, "since": self.since}


class Standings:
    """The standings in all families, stored in one small file; ``trouble`` is what the player should know of that."""

    def __init__(self, path: Path | None = None) -> None:
        self._kept = KeptProgress(usual_path() if path is None else path, FORMAT)
        self._all: dict[str, Standing] = self._kept.read(_standings) or {}

    @property
    def trouble(self) -> str:
        """What the player should know of storing the file, or ""."""
        return self._kept.trouble

    def of(self, family: str, mode: str) -> Standing:
        """Return the standing in a family by eye or by tape."""
        return self._all.get(f"{family} {mode}", Standing())

    def note(self, family: str, mode: str, standing: Standing) -> None:
        """Store the present standing."""
        self._all[f"{family} {mode}"] = standing
        self._kept.write({"standings": {key: stored.as_data() for key, stored in sorted(self._all.items())}})

    def due(self, families: Iterable[str], mode: str, today: date) -> list[str]:
        """Return the families due on this day, or all of them if none is due."""
        every = list(families)
        return [name for name in every if self.of(name, mode).is_due(today)] or every


def order(due: Iterable[str], last: str, rng: random.Random) -> list[str]:
    """Return families in random order, but not the last one asked first: mixed practice teaches to tell them apart."""
    mixed = list(due)
    rng.shuffle(mixed)
    if len(mixed) > 1 and mixed[0] == last:
        mixed.append(mixed.pop(0))
    return mixed


def usual_path() -> Path:
    """Return the file's usual path, below the system's folder for the user's data."""
    return Path(platformdirs.user_data_dir("tabletop", appauthor=False)) / "drills.json"


def _standings(data: Mapping[str, Any]) -> dict[str, Standing]:
    """Return the standings in a file's data; ValueError for data of another shape."""
    rows = data.get("standings")
    if not isinstance(rows, Mapping):
        raise ValueError("no standings")
    return {str(key): _standing(row) for key, row in rows.items()}


def _standing(row: Any) -> Standing:
    if not isinstance(row, Mapping):
        raise ValueError("no standing")
    box, since, due = row.get("box"), row.get("since"), row.get("due")
    if type(box) is not int or not 0 <= box < len(DAYS) or type(since) is not int or not 0 <= since <= 10**9:
        raise ValueError("no box")
    if due is not None and not isinstance(due, str):
        raise ValueError("no date")
    return Standing(of_data(row), box, None if due is None else date.fromisoformat(due), since)
