"""What a line can meet as straight sides: of two cells, of what stands between them, of the corridors past screens.

In a fixed direction a line is given by its offset, and the place where it meets a straight side is linear in that.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tabletop.geometry.distinct import distinct_rows
from tabletop.geometry.sight.obstruction import AT_EDGE, Bools, Floats, Ints
from tabletop.geometry.sight_cells import Cell

if TYPE_CHECKING:
    from tabletop.geometry.sight_mixed import Mixed


@dataclass(frozen=True, eq=False)
class Bands:
    """Between which offsets (n, m) lines lie, in all directions between two neighbours: surely none is outside."""

    low: Floats
    high: Floats

    def all_of(self, groups: Ints) -> Bands:
        """Return the bands of what several have in common, by rows of their numbers (k, i)."""
        return Bands(np.asarray(self.low[groups].max(1)), np.asarray(self.high[groups].min(1)))

    def common(self, one: Ints, other: Ints) -> Bools:
        """Return in which (n, m) two may have a line in common."""
        found: Bools = np.maximum(self.low[one], self.low[other]) <= np.minimum(self.high[one], self.high[other])
        return found

    @property
    def holds(self) -> Bools:
        """Which may hold a line (n,) between any two neighbours."""
        return np.asarray(self.open.any(1))

    @property
    def open(self) -> Bools:
        """Which hold a line at all (n, m)."""
        found: Bools = self.low <= self.high
        return found


@dataclass(frozen=True, eq=False)
class Sides:
    """What a line meets, by number: the pair's sides, then where the corridors past screens can end.

    Along a line of offset p a side is met where ``normals . x`` is ``level`` on the line set off to the left by
    ``shift``; a ``corner`` lies abreast of the place where the line is as far along as it, no farther to a side than
    its ``shift``: its ``normals`` are the corner itself. ``over`` are the numbers that go with each screen passed over.
    """

    normals: Floats
    level: Floats
    shift: Floats
    corner: Bools
    ends: Floats  # (n, 2, 2)
    over: tuple[Ints, ...]

    @classmethod
    def of(cls, mixed: Mixed) -> Sides:
        (normals, level), edges = mixed.sides, mixed.edges
        none = np.zeros(len(level))
        between = np.stack([edges.points[edges.i], edges.points[edges.j]], axis=1)
        ends = np.concatenate([_side_ends(mixed.pair.high), _side_ends(mixed.pair.low), between])
        rows = [(normals, level, none, none > 0.0, ends)]
        rows += [_corridor_ends(np.array(mixed.far_sides(o)), o.screen.clearance) for o in mixed.pair.over]
        first = np.cumsum([len(row[1]) for row in rows])
        over = tuple(np.arange(n, m) for n, m in pairwise(first.tolist()))
        normals, level, shift, corner, ends = zip(*rows, strict=True)
        told = np.concatenate(normals), np.concatenate(level), np.concatenate(shift), np.concatenate(corner)
        return cls(*told, np.concatenate(ends), over)

    def offsets(self, angle: Floats, about: Floats | None = None) -> tuple[Floats, Floats]:
        """Return the least and greatest offsets (n, m) of lines at angles (m,) that meet each side between its ends.

        They are those from a point ``about`` which lines turn, where it is given.
        """
        left = np.stack([-np.sin(angle), np.cos(angle)], axis=1)
        ends = self.ends if about is None else self.ends - about
        at = ends @ left.T - np.where(self.corner, 0.0, self.shift)[:, None, None]
        aside = np.where(self.corner, self.shift, 0.0)[:, None]
        return at.min(1) - aside, at.max(1) + aside

    def bands(self, angle: Floats, cell: Cell) -> Bands:
        """Return between which offsets lines lie that meet sides between their ends, and a cell.

        The offsets are those from the middle of the ``cell``, so that they change little; what lies ``far`` from there
        strays from the chord between two directions by so much at the most.
        """
        about = cell.points.mean(0)
        far = float(np.max(np.abs(self.ends - about))) * np.sqrt(2.0) + float(np.max(np.abs(self.shift)))
        stray = far * float(np.max(np.diff(angle))) ** 2 / 8.0 + AT_EDGE
        own = (cell.points - about) @ np.stack([-np.sin(angle), np.cos(angle)])
        (low, high), least, most = self.offsets(angle, about), own.min(0), own.max(0)
        return Bands(
            np.maximum(np.minimum(low[:, :-1], low[:, 1:]), np.minimum(least[:-1], least[1:])) - stray,
            np.minimum(np.maximum(high[:, :-1], high[:, 1:]), np.maximum(most[:-1], most[1:])) + stray,
        )

    def met(self, sides: Ints) -> Met:
        """Return sides by number, (n, k), at hand to be asked again and again."""
        sides = sides[:, None]
        x, y = self.normals[:, 0][sides], self.normals[:, 1][sides]
        return Met(x, y, self.level[sides], self.shift[sides], self.corner[sides])


@dataclass(frozen=True, eq=False)
class Met:
    """Sides met together: their normals, levels, shifts and whether they are corners, (n, 1, k) each."""

    x: Floats
    y: Floats
    level: Floats
    shift: Floats
    corner: Bools

    def places(self, angle: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the places (n, m, k) of the sides at angles (n, m) on lines of offset 0, and their slopes.

        The third are the rates at which a line comes up to each side; 1 for a corner.
        """
        cos, sin = np.cos(angle)[..., None], np.sin(angle)[..., None]
        rate = self.x * cos + self.y * sin
        slope = (self.x * sin - self.y * cos) / rate
        base = self.level / rate + slope * self.shift
        if not self.corner.any():
            return base, slope, rate
        return np.where(self.corner, rate, base), np.where(self.corner, 0.0, slope), np.where(self.corner, 1.0, rate)


def _side_ends(cell: Cell) -> Floats:
    """Return from where to where (n, 2, 2) the sides of a cell run, a segment's own and its caps."""
    p = cell.points
    if len(p) <= 2:
        return np.array([[p[0], p[-1]], [p[0], p[-1]], [p[-1], p[-1]], [p[0], p[0]]])
    return np.stack([p, np.roll(p, -1, axis=0)], axis=1)


def _corridor_ends(far: Floats, clearance: float) -> tuple[Floats, Floats, Floats, Bools, Floats]:
    """Return where a corridor can end, as ``Sides`` has it: at far sides (n, 2, 2) by each rim, or their corners."""
    far = far.reshape(-1, 2, 2)
    corners = distinct_rows(far.reshape(-1, 2))
    n, way = len(far), far[:, 1] - far[:, 0]
    outward = np.stack([way[:, 1], -way[:, 0]], axis=1)
    level, none = (outward * far[:, 0]).sum(1), np.zeros(len(corners))
    return (
        np.concatenate([outward, outward, corners]),
        np.concatenate([level, level, none]),
        np.concatenate([np.full(n, -clearance), np.full(n, clearance), none + clearance]),
        np.concatenate([np.zeros(2 * n, bool), np.ones(len(corners), bool)]),
        np.concatenate([far, far, np.stack([corners, corners], axis=1)]),
    )
