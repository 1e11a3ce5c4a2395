"""What points see in a mesh, as rings that are valid as they stand: the walk of ``visibility``, and a broom behind it.

The walk gives the corners of what is seen in order about the eye. Several on one ray are a step out or in, or a spike:
of these the first and the last stay, so that the ring goes round the eye once and never crosses itself.
"""

from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, part

#: What is said of an eye: its ring is valid, it is outside, or the plain way must be asked.
SEEN, OUTSIDE, DOUBT = 0, 1, 2
#: An eye nearer to a side than this (table units) is left to the plain way.
CLOSE = 1e-7
#: Bearings (radians, or table units at the farther corner) this near are one ray; corners this near on it are one.
RAY, SAME = 1e-12, 1e-9


@part
def turn(ax: float, ay: float, bx: float, by: float) -> float:
    return ax * by - ay * bx


@part
def side_of(points: Any, i: int, j: int, x: float, y: float) -> float:
    """Return how far (x, y) lies to the left of the way from one point to another."""
    wx, wy = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1]
    return turn(wx, wy, x - points[i, 0], y - points[i, 1]) / float(np.sqrt(wx * wx + wy * wy))


@part
def triangle_of(points: Any, steps: Any, first: Any, listed: Any, grid: Any, x: float, y: float) -> int:
    """Return the triangle that surely holds a point, -1 if none may, -2 where that is in doubt."""
    left, bottom, per_unit, wide, high = grid
    column, row = int(np.floor((x - left) * per_unit)), int(np.floor((y - bottom) * per_unit))
    if column < 0 or row < 0 or column >= wide or row >= high:
        return -1
    cell = row * int(wide) + column
    found = -1
    for k in range(first[cell], first[cell + 1]):
        t = listed[k]
        a, b, c = steps[3 * t + 1, 4], steps[3 * t, 3], steps[3 * t, 4]
        least = min(side_of(points, a, b, x, y), side_of(points, b, c, x, y), side_of(points, c, a, x, y))
        if least > CLOSE:
            return int(t)
        if least > -CLOSE:
            found = -2
    return found


@part
def meeting(ux: float, uy: float, ax: float, ay: float, bx: float, by: float) -> tuple[float, float]:
    """Return where the ray u meets the side a b, never off the side."""
    if ux == ax and uy == ay:
        return ax, ay
    if ux == bx and uy == by:
        return bx, by
    wx, wy = bx - ax, by - ay
    across = ux * wy - uy * wx
    share = min(1.0, max(0.0, (uy * ax - ux * ay) / across)) if across != 0.0 else 0.0
    return ax + share * wx, ay + share * wy


@part
def walked(points: Any, steps: Any, t: int, ex: float, ey: float, cones: Any, ring: Any, n: int) -> int:
    """Write the corners of what the eye sees from triangle ``t`` into ``ring`` from ``n`` on, relative to the eye.

    Returns how many the ring has then, -1 if there is no room. A cone: the side it goes through, and the two corners
    that bound it, right and left.
    """
    begin = n
    depth = 0
    for side in (3 * t + 2, 3 * t + 1, 3 * t):
        r, e = steps[side, 3], steps[side, 4]
        cones[depth, 0], cones[depth, 1], cones[depth, 2] = side, r, e
        depth += 1
    while depth:
        depth -= 1
        side, r, e = cones[depth, 0], cones[depth, 1], cones[depth, 2]
        rx, ry, lx, ly = points[r, 0] - ex, points[r, 1] - ey, points[e, 0] - ex, points[e, 1] - ey
        corner = steps[side, 0]
        if corner < 0:
            if n + 2 > len(ring):
                return -1
            i, j = steps[side, 3], steps[side, 4]
            ax, ay, bx, by = points[i, 0] - ex, points[i, 1] - ey, points[j, 0] - ex, points[j, 1] - ey
            n = swept(ring, begin, n, *meeting(rx, ry, ax, ay, bx, by))
            n = swept(ring, begin, n, *meeting(lx, ly, ax, ay, bx, by))
            continue
        ox, oy = points[corner, 0] - ex, points[corner, 1] - ey
        right_of_left, left_of_right = turn(lx, ly, ox, oy) < 0.0, turn(rx, ry, ox, oy) > 0.0
        if depth + 2 > len(cones):
            return -1
        if right_of_left:
            cones[depth, 0], cones[depth, 1], cones[depth, 2] = steps[side, 2], corner if left_of_right else r, e
            depth += 1
        if left_of_right:
            cones[depth, 0], cones[depth, 1], cones[depth, 2] = steps[side, 1], r, corner if right_of_left else e
            depth += 1
    return n


@part
def one_ray(ax: float, ay: float, bx: float, by: float) -> bool:
    """Say whether two corners lie on one ray from the eye, but for rounding."""
    a, b = np.sqrt(ax * ax + ay * ay), np.sqrt(bx * bx + by * by)
    return abs(turn(ax, ay, bx, by)) <= RAY * (a * b + a + b) and ax * bx + ay * by > 0.0


@part
def swept(ring: Any, begin: int, n: int, x: float, y: float) -> int:
    """Add a corner to a ring; between the first and the last on one ray there is none. Returns the new number."""
    if n > begin and abs(ring[n - 1, 0] - x) + abs(ring[n - 1, 1] - y) <= SAME:
        return n
    if n - begin >= 2 and one_ray(ring[n - 2, 0], ring[n - 2, 1], x, y):
        n -= 1
        if abs(ring[n - 1, 0] - x) + abs(ring[n - 1, 1] - y) <= SAME:
            return n
    ring[n, 0], ring[n, 1] = x, y
    return n + 1


@part
def closed(ring: Any, begin: int, n: int) -> tuple[int, int]:
    """Return where a ring begins and ends without corners its two ends share a ray with, but for the outermost two."""
    while n - begin > 3 and abs(ring[n - 1, 0] - ring[begin, 0]) + abs(ring[n - 1, 1] - ring[begin, 1]) <= SAME:
        n -= 1
    while n - begin > 3 and one_ray(ring[n - 2, 0], ring[n - 2, 1], ring[begin, 0], ring[begin, 1]):
        n -= 1
    while n - begin > 3 and one_ray(ring[n - 1, 0], ring[n - 1, 1], ring[begin + 1, 0], ring[begin + 1, 1]):
        begin += 1
    return begin, n


@part
def goes_round(ring: Any, begin: int, n: int) -> bool:
    """Say whether a ring surely goes once round the eye, without touching itself.

    Each corner lies to the left of the one before it, or on its ray; never three on a ray.
    """
    along, rounds = False, 0
    for k in range(begin, n):
        j = k + 1 if k + 1 < n else begin
        ax, ay, bx, by = ring[k, 0], ring[k, 1], ring[j, 0], ring[j, 1]
        still = one_ray(ax, ay, bx, by)
        if (still and along) or (not still and turn(ax, ay, bx, by) <= 0.0):
            return False
        if ay < 0.0 <= by and (ax > 0.0 or not still):
            rounds += 1
        if still and by < 0.0 <= ay and ax > 0.0:
            rounds -= 1
        along = still
    return n - begin >= 3 and rounds == 1


@kernel(
    "int64(float64[:, ::1], int32[:, ::1], int32[::1], int32[::1], float64[::1], float64[:, ::1], float64[:, ::1], "
    "int64[::1], uint8[::1])"
)
def views(
    points: Any, steps: Any, first: Any, listed: Any, grid: Any, eyes: Any, rings: Any, sizes: Any, said: Any
) -> int:
    """Write the rings of what ``eyes`` (n, 2) see: corners, one ring after the other, how many each has (n,), and what
    is said of it; it has none where it is not said to be valid.

    Returns how many eyes there was room for. ``steps`` (3 t, 5) are those of ``Mesh``; ``first`` and ``listed`` are the
    triangles near the cells of ``grid``: left, bottom, cells a unit, columns, rows.
    """
    cones = np.empty((4096, 3), np.int32)
    n = 0
    for k in range(len(eyes)):
        x, y = eyes[k, 0], eyes[k, 1]
        t = triangle_of(points, steps, first, listed, grid, x, y)
        sizes[k] = 0
        said[k] = OUTSIDE if t == -1 else DOUBT
        if t < 0:
            continue
        end = walked(points, steps, t, x, y, cones, rings, n)
        if end < 0:
            return k
        begin, end = closed(rings, n, end)
        if goes_round(rings, begin, end):
            sizes[k], said[k] = end - begin, SEEN
            for j in range(begin, end):
                rings[n, 0], rings[n, 1] = rings[j, 0] + x, rings[j, 1] + y
                n += 1
    return len(eyes)
