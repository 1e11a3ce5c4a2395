"""How the kinds of terrain that rule sets define are drawn: in their colour, with their pattern, in every look."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point
from tabletop.render.drawing.primitives import Circle, Item, Lines, Pen, Ring
from tabletop.render.drawing.shapes import areas, hatching
from tabletop.render.drawing.theme import look, toned
from tabletop.rules.terrain_kinds import OwnKind

#: Half the width of the strip that stands for a bare line, and the gaps of hatching and of marks, in inches.
HALF, GAP, SPACING = 0.1, 0.32, 0.5
#: Half the size of a mark, in inches: a dot's radius, an arm of a cross.
DOT, ARM = 0.045, 0.1
#: How far the ground is lightened in the plain look, and the outline darkened in all.
LIGHTER, DARKER = 0.75, 0.5


@dataclass(frozen=True)
class Marks:
    """The pattern on a piece of ground: strokes, and the centres of dots, in table units."""

    strokes: tuple[Ring, ...] = ()
    dots: tuple[Point, ...] = ()


def strip(shape: BaseGeometry, grain: float) -> BaseGeometry:
    """Return a piece's ground, or for a bare line the strip that stands for it; ``grain`` is an inch in table units."""
    return shape if shape.area > 0.0 else shape.buffer(HALF * grain, cap_style="flat")


def marks(pattern: str, ground: BaseGeometry, grain: float) -> Marks:
    """Return the marks of a pattern on some ground; ground too narrow for dots or crosses is hatched instead."""
    if pattern == "plain":
        return Marks()
    inner = ground.buffer(-1.5 * ARM * grain)
    spots = _rows(inner, SPACING * grain)
    if pattern in ("hatched", "cross-hatched") or not spots:
        slopes = (45.0, -45.0) if pattern == "cross-hatched" else (45.0,)
        return Marks(tuple(stroke for slope in slopes for stroke in hatching(ground, GAP * grain, slope)))
    if pattern == "dotted":
        return Marks(dots=tuple(spots))
    arm = ARM * grain
    pairs = (((x - arm, y - dy), (x + arm, y + dy)) for x, y in spots for dy in (arm, -arm))
    return Marks(tuple(pairs))


def _rows(area: BaseGeometry, spacing: float) -> list[Point]:
    """Return points in staggered rows, on one grid for the whole table, as far as they lie in an area."""
    if area.is_empty:
        return []
    west, south, east, north = area.bounds
    high = spacing * 0.75
    rows = range(math.floor(south / high), math.ceil(north / high) + 1)
    columns = range(math.floor(west / spacing) - 1, math.ceil(east / spacing) + 1)
    spots = [((i + 0.5 * (j % 2)) * spacing, j * high) for j in rows for i in columns]
    inside = shapely.intersects_xy(area, np.array(spots))
    return [spot for spot, within in zip(spots, inside.tolist(), strict=True) if within]


def tones(kind: OwnKind) -> tuple[str, str]:
    """Return the colour of a kind's ground and of its outline and marks, in the present look and palette."""
    fill = mixed(kind.colour, "#ffffff", LIGHTER) if look() == "plain" else kind.colour
    return toned(fill), toned(mixed(kind.colour, "#000000", DARKER))


def mixed(one: str, other: str, share: float) -> str:
    """Return a colour mixed with a share (0 to 1) of another, both ``#rrggbb``.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = ((int(one[k : k + 2], 16), int(other[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in pairs)


def drawn(kind: OwnKind, shape: BaseGeometry, grain: float) -> Sequence[Item]:
    """Return the items of a piece of a kind on the map, bottom first."""
    fill, ink = tones(kind)
    ground = strip(shape, grain)
    found = marks(kind.pattern, ground, grain)
    strokes = [Lines(found.strokes, Pen(ink, 0.9))] if found.strokes else []
    return [*areas(ground, fill, Pen(ink, 1.2)), *strokes, *(Circle(at, DOT * grain, ink) for at in found.dots)]
