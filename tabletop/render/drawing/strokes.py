"""Dashes: a polyline cut into pieces by a dash pattern."""

from __future__ import annotations

import numpy as np

from tabletop.geometry.measure import Point

#: Maximum dashes of one polyline; a finer pattern is stretched.
MOST = 4000


def dashed(points: np.ndarray, pattern: tuple[float, ...]) -> list[np.ndarray]:
    """Return the drawn pieces of a polyline (n, 2): on, off, on, ... lengths of ``pattern`` in the points' unit."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    reach = np.concatenate([[0.0], np.cumsum(steps)])
    total, period = float(reach[-1]), sum(pattern)
    if period <= 0 or total <= 0:
        return [points]
    stretch = max(1.0, total / period / MOST)
    edges = stretch * np.cumsum([0.0, *pattern])
    starts, ends = edges[0:-1:2], edges[1::2]
    rounds = stretch * period * np.arange(int(total / (stretch * period)) + 1)[:, None]
    first, last = (rounds + starts).ravel(), np.minimum((rounds + ends).ravel(), total)
    first, last = first[first < total], last[first < total]
    return _pieces(points, reach, first, last)


def _pieces(points: np.ndarray, reach: np.ndarray, first: np.ndarray, last: np.ndarray) -> list[np.ndarray]:
    """Return the parts of a polyline between pairs of distances along it, including their vertices."""
    low, high = np.searchsorted(reach, first, "right"), np.searchsorted(reach, last, "left")
    inner = np.maximum(high - low, 0)
    stop = np.cumsum(inner + 2)
    start = stop - inner - 2
    every = np.empty((int(stop[-1]) if len(stop) else 0, 2))
    for axis in (0, 1):
        every[start, axis] = np.interp(first, reach, points[:, axis])
        every[stop - 1, axis] = np.interp(last, reach, points[:, axis])
    if inner.any():
        within = np.arange(int(inner.sum())) - np.repeat(np.cumsum(inner) - inner, inner)
        every[within + np.repeat(start + 1, inner)] = points[within + np.repeat(low, inner)]
    return [every[a:b] for a, b in zip(start.tolist(), stop.tolist(), strict=True)]


def closed(ring: tuple[Point, ...]) -> np.ndarray:
    """Return a ring as a polyline that ends where it began."""
    return np.array([*ring, ring[0]], float)
