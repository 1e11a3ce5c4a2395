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

from tabletop.geometry.fan import onward
from tabletop.geometry.hopes import hopes
from tabletop.geometry.outward import outward
from tabletop.geometry.places import turning_points
from tabletop.geometry.setting import Node, Setting
from tabletop.geometry.shapes import joined, united
from tabletop.geometry.spread import fans, only_areas

#: The greatest number of places a further fan starts from, and the least share of the area one must promise.
NODES = 16
#: How many of them at once, by those that follow roads leg after leg; others need few legs: all at once if they can.
AT_ONCE = 8
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
    start = Node.first(setting)
    pieces, used = [fans(setting, outward(setting, (start,), (None,)))], [start]
    if not should_stop():
        search = _Search(setting, pieces[0])
        corners = turning_points(setting)
        waiting = onward(setting, used, corners)
        while len(used) <= NODES and not should_stop():
            most = min(AT_ONCE if setting.files.file else NODES, NODES + 1 - len(used))
            chosen, toward = search.most_promising(waiting, most)
            if not chosen:
                break
            pieces.append(fans(setting, outward(setting, chosen, toward)))
            used += chosen
            if len(used) <= NODES:
                search.met(pieces[-1])
                waiting += onward(setting, chosen, corners)
    return only_areas(_together(pieces)), used


def _together(pieces: list[np.ndarray]) -> BaseGeometry:
    """Return the union of fans; as exactly as it can be had, unless that gives up or loses ground of the first."""
    every = np.concatenate(pieces)
    least = float(shapely.area(pieces[0]).sum()) * (1.0 - 1e-6)
    whole: BaseGeometry = joined(every)
    return whole if whole.area >= least else shapely.union_all([united(every)])


class _Search:
    """What may still be won: hopes not met yet, each with its weight, which sinks with every fan that may meet it."""

    def __init__(self, setting: Setting, first: np.ndarray) -> None:
        self.setting = setting
        self.hoped = hopes(setting)
        self.weights = np.ones(len(self.hoped))
        self.least = PROMISE * len(self.hoped)
        self.met(first)

    def met(self, ground: np.ndarray) -> None:
        """Forget the hopes that lie on ground won."""
        points = shapely.points(self.hoped)
        met = shapely.STRtree(ground).query(points, predicate="intersects")[0] if len(ground) else np.zeros(0, int)
        self.hoped, self.weights = np.delete(self.hoped, met, axis=0), np.delete(self.weights, met)

    def most_promising(self, waiting: list[Node], most: int) -> tuple[list[Node], list[np.ndarray]]:
        """Take out of ``waiting`` up to ``most`` nodes that could at best meet most hopes, and say which each could."""
        chosen: list[Node] = []
        toward: list[np.ndarray] = []
        if not waiting or not len(self.hoped):
            return chosen, toward
        may = self._may_meet(waiting)
        counts = may.astype(np.float32)
        at, cost = np.array([node.at for node in waiting]), np.array([node.cost for node in waiting])
        kept = np.ones(len(waiting), bool)
        while len(chosen) < most:
            promise = np.where(kept, counts @ self.weights.astype(np.float32), -1.0)
            kept &= promise >= self.least  # what too little is hoped of now never promises more
            best = int(np.argmax(promise))
            if promise[best] < self.least:
                break
            chosen.append(waiting[best])
            toward.append(self.hoped[may[best]])
            self.weights[may[best]] *= DOUBT
            near = np.hypot(*(at - at[best]).T) <= 0.15
            kept &= ~near | (cost < cost[best] - 0.5)
        waiting[:] = [waiting[k] for k in np.flatnonzero(kept)]
        return chosen, toward

    def _may_meet(self, waiting: list[Node]) -> np.ndarray:
        """Return (nodes, hopes): whether a straight advance from each node could get to each hope for its price."""
        setting = self.setting
        files, budget = setting.files, setting.budget
        at = np.array([node.at for node in waiting])
        left = np.array([budget - node.cost for node in waiting], np.float32)[:, None]
        dx, dy = ((self.hoped[:, k] - at[:, k, None]).astype(np.float32) for k in (0, 1))
        price = np.hypot(dx, dy) / np.float32(files.tariff.road)
        if not (setting.free_turns or files.file):
            facing = np.array([float(node.facing or 0.0) for node in waiting], np.float32)[:, None]
            turn = np.abs(np.arctan2(dx, dy) - facing) % np.float32(2 * math.pi)
            price += np.float32(files.half) * np.minimum(turn, np.float32(2 * math.pi) - turn)
        return np.asarray(price <= left)
