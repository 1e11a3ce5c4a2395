"""Units in the line of fire, made into areas for the search: keep out of them, or pass over them from above."""

from __future__ import annotations

import numpy as np
import shapely

from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight_law import Bar, Floats, Screen

#: Sides a quarter circle of the ground kept clear about a screen's corners; it lies outside the true one by at most
#: a thousandth of the clearance.
QUARTER = 16
#: Points on the circle about each corner at which a line can lose that corner from its corridor.
ROUND = 40


def screen_bar(screen: Screen, index: int, t: float) -> Bar:
    """Return the ground nearer to a screen than its clearance (less the tape's tolerance ``t``) as a bar."""
    reach = (screen.clearance - max(t, GRAZE)) / np.cos(np.pi / 4 / QUARTER)
    area = screen.area.buffer(reach, quad_segs=QUARTER)
    return Bar(screen.level, 0.0, False, (screen.id,), area, area, index)


def corridor_corners(screen: Screen) -> Floats:
    """Return points (n, 2) about which lines turn that keep a corner of the screen just within their corridor."""
    corners = np.unique(shapely.get_coordinates(screen.area), axis=0)
    angle = np.linspace(0.0, 2 * np.pi, ROUND, endpoint=False)
    reach = screen.clearance / np.cos(np.pi / ROUND)
    ring = reach * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return (corners[:, None] + ring[None]).reshape(-1, 2)
