"""The staircase that finds the margin at which a player is right 85 % of the time.

Three right answers in a row narrow the margin by a fifth; every wrong one widens it by two fifths (a transformed
up-and-down rule, Levitt 1971). Up and down balance where three in a row are right with probability q, and
q log 1/0.8 = (1 - q) log 1.4: q is 0.60, a single answer right in 84 of 100. The score is the geometric mean of
the last margins asked: the margin that the player judges right 85 % of the time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: Right answers in a row that narrow the margin; the factor of the margin then, and after a wrong answer.
IN_A_ROW, NARROWER, WIDER = 3, 0.8, 1.4
#: Number of the last margins that the score is taken over, and of answers before there is one.
LAST, FIRST = 24, 12
#: The widest margin in inches, and the narrowest by eye and by tape.
WIDEST, NARROWEST = 1.5, {"eye": 0.25, "tape": 0.1}


@dataclass(frozen=True)
class Staircase:
    """A player's standing in a family: the next margin, right answers in a row, the last margins asked."""

    margin: float = WIDEST
    run: int = 0
    asked: tuple[float, ...] = ()
    answers: int = 0
    right: int = 0

    @property
    def score(self) -> float | None:
        """The margin judged right 85 % of the time, in inches; None before there are enough answers."""
        if len(self.asked) < FIRST:
            return None
        return math.exp(sum(map(math.log, self.asked)) / len(self.asked))

    def answered(self, right: bool, narrowest: float, widest: float = WIDEST) -> Staircase:
        """Return the standing after one more answer.

        >>> Staircase(1.0).answered(False, 0.1).margin, Staircase(1.0, 2).answered(True, 0.1).margin
        (1.4, 0.8)
        """
        run = self.run + 1 if right else 0
        factor = WIDER if not right else NARROWER if run == IN_A_ROW else 1.0
        now = min(self.margin, widest)
        margin = round(min(max(now * factor, narrowest), widest), 4)
        asked = (*self.asked, now)[-LAST:]
        return Staircase(margin, run % IN_A_ROW, asked, self.answers + 1, self.right + right)

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        asked = [round(margin, 4) for margin in self.asked]
        return {"margin": round(self.margin, 4), "run": self.run, "asked": asked, "answers": self.answers,
                "right": self.right}  # fmt: skip


def of_data(data: Mapping[str, Any]) -> Staircase:
    """Return the staircase written as plain data; ValueError for data of another shape."""
    margins: list[Any] = [data.get("margin"), *_listed(data.get("asked"))]
    counts: list[Any] = [data.get(key) for key in ("run", "answers", "right")]
    if not all(isinstance(m, (int, float)) and not isinstance(m, bool) and 0.01 <= m <= 10.0 for m in margins):
        raise ValueError("margins that are none")
    if not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= 10**9 for n in counts):
        raise ValueError("counts that are none")
    run, answers, right = counts
    if not (run < IN_A_ROW and right <= answers and len(margins) <= LAST + 1):
        raise ValueError("counts that do not fit")
    return Staircase(float(margins[0]), run, tuple(map(float, margins[1:])), answers, right)


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [None]
