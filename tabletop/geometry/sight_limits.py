"""The limits that end a line which touches no corner, each a straight side met by the line: which may balance.

In a fixed direction a line is given by its offset p, and the place s where it meets a straight side is linear in p. The
end of a shade, the near and the far side of the lower cell, and the budget are sums of such places; where two of them
balance is one linear equation for p. A unit passed over casts its shade from where the corridor along the line leaves
it: where a rim of the corridor, the line set off by the clearance to either side, meets a side of it, or at one of its
corners. ``sight_balanced`` looks for the lines.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np
import shapely

from tabletop.geometry.shapes import hull_about
from tabletop.geometry.sight.obstruction import AT_EDGE, Bools, Floats, Ints
from tabletop.geometry.sight_pivots import heading_of
from tabletop.geometry.sight_secants import PAST
from tabletop.geometry.sight_sides import Sides

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

    @property
    def width(self) -> int:
        """How many columns of sides there are before the first is repeated to fill the rest."""
        return 1 + int(np.max(np.nonzero((self.sides != self.sides[:, :1]).any(0))[0], initial=0))

    @classmethod
    def joined(cls, some: list[Families]) -> Families:
        columns = ([getattr(one, own.name) for one in some] for own in fields(cls))
        return cls(*(np.concatenate(column) for column in columns))

    def offsets(self, sides: Sides, angle: Floats) -> tuple[Floats, Floats]:
        """Return between which offsets (n, m) lines at angles (m,) meet all the sides of each between their ends."""
        low, high = sides.offsets(angle)
        return np.asarray(low[self.sides].max(1)), np.asarray(high[self.sides].min(1))

    def pairs(self) -> tuple[Ints, Ints]:
        """Return the numbers of every two families of one group."""
        order, number = np.argsort(self.group, kind="stable"), np.arange(len(self.group))
        last = np.cumsum(np.bincount(self.group))[self.group[order]]
        others = last - number - 1  # of the same group, after each
        one = np.repeat(number, others)
        before = np.repeat(np.cumsum(others) - others, others)
        return order[one], order[one + 1 + np.arange(len(one)) - before]


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
        self.bands = self.sides.bands(angles, pair.low)

    def with_side(self, i: int) -> Bools:
        """Return which sides a line that leaves the higher cell by side ``i`` can meet as well."""
        low, high = self.bands.low, self.bands.high
        return np.asarray((np.maximum(low, low[i]) <= np.minimum(high, high[i])).any(1))

    def shades_of(self, i: int) -> list[tuple[float, int]]:
        """Return the shades that can end in the lower cell on lines that leave the higher one by side ``i``."""
        if not self.shades:
            return []
        factors, edges = (np.array(column) for column in zip(*self.shades, strict=True))
        keep = self.reach.fits(i, factors, edges - self.mixed.edge_at, self.past) & self.with_side(i)[edges]
        return [shade for shade, kept in zip(self.shades, keep.tolist(), strict=True) if kept]

    def ends(self, i: int) -> Iterator[tuple[dict[int, float], float]]:
        """Yield where the lower end can stand: on its near side, or at the end of a shade."""
        for k in self.enter[self.with_side(i)[self.enter]]:
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

    def spent(self) -> Iterator[tuple[int, dict[int, float], float, dict[int, float], float]]:
        """Yield (leaving side, way of spending the budget, its value, lower end, its constant)."""
        for i in self.leave.tolist():
            for end, constant in self.ends(i):
                for spend, limit in self.budgets(i, end, constant):
                    yield i, spend, limit, end, constant

    def shaded(self, i: int) -> Families | None:
        """Return the ends of shades against the sides of the lower cell, and each other, for a leaving side."""
        shades = self.shades_of(i)
        if not shades:
            return None
        factor, edge = (np.array(column) for column in zip(*shades, strict=True))
        low = np.concatenate([self.enter, self.exit])
        low = low[self.with_side(i)[low]]
        n, number = len(shades), np.arange(len(shades))
        first, k = np.repeat(number, len(low)), np.tile(low, n)
        one, other = np.nonzero(self._behind(factor, edge))
        shade, against = np.concatenate([first, one]), np.concatenate([k, edge[other]])
        c, f = factor[shade], np.concatenate([np.zeros(len(first)), factor[other]])
        end, swap, none, own = edge[shade], against < edge[shade], np.zeros(len(c)), np.full(len(c), i)
        found = Families(
            np.stack([own, np.minimum(end, against), np.maximum(end, against), own, own], axis=1),
            _columns(f - c, 1.0 + c, -(1.0 + f), swap),
            np.where(np.arange(len(c)) < len(first), -self.past, 0.0),
            _columns(-c, 1.0 + c, none, swap),
            none + self.past,
            shade,
        )
        return found.take(np.argsort(shade, kind="stable"))

    def _behind(self, factor: Floats, edge: Ints) -> Bools:
        """Return which shades (n, n) may end where another does: each two once, and no two sides of one bar."""
        c, f, two = factor[:, None], factor, np.maximum(edge[:, None], edge)
        later = (f > c) | ((f == c) & (edge > edge[:, None]))
        return np.asarray(later & (edge != edge[:, None]) & ((f != c) | (two >= len(self.mixed.sides[1]))))


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
    limit: float

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
        return cls(near, far, least, most, aside, mixed.limit)

    def fits(self, i: int, c: Floats, edge: Ints, past: float) -> Bools:
        """Return whether shadows ``c`` (n,) times the way from side ``i`` to edges can end in the lower cell.

        On lines that are short enough.
        """
        aside = self.aside[edge]
        near, far = self.near[i][edge] - aside, self.far[i][edge] + aside
        near, far = near * (1.0 + c) + past, far * (1.0 + c) + past
        found: Bools = (near <= min(self.most[i], self.limit) + AT_EDGE) & (far >= self.least[i] - AT_EDGE)
        return found


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


def _columns(leave: Floats, end: Floats, against: Floats, swap: Bools) -> Floats:
    """Return weights (n, 5) of the side left by, of a shade's and of the one set against it, by their numbers."""
    none = np.zeros(len(leave))
    return np.stack([leave, np.where(swap, against, end), np.where(swap, end, against), none, none], axis=1)


def families_of(terms: Terms) -> Families | None:
    """Return all that may balance on one line, None where nothing may."""
    groups: dict[Hashable, int] = {}
    found = [_shaded(terms, i, groups) for i in terms.leave.tolist()] + [_spent(terms, groups)]
    some = [one for one in found if one is not None]
    return Families.joined(some) if some else None


def _group(i: int, end: dict[int, float], constant: float) -> Hashable:
    return i, constant, *sorted(end.items())


def _shaded(terms: Terms, i: int, groups: dict[Hashable, int]) -> Families | None:
    found = terms.shaded(i)
    if found is None:
        return None
    keys = [_group(i, terms.shade_end(c, e, i), terms.past) for c, e in terms.shades_of(i)]
    numbers = np.array([groups.setdefault(key, len(groups)) for key in keys])
    found = replace(found, group=numbers[found.group])
    return found.take(terms.bands.all_of(found.sides).holds)


def _spent(terms: Terms, groups: dict[Hashable, int]) -> Families | None:
    sides, weights, constants, ends, end_constants = [], [], [], [], []
    group = []
    for i, balance, value, end, constant in terms.spent():
        order = [i, *sorted((set(balance) | set(end)) - {i})][:5]
        order += [i] * (5 - len(order))
        first = [order.index(s) == n for n, s in enumerate(order)]
        sides.append(order)
        weights.append([balance.get(s, 0.0) if own else 0.0 for s, own in zip(order, first, strict=True)])
        ends.append([end.get(s, 0.0) if own else 0.0 for s, own in zip(order, first, strict=True)])
        constants.append(value)
        end_constants.append(constant)
        group.append(groups.setdefault(_group(i, end, constant), len(groups)))
    if not sides:
        return None
    found = Families(*(np.array(column) for column in (sides, weights, constants, ends, end_constants, group)))
    return found.take(terms.bands.all_of(found.sides).holds)
