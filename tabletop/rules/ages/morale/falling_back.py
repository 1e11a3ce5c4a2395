"""Falling back as a result of combat: straight away from the enemy, still facing him, at full speed."""

from __future__ import annotations

from dataclasses import replace

from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.event import Placed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between, pose_of
from tabletop.geometry.measure import Point, bearing, heading
from tabletop.rules.ages.morale.status import DISRUPTED
from tabletop.rules.ages.movement import terrain
from tabletop.rules.ages.movement.layouts import FIXED
from tabletop.rules.ages.movement.messengers import ride_down
from tabletop.rules.ages.movement.motion import LEAST, barriers, room, solid
from tabletop.rules.ages.tables import row
from tabletop.rules.ages.turn.simultaneous import DECIMALS, in_sequence


def fall_back(unfolding: Unfolding, name: str) -> tuple[str, ...]:
    """Let a unit fall back a whole move, keeping its facing (AGE-RES-02, AGE-RES-03, AGE-RES-06, AGE-RES-09).

    It goes straight away from the nearest enemy, stops short of enemies, impassable ground and the table's edge, and
    ends clear of friends; enemy messengers in its way are taken (AGE-ORD-05). Squares, garrisons and unlimbered guns
    stay (ruling). Returns the friends passed through.
    """
    battle, unit = unfolding.battle, unfolding.unit(name)
    enemies = in_sequence(battle, battle.enemies(unit))
    if unit.formation in FIXED or not enemies:
        return ()
    nearest = min(enemies, key=lambda e: round(distance_between(unit, e), DECIMALS))
    (x, y), (ex, ey) = unit.at, nearest.at
    end, passed = _run(battle, unit, bearing(x - ex, y - ey))
    if end is not unit:
        unfolding.happen(Placed(name, pose_of(end), (unit.front_mid, end.front_mid), "fall back"))
        ride_down(unfolding, unit, end)
    return tuple(friend.id for friend in passed)


def retiring(battle: Battle, side: str) -> tuple[Unit, ...]:
    """Return the units of a side that must retire this turn and have not yet done so (AGE-RES-09).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("a-hundred-millimetres")
    >>> back = replace(battle.unit("line"), status="disrupted", marks={"retiring": True})
    >>> [unit.id for unit in retiring(battle.with_unit(back), "allied")]
    ['line']
    """
    return tuple(
        u for u in battle.side(side) if u.marks.get("retiring") and u.status == DISRUPTED and not u.marks.get("moved")
    )


def _run(battle: Battle, unit: Unit, away: float) -> tuple[Unit, tuple[Unit, ...]]:
    """Return the unit where it ends and the friends it passes through; the unit itself if it has no room."""
    direction, most = heading(away), row(unit).move
    end = min(most, room(battle, replace(unit, facing=away), most))
    for shapes in (*(solid(u) for u in battle.enemies(unit)), terrain.barred_parts(battle)):
        end = min(end, _first(battle, unit, shapes, direction, most))
    beyond = most + 1.0  # so that the overlap with a friend it ends in reaches past the end
    stretches = {u.id: barriers(unit, solid(u), direction, beyond, battle.tape.t) for u in battle.friends(unit)}
    for lo, hi in sorted((s for overlaps in stretches.values() for s in overlaps), reverse=True):
        if lo < end < hi:
            end = max(0.0, lo - battle.tape.t)
    if end <= LEAST or any(lo <= 0.0 < hi for overlaps in stretches.values() for lo, hi in overlaps):
        return unit, ()
    passed = tuple(u for u in battle.friends(unit) if any(hi <= end for _, hi in stretches[u.id]))
    return unit.moved(end * direction[0], end * direction[1]), passed


def _first(battle: Battle, unit: Unit, shapes: tuple[BaseGeometry, ...], direction: Point, most: float) -> float:
    """Return how far (mm) a unit goes before it overlaps any of the shapes by more than a touch."""
    stretches = barriers(unit, shapes, direction, most, battle.tape.t)
    return min((max(0.0, lo) for lo, _ in stretches), default=most)
