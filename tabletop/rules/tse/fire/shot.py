"""One shot measured: the part of the target in the arc, the line to it, its range and its band."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.arc import fronts_of
from tabletop.geometry.line_of_sight import Sight
from tabletop.geometry.sight.nearby_line import Line
from tabletop.rules.tse.fire.arc import shape_in_unit_arc
from tabletop.rules.tse.fire.line_of_fire import line_of_fire, line_of_fire_near, line_within, lines_of_fire
from tabletop.rules.tse.tables import tables, troop


@dataclass(frozen=True)
class Shot:
    """A measured shot at some shape.

    ``part`` is the part of the shape in the arc; if it is empty, no line was searched for. ``sight`` is the result of
    the search for a line past terrain and friends. ``range`` is the shortest length, in range or not; None if no line
    is clear.
    """

    part: shapely.Geometry
    sight: Sight | None
    range: float | None

    @property
    def clear(self) -> bool:
        """Whether some line sees the target and is clear of friends."""
        return self.sight is not None and self.sight.seen


def shot_at(battle: Battle, firer: Unit, target: Unit, shape: shapely.Geometry) -> Shot:
    """Return the shot at ``shape``, the target's footprint or one of its bases (TSE-FIR-02, TSE-FIR-03, TSE-FIR-06).

    One and the same part must be in arc, visible and clear of friends, and the range is measured to it. With the ruling
    ``same_part`` off, one part must be in arc and any part visible, and the range is measured to the nearest visible
    one.
    """
    part = shape_in_unit_arc(battle, firer, shape)
    if shapely.is_empty(part):
        return Shot(part, None, None)
    if battle.rulings["same_part"]:
        line = line_of_fire(battle, firer, target, part)
        return Shot(part, line, line.distance if line.seen else None)
    without_friends = line_of_fire(battle, firer, target, shape, friends_block=False)
    if not without_friends.seen:
        return Shot(part, without_friends, None)
    return Shot(part, line_of_fire(battle, firer, target, shape), without_friends.distance)


def line_in_range(
    battle: Battle,
    firer: Unit,
    target: Unit,
    shape: shapely.Geometry,
    hints: Sequence[Line] = (),
    quick: bool = False,
    whichever: bool = True,
) -> Line | None:
    """Return a line that proves a shot at ``shape`` in range (TSE-FIR-01), None if there is none.

    Skip the search if even the plain distance is out of range. Lines near ``hints`` are tried first; with ``quick``
    only those. With ``whichever`` the line itself may be slightly longer than the reach, as long as the range is not.
    """
    if shapely.is_empty(shape):
        return None
    reach = reach_of(battle, firer)
    if reach is None or not in_range(battle, firer, plain_distance(firer, shape)):
        return None
    if battle.rulings["same_part"]:
        part = shape_in_unit_arc(battle, firer, shape)
        if shapely.is_empty(part):
            return None
        near = line_of_fire_near(battle, firer, target, part, hints, reach)
        if near is not None or quick:
            return near
        line = line_within(battle, firer, target, part, reach)
        if whichever or line is None or math.dist(*line) <= reach:
            return line
    shot = shot_at(battle, firer, target, shape)
    return shot.sight.line if shot.sight and shot.clear and in_range(battle, firer, shot.range) else None


def any_line(
    battle: Battle,
    firer: Unit,
    target: Unit,
    shape: shapely.Geometry,
    hints: Sequence[Line] = (),
    quick: bool = False,
) -> Line | None:
    """Return some clear line to ``shape`` of any length, not necessarily the shortest; None if ``shot_at`` finds none.

    Lines near ``hints`` are tried first; with ``quick`` only those.
    """
    if not battle.rulings["same_part"]:
        shot = None if quick else shot_at(battle, firer, target, shape)
        return shot.sight.line if shot and shot.sight else None
    part = shape_in_unit_arc(battle, firer, shape)
    if shapely.is_empty(part):
        return None
    near = line_of_fire_near(battle, firer, target, part, hints, math.inf, along=True)
    if near is not None or quick:
        return near
    return next(filter(None, lines_of_fire(battle, firer, target, part, math.inf)), None)


def band_by(battle: Battle, firer: Unit, target: Unit, shape: shapely.Geometry, line: Line) -> str | None:
    """Return the range band of a shot at ``shape``, given a ``line`` that proves it in range (TSE-FIR-04).

    Lengths are in table units. Shorter lines are searched for only if one could fall in another band.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request
    >>> battle = open_battle("starter")
    >>> guns, target = battle.unit("kessler-guns"), battle.unit("daumas")
    >>> from tabletop.rules.tse.fire.judge import fire
    >>> line = fire(battle, Request("fire", ("kessler-guns", "daumas"))).witness
    >>> band_by(battle, guns, target, target.footprint, line)
    '6-9'
    """
    if not battle.rulings["same_part"]:
        return band_of(battle, shot_at(battle, firer, target, shape).range)
    part = shape_in_unit_arc(battle, firer, shape)
    bare = min(float(shapely.distance(front.edge, part)) for front in fronts_of(firer.fronts))
    line_band = band_of(battle, math.dist(*line))
    for name, _, far in bands(battle):
        if name == line_band or (battle.tape.at_most(bare, far) and line_within(battle, firer, target, part, far)):
            return name
    return line_band


def reach_of(battle: Battle, firer: Unit) -> float | None:
    """Return how far the firer's troops shoot on this table (table units), None if they never shoot.

    Source: TSE-FIR-01, TSE-ACT-93.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> reach_of(battle, battle.unit("kessler-guns")), reach_of(battle, battle.unit("zichy"))
    (9.0, None)
    """
    reach = troop(firer.troop).range
    return None if reach is None else reach * battle.scale


def plain_distance(firer: Unit, shape: shapely.Geometry) -> float:
    """Return the distance of ``shape`` from a firer's front bases (table units): no range is shorter (TSE-FIR-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> round(plain_distance(battle.unit("kessler-guns"), battle.unit("daumas").footprint), 2)
    8.96
    """
    return min(float(shapely.distance(base.polygon, shape)) for base in firer.fronts)


def in_range(battle: Battle, firer: Unit, distance: float | None) -> bool:
    """Return whether ``distance`` is within the firer's range, inclusive (TSE-FIR-01)."""
    reach = reach_of(battle, firer)
    return reach is not None and distance is not None and battle.tape.at_most(distance, reach)


def bands(battle: Battle) -> tuple[tuple[str, float, float], ...]:
    """Return the range bands as (name, from, to); the figure scale changes a band's limits but not its name."""
    return _bands(battle.scale)


@cache
def _bands(scale: float) -> tuple[tuple[str, float, float], ...]:
    limits = [0.0, *map(float, tables()["lengths"]["bands"])]
    return tuple((f"{near:g}-{far:g}", near * scale, far * scale) for near, far in pairwise(limits))


def band_of(battle: Battle, distance: float | None) -> str | None:
    """Return the band of a range (table units); None beyond the last (TSE-FIR-04).

    A range exactly on a limit belongs to the nearer band.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> [band_of(battle, distance) for distance in (2.0, 8.0, 30.0)]
    ['0-3', '6-9', None]
    """
    if distance is None:
        return None
    return next((name for name, _, far in bands(battle) if battle.tape.at_most(distance, far)), None)
