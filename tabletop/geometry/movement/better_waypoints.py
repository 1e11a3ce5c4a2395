"""Better waypoints: those of paths to the rim of the reach, shifted as long as that takes the unit farther.

The usual turning points lie next to corners, which is only nearly where the best path bends, and a path out of rough
ground may bend anywhere. So places just outside the rim become goals, and paths to them may exceed the budget a little.
Each path gets variants that bend a little to one side, or once more, and those from which some goal costs least are
kept; the shifts get smaller from round to round. Source: TSE-MOV-01..18.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point
from tabletop.geometry.movement.advance_area import ends_free
from tabletop.geometry.movement.advances import Reached, reached_each
from tabletop.geometry.movement.move_context import MoveContext, Node, Nodes, directions_of
from tabletop.geometry.movement.sample_points import free

#: How far outside the rim goals lie and how far apart (table units), and by how much paths may exceed the budget.
OUTSIDE, APART, BEYOND = 0.06, 0.5, 0.8
#: Largest distance (table units) of the goals of later rounds from the ground won last.
NEAR = 0.4
#: Waypoints are shifted by these lengths (table units), in turn, in this many directions.
SHIFTS, SIDES = (0.5, 0.2, 0.08), 8
#: In this many rounds the last leg is also bent once more, at these shares of its length.
BENT, SHARES = 2, (0.35, 0.7)
#: A path within the first of the cheapest to a goal is as good; variants of paths within the second are tried.
ALIKE, TRIED = 0.01, 0.25
#: For goals that no path reaches: the number of sides to arrive from, the lengths of the last leg, how many nodes to
#: try for each place, and how many arrivals to continue with.
AROUND, LAST_LEGS, NEAREST, ARRIVALS = 16, (0.25, 0.6, 1.2), 3, 3
#: Length (table units) of the last leg to places beside friends.
SHORT = 0.25
#: Number of variants, by lower bound the cheapest, that are tried for each goal.
PROMISING = 4
#: Most paths to continue with.
WAYS = 48

Way = tuple[Point, ...]
#: Selects the arrivals worth continuing from, given what was reached, the rows, and the path each ends.
Worth = Callable[[Reached, np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class _Costs:
    """Nodes and the cost of each goal one straight advance farther: a table (nodes, goals)."""

    nodes: Nodes
    table: np.ndarray

    @property
    def best(self) -> np.ndarray:
        return np.asarray(self.table.min(axis=0, initial=math.inf))

    def taken(self, chosen: Sequence[int]) -> _Costs:
        return _Costs(Nodes(self.nodes[k] for k in chosen), self.table[list(chosen)])

    def enough(self) -> _Costs:
        """Return a small set of nodes that is good enough for every goal, chosen greedily."""
        left = np.isfinite(self.best)
        does, chosen = self.table <= self.best + ALIKE, list[int]()
        while left.any() and len(chosen) < WAYS:
            chosen.append(int(np.argmax((does & left).sum(axis=1))))
            left &= ~does[chosen[-1]]
        return self.taken(chosen)


def bent(context: MoveContext, nodes: Sequence[Node], area: BaseGeometry, beside: BaseGeometry | None = None) -> Nodes:
    """Return nodes from which more ground can be reached than ``area``, which ``nodes`` make up; only for columns.

    With ``beside``, look only at the rim near that ground: what was won last, next to which more may be won.
    """
    turns = not context.files.file and context.files.half > 0.0
    goals = _outside(context, area) if turns else np.zeros((0, 2))
    if beside is not None:
        goals = goals[shapely.dwithin(beside, shapely.points(goals), NEAR)]
    if not len(goals):
        return Nodes()
    wide, start = replace(context, budget=context.budget + BEYOND), Nodes(nodes)
    costs = _Costs(start, _costs(wide, start, goals, np.full((len(start), len(goals)), wide.budget)))
    before = costs.best
    costs = _sideways(wide, costs, goals).enough()
    for k, shift in enumerate(SHIFTS):
        costs = _better(wide, costs, goals, shift, k < BENT)
    gained = (costs.best < before - ALIKE) & (costs.best < context.budget + OUTSIDE)
    near = costs.table[:, gained] <= costs.best[gained] + TRIED
    of_use = near.any(axis=1) & (costs.nodes.cost < context.budget) & ~costs.nodes.free
    return costs.taken(np.flatnonzero(of_use).tolist()).nodes


def _sideways(context: MoveContext, found: _Costs, goals: np.ndarray) -> _Costs:
    """Return the paths, plus some with a short last leg from another side to goals that no path reaches."""
    unreached = np.flatnonzero(~np.isfinite(found.best))
    bearings = np.arange(AROUND) * 2 * math.pi / AROUND
    place, side, leg = (
        column.ravel() for column in np.meshgrid(unreached, np.arange(AROUND), LAST_LEGS, indexing="ij")
    )
    fine = ends_free(context, goals[place], bearings[side])
    place, side, leg = place[fine], bearings[side[fine]], leg[fine]
    before = goals[place] - leg[:, None] * directions_of(side)
    if not len(before):
        return found
    of, to = _nearest(context, found.nodes, before, side)
    got = reached_each(context, found.nodes, before, of, to)
    cost = got.cost + context.files.half * _apart(side[got.place], got.facing) + leg[got.place]
    order = np.argsort(cost, kind="stable")
    order = order[cost[order] <= context.budget]
    ranked = place[got.place[order]]
    ranked = ranked[:, None] == unreached  # the first few of each goal
    chosen = order[(ranked & (np.cumsum(ranked, axis=0) <= ARRIVALS)).any(axis=1)]
    if not len(chosen):
        return found
    nodes = Nodes(got.node(k) for k in chosen.tolist())
    most = np.full((len(nodes), len(goals)), math.nan)
    most[np.arange(len(nodes)), place[got.place[chosen]]] = context.budget
    table = _costs(context, nodes, goals, most)
    return _Costs(Nodes((*found.nodes, *nodes)), np.concatenate([found.table, table]))


def short_last_legs(context: MoveContext, nodes: Nodes, goals: np.ndarray) -> tuple[Nodes, np.ndarray]:
    """Return nodes a short last leg away from goals (n, 2), and the goal (k,) of each: at most one per goal.

    Each is the cheapest found from ``nodes`` among ``AROUND`` sides from which the unit would end clear of friends
    (TSE-MOV-16). Whether there is room to turn at the node is left for the advance from it to check.
    """
    bearings = np.arange(AROUND) * 2 * math.pi / AROUND
    place, side = (column.ravel() for column in np.meshgrid(np.arange(len(goals)), np.arange(AROUND), indexing="ij"))
    fine = ends_free(context, goals[place], bearings[side])
    place, side = place[fine], bearings[side[fine]]
    before = goals[place] - SHORT * directions_of(side)
    if not len(before):
        return Nodes(), place
    of, to = _nearest(context, nodes, before, side, 1)
    got = reached_each(context, nodes, before, of, to)
    cost = got.cost + context.files.half * _apart(side[got.place], got.facing) + SHORT
    order = np.argsort(cost, kind="stable")
    order = order[cost[order] <= context.budget]
    _, first = np.unique(place[got.place[order]], return_index=True)
    chosen = order[np.sort(first)]
    return Nodes(got.node(k) for k in chosen.tolist()), place[got.place[chosen]]


def _nearest(
    context: MoveContext, nodes: Nodes, places: np.ndarray, bearings: np.ndarray, most: int = NEAREST
) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of a node and a place: for each place the few nodes with the lowest lower bound on its cost."""
    d = places - nodes.at[:, None]
    away, toward = np.hypot(d[..., 0], d[..., 1]), np.arctan2(d[..., 0], d[..., 1])
    turns = np.where(nodes.free[:, None], 0.0, _apart(toward, nodes.facing[:, None])) + _apart(toward, bearings)
    bound = nodes.cost[:, None] + away + context.files.half * turns
    few = np.argsort(bound, axis=0, kind="stable")[:most]
    to = np.broadcast_to(np.arange(len(places)), few.shape)
    fine = np.take_along_axis(bound, few, axis=0) <= context.budget
    return few[fine], to[fine]


def _apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the angle between bearings."""
    return np.asarray(np.abs(np.remainder(one - other + math.pi, 2 * math.pi) - math.pi))


def _outside(context: MoveContext, area: BaseGeometry) -> np.ndarray:
    """Return places (n, 2) just outside the rim of an area where the middle of a front could be."""
    rim = shapely.segmentize(shapely.boundary(shapely.buffer(area, OUTSIDE)), APART)
    points = shapely.get_coordinates(rim)
    if not len(points):
        return points
    far = np.hypot(*np.diff(points, axis=0, prepend=points[:1]).T)
    points = points[
        np.unique(np.searchsorted(np.cumsum(far), np.arange(0.0, far.sum(), APART)).clip(0, len(points) - 1))
    ]
    points = points[np.hypot(*(points - np.array(context.pivot)).T) < context.span]
    points = points[free(context, points)]
    if context.friends:
        points = points[~shapely.intersects_xy(shapely.union_all(np.array(context.friends, object)), *points.T)]
    return np.asarray(np.round(points, 4))


def _costs(context: MoveContext, nodes: Nodes, goals: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Return the costs of goals from nodes (nodes, goals); infinite if not below ``most`` or out of reach."""
    of, place = np.nonzero(np.isfinite(most))
    arrivals = reached_each(context, nodes, goals, of, place, most[of, place])
    table = np.full(most.shape, math.inf)
    fine = ends_free(context, arrivals.at, arrivals.facing) & (arrivals.cost <= context.budget)
    table[arrivals.of[fine], arrivals.place[fine]] = np.round(arrivals.cost[fine], 6)
    return table


def _better(context: MoveContext, found: _Costs, goals: np.ndarray, shift: float, split: bool) -> _Costs:
    """Return the paths, plus those of their variants that are cheaper to some goal."""
    best = found.best
    near = found.table <= best + TRIED
    ways, parents = _variants(found, near, goals, shift, split)

    def worth(got: Reached, rows: np.ndarray, ends: np.ndarray) -> np.ndarray:
        return _worth(context, got, rows, goals, np.where(near[parents[ends]] & (ends >= 0)[:, None], best, -math.inf))

    nodes, indices = _gone(context, ways, worth)
    if not len(nodes):
        return found
    most = np.where(near[parents[indices]], best - 1e-4, math.nan)
    table = _costs(context, nodes, goals, most)
    every = _Costs(Nodes((*found.nodes, *nodes)), np.concatenate([found.table, table]))
    return every.enough()


def _worth(context: MoveContext, got: Reached, rows: np.ndarray, goals: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Return a mask of the arrivals from which, on good ground, a goal might cost less than ``most`` (rows, goals)."""
    dx, dy = (goals[:, k] - got.at[rows, k, None] for k in (0, 1))
    bound = got.cost[rows, None] + np.hypot(dx, dy)
    if not context.free_turns:
        bound += context.files.half * _apart(np.arctan2(dx, dy), got.facing[rows, None])
    bound[~(bound < most - 1e-4)] = math.inf
    few = np.sort(bound, axis=0)[: min(PROMISING, len(bound))][-1:]
    return np.asarray((np.isfinite(bound) & (bound <= few)).any(axis=1))


def _variants(
    found: _Costs, near: np.ndarray, goals: np.ndarray, shift: float, split: bool
) -> tuple[list[Way], np.ndarray]:
    """Return paths that bend a little to the side of those found, or once more; and the index of the original of
    each."""
    ways, parents = list[Way](), list[int]()
    steps = (shift * directions_of(np.arange(SIDES) * 2 * math.pi / SIDES)).tolist()
    cheapest = found.table <= found.best + ALIKE
    for k, node in enumerate(found.nodes):
        way = node.way
        own = [(*way[:i], (way[i][0] + x, way[i][1] + y), *way[i + 1 :]) for i in range(len(way)) for x, y in steps]
        if split:
            own += [(*way, place) for goal in goals[cheapest[k]].tolist() for place in _beside(node.at, goal, shift)]
        ways += own
        parents += [k] * len(own)
    return ways, np.array(parents, int)


def _beside(at: Point, goal: Sequence[float], shift: float) -> list[Point]:
    """Return places beside the straight line to a goal."""
    dx, dy = goal[0] - at[0], goal[1] - at[1]
    length = math.hypot(dx, dy)
    if length < 4 * shift:
        return []
    x, y = dy / length * shift, -dx / length * shift
    return [(at[0] + s * dx + side * x, at[1] + s * dy + side * y) for s in SHARES for side in (-1.0, 1.0)]


def _gone(context: MoveContext, ways: Sequence[Way], worth: Worth) -> tuple[Nodes, np.ndarray]:
    """Return the nodes at the ends of those paths that are feasible and ``worth`` it, and the indices (n,) of the
    paths.

    Legs that paths share are computed once.
    """
    number = {way: k for k, way in enumerate(ways)}
    ended, indices = list[Node](), list[int]()
    nodes, level = Nodes([Node.first(context)]), dict[Way, int]([((), 0)])
    for leg in range(max(map(len, ways), default=0)):
        begun = list(dict.fromkeys(way[: leg + 1] for way in ways if len(way) > leg and way[:leg] in level))
        onward = {way[: leg + 1] for way in ways if len(way) > leg + 1}
        if not begun:
            break
        points, of = np.array([way[-1] for way in begun]), np.array([level[way[:-1]] for way in begun])
        arrivals = reached_each(context, nodes, points, of, np.arange(len(begun)))
        gone = [begun[k] for k in arrivals.place.tolist()]
        ends = np.array([number.get(way, -1) for way in gone], int)
        goes_on = np.array([way in onward for way in gone], bool)
        rows = np.flatnonzero(arrivals.cost <= context.budget)
        rows = rows[worth(arrivals, rows, ends[rows]) | goes_on[rows]]
        after, level = list[Node](), {}
        for k in rows.tolist():
            node = arrivals.node(k)
            if goes_on[k]:
                level[gone[k]] = len(after)
                after.append(node)
            if ends[k] >= 0:
                ended.append(node)
                indices.append(int(ends[k]))
        nodes = Nodes(after)
    return Nodes(ended), np.array(indices, int)
