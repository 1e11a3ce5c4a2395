"""The shortest clear lines between many pairs of convex bodies when nothing but walls stands between them.

Where the closest points of two bodies do not see each other, the shortest clear line touches one or two convex corners
of walls (``sight_search`` says why): about each corner the length is convex in the direction, so the least about it is
a candidate, and else the line leaves the corner's open directions at another corner. So the candidates are few; those
of all pairs are found together, and put to the walls in rounds, the shortest of each pair first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from tabletop.geometry.bodies import Bodies
from tabletop.geometry.kernels.past_walls import DOUBT, NONE, shortest_lines
from tabletop.geometry.sight_ground import Bar, Bools, Floats, Ints
from tabletop.geometry.sight_pivots import heading_of
from tabletop.geometry.sight_turn import shortest_turn

#: Directions and sides this near to each other (in table units, at the far point) are one: rounding.
NEAR = 1e-9
#: Candidates of each pair put to the walls in the first round; each further round takes as many again and twice more.
FIRST = 3
#: Pairs of bodies whose candidates are worked out together.
BLOCK = 256


@dataclass(frozen=True, eq=False)
class Walls:
    """Opaque outlines: vertices (v, 2), each with the one ``before`` and ``after`` it, the inside on the left.

    ``core`` is what no line may meet: less than the outlines by the little by which a line along an edge grazes.
    """

    points: Floats
    before: Ints
    after: Ints
    core: shapely.Geometry

    @classmethod
    def of(cls, areas: Sequence[shapely.Geometry], core: shapely.Geometry) -> Walls:
        """Return walls of (multi)polygons; ``core`` is all of them, a little smaller. They may overlap."""
        rings = shapely.get_rings(shapely.orient_polygons(shapely.get_parts(areas)))
        core = shapely.from_wkb(shapely.to_wkb(core))  # prepared shapes are not shared: not safe between threads
        shapely.prepare(core)
        sizes = shapely.get_num_coordinates(rings) - 1
        last = np.cumsum(sizes)
        k = np.arange(int(sizes.sum()))
        after, before = k + 1, k - 1
        after[last - 1], before[last - sizes] = last - sizes, last - 1
        points = shapely.get_coordinates(rings)
        return cls(np.delete(points, last + np.arange(len(last)), axis=0), before, after, core)

    @cached_property
    def convex(self) -> Ints:
        """The numbers of the vertices that stand out, so that a line can graze them."""
        a, b = self.points - self.points[self.before], self.points[self.after] - self.points
        return np.nonzero(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] > 0)[0]

    @cached_property
    def tree(self) -> shapely.STRtree:
        return shapely.STRtree(np.asarray(shapely.points(self.points[self.convex])))

    def clear(self, starts: Floats, ends: Floats) -> Bools:
        """Return which lines (n, 2) to (n, 2) no wall stops; a line that grazes is clear."""
        return ~np.asarray(shapely.intersects(self.core, shapely.linestrings(np.stack([starts, ends], axis=1))))

    def shortest(self, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        """Return the shortest clear line from each body of ``a`` to that of ``b``: lengths (n,), and ends (n, 2, 2).

        Bodies are segments (n, 2, 2) or convex polygons (n, k, 2), counter-clockwise, that meet no wall. inf and nan
        where no line is clear.
        """
        quick = shortest_lines.ready()
        if quick is None:
            return self._in_step(a, b)
        ends, verdict = np.full((len(a), 2, 2), np.nan), np.zeros(len(a), np.uint8)
        a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
        quick(self.points, self.before, self.after, a, b, ends.reshape(-1, 4), verdict)
        length = np.where(verdict == NONE, np.inf, np.hypot(*(ends[:, 1] - ends[:, 0]).T))
        ends[verdict == NONE] = np.nan
        rest = np.nonzero(verdict == DOUBT)[0]
        if len(rest):
            length[rest], ends[rest] = self._in_step(a[rest], b[rest])
        return length, ends

    def _in_step(self, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        """Return what ``shortest`` does, by candidates of all pairs together."""
        lines = shapely.get_coordinates(shapely.shortest_line(_shapes(a), _shapes(b))).reshape(-1, 2, 2)
        length: Floats = np.hypot(*(lines[:, 1] - lines[:, 0]).T)
        shut = np.nonzero(~self.clear(lines[:, 0], lines[:, 1]))[0]
        length[shut], lines[shut] = np.inf, np.nan
        for rest in (shut[k : k + BLOCK] for k in range(0, len(shut), BLOCK)):
            pair, found = _Corners.between(self, Bodies.of(a[rest]), Bodies.of(b[rest])).candidates()
            row, ends = self._first_clear(pair, found)
            lines[rest[row]], length[rest[row]] = ends, np.hypot(*(ends[:, 1] - ends[:, 0]).T)
        return length, lines

    def _first_clear(self, pair: Ints, lines: Floats) -> tuple[Ints, Floats]:
        """Return the shortest clear line of each pair that has one: the pairs' numbers, and lines."""
        length = np.hypot(*(lines[:, 1] - lines[:, 0]).T)
        order = np.lexsort((length, pair))
        pair, lines = pair[order], lines[order]
        place = np.arange(len(pair)) - np.searchsorted(pair, pair)
        done = np.full(int(np.max(pair, initial=-1)) + 1, -1)
        low, high = 0, FIRST
        while len(some := np.nonzero((place >= low) & (place < high) & (done[pair] < 0))[0]):
            good = some[self.clear(lines[some, 0], lines[some, 1])][::-1]
            done[pair[good]] = good  # of several of one pair the last written stays: the shortest
            low, high = high, 3 * high + FIRST
        found = np.nonzero(done >= 0)[0]
        return found, lines[done[found]]


def closed_off(bars: Sequence[Bar], a: Floats, b: Floats) -> bool | None:
    """Return whether walls alone close every line between two convex bodies (k, 2) that meet neither each other nor
    them; None where only the plain way can tell, or there is no kernel."""
    quick = shortest_lines.ready()
    if quick is None or min(len(a), len(b)) < 2 or not bars:
        return None
    first = np.cumsum([0, *(len(bar.points) for bar in bars)])[:-1]
    points = np.concatenate([bar.points for bar in bars])
    before = np.concatenate([bar.before + k for bar, k in zip(bars, first, strict=True)])
    after = np.concatenate([bar.after + k for bar, k in zip(bars, first, strict=True)])
    verdict, line = np.zeros(1, np.uint8), np.empty((1, 4))
    quick(points, before, after, np.ascontiguousarray(a[None]), np.ascontiguousarray(b[None]), line, verdict)
    return None if verdict[0] == DOUBT else bool(verdict[0] == NONE)


@dataclass(frozen=True, eq=False)
class _Corners:
    """Corners about which lines between pairs may turn, flat: the pair's row, the corner and its neighbours (relative
    to it), and the fan of directions, from ``right`` to ``left``, of lines that meet both bodies."""

    high: Bodies
    low: Bodies
    pair: Ints
    at: Floats
    before: Floats
    after: Floats
    right: Floats
    left: Floats

    @classmethod
    def between(cls, walls: Walls, high: Bodies, low: Bodies) -> _Corners:
        hulls = shapely.convex_hull(shapely.multipoints(np.concatenate([high.points, low.points], axis=1)))
        pair, k = walls.tree.query(hulls, predicate="intersects")
        corner = walls.convex[k]
        at = walls.points[corner]
        before, after = walls.points[walls.before[corner]] - at, walls.points[walls.after[corner]] - at
        from_right, from_left = _bounds(at[:, None] - high.points[pair])
        to_right, to_left = _bounds(low.points[pair] - at[:, None])
        right = np.where(_leftward(from_right, to_right)[:, None], to_right, from_right)
        left = np.where(_leftward(from_left, to_left)[:, None], from_left, to_left)
        found = cls(high, low, pair, at, before, after, right, left)
        fan = _turn(right, left) >= 0
        for side in (right, left):
            fan &= _within(side, from_right, from_left) & _within(side, to_right, to_left)
        return found.take(np.nonzero(fan & ~found._shut_in())[0])

    def take(self, some: Ints) -> _Corners:
        before, after = self.before[some], self.after[some]
        return _Corners(
            self.high, self.low, self.pair[some], self.at[some], before, after, self.right[some], self.left[some]
        )

    def _shut_in(self) -> Bools:
        """Return whose whole fan runs into the corner's own wall."""
        one = [_turn(u, w) > 0 for u in (self.right, self.left) for w in (self.before, self.after)]
        return np.asarray((one[0] != one[1]) & (one[0] == one[2]) & (one[1] == one[3]))

    def candidates(self) -> tuple[Ints, Floats]:
        """Return lines that may be the shortest clear one of their pair: the pairs' rows, and ends (n, 2, 2)."""
        first = np.arctan2(self.right[:, 1], self.right[:, 0])
        last = first + np.arctan2(_turn(self.right, self.left), (self.right * self.left).sum(1))
        high, low = self.high.take(self.pair), self.low.take(self.pair)
        u = heading_of(shortest_turn(self.at, first, last, high, low))
        turned = self._lines(np.nonzero(self._grazed(u))[0], u)
        i, u = self._through_two()
        both = self._lines(i, u)
        return np.concatenate([turned[0], both[0]]), np.concatenate([turned[1], both[1]])

    def _lines(self, rows: Ints, u: Floats) -> tuple[Ints, Floats]:
        u = u if len(u) == len(rows) else u[rows]
        at, pair = self.at[rows], self.pair[rows]
        s, e = self.high.take(pair).leave(at, u)[0], self.low.take(pair).enter(at, u)[0]
        return pair, np.stack([at + s[:, None] * u, at + e[:, None] * u], axis=1)

    def _grazed(self, u: Floats) -> Bools:
        """Return which corners a line in direction u passes without running into their wall."""
        return _grazes(u, self.before, self.after)

    def _through_two(self) -> tuple[Ints, Floats]:
        """Return the lines through two corners of a pair that run into the wall of neither: a corner's row, and u."""
        start = np.searchsorted(self.pair, self.pair)
        first = np.arange(len(self.pair))
        times = first - start  # each corner with those before it
        i = np.repeat(first, times)
        j = np.arange(len(i)) - np.repeat(np.cumsum(times) - times, times) + start[i]
        u = self.at[i] - self.at[j]
        u *= np.where((u * (_unit(self.right[i]) + _unit(self.left[i]))).sum(1) < 0, -1.0, 1.0)[:, None]
        for _ in range(2):
            good = np.nonzero(_grazes(u, self.before[i], self.after[i]) & u.any(1))[0]
            i, j, u = j[good], i[good], u[good]
        for _ in range(2):
            good = np.nonzero((_turn(self.right[i], u) >= -NEAR) & (_turn(u, self.left[i]) >= -NEAR))[0]
            i, j, u = j[good], i[good], u[good]
        return i, _unit(u)


def _grazes(u: Floats, before: Floats, after: Floats) -> Bools:
    """Return where a line in direction u has both neighbours of a corner to one side, or on it."""
    found: Bools = _turn(u, before) * _turn(u, after) >= -NEAR
    return found


def _shapes(points: Floats) -> Floats:
    made = shapely.linestrings(points) if points.shape[1] == 2 else shapely.polygons(points)
    return np.asarray(made)


def _turn(u: Floats, w: Floats) -> Floats:
    found: Floats = u[:, 0] * w[:, 1] - u[:, 1] * w[:, 0]
    return found


def _unit(u: Floats) -> Floats:
    found: Floats = u / np.hypot(u[:, 0], u[:, 1])[:, None]
    return found


def _within(u: Floats, right: Floats, left: Floats) -> Bools:
    """Return where u lies between two directions less than half a turn apart, and not the other way."""
    ahead = ((u * right).sum(1) > 0) | ((u * left).sum(1) > 0)
    return np.asarray((_turn(right, u) >= 0) & (_turn(u, left) >= 0) & ahead)


def _leftward(u: Floats, w: Floats) -> Bools:
    """Return where w points to the left of u."""
    return np.asarray(_turn(u, w) > 0)


def _bounds(ways: Floats) -> tuple[Floats, Floats]:
    """Return the outermost, right and left, of k directions (n, k, 2) that lie within half a turn."""
    right = left = ways[:, 0]
    for k in range(1, ways.shape[1]):
        right = np.where(_leftward(ways[:, k], right)[:, None], ways[:, k], right)
        left = np.where(_leftward(left, ways[:, k])[:, None], ways[:, k], left)
    return right, left
