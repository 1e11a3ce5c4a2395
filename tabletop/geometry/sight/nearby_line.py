"""A clear line close to a known one: a quick yes when the same question is asked again with a unit shifted."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely

from tabletop.geometry.measure import GRAZE, Point
from tabletop.geometry.sight.law import InterveningUnit, SightLaw, clear_lines
from tabletop.geometry.terrain import Table

#: How far a hinted line is extended beyond its ends.
FARTHER = 4.0

Line = tuple[Point, Point]


def clear_near(
    table: Table,
    between: tuple[shapely.Geometry, shapely.Geometry],
    law: SightLaw,
    hints: Sequence[Line],
    intervening: Sequence[InterveningUnit] = (),
    longest: float = math.inf,
    along: bool = False,
) -> Line | None:
    """Return a clear line ``between`` spotter and target no longer than ``longest``, searched near ``hints`` only.

    In table units. A line returned is proof, because the law has judged it; None proves nothing (TSE-LOS-01).
    ``along``: also try the hinted lines themselves, lengthened or shortened.

    >>> from tabletop.geometry import SightLaw, Table
    >>> ends = shapely.box(2.0, 2.0, 4.0, 3.0), shapely.box(2.0, 8.0, 4.0, 9.0)
    >>> clear_near(Table.of("in", 20, 20, []), ends, SightLaw(), [((3.0, 3.0), (3.0, 8.0))]) is not None
    True
    """
    spotter, target = between
    nearest = shapely.get_coordinates(shapely.shortest_line(spotter, target))
    lines = np.concatenate([_moved_onto(spotter, target, hints), nearest[None]])
    if along:
        lines = np.concatenate([_kept_along(spotter, target, hints), lines])
    lines = lines[np.hypot(*(lines[:, 1] - lines[:, 0]).T) <= longest]
    for batch in (lines[:1], lines[1:]):  # usually the first is clear, and the others need not be judged
        clear = clear_lines(table, batch[:, 0], batch[:, 1], law, intervening) if len(batch) else np.zeros(0, bool)
        if clear.any():
            (x, y), (u, v) = batch[int(np.argmax(clear))].tolist()
            return (x, y), (u, v)
    return None


def _kept_along(spotter: shapely.Geometry, target: shapely.Geometry, hints: Sequence[Line]) -> np.ndarray:
    """Return the hinted lines (n, 2, 2), lengthened or shortened to run from shape to shape.

    A line that just passes something still passes it if only its ends move along it.
    """
    if not hints:
        return np.zeros((0, 2, 2))
    lines = np.asarray(hints, float)
    ways = lines[:, 1] - lines[:, 0]
    ways = ways / np.maximum(np.hypot(*ways.T), GRAZE)[:, None] * FARTHER
    long = shapely.linestrings(np.stack([lines[:, 0] - ways, lines[:, 1] + ways], axis=1))
    met = shapely.intersection(np.asarray(long)[:, None], np.array([spotter, target], dtype=object))
    both = ~shapely.is_empty(met).any(axis=1)
    return shapely.get_coordinates(shapely.shortest_line(met[both, 0], met[both, 1])).reshape(-1, 2, 2)


def _moved_onto(spotter: shapely.Geometry, target: shapely.Geometry, hints: Sequence[Line]) -> np.ndarray:
    """Return the hinted lines (n, 2, 2) with their ends moved to the nearest points of the two shapes."""
    if not hints:
        return np.zeros((0, 2, 2))
    ends = shapely.points(np.asarray(hints, float))
    ways = shapely.shortest_line(ends, np.array([spotter, target], dtype=object))
    return shapely.get_coordinates(ways).reshape(-1, 2, 2, 2)[:, :, 1]
