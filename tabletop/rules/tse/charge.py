"""Cavalry charges: the countercharge that meets one, and the breakthrough that follows one."""

from __future__ import annotations

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.naming import in_order, plain
from tabletop.battle.unit import Unit
from tabletop.geometry.line_of_sight import sight
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Reason
from tabletop.rules.tse.arc import arc_reason
from tabletop.rules.tse.assault_path import AssaultPath, paths_to, price_of
from tabletop.rules.tse.tables import troop

#: Ground that is not open to a countercharge (TSE-ASL-62).
NOT_OPEN = ("rough", "impassable", "linear", "choke", "town")


def meeting_point(path: AssaultPath) -> Point:
    """Return where two charges meet: half-way along the path (TSE-ASL-61)."""
    return (path.start[0] + path.end[0]) / 2, (path.start[1] + path.end[1]) / 2


def countercharge_reasons(
    battle: Battle, unit: Unit, target: Unit, path: AssaultPath, frontal: bool
) -> tuple[Reason, ...]:
    """Return what lets, or forbids, the target to countercharge ``unit`` (TSE-ASL-60, TSE-ASL-62, TSE-ASL-63)."""
    mounted = all(troop(u.troop).family == "cavalry" for u in (unit, target))
    name = target.called
    return (
        Reason("TSE-ASL-60", mounted, "cavalry against cavalry" if mounted else "only cavalry countercharges cavalry"),
        Reason("TSE-ASL-60", frontal, "the charge is frontal" if frontal else "the charge is not frontal"),
        Reason("TSE-ASL-60", target.status == "ok", f"{name} is {in_order(target)}"),
        Reason("TSE-ASL-63", target.formation == "maneuver-column", f"{name} is in {plain(target.formation)}"),
        _in_the_open(battle, unit, target, path),
    )


def _in_the_open(battle: Battle, unit: Unit, target: Unit, path: AssaultPath) -> Reason:
    """Return whether path and units are in open ground, no obstacle crossed, nobody in cover (TSE-ASL-62)."""
    field = shapely.union_all([path.line, unit.footprint, target.footprint])
    for piece in battle.table.terrain:
        covers = piece.movement in NOT_OPEN or piece.cover_assault != "none"
        met = covers and shapely.intersects(piece.shape, field)
        if met and shapely.intersects(_inside(piece, battle.tape.t), field):
            return Reason("TSE-ASL-62", False, f"{piece.id} is in the way of a countercharge", feature=piece.id)
    return Reason("TSE-ASL-62", True, "the charge is in the open")


def _inside(piece: Terrain, t: float) -> BaseGeometry:
    """Return a piece without the rim that counts as touching it; all of it where it is no wider than that."""
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
    """Return what is left of the reach after the path, or its half if countercharged (TSE-ASL-61, TSE-ASL-70).

    ``target``, where it is given, is the unit that the path ends on: obstacles at it are paid for (TSE-MOV-08).
    """
    if countercharged:
        return reach - price_of(battle, unit, path.start, meeting_point(path)).total
    return reach - price_of(battle, unit, path.start, path.end, target).total


def breakthrough_reasons(battle: Battle, unit: Unit, target: Unit, left: float) -> tuple[Reason, ...]:
    """Return what lets, or forbids, ``unit`` from where it stands to go on and assault ``target`` with what is left.

    Cavalry, not demoralized; the target in its arc without a turn, in sight, within what is left (TSE-ASL-70..73).
    """
    from tabletop.rules.tse.sight import law_of

    mounted, name = troop(unit.troop).family == "cavalry", target.called
    path = min(paths_to(unit, target), key=lambda p: price_of(battle, unit, p.start, p.end, target).total)
    cost = price_of(battle, unit, path.start, path.end, target).total
    seen = sight(battle.table, unit.footprint, target.footprint, law_of(battle)).seen
    within = battle.tape.at_most(cost, left)
    arc = arc_reason(battle, unit, target)
    return (
        Reason("TSE-ASL-70", mounted, "cavalry may break through" if mounted else "only cavalry breaks through"),
        Reason("TSE-ASL-73", unit.status != "demoralized", f"{unit.called} is {in_order(unit)}"),
        Reason("TSE-ASL-71", arc.holds, arc.text, arc.measured, arc.limit, target.id),
        Reason("TSE-ASL-71", seen, f"{name} is {'seen' if seen else 'hidden'}", feature=target.id),
        Reason("TSE-ASL-71", within, f"{name} costs {cost:.2f} of {left:.2f} left", cost, left, target.id),
    )
