"""The screen area of a layer: a rectangle of pixels outside which nothing of it is painted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import pygame

from tabletop.geometry.measure import Point
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.primitives import Area, Circle, Layer, Lines, Painting, Pen, Ring, Stamps, Text
from tabletop.render.painting.painter import font, text_place

#: Pixels added on every side, for smooth edges and rounding to whole pixels.
ROOM = 3.0
#: Width of a symbol's sheet over that of the symbol, which leaves room to turn it.
SHEET = 1.2

Reach = tuple[float, float, float, float]


def pixels_of(layer: Layer, camera: Camera) -> pygame.Rect:
    """Return a rectangle that contains all pixels of a layer through a camera; empty for an empty layer."""
    boxes = [box for item in layer.items for box in _BOXES[type(item)](item, camera)]
    if not boxes:
        return pygame.Rect(0, 0, 0, 0)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    left, top = math.floor(min(lefts) - ROOM), math.floor(min(tops) - ROOM)
    return pygame.Rect(left, top, math.ceil(max(rights) + ROOM) - left, math.ceil(max(bottoms) + ROOM) - top)


def _about(points: Iterable[Point], room: float, camera: Camera) -> Reach:
    pixels = [camera.to_screen(point) for point in points]
    xs, ys = [x for x, _ in pixels], [y for _, y in pixels]
    return min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room


def _length(value: float, pixels: bool, camera: Camera) -> float:
    return value * (camera.density if pixels else camera.scale)


def _wide(pen: Pen | None, camera: Camera) -> float:
    return 0.0 if pen is None else _length(pen.width, pen.pixels, camera)


def _area(item: Area, camera: Camera) -> list[Reach]:
    rings: list[Ring] = [ring for ring in item.rings[:1] if ring]
    return [_about(ring, _wide(item.pen, camera), camera) for ring in rings]


def _lines(item: Lines, camera: Camera) -> list[Reach]:
    return [_about(line, _wide(item.pen, camera), camera) for line in item.lines if line]


def _circle(item: Circle, camera: Camera) -> list[Reach]:
    room = _length(item.radius, item.pixels, camera) + _wide(item.pen, camera)
    return [_about([item.at], room, camera)]


def _stamps(item: Stamps, camera: Camera) -> list[Reach]:
    room = SHEET * _length(item.size, item.pixels, camera)
    return [_about(item.at, room, camera)] if item.at else []


def _text(item: Text, camera: Camera) -> list[Reach]:
    placed = text_place(item, camera.to_screen(item.at), _length(item.size, item.pixels, camera), camera.density)
    if placed is None:
        return []
    (x, y), size, ring = placed
    wide, high = (n / 2 + ring for n in font(item.face, size).size(item.text))
    if item.turn:
        wide = high = math.hypot(wide, high)
    return [(x - wide, y - high, x + wide, y + high)]


def _picture(item: Painting, camera: Camera) -> list[Reach]:
    west, south, east, north = item.box
    return [_about([(west, south), (east, north)], 0.0, camera)]


_BOXES: dict[type, Callable[..., list[Reach]]] = {
    Area: _area,
    Lines: _lines,
    Circle: _circle,
    Stamps: _stamps,
    Text: _text,
    Painting: _picture,
}
