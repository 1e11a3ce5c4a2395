"""Everything on a table that can hinder sight, as bars: connected obstructions and hill contours, slightly shrunk."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import shapely

from tabletop.geometry.measure import GRAZE
from tabletop.geometry.terrain import Table

Floats = np.ndarray[Any, np.dtype[np.float64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

#: How near its start (table units) a stretch must begin to contain the end of the line, under the exact law (t = 0):
#: above what shrinking an obstruction can move an edge along an oblique line.
AT_EDGE = 1e-4
#: By how much (table units) the search shrinks obstructions: enough for a line about one of their corners, or between
#: two that touch, to count as open; far less than the law does, so that the law lets it pass and its length is true.
SHRUNK = GRAZE / 64


@dataclass(frozen=True, eq=False)
class Bar:
    """One connected obstruction or hill contour, shrunk: its vertices, its edges (i to j, inside on the left)."""

    level: int
    see_through: float
    hill: bool
    ids: tuple[str, ...]
    area: shapely.Geometry
    core: shapely.Geometry
    index: int

    @cached_property
    def _rings(self) -> tuple[Floats, Ints, Ints]:
        points, after, before, base = [], [], [], 0
        for part in shapely.get_parts(shapely.orient_polygons(self.core)):
            for ring in (part.exterior, *part.interiors):
                xy = shapely.get_coordinates(ring)[:-1]
                k = np.arange(len(xy))
                points.append(xy)
                after.append(base + np.roll(k, -1))
                before.append(base + np.roll(k, 1))
                base += len(xy)
        return np.concatenate(points), np.concatenate(after), np.concatenate(before)

    @property
    def points(self) -> Floats:
        """Vertices (v, 2); the edge of vertex i runs from it to ``after[i]``."""
        return self._rings[0]

    @property
    def after(self) -> Ints:
        return self._rings[1]

    @property
    def before(self) -> Ints:
        return self._rings[2]

    @cached_property
    def grown(self) -> shapely.Geometry:
        """The closed area: what counts as standing in it."""
        shape: shapely.Geometry = shapely.buffer(self.area, GRAZE, join_style="mitre")
        shapely.prepare(shape)
        return shape

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        x0, y0, x1, y1 = shapely.bounds(self.area).tolist()
        return x0 - 2 * GRAZE, y0 - 2 * GRAZE, x1 + 2 * GRAZE, y1 + 2 * GRAZE

    def holds(self, points: Floats) -> Bools:
        """Return which of (n, 2) points stand in it, its edge included."""
        x0, y0, x1, y1 = self.bounds
        x, y = points[:, 0], points[:, 1]
        found = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
        if found.any():
            found[found] = shapely.intersects_xy(self.grown, x[found], y[found])
        return found


@dataclass(frozen=True, eq=False)
class Ground:
    """Everything on a table that can hinder sight, shrunk by ``shrink``."""

    bars: tuple[Bar, ...]

    @cached_property
    def hills(self) -> tuple[Bar, ...]:
        return tuple(bar for bar in self.bars if bar.hill)

    @cached_property
    def boxes(self) -> Floats:
        """Bounds of every bar, (n, 4)."""
        return np.array([bar.bounds for bar in self.bars]).reshape(-1, 4)

    @cached_property
    def cores(self) -> Any:
        return np.array([bar.core for bar in self.bars], dtype=object)

    def levels(self, points: Floats) -> Ints:
        """Return the level of each of (n, 2) points: the highest contour it stands in, its edge included."""
        found = np.zeros(len(points), int)
        if not self.hills or not len(points):
            return found
        low, high, box = points.min(0), points.max(0), self.hill_boxes
        hit = (box[:, 0] <= high[0]) & (box[:, 2] >= low[0]) & (box[:, 1] <= high[1]) & (box[:, 3] >= low[1])
        for k in np.nonzero(hit)[0].tolist():
            inside = self.hills[k].holds(points)
            found[inside] = np.maximum(found[inside], self.hills[k].level)
        return found

    @cached_property
    def hill_boxes(self) -> Floats:
        return np.array([bar.bounds for bar in self.hills]).reshape(-1, 4)


def ground_of(table: Table, shrink: float = GRAZE) -> Ground:
    """Return the bars of a table, kept with it once made."""
    kept: dict[float, Ground] = table.__dict__.setdefault("_sight_grounds", {})
    if shrink not in kept:
        kept[shrink] = _ground(table, shrink)
    return kept[shrink]


def _ground(table: Table, shrink: float) -> Ground:
    found: list[Bar] = []
    areas = [(o.level, o.see_through, False, o.ids, p) for o in table.obstructions for p in _clumps(o.area)]
    areas += [(h.level, 0.0, True, h.ids, h.area) for h in table.hills]
    for level, see_through, hill, ids, area in areas:
        if not shapely.is_empty(
            shapely.buffer(area, -GRAZE)
        ):  # the same bars, under the same numbers, however much they are shrunk
            core = shapely.buffer(area, -shrink, join_style="mitre", mitre_limit=50.0)
            found.append(Bar(level, see_through, hill, ids, area, core, len(found)))
    return Ground(tuple(found))


def _clumps(area: shapely.Geometry) -> list[shapely.Geometry]:
    """Return the parts of an area, those that touch at a point together: a line through that point stays inside."""
    clumps: list[list[shapely.Geometry]] = []
    for part in shapely.get_parts(area):
        mine = [c for c in clumps if any(part.intersects(other) for other in c)]
        clumps = [c for c in clumps if c not in mine] + [[part, *(other for c in mine for other in c)]]
    return [shapely.union_all(c) for c in clumps]
