"""Fields of pasture, grain and fallow around the villages. They have no effect on play.

Fields named by a map are painted in their places, and the rest is pasture. A map that names none is divided into
parcels: a rectangle, turned a little against its edges, is split again and again. The random seed comes from the
table's size, so that a table always has the same fields.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import shapely

from tabletop.geometry.terrain import Field, Table
from tabletop.render.drawing.landscape.noise import BENT_EAST, BENT_SOUTH, BROAD, FINE, MIDDLE
from tabletop.render.drawing.landscape.plate import Plate, Tone, lay, smoothstep

#: Angle between the parcels and the table's edge (radians).
LEAN = math.radians(14.0)
#: From this ratio of length to width on, parcels are not turned: turned ones would need a huge sheet.
LONG = 4.0
#: Parcels smaller than the first (square inches) are not split; those between the two are left whole at this rate.
SMALL, LARGE, LEFT_WHOLE = 7.0, 26.0, 0.36
#: How far the borders of fields stray (inches), and the width of the grass between them.
STRAY, BALK = 0.05, 0.045
#: Crops: colour, and strength of the rows.
CROPS: Mapping[str, tuple[Tone, float]] = {
    "pasture": ((140, 146, 88), 0.01),
    "rye": ((171, 160, 101), 0.045),
    "wheat": ((186, 168, 94), 0.045),
    "stubble": ((186, 174, 124), 0.03),
    "ploughed": ((150, 134, 100), 0.06),
    "fallow": ((160, 152, 92), 0.02),
}
PASTURE: Tone = CROPS["pasture"][0]
#: Crops, besides pasture, on a map that names no fields.
USUAL = ("rye", "ploughed", "fallow")
#: The share of parcels that are pasture.
GRASSLAND = 0.6
DRY: Tone = (182, 168, 108)
LUSH: Tone = (102, 126, 68)
VERGE: Tone = (116, 128, 74)


#: Low u and v, high u and v in the frame of the parcels (inches).
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Parcels:
    """Parcels in a frame turned by ``LEAN``: bounds (n, 4) in inches, colours (n, 3), and their rows (n,).

    ``across`` and ``strength`` are the direction and strength of the rows; ``labels`` is a sheet with the number of the
    parcel at each place.
    """

    bounds: np.ndarray
    tones: np.ndarray
    across: np.ndarray
    strength: np.ndarray
    labels: np.ndarray
    corner: tuple[float, float]
    lean: float

    #: Pixels an inch of that sheet.
    DENSITY = 16.0

    @classmethod
    def of(cls, width: float, height: float, seed: int) -> Parcels:
        """Return the parcels of a table of this size in inches."""
        chance = np.random.default_rng(seed)
        lean = LEAN if max(width, height) < LONG * min(width, height) else 0.0
        c, s = math.cos(lean), math.sin(lean)
        us = [c * x + s * y for x in (0.0, width) for y in (0.0, height)]
        vs = [-s * x + c * y for x in (0.0, width) for y in (0.0, height)]
        whole = (min(us) - 1.0, min(vs) - 1.0, max(us) + 1.0, max(vs) + 1.0)
        bounds = np.array(_split(whole, chance))
        count = len(bounds)
        grass = chance.random(count) < GRASSLAND
        crops = np.array([CROPS[name][0] for name in USUAL])[chance.integers(len(USUAL), size=count)]
        tones = np.where(grass[:, None], np.array(PASTURE), crops) * chance.uniform(0.96, 1.04, (count, 1))
        strength = np.where(grass, chance.uniform(0.0, 0.015, count), chance.uniform(0.02, 0.06, count))
        labels = _labels(bounds, whole, cls.DENSITY)
        across = chance.random(count) < 0.5
        return cls(bounds, tones.astype(np.float32), across, strength.astype(np.float32), labels, whole[:2], lean)

    def paint(self, plate: Plate) -> np.ndarray:
        """Return the colours of the fields on a plate (rows, columns, 3)."""
        east, south = plate.east + STRAY * BENT_EAST.on(plate), plate.south + STRAY * BENT_SOUTH.on(plate)
        c, s = math.cos(self.lean), math.sin(self.lean)
        u, v = c * east + s * south, -s * east + c * south
        rows = np.clip(((v - self.corner[1]) * self.DENSITY).astype(int), 0, self.labels.shape[0] - 1)
        columns = np.clip(((u - self.corner[0]) * self.DENSITY).astype(int), 0, self.labels.shape[1] - 1)
        label = self.labels[rows, columns]
        rgb = self.tones[label]
        rgb *= (1.0 + self.strength[label] * _furrows(np.where(self.across[label], v, u)))[..., None]
        low_u, low_v, high_u, high_v = np.moveaxis(self.bounds[label], -1, 0)
        edge = np.minimum(np.minimum(u - low_u, high_u - u), np.minimum(v - low_v, high_v - v))
        lay(rgb, VERGE, 0.75 * (1.0 - smoothstep(edge.astype(np.float32), 0.3 * BALK, 1.6 * BALK)))
        return grown(rgb, plate)


@dataclass(frozen=True)
class Named:
    """The fields named by a map, surrounded by pasture."""

    fields: tuple[Field, ...]

    def paint(self, plate: Plate) -> np.ndarray:
        """Return the colours of the fields on a plate (rows, columns, 3)."""
        rgb = np.empty((plate.rows, plate.columns, 3), np.float32)
        rgb[:] = PASTURE
        for field in self.fields:
            if plate.shows(field.outline, BALK):
                self._lay(rgb, plate, field)
        return grown(rgb, plate)

    def _lay(self, rgb: np.ndarray, plate: Plate, field: Field) -> None:
        tone, strength = CROPS[field.crop]
        ground = plate.mask(field.outline)
        rows = 1.0 + strength * _furrows(_across(field.outline, plate))
        rgb += (np.array(tone, np.float32) * rows[..., None] - rgb) * ground[..., None]
        lay(rgb, VERGE, 0.75 * plate.blur(plate.strip(field.outline.exterior, 2.0 * BALK), 0.3 * BALK))


class Ground(Protocol):
    """Paints the fields of a table."""

    def paint(self, plate: Plate) -> np.ndarray: ...


def fields_of(table: Table, grain: float, seed: int) -> Ground:
    """Return the fields of a table: those its map names, or if it names none, random parcels."""
    if table.fields:
        return Named(table.fields)
    return Parcels.of(table.width / grain, table.height / grain, seed)


def _across(outline: shapely.Polygon, plate: Plate) -> np.ndarray:
    """Return each place's distance (inches) across a field's rows, which run along its longer side."""
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(outline))
    sides = corners[1:3] - corners[:2]
    east, north = max(sides, key=lambda side: float(np.hypot(*side)))
    angle = math.atan2(north, east)
    distances: np.ndarray = math.sin(angle) * plate.east + math.cos(angle) * plate.south
    return distances + STRAY * BENT_EAST.on(plate)


def _furrows(along: np.ndarray) -> np.ndarray:
    """Return the light and shade of rows at distances (inches) across them, between -1.6 and 1.6."""
    rows: np.ndarray = np.sin(along * (2 * math.pi / 0.17)) + 0.6 * np.sin(along * (2 * math.pi / 0.68) + 0.7)
    return rows


def grown(rgb: np.ndarray, plate: Plate) -> np.ndarray:
    """Return the ground with grass on it: broad patches, dry and lush, and single tufts."""
    broad, middle, fine = BROAD.on(plate), MIDDLE.on(plate), FINE.on(plate)
    lay(rgb, DRY, 0.42 * smoothstep(broad, 0.75, 1.9))
    lay(rgb, LUSH, 0.42 * smoothstep(-broad, 0.7, 1.9))
    tufts = 0.10 * (middle > 1.8) - 0.10 * (middle < -1.8)
    rgb *= (1.0 + 0.045 * broad + 0.03 * middle + 0.03 * fine + tufts)[..., None]
    return rgb


def _split(box: Box, chance: np.random.Generator) -> list[Box]:
    """Return the parcels that a rectangle is split into."""
    u0, v0, u1, v1 = box
    wide, high = u1 - u0, v1 - v0
    if wide * high < SMALL or (wide * high < LARGE and chance.random() < LEFT_WHOLE):
        return [box]
    share = chance.uniform(0.36, 0.64)
    if wide * chance.uniform(0.8, 1.25) > high:
        cut = u0 + share * wide
        halves = (u0, v0, cut, v1), (cut, v0, u1, v1)
    else:
        cut = v0 + share * high
        halves = (u0, v0, u1, cut), (u0, cut, u1, v1)
    return [parcel for half in halves for parcel in _split(half, chance)]


def _labels(bounds: np.ndarray, whole: Box, density: float) -> np.ndarray:
    """Return a sheet with the number of the parcel at each place."""
    rows, columns = (int(np.ceil((whole[k + 2] - whole[k]) * density)) for k in (1, 0))
    labels = np.zeros((rows, columns), np.int32)
    at = np.round((bounds - np.array([*whole[:2], *whole[:2]])) * density).astype(int)
    for number, (u0, v0, u1, v1) in enumerate(at):
        labels[v0:v1, u0:u1] = number
    return labels
