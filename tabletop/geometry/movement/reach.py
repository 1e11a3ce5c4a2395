"""Where the middle of a unit's front can end: an inner approximation, every point of it backed by a legal path.

From where the unit forms, straight advances go out in every direction that matters: a fan. For ground that this fan
leaves out, a search goes leg by leg over the points where turning pays (branch and bound: it continues from a point
only while some ground might be reached from there more cheaply than before). Sample points spread over that ground
(``sample_points``) are goals of the search as well, so it finds out which of them can be reached, and from where at the
least cost: further fans start there. Where a route that goes straight on would end in a friend, routes that turn before
a short last leg are tried from every side. Finally the waypoints of routes to the rim are shifted, a second time if
that takes a route farther (``better_waypoints``). Each advance is exact (cost, zones, impassable ground, edge). The
area is the union of the fans; between two advances that differ much, only the shorter counts.

A design choice: the unit ends facing as its last leg went, so ground where it would then overlap a friend is left out,
even if a final turn could find room there. Source: TSE-MOV-01..18.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.movement.advance_area import AdvanceArea, ends_free, fans, only_areas
from tabletop.geometry.movement.advance_directions import outward
from tabletop.geometry.movement.advances import Reached, reached
from tabletop.geometry.movement.better_waypoints import bent, short_last_legs
from tabletop.geometry.movement.move_context import MoveContext, Node, Nodes
from tabletop.geometry.movement.sample_points import sample_points
from tabletop.geometry.movement.turning_points import turning_points
from tabletop.geometry.shapes import joined, united

#: Most legs of a path, and most places to continue from after each leg; fewer for those that follow roads, whose bases
#: follow the head's track.
LEGS, AT_ONCE, IN_FILE = 5, 48, 8
#: Most further fans, and how many are computed before the search looks at what they won.
FANS, ROUND = 20, 10
#: Most rounds, and fans in each, from places where a unit turns before a short last leg.
SIDEWAYS, BY_SIDE = 3, 16
#: Most rounds of bending paths to the rim; another is tried where the last took them farther by this much (table
#: units).
BENDING, GAIN = 2, 0.02
#: Costs are rounded to this many decimals before they are compared.
SAME = 6
#: A path to a place is worth searching for if it might be cheaper than the known one by this (table units).
WORTH = 0.05


def reach(context: MoveContext, should_stop: Callable[[], bool] = lambda: False) -> BaseGeometry:
    """Return the area where the middle of the front can end (table units); empty if the unit cannot even form.

    ``should_stop`` is called between fans: once it returns True, the area certain so far is returned. Source:
    TSE-MOV-01 to 18.

    On open ground, free to turn, a front goes 3 in in every direction; in a corner of the table it goes less far:

    >>> import math
    >>> import numpy as np
    >>> from tabletop.geometry import Base, Body, CostModel, Files, MoveContext, Outlines, Table
    >>> from tabletop.geometry import ground_of, reachable_ground
    >>> class Anywhere:  # there is room to turn everywhere
    ...     def __call__(self, mid, facing):
    ...         return math.inf, math.inf
    ...     def at(self, standing):
    ...         return [(math.inf, math.inf) for _ in standing]
    >>> body = Body.of([Base(10.0, 9.5, 0.0, 1.0, 1.0)], [0], 0.0)
    >>> context = MoveContext(
    ...     files=Files.of(body, CostModel(rough=2.0, linear=2.0, choke=1.0)), ground=ground_of(Table.of("in", 20, 20)),
    ...     pivot=body.mid, offset=0.0, budget=3.0, keep=Outlines.of([]), friends=(), room=(0.0, 0.0, 20.0, 20.0),
    ...     forms=lambda bearings: np.ones(len(bearings), bool), turns=Anywhere())
    >>> round(reachable_ground(context).area / (math.pi * 3.0**2), 2)
    1.0
    """
    return explored(context, should_stop)[0]


def explored(context: MoveContext, should_stop: Callable[[], bool] = lambda: False) -> tuple[BaseGeometry, list[Node]]:
    """Return the area in reach and the nodes whose fans make it up: each point is one advance from one of them."""
    nodes = Nodes.of([Node.first(context)])
    pieces, used = [fans(context, outward(context, nodes, (None,)))], [*nodes]
    if not should_stop():
        search = _Search(context, pieces[0])
        search.look(nodes, should_stop)
        while not should_stop() and len(used) <= FANS:
            nodes, toward = search.cheapest()
            if not nodes:
                break
            pieces.append(fans(context, outward(context, nodes, toward)))
            used += nodes
            search.met(pieces[-1])
        for nodes in search.beside_friends(pieces, should_stop):
            pieces.append(fans(context, outward(context, nodes, (None,) * len(nodes))))
            used += nodes
    area = only_areas(_together(pieces))
    won: BaseGeometry | None = None
    for _ in range(BENDING):
        further = Nodes() if should_stop() else bent(context, used, area, won)
        if not further:
            break
        pieces.append(fans(context, outward(context, further, (None,) * len(further))))
        used += further
        before, area = area, only_areas(_together(pieces))
        won = shapely.difference(area, shapely.buffer(before, GAIN))
    return area, used


def _together(pieces: list[AdvanceArea]) -> BaseGeometry:
    """Return the union of fans; as exactly as possible, unless that fails or loses ground of the first fan."""
    every = np.concatenate([piece.polygons for piece in pieces])
    least = float(shapely.area(pieces[0].polygons).sum()) * (1.0 - 1e-6)
    whole: BaseGeometry = joined(every)
    return whole if whole.area >= least else shapely.union_all([united(every)])


@dataclass(frozen=True)
class _Arrivals:
    """Arrivals at turning points: which ``place`` (k,), their ``cost`` and ``facing`` (k,), and their ``row`` in
    ``reached``."""

    reached: Reached
    row: np.ndarray
    place: np.ndarray
    cost: np.ndarray
    facing: np.ndarray

    @classmethod
    def of(cls, found: Reached, row: np.ndarray) -> _Arrivals:
        return cls(found, row, found.place[row], np.round(found.cost[row], SAME), found.facing[row])

    def taken(self, chosen: np.ndarray) -> _Arrivals:
        columns = (self.row, self.place, self.cost, self.facing)
        return _Arrivals(self.reached, *(column[chosen] for column in columns))

    def nodes(self) -> Nodes:
        return Nodes(self.reached.node(k) for k in self.row.tolist())


class _Search:
    """Paths to ground not won yet: sample points, the least cost (h,) of each so far, and the node it comes from."""

    def __init__(self, context: MoveContext, first: AdvanceArea) -> None:
        self.context = context
        self.samples = sample_points(context)
        self.nodes: list[Node] = []
        self.least = np.full(len(self.samples), context.budget)
        self.out_of = np.full(len(self.samples), -1)
        self.met(first)

    def met(self, ground: AdvanceArea) -> None:
        """Drop the sample points that lie on ground won."""
        left = ~ground.holds(self.samples) if len(self.samples) else np.zeros(0, bool)
        self.samples, self.least, self.out_of = self.samples[left], self.least[left], self.out_of[left]

    def look(self, nodes: Nodes, should_stop: Callable[[], bool]) -> None:
        """Find the cheapest paths to the sample points over turning points, leg by leg from ``nodes``."""
        turning = turning_points(self.context) if len(self.samples) else np.zeros((0, 2))
        goals = np.concatenate([turning, self.samples])
        best = np.full(len(turning), math.inf), np.zeros(len(turning))
        for leg in range(LEGS if len(self.samples) else 0):
            if not nodes or should_stop():
                return
            arrived = reached(self.context, nodes, goals)
            if leg > 0:
                self._note(nodes, arrived, len(turning))
            fine = np.flatnonzero((arrived.place < len(turning)) & (arrived.cost <= self.context.budget))
            arrivals = self._undominated(_Arrivals.of(arrived, fine), best)
            nodes = self._promising(arrivals).nodes()

    def _note(self, nodes: Nodes, found: Reached, first: int) -> None:
        """Record which sample points have been reached for less than before, and from where."""
        row = np.flatnonzero(found.place >= first)
        row = row[ends_free(self.context, found.at[row], found.facing[row])]
        cost = np.round(found.cost, SAME)
        order = row[np.argsort(-cost[row], kind="stable")]  # the last one written wins: the cheapest
        order = order[cost[order] < self.least[found.place[order] - first]]
        sample = found.place[order] - first
        self.least[sample], self.out_of[sample] = cost[order], found.of[order] + len(self.nodes)
        self.nodes += nodes

    def _undominated(self, arrivals: _Arrivals, best: tuple[np.ndarray, np.ndarray]) -> _Arrivals:
        """Return arrivals that cost no more than turning after the cheapest known at their place; record new
        cheapest ones."""
        cost, facing = best
        rate = 0.0 if self.context.free_turns or self.context.files.file else self.context.files.half
        order = np.argsort(-arrivals.cost, kind="stable")
        place = arrivals.place[order]
        before = cost[arrivals.place] + rate * _apart(arrivals.facing, facing[arrivals.place])
        fresh = arrivals.cost < before - 1e-9
        order = order[fresh[order] & (arrivals.cost[order] < cost[place])]
        cost[arrivals.place[order]], facing[arrivals.place[order]] = arrivals.cost[order], arrivals.facing[order]
        after = cost[arrivals.place] + rate * _apart(arrivals.facing, facing[arrivals.place])
        return arrivals.taken(fresh & (arrivals.cost <= after + 1e-9))

    def _promising(self, arrivals: _Arrivals) -> _Arrivals:
        """Return the arrivals from which sample points might become cheaper, those with the most such points first."""
        gains = self._gains(arrivals)
        most = IN_FILE if self.context.files.file else AT_ONCE
        order = np.argsort(-gains, kind="stable")[:most]
        return arrivals.taken(order[gains[order] > 0])

    def _gains(self, arrivals: _Arrivals) -> np.ndarray:
        """Return how many sample points (k,) each arrival might reach more cheaply than known, going straight on."""
        prices = self._prices(arrivals.reached.at[arrivals.row], arrivals.cost, arrivals.facing)
        return np.asarray((prices < (self.least - WORTH).astype(np.float32)).sum(axis=1))

    def _prices(self, at: np.ndarray, cost: np.ndarray, facing: np.ndarray) -> np.ndarray:
        """Return a lower bound (k, h) on the cost of each sample point straight on from places (k, 2) at ``cost``."""
        context, files = self.context, self.context.files
        dx, dy = ((self.samples[:, k] - at[:, k, None]).astype(np.float32) for k in (0, 1))
        price = np.hypot(dx, dy) / np.float32(files.cost_model.road) + cost.astype(np.float32)[:, None]
        if not (context.free_turns or files.file):
            turn = _apart(np.arctan2(dx, dy), facing.astype(np.float32)[:, None])
            price += np.float32(files.half) * turn
        return np.asarray(price)

    def beside_friends(self, pieces: list[AdvanceArea], should_stop: Callable[[], bool]) -> Iterator[Nodes]:
        """Yield nodes from which sample points not won yet are reached by a turn before a short last leg; few at a
        time.

        Most such points lie beside friends; only columns that move as one are led there. The caller must append the
        ground won from the nodes to ``pieces`` before it resumes.
        """
        if self.context.files.file or self.context.files.half == 0.0:
            return
        nodes = Nodes((Node.first(self.context), *self.nodes))
        candidates, goal_of = short_last_legs(self.context, nodes, self.samples)
        samples = self.samples[goal_of]
        for _ in range(SIDEWAYS):
            if not candidates or should_stop():
                return
            spread = np.unique(np.linspace(0, len(candidates) - 1, BY_SIDE).astype(int))
            yield Nodes(candidates[k] for k in spread.tolist())
            left = np.flatnonzero(~pieces[-1].holds(samples))
            candidates, samples = Nodes(candidates[k] for k in left.tolist()), samples[left]

    def cheapest(self) -> tuple[Nodes, list[np.ndarray]]:
        """Return the nodes from which most sample points cost least, and the points to aim at; drop these from the
        search."""
        known = self.out_of >= 0
        count = np.bincount(self.out_of[known], minlength=len(self.nodes))
        chosen = [k for k in np.argsort(-count, kind="stable")[:ROUND].tolist() if count[k] > 0]
        nodes = Nodes(self.nodes[k] for k in chosen)
        might = self._prices(nodes.at, nodes.cost, nodes.facing) <= self.context.budget if nodes else ()
        toward = [self.samples[own] for own in might]
        left = ~np.isin(self.out_of, chosen)
        self.samples, self.least, self.out_of = self.samples[left], self.least[left], self.out_of[left]
        return nodes, toward


def _apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the angle between bearings."""
    return np.asarray(np.abs(np.remainder(one - other + math.pi, 2 * math.pi) - math.pi))
