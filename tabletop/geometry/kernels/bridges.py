"""Where advances meet lines that bridges cross, apart from what the bridge exempts (``movement.choke_exemption``).

The strip swept by a front is convex, so its intersection with an edge of a line is connected. The connected parts of a
line within the strip are therefore groups of its edges.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from tabletop.geometry.fast import kernel, part
from tabletop.geometry.sight.obstruction import ByteTable, FloatColumn, FloatTable, IntColumn

#: Rows of the work array: where a stretch begins, where it ends and of which part it is; position and part of a mark.
BEGIN, END, WHOSE, AT, OF = range(5)
#: Rows of edges in the frame of an advance: forward and rightward position of both ends, the part, whether of an area.
PART, SOLID = 4, 5
#: Row of edges in the strip, after the positions of both ends: the group of edges it belongs to.
GROUP = 4
#: Indices into ``law``: the strip's sides, how far behind the front it begins and how much longer it is at both ends,
#: what counts as grazing, and the gap below which two stretches count as one.
LEFT, RIGHT, REAR, MORE, GRAZE, GAP = range(6)


class Ways(NamedTuple):
    """Advances: where they begin, ``origins`` (n, 2), their unit directions ``along`` (n, 2), and their ``length``
    (n,)."""

    origins: FloatTable
    along: FloatTable
    length: FloatColumn


class Strips(NamedTuple):
    """Strips of single bases: ``sides`` (k, 2), left and right of the middle, and how far ``behind`` it they begin
    (k,)."""

    sides: FloatTable
    behind: FloatColumn


class Outlines(NamedTuple):
    """Edges from ``a`` to ``b`` (e, 2) of areas or lines; those of number k begin at ``first[k]``."""

    a: FloatTable
    b: FloatTable
    first: IntColumn


class Stretches(NamedTuple):
    """Room for stretches from ``low`` to ``high``: ``strip`` is the index among the strips of all advances, ``owner``
    the line met; ``over`` (n, lines) says which lines an advance passes on choke-points."""

    over: ByteTable
    strip: IntColumn
    owner: IntColumn
    low: FloatColumn
    high: FloatColumn


@part
def ordered(work: Any, n: int) -> None:
    """Sort n stretches by part, then by where they begin."""
    for k in range(1, n):
        a, b, p, at = work[BEGIN, k], work[END, k], work[WHOSE, k], k
        while at > 0 and (work[WHOSE, at - 1] > p or (work[WHOSE, at - 1] == p and work[BEGIN, at - 1] > a)):
            for row in range(3):
                work[row, at] = work[row, at - 1]
            at -= 1
        work[BEGIN, at], work[END, at], work[WHOSE, at] = a, b, p


@part
def joined(work: Any, n: int, gap: float) -> int:
    """Sort n stretches, join those of one part less than ``gap`` apart, and return how many are left."""
    ordered(work, n)
    count = 0
    for k in range(n):
        new_part = count == 0 or work[WHOSE, k] != work[WHOSE, count - 1]
        if new_part or work[BEGIN, k] > work[END, count - 1] + gap:
            for row in range(3):
                work[row, count] = work[row, k]
            count += 1
        else:
            work[END, count - 1] = max(work[END, count - 1], work[END, k])
    return count


@part
def in_strip(seen: Any, n: int, strip: tuple[float, float, float, float, float], work: Any) -> int:
    """Write the stretches of a strip that meet n edges, ``seen`` in the frame of the advance; return how many.

    ``strip``: its left and right side, where it begins and ends, and where the rearmost strip of the front begins.
    """
    left, right, back, length, rear = strip
    count, cuts = 0, 0
    for k in range(n):
        fa, la, fb, lb = seen[0, k], seen[1, k], seen[2, k], seen[3, k]
        df, dl = fb - fa, lb - la
        beside = max(la, lb) > left and min(la, lb) < right
        if right > left and beside and max(fa, fb) > rear and min(fa, fb) < length:
            one, other = fa, fb
            if dl != 0.0:
                one = fa + min(max((left - la) / dl, 0.0), 1.0) * df
                other = fa + min(max((right - la) / dl, 0.0), 1.0) * df
            work[BEGIN, count], work[END, count], work[WHOSE, count] = min(one, other), max(one, other), seen[PART, k]
            count += 1
        if seen[SOLID, k] and (la > left) != (lb > left):
            cut = fa + (left - la) / dl * df
            if cut > back:
                work[AT, cuts], work[OF, cuts] = cut, seen[PART, k]
                cuts += 1
    # where the left side crosses borders: part by part, the farthest ahead first
    for k in range(1, cuts):
        cut, p, low = work[AT, k], work[OF, k], k
        while low > 0 and (work[OF, low - 1] > p or (work[OF, low - 1] == p and work[AT, low - 1] < cut)):
            work[AT, low], work[OF, low] = work[AT, low - 1], work[OF, low - 1]
            low -= 1
        work[AT, low], work[OF, low] = cut, p
    k = 0
    while k < cuts:
        work[BEGIN, count], work[END, count], work[WHOSE, count] = back, work[AT, k], work[OF, k]
        if k + 1 < cuts and work[OF, k + 1] == work[OF, k]:
            work[BEGIN, count] = work[AT, k + 1]
            k += 1
        k += 1
        count += 1
    kept = 0
    for k in range(count):
        a, b = max(work[BEGIN, k], back), min(work[END, k], length)
        if a <= b:
            work[BEGIN, kept], work[END, kept], work[WHOSE, kept] = a, b, work[WHOSE, k]
            kept += 1
    return kept


@part
def clipped(work: Any, k: int, low: float, high: float, left: float, right: float) -> bool:
    """Clip the edge in row ``k`` to the strip; return whether anything of it is left."""
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
    """Return whether two edges meet, or an end of one comes within ``near`` of the other."""
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
def on_it(areas: Outlines, area: int, place: Any, lengths: tuple[float, float], cuts: Any) -> int:
    """Write where the path of the front's middle enters and leaves an area between two ``lengths``; return how many
    values.

    ``place``: where the path begins and its unit direction.
    """
    a, b, (x, y, ux, uy), (least, most) = areas.a, areas.b, place, lengths
    n = 0
    for k in range(areas.first[area], areas.first[area + 1]):
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
def exempts(work: Any, k: int, cuts: Any, n: int, near: float) -> bool:
    """Return whether an edge meets the path of the middle where that path is on the choke-point."""
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
    """Number the connected groups of n edges, each by its first edge."""
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
    """Cut out of the stretches what lies abreast of the middle while it is on a choke-point; return how many are
    left."""
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
def left_of(
    which: tuple[int, int], ways: Ways, law: Any, areas: Outlines, lines: Outlines, crosses: Any, room: Any
) -> Any:
    """Write the edges of a line that no choke-point exempts for an advance, and where the middle is on choke-points.

    ``which``: the indices of the advance and the line. Returns how many edges are left, and how often the middle enters
    or leaves a choke-point; (0, 0) if it is on none.
    """
    i, line = which
    work, seen, cuts, exempt = room
    place = ways.origins[i, 0], ways.origins[i, 1], ways.along[i, 0], ways.along[i, 1]
    x, y, ux, uy = place
    least, most = -law[REAR] - law[MORE], ways.length[i] + law[MORE]
    a, b, first, last = lines.a, lines.b, lines.first[line], lines.first[line + 1]
    on, n = 0, 0
    for area in range(len(crosses)):
        if crosses[area, line]:
            on += on_it(areas, area, place, (least, most), cuts[on:])
    if on == 0:
        return 0, 0
    for e in range(first, last):
        ax, ay, bx, by = a[e, 0] - x, a[e, 1] - y, b[e, 0] - x, b[e, 1] - y
        work[0, n], work[1, n] = ax * ux + ay * uy, ax * uy - ay * ux
        work[2, n], work[3, n] = bx * ux + by * uy, bx * uy - by * ux
        n += clipped(work, n, least, most, law[LEFT] - law[GRAZE], law[RIGHT] + law[GRAZE])
    grouped(work, n, 1e-9)
    exempt[:n] = 0
    for k in range(n):
        if exempts(work, k, cuts, on, law[GRAZE]):
            exempt[int(work[GROUP, k])] = 1
    kept = 0
    for k in range(n):
        if not exempt[int(work[GROUP, k])]:
            for row in range(4):
                seen[row, kept] = work[row, k]
            seen[4, kept], seen[5, kept] = line, 0.0
            kept += 1
    return kept, on


@kernel(
    "int64(Ways, Strips, float64[::1], Outlines, Outlines, uint8[:, ::1], Stretches)",
    Ways=Ways,
    Strips=Strips,
    Outlines=Outlines,
    Stretches=Stretches,
)
def meet_over(
    ways: Ways, strips: Strips, law: Any, areas: Outlines, lines: Outlines, crosses: Any, into: Stretches
) -> int:
    """Write the stretches of strips that meet lines passed on choke-points, less what is exempt; return how many.

    ``areas`` are those of choke-points; ``crosses`` (areas, lines) says which line each crosses. Nothing is written for
    lines that an advance does not pass on a choke-point.
    """
    sides, behind, length, edges, each = strips.sides, strips.behind, ways.length, len(lines.a), len(strips.sides)
    most, entries, count = len(areas.a) + 2, len(areas.a) // 2 + 2, 0
    work, seen = np.empty((5, max(edges, 1))), np.empty((6, max(edges, 1)))
    room = work, seen, np.empty(most), np.empty(max(edges, 1), np.uint8)
    spans = np.empty((5, (3 * edges + 2) * entries))
    rear = -behind.max()
    for i in range(len(length)):
        for line in range(len(crosses[0])):
            n, on = left_of((i, line), ways, law, areas, lines, crosses, room)
            into.over[i, line] = on > 0
            for j in range(each if n > 0 else 0):
                many = in_strip(seen, n, (sides[j, 0], sides[j, 1], -behind[j], length[i], rear), spans)
                many = without(spans, many, room[2], on, law[GRAZE])
                for k in range(joined(spans, many, law[GAP])):
                    into.strip[count], into.owner[count] = i * each + j, line
                    into.low[count], into.high[count] = spans[BEGIN, k], spans[END, k]
                    count += 1
    return count
