"""Which of very many segments meet an area: a grid of clearances settles most, exact geometry the rest.

Where a kernel is ready it walks through a coarser grid instead and tests the edges themselves (``edge_grid``).

Each cell of the grid knows a length within which, from anywhere in it, the area cannot be met, or that all
of it lies in the area, or neither (the outline runs through it). A segment is followed from its start, each step as
long as the clearance where it stands: it is free if it arrives, met if it comes into a cell inside the area; if it came
through a cell on the outline on its way, the closed test of the geometry library decides. No answer rests on a sample.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.edge_grid import Bools, EdgeGrid, Floats, edges_of, touched
from tabletop.geometry.kernels import segments

#: Width of a cell (table units).
CELL = 1 / 12
#: Clearances are not looked for farther than this many cells.
FARTHEST = 48
#: Segments followed at a time: as many as stay in a cache, few enough that the calls for each block do not show.
BLOCK = 65536
#: Cells inside the area, and cells on its outline or too near it for a clearance: followed a cell at a time.
INSIDE, OUTLINE = -1.0, 1.0
#: Clearances (in cells) smaller than this are not worth a step. No clearance is 1 exactly: the room sees to that.
WORTH = 0.5


@dataclass(frozen=True, eq=False)
class ClearanceGrid:
    """An area on a table ``width`` by ``height``, and what is made of it when first asked for."""

    area: BaseGeometry
    width: float
    height: float
    cell: float

    @classmethod
    def of(cls, area: BaseGeometry, width: float, height: float, cell: float = CELL) -> ClearanceGrid:
        """Return the grid of a (multi)polygon on a table ``width`` by ``height`` (table units)."""
        own = shapely.from_wkb(shapely.to_wkb(area))  # prepared shapes are not shared: not safe between threads
        shapely.prepare(own)
        return cls(own, width, height, cell)

    @cached_property
    def edge_grid(self) -> EdgeGrid:
        return EdgeGrid.of(self.area, self.width, self.height)

    @property
    def wide(self) -> int:
        """Cells to a row."""
        return math.ceil(self.width / self.cell) + 1

    @cached_property
    def steps(self) -> np.ndarray:
        """The clearance in cells, or ``OUTLINE`` or ``INSIDE``, row by row from y = 0 up."""
        wide, high, cell = self.wide, math.ceil(self.height / self.cell) + 1, self.cell
        room = 4 * float(np.finfo(np.float32).eps) * (wide + high)
        marked = np.zeros((high, wide), bool)
        marked.ravel()[touched(edges_of(self.area), wide, high, cell, room)[1]] = True
        steps = _gaps(marked) - room
        steps[steps < WORTH] = OUTLINE
        x, y = np.meshgrid((np.arange(wide) + 0.5) * cell, (np.arange(high) + 0.5) * cell)
        steps[shapely.intersects_xy(self.area, x, y) & ~marked] = INSIDE
        return steps.astype(np.float32).ravel()

    def meets(self, starts: Floats, ends: Floats) -> Bools:
        """Return which of n segments, ``starts`` to ``ends`` (n, 2) on the table, meet the area; touching counts."""
        found: Bools
        run = segments.follow.ready()
        if run is not None:
            verdict = self.edge_grid.followed(run, starts, ends)
            found, rest = np.equal(verdict, segments.MEETS), np.nonzero(verdict == segments.DOUBT)[0]
        else:
            found, rest = self._settled(starts, ends)
        if len(rest):
            lines = shapely.linestrings(np.stack([starts[rest], ends[rest]], axis=1))
            found[rest] = shapely.intersects(self.area, lines)
        return found

    def _settled(self, starts: Floats, ends: Floats) -> tuple[Bools, np.ndarray]:
        """Return which segments surely meet the area, and the numbers of those the grid cannot settle."""
        found = np.zeros(len(starts), bool)
        rest = [np.zeros(0, int)]
        for k in range(0, len(starts), BLOCK):
            some = slice(k, k + BLOCK)
            found[some], unsure = self._follow(starts[some], ends[some])
            rest.append(k + np.nonzero(unsure)[0])
        return found, np.concatenate(rest)

    def _follow(self, starts: Floats, ends: Floats) -> tuple[Bools, Bools]:
        """Return which segments surely meet the area, and which the grid cannot settle.

        In cells and single precision: the grid leaves room for that.
        """
        way = ends - starts
        length = np.hypot(way[:, 0], way[:, 1])
        x, y = np.ascontiguousarray((starts / self.cell).T, np.float32)
        u, v = np.ascontiguousarray((way / np.maximum(length, 1e-300)[:, None]).T, np.float32)
        left = (length / self.cell).astype(np.float32)
        gone = np.zeros_like(left)
        met, unsure = np.zeros(len(starts), bool), np.zeros(len(starts), bool)
        row, steps, wide = np.arange(len(starts)), self.steps, self.wide
        while len(row):
            step = steps[(y + v * gone).astype(np.int32) * wide + (x + u * gone).astype(np.int32)]
            unsure[row[step == OUTLINE]] = True
            met[row[step < 0]] = True
            gone += step
            on = np.flatnonzero((step > 0) & (gone < left))
            row, x, y, u, v, gone, left = row[on], x[on], y[on], u[on], v[on], gone[on], left[on]
        return met, unsure & ~met


def _gaps(marked: Bools) -> Floats:
    """Return the least gap, in cells, between each cell's square and a marked one's, at most ``FARTHEST``."""
    along = np.full(marked.shape, float(FARTHEST))
    for k in range(FARTHEST, -1, -1):
        gap = float(max(0, k - 1))
        along[:, k:][marked[:, : max(0, marked.shape[1] - k)]] = gap
        along[:, : max(0, marked.shape[1] - k)][marked[:, k:]] = gap
    squares = along * along
    best = np.full(marked.shape, float(FARTHEST * FARTHEST))
    for k in range(min(FARTHEST, len(marked) - 1) + 1):
        gap = float(max(0, k - 1)) ** 2
        best[k:] = np.minimum(best[k:], squares[: len(marked) - k] + gap)
        best[: len(marked) - k] = np.minimum(best[: len(marked) - k], squares[k:] + gap)
    found: Floats = np.sqrt(best)
    return found
