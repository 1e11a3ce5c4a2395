"""The zone of control: no enemy comes nearer than 1 in, except to assault."""

from __future__ import annotations

import math

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, beside, distance_between
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import ranked
from tabletop.geometry.shapes import rings, shapes_of
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.geometry.zone import breaches, touches_closed
from tabletop.geometry.zone import zone as zone_area
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.tables import length


def zone(battle: Battle, request: Request) -> Verdict:
    """Answer ``zone A``: the ground nearer than 1 in to the unit, the enemies in it (TSE-MOV-17, TSE-MOV-19)."""
    unit = battle.unit(request.args[0])
    if unit.is_general:
        raise BadQuestion(f"'{unit.id}' is a general, and generals exert no zone of control; ask for a unit")
    width = zone_width(battle)
    area = zone_area(unit.footprint, width)
    inside = [
        (enemy, gap)
        for enemy in beside(unit.bounds, battle.enemies(unit), width)
        if breaches(gap := distance_between(unit, enemy), width, battle.tape)
    ]
    reasons = tuple(
        Reason("TSE-MOV-17", True, f"{enemy.called} stands in the zone, {gap:.2f} away", gap, width, enemy.id)
        for enemy, gap in inside
    )
    outside = Reason("TSE-MOV-17", True, f"no enemy stands within {width:g} of {unit.called}", None, width)
    return Verdict(
        "zone",
        request.args,
        battle.rules,
        True,
        {"area": rings(area), "units": [enemy.id for enemy, _ in inside]},
        reasons or (outside,),
        options=request.options,
        shapes=shapes_of("zone", area, unit.called),
    )


def zone_width(battle: Battle) -> float:
    """Return how far a zone of control reaches on this table."""
    return length("zone") * battle.scale


def zone_limit(battle: Battle, unit: Unit, enemy: Unit) -> float:
    """Return how near ``unit``, from where it stands, may come to ``enemy`` in a move (compare with ``Tape.at_least``).

    The zone's width; for an enemy in whose zone it starts, by the ruling ``leaving_zone``: its starting distance, 0
    (that zone is ignored) or infinity (it may not move) (TSE-MOV-17, TSE-MOV-18).
    """
    width = zone_width(battle)
    gap = distance_between(unit, enemy)
    if not breaches(gap, width, battle.tape):
        return width
    return {"not_closer": gap, "free": 0.0, "forbidden": math.inf}[battle.rulings["leaving_zone"]]


def zone_faults(battle: Battle, unit: Unit, after: Unit, forming: bool = False) -> tuple[Reason, ...]:
    """Return the enemies whose zone ``after``, the unit ``unit`` as it would stand, breaches; the worst first.

    ``forming`` a march column is forbidden at exactly 1 in too (TSE-FRM-24); any other layout or move only nearer
    (TSE-FRM-07, TSE-FRM-15, TSE-MOV-17). An enemy in whose zone the unit already stands is measured by
    TSE-MOV-18. Generals keep out of zones like units do (TSE-LDR-05).
    """
    enemies, width = battle.enemies(unit), zone_width(battle)
    near = {e.id: e for e in (*beside(after.bounds, enemies, 2.0 * width), *beside(unit.bounds, enemies, width))}
    faults = [_fault(battle, unit, after, enemy, forming) for enemy in near.values()]
    return tuple(sorted((f for f in faults if f is not None), key=lambda f: (ranked(f.measured or 0.0), f.feature)))


def _fault(battle: Battle, unit: Unit, after: Unit, enemy: Unit, forming: bool) -> Reason | None:
    gap, width = distance_between(after, enemy), zone_width(battle)
    if gap > 2.0 * width and distance_between(unit, enemy) > width:
        return None
    limit = zone_limit(battle, unit, enemy)
    closed = forming and limit == width
    if not (touches_closed(gap, limit, battle.tape) if closed else breaches(gap, limit, battle.tape)):
        return None
    name = enemy.called
    if closed:
        return Reason("TSE-FRM-24", False, f"a march column may not form {gap:.2f} from {name}", gap, limit, enemy.id)
    if limit == width:
        return Reason("TSE-MOV-17", False, f"{gap:.2f} from {name}, inside its zone of control", gap, limit, enemy.id)
    if math.isinf(limit):
        return Reason("TSE-MOV-18", False, f"it starts inside the zone of {name} and may not move", gap, None, enemy.id)
    text = f"{gap:.2f} from {name}, nearer than the {limit:.2f} it started from"
    return Reason("TSE-MOV-18", False, text, gap, limit, enemy.id)
