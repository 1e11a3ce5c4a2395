"""Areas, strokes and discs on a surface, smooth at the edges: the basis of the painter's brushes.

Everything is first prepared as ``Ink``: while it stays in place, its ink is reused in every frame.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np
import pygame
import shapely
from PIL import Image, ImageDraw

from tabletop.geometry.measure import Point
from tabletop.render.drawing.primitives import Pen

#: Coordinates are clamped to this many pixels outside the surface, because pygame's integers overflow far outside.
FAR = 20000.0
#: Widths in pixels below which joints need no disc.
SLIM = 3.6
#: Pixels by which a polygon may deviate from its circle; its maximum corners; the radius in pixels below which a disc
#: is painted by pygame.
ROUND, CORNERS, SMALL = 0.06, 240.0, 3.0
#: Circles up to this radius in pixels are cached, at each of this many subpixel positions.
KEPT, PARTS = 24.0, 8
#: Segments of a quarter circle at the joints and ends of a wide transparent line.
ARC = 6
#: Supersampling for shapes up to so many pixels; its minimum; and for faint colours, its maximum as a multiple of the
#: opacity.
FINER, COARSEST, SHADES = ((8, 40_000.0), (4, 250_000.0), (3, 900_000.0), (2, math.inf)), 2, 16
#: Coverage of a fully covered pixel.
INSIDE = 255

#: Something ready to paint on a surface: all its coordinates are in pixels.
Ink = Callable[[pygame.Surface], object]
#: Polygons of pixels, one laid over another, with their coverage of a pixel; 0 cuts out.
Parts = list[tuple[np.ndarray, int]]


@dataclass(frozen=True)
class Easel:
    """A surface being painted: the camera, and the device pixels to a drawing's pixel (``density``)."""

    surface: pygame.Surface
    scale: float
    left: float
    top: float
    density: float
    smooth: bool

    def pixels(self, points: np.ndarray) -> np.ndarray:
        """Return table points (n, 2) as pixels."""
        placed = (points - (self.left, self.top)) * (self.scale, -self.scale)
        return placed.clip(-FAR, FAR, out=placed)

    def pixel(self, point: Point) -> Point:
        """Return one table point as a pixel."""
        x, y = (point[0] - self.left) * self.scale, (point[1] - self.top) * -self.scale
        return min(max(x, -FAR), FAR), min(max(y, -FAR), FAR)

    def length(self, value: float, pixels: bool) -> float:
        """Return a length in device pixels."""
        return value * (self.density if pixels else self.scale)

    @property
    def place(self) -> tuple[object, ...]:
        """Return everything that prepared ink depends on, except the surface itself."""
        return (self.scale, self.left, self.top, self.density, self.smooth, *self.surface.get_clip())


def fill(easel: Easel, points: np.ndarray, colour: str, opacity: float) -> Ink:
    """Fill a ring of pixels (n, 2)."""
    if opacity >= 1.0:
        return _solid(points.tolist(), pygame.Color(colour), easel.smooth)
    return _glazed(easel, [(points, INSIDE)], colour, opacity)


def disc(easel: Easel, at: Point, radius: float, colour: str, opacity: float = 1.0) -> Ink:
    """Fill a disc."""
    tone, smooth = pygame.Color(colour), easel.smooth
    if opacity >= 1.0 and (radius < SMALL or not smooth):
        return lambda surface: _disc(surface, at, radius, tone, smooth)
    if radius < KEPT and smooth:
        return _kept(at, (radius,), colour, opacity)
    return _glazed(easel, [(circle(at, radius), INSIDE)], colour, opacity)


def ring(easel: Easel, at: Point, radius: float, width: float, pen: Pen) -> Ink:
    """Draw a circle ``width`` pixels wide, as the area between two circles."""
    if radius < KEPT and easel.smooth:
        return _kept(at, (radius + width / 2, radius - width / 2), pen.colour, pen.opacity)
    rims = [(circle(at, radius + width / 2), INSIDE), (circle(at, radius - width / 2), 0)]
    return _glazed(easel, rims, pen.colour, pen.opacity)


def _kept(at: Point, radii: tuple[float, ...], colour: str, opacity: float) -> Ink:
    """Paint a small circle, or the area between two, from the cache at the nearest subpixel position."""
    x, y = (round(along * PARTS) for along in at)
    glaze, back = _round_glaze(radii, colour, opacity, x % PARTS, y % PARTS)
    corner = x // PARTS - back, y // PARTS - back
    return lambda surface: surface.blit(glaze, corner, special_flags=pygame.BLEND_PREMULTIPLIED)


@lru_cache(maxsize=1024)
def _round_glaze(radii: tuple[float, ...], colour: str, opacity: float, x: int, y: int) -> tuple[pygame.Surface, int]:
    """Return a circle, less an inner one, as pixels, and the distance of its centre from their corner."""
    back = math.ceil(radii[0]) + 2
    middle = (x / PARTS + back, y / PARTS + back)
    parts = [(circle(middle, max(radius, 0.0)), 0 if k else INSIDE) for k, radius in enumerate(radii)]
    return _glaze(parts, (2 * back + 1, 2 * back + 1), np.zeros(2), FINER[0][0], colour, opacity), back


def circle(at: Point, radius: float) -> np.ndarray:
    """Return a circle's corners (n, 2), enough to lie within ``ROUND`` pixels of the circle."""
    count = 4 * math.ceil(min(CORNERS, max(8.0, math.pi / math.acos(1.0 - ROUND / max(radius, 1.0)))) / 4)
    turns = np.arange(count) * (2.0 * math.pi / count)
    return np.column_stack([at[0] + radius * np.cos(turns), at[1] + radius * np.sin(turns)])


def _glazed(easel: Easel, parts: Parts, colour: str, opacity: float) -> Ink:
    """Blend a colour into the pixels under some polygons, each by its covered share."""
    clip = easel.surface.get_clip()
    every = np.concatenate([points for points, _ in parts])
    low = np.maximum(np.floor(every.min(axis=0)) - 1, clip.topleft)
    high = np.minimum(np.ceil(every.max(axis=0)) + 2, clip.bottomright)
    if (high <= low).any():
        return _nothing
    wide, tall = (int(side) for side in high - low)
    fine = _fineness(wide * tall, opacity) if easel.smooth else 1
    glaze, at = _glaze(parts, (wide, tall), low, fine, colour, opacity), low.tolist()
    return lambda surface: surface.blit(glaze, at, special_flags=pygame.BLEND_PREMULTIPLIED)


def _fineness(pixels: int, opacity: float) -> int:
    """Return the supersampling for a shape of this many pixels; in a faint colour steps show less."""
    finest = next(fine for fine, most in FINER if pixels <= most)
    return min(finest, max(COARSEST, math.ceil(SHADES * opacity)))


def _glaze(
    parts: Parts, size: tuple[int, int], low: np.ndarray, fine: int, colour: str, opacity: float
) -> pygame.Surface:
    """Return a colour on the pixels that polygons cover, from pixel ``low`` on, supersampled ``fine`` times."""
    sheet = Image.new("L", (size[0] * fine, size[1] * fine))
    pencil = ImageDraw.Draw(sheet)
    for points, light in parts:  # a pixel's centre has whole coordinates
        pencil.polygon([(x, y) for x, y in ((points - low + 0.5) * fine).tolist()], fill=light)
    covered = np.asarray(sheet.reduce(fine) if fine > 1 else sheet)
    return pygame.image.frombuffer(_glazes(colour, opacity)[covered].tobytes(), size, "BGRA")


@lru_cache(maxsize=256)
def _glazes(colour: str, opacity: float) -> np.ndarray:
    """Return a colour at each of 256 coverages, premultiplied: blue, green, red and alpha in one number each."""
    tone = pygame.Color(colour)
    share = np.arange(INSIDE + 1) / INSIDE * opacity
    parts = np.round(np.outer(share, (tone.b, tone.g, tone.r, 255))).astype(np.uint32)
    return np.asarray(parts @ np.array([1, 1 << 8, 1 << 16, 1 << 24], np.uint32), np.uint32)


def _veil(size: list[float], tone: pygame.Color) -> pygame.Surface:
    """Return a transparent sheet of a colour, so that edges smoothed into it get no dark rim."""
    veil = pygame.Surface([math.ceil(side) for side in size], pygame.SRCALPHA)
    veil.fill((tone.r, tone.g, tone.b, 0))
    return veil


def _nothing(_: pygame.Surface) -> None:
    """Paint nothing."""


def _solid(corners: list[list[float]], tone: pygame.Color, smooth: bool) -> Ink:
    def ink(surface: pygame.Surface) -> None:
        pygame.draw.polygon(surface, tone, corners)
        if smooth:
            pygame.draw.aalines(surface, tone, True, corners)

    return ink


def stroke(easel: Easel, tracks: list[np.ndarray], width: float, pen: Pen) -> Ink:
    """Draw polylines of pixels ``width`` pixels wide; the pen gives colour, opacity and ends, not the dash."""
    if pen.opacity < 1.0:
        return _veiled(easel, tracks, width, pen)
    if width < 1.4:
        return _thin([track.tolist() for track in tracks], pygame.Color(pen.colour), width, easel.smooth)
    if width < SLIM and easel.smooth:
        return _slim(tracks, pygame.Color(pen.colour), round(width))
    return _thick(tracks, width, pen, easel.smooth)


def _thin(tracks: list[list[list[float]]], tone: pygame.Color, width: float, smooth: bool) -> Ink:
    def ink(surface: pygame.Surface) -> None:
        for track in tracks:
            if not smooth:
                pygame.draw.lines(surface, tone, False, track, max(1, round(width)))
            elif len(track) == 2:  # aalines does not paint a single segment the same way every time
                pygame.draw.aaline(surface, tone, track[0], track[1])
            else:
                pygame.draw.aalines(surface, tone, False, track)

    return ink


def _slim(tracks: list[np.ndarray], tone: pygame.Color, width: int) -> Ink:
    stretches = [stretch for track in tracks for stretch in pairwise(track.tolist())]

    def ink(surface: pygame.Surface) -> None:
        aaline = pygame.draw.aaline
        for a, b in stretches:
            aaline(surface, tone, a, b, width)

    return ink


def _thick(tracks: list[np.ndarray], width: float, pen: Pen, smooth: bool) -> Ink:
    """Draw polylines as a quadrangle for each segment, with discs at the joints."""
    tone, quads, stop = pygame.Color(pen.colour), _quads(tracks, width), 0
    parts = []
    for track in tracks:
        start, stop = stop, stop + len(track) - 1
        joints = track if pen.round else track[1:-1]
        parts.append((quads[start:stop], joints.tolist() if width > 2.5 else ()))

    def ink(surface: pygame.Surface) -> None:
        for stretches, discs in parts:
            for quad in stretches:
                pygame.draw.polygon(surface, tone, quad)
                if smooth:
                    pygame.draw.aalines(surface, tone, True, quad)
            for joint in discs:
                _disc(surface, joint, width / 2, tone, smooth)

    return ink


def _quads(tracks: list[np.ndarray], width: float) -> list[list[list[float]]]:
    """Return the quadrangles of all segments of some polylines, one polyline after another."""
    points = np.concatenate(tracks)
    whole = np.ones(len(points), bool)
    whole[np.cumsum([len(track) for track in tracks]) - 1] = False  # no segment between two polylines
    a, b = points[whole], points[np.flatnonzero(whole) + 1]
    way = b - a
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]
    across = np.column_stack([-way[:, 1], way[:, 0]]) / length * (width / 2)
    quads: list[list[list[float]]] = np.stack([a + across, b + across, b - across, a - across], axis=1).tolist()
    return quads


def _veiled(easel: Easel, tracks: list[np.ndarray], width: float, pen: Pen) -> Ink:
    """Draw strokes at a pen's opacity: wide ones as polygons, thin ones on a sheet blended over."""
    if width < SLIM or not easel.smooth:
        return _on_a_sheet(easel, tracks, width, pen)
    lines = shapely.MultiLineString([[*track.tolist(), track[-1].tolist()] for track in tracks])  # a dot
    caps: Literal["round", "flat"] = "round" if pen.round else "flat"
    ground = shapely.buffer(lines, width / 2, quad_segs=ARC, cap_style=caps, join_style="round")
    parts: Parts = []
    for part in sorted(shapely.get_parts(ground), key=lambda part: -part.area):  # an island after the part around it
        parts.append((shapely.get_coordinates(part.exterior), INSIDE))
        parts += [(shapely.get_coordinates(hole), 0) for hole in part.interiors]
    return _glazed(easel, parts, pen.colour, pen.opacity) if parts else _nothing


def _on_a_sheet(easel: Easel, tracks: list[np.ndarray], width: float, pen: Pen) -> Ink:
    points, box = np.concatenate(tracks), easel.surface.get_clip()
    low = np.maximum(np.floor(points.min(axis=0) - width), box.topleft)
    high = np.minimum(np.ceil(points.max(axis=0) + width + 1), box.bottomright)
    if (high <= low).any():
        return _nothing
    veil, at = _veil((high - low).tolist(), pygame.Color(pen.colour)), low.tolist()
    stroke(easel, [track - low for track in tracks], width, replace(pen, dash=(), opacity=1.0))(veil)
    veil.set_alpha(round(255 * pen.opacity))
    return lambda surface: surface.blit(veil, at)


def _disc(surface: pygame.Surface, at: Point, radius: float, tone: pygame.Color, smooth: bool) -> None:
    if smooth and radius >= 1.5:
        pygame.draw.aacircle(surface, tone, at, radius)
    else:
        pygame.draw.circle(surface, tone, at, max(0.5, radius))
