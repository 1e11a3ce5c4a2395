"""The ground as movement sees it: rough, roads, linear obstacles, choke-points, impassable, each kind united first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.cache import Cache
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.movement.swept_strips import Edges
from tabletop.geometry.terrain import FORDS, Table, Terrain

#: The least width of a road, in inches at figure scale 1 (TSE-MOV-14).
ROAD_WIDTH = 1.0


@dataclass(frozen=True)
class Patches:
    """One class of ground: its connected parts, and the ids of the terrain pieces that make up each."""

    parts: np.ndarray
    ids: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, area: BaseGeometry, pieces: Iterable[Terrain]) -> Patches:
        """Return the connected parts of ``area`` with the ids of those ``pieces`` that each part meets."""
        parts = np.array([p for p in shapely.get_parts(area) if not p.is_empty], object)
        named = sorted((p.id, p.shape) for p in pieces) if len(parts) else []
        return cls(parts, tuple(tuple(id for id, shape in named if shape.intersects(part)) for part in parts))  # noqa: A001

    def __bool__(self) -> bool:
        return len(self.parts) > 0

    @cached_property
    def tree(self) -> shapely.STRtree:
        return shapely.STRtree(self.parts)

    @cached_property
    def area(self) -> BaseGeometry:
        """All of it as one geometry, prepared."""
        area = shapely.union_all(self.parts) if len(self.parts) else shapely.Polygon()
        shapely.prepare(area)
        return area

    @cached_property
    def wider(self) -> np.ndarray:
        """Its parts grown by a rounding error, so that a line along their borders lies inside.

        The margin is so small that the length of a line inside them, even at a shallow angle, is right to a millionth.
        """
        return np.asarray(shapely.buffer(self.parts, GRAZE / 64))

    def within(self, bounds: Sequence[float], reach: float) -> bool:
        """Return whether the box of any part comes within ``reach`` of a box (west, south, east, north)."""
        return any(self.each_within(bounds, reach))

    def each_within(self, bounds: Sequence[float], reach: float) -> Iterator[bool]:
        """Yield for each part whether its box comes within ``reach`` of a box."""
        x0, y0, x1, y1 = bounds
        for a, b, c, d in self._boxes:
            yield a <= x1 + reach and b <= y1 + reach and c >= x0 - reach and d >= y0 - reach

    @cached_property
    def _boxes(self) -> list[tuple[float, float, float, float]]:
        return [tuple(box) for box in shapely.bounds(self.parts).tolist()] if len(self.parts) else []

    @cached_property
    def edges(self) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """For each part the ends (n, 2), (n, 2) of all its edges."""
        return tuple(Edges.of([part]).each[:2] for part in self.parts)

    @cached_property
    def outline(self) -> Edges:
        """The edges of its parts, for intersecting with straight strips."""
        return Edges.of(list(self.parts))

    def near(self, shapes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (index of shape, index of part) of every pair that meets."""
        if not self:
            return np.zeros(0, int), np.zeros(0, int)
        pairs = self.tree.query(shapes, predicate="intersects")
        return pairs[0], pairs[1]


#: A class without any ground.
NOTHING = Patches(np.zeros(0, object), ())


@dataclass(frozen=True, eq=False)
class Opened:
    """An impassable feature with choke-points or fords: its ground without them, and these gaps (TSE-MOV-15)."""

    closed: BaseGeometry
    gaps: BaseGeometry

    def inner(self, t: float) -> BaseGeometry:
        """Return what lies deeper than ``t`` in the feature and off the gaps; prepared."""
        return self._less("closed", t)

    def surely(self, t: float) -> BaseGeometry:
        """Return the gaps shrunk by ``t``: a body that overlaps the result surely overlaps a gap deeper than ``t``;
        prepared."""
        return self._less("gaps", t)

    def _less(self, what: str, t: float) -> BaseGeometry:
        kept: dict[tuple[str, float], BaseGeometry] = vars(self).setdefault("_smaller", {})
        if (what, t) not in kept:
            kept[what, t] = shapely.buffer(getattr(self, what), -t, join_style="mitre")
            shapely.prepare(kept[what, t])
        return kept[what, t]


@dataclass(frozen=True)
class Ground:
    """What a table's terrain does to a mover.

    ``rough`` is what slows it: for marchers without what lies under roads and in towns, for others including the towns
    (TSE-MOV-12, TSE-MOV-13). ``lines`` are the roads' centre lines. ``gaps`` are the ways through ``barred`` ground:
    bridges, gates, fords (TSE-MOV-15).

    >>> from tabletop.geometry import Table, Terrain, ground_of
    >>> wood = Terrain.of_kind("wood", "woods", outline=[(8, 6), (12, 6), (12, 8), (8, 8)])
    >>> ground = ground_of(Table.of("in", 20, 20, [wood]))
    >>> ground.rough.area.area, bool(ground.barred)
    (8.0, False)
    """

    rough: Patches
    road: Patches
    linear: Patches
    choke: Patches
    barred: Patches
    gaps: BaseGeometry
    edge: shapely.Polygon
    lines: np.ndarray

    @cached_property
    def opened(self) -> tuple[Opened | None, ...]:
        """For each impassable feature its ``Opened`` form with the choke-points and fords that cross it; None if
        there are none."""
        return tuple(self._opened(part) for part in self.barred.parts)

    def _opened(self, part: BaseGeometry) -> Opened | None:
        across = [g for g in shapely.get_parts(self.gaps) if shapely.area(shapely.intersection(g, part)) > GRAZE]
        if not across:
            return None
        gaps = shapely.union_all(across)
        shapely.prepare(gaps)
        return Opened(shapely.difference(part, gaps), gaps)


#: Recent classes of ground: a search for margins moves one piece after another.
_LATELY: Cache[Any] = Cache(64)


def ground_of(table: Table, marching: bool = False) -> Ground:
    """Return the ground of ``table`` for a ``marching`` or another mover; computed once and cached on the table.

    Source: TSE-MOV-12, TSE-MOV-13: to marchers a road through a wood is a road.

    >>> from tabletop.geometry import Table, Terrain, ground_of
    >>> wood = Terrain.of_kind("wood", "woods", outline=[(8, 6), (12, 6), (12, 8), (8, 8)])
    >>> road = Terrain.of_kind("road", "road", line=[(10, 0), (10, 20)])
    >>> table = Table.of("in", 20, 20, [wood, road])
    >>> round(ground_of(table).rough.area.area, 6), round(ground_of(table, marching=True).rough.area.area, 6)
    (8.0, 6.0)
    """
    kept: dict[bool, Ground] = vars(table).setdefault("_ground", {})
    if marching not in kept:
        kept[marching] = _survey(table, marching)
    return kept[marching]


def ground_beyond(table: Table) -> Ground:
    """Return the ground for marchers who come on to the table: off it, all ground is as good as the road they come by.

    Nothing off the table slows them; the road bonus depends only on who is on the road (TSE-ACT-83).

    >>> from tabletop.geometry import Table, Terrain
    >>> wood = Terrain.of_kind("wood", "woods", outline=[(-2, 6), (2, 6), (2, 8), (-2, 8)])
    >>> round(ground_beyond(Table.of("in", 20, 20, [wood])).rough.area.area, 6)
    4.0
    """
    kept: dict[str, Ground] = vars(table).setdefault("_ground_beyond", {})
    if "beyond" not in kept:
        ground, far = ground_of(table, marching=True), table.width + table.height
        around = shapely.box(-far, -far, table.width + far, table.height + far).difference(
            shapely.box(0.0, 0.0, table.width, table.height)
        )
        road = Patches.of(shapely.union(ground.road.area, around), ()) if ground.road else ground.road
        kept["beyond"] = replace(ground, road=road)
    return kept["beyond"]


def _survey(table: Table, marching: bool) -> Ground:
    """Sort the pieces by what they do to a mover: only metalled roads count (TSE-TER-04), hills do nothing
    (TSE-TER-06).

    A ford is rough and gives passage through impassable ground (TSE-MOV-22). A marching column on a road ignores the
    rough ground beneath it (TSE-MOV-13). Tables that differ by one piece share the other classes of ground.
    """
    roads, scale = table.of_movement("road", "town"), table.scale
    road_area = _LATELY.of(roads, ("road area", scale), lambda: _united([_road_shape(p, scale) for p in roads]))
    slow = table.of_movement("rough") if marching else table.of_movement("rough", "town")
    linear, choke = table.of_movement("linear"), table.of_movement("choke")
    barred = table.of_movement("impassable")
    opening = tuple(p for p in table.terrain if p.movement == "choke" or p.kind in FORDS)
    return Ground(
        rough=_LATELY.of(
            (*slow, *(roads if marching else ())), ("rough", marching, scale), lambda: _rough(slow, road_area, marching)
        ),
        road=_LATELY.of(roads, ("road", scale), lambda: Patches.of(_areas(road_area), roads)),
        linear=_LATELY.of(linear, "linear", lambda: Patches.of(_joined(linear), linear)),
        choke=_LATELY.of(choke, "choke", lambda: Patches.of(_united([p.shape for p in choke]), choke)),
        barred=_LATELY.of(barred, "barred", lambda: Patches.of(_united([p.shape for p in barred]), barred)),
        gaps=_LATELY.of(opening, "gaps", lambda: _gaps(opening)),
        edge=table.edge,
        lines=np.array([p.line for p in roads if p.line is not None], object),
    )


def _rough(slow: Sequence[Terrain], road_area: BaseGeometry, marching: bool) -> Patches:
    """Return the rough ground; for marchers without what lies under roads and in towns."""
    area = _areas(_united([p.shape for p in slow]))
    return Patches.of(_areas(shapely.difference(area, road_area)) if marching else area, slow)


def _gaps(opening: Sequence[Terrain]) -> BaseGeometry:
    gaps = _united([p.shape for p in opening])
    return gaps if gaps.is_empty else shapely.buffer(gaps, GRAZE)


def _road_shape(piece: Terrain, scale: float) -> BaseGeometry:
    """Return a road's ground, at least ``ROAD_WIDTH`` wide about its centre line (TSE-MOV-14)."""
    least = ROAD_WIDTH * scale
    if piece.movement == "road" and piece.line is not None and piece.width < least:
        return piece.line.buffer(least / 2, cap_style="flat", join_style="mitre")
    return piece.shape


def _united(shapes: list[BaseGeometry]) -> BaseGeometry:
    return shapely.union_all(shapes) if shapes else shapely.Polygon()


def _areas(shape: BaseGeometry) -> BaseGeometry:
    parts = [p for p in shapely.get_parts(shape) if shapely.get_dimensions(p) == 2]
    return shapely.MultiPolygon(parts) if parts else shapely.Polygon()


def _joined(pieces: Iterable[Terrain]) -> BaseGeometry:
    """Return linear obstacles united, with touching ends joined: each connected obstacle is one part."""
    shapes = [p.shape for p in pieces]
    if not shapes:
        return shapely.Polygon()
    united = shapely.union_all(shapes)
    parts = list(shapely.get_parts(united))
    groups: list[list[BaseGeometry]] = []
    for part in parts:
        touching = [g for g in groups if any(part.intersects(member) for member in g)]
        for g in touching:
            groups.remove(g)
        groups.append([part, *(p for g in touching for p in g)])
    return shapely.GeometryCollection([shapely.union_all(g) for g in groups])


def edges_within(parts: Iterable[BaseGeometry], area: BaseGeometry) -> int:
    """Return how many edges of the outlines of ``parts`` meet an area: a straight leg in it crosses no more than that.

    A count, for what obstacles cost (TSE-MOV-08).

    >>> edges_within([shapely.box(0.0, 0.0, 4.0, 4.0)], shapely.box(3.0, -1.0, 6.0, 2.0))
    2
    """
    return int(shapely.intersects(edges_of(parts), area).sum())


def edges_of(parts: Iterable[BaseGeometry]) -> np.ndarray:
    """Return the edges of the outlines of ``parts``, (n,) lines of two points each (TSE-MOV-08).

    >>> len(edges_of([shapely.box(0.0, 0.0, 4.0, 4.0)]))
    4
    """
    return np.concatenate([np.zeros(0, object), *map(_edges_of, parts)])


@lru_cache(maxsize=256)
def _edges_of(part: BaseGeometry) -> np.ndarray:
    """Return the same for one part, cached, because most parts are the same on the next table."""
    starts, ends, *_ = Edges.of([part]).each
    return np.asarray(shapely.linestrings(np.stack([starts, ends], axis=1)), object)
