"""Places spread over the ground that may be in reach: they tell where further fans are worth while, never what is.

A field of costs over cells about the mover, charged as for a point that forms and turns for nothing, leaves out what no
front could come to: ground behind a lake, across a wood, among enemies. Fans then go where something is left to be won.
"""

from __future__ import annotations

import math

import numpy as np
import shapely

from tabletop.geometry.measure import Point
from tabletop.geometry.movement.cost_field import EXCESS, CostGrid, near_least
from tabletop.geometry.movement.move_context import MoveContext
from tabletop.geometry.movement.turning_points import clear

#: How many places there are, spread by the golden angle; and below which share of them cells are too coarse a sieve.
HOPES = 800
FEW = 0.35
GOLDEN = math.pi * (3.0 - math.sqrt(5.0))
#: Cells to a table unit: half an inch.
CELL = 0.5


def hopes(context: MoveContext) -> np.ndarray:
    """Return places (n, 2) spread over the ground the middle of a front may come to, as far as a point could."""
    k = np.arange(HOPES) + 0.5
    radius, angle = context.span * np.sqrt(k / HOPES), k * GOLDEN
    points = radius[:, None] * np.column_stack([np.sin(angle), np.cos(angle)])
    open_to = free(context, points + context.pivot)
    may = _possible(context)
    column, row = (np.rint(points / CELL).astype(int) + len(may) // 2).T
    kept = open_to & may[row, column]
    return np.asarray(points[kept if kept.sum() >= FEW * open_to.sum() else open_to] + context.pivot)


def _possible(context: MoveContext) -> np.ndarray:
    """Return which cells about the pivot (the middle one) a point could come to, or to within a cell of."""
    steps = math.ceil(context.span / CELL) + 1
    offsets = np.arange(-steps, steps + 1) * CELL
    x, y = np.meshgrid(context.pivot[0] + offsets, context.pivot[1] + offsets)
    slowness = _slowness(context, np.column_stack([x.ravel(), y.ravel()])).reshape(x.shape)
    slowness[steps, steps] = min(slowness[steps, steps], context.files.cost_model.rough)
    start: Point = (steps * CELL, steps * CELL)
    most = (context.budget + context.offset) * (1.0 + EXCESS) + CELL
    return np.asarray(near_least(CostGrid(slowness, CELL).field(start, most)) <= most)


def _slowness(context: MoveContext, points: np.ndarray) -> np.ndarray:
    """Return what a unit of length costs a point at each of ``points`` (n, 2); inf where no front could stand."""
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
    """Return at which points (n, 2) the middle of a front could be at all."""
    x, y = points.T
    x0, y0, x1, y1 = context.room
    free = (x > x0) & (x < x1) & (y > y0) & (y < y1)
    if context.ground.barred:
        free &= ~shapely.intersects_xy(context.ground.barred.area, x, y) | shapely.intersects_xy(
            context.ground.gaps, x, y
        )
    free[free] = clear(points[free], context.keep)
    return np.asarray(free)
