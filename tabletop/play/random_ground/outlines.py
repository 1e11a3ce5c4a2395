"""Natural outlines and lines: hills along a spine, woods in lobes, villages along a street, winding brooks.

Throughout this package lengths are inches at figure scale 1 and places are (east, north).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point

#: Corners of outlines are rounded to a tenth of an inch, points of lines to a hundredth.
DIGITS, LINE_DIGITS = 1, 2


def spine(rng: Random, middle: Point, length: float, bearing: float, bend: float = 0.5) -> list[Point]:
    """Return five points along a bent line of a ``length`` (inches) about ``middle``; ``bearing`` in radians."""
    points = []
    swing = rng.uniform(-bend, bend)
    for k in range(-2, 3):
        angle = bearing + swing * k / 2
        reach = length * k / 4
        points.append((middle[0] + reach * math.sin(angle), middle[1] + reach * math.cos(angle)))
    return points


def about(rng: Random, points: Sequence[Point], radius: float, uneven: float) -> BaseGeometry:
    """Return the ground around and between points: a disc on each, of ``radius`` plus or minus the share ``uneven``."""
    sizes = [radius * rng.uniform(1.0 - uneven, 1.0 + uneven) for _ in points]
    discs = [shapely.Point(at).buffer(size) for at, size in zip(points, sizes, strict=True)]
    joined = [shapely.union(a, b).convex_hull for a, b in pairwise(discs)]
    return smooth(shapely.union_all([*discs, *joined]), radius / 3)


def lobes(rng: Random, middle: Point, radius: float) -> BaseGeometry:
    """Return the area of a wood: lobes of different sizes round its middle, reaching about ``radius`` (inches)."""
    count, turn, stretch = rng.randint(5, 7), rng.uniform(0.0, 2 * math.pi), rng.uniform(0.0, 0.55)
    parts = [shapely.Point(middle).buffer(radius * 0.55)]
    for k in range(count):
        angle = turn + 2 * math.pi * k / count + rng.uniform(-0.25, 0.25)
        far = radius * rng.uniform(0.45, 0.8) * (1.0 + stretch * math.cos(2 * (angle - turn)))
        at = middle[0] + far * math.sin(angle), middle[1] + far * math.cos(angle)
        parts.append(shapely.Point(at).buffer(radius * rng.uniform(0.3, 0.48)))
    return smooth(shapely.union_all(parts), 0.25)


def street(rng: Random, middle: Point, reach: float, bearing: float) -> BaseGeometry:
    """Return the area of a village: seven corners around its street, which runs along ``bearing`` (radians)."""
    corners = []
    for k in range(7):
        angle = 2 * math.pi * (k + rng.uniform(-0.22, 0.22)) / 7
        along, aside = 1.25 * math.cos(angle), 0.85 * math.sin(angle)
        size = reach * rng.uniform(0.82, 1.15)
        east = along * math.sin(bearing) + aside * math.cos(bearing)
        north = along * math.cos(bearing) - aside * math.sin(bearing)
        corners.append((middle[0] + size * east, middle[1] + size * north))
    return shapely.Polygon(corners)


def smooth(shape: BaseGeometry, by: float) -> BaseGeometry:
    """Return an area with corners, tongues and gaps narrower than twice ``by`` (inches) smoothed out."""
    return shape.buffer(-by).buffer(2 * by).buffer(-by)


def rounded(shape: BaseGeometry, by: float) -> BaseGeometry:
    """Return an area without points and tongues narrower than twice ``by`` (inches); nothing is added."""
    return shape.buffer(-by).buffer(by)


def drawn_in(shape: BaseGeometry, by: float, edge: shapely.Polygon) -> BaseGeometry:
    """Return an area shrunk by a length on all sides, except along the table's ``edge``, with its points rounded."""
    rim = shape.boundary.difference(edge.boundary.buffer(0.02))
    return rounded(shape.difference(rim.buffer(by)), min(0.4, by)) if by > 0.0 else shape


def largest(shape: BaseGeometry) -> shapely.Polygon:
    """Return the largest connected part of an area, without holes; an empty polygon if there is none."""
    parts = [part for part in shapely.get_parts(shape) if isinstance(part, shapely.Polygon) and not part.is_empty]
    if not parts:
        return shapely.Polygon()
    return shapely.Polygon(max(parts, key=lambda part: float(part.area)).exterior)


def written(shape: BaseGeometry, detail: float = 0.13) -> shapely.Polygon:
    """Return an outline as a map states it: few corners, each rounded to a tenth; empty if it then crosses itself."""
    few = shape.simplify(detail)
    if few.is_empty or not isinstance(few, shapely.Polygon):
        return shapely.Polygon()
    corners = np.round(shapely.get_coordinates(few.exterior), DIGITS)
    polygon = shapely.Polygon([(float(x), float(y)) for x, y in corners])
    return polygon if polygon.is_valid else shapely.Polygon()


def curve(points: Sequence[Point], rounds: int = 3) -> list[Point]:
    """Return a line with rounded bends and the same ends (Chaikin's corner cutting, ``rounds`` times)."""
    line = np.asarray(points, float)
    for _ in range(rounds):
        first, second = line[:-1], line[1:]
        cut = np.empty((2 * len(first), 2))
        cut[0::2], cut[1::2] = 0.75 * first + 0.25 * second, 0.25 * first + 0.75 * second
        line = np.vstack([line[:1], cut, line[-1:]])
    return [(float(x), float(y)) for x, y in line]


def winding(rng: Random, points: Sequence[Point], sway: float, every: float) -> list[Point]:
    """Return a line along ``points`` that bends up to ``sway`` to alternate sides, about every ``every`` inches."""
    course = shapely.LineString(points)
    count = max(2, round(course.length / every))
    bends = [points[0]]
    side = rng.choice((-1.0, 1.0))
    for k in range(1, count):
        at = course.length * (k + rng.uniform(-0.25, 0.25)) / count
        point, on = course.interpolate(at), course.interpolate(at + 0.1)
        dx, dy = (on.x - point.x) / 0.1, (on.y - point.y) / 0.1
        off = side * sway * rng.uniform(0.25, 1.0)
        bends.append((point.x - dy * off, point.y + dx * off))
        side = -side
    return [*bends, points[-1]]


def cut(points: Sequence[Point], edge: shapely.Polygon) -> list[Point]:
    """Return the longest stretch of a line on the table."""
    parts = [part for part in shapely.get_parts(shapely.LineString(points).intersection(edge)) if part.length > 0.0]
    longest = max(parts, key=lambda part: float(part.length))
    return [(float(x), float(y)) for x, y in shapely.get_coordinates(longest)]


def line_written(points: Sequence[Point], detail: float = 0.05) -> shapely.LineString:
    """Return a line as a map states it: few points, each rounded to a hundredth."""
    few = shapely.LineString(points).simplify(detail)
    return shapely.LineString(np.round(shapely.get_coordinates(few), LINE_DIGITS))
