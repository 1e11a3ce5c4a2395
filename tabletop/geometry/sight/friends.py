"""Units in the line of fire as areas for the search: lines must avoid them, or pass over them from above."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import shapely

from tabletop.geometry.distinct import distinct
from tabletop.geometry.shapes import hull_about
from tabletop.geometry.sight.cells import convex_parts
from tabletop.geometry.sight.law import InterveningUnit
from tabletop.geometry.sight.obstruction import SHRUNK, Floats, SightObstruction

#: Steps (radians) between the tangents that approximate a circle of clearance. They are fine where lines of fire can
#: touch it, so that the polygon lies outside the circle by less than a three-thousandth of its radius there; coarse
#: elsewhere.
FINE, COARSE = 0.05, 0.3


def fan(a: Floats, b: Floats) -> tuple[float, float]:
    """Return the interval of directions (radians) from points ``a`` to points ``b`` of two shapes."""
    way = b[None] - a[:, None]
    angle = np.arctan2(way[..., 1], way[..., 0])
    middle = np.arctan2(*(b.mean(0) - a.mean(0))[::-1])
    turn = wrap(angle - middle)
    return float(middle + np.min(turn)), float(middle + np.max(turn))


def pen(shape: shapely.Geometry, target: shapely.Geometry, about: float | None = None) -> Floats:
    """Return the corners (n, 2) of a polygon around the unit circle, fine where lines between two shapes touch it.

    It is sixteen times finer still where lines in a direction near ``about`` (radians) touch it.
    """
    low, high = fan(shapely.get_coordinates(shape), shapely.get_coordinates(target))
    low, high = low - FINE, high + FINE
    normals = [np.arange(0.0, 2 * np.pi, COARSE)]
    normals += [np.arange(low, high + FINE, FINE) + side for side in (np.pi / 2, -np.pi / 2)]
    if about is not None:
        normals += [about + side + np.linspace(-FINE, FINE, 33) for side in (np.pi / 2, -np.pi / 2)]
    at = distinct(np.remainder(np.concatenate(normals), 2 * np.pi))
    at = at[np.diff(at, append=at[0] + 2 * np.pi) > 1e-6]
    half = np.diff(at, append=at[0] + 2 * np.pi) / 2
    return np.stack([np.cos(at + half), np.sin(at + half)], axis=1) / np.cos(half)[:, None]


def wrap(angle: Floats) -> Floats:
    """Return angles in [-pi, pi)."""
    return np.remainder(angle + np.pi, 2 * np.pi) - np.pi


@lru_cache(maxsize=256)
def bodies(unit: InterveningUnit) -> tuple[Floats, ...]:
    """Return convex corner lists (k, 2) that together cover a unit's area."""
    return tuple(points for part in shapely.get_parts(unit.area) for points in convex_parts(part))


def ground_kept_clear(unit: InterveningUnit, index: int, t: float, round_: Floats) -> SightObstruction:
    """Return the ground closer to a unit than its clearance (less the tolerance ``t``) as an obstruction.

    ``round_`` is the polygon that approximates the unit circle.
    """
    reach = (unit.clearance - max(t - SHRUNK, SHRUNK)) * round_
    grown = [hull_about((p[:, None] + reach[None]).reshape(-1, 2)) for p in bodies(unit)]
    area = grown[0] if len(grown) == 1 else shapely.union_all(grown)
    return SightObstruction(unit.level, 0.0, False, (unit.id,), area, area, index)
