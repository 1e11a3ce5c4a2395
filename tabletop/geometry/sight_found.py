"""Candidate lines, and how the best direction in an interval is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import shapely

from tabletop.geometry.sight.obstruction import Bools, Floats
from tabletop.geometry.sight_cells import Cell
from tabletop.geometry.sight_pair import Pair

#: Directions looked at in each interval at a time, and how often the bracket is narrowed (each time to a quarter).
SPREAD = np.linspace(0.0, 1.0, 9)
PASSES = 9


@dataclass(frozen=True, eq=False)
class Found:
    """Candidate lines in order of length: lengths (n,), ends in the higher cell and in the lower (n, 2)."""

    length: Floats
    high: Floats
    low: Floats

    @classmethod
    def none(cls) -> Found:
        return cls(np.zeros(0), np.zeros((0, 2)), np.zeros((0, 2)))

    @classmethod
    def of(cls, v: Floats, u: Floats, h: Floats, e: Floats) -> Found:
        """Return candidates from lines v + s u between s = h and s = e, where e lies ahead of h."""
        order = np.argsort(e - h, kind="stable")
        order = order[(e - h)[order] > 0.0]
        v, u, h, e = v[order], u[order], h[order], e[order]
        return cls(e - h, v + h[:, None] * u, v + e[:, None] * u)

    def under(self, best: float) -> Found:
        keep: Bools = np.asarray(self.length < best)
        return Found(self.length[keep], self.high[keep], self.low[keep])

    def with_(self, other: Found) -> Found:
        length = np.concatenate([self.length, other.length])
        order = np.argsort(length, kind="stable")
        return Found(
            length[order],
            np.concatenate([self.high, other.high])[order],
            np.concatenate([self.low, other.low])[order],
        )


def within_reach(points: Floats, pair: Pair, limit: float) -> Bools:
    """Return which points lie on lines between the cells shorter than ``limit``, as far as distances tell."""
    if np.isinf(limit):
        return np.ones(len(points), bool)
    at = shapely.points(points)
    return np.asarray(shapely.distance(at, pair.high.shape) + shapely.distance(at, pair.low.shape) < limit)


def inside(points: Floats, cell: Cell, off: float = 1e-9) -> Bools:
    """Return which points (n, 2) lie in a cell, or no farther than ``off`` from the lines of its sides."""
    normals, level = cell.sides
    return np.asarray((points @ normals.T <= level + off).all(1))


def narrow(a: Floats, e: Floats, measure: Callable[[Floats], tuple[Floats, Floats]]) -> tuple[Floats, Bools]:
    """Return in each interval [a, e] the direction of least length with slack not negative, and whether there is one.

    ``measure(angles (n, k))`` gives (length, slack). The bracket is narrowed about the best of nine directions.
    """
    low, high = a, e
    row = np.arange(len(a))
    best = np.full(len(a), np.inf)
    angle = (a + e) / 2
    for _ in range(PASSES):
        at = low[:, None] + (high - low)[:, None] * SPREAD
        length, slack = measure(at)
        value = np.where(slack >= 0.0, length, np.inf)
        fits = np.isfinite(value).any(1)
        k = np.where(fits, value.argmin(1), slack.argmax(1))
        better = value[row, k] < best
        best = np.where(better, value[row, k], best)
        angle = np.where(better, at[row, k], angle)
        low, high = at[row, np.maximum(k - 1, 0)], at[row, np.minimum(k + 1, len(SPREAD) - 1)]
    return angle, np.isfinite(best)
