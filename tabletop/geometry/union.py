"""The union of areas by the edges of their rings, all at once: for many areas that overlap, touch and share outlines.

The library unites area after area, which takes it several times as long. Here all edges are brought to whole numbers of
a fine grid and put through one kernel; where anything is in doubt, the caller asks the library.
"""

from __future__ import annotations

import math

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.kernels.union import MOST, union


def wound(starts: np.ndarray, ends: np.ndarray) -> BaseGeometry | None:
    """Return what directed edges (n, 2), (n, 2) of closed rings have to their left more often than to their right, as
    a valid (multi)polygon; None where that is in doubt.

    Corners are those given, or crossings, to a few parts in ``MOST`` of the extent: some 1e-7 in on a table. What is
    thinner than that is left out.
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
    """Return the areas within rings that begin at ``first`` (r + 1,), those about holes with the number of another."""
    if not len(owner):
        return shapely.Polygon()
    number = np.repeat(np.arange(len(owner)), np.diff(first))
    rings = np.asarray(shapely.linearrings(corners, indices=number))
    outer = np.flatnonzero(owner < 0)
    order = np.lexsort((owner >= 0, np.where(owner < 0, np.arange(len(owner)), owner)))
    which = np.searchsorted(outer, np.where(owner < 0, np.arange(len(owner)), owner))
    found = np.asarray(shapely.polygons(rings[order], indices=which[order]))
    whole: BaseGeometry = found[0] if len(found) == 1 else shapely.MultiPolygon(found.tolist())
    return whole
