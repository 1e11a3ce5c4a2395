"""Units of one base shifted bodily: who touches whom, where there is room, how far a shift may go."""

from __future__ import annotations

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.base import Base
from tabletop.geometry.measure import heading
from tabletop.rules.common.by_place import by_place
from tabletop.rules.common.courses import TINY, moved_to, overlaps

#: Units farther apart than this (table units), by the boxes round them, do not touch.
APART = 1.0


def base_of(unit: Unit) -> Base:
    """Return the base of a unit of one base, a rectangle."""
    base = unit.bases[0]
    assert isinstance(base, Base), "it stands on a rectangle"
    return base


def touching(battle: Battle, unit: Unit) -> tuple[Unit, ...]:
    """Return the units that touch a unit."""
    west, south, east, north = unit.bounds
    near = [
        other
        for other in battle.units
        if other.id != unit.id
        and other.bounds[0] <= east + APART
        and other.bounds[2] >= west - APART
        and other.bounds[1] <= north + APART
        and other.bounds[3] >= south - APART
    ]
    return tuple(by_place(battle, (u for u in near if battle.tape.touches(distance_between(unit, u)))))


def shifted(unit: Unit, way: float, far: float) -> Unit:
    """Return a unit shifted towards a bearing, facing as before."""
    east, north = heading(way)
    return moved_to(unit, base_of(unit).moved(far * east, far * north))


def clear_way(battle: Battle, unit: Unit, way: float, far: float) -> float:
    """Return how far a unit may be shifted towards a bearing, at most ``far``: up to other units, and the edge."""
    run, step = 0.0, far / 8.0
    while run < far - TINY:
        if not clear(battle, shifted(unit, way, run + step)):
            break
        run += step
    return run


def clear(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit stands on the table and on no other unit."""
    base = base_of(unit)
    alone = not any(overlaps(base, u.footprint, battle.tape.t) for u in battle.units if u.id != unit.id)
    return alone and on_table(battle, base.polygon)


def on_table(battle: Battle, shape: BaseGeometry) -> bool:
    """Return whether a shape lies on the table."""
    west, south, east, north = shapely.bounds(shape).tolist()
    t = battle.tape.t
    return bool(west >= -t and south >= -t and east <= battle.table.width + t and north <= battle.table.height + t)


def beside(battle: Battle, unit: Unit, way: float, far: float, step: float) -> Unit | None:
    """Return a unit shifted ``far`` on the bearing nearest to ``way``, by steps, where it touches nobody; None if none.

    Bearings are in degrees, ``step`` a whole part of a half-circle; those to the right come first.
    """
    turns = (turn for k in range(round(180.0 / step) + 1) for turn in (step * k, -step * k))
    tries = (shifted(unit, way + turn, far) for turn in turns)
    return next((after for after in tries if clear(battle, after) and not touching(battle, after)), None)
