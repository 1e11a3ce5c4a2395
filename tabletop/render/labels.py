"""Where names go: near what they name, on the map, never over a unit or another name; the weightiest first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import shapely

from tabletop.geometry.measure import Point
from tabletop.render.drawing import Box, Face, Text
from tabletop.render.lettering import LINE, width

#: Pixels kept free around a name.
ROOM = 2.0


@dataclass(frozen=True)
class Name:
    """A name to place: where it may stand (points and anchors, best first), and shorter forms to fall back on.

    ``about`` is what it names; ``keep_off`` False lets a place name lie over its own ground.
    """

    key: str
    forms: tuple[str, ...]
    spots: tuple[tuple[Point, str], ...]
    size: float
    fill: str
    face: Face = "bold"
    halo: str = "#fffdf6"
    weight: float = 0.0
    about: Point | None = None
    spaced: bool = False


def text_box(text: Text, scale: float) -> Box:
    """Return the box in table units that an upright text covers at ``scale`` pixels a unit."""
    size = text.size if text.pixels else text.size * scale
    wide, high = width(text.text, size, text.face) / scale, LINE * size / scale
    x, y = text.at[0] + text.shift[0] / scale, text.at[1] - text.shift[1] / scale
    west = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * wide
    return west, y - high / 2, west + wide, y + high / 2


@dataclass
class Placer:
    """Names placed so far and what they must keep off, in table units at one scale."""

    scale: float
    bounds: Box
    solid: list[shapely.Polygon] = field(default_factory=list)
    rivals: dict[str, Point] = field(default_factory=dict)
    placed: list[Text] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._tree = shapely.STRtree(self.solid)

    def place(self, names: Iterable[Name]) -> list[Text]:
        """Place what fits, in order of weight; what fits nowhere even shortened is left out."""
        for name in sorted(names, key=lambda n: (-n.weight, n.key)):
            best = min(self._free(name), key=lambda found: found[0], default=None)
            if best:
                self.placed.append(best[1])
                self.boxes.append(self._grown(best[1]))
        return self.placed

    def _free(self, name: Name) -> Iterator[tuple[float, Text]]:
        """Yield every place a name may take, with its cost: later spots, shorter forms and strangers nearby cost more."""
        for f, form in enumerate(name.forms):
            found = False
            for s, (at, anchor) in enumerate(name.spots):
                text = Text(at, form, name.size, name.fill, name.face, anchor, halo=name.halo)  # type: ignore[arg-type]
                if self._fits(text):
                    found = True
                    yield s + 100.0 * f + self._confusion(name, text), text
            if found:
                return

    def _grown(self, text: Text) -> Box:
        room = ROOM / self.scale
        west, south, east, north = text_box(text, self.scale)
        return west - room, south, east + room, north

    def _fits(self, text: Text) -> bool:
        box = self._grown(text)
        low, high = self.bounds[:2], self.bounds[2:]
        if box[0] < low[0] or box[1] < low[1] or box[2] > high[0] or box[3] > high[1]:
            return False
        if any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in self.boxes):
            return False
        return not len(self._tree.query(shapely.box(*box), predicate="intersects"))

    def _confusion(self, name: Name, text: Text) -> float:
        """A name nearer to a stranger than to its own costs more."""
        if name.about is None:
            return 0.0
        box = shapely.box(*text_box(text, self.scale))
        own = box.distance(shapely.Point(name.about))
        near = [box.distance(shapely.Point(p)) for key, p in self.rivals.items() if key != name.key]
        return 6.0 * sum(1 for d in near if d < own)


def around(
    box: Box, scale: float, size: float, gaps: tuple[float, ...] = (3.0, 9.0, 18.0)
) -> tuple[tuple[Point, str], ...]:
    """Return spots round a box, nearest first: below, above, right, left, then the corners."""
    west, south, east, north = box
    x, y, half = (west + east) / 2, (south + north) / 2, LINE * size / 2
    spots: list[tuple[Point, str]] = []
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


def inside(shape: shapely.Geometry, scale: float, size: float) -> tuple[tuple[Point, str], ...]:
    """Return spots in and about an area: its middle, then rows above and below, then round its box."""
    if shape.is_empty:
        return ()
    spot = shape.representative_point() if not shape.contains(shape.centroid) else shape.centroid
    row = LINE * size / scale
    rows = [spot.y + k * row for k in (0, 1, -1, 2, -2, 3, -3)]
    west, south, east, north = shape.bounds
    steps = np.linspace(0, (east - west) / 4, 2).tolist()
    spots = [
        ((spot.x + s * d, y), "middle")
        for d in steps
        for y in rows
        if south <= y <= north
        for s in ((1, -1) if d else (1,))
    ]
    return (*spots, *around(shape.bounds, scale, size, (3.0, 10.0)))


def forms(name: str) -> tuple[str, ...]:
    """Return a name and its shorter forms: without its last words, and cut."""
    words = name.split()
    found = [name]
    for count in range(len(words) - 1, 0, -1):
        form = " ".join(words[:count]).rstrip(",;:-")
        if form.lower() not in ("the", "la", "le", "les", "de", "von", "du", "st", "st.") and not form.endswith(
            (" de", " la", " of")
        ):
            found.append(form)
    return tuple(dict.fromkeys(_bare(f) if i else f for i, f in enumerate(found)))


def _bare(form: str) -> str:
    return form.removesuffix("'s").removesuffix("’s")


def upright(texts: Iterable[Text], factor: float) -> list[Text]:
    """Return texts with their sizes multiplied."""
    return [replace(t, size=t.size * factor) for t in texts]


def middle_of(line: shapely.LineString) -> tuple[Point, float]:
    """Return a line's middle and the clockwise turn, in (-90, 90], that lays text along it."""
    at = line.interpolate(0.5, normalized=True)
    a, b = line.interpolate(0.45, normalized=True), line.interpolate(0.55, normalized=True)
    turn = -math.degrees(math.atan2(b.y - a.y, b.x - a.x))
    return (at.x, at.y), (turn + 90) % 180 - 90
