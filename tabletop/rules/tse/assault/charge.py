"""Cavalry charges: the countercharge that may meet one, and the breakthrough that may follow one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.naming import in_order, plain
from tabletop.battle.unit import Unit
from tabletop.geometry.line_of_sight import seen_by, sight
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Reason
from tabletop.rules.tse.assault.contact import crossing
from tabletop.rules.tse.assault.path import AssaultPath, advanced, paths_to, price_of
from tabletop.rules.tse.fire.arc import arc_reason
from tabletop.rules.tse.movement.formation import assume, standing_faults
from tabletop.rules.tse.movement.layouts import legal_fronts
from tabletop.rules.tse.sight.judge import law_of
from tabletop.rules.tse.tables import troop

#: Ground that is not open to a countercharge (TSE-ASL-62).
NOT_OPEN = ("rough", "impassable", "linear", "choke", "town")


def meeting_point(path: AssaultPath) -> Point:
    """Return where two charges meet: half-way along the path (TSE-ASL-61)."""
    return (path.start[0] + path.end[0]) / 2, (path.start[1] + path.end[1]) / 2


@dataclass(frozen=True)
class Meeting:
    """A charge met half-way: the charger, the unit ``there`` that meets it, and that unit as it ``formed`` up first."""

    charger: Unit
    there: Unit
    formed: Unit


def meeting(battle: Battle, unit: Unit, target: Unit, path: AssaultPath) -> Meeting | None:
    """Return how ``target`` meets the charge of ``unit`` half-way; None if it cannot (TSE-ASL-61, TSE-ASL-63).

    It forms maneuver column about its centre-point, facing the charge, in the fewest legal ranks that have room; both
    fronts then meet half-way along the path. Neither unit may end in another or in impassable ground, and the path of
    the countercharge may cross no other enemy.
    """
    charger, (x, y) = advanced(unit, path, path.length / 2), meeting_point(path)
    if _other_faults(battle, charger, target.id):
        return None
    for front in sorted(legal_fronts(target.troop, target.strength), reverse=True):
        facing = (path.facing + 180.0) % 360.0
        formed = assume(battle, target, "maneuver-column", front=front, facing=facing)
        countercharger = formed.moved(x - formed.front_mid[0], y - formed.front_mid[1])
        way = AssaultPath(formed.front_mid, (x, y), facing)
        others = [enemy for enemy in battle.enemies(target) if enemy.id != unit.id]
        faults = (*_other_faults(battle, formed, unit.id), *_other_faults(battle, countercharger, unit.id))
        if not faults and not crossing(battle, way, others):
            return Meeting(charger, countercharger, formed)
    return None


def _other_faults(battle: Battle, pose: Unit, other: str) -> tuple[Reason, ...]:
    """Return what forbids a unit to stand there, apart from its opponent in the charge."""
    return tuple(fault for fault in standing_faults(battle, pose) if fault.feature != other)


def countercharge_reasons(
    battle: Battle, unit: Unit, target: Unit, path: AssaultPath, frontal: bool
) -> Iterator[Reason]:
    """Yield the reasons for and against the target countercharging ``unit``, cheap first (TSE-ASL-60..63)."""
    mounted = all(troop(u.troop).family == "cavalry" for u in (unit, target))
    name = target.called
    yield Reason("TSE-ASL-60", mounted, "cavalry against cavalry" if mounted else "only cavalry countercharges cavalry")
    yield Reason("TSE-ASL-60", frontal, "the charge is frontal" if frontal else "the charge is not frontal")
    yield Reason("TSE-ASL-60", target.status == "ok", f"{name} is {in_order(target)}")
    fit = target.formation == "maneuver-column"
    if battle.rulings["countercharge_from"] == "any":
        fit = target.formation != "march-column"
    yield Reason("TSE-ASL-63", fit, f"{name} is in {plain(target.formation)}")
    yield _in_the_open(battle, unit, target, path)
    if mounted and fit:
        room = meeting(battle, unit, target, path) is not None
        text = f"{name} {'has' if room else 'has no'} room to form maneuver column and meet the charge half-way"
        yield Reason("TSE-ASL-63", room, text)


def _in_the_open(battle: Battle, unit: Unit, target: Unit, path: AssaultPath) -> Reason:
    """Return whether the path and both units are in open ground, with no obstacle or cover in the way (TSE-ASL-62)."""
    field = shapely.union_all([path.line, unit.footprint, target.footprint])
    for piece in battle.table.terrain:
        covers = piece.movement in NOT_OPEN or piece.cover_assault != "none"
        met = covers and shapely.intersects(piece.shape, field)
        if met and shapely.intersects(_inside(piece, battle.tape.t), field):
            return Reason("TSE-ASL-62", False, f"{piece.id} is in the way of a countercharge", feature=piece.id)
    return Reason("TSE-ASL-62", True, "the charge is in the open")


def _inside(piece: Terrain, t: float) -> BaseGeometry:
    """Return a piece shrunk by the tolerance, or all of it if nothing would be left."""
    inside = shapely.buffer(piece.shape, -t, join_style="mitre")
    return piece.shape if shapely.is_empty(inside) else inside


def left_over(
    battle: Battle,
    unit: Unit,
    path: AssaultPath,
    reach: float,
    countercharged: bool = False,
    target: Unit | None = None,
) -> float:
    """Return the reach left (table units) after the path, or half of it if countercharged (TSE-ASL-61, TSE-ASL-70).

    If ``target``, the unit the path ends on, is given, obstacles at it are paid for too (TSE-MOV-08).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("front-or-flank")
    >>> unit, target = battle.unit("west-column"), battle.unit("west-line")
    >>> round(left_over(battle, unit, paths_to(unit, target)[0], 6.0, target=target), 2)
    0.34
    """
    if countercharged:
        return reach - price_of(battle, unit, path.start, meeting_point(path)).total
    return reach - price_of(battle, unit, path.start, path.end, target).total


def breakthrough_reasons(
    battle: Battle, unit: Unit, target: Unit, left: float, path: AssaultPath | None = None
) -> Iterator[Reason]:
    """Yield the reasons for and against ``unit`` breaking through to ``target`` with the reach ``left``.

    It must be cavalry and not demoralized; the target must be in its arc without a turn, within the reach left and in
    sight (TSE-ASL-70..73). By default the cheapest ``path`` is taken.
    """
    mounted, name = troop(unit.troop).family == "cavalry", target.called
    paths = paths_to(unit, target) if path is None else (path,)
    cost = min(price_of(battle, unit, p.start, p.end, target).total for p in paths)
    arc = arc_reason(battle, unit, target)
    within = battle.tape.at_most(cost, left)
    yield Reason("TSE-ASL-70", mounted, "cavalry may break through" if mounted else "only cavalry breaks through")
    yield Reason("TSE-ASL-73", unit.status != "demoralized", f"{unit.called} is {in_order(unit)}")
    yield Reason("TSE-ASL-71", arc.holds, arc.text, arc.measured, arc.limit, target.id)
    yield Reason("TSE-ASL-71", within, f"{name} costs {cost:.2f} of {left:.2f} left", cost, left, target.id)
    yield _seen(battle, unit, target)


def _seen(battle: Battle, unit: Unit, target: Unit) -> Reason:
    """Return whether the target is in sight, and what hides it (TSE-ASL-71)."""
    law, name = law_of(battle), target.called
    if seen_by(battle.table, unit.footprint, target.footprint, law) is not None:
        return Reason("TSE-ASL-71", True, f"{name} is seen", feature=target.id)
    hiding = sight(battle.table, unit.footprint, target.footprint, law).blockers
    text = f"{name} is hidden by {', '.join(hiding) or 'the ground'}"
    return Reason("TSE-ASL-71", False, text, feature=next(iter(hiding), target.id))
