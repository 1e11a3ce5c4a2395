"""Placing names on the map: near what they name, never over a unit or another name, the most important first."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point
from tabletop.render.drawing.gradual import Work, finished
from tabletop.render.drawing.lettering import LINE, width
from tabletop.render.drawing.primitives import Anchor, Box, Face, Text

#: A place for a text, and the part of the text that is anchored there.
Spot = tuple[Point, Anchor]
#: Share of a text that lies to the left of its anchor.
ANCHORS: Mapping[Anchor, float] = {"start": 0.0, "middle": 0.5, "end": 1.0}
#: Pixels kept free around a name.
ROOM = 2.0
#: Pixels that a place's name may be away from its place.
BESIDE = 14.0


@dataclass(frozen=True)
class Name:
    """A name to place: its possible spots (points and anchors, best first), and its shorter forms.

    ``about`` is the middle of the unit it names; ``ground`` the place it names, which it must touch or nearly so.
    """

    key: str
    forms: tuple[str, ...]
    spots: tuple[Spot, ...]
    size: float
    fill: str
    face: Face = "bold"
    halo: str = "#fffdf6"
    weight: float = 0.0
    about: Point | None = None
    ground: BaseGeometry | None = None


def text_width(text: Text, scale: float) -> float:
    """Return the width of a text in table units at ``scale`` pixels a unit."""
    return width(text.text, text.size if text.pixels else text.size * scale, text.face) / scale


def text_box(text: Text, scale: float) -> Box:
    """Return the box in table units that an upright text covers at ``scale`` pixels a unit."""
    size = text.size if text.pixels else text.size * scale
    wide, high = text_width(text, scale), LINE * size / scale
    x, y = text.at[0] + text.shift[0] / scale, text.at[1] - text.shift[1] / scale
    west = x - ANCHORS[text.anchor] * wide
    return west, y - high / 2, west + wide, y + high / 2


@dataclass
class Placer:
    """Names placed so far and the obstacles they must avoid, in table units at one scale."""

    scale: float
    bounds: Box
    solid: list[shapely.Polygon] = field(default_factory=list)
    rivals: dict[str, Point] = field(default_factory=dict)
    placed: list[Text] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._tree = shapely.STRtree(self.solid)
        self._crowd = np.array([*self.rivals.values()], float).reshape(-1, 2)

    def place(self, names: Iterable[Name]) -> list[Text]:
        """Place the names in order of weight; those that fit nowhere, even shortened, are left out."""
        return finished(self.placing(names))

    def placing(self, names: Iterable[Name]) -> Work[list[Text]]:
        """Place the names as ``place`` does, one at a time."""
        for name in sorted(names, key=lambda n: (-n.weight, n.key)):
            best = next((text for form in name.forms if (text := self._best(name, form))), None)
            if best:
                self.placed.append(best)
                self.boxes.append(self._grown(best))
            yield
        return self.placed

    def _best(self, name: Name, form: str) -> Text | None:
        """Return the best free spot for one form of a name: later spots, and other units nearby, cost more."""
        best, least = None, math.inf
        boxes = self._boxes_of(name, form)
        for cost in np.nonzero(self._fit(boxes))[0].tolist():
            if cost >= least:
                break
            at, anchor = name.spots[cost]
            text = Text(at, form, name.size, name.fill, name.face, anchor, halo=name.halo)
            clear = not len(self._tree.query(shapely.box(*boxes[cost].tolist()), predicate="intersects"))
            if clear and self._belongs(name, text) and cost + self._confusion(name, text) < least:
                best, least = text, cost + self._confusion(name, text)
        return best

    def _grown(self, text: Text) -> Box:
        room = ROOM / self.scale
        west, south, east, north = text_box(text, self.scale)
        return west - room, south, east + room, north

    def _boxes_of(self, name: Name, form: str) -> np.ndarray:
        """Return the boxes (n, 4) that a form of a name covers at each of its spots, including the margin."""
        probe = Text((0.0, 0.0), form, name.size, name.fill, name.face, "start", halo=name.halo)
        west, south, east, north = self._grown(probe)
        at = np.array([point for point, _ in name.spots], float).reshape(-1, 2)
        x = at[:, 0] - np.array([ANCHORS[anchor] for _, anchor in name.spots]) * text_width(probe, self.scale)
        return np.stack([x + west, at[:, 1] + south, x + east, at[:, 1] + north], axis=1)

    def _fit(self, boxes: np.ndarray) -> np.ndarray:
        """Return which boxes (n, 4) lie on the map and clear of every name placed so far."""
        low, high = boxes[:, :2], boxes[:, 2:]
        on_map: np.ndarray = (low >= self.bounds[:2]) & (high <= self.bounds[2:])
        fit: np.ndarray = on_map[:, 0] & on_map[:, 1]
        if self.boxes:
            taken = np.array(self.boxes)
            over: np.ndarray = (low[:, None] < taken[None, :, 2:]) & (taken[None, :, :2] < high[:, None])
            on_one: np.ndarray = over[:, :, 0] & over[:, :, 1]
            fit = fit & ~np.asarray(on_one.any(axis=1))
        return fit

    def _belongs(self, name: Name, text: Text) -> bool:
        """Return whether a place's name stands on its place or right beside it."""
        if name.ground is None:
            return True
        return float(name.ground.distance(shapely.box(*text_box(text, self.scale)))) * self.scale <= BESIDE

    def _confusion(self, name: Name, text: Text) -> float:
        """Return the cost of a name being nearer to other units than to its own."""
        if name.about is None:
            return 0.0
        west, south, east, north = text_box(text, self.scale)
        gaps = np.maximum(np.maximum(self._crowd - (east, north), (west, south) - self._crowd), 0.0)
        near = np.hypot(gaps[:, 0], gaps[:, 1])
        own = math.hypot(
            max(name.about[0] - east, west - name.about[0], 0.0), max(name.about[1] - north, south - name.about[1], 0.0)
        )
        return 6.0 * int((near < own - 1e-9).sum())


#: Pixels between a name and its unit, enough for the frame of a selected unit.
FRAMED = (7.0, 12.0, 20.0)


def around(box: Box, scale: float, size: float, gaps: tuple[float, ...] = FRAMED) -> tuple[Spot, ...]:
    """Return spots round a box, nearest first: below, above, right, left, then the corners."""
    west, south, east, north = box
    x, y, half = (west + east) / 2, (south + north) / 2, LINE * size / 2
    spots: list[Spot] = []
    for gap in gaps:
        g, h = gap / scale, (gap + half) / scale
        spots += [
            ((x, south - h), "middle"),
            ((x, north + h), "middle"),
            ((east + g, y), "start"),
            ((west - g, y), "end"),
        ]
        spots += [
            ((east, south - h), "end"),
            ((west, south - h), "start"),
            ((east, north + h), "end"),
            ((west, north + h), "start"),
        ]
        spots += [
            ((east + g, south), "start"),
            ((west - g, south), "end"),
            ((east + g, north), "start"),
            ((west - g, north), "end"),
        ]
    return tuple(spots)


def inside(shape: BaseGeometry, scale: float, size: float) -> tuple[Spot, ...]:
    """Return spots for an area's name: its middle, then points all over it from the middle outwards, then around it."""
    if shape.is_empty:
        return ()
    middle = shape.centroid if shape.contains(shape.centroid) else shape.representative_point()
    west, south, east, north = shape.bounds
    step = max(LINE * size / scale, math.hypot(east - west, north - south) / 12)
    over = [
        (x, y)
        for x in _evenly(west, east, step)
        for y in _evenly(south, north, step)
        if shapely.intersects_xy(shape, x, y)
    ]
    over.sort(key=lambda p: (round(math.dist(p, (middle.x, middle.y)), 6), p))
    spots: list[Spot] = [((middle.x, middle.y), "middle"), *((p, "middle") for p in over)]
    return (*spots, *around(shape.bounds, scale, size, (3.0, 10.0)))


def _evenly(low: float, high: float, step: float) -> list[float]:
    """Return numbers from low to high about a step apart, symmetric about the middle."""
    count = max(1, round((high - low) / step))
    return [low + (i + 0.5) * (high - low) / count for i in range(count)]


#: Words a shortened name does not end on, and ordinal numbers, which need the word after them.
PARTICLES = (
    "the", "la", "le", "les", "de", "du", "des", "von", "van", "of", "and", "et", "st", "st.", "no.", "on", "at", "in",
)  # fmt: skip
ORDINAL = re.compile(r"\d+(st|nd|rd|th|er|e|ème|\.)", re.IGNORECASE)


def forms(name: str) -> tuple[str, ...]:
    """Return a name and its shorter forms, made by leaving out its last words.

    >>> forms("5th Militia and 27th Jägers")
    ('5th Militia and 27th Jägers', '5th Militia')
    """
    words = name.split()
    shorter = [words[:count] for count in range(len(words) - 1, 0, -1)]
    shortened = [_bare(" ".join(w).rstrip(",;:-")) for w in shorter if _may_end(w[-1])]
    return tuple(dict.fromkeys([name, *(form for form in shortened if len(form) > 2)]))


def _may_end(word: str) -> bool:
    return word.lower() not in PARTICLES and not ORDINAL.fullmatch(word)


def _bare(form: str) -> str:
    return form.removesuffix("'s").removesuffix("’s")
