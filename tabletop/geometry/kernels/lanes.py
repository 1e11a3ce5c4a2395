"""Where lanes meet areas and lines, edge by edge: the arithmetic of ``lanes``."""

from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel


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
    part: Any,
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
    n, count, rear = len(origins), 0, -behind.max()
    first = np.zeros(n + 1, np.int64)
    for k in range(len(i)):
        first[i[k] + 1] += 1
    for k in range(n):
        first[k + 1] += first[k]
    listed, fill = np.empty(len(i), np.int64), first[:-1].copy()
    most = 0
    for k in range(len(i)):
        listed[fill[i[k]]] = e[k]
        fill[i[k]] += 1
    for k in range(n):
        most = max(most, first[k + 1] - first[k])
    fa, fb, la, lb = np.empty(most), np.empty(most), np.empty(most), np.empty(most)
    begin, end, whose = np.empty(3 * most + 1), np.empty(3 * most + 1), np.empty(3 * most + 1, np.int64)
    at, of = np.empty(most), np.empty(most, np.int64)
    for o in range(n):
        edges = listed[first[o] : first[o + 1]]
        x, y, ux, uy = origins[o, 0], origins[o, 1], along[o, 0], along[o, 1]
        for k in range(len(edges)):
            m = edges[k]
            ax, ay, bx, by = starts[m, 0] - x, starts[m, 1] - y, ends[m, 0] - x, ends[m, 1] - y
            fa[k], la[k] = ax * ux + ay * uy, ax * uy - ay * ux
            fb[k], lb[k] = bx * ux + by * uy, bx * uy - by * ux
        for j in range(len(sides)):
            left, right, back = sides[j, 0], sides[j, 1], -behind[j]
            found, cuts = 0, 0
            for k in range(len(edges)):
                m, df, dl = edges[k], fb[k] - fa[k], lb[k] - la[k]
                beside = max(la[k], lb[k]) > left and min(la[k], lb[k]) < right
                if across and right > left and beside and max(fa[k], fb[k]) > rear and min(fa[k], fb[k]) < length[o]:
                    one, other = fa[k], fb[k]
                    if dl != 0.0:
                        one = fa[k] + min(max((left - la[k]) / dl, 0.0), 1.0) * df
                        other = fa[k] + min(max((right - la[k]) / dl, 0.0), 1.0) * df
                    begin[found], end[found], whose[found] = min(one, other), max(one, other), part[m]
                    found += 1
                if solid[m] and (la[k] > left) != (lb[k] > left):
                    cut = fa[k] + (left - la[k]) / dl * df
                    if cut > back:
                        at[cuts], of[cuts] = cut, part[m]
                        cuts += 1
            # borders crossed by the left side: part by part, from the farthest back
            for k in range(1, cuts):
                cut, p, at_k = at[k], of[k], k
                while at_k > 0 and (of[at_k - 1] > p or (of[at_k - 1] == p and at[at_k - 1] < cut)):
                    at[at_k], of[at_k] = at[at_k - 1], of[at_k - 1]
                    at_k -= 1
                at[at_k], of[at_k] = cut, p
            k = 0
            while k < cuts:
                end[found], whose[found], begin[found] = at[k], of[k], back
                if k + 1 < cuts and of[k + 1] == of[k]:
                    begin[found] = at[k + 1]
                    k += 1
                k += 1
                found += 1
            kept = 0
            for k in range(found):
                a, b = max(begin[k], back), min(end[k], length[o])
                if a <= b:
                    begin[kept], end[kept], whose[kept] = a, b, whose[k]
                    kept += 1
            for k in range(1, kept):
                a, b, p, at_k = begin[k], end[k], whose[k], k
                while at_k > 0 and (
                    (by_part and whose[at_k - 1] > p) or ((not by_part or whose[at_k - 1] == p) and begin[at_k - 1] > a)
                ):
                    begin[at_k], end[at_k], whose[at_k] = begin[at_k - 1], end[at_k - 1], whose[at_k - 1]
                    at_k -= 1
                begin[at_k], end[at_k], whose[at_k] = a, b, p
            for k in range(kept):
                new = k == 0 or (by_part and whose[k] != whose[k - 1]) or begin[k] > high[count - 1] + gap
                if new:
                    lane[count], owner[count] = o * len(sides) + j, whose[k]
                    low[count], high[count] = begin[k], end[k]
                    count += 1
                else:
                    high[count - 1] = max(high[count - 1], end[k])
    return count


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
