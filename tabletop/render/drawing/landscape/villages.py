"""Villages and buildings: earth inside a wall on the true outline, gardens, and roofs lit from the north-west."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.terrain import Table
from tabletop.render.drawing.buildings import houses, streets_of
from tabletop.render.drawing.landscape.noise import BROAD, FINE, MIDDLE, RAGGED
from tabletop.render.drawing.landscape.plate import Drawn, Plate, Tone, between, darken, lay, smoothstep
from tabletop.render.drawing.shapes import polygons, ring, strings

EARTH: Tone = (184, 166, 124)
GARDEN: Tone = (112, 128, 70)
WALL: Tone = (136, 122, 98)
TILES: tuple[Tone, ...] = ((148, 98, 76), (136, 92, 74), (126, 106, 92), (156, 108, 80))
SLATE: Tone = (112, 110, 110)
RIDGE = 1.32
#: Length of a house's shadow (inches), and its maximum as a share of the house's size.
SHADOW, LOW = 0.15, 0.36


def houses_of(table: Table, grain: float) -> tuple[shapely.Polygon, ...]:
    """Return the outlines of all houses and buildings, in table units."""
    streets = streets_of(table)
    towns = [house for piece in table.terrain if piece.kind == "town" for house in houses(piece, streets, grain)]
    return (*towns, *(part for p in table.terrain if p.kind == "building" for part in polygons(p.shape)))


def paint_villages(rgb: np.ndarray, plate: Plate, table: Table) -> None:
    """Paint the ground of villages: earth and gardens; streets lie over it."""
    ground = _towns(plate, table)
    if ground.is_empty:
        return
    mask, ragged = plate.mask(ground), RAGGED.on(plate)
    tone = np.asarray(EARTH, np.float32) * (1.0 + 0.03 * MIDDLE.on(plate) + 0.02 * FINE.on(plate))[..., None]
    lay(rgb, tone, 0.86 * mask)
    gardens = smoothstep(BROAD.on(plate) + 0.25 * ragged, 0.1, 0.5)
    lay(rgb, GARDEN, 0.55 * mask * gardens)


def paint_enclosures(rgb: np.ndarray, plate: Plate, table: Table) -> None:
    """Paint the walls around villages exactly on their outlines; where a road leads in, they show faintly."""
    ground = _towns(plate, table)
    if ground.is_empty:
        return
    wall = plate.strip(ground.boundary, 0.055)
    ways = [p.shape for p in table.terrain if p.kind in ("road", "track") and plate.shows(p.shape, 0.2)]
    closed = wall * (1.0 - 0.7 * plate.mask(shapely.union_all(ways)))
    darken(rgb, plate.shifted(closed, 0.035, 0.035), 0.35)
    lay(rgb, WALL, 0.9 * closed)


def _towns(plate: Plate, table: Table) -> BaseGeometry:
    near = [piece.shape for piece in table.terrain if piece.kind == "town" and plate.shows(piece.shape, 0.2)]
    return shapely.union_all(near)


def paint_houses(rgb: np.ndarray, plate: Plate, outlines: tuple[shapely.Polygon, ...]) -> None:
    """Paint houses: the shadow of each, then its roof, face by face."""
    shown = [house for house in outlines if plate.shows(house, 0.4)]
    if not shown:
        return
    swept = [_swept(house, min(SHADOW * plate.grain, LOW * math.sqrt(house.area))) for house in shown]
    darken(rgb, plate.blur(plate.mask(shapely.union_all(swept)), 0.02), 0.5)
    plate.draw(rgb, [item for house in shown for item in _roof(house)])


def _swept(house: shapely.Polygon, far: float) -> BaseGeometry:
    return shapely.convex_hull(shapely.union(house, shapely.affinity.translate(house, far, -far)))


def _roof(house: shapely.Polygon) -> Iterator[Drawn]:
    outline = ring(house.exterior.coords)[:-1]
    chance = zlib.crc32(f"{outline[0][0]:.3f}:{outline[0][1]:.3f}".encode())
    tone = SLATE if chance % 7 == 0 else TILES[chance % len(TILES)]
    if len(outline) != 4:
        yield from _flat(house, tone)
        return
    a, b, c, d = outline if math.dist(outline[0], outline[1]) >= math.dist(outline[1], outline[2]) else _turned(outline)
    hip = 0.22 if chance % 3 else 0.0
    west, east = between(a, d, 0.5), between(b, c, 0.5)
    first, last = between(west, east, hip), between(east, west, hip)
    for face in ((a, b, last, first), (c, d, first, last), (b, c, last), (d, a, first)):
        yield Drawn(face, _lit(tone, face, house))
    bright = tuple(min(255.0, RIDGE * part) for part in tone)
    yield Drawn((first, last), (bright[0], bright[1], bright[2]), 0.022)
    for start, end in pairwise((*outline, outline[0])):
        yield Drawn((start, end), (70, 52, 42), 0.012)


def _flat(house: shapely.Polygon, tone: Tone) -> Iterator[Drawn]:
    """Yield the roof of a building of any outline, with a lighter middle."""
    yield Drawn(ring(house.exterior.coords), tone)
    inner = house.buffer(-0.18 * math.sqrt(house.area))
    for part in polygons(inner):
        yield Drawn(ring(part.exterior.coords), (tone[0] * 1.14, tone[1] * 1.14, tone[2] * 1.14))
    for line in strings(house):
        yield Drawn(line, (70, 52, 42), 0.02)


def _turned(outline: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    return (*outline[1:], outline[0])


def _lit(tone: Tone, face: tuple[tuple[float, float], ...], house: shapely.Polygon) -> Tone:
    """Return the colour of a face: lighter the more it faces north-west."""
    x, y = np.mean(face[:2], axis=0) - np.array(house.centroid.coords[0])
    length = math.hypot(x, y) or 1.0
    bright = 1.0 + 0.30 * (-x + y) / (length * math.sqrt(2.0))
    return tone[0] * bright, tone[1] * bright, tone[2] * bright
