"""The zone of control: no enemy comes nearer than 1 in, except to assault."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, beside, distance_between, distance_to
from tabletop.errors import BadQuestion
from tabletop.geometry.base import AnyBase
from tabletop.geometry.measure import GRAZE, ranked
from tabletop.geometry.shapes import rings, shapes_of
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.geometry.zone import breaches, touches_closed
from tabletop.geometry.zone import zone as zone_area
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.tables import length


def zone(battle: Battle, request: Request) -> Verdict:
    """Answer ``zone A``: the ground nearer than 1 in to the unit, and the enemies in it (TSE-MOV-17, TSE-MOV-19).

    ``measured`` has the ``area`` (outlines in table units) and the ids of the ``units``. Raises BadQuestion for a
    general.

    >>> from tabletop.play.files.opened import open_battle
    >>> zone(open_battle("starter"), Request("zone", ("arnaud",))).measured["units"]
    []
    """
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
    """Return how far a zone of control reaches on this table, in table units (TSE-MOV-17).

    >>> from tabletop.play.files.opened import open_battle
    >>> zone_width(open_battle("starter"))
    1.0
    """
    return length("zone") * battle.scale


def zone_limit(battle: Battle, unit: Unit, enemy: Unit) -> float:
    """Return how near (table units) ``unit`` may come to ``enemy`` in a move from where it stands.

    Compare it by ``Tape.at_least``. It is the zone's width. If the unit starts in that enemy's zone, the ruling
    ``leaving_zone`` makes it the starting distance, 0 (the zone is ignored) or infinity (the unit may not move)
    (TSE-MOV-17, TSE-MOV-18).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> zone_limit(battle, battle.unit("arnaud"), battle.unit("auer"))
    1.0
    """
    width = zone_width(battle)
    gap = distance_between(unit, enemy)
    if not breaches(gap, width, battle.tape):
        return width
    return {"not_closer": gap, "free": 0.0, "forbidden": math.inf}[battle.rulings["leaving_zone"]]


def zone_faults(battle: Battle, unit: Unit, after: Unit) -> tuple[Reason, ...]:
    """Return the enemies whose zone is breached by ``after``, ``unit`` as it would stand; the worst first.

    The whole unit is measured: this serves moves, generals (TSE-LDR-05) and the maneuver column, which keeps its
    centre-point (TSE-FRM-07, TSE-MOV-17). TSE-MOV-18 applies to an enemy in whose zone the unit already stands.
    """
    enemies, width = battle.enemies(unit), zone_width(battle)
    near = {e.id: e for e in (*beside(after.bounds, enemies, 2.0 * width), *beside(unit.bounds, enemies, width))}
    return _worst_first(_fault(battle, unit, after, enemy) for enemy in near.values())


def _worst_first(faults: Iterable[Reason | None]) -> tuple[Reason, ...]:
    reasons = (fault for fault in faults if fault is not None)
    return tuple(sorted(reasons, key=lambda f: (ranked(f.measured or 0.0), f.feature)))


def _fault(battle: Battle, unit: Unit, after: Unit, enemy: Unit) -> Reason | None:
    gap, width = distance_between(after, enemy), zone_width(battle)
    if gap > 2.0 * width and distance_between(unit, enemy) > width:
        return None
    limit = zone_limit(battle, unit, enemy)
    if not breaches(gap, limit, battle.tape):
        return None
    name = enemy.called
    if limit == width:
        return Reason("TSE-MOV-17", False, f"{gap:.2f} from {name}, inside its zone of control", gap, limit, enemy.id)
    if math.isinf(limit):
        return _barred(enemy, gap)
    text = f"{gap:.2f} from {name}, nearer than the {limit:.2f} it started from"
    return Reason("TSE-MOV-18", False, text, gap, limit, enemy.id)


def _barred(enemy: Unit, gap: float) -> Reason:
    text = f"it starts inside the zone of {enemy.called} and may not move"
    return Reason("TSE-MOV-18", False, text, gap, None, enemy.id)


# --- base by base ----------------------------------------------------------------------------------------------------

#: The rule that forbids a base placed anew near an enemy, by formation; TSE-FRM-07 for all others.
_ROWS = {"deployed": "TSE-FRM-15", "march-column": "TSE-FRM-24"}


def placed_anew(before: Unit | None, after: Unit, t: float) -> tuple[AnyBase, ...]:
    """Return the bases of ``after`` whose footprint differs by more than ``t`` from every one ``before`` (TSE-FRM-07).

    Bases are interchangeable and their facing does not matter, so footprints are compared, by their Hausdorff distance
    (table units). Without ``before``, for a unit that comes on to the table, all bases are placed anew.
    """
    old = () if before is None else before.bases
    return tuple(base for base in after.bases if not any(_same_ground(base, other, t) for other in old))


def _same_ground(a: AnyBase, b: AnyBase, t: float) -> bool:
    """Return whether the footprints of two bases differ by no more than ``t``.

    Each is symmetric about its centre, so they differ by at least the distance between their centres.
    """
    if math.dist(a.centre, b.centre) > t + GRAZE:
        return False
    return max(_strays(a, b), _strays(b, a)) <= t + GRAZE


def _strays(a: AnyBase, b: AnyBase) -> float:
    """Return how far a footprint's farthest corner lies outside another footprint."""
    corners = shapely.points(shapely.get_coordinates(a.polygon))
    return float(shapely.distance(corners, b.polygon).max())


def placing_faults(battle: Battle, before: Unit | None, after: Unit) -> tuple[Reason, ...]:
    """Return the enemies too near to a base that ``after`` places anew; the worst first (TSE-FRM-07).

    Such a base must stay 1 in from every enemy, wherever it came from; exactly 1 in is too near for a march column
    (TSE-FRM-24) but not for other formations (TSE-FRM-15). A base where one already stood may be nearer. If the ruling
    ``leaving_zone`` is 'forbidden', no base may be placed anew while the unit stands in a zone (TSE-MOV-18).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> unit, enemy = battle.unit("arnaud"), battle.unit("auer")
    >>> placing_faults(battle, unit, unit)
    ()
    >>> [reason.rule for reason in placing_faults(battle, unit, unit.moved(0.0, enemy.at[1] - unit.at[1] - 2.0))]
    ['TSE-FRM-07']
    """
    bases = placed_anew(before, after, battle.tape.t)
    if not bases:
        return ()
    width, boxes = zone_width(battle), (after.bounds, after.bounds if before is None else before.bounds)
    near = {enemy.id: enemy for box in boxes for enemy in beside(box, battle.enemies(after), 2.0 * width)}
    return _worst_first(_placing_fault(battle, before, after, bases, enemy) for enemy in near.values())


def _placing_fault(
    battle: Battle, before: Unit | None, after: Unit, bases: Sequence[AnyBase], enemy: Unit
) -> Reason | None:
    gap, width = min(distance_to(base, enemy) for base in bases), zone_width(battle)
    if before is not None and math.isinf(zone_limit(battle, before, enemy)):
        return _barred(enemy, gap)
    rule = _ROWS.get(after.formation, "TSE-FRM-07")
    closed = rule == "TSE-FRM-24"
    if not (touches_closed if closed else breaches)(gap, width, battle.tape):
        return None
    need = f"more than {width:g}" if closed else f"{width:g}"
    text = f"it would place a base {gap:.2f} from {enemy.called}; a base placed anew keeps {need} away"
    return Reason(rule, False, text, gap, width, enemy.id)
