"""The ground that eyes see in all directions, sector by sector.

Between two marks on a ray the law of ``sight.law`` decides; where the ray meets the outlines is computed only once.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from tabletop.geometry.fast import kernel, leaf, part
from tabletop.geometry.sight import law as the
from tabletop.geometry.sight.law import Line, Rulings
from tabletop.geometry.sight.obstruction import (
    ByteTable,
    FloatBlock,
    FloatColumn,
    FloatTable,
    IntColumn,
    Obstructions,
)

#: Columns of a hit on a ray: its distance on the middle, right and left ray; the obstruction or hill that is hit;
#: whether the ray leaves it there, and whether the hit before is where it entered.
MIDDLE, RIGHT, LEFT, MET, LEAVES, AFTER = 0, 1, 2, 3, 4, 5
#: Column of the level of a zone between hill edges, after the distances at which the zone begins (middle, right, left).
LEVEL_OF = 3
#: A point this near (table units) to a hill's edge may stand on the edge, so that its zone does not settle its level.
HAIR = 1e-3
#: Columns of a stretch: its eye, the bearings of its right and left side, its near and far ends (middle, right and left
#: each); once finished, near and far end at the right and then at the left instead.
EYE, SIDES, NEAR, FAR, ENDS = 0, 1, 3, 6, slice(3, 7)
#: Returned if there is no room for all stretches.
NO_ROOM = -1
#: Indices into ``lengths``.
WIDTH, HEIGHT, LEAST, STRAIGHT, PAST, NEVER, CLOSELY, NARROWEST = 0, 1, 2, 3, 4, 5, 6, 7
#: Size of the stack of sectors: each cut adds one, and no sector is cut a thousand times.
DEEPEST = 1024


class Eyes(NamedTuple):
    """Eyes ``at`` (n, 2): their levels ``level_of`` (n,), the outlines they stand in ``held`` (n, b), the
    ``bearings`` (n, v) of all vertices from each, and the ``cuts`` between sectors, those of eye i from
    ``first_cut[i]`` on."""

    at: FloatTable
    level_of: IntColumn
    held: ByteTable
    bearings: FloatTable
    cuts: FloatColumn
    first_cut: IntColumn


class Outlines(NamedTuple):
    """Vertices ``points`` (v, 2) of obstructions and hills, the next vertex of each (``after``) and its
    outline (``owner``); ``levels`` of ground, ``closing`` (b,) and ``times`` as in ``ray_marks.Rays``."""

    points: FloatTable
    after: IntColumn
    owner: IntColumn
    levels: IntColumn
    closing: FloatColumn
    times: FloatBlock


class Ray(NamedTuple):
    """The three rays of a sector: the first ``n`` of ``hits`` are where they meet outlines, ``edge`` is the distance
    of the table's edge, the first ``many`` of ``zones`` are the ground between hill edges."""

    hits: Any
    n: int
    edge: Any
    zones: Any
    many: int


class Pairs(NamedTuple):
    """Where the middle ray is inside outlines: ``where`` in pairs (enters, leaves), those of the k-th outline met
    from ``first[k]`` on, its index ``obstruction``, and the ``order`` in which to test them; ``roles`` is work space
    for the law."""

    where: Any
    roles: Any
    first: Any
    obstruction: Any
    order: Any


@leaf
def place(rows: Any, first: int, last: int, one: float, two: float, three: float) -> int:
    """Insert a row among those from first to last, sorted by its first column, after its equals; return its index."""
    k = last
    while k > first and rows[k - 1, 0] > one:
        rows[k, 0], rows[k, 1], rows[k, 2] = rows[k - 1, 0], rows[k - 1, 1], rows[k - 1, 2]
        k -= 1
    rows[k, 0], rows[k, 1], rows[k, 2] = one, two, three
    return k


@leaf
def met(x: float, y: float, u: Any, outlines: Outlines, some: Any, edges: tuple[int, int], hits: Any) -> int:
    """Write where three rays u (3, 2) meet ``edges`` (from, to) of ``some``, per outline in order along the middle
    ray; return how many hits."""
    points, after, owner = outlines.points, outlines.after, outlines.owner
    start, (first, last) = 0, edges
    for n in range(last - first):
        i = some[first + n]
        j = after[i]
        px, py, qx, qy = points[i, 0] - x, points[i, 1] - y, points[j, 0] - x, points[j, 1] - y
        wx, wy = qx - px, qy - py
        over = px * wy - py * wx
        if n == 0 or hits[n - 1, MET] != owner[i]:
            start = n
        for k in range(3):
            one, other = u[k, 0] * px + u[k, 1] * py, u[k, 0] * qx + u[k, 1] * qy
            across = u[k, 0] * wy - u[k, 1] * wx
            where = over / across if across != 0.0 else math.inf
            if not math.isfinite(where):
                where = one
            hits[n, k] = max(min(max(where, min(one, other)), max(one, other)), 0.0)
        hits[n, MET] = owner[i]
        place(hits, start, n, hits[n, MIDDLE], hits[n, RIGHT], hits[n, LEFT])
    return last - first


@leaf
def in_and_out(hits: Any, n: int) -> None:
    """Mark the hits at which a ray leaves an outline, and those of them whose previous hit is where it entered."""
    k = 0
    while k < n:
        m = k
        while m < n and hits[m, MET] == hits[k, MET]:
            m += 1
        for i in range(k, m):
            leaves = (i + m - 2 * k) % 2 == 1
            hits[i, LEAVES], hits[i, AFTER] = leaves, leaves and i > k
        k = m


@leaf
def closed(hits: Any, n: int, closing: Any, o: Obstructions, at_edge: float) -> float:
    """Return the distance along the middle ray at which something blocks it for good."""
    cap = math.inf
    for k in range(n):
        b = int(hits[k, MET])
        shut = hits[k, AFTER] and hits[k, MIDDLE] - hits[k - 1, MIDDLE] > closing[b]
        if shut and (hits[k - 1, MIDDLE] > at_edge or o.see_through[b] == 0.0):
            cap = min(cap, hits[k, MIDDLE])
    return cap


@leaf
def thin_at(hits: Any, n: int, cap: float, t: float, closely: float) -> float:
    """Return where across the sector (-1 to 1) a stretch is exactly as long as the tolerance allows, nan if nowhere."""
    crossing = math.nan
    for side in (RIGHT, LEFT):
        for k in range(n):
            if hits[k, AFTER] and hits[k - 1, MIDDLE] < cap:
                over, aside = hits[k, MIDDLE] - hits[k - 1, MIDDLE] - t, hits[k, side] - hits[k - 1, side] - t
                if over * aside < 0.0 and abs(over) > closely * t and abs(aside) > closely * t:
                    share = min(max(over / (over - aside), 0.02), 0.98)
                    crossing = -share if side == RIGHT else share
    return crossing


@leaf
def zoned(hits: Any, n: int, edge: Any, o: Obstructions, zones: Any, held: Any) -> int:
    """Write the zones between hill edges along a ray: where each begins, its level, and into ``held`` which hills
    contain it; return how many. The table's edge follows after the last."""
    many = 1
    for c in range(4):
        zones[0, c] = 0.0
    for h in range(len(o.hills)):
        held[0, o.hills[h]] = 0
    for k in range(n):
        b = int(hits[k, MET])
        if o.hill[b]:
            if hits[k, LEAVES] and (k == 0 or hits[k - 1, MET] != b):
                held[0, b] = 1
            if hits[k, MIDDLE] <= edge[MIDDLE]:
                z = place(zones, 1, many, hits[k, MIDDLE], hits[k, RIGHT], hits[k, LEFT])
                for later in range(many, z, -1):
                    zones[later, LEVEL_OF] = zones[later - 1, LEVEL_OF]
                zones[z, LEVEL_OF] = b
                many += 1
    for c in range(3):
        zones[many, c] = edge[c]
    for z in range(many):
        passed, level = int(zones[z, LEVEL_OF]), 0
        for h in range(len(o.hills)):
            b = o.hills[h]
            if z > 0:
                held[z, b] = 1 - held[z - 1, b] if b == passed else held[z - 1, b]
            if held[z, b] == 1:
                level = max(level, o.level[b])
        zones[z, LEVEL_OF] = level
    return many


@leaf
def idle(zones: Any, many: int, level: int, a: float, b: float, c: float) -> bool:
    """Return whether the end of a shadow on ground of some level lies, across the whole sector, in one zone of
    another level."""
    z = 0
    while z + 1 < many and zones[z + 1, MIDDLE] <= a:
        z += 1
    if zones[z, LEVEL_OF] == level:
        return False
    within = zones[z, RIGHT] <= b and b <= zones[z + 1, RIGHT]
    return bool(within and zones[z, LEFT] <= c and c <= zones[z + 1, LEFT])


@leaf
def left_first(hits: Any, k: int, n: int, a: float, b: float, c: float) -> bool:
    """Return whether the rays leave the outline entered at hit k for good before the distances a, b and c, one on
    each ray."""
    if k + 1 >= n or hits[k + 1, MET] != hits[k, MET]:
        return False
    if not (a > hits[k + 1, 0] and b > hits[k + 1, 1] and c > hits[k + 1, 2]):
        return False
    goes_on = k + 2 < n and hits[k + 2, MET] == hits[k, MET] and hits[k + 2, MIDDLE] - hits[k + 1, MIDDLE] <= the.JOINT
    return not goes_on


@leaf
def mark(marks: Any, m: int, edge: Any, never: float, a: float, b: float, c: float) -> int:
    """Insert a mark among m, unless it lies past the table's edge on all three rays; return how many there are."""
    if not (a < edge[0] or b < edge[1] or c < edge[2]):
        return m
    place(marks, 0, m, min(a, never), min(b, never), min(c, never))
    return m + 1


@leaf
def marked(
    ray: Ray,
    cap: float,
    level: int,
    o: Obstructions,
    outlines: Outlines,
    limits: tuple[float, float, float],
    marks: Any,
) -> int:
    """Write the marks of three rays in order along the middle, from 0 to the table's edge; return how many.

    ``level``: the eye's. ``limits``: how close to an end counts as at an edge, the distance that stands for never, and
    the crest's reach.
    """
    hits, n, edge, zones, many = ray.hits, ray.n, ray.edge, ray.zones, ray.many
    levels, times = outlines.levels, outlines.times
    at_edge, never, crest = limits
    for c in range(3):
        marks[0, c], marks[1, c] = 0.0, edge[c]
    m, spent_0, spent_1, spent_2 = 2, 0.0, 0.0, 0.0
    for k in range(n):  # woods and hills the eye stands in
        b = int(hits[k, MET])
        deep = o.see_through[b]
        inside = hits[k, LEAVES] == 1.0
        if deep > 0.0 and (k == 0 or hits[k - 1, MET] != b) and (inside or hits[k, MIDDLE] <= at_edge):
            e = k if inside else k + 1
            a0, a1, a2 = (0.0, 0.0, 0.0) if inside else (hits[k, 0], hits[k, 1], hits[k, 2])
            spent_0 += (hits[e, 0] - a0) / deep
            spent_1 += (hits[e, 1] - a1) / deep
            spent_2 += (hits[e, 2] - a2) / deep
            m = mark(marks, m, edge, never, a0 + deep, a1 + deep, a2 + deep)
        if crest > 0.0 and o.hill[b] and inside and (k == 0 or hits[k - 1, MET] != b):
            m = mark(marks, m, edge, never, crest, crest, crest)
    left_0, left_1, left_2 = (
        min(max(1.0 - spent_0, 0.0), 1.0),
        min(max(1.0 - spent_1, 0.0), 1.0),
        min(max(1.0 - spent_2, 0.0), 1.0),
    )
    for k in range(n):
        if hits[k, MIDDLE] > min(cap, edge[0]):
            continue
        b, r0, r1, r2 = int(hits[k, MET]), hits[k, 0], hits[k, 1], hits[k, 2]
        m = mark(marks, m, edge, never, r0, r1, r2)
        for target in range(len(levels)):
            f = times[target, level, b]
            ends = (levels[target] < level) == (hits[k, LEAVES] == 1.0) and f < math.inf
            if ends and not idle(zones, many, levels[target], r0 * f, r1 * f, r2 * f):
                m = mark(marks, m, edge, never, r0 * f, r1 * f, r2 * f)
        deep = o.see_through[b]
        if deep > 0.0 and not hits[k, LEAVES]:
            a0, a1, a2 = r0 + left_0 * deep, r1 + left_1 * deep, r2 + left_2 * deep
            if not left_first(hits, k, n, a0, a1, a2):
                m = mark(marks, m, edge, never, a0, a1, a2)
        up = crest > 0.0 and o.hill[b] and not hits[k, LEAVES]
        if up and not left_first(hits, k, n, r0 + crest, r1 + crest, r2 + crest):
            m = mark(marks, m, edge, never, r0 + crest, r1 + crest, r2 + crest)
    return m


@leaf
def crossed(marks: Any, m: int, cap: float, cosine: float, past: float) -> float:
    """Return where across the sector two marks cross, nan if nowhere."""
    crossing = math.nan
    for side in (RIGHT, LEFT):
        for k in range(m - 1):
            gap, aside = marks[k + 1, MIDDLE] - marks[k, MIDDLE], marks[k + 1, side] - marks[k, side]
            if gap > past and aside < -past and min(marks[k, 0], marks[k, 1], marks[k, 2]) < cap:
                # along a straight line 1 / (distance * cosine) is linear in the tangent: solve for where two lines meet
                at_middle = gap / (marks[k, MIDDLE] * marks[k + 1, MIDDLE])
                at_side = aside / (marks[k, side] * marks[k + 1, side] * cosine)
                share = at_middle / (at_middle - at_side)
                share = min(max(share, 0.02), 0.98) if math.isfinite(share) else 0.5
                crossing = -share if side == RIGHT else share
                break
    return crossing


@leaf
def bend(marks: Any, k: int, cosine: float) -> float:
    """Return how far a mark deviates from the straight chord between its ends on the side rays."""
    a, b = marks[k, RIGHT], marks[k, LEFT]
    chord = 2 * a * b * cosine / (a + b) if a + b > 0.0 else 0.0
    return float(abs(chord - marks[k, MIDDLE]))


@leaf
def in_pairs(hits: Any, n: int, pairs: Pairs) -> int:
    """Write the hits along the middle in pairs, joined, for each outline; return how many outlines there are."""
    where, first, obstruction, order = pairs.where, pairs.first, pairs.obstruction, pairs.order
    count, at, k = 0, 0, 0
    while k < n:
        b, first[count] = int(hits[k, MET]), at
        if hits[k, LEAVES]:  # the eye is inside it, or on its edge
            where[at] = -1.0
            at += 1
        while k < n and hits[k, MET] == b:
            where[at] = hits[k, MIDDLE]
            at, k = at + 1, k + 1
        the.join(where, first[count], at)
        obstruction[count] = b
        order[count] = count
        count += 1
    first[count] = at
    return count


@part
def edges_of_rays(bearings: Any, after: Any, middles: Any) -> tuple[Any, Any]:
    """Return the edges that rays from one eye meet, ray after ray, and where those of each ray begin.

    A ray exactly through a corner counts the corner with one side only, so that it enters a ring as often as it leaves
    it.
    """
    n, many = len(middles), np.zeros(len(middles) + 1, np.int64)
    spans = np.empty((len(bearings), 2, 2), np.int64)
    for e in range(len(bearings)):
        start, end = bearings[e], bearings[after[e]]
        turn = (end - start + math.pi) % (2.0 * math.pi) - math.pi
        low, high = (start, end) if turn > 0.0 else (end, start)
        first, last = np.searchsorted(middles, low), np.searchsorted(middles, high)
        spans[e, 0, 0], spans[e, 0, 1] = first, n if low > high else last  # bearings wrap around due west
        spans[e, 1, 0], spans[e, 1, 1] = 0, last if low > high else 0
        for k in range(2):
            for s in range(spans[e, k, 0], spans[e, k, 1]):
                many[s + 1] += 1
    first_of = np.cumsum(many)
    edges, at = np.empty(first_of[n], np.int64), first_of.copy()
    for e in range(len(bearings)):
        for k in range(2):
            for s in range(spans[e, k, 0], spans[e, k, 1]):
                edges[at[s]] = e
                at[s] += 1
    return edges, first_of


@leaf
def aim(x: float, y: float, sector: Any, wide: float, high: float, u: Any, edge: Any) -> None:
    """Write the directions u (3, 2) of the middle and the sides of a sector, and the distances of the table's edge."""
    mx, my = sector[2] + sector[4], sector[3] + sector[5]
    length = math.hypot(mx, my)
    u[MIDDLE, 0], u[MIDDLE, 1] = mx / length, my / length
    u[RIGHT, 0], u[RIGHT, 1], u[LEFT, 0], u[LEFT, 1] = sector[2], sector[3], sector[4], sector[5]
    for k in range(3):
        ux, uy = u[k, 0], u[k, 1]
        to_x = (wide - x) / ux if ux > 0.0 else (-x / ux if ux < 0.0 else math.inf)
        to_y = (high - y) / uy if uy > 0.0 else (-y / uy if uy < 0.0 else math.inf)
        edge[k] = max(min(to_x, to_y), 0.0)


@leaf
def clear_to(line: Line, pairs: Pairs, groups: int, o: Obstructions, at_eye: Any, at_end: Any, law: Rulings) -> bool:
    """Return whether the line from the eye to a point of the ray is clear of the ``groups`` outlines met."""
    where, roles, first_of, met_at, order = pairs.where, pairs.roles, pairs.first, pairs.obstruction, pairs.order
    woods, crest = 0.0, 0.0
    for n in range(groups):
        g = order[n]
        if where[first_of[g]] < line.length:
            b, places = met_at[g], (first_of[g], first_of[g + 1])
            held = (bool(at_eye[b]), bool(at_end[b]))
            done = the.effect(o, b, (where, roles), places, line, held, law)
            woods += done.woods
            crest += done.crest
            if done.hides:  # it may hide the next point too: test it first
                order[n], order[0] = order[0], g
                return False
    return not the.over(woods, law.budget, law) and not the.over(crest, law.crest, law)


@leaf
def parted(stack: Any, depth: int, share: float) -> int:
    """Split the sector at ``depth`` at a share across it (-1 to 1) and push both parts, the right one on top; return
    the new depth."""
    right, left = stack[depth, 0], stack[depth, 1]
    cut = (right + left) / 2 + math.atan(share * math.tan((left - right) / 2))
    for c in range(6):
        stack[depth + 1, c] = stack[depth, c]
    stack[depth, 0] = stack[depth + 1, 1] = cut
    stack[depth, 2] = stack[depth + 1, 4] = math.cos(cut)
    stack[depth, 3] = stack[depth + 1, 5] = math.sin(cut)
    return depth + 2


@leaf
def finished(found: Any, first: int, last: int, rough: bool) -> int:
    """Rewrite stretches to their ends at both sides; return where the list ends. ``rough``: a boundary is not
    straight, so keep only what all three rays show."""
    n = first
    for k in range(first, last):
        near, far = found[k, NEAR : NEAR + 3], found[k, FAR : FAR + 3]
        a, b, c, d = near[RIGHT], max(near[RIGHT], far[RIGHT]), near[LEFT], max(near[LEFT], far[LEFT])
        if rough:  # where near and far end meet at a side, rounding may swap them
            a = c = max(near[MIDDLE], a, c)
            b = d = min(max(near[MIDDLE], far[MIDDLE]), b, d)
        if a <= b and c <= d:
            found[n, 0], found[n, 1], found[n, 2] = found[k, 0], found[k, 1], found[k, 2]
            found[n, 3], found[n, 4], found[n, 5], found[n, 6] = a, b, c, d
            n += 1
    return n


@kernel(
    "int64(Eyes, Obstructions, Outlines, float64[::1], Rulings, float64[:, ::1])",
    Eyes=Eyes,
    Outlines=Outlines,
    Obstructions=Obstructions,
    Rulings=Rulings,
)
def seen(eyes: Eyes, o: Obstructions, outlines: Outlines, lengths: Any, law: Rulings, found: Any) -> int:
    """Write the stretches of ground that eyes see into ``found`` (k, 10), by eye, bearing and distance; return how
    many, or ``NO_ROOM``. ``lengths``: the table's width and height and the small lengths indexed above."""
    points, levels, cuts, first_cut = outlines.points, outlines.levels, eyes.cuts, eyes.first_cut
    t, at_edge, wide, high, count = law.t, law.at_edge, lengths[WIDTH], lengths[HEIGHT], 0
    u, edge, stack = np.empty((3, 2)), np.empty(3), np.empty((DEEPEST, 6))
    hits, where = np.empty((len(points) + 1, 6)), np.empty(2 * len(points) + 1)
    roles = np.empty(len(where), np.int64)
    at_q = np.zeros(len(o.level), np.uint8)
    zones, held_in = np.empty((len(points) + 2, 4)), np.zeros((len(points) + 1, len(o.level)), np.uint8)
    marks = np.empty((len(points) * (3 + len(levels)) + 2, 3))
    size = len(o.level)
    by_outline = np.empty(size + 1, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    pairs = Pairs(where, roles, by_outline[0], by_outline[1], by_outline[2])
    limits = at_edge, lengths[NEVER], the.crest_reach(law)
    for i in range(len(eyes.at)):
        x, y, level, mine = eyes.at[i, 0], eyes.at[i, 1], eyes.level_of[i], cuts[first_cut[i] : first_cut[i + 1]]
        at_p = eyes.held[i]
        ways = np.stack((np.cos(mine), np.sin(mine)), axis=1)
        edges, first_edge = edges_of_rays(eyes.bearings[i], outlines.after, (mine[1:] + mine[:-1]) / 2)
        for s in range(len(mine) - 1):
            for c in range(2):
                stack[0, c], stack[0, 2 + 2 * c], stack[0, 3 + 2 * c] = mine[s + c], ways[s + c, 0], ways[s + c, 1]
            depth = 1
            while depth:
                depth -= 1
                right, left, begun, last = stack[depth, 0], stack[depth, 1], count, 0
                aim(x, y, stack[depth], wide, high, u, edge)
                n = met(x, y, u, outlines, edges, (first_edge[s], first_edge[s + 1]), hits)
                in_and_out(hits, n)
                cap = closed(hits, n, outlines.closing, o, at_edge)
                thin = thin_at(hits, n, cap, t, lengths[CLOSELY])
                many = zoned(hits, n, edge, o, zones, held_in)
                m = marked(Ray(hits, n, edge, zones, many), cap, level, o, outlines, limits, marks)
                cap, bent, zone = min(cap, edge[MIDDLE]), False, 0
                cosine = u[MIDDLE, 0] * u[RIGHT, 0] + u[MIDDLE, 1] * u[RIGHT, 1]  # of half the sector's angle
                share = thin if math.isfinite(thin) else crossed(marks, m, cap, cosine, lengths[PAST])
                if math.isfinite(share) and left - right > lengths[NARROWEST]:
                    depth = parted(stack, depth, share)
                    continue
                groups = in_pairs(hits, n, pairs)
                for k in range(m - 1):
                    if marks[k, MIDDLE] >= cap:
                        break
                    if not marks[k + 1, MIDDLE] - marks[k, MIDDLE] > lengths[LEAST]:
                        continue
                    at = (marks[k, MIDDLE] + marks[k + 1, MIDDLE]) / 2
                    while zone + 1 < many and zones[zone + 1, MIDDLE] <= at:
                        zone += 1
                    if marks[k + 1, MIDDLE] - marks[k, MIDDLE] < HAIR:
                        held_q = at_q
                        level_q = the.standing(o, x + at * u[0, 0], y + at * u[0, 1], at_q)
                    else:
                        level_q, held_q = int(zones[zone, LEVEL_OF]), held_in[zone]
                    line = Line(x, y, u[0, 0], u[0, 1], at, level, level_q)
                    if not clear_to(line, pairs, groups, o, at_p, held_q, law):
                        continue
                    if count == begun or marks[k, MIDDLE] - marks[last, MIDDLE] > lengths[LEAST]:
                        bent = bent or (count > begun and bend(marks, last, cosine) > lengths[STRAIGHT])
                        bent = bent or bend(marks, k, cosine) > lengths[STRAIGHT]
                        if count == len(found):
                            return NO_ROOM
                        found[count, 0], found[count, 1], found[count, 2] = i, right, left
                        for c in range(3):
                            found[count, NEAR + c] = marks[k, c]
                        count += 1
                    last = k + 1
                    for c in range(3):
                        found[count - 1, FAR + c] = marks[last, c]
                bent = bent or (count > begun and bend(marks, last, cosine) > lengths[STRAIGHT])
                if bent and math.isnan(share) and left - right > lengths[NARROWEST]:
                    count, depth = begun, parted(stack, depth, 0.0)
                else:
                    count = finished(found, begun, count, bent or math.isfinite(share))
    return count
