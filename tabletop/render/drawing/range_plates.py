"""The ranges of bands on small plates at their far edges: straight ahead, or beside that where names or units stand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import heading
from tabletop.geometry.verdict import Shape
from tabletop.render.drawing.plates import Plates
from tabletop.render.drawing.primitives import Box, Item
from tabletop.render.drawing.theme import role_style

#: How high a plate is, in pixels.
HIGH = 18.0
#: Table units beyond any range.
AHEAD = 1000.0
#: A plate stands as far off as the edge straight ahead, less this share at most; its spots are so many pixels apart.
AS_FAR, APART = 0.9, 8.0
#: Pixels it may stand within the edge or beyond it, and how many along the edge it rather goes before it does.
ASTRIDE, RATHER = (0.0, -10.0, 10.0), 50.0


def range_plates(
    edges: Sequence[tuple[Shape, str]], unit: Unit, taken: Sequence[Box] | np.ndarray, scale: float
) -> list[Item]:
    """Return each band's words on a plate on its far edge: the spot nearest to straight ahead that is free."""
    laid, items, style = Plates(scale, taken), list[Item](), role_style("band")
    for shape, label in edges:
        spots = _far_edge(shape, unit, scale) if label else np.empty((0, 2))
        if len(spots):
            items += laid.lay(label, HIGH, spots, style.lettering, style.colour)
    return items


def _far_edge(shape: Shape, unit: Unit, scale: float) -> np.ndarray:
    """Return points (n, 2) of a band's far edge: straight ahead first, where there is any, then aside of that."""
    here, rim = np.array(unit.front_mid), shapely.LinearRing(np.array(shape.points))
    way = np.array(heading(unit.facing))
    points = shapely.get_coordinates(shapely.segmentize(rim, APART / scale))
    ahead = shapely.get_coordinates(rim.intersection(shapely.LineString([here, here + AHEAD * way])))
    points = np.vstack([ahead, points])
    off = points - here
    far = np.maximum(np.hypot(off[:, 0], off[:, 1]), 1.0 / scale)
    near_enough = far >= AS_FAR * far[: len(ahead) or None].max()
    off, far = off[near_enough], far[near_enough]
    aside = np.abs(np.arctan2(off @ (-way[1], way[0]), off @ way)) * far * scale
    spots = [here + off * (1.0 + step / scale / far)[:, None] for step in ASTRIDE]
    order = np.argsort(np.concatenate([aside + RATHER * bool(step) for step in ASTRIDE]), kind="stable")
    return np.concatenate(spots)[order]
