"""The arc of fire of a unit, and the question ``arc``: does another unit lie in it?"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, outline, radius
from tabletop.errors import BadQuestion
from tabletop.geometry.arc import Front, arc_in_range, distance_to_arc, fronts_of, part_in_arc
from tabletop.geometry.measure import ANGLE_TOLERANCE, SAME_PLACE, Point, bearing, turn_between
from tabletop.geometry.shapes import line_shape, points_of, shapes_of
from tabletop.geometry.verdict import Reason, Shape, Verdict
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.tables import tables, troop

RULE = "TSE-FIR-05"
ALL_ROUND_RULE = "TSE-FIR-25"


def arc(battle: Battle, request: Request) -> Verdict:
    """Answer ``arc A B``: some part of B lies in A's arc of fire (TSE-FIR-05, TSE-FIR-25, TSE-FIR-26).

    ``measured`` has the ``bearing`` (degrees) to the nearest such part. Raises BadQuestion for a general.

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = arc(open_battle("starter"), Request("arc", ("kessler-guns", "daumas")))
    >>> verdict.holds, round(verdict.measured["bearing"])
    (True, 174)
    """
    unit, target = front_and_target(battle, request)
    reason = arc_reason(battle, unit, target)
    if request.brief:
        return Verdict("arc", request.args, battle.rules, reason.holds)
    eye = arc_centre(unit)
    part = part_in_unit_arc(battle, unit, target)
    nearest = _nearest(eye, part) if reason else None
    line = None if nearest is None else (eye, nearest)
    return Verdict(
        "arc",
        request.args,
        battle.rules,
        reason.holds,
        {"bearing": None if nearest is None else _bearing(unit, eye, nearest)},
        (reason,),
        witness=line,
        options=request.options,
        shapes=(
            *arc_shapes(battle, unit, target),
            *shapes_of("target", part),
            *((line_shape("witness", line),) if line else ()),
        ),
    )


def front_and_target(battle: Battle, request: Request) -> tuple[Unit, Unit]:
    """Return the unit asked about and its target; BadQuestion for a general, who has no front (TSE-LDR-10)."""
    unit, target = (battle.unit(name) for name in request.args)
    if unit.is_general:
        raise BadQuestion(f"'{unit.id}' is a general, who has no front and no arc; ask '{request.question}' for a unit")
    return unit, target


def sees_all_round(unit: Unit) -> bool:
    """Return whether a unit has no flanks: a square (TSE-FIR-25, TSE-FRM-30).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> sees_all_round(battle.unit("arnaud"))
    False
    """
    return unit.formation == "square"


def arc_fronts(battle: Battle, unit: Unit) -> tuple[Front, ...]:
    """Return the fronts whose arcs make up the unit's arc: those of its front-eligible bases.

    Under the ruling ``bent_line_arc: reference`` a deployed unit has arcs only from the bases that face the same way as
    its reference base (TSE-FRM-12, TSE-FIR-26). Widths are in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> [front.width for front in arc_fronts(battle, battle.unit("arnaud"))]
    [2.0]
    """
    bases = unit.fronts
    if battle.rulings["bent_line_arc"] == "reference" and unit.formation == "deployed":
        bases = tuple(b for b in bases if abs(turn_between(b.facing, unit.facing)) <= ANGLE_TOLERANCE)
    return fronts_of(bases)


def arc_centre(unit: Unit) -> Point:
    """Return the point bearings are taken from: the middle of the front, or the centre of a square."""
    return unit.at if sees_all_round(unit) else unit.front_mid


def gap_to_arc(battle: Battle, unit: Unit, target: Unit) -> float:
    """Return the distance from ``target`` to the edge of the unit's arc, 0 inside it (TSE section 0)."""
    if sees_all_round(unit):
        return 0.0
    return max(0.0, distance_to_arc(arc_fronts(battle, unit), outline(target)) - radius(target))


def part_in_unit_arc(battle: Battle, unit: Unit, target: Unit) -> shapely.Geometry:
    """Return the part of the target in the unit's arc; if it only comes within tolerance, its nearest points."""
    return shape_in_unit_arc(battle, unit, target.footprint)


def shape_in_unit_arc(battle: Battle, unit: Unit, shape: shapely.Geometry) -> shapely.Geometry:
    """Return the part of a shape in the unit's arc; if the shape only comes within tolerance, its nearest points."""
    return shape if sees_all_round(unit) else part_in_arc(arc_fronts(battle, unit), shape, battle.tape.t)


def arc_reason(battle: Battle, unit: Unit, target: Unit) -> Reason:
    """Return whether some part of the target lies in the unit's arc; touching it counts (TSE-FIR-05, TSE-FIR-25).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> arc_reason(battle, battle.unit("kessler-guns"), battle.unit("daumas")).holds
    True
    """
    name = target.called
    if sees_all_round(unit):
        return Reason(ALL_ROUND_RULE, True, f"a square fires all round, at {name} too", 0.0, 0.0, target.id)
    gap = gap_to_arc(battle, unit, target)
    holds = battle.tape.at_most(gap, 0.0)
    text = f"part of {name} lies in the arc" if holds else f"{name} lies {gap:.2f} outside the arc"
    return Reason(RULE, holds, text, gap, 0.0, target.id)


def arc_shapes(battle: Battle, unit: Unit, target: Unit | None = None) -> tuple[Shape, ...]:
    """Return the arc of fire to draw, in table units, out to the unit's range (TSE-FIR-05).

    For troops that never fire it reaches just past the target.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> [shape.role for shape in arc_shapes(battle, battle.unit("kessler-guns"))]
    ['arc']
    """
    reach = troop(unit.troop).range
    if reach is not None:
        return shapes_of("arc", _within(battle, unit, reach * battle.scale))
    past = 1.0 if target is None else 1.0 + shapely.distance(unit.footprint, target.footprint)
    return shapes_of("arc", _within(battle, unit, float(past)))


def band_shapes(battle: Battle, unit: Unit) -> tuple[Shape, ...]:
    """Return the arc out to each band limit short of the unit's range (TSE-FIR-04), the nearest first."""
    reach = troop(unit.troop).range or 0.0
    limits = [float(limit) for limit in tables()["lengths"]["bands"] if limit < reach]
    return tuple(
        shape
        for limit in limits
        for shape in shapes_of("band", _within(battle, unit, limit * battle.scale), f"{limit * battle.scale:g}")
    )


def _within(battle: Battle, unit: Unit, distance: float) -> shapely.Geometry:
    if sees_all_round(unit):
        return _around(fronts_of(unit.fronts), distance)
    return arc_within(arc_fronts(battle, unit), distance)


@lru_cache(maxsize=256)
def arc_within(fronts: tuple[Front, ...], distance: float) -> shapely.Geometry:
    """Return the arc out to ``distance``, cached because callers ask about a unit against each enemy in turn."""
    return arc_in_range(fronts, distance)


@lru_cache(maxsize=256)
def _around(fronts: tuple[Front, ...], distance: float) -> shapely.Geometry:
    return shapely.union_all([shapely.buffer(front.edge, distance, quad_segs=24) for front in fronts])


def _nearest(eye: Point, shape: shapely.Geometry) -> Point | None:
    """Return the point of ``shape`` nearest to ``eye``."""
    if shapely.is_empty(shape):
        return None
    (_, nearest) = points_of(shapely.get_coordinates(shapely.shortest_line(shapely.Point(eye), shape)))
    return nearest


def _bearing(unit: Unit, eye: Point, point: Point) -> float:
    """Return the compass bearing from ``eye``; the unit's own facing when the two coincide."""
    if math.dist(eye, point) <= SAME_PLACE:
        return unit.facing
    return bearing(*(np.subtract(point, eye).tolist()))
