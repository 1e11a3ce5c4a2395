"""Snapping to contact: a base put down near another moves flush against it, front to an enemy's edge, flank to friend.

The tape decides what touches: a place is offered only if the tape finds the two units in contact and neither overlaps
the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from tabletop.battle.unit import Unit, beside, distance_between
from tabletop.geometry.base import Base
from tabletop.geometry.depth import deepest
from tabletop.geometry.measure import Point, Tape, snap, snap_facing, turn_between
from tabletop.geometry.movement.advance_contact import Outlines, advance_until

#: Distance in inches within which an edge snaps; angle in degrees within which it is also turned parallel.
NEAR, NEARLY_PARALLEL = 0.25, 10.0


def snapped(unit: Unit, others: Iterable[Unit], tape: Tape, near: float) -> Unit | None:
    """Return a unit moved flush against a neighbour within ``near`` (table units), None if none is near enough.

    The smallest shift wins. The unit's pose stays on the measuring grid.
    """
    if unit.is_general:
        return None
    troops = [other for other in beside(unit.bounds, others, 2 * near) if not other.is_general and other.id != unit.id]
    candidates = [put for other in troops for put in _flush(unit, other, tape, near)]
    clear = [put for put in candidates if _stands(put, troops, tape)]
    return min(clear, key=lambda put: math.dist(put.at, unit.at), default=None)


def _flush(unit: Unit, other: Unit, tape: Tape, near: float) -> Iterator[Unit]:
    """Yield the unit in contact with another: its front against an enemy's edge, a flank against a friend's side."""
    faces = (0.0,) if other.side != unit.side else (90.0, -90.0)
    for turned in _parallel(unit, other):
        for face in faces:
            put = _advanced(turned, other, face, near, near + 2 * tape.t)
            if put is None or not tape.at_most(math.dist(put.at, turned.at), near):
                continue
            for moved in (*_dressed(put, other, face, tape, near), put):
                if tape.touches(distance_between(moved, other)):
                    yield moved
                    break


def _parallel(unit: Unit, other: Unit) -> Iterator[Unit]:
    """Yield the unit turned parallel to the edges of the other's nearest base if that is a small turn, else as is."""
    base = min((b for b in other.bases if isinstance(b, Base)), key=lambda b: math.dist(b.centre, unit.at))
    turn = (turn_between(unit.facing, base.facing) + 45.0) % 90.0 - 45.0
    if abs(turn) <= NEARLY_PARALLEL:
        yield entered(unit.turned(turn_between(unit.facing, snap_facing(unit.facing + turn))))
    else:
        yield unit


def _advanced(unit: Unit, other: Unit, face: float, back: float, ahead: float) -> Unit | None:
    """Return the unit moved along one of its faces until it meets the other, which it may overlap by ``back``."""
    direction = _heading(unit, face)
    ways = [_way(base, direction, other, back, ahead) for base in _faces(unit, face)]
    return _moved(unit, direction, min(ways)) if ways and min(ways) < ahead else None


def _way(face: tuple[Point, float], direction: Point, other: Unit, back: float, ahead: float) -> float:
    """Return how far a face can move before it meets the other, from ``-back`` to ``ahead``."""
    (x, y), half = face
    start = np.array([x - back * direction[0], y - back * direction[1]])
    edges = Outlines.of([(other.footprint, 0.0)])
    return float(advance_until(start, np.array([direction]), half, edges, back + ahead)[0]) - back


def _faces(unit: Unit, face: float) -> Sequence[tuple[Point, float]]:
    """Return the midpoint and half the width of every base's edge on one side of the unit."""
    bases = [base for base in unit.bases if isinstance(base, Base) and _same_way(base, unit)]
    if face == 0.0:
        return [(base.front_mid, base.frontage / 2) for base in bases]
    side = 0.5 if face > 0 else -0.5
    return [(base.at_local(side * base.frontage, -base.depth / 2), base.depth / 2) for base in bases]


def _same_way(base: Base, unit: Unit) -> bool:
    return abs(turn_between(unit.facing, base.facing)) < 1e-6


def _heading(unit: Unit, face: float) -> Point:
    base = Base(0.0, 0.0, unit.facing + face, 1.0, 1.0)
    return base.forward


def _moved(unit: Unit, direction: Point, way: float) -> Unit:
    return entered(unit.moved(way * direction[0], way * direction[1]))


def entered(unit: Unit) -> Unit:
    """Return a unit with its centre point on the measuring grid, as a file will have it."""
    x, y = unit.at
    return unit.moved(snap(x) - x, snap(y) - y)


def _dressed(unit: Unit, other: Unit, face: float, tape: Tape, near: float) -> Iterator[Unit]:
    """Yield the unit shifted along the line of contact until two corners meet, if such a place is near."""
    along = _heading(unit, 90.0 if face == 0.0 else 0.0)
    own, theirs = _corners([unit]), _corners([other])
    shifts = [(c[0] - p[0]) * along[0] + (c[1] - p[1]) * along[1] for p in own for c in theirs]
    fit = [shift for shift in shifts if tape.at_most(abs(shift), near)]
    for shift in sorted(fit, key=abs)[:1]:
        yield _moved(unit, along, shift)


def _corners(units: Iterable[Unit]) -> list[Point]:
    return [(float(x), float(y)) for u in units for b in u.bases if isinstance(b, Base) for x, y in b.corners.tolist()]


def _stands(unit: Unit, others: Iterable[Unit], tape: Tape) -> bool:
    return not any(tape.over(deepest(unit.bases, other.bases), 0.0) for other in others)
