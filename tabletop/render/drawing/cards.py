"""Cards: the symbols of modern maps, one for each unit, upright in its middle, in place of the marks of its branch.

A crossed card is infantry, one stroke is cavalry, a dot artillery, both together horse artillery; a filled corner or
a larger dot is the heavy kind. A general's card has more crosses the higher the command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.render.drawing.primitives import Area, Circle, Item, Lines, Pen, Ring, Text
from tabletop.render.drawing.theme import SideStyle, colour, symbols
from tabletop.rules.common.looks import Figure, heavy, ridden
from tabletop.rules.rule_set import looks_of

#: Height of a card over its width; its width as a share of a base's frontage, and of a general's diameter.
SHAPE, WIDE, WIDE_GENERAL = 0.66, 0.86, 1.25
#: Stroke width as a share of the card's width.
STROKE = 0.06


def carded(unit: Unit) -> bool:
    """Return whether a unit is drawn with a card under the current symbols."""
    return symbols() == "nato" and (unit.is_general or _inside(unit) is not None)


def card(unit: Unit, style: SideStyle) -> list[Item]:
    """Return a unit's card; nothing if it is drawn with other symbols."""
    if not carded(unit):
        return []
    size = _size(unit)
    x, y = np.mean([base.centre for base in unit.bases], axis=0)
    w, h = size / 2, SHAPE * size / 2
    corners: Ring = ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
    pen = Pen(style.deep, STROKE * size, pixels=False)
    items: list[Item] = [Area((corners,), colour("page", "halo"), pen)]
    if unit.is_general:
        crosses = "X" * looks_of(unit).rank(unit)
        return [
            *items,
            Text((float(x), float(y)), crosses, 1.3 * size / (1.6 + len(crosses)), style.deep, "bold", pixels=False),
        ]
    inside = _inside(unit)
    return [*items, *(inside(unit, corners, pen) if inside is not None else ())]


def _inside(unit: Unit) -> Callable[[Unit, Ring, Pen], list[Item]] | None:
    """Return the function that draws the mark of a unit's branch, None for a unit without one."""
    figure = looks_of(unit).figure(unit.troop)
    return None if figure is None else INSIDE.get(figure)


def _size(unit: Unit) -> float:
    base = unit.bases[0]
    return WIDE * max(base.frontage, base.depth) if isinstance(base, Base) else WIDE_GENERAL * 2 * base.radius * 0.8


def _infantry(_unit: Unit, corners: Ring, pen: Pen) -> list[Item]:
    a, b, c, d = corners
    return [Lines(((a, c), (b, d)), pen)]


def _cavalry(unit: Unit, corners: Ring, pen: Pen) -> list[Item]:
    a, b, c, _d = corners
    corner: list[Item] = [Area(((a, b, c),), pen.colour)] if heavy(unit) else []
    return [*corner, Lines(((a, c),), pen)]


def _artillery(unit: Unit, corners: Ring, pen: Pen) -> list[Item]:
    a, _b, c, _d = corners
    centre = ((a[0] + c[0]) / 2, (a[1] + c[1]) / 2)
    radius = (0.2 if heavy(unit) else 0.14) * (c[0] - a[0])
    stroke: list[Item] = [Lines(((a, c),), pen)] if ridden(unit) else []
    return [*stroke, Circle(centre, radius, fill=pen.colour)]


INSIDE: Mapping[Figure, Callable[[Unit, Ring, Pen], list[Item]]] = {
    Figure.FOOT: _infantry,
    Figure.HORSE: _cavalry,
    Figure.GUNS: _artillery,
}
