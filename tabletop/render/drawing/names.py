"""The names on a table: which, how large, and in what order of weight."""

from __future__ import annotations

from collections.abc import Collection

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.cache import Cache
from tabletop.geometry.terrain import Hill, Table, Terrain
from tabletop.render.drawing.gradual import Work, finished
from tabletop.render.drawing.labels import Name, Placer, Spot, around, forms, inside
from tabletop.render.drawing.primitives import Box, Layer
from tabletop.render.drawing.shapes import along
from tabletop.render.drawing.theme import colour, side_styles
from tabletop.render.drawing.troops import solid_of

#: Weight of the name of each kind of place, and its letter size relative to that of units.
PLACES = {"town": (60, 1.2), "building": (35, 1.0), "woods": (45, 1.1), "hill": (42, 1.05), "lake": (40, 1.1)}
PLACE_INK = {
    "woods": ("woods", "text"),
    "town": ("town", "text"),
    "lake": ("water", "text"),
    "hill": ("hill", "numeral"),
}
#: Weight of the name of an objective: more than that of any place.
OBJECTIVE = 65
#: Kinds whose names are left out on a map with more names than ``CROWDED``.
SLIGHT = ("hedge", "wall", "gate", "track", "bridge", "ford", "trench")
CROWDED = 60
#: Kinds wide enough for their names to stand in them.
CARRYING = ("road", "river", "track", "stream")
WATER = ("river", "stream", "lake", "ford")

#: Names of levels and places computed recently: their spots change with the zoom, not with the units.
_PLACED: Cache[tuple[Name, ...]] = Cache(4)


def name_layer(
    battle: Battle,
    scale: float,
    bounds: Box | None = None,
    size: float = 14.0,
    first: Collection[str] = (),
    off: Collection[Box] = (),
) -> Layer:
    """Return the names of units, places and levels, placed for ``scale`` pixels a unit within ``bounds``.

    ``size`` is the letter size of units in pixels. Units in ``first`` are named before all others. Names avoid units
    and the boxes ``off``.
    """
    return finished(placing(battle, scale, bounds, size, first, off))


def placing(
    battle: Battle,
    scale: float,
    bounds: Box | None = None,
    size: float = 14.0,
    first: Collection[str] = (),
    off: Collection[Box] = (),
) -> Work[Layer]:
    """Place names as ``name_layer`` does, one at a time."""
    box = bounds or (0.0, 0.0, battle.table.width, battle.table.height)
    frame = shapely.box(*box)
    solid = [part for u in battle.units for part in solid_of(u) if part.intersects(frame)]
    solid += [shapely.box(*taken) for taken in off]
    placer = Placer(scale, box, solid, {u.id: u.at for u in battle.units})
    yield
    names = [
        *unit_names(battle, scale, box, size, first), *place_names(battle, scale, box, size),
        *objective_names(battle, scale, box, size),
    ]  # fmt: skip
    yield
    placed = yield from placer.placing(names)
    return Layer("names", tuple(placed), box)


def unit_names(battle: Battle, scale: float, box: Box, size: float = 14.0, first: Collection[str] = ()) -> list[Name]:
    """Return the names of units to place within a box of the table; those in ``first`` come before the others."""
    return _units(battle, shapely.box(*box), scale, size, first)


def place_names(battle: Battle, scale: float, box: Box, size: float = 14.0, skip: Collection[str] = ()) -> list[Name]:
    """Return the names of levels and places to place within a box of the table, except those in ``skip``."""
    crowd, frame = len(battle.units), shapely.box(*box)
    key = box, scale, size, frozenset(skip), crowd
    return list(_PLACED.of(battle.table, key, lambda: _of_ground(battle.table, crowd, frame, scale, size, skip)))


def objective_names(battle: Battle, scale: float, box: Box, size: float = 14.0) -> list[Name]:
    """Return the names of objectives to place by their rings within a box, unless a piece of terrain has the name."""
    written, frame = {piece.name for piece in battle.table.terrain}, shapely.box(*box)
    rings = [
        (goal, shapely.Point(goal.at).buffer(goal.radius))
        for goal in battle.setup.objectives
        if goal.name and goal.name not in written
    ]
    return [
        Name(
            f"objective {goal.id}", (goal.name,), around(ring.bounds, scale, size), size, colour("page", "ink"),
            "place", weight=OBJECTIVE, ground=ring,
        )
        for goal, ring in rings
        if ring.intersects(frame)
    ]  # fmt: skip


def _of_ground(
    table: Table, crowd: int, frame: shapely.Polygon, scale: float, size: float, skip: Collection[str]
) -> tuple[Name, ...]:
    """Return the names of levels and places on a table on which ``crowd`` units stand."""
    levels = _levels(table, frame, size)
    return (*levels, *(n for p in _named(table, crowd, frame, skip) if (n := _place(p, frame, scale, size))))


def _named(table: Table, crowd: int, frame: shapely.Polygon, skip: Collection[str]) -> list[Terrain]:
    """Return one piece for each name: the largest on show. Small works are unnamed on a crowded map."""
    largest: dict[str, tuple[float, Terrain]] = {}
    for piece in table.terrain:
        shown = piece.shape.intersection(frame)
        if piece.name and piece.name not in skip and not shown.is_empty:
            size = shown.area + 0.01 * shown.length
            if piece.name not in largest or size > largest[piece.name][0]:
                largest[piece.name] = size, piece
    pieces = [piece for _, piece in largest.values()]
    crowded = len(pieces) + crowd > CROWDED
    return [piece for piece in pieces if not (crowded and piece.kind in SLIGHT)]


def _units(battle: Battle, frame: shapely.Polygon, scale: float, size: float, first: Collection[str]) -> list[Name]:
    styles = side_styles(u.side for u in battle.units)
    shown = [u for u in battle.units if u.footprint.intersects(frame)]
    called = [u.called for u in battle.units]
    return [_unit(u, _distinct(u, called), styles[u.side].deep, scale, size, u.id in first) for u in shown]


def _distinct(unit: Unit, called: list[str]) -> tuple[str, ...]:
    """Return a unit's name and its shorter forms with which no other unit's name begins."""
    full, *short = forms(unit.called)
    return full, *(form for form in short if sum(name.startswith(form) for name in called) == 1)


def _unit(unit: Unit, called: tuple[str, ...], ink: str, scale: float, size: float, first: bool) -> Name:
    weight = 200.0 if first else (70.0 if unit.is_general else 80.0 + unit.strength)
    spots = around(unit.footprint.bounds, scale, size)
    return Name(unit.id, called, spots, size, ink, weight=weight, about=unit.at)


def _place(piece: Terrain, frame: shapely.Polygon, scale: float, size: float) -> Name | None:
    shape = piece.shape.intersection(frame)
    if not piece.name or shape.is_empty:
        return None
    weight, factor = PLACES.get(piece.kind, (25, 0.95))
    letters = max(size, size * factor)
    part, key = PLACE_INK.get(piece.kind, ("water", "text") if piece.kind in WATER else ("page", "quiet"))
    long = piece.line.intersection(frame) if piece.line is not None else None
    spots = inside(shape, scale, letters) if long is None else _beside(long, scale, letters, _thick(piece))
    return Name(piece.id, (piece.name,), spots, letters, colour(part, key), "place", weight=weight, ground=shape)


def _thick(piece: Terrain) -> float:
    """Return the distance of a line's name from its middle: names stand in roads and rivers, but beside works."""
    return 0.0 if piece.kind in CARRYING else max(piece.width / 2, 0.25)


def _beside(line: BaseGeometry, scale: float, size: float, off: float) -> tuple[Spot, ...]:
    """Return spots along a road or stream: on either side of points spread over it, the middle ones first."""
    spots: list[Spot] = []
    parts = [p for p in shapely.get_parts(line) if p.length > 0]
    for part in sorted(parts, key=lambda p: -p.length)[:2]:
        for (x, y), _ in along(part, part.length / 7):
            room = (size * 0.75 + 4) / scale + off
            spots += [
                ((x, y - room), "middle"),
                ((x, y + room), "middle"),
                ((x + room, y), "start"),
                ((x - room, y), "end"),
            ]
    middle = len(spots) / 2
    return tuple(s for _, s in sorted(enumerate(spots), key=lambda e: abs(e[0] - middle)))


def _levels(table: Table, frame: shapely.Polygon, size: float) -> list[Name]:
    """Return each level's numeral on its contour, as heights are written on maps."""
    return [n for i, hill in enumerate(table.hills) if (n := _level(hill, i, frame, size))]


def _level(hill: Hill, i: int, frame: shapely.Polygon, size: float) -> Name | None:
    rim = hill.area.exterior.intersection(frame.buffer(-0.02 * frame.length / 4))
    parts = [p for p in shapely.get_parts(rim) if p.length > 0]
    if not parts:
        return None
    spots: tuple[Spot, ...] = tuple((p, "middle") for part in parts for p, _ in along(part, part.length / 12))
    ink = colour("hill", "numeral")
    return Name(f"level {i:04}", (str(hill.level),), spots, size, ink, "bold", halo="#ecdfba", weight=30.0)
