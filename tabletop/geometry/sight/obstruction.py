"""All that can block sight on a table: joined obstructions and hill contours, slightly shrunk (``SightObstruction``).

``packed`` returns them in the form the law's loop uses: flat columns of numbers, arrays if the law is compiled and
lists if it runs as Python. Each obstruction is packed once and cached; a ground only concatenates the columns of its
obstructions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np
import shapely

from tabletop.geometry.cache import Cache
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.terrain import Table, Terrain

Floats = np.ndarray[Any, np.dtype[np.float64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

#: How close to a line's end (table units) a stretch must begin to contain the end, under the exact law (t = 0): more
#: than shrinking an obstruction can move an edge along an oblique line.
AT_EDGE = 1e-4
#: By how much (table units) the search shrinks obstructions: enough for a line past one of their corners, or between
#: two that touch, to count as open; far less than the law does, so that the law lets it pass and its length is right.
SHRUNK = GRAZE / 64


class Rings(NamedTuple):
    """Consecutive closed rings, the first vertex repeated at the end of each: vertices, and where each ring begins."""

    x: list[float]
    y: list[float]
    begins: list[bool]

    @classmethod
    def of(cls, rings: Iterable[Floats]) -> Rings:
        """Return closed rings (k, 2) as one record."""
        record = cls([], [], [])
        for ring in rings:
            x, y = ring.T.tolist()
            record.x.extend(x)
            record.y.extend(y)
            record.begins.extend(k == 0 for k in range(len(x)))
        return record


def _rings(area: shapely.Geometry) -> Iterator[Floats]:
    """Yield the rings (k, 2) of a (multi)polygon, closed."""
    yield from map(shapely.get_coordinates, shapely.get_rings(shapely.get_parts(area)))


@dataclass(frozen=True, eq=False)
class SightObstruction:
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
    def outline(self) -> Rings:
        """Its outlines, the inside on the left."""
        return Rings.of(_rings(shapely.orient_polygons(self.core)))

    @cached_property
    def rim(self) -> Rings:
        """The outlines of a hill's closed area: of what counts as standing on it; empty for other obstructions."""
        return Rings.of(_rings(self.grown) if self.hill else ())

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
        inside = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
        if inside.any():
            inside[inside] = shapely.intersects_xy(self.grown, x[inside], y[inside])
        return inside


@dataclass(frozen=True, eq=False)
class Ground:
    """Everything on a table that can block sight, shrunk."""

    obstructions: tuple[SightObstruction, ...]

    @cached_property
    def hills(self) -> tuple[SightObstruction, ...]:
        return tuple(obstruction for obstruction in self.obstructions if obstruction.hill)

    @cached_property
    def boxes(self) -> Floats:
        """Bounds of every obstruction, (n, 4)."""
        return np.array([obstruction.bounds for obstruction in self.obstructions]).reshape(-1, 4)

    @cached_property
    def cores(self) -> Any:
        return np.array([obstruction.core for obstruction in self.obstructions], dtype=object)

    def levels(self, points: Floats) -> Ints:
        """Return the level of each of (n, 2) points: the highest contour it stands in, its edge included."""
        highest = np.zeros(len(points), int)
        if not self.hills or not len(points):
            return highest
        low, high, box = points.min(0), points.max(0), self.hill_boxes
        hit = (box[:, 0] <= high[0]) & (box[:, 2] >= low[0]) & (box[:, 1] <= high[1]) & (box[:, 3] >= low[1])
        for k in np.nonzero(hit)[0].tolist():
            inside = self.hills[k].holds(points)
            highest[inside] = np.maximum(highest[inside], self.hills[k].level)
        return highest

    @cached_property
    def hill_boxes(self) -> Floats:
        return np.array([obstruction.bounds for obstruction in self.hills]).reshape(-1, 4)


#: Recent grounds, and tables: tables that differ only in pieces that hide nothing share theirs.
_LATELY: Cache[Ground] = Cache(16)
_TABLES: Cache[Table] = Cache(64)


def hiding(table: Table) -> tuple[Terrain, ...]:
    """Return the pieces of a table that may hide something: sight ignores all others."""
    return tuple(piece for piece in table.terrain if piece.is_hill or piece.sight == "tall")


def as_seen(table: Table) -> Table:
    """Return the recent table with the same hiding pieces, if any: what is seen on it is seen on this one too.

    Source: TSE-LOS-01.

    >>> from tabletop.geometry import Table, Terrain
    >>> road = Terrain.of_kind("road", "road", line=[(10, 0), (10, 20)])
    >>> as_seen(Table.of("in", 21, 20, [])) is as_seen(Table.of("in", 21, 20, [road]))
    True
    """
    if "_as_seen" not in table.__dict__:
        key = table.unit, table.width, table.height, table.scale
        table.__dict__["_as_seen"] = _TABLES.of(hiding(table), key, lambda: table)
    recent: Table = table.__dict__["_as_seen"]
    return recent


def ground_of(table: Table, shrink: float = GRAZE) -> Ground:
    """Return the obstructions of a table, cached on it."""
    kept: dict[float, Ground] = table.__dict__.setdefault("_sight_grounds", {})
    if shrink not in kept:
        kept[shrink] = _LATELY.of(hiding(table), shrink, lambda: _ground(table, shrink))
    return kept[shrink]


def _ground(table: Table, shrink: float) -> Ground:
    obstructions: list[SightObstruction] = []
    areas = [(o.level, o.see_through, False, o.ids, p) for o in table.obstructions for p in _clumps(o.area)]
    areas += [(h.level, 0.0, True, h.ids, h.area) for h in table.hills]
    for of_one in areas:
        obstruction = _prepared(*of_one, shrink, len(obstructions))
        obstructions += [] if obstruction is None else [obstruction]
    return Ground(tuple(obstructions))


@lru_cache(maxsize=2048)
def _prepared(
    level: int, see_through: float, hill: bool, ids: tuple[str, ...], area: shapely.Geometry, shrink: float, index: int
) -> SightObstruction | None:
    """Return an obstruction, None if hardly any of it is left; cached, as tables that differ in other pieces share it.

    The obstructions and their indices are the same however much they are shrunk.
    """
    if shapely.is_empty(shapely.buffer(area, -GRAZE)):
        return None
    core = shapely.buffer(area, -shrink, join_style="mitre", mitre_limit=50.0)
    return SightObstruction(level, see_through, hill, ids, area, core, index)


@lru_cache(maxsize=256)
def _clumps(area: shapely.Geometry) -> list[shapely.Geometry]:
    """Return the parts of an area, grouping those that touch at a point: a line through that point stays inside."""
    clumps: list[list[shapely.Geometry]] = []
    for part in shapely.get_parts(area):
        mine = [c for c in clumps if any(part.intersects(member) for member in c)]
        clumps = [c for c in clumps if c not in mine] + [[part, *(member for c in mine for member in c)]]
    return [shapely.union_all(c) for c in clumps]


# --- packed for the law -----------------------------------------------------------------------------------------------

#: Columns of the packed records: lists if the law runs as Python, arrays if it is compiled.
FloatColumn = Any
IntColumn = Any
BoolColumn = Any
ByteColumn = Any
#: The same for records that only kernels use: arrays of rows, and of tables.
FloatTable = Any
ByteTable = Any
FloatBlock = Any


class Obstructions(NamedTuple):
    """Obstructions in columns. By obstruction: the middle of its box and half its size, its level, whether it is a
    hill, how far sight goes into it, its range of vertices in the outlines (``x``, ``y``) and, for hills, in the
    closed areas (``rim_x``, ``rim_y``). By vertex: its position and whether it begins a ring; rings are closed, the
    inside on the left. ``hills``: the indices of the hills. ``most``: vertices of the largest obstruction."""

    mid_x: FloatColumn
    mid_y: FloatColumn
    half_x: FloatColumn
    half_y: FloatColumn
    level: IntColumn
    hill: BoolColumn
    see_through: FloatColumn
    first: IntColumn
    last: IntColumn
    first_rim: IntColumn
    last_rim: IntColumn
    x: FloatColumn
    y: FloatColumn
    begins: BoolColumn
    rim_x: FloatColumn
    rim_y: FloatColumn
    rim_begins: BoolColumn
    hills: IntColumn
    most: int


#: The columns with one entry per obstruction.
BY_OBSTRUCTION = Obstructions._fields[: Obstructions._fields.index("x")]


class InterveningUnits(NamedTuple):
    """Units in the line of fire in columns. By unit: its ground level, the clearance a line must keep, its range of
    vertices. By vertex: its position and whether it begins a ring; rings are closed."""

    level: IntColumn
    clearance: FloatColumn
    first: IntColumn
    last: IntColumn
    x: FloatColumn
    y: FloatColumn
    begins: BoolColumn


@dataclass(frozen=True)
class InterveningUnit:
    """A unit in the line of fire: the part of it that counts, its ground level, and the clearance a line must keep.

    >>> import shapely
    >>> from tabletop.geometry import InterveningUnit, SightLaw, Table, sight_line
    >>> friend = InterveningUnit(shapely.box(9.0, 6.0, 11.0, 7.0), level=0, clearance=0.5, id="friend")
    >>> sight_line(Table.of("in", 20, 20), (11.2, 4.0), (11.2, 12.0), SightLaw(), [friend]).clear
    False
    """

    area: shapely.Geometry
    level: int
    clearance: float
    id: str

    @cached_property
    def rings(self) -> tuple[Floats, ...]:
        """Its outlines (k, 2), closed, the inside on the left, without the joints of bases on a straight side."""
        plain = shapely.orient_polygons(shapely.simplify(self.area, GRAZE * 1e-3))
        rings = (ring for part in shapely.get_parts(plain) for ring in (part.exterior, *part.interiors))
        return tuple(shapely.get_coordinates(ring) for ring in rings)


def packed(ground: Ground, compiled: bool) -> Obstructions:
    """Return prepared ground in the form the law uses, in arrays for the ``compiled`` loop; cached on the ground."""
    kept: dict[bool, Obstructions] = ground.__dict__.setdefault("_columns", {})
    if compiled not in kept:
        kept[compiled] = _in_columns(ground.obstructions, compiled)
    return kept[compiled]


def near_box(o: Obstructions, box: tuple[float, float, float, float]) -> Obstructions:
    """Return the obstructions, in lists, that a line within a box (x0, y0, x1, y1) may meet."""
    x0, y0, x1, y1 = box
    boxes = enumerate(zip(o.mid_x, o.mid_y, o.half_x, o.half_y, strict=True))
    across = [b for b, (x, _, wide, _) in boxes if x0 <= x + wide and x - wide <= x1]
    kept = [b for b in across if y0 <= o.mid_y[b] + o.half_y[b] and o.mid_y[b] - o.half_y[b] <= y1]
    if len(kept) == len(o.level):
        return o
    columns = {name: [getattr(o, name)[b] for b in kept] for name in BY_OBSTRUCTION}
    return o._replace(**columns, hills=[k for k, b in enumerate(kept) if o.hill[b]])  # type: ignore[arg-type]


def _in_columns(obstructions: Sequence[SightObstruction], compiled: bool) -> Obstructions:
    boxes, outlines, rims = ([getattr(o, name) for o in obstructions] for name in ("bounds", "outline", "rim"))
    reals, whole, flags = (_column(compiled, kind) for kind in (np.float64, np.int64, np.bool_))
    return Obstructions(
        reals((x0 + x1) / 2 for x0, _, x1, _ in boxes),
        reals((y0 + y1) / 2 for _, y0, _, y1 in boxes),
        reals((x1 - x0) / 2 for x0, _, x1, _ in boxes),
        reals((y1 - y0) / 2 for _, y0, _, y1 in boxes),
        whole(obstruction.level for obstruction in obstructions),
        flags(obstruction.hill for obstruction in obstructions),
        reals(obstruction.see_through for obstruction in obstructions),
        *(whole(ends) for rings in (outlines, rims) for ends in _spans(rings)),  # type: ignore[call-arg]
        *_joined(outlines, compiled),
        *_joined(rims, compiled),
        whole(k for k, obstruction in enumerate(obstructions) if obstruction.hill),
        max((len(each.x) for each in outlines), default=0),
    )


@lru_cache(maxsize=64)
def packed_units(intervening: tuple[InterveningUnit, ...], compiled: bool) -> InterveningUnits:
    """Return units in the line of fire in the form the law uses."""
    outlines = [Rings.of(unit.rings) for unit in intervening]
    reals, whole = (_column(compiled, kind) for kind in (np.float64, np.int64))
    return InterveningUnits(
        whole(unit.level for unit in intervening),
        reals(unit.clearance for unit in intervening),
        *map(whole, _spans(outlines)),
        *_joined(outlines, compiled),
    )


def _spans(each: Sequence[Rings]) -> tuple[list[int], list[int]]:
    """Return the first and last vertex of each when all are concatenated."""
    ends = list(accumulate((len(rings.x) for rings in each), initial=0))
    return ends[:-1], ends[1:]


def _joined(each: Sequence[Rings], compiled: bool) -> Iterator[Any]:
    """Yield the concatenated columns."""
    for k, kind in enumerate((np.float64, np.float64, np.bool_)):
        yield _column(compiled, kind)(chain.from_iterable(rings[k] for rings in each))


def _column(compiled: bool, kind: Any) -> Any:
    """Return a function that makes a column of numbers of one kind."""
    return (lambda numbers: np.array([*numbers], kind)) if compiled else list
