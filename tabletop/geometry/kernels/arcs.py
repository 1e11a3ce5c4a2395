"""Which convex footprints meet which arcs, pair by pair: the arithmetic of ``arcs_at_once``, to the last bit."""

from typing import Any

import numpy as np

from tabletop.geometry.fast import kernel, part

#: As in ``arcs_at_once``, of which this is the twin.
ON_SIDE = 1e-12
ROOT_2 = 1.4142135623730951


@part
def within(x: float, y: float, h: float, reach: float) -> bool:
    """Return whether a point lies in the arc of a front 2 h wide, within reach of its front edge.

    All is asked at once: what a processor cannot foresee costs it more.
    """
    out = abs(x) - h
    beside = max(out, 0.0)
    return (y >= -ON_SIDE) & (out <= y + ON_SIDE) & (beside * beside + y * y <= reach * reach)


@part
def cut(x: float, y: float, ex: float, ey: float, a: float, b: float, k: float, h: float, reach: float) -> bool:
    """Return whether an edge cuts the side a x + b y = k h of the arc within reach of the front."""
    s = (k * h - a * x - b * y) / (a * ex + b * ey)
    return s >= 0.0 and s <= 1.0 and within(x + s * ex, y + s * ey, h, reach)


@part
def foot(x: float, y: float, ex: float, ey: float, end: float, h: float, reach: float) -> bool:
    """Return whether the point of an edge that is nearest to an end of the front lies in the arc."""
    s = min(max(((end - x) * ex - y * ey) / (ex * ex + ey * ey), 0.0), 1.0)
    return within(x + s * ex, y + s * ey, h, reach)


@part
def meets(x: Any, y: Any, h: float, reach: float) -> bool:
    """Return whether a footprint (k,), in the frame of the front, meets the arc."""
    n, corner = len(x), False
    for k in range(n):
        corner |= within(x[k], y[k], h, reach)
    if corner:
        return True
    left_in, left_out, right_in, right_out = True, True, True, True
    for k in range(n):
        px, py = x[k], y[k]
        ex, ey = x[(k + 1) % n] - px, y[(k + 1) % n] - py
        if cut(px, py, ex, ey, 0.0, 1.0, 0.0, h, reach) or cut(px, py, ex, ey, 1.0, -1.0, 1.0, h, reach):
            return True
        if cut(px, py, ex, ey, -1.0, -1.0, 1.0, h, reach):
            return True
        if foot(px, py, ex, ey, h, h, reach) or foot(px, py, ex, ey, -h, h, reach):
            return True
        right, left = -ex * py - ey * (h - px), -ex * py - ey * (-h - px)
        right_in, right_out = right_in and right <= 0.0, right_out and right >= 0.0
        left_in, left_out = left_in and left <= 0.0, left_out and left >= 0.0
    return left_in or left_out or right_in or right_out


@kernel(
    "void(float64[:, ::1], float64[:, ::1], float64[::1], float64[::1], "
    "float64[:, :, ::1], float64[:, ::1], float64[::1], boolean[:, ::1])"
)
def in_arcs(
    middle: Any, right: Any, half: Any, reach: Any, footprints: Any, centre: Any, radius: Any, found: Any
) -> None:
    """Write into ``found`` (n, m) which footprints (m, k, 2) meet the arcs of n fronts.

    Fronts by their ``middle`` and unit vector to the ``right`` (n, 2), ``half`` their width and ``reach`` (n,);
    footprints lie in circles about ``centre`` (m, 2) of ``radius`` (m,).
    """
    x, y = np.empty(footprints.shape[1]), np.empty(footprints.shape[1])
    east, north = centre[:, 0].copy(), centre[:, 1].copy()
    near, listed = np.empty(len(footprints), np.bool_), np.empty(len(footprints), np.int64)
    for i in range(len(middle)):
        mx, my, rx, ry, h, r = middle[i, 0], middle[i, 1], right[i, 0], right[i, 1], half[i], reach[i]
        for j in range(len(footprints)):
            dx, dy = east[j] - mx, north[j] - my
            most, ahead = r + h + radius[j] + ON_SIDE, dy * rx - dx * ry
            aside = abs(dx * rx + dy * ry) - ahead
            near[j] = (
                (dx * dx + dy * dy <= most * most) & (ahead >= -radius[j]) & (aside <= h + ROOT_2 * radius[j] + ON_SIDE)
            )
            found[i, j] = False
        count = 0
        for j in range(len(footprints)):
            listed[count] = j
            count += near[j]
        for j in listed[:count]:
            for k in range(len(x)):
                px, py = footprints[j, k, 0] - mx, footprints[j, k, 1] - my
                x[k], y[k] = px * rx + py * ry, py * rx - px * ry
            found[i, j] = meets(x, y, h, r)
