"""The kinds of move, and the course each takes to the destination that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.rules.ages.movement.costs import Rulings
from tabletop.rules.ages.movement.motion import Course, about_face, along, backwards
from tabletop.rules.ages.tables import ARTILLERY, arm, length

MOVE, CHARGE, WITHDRAW, RETREAT, RIDE = "move", "charge", "withdraw", "retreat", "ride"
#: Options that say where a move goes.
DESTINATION = ("path", "to", "facing", "distance")


def kinds_for(unit: Unit) -> tuple[str, ...]:
    """Return the kinds of move a unit can make: persons ride, guns do not charge (ROC-ORD-01, ROC-MOV-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> kinds_for(battle.unit("hussars")), kinds_for(battle.unit("horse-guns")), kinds_for(battle.unit("colonel"))
    (('move', 'charge', 'withdraw', 'retreat'), ('move',), ('ride',))
    """
    if unit.is_general:
        return (RIDE,)
    return (MOVE,) if arm(unit) == ARTILLERY else (MOVE, CHARGE, WITHDRAW, RETREAT)


def _forward(unit: Unit, options: Mapping[str, Any], rulings: Rulings) -> Course:
    path, to, facing = options.get("path"), options.get("to"), options.get("facing")
    points = tuple(path or ()) if to is None else (to,)
    if not points and facing is None:
        raise BadQuestion(f"where shall '{unit.id}' move? give --to X,Y or --path X,Y X,Y ... (or --facing F)")
    return along(unit, [(float(x), float(y)) for x, y in points], facing, rulings)


def _back(unit: Unit, options: Mapping[str, Any], rulings: Rulings) -> Course:
    return backwards(unit, _distance_back(unit, options))


def _away(unit: Unit, options: Mapping[str, Any], rulings: Rulings) -> Course:
    """Return the course of a retreat: a free about-face, then straight ahead (ROC-MOV-06)."""
    distance, turned = _distance_back(unit, options), about_face(unit)
    f = turned.forward
    x, y = turned.front_mid
    course = along(turned, [(x + distance * f[0], y + distance * f[1])])
    return Course(turned, course.legs)


def _distance_back(unit: Unit, options: Mapping[str, Any]) -> float:
    """Return how far back to go: the option ``distance``, or how far the point of ``path`` lies behind the front."""
    if options.get("distance") is not None:
        return float(options["distance"])
    path = options.get("path") or ([options["to"]] if options.get("to") is not None else [])
    if len(path) != 1:
        raise BadQuestion(f"how far shall '{unit.id}' go back? give --distance D, or --to X,Y straight behind it")
    (x, y), f = unit.front_mid, unit.forward
    dx, dy = float(path[0][0]) - x, float(path[0][1]) - y
    back, side = -(dx * f[0] + dy * f[1]), abs(dx * f[1] - dy * f[0])
    if back < 0.0 or side > length(unit, "straight"):
        raise BadQuestion(f"'{unit.id}' goes back straight to its rear; ({path[0][0]:g}, {path[0][1]:g}) is not there")
    return back


_COURSES: Mapping[str, Callable[[Unit, Mapping[str, Any], Rulings], Course]] = {WITHDRAW: _back, RETREAT: _away}


def course_to(unit: Unit, kind: str, options: Mapping[str, Any], rulings: Rulings) -> Course:
    """Return the course of a kind of move to the destination its options name (ROC-MOV-01, ROC-MOV-06).

    Raises BadQuestion without a destination, or with one where that kind of move does not lead.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> course_to(battle.unit("hussars"), "withdraw", {"distance": 20.0}, battle.rulings).length
    20.0
    """
    return _COURSES.get(kind, _forward)(unit, options, rulings)
