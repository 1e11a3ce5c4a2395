"""The colours of a film: those of its flat areas exactly, the others as well as possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PIL import Image

#: Colours of a film, of the 255 a GIF can have; those of flat areas, kept exactly.
COLOURS, FLAT = 160, 48
#: Bits of each of red, green and blue by which the other colours are looked up.
BITS = 6


@dataclass(frozen=True)
class Palette:
    """Colours as rows of red, green and blue; the first ``flat`` of them are exact."""

    rows: np.ndarray
    flat: int

    @property
    def colours(self) -> bytes:
        """Three bytes for each colour, padded to 256 colours."""
        return self.rows.astype(np.uint8).tobytes().ljust(768, b"\0")

    def numbers(self, picture: Image.Image) -> np.ndarray:
        """Return a picture as palette numbers: the exact colour for flat areas, else the nearest."""
        pixels = np.asarray(picture)
        step = pixels >> (8 - BITS)
        nearest = self._nearest[step[..., 0], step[..., 1], step[..., 2]]
        colours, numbers = self._exact
        packed = _packed(pixels)
        place = np.minimum(np.searchsorted(colours, packed), len(colours) - 1)
        return np.where(colours[place] == packed, numbers[place], nearest)

    @cached_property
    def _nearest(self) -> np.ndarray:
        """The number of the palette colour nearest to the middle of each box of colours."""
        side = 1 << BITS
        middle = (np.arange(side) + 0.5) * (256 / side)
        nearest = np.empty((side, side, side), np.uint8)
        green, blue = np.meshgrid(middle, middle, indexing="ij")
        rows = self.rows.astype(float)
        for k, red in enumerate(middle):
            off = (rows[:, 0] - red) ** 2 + (green[..., None] - rows[:, 1]) ** 2 + (blue[..., None] - rows[:, 2]) ** 2
            nearest[k] = off.argmin(axis=2)
        return nearest

    @cached_property
    def _exact(self) -> tuple[np.ndarray, np.ndarray]:
        """The flat colours sorted, and their numbers."""
        colours = _packed(self.rows[: self.flat])
        order = np.argsort(colours)
        return colours[order], order.astype(np.uint8)


def palette(pictures: Sequence[Image.Image]) -> Palette:
    """Return the colours that show these pictures best."""
    pixels = np.concatenate([np.asarray(picture).reshape(-1, 3) for picture in pictures])
    packed = _packed(pixels)
    colours, counts = np.unique(packed, return_counts=True)
    flat = colours[np.argsort(-counts.astype(np.int64), kind="stable")[:FLAT]]
    rows = np.stack([flat >> 16, flat >> 8 & 255, flat & 255], axis=1)
    rest = _spread(pixels[~np.isin(packed, flat)], COLOURS - len(flat))
    return Palette(np.concatenate([rows, rest]).astype(np.uint8), len(flat))


def _packed(pixels: np.ndarray) -> np.ndarray:
    """Return colours as one number each."""
    wide = pixels.astype(np.uint32)
    return wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]


def _spread(pixels: np.ndarray, count: int) -> np.ndarray:
    """Return at most ``count`` colours that best represent these pixels."""
    if not len(pixels):
        return np.empty((0, 3), np.uint8)
    roll = Image.fromarray(np.ascontiguousarray(pixels[np.newaxis]))
    values = roll.quantize(count, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette("RGB") or []
    return np.array(values[: 3 * count], np.uint8).reshape(-1, 3)
