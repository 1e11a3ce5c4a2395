"""A rectangle of pixels over the table, with the means to paint on it: masks of shapes, blurs, drawn shapes.

Lengths are in inches at figure scale (``grain`` table units each), so that a table in millimetres looks like one in
inches. Pixel rows run from north to south. Everything depends on a pixel's position on the table, never on the plate,
so that neighbouring plates fit together.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import shapely
from PIL import Image, ImageDraw
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point

#: Shapes are drawn this many times as large and averaged, for smooth edges.
FINER = 3
#: A colour, red, green and blue from 0 to 255.
Tone = tuple[float, float, float]
#: Rows and columns of a plate, so that painting can skip what a shape does not reach.
Part = tuple[slice, slice]


@dataclass(frozen=True)
class Plate:
    """``columns`` × ``rows`` pixels, the first of them ``left`` and ``down`` pixels from the table's north-west corner.

    ``density`` is pixels an inch, ``grain`` an inch in table units, ``north`` the table's height in table units.
    ``textures`` caches those asked for, each (rows, columns).
    """

    left: int
    down: int
    columns: int
    rows: int
    density: float
    grain: float
    north: float
    textures: dict[Hashable, np.ndarray] = field(default_factory=dict, compare=False, repr=False)

    @property
    def scale(self) -> float:
        """Pixels to a table unit."""
        return self.density / self.grain

    @cached_property
    def box(self) -> shapely.Polygon:
        """The ground of the plate, in table units."""
        x0, y1 = self.left / self.scale, self.north - self.down / self.scale
        return shapely.box(x0, y1 - self.rows / self.scale, x0 + self.columns / self.scale, y1)

    @cached_property
    def east(self) -> np.ndarray:
        """Inches from the table's west edge, (1, columns)."""
        return ((np.arange(self.columns, dtype=np.float32) + self.left + 0.5) / self.density)[None, :]

    @cached_property
    def south(self) -> np.ndarray:
        """Inches from the table's north edge, (rows, 1)."""
        return ((np.arange(self.rows, dtype=np.float32) + self.down + 0.5) / self.density)[:, None]

    def shows(self, shape: BaseGeometry, around: float = 0.0) -> bool:
        """Return whether a shape (table units) comes within ``around`` inches of the plate."""
        return not shape.is_empty and bool(shapely.dwithin(shape, self.box, around * self.grain))

    def pixels(self, points: np.ndarray) -> np.ndarray:
        """Return table points (n, 2) as pixels of the plate."""
        corner = np.array([self.left / self.scale, self.north - self.down / self.scale])
        placed: np.ndarray = (np.asarray(points, float) - corner) * (self.scale, -self.scale)
        return placed

    def mask(self, shape: BaseGeometry) -> np.ndarray:
        """Return how much of each pixel a shape (table units) covers: (rows, columns), 0 to 1."""
        covered = np.zeros((self.rows, self.columns), np.float32)
        part = self._part(shapely.get_coordinates(shape), 0.0)
        if part is None:
            return covered
        sheet = Image.new("L", _finer(part), 0)
        pen = ImageDraw.Draw(sheet)
        for piece in shapely.get_parts(shape):
            if isinstance(piece, shapely.Polygon) and self.shows(piece):
                pen.polygon(self._corners(shapely.get_coordinates(piece.exterior), part), fill=255)
                for hole in piece.interiors:
                    pen.polygon(self._corners(shapely.get_coordinates(hole), part), fill=0)
        covered[part] = np.asarray(sheet.reduce(FINER), np.float32) / 255.0
        return covered

    def _part(self, points: np.ndarray, around: float) -> Part | None:
        """Return the rows and columns that table points cover, with a margin of ``around`` inches; None for none."""
        if not len(points):
            return None
        at, more = self.pixels(points), around * self.density + 1.0
        west, up = np.floor(np.clip(at.min(axis=0) - more, 0.0, (self.columns, self.rows))).astype(int)
        east, down = np.ceil(np.clip(at.max(axis=0) + more, 0.0, (self.columns, self.rows))).astype(int)
        return (slice(up, down), slice(west, east)) if west < east and up < down else None

    def _corners(self, points: np.ndarray, part: Part) -> list[tuple[float, float]]:
        """Return table points as points of the finer sheet of a part."""
        first = (part[1].start, part[0].start)
        return [(float(x), float(y)) for x, y in (self.pixels(points) - first) * FINER - 0.5]

    def strip(self, line: BaseGeometry, inches: float) -> np.ndarray:
        """Return the mask of a line (table units) this many inches wide."""
        return self.mask(line.buffer(inches * self.grain / 2))

    def blur(self, mask: np.ndarray, inches: float) -> np.ndarray:
        """Return a mask blurred by about a bell curve of this deviation: three averages over a moving box."""
        width = max(1, round(inches * self.density * 1.88) | 1)
        part = covered_part(mask, 3 * (width // 2)) if width > 1 else None
        if part is None:
            return mask
        within = mask[part]
        for _ in range(3):
            within = _averaged(_averaged(within, width, 0), width, 1)
        blurred = np.zeros_like(mask)
        blurred[part] = within
        return blurred

    def shifted(self, mask: np.ndarray, east: float, south: float) -> np.ndarray:
        """Return a mask moved by inches; what enters from outside repeats the rim."""
        dx, dy = round(east * self.density), round(south * self.density)
        rows = np.clip(np.arange(self.rows) - dy, 0, self.rows - 1)
        columns = np.clip(np.arange(self.columns) - dx, 0, self.columns - 1)
        return mask[rows][:, columns]

    def draw(self, rgb: np.ndarray, items: Iterable[Drawn]) -> None:
        """Draw shapes over colours (rows, columns, 3), smooth at the edges."""
        items = list(items)
        around = max((item.width or 0.0 for item in items), default=0.0)
        part = self._part(np.array([point for item in items for point in item.points]), around)
        if part is None:
            return
        sheet = Image.new("RGBA", _finer(part), (0, 0, 0, 0))
        pen = ImageDraw.Draw(sheet)
        for item in items:
            points = self._corners(np.asarray(item.points), part)
            tone = tuple(round(min(max(value, 0.0), 255.0)) for value in item.tone)
            if item.width is None:
                pen.polygon(points, fill=tone)
            else:
                pen.line(points, fill=tone, width=max(1, round(item.width * self.density * FINER)), joint="curve")
        over, under = np.asarray(sheet.convert("RGBa").reduce(FINER), np.float32), rgb[part]
        under *= 1.0 - over[..., 3:] / 255.0
        under += over[..., :3]


@dataclass(frozen=True)
class Drawn:
    """A polygon, or a line if it has a width (inches), of table points in one colour."""

    points: Sequence[tuple[float, float]]
    tone: Tone
    width: float | None = None


def _averaged(mask: np.ndarray, width: int, axis: int) -> np.ndarray:
    """Return the averages over ``width`` pixels along one axis, the rim repeated."""
    half = width // 2
    pads = [(0, 0), (0, 0)]
    pads[axis] = (half + 1, half)
    sums = np.cumsum(np.pad(mask, pads, mode="edge"), axis=axis, dtype=np.float32)  # accurate to some 3e-5 over a plate
    count = mask.shape[axis]
    ahead, behind = [slice(None)] * 2, [slice(None)] * 2
    ahead[axis], behind[axis] = slice(width, width + count), slice(0, count)
    return ((sums[tuple(ahead)] - sums[tuple(behind)]) / width).astype(np.float32)


def between(a: Point, b: Point, share: float) -> Point:
    """Return the point on a line at a share of the distance from a to b."""
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def smoothstep(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """Return values from 0 below ``low`` to 1 above ``high``, smooth in between."""
    t = np.clip((values - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def covered_part(cover: np.ndarray, around: int = 0) -> Part | None:
    """Return the rows and columns outside which ``cover`` (rows, columns) is 0, with a margin of ``around`` pixels."""
    rows, columns = np.flatnonzero(cover.any(axis=1)), np.flatnonzero(cover.any(axis=0))
    if not len(rows):
        return None
    up, left = max(0, int(rows[0]) - around), max(0, int(columns[0]) - around)
    return slice(up, int(rows[-1]) + 1 + around), slice(left, int(columns[-1]) + 1 + around)


def lay(rgb: np.ndarray, tone: Tone | np.ndarray, cover: np.ndarray) -> None:
    """Blend a colour, or one for each place, into colours (rows, columns, 3) by the share ``cover`` (rows, columns)."""
    part = covered_part(cover)
    if part is not None:
        tones, under = np.asarray(tone, np.float32), rgb[part]
        under += ((tones[part] if tones.ndim == 3 else tones) - under) * cover[part][..., None]


def darken(rgb: np.ndarray, cover: np.ndarray, share: float) -> None:
    """Darken by a share where ``cover`` (rows, columns) is 1, as a shadow does."""
    part = covered_part(cover)
    if part is not None:
        under = rgb[part]
        under *= 1.0 - share * cover[part][..., None]


def _finer(part: Part) -> tuple[int, int]:
    """Return the width and height of the finer sheet of a part."""
    return (part[1].stop - part[1].start) * FINER, (part[0].stop - part[0].start) * FINER
