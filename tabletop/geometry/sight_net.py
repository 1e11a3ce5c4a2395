"""A net under the search for the shortest clear line, where levels, shadows or woods at the ends bear.

The search of ``sight_search`` proposes lines by an argument; this net only looks whether some line between points along
the two outlines is clear and shorter, and draws it tight. What it finds is proved by the law like any other line; that
it finds nothing proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import shapely

from tabletop.geometry.sight.obstruction import Bools, Floats

#: Tolerances between points along an outline, the most points on one, and how often the best line is drawn tighter.
STEP, MOST, ROUNDS = 60.0, 36, 6
#: A line must beat the one known by this much (in tolerances) to be worth drawing tight.
WORTH = 0.6
#: Places tried about each end, in steps, each time the line is drawn tighter.
ABOUT = np.linspace(-1.0, 1.0, 9)
#: Parts a side is cut in for a first glimpse, and how often the best line of it is drawn tighter.
PARTS, LOOKS = 2, 2
#: Of many lines, how many are looked at before all the others.
FIRST, MANY = 6, 60


def caught(
    a: shapely.Geometry, b: shapely.Geometry, limit: float, clear: Callable[[Floats, Floats], Bools], tolerance: float
) -> Floats | None:
    """Return a clear line (2, 2) from ``a`` to ``b`` shorter than ``limit``, if the net catches one.

    The net is as fine as the tape's ``tolerance`` (table units), so that it is the same on a table of any scale.
    """
    worth = WORTH * tolerance
    rims = _rim(a), _rim(b)
    steps = [max(STEP * tolerance, rim.length / MOST) for rim in rims]
    at = [np.arange(0.0, rim.length + step, step) for rim, step in zip(rims, steps, strict=True)]
    best: Floats | None = None
    for _ in range(ROUNDS):
        found = _shortest(rims, at, limit - worth, clear)
        if found is None:
            return best
        here, best = found
        limit = float(np.hypot(*(best[1] - best[0]))) + worth
        at = [mark + ABOUT * step for mark, step in zip(here, steps, strict=True)]
        steps = [step / 4 for step in steps]
    return best


def glimpsed(
    a: shapely.Geometry, b: shapely.Geometry, limit: float, clear: Callable[[Floats, Floats], Bools]
) -> Floats | None:
    """Return a clear line (2, 2) from ``a`` to ``b`` no longer than ``limit``, looked for between a few points only.

    Corners and the middles of sides, and about the best of them: the same whichever way the table is turned.
    """
    rims = _rim(a), _rim(b)
    at = [_marks(rim) for rim in rims]
    steps = [float(np.max(np.diff(marks), initial=0.0)) for marks in at]
    best: Floats | None = None
    for _ in range(1 + LOOKS):
        found = _shortest(rims, at, limit, clear)
        if found is None:
            return best
        here, best = found
        limit = float(np.hypot(*(best[1] - best[0])))
        at = [mark + ABOUT * step for mark, step in zip(here, steps, strict=True)]
        steps = [step / 4 for step in steps]
    return best


def _marks(rim: shapely.MultiLineString) -> Floats:
    """Return how far along an outline its corners and the marks between them lie."""
    ends = [0.0]
    for part in shapely.get_parts(rim):
        xy = shapely.get_coordinates(part)
        ends += [*(ends[-1] + np.cumsum(np.hypot(*np.diff(xy, axis=0).T)))]
    corners = np.array(ends)
    between = corners[:-1, None] + np.diff(corners)[:, None] * np.arange(1, PARTS) / PARTS
    return np.concatenate([corners, between.ravel()])


def _shortest(
    rims: tuple[shapely.MultiLineString, shapely.MultiLineString],
    at: Sequence[Floats],
    limit: float,
    clear: Callable[[Floats, Floats], Bools],
) -> tuple[tuple[float, float], Floats] | None:
    """Return the marks and the ends of the shortest clear line no longer than ``limit`` between marks ``at``."""
    a, b = (
        shapely.get_coordinates(shapely.line_interpolate_point(rim, np.clip(d, 0.0, rim.length)))
        for rim, d in zip(rims, at, strict=True)
    )
    starts, ends = np.repeat(a, len(b), axis=0), np.tile(b, (len(a), 1))
    length = np.hypot(*(ends - starts).T)
    order = np.argsort(length, kind="stable")
    order = order[length[order] <= limit]
    n = first_of(starts[order], ends[order], clear)
    if n is None:
        return None
    k = int(order[n])
    i, j = divmod(k, len(b))
    return (float(at[0][i]), float(at[1][j])), np.array([starts[k], ends[k]])


def first_of(starts: Floats, ends: Floats, clear: Callable[[Floats, Floats], Bools]) -> int | None:
    """Return the number of the first clear line from ``starts`` to ``ends`` (n, 2); a few are looked at before all."""
    for first, last in pairwise((0, FIRST, MANY, max(MANY, len(starts)))):
        if len(starts) > first:
            good = np.nonzero(clear(starts[first:last], ends[first:last]))[0]
            if len(good):
                return first + int(good[0])
    return None


def _rim(shape: shapely.Geometry) -> shapely.MultiLineString:
    """Return an outline as lines that follow each other: of polygons their outer rings, one by one."""
    parts = shapely.get_parts(shape)
    solid = shapely.get_dimensions(parts) == 2
    outlines = [
        shapely.get_coordinates(part.exterior if full else part) for part, full in zip(parts, solid, strict=True)
    ]
    return shapely.MultiLineString([xy if len(xy) > 1 else np.repeat(xy, 2, axis=0) for xy in outlines])
