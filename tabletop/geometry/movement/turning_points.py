"""Places where a turn may be useful: off the corners of obstacles and rough ground, along roads."""

from __future__ import annotations

import math

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.distinct import distinct_rows, first_rows
from tabletop.geometry.movement.advance_contact import Outlines
from tabletop.geometry.movement.move_context import MoveContext, directions_of

#: Turning points closer together than about this (table units) are reduced to one.
APART = 0.25


def clear(points: np.ndarray, keep: Outlines) -> np.ndarray:
    """Return which points are no closer to any outline than the distance to keep."""
    low, high = np.minimum(keep.starts, keep.ends), np.maximum(keep.starts, keep.ends)
    order = np.argsort(points[:, 0])
    along = points[order, 0]
    first, last = np.searchsorted(along, low[:, 0] - keep.keep), np.searchsorted(along, high[:, 0] + keep.keep)
    count = last - first
    e = np.repeat(np.arange(len(count)), count)
    k = order[np.arange(len(e)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first, count)]
    y, wide = points[k, 1], keep.keep[e]
    beside = (y > low[e, 1] - wide) & (y < high[e, 1] + wide)
    e, k = e[beside], k[beside]
    d, away = (keep.ends - keep.starts)[e], points[k] - keep.starts[e]
    share = np.clip((away * d).sum(axis=1) / np.maximum((d * d).sum(axis=1), 1e-12), 0.0, 1.0)
    ok = np.ones(len(points), bool)
    ok[k[np.hypot(*(away - share[:, None] * d).T) < keep.keep[e]]] = False
    return ok


def turning_points(context: MoveContext) -> np.ndarray:
    """Return places (n, 2) where a turn can open new ground: off the corners of obstacles and of rough ground.

    For a corner to keep ``d`` from, they are the corners of an octagon around the circle of radius d + half a front, a
    little outside it, so that the legs between them stay clear.
    """
    origin = np.array(context.pivot)
    span, half = context.span, context.files.half
    corners, keep = context.keep.within(origin, span).corners
    places = [_around(corners, keep + half)]
    for kind in (context.ground.rough, context.ground.linear):
        parts = _parts_near(kind.parts, origin, span)
        if parts:
            points = distinct_rows(shapely.get_coordinates(np.array(parts, object)))
            places.append(_around(points, np.full(len(points), half)))
    if context.files.cost_model.road != 1.0:
        places += [shapely.get_coordinates(p) for p in _parts_near(context.ground.lines, origin, span)]
    around = np.radians(np.arange(0.0, 360.0, 22.5))
    if context.offset > 0.0:
        places.append(origin + context.offset * directions_of(around))
    points = np.concatenate(places)
    x0, y0, x1, y1 = context.room
    on = (points[:, 0] > x0) & (points[:, 0] < x1) & (points[:, 1] > y0) & (points[:, 1] < y1)
    on &= np.hypot(*(points - origin).T) < span
    points = points[on]
    points = np.concatenate([context.gates, points[clear(points, context.keep.within(origin, span))]])
    return np.asarray(points[np.sort(first_rows(np.round(points / APART)))])


def _around(corners: np.ndarray, radius: np.ndarray) -> np.ndarray:
    angles = np.radians(np.arange(22.5, 360.0, 45.0))
    out = (radius + 2e-3) / math.cos(math.radians(22.5))
    return np.asarray((corners[:, None] + out[:, None, None] * directions_of(angles)[None]).reshape(-1, 2))


def _parts_near(parts: np.ndarray, origin: np.ndarray, span: float) -> list[BaseGeometry]:
    return list(parts[shapely.dwithin(parts, shapely.Point(origin), span)]) if len(parts) else []
