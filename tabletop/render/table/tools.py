"""The tools, the marks on enemies, a unit being dragged, a tape being laid. Plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point

#: Not a way of moving by the rules: the player puts the unit anywhere.
FREE = "free"


class Tool(StrEnum):
    """What a click on the table does."""

    HAND = "hand"
    TAPE = "tape"
    SIGHT = "sight"


class Mark(StrEnum):
    """An enemy's relation to the selected unit, best first."""

    FIRE = "can fire"
    ASSAULT = "can assault"
    BLOCKED = "in arc, no shot"
    SEEN = "seen"
    HIDDEN = "hidden"


@dataclass(frozen=True)
class Drag:
    """A unit in hand: the point it was taken at, its waypoints, the cursor, and the end facing if turned."""

    unit: Unit
    grip: Point
    cursor: Point
    waypoints: tuple[Point, ...] = ()
    facing: float | None = None
    find_way: bool = False
    #: Follow the road nearest to the cursor instead of going straight.
    by_road: bool = False
    #: Let go before the judge answered: put it down once the answer allows it (``True``: whatever the answer).
    let_go: bool | None = None
    #: The judge is still judging another place than the cursor's.
    behind: bool = False


@dataclass(frozen=True)
class Stretch:
    """A tape or sight line being laid: its two ends, each a point or a unit."""

    start: Point
    end: Point
    from_unit: str | None = None
    to_unit: str | None = None
    laid: bool = False
