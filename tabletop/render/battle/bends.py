"""A line bent by hand: one angle for each base, degrees clockwise from the reference base, whose own angle is 0."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point, bearing, turn_between

#: The farthest a player may bend a base, in degrees; the judge decides what the rules allow.
MOST = 90.0
#: Bends to step through where bases are not bent one by one: degrees that the left and right wing are turned back.
USUAL = ((0.0, 0.0), (15.0, 15.0), (30.0, 30.0), (0.0, 30.0), (30.0, 0.0), (-15.0, -15.0))


def bent(angles: Sequence[float], reference: int, base: int, angle: float) -> tuple[float, ...]:
    """Return the angles after turning one base to ``angle``; bases beyond it, seen from the reference base, turn along.

    >>> bent((0.0, 0.0, 0.0, 0.0), 1, 2, 20.0)
    (0.0, 0.0, 20.0, 20.0)
    >>> bent((0.0, 0.0, 0.0, 0.0), 1, 0, -10.0)
    (-10.0, 0.0, 0.0, 0.0)
    """
    turn = max(-MOST, min(MOST, angle)) - angles[base]
    beyond = range(base, len(angles)) if base > reference else range(base + 1)
    return tuple(max(-MOST, min(MOST, a + turn)) if i in beyond else a for i, a in enumerate(angles))


def about(angles: Sequence[float], reference: int) -> tuple[float, ...]:
    """Return the same bends as seen from another reference base.

    >>> about((0.0, 10.0, 20.0), 1)
    (-10.0, 0.0, 10.0)
    """
    return tuple(a - angles[reference] for a in angles)


def wings(count: int, reference: int, left: float, right: float) -> tuple[float, ...]:
    """Return the angles of a line whose wings are bent back by these degrees on either side of its reference base.

    >>> wings(4, 1, 10.0, 20.0)
    (-10.0, 0.0, 20.0, 20.0)
    """
    return tuple(0.0 if i == reference else right if i > reference else -left for i in range(count))


def next_usual(angles: Sequence[float], reference: int) -> tuple[float, ...]:
    """Return the next of the usual bends after the current one."""
    known = list(dict.fromkeys(wings(len(angles), reference, left, right) for left, right in USUAL))
    index = known.index(tuple(angles)) if tuple(angles) in known else -1
    return known[(index + 1) % len(known)]


def pulled(ghost: Unit, base: int, point: Point, step: float) -> float | None:
    """Return the angle, in whole steps, that points a base's outer end at ``point``; None for a base without a joint.

    The base turns about its joint: the middle of the edge it shares with its neighbour toward the reference base.
    """
    right = base > ghost.reference
    inner = ghost.bases[base - 1 if right else base + 1]
    if not isinstance(inner, Base):
        return None
    joint = inner.at_local((0.5 if right else -0.5) * inner.frontage, -inner.depth / 2)
    if math.dist(joint, point) < inner.depth / 8:
        return None
    along = bearing(point[0] - joint[0], point[1] - joint[1])
    angle = turn_between(ghost.facing, along + (-90.0 if right else 90.0))
    return max(-MOST, min(MOST, round(angle / step) * step))


def words(angles: Sequence[float], reference: int) -> str:
    """Return a bend in a few words.

    >>> words((0.0, 0.0, 0.0), 1), words((-10.0, 0.0, 20.0), 1), words((0.0, 0.0, -5.0), 0)
    ('straight', 'left back 10°, right back 20°', 'right forward 5°')
    """
    left, right = -angles[0] if reference else 0.0, angles[-1] if reference < len(angles) - 1 else 0.0
    wing_words = [_wing(name, degrees) for name, degrees in (("left", left), ("right", right)) if degrees]
    if not wing_words and any(angles):
        return "bent"
    return ", ".join(wing_words) or "straight"


def _wing(name: str, degrees: float) -> str:
    return f"{name} {'back' if degrees > 0 else 'forward'} {abs(degrees):g}°"
