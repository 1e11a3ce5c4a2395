"""The progress of a battle: the clock, pending decisions, fallen units, units still to come, and the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.clock import Clock as Clock
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point


@dataclass(frozen=True)
class Decision:
    """A question put to one side in the middle of an action; nothing else may be done until it is answered.

    ``choices`` are the possible answers, the usual one first. ``data`` is what the rule set needs to continue from
    there, plain data, so that it survives a save. ``text`` is empty except in older saved games: the rule set words the
    question when it is shown.
    """

    side: str
    kind: str
    choices: tuple[str, ...]
    text: str = ""
    unit: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Fallen:
    """A unit gone from the table: as it last stood, how it left (in the rule set's words), and in which turn."""

    unit: Unit
    how: str
    turn: int


@dataclass(frozen=True)
class Outcome:
    """How the battle ended: the winning side, None for a draw, and how (``naming.ending`` puts it in words)."""

    winner: str | None
    how: str


@dataclass(frozen=True)
class Arrival:
    """Units that enter the table: in which turn, at which point of the edge, with which facing, along which route."""

    units: tuple[str, ...]
    turn: int
    at: Point
    facing: float
    along: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Objective:
    """Ground worth holding: a point, how close a unit must stand to hold it (table units), its value, who holds it."""

    id: str
    at: Point
    radius: float
    points: float = 1.0
    name: str = ""
    holder: str | None = None


@dataclass(frozen=True)
class Setup:
    """What a scenario fixes for the whole battle; ``options`` are the rule set's own (initiative scheme, specials)."""

    sides: tuple[str, ...] = ()
    attacker: str | None = None
    turns: int | None = None
    starts: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    arrivals: tuple[Arrival, ...] = ()
    objectives: tuple[Objective, ...] = ()

    def other(self, side: str) -> str:
        """Return the side opposed to this one."""
        return next(s for s in self.sides if s != side)


def frozen(value: Any) -> Any:
    """Return plain data with lists as tuples, as the battle stores it."""
    if isinstance(value, Mapping):
        return {key: frozen(item) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(frozen(item) for item in value)
    return value
