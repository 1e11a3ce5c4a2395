"""What lies around a mover, prepared once for all its advances: outlines to keep away from, and edges of all ground.

From each place the mover continues from, edges are seen over ranges of bearings; an advance in none of an edge's
bearings cannot meet it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.distinct import distinct_rows
from tabletop.geometry.measure import Point
from tabletop.geometry.movement.advance_contact import Outlines
from tabletop.geometry.movement.advance_cost import Beside, Files
from tabletop.geometry.movement.bearing_index import WHOLE, Pairs, Ranges, begins, edge_ranges
from tabletop.geometry.movement.ground import Ground
from tabletop.geometry.movement.swept_strips import HAIR, Edges

#: A place that strips start from: its position, how far ahead of it they begin, how far ahead they end at most.
Place = tuple[Point, float, float]


@dataclass(frozen=True)
class Surroundings:
    """Edges from ``a`` to ``b`` (m, 2): first those to keep away from, then of rough ground, obstacles, chokes and
    roads.

    ``number`` (m,) is the index of each in its class; ``ends`` where each class ends; ``part`` (m,) groups edges that
    are kept or dropped together; ``wide`` (m, 1) and ``back`` (m, 1) are how far to either side and behind its start an
    advance can meet it. ``keep`` (m,) is the distance to keep, 0 for ground; ``solid`` (m,) marks the edges of areas.
    """

    a: np.ndarray
    b: np.ndarray
    number: np.ndarray
    ends: tuple[int, ...]
    part: np.ndarray
    wide: np.ndarray
    back: np.ndarray
    keep: np.ndarray
    solid: np.ndarray
    known: dict[Place, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, files: Files, ground: Ground, keep: Outlines, pivot: Point, span: float) -> Surroundings:
        """Return everything that a mover about a pivot may meet within ``span``."""
        t, behind = files.cost_model.t, max(max(strip.behind) for strip in files.strips)
        half = max(max(abs(strip.left), abs(strip.right)) for strip in files.strips) + HAIR
        kinds = [(ground.rough.outline, half, behind), (ground.linear.outline, half + t, behind + 2 * t)]
        kinds.append((ground.choke.outline, HAIR, 2 * t))
        kinds.append((ground.road.outline, HAIR, files.back if files.file else 0.0))
        if files.cost_model.road == 1.0:
            kinds[-1] = (Edges.of([]), HAIR, 0.0)
        own = np.arange(len(keep.keep))
        parts, first = [own], len(own)
        for edges, _, _ in kinds:
            parts.append(edges.part + first)
            first += int(np.max(edges.part, initial=-1)) + 1
        every = cls(
            np.concatenate([keep.starts, *(edges.points[edges.starts] for edges, _, _ in kinds)]),
            np.concatenate([keep.ends, *(edges.points[edges.ends] for edges, _, _ in kinds)]),
            np.concatenate([own, *(np.arange(len(edges.part)) for edges, _, _ in kinds)]),
            tuple(np.cumsum([len(own), *(len(edges.part) for edges, _, _ in kinds)]).tolist()),
            np.concatenate(parts),
            np.concatenate([files.half + keep.keep, *(np.full(len(edges.part), w) for edges, w, _ in kinds)])[:, None],
            np.concatenate([np.zeros(len(own)), *(np.full(len(edges.part), back) for edges, _, back in kinds)])[
                :, None
            ],
            np.concatenate([keep.keep, *(np.zeros(len(edges.part)) for edges, _, _ in kinds)]),
            np.concatenate([own * 0, *(edges.solid for edges, _, _ in kinds)]).astype(np.uint8),
        )
        _, width = every._seen([(pivot, 0.0, span)])
        return every._taken(width[:, 0, 0] >= 0.0)

    def _taken(self, chosen: np.ndarray) -> Surroundings:
        ends = tuple(np.cumsum(chosen)[[end - 1 for end in self.ends]].tolist()) if len(chosen) else self.ends
        ends = tuple(n if end else 0 for n, end in zip(ends, self.ends, strict=True))
        columns = (self.a, self.b, self.number)
        a, b, number = (column[chosen] for column in columns)
        rest = (column[chosen] for column in (self.part, self.wide, self.back, self.keep, self.solid))
        return Surroundings(a, b, number, ends, *rest)

    def _seen(self, places: Sequence[Place]) -> tuple[np.ndarray, np.ndarray]:
        """Return the ranges (m, 2, k) of the edges around places; the width is negative where no advance gets so far.

        If an advance may reach one edge of a part, all its edges count, because being inside is decided by the number
        of crossings of the outline. The same holds for a part that contains the place, however far off its outline is.
        """
        at = np.array([at for at, _, _ in places])
        ahead, far = (np.array([place[k] for place in places]) for k in (1, 2))
        ranges, near = edge_ranges(at, self.a, self.b, self.wide, np.maximum(self.back - ahead, 0.0))
        if not len(self.part):
            return ranges.first, ranges.width
        firsts = np.flatnonzero(begins(self.part))
        beyond = np.minimum.reduceat(near - 2 * self.wide - self.back, firsts, axis=0) > far
        beyond &= np.add.reduceat(self._east_of(at), firsts, axis=0) % 2 == 0
        sizes = np.diff(firsts, append=len(self.part))
        return ranges.first, np.where(np.repeat(beyond, sizes, axis=0)[:, None], -1.0, ranges.width)

    def _east_of(self, at: np.ndarray) -> np.ndarray:
        """Return which edges of ground (m, k) lie due east of places (k, 2): an odd number of a ring around the
        place."""
        (ax, ay), (bx, by) = ((p[:, :1] - at[:, 0], p[:, 1:] - at[:, 1]) for p in (self.a, self.b))
        over: np.ndarray = (ay > 0.0) != (by > 0.0)
        rise = np.where(over, by - ay, 1.0)
        over &= ax - ay * (bx - ax) / rise > 0.0
        over[: self.ends[0]] = False
        return over.astype(int)

    def ranges(self, places: Sequence[Place]) -> Ranges:
        """Return the ranges of the edges around places, cached for those seen before."""
        new = [place for place in dict.fromkeys(places) if place not in self.known]
        if new:
            first, width = self._seen(new)
            self.known.update((place, (first[..., k], width[..., k])) for k, place in enumerate(new))
        firsts, widths = zip(*(self.known[place] for place in places), strict=True)
        return Ranges(np.stack(firsts, axis=-1), np.stack(widths, axis=-1))

    def beside(self, places: Sequence[Place], of: np.ndarray, bearings: np.ndarray) -> tuple[Pairs, Beside]:
        """Return what n advances may meet, given the place and bearing each starts from: outlines, then ground."""
        i, e = self.ranges(places).pairs(of, bearings)
        order = np.argsort(e, kind="stable")
        i, e = i[order], e[order]
        cuts = np.searchsorted(e, (0, *self.ends)).tolist()
        keep, rough, linear, choke, road = ((i[low:high], self.number[e[low:high]]) for low, high in pairwise(cuts))
        return keep, Beside(rough, linear, choke, road)


@dataclass(frozen=True)
class Crowd:
    """Shapes around a mover: their outlines' edges from ``a`` to ``b`` (m, 2), and the shape (m,) each belongs to."""

    a: np.ndarray
    b: np.ndarray
    shape: np.ndarray

    @classmethod
    def of(cls, shapes: Sequence[BaseGeometry]) -> Crowd:
        rings = [shapely.get_coordinates(shape) for shape in shapely.simplify(np.array(shapes, object), 0.0)]
        a, b = (np.concatenate([np.zeros((0, 2)), *(ring[part] for ring in rings)]) for part in (np.s_[:-1], np.s_[1:]))
        return cls(a, b, np.repeat(np.arange(len(rings)), [len(ring) - 1 for ring in rings]))

    def beside(
        self, places: np.ndarray, far: np.ndarray, of: np.ndarray, bearings: np.ndarray, wide: float, back: float
    ) -> Pairs:
        """Return (direction, edge) of the pairs that may meet: n directions from ``places`` (k, 2), ``far`` (k,) ahead.

        Strips are ``wide`` to either side and begin ``back`` behind the place; of a shape they may begin in, all edges
        count.
        """
        sides = np.full((len(self.a), 1), wide)
        ranges, near = edge_ranges(places, self.a, self.b, sides, np.full((1, 1), back))
        if not len(self.a):
            return np.zeros(0, int), np.zeros(0, int)
        firsts = np.flatnonzero(begins(self.shape))
        close = np.maximum.reduceat(ranges.width[:, 0], firsts, axis=0)[self.shape] >= WHOLE
        first, width = ranges.first, np.where((near - wide > far)[:, None], -1.0, ranges.width)
        first[:, 0][close], width[:, 0][close], width[:, 1][close] = 0.0, WHOLE, -1.0
        return Ranges(first, width).pairs(of, bearings)


@dataclass(frozen=True)
class Corners:
    """Corners beside which the farthest advance may jump or bend: where the side of a strip passes them.

    ``points`` (p, 2); ``half_width`` (p,) half the width of what passes; ``room`` (p,) how much farther away than an
    advance gets they still count; ``hard`` (p,) those that cause a jump; ``follows`` (p,) those that following bases
    pass as well.
    """

    points: np.ndarray
    half_width: np.ndarray
    room: np.ndarray
    hard: np.ndarray
    follows: np.ndarray

    @classmethod
    def of(cls, files: Files, ground: Ground, keep: Outlines, friends: Sequence[BaseGeometry]) -> Corners:
        corners, distance = keep.corners
        standing = distinct_rows(shapely.get_coordinates(np.array(friends, object)).reshape(-1, 2))
        hard = ground.linear.outline.points
        passed = (hard, standing, ground.rough.outline.points, ground.choke.outline.points)
        points = np.concatenate([corners, *passed])
        n, number = len(corners), np.arange(len(points))
        follows = number >= n
        half_width, room = np.full(len(points), files.half), np.full(len(points), files.half)
        half_width[:n], room[:n] = files.half + distance, distance
        return cls(points, half_width, room, number < n + len(hard), follows)
