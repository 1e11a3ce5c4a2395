"""Paints a drawing on a pygame surface, with any camera and smooth edges, fast enough to repaint on every zoom step."""

from __future__ import annotations

import io
import math
import weakref
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate

import numpy as np
import pygame

from tabletop.geometry.measure import Point
from tabletop.render.drawing.glyphs import glyph as symbol
from tabletop.render.drawing.lettering import font_bytes
from tabletop.render.drawing.primitives import (
    Area,
    Box,
    Camera,
    Circle,
    Drawing,
    Face,
    Frame,
    Item,
    Layer,
    Lines,
    Painting,
    Ring,
    Stamps,
    Text,
)
from tabletop.render.drawing.strokes import closed, dashed
from tabletop.render.drawing.theme import current_palette
from tabletop.render.painting.easel import Easel, Ink, circle, disc, fill, ring, stroke

#: Sprites are painted this many times larger and shrunk.
FINE = 4
#: Rendered texts kept: twice the number that the largest table shows at once.
LETTERED = 256


def paint(surface: pygame.Surface, drawing: Drawing, camera: Camera, density: float = 1.0, smooth: bool = True) -> None:
    """Paint a drawing on a surface as the camera shows it.

    ``density`` multiplies every length given in pixels (2 on a surface to be shrunk by half). ``smooth`` False leaves
    edges jagged, for surfaces that are shrunk afterwards.
    """
    if not (surface.get_width() and surface.get_height()):
        return
    easel = Easel(surface, camera.scale, camera.left, camera.top, density, smooth)
    before = surface.get_clip()
    clip, place = None, (*easel.place, current_palette())
    for layer in drawing.layers:
        if layer.clip != clip:
            clip = layer.clip
            surface.set_clip(before if clip is None else _clip(easel, clip, before))
            place = (*easel.place, current_palette())
        for bounds, brush in _prepared(layer):
            if _in_sight(easel, bounds):
                brush(easel, place)
    surface.set_clip(before)


def within(surface: pygame.Surface, place: pygame.Rect) -> pygame.Surface:
    """Return the part of a surface inside a rectangle, to draw on; empty if the window is too small to show it."""
    part = place.clip(surface.get_rect())
    return surface.subsurface(part if part.width and part.height else (0, 0, 0, 0))


def picture(drawing: Drawing, density: float = 1.0) -> pygame.Surface:
    """Return a drawing's whole view as a new surface, painted three times as large (two if huge) and shrunk."""
    width, height = (max(1, round(n * density)) for n in drawing.size)
    fine = 3 if width * height < 5_000_000 else 2
    canvas = pygame.Surface((width * fine, height * fine))
    canvas.fill(drawing.background or "#ffffff")
    paint(canvas, drawing, Frame.of(drawing, density * fine), density * fine, smooth=False)
    return shrunk(canvas, fine)


def shrunk(canvas: pygame.Surface, fine: int) -> pygame.Surface:
    """Return a surface shrunk by a whole number, every pixel the mean of a block (smoothscale darkens flat colours)."""
    pixels = pygame.surfarray.pixels3d(canvas)
    total = np.full((pixels.shape[0] // fine, pixels.shape[1] // fine, 3), fine * fine // 2, np.uint16)
    for i in range(fine):
        for j in range(fine):
            total += pixels[i::fine, j::fine]
    return pygame.surfarray.make_surface((total // (fine * fine)).astype(np.uint8))


def png(drawing: Drawing, density: float = 1.0) -> bytes:
    """Return a drawing as a PNG file; needs no display."""
    out = io.BytesIO()
    pygame.image.save(picture(drawing, density), out, "picture.png")
    return out.getvalue()


Place = tuple[object, ...]
Brush = Callable[[Easel, Place], None]
Wet = Callable[[Easel], list[Ink]]
Prepared = list[tuple[Box | None, Brush]]
_cache: dict[int, Prepared] = {}


def _prepared(layer: Layer) -> Prepared:
    """Return a layer's items as brushes, made once in the lifetime of the layer."""
    key = id(layer)
    if key not in _cache:
        _cache[key] = [(_bounds(item), _brush(WETS[type(item)](item))) for item in layer.items if _has_points(item)]
        weakref.finalize(layer, _cache.pop, key, None)
    return _cache[key]


def _brush(wet: Wet) -> Brush:
    """Return a brush that reuses its ink as long as it paints in the same place, as most items do."""
    last: Place = ()
    kept: list[Ink] | None = None

    def brush(easel: Easel, place: Place) -> None:
        nonlocal last, kept
        if kept is None or place != last:
            inks = wet(easel)
            last, kept = place, inks if place == last else None
        else:
            inks = kept
        for ink in inks:
            ink(easel.surface)

    return brush


def _clip(easel: Easel, box: Box, before: pygame.Rect) -> pygame.Rect:
    (x0, y0), (x1, y1) = easel.pixel((box[0], box[3])), easel.pixel((box[2], box[1]))
    return pygame.Rect(
        math.floor(x0), math.floor(y0), math.ceil(x1) - math.floor(x0), math.ceil(y1) - math.floor(y0)
    ).clip(before)


def _has_points(item: Item) -> bool:
    """Return whether an item has any points; the hatching of a tiny sliver has none."""
    return not isinstance(item, Lines) or any(item.lines)


def _bounds(item: Item) -> Box | None:
    """Return the box of an item's points, or None for an item at a single point (which is cheap to paint anyway)."""
    if isinstance(item, Area):
        rings: tuple[Ring, ...] = item.rings[:1]
    elif isinstance(item, Lines) and item.lines:
        rings = item.lines
    elif isinstance(item, Painting):
        return item.box
    else:
        return None
    xs, ys = [x for ring in rings for x, _ in ring], [y for ring in rings for _, y in ring]
    room = 0.0 if isinstance(item, Area) or item.pen.pixels else item.pen.width
    return min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room


def _in_sight(easel: Easel, bounds: Box | None) -> bool:
    if bounds is None:
        return True
    width, height = easel.surface.get_size()
    room = 8 * easel.density
    x0, x1 = (bounds[0] - easel.left) * easel.scale, (bounds[2] - easel.left) * easel.scale
    y0, y1 = (easel.top - bounds[3]) * easel.scale, (easel.top - bounds[1]) * easel.scale
    return x1 >= -room and x0 <= width + room and y1 >= -room and y0 <= height + room


# --- areas -----------------------------------------------------------------------------------------------------------


def _area(item: Area) -> Wet:
    outer = _with_holes(item.rings) if item.fill else None
    edge = _lines(Lines(tuple((*ring, ring[0]) for ring in item.rings if ring), item.pen)) if item.pen else None

    def wet(easel: Easel) -> list[Ink]:
        inks = [] if outer is None else [fill(easel, easel.pixels(outer), item.fill or "", item.opacity)]
        return [*inks, *edge(easel)] if edge else inks

    return wet


def _with_holes(rings: tuple[Ring, ...]) -> np.ndarray:
    """Return one ring that follows the outline and, over the shortest bridges, every hole."""
    outer = np.array(rings[0], float)
    for hole in rings[1:]:
        inner = closed(hole)[:-1]
        gaps = ((outer[:, None, :] - inner[None, :, :]) ** 2).sum(axis=2)
        i, j = np.unravel_index(int(gaps.argmin()), gaps.shape)
        turned = np.roll(inner, -int(j), axis=0)
        outer = np.vstack([outer[: i + 1], turned, turned[:1], outer[i:]])
    return outer


# --- lines -----------------------------------------------------------------------------------------------------------


def _lines(item: Lines) -> Wet:
    pen = item.pen
    tracks = [np.array(line, float) for line in item.lines if len(line) > 1]
    if pen.dash and not pen.pixels:
        pattern = tuple(d * pen.width for d in pen.dash)
        tracks = [piece for track in tracks for piece in dashed(track, pattern)]
    if not tracks:
        return lambda _: []
    every, stops = np.concatenate(tracks), list(accumulate(map(len, tracks)))
    stretches = list(zip([0, *stops], stops, strict=False))

    def wet(easel: Easel) -> list[Ink]:
        pixels = easel.pixels(every)
        placed = [pixels[start:stop] for start, stop in stretches]
        width = easel.length(pen.width, pen.pixels)
        if pen.dash and pen.pixels:
            pattern = tuple(d * width for d in pen.dash)
            placed = [piece for track in placed for piece in dashed(track, pattern)]
        return [stroke(easel, placed, width, pen)]

    return wet


# --- circles, symbols, text ------------------------------------------------------------------------------------------


def _circle(item: Circle) -> Wet:
    def wet(easel: Easel) -> list[Ink]:
        centre = easel.pixel(item.at)
        radius = easel.length(item.radius, item.pixels)
        inks: list[Ink] = []
        if radius > 4000 or radius <= 0:
            return inks
        if item.fill:
            inks.append(disc(easel, centre, radius, item.fill, item.opacity))
        width = easel.length(item.pen.width, item.pen.pixels) if item.pen else 0.0
        if item.pen and not item.pen.dash and 1.4 <= width < 2 * radius:
            inks.append(ring(easel, centre, radius, width, item.pen))
        elif item.pen:
            whole = circle(centre, radius)
            tracks = [np.concatenate([whole, whole[:1]])]
            if item.pen.dash:
                tracks = dashed(tracks[0], tuple(d * width for d in item.pen.dash))
            inks.append(stroke(easel, tracks, width, item.pen))
        return inks

    return wet


def sprite(glyph: str, size: int, turn: int = 0) -> pygame.Surface:
    """Return a symbol ``size`` pixels wide, turned clockwise by ``turn`` degrees, colours premultiplied by alpha."""
    return _sprite(glyph, size, turn, current_palette())


@lru_cache(maxsize=256)
def _sprite(glyph: str, size: int, turn: int, _palette: str) -> pygame.Surface:
    side = max(1, math.ceil(size * 1.2))
    canvas = pygame.Surface((side * FINE, side * FINE), pygame.SRCALPHA)
    reach = side / size / 2
    s, c = math.sin(math.radians(turn)), math.cos(math.radians(turn))
    easel = Easel(canvas, size * FINE, -reach, reach, FINE, False)
    for item in symbol(glyph):
        turned = _turned(item, s, c) if turn else item
        for ink in WETS[type(item)](turned)(easel):
            ink(canvas)
    return pygame.transform.smoothscale(canvas, (side, side))


def _turned(item: Item, s: float, c: float) -> Item:
    """Return a symbol's part turned clockwise around the middle."""

    def at(p: tuple[float, float]) -> tuple[float, float]:
        return c * p[0] + s * p[1], c * p[1] - s * p[0]

    if isinstance(item, Area):
        return Area(tuple(tuple(at(p) for p in ring) for ring in item.rings), item.fill, item.pen, item.opacity)
    if isinstance(item, Lines):
        return Lines(tuple(tuple(at(p) for p in line) for line in item.lines), item.pen)
    if isinstance(item, Circle):
        return Circle(at(item.at), item.radius, item.fill, item.pen, item.pixels, item.opacity)
    return item


def _stamps(item: Stamps) -> Wet:
    at = np.array(item.at, float).reshape(-1, 2)
    turns = np.round(np.array(item.turns or [0.0] * len(at)) / 5.0).astype(int) * 5 % 360

    def wet(easel: Easel) -> list[Ink]:
        size = round(easel.length(item.size, item.pixels))
        if size < 2 or not len(at):
            return []
        size = min(size, 400)
        placed = easel.pixels(at)
        width, height = easel.surface.get_size()
        near = ((placed > -size) & (placed < (width + size, height + size))).all(axis=1)
        half = math.ceil(size * 1.2) / 2
        corners = (placed[near] - half).tolist()
        pairs = [(sprite(item.glyph, size, int(t)), xy) for t, xy in zip(turns[near], corners, strict=True)]
        return [lambda surface: surface.fblits(pairs, pygame.BLEND_PREMULTIPLIED)]

    return wet


@lru_cache(maxsize=64)
def font(face: Face, size: int) -> pygame.font.Font:
    """Return a bundled font at a letter size in pixels."""
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(io.BytesIO(font_bytes(face)), size)


@lru_cache(maxsize=LETTERED)
def _lettered(text: str, face: Face, size: int, fill: str, halo: str | None, ring: int, turn: float) -> pygame.Surface:
    """Return a line of text with its halo, turned; surface and text have the same centre."""
    ink = font(face, size).render(text, True, fill)
    sheet = pygame.Surface((ink.get_width() + 2 * ring, ink.get_height() + 2 * ring), pygame.SRCALPHA)
    if halo:
        glow = font(face, size).render(text, True, halo)
        for i in range(16):
            a = math.pi * i / 8
            sheet.blit(glow, (ring + ring * math.cos(a), ring + ring * math.sin(a)))
    sheet.blit(ink, (ring, ring))
    return pygame.transform.rotozoom(sheet, -turn, 1.0) if turn else sheet


def text_place(item: Text, pixel: Point, length: float, density: float) -> tuple[Point, int, int] | None:
    """Return a text's centre in pixels, its letter size and the width of its halo; None if nothing is written.

    ``pixel`` is the position of the text, ``length`` its letter size, in device pixels.
    """
    size = min(round(length), 400)
    if size < 4 or not item.text:
        return None
    x, y = pixel[0] + item.shift[0] * density, pixel[1] + item.shift[1] * density
    along = {"start": 0.5, "middle": 0.0, "end": -0.5}[item.anchor]
    if along:
        far, a = font(item.face, size).size(item.text)[0] * along, math.radians(item.turn)
        x, y = x + far * math.cos(a), y + far * math.sin(a)
    return (x, y), size, max(1, round(size * 0.14)) if item.halo else 0


def _text(item: Text) -> Wet:
    def wet(easel: Easel) -> list[Ink]:
        placed = text_place(item, easel.pixel(item.at), easel.length(item.size, item.pixels), easel.density)
        if placed is None:
            return []
        (x, y), size, ring = placed
        sheet = _lettered(item.text, item.face, size, item.fill, item.halo, ring, item.turn)
        at = x - sheet.get_width() / 2, y - sheet.get_height() / 2
        return [lambda surface: surface.blit(sheet, at)]

    return wet


# --- paintings -------------------------------------------------------------------------------------------------------


def _painting(item: Painting) -> Wet:
    """Return ink of a painting: halved repeatedly and cached, then scaled from the next larger one where visible."""
    west, south, east, north = item.box
    halves = [pygame.surfarray.make_surface(item.rgb.swapaxes(0, 1))]

    def wet(easel: Easel) -> list[Ink]:
        wide, high = (east - west) * easel.scale, (north - south) * easel.scale
        while halves[-1].get_width() > 2 * wide and min(halves[-1].get_size()) > 64:
            halves.append(pygame.transform.smoothscale_by(halves[-1], 0.5))
        near = [half for half in halves if half.get_width() >= wide] or halves[:1]
        (x, y), ratio = easel.pixel((west, north)), near[-1].get_width() / wide
        seen = easel.surface.get_clip()
        part = pygame.Rect(0, 0, *near[-1].get_size())
        left, top = math.floor((seen.left - x) * ratio) - 2, math.floor((seen.top - y) * ratio) - 2
        part = part.clip((left, top, math.ceil(seen.width * ratio) + 4, math.ceil(seen.height * ratio) + 4))
        if not part.width or not part.height:
            return []
        size = max(1, round(part.width / ratio)), max(1, round(part.height * high / near[-1].get_height()))
        shown = pygame.transform.smoothscale(near[-1].subsurface(part), size)
        at = x + part.left / ratio, y + part.top * high / near[-1].get_height()
        return [lambda surface: surface.blit(shown, at)]

    return wet


WETS: dict[type, Callable[..., Wet]] = {
    Area: _area,
    Lines: _lines,
    Circle: _circle,
    Stamps: _stamps,
    Text: _text,
    Painting: _painting,
}
