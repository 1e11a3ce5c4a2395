"""What a landscape offers each side: the cost of travel to each objective, cover and high ground.

The southern side begins near the southern edge, the northern near the northern. Travel over the cells of a cost field
is priced by the same formula as every move.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
import shapely.affinity
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point
from tabletop.geometry.movement.cost import total
from tabletop.geometry.movement.cost_field import CostGrid
from tabletop.geometry.terrain import FORDS, Table
from tabletop.play.random_ground.plan import APART, DEEP

#: The cell size (inches) of the cost field, and the prices of rough ground, an obstacle, a way through, and road.
CELL = 0.5
PRICES = (2.0, 0.5, 0.5, 1.0)
#: Distance from the side edges of the front from which travel is measured, as a share of the table's width.
ASIDE = 0.12
#: A map with this share of hills, woods and houses in common with its own mirror image is too symmetric.
ALIKE = 0.6

Pair = tuple[float, float]


def apart(pair: Pair) -> float:
    """Return the difference of two measures as a share of the greater: 0 for two zeros, 1 if either is infinite.

    >>> apart((9.0, 10.0)), apart((0.0, 0.0)), apart((math.inf, 4.0))
    (0.1, 0.0, 1.0)
    """
    most = max(pair)
    if most == 0.0:
        return 0.0
    return 1.0 if math.isinf(most) else abs(pair[0] - pair[1]) / most


@dataclass(frozen=True)
class Measures:
    """The measures of south and north: mean cost (inches) to each objective, square inches of cover and high ground."""

    travel: tuple[Pair, ...]
    cover: Pair
    high: Pair
    likeness: float

    @property
    def worst(self) -> float:
        """The greatest share by which the sides differ in any measure."""
        return max(apart(pair) for pair in (*self.travel, self.cover, self.high))

    @property
    def fair(self) -> bool:
        """Whether the sides differ by no more than is allowed, and the map is not a mirror image of itself."""
        return self.worst <= APART and self.likeness < ALIKE


def measured(table: Table, objectives: Sequence[Point]) -> Measures:
    """Return the measures of a table in inches with objectives at some places."""
    grid = Travel(table)
    return Measures(
        tuple(grid.both(at) for at in objectives),
        halves(table, cover(table)),
        halves(table, high(table)),
        likeness(table),
    )


def cover(table: Table) -> BaseGeometry:
    """Return the ground that gives cover from fire or in an assault."""
    return shapely.union_all(
        [p.shape for p in table.terrain if p.is_area and "none" not in (p.cover_fire, p.cover_assault)]
    )


def high(table: Table) -> BaseGeometry:
    """Return the ground on hills of any level."""
    return shapely.union_all([hill.area for hill in table.hills])


def halves(table: Table, ground: BaseGeometry) -> Pair:
    """Return the area of ground (square table units) in the southern half, and in the northern."""
    middle = table.height / 2
    south, north = shapely.box(0, 0, table.width, middle), shapely.box(0, middle, table.width, table.height)
    return float(ground.intersection(south).area), float(ground.intersection(north).area)


def likeness(table: Table) -> float:
    """Return the greatest share of hills and cover a table has in common with itself mirrored or turned by 180."""
    ground = [high(table), cover(table)]
    most = 0.0
    for east, north in ((1, -1), (-1, 1), (-1, -1)):
        matrix = [east, 0, 0, north, 0.0 if east > 0 else table.width, 0.0 if north > 0 else table.height]
        images = [shapely.affinity.affine_transform(shape, matrix) for shape in ground]
        common = sum(float(a.intersection(b).area) for a, b in zip(ground, images, strict=True))
        whole = sum(float(a.union(b).area) for a, b in zip(ground, images, strict=True))
        most = max(most, common / whole if whole else 1.0)
    return most


class Travel:
    """The cost of travel between any place and both sides' fronts; ``inch`` is the number of table units in an inch."""

    def __init__(self, table: Table, inch: float = 1.0) -> None:
        cell = CELL * inch
        columns, rows = round(table.width / cell) + 1, round(table.height / cell) + 1
        x, y = np.meshgrid(np.arange(columns) * cell, np.arange(rows) * cell)
        self._grid = CostGrid(slowness(table, np.column_stack([x.ravel(), y.ravel()]), cell).reshape(x.shape), cell)
        deep, aside = round(DEEP * table.height / cell), round(ASIDE * table.width / cell)
        self._fronts = (deep, slice(aside, columns - aside)), (rows - 1 - deep, slice(aside, columns - aside))

    def both(self, at: Point) -> Pair:
        """Return the mean cost (table units) of travel to a place from all of the southern, and the northern, front."""
        cost = self._grid.field(at)
        south, north = (float(np.mean(cost[front])) for front in self._fronts)
        return south, north


def slowness(table: Table, points: np.ndarray, cell: float = CELL) -> np.ndarray:
    """Return the cost of an inch of travel at each of ``points`` (n, 2) for cells of a size, inf on impassable ground.

    An obstacle is charged in the cells it runs through, so that one cell's length of travel pays for one crossing.
    """
    x, y = points.T
    open_, rough = total(1.0, 0.0, 0.0, 0, 0, PRICES), total(1.0, 1.0, 0.0, 0, 0, PRICES)
    passage = total(0.0, 0.0, 0.0, 1, 0, PRICES) / CELL
    costs = np.full(len(points), open_)
    costs[_on(table, ("rough", "town"), x, y)] = rough
    ways = _on(table, ("choke",), x, y) | _within([p.shape for p in table.terrain if p.kind in FORDS], x, y)
    for piece in table.of_movement("linear"):
        near = shapely.distance(piece.shape, shapely.points(points)) <= cell / 2 + piece.width / 2
        costs[near] += passage
    costs[_on(table, ("impassable",), x, y) & ~ways] = np.inf
    return costs


def _on(table: Table, classes: tuple[str, ...], x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return _within([p.shape for p in table.of_movement(*classes)], x, y)


def _within(shapes: Sequence[BaseGeometry], x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.asarray(shapely.intersects_xy(shapely.union_all(shapes), x, y)) if shapes else np.zeros(len(x), bool)
