"""Places a front advances from, and its farthest straight advances from them, many at once.

Each advance is exact (cost, zones, impassable ground, the table's edge). Source: TSE-MOV-01..18.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from tabletop.geometry.movement.advance_contact import advance_until, table_until
from tabletop.geometry.movement.advance_cost import (
    Beside,
    Files,
    Ray,
    Spent,
    farthest,
    followed,
    met_by,
    rays,
    spend,
)
from tabletop.geometry.movement.bearing_index import Pairs
from tabletop.geometry.movement.choke_crossings import held_until
from tabletop.geometry.movement.farthest_advance import AdvanceCosts, Paid
from tabletop.geometry.movement.move_context import MoveContext, Node, Nodes, directions_of
from tabletop.geometry.movement.nearby_edges import Place
from tabletop.geometry.movement.turning import Turning


class CostsAlong(Protocol):
    """The cost along some advances: how far a budget lasts on each, and what has been spent at a given length."""

    def lasting(self, budget: float, limit: np.ndarray) -> np.ndarray: ...

    def after(self, at: np.ndarray) -> Sequence[Spent]: ...


@dataclass(frozen=True)
class _Trains:
    """Costs of march columns, whose bases follow the head's track: one advance at a time."""

    files: Files
    rays: list[Ray]
    spent: list[Spent]

    def lasting(self, budget: float, limit: np.ndarray) -> np.ndarray:
        every = zip(self.rays, self.spent, limit.tolist(), strict=True)
        return np.array([farthest(ray, s, self.files, budget, c) if c >= 0.0 else -1.0 for ray, s, c in every])

    def after(self, at: np.ndarray) -> list[Spent]:
        every = zip(self.rays, self.spent, at.tolist(), strict=True)
        return [spend(ray, s, self.files, far) for ray, s, far in every]


@dataclass(frozen=True)
class Heads:
    """Directions to advance in: bearings (n,) and the index in ``nodes`` of the node of each (n,)."""

    nodes: tuple[Node, ...]
    of: np.ndarray
    bearings: np.ndarray

    def taken(self, chosen: np.ndarray) -> Heads:
        return Heads(self.nodes, self.of[chosen], self.bearings[chosen])

    @cached_property
    def out_of(self) -> Nodes:
        """The nodes, with arrays of their properties."""
        return Nodes.of(self.nodes)

    def starts(self, context: MoveContext) -> np.ndarray:
        """Return where the middle of the front is (n, 2) once it faces each bearing."""
        nodes = self.out_of
        if not nodes.free.any():
            return np.asarray(nodes.at[self.of])
        ahead = (context.offset * nodes.free)[self.of]
        return np.asarray(nodes.at[self.of] + ahead[:, None] * directions_of(self.bearings))

    def beside(self, context: MoveContext) -> tuple[Pairs, Beside]:
        """Return the outlines to keep away from and the edges of ground that an advance in each direction may meet."""
        return context.surroundings.beside(self.places(context), self.of, self.bearings)

    def places(self, context: MoveContext) -> list[Place]:
        """Return for each node its position, how far ahead of it advances begin and the farthest they can go."""
        road, offset, places = context.files.cost_model.road, context.offset, []
        for node in self.nodes:
            ahead = offset if node.facing is None else 0.0
            places.append((node.at, ahead, ahead + max(context.budget - node.cost, 0.0) * road))
        return places

    def each(self) -> Iterator[tuple[Node, np.ndarray]]:
        """Yield every node that has directions, with their indices."""
        for k, node in enumerate(self.nodes):
            own = np.flatnonzero(self.of == k)
            if len(own):
                yield node, own


@dataclass(frozen=True)
class Advances:
    """The farthest advances: their directions, where each front starts (n, 2), how far it goes (negative if
    nowhere)."""

    heads: Heads
    starts: np.ndarray
    lengths: np.ndarray

    @property
    def bearings(self) -> np.ndarray:
        return self.heads.bearings


def advances(context: MoveContext, heads: Heads) -> Advances:
    """Return the farthest legal advance in each direction, in table units (exact law, t = 0; TSE-MOV-01).

    >>> import math
    >>> import numpy as np
    >>> from tabletop.geometry import Base, Body, Files, Outlines, MoveContext, Table, CostModel, ground_of
    >>> body = Body.of([Base(10.0, 9.5, 0.0, 1.0, 1.0)], [0], 0.0)
    >>> context = MoveContext(
    ...     files=Files.of(body, CostModel(rough=2.0, linear=2.0, choke=1.0)),
    ...     ground=ground_of(Table.of("in", 20, 20)), pivot=body.mid, offset=0.0, budget=6.0, keep=Outlines.of([]),
    ...     friends=(), room=(0.0, 0.0, 20.0, 13.0), forms=lambda bearings: np.ones(len(bearings), bool),
    ...     turns=lambda mid, facing: (math.inf, math.inf))
    >>> north_and_west = Heads((Node.first(context),), np.array([0, 0]), np.array([0.0, -math.pi / 2]))
    >>> advances(context, north_and_west).lengths.round(2).tolist()
    [3.0, 6.0]
    """
    legal, paid = _turned(context, heads)
    left = (context.budget - paid.plain) * context.files.cost_model.road
    starts, most = heads.starts(context), np.where(legal & (left >= 0.0), left, -1.0)
    outlines, ground = heads.beside(context)
    cap = _unhindered(context, heads, starts, most, outlines)
    costs = costs_along(context, heads, starts, cap, paid, ground)
    return Advances(heads, starts, np.where(cap >= 0.0, costs.lasting(context.budget, cap), -1.0))


def costs_along(
    context: MoveContext, heads: Heads, starts: np.ndarray, lengths: np.ndarray, paid: Paid, beside: Beside
) -> CostsAlong:
    """Return the costs along advances of ``lengths`` (n,), whose turns are ``paid``, over the ground ``beside``."""
    files, u = context.files, directions_of(heads.bearings)
    lengths = np.maximum(lengths, 1e-6)
    if not files.file and files.cost_model.road == 1.0:
        return AdvanceCosts.of(files, met_by(files, context.ground, starts, u, lengths, beside), paid)
    spent = [replace(heads.nodes[k].spent, **way) for k, way in zip(heads.of.tolist(), paid.columns(), strict=True)]
    met = rays(files, context.ground, starts, u, lengths, beside)
    return _Trains(files, [followed(ray, s, files) for ray, s in zip(met, spent, strict=True)], spent)


def _turned(context: MoveContext, heads: Heads) -> tuple[np.ndarray, Paid]:
    """Return whether the fronts can form facing, or turn to, each direction, and what has been spent by then."""
    turning = Turning.of(context, heads.out_of)
    turns = turning.to(heads.of, heads.bearings)
    legal, forms = turning.possible(heads.of, turns), turning.free[heads.of]
    if forms.any():
        legal[forms] = context.forms(heads.bearings[forms])
    return legal, turning.paid(heads.of, turns)


def _unhindered(context: MoveContext, heads: Heads, starts: np.ndarray, limit: np.ndarray, beside: Pairs) -> np.ndarray:
    """Return how far, up to ``limit`` (n,), each front gets past the outlines ``beside`` if cost does not count.

    Negative where ``limit`` is.
    """
    u, half, real = directions_of(heads.bearings), context.files.half, limit >= 0.0
    limit = np.minimum(limit, _held(context, heads))
    cap = np.minimum(limit, table_until(starts, u, half, context.room, context.pad))
    i, e = beside
    wanted = real[i]
    most = float(limit.max(initial=0.0))
    cap = np.minimum(cap, advance_until(starts, u, half, context.keep, most, (i[wanted], e[wanted])))
    return np.where(real, cap, -1.0)


def _held(context: MoveContext, heads: Heads) -> np.ndarray:
    """Return how far (n,) fronts that overhang impassable ground beside a bridge may go; unlimited for a file."""
    files, opened = context.files, tuple(gap for gap in context.ground.opened if gap is not None)
    if not opened or files.half == 0.0 or files.file:
        return np.full(len(heads.of), np.inf)
    return held_until(
        opened, heads.starts(context), directions_of(heads.bearings), files.half, files.back, files.cost_model.t
    )


def turned(context: MoveContext, nodes: Sequence[Node], bearings: np.ndarray) -> list[Spent]:
    """Return what has been spent once the front at each node has turned about its middle to face its own bearing
    (n,)."""
    turning, of = Turning.of(context, nodes), np.arange(len(nodes))
    paid = turning.paid(of, turning.to(of, bearings))
    return [replace(node.spent, **way) for node, way in zip(nodes, paid.columns(), strict=True)]


def _cheapest(context: MoveContext, heads: Heads, away: np.ndarray) -> np.ndarray:
    """Return a lower bound (n,) on the cost of turning and going ``away`` (n,) from the nodes, as if on good ground."""
    nodes = heads.out_of
    cost = nodes.cost[heads.of]
    if context.free_turns or context.files.file or nodes.free.any():
        return np.asarray(cost)
    turn = np.abs(np.remainder(heads.bearings - nodes.facing[heads.of] + math.pi, 2 * math.pi) - math.pi)
    return np.asarray(cost + turn * context.files.half + away / context.files.cost_model.road)


@dataclass(frozen=True)
class Reached:
    """Places ``at`` (m, 2) reached by straight advances: ``of`` is the node (m,) each comes from, ``facing`` (m,) its
    bearing.

    ``cost`` (m,) is the total cost there, ``spent`` returns its breakdown; ``place`` (m,) is the index of the place
    asked for.
    """

    nodes: Sequence[Node]
    of: np.ndarray
    at: np.ndarray
    facing: np.ndarray
    cost: np.ndarray
    spent: Callable[[int], Spent]
    place: np.ndarray

    def node(self, k: int) -> Node:
        """Return number ``k`` as a node to continue from."""
        at = float(self.at[k, 0]), float(self.at[k, 1])
        way = (*self.nodes[self.of[k]].way, at)
        return Node(float(self.cost[k]), at, float(self.facing[k]), self.spent(k), way)


def onward(context: MoveContext, nodes: Sequence[Node], points: np.ndarray) -> list[Node]:
    """Return the nodes at those ``points`` (n, 2) that a single advance from any of ``nodes`` reaches within the
    budget.

    Source: TSE-MOV-01.
    """
    arrivals = reached(context, nodes, points)
    return [arrivals.node(k) for k in np.flatnonzero(arrivals.cost <= context.budget).tolist()]


def reached(context: MoveContext, nodes: Sequence[Node], points: np.ndarray) -> Reached:
    """Return which ``points`` (n, 2) a single straight advance from any of ``nodes`` reaches, even if it overspends."""
    known = Nodes.of(nodes)
    d = points - known.at[:, None]
    away = np.hypot(d[..., 0], d[..., 1])
    offset = (context.offset * known.free)[:, None]
    left = (context.budget - known.cost)[:, None] * context.files.cost_model.road
    of, place = np.nonzero((away >= offset - 1e-5) & (away < left + offset) & (away > 1e-6))
    return reached_each(context, known, points, of, place)


def reached_each(
    context: MoveContext,
    nodes: Sequence[Node],
    points: np.ndarray,
    of: np.ndarray,
    place: np.ndarray,
    most: np.ndarray | None = None,
) -> Reached:
    """Return the same for given pairs: from the nodes ``of`` (k,) to points ``place`` (k,), for up to ``most`` (k,)."""
    known = Nodes.of(nodes)
    d = points[place] - known.at[of]
    away, offset = np.hypot(d[:, 0], d[:, 1]), (context.offset * known.free)[of]
    heads = Heads(known, of, np.arctan2(d[:, 0], d[:, 1]))
    budget = context.budget if most is None else most
    cheap = _cheapest(context, heads, away) <= budget + 1e-9
    paying = np.flatnonzero(cheap & (away >= offset - 1e-5) & (away > 1e-6))
    heads, of, place = heads.taken(paying), of[paying], place[paying]
    lengths = np.maximum(away[paying] - offset[paying], 0.0)
    free, cost, spent = _gone(context, heads, lengths)
    return Reached(known, of[free], points[place[free]], heads.bearings[free], cost, spent, place[free])


def _gone(
    context: MoveContext, heads: Heads, lengths: np.ndarray
) -> tuple[np.ndarray, np.ndarray, Callable[[int], Spent]]:
    """Return which advances of ``lengths`` (n,) are free but for their cost; what those cost, and how it is spent."""
    legal, paid = _turned(context, heads)
    starts, most = heads.starts(context), np.where(legal, lengths, -1.0)
    outlines, ground = heads.beside(context)
    free = _unhindered(context, heads, starts, most, outlines) >= lengths - 1e-9
    costs = costs_along(context, heads.taken(free), starts[free], lengths[free], paid.taken(free), ground.taken(free))
    if isinstance(costs, AdvanceCosts):
        paid = costs.spent(lengths[free])
        return free, paid.total(context.files), paid.way
    after = costs.after(lengths[free])
    return free, np.array([spent.cost(context.files.cost_model) for spent in after]), after.__getitem__
