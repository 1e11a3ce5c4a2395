"""Where the middle of a unit's front can end: an inner approximation, every point of it backed by a legal way.

From where the unit forms, fans of straight advances go out in every direction that matters: evenly spaced ones, and
those in which a lane's side just passes a corner. Each advance is exact (price, zones, impassable ground, edge). At
corners of what stands in the way the front turns, at its price, and a further fan goes out. The area is the union of
the fans; between two advances only the shorter counts where they differ much.

Chosen: the unit ends facing as its last leg went, so ground where it would then stand in a friend is left out, even
if a last turn could find room there. Source: TSE-MOV-01..18.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.fan import Node, Setting, fan, only_areas, onward, turning_points
from tabletop.geometry.hopes import hopes
from tabletop.geometry.ray import Spent
from tabletop.geometry.shapes import united

#: The greatest number of places a further fan starts from, and the least share of the area one must promise.
NODES = 14
PROMISE = 0.002
#: What a hope is worth still after a fan that might have met it did not.
DOUBT = 0.5


def reach(setting: Setting, should_stop: Callable[[], bool] = lambda: False) -> BaseGeometry:
    """Return the area where the middle of the front can end (table units); empty if the unit cannot even form.

    ``should_stop`` is asked between fans: once true, what is certain so far is returned.
    """
    return explored(setting, should_stop)[0]


def explored(setting: Setting, should_stop: Callable[[], bool] = lambda: False) -> tuple[BaseGeometry, list[Node]]:
    """Return the area in reach and the nodes whose fans make it up: each point is one advance from one of them."""
    start = Node(0.0, setting.pivot, None, Spent(0.0, (0.0,) * setting.files.count), ())
    fans, used = [fan(setting, start)], [start]
    if should_stop():
        return only_areas(fans[0]), used
    corners = turning_points(setting)
    waiting = onward(setting, start, corners)
    hoped = hopes(setting)
    weights, least = np.ones(len(hoped)), PROMISE * len(hoped)
    while len(used) <= NODES and not should_stop():
        unmet = ~shapely.contains_xy(fans[-1], hoped[:, 0], hoped[:, 1])
        hoped, weights = hoped[unmet], weights[unmet]
        node, promised = _most_promising(setting, waiting, hoped, weights, least)
        if node is None:
            break
        fans.append(fan(setting, node, hoped[promised]))
        weights[promised] *= DOUBT
        used.append(node)
        waiting += onward(setting, node, corners)
    return only_areas(united(fans)), used


def _most_promising(
    setting: Setting, waiting: list[Node], hoped: np.ndarray, weights: np.ndarray, least: float
) -> tuple[Node | None, np.ndarray]:
    """Take out the node that could at best meet most hopes, and which; None if none could meet ``least`` of them."""
    if not waiting or not len(hoped):
        return None, np.zeros(0, bool)
    at = np.array([node.at for node in waiting])
    facing = np.array([float(node.facing or 0.0) for node in waiting])
    d = hoped[None] - at[:, None]
    turn = np.abs(np.remainder(np.arctan2(d[..., 0], d[..., 1]) - facing[:, None] + math.pi, 2 * math.pi) - math.pi)
    rate = 0.0 if setting.free_turns or setting.files.file else setting.files.half
    price = np.hypot(d[..., 0], d[..., 1]) / setting.files.tariff.road + rate * turn
    may = price + np.array([node.cost for node in waiting])[:, None] <= setting.budget
    promise = may @ weights
    best = int(np.argmax(promise))
    if promise[best] < least:
        return None, np.zeros(0, bool)
    node = waiting[best]
    kept = [k for k, n in enumerate(waiting) if math.dist(n.at, node.at) > 0.15 or n.cost < node.cost - 0.5]
    waiting[:] = [waiting[k] for k in kept]
    return node, may[best]
