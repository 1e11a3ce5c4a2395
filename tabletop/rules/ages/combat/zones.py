"""The front, flanks and rear of a unit, divided by lines at 45 degrees from its four corners."""

from __future__ import annotations

import math

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.base import AnyBase, Base
from tabletop.geometry.measure import Point, right_of
from tabletop.geometry.shapes import shapes_of
from tabletop.geometry.verdict import Reason, Shape, Verdict
from tabletop.rules.ages.movement.layouts import ROUND
from tabletop.rules.rule_set import Request

FRONT, FLANK, REAR = "front", "flank", "rear"


def zone_of(battle: Battle, target: Unit, point: Point) -> str:
    """Return the zone of ``target`` a point lies in: front, flank or rear; a square has only a front (ROC-CBT-05).

    Points are in table units (mm). A point on the line between two zones counts as front or rear, not as flank.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> [zone_of(battle, battle.unit("french-1"), point) for point in ((140, 285), (240, 220), (140, 100))]
    ['front', 'flank', 'rear']
    """
    if target.formation in ROUND:
        return FRONT
    (u, v), (w, d) = local(target, point), extent(target)
    beside = max(0.0, abs(u) - w / 2)
    if battle.tape.at_least(v - d / 2, beside):
        return FRONT
    return REAR if battle.tape.at_least(-v - d / 2, beside) else FLANK


def local(unit: Unit, point: Point) -> Point:
    """Return a point in (right, ahead) coordinates about the middle of a unit's footprint."""
    f = unit.forward
    r = right_of(f)
    x, y = middle(unit)
    return (point[0] - x) * r[0] + (point[1] - y) * r[1], (point[0] - x) * f[0] + (point[1] - y) * f[1]


def middle(unit: Unit) -> Point:
    """Return the middle of a unit's bounding rectangle aligned with its facing, in table units (mm) (ROC-CBT-05).

    >>> from tabletop.play.files.opened import open_battle
    >>> middle(open_battle("drill-ground").unit("french-1"))
    (140.0, 220.0)
    """
    (u0, v0), (u1, v1) = _span(unit)
    f = unit.forward
    r = right_of(f)
    u, v = (u0 + u1) / 2, (v0 + v1) / 2
    return unit.at[0] + u * r[0] + v * f[0], unit.at[1] + u * r[1] + v * f[1]


def extent(unit: Unit) -> tuple[float, float]:
    """Return width and depth of a unit's bounding rectangle aligned with its facing, in table units (mm) (ROC-CBT-05).

    >>> from tabletop.play.files.opened import open_battle
    >>> extent(open_battle("drill-ground").unit("french-1"))
    (100.0, 15.0)
    """
    (u0, v0), (u1, v1) = _span(unit)
    return u1 - u0, v1 - v0


def _span(unit: Unit) -> tuple[Point, Point]:
    """Return the lowest and highest (right, ahead) coordinates of a unit's corners about its centre, cached on it."""
    cache: dict[str, tuple[Point, Point]] = vars(unit)
    if "_span" not in cache:
        f = unit.forward
        r = right_of(f)
        corners = np.concatenate([_corners(base) for base in unit.bases]) - [unit.at]
        across, ahead = corners @ list(r), corners @ list(f)
        cache["_span"] = (float(across.min()), float(ahead.min())), (float(across.max()), float(ahead.max()))
    return cache["_span"]


def _corners(base: AnyBase) -> np.ndarray:
    """Return the corners (n, 2) of a base; for a round one the points of its circle."""
    return base.corners if isinstance(base, Base) else shapely.get_coordinates(base.polygon)


def side_of(battle: Battle, attacker: Unit, target: Unit) -> str:
    """Return the zone of ``target`` in which the middle of the attacker's front lies (ROC-CBT-05)."""
    return zone_of(battle, target, attacker.front_mid)


def zones(battle: Battle, request: Request) -> Verdict:
    """Answer ``zones A``: its front, flanks and rear, and the enemies in each (ROC-CBT-05).

    Raises BadQuestion for a general or staff officer, who has no front.

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = zones(open_battle("struck-at-the-corner"), Request("zones", ("line-east",)))
    >>> verdict.measured["front"], verdict.measured["flank"]
    ([], ['hussars-east', 'hussars-west'])
    """
    unit = battle.unit(request.args[0])
    if not unit.fronts:
        raise BadQuestion(f"'{unit.id}' has no front; ask for a unit that fights")
    where = {enemy.id: side_of(battle, enemy, unit) for enemy in battle.enemies(unit) if enemy.fronts}
    reasons = tuple(
        Reason("ROC-CBT-05", True, f"{battle.called(name)} stands to its {zone}", feature=name)
        for name, zone in where.items()
    )
    return Verdict(
        "zones",
        request.args,
        battle.rules,
        True,
        {zone: [name for name, stands_in in where.items() if stands_in == zone] for zone in (FRONT, FLANK, REAR)},
        reasons or (Reason("ROC-CBT-05", True, "no enemy is on the table"),),
        options=request.options,
        shapes=zone_shapes(battle, unit),
    )


def zone_shapes(battle: Battle, unit: Unit) -> tuple[Shape, ...]:
    """Return the front and rear zones of a unit for the picture of a verdict (ROC-CBT-05)."""
    return tuple(shape for name, area in _areas(battle, unit) for shape in shapes_of("zone", area, name))


def _areas(battle: Battle, unit: Unit) -> list[tuple[str, BaseGeometry]]:
    """Return front and rear of a unit as areas clipped to the table; a square's front is all round it."""
    if unit.formation in ROUND:
        return [(FRONT, shapely.difference(battle.table.edge, unit.footprint))]
    (w, d), far = extent(unit), math.hypot(battle.table.width, battle.table.height)
    areas = []
    for name, sign in ((FRONT, 1.0), (REAR, -1.0)):
        spots = [(-w / 2, d / 2), (-w / 2 - far, d / 2 + far), (w / 2 + far, d / 2 + far), (w / 2, d / 2)]
        area = shapely.Polygon([_at(unit, u, sign * v) for u, v in spots])
        areas.append((name, shapely.intersection(area, battle.table.edge)))
    return areas


def _at(unit: Unit, u: float, v: float) -> Point:
    f = unit.forward
    r = right_of(f)
    x, y = middle(unit)
    return x + u * r[0] + v * f[0], y + u * r[1] + v * f[1]
