"""The leading edge of a unit that is driven back, and the shifts that take the unit off the table."""

from __future__ import annotations

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import ANGLE_TOLERANCE, Point, turn_between
from tabletop.rules.tse.movement.motion import body_of

#: The sides of a square, with how far clockwise of its facing each one faces (degrees).
SIDES = {"rear": 180.0, "front": 0.0, "right": 90.0, "left": 270.0}


def leading_side(unit: Unit, away: float) -> str:
    """Return the side of a square that leads in a direction (bearing): the one that faces it best (TSE-FRM-32).

    If two sides tie, the rear leads, or else the front.
    """

    def off(side: str) -> float:
        return abs(turn_between(unit.facing + SIDES[side], away))

    nearest = min(map(off, SIDES))
    return next(side for side in SIDES if off(side) <= nearest + ANGLE_TOLERANCE)


def led_by(unit: Unit, leading: str) -> tuple[tuple[Base, ...], str]:
    """Return the bases whose edges are traced when a unit is driven back, and which edge of each (TSE-INV-16).

    The leading side of a square counts as one edge: the rear edge of a base as large as the square (TSE-FRM-32).
    """
    if unit.formation != "square":
        return tuple(base for base in unit.bases if isinstance(base, Base)), leading
    whole = Base(0.0, 0.0, (unit.facing + SIDES[leading] + 180.0) % 360.0, 1.0, 1.0)
    corners = np.concatenate([base.corners for base in unit.bases if isinstance(base, Base)])
    aside, along = corners @ np.array(whole.right), corners @ np.array(whole.forward)
    (left, right), (back, ahead) = ((float(v.min()), float(v.max())) for v in (aside, along))
    middle = (left + right) / 2 * np.array(whole.right) + (back + ahead) / 2 * np.array(whole.forward)
    x, y = middle.tolist()
    return (Base(x, y, whole.facing, right - left, ahead - back),), "rear"


def leading_middle(unit: Unit, leading: str) -> Point:
    """Return the middle of the leading edge: a unit's front or rear, or a side of a square (TSE-MOV-15)."""
    if unit.formation == "square":
        (whole,), _ = led_by(unit, leading)
        return whole.at_local(0.0, -whole.depth)
    rear, front = body_of(unit).axis
    return front if leading == "front" else rear


def edge_walls(battle: Battle, unit: Unit) -> tuple[shapely.Geometry, ...]:
    """Return the shifts that take a unit over each edge of the table (TSE-INV-10)."""
    x0, y0, x1, y1 = unit.bounds
    west, south, east, north = -x0, -y0, battle.table.width - x1, battle.table.height - y1
    far = 4.0 * (battle.table.width + battle.table.height)
    boxes = ((-far, -far, west, far), (east, -far, far, far), (-far, -far, far, south), (-far, north, far, far))
    return tuple(shapely.box(*box) for box in boxes)
