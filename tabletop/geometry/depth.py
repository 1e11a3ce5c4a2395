"""How deep bases overlap: exact for rectangles and discs, by separating axes."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from tabletop.geometry.base import AnyBase, Base, Disc
from tabletop.geometry.measure import Point


def overlap_depth(a: AnyBase, b: AnyBase) -> float:
    """Return the least distance (table units) by which one of two bases must be shifted until they only touch.

    This is the smallest overlap of their projections over all axes that could separate them: the directions of the
    edges, and for a disc the direction from its centre to the other's nearest point. 0 or less means no overlap; a
    negative value is not the distance between them.

    >>> from tabletop.geometry import Base, overlap_depth
    >>> overlap_depth(Base(0, 0, 0, 1, 1), Base(0.75, 0.5, 0, 1, 1))
    0.25
    """
    if isinstance(a, Base) and isinstance(b, Base):
        return _rectangles(a, b)
    return min(_shared(a, b, axis) for axis in (*_axes(a, b), *_axes(b, a)))


def _rectangles(a: Base, b: Base) -> float:
    """Return the depth for two rectangles, whose own axes suffice; the products they share are computed once."""
    (fx, fy), (rx, ry), (gx, gy), (sx, sy) = a.forward, a.right, b.forward, b.right
    dx, dy = b.x - a.x, b.y - a.y
    fg, fs = abs(fx * gx + fy * gy), abs(fx * sx + fy * sy)
    rg, rs = abs(rx * gx + ry * gy), abs(rx * sx + ry * sy)
    return min(
        (a.depth + fg * b.depth + fs * b.frontage) / 2 - abs(dx * fx + dy * fy),
        (a.frontage + rg * b.depth + rs * b.frontage) / 2 - abs(dx * rx + dy * ry),
        (b.depth + fg * a.depth + rg * a.frontage) / 2 - abs(dx * gx + dy * gy),
        (b.frontage + fs * a.depth + rs * a.frontage) / 2 - abs(dx * sx + dy * sy),
    )


def deepest(a: Iterable[AnyBase], b: Iterable[AnyBase]) -> float:
    """Return the depth of the deepest overlap between bases of two units (0 or less: no overlap)."""
    others = tuple(b)
    return max(overlap_depth(x, y) for x in a for y in others)


def _axes(a: AnyBase, b: AnyBase) -> tuple[Point, ...]:
    if isinstance(a, Base):
        return a.forward, a.right
    nx, ny = b.centre if isinstance(b, Disc) else _nearest_corner(b, a.centre)
    dx, dy = nx - a.x, ny - a.y
    length = math.hypot(dx, dy)
    return ((dx / length, dy / length),) if length > 0.0 else ((1.0, 0.0),)


def _nearest_corner(base: Base, point: Point) -> Point:
    gaps = np.hypot(base.corners[:, 0] - point[0], base.corners[:, 1] - point[1])
    x, y = base.corners[int(np.argmin(gaps))].tolist()
    return x, y


def _shared(a: AnyBase, b: AnyBase, axis: Point) -> float:
    """Return by how much the projections of the two bases on ``axis`` overlap."""
    between = abs((b.x - a.x) * axis[0] + (b.y - a.y) * axis[1])
    return _half(a, axis) + _half(b, axis) - between


def _half(base: AnyBase, axis: Point) -> float:
    if isinstance(base, Disc):
        return base.radius
    f, r = base.forward, base.right
    along = abs(axis[0] * f[0] + axis[1] * f[1]) * base.depth
    across = abs(axis[0] * r[0] + axis[1] * r[1]) * base.frontage
    return (along + across) / 2
