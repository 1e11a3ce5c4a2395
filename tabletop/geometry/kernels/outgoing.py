"""Which directions are worth an advance, and what setting out costs: the arithmetic of ``outward`` and ``turning``.

Directions are told by the number of the place they go out of and their bearing, in order of both.
"""

import math
from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, part
from tabletop.geometry.kernels.plane import CIRCLE, round_circle

#: What ``law`` of directions tells: as the numbers of these names in ``outward``, and what bears on all advances.
SPACING, BESIDE, BUDGET, ROAD, OFFSET, HALF, BACK = range(7)


@part
def away_from(facing: float, bearing: float) -> float:
    """Return the turn from a facing to a bearing, to the right positive."""
    return round_circle(bearing - facing + math.pi) - math.pi


@part
def rounded(value: float) -> float:
    """Return a value to nine decimals, as numpy does it."""
    return float(np.rint(value * 1e9) / 1e9)


@part
def step(bearing: float, spacing: float, steps: int) -> int:
    """Return in which step of the spacing a bearing lies."""
    return math.floor(round_circle(bearing) / spacing) % steps


@part
def toward(x: float, y: float, places: Any, low: int, high: int, spacing: float, wanted: Any) -> None:
    """Mark the steps within two of the direction of a place, as ``_toward``."""
    steps = len(wanted)
    wanted[:] = False
    for p in range(low, high):
        own = step(math.atan2(places[p, 0] - x, places[p, 1] - y), spacing, steps)
        for beside in range(-2, 3):
            wanted[(own + beside) % steps] = True


@part
def listed(found: Any, n: int, bearing: float) -> int:
    """Put a bearing in its place among n in order, if it is none of them, and return how many they are then."""
    at = n
    while at > 0 and found[at - 1] > bearing:
        at -= 1
    if at > 0 and found[at - 1] == bearing:
        return n
    for k in range(n, at, -1):
        found[k] = found[k - 1]
    found[at] = bearing
    return n + 1


@part
def even(spaced: Any, facing: float, most: float, found: Any) -> int:
    """Write the bearings evenly spaced that a front can turn to for its budget, and its own; return how many."""
    n = 0
    for bearing in spaced:
        if most >= math.pi or abs(away_from(facing, bearing)) < most:
            n = listed(found, n, rounded(bearing % CIRCLE))
    if most >= math.pi:
        return listed(found, n, rounded(facing % CIRCLE % CIRCLE))
    if abs(away_from(facing, facing % CIRCLE)) < most:
        n = listed(found, n, rounded(facing % CIRCLE % CIRCLE))
    n = listed(found, n, rounded((facing + most * 0.999) % CIRCLE))
    return listed(found, n, rounded((facing - most * 0.999) % CIRCLE))


@kernel(
    "Tuple((int64[::1], float64[::1], int64[::1], float64[::1], float64[::1]))(float64[:, ::1], float64[::1], "
    "boolean[::1], float64[::1], boolean, float64[:, ::1], int64[::1], float64[::1], float64[:, ::1], float64[::1], "
    "float64[::1], boolean[::1], boolean[::1], float64[::1])"
)
def directions(
    at: Any,
    cost: Any,
    free: Any,
    facing: Any,
    paying: bool,
    places: Any,
    begin: Any,
    spaced: Any,
    corners: Any,
    lanes: Any,
    room: Any,
    hard: Any,
    follows: Any,
    law: Any,
) -> Any:
    """Return the bearings evenly ``spaced`` out of ``at`` (k, 2), and those beside jumps, in no order, and how far off.

    As ``_even`` and ``_jumps``.

    Out of place k only towards ``places`` from ``begin[k]`` on, out of one without any in all directions; ``paying`` if
    turns are paid for. Lanes beside ``corners`` (c, 2) as in ``Corners``.
    """
    n, steps, spacing = len(at), len(spaced), law[SPACING]
    of, bearings, count = np.empty(n * (steps + 3), np.int64), np.empty(n * (steps + 3)), 0
    own, jumps, most = np.empty(8 * n * len(corners), np.int64), np.empty((2, 8 * n * len(corners))), 0
    wanted, found = np.ones(steps, np.bool_), np.empty(steps + 4)
    for k in range(n):
        x, y, left = at[k, 0], at[k, 1], law[BUDGET] - cost[k]
        wanted[:] = True
        if begin[k + 1] > begin[k]:
            toward(x, y, places, begin[k], begin[k + 1], spacing, wanted)
        turns = paying and not free[k]
        size = even(spaced, facing[k], left / law[HALF], found) if turns else steps
        for j in range(size):
            bearing = found[j] if turns else spaced[j]
            if wanted[step(bearing, spacing, steps)]:
                of[count], bearings[count] = k, bearing
                count += 1
        offset, span = law[OFFSET] if free[k] else 0.0, left * law[ROAD] + law[OFFSET] + law[HALF]
        for c in range(len(corners)):
            dx, dy, lane = corners[c, 0] - x, corners[c, 1] - y, lanes[c]
            away = math.hypot(dx, dy)
            for way in range(2 if away > lane else 0):
                if way == 0 and away > span + room[c]:
                    continue
                if way == 1 and not (follows[c] and away < math.hypot(law[BACK], law[HALF])):
                    continue
                side, middle = math.asin(lane / away), math.atan2(dx, dy)
                ahead = -math.inf if way else away * math.cos(side) - lane - offset
                for end in range(4 if hard[c] else 2):
                    bearing = (middle - side if end % 2 == 0 else middle + side) + math.pi * way
                    if hard[c]:
                        bearing += law[BESIDE] if end > 1 else -law[BESIDE]
                    bearing = round_circle(bearing)
                    if turns and abs(away_from(facing[k], bearing)) >= left / law[HALF]:
                        continue
                    if wanted[step(bearing, spacing, steps)]:
                        own[most], jumps[0, most], jumps[1, most] = k, bearing, ahead
                        most += 1
    return of[:count].copy(), bearings[:count].copy(), own[:most].copy(), jumps[0, :most].copy(), jumps[1, :most].copy()


@kernel(
    "Tuple((int64[::1], float64[::1], int64))(int64[::1], float64[::1], float64[::1], int64[::1], float64[::1], "
    "float64[::1], float64)"
)
def beside_jumps(of: Any, bearings: Any, lengths: Any, own: Any, jumps: Any, ahead: Any, rounding: float) -> Any:
    """Return the directions of jumps no farther ahead than a neighbour goes, each once, and how many jumps are left.

    Those are moved to the front of ``own`` (j,), ``jumps`` (j,), ``ahead`` (j,). As ``_longest_beside``.
    """
    n, count, kept, low, high, at = len(of), 0, 0, 0, 0, 0
    new, turned = np.empty(len(own), np.int64), np.empty(len(own))
    for j in range(len(own)):
        node, bearing = own[j], jumps[j]
        if j == 0 or node != own[j - 1]:
            low = high
            while low < n and of[low] < node:
                low += 1
            high = low
            while high < n and of[high] == node:
                high += 1
            at = low
        while at < high and bearings[at] < bearing:
            at += 1
        longest = -1.0
        if high > low:
            right, left = (low if at >= high else at), (high - 1 if at <= low else at - 1)
            longest = max(lengths[left], lengths[right])
        if ahead[j] <= longest + rounding:
            bearing = rounded(bearing)
            if count == 0 or new[count - 1] != node or turned[count - 1] != bearing:
                new[count], turned[count] = node, bearing
                count += 1
        else:
            own[kept], jumps[kept], ahead[kept] = node, bearing, ahead[j]
            kept += 1
    return new[:count].copy(), turned[:count].copy(), kept


@kernel("Tuple((int64[::1], float64[::1]))(int64[::1], float64[::1], float64[::1], float64, float64)")
def between(of: Any, bearings: Any, lengths: Any, close: float, wide: float) -> Any:
    """Return the directions in the middle between neighbours that differ, as ``differing`` tells."""
    n, count, low = len(of), 0, 0
    new, turned = np.empty(n, np.int64), np.empty(n)
    while low < n:
        high = low
        while high < n and of[high] == of[low]:
            high += 1
        first = count
        for k in range(low, high):
            j = k + 1 if k + 1 < high else low
            gap = (bearings[j] - bearings[k]) % CIRCLE
            least = min(lengths[j], lengths[k])
            if least >= 0.0 and close < gap < wide and abs(lengths[j] - lengths[k]) > 0.01 * max(1.0, least):
                middle, at = (bearings[k] + gap / 2.0) % CIRCLE, count
                while at > first and turned[at - 1] > middle:
                    turned[at] = turned[at - 1]
                    at -= 1
                new[count], turned[at] = of[low], middle
                count += 1
        low = high
    return new[:count].copy(), turned[:count].copy()


@kernel(
    "Tuple((int64[::1], float64[::1], float64[::1]))(int64[::1], float64[::1], float64[::1], int64[::1], float64[::1], "
    "float64[::1])"
)
def merged(of: Any, bearings: Any, lengths: Any, own: Any, others: Any, theirs: Any) -> Any:
    """Return two lists of directions, with how far each goes, as one in order."""
    n = len(of) + len(own)
    places, turned, far = np.empty(n, np.int64), np.empty(n), np.empty(n)
    i = j = 0
    for k in range(n):
        if j >= len(own) or (i < len(of) and (of[i] < own[j] or (of[i] == own[j] and bearings[i] <= others[j]))):
            places[k], turned[k], far[k] = of[i], bearings[i], lengths[i]
            i += 1
        else:
            places[k], turned[k], far[k] = own[j], others[j], theirs[j]
            j += 1
    return places, turned, far


@kernel(
    "void(int64[::1], float64[::1], float64[:, ::1], float64[::1], boolean[::1], float64[:, ::1], int64[:, ::1], "
    "float64[:, :, :, ::1], float64[:, :, :, ::1], float64[:, :, ::1], float64, float64, float64, boolean[::1], "
    "float64[:, ::1], float64[:, ::1], float64[::1], float64[::1], float64[:, ::1], float64[:, ::1])"
)
def set_out(
    of: Any,
    bearings: Any,
    at: Any,
    ahead: Any,
    free: Any,
    turns: Any,
    number: Any,
    slow: Any,
    meets: Any,
    before: Any,
    moment: float,
    budget: float,
    road: float,
    legal: Any,
    starts: Any,
    u: Any,
    most: Any,
    plain: Any,
    rough: Any,
    crossed: Any,
) -> None:
    """Write where fronts start (n, 2), which way they go (n, 2), how far their budget goes at ``most`` (n,), and what
    has been paid once they face that way, ``plain`` (n,), ``rough`` and ``crossed`` (n, bases): as ``Turning``.

    ``most`` is lowered, to less than nothing where there is no room to turn, or for those free to face any way, it is
    not ``legal`` (n,). ``turns`` (5, k): facings, how far there is room to the left and right, the rate, what was
    paid before; ``before`` (2, k, bases) in rough ground and obstacles; ``number`` (2, k) in ``slow`` and ``meets``.
    """
    last = slow.shape[2] - 1
    for i in range(len(of)):
        k, bearing = of[i], bearings[i]
        u[i, 0], u[i, 1] = math.sin(bearing), math.cos(bearing)
        starts[i, 0], starts[i, 1] = at[k, 0] + ahead[k] * u[i, 0], at[k, 1] + ahead[k] * u[i, 1]
        turn = away_from(turns[0, k], bearing)
        far, rate = abs(turn), turns[3, k]
        plain[i] = turns[4, k] + far * rate
        for base in range(rough.shape[1]):
            rough[i, base], crossed[i, base] = before[0, k, base], before[1, k, base]
        if number[0, k] >= 0 and turn != 0.0:
            steps = min(far / moment, float(last))
            whole = min(int(steps), last - 1)
            for base in range(rough.shape[1]):
                low = slow[number[0, k], 1 if turn > 0.0 else 0, whole, base]
                high = slow[number[0, k], 1 if turn > 0.0 else 0, whole + 1, base]
                rough[i, base] += rate * (low + (steps - whole) * (high - low))
        if number[1, k] >= 0 and far > 1e-9:
            for base in range(rough.shape[1]):
                for place in range(meets.shape[3]):
                    if meets[number[1, k], 1 if turn > 0.0 else 0, base, place] < far:
                        crossed[i, base] += 1.0
        left = (budget - plain[i]) * road
        fine = legal[i] if free[k] else turn >= -turns[1, k] - 1e-12 and turn <= turns[2, k] + 1e-12
        most[i] = min(most[i], left) if fine and left >= 0.0 else -1.0
