"""A photo of a real table, rectified: its four picked corners become the corners of the table.

Places in a picture are in pixels from its upper left corner, x right and y down, with the centre of the first pixel at
(0.5, 0.5). The photo's file is only read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point

#: Suffixes of photos.
SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
#: Pixels: a larger photo is scaled down when it is opened; the longer side of a rectified one.
LARGEST, RECTIFIED = 4000, 2400
#: Pixels above which a file is refused unopened.
MOST = 200_000_000
#: The corners in their order: clockwise from the north-west.
CORNERS = ("north-west", "north-east", "south-east", "south-west")


@dataclass(frozen=True)
class Photo:
    """A photo for the table: its file, the upright picture, and the table's corners in it."""

    path: Path
    picture: Image.Image
    corners: tuple[Point, ...]

    def with_corner(self, number: int, at: Point) -> Photo:
        """Return the photo with one corner moved, kept within the picture."""
        width, height = self.picture.size
        kept = min(max(at[0], 0.0), float(width)), min(max(at[1], 0.0), float(height))
        return Photo(self.path, self.picture, (*self.corners[:number], kept, *self.corners[number + 1 :]))

    @property
    def fault(self) -> str:
        """What is wrong with the corners, "" if nothing: they must form a quadrilateral that a table can look like."""
        points = np.array(self.corners)
        edges = np.roll(points, -1, axis=0) - points
        turns = edges[:, 0] * np.roll(edges, -1, axis=0)[:, 1] - edges[:, 1] * np.roll(edges, -1, axis=0)[:, 0]
        if (turns > 0).all():
            return ""
        return "These corners cross: put them on the table's corners in order, clockwise from the upper left."


def opened(path: Path) -> Photo:
    """Return the photo in a file, turned upright, with initial corners a little inside its edges.

    BadQuestion, in one line, for a file that is not a picture.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise BadQuestion(f"{path.name} is no photo: choose a file that ends in {', '.join(SUFFIXES)}")
    try:
        with Image.open(path) as file:
            if file.width * file.height > MOST:
                raise BadQuestion(f"{path.name} has {file.width} x {file.height} pixels; make it smaller first")
            picture = ImageOps.exif_transpose(file).convert("RGB")
    except FileNotFoundError:
        raise BadQuestion(f"there is no file {path}; check the name") from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise BadQuestion(f"{path.name} cannot be read as a picture ({error}); save it again as JPEG or PNG") from None
    picture.thumbnail((LARGEST, LARGEST))
    return Photo(path, picture, first_corners(picture.size))


def first_corners(size: tuple[int, int]) -> tuple[Point, ...]:
    """Return the initial places of the handles."""
    (w, h), inset = size, 0.08
    west, east, north, south = inset * w, (1 - inset) * w, inset * h, (1 - inset) * h
    return (west, north), (east, north), (east, south), (west, south)


def homography(source: Sequence[Point], target: Sequence[Point]) -> np.ndarray:
    """Return the 3 x 3 matrix that maps four points to four others; numpy's LinAlgError if three are collinear.

    Coordinates are scaled to about 1 before solving, to keep precision on large pictures.
    """
    (a, to_a), (b, to_b) = _evened(source), _evened(target)
    rows = []
    for (x, y), (u, v) in zip(a.tolist(), b.tolist(), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    solved = np.linalg.solve(np.array(rows), b.reshape(-1))
    even = np.append(solved, 1.0).reshape(3, 3)
    matrix: np.ndarray = np.linalg.inv(to_b) @ even @ to_a
    return np.asarray(matrix / matrix[2, 2])


def _evened(points: Sequence[Point]) -> tuple[np.ndarray, np.ndarray]:
    """Return points centred at 0 and scaled to about 1, and the matrix that does so."""
    coordinates = np.array(points, float)
    middle = coordinates.mean(axis=0)
    size = float(np.abs(coordinates - middle).max()) or 1.0
    return (coordinates - middle) / size, np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, size]]) / size


def carried(matrix: np.ndarray, point: Point) -> Point:
    """Return the image of a point under a homography."""
    x, y, w = (matrix @ (point[0], point[1], 1.0)).tolist()
    return x / w, y / w


def rectified(photo: Photo, table: tuple[float, float], longest: int = RECTIFIED) -> Image.Image:
    """Return the part of a photo between its corners as seen from straight above, in the table's own shape."""
    scale = longest / max(table)
    size = max(1, round(table[0] * scale)), max(1, round(table[1] * scale))
    w, h = float(size[0]), float(size[1])
    matrix = homography([(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)], photo.corners)
    coefficients = (matrix / matrix[2, 2]).reshape(-1)[:8].tolist()
    return photo.picture.transform(size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC)
