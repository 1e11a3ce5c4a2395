"""Hills in relief: light from the north-west on slopes inside the true contours, so that none is misread."""

from __future__ import annotations

import math

import numpy as np
import shapely

from tabletop.geometry.terrain import Table
from tabletop.render.drawing.landscape.plate import Plate, Tone, darken, lay

#: The height of a level as painted (inches), and its steps: share of the height, distance inside the contour, blur.
RISE = 0.5
STEPS = ((0.40, 0.22, 0.12), (0.35, 0.50, 0.26), (0.25, 0.95, 0.50))
#: Factor that steepens slopes before light falls on them, at 45 degrees from the north-west.
STEEPER = 1.9
LIGHT = np.array([-0.5, -0.5, math.sqrt(0.5)], np.float32)
LIT, SHADED = np.array((0.62, 0.58, 0.40), np.float32), np.array((0.58, 0.54, 0.42), np.float32)
#: Minimum light of a slope.
DARKEST = 0.72
#: Each level is tinted a quarter towards this colour.
HEIGHT: Tone = (206, 184, 122)
CONTOUR: Tone = (84, 64, 34)
CONTOUR_WIDE, FOOT_SHADOW, FOOT_BLUR = 0.044, 0.11, 0.08


def paint_relief(rgb: np.ndarray, plate: Plate, table: Table, dry: np.ndarray) -> None:
    """Paint all hills; ``dry`` (rows, columns) is 0 on water, where no relief shows."""
    hills = [hill for hill in sorted(table.hills, key=lambda hill: hill.level) if plate.shows(hill.area, 0.5)]
    if not hills:
        return
    height = np.zeros((plate.rows, plate.columns), np.float32)
    levels = sorted({hill.level for hill in hills})
    for level in levels:
        area = shapely.union_all([hill.area for hill in hills if hill.level == level])
        mask = plate.mask(area)
        foot = plate.blur(plate.shifted(mask, FOOT_SHADOW, FOOT_SHADOW), FOOT_BLUR) * (1.0 - mask) * dry
        darken(rgb, foot, 0.35)
        lay(rgb, HEIGHT, 0.25 * mask * dry)
        for share, inward, blurred in STEPS:
            inner = area.buffer(-inward * plate.grain)
            height += RISE * share * plate.blur(plate.mask(inner), blurred)
    _light(rgb, plate, height, dry)
    for hill in hills:
        lay(rgb, CONTOUR, 0.55 * plate.strip(hill.area.boundary, CONTOUR_WIDE) * dry)


def _light(rgb: np.ndarray, plate: Plate, height: np.ndarray, dry: np.ndarray) -> None:
    down, right = np.gradient(height, 1.0 / plate.density)
    x, y = -STEEPER * right, -STEEPER * down
    length = np.sqrt(x * x + y * y + 1.0)
    bright = ((x * LIGHT[0] + y * LIGHT[1] + LIGHT[2]) / length - LIGHT[2]) * dry / LIGHT[2]
    bright = np.where(bright < 0.0, DARKEST * np.tanh(bright / DARKEST), bright)
    rgb *= 1.0 + np.maximum(bright, 0.0)[..., None] * LIT - np.maximum(-bright, 0.0)[..., None] * SHADED
