"""Water: streams, rivers and lakes between muddy banks, deeper in the middle."""

from __future__ import annotations

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.terrain import Table
from tabletop.render.drawing.landscape.noise import MIDDLE, RAGGED, Texture
from tabletop.render.drawing.landscape.plate import Plate, Tone, darken, lay, smoothstep

MUD: Tone = (132, 118, 84)
REEDS: Tone = (92, 108, 58)
SHALLOW: Tone = (104, 136, 140)
DEEP: Tone = (62, 98, 118)
#: Painted width of a stream (inches), and of the mud beside all water.
STREAM, BANK = 0.17, 0.10
#: Ripples run east and west.
RIPPLES = Texture(21, 32.0, 1024, (0.08, 0.5), 0.8)


def water_of(table: Table, grain: float) -> BaseGeometry:
    """Return all water of a table, with streams as wide as they are painted."""
    streams = [p.uncut.buffer(STREAM * grain / 2) for p in table.terrain if p.kind == "stream"]
    open_water = [p.uncut for p in table.terrain if p.kind in ("river", "lake", "sea") and not p.shape.is_empty]
    return shapely.union_all([*streams, *open_water])


def paint_water(rgb: np.ndarray, plate: Plate, water: BaseGeometry) -> np.ndarray:
    """Paint water and its banks; return where the ground is dry (rows, columns): 1, or 0 on water."""
    if not plate.shows(water, 0.5):
        return np.ones((plate.rows, plate.columns), np.float32)
    mask = plate.mask(water)
    ragged = RAGGED.on(plate)
    bank = smoothstep(plate.blur(plate.mask(water.buffer(BANK * plate.grain)), 0.04) + 0.08 * ragged, 0.25, 0.7)
    lay(rgb, MUD, 0.8 * bank * (1.0 - mask))
    reeds = smoothstep(plate.blur(mask, 0.14), 0.05, 0.4) * (1.0 - mask) * smoothstep(ragged, 0.3, 1.4)
    lay(rgb, REEDS, 0.7 * reeds)
    deep = smoothstep(plate.blur(mask, 0.20), 0.45, 1.0)
    tone = np.asarray(SHALLOW, np.float32) + (np.asarray(DEEP, np.float32) - SHALLOW) * deep[..., None]
    tone *= (1.0 + 0.035 * RIPPLES.on(plate) * (0.3 + 0.7 * deep) + 0.015 * MIDDLE.on(plate))[..., None]
    lay(rgb, tone, mask)
    inside = plate.blur(plate.shifted(1.0 - mask, 0.07, 0.07), 0.04) * mask
    darken(rgb, inside, 0.42)
    rim = plate.blur(plate.shifted(1.0 - mask, -0.035, -0.035), 0.02) * mask
    lay(rgb, (196, 214, 208), 0.28 * rim)
    return 1.0 - mask
