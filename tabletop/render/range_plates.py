"""The ranges of bands on small plates at their far edges: straight ahead, or beside that where names or units stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import heading
from tabletop.geometry.verdict import Shape
from tabletop.render.drawing import Area, Item, Pen, Text
from tabletop.render.furniture import Page
from tabletop.render.labels import text_box
from tabletop.render.lettering import width
from tabletop.render.theme import role_style

#: Letters of a plate, half its height, the room left and right of them, and between plates and what they keep off.
LETTERS, HIGH, SIDE, CLEAR = 14.0, 9.0, 5.0, 2.0
FILL = "#fffdf6"
#: Table units beyond any range.
AHEAD = 1000.0
#: A plate stands as far off as the edge straight ahead, less this share at most; its spots are so many pixels apart.
AS_FAR, APART = 0.9, 6.0
#: Pixels it may stand within the edge or beyond it, and how many along the edge it rather goes before it does.
ASTRIDE, RATHER = (0.0, -10.0, 10.0), 50.0


def obstacles(battle: Battle, written: Iterable[Item], scale: float) -> np.ndarray:
    """Return the boxes (n, 4) in table units of all units and of what is written: what plates keep off."""
    boxes = [unit.footprint.bounds for unit in battle.units]
    boxes += [text_box(item, scale) for item in written if isinstance(item, Text)]
    return np.array(boxes, float).reshape(-1, 4)


def plates(edges: Sequence[tuple[Shape, str]], unit: Unit, taken: np.ndarray, scale: float) -> list[Item]:
    """Return each band's words on a plate on its far edge, clear of the boxes ``taken`` (n, 4) and of each other.

    The spot nearest to straight ahead that is free; where none is, the one that hides least.
    """
    items = list[Item]()
    for shape, label in edges:
        spots = _far_edge(shape, unit, scale) if label else np.empty((0, 2))
        if len(spots):
            half = np.array([width(label, LETTERS, "bold") / 2 + SIDE, HIGH])
            hidden = _hidden(spots, (half + CLEAR) / scale, taken)
            x, y = spots[int(hidden.argmin())].tolist()
            plate = _plate(x, y, label, half, scale)
            items += plate
            taken = np.vstack([taken, (x - half[0] / scale, y - HIGH / scale, x + half[0] / scale, y + HIGH / scale)])
    return items


def _plate(x: float, y: float, label: str, half: np.ndarray, scale: float) -> tuple[Area, Text]:
    style, (wide, high) = role_style("band"), half.tolist()
    panel = Page(scale, x, y).panel(-wide, -high, wide, high, FILL, Pen(style.colour, 1.5))
    return panel, Text((x, y), label, LETTERS, style.lettering, face="bold")


def _far_edge(shape: Shape, unit: Unit, scale: float) -> np.ndarray:
    """Return points (n, 2) of a band's far edge: straight ahead first, where there is any, then aside of that."""
    here, rim = np.array(unit.front_mid), shapely.Polygon(shape.points).exterior
    way = np.array(heading(unit.facing))
    points = shapely.get_coordinates(shapely.segmentize(rim, APART / scale))
    ahead = shapely.get_coordinates(rim.intersection(shapely.LineString([here, here + AHEAD * way])))
    points = np.vstack([ahead, points])
    off = points - here
    far = np.maximum(np.hypot(off[:, 0], off[:, 1]), 1.0 / scale)
    least = AS_FAR * far[: len(ahead) or None].max()
    aside = np.abs(np.arctan2(off @ (-way[1], way[0]), off @ way)) * far * scale
    spots = [here + off * (1.0 + step / scale / far)[:, None] for step in ASTRIDE]
    costs = [np.where(far >= least, aside + RATHER * bool(step), np.inf) for step in ASTRIDE]
    cost = np.concatenate(costs)
    order = np.argsort(cost, kind="stable")
    return np.vstack(spots)[order[: np.isfinite(cost).sum()]]


def _hidden(spots: np.ndarray, half: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """Return how much of the boxes (m, 4) plates at spots (n, 2), of half sizes (2,), would hide."""
    low = np.maximum((spots - half)[:, None], taken[None, :, :2])
    high = np.minimum((spots + half)[:, None], taken[None, :, 2:])
    return np.asarray((high - low).clip(0.0).prod(axis=2).sum(axis=1))
