"""Events: what happened, one small fact each. A short closed list, the same for all rule sets.

Applying events in order (``apply``) makes the battle that follows. They hold plain data only, so that a saved battle
can be shown again without asking any rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.clock import Until
from tabletop.battle.progress import Clock, Decision
from tabletop.geometry.measure import Point


@dataclass(frozen=True)
class Thrown:
    """A die with ``sides`` faces showed ``face`` (from 1); ``purpose`` says what it was thrown for."""

    purpose: str
    sides: int
    face: int


@dataclass(frozen=True)
class Placed:
    """A unit stands in a new pose (``pose_of``); ``path`` is the route it took, for pictures."""

    unit: str
    pose: Mapping[str, Any]
    path: tuple[Point, ...] = ()
    how: str = ""


@dataclass(frozen=True)
class Changed:
    """A unit's condition changed: status or side where given, and the marks named (None takes a mark away).

    ``until`` says of some of these marks when the clock takes them away; the others stay.
    """

    unit: str
    status: str | None = None
    side: str | None = None
    marks: Mapping[str, Any] = field(default_factory=dict)
    until: Mapping[str, Until] = field(default_factory=dict)


@dataclass(frozen=True)
class Lost:
    """A unit lost ``bases`` of its bases and those left stand in ``pose``."""

    unit: str
    bases: int
    pose: Mapping[str, Any]


@dataclass(frozen=True)
class Converted:
    """A unit became other troops, or has other bases: more, fewer, larger, smaller. It stands in ``pose``.

    It is no loss and no gain: bases lost in battle are ``Lost``. ``troop`` and ``size`` (frontage and depth of every
    base, in table units) are None where they stay; bases added have the size of the last.
    """

    unit: str
    pose: Mapping[str, Any]
    troop: str | None = None
    size: tuple[float, float] | None = None
    path: tuple[Point, ...] = ()
    how: str = ""


@dataclass(frozen=True)
class Removed:
    """A unit is out of the battle for good, from the table or from among those still to come; ``how`` in the rule
    set's words (destroyed, surrendered, captured)."""

    unit: str
    how: str


@dataclass(frozen=True)
class Left:
    """A unit left the table and may come back: it waits in ``pose``, with its marks, among those still to come.

    From ``turn`` on it may come on at the point ``at`` of the edge, with that facing, along a route if one is given;
    that replaces an arrival of the scenario. ``path`` is the route it took off the table.
    """

    unit: str
    pose: Mapping[str, Any]
    turn: int
    at: Point
    facing: float
    along: tuple[Point, ...] = ()
    path: tuple[Point, ...] = ()
    how: str = ""


@dataclass(frozen=True)
class Entered:
    """An awaited unit came on to the table in ``pose``."""

    unit: str
    pose: Mapping[str, Any]
    path: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Added:
    """A single figure that no file names was put on the table, such as a messenger when one is needed.

    ``base`` is its place and size: x, y, facing, frontage, depth.
    """

    unit: str
    side: str
    troop: str
    base: tuple[float, float, float, float, float]
    parent: str | None = None
    name: str = ""
    marks: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Clocked:
    """The clock shows a new turn, phase, side or group."""

    clock: Clock


@dataclass(frozen=True)
class Remembered:
    """The rule set stores something for later in the battle under ``key``; the value None removes it."""

    key: str
    value: Any


@dataclass(frozen=True)
class Taken:
    """An objective changed hands (None: nobody holds it)."""

    objective: str
    side: str | None


@dataclass(frozen=True)
class Scored:
    """A side was credited with points; ``why`` says what for: an objective's id, or a kind of loss and the unit's
    id."""

    side: str
    points: float
    why: str


@dataclass(frozen=True)
class Asked:
    """A decision is now pending: the first pending one must be answered before anything else is done."""

    decision: Decision


@dataclass(frozen=True)
class Settled:
    """The first pending decision was answered."""

    choice: str


@dataclass(frozen=True)
class Told:
    """An entry for the record that changes nothing: a filled-in form, a result; ``rules`` are the ids behind it."""

    what: str
    values: Mapping[str, Any] = field(default_factory=dict)
    unit: str | None = None
    target: str | None = None
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ended:
    """The battle is over: the winner, None for a draw, and how: a word and its values (``naming.ending``)."""

    winner: str | None
    how: str


Event = (
    Thrown
    | Placed
    | Changed
    | Lost
    | Converted
    | Removed
    | Left
    | Entered
    | Added
    | Clocked
    | Remembered
    | Taken
    | Scored
    | Asked
    | Settled
    | Told
    | Ended
)
EVENTS: tuple[type[Any], ...] = Event.__args__
