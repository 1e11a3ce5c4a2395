"""The area of farthest advances: fans built from bands of ground between neighbouring advances.

The farthest advance between two neighbours is taken to lie on the chord of theirs, but short of it where the advances
to their left and right bend away from the chord; across a jump only the shorter one counts. Ground where the unit would
end inside a friend is left out (TSE-MOV-16).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point
from tabletop.geometry.movement.advance_directions import CLOSE, SPACING, differing, following
from tabletop.geometry.movement.advances import Advances
from tabletop.geometry.movement.bearing_index import Pairs, begins
from tabletop.geometry.movement.move_context import MoveContext, Nodes, directions_of
from tabletop.geometry.movement.swept_strips import Stretches, united

#: Neighbouring advances that differ by more than this share of their length (per ``SPACING`` degrees) form a jump.
JUMP = 0.35
#: Limit, as a share of the advance, on how far the advance between two neighbours is assumed to fall short of the
#: chord.
SAG = 0.05
#: Bands narrower than this (table units) are dropped.
THIN = 1e-6
#: Ends of neighbouring bands that differ by less than the first (table units) are both set to the lesser; ends that
#: stick out by less than the second are dropped.
ALIKE, HAIR = 0.02, 0.003
#: Extra room (table units) ahead of and behind friends, beyond what the two advances beside them show.
ROOM = 1e-3


@dataclass(frozen=True)
class Bands:
    """Pieces of sectors: the advance at one side, the next one at the other, and the inner and outer length at both."""

    first: np.ndarray
    second: np.ndarray
    inner: np.ndarray
    outer: np.ndarray

    def taken(self, chosen: np.ndarray) -> Bands:
        return Bands(self.first[chosen], self.second[chosen], self.inner[chosen], self.outer[chosen])


@dataclass(frozen=True)
class AdvanceArea:
    """Ground won by advances: as ``bands``, and as rings of ``points`` (n, 2), clockwise.

    ``number`` (n,) is the ring of each point, in order; a ring's last point is joined to its first.
    """

    found: Advances
    bands: Bands
    points: np.ndarray
    number: np.ndarray

    @cached_property
    def polygons(self) -> np.ndarray:
        """The same ground as valid polygons; repair may have turned one into several."""
        whole = np.asarray(shapely.polygons(shapely.linearrings(self.points, indices=self.number)))
        bad = ~shapely.is_valid(whole)
        if bad.any():
            whole[bad] = shapely.make_valid(whole[bad])
        return whole

    def holds(self, places: np.ndarray) -> np.ndarray:
        """Return a mask of the ``places`` (n, 2) that lie on it."""
        met = np.zeros(len(places), bool)
        if len(self.polygons):
            met[shapely.STRtree(self.polygons).query(shapely.points(places), predicate="intersects")[0]] = True
        return met


def fans(context: MoveContext, found: Advances) -> AdvanceArea:
    """Return the ground on which the middle of the front can end after one of the advances."""
    bands = _simpler(context, found, _less(_sectors(found), _taken_by_friends(context, found)))
    return AdvanceArea(found, bands, *_rings(found, bands))


def _sectors(found: Advances) -> Bands:
    """Return the sectors between neighbouring advances, as far out as the advances on both sides support."""
    gone, after = found.lengths, following(found.heads.of)
    gaps, unlike = differing(found)
    lies = (gone >= 0.0) & (gone[after] >= 0.0) & (gaps <= math.radians(2 * SPACING)) & (gaps > 0.0)
    a, b = gone, gone[after]
    least, apart = np.minimum(a, b), np.abs(a - b)
    steep = JUMP * np.maximum(1.0, least) * np.maximum(gaps / math.radians(SPACING), 0.02)
    broken = (apart > steep) | ((apart > 0.01 * np.maximum(1.0, least)) & (gaps <= CLOSE))
    jumps = unlike | broken
    bends = _Bends.of(found, gaps, lies & ~broken)
    short = np.where(jumps, bends.past(least), bends.sag(apart))
    ends = np.stack([np.where(jumps, least, a) - short, np.where(jumps, least, b) - short], axis=1)[lies]
    first = np.flatnonzero(lies)
    return Bands(first, after[first], np.zeros((len(first), 2)), np.maximum(ends, 0.0))


@dataclass(frozen=True)
class _Bends:
    """How the ends of advances bend beside each pair of neighbours, in inverse lengths, where a straight line is a
    sine.

    ``ahead`` (n,) is the distance of the first of a pair from its centre, ``after`` that of the second; ``gaps`` the
    angle between. ``left`` and ``right`` (n,): by how much, per radian, the line through the ends on that side runs
    nearer to the centre than the chord of the pair; infinite where that side is unknown.
    """

    ahead: np.ndarray
    after: np.ndarray
    gaps: np.ndarray
    left: np.ndarray
    right: np.ndarray
    offset: np.ndarray

    @classmethod
    def of(cls, found: Advances, gaps: np.ndarray, whole: np.ndarray) -> _Bends:
        """Return the bends beside every advance and the next; ``whole`` (n,) marks pairs without a jump between
        them."""
        after = following(found.heads.of)
        before = np.empty_like(after)
        before[after] = np.arange(len(after))
        offset = np.hypot(*(found.starts - found.heads.out_of.at[found.heads.of]).T)
        r = np.maximum(offset + found.lengths, THIN)
        g = np.clip(gaps, 1e-9, 1.0)
        q = 1.0 / r
        out = (q[after] - q * np.cos(g)) / np.sin(g)
        into = (q[after] * np.cos(g) - q) / np.sin(g)
        left = np.where(whole[before], into[before] - out, np.inf)
        right = np.where(whole[after], into - out[after], np.inf)
        return cls(r, r[after], g, left, right, offset)

    def sag(self, apart: np.ndarray) -> np.ndarray:
        """Return how far short of the chord the farthest advance between two neighbours may fall.

        If the lines of both sides run below the chord, it falls to where they meet; if one does, as far as that goes;
        otherwise not at all. If both sides are unknown, it falls to the shorter.
        """
        below = (self.left > 0.0) & (self.right > 0.0)
        known = np.isfinite(self.left) | np.isfinite(self.right)
        inverse = sum(1.0 / np.where(below & known, bend, 1.0) for bend in (self.left, self.right))
        left, right = (np.where(np.isfinite(bend), bend, 0.0) for bend in (self.left, self.right))
        bend = np.where(below, 1.0 / inverse, np.maximum(np.maximum(left, right), 0.0))
        longer = np.maximum(self.ahead, self.after)
        fall = self.gaps * bend * longer**2
        return np.asarray(np.where(known, np.minimum(fall, np.maximum(apart, SAG * longer)), apart))

    def past(self, least: np.ndarray) -> np.ndarray:
        """Return by how much an advance beside a jump may fall short of ``least`` (n,) if its side's line runs up to
        it."""
        ends = [
            1.0 / np.maximum(1.0 / r + np.where(np.isfinite(bend), bend, -np.inf) * np.sin(self.gaps), 1e-9)
            for r, bend in ((self.after, self.left), (self.ahead, self.right))
        ]
        fall = least + self.offset - np.minimum(*ends)
        return np.asarray(np.clip(fall, 0.0, SAG * np.maximum(self.ahead, self.after)))


def _taken_by_friends(context: MoveContext, found: Advances) -> Stretches:
    """Return, by advance, the lengths at which the unit would overlap a friend there or anywhere up to the next
    advance.

    The intervals are a little longer than either advance shows; friends' corners are among the directions.
    """
    after = following(found.heads.of)
    gaps = np.remainder(found.bearings[after] - found.bearings, 2 * math.pi)
    low, high = _inside_strips(context, found)
    low, high = np.minimum(low, low[after]), np.maximum(high, high[after]) + context.files.back
    of, friend = np.nonzero(np.isfinite(low) & (gaps < 0.2)[:, None])
    near, far = low[of, friend], high[of, friend]
    bulge = ROOM + (np.abs(far) + context.offset) * gaps[of] ** 2 / 4  # arcs over chords, what lies between
    near, far = np.maximum(0.0, near - bulge), far + bulge
    trailing = _trailing_in_friends(context, found)
    of, near, far = (np.concatenate(both) for both in zip((of, near, far), trailing, strict=True))
    real = far > np.maximum(near, 2 * ROOM)
    return united(Stretches(of[real], near[real], far[real], 0 * of[real]), 0.0)


def _trailing_in_friends(context: MoveContext, found: Advances) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, by advance, the lengths at which a base of a file would overlap a friend on an earlier leg (TSE-FRM-26).

    They are the same for all advances from a node: advance (n,), from (n,), to (n,).
    """
    number, low, high = np.zeros(0, int), np.zeros(0), np.zeros(0)
    if not (context.files.file and context.friends):
        return number, low, high
    for node, own in found.heads.each():
        taken = list(_trailing(context, (context.pivot, *node.way))) if node.way else []
        if taken:
            near, far = np.array(taken).T
            number = np.concatenate([number, np.repeat(own, len(near))])
            low, high = np.concatenate([low, np.tile(near, len(own))]), np.concatenate([high, np.tile(far, len(own))])
    return number, low, high


def _trailing(context: MoveContext, way: tuple[Point, ...]) -> Iterator[tuple[float, float]]:
    """Yield the intervals beyond the last place of ``way`` where the head must not end, because of the bases behind it.

    Each base stands with its front on the track, facing along the leg its front is on; the first leg extends back
    without end.
    """
    files, edges, behind = context.files, len(context.crowd.shape), 0.0
    every = np.zeros(edges, int), np.arange(edges)
    for k, (older, newer) in reversed(list(enumerate(pairwise(way)))):
        length = math.dist(older, newer)
        if length < THIN:
            continue
        back = np.array([[older[0] - newer[0], older[1] - newer[1]]]) / length
        (near,), (far,) = _extents(context, np.array([newer]), back, files.half + ROOM, every)
        end = math.inf if k == 0 else behind + length
        # how far behind the last place a base's front may be for the base to overlap each friend
        first = np.maximum(behind, behind + near - files.tail - ROOM)
        last = np.minimum(end, behind + far + ROOM)
        for offset in files.strips[0].behind[1:]:
            for friend in np.flatnonzero((first < last) & (first < offset)):
                yield offset - float(last[friend]), offset - float(first[friend])
        behind += length


def _inside_strips(context: MoveContext, found: Advances) -> tuple[np.ndarray, np.ndarray]:
    """Return the interval ahead (n, friends) that each friend occupies in each strip; (inf, -inf) if none.

    Friends too far away or too far behind to matter are left out.
    """
    nodes, heads, half = found.heads.out_of, found.heads, context.files.half
    far, back = _about(context, nodes)
    pairs = context.crowd.beside(nodes.at, far, heads.of, found.bearings, half, back)
    return _extents(context, found.starts, directions_of(found.bearings), half, pairs)


def _about(context: MoveContext, nodes: Nodes) -> tuple[np.ndarray, float]:
    """Return the distance (k,) around each node within which friends matter, and how far behind a front they do."""
    back = 1.1 * (context.files.back + context.offset) + 2 * ROOM
    far = (context.budget - nodes.cost) * context.files.cost_model.road + context.offset
    return 1.1 * far + back, back


def _extents(
    context: MoveContext, starts: np.ndarray, u: np.ndarray, half: float, pairs: Pairs
) -> tuple[np.ndarray, np.ndarray]:
    """Return the interval ahead (n, friends) that friends occupy in strips ``half`` to each side; (inf, -inf) if none.

    Strips begin at ``starts`` (n, 2) along unit ``u``; only ``pairs`` (strip, edge of a friend) are looked at.
    """
    friends, (i, e) = context.crowd, pairs
    low = np.full((len(u), len(context.friends)), np.inf)
    high = np.full_like(low, -np.inf)
    ux, uy, x, y = (column[i] for column in (*u.T, *starts.T))
    ax, ay, bx, by = (column[e] for column in (*friends.a.T, *friends.b.T))
    right_of = x * uy - y * ux
    la, lb = ax * uy - ay * ux - right_of, bx * uy - by * ux - right_of
    met = np.flatnonzero((np.maximum(la, lb) > 1e-9 - half) & (np.minimum(la, lb) < half - 1e-9))
    ux, uy, x, y, ax, ay, bx, by, la, lb = (c[met] for c in (ux, uy, x, y, ax, ay, bx, by, la, lb))
    fa, df, dl = (ax - x) * ux + (ay - y) * uy, (bx - ax) * ux + (by - ay) * uy, lb - la
    steep = np.where(dl == 0.0, 1.0, dl)
    cuts = [np.where(dl == 0.0, end, np.clip((side - la) / steep, 0.0, 1.0)) for end, side in ((0, -half), (1, half))]
    ends = [fa + cut * df for cut in cuts]
    place = i[met] * low.shape[1] + friends.shape[e[met]]
    np.minimum.at(low.reshape(-1), place, np.minimum(*ends))
    np.maximum.at(high.reshape(-1), place, np.maximum(*ends))
    return low, high


def _less(bands: Bands, taken: Stretches) -> Bands:
    """Return the sectors, which start at length 0, less the intervals taken: as pieces, from the inside out."""
    if not len(taken):
        return bands.taken(bands.outer.max(axis=1) > THIN)
    number = np.full(int(max(bands.first.max(initial=-1), taken.strip.max())) + 1, -1)
    number[bands.first] = np.arange(len(bands.first))
    sector = number[taken.strip]
    near, far = taken.low[sector >= 0], taken.high[sector >= 0]
    sector = sector[sector >= 0]
    # a sector's pieces: from 0 to the first interval, from each to the next, from the last to the sector's end
    whose = np.concatenate([np.arange(len(bands.first)), sector])
    start = np.concatenate([np.zeros(len(bands.first)), far])
    order = np.lexsort((start, whose))
    whose, start = whose[order], start[order]
    end = np.full(len(whose), np.inf)
    more = np.flatnonzero(whose[1:] == whose[:-1])
    end[more] = near  # in order of sector, then of length, as the stretches are
    outer = np.minimum(bands.outer[whose], end[:, None])
    inner = np.repeat(start[:, None], 2, axis=1)
    layer = np.arange(len(whose)) - np.searchsorted(whose, whose)
    real = np.flatnonzero((outer >= inner).all(axis=1) & ((outer - inner).max(axis=1) > THIN))
    rows = real[np.argsort(layer[real], kind="stable")]
    return Bands(bands.first[whose], bands.second[whose], inner, outer).taken(rows)


def _simpler(context: MoveContext, found: Advances, bands: Bands) -> Bands:
    """Return fewer bands that cover slightly less: nearly equal ends made equal, ends that hardly stick out dropped."""
    first, second, inner, outer = bands.first, bands.second, bands.inner.copy(), bands.outer.copy()
    alike = np.flatnonzero((second[:-1] == first[1:]) & (np.abs(outer[:-1, 1] - outer[1:, 0]) < ALIKE))
    outer[alike, 1] = outer[alike + 1, 0] = np.minimum(outer[alike, 1], outer[alike + 1, 0])
    alike = np.flatnonzero((second[:-1] == first[1:]) & (np.abs(inner[:-1, 1] - inner[1:, 0]) < ALIKE))
    inner[alike, 1] = inner[alike + 1, 0] = np.maximum(inner[alike, 1], inner[alike + 1, 0])
    upright = (outer >= inner).all(axis=1)
    first, second, inner, outer = first[upright], second[upright], inner[upright], outer[upright]
    free = (context.offset * found.heads.out_of.free)[found.heads.of]
    for odd in (0, 1, 0, 1):
        k = np.arange(odd, len(first) - 1, 2)
        k = k[_mergeable(found, Bands(first, second, inner, outer), free, k)]
        second[k], outer[k, 1], inner[k, 1] = second[k + 1], outer[k + 1, 1], inner[k + 1, 1]
        kept = np.delete(np.arange(len(first)), k + 1)
        first, second, inner, outer = first[kept], second[kept], inner[kept], outer[kept]
    return Bands(first, second, inner, outer)


def _mergeable(found: Advances, bands: Bands, free: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Return which of the bands ``k`` can be merged with the next: the joint may lie off the chord by a hair."""
    one, other = bands.taken(k), bands.taken(k + 1)
    joined = (
        (one.second == other.first) & (one.outer[:, 1] == other.outer[:, 0]) & (one.inner[:, 1] == other.inner[:, 0])
    )
    alpha, beta = (
        np.remainder(found.bearings[band.second] - found.bearings[band.first], 2 * math.pi) for band in (one, other)
    )
    off = free[one.first]

    def bulge(a: np.ndarray, m: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return how far the middle of three lengths sticks out beyond the chord of the others."""
        a, m, b = a + off, m + off, b + off
        return np.asarray(m - a * b * np.sin(alpha + beta) / np.maximum(a * np.sin(alpha) + b * np.sin(beta), 1e-12))

    out = bulge(one.outer[:, 0], one.outer[:, 1], other.outer[:, 1])
    within = -bulge(one.inner[:, 0], one.inner[:, 1], other.inner[:, 1])
    plain = (one.inner == 0.0).all(axis=1) & (other.inner == 0.0).all(axis=1)
    plain |= (within >= 0.0) & (within <= HAIR)
    narrow = alpha + beta <= math.radians(2 * SPACING)
    return np.asarray(joined & plain & narrow & (out >= 0.0) & (out <= HAIR))


def _rings(found: Advances, bands: Bands) -> tuple[np.ndarray, np.ndarray]:
    """Return a ring around each run of adjacent bands, at most a quarter circle: out along the outer ends, back along
    the inner.

    As points (n, 2) in order, and the number (n,) of the ring of each.
    """
    u, starts, count = directions_of(found.bearings), found.starts, len(bands.first)
    run = _runs(found, bands)
    first = np.flatnonzero(begins(run))
    start, size = first[run], np.diff(first, append=count)[run]
    out = (4 * start + 2 * (np.arange(count) - start))[:, None] + np.array([0, 1])
    back = (8 * start + 4 * size - 1)[:, None] - out
    points = np.empty((4 * count, 2))
    points[out], points[back] = (_points(starts, u, bands, lengths) for lengths in (bands.outer, bands.inner))
    number = np.repeat(run, 4)
    alike = (np.abs(np.diff(points, axis=0)) < 1e-12).all(axis=1) & (number[1:] == number[:-1])
    kept = np.ones(4 * count, bool)
    kept[1:] = ~alike
    points, number = points[kept], number[kept]
    wide = np.bincount(number, minlength=1)[number] > 2
    return points[wide], np.unique(number[wide], return_inverse=True)[1]


def _runs(found: Advances, bands: Bands) -> np.ndarray:
    """Return the run (n,) each band belongs to: adjacent bands within the same quarter turn from the first."""
    gaps = np.remainder(found.bearings[bands.second] - found.bearings[bands.first], 2 * math.pi)
    follows = bands.second[:-1] == bands.first[1:]
    open_to = np.minimum(bands.outer[:-1, 1], bands.outer[1:, 0]) - np.maximum(bands.inner[:-1, 1], bands.inner[1:, 0])
    new = np.ones(len(gaps), bool)
    new[1:] = ~(follows & (open_to > THIN))
    turned = np.cumsum(gaps)
    before = (turned - gaps)[new][np.cumsum(new) - 1]
    quarter = np.floor((turned - before) / (math.pi / 2))
    return np.cumsum(new | begins(quarter)) - 1


def _points(starts: np.ndarray, u: np.ndarray, bands: Bands, lengths: np.ndarray) -> np.ndarray:
    ends = np.stack([bands.first, bands.second], axis=1)
    return np.asarray(starts[ends] + lengths[..., None] * u[ends])


def ends_free(context: MoveContext, at: np.ndarray, facing: np.ndarray) -> np.ndarray:
    """Return a mask (k,) of the fronts at places (k, 2) that overlap no friend (TSE-MOV-16); of a file, its head."""
    files = context.files
    alone, back = np.ones(len(at), bool), files.tail if files.file else files.back
    if not context.friends or files.half == 0.0:
        return alone
    friends = shapely.union_all(np.array(context.friends, object))
    shapely.prepare(friends)
    near = np.flatnonzero(shapely.dwithin(friends, shapely.points(at), math.hypot(files.half, back)))
    u = directions_of(facing[near])
    right = np.column_stack([u[:, 1], -u[:, 0]]) * files.half
    front, rear = at[near], at[near] - back * u
    corners = np.stack([front - right, front + right, rear + right, rear - right], axis=1)
    alone[near] = ~shapely.intersects(friends, shapely.polygons(corners))
    return alone


def only_areas(area: BaseGeometry) -> BaseGeometry:
    """Return the polygons of a geometry, without slivers."""
    parts = [p for p in shapely.get_parts(area) if shapely.get_dimensions(p) == 2 and p.area > 1e-9]
    return shapely.MultiPolygon(parts) if len(parts) != 1 else parts[0]
