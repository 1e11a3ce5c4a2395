"""Plates with a few words, placed where they hide least of names, units and other plates."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.labels import text_box
from tabletop.render.drawing.lettering import width
from tabletop.render.drawing.primitives import Area, Box, Circle, Item, Layer, Lines, Pen, Text

#: Letters of a plate, margin left and right of them, and pixels between a plate and its obstacles.
LETTERS, SIDE, CLEAR = 14.0, 5.0, 2.0
#: Margin beside the words of a plain-coloured plate; pixels by which a badge stands out from its unit.
WIDE_SIDE, BADGE = 9.0, 10.0
#: Additional distances from a unit, in pixels, for a plate without room beside it.
FARTHER = (20.0, 45.0)
FILL = "#fffdf6"
#: Spots tried at a time.
AT_ONCE = 24
#: The directions from a point to the plates around it (16, 2), south first.
TURNS = np.linspace(0.0, 2 * np.pi, 17)[:-1]
WAYS = np.column_stack([np.sin(TURNS), -np.cos(TURNS)])


@dataclass(frozen=True)
class Look:
    """The look of a plate: its letters and height in pixels, its ink, its edge and its colour."""

    letters: float
    high: float
    ink: str
    edge: str
    fill: str = FILL

    def half(self, text: str, side: float) -> np.ndarray:
        """Return half the width and height of a plate with these words, ``side`` pixels of margin beside them."""
        return np.array([width(text, self.letters, "bold") / 2 + side, self.high / 2])


class Plates:
    """Plates laid one after another at one scale, each clear of the obstacles and of those laid before.

    They stay within ``view``, if given: outside it they could not be read.
    """

    def __init__(self, scale: float, taken: Sequence[Box] | np.ndarray, view: Box | None = None) -> None:
        self.scale, self._view = scale, view
        self._taken = boxes_of(taken)

    def lay(self, text: str, high: float, spots: np.ndarray, ink: str, edge: str) -> tuple[Area, Text]:
        """Return words on a plate ``high`` pixels high at the first free spot of ``spots`` (n, 2), n > 0.

        If none is free, it lies at the one that hides least.
        """
        look = Look(LETTERS, high, ink, edge)
        return self._laid(text, look.half(text, SIDE), spots, look)

    def lay_beside(self, text: str, box: Box, off: float, look: Look) -> tuple[Item, ...]:
        """Return words on a plate beside a box, with a line to it if it lies far off.

        It lies ``off`` pixels over, under, right or left of the box, else at one of its corners, else farther: at the
        first of these that is free, or that hides least.
        """
        half = look.half(text, WIDE_SIDE)
        gaps = (off, *(off + more for more in FARTHER))
        spots = np.array([spot for gap in gaps for spot in _round(box, half + gap, self.scale)])
        plate = self._laid(text, half, spots, look)
        (x, y), (west, south, east, north) = plate[1].at, box
        away = np.maximum((west - x, south - y), (x - east, y - north)) * self.scale - half
        if away.max() <= off + CLEAR:
            return plate
        led = (((west + east) / 2, (south + north) / 2), (x, y))
        return (Lines((led,), Pen(look.edge, 4.0)), Lines((led,), Pen(look.fill, 2.0)), *plate)

    def _laid(self, text: str, half: np.ndarray, spots: np.ndarray, look: Look) -> tuple[Area, Text]:
        x, y = self._best(self._in_view(spots, half / self.scale), (half + CLEAR) / self.scale)
        wide, tall = (half / self.scale).tolist()
        self._taken = np.vstack([self._taken, (x - wide, y - tall, x + wide, y + tall)])
        panel = Page(self.scale, x, y).panel(-half[0], -half[1], half[0], half[1], look.fill, Pen(look.edge, 1.5))
        return panel, Text((x, y), text, look.letters, look.ink, face="bold")

    def _in_view(self, spots: np.ndarray, half: np.ndarray) -> np.ndarray:
        """Return the spots at which a plate of this half size is wholly in view; if none, all, moved into view."""
        if self._view is None:
            return spots
        low, high = np.array(self._view[:2]) + half, np.array(self._view[2:]) - half
        inside = ((spots >= low) & (spots <= high)).all(axis=1)
        return np.asarray(spots[inside] if inside.any() else np.minimum(np.maximum(spots, low), np.maximum(low, high)))

    def _best(self, spots: np.ndarray, half: np.ndarray) -> Point:
        """Return the first spot where nothing is hidden, else the one that hides least, trying a few at a time."""
        covered = list[tuple[float, Point]]()
        near = _meeting(self._taken, spots.min(axis=0) - half, spots.max(axis=0) + half)
        for start in range(0, len(spots), AT_ONCE):
            hidden = hidden_at(spots[start : start + AT_ONCE], half, near)
            best = int(np.argmin(hidden))
            x, y = spots[start + best].tolist()
            if hidden[best] == 0.0:
                return x, y
            covered.append((float(hidden[best]), (x, y)))
        return min(covered, key=lambda entry: entry[0])[1]


def _round(box: Box, away: np.ndarray, scale: float) -> list[Point]:
    """Return the points ``away`` pixels (across, up) over, under, right and left of a box, then off its corners."""
    (west, south, east, north), (wide, tall) = box, (away / scale).tolist()
    x, y = (west + east) / 2, (south + north) / 2
    over, under, right, left = north + tall, south - tall, east + wide, west - wide
    beside = [(x, over), (x, under), (right, y), (left, y)]
    return [*beside, (right, over), (left, over), (right, under), (left, under)]


def boxes_of(boxes: Sequence[Box] | np.ndarray) -> np.ndarray:
    """Return boxes as an array (n, 4), even if there are none."""
    return np.asarray(boxes, float).reshape(-1, 4)


def _meeting(boxes: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return those of the boxes (n, 4) that overlap the box between two corners."""
    west, south, east, north = boxes.T
    return np.asarray(boxes[(west < high[0]) & (south < high[1]) & (east > low[0]) & (north > low[1])])


class Obstacles:
    """The obstacles to plates, cached while no unit moves and no text changes."""

    def __init__(self) -> None:
        self._of: tuple[Any, ...] = ()
        self._boxes = boxes_of(())
        self._bounds: tuple[Battle, str, list[Box]] | None = None
        self._written: list[tuple[Layer, float, list[Box]]] = []

    def boxes(self, battle: Battle, written: tuple[Layer, ...], scale: float, without: str = "") -> np.ndarray:
        """Return the boxes (n, 4) of all units but one and of the written texts, in table units."""
        of = (battle, *written)
        if not same_objects(of, self._of[2:]) or self._of[:2] != (scale, without):
            self._of = (scale, without, *of)
            self._boxes = boxes_of([*self._units(battle, without), *self._texts(written, scale)])
        return self._boxes

    def _units(self, battle: Battle, without: str) -> list[Box]:
        if self._bounds is None or self._bounds[0] is not battle or self._bounds[1] != without:
            self._bounds = (battle, without, obstacles(battle, (), 1.0, without))
        return self._bounds[2]

    def _texts(self, written: tuple[Layer, ...], scale: float) -> list[Box]:
        """Return the boxes of the written texts; layers unchanged since the last frame are not measured again."""
        before = {id(layer): boxes for layer, of, boxes in self._written if of == scale}
        self._written = [(o, scale, before.get(id(o)) or text_boxes((o,), scale)) for o in written]
        return [box for _, _, boxes in self._written for box in boxes]


def same_objects(before: Sequence[Any], now: Sequence[Any]) -> bool:
    """Return whether two sequences hold the very same objects."""
    return len(before) == len(now) and all(a is b for a, b in zip(before, now, strict=True))


def hidden_at(spots: np.ndarray, half: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """Return how much of the boxes (m, 4) something of this half size (2,) would hide at each of the spots (n, 2)."""
    (west, south), (east, north) = (spots - half).T[:, :, None], (spots + half).T[:, :, None]
    wide = np.minimum(east, taken[:, 2]) - np.maximum(west, taken[:, 0])
    tall = np.minimum(north, taken[:, 3]) - np.maximum(south, taken[:, 1])
    return np.asarray(np.einsum("ij,ij->i", np.maximum(wide, 0.0, out=wide), np.maximum(tall, 0.0, out=tall)))


def least_hiding(spots: np.ndarray, half: float, taken: np.ndarray) -> tuple[Point, np.ndarray]:
    """Return the spot (n, 2) at which a square of this half side hides least, and all boxes with its own added."""
    x, y = spots[int(np.argmin(hidden_at(spots, np.full(2, half), taken)))].tolist()
    return (x, y), np.vstack([taken, (x - half, y - half, x + half, y + half)])


def text_boxes(written: Iterable[Layer], scale: float) -> list[Box]:
    """Return the boxes of the texts in layers, in table units."""
    return [text_box(item, scale) for layer in written for item in layer.items if isinstance(item, Text)]


def plate_boxes(layers: Iterable[Layer], scale: float) -> list[Box]:
    """Return the boxes of the plates and discs under texts, in table units."""
    boxes = list[Box]()
    for layer in layers:
        for sheet, text in itertools.pairwise(layer.items):
            if isinstance(sheet, Area) and isinstance(text, Text):
                points = np.array(sheet.rings[0])
                boxes.append((*points.min(axis=0).tolist(), *points.max(axis=0).tolist()))
            elif isinstance(sheet, Circle) and isinstance(text, Text):
                (x, y), half = sheet.at, sheet.radius / scale if sheet.pixels else sheet.radius
                boxes.append((x - half, y - half, x + half, y + half))
    return boxes


def obstacles(battle: Battle, written: Iterable[Layer], scale: float, without: str = "") -> list[Box]:
    """Return the boxes of all units but one and of the written texts, in table units: the obstacles to plates."""
    boxes: list[Box] = [unit.footprint.bounds for unit in battle.units if unit.id != without]
    return boxes + text_boxes(written, scale)


def beside_units(battle: Battle, scale: float, without: str = "") -> list[Box]:
    """Return the boxes of all units but one with room for the badges at their corners, in table units.

    The ground beyond the table's edge counts as an obstacle too.
    """
    room, (wide, high) = BADGE / scale, (battle.table.width, battle.table.height)
    boxes = [unit.footprint.bounds for unit in battle.units if unit.id != without]
    grown = [(w - room, s - room, e + room, n + room) for w, s, e, n in boxes]
    beyond = [(-wide, -high, 0.0, 2 * high), (wide, -high, 2 * wide, 2 * high)]
    return [*grown, *beyond, (-wide, -high, 2 * wide, 0.0), (-wide, high, 2 * wide, 2 * high)]


def about(at: Point, scale: float, half: tuple[float, float], gaps: Sequence[float], bounds: Box) -> np.ndarray:
    """Return spots (n, 2) around a point, nearest first, for plates of a half size in pixels.

    ``gaps`` are the pixels between point and plate; plates that reach beyond ``bounds`` are left out unless all do.
    """
    away = np.add.outer(np.array(gaps), half)[:, None]
    spots = np.array(at) + (WAYS * away).reshape(-1, 2) / scale
    room = np.array(half) / scale
    low, high = np.array(bounds[:2]) + room, np.array(bounds[2:]) - room
    inside = ((spots >= low) & (spots <= high)).all(axis=1)
    return np.asarray(spots[inside] if inside.any() else spots)
