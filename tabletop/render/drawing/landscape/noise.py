"""Random textures that repeat without a seam, which make painted ground look natural.

A random field is filtered by frequency: its amplitude falls as f to the power -β between two wavelengths. Each plate
takes the part at its position on the table, so that plates fit together. The field is the same in every run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PIL import Image

from tabletop.render.drawing.landscape.plate import Plate


@dataclass(frozen=True)
class Texture:
    """A periodic field: pixels an inch, side in pixels, wavelengths in inches, and how fast high frequencies fade."""

    seed: int
    density: float
    side: int
    waves: tuple[float, float]
    fading: float

    def on(self, plate: Plate) -> np.ndarray:
        """Return the field on a plate (rows, columns), read-only: mean 0, deviation 1.

        The plate caches it, because many layers use the same one.
        """
        if self not in plate.textures:
            plate.textures[self] = _cut(self, plate)
        return plate.textures[self]


def _cut(texture: Texture, plate: Plate) -> np.ndarray:
    """Return the part of a field that lies on a plate."""
    ratio = texture.density / plate.density
    x0, y0 = plate.left * ratio, plate.down * ratio
    columns, rows = plate.columns * ratio, plate.rows * ratio
    west, north = int(np.floor(x0)) - 2, int(np.floor(y0)) - 2
    wide, high = int(np.ceil(columns)) + 6, int(np.ceil(rows)) + 6
    field = grow(texture)
    rows_at, columns_at = (north + np.arange(high)) % texture.side, (west + np.arange(wide)) % texture.side
    part = np.ascontiguousarray(field[np.ix_(rows_at, columns_at)])
    if ratio == 1.0:
        cutting = part[2 : 2 + plate.rows, 2 : 2 + plate.columns]
    else:
        box = (x0 - west, y0 - north, x0 - west + columns, y0 - north + rows)
        sheet = Image.fromarray(part).resize((plate.columns, plate.rows), Image.Resampling.BICUBIC, box=box)
        cutting = np.array(sheet, np.float32)
    cutting.setflags(write=False)
    return cutting


@lru_cache(maxsize=16)
def grow(texture: Texture) -> np.ndarray:
    """Return the whole field of a texture (side, side), cached."""
    white = np.random.default_rng(texture.seed).standard_normal((texture.side, texture.side), np.float32)
    waves = np.fft.rfft2(white)
    rows = np.fft.fftfreq(texture.side)[:, None] * texture.density
    columns = np.fft.rfftfreq(texture.side)[None, :] * texture.density
    frequency = np.hypot(rows, columns)
    longest, shortest = 1.0 / max(texture.waves), 1.0 / min(texture.waves)
    inside = (frequency >= longest) & (frequency <= shortest)
    waves *= np.where(inside, np.maximum(frequency, 1e-9) ** -texture.fading, 0.0)
    field = np.fft.irfft2(waves, (texture.side, texture.side))
    even: np.ndarray = ((field - field.mean()) / field.std()).astype(np.float32)
    return even


#: Patches of ground, tufts, single blades; fields that bend the borders of parcels, roads and banks.
BROAD = Texture(11, 8.0, 768, (0.3, 9.0), 1.5)
MIDDLE = Texture(12, 32.0, 1024, (0.06, 0.6), 1.0)
FINE = Texture(13, 64.0, 1024, (0.02, 0.08), 0.4)
BENT_EAST, BENT_SOUTH = Texture(14, 8.0, 768, (0.3, 4.0), 1.4), Texture(15, 8.0, 768, (0.3, 4.0), 1.4)
RAGGED = Texture(16, 32.0, 1024, (0.08, 0.8), 1.0)
#: The textures that most tables need.
TEXTURES = (BROAD, MIDDLE, FINE, BENT_EAST, BENT_SOUTH, RAGGED)
