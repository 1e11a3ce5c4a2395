"""Who stands in whose arc, for every pair of a crowd at once: the exact test of ``arc`` without a polygon.

In the frame of a front ``2 h`` wide (x to its right, y ahead of it) the arc is the closed convex set ``y >= 0`` and
``|x| <= h + y``, cut off where it is farther than the reach from the front edge. A convex footprint meets it when a
corner of the footprint lies in it, an end of the front lies in the footprint, or the part of the footprint in the arc
comes near enough: its nearest point is then a corner, a point where an edge cuts the arc's sides, or the foot of the
perpendicular from an end of the front.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tabletop.geometry.kernels import arcs

Floats = np.ndarray[Any, np.dtype[np.float64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

#: How far rounding may move a point that was computed to lie on a side of the arc (table units).
ON_SIDE = 1e-12
#: The arc's sides, as (a, b, k): the line a x + b y = k h.
SIDES = ((0.0, 1.0, 0.0), (1.0, -1.0, 1.0), (-1.0, -1.0, 1.0))


def in_arcs(fronts: Floats, reach: Floats, footprints: Floats) -> Bools:
    """Return which of m footprints meet which of n arcs, (n, m); touching counts.

    ``fronts`` (n, 2, 2) are front edges, left end first; ``reach`` (n,) how far each arc runs from its front edge;
    ``footprints`` (m, k, 2) the corners of convex polygons in either order, all in table units. Exact but for rounding
    (``ON_SIDE``). Source: TSE-FIR-05.

    >>> fronts = np.array([[(0.0, 0.0), (2.0, 0.0)]])
    >>> box = np.array([[(4.0, 1.0), (5.0, 1.0), (5.0, 2.0), (4.0, 2.0)]])
    >>> in_arcs(fronts, np.array([3.0]), box), in_arcs(fronts, np.array([2.0]), box)
    (array([[ True]]), array([[False]]))
    """
    crowd = _Crowd(fronts, reach)
    found = np.zeros((len(fronts), len(footprints)), bool)
    run = arcs.in_arcs.ready()
    if run is not None:
        shapes = np.require(footprints, np.float64, ["C", "W"])
        run(crowd.middle, crowd.right, crowd.half, crowd.reach, shapes, *_circles(footprints), found)
        return found
    i, j = crowd.near(footprints)
    x, y, h = crowd.local(i, footprints[j])
    r = crowd.reach[i][:, None]
    hit: Bools = np.asarray(_within(x, y, h, r).any(1))
    rest = np.nonzero(~hit)[0]
    hit[rest] = _meets(x[rest], y[rest], h[rest], r[rest])
    found[i, j] = hit
    return found


class _Crowd:
    """The frames of n fronts: middles, unit vectors to the right, half widths, reaches."""

    def __init__(self, fronts: Floats, reach: Floats) -> None:
        across = fronts[:, 1] - fronts[:, 0]
        width = np.hypot(across[:, 0], across[:, 1])
        self.middle = (fronts[:, 0] + fronts[:, 1]) / 2
        self.right = across / width[:, None]
        self.half = width / 2
        self.reach = np.array(reach, np.float64)

    def near(self, footprints: Floats) -> tuple[Ints, Ints]:
        """Return the pairs whose circles can meet: of the front's middle, and round the footprint."""
        centre, radius = _circles(footprints)
        dx = centre[None, :, 0] - self.middle[:, None, 0]
        dy = centre[None, :, 1] - self.middle[:, None, 1]
        within = (self.reach + self.half)[:, None] + radius[None, :] + ON_SIDE
        rx, ry = self.right[:, 0, None], self.right[:, 1, None]
        x, y = dx * rx + dy * ry, dy * rx - dx * ry
        ahead = y >= -radius[None, :]
        inside = np.abs(x) - y <= self.half[:, None] + np.sqrt(2.0) * radius[None, :] + ON_SIDE
        i, j = np.nonzero((dx * dx + dy * dy <= within * within) & ahead & inside)
        return i, j

    def local(self, i: Ints, corners: Floats) -> tuple[Floats, Floats, Floats]:
        """Return corners (p, k, 2) in the frames ``i``: x and y (p, k), and half widths (p, 1)."""
        d = corners - self.middle[i][:, None]
        r = self.right[i][:, None]
        return (d * r).sum(2), d[..., 1] * r[..., 0] - d[..., 0] * r[..., 1], self.half[i][:, None]


def _circles(footprints: Floats) -> tuple[Floats, Floats]:
    """Return circles that hold the footprints: centres (m, 2) and radii (m,)."""
    low, high = footprints.min(1), footprints.max(1)
    return (low + high) / 2, np.hypot(*(high - low).T) / 2


def _within(x: Floats, y: Floats, h: Floats, reach: Floats) -> Bools:
    """Return which points lie in the arc within reach of its front edge."""
    out = np.abs(x) - h
    beside = np.maximum(out, 0.0)
    found: Bools = (y >= -ON_SIDE) & (out <= y + ON_SIDE) & (beside * beside + y * y <= reach * reach)
    return found


def _meets(x: Floats, y: Floats, h: Floats, reach: Floats) -> Bools:
    """Return which footprints, none of whose corners lies in the arc, meet it all the same."""
    ex, ey = np.roll(x, -1, 1) - x, np.roll(y, -1, 1) - y
    hit = np.zeros(len(x), bool)
    with np.errstate(divide="ignore", invalid="ignore"):
        for a, b, k in SIDES:
            s = (k * h - a * x - b * y) / (a * ex + b * ey)
            s = np.where((s >= 0) & (s <= 1), s, np.nan)
            hit |= _within(x + s * ex, y + s * ey, h, reach).any(1)
        for end in (h, -h):
            s = np.clip(((end - x) * ex - y * ey) / (ex * ex + ey * ey), 0.0, 1.0)
            hit |= _within(x + s * ex, y + s * ey, h, reach).any(1)
            turn = -ex * y - ey * (end - x)
            hit |= (turn <= 0).all(1) | (turn >= 0).all(1)
    return hit
