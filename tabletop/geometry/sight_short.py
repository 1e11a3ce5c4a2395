"""Directions in which the lines about a corner are short enough: told before what else they meet is looked at.

Past walls alone the length of a line about a corner outside both bodies is convex in the direction (``sight_turn``);
shadows and budgets only make it longer. So the directions that can matter are one interval about the shortest.
"""

from __future__ import annotations

import numpy as np

from tabletop.geometry.sight.obstruction import Bools, Floats
from tabletop.geometry.sight_cells import Cell
from tabletop.geometry.sight_pivots import AT_CELL, clip, heading_of
from tabletop.geometry.sight_turn import shortest_turn

#: How often the ends of the interval are bisected, and what rounding may do to a length (table units).
STEPS, ROUNDING = 12, 1e-9


def under(v: Floats, a: Floats, e: Floats, high: Cell, low: Cell, limit: float) -> tuple[Bools, Floats, Floats]:
    """Return for open gaps [a, e] (n,) about corners v (n, 2): which may hold a line under ``limit``, and between which
    directions, a little more than less. Corners in or on a cell are left as they are.
    """
    free = _outside(v, high) & _outside(v, low)
    keep, first, last = np.ones(len(v), bool), a.copy(), e.copy()
    some = np.nonzero(free)[0]
    if np.isinf(limit) or not len(some):
        return keep, first, last
    best = shortest_turn(v[some], a[some], e[some], high.body, low.body)
    long = _length(v[some], best, high, low) >= limit + ROUNDING
    keep[some[long]] = False
    some, best = some[~long], best[~long]
    outer = np.concatenate([first[some], last[some]])
    both = _bound(np.tile(v[some], (2, 1)), np.tile(best, 2), outer, high, low, limit + ROUNDING)
    first[some], last[some] = np.split(both, 2)
    return keep, first, last


def _bound(v: Floats, inner: Floats, outer: Floats, high: Cell, low: Cell, limit: float) -> Floats:
    """Return how far from the shortest direction towards another lines may be under the limit."""
    inner, outer = inner.copy(), outer.copy()
    whole = _length(v, outer, high, low) < limit
    for _ in range(STEPS):
        middle = (inner + outer) / 2
        short = _length(v, middle, high, low) < limit
        inner, outer = np.where(short, middle, inner), np.where(short | whole, outer, middle)
    return outer


def _length(v: Floats, angle: Floats, high: Cell, low: Cell) -> Floats:
    u = heading_of(angle)
    return np.asarray(clip(low, v, u)[0] - clip(high, v, u)[1])


def _outside(points: Floats, cell: Cell) -> Bools:
    normals, level = cell.sides
    return np.asarray((points @ normals.T > level + AT_CELL).any(1))
