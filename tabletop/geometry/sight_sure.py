"""What is sure about a pair of cells before any line is looked at: which shadows hide it all, which hide none of it.

The lower end is hidden while the gap behind the far side is at most ``c`` times the way D to it. Over all lines between
two convex cells D and the gap are bounded by distances between the cells and what of the obstruction lies in their
hull. Where the bounds decide, a shade is a wall, for which the search is exact and quick, or nothing at all. So with a
unit that fire may pass over. And from a cell farther from the edge of its own wood, or its own crest, than sight goes,
no line is clear.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import shapely

from tabletop.geometry.sight.obstruction import AT_EDGE, Bar
from tabletop.geometry.sight_cells import Cell
from tabletop.geometry.sight_pair import Over, Own, Pair

#: What rounding, shrinking and the rounds of a clearance may do to a bound (table units).
SLACK = 10 * AT_EDGE


def settled(pair: Pair, hulls: bool = False) -> Pair:
    """Return the pair with shades and units passed over that are sure made walls, or left out; or told hopeless.

    ``hulls``: the cells are hulls of cells at several levels, known by the highest, so that either may hold the higher
    end of a line; what hides all must then do so from both. (The highest levels cast the shortest shadows.)
    """
    if pair.hopeless or not (pair.shades or pair.over or pair.owns):
        return pair
    if spends_all(pair):
        return replace(pair, hopeless=True)
    walls, shades, over, hopeless = list(pair.walls), [], [], False
    for factor, bar in pair.shades:
        hides = _hides(pair, factor, partial(shapely.intersection, bar.core), 0.0, hulls)
        if hides is None:
            shades.append((factor, bar))
        elif hides:
            walls.append(bar)
    for one in pair.over:
        hides = _passed_hides(pair, one, hulls)
        if hides is None:
            over.append(one)
        elif hides:
            walls += [] if one.always else [one.bar]
            hopeless |= one.always
    return replace(pair, walls=tuple(walls), shades=tuple(shades), over=tuple(over), hopeless=hopeless)


def _passed_hides(pair: Pair, one: Over, hulls: bool) -> bool | None:
    c = one.screen.clearance

    def within(hull: shapely.Geometry) -> shapely.Geometry:
        return shapely.intersection(one.screen.area, shapely.buffer(hull, c + SLACK))

    return _hides(pair, one.factor, within, c, hulls)


def _hides(
    pair: Pair, factor: float, within: Callable[[shapely.Geometry], shapely.Geometry], aside: float, hulls: bool
) -> bool | None:
    """Return whether every line that meets something, within ``aside`` of it, is hidden; None where some may be.

    ``within`` cuts it to what lies in a hull. A point ``aside`` of the line lies that much less far along it.
    """
    part = within(pair.hull.shape)
    if shapely.is_empty(part):
        return None
    ends = [(pair.high, pair.low), (pair.low, pair.high)] if hulls else [(pair.high, pair.low)]
    if all(_hides_all(factor, part, high, low, aside) for high, low in ends):
        return True
    if hulls:
        return None
    behind = _along(float(shapely.distance(pair.low.shape, part)), aside)
    far = _farthest(pair.high, shapely.get_coordinates(part))
    return False if behind - factor * far > pair.t + SLACK else None


def _hides_all(factor: float, part: shapely.Geometry, high: Cell, low: Cell, aside: float) -> bool:
    """Return whether the longest gap, or the longest line, is in shadow even at the least way to what casts it."""
    before = _along(float(shapely.distance(high.shape, part)), aside)
    gap = _farthest(low, shapely.get_coordinates(part))
    return min(gap - factor * before, _farthest(high, low.points) - (1.0 + factor) * before) < -SLACK


def _along(distance: float, aside: float) -> float:
    """Return how far along a line a point lies at the least that is ``aside`` of it and so far from its start."""
    return math.sqrt(max(0.0, distance * distance - aside * aside))


def _farthest(cell: Cell, points: np.ndarray) -> float:
    """Return the greatest distance from a cell to some points: between corners."""
    return float(np.hypot(*(cell.points[:, None] - points[None]).transpose(2, 0, 1)).max())


def spends_all(pair: Pair) -> bool:
    """Return True when every line spends more than sight goes on its way out of a wood, or to its crest.

    The cells may be hulls of many: what lies wholly in a bar, and the other end nowhere in it, must come out of it.
    """
    return any(_spent(pair, own) for own in pair.owns)


def _spent(pair: Pair, own: Own) -> bool:
    """Return whether the way out of a cell's own wood, or to its own crest, is everywhere longer than sight goes."""
    if own.high and own.low:
        return False
    cell = pair.high if own.high else pair.low
    spends = own.per * (1.0 + pair.t / pair.law.budget)
    limit = min(spends, pair.law.crest + pair.t if own.crest else math.inf)
    return math.isfinite(limit) and _to_edge(cell, own.bar, pair.hull.shape) > limit + SLACK


def _to_edge(cell: Cell, bar: Bar, hull: shapely.Geometry) -> float:
    """Return how far a cell lies inside a bar from where lines come out of it, 0 where it reaches out of it itself.

    They do so within the ``hull`` of both cells.
    """
    if not shapely.covers(bar.core, cell.shape):
        return 0.0
    edge = shapely.intersection(shapely.boundary(bar.core), shapely.buffer(hull, SLACK))
    return 0.0 if shapely.is_empty(edge) else float(shapely.distance(cell.shape, edge))
