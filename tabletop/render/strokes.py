"""Dashes: a polyline cut into the pieces a dash pattern leaves."""

from __future__ import annotations

import numpy as np

from tabletop.geometry.measure import Point

#: Most pieces one polyline is cut into; a pattern finer than that is stretched.
MOST = 4000


def dashed(points: np.ndarray, pattern: tuple[float, ...]) -> list[np.ndarray]:
    """Return the drawn pieces of a polyline (n, 2): on, off, on, ... lengths of ``pattern`` in the points' unit."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    reach = np.concatenate([[0.0], np.cumsum(steps)])
    total, period = float(reach[-1]), sum(pattern)
    if period <= 0 or total <= 0:
        return [points]
    stretch = max(1.0, total / period / MOST)
    pieces, at, drawn, i = [], 0.0, True, 0
    while at < total:
        end = min(total, at + pattern[i % len(pattern)] * stretch)
        if drawn:
            pieces.append(_piece(points, reach, at, end))
        at, drawn, i = end, not drawn, i + 1
    return pieces


def _piece(points: np.ndarray, reach: np.ndarray, start: float, end: float) -> np.ndarray:
    """Return the part of a polyline between two distances along it, its vertices included."""
    inner = points[(reach > start) & (reach < end)]
    ends = np.column_stack([np.interp([start, end], reach, points[:, axis]) for axis in (0, 1)])
    return np.vstack([ends[:1], inner, ends[1:]])


def closed(ring: tuple[Point, ...]) -> np.ndarray:
    """Return a ring as a polyline that ends where it began."""
    return np.array([*ring, ring[0]], float)
