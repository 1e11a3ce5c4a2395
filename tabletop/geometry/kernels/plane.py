"""Plane geometry that several kernels share: sides of a line, the distance to an edge."""

import math

from tabletop.geometry.fast import part

#: The squared length of an edge (square table units) counts as at least this.
TINY = 1e-18


@part
def cross(ax: float, ay: float, bx: float, by: float, x: float, y: float) -> float:
    """Return twice the signed area of the triangle of a, b and a point: positive if the point lies left of the line
    ab."""
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax)


@part
def off(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Return the distance from a point to an edge; an edge of almost no length counts as a point."""
    dx, dy = bx - ax, by - ay
    share = min(max(((x - ax) * dx + (y - ay) * dy) / max(dx * dx + dy * dy, TINY), 0.0), 1.0)
    return math.sqrt((x - ax - share * dx) ** 2 + (y - ay - share * dy) ** 2)
