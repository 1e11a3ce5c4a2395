"""From where to where shapes lie in lanes: the arithmetic of ``spread``."""

import math
from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, part

#: Which of the lanes out of a place an edge is beside: those that meet it ahead of the place, behind it; neither.
AHEAD, BEHIND, NEITHER = 1, 2, 0
#: As in ``abreast``.
ROOM = 1e-6


@kernel(
    "void(float64[:, ::1], float64[:, ::1], float64, float64[:, ::1], float64[:, ::1], int64[::1], int64[::1], "
    "int64[::1], float64[:, ::1], float64[:, ::1])"
)
def extents(
    origins: Any, along: Any, half: float, a: Any, b: Any, shape: Any, i: Any, e: Any, low: Any, high: Any
) -> None:
    """Widen ``low`` to ``high`` (n, shapes): from where to where ahead each shape lies in lanes ``half`` to each side.

    Of pairs (origin, edge) ``i``, ``e`` (p,); edges run from ``a`` to ``b`` (m, 2), ``shape`` (m,) tells of which each.
    """
    left, right = -half + 1e-9, half - 1e-9
    for k in range(len(i)):
        o, m = i[k], e[k]
        ux, uy = along[o, 0], along[o, 1]
        ax, ay = a[m, 0] - origins[o, 0], a[m, 1] - origins[o, 1]
        bx, by = b[m, 0] - origins[o, 0], b[m, 1] - origins[o, 1]
        la, lb = ax * uy - ay * ux, bx * uy - by * ux
        if max(la, lb) > left and min(la, lb) < right:
            fa, fb = ax * ux + ay * uy, bx * ux + by * uy
            one, other = fa, fb
            if la != lb:
                one = fa + min(max((-half - la) / (lb - la), 0.0), 1.0) * (fb - fa)
                other = fa + min(max((half - la) / (lb - la), 0.0), 1.0) * (fb - fa)
            low[o, shape[m]] = min(low[o, shape[m]], one, other)
            high[o, shape[m]] = max(high[o, shape[m]], one, other)


@part
def beside(x: float, y: float, far: float, a: Any, b: Any, shape: Any, wide: float, back: float, ways: Any) -> None:
    """Write which lanes out of a place each edge is beside, as ``Crowd.beside``: of a shape about it, all."""
    about, m = False, len(a)
    for k in range(m):
        ax, ay, dx, dy = a[k, 0] - x, a[k, 1] - y, b[k, 0] - a[k, 0], b[k, 1] - a[k, 1]
        share = min(max(-(ax * dx + ay * dy) / max(dx * dx + dy * dy, 1e-18), 0.0), 1.0)
        near = math.hypot(ax + share * dx, ay + share * dy)
        bx, by = ax + dx, ay + dy
        turn = abs(math.atan2(ax * by - ay * bx, ax * bx + ay * by))
        aside = math.asin(min(1.0, wide / max(near, 1e-9))) + ROOM
        if k == 0 or shape[k] != shape[k - 1]:
            about = False
        about = about or near <= wide + ROOM or turn + 2.0 * aside >= math.pi
        ways[k] = NEITHER
        if near - wide <= far:
            ways[k] = AHEAD + (BEHIND if near <= math.hypot(wide, back) + ROOM else 0)
        if about and (k + 1 == m or shape[k + 1] != shape[k]):
            j = k
            while j >= 0 and shape[j] == shape[k]:
                ways[j] = AHEAD + BEHIND
                j -= 1


@part
def boxes(a: Any, b: Any, shape: Any, count: int) -> Any:
    """Return of each shape its box, middle and half its width and height; and the number of its first edge."""
    box, first = np.empty((4, count)), np.zeros(count + 1, np.int64)
    for k in range(len(a)):
        first[shape[k] + 1] = k + 1
    for s in range(count):
        first[s + 1] = max(first[s], first[s + 1])
        x0 = y0 = math.inf
        x1 = y1 = -math.inf
        for k in range(first[s], first[s + 1]):
            x0, x1 = min(x0, a[k, 0], b[k, 0]), max(x1, a[k, 0], b[k, 0])
            y0, y1 = min(y0, a[k, 1], b[k, 1]), max(y1, a[k, 1], b[k, 1])
        box[0, s], box[1, s] = (x0 + x1) / 2.0, (y0 + y1) / 2.0
        box[2, s], box[3, s] = (x1 - x0) / 2.0 + ROOM, (y1 - y0) / 2.0 + ROOM
    return box, first


@part
def lies(
    x: float, y: float, ux: float, uy: float, ahead: float, half: float, a: Any, b: Any, ways: Any, low: int, high: int
) -> Any:
    """Return from where to where ahead a shape with edges ``low`` to ``high`` lies in a lane ``half`` to each side.

    The lane begins ``ahead`` of its place; of edges ahead of that, or behind, only those that are beside such lanes.
    """
    near, far, left, right = math.inf, -math.inf, -half + 1e-9, half - 1e-9
    for m in range(low, high):
        if ways[m] == NEITHER:
            continue
        ax, ay, bx, by = a[m, 0] - x, a[m, 1] - y, b[m, 0] - x, b[m, 1] - y
        la, lb = ax * uy - ay * ux, bx * uy - by * ux
        if max(la, lb) <= left or min(la, lb) >= right:
            continue
        fa, fb = ax * ux + ay * uy, bx * ux + by * uy
        one, other = fa, fb
        if abs(la) > half:
            one = fa + (math.copysign(half, la) - la) / (lb - la) * (fb - fa)
        if abs(lb) > half:
            other = fa + (math.copysign(half, lb) - la) / (lb - la) * (fb - fa)
        if ways[m] & (AHEAD if one + other + 2.0 * ahead > 0.0 else BEHIND):
            near, far = min(near, one, other), max(far, one, other)
    return near, far
