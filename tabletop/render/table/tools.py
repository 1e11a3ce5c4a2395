"""The tools, the marks on enemies, a unit being dragged, a tape being laid. Plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point

#: Not a way of moving by the rules: the hand simply puts the unit there.
FREE = "free"


class Tool(StrEnum):
    """What a click on the table does."""

    HAND = "hand"
    TAPE = "tape"
    SIGHT = "sight"


class Mark(StrEnum):
    """How an enemy stands to the selected unit, best first."""

    FIRE = "can fire"
    ASSAULT = "can assault"
    BLOCKED = "in arc, no shot"
    SEEN = "seen"
    HIDDEN = "hidden"


@dataclass(frozen=True)
class Drag:
    """A unit in hand: where it was taken hold of, the waypoints dropped, the cursor, and the end facing if turned."""

    unit: Unit
    grip: Point
    cursor: Point
    waypoints: tuple[Point, ...] = ()
    facing: float | None = None
    find_way: bool = False
    #: Follow the road nearest to the cursor instead of going straight.
    by_road: bool = False
    #: Let go while the judge was still at work: put down, or not, as soon as the answer is in (``True``: anyway).
    let_go: bool | None = None
    #: The judge is at work on another place than where the hand is now.
    behind: bool = False


@dataclass(frozen=True)
class Stretch:
    """A tape or sight line being laid: its two ends, each a point or a unit."""

    start: Point
    end: Point
    from_unit: str | None = None
    to_unit: str | None = None
    laid: bool = False
