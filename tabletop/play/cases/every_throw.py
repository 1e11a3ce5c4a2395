"""What a case expects over every throw there can be: the chance of what it describes, and means of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from tabletop.battle.dice import Chance, every_course
from tabletop.battle.event import Told
from tabletop.errors import BadQuestion
from tabletop.play.cases import comparing
from tabletop.play.cases.models import CaseRow
from tabletop.play.cases.outcome import Outcome
from tabletop.play.files.nearest_words import clip

#: Courses that the throws of a case may take; it is refused if they could take more.
MOST = 10_000


class Throws(Chance, Protocol):
    """Chance that notes what each die was thrown for."""

    purposes: list[str]


class _Noted:
    """A course of chance, with what each die was thrown for."""

    def __init__(self, chance: Chance) -> None:
        self.purposes: list[str] = []
        self._chance = chance

    def die(self, purpose: str, sides: int = 6, cuts: Sequence[int] = ()) -> int:
        self.purposes.append(purpose)
        return self._chance.die(purpose, sides, cuts)

    def grade(self, purpose: str, probabilities: Sequence[float]) -> tuple[int, float | None]:
        self.purposes.append(purpose)
        return self._chance.grade(purpose, probabilities)


def differences(row: CaseRow, done: Callable[[Throws], Outcome]) -> Iterator[str]:
    """Yield how the chance and the means of a case differ from those it expects; ``done`` carries it out."""
    if row.dice or row.rest is not None:
        given = "dice" if row.dice else "rest"
        raise BadQuestion(f"{given}: 'chance' and 'mean' take every throw there can be; leave '{given}' out")
    likely, means = 0.0, dict.fromkeys(row.expect.mean or {}, 0.0)
    for number, (p, outcome) in enumerate(every_course(lambda chance: done(_Noted(chance)))):
        if number == MOST:
            raise BadQuestion(f"do: its throws can fall in more than {MOST} ways, too many for 'chance' and 'mean'")
        likely += 0.0 if any(comparing.differences(row, outcome)) else p
        for name in means:
            means[name] += p * _on_record(name, outcome)
    if row.expect.chance is not None:
        yield from _compared("chance", row.expect.chance, likely)
    for name, wanted in (row.expect.mean or {}).items():
        yield from _compared(f"mean.{name}", wanted, means[name])


def _compared(key: str, wanted: float, found: float) -> Iterator[str]:
    if abs(found - wanted) > comparing.NEAR_CHANCE:
        yield f"{key}: expected {wanted:g}, got {found:.4f}"


def _on_record(name: str, outcome: Outcome) -> float:
    """Return a number of the first record under a heading, named "fire.hits"; 0 if there is no such record."""
    heading, _, value = name.rpartition(".")
    for event in outcome.events:
        if isinstance(event, Told) and event.what == heading:
            found = event.values.get(value)
            if isinstance(found, (int, float)) and not isinstance(found, bool):
                return float(found)
            raise BadQuestion(f"expect: mean: no number '{clip(value)}' is on record under '{clip(heading)}'")
    return 0.0
