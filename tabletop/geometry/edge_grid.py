"""A grid of cells that list the edges of an area: what the kernel ``segments.follow`` walks through."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.kernels.segments import INSIDE, OUTLINE, OUTSIDE

Floats = np.ndarray[Any, np.dtype[np.float64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

#: Cells along the longer side of the table: few, for edges are as cheap to test as a cell to cross.
CELLS = 72
#: Room (in cells) about an edge within which a cell lists it: far more than rounding may move a point on the table.
ROOM = 1e-4
#: Points along an outline, by which the cells it runs through are marked, are at most this share of a cell apart.
SHARE = 1 / 16


@dataclass(frozen=True, eq=False)
class EdgeGrid:
    """``state`` of each cell, ``wide`` to a row; its ``edges`` (e, 4) run from its ``first`` to the next's."""

    state: np.ndarray
    first: np.ndarray
    edges: Floats
    wide: int
    width: float
    height: float
    cell: float

    @classmethod
    def of(cls, area: BaseGeometry, width: float, height: float, cells: int = CELLS) -> EdgeGrid:
        """Return the grid of a (multi)polygon on a table ``width`` by ``height`` (table units)."""
        cell = max(width, height) / cells
        wide, high = math.ceil(width / cell) + 1, math.ceil(height / cell) + 1
        edges = edges_of(area)
        which, where = touched(edges, wide, high, cell, ROOM)
        cells_of, listed = np.unique(np.stack([where, which]), axis=1)
        first = np.searchsorted(cells_of, np.arange(wide * high + 1))
        x, y = np.meshgrid((np.arange(wide) + 0.5) * cell, (np.arange(high) + 0.5) * cell)
        state = np.where(shapely.intersects_xy(area, x.ravel(), y.ravel()), INSIDE, OUTSIDE)
        state[cells_of] = OUTLINE
        return cls(state.astype(np.uint8), first.astype(np.int32), edges[listed], wide, width, height, cell)

    def followed(self, run: Callable[..., Any], starts: Floats, ends: Floats) -> np.ndarray:
        """Return the verdicts (n,) of the kernel on n segments, ``starts`` to ``ends`` (n, 2)."""
        verdict = np.empty(len(starts), np.uint8)
        p, q = (np.require(xy, np.float64, ["C", "W"]) for xy in (starts, ends))
        run(p, q, self.state, self.first, self.edges, self.wide, self.width, self.height, 1 / self.cell, verdict)
        return verdict


def edges_of(area: shapely.Geometry) -> Floats:
    """Return the edges (e, 4) of a (multi)polygon's outlines, each x, y, x, y."""
    xy, ring = shapely.get_coordinates(shapely.get_parts(shapely.boundary(area)), return_index=True)
    same = ring[1:] == ring[:-1]
    return np.ascontiguousarray(np.hstack([xy[:-1], xy[1:]])[same])


def touched(edges: Floats, wide: int, high: int, cell: float, room: float) -> tuple[Ints, Ints]:
    """Return pairs (edge, cell) of the cells each edge can run through, many of them more than once.

    Points are set along it; between two of them it strays from the nearer by at most half their distance, so the cells
    of the four corners of a square that wide (and ``room``, in cells, wider) about each point are all it can touch.
    """
    way = edges[:, 2:] - edges[:, :2]
    count = np.ceil(np.hypot(way[:, 0], way[:, 1]) / (cell * SHARE)).astype(int) + 1
    owner = np.repeat(np.arange(len(edges)), count)
    place = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    share = place / np.maximum(count - 1, 1)[owner]
    dense = edges[owner, :2] + share[:, None] * way[owner]
    half = cell * (SHARE / 2 + room)
    which, cells = [], []
    for corner in ((half, half), (half, -half), (-half, half), (-half, -half)):
        column, row = np.floor((dense + corner).T / cell).astype(int)
        on_table = (column >= 0) & (column < wide) & (row >= 0) & (row < high)
        which.append(owner[on_table])
        cells.append((row * wide + column)[on_table])
    return np.concatenate(which), np.concatenate(cells)
