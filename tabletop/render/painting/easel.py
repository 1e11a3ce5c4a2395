"""Pixels: areas, strokes and discs on a surface, smooth at the edges. What a painter's brushes are made of.

What is to be painted is made ready first, as ``Ink``: where a thing stays where it is, its ink serves every frame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pygame

from tabletop.geometry.measure import Point
from tabletop.render.drawing.primitives import Pen

#: Pixels beyond the surface's edge within which coordinates are kept: pygame's integers overflow far outside.
FAR = 20000.0
#: Widths in pixels below which joints need no disc.
SLIM = 3.6

#: Something ready to be painted on a surface: every corner is in pixels.
Ink = Callable[[pygame.Surface], object]


@dataclass(frozen=True)
class Easel:
    """A surface being painted: the camera, and how many device pixels a drawing's pixel is (``density``)."""

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
        """Return all that ink made ready for this easel rests on, but the surface itself."""
        return (self.scale, self.left, self.top, self.density, self.smooth, *self.surface.get_clip())


def fill(easel: Easel, points: np.ndarray, colour: str, opacity: float) -> Ink:
    """Fill a ring of pixels (n, 2)."""
    tone = pygame.Color(colour)
    if opacity >= 1.0:
        return _solid(points.tolist(), tone, easel.smooth)
    clip = easel.surface.get_clip()
    low = np.maximum(points.min(axis=0), clip.topleft)
    high = np.minimum(points.max(axis=0) + 1, clip.bottomright)
    if (high <= low).any():
        return _nothing
    corner = np.floor(low)
    veil = pygame.Surface(np.ceil(high - corner).tolist(), pygame.SRCALPHA)
    tone.a = round(255 * opacity)
    pygame.draw.polygon(veil, tone.premul_alpha(), (points - corner).tolist())
    at = corner.tolist()
    return lambda surface: surface.blit(veil, at, special_flags=pygame.BLEND_PREMULTIPLIED)


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
            elif len(track) == 2:  # aalines paints a single stretch otherwise from one time to the next
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
    """Polylines as one quadrangle a stretch, with discs at the joints."""
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
    """Return the quadrangle of each stretch of some polylines, one polyline after the other."""
    points = np.concatenate(tracks)
    whole = np.ones(len(points), bool)
    whole[np.cumsum([len(track) for track in tracks]) - 1] = False  # no stretch from one polyline to the next
    a, b = points[whole], points[np.flatnonzero(whole) + 1]
    way = b - a
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]
    across = np.column_stack([-way[:, 1], way[:, 0]]) / length * (width / 2)
    found: list[list[list[float]]] = np.stack([a + across, b + across, b - across, a - across], axis=1).tolist()
    return found


def _veiled(easel: Easel, tracks: list[np.ndarray], width: float, pen: Pen) -> Ink:
    """Stroke on a transparent sheet of just the size needed, to lay over at the pen's opacity."""
    points, box = np.concatenate(tracks), easel.surface.get_clip()
    low = np.maximum(np.floor(points.min(axis=0) - width), box.topleft)
    high = np.minimum(np.ceil(points.max(axis=0) + width + 1), box.bottomright)
    if (high <= low).any():
        return _nothing
    veil, at = pygame.Surface((high - low).tolist(), pygame.SRCALPHA), low.tolist()
    stroke(easel, [track - low for track in tracks], width, replace(pen, dash=(), opacity=1.0))(veil)
    veil.set_alpha(round(255 * pen.opacity))
    return lambda surface: surface.blit(veil, at)


def disc(easel: Easel, at: Point, radius: float, colour: str) -> Ink:
    """Fill a disc."""
    tone, smooth = pygame.Color(colour), easel.smooth
    return lambda surface: _disc(surface, at, radius, tone, smooth)


def _disc(surface: pygame.Surface, at: Point, radius: float, tone: pygame.Color, smooth: bool) -> None:
    if smooth and radius >= 1.5:
        pygame.draw.aacircle(surface, tone, at, radius)
    else:
        pygame.draw.circle(surface, tone, at, max(0.5, radius))
