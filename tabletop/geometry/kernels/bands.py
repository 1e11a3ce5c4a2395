"""Bands of ground between neighbouring advances, and the rings about them: the arithmetic of ``spread``."""

import math
from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, part
from tabletop.geometry.kernels.lanes import BEHIND, NEITHER, beside, boxes, lies
from tabletop.geometry.kernels.plane import round_circle

#: What ``law`` tells: as the numbers of these names in ``spread``, and the angle (radians) of its spacing.
JUMP, SAG, THIN, ALIKE, HAIR, ROOM, CLOSE, SPACING = range(8)
#: Rows of bands: where they begin and end at the first advance, and at the second.
NEAR, FAR, NEXT_NEAR, NEXT_FAR = range(4)
#: Rows of what is known of advances: how long from the centre, the angle to the next, what the ends bend by there.
LONG, GAP, OUT, INTO = range(4)


@part
def known(of: Any, bearings: Any, lengths: Any, offset: Any, law: Any, after: Any, about: Any, state: Any) -> None:
    """Write which advance is ``after`` (n,) each, what is known ``about`` (4, n) both, and their ``state`` (n,).

    0 where no ground lies between it and the next, 1 where they end side by side, 2 where something breaks off between
    them, 3 where they differ though nothing does.
    """
    n, first = len(of), 0
    for k in range(n):
        if k > 0 and of[k] != of[k - 1]:
            first = k
        after[k] = k + 1 if k + 1 < n and of[k + 1] == of[k] else first
        about[LONG, k] = max(offset[k] + lengths[k], law[THIN])
    for k in range(n):
        j = after[k]
        gap = round_circle(bearings[j] - bearings[k])
        about[GAP, k], state[k] = gap, 0
        if lengths[k] < 0.0 or lengths[j] < 0.0 or gap > 2.0 * law[SPACING] or gap <= 0.0:
            continue
        least, apart = min(lengths[k], lengths[j]), abs(lengths[k] - lengths[j])
        wide, differ = max(1.0, least), apart > 0.01 * max(1.0, least)
        steep = law[JUMP] * wide * max(gap / law[SPACING], 0.02)
        broken = apart > steep or (differ and gap <= law[CLOSE])
        unlike = differ and gap > law[CLOSE] and gap < 2.0 * law[SPACING]
        state[k] = 2 if broken else 3 if unlike else 1
        g = min(max(gap, 1e-9), 1.0)
        here, there = 1.0 / about[LONG, k], 1.0 / about[LONG, j]
        about[OUT, k] = (there - here * math.cos(g)) / math.sin(g)
        about[INTO, k] = (there * math.cos(g) - here) / math.sin(g)


@part
def sag(left: float, right: float, gap: float, longer: float, apart: float, most: float) -> float:
    """Return how far short of the chord the farthest between two may fall, as ``_Bends.sag``; infinite: not known."""
    if left == math.inf and right == math.inf:
        return apart
    if left > 0.0 and right > 0.0:
        bend = 1.0 / (1.0 / left + 1.0 / right)
    else:
        bend = max(left if left < math.inf else 0.0, right if right < math.inf else 0.0, 0.0)
    return min(gap * bend * longer * longer, max(apart, most))


@part
def past(left: float, right: float, gap: float, here: float, there: float, least: float, most: float) -> float:
    """Return by how much less than ``least`` an advance beside a jump may go, as ``_Bends.past``."""
    turn, one, other = math.sin(gap), 1e9, 1e9
    if left < math.inf:
        one = 1.0 / max(1.0 / there + left * turn, 1e-9)
    if right < math.inf:
        other = 1.0 / max(1.0 / here + right * turn, 1e-9)
    return min(max(least - min(one, other), 0.0), most)


@part
def outer(k: int, before: int, lengths: Any, offset: Any, law: Any, after: Any, about: Any, state: Any) -> Any:
    """Return how far out the sector from advance ``k`` to the next lies at either."""
    j = after[k]
    a, b, here, there, gap = lengths[k], lengths[j], about[LONG, k], about[LONG, j], about[GAP, k]
    left = right = math.inf
    if state[before] == 1 or state[before] == 3:
        left = about[INTO, before] - about[OUT, k]
    if state[j] == 1 or state[j] == 3:
        right = about[INTO, k] - about[OUT, j]
    most = law[SAG] * max(here, there)
    if state[k] == 1:
        short = sag(left, right, gap, max(here, there), abs(a - b), most)
    else:
        short = past(left, right, gap, here, there, min(a, b) + offset[k], most)
        a = b = min(a, b)
    return max(a - short, 0.0), max(b - short, 0.0)


@part
def taken(rows: Any, one: int, other: int, gap: float, back: float, offset: float, law: Any, work: Any) -> int:
    """Write from where to where the unit stands in a friend between two advances, and return how many such there are.

    ``rows`` (3, 2, friends) tell from where to where friends lie in lanes. As ``_taken_by_friends``: a little more than
    either advance says.
    """
    count = 0
    for friend in range(rows.shape[2]):
        near = min(rows[one, 0, friend], rows[other, 0, friend])
        if near < math.inf and gap < 0.2:
            far = max(rows[one, 1, friend], rows[other, 1, friend]) + back
            bulge = law[ROOM] + (abs(far) + offset) * gap * gap / 4.0
            near, far = max(0.0, near - bulge), far + bulge
            if far > max(near, 2.0 * law[ROOM]):
                work[0, count], work[1, count] = near, far
                count += 1
    return count


@part
def merged(work: Any, n: int) -> int:
    """Put n stretches in order, make those that overlap one, and return how many are left."""
    for k in range(1, n):
        near, far, at = work[0, k], work[1, k], k
        while at > 0 and work[0, at - 1] > near:
            work[0, at], work[1, at] = work[0, at - 1], work[1, at - 1]
            at -= 1
        work[0, at], work[1, at] = near, far
    count = 0
    for k in range(n):
        if count == 0 or work[0, k] > work[1, count - 1]:
            work[0, count], work[1, count] = work[0, k], work[1, k]
            count += 1
        else:
            work[1, count - 1] = max(work[1, count - 1], work[1, k])
    return count


@part
def alike(n: int, first: Any, second: Any, ends: Any, law: Any) -> int:
    """Make ends of neighbouring bands that differ little one, the lesser; leave out bands turned inside out."""
    for k in range(n - 1):
        if second[k] == first[k + 1]:
            if abs(ends[NEXT_FAR, k] - ends[FAR, k + 1]) < law[ALIKE]:
                ends[NEXT_FAR, k] = ends[FAR, k + 1] = min(ends[NEXT_FAR, k], ends[FAR, k + 1])
            if abs(ends[NEXT_NEAR, k] - ends[NEAR, k + 1]) < law[ALIKE]:
                ends[NEXT_NEAR, k] = ends[NEAR, k + 1] = max(ends[NEXT_NEAR, k], ends[NEAR, k + 1])
    count = 0
    for k in range(n):
        if ends[FAR, k] >= ends[NEAR, k] and ends[NEXT_FAR, k] >= ends[NEXT_NEAR, k]:
            first[count], second[count] = first[k], second[k]
            for row in range(4):
                ends[row, count] = ends[row, k]
            count += 1
    return count


@part
def mergeable(k: int, ends: Any, turns: Any, off: float, law: Any) -> bool:
    """Say whether band ``k`` can be made one with the next, side by side with it, as ``_mergeable``."""
    j = k + 1
    if ends[NEXT_FAR, k] != ends[FAR, j] or ends[NEXT_NEAR, k] != ends[NEAR, j]:
        return False
    if turns[0, k] + turns[0, j] > 2.0 * law[SPACING]:
        return False
    both, one, other = math.sin(turns[0, k] + turns[0, j]), turns[1, k], turns[1, j]
    a, m, b = ends[FAR, k] + off, ends[NEXT_FAR, k] + off, ends[NEXT_FAR, j] + off
    out = m - a * b * both / max(a * one + b * other, 1e-12)  # by how much the middle sticks out over the chord
    if out < 0.0 or out > law[HAIR]:
        return False
    if ends[NEAR, k] == 0.0 and ends[NEXT_NEAR, k] == 0.0 and ends[NEXT_NEAR, j] == 0.0:
        return True
    a, m, b = ends[NEAR, k] + off, ends[NEXT_NEAR, k] + off, ends[NEXT_NEAR, j] + off
    within = a * b * both / max(a * one + b * other, 1e-12) - m
    return bool(0.0 <= within <= law[HAIR])


@part
def made_one(
    n: int, odd: int, first: Any, second: Any, ends: Any, turns: Any, bearings: Any, free: Any, law: Any
) -> int:
    """Make every other band one with the next where that covers but a hair less, and return how many are left.

    ``turns`` (3, n): how wide each is, the sine of that, and whether it cannot be made one with the next.
    """
    k = count = 0
    while k < n:
        last = k
        if k >= odd and (k - odd) % 2 == 0 and k + 1 < n and second[k] == first[k + 1] and turns[2, k] == 0.0:
            if mergeable(k, ends, turns, free[first[k]], law):
                last = k + 1
            else:
                turns[2, k] = 1.0
        first[count], ends[NEAR, count], ends[FAR, count] = first[k], ends[NEAR, k], ends[FAR, k]
        second[count] = second[last]
        ends[NEXT_NEAR, count], ends[NEXT_FAR, count] = ends[NEXT_NEAR, last], ends[NEXT_FAR, last]
        for row in range(3):
            turns[row, count] = turns[row, k]
        if last > k:
            turns[0, count], turns[2, count] = round_circle(bearings[second[count]] - bearings[first[count]]), 0.0
            turns[1, count] = math.sin(turns[0, count])
            if count > 0:
                turns[2, count - 1] = 0.0
        k, count = last + 1, count + 1
    return count


@part
def in_layers(n: int, layer: Any, first: Any, second: Any, ends: Any) -> Any:
    """Return n bands in order of their layers: their advances and their ends."""
    begin = np.zeros(layer[:n].max() + 2 if n else 1, np.int64)
    for k in range(n):
        begin[layer[k] + 1] += 1
    for k in range(1, len(begin)):
        begin[k] += begin[k - 1]
    one, other, placed = np.empty(n, np.int64), np.empty(n, np.int64), np.empty((4, n))
    for k in range(n):
        at = begin[layer[k]]
        begin[layer[k]] += 1
        one[at], other[at] = first[k], second[k]
        for row in range(4):
            placed[row, at] = ends[row, k]
    return one, other, placed


@part
def told(k: int, starts: Any, bearings: Any, ahead: float, half: float, a: Any, b: Any, shapes: Any, row: Any) -> bool:
    """Write from where to where each friend about lies in the lane of an advance, and say whether any does."""
    ways, box, first, near, count = shapes
    row[0], row[1], some = math.inf, -math.inf, False
    x, y, ux, uy = starts[k, 0], starts[k, 1], math.sin(bearings[k]), math.cos(bearings[k])
    wide, high = abs(ux), abs(uy)
    for n in range(count[0]):
        s = near[n]
        dx, dy = box[0, s] - x, box[1, s] - y
        if abs(dx * uy - dy * ux) >= half + box[2, s] * high + box[3, s] * wide:
            continue
        if n < count[1] or dx * ux + dy * uy + box[2, s] * wide + box[3, s] * high > -ahead:
            row[0, s], row[1, s] = lies(x, y, ux, uy, ahead, half, a, b, ways, first[s], first[s + 1])
            some = some or row[0, s] < math.inf
    return some


@part
def friends_about(
    x: float, y: float, far: float, a: Any, b: Any, shape: Any, half: float, behind: float, shapes: Any
) -> None:
    """Note which friends advances out of a place may have to do with, first those that count behind it too."""
    ways, _, first, near, count = shapes
    beside(x, y, far, a, b, shape, half, behind, ways)
    count[0] = 0
    for back in (True, False):
        for s in range(len(first) - 1):
            some = met = False
            for m in range(first[s], first[s + 1]):
                some, met = some or ways[m] != NEITHER, met or (ways[m] & BEHIND) != 0
            if some and met == back:
                near[count[0]] = s
                count[0] += 1
        if back:
            count[1] = count[0]


@kernel(
    "Tuple((int64[::1], int64[::1], float64[:, ::1]))(int64[::1], float64[::1], float64[::1], float64[:, ::1], "
    "float64[:, ::1], float64[::1], float64[::1], float64[:, ::1], float64[:, ::1], int64[::1], int64, float64, "
    "float64, int64[::1], float64[:, ::1], float64, float64, float64[::1])"
)
def bands(
    of: Any,
    bearings: Any,
    lengths: Any,
    starts: Any,
    at: Any,
    ahead: Any,
    far: Any,
    a: Any,
    b: Any,
    shape: Any,
    friends: int,
    half: float,
    behind: float,
    begin: Any,
    trailing: Any,
    back: float,
    most: float,
    law: Any,
) -> Any:
    """Return bands of ground: the advances (m,) each lies between, and from where to where at either (4, m).

    Of advances ``of`` (n,) places ``at`` (k, 2) in order of ``bearings``, as long as ``lengths`` says, from ``starts``
    (n, 2): ``ahead`` (k,) of their places, and ``far`` (k,) from them at most. Friends' edges run from ``a`` to ``b``
    (e, 2), ``shape`` (e,) in order tells of which of the ``friends`` each; those ``behind`` a place count too. The unit
    is ``half`` wide to each side, ``back`` long and at most ``most`` ahead of its place; from ``trailing`` (2, t), of
    advance k from ``begin[k]`` on, to where else it would stand in a friend.
    """
    n = len(of)
    after, about, state = np.empty(n, np.int64), np.empty((4, n)), np.empty(n, np.int64)
    offset = np.empty(n)
    for k in range(n):
        offset[k] = ahead[of[k]]
    known(of, bearings, lengths, offset, law, after, about, state)
    before = np.empty(n, np.int64)
    for k in range(n):
        before[after[k]] = k
    room = n * (1 + friends) + trailing.shape[1] + 1
    first, second, layer = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    ends, work, m = np.empty((4, room)), np.empty((2, friends + trailing.shape[1] + 1)), 0
    box, ring = boxes(a, b, shape, friends)
    shapes = (np.empty(len(a), np.int64), box, ring, np.empty(friends, np.int64), np.zeros(2, np.int64))
    rows, some, here = np.empty((3, 2, friends)), np.zeros(3, np.bool_), 0
    for k in range(n):
        place = of[k]
        if k == 0 or of[k - 1] != place:
            friends_about(at[place, 0], at[place, 1], far[place], a, b, shape, half, behind, shapes)
            some[2] = told(k, starts, bearings, ahead[place], half, a, b, shapes, rows[2])
            rows[0], some[0], here = rows[2], some[2], 0
        there = 2
        if after[k] == k + 1:
            there = 1 - here
            some[there] = told(k + 1, starts, bearings, ahead[place], half, a, b, shapes, rows[there])
        if state[k] != 0:
            one, other = outer(k, before[k], lengths, offset, law, after, about, state)
            count = 0
            if some[here] or some[there]:
                count = taken(rows, here, there, about[GAP, k], back, most, law, work)
            for t in range(begin[k], begin[k + 1]):
                if trailing[1, t] > max(trailing[0, t], 2.0 * law[ROOM]):
                    work[0, count], work[1, count] = trailing[0, t], trailing[1, t]
                    count += 1
            count = merged(work, count)
            for piece in range(count + 1):
                start = work[1, piece - 1] if piece else 0.0
                end = work[0, piece] if piece < count else math.inf
                if min(one, other, end) >= start and min(max(one, other), end) - start > law[THIN]:
                    first[m], second[m], layer[m] = k, after[k], piece
                    ends[NEAR, m], ends[FAR, m], ends[NEXT_NEAR, m], ends[NEXT_FAR, m] = (
                        start,
                        min(one, end),
                        start,
                        min(other, end),
                    )
                    m += 1
        here = there
    first, second, ends = in_layers(m, layer, first, second, ends)
    m = alike(m, first, second, ends, law)
    turns = np.zeros((3, m))
    for k in range(m):
        turns[0, k] = round_circle(bearings[second[k]] - bearings[first[k]])
        turns[1, k] = math.sin(turns[0, k])
    for odd in (0, 1, 0, 1):
        m = made_one(m, odd, first, second, ends, turns, bearings, offset, law)
    return first[:m].copy(), second[:m].copy(), ends[:, :m].copy()


@part
def runs(first: Any, second: Any, ends: Any, bearings: Any, thin: float, begin: Any) -> int:
    """Write where each run of bands side by side, in the same quarter turn, begins; return how many there are."""
    m, turned, since, last, count = len(first), 0.0, 0.0, 0.0, 0
    for k in range(m):
        gap = round_circle(bearings[second[k]] - bearings[first[k]])
        turned += gap
        new = k == 0 or second[k - 1] != first[k]
        if not new:
            new = min(ends[NEXT_FAR, k - 1], ends[FAR, k]) - max(ends[NEXT_NEAR, k - 1], ends[NEAR, k]) <= thin
        if new:
            since = turned - gap
        quarter = math.floor((turned - since) / (math.pi / 2.0))
        if new or quarter != last:
            begin[count] = k
            count += 1
        last = quarter
    begin[count] = m
    return count


@kernel(
    "Tuple((float64[:, ::1], int64[::1]))(int64[::1], int64[::1], float64[:, ::1], float64[::1], float64[:, ::1], "
    "float64)"
)
def rings(first: Any, second: Any, ends: Any, bearings: Any, starts: Any, thin: float) -> Any:
    """Return a ring for each run of bands: points (p, 2) and the number (p,) of the ring each is of, as ``_rings``."""
    m, count, ring = len(first), 0, 0
    points, number, begin = np.empty((4 * m, 2)), np.empty(4 * m, np.int64), np.empty(m + 1, np.int64)
    for run in range(runs(first, second, ends, bearings, thin, begin)):
        low, high, at, x, y = begin[run], begin[run + 1], count, 0.0, 0.0
        size = 2 * (high - low)
        for step in range(2 * size):
            out = step if step < size else 2 * size - 1 - step
            band = low + out // 2
            k = first[band] if out % 2 == 0 else second[band]
            length = ends[(FAR if step < size else NEAR) + 2 * (out % 2), band]
            px = starts[k, 0] + length * math.sin(bearings[k])
            py = starts[k, 1] + length * math.cos(bearings[k])
            if step == 0 or abs(px - x) >= 1e-12 or abs(py - y) >= 1e-12:
                points[count, 0], points[count, 1], number[count] = px, py, ring
                count += 1
            x, y = px, py
        if count - at > 2:
            ring += 1
        else:
            count = at
    return points[:count].copy(), number[:count].copy()
