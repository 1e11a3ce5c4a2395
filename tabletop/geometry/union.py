"""The union of many areas that overlap, touch and share outlines, computed from all their edges at once.

Shapely unites area after area, which takes several times as long. Here one kernel unites all edges at once, rounded to
integers on a fine grid; if anything is in doubt, the caller falls back on shapely.
"""

from __future__ import annotations

import math

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.kernels.union import MOST, union


def wound(starts: np.ndarray, ends: np.ndarray) -> BaseGeometry | None:
    """Return the area that directed edges (n, 2), (n, 2) of closed rings have more often on their left than on their
    right, as a valid (multi)polygon; None if that is in doubt.

    Its corners are given corners or crossings, to within a few parts in ``MOST`` of the extent: some 1e-7 in on a
    table. Anything thinner than that is left out.
    """
    if not len(starts):
        return shapely.Polygon()
    least, most = (
        np.array([pick([float(pick(points[:, axis])) for points in (starts, ends)]) for axis in (0, 1)])
        for pick in (np.min, np.max)
    )
    low = np.floor(least)
    extent = float(np.max(most - low))
    if not math.isfinite(extent):
        return None
    scale = 2.0 ** (math.floor(math.log2((MOST - 2) / max(extent, 1.0))))
    whole = [np.ascontiguousarray(np.rint((points - low) * scale).astype(np.int64)) for points in (starts, ends)]
    corners, first, owner, doubt = union(*whole)
    if doubt:
        return None
    return _areas(low + corners / scale, first, owner)


def _areas(corners: np.ndarray, first: np.ndarray, owner: np.ndarray) -> BaseGeometry:
    """Return the areas within rings that begin at ``first`` (r + 1,); ``owner`` of a hole is the index of its outer
    ring."""
    if not len(owner):
        return shapely.Polygon()
    number = np.repeat(np.arange(len(owner)), np.diff(first))
    rings = np.asarray(shapely.linearrings(corners, indices=number))
    outer = np.flatnonzero(owner < 0)
    order = np.lexsort((owner >= 0, np.where(owner < 0, np.arange(len(owner)), owner)))
    polygon_of = np.searchsorted(outer, np.where(owner < 0, np.arange(len(owner)), owner))
    polygons = np.asarray(shapely.polygons(rings[order], indices=polygon_of[order]))
    whole: BaseGeometry = polygons[0] if len(polygons) == 1 else shapely.MultiPolygon(polygons.tolist())
    return whole
