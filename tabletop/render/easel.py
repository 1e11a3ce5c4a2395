"""Pixels: areas, strokes and discs on a surface, smooth at the edges. What a painter's brushes are made of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pygame

from tabletop.render.drawing import Pen

#: Pixels beyond the surface's edge within which coordinates are kept: pygame's integers overflow far outside.
FAR = 20000.0
#: Widths in pixels below which joints need no disc.
SLIM = 3.6


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

    def length(self, value: float, pixels: bool) -> float:
        """Return a length in device pixels."""
        return value * (self.density if pixels else self.scale)


def fill(easel: Easel, points: np.ndarray, colour: str, opacity: float) -> None:
    """Fill a ring of pixels (n, 2)."""
    if opacity >= 1.0:
        corners = points.tolist()
        pygame.draw.polygon(easel.surface, colour, corners)
        if easel.smooth:
            pygame.draw.aalines(easel.surface, colour, True, corners)
        return
    low = np.maximum(points.min(axis=0), easel.surface.get_clip().topleft)
    high = np.minimum(points.max(axis=0) + 1, easel.surface.get_clip().bottomright)
    if (high <= low).any():
        return
    corner = np.floor(low)
    size = np.ceil(high - corner)
    veil = pygame.Surface(size.tolist(), pygame.SRCALPHA)
    tone = pygame.Color(colour)
    tone.a = round(255 * opacity)
    pygame.draw.polygon(veil, tone.premul_alpha(), (points - corner).tolist())
    easel.surface.blit(veil, corner.tolist(), special_flags=pygame.BLEND_PREMULTIPLIED)


def stroke(easel: Easel, tracks: list[np.ndarray], width: float, pen: Pen) -> None:
    """Draw polylines of pixels ``width`` pixels wide; the pen gives colour, opacity and ends, not the dash."""
    if pen.opacity < 1.0:
        _veiled(easel, tracks, width, pen)
    elif width < 1.4:
        _thin(easel, tracks, pen.colour, width)
    elif width < SLIM and easel.smooth:
        _slim(easel, tracks, pen.colour, round(width))
    else:
        for track in tracks:
            _thick(easel, track, width, pen)


def _opaque(pen: Pen) -> Pen:
    return Pen(pen.colour, pen.width, pen.pixels, (), 1.0, pen.round)


def _thin(easel: Easel, tracks: list[np.ndarray], colour: str, width: float) -> None:
    surface = easel.surface
    for track in tracks:
        if easel.smooth:
            pygame.draw.aalines(surface, colour, False, track.tolist())
        else:
            pygame.draw.lines(surface, colour, False, track.tolist(), max(1, round(width)))


def _slim(easel: Easel, tracks: list[np.ndarray], colour: str, width: int) -> None:
    for track in tracks:
        for a, b in pairwise(track.tolist()):
            pygame.draw.aaline(easel.surface, colour, a, b, width)


def _thick(easel: Easel, track: np.ndarray, width: float, pen: Pen) -> None:
    """A polyline as one quadrangle a stretch, with discs at the joints."""
    a, b = track[:-1], track[1:]
    way = b - a
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]
    across = np.column_stack([-way[:, 1], way[:, 0]]) / length * (width / 2)
    quads = np.stack([a + across, b + across, b - across, a - across], axis=1).tolist()
    for quad in quads:
        pygame.draw.polygon(easel.surface, pen.colour, quad)
        if easel.smooth:
            pygame.draw.aalines(easel.surface, pen.colour, True, quad)
    joints = track if pen.round else track[1:-1]
    for joint in joints.tolist() if width > 2.5 else ():
        disc(easel, joint, width / 2, pen.colour)


def _veiled(easel: Easel, tracks: list[np.ndarray], width: float, pen: Pen) -> None:
    """Stroke on a transparent sheet of just the size needed and lay it over at the pen's opacity."""
    points, box = np.vstack(tracks), easel.surface.get_clip()
    low = np.maximum(np.floor(points.min(axis=0) - width), box.topleft)
    high = np.minimum(np.ceil(points.max(axis=0) + width + 1), box.bottomright)
    if (high <= low).any():
        return
    veil = pygame.Surface((high - low).tolist(), pygame.SRCALPHA)
    stroke(replace(easel, surface=veil), [track - low for track in tracks], width, _opaque(pen))
    veil.set_alpha(round(255 * pen.opacity))
    easel.surface.blit(veil, low.tolist())


def disc(easel: Easel, at: list[float], radius: float, colour: str) -> None:
    """Fill a disc."""
    if easel.smooth and radius >= 1.5:
        pygame.draw.aacircle(easel.surface, colour, at, radius)
    else:
        pygame.draw.circle(easel.surface, colour, at, max(0.5, radius))
