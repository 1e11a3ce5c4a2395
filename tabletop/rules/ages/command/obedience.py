"""What a unit is ordered to do and where, and moves that go against it: nobody is hindered, but everybody is told."""

from __future__ import annotations

import math
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.naming import amid
from tabletop.battle.progress import Objective
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Reason
from tabletop.rules.ages.tables import tables

#: Orders that name a place to be at; the others name one to go towards.
AT = ("hold", "support")


def wording(battle: Battle, stance: str, goal: Any = None) -> str:
    """Return an order in words: what to do, and where if it names a place (AGE-ORD-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("causeway")
    >>> wording(battle, "attack"), wording(battle, "advance", "hill"), wording(battle, "hold", (40.0, 60.0))
    ('attack', 'advance towards Windmill hill', 'hold at 40,60')
    """
    objective = _objective(battle, goal)
    if objective is not None:
        where = amid(objective.name or objective.id)
    elif not goal or isinstance(goal, str):
        return stance
    else:
        where = f"{goal[0]:g},{goal[1]:g}"
    return f"{stance} {'at' if stance in AT else 'towards'} {where}"


def ordered(battle: Battle, unit: Unit) -> str:
    """Return the order a unit has in words; "" without one (AGE-ORD-01, ROC-ORD-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("rossbach")
    >>> ordered(battle, battle.unit("bretlach")), ordered(battle, battle.unit("meinecke"))
    ('advance towards 1090,1200', '')
    """
    stance = unit.marks.get("order")
    return wording(battle, str(stance), unit.marks.get("order_goal")) if stance else ""


def place_of(battle: Battle, goal: Any) -> tuple[Point, float] | None:
    """Return the point an order names and how far from it one is there, in mm; None if it is no place of the battle.

    Source: AGE-ORD-01.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("causeway")
    >>> place_of(battle, "mill"), place_of(battle, (40.0, 60.0)), place_of(battle, "moon")
    (((420.0, 540.0), 30.0), ((40.0, 60.0), 0.0), None)
    """
    objective = _objective(battle, goal)
    if objective is not None:
        return objective.at, objective.radius
    if not goal or isinstance(goal, str):
        return None
    (x, y), table = goal, battle.table
    return ((float(x), float(y)), 0.0) if 0.0 <= x <= table.width and 0.0 <= y <= table.height else None


def _objective(battle: Battle, goal: Any) -> Objective | None:
    return next((objective for objective in battle.setup.objectives if objective.id == goal), None)


def against_order(battle: Battle, unit: Unit, kind: str, end: Unit, straight: float) -> tuple[Reason, ...]:
    """Return the remark that a move of a kind goes against the unit's order (AGE-ORD-01); empty if it does not.

    ``straight`` is how far it goes straight on, in table units (mm). The table says which kinds of move go against
    which order; if the order names a place, those do that end farther from it. A move that only turns never does. The
    remark forbids nothing.

    >>> from tabletop.battle.unfolding import Unfolding
    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("causeway"))
    >>> unfolding.mark("howe", order="hold")
    >>> howe = unfolding.unit("howe")
    >>> [reason.text for reason in against_order(unfolding.battle, howe, "move", howe.moved(0.0, 40.0), 40.0)]
    ['Howe is ordered to hold: this move goes against it']
    """
    stance, goal = unit.marks.get("order"), unit.marks.get("order_goal")
    kinds = tables(unit)["orders"].get("against", {}).get(stance)
    if kinds is None or unit.is_general or not battle.tape.over(straight, 0.0):
        return ()
    place = place_of(battle, goal)
    wrong = kind in kinds if place is None else _farther(battle, place, unit, end)
    text = f"{unit.called} is ordered to {wording(battle, str(stance), goal)}: this move goes against it"
    return (Reason("AGE-ORD-01", True, text),) if wrong else ()


def _farther(battle: Battle, place: tuple[Point, float], unit: Unit, end: Unit) -> bool:
    """Return whether a move ends farther from a place than it began, and not there."""
    (point, radius), tape = place, battle.tape
    before, after = math.dist(unit.at, point), math.dist(end.at, point)
    return tape.over(after, radius) and tape.over(after - before, 0.0)
