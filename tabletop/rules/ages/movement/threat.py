"""Whether cavalry threatens a unit: whether it could charge it this turn, straight on after one wheel at most."""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.measure import bearing, heading, turn_between
from tabletop.rules.ages.morale.status import free, steady
from tabletop.rules.ages.movement.costs import wheel_cost
from tabletop.rules.ages.movement.layouts import FIXED
from tabletop.rules.ages.movement.legality import charge_again, charge_figures, planned_move, spent
from tabletop.rules.ages.movement.motion import LEAST, barriers, solid
from tabletop.rules.ages.movement.move_kinds import CHARGE
from tabletop.rules.ages.sight.judge import nearest, sees
from tabletop.rules.ages.tables import length, row

#: Wheels (degrees) tried towards the side a unit lies on; cavalry pays the same for any wheel up to 90 degrees.
FAN = (15.0, 45.0, 75.0, 90.0)


def threatens(battle: Battle, rider: Unit, unit: Unit) -> bool:
    """Return whether cavalry in good order sees a unit and has a free path into contact with it now (AGE-MOV-03).

    The paths tried are straight on, and one wheel and one straight leg: towards the unit's centre, its nearest point
    and both its ends, or by a fixed angle to its side (``FAN``). Each is judged like any charge (ruling). Cavalry
    already in contact needs no path.
    """
    if not steady(rider) or not free(rider) or rider.formation in FIXED or not charge_again(battle, rider):
        return False
    most, gap = _longest(battle, rider), distance_between(rider, unit)
    if gap > most:
        return False
    touching = battle.tape.at_most(gap, length(battle, "contact"))
    free_path = touching or any(_comes_to(battle, rider, unit, turn, most) for turn in _wheels(rider, unit))
    return free_path and sees(battle, rider, unit)


def _longest(battle: Battle, rider: Unit) -> float:
    """Return the length (mm) of the longest charge this cavalry could make anywhere (AGE-MOV-07, AGE-MOV-08)."""
    figures = row(rider)
    return figures.move + figures.charge * charge_figures(battle, rider, CHARGE) + max(0.0, figures.road)


def _wheels(rider: Unit, unit: Unit) -> Iterator[float]:
    """Yield the wheels (degrees clockwise) that are tried: none first, then to the unit, then far to its side."""
    yield 0.0
    x, y = rider.front_mid
    centre = bearing(unit.at[0] - x, unit.at[1] - y)
    to_centre = turn_between(rider.facing, centre)
    yield to_centre
    near = nearest(shapely.Point(x, y), unit.footprint)[1]
    corners = [near, *shapely.get_coordinates(unit.footprint).tolist()]
    aside = [turn_between(centre, bearing(cx - x, cy - y)) for cx, cy in corners if math.dist((cx, cy), (x, y)) > LEAST]
    yield from (turn_between(0.0, to_centre + turn) for turn in {*aside[:1], min(aside), max(aside)})
    yield from (math.copysign(turn, to_centre) for turn in FAN)


def _comes_to(battle: Battle, rider: Unit, unit: Unit, turn: float, most: float) -> bool:
    """Return whether a charge of one wheel, or none for 0 degrees, and one straight leg ends in contact with a unit."""
    left = most * (1.0 - spent(rider) - wheel_cost(rider, turn, battle.rulings))
    if left < 0.0:
        return False
    (x, y), (fx, fy) = rider.front_mid, heading(rider.facing + turn)
    wheeled = rider.turned(turn, (x, y)) if turn else rider
    stretches = barriers(wheeled, solid(unit), (fx, fy), left + battle.tape.t, 0.0)
    if not stretches:
        return False
    run = max(0.0, stretches[0][0])
    if turn and run * abs(math.sin(math.radians(turn))) <= length(battle, "straight"):
        return False  # on the way to a point so near to straight ahead no unit wheels
    plan = planned_move(battle, rider, CHARGE, {"path": ((x + run * fx, y + run * fy),)})
    return not plan.against and battle.tape.at_most(distance_between(plan.end, unit), length(battle, "contact"))
