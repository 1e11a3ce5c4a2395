"""What a choke-point exempts those who pass over it from: the obstacles and rough ground that it crosses (TSE-MOV-09).

A linear obstacle or rough ground that a choke-point crosses counts for no base of a front whose guide point (its
middle; the middle of the rear when driven back; a general's centre) passes it on the choke-point, overhang included. On
a straight path the line of the guide point decides. Exempt is what lies abreast of the line while it is on the
choke-point, and every connected piece of an obstacle, or of rough ground, under the strip of the front that the line
crosses on the choke-point only. The whole line is looked at, extended a little beyond both ends of the path. So
splitting a path never changes its cost, and a corner that is over the stream before the middle is on the bridge costs
nothing. In a turn the position of the guide point decides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.base import AnyBase, Base
from tabletop.geometry.measure import GRAZE, Point
from tabletop.geometry.movement.crossing import clusters
from tabletop.geometry.movement.ground import Ground, Patches

#: How far the line is extended beyond the ends of a path: this many widths of the front, plus this much.
BEYOND, MORE = 1.0, 1.0
#: A front that moves within this angle (its sine) of its own line sweeps no strip.
ALONG = 1e-6


@dataclass(frozen=True, eq=False)
class Passage:
    """A choke-point, slightly enlarged, and the indices of the obstacles and the rough ground that it crosses."""

    area: BaseGeometry
    linear: tuple[int, ...]
    rough: tuple[int, ...]

    @cached_property
    def box(self) -> tuple[float, ...]:
        """The bounding box of its area: west, south, east, north."""
        return tuple(shapely.bounds(self.area).tolist())


def passages(ground: Ground) -> tuple[Passage, ...]:
    """Return the choke-points of a ground that cross something; cached on its choke-points (TSE-MOV-09).

    >>> from tabletop.geometry import Table, Terrain, ground_of
    >>> brook = Terrain.of_kind("brook", "stream", line=[(0, 12), (20, 12)])
    >>> bridge = Terrain.of_kind("bridge", "bridge", line=[(10, 10), (10, 14)])
    >>> len(passages(ground_of(Table.of("in", 20, 20, [brook, bridge]))))
    1
    """
    if not ground.choke:
        return ()
    kept: dict[tuple[int, int], tuple[Patches, Patches, tuple[Passage, ...]]]
    kept = vars(ground.choke).setdefault("_over", {})
    key = id(ground.linear), id(ground.rough)
    if key not in kept:
        kept[key] = ground.linear, ground.rough, tuple(_passages(ground))
    return kept[key][2]


def _passages(ground: Ground) -> list[Passage]:
    crossing = []
    for part in ground.choke.parts:
        area = shapely.buffer(part, GRAZE, join_style="mitre")
        shapely.prepare(area)
        linear, rough = (
            tuple(np.flatnonzero(shapely.intersects(area, kind.parts)).tolist()) if kind else ()
            for kind in (ground.linear, ground.rough)
        )
        if linear or rough:
            crossing.append(Passage(area, linear, rough))
    return crossing


def crossed(ground: Ground) -> Ground:
    """Return a ground with only those obstacles and that rough ground that its choke-points may exempt in part."""
    over = passages(ground)
    linear = sorted({k for passage in over for k in passage.linear})
    rough = sorted({k for passage in over for k in passage.rough})
    return replace(ground, linear=_only(ground.linear, linear), rough=_only(ground.rough, rough))


@dataclass(frozen=True)
class Strip:
    """The strip swept by a front: its guide point's line from ``low`` to ``high`` along ``unit`` from ``guide``.

    ``across`` is the direction of the front, from ``left`` to ``right`` of the line.
    """

    guide: Point
    unit: Point
    across: Point
    left: float
    right: float
    low: float
    high: float

    @classmethod
    def of(cls, bases: Sequence[AnyBase], guide: Point, by: Point, leading: str, t: float) -> Strip | None:
        """Return the strip of bases moved by a vector; None if they do not move, or move along their own front.

        A round base has no front: its strip is that of its centre, ``t`` to each side.
        """
        length = math.hypot(*by)
        if length <= 1e-9:
            return None
        first, unit = bases[0], (by[0] / length, by[1] / length)
        if not isinstance(first, Base):
            return cls.about(guide, unit, (unit[1], -unit[0]), -t, t, 0.0, length)
        across = first.right
        turn = unit[0] * across[1] - unit[1] * across[0]
        if abs(turn) < ALONG:
            return None
        edges = [
            base.corners[:2] if leading == "front" else base.corners[2:] for base in bases if isinstance(base, Base)
        ]
        rel = np.concatenate(edges) - np.array(guide)
        along = (rel[:, 0] * across[1] - rel[:, 1] * across[0]) / turn
        aside = (unit[0] * rel[:, 1] - unit[1] * rel[:, 0]) / turn
        left, right = float(aside.min()), float(aside.max())
        return cls.about(guide, unit, across, left, right, min(0.0, float(along.min())), length + float(along.max()))

    @classmethod
    def about(
        cls, guide: Point, unit: Point, across: Point, left: float, right: float, low: float, high: float
    ) -> Strip:
        """Return the strip of a path from ``low`` to ``high``, extended a little at both ends."""
        more = BEYOND * (right - left) + MORE
        return cls(guide, unit, across, left, right, low - more, high + more)

    def at(self, along: float, aside: float = 0.0) -> Point:
        (x, y), (ux, uy), (ax, ay) = self.guide, self.unit, self.across
        return x + along * ux + aside * ax, y + along * uy + aside * ay

    @property
    def line(self) -> shapely.LineString:
        return shapely.LineString([self.at(self.low), self.at(self.high)])

    def may_pass(self, passage: Passage) -> bool:
        """Return whether the bounding box of its line meets that of a choke-point."""
        (ax, ay), (bx, by), (west, south, east, north) = self.at(self.low), self.at(self.high), passage.box
        return min(ax, bx) <= east and max(ax, bx) >= west and min(ay, by) <= north and max(ay, by) >= south

    def band(self, low: float, high: float) -> shapely.Polygon:
        """Return the ground abreast of a stretch of the line, over the whole width of the front."""
        left, right = self.left - GRAZE, self.right + GRAZE
        return shapely.Polygon([self.at(low, left), self.at(low, right), self.at(high, right), self.at(high, left)])


def may_be_exempt(ground: Ground, swept: Sequence[float], width: float) -> bool:
    """Return whether choke-points may exempt a base from anything on one step; never wrongly False (TSE-MOV-09).

    ``swept`` is the bounding box of everything the base sweeps, ``width`` the width of its leading front: table units.
    The box is grown by the furthest the line of the guide point is extended.

    >>> from tabletop.geometry import Table, Terrain, ground_of
    >>> brook = Terrain.of_kind("brook", "stream", line=[(0, 12), (20, 12)])
    >>> bridge = Terrain.of_kind("bridge", "bridge", line=[(10, 10), (10, 14)])
    >>> ground = ground_of(Table.of("in", 20, 20, [brook, bridge]))
    >>> [may_be_exempt(ground, (x, 6.0, x + 1.0, 9.0), 1.0) for x in (9.5, 2.0)]
    [True, False]
    """
    more, (x0, y0, x1, y1) = BEYOND * width + MORE + GRAZE, swept
    boxes = (passage.box for passage in passages(ground))
    return any(a <= x1 + more and b <= y1 + more and c >= x0 - more and d >= y0 - more for a, b, c, d in boxes)


def without_exempt(ground: Ground, strip: Strip | None) -> Ground:
    """Return the ground that counts for a front on a straight path: without what its guide passes on choke-points."""
    if strip is None or not ground.choke:
        return ground
    over = [passage for passage in passages(ground) if strip.may_pass(passage)]
    if not over:
        return ground
    line = strip.line
    over = [passage for passage in over if shapely.intersects(passage.area, line)]
    linear: dict[int, list[BaseGeometry]] = {}
    rough: dict[int, list[BaseGeometry]] = {}
    for passage in over:
        on = shapely.intersection(line, passage.area)
        bands = _bands(strip, on)
        for k in passage.linear:
            linear.setdefault(k, []).extend((*bands, *_crossed(ground.linear.parts[k], strip, line, on)))
        for k in passage.rough:
            pieces = _crossed(ground.rough.parts[k], strip, line, on)
            rough.setdefault(k, []).extend((*bands, *(p for p in pieces if _only_on(p, line, on))))
    return replace(ground, linear=_less(ground.linear, linear), rough=_less(ground.rough, rough)) if over else ground


def _bands(strip: Strip, on: BaseGeometry) -> list[BaseGeometry]:
    """Return the ground abreast of the guide point while it is on a choke-point."""
    unit, guide = np.array(strip.unit), np.array(strip.guide)
    ends = [(shapely.get_coordinates(stretch) - guide) @ unit for stretch in shapely.get_parts(on)]
    return [strip.band(float(e.min()), float(e.max())) for e in ends if e.max() - e.min() > GRAZE]


def _crossed(part: BaseGeometry, strip: Strip, line: BaseGeometry, on: BaseGeometry) -> list[BaseGeometry]:
    """Return the connected pieces of a part under the strip that the line crosses on a choke-point, a hair wider."""
    pieces = clusters(shapely.intersection(part, strip.band(strip.low, strip.high)))
    met = [piece for piece in pieces if shapely.dwithin(piece, on, GRAZE) and shapely.dwithin(piece, line, GRAZE)]
    return [shapely.buffer(piece, GRAZE, join_style="mitre") for piece in met]


def _only_on(piece: BaseGeometry, line: BaseGeometry, on: BaseGeometry) -> bool:
    """Return whether a line crosses a piece only on the choke-point."""
    return bool(shapely.difference(shapely.intersection(line, piece), shapely.buffer(on, GRAZE)).length <= 8 * GRAZE)


def _less(kind: Patches, exempt: dict[int, list[BaseGeometry]]) -> Patches:
    """Return the parts of a kind of ground, less the shapes that ``spare`` lists by part."""
    if not exempt:
        return kind
    parts = kind.parts.copy()
    for k, shapes in exempt.items():
        parts[k] = shapely.difference(parts[k], shapely.union_all(shapes)) if shapes else parts[k]
    return _only(replace(kind, parts=parts), [k for k, part in enumerate(parts) if not shapely.is_empty(part)])


def without_exempt_at(ground: Ground, guides: Sequence[Point]) -> Ground:
    """Return the ground that counts in a turn: without what is crossed by choke-points that a guide point is on."""
    if not ground.choke:
        return ground
    linear: set[int] = set()
    rough: set[int] = set()
    for passage in passages(ground):
        if any(shapely.intersects_xy(passage.area, *point) for point in guides):
            linear |= set(passage.linear)
            rough |= set(passage.rough)
    if not (linear or rough):
        return ground
    return replace(ground, linear=_without(ground.linear, linear), rough=_without(ground.rough, rough))


def _without(kind: Patches, numbers: set[int]) -> Patches:
    return _only(kind, [k for k in range(len(kind.parts)) if k not in numbers]) if numbers else kind


def _only(kind: Patches, numbers: Sequence[int]) -> Patches:
    return Patches(kind.parts[list(numbers)], tuple(kind.ids[k] for k in numbers))
