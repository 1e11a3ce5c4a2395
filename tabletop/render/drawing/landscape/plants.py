"""Trees and hedges: crowns lit from the north-west, each over its own shadow, drawn from north to south.

A crown is never rotated, because its light would turn too. The dark floor of a wood shows its exact outline.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from PIL import Image, ImageFilter
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.terrain import Table
from tabletop.render.drawing.landscape.plate import Plate, Tone, darken, lay
from tabletop.render.drawing.shapes import along, polygons, scattered

FLOOR: Tone = (72, 84, 47)
#: A crown's tones from dark to light, and tints of the whole.
TONES = np.array([(38, 54, 28), (86, 108, 52), (156, 164, 88)], np.float32)
TINTS = ((1.0, 1.0, 1.0), (1.08, 1.03, 0.92), (0.92, 0.98, 0.95), (1.03, 0.96, 0.88))
#: Number of shapes of crowns, number of domes in each, and pixels at which they are painted.
SHAPES, DOMES, PIXELS = 8, 26, 96
#: Distances between trees in a wood, at its rim and in a hedge (inches), and the sizes of crowns there.
SPACING, RIM, IN_HEDGE = 0.44, 0.40, 0.16
SIZES, HEDGE_SIZES = (0.5, 0.62, 0.75, 0.88, 1.0), (0.24, 0.28, 0.32)


@dataclass(frozen=True)
class Plant:
    """A crown: its position (table units), its width in inches, its shape and tint."""

    x: float
    y: float
    size: float
    shape: int
    tint: int


def plants_of(table: Table, grain: float, clearings: BaseGeometry) -> tuple[Plant, ...]:
    """Return the trees of woods and the bushes of hedges, from north to south."""
    plants: list[Plant] = []
    for piece in table.terrain:
        if piece.shape.is_empty:
            continue
        if piece.kind == "woods":
            wood = piece.shape.buffer(-0.24 * grain).difference(clearings)
            inside = scattered(wood, SPACING * grain, piece.id)
            rim = [at for part in polygons(wood) for at, _ in along(part.exterior, RIM * grain)]
            plants += [_plant(at, piece.id, SIZES) for at in inside] + [_plant(at, piece.id, SIZES[:3]) for at in rim]
        elif piece.kind == "hedge":
            line = piece.shape.boundary if piece.is_area else piece.shape
            bushes = [at for part in shapely.get_parts(line) for at, _ in along(part, IN_HEDGE * grain)]
            plants += [_plant(at, piece.id, HEDGE_SIZES) for at in bushes]
    return tuple(sorted(plants, key=lambda plant: (-plant.y, plant.x)))


def _plant(at: tuple[float, float], name: str, sizes: tuple[float, ...]) -> Plant:
    chance = zlib.crc32(f"{name}:{at[0]:.3f}:{at[1]:.3f}".encode())
    return Plant(*at, sizes[chance % len(sizes)], (chance >> 8) % SHAPES, (chance >> 16) % len(TINTS))


def paint_floors(rgb: np.ndarray, plate: Plate, table: Table) -> None:
    """Paint the floor of woods up to their outline, and their shadow beyond it."""
    shapes = [piece.shape for piece in table.terrain if piece.kind == "woods" and plate.shows(piece.shape, 0.6)]
    if not shapes:
        return
    wood = shapely.union_all(shapes)
    mask = plate.mask(wood)
    darken(rgb, plate.blur(plate.shifted(mask, 0.14, 0.14), 0.09) * (1.0 - mask), 0.5)
    lay(rgb, FLOOR, 0.92 * mask)


def paint_plants(sheet: Image.Image, plate: Plate, plants: tuple[Plant, ...]) -> None:
    """Paint the crowns that reach a plate, each over its shadow."""
    reach = max(SIZES) * plate.density
    at = plate.pixels(np.array([(plant.x, plant.y) for plant in plants]).reshape(-1, 2))
    shown = (at > -reach).all(axis=1) & (at < (plate.columns + reach, plate.rows + reach)).all(axis=1)
    for k in np.flatnonzero(shown):
        plant, (x, y) = plants[k], at[k]
        crown, shadow = _crown(plant.shape, plant.tint, round(plant.size * plate.density))
        aside = 0.13 * plant.size * plate.density
        _paste(sheet, shadow, x + aside, y + aside)
        _paste(sheet, crown, x, y)


def _paste(sheet: Image.Image, sprite: Image.Image, x: float, y: float) -> None:
    sheet.paste(sprite, (round(x - sprite.width / 2), round(y - sprite.height / 2)), sprite)


@lru_cache(maxsize=512)
def _crown(shape: int, tint: int, pixels: int) -> tuple[Image.Image, Image.Image]:
    """Return a crown at a size, and its shadow."""
    crown = Image.fromarray(_domes(shape, tint)).convert("RGBa").resize((max(pixels, 2),) * 2, Image.Resampling.BOX)
    alpha = Image.fromarray(_domes(shape, tint)[..., 3]).resize(crown.size, Image.Resampling.BOX)
    dark = Image.new("RGBA", crown.size, (26, 32, 14, 0))
    dark.putalpha(alpha.filter(ImageFilter.GaussianBlur(max(0.5, 0.05 * pixels))).point(lambda value: 0.5 * value))
    return crown.convert("RGBA"), dark


@lru_cache(maxsize=64)
def _domes(shape: int, tint: int) -> np.ndarray:
    """Return a crown of overlapping domes (pixels, pixels, 4), lit from the north-west."""
    chance = np.random.default_rng(100 + shape)
    y, x = (np.mgrid[0:PIXELS, 0:PIXELS].astype(np.float32) + 0.5) / PIXELS * 2.0 - 1.0
    height = np.full((PIXELS, PIXELS), -1.0, np.float32)
    light = np.zeros((PIXELS, PIXELS), np.float32)
    for _ in range(DOMES):
        far, way = 0.68 * np.sqrt(chance.random()), chance.uniform(0.0, 2.0 * np.pi)
        radius = chance.uniform(0.20, 0.34)
        cx, cy, base = far * np.cos(way), far * np.sin(way), 0.55 * (1.0 - far)
        dx, dy = (x - cx) / radius, (y - cy) / radius
        up = np.sqrt(np.maximum(1.0 - dx * dx - dy * dy, 0.0))
        top = base + radius * up
        over = (up > 0.0) & (top > height)
        height[over] = top[over]
        light[over] = (0.62 * up - 0.5 * dx - 0.5 * dy)[over] + 0.35 * (base - 0.3)
    grain = chance.standard_normal((PIXELS, PIXELS)).astype(np.float32)
    light = np.clip(0.12 + 0.72 * light + 0.05 * grain, 0.0, 1.0)
    steps = np.array([0.0, 0.5, 1.0])
    rgb = np.stack([np.interp(light, steps, TONES[:, k]) for k in range(3)], axis=-1) * np.array(TINTS[tint])
    alpha = np.where(height > -1.0, 255, 0)
    return np.dstack([np.clip(rgb, 0, 255), alpha]).astype(np.uint8)
