"""How far a point gets for an allowance over ground of several slownesses among hard outlines, every place by a way.

Straight legs lead from node to node of a grid in 48 directions and from the corners of what is hard to all that is near
them. Each leg is charged by the true outlines it runs through, not by cells: wherever it crosses one it goes on at
another slowness. So every cost that is handed back is that of a way that can be walked, and no place is claimed that
cannot be had for the allowance. Ways bend at nodes and corners only: of what the true reach is at its edge some is
left out. Priced once for a table and what stands on it, asked many times.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.kernels import settling
from tabletop.geometry.measure import Point

#: Half the legs from a node: how many rows up, how many columns over. The others are these turned about.
LONGEST = 4
LEGS = tuple(
    (up, over)
    for up in range(LONGEST + 1)
    for over in range(-LONGEST, LONGEST + 1)
    if math.gcd(up, abs(over)) == 1 and (up, over) > (0, 0)
)
#: Corners are linked with what lies within so many cells of them, the start with what lies within so many.
NEAR, SET_OUT = 6.0, 8.0
#: Nodes this near an outline (table units) are left out: on which side they lie is not sure.
UNSURE = 1e-7
#: Turns (table units squared) no greater are none: the end of an edge lies on the line of a leg.
TOUCH = 1e-12
#: The least share of a leg that counts between its ends and an outline it crosses.
END = 1e-9
#: Nodes are settled together whose costs differ by no more than that of so many cells of even ground.
BAND = 2.0
#: With a kernel, the steps of cost in which they are settled, in the cost of so many cells.
WIDTH = 0.5
#: Gains below this are rounding, and not followed up.
EVEN = 1e-9

Floats = np.ndarray
Layers = Sequence[tuple[BaseGeometry, float]]


@dataclass(frozen=True, eq=False)
class Outlines:
    """The edges of every layer, ``starts`` to ``ends`` (n, 2), inside on the left; ``extra`` (n,) slowness in there."""

    starts: Floats
    ends: Floats
    extra: Floats

    @classmethod
    def of(cls, layers: Iterable[tuple[BaseGeometry, float]]) -> Outlines:
        starts, ends, extra = [np.zeros((0, 2))], [np.zeros((0, 2))], [np.zeros(0)]
        for area, more in layers:
            for ring in shapely.get_rings(shapely.orient_polygons(shapely.get_parts(area))):
                corners = shapely.get_coordinates(ring)
                if not len(corners):
                    continue
                starts.append(corners[:-1])
                ends.append(corners[1:])
                extra.append(np.full(len(corners) - 1, more))
        return cls(np.concatenate(starts), np.concatenate(ends), np.concatenate(extra))

    def near(self, low: Floats, high: Floats) -> Outlines:
        """Return the edges whose boxes meet the box from ``low`` to ``high``."""
        meet = (np.maximum(self.starts, self.ends) >= low).all(1) & (np.minimum(self.starts, self.ends) <= high).all(1)
        return Outlines(self.starts[meet], self.ends[meet], self.extra[meet])

    def crossed(self, edges: np.ndarray, at: Floats, way: Floats) -> tuple[np.ndarray, Floats, Floats]:
        """Of pairs of an edge and a segment from ``at`` along ``way`` (n, 2), return which cross, where, what changes.

        Where is the share of the segment before it, what the slowness more beyond it. Edges of what is hard are crossed
        by all that touches them, but not by what runs along them.
        """
        a, b = self.starts[edges] - at, self.ends[edges] - at
        one, other = _turn(way, a), _turn(way, b)
        touched = np.isinf(self.extra[edges]) & (np.minimum(np.abs(one), np.abs(other)) <= TOUCH)
        pairs = np.flatnonzero(((one < 0.0) != (other < 0.0)) | (touched & (np.abs(other - one) > 2 * TOUCH)))
        turn = (other - one)[pairs]
        share = _turn(a[pairs], b[pairs] - a[pairs]) / turn
        on = (share >= 0.0) & (share < 1.0)
        return pairs[on], share[on], np.where(turn[on] < 0.0, 1.0, -1.0) * self.extra[edges[pairs[on]]]


@dataclass(frozen=True, eq=False)
class WalkedGround:
    """A table ``width`` by ``height`` on which a unit of length costs 1 and what ``layers`` add to it.

    None may go into ``hard``. Nodes are ``(i * h, j * h)``; an area with its ``extra`` slowness makes a layer, and
    where areas overlap both count.
    """

    width: float
    height: float
    h: float
    layers: Layers
    hard: BaseGeometry

    def reach(self, start: Point, most: float) -> Reached:
        """Return what can be had from ``start`` for a cost of ``most``."""
        costs = np.full(len(self.points), np.inf)
        near, price = self.set_out(start)
        costs[near] = np.where(price <= most, price, np.inf)
        settle = settling.settle_linked.ready()
        if settle is None:
            self._spread(costs, most)
        else:
            settle(costs, self.prices, self.steps, *self.links, WIDTH * self.h, most)
        return Reached(self, start, costs)

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns of nodes there are."""
        return round(self.height / self.h) + 1, round(self.width / self.h) + 1

    @property
    def wide(self) -> int:
        """How many nodes there are to a row with its margin."""
        return self.shape[1] + 2 * LONGEST

    @cached_property
    def _outlines(self) -> Outlines:
        return Outlines.of([*self.layers, (self.hard, math.inf)])

    @cached_property
    def points(self) -> Floats:
        """The places (n, 2) of the nodes, rows with a margin one after the other, and then of the corners."""
        ny, nx = self.shape
        x, y = np.meshgrid(np.arange(-LONGEST, nx + LONGEST) * self.h, np.arange(-LONGEST, ny + LONGEST) * self.h)
        outlines = self._outlines
        corners = np.unique(outlines.starts[np.isinf(outlines.extra)], axis=0)
        on = (corners >= 0.0).all(1) & (corners <= (self.width, self.height)).all(1)
        return np.concatenate([np.column_stack([x.ravel(), y.ravel()]), corners[on]])

    @cached_property
    def steps(self) -> np.ndarray:
        return np.array([up * self.wide + over for up, over in LEGS])

    @cached_property
    def slowness(self) -> Floats:
        """What a unit of length costs at each node of the grid with its margin (n,); inf where none may go."""
        n = (self.shape[0] + 2 * LONGEST) * self.wide
        slowness = self._slowness(self.points[:n], self.hard)
        cells = slowness.reshape(-1, self.wide)
        cells[:LONGEST] = cells[-LONGEST:] = cells[:, :LONGEST] = cells[:, -LONGEST:] = np.inf
        edges, node = self._beside((0, 0), UNSURE / self.h)
        away = shapely.distance(shapely.points(self.points[node]), self._lines[edges])
        slowness[node[away < UNSURE]] = np.inf
        return slowness

    @cached_property
    def prices(self) -> Floats:
        """What each of ``LEGS`` costs from each node (n, legs), in single precision, rounded up."""
        found = [self._priced(up, over) for up, over in LEGS]
        prices = np.stack(found, axis=1)
        rounded = prices.astype(np.float32)
        return np.where(rounded < prices, np.nextafter(rounded, np.float32(np.inf)), rounded)

    @cached_property
    def links(self) -> tuple[np.ndarray, np.ndarray, Floats]:
        """The legs to and from corners: where each node's and corner's begin, to where they lead, what they cost."""
        n = len(self.slowness)
        corners = np.arange(n, len(self.points))
        one, other = self._pairs(corners, NEAR * self.h)
        price = self._straight(self.points[one], self.points[other])
        kept = np.isfinite(price)
        of = np.concatenate([one[kept], other[kept]])
        to = np.concatenate([other[kept], one[kept]])
        order = np.lexsort((to, of))
        first = np.searchsorted(of[order], np.arange(len(self.points) + 1))
        return first, to[order], np.concatenate([price[kept], price[kept]])[order]

    def _slowness(self, points: Floats, hard: BaseGeometry) -> Floats:
        """Return what a unit of length costs at each of ``points`` (n, 2); inf inside what is ``hard``."""
        slowness = np.ones(len(points))
        for area, more in [*self.layers, (hard, math.inf)]:
            if area.is_empty:
                continue
            shapely.prepare(area)
            x0, y0, x1, y1 = area.bounds
            box = np.flatnonzero((points >= (x0, y0)).all(1) & (points <= (x1, y1)).all(1))
            slowness[box[shapely.contains_xy(area, *points[box].T)]] += more
        return slowness

    @cached_property
    def _lines(self) -> np.ndarray:
        return np.asarray(shapely.linestrings(np.stack([self._outlines.starts, self._outlines.ends], axis=1)))

    def _beside(self, leg: tuple[int, int], room: float) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of an edge and a node whose ``leg`` has a box that meets the edge's, ``room`` cells wider."""
        ends = np.stack([self._outlines.starts, self._outlines.ends]) / self.h
        way = np.array(leg[::-1])
        return self._within(ends.min(0) - room - np.maximum(way, 0), ends.max(0) + room - np.minimum(way, 0))

    def _priced(self, up: int, over: int) -> Floats:
        """Return what a leg costs from every node of the grid with its margin; inf where there is none."""
        edges, node = self._beside((up, over), 0.0)
        way = np.broadcast_to(np.array([over, up]) * self.h, (len(node), 2))
        pairs, share, more = self._outlines.crossed(edges, self.points[node], way)
        rate = _charged(self.slowness, node[pairs], share, more)
        step = up * self.wide + over
        beyond = np.full(len(rate), np.inf)
        beyond[:-step] = self.slowness[step:]
        rate[np.isinf(beyond)] = np.inf
        return np.asarray(rate * (math.hypot(up, over) * self.h))

    def _pairs(self, corners: np.ndarray, far: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the pairs of a corner and a node or corner no farther apart than ``far``, each once."""
        at = self.points[corners]
        node = self._about(at, far)
        tree = shapely.STRtree(shapely.points(at))
        a, b = tree.query(shapely.points(at), predicate="dwithin", distance=far)
        one = np.concatenate([corners[node[0]], corners[a[a < b]]])
        other = np.concatenate([node[1], corners[b[a < b]]])
        near = np.hypot(*(self.points[one] - self.points[other]).T) <= far
        return one[near], other[near]

    def _about(self, at: Floats, far: float) -> tuple[np.ndarray, np.ndarray]:
        """Return, for places (n, 2), pairs of one and a node that can be stood on in the box ``far`` about it."""
        of, node = self._within((at - far) / self.h, (at + far) / self.h)
        free = np.isfinite(self.slowness[node])
        return of[free], node[free]

    def _within(self, low: Floats, high: Floats) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of a box, from ``low`` to ``high`` (n, 2) in cells, and a node in it."""
        ny, nx = self.shape
        first = np.maximum(np.ceil(low).astype(int), 0)
        many = np.maximum(np.minimum(np.floor(high).astype(int), (nx - 1, ny - 1)) - first + 1, 0)
        n = many.prod(1)
        of = np.repeat(np.arange(len(n)), n)
        k = np.arange(len(of)) - np.repeat(np.cumsum(n) - n, n)
        i, j = first[of, 0] + k % many[of, 0], first[of, 1] + k // many[of, 0]
        return of, (j + LONGEST) * self.wide + i + LONGEST

    def _straight(self, starts: Floats, ends: Floats) -> Floats:
        """Return what straight legs between places off what is hard, or on its border, cost (n,); inf through it."""
        way = ends - starts
        tree = shapely.STRtree(self._lines)
        leg, edge = tree.query(shapely.linestrings(np.stack([starts, ends], axis=1)))
        pairs, share, more = self._outlines.crossed(edge, starts[leg], way[leg])
        leg, shut = leg[pairs], np.isinf(more)
        # what lies beyond an outline counts from a place on the leg that is on no outline, both ways
        place = _clear_places(leg, share, len(way))
        of = np.where(share > place[leg], 1.0 - share, -share) * np.where(shut, 0.0, more)
        # a leg along its border is not in what is hard, on whichever side of it rounding puts the place
        inside = shapely.buffer(self.hard, -UNSURE)
        rate = self._slowness(starts + place[:, None] * way, inside) + np.bincount(leg, of, len(way))
        rate[leg[shut & (share > END) & (share < 1.0 - END)]] = np.inf
        return np.asarray(rate * np.hypot(*way.T))

    def set_out(self, start: Point) -> tuple[np.ndarray, Floats]:
        """Return the nodes about ``start`` and what the straight legs to them cost."""
        at, far = np.array([start], float), SET_OUT * self.h
        _, node = self._about(at, far)
        way = at - self.points[node]
        outlines = self._outlines.near(at[0] - far, at[0] + far)
        edges = np.tile(np.arange(len(outlines.extra)), len(node))
        leg = np.repeat(np.arange(len(node)), len(outlines.extra))
        pairs, share, more = outlines.crossed(edges, self.points[node][leg], way[leg])
        rate = _charged(self.slowness[node], leg[pairs], share, more)
        return node, np.asarray(rate * np.hypot(*way.T))

    def _spread(self, costs: Floats, most: float) -> None:
        """Lower the costs of nodes and corners to the least over all legs, a band of nearly equal costs at a time."""
        waiting = costs <= most
        costs[~waiting] = most + 2 * EVEN
        fresh = np.flatnonzero(waiting)
        while len(fresh):
            spent = costs.take(fresh)
            band = spent <= spent.min() + BAND * self.h
            now = fresh[band]
            waiting[now] = False
            to, price = self.onward(now, spent[band])
            cheaper = np.flatnonzero(price < costs.take(to) - EVEN)
            to = to.take(cheaper)
            np.minimum.at(costs, to, price.take(cheaper))
            waiting[to] = True
            fresh = np.flatnonzero(waiting)
        costs[costs > most] = np.inf

    def onward(self, of: np.ndarray, spent: Floats) -> tuple[np.ndarray, Floats]:
        """Return where all legs from some nodes and corners lead, and what has been spent there."""
        on_grid = len(of) if of[-1] < len(self.slowness) else int(np.searchsorted(of, len(self.slowness)))
        nodes, so_far = of[:on_grid, None], spent[:on_grid, None]
        steps, places = self._both_ways
        first, others, price = self.links
        begin = first.take(of)
        many = first.take(of + 1) - begin
        link = np.repeat(begin - np.cumsum(many) + many, many) + np.arange(many.sum())
        legs = self.prices.reshape(-1).take(nodes * len(LEGS) + places) + so_far
        linked = price.take(link) + np.repeat(spent, many)
        return np.concatenate([(nodes + steps).ravel(), others.take(link)]), np.concatenate([legs.ravel(), linked])

    @cached_property
    def _both_ways(self) -> tuple[np.ndarray, np.ndarray]:
        """How far on the legs of a node lead, and how far from those of the node its prices are among all prices."""
        k = np.arange(len(LEGS))
        return np.concatenate([self.steps, -self.steps]), np.concatenate([k, k - self.steps * len(LEGS)])


def _charged(slowness: Floats, leg: np.ndarray, share: Floats, more: Floats) -> Floats:
    """Return what a unit of length of legs (n,) costs that set out on such ground and cross outlines on the way.

    ``leg`` (k,) crosses one after a ``share`` of it, beyond which ``more`` is charged; inf through what is hard.
    """
    shut = np.isinf(more)
    rate = slowness + np.bincount(leg, np.where(shut, 0.0, more) * (1.0 - share), len(slowness))
    rate[leg[shut]] = np.inf
    return rate


def _clear_places(leg: np.ndarray, share: Floats, n: int) -> Floats:
    """Return the middle (n,) of the longest stretch of each of n legs between the outlines it crosses (leg, share)."""
    of = np.concatenate([leg, np.arange(n), np.arange(n)])
    at = np.concatenate([share, np.zeros(n), np.ones(n)])
    order = np.lexsort((at, of))
    of, at = of[order], at[order]
    long = np.where(of[1:] == of[:-1], np.diff(at), -1.0)
    longest = np.lexsort((long, of[:-1]))
    last = longest[np.searchsorted(of[:-1][longest], np.arange(n), "right") - 1]
    return np.asarray((at[last] + at[last + 1]) / 2)


def _turn(a: Floats, b: Floats) -> Floats:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


@dataclass(frozen=True, eq=False)
class Reached:
    """What was had from ``start``: ``costs`` of all nodes, rows with a margin one after the other, and of corners."""

    ground: WalkedGround
    start: Point
    costs: Floats

    @cached_property
    def cost(self) -> Floats:
        """The cost [ny, nx] of a way to every node to which there is one; else inf."""
        (ny, nx), wide = self.ground.shape, self.ground.wide
        with_margin = self.costs[: (ny + 2 * LONGEST) * wide].reshape(-1, wide)
        return with_margin[LONGEST : LONGEST + ny, LONGEST : LONGEST + nx]

    def way_to(self, row: int, column: int) -> list[Point]:
        """Return the points of the way to a node, from the start on; empty where there is none."""
        node = (row + LONGEST) * self.ground.wide + column + LONGEST
        if math.isinf(self.costs[node]):
            return []
        near, price = self.ground.set_out(self.start)
        straight = dict(zip(near.tolist(), price.tolist(), strict=True))
        way = [node]
        while straight.get(way[-1], math.inf) > self.costs[way[-1]] + EVEN:
            others, spent = self.ground.onward(np.array(way[-1:]), np.zeros(1))
            way.append(int(others[np.argmin(self.costs[others] + spent)]))
        x, y = self.ground.points[way[::-1]].T.tolist()
        return [self.start, *zip(x, y, strict=True)]
