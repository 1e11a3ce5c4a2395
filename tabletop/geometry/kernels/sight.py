"""Sight lines under the whole law, one by one: the arithmetic of ``sight_law.clear`` to the last bit, step by step.

Only where an end stands is found in another way: by the signs of determinants, and a line is left in doubt where one
of these is nearer to zero than rounding may move it (Shewchuk's bound).
"""

import math
from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, leaf

#: Verdicts on a line.
BLOCKED, CLEAR, DOUBT = 0, 1, 2
#: (3 + 16 eps) eps with eps = 2 ** -53, of the sum of the magnitudes of a determinant's two products.
ROUNDING = 3.3306690738754716e-16
#: Rows of the bars' boxes and numbers: its middle, half its size, its corners, how far sight goes into it.
X, Y, HALF_X, HALF_Y, LOW_X, LOW_Y, HIGH_X, HIGH_Y, SEE_THROUGH = 0, 1, 2, 3, 4, 5, 6, 7, 8
#: Columns of the bars' indices: its level, 1 for a hill, its vertices and the edges of its closed area.
LEVEL, HILL, FIRST, LAST, FIRST_EDGE, LAST_EDGE = 0, 1, 2, 3, 4, 5


@leaf
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


@leaf
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


@leaf
def join(where: Any, first: int, last: int, joint: float) -> None:
    """Join stretches (pairs of places) that meet in a point: the second of the two is left without length."""
    for k in range(last - 4, first - 1, -2):
        if where[k + 2] - where[k + 1] <= joint:
            where[k + 1] = where[k + 3]
            where[k + 2] = where[k + 3]


@leaf
def standing(boxes: Any, bars: Any, hills: Any, edges: Any, x: float, y: float, at: Any) -> int:
    """Write into ``at`` which hills a point stands in, as ``holds`` says; return its level, -1 if that is in doubt."""
    level, doubt = 0, False
    for k in range(len(hills)):
        b = hills[k]
        at[b] = 0
        if x >= boxes[LOW_X, b] and x <= boxes[HIGH_X, b] and y >= boxes[LOW_Y, b] and y <= boxes[HIGH_Y, b]:
            at[b] = holds(edges, bars[b, FIRST_EDGE], bars[b, LAST_EDGE], x, y)
        doubt = doubt or at[b] == 2
        if at[b] == 1:
            level = max(level, bars[b, LEVEL])
    return -1 if doubt else level


@leaf
def effect(
    where: Any,
    first: int,
    last: int,
    length: float,
    b: int,
    boxes: Any,
    bars: Any,
    factors: Any,
    at_p: Any,
    at_q: Any,
    level_p: int,
    level_q: int,
    lengths: Any,
    rulings: Any,
) -> tuple[bool, float, float]:
    """Return what a bar, met at places in pairs, does to a line of some length: whether it hides the lower end; and
    how much it takes of what a line may spend in woods, and on the way to a crest."""
    t, at_edge, budget = lengths[0], lengths[1], lengths[3]
    hills_block, own_hill_exempt, crest_edge, thin = rulings[0], rulings[1], rulings[2], rulings[3]
    hi, lo, from_end = max(level_p, level_q), min(level_p, level_q), level_q > level_p
    hill, held_p, held_q, through = bars[b, HILL] == 1, at_p[b] == 1, at_q[b] == 1, boxes[SEE_THROUGH, b]
    far, mine = -1.0, 0.0
    for k in range(first, last, 2):
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
            far = max(far, length - a if from_end else e)
    factor = factors[b, hi, lo]
    hides = far >= 0.0 and factor > 0.0 and (factor == math.inf or length - far <= far * factor + t)
    looks_off = (held_q and not held_p) if from_end else (held_p and not held_q)
    crest = mine if hill and crest_edge and looks_off and hi == bars[b, LEVEL] and hi > lo else 0.0
    return hides, mine / through * budget if not hill and through > 0.0 else 0.0, crest


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
    t, joint, budget, most_crest, either_way = lengths[0], lengths[2], lengths[3], lengths[4], rulings[4]
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
        level_p = standing(boxes, bars, hills, edges, px, py, at_p)
        level_q = standing(boxes, bars, hills, edges, qx, qy, at_q)
        if level_p < 0 or level_q < 0:
            verdict[i] = DOUBT
            continue
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
            join(where, 0, n, joint)
            hides, woods, way = effect(
                where, 0, n, length, b, boxes, bars, factors, at_p, at_q, level_p, level_q, lengths, rulings
            )
            spent += woods
            crest += way
            if hides:
                blocked = True
                break
        verdict[i] = CLEAR if not blocked and spent <= budget + t and crest <= most_crest + t else BLOCKED
