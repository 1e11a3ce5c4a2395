"""Roads of a random landscape, which take the easiest way between villages and off the table, and join each other."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point
from tabletop.geometry.movement.cost_field import CostGrid
from tabletop.play.random_ground import outlines
from tabletop.play.random_ground.plan import Piece, Sketch

#: The cell size of the grid on which ways are searched, and its margin around the table (inches).
CELL, MARGIN = 0.5, 1.0
#: The cost of an inch uphill, on a crest, in a brook, by the table's edge and along an existing road.
SLOPE, CREST, WATER, EDGE, ROAD = 1.7, 3.0, 7.0, 1.8, 0.45
#: A new road nearer than this (inches) to an existing one joins it.
JOINS = 0.9
#: The least length (inches) of a new road, in general and for one that reaches an end of the way.
SHORT, STUB = 1.6, 0.4
#: The least distance (inches) between crossings of brooks.
BETWEEN = 2.5


class Surveyor:
    """Lays roads over the existing ground, each along the cheapest way, with random bends."""

    def __init__(self, rng: Random, sketch: Sketch) -> None:
        self._sketch = sketch
        columns, rows = (round((size + 2 * MARGIN) / CELL) + 1 for size in (sketch.width, sketch.height))
        x, y = np.meshgrid(np.arange(columns) * CELL - MARGIN, np.arange(rows) * CELL - MARGIN)
        self._points = shapely.points(np.column_stack([x.ravel(), y.ravel()]))
        self._shape = x.shape
        cost = _taste(rng, x, y)
        for piece in sketch.pieces:
            if piece.kind == "hill" and piece.shape is not None:
                inside = shapely.intersects(piece.shape, self._points).reshape(x.shape)
                cost[inside] *= SLOPE if piece.level == 1 else CREST / SLOPE
        self._near(cost, sketch.ground("stream"), 0.45, WATER)
        cost[(x < 1) | (y < 1) | (x > sketch.width - 1) | (y > sketch.height - 1)] *= EDGE
        self._cost = cost

    def _near(self, cost: np.ndarray, shape: BaseGeometry, reach: float, times: float) -> None:
        if not shape.is_empty:
            cost[(shapely.distance(shape, self._points) <= reach).reshape(cost.shape)] *= times

    def lay(self, id_: str, kind: str, name: str, ends: tuple[Point, Point]) -> None:
        """Lay a road between two places where none runs yet, joining each new stretch to the existing roads."""
        cost = self._cost.copy()
        existing_roads = self._sketch.ground("road", "track")
        if not existing_roads.is_empty:
            self._near(cost, existing_roads, 0.3, ROAD)
        way = shapely.LineString(outlines.cut(outlines.curve(_bends(self._way(cost, *ends))), self._sketch.edge))
        ends = tuple(_on_table(at, self._sketch.edge, way) for at in ends)  # type: ignore[assignment]
        stretches = way if existing_roads.is_empty else way.difference(existing_roads.buffer(JOINS))
        for part in shapely.get_parts(stretches):
            if part.length < (STUB if _reaches(part, ends) else SHORT):
                continue
            line = outlines.line_written(_joined(part, existing_roads, ends))
            if line.length >= STUB:
                self._sketch.pieces.append(Piece(self._sketch.fresh(id_), kind, line, name))

    def _way(self, cost: np.ndarray, start: Point, end: Point) -> list[Point]:
        """Return the cheapest way, found cell by cell down the cost field from its end to its start."""
        field = CostGrid(cost, CELL).field((start[0] + MARGIN, start[1] + MARGIN))
        i, j = (round((value + MARGIN) / CELL) for value in end)
        way = [end]
        wide = np.pad(field, 2, constant_values=np.inf)
        while len(way) < 2000:
            window = wide[j : j + 5, i : i + 5]
            fall = (window[2, 2] - window) / np.maximum(_AWAY, 1e-9)
            down, over = np.unravel_index(int(np.argmax(np.where(np.isfinite(fall), fall, -1.0))), fall.shape)
            if fall[down, over] <= 0.0:
                break
            j, i = j + int(down) - 2, i + int(over) - 2
            way.append((i * CELL - MARGIN, j * CELL - MARGIN))
        return [*way[:-1], start] if len(way) > 1 else [end, start]


_AWAY = np.hypot(*np.meshgrid(np.arange(-2, 3), np.arange(-2, 3)))


def _taste(rng: Random, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return a factor of cost that changes gently over the table, so that roads bend on open ground too."""
    waves = np.zeros_like(x)
    for _ in range(6):
        angle, long, phase = rng.uniform(0, 2 * math.pi), rng.uniform(7.0, 15.0), rng.uniform(0, 2 * math.pi)
        waves += np.sin((x * math.cos(angle) + y * math.sin(angle)) * 2 * math.pi / long + phase)
    return np.asarray(np.exp(0.22 * waves))


def _on_table(at: Point, edge: shapely.Polygon, way: shapely.LineString) -> Point:
    """Return an end of a way, or the point where the way was cut at the table's edge."""
    end = shapely.Point(at)
    if edge.contains(end):
        return at
    points = [(float(x), float(y)) for x, y in shapely.get_coordinates(way)[[0, -1]]]
    return min(points, key=lambda point: math.dist(point, at))


def _reaches(part: shapely.LineString, ends: tuple[Point, Point]) -> bool:
    return min(part.distance(shapely.Point(end)) for end in ends) < 0.05


def _bends(way: list[Point]) -> list[Point]:
    line = shapely.LineString(way).simplify(0.45)
    return [(float(x), float(y)) for x, y in shapely.get_coordinates(line)]


def _joined(part: shapely.LineString, there: BaseGeometry, ends: tuple[Point, Point]) -> list[Point]:
    """Return a stretch with its loose ends extended to the road beside them."""
    points = [(float(x), float(y)) for x, y in shapely.get_coordinates(part)]
    for last in (0, -1):
        loose = shapely.Point(points[last])
        if there.is_empty or min(math.dist(points[last], end) for end in ends) < 0.05:
            continue
        onto = there.interpolate(there.project(loose)) if there.geom_type == "LineString" else _nearest(there, loose)
        points.insert(0 if last == 0 else len(points), (onto.x, onto.y))
    return points


def _nearest(there: BaseGeometry, loose: shapely.Point) -> shapely.Point:
    return shapely.get_point(shapely.shortest_line(there, loose), 0)


def crossings(rng: Random, sketch: Sketch) -> bool:
    """Add a bridge or a ford wherever a road crosses a brook; return False if two would be too close together."""
    crossing_points: list[Point] = []
    for way in [piece for piece in sketch.pieces if piece.kind in ("road", "track")]:
        for brook in sketch.shapes("stream"):
            if way.shape is None or not way.shape.intersects(brook):
                continue
            meeting = shapely.get_parts(way.shape.intersection(brook))
            if any(part.geom_type != "Point" for part in meeting):
                return False
            for part in meeting:
                if any(math.dist(at, (part.x, part.y)) < BETWEEN for at in crossing_points):
                    return False
                if part.distance(sketch.edge.exterior) < BETWEEN / 2:
                    return False
                crossing_points.append((part.x, part.y))
                _crossing(rng, sketch, way, part)
    return True


def _crossing(rng: Random, sketch: Sketch, way: Piece, at: shapely.Point) -> None:
    kind = "bridge" if way.kind == "road" or rng.random() < 0.4 else "ford"
    size = (1.0, 0.9) if way.kind == "road" else (0.7, 0.9)
    place = round(at.x, outlines.DIGITS), round(at.y, outlines.DIGITS)
    bearing = math.degrees(along(way.shape, at))
    sketch.pieces.append(Piece(sketch.fresh(kind), kind, at=place, size=size, facing=bearing))


def along(line: shapely.LineString, at: shapely.Point) -> float:
    """Return the bearing (radians) in which a line runs at a place on it."""
    reach = line.project(at)
    a, b = line.interpolate(max(reach - 0.3, 0.0)), line.interpolate(min(reach + 0.3, line.length))
    return math.atan2(b.x - a.x, b.y - a.y)


def network(rng: Random, sketch: Sketch, villages: list[Point]) -> None:
    """Lay the roads: a main road from south to north through a village, one from west to east through all of them."""
    surveyor = Surveyor(rng, sketch)
    width, height = sketch.width, sketch.height
    hub = min(villages, key=lambda at: abs(at[0] - width / 2) + rng.uniform(0, 6))
    south = (rng.uniform(0.25, 0.75) * width, -MARGIN / 2)
    north = (rng.uniform(0.25, 0.75) * width, height + MARGIN / 2)
    for id_, ends in (("high-road", (south, hub)), ("high-road", (hub, north))):
        surveyor.lay(id_, "road", "High road", ends)
    west, east = (-MARGIN / 2, rng.uniform(0.3, 0.7) * height), (width + MARGIN / 2, rng.uniform(0.3, 0.7) * height)
    stops = [west, *sorted(villages), east]
    for k, ends in enumerate(pairwise(stops)):
        outer = k in (0, len(stops) - 2)
        surveyor.lay("lane" if outer else "cross-road", "track" if outer and rng.random() < 0.6 else "road", "", ends)
