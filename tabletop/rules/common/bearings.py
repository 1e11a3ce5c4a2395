"""Sectors as intervals of bearings relative to a unit's facing: what lies ahead, abeam, astern."""

from __future__ import annotations

import math
from collections.abc import Sequence

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import ANGLE_TOLERANCE, Point, bearing, heading

#: Straight lines by which a sector's rim is drawn.
PARTS = 8


def relative(unit: Unit, point: Point) -> float:
    """Return the bearing of ``point`` from a unit's centre relative to its facing: degrees clockwise, in [0, 360).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("raking")
    >>> round(relative(battle.unit("heron"), battle.unit("zeeland").at), 1)
    308.2
    """
    (x, y), (px, py) = unit.at, point
    return (bearing(px - x, py - y) - unit.facing) % 360.0


def within(angle: float, sector: Sequence[float], inclusive: bool = True) -> bool:
    """Return whether an angle lies in a clockwise sector (first, last), by default including its ends.

    Angles are in degrees.

    >>> within(45.0, (45.0, 135.0)), within(45.0, (45.0, 135.0), inclusive=False), within(0.0, (315.0, 45.0))
    (True, False, True)
    """
    first, last = sector
    slack = ANGLE_TOLERANCE if inclusive else -ANGLE_TOLERANCE
    middle, half = first + ((last - first) % 360.0) / 2, ((last - first) % 360.0) / 2
    off = abs((angle - middle + 180.0) % 360.0 - 180.0)
    return off <= half + slack


def ground_in(unit: Unit, sector: Sequence[float], start: Point, far: float) -> BaseGeometry:
    """Return the ground in a sector (first, last) of a unit and within ``far`` of ``start``.

    The sector is in degrees clockwise from the unit's facing, lengths in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> ship = open_battle("raking").unit("heron")
    >>> [round(edge, 1) for edge in ground_in(ship, (45.0, 135.0), ship.at, 12.0).bounds]
    [39.0, 8.0, 51.0, 25.0]
    """
    first, last = sector
    (x, y), long = unit.at, 2.0 * (far + math.dist(unit.at, start))
    rim = [heading(unit.facing + first + ((last - first) % 360.0) * k / PARTS) for k in range(PARTS + 1)]
    wedge = shapely.Polygon([(x, y), *((x + long * east, y + long * north) for east, north in rim)])
    return shapely.intersection(wedge, shapely.Point(start).buffer(far, quad_segs=24))
