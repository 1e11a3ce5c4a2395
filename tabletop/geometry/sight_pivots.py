"""Lines between two convex cells that turn about a corner: between which directions nothing solid stands in the way.

A corner (pivot) of an obstruction and a direction make a line. The directions whose line meets both cells are an
interval; every edge of a wall darkens an interval of it; what is left are the open gaps. All walls are closed bodies
outside the cells, so along one pivot an edge is always before the one cell, always behind the other, or always between:
one look decides for the whole interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tabletop.geometry.distinct import distinct
from tabletop.geometry.sight.obstruction import Bar, Bools, Floats, Ints
from tabletop.geometry.sight_cells import Cell

#: A line turned less than this (radians) from a side runs along it: where it would cross is rounding.
PARALLEL = 1e-12
TURN = 2.0 * np.pi
#: Gaps narrower than this (radians) are rounding: shrinking the obstructions opens a true touch wider.
NARROW = 1e-12
#: No corner, no edge.
NONE = -1
#: A corner this near a cell (table units) is treated as part of it: any direction may leave it.
AT_CELL = 1e-9


@dataclass(frozen=True, eq=False)
class Edges:
    """Edges of bars: vertices, from ``i`` to ``j`` with the inside on the left, and the label of their bar's class."""

    points: Floats
    i: Ints
    j: Ints
    label: Ints

    @classmethod
    def of(cls, bars: list[tuple[Bar, int]], sides: tuple[Floats, Floats]) -> Edges:
        """Return the edges of labelled bars that may enter the convex ground with these sides."""
        if not bars:
            return cls(np.zeros((0, 2)), *(np.zeros(0, int) for _ in range(3)))
        points = np.concatenate([bar.points for bar, _ in bars])
        starts = np.cumsum([0, *(len(bar.points) for bar, _ in bars)])
        j = np.concatenate([bar.after + at for (bar, _), at in zip(bars, starts, strict=False)])
        label = np.repeat([label for _, label in bars], np.diff(starts))
        outside = points @ sides[0].T > sides[1] + 1e-9
        keep = np.nonzero(~(outside & outside[j]).any(1))[0]
        used = np.zeros(len(points), bool)
        used[keep] = used[j[keep]] = True
        number = np.cumsum(used) - 1
        return cls(points[used], number[keep], number[j[keep]], label[keep])

    @cached_property
    def normals(self) -> Floats:
        way = self.points[self.j] - self.points[self.i]
        return np.stack([way[:, 1], -way[:, 0]], axis=1)

    @cached_property
    def levels(self) -> Floats:
        """``normal . x`` along each edge."""
        found: Floats = (self.normals * self.points[self.i]).sum(1)
        return found

    @cached_property
    def neighbours(self) -> tuple[Ints, Ints]:
        """The vertices before and after each vertex, -1 where that edge was left out."""
        before, after = np.full(len(self.points), -1), np.full(len(self.points), -1)
        before[self.j], after[self.i] = self.i, self.j
        return before, after

    @cached_property
    def convex(self) -> Bools:
        """Which vertices are convex corners, so that a line can graze them."""
        before, after = self.neighbours
        a = self.points - self.points[before]
        b = self.points[after] - self.points
        turn = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
        return (before >= 0) & (after >= 0) & (turn > 0)

    def only(self, which: Any) -> Edges:
        """Return some of the edges, over the same vertices."""
        return Edges(self.points, self.i[which], self.j[which], self.label[which])


def wrap(angle: Floats) -> Floats:
    """Return angles in [-pi, pi)."""
    return np.remainder(angle + np.pi, TURN) - np.pi


def clip(cell: Cell, v: Floats, u: Floats, parallel: float = PARALLEL) -> tuple[Floats, Floats, Ints, Ints]:
    """Return where lines v + s u, (..., 2), enter and leave a cell (s, side), for lines that meet it.

    Sides a line runs along, within ``parallel`` radians, do not cut it.
    """
    normals, level = cell.sides
    rate = u @ normals.T
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (level - v @ normals.T) / rate
    enter = np.where(rate < -parallel, s, -np.inf)
    leave = np.where(rate > parallel, s, np.inf)
    return enter.max(-1), leave.min(-1), enter.argmax(-1), leave.argmin(-1)


def heading_of(angle: Floats) -> Floats:
    """Return unit vectors (..., 2) of angles."""
    found = np.empty((*angle.shape, 2))
    np.cos(angle, out=found[..., 0])
    np.sin(angle, out=found[..., 1])
    return found


def fans(pivots: Floats, high: Cell, low: Cell) -> tuple[Floats, Floats]:
    """Return the interval of directions (from ``high`` to ``low``) of lines through each pivot that meet both cells."""
    a_mid, a_half, a_all = _span(pivots, high, -1.0)
    b_mid, b_half, b_all = _span(pivots, low, 1.0)
    a_mid = np.where(a_all, b_mid, a_mid)
    b_mid = np.where(b_all, a_mid, b_mid)
    a_half, b_half = np.where(a_all, np.pi / 2, a_half), np.where(b_all, np.pi / 2, b_half)
    a_mid = a_mid + TURN * np.round((b_mid - a_mid) / TURN)
    return np.maximum(a_mid - a_half, b_mid - b_half), np.minimum(a_mid + a_half, b_mid + b_half)


def _span(pivots: Floats, cell: Cell, sign: float) -> tuple[Floats, Floats, Bools]:
    """Return the middle and half width of the directions to (or from) a cell, and which pivots are in it."""
    way = sign * (cell.points[None] - pivots[:, None])
    centre = way.sum(1) / way.shape[1]
    toward = np.arctan2(centre[:, 1], centre[:, 0])
    turn = wrap(np.arctan2(way[..., 1], way[..., 0]) - toward[:, None])
    low, high = turn.min(1), turn.max(1)
    normals, level = cell.sides
    inside: Bools = np.all(pivots @ normals.T <= level + AT_CELL, axis=1)
    return toward + (low + high) / 2, (high - low) / 2, inside


def gaps(pivots: Floats, index: Ints, walls: Edges, high: Cell, low: Cell) -> tuple[Ints, Floats, Floats]:
    """Return the open gaps about each pivot: (row of the pivot, from angle, to angle), flat.

    ``index`` is each pivot's vertex number in ``walls``, -1 where it is not a corner of a wall.
    """
    first, last = fans(pivots, high, low)
    rows = np.nonzero(last - first > NARROW)[0]
    if not len(rows):
        return rows, first[:0], last[:0]
    first, last, v, at = first[rows], last[rows], pivots[rows], index[rows]
    start, end = _darkened(v, at, walls, first, last, high, low)
    order, row = np.argsort(start, axis=1), np.arange(len(start))[:, None]
    start, end = start[row, order], end[row, order]
    lit_from = np.maximum.accumulate(np.concatenate([first[:, None], end], axis=1), axis=1)
    lit_to = np.concatenate([start, last[:, None]], axis=1)
    row, k = np.nonzero(lit_to - lit_from > NARROW)
    return rows[row], lit_from[row, k], lit_to[row, k]


def _darkened(
    v: Floats, at: Ints, walls: Edges, first: Floats, last: Floats, high: Cell, low: Cell
) -> tuple[Floats, Floats]:
    """Return the directions in which edges stand in the way, as intervals (pivots, 2 edges + 2), empty at ``last``."""
    middle = (first + last) / 2
    used = distinct(np.concatenate([walls.i, walls.j]))
    x, y = walls.points[used].T
    angle = np.arctan2(y - v[:, 1:], x - v[:, :1])
    i, j = (np.take(angle, np.searchsorted(used, corner), axis=1) for corner in (walls.i, walls.j))
    side = wrap(j - i)
    centre, half = i + side / 2, np.abs(side) / 2
    mine = (walls.i[None] == at[:, None]) | (walls.j[None] == at[:, None])
    starts, ends = [], []
    for back in (0.0, np.pi):
        mid = centre + back
        mid = mid + TURN * np.round((middle[:, None] - mid) / TURN)
        a, e = np.maximum(mid - half, first[:, None]), np.minimum(mid + half, last[:, None])
        open_ = (e <= a) | mine
        row, k = np.nonzero(~open_)
        between = _between(v[row], (a[row, k] + e[row, k]) / 2, walls, k, high, low)
        open_[row[~between], k[~between]] = True
        starts.append(np.where(open_, last[:, None], a))
        ends.append(np.where(open_, last[:, None], e))
    cone_a, cone_e = _own_cone(v, at, walls, first, last)
    return np.concatenate([*starts, cone_a], axis=1), np.concatenate([*ends, cone_e], axis=1)


def _between(v: Floats, angle: Floats, walls: Edges, k: Ints, high: Cell, low: Cell) -> Bools:
    """Return whether the lines (v, angle) meet edges k after they leave ``high`` and before they enter ``low``."""
    u = heading_of(angle)
    m = walls.normals[k]
    s = (walls.levels[k] - (m * v).sum(1)) / (m * u).sum(1)
    leave, enter = clip(high, v, u)[1], clip(low, v, u)[0]
    found: Bools = (s > leave) & (s < enter)
    return found


def _own_cone(v: Floats, at: Ints, walls: Edges, first: Floats, last: Floats) -> tuple[Floats, Floats]:
    """Return the directions that run into the wall whose corner the pivot is, ahead and behind, (pivots, 2)."""
    none = np.tile(last[:, None], (1, 2))
    corner = np.nonzero(at >= 0)[0]
    if not len(corner):
        return none, none
    before, after = walls.neighbours
    to, fro = walls.points[after[at[corner]]] - v[corner], walls.points[before[at[corner]]] - v[corner]
    a = np.arctan2(to[:, 1], to[:, 0])
    half = np.remainder(np.arctan2(fro[:, 1], fro[:, 0]) - a, TURN) / 2
    middle = ((first + last) / 2)[corner]
    cone_a, cone_e = none.copy(), none.copy()
    for k, back in enumerate((0.0, np.pi)):
        mid = a + half + back
        mid = mid + TURN * np.round((middle - mid) / TURN)
        low, high = np.maximum(mid - half, first[corner]), np.minimum(mid + half, last[corner])
        hit = high > low
        cone_a[corner[hit], k], cone_e[corner[hit], k] = low[hit], high[hit]
    return cone_a, cone_e
