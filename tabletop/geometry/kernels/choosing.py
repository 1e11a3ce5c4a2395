"""Which places promise most: the arithmetic of ``reach``."""

import math
from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, part
from tabletop.geometry.kernels.plane import CIRCLE

#: An angle is its chord and at least, at most so much of the chord's cube.
FLAT, ROUND = 1.0 / 24.0, (math.pi - 2.0) / 8.0


@part
def may(dx: float, dy: float, left: float, road: float, half: float, facing: float, fx: float, fy: float) -> bool:
    """Say whether ``left`` pays for an advance so far east and north, after a turn from ``facing`` (also as a vector).

    Most turns are told by their chord alone.
    """
    away = math.sqrt(dx * dx + dy * dy)
    spare = left - away / road
    if spare < 0.0 or half == 0.0 or away == 0.0:
        return spare >= 0.0
    most = spare / half
    chord = math.sqrt((dx / away - fx) ** 2 + (dy / away - fy) ** 2)
    cube = chord * chord * chord
    if chord + FLAT * cube > most:
        return False
    if chord + ROUND * cube <= most:
        return True
    turn = abs(math.atan2(dx, dy) - facing) % CIRCLE
    return min(turn, CIRCLE - turn) <= most


@part
def within(x: float, y: float, far: float, east: Any, north: Any) -> int:
    """Return how many places lie no farther off than that."""
    count = 0
    for h in range(len(east)):
        dx, dy = east[h] - x, north[h] - y
        count += dx * dx + dy * dy <= far
    return count


@part
def look(k: int, hoped: Any, at: Any, left: Any, road: float, half: float, facing: Any, met: Any) -> None:
    """Mark in ``met`` which hopes an advance from place ``k`` may meet."""
    x, y, far = at[k, 0], at[k, 1], (left[k] * road) ** 2 * (1.0 + 1e-9)
    fx, fy = math.sin(facing[k]), math.cos(facing[k])
    for h in range(len(hoped)):
        dx, dy = hoped[h, 0] - x, hoped[h, 1] - y
        met[h] = dx * dx + dy * dy <= far and may(dx, dy, left[k], road, half, facing[k], fx, fy)


@part
def promise(met: Any, weights: Any) -> float:
    """Return the weight of the hopes marked."""
    total = 0.0
    for h in range(len(weights)):
        if met[h]:
            total += weights[h]
    return total


@kernel(
    "int64(float64[:, ::1], float64[::1], float64[:, ::1], float64[::1], float64[::1], float64[::1], float64, float64, "
    "float64, float64, float64, int64, boolean[::1], int64[::1], boolean[:, ::1])"
)
def choose(
    hoped: Any,
    weights: Any,
    at: Any,
    cost: Any,
    left: Any,
    facing: Any,
    road: float,
    half: float,
    least: float,
    doubt: float,
    near: float,
    most: int,
    kept: Any,
    chosen: Any,
    toward: Any,
) -> int:
    """Write up to ``most`` places ``chosen``, and which hopes each may meet ``toward`` (most, h); return how many.

    As ``_Search.most_promising``; ``weights`` (h,) sink, ``kept`` (k,) tells what is still waiting. A promise only
    sinks: a place is asked, first or again, only where it would be chosen for what it promised before.
    """
    n, count, east, north = len(at), 0, hoped[:, 0].copy(), hoped[:, 1].copy()
    said, asked, row, rows = np.empty(n), np.full(n, -1, np.int64), np.empty(n, np.int64), 0
    met = np.empty((n, len(hoped)), np.bool_)
    for k in range(n):
        said[k] = within(at[k, 0], at[k, 1], (left[k] * road) ** 2 * (1.0 + 1e-9), east, north)
        kept[k] = left[k] >= 0.0 and said[k] >= least
    while count < most:
        best = -1
        while True:
            best = -1
            for k in range(n):
                if kept[k] and (best < 0 or said[k] > said[best]):
                    best = k
            if best < 0 or asked[best] == count:
                break
            if asked[best] < 0:
                row[best], rows = rows, rows + 1
                look(best, hoped, at, left, road, half, facing, met[row[best]])
            said[best], asked[best] = promise(met[row[best]], weights), count
            kept[best] = said[best] >= least
        if best < 0:
            break
        chosen[count], toward[count] = best, met[row[best]]
        for h in range(len(hoped)):
            if toward[count, h]:
                weights[h] *= doubt
        for k in range(n):
            if math.hypot(at[k, 0] - at[best, 0], at[k, 1] - at[best, 1]) <= near and cost[k] >= cost[best] - 0.5:
                kept[k] = False
        count += 1
    return count
