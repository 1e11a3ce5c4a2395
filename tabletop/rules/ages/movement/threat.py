"""Whether cavalry threatens a unit: whether it could charge it this turn, straight on after one wheel."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.measure import bearing, heading, turn_between
from tabletop.rules.ages.morale.status import free, steady
from tabletop.rules.ages.movement.layouts import FIXED
from tabletop.rules.ages.movement.legality import CHARGE, planned_move
from tabletop.rules.ages.movement.motion import barriers, solid
from tabletop.rules.ages.sight.judge import sees
from tabletop.rules.ages.tables import length, row


def threatens(battle: Battle, rider: Unit, unit: Unit) -> bool:
    """Return whether cavalry in good order sees a unit and has a free path into contact with it now (AGE-MOV-03).

    The path is one wheel towards the unit's centre and one straight leg, judged like any charge (ruling).
    """
    if not steady(rider) or not free(rider) or rider.formation in FIXED:
        return False
    figures = row(rider)
    most = figures.move + figures.charge + max(0.0, figures.road)
    if distance_between(rider, unit) > most:
        return False
    (x, y), (ex, ey) = rider.front_mid, unit.at
    way = bearing(ex - x, ey - y)
    turned = rider.turned(turn_between(rider.facing, way), (x, y))
    stretches = barriers(turned, solid(unit), heading(way), most, 0.0)
    if not stretches:
        return False
    run, (fx, fy) = max(0.0, stretches[0][0]), heading(way)
    plan = planned_move(battle, rider, CHARGE, {"path": ((x + run * fx, y + run * fy),)})
    near = battle.tape.at_most(distance_between(plan.end, unit), length(battle, "contact"))
    return near and not plan.against and sees(battle, rider, unit)
