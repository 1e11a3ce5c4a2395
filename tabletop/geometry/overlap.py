"""Overlap of footprints: deeper than the tolerance. Touching, and sharing an edge, is not overlap (TSE section 0)."""

from __future__ import annotations

import numpy as np
import shapely

from tabletop.geometry.measure import GRAZE, Tape


def cores(footprints: np.ndarray, tape: Tape) -> np.ndarray:
    """Return each of (n,) polygons shrunk by half the tolerance: two cores meet when the polygons overlap too deep."""
    return np.asarray(shapely.buffer(footprints, -(tape.t / 2 + GRAZE), join_style="mitre", mitre_limit=10.0))


def overlapping_pairs(footprints: np.ndarray, tape: Tape) -> list[tuple[int, int]]:
    """Return the pairs (i, j), i < j, of (n,) polygons that overlap deeper than the tolerance, in order."""
    shrunk = cores(footprints, tape)
    left, right = shapely.STRtree(shrunk).query(shrunk, predicate="intersects")
    return sorted((int(i), int(j)) for i, j in zip(left, right, strict=True) if i < j)
