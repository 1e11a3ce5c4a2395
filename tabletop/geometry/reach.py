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
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.fan import Reached, reached
from tabletop.geometry.hopes import hopes
from tabletop.geometry.kernels.choosing import choose
from tabletop.geometry.outward import outward
from tabletop.geometry.places import turning_points
from tabletop.geometry.setting import Node, Nodes, Setting
from tabletop.geometry.shapes import joined, united
from tabletop.geometry.spread import Won, fans, only_areas
from tabletop.geometry.union import wound

#: The greatest number of places a further fan starts from, and the least share of the area one must promise.
NODES = 16
#: How many of them at once, by those that follow roads leg after leg; others need few legs: all at once if they can.
AT_ONCE = 8
PROMISE = 0.002
#: Of places closer together than this (table units) the second is not chosen unless it is had for much less.
NEAR = 0.15
#: What a hope is worth still after a fan that might have met it did not.
DOUBT = 0.5


def reach(setting: Setting, should_stop: Callable[[], bool] = lambda: False) -> BaseGeometry:
    """Return the area where the middle of the front can end (table units); empty if the unit cannot even form.

    ``should_stop`` is asked between fans: once true, what is certain so far is returned.
    """
    return explored(setting, should_stop)[0]


def explored(setting: Setting, should_stop: Callable[[], bool] = lambda: False) -> tuple[BaseGeometry, list[Node]]:
    """Return the area in reach and the nodes whose fans make it up: each point is one advance from one of them."""
    nodes = Nodes.of([Node.first(setting)])
    pieces, used = [fans(setting, outward(setting, nodes, (None,)))], [*nodes]
    if not should_stop():
        search = _Search(setting, pieces[0])
        corners = turning_points(setting)
        search.wait(reached(setting, nodes, corners))
        while len(used) <= NODES and not should_stop():
            most = min(AT_ONCE if setting.files.file else NODES, NODES + 1 - len(used))
            nodes, toward = search.most_promising(most)
            if not nodes:
                break
            pieces.append(fans(setting, outward(setting, nodes, toward)))
            used += nodes
            if len(used) <= NODES:
                search.met(pieces[-1])
                search.wait(reached(setting, nodes, corners))
    return only_areas(_together(pieces)), used


def _together(pieces: list[Won]) -> BaseGeometry:
    """Return the union of fans; as exactly as it can be had, unless that gives up or loses ground of the first."""
    starts, ends = (np.concatenate(both) for both in zip(*(piece.edges for piece in pieces), strict=True))
    quickly = wound(starts, ends)
    if quickly is not None:
        return quickly
    every = np.concatenate([piece.polygons for piece in pieces])
    least = float(shapely.area(pieces[0].polygons).sum()) * (1.0 - 1e-6)
    whole: BaseGeometry = joined(every)
    return whole if whole.area >= least else shapely.union_all([united(every)])


@dataclass(frozen=True)
class _Waiting:
    """Places to go on from: where they are (k, 2), what it cost to get there, which way they face (k,).

    And of which of what was ``reached`` each is, and which (k,).
    """

    reached: tuple[Reached, ...]
    at: np.ndarray
    cost: np.ndarray
    facing: np.ndarray
    part: np.ndarray
    row: np.ndarray

    def __len__(self) -> int:
        return len(self.cost)

    def with_more(self, more: Reached, budget: float) -> _Waiting:
        """Return the same and what has been reached for no more than a budget."""
        row = np.flatnonzero(more.cost <= budget)
        own = (self.at, self.cost, self.facing, self.part, self.row)
        new = (more.at[row], more.cost[row], more.facing[row], np.full(len(row), len(self.reached)), row)
        return _Waiting((*self.reached, more), *map(np.concatenate, zip(own, new, strict=True)))

    def taken(self, chosen: np.ndarray) -> _Waiting:
        columns = (self.at, self.cost, self.facing, self.part, self.row)
        return _Waiting(self.reached, *(column[chosen] for column in columns))

    def node(self, k: int) -> Node:
        return self.reached[int(self.part[k])].node(int(self.row[k]))


NOBODY = _Waiting((), np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros(0, int), np.zeros(0, int))


class _Search:
    """What may still be won: hopes not met yet, each with its weight, which sinks with every fan that may meet it.

    And the places ``waiting`` to be gone on from.
    """

    def __init__(self, setting: Setting, first: Won) -> None:
        self.setting = setting
        self.hoped = hopes(setting)
        self.weights = np.ones(len(self.hoped))
        self.least = PROMISE * len(self.hoped)
        self.waiting = NOBODY
        self.met(first)

    def met(self, ground: Won) -> None:
        """Forget the hopes that lie on ground won."""
        left = ~ground.holds(self.hoped)
        self.hoped, self.weights = self.hoped[left], self.weights[left]

    def wait(self, more: Reached) -> None:
        """Let what has been reached wait."""
        self.waiting = self.waiting.with_more(more, self.setting.budget)

    def most_promising(self, most: int) -> tuple[Nodes, list[np.ndarray]]:
        """Take out of those waiting up to ``most`` that could at best meet most hopes, and say which each could."""
        if not len(self.waiting) or not len(self.hoped):
            return Nodes(), []
        quick = choose.ready()
        chosen, toward, kept = self._chosen(most) if quick is None else self._quickly(quick, most)
        nodes = Nodes(self.waiting.node(k) for k in chosen)
        self.waiting = self.waiting.taken(kept)
        return nodes, toward

    def _chosen(self, most: int) -> tuple[list[int], list[np.ndarray], np.ndarray]:
        """Return which are chosen, the places each could meet, and which (k,) still wait."""
        chosen: list[int] = []
        toward: list[np.ndarray] = []
        may, (at, cost) = self._may_meet(), (self.waiting.at, self.waiting.cost)
        counts = may.astype(np.float32)
        kept = np.ones(len(cost), bool)
        while len(chosen) < most:
            promise = np.where(kept, counts @ self.weights.astype(np.float32), -1.0)
            kept &= promise >= self.least  # what too little is hoped of now never promises more
            best = int(np.argmax(promise))
            if promise[best] < self.least:
                break
            chosen.append(best)
            toward.append(self.hoped[may[best]])
            self.weights[may[best]] *= DOUBT
            near = np.hypot(*(at - at[best]).T) <= NEAR
            kept &= ~near | (cost < cost[best] - 0.5)
        return chosen, toward, kept

    def _quickly(self, quick: Callable[..., int], most: int) -> tuple[list[int], list[np.ndarray], np.ndarray]:
        """Return the same, by the kernel."""
        setting, waiting, n = self.setting, self.waiting, len(self.waiting)
        files = setting.files
        chosen, kept, may = np.empty(most, int), np.empty(n, bool), np.empty((most, len(self.hoped)), bool)
        half = 0.0 if setting.free_turns or files.file else files.half
        ways = (waiting.at, waiting.cost, setting.budget - waiting.cost, waiting.facing)
        limits = (files.tariff.road, half, self.least, DOUBT, NEAR, most)
        count = quick(self.hoped, self.weights, *ways, *limits, kept, chosen, may)
        return chosen[:count].tolist(), [self.hoped[own] for own in may[:count]], kept

    def _may_meet(self) -> np.ndarray:
        """Return (k, hopes): whether a straight advance from each waiting could get to each hope for its price."""
        setting, waiting = self.setting, self.waiting
        files = setting.files
        left = (setting.budget - waiting.cost).astype(np.float32)[:, None]
        dx, dy = ((self.hoped[:, k] - waiting.at[:, k, None]).astype(np.float32) for k in (0, 1))
        price = np.hypot(dx, dy) / np.float32(files.tariff.road)
        if not (setting.free_turns or files.file):
            turn = np.abs(np.arctan2(dx, dy) - waiting.facing.astype(np.float32)[:, None]) % np.float32(2 * math.pi)
            price += np.float32(files.half) * np.minimum(turn, np.float32(2 * math.pi) - turn)
        return np.asarray(price <= left)
