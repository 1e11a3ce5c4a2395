"""The union of areas from the edges of their rings, in integers, by snap rounding.

Every crossing becomes a point, rounded to integers, and an edge that comes within half a unit of a point, in x and in
y, is routed through it. Afterwards edges meet at points only, even those that overlapped before. Then the kernel counts
how often each side of an edge is covered: edges covered on one side only are the outline. Products of two differences
fit into 64 bits as long as coordinates lie between 0 and ``MOST``.
"""

from typing import Any, NamedTuple

import numpy as np

from tabletop.geometry.fast import kernel, leaf, part

#: Coordinates are integers from 0 up to less than this.
MOST = 2**30
#: Cells of the grid each way: this times the square root of the number of edges.
CELLS = 2.0
#: Rings thinner than this on average (units) are rounding.
THIN = 2.0


class Edges(NamedTuple):
    """Points ``xs``, ``ys`` (n,) and the edges between them, from point ``us`` to point ``vs`` (m,); ``net`` (m,)
    counts an edge's occurrences less those of its reverse."""

    xs: Any
    ys: Any
    us: Any
    vs: Any
    net: Any


class Tally(NamedTuple):
    """Room for edges while they are counted: from, to, net count, and the slots of a hash table of them."""

    us: Any
    vs: Any
    net: Any
    pairs: Any


class Groups(NamedTuple):
    """Indices by group: those of group k are ``listed[first[k] : first[k + 1]]``."""

    first: Any
    listed: Any


class Around(NamedTuple):
    """The edge ends around each point in counter-clockwise order: those of point p from ``first[p]`` on in ``ends``
    (twice the index of the edge, plus one at the end it goes to), and the ``place`` of each in that list."""

    first: Any
    ends: Any
    place: Any


@leaf
def slot_of(x: int, y: int, slots: Any, xs: Any, ys: Any) -> int:
    """Return the slot of a pair of integers in a hash table with these ``slots``, or the empty slot where it
    belongs."""
    mask = len(slots) - 1
    h = (x * 73856093) ^ (y * 19349663)
    h ^= h >> 29
    h = (h ^ (h >> 13)) & mask
    while slots[h] >= 0 and (xs[slots[h]] != x or ys[slots[h]] != y):
        h = (h + 1) & mask
    return int(h)


@part
def slots_for(n: int) -> Any:
    """Return the empty slots of a hash table for n pairs."""
    size = 16
    while size < 2 * n:
        size *= 2
    return np.full(size, -1, np.int64)


@leaf
def side(ax: int, ay: int, bx: int, by: int, x: int, y: int) -> int:
    """Return twice the signed area of a triangle: positive if the third corner lies to the left."""
    return int((bx - ax) * (y - ay) - (by - ay) * (x - ax))


@part
def tally_for(n: int) -> Tally:
    """Return room to count n edges."""
    return Tally(np.empty(n, np.int64), np.empty(n, np.int64), np.zeros(n, np.int64), slots_for(n))


@part
def counted_edges(tally: Tally, edges: int) -> tuple[Any, Any, Any]:
    """Return the counted edges that do not cancel out: from which point, to which, and their net count."""
    us, vs, net, kept = tally.us, tally.vs, tally.net, 0
    for k in range(edges):
        if net[k] != 0:
            us[kept], vs[kept], net[kept] = us[k], vs[k], net[k]
            kept += 1
    return us[:kept], vs[:kept], net[:kept]


@part
def numbered(starts: Any, ends: Any) -> Edges:
    """Return all distinct points, and the edges between them that do not cancel out."""
    n = len(starts)
    xs, ys, count, slots = np.empty(2 * n, np.int64), np.empty(2 * n, np.int64), 0, slots_for(2 * n)
    tally, edges = tally_for(n), 0
    for k in range(n):
        u, v = 0, 0
        for end in range(2):
            x, y = (starts[k, 0], starts[k, 1]) if end == 0 else (ends[k, 0], ends[k, 1])
            h = slot_of(x, y, slots, xs, ys)
            if slots[h] < 0:
                slots[h], xs[count], ys[count] = count, x, y
                count += 1
            if end == 0:
                u = slots[h]
            else:
                v = slots[h]
        if u != v:
            edges = counted(tally, edges, u, v, 1)
    us, vs, net = counted_edges(tally, edges)
    return Edges(xs[:count], ys[:count], us, vs, net)


@leaf
def counted(tally: Tally, edges: int, u: int, v: int, times: int) -> int:
    """Count an edge from u to v ``times`` times, given ``edges`` distinct edges so far; return how many there are
    now."""
    us, vs, net, pairs = tally.us, tally.vs, tally.net, tally.pairs
    low, high = min(u, v), max(u, v)
    h = slot_of(low, high, pairs, us, vs)
    if pairs[h] < 0:
        pairs[h], us[edges], vs[edges], net[edges] = edges, low, high, 0
        edges += 1
    net[pairs[h]] += times if u < v else -times
    return edges


@part
def in_cells(e: Edges, size: int, across: int) -> tuple[Groups, Groups]:
    """Return the edges in each cell, and the cells of each edge."""
    xs, ys, us, vs = e.xs, e.ys, e.us, e.vs
    n, many, pad = len(us), 0, 2
    cell, first_cell = np.empty(8 * n + 64, np.int64), np.zeros(n + 1, np.int64)
    for k in range(n):
        ax, ay, bx, by = xs[us[k]], ys[us[k]], xs[vs[k]], ys[vs[k]]
        if ax > bx:
            ax, ay, bx, by = bx, by, ax, ay
        slope = (by - ay) / (bx - ax) if bx > ax else 0.0
        for column in range(max(ax - pad, 0) // size, min((bx + pad) // size, across - 1) + 1):
            west, east = max(ax, column * size - pad), min(bx, (column + 1) * size + pad)
            one = ay if bx == ax else ay + slope * (west - ax)
            other = by if bx == ax else ay + slope * (east - ax)
            low, high = int(max(min(one, other) - pad, 0.0)) // size, int(max(one, other) + pad) // size
            high = min(high, across - 1)
            if many + high - low + 1 > len(cell):
                more = np.empty(2 * len(cell) + across, np.int64)
                more[:many] = cell[:many]
                cell = more
            for row in range(low, high + 1):
                cell[many] = column * across + row
                many += 1
        first_cell[k + 1] = many
    first = np.zeros(across * across + 1, np.int64)
    for k in range(many):
        first[cell[k] + 1] += 1
    for k in range(across * across):
        first[k + 1] += first[k]
    listed, fill = np.empty(many, np.int64), first[:-1].copy()
    for k in range(n):
        for c in range(first_cell[k], first_cell[k + 1]):
            listed[fill[cell[c]]] = k
            fill[cell[c]] += 1
    return Groups(first, listed), Groups(first_cell, cell)


@part
def crossings(e: Edges, in_cell: Groups) -> tuple[Any, int]:
    """Return the rounded points where edges cross in their interiors, some more than once, and how many there are."""
    xs, ys, us, vs, first, listed = e.xs, e.ys, e.us, e.vs, in_cell.first, in_cell.listed
    points, count, n = np.empty((len(us) + 64, 2), np.int64), 0, len(us)
    box = np.empty((n, 4), np.int64)
    for k in range(n):
        ax, ay, bx, by = xs[us[k]], ys[us[k]], xs[vs[k]], ys[vs[k]]
        box[k, 0], box[k, 1], box[k, 2], box[k, 3] = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)
    for c in range(len(first) - 1):
        for one in range(first[c], first[c + 1]):
            i = listed[one]
            ax, ay, bx, by = xs[us[i]], ys[us[i]], xs[vs[i]], ys[vs[i]]
            for other in range(one + 1, first[c + 1]):
                j = listed[other]
                if box[i, 0] > box[j, 1] or box[j, 0] > box[i, 1] or box[i, 2] > box[j, 3] or box[j, 2] > box[i, 3]:
                    continue
                cx, cy, dx, dy = xs[us[j]], ys[us[j]], xs[vs[j]], ys[vs[j]]
                to_c, to_d = side(ax, ay, bx, by, cx, cy), side(ax, ay, bx, by, dx, dy)
                if not ((to_c > 0 and to_d < 0) or (to_c < 0 and to_d > 0)):
                    continue
                to_a, to_b = side(cx, cy, dx, dy, ax, ay), side(cx, cy, dx, dy, bx, by)
                if not ((to_a > 0 and to_b < 0) or (to_a < 0 and to_b > 0)):
                    continue
                share = float(to_a) / (float(to_a) - float(to_b))
                if count == len(points):
                    more = np.empty((2 * count, 2), np.int64)
                    more[:count] = points
                    points = more
                points[count, 0] = int(np.floor(ax + share * (bx - ax) + 0.5))
                points[count, 1] = int(np.floor(ay + share * (by - ay) + 0.5))
                count += 1
    return points, count


@part
def with_crossings(xs: Any, ys: Any, points: Any, met: int) -> tuple[Any, Any]:
    """Return all distinct points: those of the edges first, then those at which edges cross."""
    n = len(xs)
    all_x, all_y, slots, count = np.empty(n + met, np.int64), np.empty(n + met, np.int64), slots_for(n + met), 0
    for k in range(n + met):
        x, y = (xs[k], ys[k]) if k < n else (points[k - n, 0], points[k - n, 1])
        h = slot_of(x, y, slots, all_x, all_y)
        if slots[h] < 0:
            slots[h], all_x[count], all_y[count] = count, x, y
            count += 1
    return all_x[:count], all_y[:count]


@part
def in_each(xs: Any, ys: Any, size: int, across: int) -> Groups:
    """Return the points in each cell."""
    first, listed, count = np.zeros(across * across + 1, np.int64), np.empty(len(xs), np.int64), len(xs)
    for k in range(count):
        first[xs[k] // size * across + ys[k] // size + 1] += 1
    for k in range(across * across):
        first[k + 1] += first[k]
    fill = first[:-1].copy()
    for k in range(count):
        c = xs[k] // size * across + ys[k] // size
        listed[fill[c]] = k
        fill[c] += 1
    return Groups(first, listed)


@part
def touched(e: Edges, points: Groups, cells: Groups) -> Groups:
    """Return the points that each edge touches, in order along it and its end last, looking only into the cells it
    passes.

    An edge touches a point that it passes within half a unit in x and in y.
    """
    xs, ys, us, vs, first, listed = e.xs, e.ys, e.us, e.vs, points.first, points.listed
    first_cell, cell = cells.first, cells.listed
    n, many = len(us), 0
    touching, along, begins = np.empty(2 * n + 64, np.int64), np.empty(2 * n + 64, np.int64), np.zeros(n + 1, np.int64)
    places = np.empty((len(xs), 2), np.int64)
    for k in range(len(xs)):
        places[k, 0], places[k, 1] = xs[listed[k]], ys[listed[k]]
    for k in range(n):
        u, v = us[k], vs[k]
        ax, ay, bx, by = xs[u], ys[u], xs[v], ys[v]
        wide, high = bx - ax, by - ay
        west, east, south, north, most = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by), abs(wide) + abs(high)
        for c in range(first_cell[k], first_cell[k + 1]):
            for place in range(first[cell[c]], first[cell[c] + 1]):
                x, y = places[place, 0], places[place, 1]
                if x < west or x > east or y < south or y > north:
                    continue
                if 2 * abs(wide * (y - ay) - high * (x - ax)) > most:
                    continue
                p = listed[place]
                if p in (u, v):
                    continue
                if many + 2 > len(touching):
                    more, longer = np.empty(2 * len(touching), np.int64), np.empty(2 * len(touching), np.int64)
                    more[:many], longer[:many] = touching[:many], along[:many]
                    touching, along = more, longer
                far, at = wide * (x - ax) + high * (y - ay), many
                while at > begins[k] and along[at - 1] > far:
                    touching[at], along[at] = touching[at - 1], along[at - 1]
                    at -= 1
                touching[at], along[at] = p, far
                many += 1
        if many + 2 > len(touching):
            more, longer = np.empty(2 * len(touching), np.int64), np.empty(2 * len(touching), np.int64)
            more[:many], longer[:many] = touching[:many], along[:many]
            touching, along = more, longer
        touching[many], along[many] = v, 0
        many += 1
        begins[k + 1] = many
    return Groups(begins, touching)


@part
def led_through(us: Any, net: Any, on: Groups) -> tuple[Any, Any, Any]:
    """Return the edges routed through the points ``on`` them: from which point, to which, net count; none twice."""
    tally, edges = tally_for(on.first[len(us)]), 0
    for k in range(len(us)):
        p = us[k]
        for step in range(on.first[k], on.first[k + 1]):
            edges = counted(tally, edges, p, on.listed[step], net[k])
            p = on.listed[step]
    return counted_edges(tally, edges)


@leaf
def before(dx: int, dy: int, ex: int, ey: int) -> bool:
    """Return whether a direction comes before another counter-clockwise, starting after straight down, which is
    last."""
    back, second_back = not (dx > 0 or (dx == 0 and dy > 0)), not (ex > 0 or (ex == 0 and ey > 0))
    if back != second_back:
        return second_back
    return bool(dx * ey - dy * ex > 0)


@part
def around(e: Edges) -> Around:
    """Return the edge ends around each point."""
    xs, ys, us, vs = e.xs, e.ys, e.us, e.vs
    first, n = np.zeros(len(xs) + 1, np.int64), len(us)
    for k in range(n):
        first[us[k] + 1] += 1
        first[vs[k] + 1] += 1
    for k in range(len(xs)):
        first[k + 1] += first[k]
    ends, place, fill = np.empty(2 * n, np.int64), np.empty(2 * n, np.int64), first[:-1].copy()
    for h in range(2 * n):
        p, q = (us[h // 2], vs[h // 2]) if h % 2 == 0 else (vs[h // 2], us[h // 2])
        at, dx, dy = fill[p], xs[q] - xs[p], ys[q] - ys[p]
        while at > first[p]:
            g = ends[at - 1]
            r = vs[g // 2] if g % 2 == 0 else us[g // 2]
            if not before(dx, dy, xs[r] - xs[p], ys[r] - ys[p]):
                break
            ends[at] = g
            at -= 1
        ends[at] = h
        fill[p] += 1
    for k in range(2 * n):
        place[ends[k]] = k
    return Around(first, ends, place)


@leaf
def beside(e: Edges, p: int) -> int:
    """Return how often the ground just to the left (west) of a point is covered, from the edges farther west."""
    xs, ys, us, vs, net = e.xs, e.ys, e.us, e.vs, e.net
    x, y, covered = xs[p], ys[p], 0
    for k in range(len(us)):
        ay, by = ys[us[k]], ys[vs[k]]
        if (ay <= y) != (by <= y) and min(xs[us[k]], xs[vs[k]]) <= x:
            turn = side(xs[us[k]], ay, xs[vs[k]], by, x, y)
            if by > ay:
                if turn < 0:
                    covered -= net[k]
            elif turn > 0:
                covered += net[k]
    return int(covered)


@part
def covered(edges: Edges, about: Around) -> tuple[Any, bool]:
    """Return how often the left side of each edge is covered, and whether all counts agree."""
    xs, ys, us, vs, net, first, ends = edges.xs, edges.ys, edges.us, edges.vs, edges.net, about.first, about.ends
    left, known = np.zeros(len(us), np.int64), np.zeros(len(us), np.bool_)
    seen, walked = np.zeros(len(xs), np.bool_), np.zeros(len(xs), np.bool_)
    waiting = np.empty(2 * len(us) + 1, np.int64)
    for start in range(len(xs)):
        if seen[start] or first[start] == first[start + 1]:
            continue
        most, lowest = 1, start
        waiting[0], seen[start] = start, True
        while most:
            most -= 1
            p = waiting[most]
            if xs[p] < xs[lowest] or (xs[p] == xs[lowest] and ys[p] < ys[lowest]):
                lowest = p
            for k in range(first[p], first[p + 1]):
                h = ends[k]
                q = vs[h // 2] if h % 2 == 0 else us[h // 2]
                if not seen[q]:
                    seen[q] = True
                    waiting[most] = q
                    most += 1
        waiting[0], walked[lowest], most = lowest, True, 1
        begin, now = first[lowest], beside(edges, lowest)
        while most:
            most -= 1
            p = waiting[most]
            low, many = first[p], first[p + 1] - first[p]
            if p != lowest:
                begin = low
                while not known[ends[begin] // 2]:
                    begin += 1
                h = ends[begin]
                now = left[h // 2] - (net[h // 2] if h % 2 == 0 else 0)
            for step in range(many):
                h = ends[low + (begin - low + step) % many]
                e, right = h // 2, now
                now += net[e] if h % 2 == 0 else -net[e]
                value = now if h % 2 == 0 else right
                if known[e] and left[e] != value:
                    return left, False
                left[e], known[e] = value, True
                q = vs[e] if h % 2 == 0 else us[e]
                if not walked[q]:
                    walked[q] = True
                    waiting[most] = q
                    most += 1
            h = ends[begin]
            if now != (left[h // 2] - (net[h // 2] if h % 2 == 0 else 0)):
                return left, False
    return left, True


@part
def outlines(edges: Edges, left: Any, about: Around) -> tuple[Groups, int]:
    """Return the rings around the covered ground, keeping it to their left, as lists of points; and how many rings
    there are, -1 if that is in doubt."""
    xs, us, vs, net, first, ends, place = (
        edges.xs,
        edges.us,
        edges.vs,
        edges.net,
        about.first,
        about.ends,
        about.place,
    )
    n = len(us)
    bounds, used = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    for e in range(n):
        bounds[e] = (left[e] > 0) != (left[e] - net[e] > 0)
    ring, begins, count, rings = np.empty(n, np.int64), np.zeros(n + 1, np.int64), 0, 0
    chain, at = np.empty(n + 1, np.int64), np.full(len(xs), -1, np.int64)
    for e in range(n):
        if not bounds[e] or used[e]:
            continue
        h, length = 2 * e + (left[e] <= 0), 0
        while not used[h // 2]:
            used[h // 2] = True
            p, q = (us[h // 2], vs[h // 2]) if h % 2 == 0 else (vs[h // 2], us[h // 2])
            at[p], chain[length] = length, p
            length += 1
            if at[q] >= 0:  # the chain has closed on itself: that is a ring of its own
                for k in range(at[q], length):
                    ring[count] = chain[k]
                    count += 1
                    if k > at[q]:
                        at[chain[k]] = -1
                rings += 1
                begins[rings] = count
                length = at[q]
                at[q] = -1
            low, many, k = first[q], first[q + 1] - first[q], place[h ^ 1]
            for _ in range(many):
                k = low + (k - low + many - 1) % many
                if bounds[ends[k] // 2]:
                    break
            h = ends[k]
            if (h % 2 == 0) != (left[h // 2] > 0):
                return Groups(begins, ring), -1
        if length:
            return Groups(begins, ring), -1
    return Groups(begins, ring), rings


@part
def corners_of(xs: Any, ys: Any, ring: Any, low: int, high: int, out: Any, count: int) -> int:
    """Write the corners of a ring, except those straight between their neighbours; return how many are written so far.

    Writes nothing of a ring so thin that it is only rounding.
    """
    begin, area, length = count, 0.0, 0.0
    for k in range(low, high):
        p, q, r = ring[k - 1 if k > low else high - 1], ring[k], ring[k + 1 if k + 1 < high else low]
        ax, ay = float(xs[q] - xs[ring[low]]), float(ys[q] - ys[ring[low]])
        bx, by = float(xs[r] - xs[ring[low]]), float(ys[r] - ys[ring[low]])
        area += ax * by - ay * bx
        length += np.hypot(bx - ax, by - ay)
        if side(xs[p], ys[p], xs[q], ys[q], xs[r], ys[r]) != 0:
            out[count, 0], out[count, 1] = xs[q], ys[q]
            count += 1
    return begin if count - begin < 3 or abs(area) <= THIN * length else count


@leaf
def turns_left(out: Any, low: int, high: int) -> bool:
    """Return whether a ring runs counter-clockwise, judged at its westernmost corner."""
    best = low
    for k in range(low, high):
        if out[k, 0] < out[best, 0] or (out[k, 0] == out[best, 0] and out[k, 1] < out[best, 1]):
            best = k
    p, r = best - 1 if best > low else high - 1, best + 1 if best + 1 < high else low
    return side(out[p, 0], out[p, 1], out[best, 0], out[best, 1], out[r, 0], out[r, 1]) > 0


@leaf
def within(out: Any, low: int, high: int, x: float, y: float) -> int:
    """Return 1 if a ring encloses a point on no edge of it, 0 if not, -1 if rounding leaves that open."""
    inside = 0
    for k in range(low, high):
        j = k + 1 if k + 1 < high else low
        ax, ay, bx, by = float(out[k, 0]), float(out[k, 1]), float(out[j, 0]), float(out[j, 1])
        if (ay <= y) == (by <= y):
            continue
        one, other = (bx - ax) * (y - ay), (by - ay) * (x - ax)
        if abs(one - other) <= 1e-15 * (abs(one) + abs(other)):
            return -1
        if (one - other > 0.0) == (by > ay):  # the point lies west of the edge
            inside = 1 - inside
    return inside


@kernel("Tuple((int64[:, ::1], int64[::1], int64[::1], int64))(int64[:, ::1], int64[:, ::1])")
def union(starts: Any, ends: Any) -> tuple[Any, Any, Any, int]:
    """Return the rings around everything that edges from ``starts`` (n, 2) to ``ends`` (n, 2) have more often on their
    left than on their right: corners (m, 2), where each ring begins (r + 1,), and for each hole the index of the ring
    it lies in, -1 for outer rings (r,). The last value is 1, and all else void, if that is in doubt.

    Edges are those of closed rings, in integers from 0 to less than ``MOST``, in any order.
    """
    none, nothing = np.empty((0, 2), np.int64), np.zeros(1, np.int64)
    e = numbered(starts, ends)
    across = max(4, int(CELLS * np.sqrt(len(e.us))))
    most = 1
    for k in range(len(e.xs)):
        most = max(most, e.xs[k] + 1, e.ys[k] + 1)
    size = most // across + 1
    in_cell, of_edge = in_cells(e, size, across)
    points, met = crossings(e, in_cell)
    xs, ys = with_crossings(e.xs, e.ys, points, met)
    e = Edges(xs, ys, e.us, e.vs, e.net)
    us, vs, net = led_through(e.us, e.net, touched(e, in_each(xs, ys, size, across), of_edge))
    e = Edges(xs, ys, us, vs, net)
    about = around(e)
    left, sure = covered(e, about)
    if not sure:
        return none, nothing, nothing, 1
    ring, rings = outlines(e, left, about)
    if rings < 0:
        return none, nothing, nothing, 1
    begins = ring.first
    out, first_of, kept, m = np.empty((max(begins[rings], 1), 2), np.int64), np.zeros(rings + 1, np.int64), 0, 0
    for r in range(rings):
        n = corners_of(xs, ys, ring.listed, begins[r], begins[r + 1], out, m)
        if n > m:
            kept += 1
            m = n
            first_of[kept] = m
    owner, size_of = np.full(kept, -1, np.int64), np.zeros(kept)
    for r in range(kept):
        low, high = first_of[r], first_of[r + 1]
        if turns_left(out, low, high):
            for k in range(low + 1, high - 1):
                size_of[r] += side(out[low, 0], out[low, 1], out[k, 0], out[k, 1], out[k + 1, 0], out[k + 1, 1])
    for r in range(kept):
        if size_of[r] == 0.0:
            x, y = (
                (out[first_of[r], 0] + out[first_of[r] + 1, 0]) / 2,
                (out[first_of[r], 1] + out[first_of[r] + 1, 1]) / 2,
            )
            for s in range(kept):
                if size_of[s] > 0.0 and (owner[r] < 0 or size_of[s] < size_of[owner[r]]):
                    inside = within(out, first_of[s], first_of[s + 1], x, y)
                    if inside < 0:
                        return none, nothing, nothing, 1
                    if inside:
                        owner[r] = s
            if owner[r] < 0:
                return none, nothing, nothing, 1
    return out[:m], first_of[: kept + 1], owner, 0
