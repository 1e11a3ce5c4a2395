"""Sample points spread over the ground that may be in reach: they only suggest where to try further fans.

A field of costs over cells around the mover, charged as for a point that forms and turns for free, rules out what no
front could get to: ground behind a lake, across a wood, among enemies. Fans then go where something is left to be won.
"""

from __future__ import annotations

import math

import numpy as np
import shapely

from tabletop.geometry.measure import Point
from tabletop.geometry.movement.cost_field import EXCESS, CostGrid, near_least
from tabletop.geometry.movement.move_context import MoveContext
from tabletop.geometry.movement.turning_points import clear

#: Number of sample points, spread by the golden angle; the share of them below which the cells are too coarse a filter.
SAMPLES = 800
FEW = 0.35
GOLDEN = math.pi * (3.0 - math.sqrt(5.0))
#: Size of a cell (table units): half an inch.
CELL = 0.5


def sample_points(context: MoveContext) -> np.ndarray:
    """Return sample points (n, 2) spread over the ground that the middle of a front might reach."""
    k = np.arange(SAMPLES) + 0.5
    radius, angle = context.span * np.sqrt(k / SAMPLES), k * GOLDEN
    points = radius[:, None] * np.column_stack([np.sin(angle), np.cos(angle)])
    open_to = free(context, points + context.pivot)
    may = _possible(context)
    column, row = (np.rint(points / CELL).astype(int) + len(may) // 2).T
    kept = open_to & may[row, column]
    return np.asarray(points[kept if kept.sum() >= FEW * open_to.sum() else open_to] + context.pivot)


def _possible(context: MoveContext) -> np.ndarray:
    """Return which cells around the pivot (the middle one) a point could get to, or to within a cell of."""
    steps = math.ceil(context.span / CELL) + 1
    offsets = np.arange(-steps, steps + 1) * CELL
    x, y = np.meshgrid(context.pivot[0] + offsets, context.pivot[1] + offsets)
    slowness = _slowness(context, np.column_stack([x.ravel(), y.ravel()])).reshape(x.shape)
    slowness[steps, steps] = min(slowness[steps, steps], context.files.cost_model.rough)
    start: Point = (steps * CELL, steps * CELL)
    most = (context.budget + context.offset) * (1.0 + EXCESS) + CELL
    return np.asarray(near_least(CostGrid(slowness, CELL).field(start, most)) <= most)


def _slowness(context: MoveContext, points: np.ndarray) -> np.ndarray:
    """Return the cost of a unit of length for a point at each of ``points`` (n, 2); inf where no front could stand."""
    x, y = points.T
    ground, cost_model = context.ground, context.files.cost_model
    slowness = np.ones(len(points))
    if ground.rough:
        slowness[shapely.intersects_xy(ground.rough.area, x, y)] = cost_model.rough
    if ground.road and cost_model.road != 1.0:
        slowness[shapely.intersects_xy(ground.road.area, x, y)] = 1.0 / cost_model.road
    slowness[~free(context, points)] = np.inf
    return slowness


def free(context: MoveContext, points: np.ndarray) -> np.ndarray:
    """Return a mask of the points (n, 2) where the middle of a front could be at all."""
    x, y = points.T
    x0, y0, x1, y1 = context.room
    free = (x > x0) & (x < x1) & (y > y0) & (y < y1)
    if context.ground.barred:
        free &= ~shapely.intersects_xy(context.ground.barred.area, x, y) | shapely.intersects_xy(
            context.ground.gaps, x, y
        )
    free[free] = clear(points[free], context.keep)
    return np.asarray(free)
