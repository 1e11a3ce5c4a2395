"""Shifts that bring a unit's side exactly against another's: facts about contact change exactly there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point
from tabletop.judge.things import Placement, Thing

#: Length, in tolerances, of the edge shared by two units brought together end to end.
SHARED = 2.0
#: Edges whose directions differ by less than this (degrees) can lie along one another.
PARALLEL = 1.0
#: How many contacts of one unit with another are tried, the nearest first.
NEAREST = 4


def contacts(things: Sequence[Thing], asked: int, radius: float, t: float) -> Iterator[Placement]:
    """Yield placements that shift a unit asked about, or another unit, just into contact with each other.

    ``asked`` is how many of the things, first in the list, are asked about; ``t`` is the tolerance of touching.
    """
    units = [(thing, thing.body) for thing in things if isinstance(thing.body, Unit) and not thing.body.is_general]
    first = [pair for pair in units if pair[0] in things[:asked]]
    for k, (one, unit) in enumerate(first):
        for other, neighbour in [*first[k + 1 :], *(pair for pair in units if pair not in first)]:
            for shift in _shifts(neighbour, unit, radius, t):
                yield Placement(other, shift)
                yield Placement(one, (-shift[0], -shift[1]))


def _shifts(unit: Unit, other: Unit, radius: float, t: float) -> list[Point]:
    """Return the shortest shifts of a unit that lay an edge of one of its bases along an edge of the other's."""
    (x0, y0, x1, y1), (u0, v0, u1, v1) = unit.bounds, other.bounds
    if max(u0 - x1, x0 - u1, v0 - y1, y0 - v1) > radius:
        return []
    shifts = {
        shift
        for a in unit.bases
        for b in other.bases
        if isinstance(a, Base) and isinstance(b, Base)
        for shift in _together(a.corners, b.corners, SHARED * t)
        if 0.0 < math.hypot(*shift) <= radius
    }
    return sorted(shifts, key=lambda shift: math.hypot(*shift))[:NEAREST]


def _together(corners: np.ndarray, others: np.ndarray, shared: float) -> Iterator[Point]:
    """Yield the shortest shift for each pair of edges that face each other, outside against outside."""
    for k in range(4):
        start, way, length = _edge(corners, k)
        for m in range(4):
            begin, back, reach = _edge(others, m)
            if float(way @ back) > -math.cos(math.radians(PARALLEL)):
                continue
            across = np.array([way[1], -way[0]])
            gap = float((begin - start) @ across)
            low, high = sorted((float((begin - start) @ way), float((begin + reach * back - start) @ way)))
            aside = max(low + shared - length, 0.0) + min(high - shared, 0.0)
            x, y = gap * across + aside * way
            yield float(x), float(y)


def _edge(corners: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the start of an edge, its direction and its length."""
    start, end = corners[k], corners[(k + 1) % 4]
    length = float(np.hypot(*(end - start)))
    return start, (end - start) / length, length
