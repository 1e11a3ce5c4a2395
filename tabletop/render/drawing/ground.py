"""The ground as a map: one painter for each kind of terrain, in a fixed order of layers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.lengths import inch
from tabletop.geometry.terrain import Table, Terrain
from tabletop.render.drawing import own_kinds, sea
from tabletop.render.drawing.buildings import blocks, streets_of
from tabletop.render.drawing.gradual import Work, finished
from tabletop.render.drawing.grain import clearings_of, grain_of
from tabletop.render.drawing.primitives import Layer, Lines, Painting, Pen, Sheet, Stamps
from tabletop.render.drawing.shapes import along, areas, hatching, polygons, rays, scattered, strings, ticks
from tabletop.render.drawing.theme import colour, look, theme
from tabletop.rules.terrain_kinds import own_kind

#: Bottom up. A kind may put items on several of them.
SHEETS = ("paper", "hills", "wash", "water", "ways", "works", "trees", "towns")
#: Pixels an inch from which the finer painting is used.
CLOSE = 36.0
TREES = ("tree-1", "tree-2", "tree-3")


@dataclass(frozen=True)
class Ground:
    """A table being mapped, and the sheets its pieces are drawn on."""

    table: Table
    sheets: Mapping[str, Sheet]

    @classmethod
    def of(cls, table: Table) -> Ground:
        """Return empty sheets for a table, all cut at its edge."""
        edge = (0.0, 0.0, table.width, table.height)
        return cls(table, {name: Sheet(name, edge) for name in SHEETS})

    @cached_property
    def grain(self) -> float:
        """An inch in table units, the size of symbols; larger on huge tables, to limit their number."""
        return grain_of(self.table)

    def line(self, piece: Terrain) -> BaseGeometry:
        """Return the centre line of a piece on the table, or the outline of one drawn as an area."""
        if piece.line is not None:
            return piece.line.intersection(self.table.edge)
        return piece.shape.boundary if piece.is_area else piece.shape

    @cached_property
    def clearings(self) -> BaseGeometry:
        """The ground without trees: roads, water, towns and works, with a small margin."""
        return clearings_of(self.table)

    @cached_property
    def streets(self) -> BaseGeometry:
        """The ground that houses avoid."""
        return streets_of(self.table)

    def of_kind(self, *kinds: str) -> BaseGeometry:
        """Return the ground of all pieces of these kinds, united."""
        return shapely.union_all([p.shape for p in self.table.terrain if p.kind in kinds and p.is_area])


def ground_layers(table: Table, scale: float = 0.0, wait: bool = True) -> tuple[Layer, ...]:
    """Return the ground's layers, bottom first, without text.

    In the painted look they are one painting, fine enough for ``scale`` pixels a table unit; without ``wait`` the map
    stands in for a painting that is not ready yet.
    """
    return finished(mapping(table, scale, wait))


def mapping(table: Table, scale: float = 0.0, wait: bool = True) -> Work[tuple[Layer, ...]]:
    """Return the same as ``ground_layers``, with a map drawn piece by piece."""
    painting = _painting(table, scale, wait)
    if painting is not None:
        return (Layer("paper", (painting,), (0.0, 0.0, table.width, table.height)),)
    return (yield from _mapped(table))


def is_painted(table: Table) -> bool:
    """Return whether a table's ground is a painting by now, not a map."""
    return _painting(table, 0.0, wait=False) is not None


def _painting(table: Table, scale: float, wait: bool) -> Painting | None:
    """Return a table's painting; None in another look, and without ``wait`` if none is ready."""
    if look() != "painted" or sea.is_sea(table):
        return None
    from tabletop.render.drawing.landscape import store  # most pictures are maps, and need not load Pillow

    fine = scale * inch(table) > CLOSE
    if wait:
        return store.painted(table, store.FINE if fine else store.COARSE)
    return store.ready(table, store.FINE) or store.ready(table, store.COARSE)


def _mapped(table: Table) -> Work[tuple[Layer, ...]]:
    ground = Ground.of(table)
    _paper(ground)
    yield
    _hills(ground)
    for piece in table.terrain:
        yield
        if not piece.shape.is_empty:
            PAINTERS.get(piece.kind, _other)(ground, piece)
    yield
    _ways(ground)
    return tuple(sheet.layer for sheet in ground.sheets.values())


def _paper(ground: Ground) -> None:
    g, sheet = ground.grain, ground.sheets["paper"]
    sheet.extend(areas(ground.table.edge, colour("ground", "field")))
    spots = scattered(ground.table.edge, 1.3 * g, "field")
    sheet.add(Stamps("speck", tuple(spots), 6.0, pixels=True))
    edge = Pen(colour("rough", "edge"), 1.2, dash=(1, 2.2))
    for field in ground.table.fields:
        shape = shapely.intersection(field.outline, ground.table.edge)
        sheet.extend(areas(shape, colour("ground", "soil"), edge, opacity=0.0 if field.crop == "pasture" else 0.45))


def _hills(ground: Ground) -> None:
    g, sheet = ground.grain, ground.sheets["hills"]
    tints = theme()["hill"]["tints"]
    for hill in sorted(ground.table.hills, key=lambda h: h.level):
        tint = tints[min(max(hill.level, 1), len(tints)) - 1]
        shape = rays(hill.area)
        shade = shapely.affinity.translate(shape, 0.16 * g, -0.16 * g)
        sheet.extend(areas(shade, colour("hill", "shade"), opacity=0.22))
        strokes = [s for r in (shape.exterior, *shape.interiors) for s in ticks(r, 0.26 * g, (0.42 * g, 0.26 * g), -1)]
        sheet.add(Lines(tuple(strokes), Pen(colour("hill", "hachure"), 0.045 * g, pixels=False)))
        sheet.extend(areas(shape, tint, Pen(colour("hill", "contour"), 1.3)))


def _woods(ground: Ground, piece: Terrain) -> None:
    g = ground.grain
    ground.sheets["wash"].extend(areas(piece.shape, colour("woods", "fill"), Pen(colour("woods", "edge"), 1.2)))
    open_wood = piece.shape.difference(ground.clearings)
    canopy = scattered(piece.shape.buffer(-0.18 * g).difference(ground.clearings), 0.5 * g, piece.id + " canopy")
    ground.sheets["wash"].add(Stamps("canopy", tuple(canopy), 0.5 * g))
    inner = scattered(open_wood.buffer(-0.6 * g), 0.86 * g, piece.id)
    rim = [p for part in polygons(open_wood.buffer(-0.2 * g)) for p, _ in along(part.exterior, 0.5 * g)]
    rim = [
        p for p in rim if shapely.distance(shapely.Point(p), ground.clearings) > 0.2 * g or ground.clearings.is_empty
    ]
    _stamp_trees(ground, inner[::2], 0.7 * g)
    _stamp_trees(ground, inner[1::2], 0.5 * g)
    _stamp_trees(ground, rim, 0.56 * g)


def _stamp_trees(ground: Ground, spots: list[tuple[float, float]], size: float) -> None:
    spots = sorted(spots, key=lambda p: (-p[1], p[0]))
    for i, glyph in enumerate(TREES):
        chosen = tuple(p for p in spots if int(abs(p[0] * 7.3 + p[1] * 3.1) * 5) % 3 == i)
        if chosen:
            ground.sheets["trees"].add(Stamps(glyph, chosen, size))


def _marsh(ground: Ground, piece: Terrain) -> None:
    g = ground.grain
    pen = Pen(colour("marsh", "edge"), 1.2, dash=(3, 2.5))
    ground.sheets["wash"].extend(areas(piece.shape, colour("marsh", "fill"), pen))
    spots = scattered(piece.shape.buffer(-0.3 * g).difference(ground.clearings), 0.85 * g, piece.id)
    ground.sheets["trees"].add(Stamps("tuft", tuple(spots), 0.55 * g))


def _rough(ground: Ground, piece: Terrain) -> None:
    g = ground.grain
    pen = Pen(colour("rough", "edge"), 1.2, dash=(1, 2.2))
    ground.sheets["wash"].extend(areas(piece.shape, colour("rough", "fill"), pen))
    spots = scattered(piece.shape.buffer(-0.25 * g).difference(ground.clearings), 0.75 * g, piece.id)
    ground.sheets["trees"].add(
        Stamps("scrub", tuple(spots[::2]), 0.5 * g), Stamps("stone", tuple(spots[1::2]), 0.42 * g)
    )


def _open_water(ground: Ground, piece: Terrain) -> None:
    g, sheet = ground.grain, ground.sheets["water"]
    shape = piece.shape
    sheet.extend(areas(shape, colour("water", "fill"), Pen(colour("water", "shore"), 1.8)))
    room = 0.16 * g if piece.kind == "lake" else min(0.16 * g, 0.22 * (piece.width or g))
    for step in (1, 2) if piece.kind == "lake" else (1,):
        pen = Pen(colour("water", "shore"), 0.8, opacity=0.45 / step)
        sheet.add(Lines(tuple(strings(shape.buffer(-step * room))), pen))


def _stream(ground: Ground, piece: Terrain) -> None:
    g, sheet = ground.grain, ground.sheets["water"]
    lines = tuple(strings(ground.line(piece)))
    sheet.items.insert(0, Lines(lines, Pen(colour("water", "shore"), 0.26 * g, pixels=False)))
    sheet.add(Lines(lines, Pen(colour("water", "fill"), 0.15 * g, pixels=False)))


def _ways(ground: Ground) -> None:
    g, sheet = ground.grain, ground.sheets["ways"]
    tracks, roads = ground.of_kind("track"), ground.of_kind("road")
    sheet.extend(areas(tracks, colour("road", "track_bed"), opacity=0.75))
    middle = [s for p in ground.table.terrain if p.kind == "track" and p.line for s in strings(ground.line(p))]
    edges = strings(shapely.union_all([p.shape for p in ground.table.terrain if p.kind == "track" and not p.line]))
    pen = Pen(colour("road", "track"), 0.09 * g, pixels=False, dash=(3.2, 2.4), round=False)
    sheet.add(Lines(tuple(middle + edges), pen))
    sheet.extend(areas(roads, colour("road", "fill"), Pen(colour("road", "case"), 1.4)))


def _long_sides(shape: BaseGeometry) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the two long sides of the bounding rectangle of a shape."""
    corners = strings(shapely.minimum_rotated_rectangle(shape))[0]
    sides = sorted(pairwise(corners), key=lambda s: -math.dist(*s))
    return sides[:2]


def _passage_sides(ground: Ground, piece: Terrain) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the two sides of a crossing: beside its line, or the long sides of its outline."""
    if piece.line is None:
        return _long_sides(piece.shape)
    half = max(piece.width, 0.3 * ground.grain) / 2
    sides = []
    for offset in (half, -half):
        side = strings(piece.line.offset_curve(offset))
        sides += [(s[0], s[-1]) for s in side]
    return sides


def _bridge(ground: Ground, piece: Terrain) -> None:
    g, sheet = ground.grain, ground.sheets["works"]
    sheet.extend(areas(piece.shape, colour("work", "bridge")))
    sides = _passage_sides(ground, piece)
    pen = Pen(colour("work", "bridge_edge"), 0.11 * g, pixels=False)
    wings = []
    centre = piece.shape.centroid
    for a, b in sides:
        ends = []
        for p, q in ((a, b), (b, a)):
            along_x, along_y = (p[0] - q[0]) / math.dist(p, q), (p[1] - q[1]) / math.dist(p, q)
            out_x, out_y = p[0] - centre.x, p[1] - centre.y
            across = out_x * -along_y + out_y * along_x
            sign = 1 if across > 0 else -1
            ends.append((p[0] + 0.18 * g * (along_x - sign * along_y), p[1] + 0.18 * g * (along_y + sign * along_x)))
        wings.append((ends[0], a, b, ends[1]))
    sheet.add(Lines(tuple(wings), pen))


def _ford(ground: Ground, piece: Terrain) -> None:
    g, sheet = ground.grain, ground.sheets["works"]
    sheet.extend(areas(piece.shape, colour("water", "inset"), opacity=0.8))
    pen = Pen(colour("water", "shore"), 0.08 * g, pixels=False, dash=(1.5, 1.8))
    sheet.add(Lines(tuple(hatching(piece.shape, 0.24 * g, 0.0)), pen))
    sheet.add(Lines(tuple(strings(piece.shape.boundary)), Pen(colour("water", "shore"), 1.0, dash=(2, 2))))


def _gate(ground: Ground, piece: Terrain) -> None:
    g, sheet = ground.grain, ground.sheets["works"]
    sheet.extend(areas(piece.shape, colour("road", "fill")))
    for a, b in _passage_sides(ground, piece):
        mid = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        post = shapely.Point(mid).buffer(0.15 * g, cap_style="square")
        sheet.extend(areas(post, colour("work", "stone"), Pen(colour("page", "ink"), 0.8)))


def _wall(ground: Ground, piece: Terrain) -> None:
    g, sheet = ground.grain, ground.sheets["works"]
    lines = tuple(strings(ground.line(piece)))
    sheet.add(Lines(lines, Pen(colour("work", "stone"), 0.15 * g, pixels=False)))
    pen = Pen("#d9d2c4", 0.06 * g, pixels=False, dash=(3.5, 1.5), round=False)
    sheet.add(Lines(lines, pen))


def _hedge(ground: Ground, piece: Terrain) -> None:
    g, line = ground.grain, ground.line(piece)
    sheet = ground.sheets["trees"]
    sheet.add(Lines(tuple(strings(line)), Pen(colour("work", "hedge"), 0.12 * g, pixels=False)))
    spots = [p for part in shapely.get_parts(line) for p, _ in along(part, 0.3 * g)]
    sheet.add(Stamps("bush", tuple(spots), 0.32 * g))


def _cliff(ground: Ground, piece: Terrain) -> None:
    g, sheet, line = ground.grain, ground.sheets["works"], ground.line(piece)
    sheet.extend(areas(piece.shape, colour("work", "cliff"), Pen(colour("page", "ink"), 1.0)))
    strokes = [s for part in shapely.get_parts(line) for s in ticks(part, 0.2 * g, (0.5 * g, 0.32 * g, 0.42 * g), -1)]
    sheet.add(Lines(tuple(strokes), Pen(colour("work", "cliff"), 0.06 * g, pixels=False)))


def _redoubt(ground: Ground, piece: Terrain) -> None:
    g, sheet = ground.grain, ground.sheets["works"]
    if not piece.is_area:
        _trench(ground, piece)
        return
    for part in polygons(piece.shape):
        shape = rays(part)
        strokes = ticks(shape.exterior, 0.2 * g, (0.2 * g,), -1)
        sheet.add(Lines(tuple(strokes), Pen(colour("work", "earth_edge"), 0.05 * g, pixels=False)))
        sheet.extend(areas(shape, colour("work", "earth"), Pen(colour("work", "earth_edge"), 1.4)))
        sheet.extend(
            areas(
                shape.buffer(-0.22 * g, join_style="mitre"),
                colour("work", "earth_floor"),
                Pen(colour("work", "earth_edge"), 1.0),
            )
        )


def _trench(ground: Ground, piece: Terrain) -> None:
    g, sheet = ground.grain, ground.sheets["works"]
    if piece.is_area:
        sheet.extend(areas(piece.shape, colour("work", "earth_floor"), Pen(colour("work", "earth_edge"), 1.2)))
    line = ground.line(piece)
    sheet.add(Lines(tuple(strings(line)), Pen(colour("work", "earth_edge"), 0.12 * g, pixels=False)))
    teeth = [s for part in shapely.get_parts(line) for s in ticks(part, 0.34 * g, (0.2 * g,), 1)]
    sheet.add(Lines(tuple(teeth), Pen(colour("work", "earth_edge"), 0.1 * g, pixels=False, round=False)))


def _town(ground: Ground, piece: Terrain) -> None:
    sheet = ground.sheets["towns"]
    ground.sheets["wash"].extend(
        areas(piece.shape, colour("town", "fill"), Pen(colour("town", "edge"), 1.2, dash=(4, 2)))
    )
    sheet.extend(blocks(piece, ground.streets, ground.grain))


def _building(ground: Ground, piece: Terrain) -> None:
    sheet, g = ground.sheets["towns"], ground.grain
    shade = shapely.affinity.translate(piece.shape, 0.08 * g, -0.08 * g)
    sheet.extend(areas(shade, colour("town", "shade"), opacity=0.35))
    sheet.extend(areas(piece.shape, colour("town", "block"), Pen(colour("town", "block_edge"), 1.2)))
    sheet.add(Lines(tuple(hatching(piece.shape.buffer(-0.08 * g), 0.16 * g, 45.0)), Pen(colour("town", "roof"), 0.8)))


def _nothing(_ground: Ground, _piece: Terrain) -> None:
    """Draw nothing: hills, roads and tracks are united first and drawn together."""


def _other(ground: Ground, piece: Terrain) -> None:
    """Draw a kind without a symbol of its own: as its rule set says, else hatched where it hinders movement."""
    g, kind = ground.grain, own_kind(piece)
    if kind is not None:
        ground.sheets["wash"].extend(own_kinds.drawn(kind, piece.shape, g))
        return
    shape = piece.shape if piece.is_area else piece.shape.buffer(0.1 * g)
    ground.sheets["wash"].extend(areas(shape, colour("rough", "fill"), Pen(colour("rough", "edge"), 1.2)))
    if piece.movement != "open":
        degrees = 45.0 if piece.movement == "impassable" else -45.0
        ground.sheets["wash"].add(Lines(tuple(hatching(shape, 0.3 * g, degrees)), Pen(colour("rough", "edge"), 0.8)))


def _sea(ground: Ground, piece: Terrain) -> None:
    ground.sheets["paper"].extend(sea.water(piece.shape, ground.grain))


def _shoal(ground: Ground, piece: Terrain) -> None:
    ground.sheets["wash"].extend(sea.shoal(piece.shape, ground.grain, piece.id))


def _land(ground: Ground, piece: Terrain) -> None:
    ground.sheets["wash"].extend(sea.land(piece.shape, ground.grain))


Painter = Callable[[Ground, Terrain], None]
PAINTERS: dict[str, Painter] = {
    "woods": _woods,
    "town": _town,
    "building": _building,
    "hill": _nothing,
    "road": _nothing,
    "track": _nothing,
    "stream": _stream,
    "river": _open_water,
    "lake": _open_water,
    "ford": _ford,
    "bridge": _bridge,
    "gate": _gate,
    "wall": _wall,
    "hedge": _hedge,
    "marsh": _marsh,
    "rough": _rough,
    "cliff": _cliff,
    "redoubt": _redoubt,
    "trench": _trench,
    "sea": _sea,
    "shoal": _shoal,
    "land": _land,
}
