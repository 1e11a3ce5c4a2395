"""What several kernels ask of the plane: sides of a line, the distance from an edge."""

import math

from tabletop.geometry.fast import part

#: Edges whose length squared is less than this (square table units) count as that long.
TINY = 1e-18


@part
def cross(ax: float, ay: float, bx: float, by: float, x: float, y: float) -> float:
    """Return twice the area, positive to the left, between a place and the way from a to b."""
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax)


@part
def off(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Return how far a place is from an edge; one with hardly a length is a place."""
    dx, dy = bx - ax, by - ay
    share = min(max(((x - ax) * dx + (y - ay) * dy) / max(dx * dx + dy * dy, TINY), 0.0), 1.0)
    return math.sqrt((x - ax - share * dx) ** 2 + (y - ay - share * dy) ** 2)
