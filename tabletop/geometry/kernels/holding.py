"""Which places lie in bands of ground: the arithmetic of ``spread``."""

import math
from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, part
from tabletop.geometry.kernels.bands import FAR, NEAR, NEXT_FAR, NEXT_NEAR
from tabletop.geometry.kernels.plane import CIRCLE, cross, round_circle

#: Steps of the circle about a place in which bands are looked for.
STEPS = 120


@part
def steps(k: int, j: int, bearings: Any) -> Any:
    """Return from which step of the circle to which the bearings from one advance to another lie, the last beyond."""
    low = bearings[k] % CIRCLE / CIRCLE * STEPS
    high = low + (bearings[j] - bearings[k]) % CIRCLE / CIRCLE * STEPS
    return int(low - 1e-6 + STEPS), int(high + 1e-6 + STEPS) + 1


@part
def by_step(of: Any, bearings: Any, first: Any, second: Any, places: int) -> Any:
    """Return the bands in each step of the circle about each place: where each begins in the list, and the list."""
    begin, rows = np.zeros(places * STEPS + 1, np.int64), 0
    for m in range(len(first)):
        low, high = steps(first[m], second[m], bearings)
        for step in range(low, high):
            begin[of[first[m]] * STEPS + step % STEPS] += 1
        rows += high - low
    for row in range(places * STEPS):
        begin[row + 1] += begin[row]
    listed = np.empty(rows, np.int64)
    for m in range(len(first) - 1, -1, -1):
        low, high = steps(first[m], second[m], bearings)
        for step in range(low, high):
            row = of[first[m]] * STEPS + step % STEPS
            begin[row] -= 1
            listed[begin[row]] = m
    begin[places * STEPS] = rows
    return begin, listed


@kernel(
    "void(float64[:, ::1], float64[:, ::1], int64[::1], float64[::1], float64[:, ::1], int64[::1], int64[::1], "
    "float64[:, ::1], boolean[::1])"
)
def holding(
    places: Any, at: Any, of: Any, bearings: Any, starts: Any, first: Any, second: Any, ends: Any, met: Any
) -> None:
    """Mark in ``met`` (p,) which ``places`` (p, 2) lie in bands of advances ``of`` nodes ``at`` (k, 2)."""
    begin, listed = by_step(of, bearings, first, second, len(at))
    far = np.zeros(len(at))
    for m in range(len(first)):
        for k, end in ((first[m], FAR), (second[m], NEXT_FAR)):
            away = math.hypot(starts[k, 0] - at[of[k], 0], starts[k, 1] - at[of[k], 1])
            far[of[k]] = max(far[of[k]], away + ends[end, m])
    for p in range(len(places)):
        x, y = places[p, 0], places[p, 1]
        for node in range(len(at)):
            dx, dy = x - at[node, 0], y - at[node, 1]
            if met[p] or dx * dx + dy * dy > far[node] * far[node] + 1e-9:
                continue
            bearing = math.atan2(dx, dy) % CIRCLE
            row = node * STEPS + int(bearing / CIRCLE * STEPS) % STEPS
            for at_row in range(begin[row], begin[row + 1]):
                m = listed[at_row]
                k, j = first[m], second[m]
                if round_circle(bearing - bearings[k]) > round_circle(bearings[j] - bearings[k]):
                    continue
                one, other = (
                    (math.sin(bearings[k]), math.cos(bearings[k])),
                    (math.sin(bearings[j]), math.cos(bearings[j])),
                )
                ax, ay = starts[k, 0] + ends[FAR, m] * one[0], starts[k, 1] + ends[FAR, m] * one[1]
                bx, by = starts[j, 0] + ends[NEXT_FAR, m] * other[0], starts[j, 1] + ends[NEXT_FAR, m] * other[1]
                if cross(ax, ay, bx, by, x, y) > 0.0:
                    continue
                ax, ay = starts[k, 0] + ends[NEAR, m] * one[0], starts[k, 1] + ends[NEAR, m] * one[1]
                bx, by = starts[j, 0] + ends[NEXT_NEAR, m] * other[0], starts[j, 1] + ends[NEXT_NEAR, m] * other[1]
                if cross(ax, ay, bx, by, x, y) >= 0.0:
                    met[p] = True
                    break
