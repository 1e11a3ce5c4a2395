"""Plates with the ranges of bands at their far edges: straight ahead, or beside that where names or units stand."""

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

#: Height of a plate in pixels.
HIGH = 18.0
#: A length in table units beyond any range.
AHEAD = 1000.0
#: Minimum distance of a plate as a share of that of the edge straight ahead; pixels between its spots.
AS_FAR, APART = 0.9, 8.0
#: Pixels by which it may lie off the edge, and how far it rather moves along the edge first.
ASTRIDE, RATHER = (0.0, -10.0, 10.0), 50.0


def range_plates(
    edges: Sequence[tuple[Shape, str]], unit: Unit, taken: Sequence[Box] | np.ndarray, scale: float
) -> list[Item]:
    """Return each band's label on a plate on its far edge: at the free spot nearest to straight ahead."""
    laid, items, style = Plates(scale, taken), list[Item](), role_style("band")
    for shape, label in edges:
        spots = _far_edge(shape, unit, scale) if label else np.empty((0, 2))
        if len(spots):
            items += laid.lay(label, HIGH, spots, style.lettering, style.colour)
    return items


def _far_edge(shape: Shape, unit: Unit, scale: float) -> np.ndarray:
    """Return points (n, 2) of a band's far edge: straight ahead first, if there are any, then to the sides."""
    front, rim = np.array(unit.front_mid), shapely.LinearRing(np.array(shape.points))
    way = np.array(heading(unit.facing))
    points = shapely.get_coordinates(shapely.segmentize(rim, APART / scale))
    ahead = shapely.get_coordinates(rim.intersection(shapely.LineString([front, front + AHEAD * way])))
    points = np.vstack([ahead, points])
    off = points - front
    far = np.maximum(np.hypot(off[:, 0], off[:, 1]), 1.0 / scale)
    near_enough = far >= AS_FAR * far[: len(ahead) or None].max()
    off, far = off[near_enough], far[near_enough]
    aside = np.abs(np.arctan2(off @ (-way[1], way[0]), off @ way)) * far * scale
    spots = [front + off * (1.0 + step / scale / far)[:, None] for step in ASTRIDE]
    order = np.argsort(np.concatenate([aside + RATHER * bool(step) for step in ASTRIDE]), kind="stable")
    return np.concatenate(spots)[order]
