"""What lies about places: the arithmetic of ``places`` and ``surroundings``."""

import math
from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, part
from tabletop.geometry.kernels.plane import CIRCLE, off

#: As in ``abreast``.
WHOLE, ROOM = CIRCLE - 1e-12, 1e-6


@part
def columns(points: Any, west: float, wide: float, count: int) -> Any:
    """Return the numbers of points column by column, and where each column begins."""
    begin, listed = np.zeros(count + 1, np.int64), np.empty(len(points), np.int64)
    for k in range(len(points)):
        begin[min(int((points[k, 0] - west) / wide), count - 1)] += 1
    for c in range(count):
        begin[c + 1] += begin[c]
    for k in range(len(points) - 1, -1, -1):
        c = min(int((points[k, 0] - west) / wide), count - 1)
        begin[c] -= 1
        listed[begin[c]] = k
    begin[count] = len(points)
    return listed, begin


@kernel("void(float64[:, ::1], float64[:, ::1], float64[:, ::1], float64[::1], boolean[::1])")
def clear(points: Any, starts: Any, ends: Any, keep: Any, found: Any) -> None:
    """Mark in ``found`` (n,) the points nearer to an edge, from ``starts`` to ``ends`` (m, 2), than ``keep`` (m,)."""
    if len(points) == 0:
        return
    count, west = 64, points[:, 0].min()
    wide = max((points[:, 0].max() - west) / count, 1e-9)
    listed, begin = columns(points, west, wide, count)
    for e in range(len(keep)):
        ax, ay, bx, by, least = starts[e, 0], starts[e, 1], ends[e, 0], ends[e, 1], keep[e]
        low, high = (min(ax, bx) - least - west) / wide - 1e-6, (max(ax, bx) + least - west) / wide + 1e-6
        if high < 0.0 or low >= count + 1.0:
            continue
        south, north = min(ay, by) - least, max(ay, by) + least
        first, last = begin[int(min(max(low, 0.0), count - 1.0))], begin[int(min(high, count - 1.0)) + 1]
        for k in listed[first:last]:
            x, y = points[k, 0], points[k, 1]
            if not found[k] and south < y < north:
                found[k] = off(x, y, ax, ay, bx, by) < least


@part
def bearings_of(
    ax: float,
    ay: float,
    bx: float,
    by: float,
    near: float,
    wide: float,
    back: float,
    e: int,
    k: int,
    first: Any,
    width: Any,
) -> None:
    """Write the ranges of bearings in which an edge, as seen from place ``k``, lies: as ``edge_ranges``."""
    one = math.atan2(ax, ay)
    turn = math.atan2(bx, by) - one
    turn -= CIRCLE * np.rint(turn / CIRCLE)
    aside = math.asin(min(1.0, wide / max(near, 1e-9))) + ROOM
    low, over = one + min(turn, 0.0) - aside, abs(turn) + 2.0 * aside
    beside = near <= wide + ROOM or over >= math.pi
    first[e, 0, k], width[e, 0, k] = (0.0 if beside else low % CIRCLE), (WHOLE if beside else over)
    first[e, 1, k] = (low + math.pi) % CIRCLE
    width[e, 1, k] = over if not beside and near <= math.hypot(wide, back) + ROOM else -1.0


@kernel(
    "void(float64[:, ::1], float64[::1], float64[::1], float64[:, ::1], float64[:, ::1], float64[:, ::1], "
    "float64[:, ::1], int64[::1], int64, float64[:, :, ::1], float64[:, :, ::1])"
)
def seen(
    at: Any,
    ahead: Any,
    far: Any,
    a: Any,
    b: Any,
    wide: Any,
    back: Any,
    part_of: Any,
    outlines: int,
    first: Any,
    width: Any,
) -> None:
    """Write the ranges (m, 2, k) of bearings over which edges are seen about places ``at`` (k, 2), as ``_seen`` tells.

    Advances begin ``ahead`` (k,) of them and end ``far`` (k,) from them. The first ``outlines`` edges have no inside.
    """
    m, near = len(a), np.empty(len(a))
    for k in range(len(at)):
        x, y, low = at[k, 0], at[k, 1], 0
        while low < m:
            high, close, odd = low, False, False
            while high < m and part_of[high] == part_of[low]:
                ax, ay, bx, by = a[high, 0] - x, a[high, 1] - y, b[high, 0] - x, b[high, 1] - y
                near[high] = off(0.0, 0.0, ax, ay, bx, by)
                close = close or near[high] - 2.0 * wide[high, 0] - back[high, 0] <= far[k]
                if high >= outlines and (ay > 0.0) != (by > 0.0) and ax - ay * (bx - ax) / (by - ay) > 0.0:
                    odd = not odd
                high += 1
            for e in range(low, high):
                if close or odd:
                    ax, ay, bx, by = a[e, 0] - x, a[e, 1] - y, b[e, 0] - x, b[e, 1] - y
                    behind = max(back[e, 0] - ahead[k], 0.0)
                    bearings_of(ax, ay, bx, by, near[e], wide[e, 0], behind, e, k, first, width)
                else:
                    first[e, 0, k] = first[e, 1, k] = 0.0
                    width[e, 0, k] = width[e, 1, k] = -1.0
            low = high
