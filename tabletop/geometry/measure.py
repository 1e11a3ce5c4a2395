"""The measuring grid, the one declared tolerance, and every comparison with a limit.

Coordinates are snapped once, on entry, to 1/1024 of a unit and facings to 1/64 of a degree. A measurement
within the tolerance of a limit counts as exactly the limit (TSE section 0). No other module compares
a measurement with a limit by itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

GRID = 1024.0
FACING_GRID = 64.0
ANGLE_TOLERANCE = 1.0 / 128.0
#: Points this close (table units) count as one: what lies between them is rounding and has no direction.
SAME_PLACE = 1e-6
#: An overlap less deep than this (table units) is rounding, not geometry. Obstructions are shrunk by this much before a
#: sight line is tested, so that a line along an edge or through a corner grazes it whatever the last bit says.
GRAZE = 1e-6

#: Steps per unit when lengths are put in order: a power of two, so that sums of grid lengths fall on steps.
RANKS = 2.0**20

TOLERANCES = {"in": 0.005, "mm": 0.1, "cm": 0.01}

#: The points of a compass card, clockwise from north.
COMPASS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")

Point = tuple[float, float]


def snap(length: float) -> float:
    """Return ``length`` on the grid of 1/1024 of a unit.

    >>> from tabletop.geometry import snap
    >>> snap(8.4)
    8.400390625
    """
    return round(length * GRID) / GRID


def snap_point(point: Point) -> Point:
    """Return ``point`` with both coordinates on the grid."""
    return snap(point[0]), snap(point[1])


def snap_facing(degrees: float) -> float:
    """Return ``degrees`` on the grid of 1/64 of a degree, in [0, 360).

    >>> from tabletop.geometry import snap_facing
    >>> snap_facing(-0.01), snap_facing(-90.0)
    (359.984375, 270.0)
    """
    return (round(degrees * FACING_GRID) / FACING_GRID) % 360.0


def heading(degrees: float) -> Point:
    """Return the unit vector of a compass bearing (clockwise from north).

    Exact under quarter turns and mirrors: the angle is folded into [0, 45] before sine and cosine are taken, so that
    turning or mirroring the table changes only signs and the order of the two numbers, never a digit.

    >>> from tabletop.geometry import heading
    >>> heading(0.0)
    (0.0, 1.0)
    """
    quarter, rest = divmod(degrees % 360.0, 90.0)
    if rest <= 45.0:
        small = math.radians(rest)
        s, c = math.sin(small), math.cos(small)
    else:
        small = math.radians(90.0 - rest)
        s, c = math.cos(small), math.sin(small)
    if rest == 45.0:
        s = c = math.sqrt(0.5)
    return [(s, c), (c, -s), (-s, -c), (-c, s)][int(quarter) % 4]


def right_of(direction: Point) -> Point:
    """Return the unit vector a quarter turn clockwise from ``direction``."""
    return direction[1], -direction[0]


def bearing(dx: float, dy: float) -> float:
    """Return the compass bearing in degrees, in [0, 360), of the vector (dx east, dy north).

    >>> from tabletop.geometry import bearing
    >>> bearing(1.0, 0.0), bearing(-1.0, -1.0)
    (90.0, 225.0)
    """
    return math.degrees(math.atan2(dx, dy)) % 360.0


def compass_point(degrees: float) -> str:
    """Return the point of the sixteen-point compass nearest to a bearing.

    >>> from tabletop.geometry import compass_point
    >>> compass_point(20.0), compass_point(355.0)
    ('NNE', 'N')
    """
    return COMPASS[round(degrees / 22.5) % 16]


def turn_between(a: float, b: float) -> float:
    """Return the signed turn in degrees, in (-180, 180], from bearing ``a`` to ``b`` (clockwise positive).

    >>> from tabletop.geometry import turn_between
    >>> turn_between(350.0, 10.0), turn_between(10.0, 350.0)
    (20.0, -20.0)
    """
    turn = (b - a) % 360.0
    return turn - 360.0 if turn > 180.0 else turn


def ranked(length: float) -> int:
    """Return an integer to order lengths by, equal for lengths that differ only by rounding."""
    return round(length * RANKS)


@dataclass(frozen=True)
class Tape:
    """The declared tolerance ``t`` and the comparisons made with it (lengths in table units).

    ``Tape(0.0)`` compares exactly: for measured values, farthest advances and infima.

    >>> from tabletop.geometry import Tape
    >>> tape = Tape.of("in")
    >>> tape.at_most(6.004, 6.0), tape.at_most(6.006, 6.0), tape.under(0.996, 1.0)
    (True, False, False)
    """

    t: float = TOLERANCES["in"]

    @classmethod
    def of(cls, unit: str, scale: float = 1.0) -> Tape:
        """Return the tape for a table measured in ``unit`` ("in", "mm", "cm") at figure ``scale``."""
        return cls(TOLERANCES[unit] * scale)

    def at_most(self, value: float, limit: float) -> bool:
        """Return whether ``value`` is at most ``limit`` (range, command radius, reach, cost); exactly the limit is."""
        return value <= limit + self.t

    def at_least(self, value: float, limit: float) -> bool:
        """Return whether ``value`` is at least ``limit`` (clearances); exactly the limit is."""
        return value >= limit - self.t

    def under(self, value: float, limit: float) -> bool:
        """Return whether ``value`` is under ``limit`` (the zone of control); exactly the limit is not."""
        return value < limit - self.t

    def over(self, value: float, limit: float) -> bool:
        """Return whether ``value`` is over ``limit`` (a length inside an obstruction, a depth of overlap); the limit is
        not."""
        return value > limit + self.t

    def touches(self, distance: float) -> bool:
        """Return whether things this far apart touch: no farther than the tolerance."""
        return distance <= self.t
