"""A table's ground as a painting, plate by plate: the parts computed once for a table, and the order of the layers."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import shapely
from PIL import Image
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.terrain import Table
from tabletop.render.drawing.grain import clearings_of, grain_of
from tabletop.render.drawing.landscape import fields
from tabletop.render.drawing.landscape.noise import TEXTURES, grow
from tabletop.render.drawing.landscape.plants import Plant, paint_floors, paint_plants, plants_of
from tabletop.render.drawing.landscape.plate import Plate
from tabletop.render.drawing.landscape.relief import paint_relief
from tabletop.render.drawing.landscape.villages import houses_of, paint_enclosures, paint_houses, paint_villages
from tabletop.render.drawing.landscape.water import paint_water, water_of
from tabletop.render.drawing.landscape.ways import paint_roads, paint_soils, paint_tracks
from tabletop.render.drawing.landscape.works import paint_works

#: Width and height of plates in pixels, and the margin around them in inches, which blurs and shadows need.
SIDE, AROUND = 448, 0.9
#: Maximum side and number of pixels of a painting.
LARGEST_SIDE, LARGEST = 16_000, 20_000_000


@dataclass(frozen=True)
class Landscape:
    """What a table's painting is made from: fields, water, houses, plants, in table units."""

    table: Table
    grain: float
    fields: fields.Ground
    water: BaseGeometry
    houses: tuple[shapely.Polygon, ...]
    plants: tuple[Plant, ...]

    @classmethod
    def of(cls, table: Table) -> Landscape:
        """Return the landscape of a table, which is always the same."""
        grain = grain_of(table)
        seed = zlib.crc32(f"{table.unit}:{table.width:g}:{table.height:g}".encode())
        ground = fields.fields_of(table, grain, seed)
        water = water_of(table, grain)
        return cls(table, grain, ground, water, houses_of(table, grain), plants_of(table, grain, clearings_of(table)))

    def fitted(self, density: float) -> float:
        """Return the density at which a painting is made: lower than asked for if the table is too large."""
        wide, high = self.table.width / self.grain, self.table.height / self.grain
        return min(density, LARGEST_SIDE / max(wide, high), math.sqrt(LARGEST / (wide * high)))

    def size(self, density: float) -> tuple[int, int]:
        """Return the painting's width and height at ``density`` pixels an inch."""
        scale = density / self.grain
        return math.ceil(self.table.width * scale), math.ceil(self.table.height * scale)

    def plates(self, density: float) -> Iterator[tuple[int, int, int, int]]:
        """Yield left, top, width and height (pixels) of the plates that make up the painting."""
        width, height = self.size(density)
        for top in range(0, height, SIDE):
            for left in range(0, width, SIDE):
                yield left, top, min(SIDE, width - left), min(SIDE, height - top)

    def painted(self, left: int, top: int, width: int, height: int, density: float) -> np.ndarray:
        """Return one plate of the painting: (height, width, 3) bytes, rows from north to south."""
        margin = math.ceil(AROUND * density)
        plate = Plate(
            left - margin,
            top - margin,
            width + 2 * margin,
            height + 2 * margin,
            density,
            self.grain,
            self.table.height,
        )
        rgb = self.fields.paint(plate)
        paint_soils(rgb, plate, self.table)
        paint_floors(rgb, plate, self.table)
        paint_villages(rgb, plate, self.table)
        paint_tracks(rgb, plate, self.table)
        dry = paint_water(rgb, plate, self.water)
        paint_roads(rgb, plate, self.table)
        paint_enclosures(rgb, plate, self.table)
        paint_relief(rgb, plate, self.table, dry)
        paint_works(rgb, plate, self.table)
        paint_houses(rgb, plate, self.houses)
        sheet = Image.fromarray(np.clip(rgb, 0.0, 255.0).astype(np.uint8))
        paint_plants(sheet, plate, self.plants)
        return np.asarray(sheet)[margin : margin + height, margin : margin + width]


def painting(table: Table, density: float, threads: int = 1) -> np.ndarray:
    """Return the whole painting of a table (rows, columns, 3) at this many pixels an inch, as bytes.

    It does not depend on the number of ``threads``.
    """
    landscape = Landscape.of(table)
    density = landscape.fitted(density)
    width, height = landscape.size(density)
    whole = np.zeros((height, width, 3), np.uint8)

    def paint(plate: tuple[int, int, int, int]) -> None:
        left, top, columns, rows = plate
        whole[top : top + rows, left : left + columns] = landscape.painted(left, top, columns, rows, density)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(grow, TEXTURES))  # else each thread would make them all
        list(pool.map(paint, landscape.plates(density)))
    return whole
