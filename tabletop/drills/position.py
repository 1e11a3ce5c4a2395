"""A question of a drill: its position, the choices, the right answer, its margin, and its near-miss twin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.drills.scenes import Layout
from tabletop.geometry.verdict import Elsewhere, Verdict


@dataclass(frozen=True)
class Call:
    """The judge's call on a position: the answer, its margin, and what changes it.

    ``margin`` is in table units; None, with no ``turned_by``, if no shift within the judge's search changes the answer.
    """

    answer: str
    margin: float | None
    turned_by: Elsewhere | None


@dataclass(frozen=True)
class Twin:
    """The near-miss twin: the same position with one thing moved, so that the answer differs."""

    battle: Battle
    answer: str
    moved: Elsewhere
    proof: Verdict


@dataclass(frozen=True)
class Position:
    """A position with its question.

    ``choices`` are the possible answers with their words; those that are ids of things on the table are given by a
    click on the thing. ``wanted`` is the margin it was made for, ``margin`` the judge's. ``seen`` are the visible
    features, by name. For a dispute ``family`` is empty, and there is no ``layout``.
    """

    family: str
    question: str
    battle: Battle
    choices: Mapping[str, str]
    answer: str
    margin: float | None
    proof: Verdict
    wanted: float | None = None
    twin: Twin | None = None
    seen: Mapping[str, str] = field(default_factory=dict)
    layout: Layout | None = None

    @property
    def clickable(self) -> Sequence[str]:
        """The answers given by a click on the thing itself."""
        known = {unit.id for unit in self.battle.units} | {piece.id for piece in self.battle.table.terrain}
        return [choice for choice in self.choices if choice in known]


#: The choices of a question answered by yes or no.
YES_NO: Mapping[str, str] = {"yes": "Yes", "no": "No"}


def yes_no(verdict: Verdict) -> str:
    """Return the answer of a verdict as one of ``YES_NO``."""
    return "yes" if verdict.holds else "no"


def options_of(position: Position) -> Mapping[str, Any]:
    """Return the options of its question, without those that concern only the margin."""
    return {key: value for key, value in position.proof.options.items() if key not in ("margin", "error", "tape")}
