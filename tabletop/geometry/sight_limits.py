"""The limits that end a line which touches no corner, each a straight side met by the line: which may balance.

In a fixed direction a line is given by its offset p, and the place s where it meets a straight side is linear in p. The
end of a shade, the near and the far side of the lower cell, and the budget are sums of such places; where two of them
balance is one linear equation for p. A unit passed over casts its shade from where the corridor along the line leaves
it: where a rim of the corridor, the line set off by the clearance to either side, meets a side of it, or at one of its
corners. ``sight_balanced`` looks for the lines.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import shapely

from tabletop.geometry.distinct import distinct_rows
from tabletop.geometry.shapes import hull_about
from tabletop.geometry.sight_cells import Cell
from tabletop.geometry.sight_ground import AT_EDGE, Bools, Floats, Ints
from tabletop.geometry.sight_pivots import heading_of
from tabletop.geometry.sight_secants import PAST

if TYPE_CHECKING:
    from tabletop.geometry.sight_mixed import Mixed


@dataclass(frozen=True, eq=False)
class Families:
    """n families: sides (n, 5) and weights (n, 5) of the balance and its constant; the lower end's sides and weights.

    Column 0 is the side the line leaves the higher cell by. The lower end lies at sum(end_weights * s) + end_constant.
    Families of one ``group`` leave by one side and have the lower end in common.
    """

    sides: Ints
    weights: Floats
    constant: Floats
    end_weights: Floats
    end_constant: Floats
    group: Ints

    def take(self, k: Ints | Bools) -> Families:
        weights, ends = (self.weights[k], self.constant[k]), (self.end_weights[k], self.end_constant[k])
        return Families(self.sides[k], *weights, *ends, self.group[k])

    def offsets(self, sides: Sides, angle: Floats) -> tuple[Floats, Floats]:
        """Return between which offsets (n, m) lines at angles (m,) meet all the sides of each between their ends."""
        low, high = sides.offsets(angle)
        return np.asarray(low[self.sides].max(1)), np.asarray(high[self.sides].min(1))

    def pairs(self) -> tuple[Ints, Ints]:
        """Return the numbers of every two families of one group."""
        order = np.argsort(self.group, kind="stable")
        sizes = np.bincount(self.group)
        starts = np.cumsum(sizes) - sizes
        pairs = [np.stack(np.triu_indices(n, 1)) + at for n, at in zip(sizes.tolist(), starts.tolist(), strict=True)]
        one, other = order[np.concatenate(pairs, axis=1)]
        return one, other


@dataclass(frozen=True, eq=False)
class Sides:
    """What a line meets, by number: the pair's sides, then where the corridors past screens can end.

    Along a line of offset p a side is met where ``normals . x`` is ``level`` on the line set off to the left by
    ``shift``; a ``corner`` lies abreast of the place where the line is as far along as it, no farther to a side than
    its ``shift``: its ``normals`` are the corner itself. ``over`` are the numbers that go with each screen passed over.
    """

    normals: Floats
    level: Floats
    shift: Floats
    corner: Bools
    ends: Floats  # (n, 2, 2)
    over: tuple[Ints, ...]

    @classmethod
    def of(cls, mixed: Mixed) -> Sides:
        (normals, level), edges = mixed.sides, mixed.edges
        none = np.zeros(len(level))
        between = np.stack([edges.points[edges.i], edges.points[edges.j]], axis=1)
        ends = np.concatenate([_side_ends(mixed.pair.high), _side_ends(mixed.pair.low), between])
        rows = [(normals, level, none, none > 0.0, ends)]
        rows += [_corridor_ends(np.array(mixed.far_sides(o)), o.screen.clearance) for o in mixed.pair.over]
        first = np.cumsum([len(row[1]) for row in rows])
        over = tuple(np.arange(n, m) for n, m in pairwise(first.tolist()))
        normals, level, shift, corner, ends = zip(*rows, strict=True)
        told = np.concatenate(normals), np.concatenate(level), np.concatenate(shift), np.concatenate(corner)
        return cls(*told, np.concatenate(ends), over)

    def offsets(self, angle: Floats) -> tuple[Floats, Floats]:
        """Return the least and greatest offsets (n, m) of lines at angles (m,) that meet each side between its ends."""
        left = np.stack([-np.sin(angle), np.cos(angle)], axis=1)
        at = self.ends @ left.T - np.where(self.corner, 0.0, self.shift)[:, None, None]
        aside = np.where(self.corner, self.shift, 0.0)[:, None]
        return at.min(1) - aside, at.max(1) + aside

    def places(self, sides: Ints, angle: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the places (n, m, 5) of sides (n, 5) at angles (n, m) on lines of offset 0, and their slopes.

        The third are the rates at which a line comes up to each side; 1 for a corner.
        """
        cos, sin = np.cos(angle)[..., None], np.sin(angle)[..., None]
        x, y = self.normals[sides][:, None, :, 0], self.normals[sides][:, None, :, 1]
        rate = x * cos + y * sin
        slope = (x * sin - y * cos) / rate
        base = self.level[sides][:, None] / rate + slope * self.shift[sides][:, None]
        corner = self.corner[sides][:, None]
        return np.where(corner, rate, base), np.where(corner, 0.0, slope), np.where(corner, 1.0, rate)


def _side_ends(cell: Cell) -> Floats:
    """Return from where to where (n, 2, 2) the sides of a cell run, a segment's own and its caps."""
    p = cell.points
    if len(p) <= 2:
        return np.array([[p[0], p[-1]], [p[0], p[-1]], [p[-1], p[-1]], [p[0], p[0]]])
    return np.stack([p, np.roll(p, -1, axis=0)], axis=1)


def _corridor_ends(far: Floats, clearance: float) -> tuple[Floats, Floats, Floats, Bools, Floats]:
    """Return where a corridor can end, as ``Sides`` has it: at far sides (n, 2, 2) by each rim, or their corners."""
    far = far.reshape(-1, 2, 2)
    corners = distinct_rows(far.reshape(-1, 2))
    n, way = len(far), far[:, 1] - far[:, 0]
    outward = np.stack([way[:, 1], -way[:, 0]], axis=1)
    level, none = (outward * far[:, 0]).sum(1), np.zeros(len(corners))
    return (
        np.concatenate([outward, outward, corners]),
        np.concatenate([level, level, none]),
        np.concatenate([np.full(n, -clearance), np.full(n, clearance), none + clearance]),
        np.concatenate([np.zeros(2 * n, bool), np.ones(len(corners), bool)]),
        np.concatenate([far, far, np.stack([corners, corners], axis=1)]),
    )


class Terms:
    """The limits of a pair: sums of places along the line, as (side, weight) pairs and a constant."""

    def __init__(self, mixed: Mixed, angles: Floats) -> None:
        self.mixed, pair, self.sides = mixed, mixed.pair, Sides.of(mixed)
        self.past = pair.t + PAST
        towards = mixed.sides[0] @ heading_of(angles).T
        ahead: Bools = np.any(towards > 1e-9, axis=1)
        back: Bools = np.any(towards < -1e-9, axis=1)
        self.ahead, self.back = ahead, back
        n_high, n_low = mixed.low_at, mixed.edge_at - mixed.low_at
        high = np.arange(2 if len(pair.high.points) == 2 else n_high)  # a segment is met across it, not by its caps
        low = mixed.low_at + np.arange(2 if len(pair.low.points) == 2 else n_low)
        self.leave = high[ahead[high]]
        self.enter, self.exit = low[back[low]], low[ahead[low]]
        label = mixed.edges.label
        edges = mixed.edge_at + np.arange(len(label))
        self.shades = [(c, int(e)) for k, c in enumerate(mixed.factors) for e in edges[(label == k + 1) & ahead[edges]]]
        self.owns = [
            (own, edges[(label == mixed.first_own + k) & (ahead[edges] if own.high else back[edges])])
            for k, own in enumerate(pair.owns)
        ]
        for k, own in enumerate(pair.owns):
            if own.factor > 0 and np.isfinite(own.factor):
                mine = edges[(label == mixed.first_own + k) & ahead[edges]]
                self.shades += [(own.factor, int(e)) for e in mine]
        for over, numbers in zip(pair.over, self.sides.over, strict=True):
            self.shades += [(over.factor, int(e)) for e in numbers]
        self.reach = _Reach.of(mixed, self.sides, self.leave)

    def shades_of(self, i: int) -> list[tuple[float, int]]:
        """Return the shades that can end in the lower cell on lines that leave the higher one by side ``i``."""
        return [(c, e) for c, e in self.shades if self.reach.fits(i, c, e - self.mixed.edge_at, self.past)]

    def ends(self, i: int) -> Iterator[tuple[dict[int, float], float]]:
        """Yield where the lower end can stand: on its near side, or at the end of a shade."""
        for k in self.enter:
            yield {int(k): 1.0}, 0.0
        for c, e in self.shades_of(i):
            yield self.shade_end(c, e, i), self.past

    @staticmethod
    def shade_end(c: float, e: int, i: int) -> dict[int, float]:
        return {i: -c, e: 1.0 + c}

    def budgets(self, i: int, end: dict[int, float], end_constant: float) -> Iterator[tuple[dict[int, float], float]]:
        """Yield every way of spending the whole budget, and the crest, as a sum of places and its value."""
        pair = self.mixed.pair
        limit = (pair.law.budget + pair.t) / pair.law.budget
        for own, edges in self.owns:
            per = own.per if np.isfinite(own.per) else None
            for e in edges.tolist():
                if own.high and per:
                    yield {i: -1.0 / per, e: 1.0 / per}, limit
                if own.low and not own.high and per:
                    yield _sum({e: -1.0 / per}, end, 1.0 / per), limit - end_constant / per
                if own.crest:
                    yield {i: -1.0, e: 1.0}, pair.law.crest + pair.t
        yield from self._thin()
        yield from self._both(i, end, end_constant, limit)

    def _thin(self) -> Iterator[tuple[dict[int, float], float]]:
        """Yield every way through a thin wood that is just as long as sight goes."""
        edges, label = self.mixed.edge_at + np.arange(len(self.mixed.edges.label)), self.mixed.edges.label
        thin = [(self.mixed.first_thin + k, bar) for k, (_, bar) in enumerate(self.mixed.pair.thin)]
        if self.mixed.pair.law.thin_wood_transparent:
            owns = enumerate(self.mixed.pair.owns, self.mixed.first_own)
            thin += [(k, own.bar) for k, own in owns if own.bar.see_through > 0 and own.factor > 0]
        for number, bar in thin:
            mine = edges[label == number].tolist()
            ways = ((x, y) for x in mine for y in mine if self.ahead[x] and self.back[y])
            yield from (({x: 1.0, y: -1.0}, bar.see_through + self.mixed.pair.t) for x, y in ways)

    def _both(
        self, i: int, end: dict[int, float], end_constant: float, limit: float
    ) -> Iterator[tuple[dict[int, float], float]]:
        """Yield the budget spent at both ends together."""
        highs = [(own, e) for own, edges in self.owns if own.high and np.isfinite(own.per) for e in edges.tolist()]
        lows = [(own, e) for own, edges in self.owns if own.low and np.isfinite(own.per) for e in edges.tolist()]
        for a, x in highs:
            for b, y in lows:
                if x != y:
                    spend = _sum({i: -1.0 / a.per, x: 1.0 / a.per}, {y: -1.0 / b.per}, 1.0)
                    yield _sum(spend, end, 1.0 / b.per), limit - end_constant / b.per

    def balances(self) -> Iterator[tuple[int, dict[int, float], float, dict[int, float], float]]:
        """Yield (leaving side, balance, its value, lower end, its constant)."""
        for i in self.leave.tolist():
            shades = self.shades_of(i)
            for c, e in shades:
                end = self.shade_end(c, e, i)
                for k in (*self.enter.tolist(), *self.exit.tolist()):
                    yield i, _sum(end, {k: 1.0}, -1.0), -self.past, end, self.past
                for other, f in shades:
                    if (other, f) > (c, e) and (other != c or max(e, f) >= len(self.mixed.sides[1])):
                        yield i, _sum(end, self.shade_end(other, f, i), -1.0), 0.0, end, self.past
            for end, constant in self.ends(i):
                for spend, limit in self.budgets(i, end, constant):
                    yield i, spend, limit, end, constant


@dataclass(frozen=True, eq=False)
class _Reach:
    """How near and far sides of the higher cell, by number, lie to edges (n,) and to the lower cell.

    What ends a corridor counts by ``aside`` (n,) nearer and farther: it lies so far from the line.
    """

    near: dict[int, Floats]
    far: dict[int, Floats]
    least: dict[int, float]
    most: dict[int, float]
    aside: Floats

    @classmethod
    def of(cls, mixed: Mixed, sides: Sides, leave: Ints) -> _Reach:
        high, low, ends = mixed.pair.high, mixed.pair.low, sides.ends[mixed.edge_at :]
        aside = np.zeros(len(ends))
        for over, numbers in zip(mixed.pair.over, sides.over, strict=True):
            aside[numbers - mixed.edge_at] = over.screen.clearance
        lines = shapely.linestrings(ends) if len(ends) else np.zeros(0, object)
        near, far, least, most = {}, {}, {}, {}
        for i in leave.tolist():
            side = high.points if len(high.points) <= 2 else high.points[[i, (i + 1) % len(high.points)]]
            shape = hull_about(side)
            near[i] = np.asarray(shapely.distance(lines, shape))
            far[i] = _farthest(side, ends)
            least[i], most[i] = float(shapely.distance(shape, low.shape)), float(_farthest(side, low.points[None])[0])
        return cls(near, far, least, most, aside)

    def fits(self, i: int, c: float, edge: int, past: float) -> bool:
        """Return whether a shadow ``c`` times the way from side ``i`` to an edge can end in the lower cell."""
        aside = float(self.aside[edge])
        near, far = float(self.near[i][edge]) - aside, float(self.far[i][edge]) + aside
        near, far = near * (1.0 + c) + past, far * (1.0 + c) + past
        return near <= self.most[i] + AT_EDGE and far >= self.least[i] - AT_EDGE


def _farthest(points: Floats, others: Floats) -> Floats:
    """Return the greatest distance of points (k, 2) to each row of (n, m, 2) others."""
    way = points[None, :, None] - others[:, None]
    found: Floats = np.hypot(way[..., 0], way[..., 1]).max((1, 2))
    return found


def _sum(a: dict[int, float], b: dict[int, float], times: float) -> dict[int, float]:
    out = dict(a)
    for side, weight in b.items():
        out[side] = out.get(side, 0.0) + times * weight
    return out


def families_of(terms: Terms) -> Families | None:
    sides, weights, constants, ends, end_constants = [], [], [], [], []
    groups: dict[Hashable, int] = {}
    group = []
    for i, balance, value, end, constant in terms.balances():
        order = [i, *sorted((set(balance) | set(end)) - {i})][:5]
        order += [i] * (5 - len(order))
        first = [order.index(s) == n for n, s in enumerate(order)]
        sides.append(order)
        weights.append([balance.get(s, 0.0) if own else 0.0 for s, own in zip(order, first, strict=True)])
        ends.append([end.get(s, 0.0) if own else 0.0 for s, own in zip(order, first, strict=True)])
        constants.append(value)
        end_constants.append(constant)
        group.append(groups.setdefault((i, constant, *sorted(end.items())), len(groups)))
    if not sides:
        return None
    columns = (sides, weights, constants, ends, end_constants, group)
    return Families(*(np.array(column) for column in columns))
