"""Free ground cut into triangles: made once, walked many times."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

#: How far outside a triangle (twice the area, table units squared) a point may lie and still count as inside it.
INSIDE = 1e-12
#: Room (table units) about a triangle's box.
ROOM = 1e-6
NONE = -1


@dataclass(frozen=True, eq=False)
class Mesh:
    """The constrained Delaunay triangles of a free area.

    ``points`` (v, 2); ``triangles`` (t, 3), counter-clockwise. Side k of a triangle is opposite its corner k and has
    the number ``3 t + k``; ``across`` (3 t,) is the number the same side has in the triangle beyond, -1 at a border.
    """

    points: Floats
    triangles: Ints
    across: Ints

    @classmethod
    def of(cls, free: BaseGeometry) -> Mesh:
        """Return the mesh of a (multi)polygon whose parts and holes do not overlap."""
        parts = shapely.get_parts(shapely.constrained_delaunay_triangles(free))
        if not len(parts):
            return cls(np.zeros((0, 2)), np.zeros((0, 3), int), np.zeros(0, int))
        corners = shapely.get_coordinates(shapely.get_parts(parts)).reshape(-1, 4, 2)[:, :3]
        points, index = np.unique(corners.reshape(-1, 2), axis=0, return_inverse=True)
        triangles = _counter_clockwise(points, index.reshape(-1, 3))
        return cls(points, triangles, _across(triangles, len(points)))

    def triangle_at(self, point: Point) -> int:
        """Return a triangle that holds a point, its border included; -1 if none does."""
        x, y = point
        turns = self._sides[0] * x + self._sides[1] * y + self._sides[2]
        least = turns.min(1)
        best = int(least.argmax()) if len(least) else NONE
        return best if best != NONE and least[best] >= -INSIDE else NONE

    @cached_property
    def _sides(self) -> Floats:
        """Coefficients (3, t, 3) of the turn about each side: positive inside."""
        p = self.points[self.triangles]
        a, b = np.roll(p, -1, axis=1), np.roll(p, -2, axis=1)
        way = b - a
        return np.stack([-way[..., 1], way[..., 0], way[..., 1] * a[..., 0] - way[..., 0] * a[..., 1]])

    @cached_property
    def step_table(self) -> Ints:
        """For each side (3 t, 5), leaving its triangle: the far corner of the triangle beyond (-1 at a border), the
        sides to its right and to its left, and the corners at the right and left end of the side itself."""
        t, k = np.divmod(np.arange(3 * len(self.triangles)), 3)
        right, left = self.triangles[t, (k + 1) % 3], self.triangles[t, (k + 2) % 3]
        beyond, j = np.divmod(self.across, 3)
        far = np.where(self.across < 0, NONE, self.triangles[beyond, j])
        # beyond the side its corners run the other way round: corner j + 1 is the left end, j + 2 the right
        to_right, to_left = 3 * beyond + (j + 1) % 3, 3 * beyond + (j + 2) % 3
        return np.stack([far, to_right, to_left, right, left], axis=1)

    @cached_property
    def steps(self) -> tuple[list[int], ...]:
        """The columns of ``step_table`` as plain lists: quick to walk."""
        return tuple(self.step_table.T.tolist())

    @cached_property
    def narrow(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, Floats]:
        """``step_table`` and ``near`` in half the room, which a kernel has to fetch."""
        first, listed, grid = self.near
        steps = np.ascontiguousarray(self.step_table, np.int32)
        return steps, first.astype(np.int32), listed.astype(np.int32), grid

    @cached_property
    def near(self) -> tuple[Ints, Ints, Floats]:
        """The triangles whose boxes meet each cell of a grid: where each cell's begin, all of them, and the grid (left,
        bottom, cells a unit, columns, rows); about two cells a triangle."""
        corners = self.points[self.triangles]
        low, high = corners.min(1), corners.max(1)
        left, size = self.points.min(0), np.ptp(self.points, axis=0)
        per_unit = float(np.sqrt(2.0 * len(self.triangles) / max(float(size.prod()), 1e-9)))
        wide, tall = (np.floor(size * per_unit).astype(int) + 1).tolist()
        a, b = (np.floor((ends - left + by) * per_unit).astype(int) for ends, by in ((low, -ROOM), (high, ROOM)))
        a, b = np.maximum(a, 0), np.minimum(b, (wide - 1, tall - 1))
        many = b - a + 1
        t = np.repeat(np.arange(len(a)), many.prod(1))
        k = np.arange(len(t)) - np.repeat(np.cumsum(many.prod(1)) - many.prod(1), many.prod(1))
        cell = (a[t, 1] + k // many[t, 0]) * wide + a[t, 0] + k % many[t, 0]
        first = np.searchsorted(np.sort(cell), np.arange(wide * tall + 1))
        return first, t[np.argsort(cell, kind="stable")], np.array([*left, per_unit, wide, tall])

    @cached_property
    def around(self) -> tuple[tuple[int, ...], ...]:
        """For each point, the sides opposite it, in the triangles that have it as a corner."""
        found: list[list[int]] = [[] for _ in self.points]
        for side, corner in enumerate(self.triangles.ravel().tolist()):
            found[corner].append(side)
        return tuple(tuple(sides) for sides in found)

    @cached_property
    def lists(self) -> tuple[list[float], list[float]]:
        """The points' x and y, as plain lists."""
        return self.points[:, 0].tolist(), self.points[:, 1].tolist()


def _counter_clockwise(points: Floats, triangles: Ints) -> Ints:
    p = points[triangles]
    a, b = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]
    back = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] < 0
    return np.where(back[:, None], triangles[:, ::-1], triangles)


def _across(triangles: Ints, n: int) -> Ints:
    """Return the number of each side as seen from the other triangle it belongs to."""
    a, b = triangles[:, [1, 2, 0]].ravel(), triangles[:, [2, 0, 1]].ravel()
    key = np.minimum(a, b) * n + np.maximum(a, b)
    order = np.argsort(key, kind="stable")
    same = np.nonzero(key[order][1:] == key[order][:-1])[0]
    found = np.full(len(key), NONE)
    found[order[same]], found[order[same + 1]] = order[same + 1], order[same]
    return found
