"""Combine what many eyes see: choose the views and stretches that show something new, and outline all that is chosen.

Stretches are sorted by eye, bearing and distance. A bearing is represented by its ``turn``: a monotone stand-in for the
angle that runs from -2 in the west once around to 2 and needs no arc tangent.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from tabletop.geometry.fast import kernel, leaf
from tabletop.geometry.sight.obstruction import FloatColumn, FloatTable, IntColumn

#: Corners of a stretch: near and far at the right, far and near at the left.
NEAR_RIGHT, FAR_RIGHT, FAR_LEFT, NEAR_LEFT = 0, 1, 2, 3
#: Number of sample points in lesser stretches.
FEW = 6
#: Sectors of the full circle in the index of where to begin a search.
PARTS = 256
#: Indices into ``least``.
VIEW, STRETCH, LEAST, GREAT = 0, 1, 2, 3


class Views(NamedTuple):
    """The stretches that ``eyes`` (n, 2) see: the eye ``whose`` (k,) each is, those of eye i from ``first[i]`` (n +
    1,) on; the bearings of their ``right`` and ``left`` sides (k,), and ``ends`` (k, 4), near and far at the right
    and the left."""

    eyes: FloatTable
    whose: IntColumn
    first: IntColumn
    right: FloatColumn
    left: FloatColumn
    ends: FloatTable


class Shapes(NamedTuple):
    """Stretches as quadrangles: the ``turns`` of their sides (k, 2), their ``corners`` (k, 4, 2) and whether they
    are ``taken``; ``starts`` (n, PARTS + 2): the first stretch of each eye and, by sector, where to begin a search."""

    turns: Any
    corners: Any
    starts: Any
    taken: Any


class Samples(NamedTuple):
    """Sample points of stretches: the ``shares`` of the corners, where the samples of each stretch begin, and which
    are still ``unseen`` by every view taken so far."""

    shares: Any
    begins: Any
    unseen: Any


class Outline(NamedTuple):
    """Room for the outline of what one eye sees: the ``node`` of each corner, the positions of nodes, and the edges
    between nodes."""

    node: Any
    at: Any
    edges: Any


@leaf
def turn_to(x: float, y: float) -> float:
    """Return the turn of a direction (x, y)."""
    whole = abs(x) + abs(y)
    share = y / whole if whole > 0.0 else 0.0
    if x >= 0.0:
        return share
    return 2.0 - share if y >= 0.0 else -2.0 - share


@leaf
def left_of(corners: Any, k: int, a: int, b: int, x: float, y: float) -> bool:
    """Return whether a point lies to the left of the line between two corners of a stretch, or on it."""
    ax, ay, bx, by = corners[k, a, 0], corners[k, a, 1], corners[k, b, 0], corners[k, b, 1]
    return bool((bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0.0)


@leaf
def shows(x: float, y: float, seen: Views, i: int, made: Shapes) -> bool:
    """Return whether a point lies in one of the stretches taken of eye i."""
    turns, corners, taken, starts, last = made.turns, made.corners, made.taken, made.starts[i], seen.first[i + 1]
    turn = turn_to(x - seen.eyes[i, 0], y - seen.eyes[i, 1])
    k = starts[1 + int((turn + 2.0) * (len(starts) - 2) / 4.0)]
    while k + 1 < last and turns[k + 1, 0] <= turn:
        k += 1
    start = turns[k, 0]
    while k >= starts[0] and turns[k, 0] == start:
        inside = taken[k] and start <= turn and turn < turns[k, 1]
        inside = inside and left_of(corners, k, FAR_RIGHT, FAR_LEFT, x, y)
        if inside and left_of(corners, k, NEAR_LEFT, NEAR_RIGHT, x, y):
            return True
        k -= 1
    return False


@leaf
def indexed(first: int, last: int, turns: Any, starts: Any) -> None:
    """Write the first stretch of an eye, and for each sector of the circle the last stretch that begins before it,
    if any."""
    k, starts[0] = first, first
    for n in range(len(starts) - 1):
        while k + 1 < last and turns[k + 1, 0] <= 4.0 * n / (len(starts) - 2) - 2.0:
            k += 1
        starts[1 + n] = k


@leaf
def quadrangles(seen: Views, made: Shapes, sizes: Any) -> None:
    """Write the turns of the sides of stretches, their corners and their areas."""
    eyes, whose, right, left, ends = seen.eyes, seen.whose, seen.right, seen.left, seen.ends
    turns, corners = made.turns, made.corners
    for k in range(len(whose)):
        ex, ey = eyes[whose[k], 0], eyes[whose[k], 1]
        for c in range(2):
            bearing = right[k] if c == 0 else left[k]
            ux, uy = math.cos(bearing), math.sin(bearing)
            turns[k, c] = turn_to(ux, uy)
            near, far = (NEAR_RIGHT, FAR_RIGHT) if c == 0 else (NEAR_LEFT, FAR_LEFT)
            corners[k, near, 0], corners[k, near, 1] = ex + ends[k, 2 * c] * ux, ey + ends[k, 2 * c] * uy
            corners[k, far, 0], corners[k, far, 1] = ex + ends[k, 2 * c + 1] * ux, ey + ends[k, 2 * c + 1] * uy
        ax, ay = corners[k, 2, 0] - corners[k, 0, 0], corners[k, 2, 1] - corners[k, 0, 1]
        bx, by = corners[k, 3, 0] - corners[k, 1, 0], corners[k, 3, 1] - corners[k, 1, 1]
        sizes[k] = abs(ax * by - ay * bx) / 2


@leaf
def newly_seen(s: int, k: int, i: int, seen: Views, made: Shapes, samples: Samples) -> int:
    """Test the sample points of stretch k, those from ``begins[s]`` on, against what is taken of eye i; return how
    many are still unseen."""
    corners, shares, begins, unseen = made.corners, samples.shares, samples.begins, samples.unseen
    many, left = begins[s + 1] - begins[s], 0
    row = 0 if many == FEW else FEW
    for n in range(many):
        p = begins[s] + n
        if unseen[p]:
            x = y = 0.0
            for c in range(4):
                x += shares[row + n, c] * corners[k, c, 0]
                y += shares[row + n, c] * corners[k, c, 1]
            if shows(x, y, seen, i, made):
                unseen[p] = False
            else:
                left += 1
    return left


@kernel(
    "void(Views, float64[:, ::1], float64[::1], boolean[::1])",
    Views=Views,
)
def choose(seen: Views, shares: Any, least: Any, taken: Any) -> None:
    """Write into ``taken`` (k,) which stretches show enough that is new.

    ``shares`` of the corners (f, 4) are the sample points of lesser stretches (the first ``FEW``), then of great ones.
    ``least``, as shares of the largest view: what a whole view must show, and a single stretch; the area from which on
    a stretch is sampled, and counts as great.
    """
    whose, first = seen.whose, seen.first
    n, count = len(seen.eyes), len(whose)
    starts = np.empty((n, PARTS + 2), np.int64)
    made, sizes = Shapes(np.empty((count, 2)), np.empty((count, 4, 2)), starts, taken), np.empty(count)
    quadrangles(seen, made, sizes)
    new = np.zeros(n)
    for i in range(n):
        indexed(first[i], first[i + 1], made.turns, starts[i])
    for k in range(count):
        new[whose[k]] += sizes[k]
    most = np.max(new)
    stretches = np.flatnonzero(sizes > least[LEAST] * most)
    m, views = len(stretches), 0
    begins = np.zeros(m + 1, np.int64)
    for s in range(m):
        begins[s + 1] = begins[s] + (len(shares) - FEW if sizes[stretches[s]] > least[GREAT] * most else FEW)
    samples, weights = Samples(shares, begins, np.ones(begins[m], np.bool_)), np.empty(m)
    for s in range(m):
        weights[s] = sizes[stretches[s]]
    done, partly = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    while views < n:
        i = int(np.argmax(new))
        if new[i] < least[VIEW] * most:
            break
        taken[first[i] : first[i + 1]] = True
        done[i], views = True, views + 1
        new[:] = 0.0
        for s in range(m):
            k = stretches[s]
            if done[whose[k]]:
                weights[s] = 0.0
            elif weights[s] > 0.0:
                still_unseen = newly_seen(s, k, i, seen, made, samples)
                weights[s] = sizes[k] * still_unseen / (begins[s + 1] - begins[s])
                new[whose[k]] += weights[s]
    for s in np.argsort(-weights, kind="mergesort"):
        k = stretches[s]
        for i in range(n):
            if partly[i] and weights[s] > 0.0 and weights[s] >= least[STRETCH] * most:
                still_unseen = newly_seen(s, k, i, seen, made, samples)
                weights[s] = sizes[k] * still_unseen / (begins[s + 1] - begins[s])
        if weights[s] > 0.0 and weights[s] >= least[STRETCH] * most:
            taken[k] = partly[whose[k]] = True


@leaf
def into_order(places: Any, n: int) -> None:
    """Sort the first n rows by their first column."""
    for k in range(1, n):
        j = k
        while j > 0 and places[j - 1, 0] > places[j, 0]:
            for c in range(3):
                places[j - 1, c], places[j, c] = places[j, c], places[j - 1, c]
            j -= 1


@leaf
def along(
    eye: tuple[float, float], bearing: float, places: Any, n: int, least: float, out: Outline, sizes: tuple[int, int]
) -> tuple[int, int]:
    """Write the nodes on a ray from an eye, and the edges along it with ground on one side only.

    ``places`` (n, 3): the distance at which a stretch begins or ends; its corner; 1 where ground begins to the left of
    the ray or ends to its right, else -1. ``sizes``: the numbers of nodes and edges before; returns those after.
    """
    node, at, edges = out.node, out.at, out.edges
    ex, ey = eye
    nodes, count = sizes
    into_order(places, n)
    net, ux, uy = 0, math.cos(bearing), math.sin(bearing)
    for k in range(n):
        if k == 0 or places[k, 0] - places[k - 1, 0] > least:
            far = places[k, 0] if places[k, 0] > least else 0.0
            at[nodes, 0], at[nodes, 1] = ex + far * ux, ey + far * uy
            if net != 0:
                edges[count, 0] = nodes - 1 if net > 0 else nodes
                edges[count, 1] = nodes if net > 0 else nodes - 1
                count += 1
            nodes += 1
        node[int(places[k, 1])] = nodes - 1
        net += int(places[k, 2])
    return nodes, count


@leaf
def straightened(at: Any, nodes: int, edges: Any, count: int, coming: Any, going: Any, flat: float) -> int:
    """Drop nodes on straight lines, and edges without length; return how many edges are left."""
    for k in range(nodes):
        coming[k] = going[k] = -1
    n = 0
    for e in range(count):
        a, b = edges[e, 0], edges[e, 1]
        if at[a, 0] == at[b, 0] and at[a, 1] == at[b, 1]:
            continue
        edges[n, 0], edges[n, 1] = a, b
        going[a] = n if going[a] == -1 else -2
        coming[b] = n if coming[b] == -1 else -2
        n += 1
    for k in range(nodes):
        if going[k] < 0 or coming[k] < 0:
            continue
        e, f = coming[k], going[k]
        a, b = edges[e, 0], edges[f, 1]
        wx, wy, px, py = at[b, 0] - at[a, 0], at[b, 1] - at[a, 1], at[k, 0] - at[a, 0], at[k, 1] - at[a, 1]
        on, long = px * wx + py * wy, wx * wx + wy * wy
        if on > 0.0 and on < long and (px * wy - py * wx) ** 2 <= flat * flat * long:
            edges[e, 1], edges[f, 0] = b, -1
            coming[b] = e if coming[b] >= 0 else coming[b]
    count = n
    n = 0
    for e in range(count):
        if edges[e, 0] >= 0:
            edges[n, 0], edges[n, 1], n = edges[e, 0], edges[e, 1], n + 1
    return n


@kernel(
    "int64(Views, float64, float64, float64[:, ::1])",
    Views=Views,
)
def outline(seen: Views, least: float, flat: float, found: Any) -> int:
    """Write the edges (e, 4) around the stretches of each eye, ground on their left; return how many.

    Places on a ray closer together than ``least`` count as one; nodes closer than ``flat`` to the straight line between
    their neighbours are left out. There must be room for 6 k edges.
    """
    eyes, first, right, left, ends = seen.eyes, seen.first, seen.right, seen.left, seen.ends
    total, most = 0, 0
    for i in range(len(eyes)):
        most = max(most, first[i + 1] - first[i])
    places, node, at = np.empty((4 * most + 4, 3)), np.empty(4 * most + 4, np.int64), np.empty((4 * most + 4, 2))
    edges = np.empty((6 * most + 6, 2), np.int64)
    out = Outline(node, at, edges)
    coming, going = np.empty(4 * most + 4, np.int64), np.empty(4 * most + 4, np.int64)
    for i in range(len(eyes)):
        begin, end, nodes, count = first[i], first[i + 1], 0, 0
        a = b = begin  # the next stretches by left side and by right side
        while a < end or b < end:
            bearing = min(left[a] if a < end else math.inf, right[b] if b < end else math.inf)
            n = 0
            while b < end and right[b] == bearing:
                for c in range(2):
                    places[n, 0], places[n, 1], places[n, 2] = ends[b, c], 4 * (b - begin) + c, 1 - 2 * c
                    n += 1
                b += 1
            while a < end and left[a] == bearing:
                for c in range(2):
                    places[n, 0], places[n, 1], places[n, 2] = ends[a, 2 + c], 4 * (a - begin) + 2 + c, 2 * c - 1
                    n += 1
                a += 1
            eye = eyes[i, 0], eyes[i, 1]
            nodes, count = along(eye, bearing, places, n, least, out, (nodes, count))
        for k in range(end - begin):
            edges[count, 0], edges[count, 1] = node[4 * k + 1], node[4 * k + 3]
            edges[count + 1, 0], edges[count + 1, 1] = node[4 * k + 2], node[4 * k]
            count += 2
        count = straightened(at, nodes, edges, count, coming, going, flat)
        for e in range(count):
            for c in range(2):
                found[total, 2 * c], found[total, 2 * c + 1] = at[edges[e, c], 0], at[edges[e, c], 1]
            total += 1
    return total
