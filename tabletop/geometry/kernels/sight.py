"""Sight lines under the whole law, one by one: the arithmetic of ``sight_law.clear`` to the last bit, step by step.

Only where an end stands is found in another way: by the signs of determinants, and a line is left in doubt where one
of these is nearer to zero than rounding may move it (Shewchuk's bound).
"""

import math
from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, part

#: Verdicts on a line.
BLOCKED, CLEAR, DOUBT = 0, 1, 2
#: (3 + 16 eps) eps with eps = 2 ** -53, of the sum of the magnitudes of a determinant's two products.
ROUNDING = 3.3306690738754716e-16
#: Rows of the bars' boxes and numbers: its middle, half its size, its corners, how far sight goes into it.
X, Y, HALF_X, HALF_Y, LOW_X, LOW_Y, HIGH_X, HIGH_Y, SEE_THROUGH = 0, 1, 2, 3, 4, 5, 6, 7, 8
#: Columns of the bars' indices: its level, 1 for a hill, its vertices and the edges of its closed area.
LEVEL, HILL, FIRST, LAST, FIRST_EDGE, LAST_EDGE = 0, 1, 2, 3, 4, 5


@part
def holds(edges: Any, first: int, last: int, x: float, y: float) -> int:
    """Return whether a point lies in rings given by their edges (e, 4): 1, 0, or 2 where it is too near to say."""
    inside = 0
    for k in range(first, last):
        ax, ay, bx, by = edges[k, 0], edges[k, 1], edges[k, 2], edges[k, 3]
        if ay == y and (ax == x or (by == y and (ax < x) != (bx < x))):
            return 2
        if (ay > y) != (by > y):
            one, other = (ax - x) * (by - y), (ay - y) * (bx - x)
            turn, doubt = one - other, ROUNDING * (abs(one) + abs(other))
            if abs(turn) <= doubt:
                return 2
            if (turn > 0.0) == (by > ay):
                inside = 1 - inside
    return inside


@part
def crossings(
    points: Any, after: Any, first: int, last: int, x: float, y: float, ux: float, uy: float, left: Any, where: Any
) -> int:
    """Write, in order, where a directed line crosses the edges of a bar; return how many there are."""
    off, start = ux * y - uy * x, ux * x + uy * y
    for k in range(first, last):
        left[k - first] = ux * points[k, 1] - uy * points[k, 0] - off
    n = 0
    for k in range(first, last):
        dp, dq = left[k - first], left[after[k] - first]
        if (dp >= 0.0) != (dq >= 0.0):
            j = after[k]
            p = ux * points[k, 0] + uy * points[k, 1] - start
            q = ux * points[j, 0] + uy * points[j, 1] - start
            at = p + (q - p) * (dp / (dp - dq))
            m = n
            while m > 0 and where[m - 1] > at:
                where[m] = where[m - 1]
                m -= 1
            where[m] = at
            n += 1
    return n


@part
def join(where: Any, n: int, joint: float) -> None:
    """Join stretches (pairs of places) that meet in a point: the second of the two is left without length."""
    for k in range(n - 4, -1, -2):
        if where[k + 2] - where[k + 1] <= joint:
            where[k + 1] = where[k + 3]
            where[k + 2] = where[k + 3]


@kernel(
    "void(float64[:, ::1], float64[:, ::1], float64[:, ::1], int64[:, ::1], int64[::1], float64[:, :, ::1], "
    "float64[:, ::1], int64[::1], float64[:, ::1], float64[::1], boolean[::1], uint8[::1])"
)
def look(
    starts: Any,
    ends: Any,
    boxes: Any,
    bars: Any,
    hills: Any,
    factors: Any,
    points: Any,
    after: Any,
    edges: Any,
    lengths: Any,
    rulings: Any,
    verdict: Any,
) -> None:
    """Write into ``verdict`` (n,) which lines from ``starts`` to ``ends`` (n, 2) are clear of n bars.

    ``boxes`` (9, b) and ``bars`` (b, 6) are the numbers above; ``hills`` (k,) which bars are hills; ``factors``
    (b, h, h) the shadows by the levels of the higher and the lower end; ``points`` (v, 2) and ``after`` (v,) the bars'
    vertices and which follows which; ``edges`` (e, 4) those of the hills' closed areas. ``lengths``: tolerance, at an
    end, joint, budget, crest. ``rulings``: hills block, own hill exempt, crest edge, thin wood transparent; the last of
    them whether the lesser end (by x, then y) is taken for the start.
    """
    t, at_edge, joint, budget, most_crest = lengths[0], lengths[1], lengths[2], lengths[3], lengths[4]
    hills_block, own_hill_exempt, crest_edge, thin = rulings[0], rulings[1], rulings[2], rulings[3]
    either_way = rulings[4]
    most = 0
    for b in range(len(bars)):
        most = max(most, bars[b, LAST] - bars[b, FIRST])
    left, where = np.empty(most), np.empty(most + 1)
    at_p, at_q, near = np.zeros(len(bars), np.uint8), np.zeros(len(bars), np.uint8), np.zeros(len(bars), np.bool_)
    for i in range(len(starts)):
        px, py, qx, qy = starts[i, 0], starts[i, 1], ends[i, 0], ends[i, 1]
        if either_way and (px > qx or (px == qx and py > qy)):
            px, py, qx, qy = qx, qy, px, py
        dx, dy = qx - px, qy - py
        length = math.hypot(dx, dy)
        if length <= 0.0:
            verdict[i] = CLEAR
            continue
        ux, uy = dx / length, dy / length
        level_p, level_q, doubt = 0, 0, False
        for b in hills:
            at_p[b], at_q[b] = 0, 0
            x0, y0, x1, y1 = boxes[LOW_X, b], boxes[LOW_Y, b], boxes[HIGH_X, b], boxes[HIGH_Y, b]
            if px >= x0 and px <= x1 and py >= y0 and py <= y1:
                at_p[b] = holds(edges, bars[b, FIRST_EDGE], bars[b, LAST_EDGE], px, py)
            if qx >= x0 and qx <= x1 and qy >= y0 and qy <= y1:
                at_q[b] = holds(edges, bars[b, FIRST_EDGE], bars[b, LAST_EDGE], qx, qy)
            doubt = doubt or at_p[b] == 2 or at_q[b] == 2
            if at_p[b] == 1:
                level_p = max(level_p, bars[b, LEVEL])
            if at_q[b] == 1:
                level_q = max(level_q, bars[b, LEVEL])
        if doubt:
            verdict[i] = DOUBT
            continue
        hi, lo, from_end = max(level_p, level_q), min(level_p, level_q), level_q > level_p
        mx, my, half_x, half_y = (px + qx) / 2, (py + qy) / 2, abs(dx) / 2, abs(dy) / 2
        spent, crest, blocked = 0.0, 0.0, False
        along, across = abs(ux), abs(uy)
        for b in range(len(bars)):  # without a branch: several bars at a time
            x, y, wide, high = boxes[X, b] - mx, boxes[Y, b] - my, boxes[HALF_X, b], boxes[HALF_Y, b]
            apart = (abs(x) > wide + half_x) | (abs(y) > high + half_y)
            near[b] = not (apart | (abs(ux * y - uy * x) > along * high + across * wide))
        for b in range(len(bars)):
            if not near[b]:
                continue
            n = crossings(points, after, bars[b, FIRST], bars[b, LAST], px, py, ux, uy, left, where)
            if n == 0:
                continue
            join(where, n, joint)
            hill, held_p, held_q, through = bars[b, HILL] == 1, at_p[b] == 1, at_q[b] == 1, boxes[SEE_THROUGH, b]
            far, crossed, mine = 0.0, False, 0.0
            for k in range(0, n, 2):
                a, e = min(max(where[k], 0.0), length), min(max(where[k + 1], 0.0), length)
                if not e - a > t:
                    continue
                at_start, at_end = where[k] <= at_edge, where[k + 1] >= length - at_edge
                if hill:
                    own = (at_start and held_p) or (at_end and held_q)
                    exempt = (held_p or held_q) if own_hill_exempt else own
                    crosses = hills_block and not exempt
                else:
                    own = (at_start or at_end) and through > 0.0
                    crosses = not own and not (thin and through > 0.0 and e - a <= through + t)
                if own:
                    mine += e - a
                if crosses:
                    crossed = True
                    far = max(far, length - a if from_end else e)
            if not hill and through > 0.0:
                spent += mine / through * budget
            looks_off = (held_q and not held_p) if from_end else (held_p and not held_q)
            if hill and crest_edge and looks_off and hi == bars[b, LEVEL] and hi > lo:
                crest += mine
            factor = factors[b, hi, lo]
            if crossed and factor > 0.0 and (factor == math.inf or length - far <= far * factor + t):
                blocked = True
                break
        verdict[i] = CLEAR if not blocked and spent <= budget + t and crest <= most_crest + t else BLOCKED
