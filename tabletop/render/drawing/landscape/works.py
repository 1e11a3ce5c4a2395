"""Walls, bridges, gates, fords, redoubts, trenches and cliffs; and kinds without a painter of their own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.terrain import Table, Terrain
from tabletop.render.drawing import own_kinds
from tabletop.render.drawing.landscape.noise import MIDDLE, RAGGED
from tabletop.render.drawing.landscape.plate import Drawn, Plate, Tone, between, darken, lay, smoothstep
from tabletop.render.drawing.shapes import along, corners, hatching, polygons, rays, ring, strings, ticks
from tabletop.rules.terrain_kinds import OwnKind, own_kind

STONE: Tone = (158, 150, 134)
MORTAR: Tone = (104, 96, 82)
BOARDS: Tone = (150, 128, 96)
EARTHWORK: Tone = (142, 118, 78)
EARTH_LIT: Tone = (176, 152, 104)
EARTH_DARK: Tone = (92, 74, 46)
ROCK: Tone = (122, 116, 108)
SHOAL: Tone = (158, 172, 158)
UNKNOWN: Tone = (150, 142, 104)

#: Kinds that other modules paint.
ELSEWHERE = frozenset(
    ("woods", "town", "building", "hill", "road", "track", "stream", "river", "lake", "sea", "marsh", "rough", "hedge")
)


def paint_works(rgb: np.ndarray, plate: Plate, table: Table) -> None:
    """Paint the works of a table, each over its shadow."""
    shown = [p for p in table.terrain if p.kind not in ELSEWHERE and plate.shows(p.shape, 0.5)]
    for piece in shown:
        if piece.kind == "ford":
            _ford(rgb, plate, piece)
        elif piece.kind not in PAINTERS:
            _other(rgb, plate, piece)
    raised = [_ground(piece, plate.grain) for piece in shown if piece.kind in ("wall", "gate", "redoubt", "cliff")]
    if raised:
        mask = plate.mask(shapely.union_all(raised))
        darken(rgb, plate.blur(plate.shifted(mask, 0.06, 0.06), 0.025) * (1.0 - mask), 0.5)
    for piece in sorted(shown, key=lambda piece: piece.kind in OVER_WALLS):
        if piece.kind in PAINTERS:
            plate.draw(rgb, PAINTERS[piece.kind](piece, plate.grain))


def _ground(piece: Terrain, grain: float) -> BaseGeometry:
    return piece.shape if piece.is_area else piece.shape.buffer(0.06 * grain, cap_style="flat")


def _ford(rgb: np.ndarray, plate: Plate, piece: Terrain) -> None:
    mask = plate.mask(piece.shape)
    lay(rgb, SHOAL, 0.5 * smoothstep(plate.blur(mask, 0.06) + 0.05 * RAGGED.on(plate), 0.25, 0.8))
    lay(rgb, STONE, 0.8 * mask * smoothstep(MIDDLE.on(plate), 0.9, 1.4))


def _other(rgb: np.ndarray, plate: Plate, piece: Terrain) -> None:
    """Paint a kind without a painter: as its rule set says, else a patch, hatched where it hinders movement."""
    kind = own_kind(piece)
    if kind is not None:
        _own(rgb, plate, piece, kind)
        return
    mask = plate.mask(_ground(piece, plate.grain))
    lay(rgb, UNKNOWN, 0.6 * mask * (0.85 + 0.15 * smoothstep(RAGGED.on(plate), -1.0, 1.0)))
    if piece.movement != "open" and piece.is_area:
        lines = hatching(piece.shape, 0.3 * plate.grain, 45.0 if piece.movement == "impassable" else -45.0)
        plate.draw(rgb, [Drawn(line, (112, 104, 72), 0.025) for line in lines])
    lay(rgb, (98, 90, 60), 0.7 * plate.strip(_ground(piece, plate.grain).boundary, 0.03))


def _own(rgb: np.ndarray, plate: Plate, piece: Terrain, kind: OwnKind) -> None:
    """Paint a kind that a rule set defines: ground in its colour up to the outline, with its pattern."""
    g, ground = plate.grain, own_kinds.strip(piece.shape, plate.grain)
    tone, ink = _tone(kind.colour), _tone(own_kinds.mixed(kind.colour, "#000000", own_kinds.DARKER))
    lay(rgb, tone, 0.9 * plate.mask(ground) * (0.85 + 0.15 * smoothstep(RAGGED.on(plate), -1.0, 1.0)))
    found = own_kinds.marks(kind.pattern, ground, g)
    plate.draw(rgb, [Drawn(stroke, ink, 0.03) for stroke in found.strokes])
    discs = [shapely.Point(at).buffer(own_kinds.DOT * g, quad_segs=3) for at in found.dots]
    plate.draw(rgb, [Drawn(ring(disc.exterior.coords), ink) for disc in discs])
    lay(rgb, ink, 0.7 * plate.strip(ground.boundary, 0.03))


def _tone(colour: str) -> Tone:
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return red, green, blue


def _lines(piece: Terrain) -> list[tuple[tuple[float, float], ...]]:
    if piece.line is not None:
        return [tuple((float(x), float(y)) for x, y in piece.line.coords)]
    return strings(piece.shape.boundary if piece.is_area else piece.shape)


def _wall(piece: Terrain, grain: float) -> Iterator[Drawn]:
    for line in _lines(piece):
        yield Drawn(line, MORTAR, 0.13)
        yield Drawn(line, STONE, 0.09)
        string = shapely.LineString(line)
        for k, ((x, y), (dx, dy)) in enumerate(along(string, 0.11 * grain)):
            shade = 1.0 + 0.14 * math.sin(2.7 * k)
            a, b = (x - 0.035 * grain * dx, y - 0.035 * grain * dy), (x + 0.035 * grain * dx, y + 0.035 * grain * dy)
            yield Drawn((a, b), (STONE[0] * shade, STONE[1] * shade, STONE[2] * shade), 0.085)


def _bridge(piece: Terrain, grain: float) -> Iterator[Drawn]:
    for part in polygons(piece.shape):
        yield Drawn(ring(part.exterior.coords), BOARDS)
        box = corners(shapely.minimum_rotated_rectangle(part))[:4]
        a, b, c, d = box if _along(piece, box) else (*box[1:], box[0])
        count = max(2, round(math.dist(a, b) / (0.12 * grain)))
        for k in range(1, count):
            yield Drawn((between(a, b, k / count), between(d, c, k / count)), (128, 106, 78), 0.018)
        for side in ((a, b), (d, c)):
            yield Drawn(side, MORTAR, 0.10)
            yield Drawn(side, STONE, 0.06)


def _along(piece: Terrain, box: tuple[tuple[float, float], ...]) -> bool:
    """Return whether a box's first side runs along the crossing, or without a line, whether it is the longer side."""
    first, second = math.dist(box[0], box[1]), math.dist(box[1], box[2])
    if piece.line is None:
        return first >= second
    (x0, y0), (x1, y1) = piece.line.coords[0][:2], piece.line.coords[-1][:2]
    way, side = (x1 - x0, y1 - y0), (box[1][0] - box[0][0], box[1][1] - box[0][1])
    return abs(way[0] * side[0] + way[1] * side[1]) * second >= abs(way[0] * side[1] - way[1] * side[0]) * second


def _gate(piece: Terrain, grain: float) -> Iterator[Drawn]:
    for part in polygons(piece.shape):
        yield Drawn(ring(part.exterior.coords), (188, 169, 128))
        box = corners(shapely.minimum_rotated_rectangle(part))[:4]
        a, b, c, d = box if _along(piece, box) else (*box[1:], box[0])
        for start, end in ((a, b), (d, c)):
            post = shapely.Point(between(start, end, 0.5)).buffer(0.14 * grain, cap_style="square")
            yield Drawn(corners(post), STONE)
            yield Drawn(corners(post), MORTAR, 0.025)


def _cliff(piece: Terrain, grain: float) -> Iterator[Drawn]:
    for part in polygons(_ground(piece, grain)):
        yield Drawn(ring(part.exterior.coords), ROCK)
    for line in _lines(piece):
        lengths = (0.30 * grain, 0.18 * grain, 0.26 * grain)
        for k, stroke in enumerate(ticks(shapely.LineString(line), 0.09 * grain, lengths, -1)):
            yield Drawn(stroke, (84, 78, 72) if k % 2 else (160, 154, 142), 0.05)


def _redoubt(piece: Terrain, grain: float) -> Iterator[Drawn]:
    if not piece.is_area:
        yield from _trench(piece, grain)
        return
    for part in polygons(piece.shape):
        shape = rays(part)
        for stroke in ticks(shape.exterior, 0.14 * grain, (0.22 * grain,), -1):
            yield Drawn(stroke, EARTH_DARK, 0.035)
        yield Drawn(ring(shape.exterior.coords), EARTHWORK)
        inner = shape.buffer(-0.1 * grain, join_style="mitre")
        for ridge in polygons(inner):
            yield Drawn(ring(ridge.exterior.coords), EARTH_LIT)
        for floor in polygons(shape.buffer(-0.24 * grain, join_style="mitre")):
            yield Drawn(ring(floor.exterior.coords), (164, 148, 106))
            yield Drawn(ring(floor.exterior.coords), EARTH_DARK, 0.03)


def _trench(piece: Terrain, grain: float) -> Iterator[Drawn]:
    if piece.is_area:
        for part in polygons(piece.shape):
            yield Drawn(ring(part.exterior.coords), (164, 148, 106))
    for line in _lines(piece):
        yield Drawn(line, EARTH_LIT, 0.16)
        yield Drawn(line, EARTH_DARK, 0.08)
        for stroke in ticks(shapely.LineString(line), 0.2 * grain, (0.14 * grain,), 1):
            yield Drawn(stroke, EARTHWORK, 0.06)


#: Kinds that lie over walls and cliffs.
OVER_WALLS = ("gate", "bridge")
PAINTERS: dict[str, Callable[[Terrain, float], Iterator[Drawn]]] = {
    "wall": _wall,
    "bridge": _bridge,
    "gate": _gate,
    "cliff": _cliff,
    "redoubt": _redoubt,
    "trench": _trench,
}
