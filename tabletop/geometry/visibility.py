"""What a point sees among plain walls, exactly: the view spreads from triangle to triangle of a mesh.

From the triangle of the eye a cone goes out through each side; at the far corner of the next triangle it divides; it
ends on the sides that have nothing beyond. Each triangle is entered only as far as the eye sees into it, so the cost
follows what is seen, not what there is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from tabletop.geometry.kernels.view import DOUBT, SEEN, views
from tabletop.geometry.measure import Point
from tabletop.geometry.mesh import NONE, Floats, Mesh

Ring = list[tuple[float, float]]

NOTHING = shapely.Polygon()
#: Room for the corners of rings: for each eye at first, and at the most altogether.
ROOM, MOST_ROOM = 256, 1 << 22


def seen_areas(mesh: Mesh, eyes: Sequence[Point] | Floats) -> np.ndarray:
    """Return what ``seen_area`` does for each of n eyes, (n,)."""
    at = np.ascontiguousarray(eyes, float).reshape(-1, 2)
    found = np.full(len(at), NOTHING, dtype=object)
    said = np.full(len(at), DOUBT, np.uint8)
    quick = views.ready()
    if quick is not None and len(mesh.triangles):
        rings, sizes = np.empty((ROOM * (4 + len(at)), 2)), np.zeros(len(at), int)
        while quick(mesh.points, *mesh.narrow, at, rings, sizes, said) < len(at):
            if len(rings) >= MOST_ROOM:
                break
            rings = np.empty((4 * len(rings), 2))
        seen = said == SEEN
        found[seen] = _polygons(rings, sizes[seen])
    for k in np.nonzero(said == DOUBT)[0].tolist():
        found[k] = seen_area(mesh, (float(at[k, 0]), float(at[k, 1])))
    return found


def _polygons(corners: Floats, sizes: np.ndarray) -> np.ndarray:
    """Return polygons of rings one after the other: ``sizes`` (n,) of the corners (c, 2) each."""
    ring = np.repeat(np.arange(len(sizes)), sizes)
    return np.asarray(shapely.polygons(shapely.linearrings(corners[: len(ring)], indices=ring)))


def seen_area(mesh: Mesh, eye: Point) -> shapely.Geometry:
    """Return the area of a mesh seen from ``eye``, valid and exact but for rounding; empty for an eye outside.

    Lines along a border are clear (grazing); a spike no wider than a line is left out.
    """
    triangle = mesh.triangle_at(eye)
    if triangle == NONE:
        return NOTHING
    sides = (3 * triangle + 2, 3 * triangle + 1, 3 * triangle)
    xs, ys = mesh.lists
    for corner in mesh.triangles[triangle].tolist():
        if (xs[corner], ys[corner]) == eye:  # no cone of its triangle reaches what lies about a corner
            return shapely.union_all([_whole([eye, *_view(mesh, eye, (s,))]) for s in mesh.around[corner]])
    return _whole(_view(mesh, eye, sides))


def _whole(ring: Ring) -> shapely.Geometry:
    """Return the area of a ring, made valid: without spikes."""
    area = shapely.Polygon(ring)
    if shapely.is_valid(area):
        return area
    parts = [p for p in shapely.get_parts(shapely.make_valid(area)) if shapely.get_dimensions(p) == 2]
    return shapely.union_all(parts)


def _view(mesh: Mesh, eye: Point, sides: tuple[int, ...]) -> Ring:
    """Return the ring of what is seen from ``eye`` through ``sides`` (the last first), counter-clockwise."""
    ex, ey = eye
    xs, ys = mesh.lists
    far, to_right, to_left, right_end, left_end = mesh.steps
    # a cone: the side it goes through, and the two corners (relative to the eye) that bound it, right and left
    cones = [
        (s, xs[right_end[s]] - ex, ys[right_end[s]] - ey, xs[left_end[s]] - ex, ys[left_end[s]] - ey) for s in sides
    ]
    ring: Ring = []
    while cones:
        side, rx, ry, lx, ly = cones.pop()
        corner = far[side]
        if corner < 0:
            ax, ay = xs[right_end[side]] - ex, ys[right_end[side]] - ey
            bx, by = xs[left_end[side]] - ex, ys[left_end[side]] - ey
            ring.append((ex + ax, ey + ay) if rx == ax and ry == ay else _meeting(eye, rx, ry, ax, ay, bx, by))
            ring.append((ex + bx, ey + by) if lx == bx and ly == by else _meeting(eye, lx, ly, ax, ay, bx, by))
            continue
        ox, oy = xs[corner] - ex, ys[corner] - ey
        right_of_left = lx * oy - ly * ox < 0
        left_of_right = rx * oy - ry * ox > 0
        if right_of_left:
            cones.append((to_left[side], ox, oy, lx, ly) if left_of_right else (to_left[side], rx, ry, lx, ly))
        if left_of_right:
            cones.append((to_right[side], rx, ry, ox, oy) if right_of_left else (to_right[side], rx, ry, lx, ly))
    return ring


def _meeting(eye: Point, ux: float, uy: float, ax: float, ay: float, bx: float, by: float) -> tuple[float, float]:
    """Return where the ray u from the eye meets the side a b (relative to the eye), never off the side."""
    wx, wy = bx - ax, by - ay
    across = ux * wy - uy * wx
    share = min(1.0, max(0.0, (uy * ax - ux * ay) / across)) if across else 0.0
    return eye[0] + ax + share * wx, eye[1] + ay + share * wy
