"""Points of the table: the unit under a point, and the direction from one point to another."""

from __future__ import annotations

import math

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import AnyBase, Disc
from tabletop.geometry.measure import Point, bearing, compass_point, heading


def unit_at(battle: Battle, point: Point) -> Unit | None:
    """Return the unit at a point, which may lie between its bases; generals come first."""
    units = battle.units
    under = [u for u in units if any(_covers(base, point) for base in u.bases)]
    under = under or [u for u in units if u.strength > 1 and _inside(u, point)]
    return min(under, key=lambda u: not u.is_general, default=None)


def _covers(base: AnyBase, point: Point) -> bool:
    if isinstance(base, Disc):
        return math.dist(base.centre, point) <= base.radius
    lateral, ahead = base.local(point)
    return abs(lateral) <= base.frontage / 2 and -base.depth <= ahead <= 0


def _inside(unit: Unit, point: Point) -> bool:
    """Return whether a point lies in the hollow between a unit's bases, as in a square."""
    return bool(shapely.intersects_xy(unit.footprint.convex_hull, *point))


def compass(start: Point, end: Point) -> str:
    """Return the bearing of a line as on a compass card (``NNE 23°``)."""
    degrees = bearing(end[0] - start[0], end[1] - start[1])
    return f"{compass_point(degrees)} {degrees:.0f}°"


def towards(start: Point, degrees: float, length: float) -> Point:
    """Return the point ``length`` away from ``start`` in a compass direction."""
    east, north = heading(degrees)
    return start[0] + length * east, start[1] + length * north
