"""Where the middle of a unit's front can end: an inner approximation, every point of it backed by a legal way.

From where the unit forms, straight advances go out in every direction that matters: a fan. For ground that this fan
leaves out, a search goes leg by leg over the points where turning pays (branch and bound: it goes on from a point only
while some ground might be reached from there more cheaply than before). Points spread over that ground
(``sample_points``) are goals of the search as well, so it is known which of them can be reached, and from where at the
least cost: further fans go out from there. Where a route that goes straight on would end in a friend, routes that turn
before a short last leg are tried from every side. At last the waypoints of routes to the rim are moved, twice where
that takes a route farther (``better_waypoints``). Each advance is exact (cost, zones, impassable ground, edge). The
area is the union of the fans; between two advances only the shorter counts where they differ much.

Chosen: the unit ends facing as its last leg went, so ground where it would then stand in a friend is left out, even
if a last turn could find room there. Source: TSE-MOV-01..18.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.movement.advance_area import Won, ends_free, fans, only_areas
from tabletop.geometry.movement.advance_directions import outward
from tabletop.geometry.movement.advances import Reached, reached
from tabletop.geometry.movement.better_waypoints import bent, short_last_legs
from tabletop.geometry.movement.move_context import MoveContext, Node, Nodes
from tabletop.geometry.movement.sample_points import hopes
from tabletop.geometry.movement.turning_points import turning_points
from tabletop.geometry.shapes import joined, united

#: The greatest number of legs of a way, and of places gone on from after each leg; for those that follow roads, whose
#: bases ride the track of the head, fewer at once.
LEGS, AT_ONCE, IN_FILE = 5, 48, 8
#: The greatest number of further fans, and how many of them go out before what they won is looked at.
FANS, ROUND = 20, 10
#: The greatest number of rounds, and of fans in each, from places where a unit turns before a short last leg.
SIDEWAYS, BY_SIDE = 3, 16
#: The most rounds in which ways to the rim are bent otherwise: where the last one took them farther by this or more
#: (table units).
BENDING, GAIN = 2, 0.02
#: Costs that differ by less than half of the last of so many decimals are the same.
SAME = 6
#: A way to a place is worth looking for if it might be cheaper than the one known by this (table units).
WORTH = 0.05


def reach(context: MoveContext, should_stop: Callable[[], bool] = lambda: False) -> BaseGeometry:
    """Return the area where the middle of the front can end (table units); empty if the unit cannot even form.

    ``should_stop`` is asked between fans: once true, what is certain so far is returned. Source: TSE-MOV-01 to 18.

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


def _together(pieces: list[Won]) -> BaseGeometry:
    """Return the union of fans; as exactly as it can be had, unless that gives up or loses ground of the first."""
    every = np.concatenate([piece.polygons for piece in pieces])
    least = float(shapely.area(pieces[0].polygons).sum()) * (1.0 - 1e-6)
    whole: BaseGeometry = joined(every)
    return whole if whole.area >= least else shapely.union_all([united(every)])


@dataclass(frozen=True)
class _Arrivals:
    """Arrivals at turning places: ``place`` (k,) which, ``cost`` and ``facing`` (k,), rows (k,) of what was reached."""

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
    """Ways to ground not won yet: hopes, the least (h,) it costs to get to each, and from which node that is."""

    def __init__(self, context: MoveContext, first: Won) -> None:
        self.context = context
        self.hoped = hopes(context)
        self.nodes: list[Node] = []
        self.least = np.full(len(self.hoped), context.budget)
        self.out_of = np.full(len(self.hoped), -1)
        self.met(first)

    def met(self, ground: Won) -> None:
        """Forget the hopes that lie on ground won."""
        left = ~ground.holds(self.hoped) if len(self.hoped) else np.zeros(0, bool)
        self.hoped, self.least, self.out_of = self.hoped[left], self.least[left], self.out_of[left]

    def look(self, nodes: Nodes, should_stop: Callable[[], bool]) -> None:
        """Find the cheapest ways to the hopes over turning places, leg by leg from ``nodes``."""
        turning = turning_points(self.context) if len(self.hoped) else np.zeros((0, 2))
        goals = np.concatenate([turning, self.hoped])
        best = np.full(len(turning), math.inf), np.zeros(len(turning))
        for leg in range(LEGS if len(self.hoped) else 0):
            if not nodes or should_stop():
                return
            found = reached(self.context, nodes, goals)
            if leg > 0:
                self._note(nodes, found, len(turning))
            fine = np.flatnonzero((found.place < len(turning)) & (found.cost <= self.context.budget))
            arrivals = self._undominated(_Arrivals.of(found, fine), best)
            nodes = self._promising(arrivals).nodes()

    def _note(self, nodes: Nodes, found: Reached, first: int) -> None:
        """Keep which hopes have been reached for less than before, and from where."""
        row = np.flatnonzero(found.place >= first)
        row = row[ends_free(self.context, found.at[row], found.facing[row])]
        cost = np.round(found.cost, SAME)
        order = row[np.argsort(-cost[row], kind="stable")]  # of several the last written stays: the cheapest
        order = order[cost[order] < self.least[found.place[order] - first]]
        hope = found.place[order] - first
        self.least[hope], self.out_of[hope] = cost[order], found.of[order] + len(self.nodes)
        self.nodes += nodes

    def _undominated(self, arrivals: _Arrivals, best: tuple[np.ndarray, np.ndarray]) -> _Arrivals:
        """Return the arrivals no dearer than turning after the cheapest one known at their place; and note those."""
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
        """Return those from which hopes might be had more cheaply than they have been, those with most hopes first."""
        gains = self._gains(arrivals)
        most = IN_FILE if self.context.files.file else AT_ONCE
        order = np.argsort(-gains, kind="stable")[:most]
        return arrivals.taken(order[gains[order] > 0])

    def _gains(self, arrivals: _Arrivals) -> np.ndarray:
        """Return how many hopes (k,) each arrival might get to for less than is known, straight on."""
        prices = self._prices(arrivals.reached.at[arrivals.row], arrivals.cost, arrivals.facing)
        return np.asarray((prices < (self.least - WORTH).astype(np.float32)).sum(axis=1))

    def _prices(self, at: np.ndarray, cost: np.ndarray, facing: np.ndarray) -> np.ndarray:
        """Return what each hope would cost at the least (k, h) straight on from places (k, 2) that cost so much."""
        context, files = self.context, self.context.files
        dx, dy = ((self.hoped[:, k] - at[:, k, None]).astype(np.float32) for k in (0, 1))
        price = np.hypot(dx, dy) / np.float32(files.cost_model.road) + cost.astype(np.float32)[:, None]
        if not (context.free_turns or files.file):
            turn = _apart(np.arctan2(dx, dy), facing.astype(np.float32)[:, None])
            price += np.float32(files.half) * turn
        return np.asarray(price)

    def beside_friends(self, pieces: list[Won], should_stop: Callable[[], bool]) -> Iterator[Nodes]:
        """Yield nodes from which hopes not won yet are had by a turn before a short last leg; few at a time.

        Most such hopes lie beside friends; only columns that move as one are led there. What was won from the nodes
        yielded is expected at the end of ``pieces``.
        """
        if self.context.files.file or self.context.files.half == 0.0:
            return
        nodes = Nodes((Node.first(self.context), *self.nodes))
        found, which = short_last_legs(self.context, nodes, self.hoped)
        hoped = self.hoped[which]
        for _ in range(SIDEWAYS):
            if not found or should_stop():
                return
            spread = np.unique(np.linspace(0, len(found) - 1, BY_SIDE).astype(int))
            yield Nodes(found[k] for k in spread.tolist())
            left = np.flatnonzero(~pieces[-1].holds(hoped))
            found, hoped = Nodes(found[k] for k in left.tolist()), hoped[left]

    def cheapest(self) -> tuple[Nodes, list[np.ndarray]]:
        """Return nodes from which most hopes are had at the least cost, and which; these are not hoped for again."""
        known = self.out_of >= 0
        count = np.bincount(self.out_of[known], minlength=len(self.nodes))
        chosen = [k for k in np.argsort(-count, kind="stable")[:ROUND].tolist() if count[k] > 0]
        nodes = Nodes(self.nodes[k] for k in chosen)
        might = self._prices(nodes.at, nodes.cost, nodes.facing) <= self.context.budget if nodes else ()
        toward = [self.hoped[own] for own in might]
        left = ~np.isin(self.out_of, chosen)
        self.hoped, self.least, self.out_of = self.hoped[left], self.least[left], self.out_of[left]
        return nodes, toward


def _apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the angle between bearings."""
    return np.asarray(np.abs(np.remainder(one - other + math.pi, 2 * math.pi) - math.pi))
