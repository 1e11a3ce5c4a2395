"""Shifting units of one base: which units touch, where there is room, how far a shift may go."""

from __future__ import annotations

from collections.abc import Iterator

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.base import Base
from tabletop.rules.common.by_place import by_place
from tabletop.rules.common.courses import ahead, moved_to, overlaps, run_until

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
    return moved_to(unit, ahead(base_of(unit), far, way))


def clear_way(battle: Battle, unit: Unit, way: float, far: float) -> float:
    """Return how far a unit may be shifted towards a bearing, at most ``far``, before it meets a unit or the edge.

    Bearings are in degrees, lengths in table units. It ends where the unit touches what is in its way; a unit that it
    touches already is in the way only if the shift leads into it.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("raking")
    >>> clear_way(battle, battle.unit("heron"), 90.0, 8.0), clear_way(battle, battle.unit("heron"), 90.0, 40.0)
    (8.0, 20.0)
    """
    edge = battle.table.edge
    shapes = [shapely.difference(edge.buffer(far), edge), *(u.footprint for u in battle.units if u.id != unit.id)]
    runs = [run_until(base_of(unit), far, shape, battle.tape.t, way) for shape in shapes]
    return min((run for run in runs if run is not None), default=far)


def clear(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit stands on the table and on no other unit."""
    alone = not any(overlaps(unit.footprint, u.footprint, battle.tape.t) for u in battle.units if u.id != unit.id)
    return alone and on_table(battle, unit.footprint)


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


def beside(battle: Battle, unit: Unit, way: float, far: float, step: float) -> Iterator[Unit]:
    """Yield a unit shifted ``far`` on each bearing where it touches no other unit, those nearest to ``way`` first.

    Bearings are in degrees and tried in steps of ``step``, which must divide 180, to the right first. ``far`` is in
    table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("raking")
    >>> next(beside(battle, battle.unit("heron"), 0.0, 3.0, 45.0)).at
    (39.0, 19.5)
    """
    turns = (turn for k in range(round(180.0 / step) + 1) for turn in (step * k, -step * k))
    tries = (shifted(unit, way + turn, far) for turn in turns)
    return (after for after in tries if clear(battle, after) and not touching(battle, after))
