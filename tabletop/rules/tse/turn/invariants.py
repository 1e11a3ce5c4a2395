"""The invariants of a battle of There Stand Empires, which hold between any two actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.depth import deepest
from tabletop.rules.tse.morale.status import STATUSES, destroyed
from tabletop.rules.tse.movement.layouts import FORMATIONS
from tabletop.rules.tse.movement.resolve import wholly_on


def faults(battle: Battle) -> Sequence[str]:
    """Return what is wrong with a battle, in words; empty if all is well.

    >>> from tabletop.play.files.opened import open_battle
    >>> faults(open_battle("starter"))
    []
    """
    return [text for check in (_overlaps, _off_table, _bases, _words, _twice, _demoralized) for text in check(battle)]


def _overlaps(battle: Battle) -> Iterator[str]:
    """Check that units, other than generals, do not overlap by more than the tolerance (TSE-MOV-16, TSE-FRM-07)."""
    units = [u for u in battle.units if not u.is_general]
    shapes = [u.footprint for u in units]
    left, right = shapely.STRtree(shapes).query(shapes, predicate="intersects") if shapes else ((), ())
    for a, b in zip(left, right, strict=True):
        depth = deepest(units[a].bases, units[b].bases) if a < b else 0.0
        if battle.tape.over(depth, 0.0):
            yield f"{units[a].id} and {units[b].id} stand {depth:.4f} deep in one another"


def _off_table(battle: Battle) -> Iterator[str]:
    """Check that no unit is off the table, except a column that is coming on (TSE-MOV-21, TSE-ACT-83)."""
    for unit in battle.units:
        if not unit.marks.get("coming_on") and not wholly_on(battle, unit):
            yield f"{unit.id} stands over the table's edge"


def _bases(battle: Battle) -> Iterator[str]:
    """Check that no unit has more bases than it began with, or so few that it is destroyed (TSE-STS-06)."""
    for unit in (*battle.units, *battle.awaited):
        started = unit.marks.get("started")
        if started is None:
            continue
        if unit.strength > started or destroyed(int(started), int(started) - unit.strength):
            yield f"{unit.id} has {unit.strength} bases of {started}"


def _words(battle: Battle) -> Iterator[str]:
    """Check that every status and formation is a known one (TSE-UNI-21, TSE-FRM-01)."""
    for unit in (*battle.units, *battle.awaited):
        if not unit.is_general and (unit.status not in STATUSES or unit.formation not in FORMATIONS):
            yield f"{unit.id} is {unit.status} in {unit.formation or 'no formation'}"


def _twice(battle: Battle) -> Iterator[str]:
    """Check that no unit is listed twice among those on the table, still to come, and gone."""
    names = [u.id for u in (*battle.units, *battle.awaited, *(f.unit for f in battle.fallen))]
    yield from (f"{name} is in two places" for name in sorted({n for n in names if names.count(n) > 1}))


def _demoralized(battle: Battle) -> Iterator[str]:
    """Check that no demoralized unit is marked as still able to fire after a move (TSE-ACT-91)."""
    return (f"{u.id} is demoralized and may still fire" for u in battle.units if _may_fire(u))


def _may_fire(unit: Unit) -> bool:
    return unit.status == "demoralized" and bool(unit.marks.get("may_fire"))
