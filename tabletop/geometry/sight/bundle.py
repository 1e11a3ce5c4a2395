"""Bundles of lines, and where all the lines of a bundle cross an outline.

A bundle is all lines from a piece p to q of a side of one convex cell to a piece r to s of a side of another. Whether a
vertex lies left of a line is bilinear in the start and end of the line, so it does for all lines of a bundle if it does
for the four lines between the ends of the two pieces. Along the outline of an obstruction, consecutive edges may be
crossed by some line; such a *run* of edges from a vertex left of all lines to one right of all is crossed by every
line. The distances from the starts of the lines to their crossings of a run lie between two bounds. Everything is
computed for many bundles at once; a single line is a bundle whose pieces are points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tabletop.geometry.sight.obstruction import Bools, Floats, Ints

#: What lies closer to a line than this (table units) counts as on it: less than the law shrinks obstructions by.
NEAR = 1e-9
#: How many segments are processed together: larger arrays no longer fit the processor's cache.
AT_ONCE = 1024
#: How an outline is crossed in a run: into the inside, which is on the left of the edges, out of it, or both equally
#: often.
IN, OUT, BOTH = 1, -1, 0


class Bundles(NamedTuple):
    """n bundles: the ends of their pieces (n, 2), and for either piece a unit vector (n, 2) perpendicular to its
    side, pointing along the lines."""

    p: Floats
    q: Floats
    r: Floats
    s: Floats
    leaving: Floats
    entering: Floats

    @classmethod
    def lines(cls, starts: Floats, ends: Floats) -> Bundles:
        """Return single lines from (n, 2) to (n, 2) as bundles."""
        way = ends - starts
        way = way / np.maximum(np.hypot(way[:, 0], way[:, 1]), NEAR)[:, None]
        return cls(starts, starts, ends, ends, way, way)

    def of(self, which: Bools | Ints) -> Bundles:
        """Return some of the bundles."""
        return Bundles(*(column[which] for column in self))

    def with_(self, other: Bundles) -> Bundles:
        return Bundles(*(np.concatenate(columns) for columns in zip(self, other, strict=True)))

    @property
    def sizes(self) -> tuple[Floats, Floats]:
        """Lengths of the pieces."""
        return _long(self.q - self.p), _long(self.s - self.r)

    @property
    def least(self) -> Floats:
        """The length of the shortest line of each."""
        return segments_apart(self.p, self.q, self.r, self.s)

    @property
    def most(self) -> Floats:
        """The length of the longest line of each."""
        lengths: Floats = np.maximum.reduce([_long(b - a) for a in (self.p, self.q) for b in (self.r, self.s)])
        return lengths

    @property
    def corners(self) -> tuple[Floats, Floats]:
        """Starts and ends, (n, 4, 2), of the lines between the ends of the pieces."""
        starts, ends = np.empty((len(self.p), 4, 2)), np.empty((len(self.p), 4, 2))
        starts[:, :2], starts[:, 2:] = self.p[:, None], self.q[:, None]
        ends[:, ::2], ends[:, 1::2] = self.r[:, None], self.s[:, None]
        return starts, ends

    @property
    def forward(self) -> Bools:
        """Which have lines that leave one cell through its side and enter the other through its side."""
        starts, ends = self.corners
        way = ends - starts
        out = _dot(way, self.leaving[:, None]).max(1) > -NEAR
        mask: Bools = out & (_dot(way, self.entering[:, None]).max(1) > -NEAR)
        return mask

    def halves(self) -> Bundles:
        """Return the bundles split at the middle of the longer piece."""
        one, other = self.sizes
        first = (one >= other)[:, None]
        p, q, r, s = self.p, self.q, self.r, self.s
        m, n = (p + q) / 2, (r + s) / 2
        near = self._replace(q=np.where(first, m, q), s=np.where(first, s, n))
        return near.with_(self._replace(p=np.where(first, m, p), r=np.where(first, r, n)))


class Outlines(NamedTuple):
    """Consecutive closed rings: vertices (v, 2), the inside on the left; which vertices begin a ring; the
    obstruction of each; which turn left."""

    points: Floats
    begins: Bools
    owner: Ints
    convex: Bools

    @classmethod
    def of(cls, rings: Sequence[tuple[int, Floats]]) -> Outlines:
        """Return closed rings (k, 2), each with the index of its obstruction."""
        if not rings:
            return cls(np.zeros((0, 2)), np.zeros(0, bool), np.zeros(0, int), np.zeros(0, bool))
        begins, convex = [], []
        for _, ring in rings:
            begins.append(np.arange(len(ring)) == 0)
            back, on = ring[:-1] - np.roll(ring[:-1], 1, 0), np.roll(ring[:-1], -1, 0) - ring[:-1]
            turn = back[:, 0] * on[:, 1] - back[:, 1] * on[:, 0] > 0.0
            convex.append(np.append(turn, False))  # the closing vertex repeats the first
        owner = np.concatenate([np.full(len(ring), k) for k, ring in rings])
        return cls(np.concatenate([ring for _, ring in rings]), np.concatenate(begins), owner, np.concatenate(convex))


class Runs(NamedTuple):
    """Runs of edges, of all bundles and outlines. By run: its bundle and its obstruction, how it is crossed, whether
    all of it lies between the starts and the ends, whether every line surely crosses it there, and the least and
    greatest distance of the crossing. ``first`` and ``last`` (m, 2) are the ends of the piece of the outline where
    lines cross it, nan for a run around corners; ``edge`` is the index of its only edge, -1 for a run around
    corners."""

    bundle: Ints
    owner: Ints
    turn: Ints
    within: Bools
    sure: Bools
    low: Floats
    high: Floats
    first: Floats
    last: Floats
    edge: Ints


def sides(bundles: Bundles, points: Floats) -> tuple[Floats, Ints]:
    """Return how far left of each of the four lines of n bundles v points lie, (n, 4, v), and on which side of all
    lines, (n, v): 1 left of all, -1 right of all, else 0."""
    starts, ends = bundles.corners
    way = ends - starts
    way = way / np.maximum(_long(way), NEAR)[..., None]
    off = way[..., 0] * starts[..., 1] - way[..., 1] * starts[..., 0]
    turn = way[..., :1] * points[:, 1] - way[..., 1:] * points[:, 0] - off[..., None]
    return turn, (turn.min(1) > NEAR).astype(int) - (turn.max(1) < -NEAR)


def runs(bundles: Bundles, outlines: Outlines, turn: Floats, side: Ints, spare: Floats) -> Runs:
    """Return the runs of edges that lines of bundles may cross, except those farther than ``spare`` (by obstruction)
    behind all starts or beyond all ends; ``turn`` and ``side`` are the result of ``sides`` for the vertices."""
    n, k, first, second = _crossed(outlines, side)
    off = spare[outlines.owner[k]]
    within = _within(bundles, n, outlines.points[k], outlines.points[k + 1], off)
    piece = _pieces(outlines, turn, n, k, (first, second))
    low, high, within = _along(bundles, n, piece, within, off)
    number = _numbered(n, k, first, second, outlines)
    count = int(number.max(initial=-1)) + 1
    starts, ends = np.zeros(count, int), np.zeros(count, int)
    starts[number[first != 0]], ends[number[second != 0]] = first[first != 0], second[second != 0]
    bundle, owner = np.zeros(count, int), np.zeros(count, int)
    bundle[number], owner[number] = n, outlines.owner[k]
    lows, highs = np.full(count, np.inf), np.zeros(count)
    np.minimum.at(lows, number, low)
    np.maximum.at(highs, number, high)
    sure, outside = np.ones(count, bool), np.ones(count, bool)
    np.logical_and.at(sure, number, within == 1)
    np.logical_and.at(outside, number, within == -1)
    places = [np.full((count, 2), np.nan) for _ in piece]
    whole = first * second != 0
    for place, at in zip(places, piece, strict=True):
        place[number[whole]] = at[whole]
    edge = np.full(count, -1)
    edge[number[whole]] = k[whole]
    turns = np.where(starts == -ends, starts, BOTH)
    kept = np.nonzero(~outside)[0]
    kept = kept[np.argsort(bundle[kept] * (outlines.owner.max(initial=0) + 1) + owner[kept], kind="stable")]
    return Runs(
        *(each[kept] for each in (bundle, owner, turns, sure, sure & (turns != BOTH), lows, highs, *places, edge))
    )


def shares(bundles: Bundles, found: Runs, outlines: Outlines, ends: tuple[Floats, Floats]) -> Floats:
    """Return for each run a lower bound on the share of every line before it, for a line extended to where it leaves
    its end.

    ``ends`` are points (n, e, 2) on the sides by which lines may leave the ground they end in, and the unit vectors (n,
    e, 2) perpendicular to these, outwards. The distance to an edge grows with the distance of the start from the edge's
    line and falls as the line meets it more squarely: relative to a side, both have their extremes at the ends of the
    pieces. 0 where it is unknown: for runs around corners, or into the inside.
    """
    share = np.zeros(len(found.bundle))
    rows = np.nonzero(found.sure & (found.turn == OUT) & (found.edge >= 0))[0]
    if not len(rows):
        return share
    n, k = found.bundle[rows], found.edge[rows]
    way = outlines.points[k + 1] - outlines.points[k]
    out = np.stack([way[:, 1], -way[:, 0]], 1) / np.maximum(_long(way), NEAR)[:, None]
    crossing = bundles.of(n)
    points, square = ends[0][n], ends[1][n]
    from_, to = crossing.corners
    line = to - from_
    meets = _dot(line, out[:, None])  # by corner
    leaves = _dot(line[:, :, None], square[:, None])  # by corner and side
    before = np.array([_dot(outlines.points[k] - a, out) for a in (crossing.p, crossing.q)])
    behind = np.array([_dot(points - a[:, None], square) for a in (crossing.p, crossing.q)])
    known = (meets.min(1) > NEAR)[:, None] & (leaves.min(1) > NEAR) & (behind.min(0) > NEAR)
    with np.errstate(divide="ignore", invalid="ignore"):
        least = (before[..., None] / behind).min(0) * (leaves / meets[:, :, None]).min(1)
    share[rows] = np.where(known & (before.min(0) > 0.0)[:, None], least, 0.0).max(1)
    return share


def farthest(bundles: Bundles, outlines: Outlines) -> Floats:
    """Return distances from the starts, (n,), beyond which no line crosses an outline; 0 if none does."""
    turn, side = sides(bundles, outlines.points)
    n, k, first, second = _crossed(outlines, side)
    piece = _pieces(outlines, turn, n, k, (first, second))
    distances = np.zeros(len(bundles.p))
    np.maximum.at(distances, n, np.maximum.reduce([_long(x - a) for x in piece for a in (bundles.p[n], bundles.q[n])]))
    return distances


def _crossed(outlines: Outlines, side: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the bundles and the edges (m,), from vertex k to k + 1, that lines may cross, and the sides of their
    ends."""
    before, after = side[:, :-1], side[:, 1:]
    n, k = np.nonzero(~outlines.begins[1:] & ((before != after) | (after == 0)))
    return n, k, before[n, k], after[n, k]


def _numbered(n: Ints, k: Ints, first: Ints, second: Ints, outlines: Outlines) -> Ints:
    """Return the number of each edge's run; a run may continue from the last edge of a ring to its first."""
    goes_on = np.zeros(len(n), bool)
    goes_on[1:] = (first[1:] == 0) & (n[1:] == n[:-1]) & (k[1:] == k[:-1] + 1)
    number = np.cumsum(~goes_on) - 1
    ends = np.zeros(len(outlines.begins), bool)
    ends[:-1] = outlines.begins[1:]
    ends[-1:] = True
    ring = np.cumsum(outlines.begins)[k] + n * (len(outlines.begins) + 1)
    opening, closing = np.nonzero(outlines.begins[k] & (first == 0))[0], np.nonzero(ends[k + 1] & (second == 0))[0]
    at = np.searchsorted(ring[opening], ring[closing])
    joined = np.arange(number.max(initial=-1) + 1)
    joined[number[closing]] = number[opening[at]]
    numbers: Ints = joined[number]
    return numbers


def _pieces(outlines: Outlines, turn: Floats, n: Ints, k: Ints, settled: tuple[Ints, Ints]) -> tuple[Floats, Floats]:
    """Return the part (m, 2) to (m, 2) of each edge within which lines may cross it.

    The position along an edge where a line crosses it is monotone in the position of either end of the line.
    """
    one, other = (np.ascontiguousarray(turn[n, :, at].T) for at in (k, k + 1))  # by line, (4, m)
    crossed = (one > 0.0) != (other > 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = one / (one - other)
    least = np.where(settled[0] != 0, np.where(crossed, share, 1.0).min(0), 0.0)[:, None]
    most = np.where(settled[1] != 0, np.where(crossed, share, 0.0).max(0), 1.0)[:, None]
    a, b = outlines.points[k], outlines.points[k + 1]
    return a + least * (b - a), a + most * (b - a)


def _within(bundles: Bundles, n: Ints, a: Floats, b: Floats, spare: Floats) -> Ints:
    """Return 1 for each edge from a to b, (m, 2), whose infinite line separates all starts from all ends, -1 where
    they all lie on one side of it, farther off than ``spare``, else 0."""
    way = (b - a) / np.maximum(_long(b - a), NEAR)[:, None]
    off = way[:, 0] * a[:, 1] - way[:, 1] * a[:, 0]
    at = np.array([way[:, 0] * x[n, 1] - way[:, 1] * x[n, 0] - off for x in bundles[:4]])
    left, right = at > NEAR, at < -NEAR
    parted = (left[:2].all(0) & right[2:].all(0)) | (right[:2].all(0) & left[2:].all(0))
    return parted.astype(int) - ((at > spare).all(0) | (at < -spare).all(0))


def _along(
    bundles: Bundles, n: Ints, piece: tuple[Floats, Floats], within: Ints, spare: Floats
) -> tuple[Floats, Floats, Ints]:
    """Return bounds on the distances from the starts to pieces of edges, and for each piece 1 if all of it lies
    between starts and ends, -1 if none does: judged by the edge (``within``) or by the sides of the two cells."""
    p, q, r, leaving, entering = (x[n] for x in (bundles.p, bundles.q, bundles.r, bundles.leaving, bundles.entering))
    front = np.array([_dot(x - p, leaving) for x in piece])
    before = np.array([_dot(r - x, entering) for x in piece])
    ahead, short = (front.min(0) > NEAR) | (within == 1), (before.min(0) > NEAR) | (within == 1)
    outside = (front.max(0) < -spare) | (before.max(0) < -spare) | (within == -1)
    low = np.where(ahead, segments_apart(p, q, *piece), 0.0)
    high = np.maximum.reduce([_long(x - a) for x in piece for a in (p, q)])
    return low, np.where(short, high, np.inf), np.where(outside, -1, (ahead & short).astype(int))


def segments_apart(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Return the distance between segments a to b and c to d, (n, 2) each, that do not cross: an end of one is
    nearest."""
    if len(a) > AT_ONCE:
        return np.concatenate([segments_apart(*(x[k : k + AT_ONCE] for x in (a, b, c, d))) for k in _parts(len(a))])
    p, q, r, s = a.T, b.T, c.T, d.T
    points, starts = np.concatenate([p, q, r, s], 1), np.concatenate([r, r, p, p], 1)
    way = np.concatenate([s, s, q, q], 1) - starts
    off, square = (points - starts) * way, way * way
    long = square[0] + square[1]
    long[long <= 0.0] = 1.0
    share = (off[0] + off[1]) / long
    np.minimum(np.maximum(share, 0.0, out=share), 1.0, out=share)
    gap = points - (starts + share * way)
    distances: Floats = np.hypot(gap[0], gap[1]).reshape(4, -1).min(0)
    return distances


def _parts(count: int) -> range:
    return range(0, count, AT_ONCE)


def nearest_on(x: Floats, a: Floats, b: Floats) -> Floats:
    """Return the point of each segment a to b nearest to x, (..., 2) each."""
    way = b - a
    square = _dot(way, way)
    share = _dot(x - a, way) / np.where(square > 0.0, square, 1.0)
    nearest: Floats = a + np.clip(share, 0.0, 1.0)[..., None] * way
    return nearest


def _dot(a: Floats, b: Floats) -> Floats:
    """Return the dot products of vectors (..., 2)."""
    products: Floats = a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1]
    return products


def _long(way: Floats) -> Floats:
    lengths: Floats = np.hypot(way[..., 0], way[..., 1])
    return lengths
