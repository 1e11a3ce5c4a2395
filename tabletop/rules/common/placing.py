"""Shifting units of one base: which units touch, where there is room, how far a shift may go."""

from __future__ import annotations

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.base import Base
from tabletop.geometry.measure import heading
from tabletop.rules.common.by_place import by_place
from tabletop.rules.common.courses import TINY, moved_to, overlaps

#: Units whose bounding boxes are farther apart than this (table units) do not touch.
APART = 1.0


def base_of(unit: Unit) -> Base:
    """Return the rectangular base of a unit of one base.

    >>> from tabletop.play.files.opened import open_battle
    >>> base = base_of(open_battle("raking").unit("heron"))
    >>> base.frontage, base.depth
    (2.0, 6.0)
    """
    base = unit.bases[0]
    assert isinstance(base, Base), "it stands on a rectangle"
    return base


def touching(battle: Battle, unit: Unit) -> tuple[Unit, ...]:
    """Return the units that touch a unit, by place.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("raking")
    >>> touching(battle, battle.unit("heron"))
    ()
    """
    west, south, east, north = unit.bounds
    near = [
        candidate
        for candidate in battle.units
        if candidate.id != unit.id
        and candidate.bounds[0] <= east + APART
        and candidate.bounds[2] >= west - APART
        and candidate.bounds[1] <= north + APART
        and candidate.bounds[3] >= south - APART
    ]
    return tuple(by_place(battle, (u for u in near if battle.tape.touches(distance_between(unit, u)))))


def shifted(unit: Unit, way: float, far: float) -> Unit:
    """Return a unit shifted ``far`` table units towards a bearing (degrees), facing as before.

    >>> from tabletop.play.files.opened import open_battle
    >>> shifted(open_battle("raking").unit("heron"), 90.0, 4.0).at
    (43.0, 16.5)
    """
    east, north = heading(way)
    return moved_to(unit, base_of(unit).moved(far * east, far * north))


def clear_way(battle: Battle, unit: Unit, way: float, far: float) -> float:
    """Return how far a unit may be shifted towards a bearing, at most ``far``, before it meets a unit or the edge.

    Bearings are in degrees, lengths in table units. It is found in steps of an eighth of ``far``.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("raking")
    >>> clear_way(battle, battle.unit("heron"), 90.0, 8.0), clear_way(battle, battle.unit("heron"), 90.0, 40.0)
    (8.0, 20.0)
    """
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
    """Return whether a shape, in table units, lies on the table.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("raking")
    >>> on_table(battle, shapely.box(50, 30, 60, 40)), on_table(battle, shapely.box(50, 30, 61, 40))
    (True, False)
    """
    west, south, east, north = shapely.bounds(shape).tolist()
    t = battle.tape.t
    return bool(west >= -t and south >= -t and east <= battle.table.width + t and north <= battle.table.height + t)


def beside(battle: Battle, unit: Unit, way: float, far: float, step: float) -> Unit | None:
    """Return a unit shifted ``far`` on the bearing nearest to ``way`` where it touches no other unit; None if none.

    Bearings are in degrees and tried in steps of ``step``, which must divide 180, to the right first. ``far`` is in
    table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("raking")
    >>> beside(battle, battle.unit("heron"), 0.0, 3.0, 45.0).at
    (39.0, 19.5)
    """
    turns = (turn for k in range(round(180.0 / step) + 1) for turn in (step * k, -step * k))
    tries = (shifted(unit, way + turn, far) for turn in turns)
    return next((after for after in tries if clear(battle, after) and not touching(battle, after)), None)
