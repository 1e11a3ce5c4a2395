"""What straight lanes meet of areas and lines: for many lanes at once, the stretches along each.

A lane goes from an origin in a direction, its cross-section from ``left`` to ``right`` of it. It meets an area where an
edge of the area crosses it, or where its left side runs inside; a line where the line crosses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from tabletop.geometry.measure import GRAZE

#: Farther than this (table units) no two places on a table are apart: keeps stretches of different lanes apart in sums.
FAR = 4096.0
#: Stretches closer together than this are one.
JOINED = 1e-9
#: By so little a line along a border lies inside, or outside: what it runs in an area is true to a millionth.
HAIR = GRAZE / 64


@dataclass(frozen=True)
class Edges:
    """Edges of areas and lines, by their ends among ``points`` (v, 2), and of which part (m,) each is; areas or not."""

    points: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    part: np.ndarray
    solid: np.ndarray

    @classmethod
    def of(cls, parts: Sequence[shapely.Geometry]) -> Edges:
        """Return all edges of ``parts``, each an area or lines."""
        chains: list[np.ndarray] = []
        owners: list[tuple[int, bool]] = []
        for k, part in enumerate(parts):
            for piece in shapely.get_parts(part):
                solid = shapely.get_dimensions(piece) == 2
                for line in shapely.get_rings(piece) if solid else [piece]:
                    chains.append(shapely.get_coordinates(line))
                    owners.append((k, bool(solid)))
        sizes = np.array([len(chain) for chain in chains], int)
        points = np.concatenate([*chains, np.zeros((0, 2))])
        last = np.zeros(len(points), bool)
        last[np.cumsum(sizes) - 1] = True
        starts = np.flatnonzero(~last)
        owner = np.repeat(np.array(owners, int).reshape(-1, 2), sizes, axis=0)[starts]
        return cls(points, starts, starts + 1, owner[:, 0], owner[:, 1] == 1)

    def near(self, bounds: Sequence[float]) -> Edges:
        """Return the edges of those parts whose box meets ``bounds`` (west, south, east, north)."""
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
    """Stretches from ``low`` to ``high`` along lanes numbered ``lane``, in order of lane and ``low``; of ``part``."""

    lane: np.ndarray
    low: np.ndarray
    high: np.ndarray
    part: np.ndarray

    def __len__(self) -> int:
        return len(self.lane)

    def taken(self, chosen: np.ndarray) -> Stretches:
        return Stretches(self.lane[chosen], self.low[chosen], self.high[chosen], self.part[chosen])


NONE = Stretches(np.zeros(0, int), np.zeros(0), np.zeros(0), np.zeros(0, int))


@dataclass(frozen=True)
class Lanes:
    """Straight lanes from ``origins`` (n, 2) along unit ``along`` (n, 2), ``length`` (n,) ahead.

    Each has the cross-sections ``sides`` (k, 2), left and right of the origin (to the right is positive), which begin
    ``behind`` (k,) it. The lane of cross-section j of origin i is numbered ``i * k + j``.
    """

    origins: np.ndarray
    along: np.ndarray
    length: np.ndarray
    sides: np.ndarray
    behind: np.ndarray

    def meeting(self, edges: Edges, gap: float = JOINED, by_part: bool = False) -> Stretches:
        """Return where the cross-sections meet ``edges``: those less than ``gap`` apart are one.

        With ``by_part`` the stretches in different parts are kept apart.
        """
        edges = edges.near(self._bounds)
        if not len(edges.part) or not len(self.origins):
            return NONE
        local = _Local.of(self, edges)
        found = self._clipped(*(np.concatenate(both) for both in zip(local.crossed(), local.beside(), strict=True)))
        return united(found, gap, by_part)

    def running(self, edges: Edges, closed: bool, by_part: bool = False) -> Stretches:
        """Return where the middle lines run inside areas; with ``closed`` along their borders too.

        A line is two, one ``HAIR`` to either side: inside where both are, or one of them.
        """
        hairs = Lanes(self.origins, self.along, self.length, np.array([(-HAIR, -HAIR), (HAIR, HAIR)]), self.behind)
        edges = edges.near(hairs._bounds)
        if not len(edges.part) or not len(self.origins):
            return NONE
        lane, low, high, part = _Local.of(hairs, edges).beside()
        found = hairs._clipped(lane, low, high, part)
        found = Stretches(found.lane // 2, found.low, found.high, found.part)
        found = united(found, JOINED, by_part) if closed else _shared(found)
        return found.taken(found.high - found.low > GRAZE)

    def _clipped(self, lane: np.ndarray, low: np.ndarray, high: np.ndarray, part: np.ndarray) -> Stretches:
        whose, side = np.divmod(lane, len(self.sides))
        behind = np.broadcast_to(self.behind, len(self.sides))
        low, high = np.maximum(low, -behind[side]), np.minimum(high, self.length[whose])
        real = low <= high
        return Stretches(lane[real], low[real], high[real], part[real])

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
    """The ends of edges as seen along lanes: ``ahead`` and ``aside`` (n, v)."""

    lanes: Lanes
    edges: Edges
    ahead: np.ndarray
    aside: np.ndarray

    @classmethod
    def of(cls, lanes: Lanes, edges: Edges) -> _Local:
        dx = edges.points[:, 0] - lanes.origins[:, :1]
        dy = edges.points[:, 1] - lanes.origins[:, 1:]
        ux, uy = lanes.along[:, :1], lanes.along[:, 1:]
        return cls(lanes, edges, dx * ux + dy * uy, dx * uy - dy * ux)

    def crossed(self) -> tuple[np.ndarray, ...]:
        """Return (lane, low, high, part) of every edge that runs through a cross-section with width."""
        sides, edges = self.lanes.sides, self.edges
        wide = np.flatnonzero(sides[:, 1] > sides[:, 0])
        if not len(wide):
            return NONE.lane, NONE.low, NONE.high, NONE.part
        i, e = self._within(float(sides[:, 0].min()), float(sides[:, 1].max()))
        a, b = edges.starts[e], edges.ends[e]
        fa, fb, la, lb = self.ahead[i, a], self.ahead[i, b], self.aside[i, a], self.aside[i, b]
        near, far = np.minimum(fa, fb), np.maximum(fa, fb)
        on = np.flatnonzero((far > -self.lanes.behind.max()) & (near < self.lanes.length[i]))
        i, e, fa, fb, la, lb = i[on], e[on], fa[on], fb[on], la[on], lb[on]
        left, right = sides[wide, 0], sides[wide, 1]
        pair, j = np.nonzero((np.maximum(la, lb)[:, None] > left) & (np.minimum(la, lb)[:, None] < right))
        i, e, fa, fb, la, lb = i[pair], e[pair], fa[pair], fb[pair], la[pair], lb[pair]
        steep, df = np.where(la == lb, 1.0, lb - la), fb - fa
        cuts = [np.where(la == lb, side == 1, (sides[wide[j], side] - la) / steep) for side in (0, 1)]
        ends = [fa + np.clip(cut, 0.0, 1.0) * df for cut in cuts]
        return i * len(sides) + wide[j], np.minimum(*ends), np.maximum(*ends), edges.part[e]

    def beside(self) -> tuple[np.ndarray, ...]:
        """Return (lane, low, high, part) of the stretches along which each lane's left side runs inside an area."""
        edges, found = self.edges, []
        areas = np.flatnonzero(edges.solid)
        if not len(areas):
            return NONE.lane, NONE.low, NONE.high, NONE.part
        starts, ends = edges.starts[areas], edges.ends[areas]
        for j, side in enumerate(self.lanes.sides[:, 0].tolist()):
            right = self.aside > side
            i, e = np.nonzero(right[:, starts] != right[:, ends])
            a, b = starts[e], ends[e]
            la, fa = self.aside[i, a], self.ahead[i, a]
            at = fa + (side - la) / (self.aside[i, b] - la) * (self.ahead[i, b] - fa)
            part = edges.part[areas[e]]
            order = np.lexsort((at, part, i))
            lane, at, part = i[order] * len(self.lanes.sides) + j, at[order], part[order]
            found.append((lane[::2], at[::2], at[1::2], part[::2]))
        return tuple(np.concatenate(column) for column in zip(*found, strict=True))

    def _within(self, left: float, right: float) -> tuple[np.ndarray, np.ndarray]:
        """Return (i, edge) of edges not wholly to one side of what lies between ``left`` and ``right`` of lane i."""
        edges = self.edges
        inner, outer = self.aside > left, self.aside < right
        met = (inner[:, edges.starts] | inner[:, edges.ends]) & (outer[:, edges.starts] | outer[:, edges.ends])
        i, e = np.nonzero(met)
        return i, e


def united(found: Stretches, gap: float, by_part: bool = False) -> Stretches:
    """Return the stretches of each lane (and part) in order, those that overlap or lie within ``gap`` as one."""
    if not len(found):
        return found
    key = found.lane * (int(found.part.max()) + 1) + found.part if by_part else found.lane
    order = np.lexsort((found.low, key))
    key, low, high = key[order], found.low[order], found.high[order]
    ordinal = np.cumsum(np.r_[False, key[1:] != key[:-1]]) * FAR
    until = np.maximum.accumulate(ordinal + high)
    firsts = np.flatnonzero(np.r_[True, ordinal[1:] + low[1:] > until[:-1] + gap])
    chosen = order[firsts]
    return Stretches(found.lane[chosen], low[firsts], np.maximum.reduceat(high, firsts), found.part[chosen])


def _shared(found: Stretches) -> Stretches:
    """Return the stretches of each lane that two of its stretches share."""
    if not len(found):
        return found
    lane, at = np.tile(found.lane, 2), np.concatenate([found.low, found.high])
    step = np.repeat([1, -1], len(found))
    order = np.lexsort((-step, at, lane))
    lane, at, both = lane[order], at[order], np.flatnonzero(np.cumsum(step[order]) >= 2)
    return united(Stretches(lane[both], at[both], at[both + 1], 0 * lane[both]), JOINED)
