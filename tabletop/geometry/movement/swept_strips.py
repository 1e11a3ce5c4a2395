"""The stretches of straight strips that meet areas and lines, for many strips at once.

A strip goes from an origin in a direction, its cross-section from ``left`` to ``right`` of it. It meets an area where
an edge of the area crosses it, or where its left side runs inside; it meets a line where the line crosses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from tabletop.geometry.measure import GRAZE
from tabletop.geometry.movement.bearing_index import Pairs, begins

#: More than the distance (table units) between any two places on a table: keeps the stretches of different strips apart
#: in sums.
FAR = 4096.0
#: Stretches closer together than this are joined.
JOINED = 1e-9
#: A line along a border counts as inside, or outside, by this much; its length in an area stays right to a millionth.
HAIR = GRAZE / 64


@dataclass(frozen=True)
class Edges:
    """Edges of areas and lines: their ends as indices into ``points`` (v, 2), their part (m,), and whether that is
    an area."""

    points: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    part: np.ndarray
    solid: np.ndarray

    @classmethod
    def of(cls, parts: Sequence[shapely.Geometry]) -> Edges:
        """Return all edges of ``parts``, each an area or lines."""
        pieces, part = shapely.get_parts(np.array(parts, object), return_index=True)
        rings, piece = shapely.get_rings(pieces, return_index=True)
        lines = np.flatnonzero(shapely.get_dimensions(pieces) != 2)
        piece = np.concatenate([piece, lines])
        order = np.argsort(piece, kind="stable")
        points, chain = shapely.get_coordinates(np.concatenate([rings, pieces[lines]])[order], return_index=True)
        starts = np.flatnonzero(chain[1:] == chain[:-1])
        owner = piece[order][chain[starts]]
        return cls(points, starts, starts + 1, part[owner], shapely.get_dimensions(pieces)[owner] == 2)

    @cached_property
    def each(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The ends (m, 2), (m, 2) of each edge, its part and whether that is an area."""
        return self.points[self.starts], self.points[self.ends], self.part.astype(int), self.solid.astype(np.uint8)

    def near(self, bounds: Sequence[float]) -> Edges:
        """Return the edges of the parts whose box meets ``bounds`` (west, south, east, north)."""
        if not len(self.part):
            return self
        count = int(self.part.max()) + 1
        low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
        for end in (self.points[self.starts], self.points[self.ends]):
            np.minimum.at(low, self.part, end)
            np.maximum.at(high, self.part, end)
        west, south, east, north = bounds
        met = (low[:, 0] <= east) & (low[:, 1] <= north) & (high[:, 0] >= west) & (high[:, 1] >= south)
        kept = met[self.part]
        used = np.zeros(len(self.points), bool)
        used[self.starts[kept]] = used[self.ends[kept]] = True
        number = np.cumsum(used) - 1
        return Edges(
            self.points[used],
            number[self.starts[kept]],
            number[self.ends[kept]],
            self.part[kept],
            self.solid[kept],
        )


@dataclass(frozen=True)
class Stretches:
    """Stretches from ``low`` to ``high`` along strips numbered ``strip``, sorted by strip and ``low``; they belong to
    ``part``."""

    strip: np.ndarray
    low: np.ndarray
    high: np.ndarray
    part: np.ndarray

    def __len__(self) -> int:
        return len(self.strip)

    def taken(self, chosen: np.ndarray) -> Stretches:
        return Stretches(self.strip[chosen], self.low[chosen], self.high[chosen], self.part[chosen])


NONE = Stretches(np.zeros(0, int), np.zeros(0), np.zeros(0), np.zeros(0, int))


@dataclass(frozen=True)
class Strips:
    """Straight strips from ``origins`` (n, 2) along unit ``along`` (n, 2), ``length`` (n,) ahead.

    Each has the cross-sections ``sides`` (k, 2), left and right of the origin (right is positive), which begin
    ``behind`` (k,) it. The strip of cross-section j of origin i is numbered ``i * k + j``.
    """

    origins: np.ndarray
    along: np.ndarray
    length: np.ndarray
    sides: np.ndarray
    behind: np.ndarray

    def meeting(
        self, edges: Edges, gap: float = JOINED, by_part: bool = False, pairs: Pairs | None = None
    ) -> Stretches:
        """Return where the cross-sections meet ``edges``; stretches less than ``gap`` apart are joined.

        With ``by_part`` the stretches in different parts are kept apart. ``pairs`` (origin, edge) are all pairs that
        may meet, if known.
        """
        edges, pairs = self._about(edges, pairs)
        local = _Local.of(self, edges, pairs)
        if not len(local.i):
            return NONE
        stretches = self._clipped(*(np.concatenate(both) for both in zip(local.crossed(), local.beside(), strict=True)))
        return united(stretches, gap, by_part)

    def running(self, edges: Edges, closed: bool, by_part: bool = False, pairs: Pairs | None = None) -> Stretches:
        """Return where the middle lines run inside areas; with ``closed`` along their borders too.

        A line is tested as two, one ``HAIR`` to either side: it is inside where both are, or with ``closed`` where one
        is. ``pairs`` as above.
        """
        hairs = Strips(self.origins, self.along, self.length, np.array([(-HAIR, -HAIR), (HAIR, HAIR)]), self.behind)
        edges, pairs = hairs._about(edges, pairs)
        stretches = hairs._clipped(*_Local.of(hairs, edges, pairs).beside())
        stretches = Stretches(stretches.strip // 2, stretches.low, stretches.high, stretches.part)
        stretches = united(stretches, JOINED, by_part) if closed else _shared(stretches)
        return stretches.taken(stretches.high - stretches.low > GRAZE)

    def _about(self, edges: Edges, pairs: Pairs | None) -> tuple[Edges, Pairs]:
        """Return edges and pairs (origin, edge): those given, or else those that may meet."""
        if pairs is not None:
            return edges, pairs
        edges = edges.near(self._bounds)
        return edges, _alongside(self, edges)

    def _clipped(self, strip: np.ndarray, low: np.ndarray, high: np.ndarray, part: np.ndarray) -> Stretches:
        whose, side = np.divmod(strip, len(self.sides))
        behind = np.broadcast_to(self.behind, len(self.sides))
        low, high = np.maximum(low, -behind[side]), np.minimum(high, self.length[whose])
        real = low <= high
        return Stretches(strip[real], low[real], high[real], part[real])

    @property
    def _bounds(self) -> tuple[float, ...]:
        reach = float(np.abs(self.sides).max(initial=0.0))
        back = float(np.max(self.behind, initial=0.0))
        ends = [self.origins + at * self.along for at in (-back, self.length[:, None])]
        low = np.minimum(*ends).min(axis=0, initial=np.inf) - reach
        high = np.maximum(*ends).max(axis=0, initial=-np.inf) + reach
        return (*low.tolist(), *high.tolist())


@dataclass(frozen=True)
class _Local:
    """Pairs of an origin ``i`` and an edge ``e`` (p,), with the edge's two ends in the frame of the strip, ahead and
    aside."""

    strips: Strips
    edges: Edges
    i: np.ndarray
    e: np.ndarray
    fa: np.ndarray
    fb: np.ndarray
    la: np.ndarray
    lb: np.ndarray

    @classmethod
    def of(cls, strips: Strips, edges: Edges, pairs: Pairs) -> _Local:
        i, e = pairs
        ox, oy, ux, uy = (column[i] for column in (*strips.origins.T, *strips.along.T))
        ends = []
        for end in edges.each[:2]:
            dx, dy = end[:, 0][e] - ox, end[:, 1][e] - oy
            ends.append((dx * ux + dy * uy, dx * uy - dy * ux))
        (fa, la), (fb, lb) = ends
        return cls(strips, edges, i, e, fa, fb, la, lb)

    def crossed(self) -> tuple[np.ndarray, ...]:
        """Return (strip, low, high, part) of every edge that runs through a cross-section with width."""
        sides = self.strips.sides
        wide = np.flatnonzero(sides[:, 1] > sides[:, 0])
        if not len(wide):
            return NONE.strip, NONE.low, NONE.high, NONE.part
        near, far = np.minimum(self.fa, self.fb), np.maximum(self.fa, self.fb)
        first, last = np.minimum(self.la, self.lb), np.maximum(self.la, self.lb)
        on = np.flatnonzero((far > -self.strips.behind.max()) & (near < self.strips.length[self.i]))
        pair, j = np.nonzero((last[on, None] > sides[wide, 0]) & (first[on, None] < sides[wide, 1]))
        pair = on[pair]
        fa, la, lb = self.fa[pair], self.la[pair], self.lb[pair]
        steep, df = np.where(la == lb, 1.0, lb - la), self.fb[pair] - fa
        cuts = [np.where(la == lb, side == 1, (sides[wide[j], side] - la) / steep) for side in (0, 1)]
        ends = [fa + np.clip(cut, 0.0, 1.0) * df for cut in cuts]
        strip = self.i[pair] * len(sides) + wide[j]
        return strip, np.minimum(*ends), np.maximum(*ends), self.edges.part[self.e[pair]]

    def beside(self) -> tuple[np.ndarray, ...]:
        """Return (strip, low, high, part) of the stretches along which each strip's left side runs inside an area.

        If a side begins inside, its first stretch extends back without end from the first border ahead.
        """
        strips, parts = self.strips, int(self.edges.part.max(initial=0)) + 1
        solid = self.edges.solid[self.e]
        if not solid.any():
            return NONE.strip, NONE.low, NONE.high, NONE.part
        side, behind = strips.sides[:, 0], np.broadcast_to(strips.behind, len(strips.sides))
        k, j = np.nonzero(((self.la[:, None] > side) != (self.lb[:, None] > side)) & solid[:, None])
        fa, la = self.fa[k], self.la[k]
        at = fa + (side[j] - la) / (self.lb[k] - la) * (self.fb[k] - fa)
        ahead = np.flatnonzero(at > -behind[j])
        k, at = k[ahead], at[ahead]
        key = (self.i[k] * len(side) + j[ahead]) * parts + self.edges.part[self.e[k]]
        order = np.lexsort((at, key))
        key, at = key[order], at[order]
        first = np.flatnonzero(begins(key))
        inside = first[np.diff(first, append=len(key)) % 2 == 1]
        key, at = np.insert(key, inside, key[inside]), np.insert(at, inside, -np.inf)
        strip, part = np.divmod(key[::2], parts)
        return strip, at[::2], at[1::2], part


def _alongside(strips: Strips, edges: Edges) -> Pairs:
    """Return (origin, edge) of the edges not wholly to one side of all cross-sections."""
    dx = edges.points[:, 0] - strips.origins[:, :1]
    dy = edges.points[:, 1] - strips.origins[:, 1:]
    aside = dx * strips.along[:, 1:] - dy * strips.along[:, :1]
    inner, outer = aside >= strips.sides.min(), aside <= strips.sides.max()
    met = (inner[:, edges.starts] | inner[:, edges.ends]) & (outer[:, edges.starts] | outer[:, edges.ends])
    i, e = np.nonzero(met)
    return i, e


def united(found: Stretches, gap: float, by_part: bool = False) -> Stretches:
    """Return the stretches of each strip (and part) in order, joining those that overlap or lie within ``gap``."""
    if not len(found):
        return found
    key = found.strip * (int(found.part.max()) + 1) + found.part if by_part else found.strip
    order = np.lexsort((found.low, key))
    key, low, high = key[order], found.low[order], found.high[order]
    ordinal = (np.cumsum(begins(key)) - 1) * FAR
    until = np.maximum.accumulate(ordinal + high)
    apart = np.ones(len(key), bool)
    apart[1:] = ordinal[1:] + low[1:] > until[:-1] + gap
    firsts = np.flatnonzero(apart)
    chosen = order[firsts]
    return Stretches(found.strip[chosen], low[firsts], np.maximum.reduceat(high, firsts), found.part[chosen])


def _shared(found: Stretches) -> Stretches:
    """Return the parts of each strip that two of its stretches share."""
    if not len(found):
        return found
    strip, at = np.tile(found.strip, 2), np.concatenate([found.low, found.high])
    step = np.repeat([1, -1], len(found))
    order = np.lexsort((-step, at, strip))
    strip, at, both = strip[order], at[order], np.flatnonzero(np.cumsum(step[order]) >= 2)
    return united(Stretches(strip[both], at[both], at[both + 1], 0 * strip[both]), JOINED)
