"""What a line crosses, and its ends, length and slack as functions of its direction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tabletop.geometry.measure import Point
from tabletop.geometry.sight.obstruction import SHRUNK, Bools, Floats, Ints

if TYPE_CHECKING:
    from tabletop.geometry.sight_mixed import Mixed

#: How far past the end of a shadow a point is put (table units), so that the law, which hides the tie, sees it.
PAST = SHRUNK


#: The sides a screen's corridor can end on, each from a point to a point.
Sides = tuple[tuple[Point, Point], ...]
#: Sides as each line's fixed point sees them: normals (n, 2) and distances (n,).
Line = tuple[Floats, Floats]
#: A wood seen through where it is thin: its shadow's factor, how far sight goes through it, and the edges by which each
#: stretch (n, k) is entered and left.
Thin = tuple[float, float, Ints, Ints]


@dataclass(frozen=True, eq=False)
class Crossed:
    """Which edges n lines cross: the sides of the cells they leave and enter, far sides by shade, and own woods' edges.

    Indices into the pair's edge table, NONE where there is nothing.
    """

    leave: Ints
    enter: Ints
    exit: Ints
    shades: tuple[tuple[float, Ints], ...]
    from_high: tuple[tuple[float, Ints], ...]  # (length per budget, edge where the line leaves the high end's wood)
    to_low: tuple[tuple[float, Ints], ...]
    whole: tuple[tuple[float, Bools], ...]  # both ends in one wood, never left
    crest: tuple[Ints, ...]
    over: tuple[Bools, ...]
    thin: tuple[Thin, ...]
    open: Bools


def _cut(parts: tuple[tuple[float, Any], ...], keep: Bools) -> tuple[tuple[float, Any], ...]:
    return tuple((weight, edges[keep]) for weight, edges in parts)


def take(crossed: Crossed, keep: Bools) -> Crossed:
    return Crossed(
        crossed.leave[keep],
        crossed.enter[keep],
        crossed.exit[keep],
        _cut(crossed.shades, keep),
        _cut(crossed.from_high, keep),
        _cut(crossed.to_low, keep),
        _cut(crossed.whole, keep),
        tuple(edges[keep] for edges in crossed.crest),
        tuple(mask[keep] for mask in crossed.over),
        tuple((factor, through, into[keep], out[keep]) for factor, through, into, out in crossed.thin),
        crossed.open[keep],
    )


class Secants:
    """Lines about fixed points, crossing fixed edges: their ends, length and slack as functions of the direction."""

    def __init__(self, mixed: Mixed, v: Floats, crossed: Crossed) -> None:
        self.v, self.mixed = v, mixed
        self.law, self.t = mixed.pair.law, mixed.pair.t
        self.leave, self.enter, self.exit = (
            self._line(k) for k in (crossed.leave, crossed.enter + mixed.low_at, crossed.exit + mixed.low_at)
        )
        self.shades = [(c, self._line(k), k >= 0) for c, k in crossed.shades if (k >= 0).any()]
        self.from_high = [(q, self._line(k), k >= 0) for q, k in crossed.from_high if (k >= 0).any()]
        self.to_low = [(q, self._line(k), k >= 0) for q, k in crossed.to_low if (k >= 0).any()]
        self.whole = [(q, mask) for q, mask in crossed.whole if mask.any()]
        self.crest = [(self._line(k), k >= 0) for k in crossed.crest if (k >= 0).any()]
        over = zip(mixed.pair.over, crossed.over, strict=True)
        self.over = [(o, np.nonzero(mask)[0], mixed.far_sides(o)) for o, mask in over if mask.any()]
        self.thin = []
        for factor, through, into, out in crossed.thin:
            for k in range(into.shape[1]):
                mask = (into[:, k] >= 0) & (out[:, k] >= 0)
                if mask.any():
                    self.thin.append((factor, through, self._line(into[:, k]), self._line(out[:, k]), mask))

    def _line(self, side: Ints) -> tuple[Floats, Floats]:
        """Return normal (n, 2) and distance (n,) of sides from each line's fixed point."""
        normals, level = self.mixed.sides
        k = np.maximum(side, 0)
        m = normals[k]
        return m, level[k] - (m * self.v).sum(1)

    def ends(self, angle: Floats) -> tuple[Floats, Floats, Floats]:
        """Return (s of the high end, s of the low end, slack) for angles (n, k)."""
        cos, sin = np.cos(angle), np.sin(angle)

        def at(line: tuple[Floats, Floats]) -> Floats:
            m, d = line
            with np.errstate(divide="ignore", invalid="ignore"):
                found: Floats = d[:, None] / (m[:, :1] * cos + m[:, 1:] * sin)
            return found

        with np.errstate(invalid="ignore"):  # lines along a side: infinite less infinite, not a number, not clear
            return self._ends(at, cos, sin)

    def _ends(
        self, at: Callable[[tuple[Floats, Floats]], Floats], cos: Floats, sin: Floats
    ) -> tuple[Floats, Floats, Floats]:
        h, e = at(self.leave), at(self.enter)
        for c, line, mask in self.shades:
            lit = h + (at(line) - h) * (1.0 + c) + self.t + PAST
            e = np.where(mask[:, None], np.maximum(e, lit), e)
        for over, rows, sides in self.over:
            beyond = self._corridor_end(over.screen.clearance, sides, rows, cos[rows], sin[rows])
            e[rows] = np.maximum(e[rows], h[rows] + (beyond - h[rows]) * (1.0 + over.factor) + self.t + PAST)
        room = np.full(h.shape, np.inf)
        for factor, q, into, out, mask in self.thin:
            spare = np.where(mask[:, None], q + self.t - (at(out) - at(into)), np.inf)
            if np.isinf(factor):
                room = np.minimum(room, spare)
            else:
                lit = h + (at(out) - h) * (1.0 + factor) + self.t + PAST
                e = np.where(spare < 0.0, np.maximum(e, lit), e)
        slack = np.minimum(room, np.maximum(at(self.exit), at(self.enter)) - e)
        if self.from_high or self.to_low or self.whole:
            slack = np.minimum(slack, self.law.budget + self.t - self._spent(at, h, e))
        for line, mask in self.crest:
            way = np.where(mask[:, None], at(line) - h, 0.0)
            slack = np.minimum(slack, self.law.crest + self.t - way)
        return h, e, np.where(np.isfinite(e - h), slack, -np.inf) + 1e-12

    def _corridor_end(self, c: float, sides: Sides, rows: Ints, cos: Floats, sin: Floats) -> Floats:
        """Return the far end of a screen's corridor along some of the lines: on a far side, within the clearance."""
        if not sides:
            return np.full(cos.shape, -np.inf)
        x0, y0 = self.v[rows].T[:, :, None]
        ends = np.array(sides)[:, :, :, None, None]  # (sides, 2, 2, 1, 1): all sides at once
        (px, qx), (py, qy) = ends[:, :, 0].swapaxes(0, 1) - x0, ends[:, :, 1].swapaxes(0, 1) - y0
        p, q = py * cos - px * sin, qy * cos - qx * sin
        a, b = px * cos + py * sin, qx * cos + qy * sin
        with np.errstate(divide="ignore", invalid="ignore"):
            one, other = (np.clip((edge - p) / (q - p), 0.0, 1.0) for edge in (-c, c))
        best = np.maximum(a + (b - a) * one, a + (b - a) * other)
        met = (np.minimum(p, q) <= c) & (np.maximum(p, q) >= -c) & (best > -np.inf)
        found: Floats = np.where(met, best, -np.inf).max(0)
        return found

    def _spent(self, at: Callable[[tuple[Floats, Floats]], Floats], h: Floats, e: Floats) -> Floats:
        share = np.zeros(h.shape)
        for q, line, mask in self.from_high:
            share += np.where(mask[:, None], (at(line) - h) / q, 0.0)
        for q, line, mask in self.to_low:
            share += np.where(mask[:, None], (e - at(line)) / q, 0.0)
        for q, mask in self.whole:
            share += np.where(mask[:, None], (e - h) / q, 0.0)
        return share * self.law.budget

    def measure(self, angle: Floats) -> tuple[Floats, Floats]:
        h, e, slack = self.ends(angle)
        return e - h, slack
