"""How far fronts go straight on past outlines and dear ground, advance by advance: the arithmetic of ``fan``.

What ``contact``, ``lanes`` and ``fares`` say of many advances step by step, here all of it for one after the other.
"""

import math
from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, part
from tabletop.geometry.kernels.plane import CIRCLE
from tabletop.geometry.movement import cost

#: Bearings are sorted into so many equal steps of the circle; of each step it is known which edges lie in it.
STEPS = 96
#: Rows of what is worked with: of stretches where they begin and end, of which part they are; marks, what they are.
BEGIN, END, WHOSE, AT, OF = range(5)
#: Rows of what is met, base by base: where rough ground begins, how wide it is; obstacles (last: choke-points).
LOW, WIDE, MARK = range(3)
#: Rows of edges as seen from a lane: how far ahead and to the right their ends lie, of which part, whether of an area.
PART, SOLID = 4, 5


@part
def stop_at(share: float, fa: float, la: float, df: float, dl: float, half: float, keep: float) -> float:
    """Return how far a front may go before it is too near to the place so far along an edge."""
    beyond, ahead = abs(la + share * dl) - half, fa + share * df
    if beyond <= 0.0:
        return ahead - keep
    return ahead - math.sqrt(max(0.0, keep * keep - beyond * beyond))


@part
def clear_until(fa: float, la: float, fb: float, lb: float, half: float, keep: float, most: float) -> float:
    """Return how far a front may go before it is too near to an edge, whose ends lie so far ahead and to the right.

    Or ``most`` where it is told to be no less.
    """
    lane, df, dl, lo, hi = half + keep - 1e-9, fb - fa, lb - la, 0.0, 1.0
    if df > 0.0:
        lo = max(lo, -fa / df)
    elif df < 0.0:
        hi = min(hi, -fa / df)
    elif fa < 0.0:
        return math.inf
    if dl != 0.0:
        one, other = (lane - la) / dl, (-lane - la) / dl
        lo, hi = max(lo, min(one, other)), min(hi, max(one, other))
    elif abs(la) > lane:
        return math.inf
    if lo > hi or lane < 0.0:
        return math.inf
    if keep == math.inf:
        return 0.0
    near = min(fa + lo * df, fa + hi * df)
    if keep == 0.0 or near - keep >= most:
        return max(near - keep, 0.0)
    best = min(stop_at(lo, fa, la, df, dl, half, keep), stop_at(hi, fa, la, df, dl, half, keep))
    if dl != 0.0:
        slope = df / dl
        tangent = abs(slope) / math.hypot(1.0, slope) * keep
        side = half + tangent if slope < 0.0 else -half - tangent
        for at in (half, -half, side):
            share = min(max((at - la) / dl, lo), hi)
            best = min(best, stop_at(share, fa, la, df, dl, half, keep))
    return max(best, 0.0)


@kernel(
    "void(float64[:, ::1], float64[:, ::1], float64, float64[:, ::1], float64[:, ::1], float64[::1], "
    "int64[::1], int64[::1], float64[::1])"
)
def nearest(origin: Any, u: Any, half: float, starts: Any, ends: Any, keep: Any, i: Any, e: Any, found: Any) -> None:
    """Lower ``found`` (n,) to how far each front may go past the edges paired with it."""
    for k in range(len(i)):
        n, m = i[k], e[k]
        ux, uy, d = u[n, 0], u[n, 1], keep[m]
        ax, ay = starts[m, 0] - origin[n, 0], starts[m, 1] - origin[n, 1]
        bx, by = ends[m, 0] - origin[n, 0], ends[m, 1] - origin[n, 1]
        fa, la, fb, lb = ax * ux + ay * uy, ax * uy - ay * ux, bx * ux + by * uy, bx * uy - by * ux
        ahead, wide = max(fa, fb) >= 0.0 and min(fa, fb) - d < found[n], half + d
        if ahead and min(la, lb) < wide and max(la, lb) > -wide:
            found[n] = min(found[n], clear_until(fa, la, fb, lb, half, d, found[n]))


@part
def ordered(work: Any, n: int, by_part: bool) -> None:
    """Put n stretches in order of where they begin; with ``by_part`` those of each part together."""
    for k in range(1, n):
        a, b, p, at = work[BEGIN, k], work[END, k], work[WHOSE, k], k
        while at > 0 and (
            (by_part and work[WHOSE, at - 1] > p)
            or ((not by_part or work[WHOSE, at - 1] == p) and work[BEGIN, at - 1] > a)
        ):
            for row in range(3):
                work[row, at] = work[row, at - 1]
            at -= 1
        work[BEGIN, at], work[END, at], work[WHOSE, at] = a, b, p


@part
def joined(work: Any, n: int, gap: float, by_part: bool) -> int:
    """Put n stretches in order, make those that overlap or lie within ``gap`` one, and return how many are left."""
    ordered(work, n, by_part)
    count = 0
    for k in range(n):
        other = count == 0 or (by_part and work[WHOSE, k] != work[WHOSE, count - 1])
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
    across: bool,
    work: Any,
    found: int,
) -> int:
    """Add the stretches of a lane that meet n edges as ``seen`` from it to those ``found``; return how many then.

    The lane runs from ``back`` to ``length``, of those beside it the last from ``rear``; without ``across`` only where
    its left side runs inside an area counts.
    """
    first, cuts = found, 0
    for k in range(n):
        fa, la, fb, lb = seen[0, k], seen[1, k], seen[2, k], seen[3, k]
        df, dl = fb - fa, lb - la
        beside = max(la, lb) > left and min(la, lb) < right
        if across and right > left and beside and max(fa, fb) > rear and min(fa, fb) < length:
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
def look(i: int, starts: Any, u: Any, a: Any, b: Any, part_of: Any, solid: Any, edges: Any, n: int, seen: Any) -> None:
    """Write how n edges lie as seen from lane ``i``."""
    x, y, ux, uy = starts[i, 0], starts[i, 1], u[i, 0], u[i, 1]
    for k in range(n):
        m = edges[k]
        ax, ay, bx, by = a[m, 0] - x, a[m, 1] - y, b[m, 0] - x, b[m, 1] - y
        seen[0, k], seen[1, k] = ax * ux + ay * uy, ax * uy - ay * ux
        seen[2, k], seen[3, k] = bx * ux + by * uy, bx * uy - by * ux
        seen[PART, k], seen[SOLID, k] = part_of[m], solid[m]


@kernel(
    "int64(float64[:, ::1], float64[:, ::1], float64[::1], float64[:, ::1], float64[::1], float64[:, ::1], "
    "float64[:, ::1], int64[::1], uint8[::1], int64[::1], int64[::1], float64, boolean, boolean, int64[::1], "
    "int64[::1], float64[::1], float64[::1])"
)
def meet(
    origins: Any,
    along: Any,
    length: Any,
    sides: Any,
    behind: Any,
    starts: Any,
    ends: Any,
    part_of: Any,
    solid: Any,
    i: Any,
    e: Any,
    gap: float,
    by_part: bool,
    across: bool,
    lane: Any,
    owner: Any,
    low: Any,
    high: Any,
) -> int:
    """Write the stretches of lanes that meet edges paired with them, and return how many there are.

    As ``Lanes.meeting`` says, of pairs (origin, edge) ``i``, ``e`` (p,); without ``across`` edges that cross a lane do
    not count, only where its left side runs inside.
    """
    n, count, most, rear = len(origins), 0, 0, -behind.max()
    first = np.zeros(n + 1, np.int64)
    for k in range(len(i)):
        first[i[k] + 1] += 1
    for k in range(n):
        most = max(most, first[k + 1])
        first[k + 1] += first[k]
    listed, fill = np.empty(len(i), np.int64), first[:-1].copy()
    for k in range(len(i)):
        listed[fill[i[k]]] = e[k]
        fill[i[k]] += 1
    seen, work = np.empty((6, most)), np.empty((5, 3 * most + 1))
    for o in range(n):
        edges = listed[first[o] : first[o + 1]]
        look(o, origins, along, starts, ends, part_of, solid, edges, len(edges), seen)
        for j in range(len(sides)):
            found = in_lane(seen, len(edges), sides[j, 0], sides[j, 1], -behind[j], rear, length[o], across, work, 0)
            for k in range(joined(work, found, gap, by_part)):
                lane[count], owner[count] = o * len(sides) + j, int(work[WHOSE, k])
                low[count], high[count] = work[BEGIN, k], work[END, k]
                count += 1
    return count


@part
def passed(met: Any, row: int, n: int, s: float) -> int:
    """Return how many of the first n marks of a row lie before a length."""
    count = 0
    for k in range(n):
        count += met[MARK, row, k] < s - 1e-12
    return count


@part
def slowed(met: Any, row: int, n: int, s: float) -> float:
    """Return how much of a length lies in the first n stretches of a row."""
    gone = 0.0
    for k in range(n):
        gone += min(max(s - met[LOW, row, k], 0.0), met[WIDE, row, k])
    return gone


@part
def price(plain: float, paid: Any, crossed: Any, i: int, met: Any, count: Any, law: Any, s: float) -> float:
    """Return the price of way ``i``, which has ``paid`` and ``crossed`` so much, ``s`` further on."""
    dear, most, bases = 0.0, 0.0, paid.shape[1]
    for base in range(bases):
        dear = max(dear, paid[i, base] + slowed(met, base, count[0, base], s))
        most = max(most, crossed[i, base] + passed(met, base, count[1, base], s))
    entered = passed(met, bases, count[1, bases], s)
    total: float = plain + cost.total(s, dear, 0.0, most, entered, law)
    return total


@part
def lasting(
    plain: float, paid: Any, crossed: Any, i: int, met: Any, count: Any, law: Any, budget: float, most: float
) -> float:
    """Return how far, at most ``most``, a budget lasts; -1 where it is overspent. As ``Fares.lasting``."""
    if price(plain, paid, crossed, i, met, count, law, 0.0) > budget:
        return -1.0
    if price(plain, paid, crossed, i, met, count, law, most) <= budget:
        return most
    mark, end = 0.0, most
    for row in range(count.shape[1]):
        for k in range(2 * count[0, row] + count[1, row]):
            j = k - 2 * count[0, row]
            at = met[MARK, row, j] if j >= 0 else met[LOW, row, k // 2] + (met[WIDE, row, k // 2] if k % 2 else 0.0)
            if mark < at < end:
                if price(plain, paid, crossed, i, met, count, law, at) <= budget:
                    mark = at
                else:
                    end = at
    at = mark + 1e-10
    more = cost.rough_more(law)
    spare = budget - price(plain, paid, crossed, i, met, count, law, at)
    if spare < -1e-9:
        return mark
    dear = 0.0
    for base in range(paid.shape[1]):
        dear = max(dear, paid[i, base] + slowed(met, base, count[0, base], at))
    room = math.inf
    for base in range(paid.shape[1]):
        rate = 1.0
        for k in range(count[0, base]):
            low = met[LOW, base, k]
            rate += more * (low <= mark and low + met[WIDE, base, k] >= end)
        behind = dear - paid[i, base] - slowed(met, base, count[0, base], at)
        room = min(room, (spare + more * behind) / rate)
    return max(mark, min(at + room, end) - 1e-9)


@part
def table_until(x: float, y: float, ux: float, uy: float, half: float, room: Any) -> float:
    """Return how far a front may go before one of its ends leaves a room: west, south, east, north."""
    best = math.inf
    for k in range(4):
        side, rate = half if k < 2 else -half, ux if k % 2 == 0 else uy
        corner = x + side * uy if k % 2 == 0 else y - side * ux
        if abs(rate) > 1e-12:
            best = min(best, (room[k % 2 + 2 if rate > 0.0 else k % 2] - corner) / rate)
    return max(best, 0.0)


@kernel("Tuple((int64[:, ::1], int64[::1]))(float64[:, :, ::1], float64[:, :, ::1])")
def sorted_in(first: Any, width: Any) -> Any:
    """Return the edges in each step of the circle about each place: where its list begins (k, steps + 1), the lists.

    Edges, in order, lie in the ranges ``first`` over ``width`` (m, 2, k).
    """
    m, places = len(first), first.shape[2]
    begin, last, total = np.zeros((places, STEPS + 1), np.int64), np.full(STEPS, -1, np.int64), 0
    listed = np.empty(0, np.int64)
    for turn in range(2):
        if turn == 1:
            listed = np.empty(total, np.int64)
        for place in range(places):
            last[:] = -1
            for e in range(m):
                for way in range(2):
                    if width[e, way, place] >= 0.0:
                        low = int(first[e, way, place] / CIRCLE * STEPS)
                        high = int((first[e, way, place] + width[e, way, place]) / CIRCLE * STEPS)
                        for k in range(low, min(high, low + STEPS - 1) + 1):
                            step = k - STEPS if k >= STEPS else k
                            if last[step] == e:
                                continue
                            last[step] = e
                            if turn == 1:
                                listed[begin[place, step]] = e
                            begin[place, step] += 1
        if turn == 0:
            for place in range(places):
                for step in range(STEPS):
                    begin[place, step], total = total, total + begin[place, step]
        else:
            for place in range(places - 1, -1, -1):
                for step in range(STEPS, 0, -1):
                    begin[place, step] = begin[place, step - 1]
                begin[place, 0] = begin[place - 1, STEPS - 1] if place > 0 else 0
    return begin, listed


@part
def in_both(work: Any, n: int) -> int:
    """Leave of n stretches what two of them share, and return how many stretches that is."""
    for k in range(2 * n):
        value, step, low = (work[BEGIN, k // 2], 1, k) if k % 2 == 0 else (work[END, k // 2], -1, k)
        while low > 0 and (work[AT, low - 1] > value or (work[AT, low - 1] == value and work[OF, low - 1] < step)):
            work[AT, low], work[OF, low] = work[AT, low - 1], work[OF, low - 1]
            low -= 1
        work[AT, low], work[OF, low] = value, step
    count, deep = 0, 0
    for k in range(2 * n):
        deep += int(work[OF, k])
        if deep >= 2:
            work[BEGIN, count], work[END, count], work[WHOSE, count] = work[AT, k], work[AT, k + 1], 0.0
            count += 1
    return count


@part
def longer(work: Any, found: int, least: float) -> int:
    """Leave of stretches those longer than ``least``, and return how many they are."""
    kept = 0
    for k in range(found):
        if work[END, k] - work[BEGIN, k] > least:
            for row in range(3):
                work[row, kept] = work[row, k]
            kept += 1
    return kept


@part
def rough_ahead(
    seen: Any, n: int, left: float, right: float, behind: float, rear: float, law: Any, length: float, work: Any
) -> int:
    """Write the stretches of a lane in rough ground; of a lane without width those that both its hairs run in."""
    if right > left:
        found, least = in_lane(seen, n, left, right, -behind, -rear, length, True, work, 0), 1e-9
    else:
        found, least = in_lane(seen, n, -law[5], -law[5], 0.0, 0.0, length, False, work, 0), law[7]
        found = in_both(work, in_lane(seen, n, law[5], law[5], 0.0, 0.0, length, False, work, found))
    return longer(work, joined(work, found, law[6], False), least)


@part
def obstacles_ahead(
    seen: Any, n: int, left: float, right: float, behind: float, rear: float, law: Any, length: float, work: Any
) -> int:
    """Write where a lane first meets each obstacle, again wherever it meets it anew."""
    t, kept = law[4], 0
    back, rear = -(behind + 2.0 * t), -(rear + 2.0 * t)
    found = joined(work, in_lane(seen, n, left, right, back, rear, length, True, work, 0), t, True)
    for k in range(found):
        if work[BEGIN, k] > -behind - 1.5 * t:
            work[BEGIN, kept] = work[BEGIN, k]
            kept += 1
    return kept


@part
def chokes_ahead(seen: Any, n: int, law: Any, length: float, work: Any, met: Any) -> int:
    """Note where the middle of the front first enters each choke-point that it does not set out in (TSE-MOV-09)."""
    back, kept, last = -2.0 * law[4], 0, -1.0
    found = in_lane(seen, n, -law[5], -law[5], back, back, length, False, work, 0)
    found = joined(work, in_lane(seen, n, law[5], law[5], back, back, length, False, work, found), law[6], True)
    for k in range(longer(work, found, law[7])):
        if work[WHOSE, k] != last and work[BEGIN, k] > 1e-9 + back:
            met[MARK, -1, kept] = max(work[BEGIN, k], 0.0)
            kept += 1
        last = work[WHOSE, k]
    return kept


@part
def noted(kind: int, found: int, back: float, base: int, t: float, work: Any, met: Any, count: Any) -> None:
    """Note what a base meets in its lane, so far behind the front as it is."""
    for k in range(found):
        one, other = work[BEGIN, k] + back, work[END, k] + back
        if kind == 1 and other > 0.0:
            met[LOW, base, count[0, base]] = max(one, 0.0)
            met[WIDE, base, count[0, base]] = other - max(one, 0.0)
            count[0, base] += 1
        elif kind == 2 and one >= -t:
            met[MARK, base, count[1, base]] = one
            count[1, base] += 1


@kernel(
    "void(float64[:, ::1], float64[:, ::1], int64[::1], float64[::1], int64[:, ::1], int64[::1], "
    "float64[:, ::1], float64[:, ::1], float64[::1], int64[::1], uint8[::1], int64[::1], float64[::1], "
    "float64[:, ::1], float64[:, ::1], float64[::1], int64[::1], float64[::1], float64[::1], float64, float64, "
    "float64[::1], float64[:, ::1], float64[:, ::1], float64[::1])"
)
def advance(
    starts: Any,
    u: Any,
    of_node: Any,
    bearings: Any,
    begin: Any,
    listed: Any,
    a: Any,
    b: Any,
    keep: Any,
    part_of: Any,
    solid: Any,
    classes: Any,
    room: Any,
    sides: Any,
    fronts: Any,
    behind: Any,
    owner: Any,
    back: Any,
    law: Any,
    half: float,
    budget: float,
    plain: Any,
    rough: Any,
    crossed: Any,
    far: Any,
) -> None:
    """Lower ``far`` (n,) to how far each front goes for a budget; where it has no end, tell what that costs.

    That is added to what has been paid, ``plain`` (n,), ``rough`` and ``crossed`` (n, bases).

    Fronts ``half`` to each side go from ``starts`` (n, 2) along unit ``u`` (n, 2): ``bearings`` (n,) out of nodes
    ``of_node`` (n,), about which edges from ``a`` to ``b`` (m, 2) are ``listed`` as ``sorted_in`` tells.
    ``classes`` tells where each class of edges ends: outlines to ``keep`` from, rough ground, obstacles, choke-points.
    ``sides`` (lanes, 2) of lanes in rough ground, ``fronts`` of those that meet obstacles, ``behind`` how far back
    lanes begin; ``owner`` and ``back`` of each base its lane and place in it. ``law``: prices of rough ground, an
    obstacle, a choke-point and road, t, half the width of a lane without any, the gap over which stretches are one,
    the least that counts. Without an end to the budget all go as far as nothing stops them. What is negative in
    ``far`` stays so.
    """
    m, bases, t, most = len(a), len(owner), law[4], 6 * len(a) + 2
    every, work = np.empty((6, m)), np.empty((5, 2 * most))
    met, count = np.empty((3, bases + 1, most)), np.zeros((2, bases + 1), np.int64)
    rear = behind.max()
    for i in range(len(far)):
        if far[i] < 0.0:
            continue
        step = int(bearings[i] % CIRCLE / CIRCLE * STEPS) % STEPS
        here = listed[begin[of_node[i], step] : begin[of_node[i], step + 1]]
        size, k, anything = len(here), 0, 0
        look(i, starts, u, a, b, part_of, solid, here, size, every)
        cap = min(far[i], table_until(starts[i, 0], starts[i, 1], u[i, 0], u[i, 1], half, room))
        while k < size and here[k] < classes[0]:
            fa, la, fb, lb, d = every[0, k], every[1, k], every[2, k], every[3, k], keep[here[k]]
            ahead, broad = max(fa, fb) >= 0.0 and min(fa, fb) - d < cap, half + d
            if ahead and min(la, lb) < broad and max(la, lb) > -broad:
                cap = min(cap, clear_until(fa, la, fb, lb, half, d, cap))
            k += 1
        length = max(cap, 1e-6)
        count[:] = 0
        for kind in range(1, 4):
            own = k
            while k < size and here[k] < classes[kind]:
                k += 1
            some, seen = k - own, every[:, own:k]
            if some > 0 and kind == 3:
                count[1, bases] = chokes_ahead(seen, some, law, length, work, met)
                anything += count[1, bases]
            for lane in range(len(sides) if some > 0 and kind < 3 else 0):
                if kind == 1:
                    found = rough_ahead(
                        seen, some, sides[lane, 0], sides[lane, 1], behind[lane], rear, law, length, work
                    )
                else:
                    found = obstacles_ahead(
                        seen, some, fronts[lane, 0], fronts[lane, 1], behind[lane], rear, law, length, work
                    )
                for base in range(bases if found else 0):
                    if owner[base] == lane:
                        noted(kind, found, back[base], base, t, work, met, count)
                        anything += count[0, base] + count[1, base]
        if budget == math.inf:
            pass
        elif anything == 0:
            dear, dearest = 0.0, 0.0
            for base in range(bases):
                dear, dearest = max(dear, rough[i, base]), max(dearest, crossed[i, base])
            start = plain[i] + cost.total(0.0, dear, 0.0, dearest, 0, law)
            cap = min(cap, budget - start) if start <= budget else -1.0
        else:
            cap = lasting(plain[i], rough, crossed, i, met, count, law, budget, cap)
        far[i] = cap
        if budget == math.inf:
            plain[i] += cost.total(cap, 0.0, 0.0, 0, passed(met, bases, count[1, bases], cap), law)
            for base in range(bases):
                rough[i, base] += slowed(met, base, count[0, base], cap)
                crossed[i, base] += passed(met, base, count[1, base], cap)
