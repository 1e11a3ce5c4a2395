"""Which names stay when something is laid over the table: those that are not even partly hidden.

Lines pass under the names; a name that a plate, badge or other opaque item would hide in part is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pygame
import shapely

from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.labels import text_box
from tabletop.render.drawing.plates import boxes_of
from tabletop.render.drawing.primitives import Area, Box, Circle, Item, Layer, Stamps, Text

#: Shares of a name's height, at top and bottom, where letters have no ink; pixels of a name that may be overlapped.
ABOVE, BELOW, TOUCH = 0.2, 0.18, 1.0
#: Minimum opacity at which an item hides what lies below it.
HIDES = 0.7


@dataclass(frozen=True)
class Opaque:
    """The area a layer hides, in table units: boxes (n, 4), and discs (m, 3) as centre and radius."""

    boxes: np.ndarray
    discs: np.ndarray


NOTHING = Opaque(np.empty((0, 4)), np.empty((0, 3)))


@dataclass
class Clear:
    """Finds the names clear of the layers over them; the area a layer hides is cached for as long as it is shown."""

    _laid: dict[int, tuple[Layer, float, Opaque]] = field(default_factory=dict)
    _names: tuple[tuple[Layer, ...], float, np.ndarray] | None = None

    def of(self, names: tuple[Layer, ...], laid: Sequence[Layer], scale: float) -> tuple[Layer, ...]:
        """Return the layers of names, one text each, that no layer laid at ``scale`` pixels a unit hides in part."""
        before = self._laid
        self._laid = {}
        for layer in laid:
            kept = before.get(id(layer))
            fits = kept is not None and kept[0] is layer and kept[1] == scale
            self._laid[id(layer)] = kept if kept is not None and fits else (layer, scale, _opaque(layer, scale))
        if not names:
            return ()
        inks, cover = self._inks(names, scale), [opaque for _, _, opaque in self._laid.values()] or [NOTHING]
        hidden = _under_boxes(inks, np.concatenate([opaque.boxes for opaque in cover]))
        hidden |= _under_discs(inks, np.concatenate([opaque.discs for opaque in cover]))
        return tuple(name for name, gone in zip(names, hidden.tolist(), strict=True) if not gone)

    def _inks(self, names: tuple[Layer, ...], scale: float) -> np.ndarray:
        kept = self._names
        same = kept is not None and kept[1] == scale and len(kept[0]) == len(names)
        if kept is None or not same or any(a is not b for a, b in zip(kept[0], names, strict=True)):
            kept = self._names = (names, scale, np.array([_ink(layer.items, scale) for layer in names], float))
        return kept[2]


def sheet(place: pygame.Rect | None, camera: Camera) -> list[Layer]:
    """Return a layer that hides a card's place, given in pixels of the table's surface; nothing without a card."""
    if place is None:
        return []
    corners = (place.topleft, place.topright, place.bottomright, place.bottomleft)
    return [Layer("card", (Area((tuple(camera.to_table(corner) for corner in corners),), "#ffffff"),))]


def _ink(items: Sequence[Item], scale: float) -> Box:
    """Return the box of a name's letters, without the space above and below and the margin that may be overlapped."""
    text = next(item for item in items if isinstance(item, Text))
    west, south, east, north = text_box(text, scale)
    high, touch = north - south, TOUCH / scale
    return west + touch, south + BELOW * high, east - touch, north - ABOVE * high


def _opaque(layer: Layer, scale: float) -> Opaque:
    """Return the area that a layer hides."""
    boxes, discs = list[Box](), list[tuple[float, float, float]]()
    for item in layer.items:
        if isinstance(item, Area) and item.fill and item.opacity >= HIDES:
            boxes.append(shapely.LinearRing(item.rings[0]).bounds)
        elif isinstance(item, Text):
            boxes.append(text_box(item, scale))
        elif isinstance(item, Circle) and item.fill and item.opacity >= HIDES:
            discs.append((*item.at, item.radius / scale if item.pixels else item.radius))
        elif isinstance(item, Stamps):
            radius = item.size / 2 / scale if item.pixels else item.size / 2
            discs += [(*at, radius) for at in item.at]
    return Opaque(boxes_of(boxes), np.array(discs, float).reshape(-1, 3))


def _under_boxes(names: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Return which names (n, 4) overlap any of the boxes (m, 4)."""
    low, high = names[:, None, :2], names[:, None, 2:]
    over = (low < boxes[None, :, 2:]) & (boxes[None, :, :2] < high)
    return np.asarray((over[:, :, 0] & over[:, :, 1]).any(axis=1))


def _under_discs(names: np.ndarray, discs: np.ndarray) -> np.ndarray:
    """Return which names (n, 4) overlap any of the discs (m, 3)."""
    middle = discs[None, :, :2]
    off = np.maximum(np.maximum(names[:, None, :2] - middle, middle - names[:, None, 2:]), 0.0)
    return np.asarray((np.hypot(off[:, :, 0], off[:, :, 1]) < discs[None, :, 2]).any(axis=1))
