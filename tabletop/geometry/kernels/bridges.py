"""What fronts that go straight over bridges meet of the lines these cross, advance by advance: the law of ``spared``.

An edge of a line lies in the strip of a front in one piece, for the strip is convex: so the pieces of a line that hang
together there are groups of its edges.
"""

import math
from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, part

#: Rows of what is worked with: of stretches where they begin and end, of which part they are; marks, what they are.
BEGIN, END, WHOSE, AT, OF = range(5)
#: Rows of edges as seen from a lane: how far ahead and to the right their ends lie, of which part, whether of an area.
PART, SOLID = 4, 5
#: Rows of what is known of an edge in the strip: its ends ahead and to the right, of which group of edges it is.
GROUP = 4
#: Of the law: the strip's sides, how far behind it begins and how much longer it is at both ends, what is grazing, the
#: gap over which stretches are one.
LEFT, RIGHT, REAR, MORE, GRAZE, GAP = range(6)


@part
def ordered(work: Any, n: int) -> None:
    """Put n stretches in order of their part, then of where they begin."""
    for k in range(1, n):
        a, b, p, at = work[BEGIN, k], work[END, k], work[WHOSE, k], k
        while at > 0 and (work[WHOSE, at - 1] > p or (work[WHOSE, at - 1] == p and work[BEGIN, at - 1] > a)):
            for row in range(3):
                work[row, at] = work[row, at - 1]
            at -= 1
        work[BEGIN, at], work[END, at], work[WHOSE, at] = a, b, p


@part
def joined(work: Any, n: int, gap: float) -> int:
    """Put n stretches in order, make one of those of a part less than ``gap`` apart, and return how many are left."""
    ordered(work, n)
    count = 0
    for k in range(n):
        other = count == 0 or work[WHOSE, k] != work[WHOSE, count - 1]
        if other or work[BEGIN, k] > work[END, count - 1] + gap:
            for row in range(3):
                work[row, count] = work[row, k]
            count += 1
        else:
            work[END, count - 1] = max(work[END, count - 1], work[END, k])
    return count


@part
def in_lane(
    seen: Any,
    n: int,
    left: float,
    right: float,
    back: float,
    rear: float,
    length: float,
    work: Any,
    found: int,
) -> int:
    """Add the stretches of a lane that meet n edges as ``seen`` from it to those ``found``; return how many then.

    The lane runs from ``back`` to ``length``, of those beside it the last from ``rear``.
    """
    first, cuts = found, 0
    for k in range(n):
        fa, la, fb, lb = seen[0, k], seen[1, k], seen[2, k], seen[3, k]
        df, dl = fb - fa, lb - la
        beside = max(la, lb) > left and min(la, lb) < right
        if right > left and beside and max(fa, fb) > rear and min(fa, fb) < length:
            one, other = fa, fb
            if dl != 0.0:
                one = fa + min(max((left - la) / dl, 0.0), 1.0) * df
                other = fa + min(max((right - la) / dl, 0.0), 1.0) * df
            work[BEGIN, found], work[END, found], work[WHOSE, found] = min(one, other), max(one, other), seen[PART, k]
            found += 1
        if seen[SOLID, k] and (la > left) != (lb > left):
            cut = fa + (left - la) / dl * df
            if cut > back:
                work[AT, cuts], work[OF, cuts] = cut, seen[PART, k]
                cuts += 1
    # borders crossed by the left side: part by part, from the farthest back
    for k in range(1, cuts):
        cut, p, low = work[AT, k], work[OF, k], k
        while low > 0 and (work[OF, low - 1] > p or (work[OF, low - 1] == p and work[AT, low - 1] < cut)):
            work[AT, low], work[OF, low] = work[AT, low - 1], work[OF, low - 1]
            low -= 1
        work[AT, low], work[OF, low] = cut, p
    k = 0
    while k < cuts:
        work[BEGIN, found], work[END, found], work[WHOSE, found] = back, work[AT, k], work[OF, k]
        if k + 1 < cuts and work[OF, k + 1] == work[OF, k]:
            work[BEGIN, found] = work[AT, k + 1]
            k += 1
        k += 1
        found += 1
    kept = first
    for k in range(first, found):
        a, b = max(work[BEGIN, k], back), min(work[END, k], length)
        if a <= b:
            work[BEGIN, kept], work[END, kept], work[WHOSE, kept] = a, b, work[WHOSE, k]
            kept += 1
    return kept


@part
def clipped(work: Any, k: int, low: float, high: float, left: float, right: float) -> bool:
    """Cut the edge in row ``k`` down to what of it lies in the strip; return whether there is any."""
    fa, la, df, dl = work[0, k], work[1, k], work[2, k] - work[0, k], work[3, k] - work[1, k]
    first, last = 0.0, 1.0
    for way in range(2):
        at, by, least, most = (fa, df, low, high) if way == 0 else (la, dl, left, right)
        if by == 0.0:
            if at < least or at > most:
                return False
        else:
            one, other = (least - at) / by, (most - at) / by
            first, last = max(first, min(one, other)), min(last, max(one, other))
    if first > last:
        return False
    work[0, k], work[1, k] = fa + first * df, la + first * dl
    work[2, k], work[3, k] = fa + last * df, la + last * dl
    return True


@part
def touching(work: Any, i: int, j: int, near: float) -> bool:
    """Return whether two edges meet, or an end of one is as near as that to the other."""
    ax, ay, bx, by = work[0, i], work[1, i], work[2, i], work[3, i]
    cx, cy, dx, dy = work[0, j], work[1, j], work[2, j], work[3, j]
    if max(ax, bx) < min(cx, dx) - near or max(cx, dx) < min(ax, bx) - near:
        return False
    if max(ay, by) < min(cy, dy) - near or max(cy, dy) < min(ay, by) - near:
        return False
    one = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    other = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    third = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    last = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    wide, long = near * math.hypot(bx - ax, by - ay), near * math.hypot(dx - cx, dy - cy)
    apart = (one > wide and other > wide) or (one < -wide and other < -wide)
    return not (apart or (third > long and last > long) or (third < -long and last < -long))


@part
def on_it(a: Any, b: Any, low: int, high: int, place: Any, most: float, least: float, cuts: Any) -> int:
    """Write where the line of the middle enters and leaves an area, between two lengths; return how often it does.

    ``place``: where the line begins and the unit it goes along.
    """
    x, y, ux, uy = place
    n = 0
    for k in range(low, high):
        la, lb = (a[k, 0] - x) * uy - (a[k, 1] - y) * ux, (b[k, 0] - x) * uy - (b[k, 1] - y) * ux
        if (la > 0.0) != (lb > 0.0):
            fa, fb = (a[k, 0] - x) * ux + (a[k, 1] - y) * uy, (b[k, 0] - x) * ux + (b[k, 1] - y) * uy
            cut, at = fa + la / (la - lb) * (fb - fa), n
            while at > 0 and cuts[at - 1] > cut:
                cuts[at] = cuts[at - 1]
                at -= 1
            cuts[at] = cut
            n += 1
    kept = 0
    for k in range(0, n - 1, 2):
        one, other = max(cuts[k], least), min(cuts[k + 1], most)
        if one < other:
            cuts[kept], cuts[kept + 1] = one, other
            kept += 2
    return kept


@part
def spares(work: Any, k: int, cuts: Any, n: int, near: float) -> bool:
    """Return whether an edge meets the line of the middle where that is on the choke-point."""
    fa, la, fb, lb = work[0, k], work[1, k], work[2, k], work[3, k]
    if min(la, lb) > near or max(la, lb) < -near:
        return False
    one, other = fa, fb
    if la != lb:
        one = fa + min(max((near - la) / (lb - la), 0.0), 1.0) * (fb - fa)
        other = fa + min(max((-near - la) / (lb - la), 0.0), 1.0) * (fb - fa)
    met = False
    for j in range(0, n, 2):
        met = met or (max(one, other) >= cuts[j] - near and min(one, other) <= cuts[j + 1] + near)
    return met


@part
def grouped(work: Any, n: int, near: float) -> None:
    """Number the groups of n edges that hang together, each by its first edge."""
    for k in range(n):
        work[GROUP, k] = k
        for j in range(k):
            if work[GROUP, j] != work[GROUP, k] and touching(work, j, k, near):
                one, other = min(work[GROUP, j], work[GROUP, k]), max(work[GROUP, j], work[GROUP, k])
                for i in range(k + 1):
                    if work[GROUP, i] == other:
                        work[GROUP, i] = one


@part
def without(work: Any, found: int, cuts: Any, n: int, near: float) -> int:
    """Cut what lies abreast of the middle on a choke-point out of stretches; return how many there are then."""
    for j in range(0, n, 2):
        if cuts[j + 1] - cuts[j] > near:
            for k in range(found - 1, -1, -1):
                one, other = work[BEGIN, k], work[END, k]
                before, after = one < cuts[j], other > cuts[j + 1]
                if one > cuts[j + 1] or other < cuts[j]:
                    continue
                if before and after:
                    work[BEGIN, found], work[END, found], work[WHOSE, found] = cuts[j + 1], other, work[WHOSE, k]
                    found += 1
                if before:
                    work[END, k] = cuts[j]
                elif after:
                    work[BEGIN, k] = cuts[j + 1]
                else:
                    found -= 1
                    for row in range(3):
                        work[row, k] = work[row, found]
    return found


@part
def left_of(i: int, line: int, ways: Any, law: Any, areas: Any, lines: Any, crosses: Any, room: Any) -> Any:
    """Write how those edges of a line lie that no choke-point spares advance ``i``, and where it is on choke-points.

    Returns how many edges, and how often the middle enters and leaves a choke-point; none where it is on no
    choke-point.
    """
    origins, along, length = ways
    work, seen, cuts, spared = room
    place = origins[i, 0], origins[i, 1], along[i, 0], along[i, 1]
    x, y, ux, uy = place
    least, most = -law[REAR] - law[MORE], length[i] + law[MORE]
    first, last = lines[2][line], lines[2][line + 1]
    on, n = 0, 0
    for area in range(len(crosses)):
        if crosses[area, line]:
            on += on_it(areas[0], areas[1], areas[2][area], areas[2][area + 1], place, most, least, cuts[on:])
    if on == 0:
        return 0, 0
    for e in range(first, last):
        ax, ay, bx, by = lines[0][e, 0] - x, lines[0][e, 1] - y, lines[1][e, 0] - x, lines[1][e, 1] - y
        work[0, n], work[1, n] = ax * ux + ay * uy, ax * uy - ay * ux
        work[2, n], work[3, n] = bx * ux + by * uy, bx * uy - by * ux
        n += clipped(work, n, least, most, law[LEFT] - law[GRAZE], law[RIGHT] + law[GRAZE])
    grouped(work, n, 1e-9)
    spared[:n] = 0
    for k in range(n):
        if spares(work, k, cuts, on, law[GRAZE]):
            spared[int(work[GROUP, k])] = 1
    kept = 0
    for k in range(n):
        if not spared[int(work[GROUP, k])]:
            for row in range(4):
                seen[row, kept] = work[row, k]
            seen[4, kept], seen[5, kept] = line, 0.0
            kept += 1
    return kept, on


@kernel(
    "int64(UniTuple(float64[:, ::1], 2), float64[::1], float64[:, ::1], float64[::1], float64[::1], "
    "Tuple((float64[:, ::1], float64[:, ::1], int64[::1])), Tuple((float64[:, ::1], float64[:, ::1], int64[::1])), "
    "uint8[:, ::1], uint8[:, ::1], int64[::1], int64[::1], float64[::1], float64[::1])"
)
def meet_over(
    ways: Any,
    length: Any,
    sides: Any,
    behind: Any,
    law: Any,
    areas: Any,
    lines: Any,
    crosses: Any,
    over: Any,
    lane: Any,
    owner: Any,
    low: Any,
    high: Any,
) -> int:
    """Write the stretches of lanes that meet lines where choke-points spare them; return how many there are.

    ``ways``: where advances begin (n, 2) and the units they go along; their ``length`` (n,). ``sides`` (k, 2) of lanes
    which begin ``behind`` (k,). ``areas`` of choke-points and ``lines``: ends of edges, and where those of each begin;
    ``crosses`` (areas, lines). ``over`` (n, lines) tells which lines advances pass on choke-points: of no other
    anything is written.
    """
    edges, lanes, count = len(lines[0]), len(sides), 0
    most, entries = len(areas[0]) + 2, len(areas[0]) // 2 + 2
    work, seen = np.empty((5, max(edges, 1))), np.empty((6, max(edges, 1)))
    room = work, seen, np.empty(most), np.empty(max(edges, 1), np.uint8)
    found = np.empty((5, (3 * edges + 2) * entries))
    rear = -behind.max()
    for i in range(len(length)):
        for line in range(len(crosses[0])):
            n, on = left_of(i, line, (ways[0], ways[1], length), law, areas, lines, crosses, room)
            over[i, line] = on > 0
            for j in range(lanes if n > 0 else 0):
                some = in_lane(seen, n, sides[j, 0], sides[j, 1], -behind[j], rear, length[i], found, 0)
                some = without(found, some, room[2], on, law[GRAZE])
                for k in range(joined(found, some, law[GAP])):
                    lane[count], owner[count] = i * lanes + j, line
                    low[count], high[count] = found[BEGIN, k], found[END, k]
                    count += 1
    return count
