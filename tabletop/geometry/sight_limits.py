"""Shortest lines that touch no corner: two limits that balance, each a straight side met by the line.

In a fixed direction a line is given by its offset p, and the place s where it meets a straight side is linear in p. The
end of a shade, the near and the far side of the lower cell, and the budget are sums of such places; where two of them
balance is one linear equation for p. So every family (the sides taking part) is one curve of lines over the direction,
with a length that is a quotient of secants; its least lengths are bracketed on ``SPREAD`` directions and narrowed.
A least length outside the sides' own ends belongs to a corner, and is found there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely

from tabletop.geometry.shapes import hull_about
from tabletop.geometry.sight_found import Found
from tabletop.geometry.sight_ground import AT_EDGE, Bools, Floats, Ints
from tabletop.geometry.sight_pivots import heading_of, wrap
from tabletop.geometry.sight_secants import PAST

if TYPE_CHECKING:
    from tabletop.geometry.sight_mixed import Mixed

#: Directions a family is first looked at in, and how often each bracket is narrowed (each time to a quarter).
SPREAD = 17
PASSES = 7


@dataclass(frozen=True, eq=False)
class Families:
    """n families: sides (n, 5) and weights (n, 5) of the balance and its constant; the lower end's sides and weights.

    Column 0 is the side the line leaves the higher cell by. The lower end lies at sum(end_weights * s) + end_constant.
    """

    sides: Ints
    weights: Floats
    constant: Floats
    end_weights: Floats
    end_constant: Floats

    def take(self, k: Ints) -> Families:
        return Families(self.sides[k], self.weights[k], self.constant[k], self.end_weights[k], self.end_constant[k])


class _Terms:
    """The limits of a pair: sums of places along the line, as (side, weight) pairs and a constant."""

    def __init__(self, mixed: Mixed, angles: Floats) -> None:
        self.mixed, pair = mixed, mixed.pair
        self.past = pair.t + PAST
        towards = mixed.sides[0] @ heading_of(angles).T
        ahead: Bools = np.any(towards > 1e-9, axis=1)
        back: Bools = np.any(towards < -1e-9, axis=1)
        self.ahead, self.back = ahead, back
        n_high, n_low = mixed.low_at, mixed.edge_at - mixed.low_at
        self.leave = np.nonzero(ahead[:n_high])[0]
        low = mixed.low_at + np.arange(n_low)
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
        self.reach = _Reach.of(mixed, self.leave)

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
                    if (other, f) > (c, e) and other != c:
                        yield i, _sum(end, self.shade_end(other, f, i), -1.0), 0.0, end, self.past
            for end, constant in self.ends(i):
                for spend, limit in self.budgets(i, end, constant):
                    yield i, spend, limit, end, constant


@dataclass(frozen=True, eq=False)
class _Reach:
    """How near and far sides of the higher cell, by number, lie to edges (n,) and to the lower cell."""

    near: dict[int, Floats]
    far: dict[int, Floats]
    least: dict[int, float]
    most: dict[int, float]

    @classmethod
    def of(cls, mixed: Mixed, leave: Ints) -> _Reach:
        edges, high, low = mixed.edges, mixed.pair.high, mixed.pair.low
        ends = np.stack([edges.points[edges.i], edges.points[edges.j]], axis=1)
        lines = shapely.linestrings(ends) if len(ends) else np.zeros(0, object)
        near, far, least, most = {}, {}, {}, {}
        for i in leave.tolist():
            side = high.points if len(high.points) <= 2 else high.points[[i, (i + 1) % len(high.points)]]
            shape = hull_about(side)
            near[i] = np.asarray(shapely.distance(lines, shape))
            far[i] = _farthest(side, ends)
            least[i], most[i] = float(shapely.distance(shape, low.shape)), float(_farthest(side, low.points[None])[0])
        return cls(near, far, least, most)

    def fits(self, i: int, c: float, edge: int, past: float) -> bool:
        """Return whether a shadow ``c`` times the way from side ``i`` to an edge can end in the lower cell."""
        near, far = (float(d[i][edge]) * (1.0 + c) + past for d in (self.near, self.far))
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


def _families(terms: _Terms) -> Families | None:
    sides, weights, constants, ends, end_constants = [], [], [], [], []
    for i, balance, value, end, constant in terms.balances():
        order = [i, *sorted((set(balance) | set(end)) - {i})][:5]
        order += [i] * (5 - len(order))
        first = [order.index(s) == n for n, s in enumerate(order)]
        sides.append(order)
        weights.append([balance.get(s, 0.0) if own else 0.0 for s, own in zip(order, first, strict=True)])
        ends.append([end.get(s, 0.0) if own else 0.0 for s, own in zip(order, first, strict=True)])
        constants.append(value)
        end_constants.append(constant)
    if not sides:
        return None
    return Families(np.array(sides), np.array(weights), np.array(constants), np.array(ends), np.array(end_constants))


def balanced(mixed: Mixed) -> Found:
    """Return the shortest line of every family that meets its sides between their ends."""
    pair = mixed.pair
    way = pair.low.points[None] - pair.high.points[:, None]
    angle = np.arctan2(way[..., 1], way[..., 0]).ravel()
    turn = wrap(angle - angle[0])
    low, high = angle[0] + np.min(turn), angle[0] + np.max(turn)
    if high - low < 1e-9:
        return Found.none()
    at = np.linspace(low, high, SPREAD)
    families = _families(_Terms(mixed, at))
    if families is None:
        return Found.none()
    return _shortest(mixed, families, at)


def _lines(mixed: Mixed, f: Families, angle: Floats) -> tuple[Floats, Floats, Floats]:
    """Return (offset p, place of every side (n, m, 5), length) of each family at angles (n, m)."""
    normals, level = mixed.sides
    m, d = normals[f.sides], level[f.sides]
    cos, sin = np.cos(angle)[..., None], np.sin(angle)[..., None]
    x, y = m[:, None, :, 0], m[:, None, :, 1]
    with np.errstate(all="ignore"):
        rate = x * cos + y * sin
        base, slope = d[:, None] / rate, (x * sin - y * cos) / rate
        p = (f.constant[:, None] - (f.weights[:, None] * base).sum(-1)) / (f.weights[:, None] * slope).sum(-1)
        s = base + slope * p[..., None]
        length = (f.end_weights[:, None] * s).sum(-1) + f.end_constant[:, None] - s[..., 0]
    return p, s, np.where(np.isfinite(length) & (length > 0), length, np.inf)


def _shortest(mixed: Mixed, families: Families, at: Floats) -> Found:
    length = _lines(mixed, families, np.broadcast_to(at, (len(families.sides), len(at))))[2]
    wide = np.pad(length, ((0, 0), (1, 1)), constant_values=np.inf)
    before, after = wide[:, :-2], wide[:, 2:]
    least = np.isfinite(length) & (length <= before) & (length <= after)
    with np.errstate(invalid="ignore"):
        least &= ~(
            2.0 * length - np.maximum(before, after) >= mixed.limit
        )  # else not even the bracket's least is short enough
    row, k = np.nonzero(least)
    f = families.take(row)
    low, high = at[np.maximum(k - 1, 0)], at[np.minimum(k + 1, len(at) - 1)]
    number = np.arange(len(row))
    for _ in range(PASSES):
        angle = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, 9)
        best = _lines(mixed, f, angle)[2].argmin(1)
        low, high = angle[number, np.maximum(best - 1, 0)], angle[number, np.minimum(best + 1, 8)]
    middle = (low + high) / 2
    p, s, length = (q[:, 0] for q in _lines(mixed, f, middle[:, None]))
    u = heading_of(middle)
    v = np.stack([-u[:, 1], u[:, 0]], axis=1) * p[:, None]
    keep = np.isfinite(length) & _meets(mixed, f, v, u, s, length)
    return Found.of(v[keep], u[keep], s[keep, 0], s[keep, 0] + length[keep])


def _meets(mixed: Mixed, f: Families, v: Floats, u: Floats, s: Floats, length: Floats) -> Bools:
    """Return whether both ends lie in their cells (the law decides the rest)."""
    inside = np.ones(len(v), bool)
    with np.errstate(invalid="ignore"):
        ends = s[:, 0], s[:, 0] + length
    for cell, at in zip((mixed.pair.high, mixed.pair.low), ends, strict=True):
        normals, level = cell.sides
        with np.errstate(all="ignore"):
            points = v + np.where(np.isfinite(at), at, 0.0)[:, None] * u
            inside &= np.isfinite(at) & np.all(points @ normals.T <= level + AT_EDGE * 1e-3, axis=1)
    return inside
