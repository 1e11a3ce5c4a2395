"""A clear line near one that is known: a quick yes when the same question is asked again with a unit shifted."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely

from tabletop.geometry.measure import Point
from tabletop.geometry.sight_law import Screen, SightLaw, clear_lines
from tabletop.geometry.terrain import Table

Line = tuple[Point, Point]


def clear_near(
    table: Table,
    spotter: shapely.Geometry,
    target: shapely.Geometry,
    law: SightLaw,
    hint: Sequence[Point] | None,
    screens: Sequence[Screen] = (),
    longest: float = math.inf,
) -> Line | None:
    """Return a clear line from ``spotter`` to ``target`` no longer than ``longest``, looked for near ``hint`` only.

    A line returned is a proof, for the law has judged it; None proves nothing.
    """
    if hint is None or len(hint) != 2:
        return None
    tries = [_moved_onto(spotter, target, hint), shapely.get_coordinates(shapely.shortest_line(spotter, target))]
    lines = np.array([line for line in tries if math.dist(*line) <= longest]).reshape(-1, 2, 2)
    if not len(lines):
        return None
    clear = clear_lines(table, lines[:, 0], lines[:, 1], law, screens)
    if not clear.any():
        return None
    (x, y), (u, v) = lines[int(np.argmax(clear))].tolist()
    return (x, y), (u, v)


def _moved_onto(spotter: shapely.Geometry, target: shapely.Geometry, hint: Sequence[Point]) -> np.ndarray:
    """Return the hinted line with its ends moved to the nearest points of the two shapes."""
    ends = [
        shapely.shortest_line(shapely.Point(point), shape) for point, shape in zip(hint, (spotter, target), strict=True)
    ]
    return np.array([shapely.get_coordinates(end)[1] for end in ends])
