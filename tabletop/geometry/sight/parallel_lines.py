"""All the equally short lines between a straight front and a shape, and whether something crosses every one of them.

Between a front and an edge parallel to it there is not one shortest line but many: the same line shifted sideways.
What one of them happens to cross says nothing about the others, so they are judged together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import shapely

from tabletop.geometry.arc import Front
from tabletop.geometry.measure import ANGLE_TOLERANCE, Point

Line = tuple[Point, Point]


@dataclass(frozen=True)
class ParallelLines:
    """A line and how far it can be shifted to its left (``low`` <= 0) and right (``high`` >= 0) at the same length."""

    start: Point
    end: Point
    low: float = 0.0
    high: float = 0.0

    @property
    def along(self) -> Point:
        """Unit vector of the lines; north for a line of length 0."""
        length = math.dist(self.start, self.end)
        return (
            ((self.end[0] - self.start[0]) / length, (self.end[1] - self.start[1]) / length) if length else (0.0, 1.0)
        )

    @property
    def sideways(self) -> Point:
        """Unit vector a quarter turn clockwise from the lines."""
        ux, uy = self.along
        return uy, -ux

    def line(self, shift: float) -> Line:
        """Return the line shifted ``shift`` to the right."""
        (nx, ny), (sx, sy), (ex, ey) = self.sideways, self.start, self.end
        return (sx + shift * nx, sy + shift * ny), (ex + shift * nx, ey + shift * ny)

    def part(self, low: float, high: float) -> ParallelLines:
        """Return the lines between two shifts."""
        middle, half = (low + high) / 2.0, (high - low) / 2.0
        return ParallelLines(*self.line(middle), -half, half)

    @property
    def ends(self) -> tuple[shapely.Geometry, shapely.Geometry]:
        """Where the lines start and where they end: two edges, or two points for a single line."""
        (a, b), (d, c) = self.line(self.low), self.line(self.high)
        if self.low == self.high:
            return shapely.Point(a), shapely.Point(b)
        return shapely.LineString([a, d]), shapely.LineString([b, c])

    def strip(self, beyond: float) -> shapely.Polygon:
        """Return the ground under the lines, extended by ``beyond`` at both ends."""
        ux, uy = self.along
        (ax, ay), (bx, by) = self.line(self.low)
        (dx, dy), (cx, cy) = self.line(self.high)
        e, f = beyond * ux, beyond * uy
        return shapely.Polygon([(ax - e, ay - f), (bx + e, by + f), (cx + e, cy + f), (dx - e, dy - f)])

    def shifts(self, points: np.ndarray) -> np.ndarray:
        """Return the shift at which the line passes through each of (n, 2) ``points``."""
        return np.asarray((points - np.asarray(self.start)) @ np.asarray(self.sideways))


def parallel_lines_of(line: Line, fronts: Iterable[Front], part: shapely.Geometry, tolerance: float) -> ParallelLines:
    """Return all lines as short as ``line``, one of the shortest from ``fronts`` to ``part`` (lengths in table units).

    Source: TSE-COV-09.

    >>> from tabletop.geometry import Base
    >>> front = Front.of(Base(5.0, 4.5, 0.0, 2.0, 1.0))
    >>> lines = parallel_lines_of(((5.0, 5.0), (5.0, 8.0)), [front], shapely.box(4.0, 8.0, 6.0, 9.0), 0.005)
    >>> lines.low, lines.high
    (-1.0, 1.0)
    """
    single = ParallelLines(*line)
    for front in fronts:
        square = abs(float(np.dot(single.along, np.subtract(front.right, front.left)))) <= math.radians(
            ANGLE_TOLERANCE
        ) * max(front.width, tolerance)
        if square and shapely.distance(front.edge, shapely.Point(line[0])) <= tolerance:
            return _widened(single, front, part, tolerance)
    return single


def uncrossed(lines: ParallelLines, obstacle: shapely.Geometry, tolerance: float) -> tuple[ParallelLines, ...]:
    """Return each part of the lines, wider than ``tolerance``, that ``obstacle`` does not cross.

    In table units. A line that ends on the obstacle crosses it: troops lining a wall are behind it (TSE-COV-09).

    >>> (part,) = uncrossed(ParallelLines((5.0, 5.0), (5.0, 8.0), -1.0, 1.0), shapely.box(5.0, 6.0, 7.0, 7.0), 0.005)
    >>> round(part.start[0], 2), round(part.high, 2)
    (4.5, 0.5)
    """
    if lines.high - lines.low <= tolerance:
        crossed = shapely.distance(shapely.LineString(lines.line(0.0)), obstacle) <= tolerance
        return () if crossed else (ParallelLines(lines.start, lines.end),)
    met = shapely.intersection(lines.strip(tolerance), obstacle)
    spans = sorted(_span(lines, part) for part in shapely.get_parts(met) if not shapely.is_empty(part))
    gaps, reached = [], lines.low
    for low, high in [*spans, (lines.high, lines.high)]:
        if low - reached > tolerance:
            gaps.append(lines.part(reached, low))
        reached = max(reached, high)
    return tuple(gaps)


def _span(lines: ParallelLines, part: shapely.Geometry) -> tuple[float, float]:
    shifts = lines.shifts(shapely.get_coordinates(part))
    return float(shifts.min()), float(shifts.max())


def _widened(single: ParallelLines, front: Front, part: shapely.Geometry, tolerance: float) -> ParallelLines:
    """Return the lines, as wide as both the front and the edge of ``part`` that faces it allow."""
    low, high = sorted(single.shifts(np.array([front.left, front.right])).tolist())
    across = shapely.LineString([ParallelLines(*single.line(low)).end, ParallelLines(*single.line(high)).end])
    met = shapely.intersection(across, shapely.buffer(part, tolerance))
    spans = [_span(single, piece) for piece in shapely.get_parts(met) if not shapely.is_empty(piece)]
    for span in spans:
        if span[0] <= tolerance and span[1] >= -tolerance:
            return ParallelLines(single.start, single.end, min(0.0, max(low, span[0])), max(0.0, min(high, span[1])))
    return single
