"""The cheapest path over terrain: a search over places where turning pays, then a polish of the paths found.

A best-first search goes from point to point (off the corners of obstacles and of rough ground, along the borders of
rough ground, along roads), with every leg and turn costed by ``advance_cost``. The best routes are then polished:
waypoints are shifted, dropped and split as long as that pays. The result is a candidate: its real cost is what the
judge says.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from tabletop.geometry.measure import Point
from tabletop.geometry.movement.advance_contact import advance_until, table_until
from tabletop.geometry.movement.advance_cost import Ray, Spent, followed, rays, spend
from tabletop.geometry.movement.advances import onward, turned
from tabletop.geometry.movement.move_context import MoveContext, Node, directions_of
from tabletop.geometry.movement.turning_points import clear, turning_points

#: Most places looked at, most places expanded, most routes polished.
PLACES = 160
EXPANSIONS = 160
POLISHED = 3
#: Number of variants of a path, the cheapest, that are checked for fit.
TRIED = 12
#: Waypoints are shifted by these lengths (table units), in turn.
SHIFTS = (0.6, 0.3, 0.15, 0.07, 0.03, 0.012)
#: The distance between places along a border or a road.
ALONG = 1.0
#: Lengths (table units) of last legs that arrive from any side, and the number of sides.
LAST_LEGS, SIDES = (0.1, 0.25, 0.5), 24
#: Lengths closer than this (table units) count as equal in checks that only save work.
ROUNDING = 1e-6
#: The cost of an arrival at a place, and its facing (radians).
Arrival = tuple[float, float]
#: Whether a path, given by its waypoints, may end as it does.
Fits = Callable[[tuple[Point, ...]], bool]


@dataclass(frozen=True, order=True)
class Route:
    """A path by its waypoints, the last of them its goal, and its cost as the search computes it.

    >>> from tabletop.geometry import Route
    >>> min(Route(5.0, ((3.0, 4.0),)), Route(7.0, ((3.0, 0.0), (3.0, 4.0)))).cost
    5.0
    """

    cost: float
    way: tuple[Point, ...]


@dataclass(frozen=True)
class Goal:
    """Where the middle of the front is to end, and its facing there (radians), if that matters.

    >>> import math
    >>> from tabletop.geometry import Goal
    >>> Goal((10.0, 12.5), facing=math.radians(90.0)).at
    (10.0, 12.5)
    """

    at: Point
    facing: float | None = None


def cheapest_routes(context: MoveContext, goal: Goal, fits: Fits | None = None) -> list[Route]:
    """Return good routes to the goal within the context's budget, the cheapest first; empty if none was found.

    Routes that ``fits`` rejects are skipped. Costs and places are in table units. Source: TSE-MOV-01 to 18.

    A front of 1 in stands 2 in south of a lake 4 in wide and goes round it:

    >>> import math
    >>> import numpy as np
    >>> import shapely
    >>> from tabletop.geometry import Base, Body, Files, Goal, Outlines, MoveContext, Table, CostModel
    >>> from tabletop.geometry import cheapest_routes, ground_of
    >>> class Anywhere:  # there is room to turn everywhere
    ...     def __call__(self, mid, facing):
    ...         return math.inf, math.inf
    ...     def at(self, standing):
    ...         return [(math.inf, math.inf) for _ in standing]
    >>> body = Body.of([Base(10.0, 9.5, 0.0, 1.0, 1.0)], [0], 0.0)
    >>> context = MoveContext(
    ...     files=Files.of(body, CostModel(rough=2.0, linear=2.0, choke=1.0)), ground=ground_of(Table.of("in", 20, 20)),
    ...     pivot=body.mid, offset=0.0, budget=14.0, keep=Outlines.of([(shapely.box(8, 12, 12, 13), 0.0)]), friends=(),
    ...     room=(0.0, 0.0, 20.0, 20.0), forms=lambda bearings: np.ones(len(bearings), bool), turns=Anywhere())
    >>> best = cheapest_routes(context, Goal((10.0, 16.0)))[0]
    >>> 9.0 < best.cost < 9.2, best.way[-1]
    (True, (10.0, 16.0))
    """
    routes = _search(context, goal, fits)
    best = sorted(routes)[:POLISHED]
    if best and _at_best(context, goal, best[0]):
        return best[:1]
    return sorted({*best, *(polished(context, goal, route, fits) for route in best)})


def _at_best(context: MoveContext, goal: Goal, route: Route) -> bool:
    """Return whether no route can be cheaper: one straight leg over plain ground that needs no turn."""
    bound = _bound(context, goal, Node(0.0, context.pivot, None, Spent(0.0, ()), ()))
    return route.cost <= bound + 1e-6


def _bound(context: MoveContext, goal: Goal, node: Node) -> float:
    """Return a lower bound on the cost of any path from ``node`` to the goal: the straight distance and the turns it
    needs."""
    dx, dy = goal.at[0] - node.at[0], goal.at[1] - node.at[1]
    distance = math.hypot(dx, dy)
    straight = max(0.0, distance - (context.offset if node.facing is None else 0.0))
    if context.files.cost_model.road != 1.0:
        return straight / context.files.cost_model.road
    turn = 0.0
    if node.facing is not None and distance > 1e-9 and not context.free_turns:
        turn = abs(math.remainder(math.atan2(dx, dy) - node.facing, 2 * math.pi))
        if goal.facing is not None:
            turn = max(turn, abs(math.remainder(goal.facing - node.facing, 2 * math.pi)))
    return straight + turn * context.files.half


def _search(context: MoveContext, goal: Goal, fits: Fits | None) -> list[Route]:
    """Return the routes found by a best-first search over places and facings."""
    start = Node.first(context)
    routes: list[Route] = _finish(context, goal, start, fits)
    if (routes and _at_best(context, goal, routes[0])) or _out_of_reach(context, goal):
        return routes
    places = _places(context, goal, around=fits is not None)
    if not _last_leg(context, goal, places):
        return routes
    tie = itertools.count()
    waiting = [(0.0, next(tie), start)]
    been: dict[Point, list[Arrival]] = {}
    for _ in range(EXPANSIONS):
        if not waiting:
            break
        bound, _, node = heapq.heappop(waiting)
        best = min((r.cost for r in routes), default=math.inf)
        if bound >= best:
            break
        if node is not start:
            routes += _finish(context, goal, node, fits)
        for after in onward(context, (node,), places[_worth(context, goal, node, places, best, been)]):
            bound = after.cost + _bound(context, goal, after)
            if bound < min(best, context.budget + 1e-9) and _news(context, after, been):
                heapq.heappush(waiting, (bound, next(tie), after))
    return routes


def _out_of_reach(context: MoveContext, goal: Goal) -> bool:
    """Return whether the goal itself lies closer to something than the unit must keep: no route can end there."""
    keep = replace(context.keep, keep=context.keep.keep - ROUNDING)
    return not clear(np.array([goal.at]), keep)[0]


def _last_leg(context: MoveContext, goal: Goal, places: np.ndarray) -> bool:
    """Return whether, costs and turns aside, a front can go straight to the goal from any of the places."""
    d = np.array(goal.at) - places
    length = np.hypot(*d.T)
    if (length <= ROUNDING).any():
        return True
    u, half = d / length[:, None], context.files.half
    cap = advance_until(places, u, half, context.keep.within(np.array(goal.at), context.span + half), math.inf)
    cap = np.minimum(cap, table_until(places, u, half, context.room, context.pad))
    return bool((cap >= length - ROUNDING).any())


def _worth(
    context: MoveContext, goal: Goal, node: Node, places: np.ndarray, best: float, been: dict[Point, list[Arrival]]
) -> np.ndarray:
    """Return which places may be worth continuing to: their lower bound beats the best route and earlier arrivals.

    The bound is the straight distance and the turns; the search would discard what is left out here.
    """
    d, rest = places - np.array(node.at), np.array(goal.at) - places
    length, far = np.hypot(*d.T), np.hypot(*rest.T)
    bearings, then = np.arctan2(d[:, 0], d[:, 1]), np.arctan2(rest[:, 0], rest[:, 1])
    rate = 0.0 if context.free_turns or context.files.cost_model.road != 1.0 else context.files.half
    cost = (
        node.cost
        + np.maximum(length - (context.offset if node.facing is None else 0.0), 0.0) / context.files.cost_model.road
    )
    if node.facing is not None:
        cost += rate * np.abs(_turn(bearings - node.facing))
    bound = (
        cost + far / context.files.cost_model.road + np.where(far > 1e-9, rate * np.abs(_turn(then - bearings)), 0.0)
    )
    fine = bound < min(best, context.budget + 1e-9) + 1e-9
    for k in np.flatnonzero(fine).tolist():
        known = been.get((float(places[k, 0]), float(places[k, 1])), ())
        fine[k] = not _known(context, known, float(cost[k]) - 1e-9, float(bearings[k]))
    return np.asarray(fine)


def _turn(angles: np.ndarray) -> np.ndarray:
    return np.asarray(np.remainder(angles + math.pi, 2 * math.pi) - math.pi)


def _known(context: MoveContext, known: Sequence[Arrival], cost: float, facing: float) -> bool:
    """Return whether one of the arrivals at a place, turned to ``facing``, is as cheap as ``cost``."""
    rate = 0.0 if context.free_turns else context.files.half
    return any(was + rate * abs(math.remainder(turned - facing, 2 * math.pi)) <= cost + 1e-9 for was, turned in known)


def _news(context: MoveContext, node: Node, been: dict[Point, list[Arrival]]) -> bool:
    """Return whether no earlier arrival at this place, turned to this facing, is as cheap; record this one if so."""
    facing = float(node.facing or 0.0)
    known = been.setdefault(node.at, [])
    if _known(context, known, node.cost, facing):
        return False
    known.append((node.cost, facing))
    return True


def _finish(context: MoveContext, goal: Goal, node: Node, fits: Fits | None) -> list[Route]:
    """Return the route straight from ``node`` to the goal, if it is possible and fits."""
    routes = []
    for last in onward(context, (node,), np.array([goal.at])):
        spent = last.spent
        if goal.facing is not None:
            spent = turned(context, [last], np.array([goal.facing]))[0]
            if not context.may_turn(last.at, float(last.facing or 0.0), np.array([goal.facing]))[0]:
                continue
        if fits is None or fits(last.way):
            routes.append(Route(_total(context, spent), last.way))
    return routes


def _total(context: MoveContext, spent: Spent) -> float:
    return spent.cost(context.files.cost_model)


def _places(context: MoveContext, goal: Goal, around: bool) -> np.ndarray:
    """Return the places to go by, those with the least detour first; with ``around`` also some on every side of the
    goal."""
    pivot, at = np.array(context.pivot), np.array(goal.at)
    places = [turning_points(context), *_along(context, pivot, at)]
    if around:
        places += [at + leg * directions_of(np.arange(SIDES) * 2 * math.pi / SIDES) for leg in LAST_LEGS]
    points = np.unique(np.round(np.concatenate(places), 6), axis=0)
    detour = np.hypot(*(points - pivot).T) + np.hypot(*(points - at).T)
    points = points[detour <= context.span + 1e-9]
    order = np.argsort(detour[detour <= context.span + 1e-9], kind="stable")
    return np.asarray(points[order[:PLACES]])


def _along(context: MoveContext, pivot: np.ndarray, at: np.ndarray) -> list[np.ndarray]:
    """Return places along the borders of rough ground and along roads, between start and goal."""
    lines = [line for part in context.ground.rough.parts for line in shapely.get_rings(part)]
    if context.files.cost_model.road != 1.0:
        lines += list(context.ground.lines)
    middle = shapely.Point((pivot + at) / 2)
    places = [np.zeros((0, 2))]
    for line in lines:
        if line.dwithin(middle, context.span / 2):
            cut = shapely.intersection(line, middle.buffer(context.span / 2))
            places.append(shapely.get_coordinates(shapely.segmentize(cut, ALONG)))
    return places


def polished(context: MoveContext, goal: Goal, route: Route, fits: Fits | None = None) -> Route:
    """Return the route with its waypoints shifted, dropped or split as long as that makes it cheaper, and it fits."""
    best, gone = route, dict[bytes, Ray]()
    for shift in SHIFTS:
        for _ in range(12):
            tries = [way for way in _variants(best.way, shift, context) if _least(context, goal, way) < best.cost]
            if not tries:
                break
            costs = prices(context, goal, tries, gone)
            order = [k for k in np.argsort(costs, kind="stable") if costs[k] < best.cost - 1e-6]
            able = (k for k in order[: TRIED if fits else None] if can_go(context, goal, tries[k]))
            k = next((k for k in able if fits is None or fits(tries[k])), None)
            if k is None:
                break
            best = Route(float(costs[k]), tries[k])
    return best


def _least(context: MoveContext, goal: Goal, way: Sequence[Point]) -> float:
    """Return a lower bound on the cost of a path: length and turns on open ground; for a marcher all on a road."""
    legs = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise((context.pivot, *way))]
    straight = sum(math.hypot(*leg) for leg in legs) - context.offset
    if context.free_turns or context.files.cost_model.road != 1.0:
        return straight / context.files.cost_model.road
    ends = [math.atan2(*leg) for leg in legs] + ([] if goal.facing is None else [goal.facing])
    turns = sum(abs(math.remainder(b - a, 2 * math.pi)) for a, b in itertools.pairwise(ends))
    return straight + turns * context.files.half


def can_go(context: MoveContext, goal: Goal, way: tuple[Point, ...]) -> bool:
    """Return whether the front has room for every turn of a path."""
    ends = [math.atan2(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise((context.pivot, *way))]
    ends += [goal.facing] if goal.facing is not None else []
    return all(
        bool(context.may_turn(at, facing, np.array([after]))[0])
        for at, (facing, after) in zip(way, itertools.pairwise(ends), strict=False)
    )


def _variants(way: tuple[Point, ...], shift: float, context: MoveContext) -> list[tuple[Point, ...]]:
    """Return paths near ``way``: one waypoint shifted or dropped, two neighbours shifted alike, a leg split."""
    variants = []
    steps = [(shift * float(x), shift * float(y)) for x, y in directions_of(np.radians(np.arange(0.0, 360.0, 45.0)))]
    for i in range(len(way) - 1):
        variants.append(way[:i] + way[i + 1 :])
        for dx, dy in steps:
            moved = way[i][0] + dx, way[i][1] + dy
            variants.append((*way[:i], moved, *way[i + 1 :]))
            if i + 1 < len(way) - 1:
                variants.append((*way[:i], moved, (way[i + 1][0] + dx, way[i + 1][1] + dy), *way[i + 2 :]))
    if len(way) < 6:
        for i, (a, b) in enumerate(itertools.pairwise((context.pivot, *way))):
            length = math.dist(a, b)
            if length > 2 * shift:
                px, py = -(b[1] - a[1]) / length * shift, (b[0] - a[0]) / length * shift
                for share, sign in itertools.product((0.33, 0.67), (-1.0, 1.0)):
                    mid = a[0] + share * (b[0] - a[0]) + sign * px, a[1] + share * (b[1] - a[1]) + sign * py
                    variants.append((*way[:i], mid, *way[i:]))
    return variants


def prices(
    context: MoveContext, goal: Goal, ways: Sequence[tuple[Point, ...]], gone: dict[bytes, Ray] | None = None
) -> np.ndarray:
    """Return the cost of each path from where the mover forms to its last waypoint; inf where a leg is not possible.

    ``can_go`` says whether its turns are possible. ``gone`` caches legs from one call to the next: similar paths share
    most of their legs.
    """
    legs = [(k, j) for k, way in enumerate(ways) for j in range(len(way))]
    firsts = np.array([j == 0 for _, j in legs])
    froms = np.array([context.pivot if j == 0 else ways[k][j - 1] for k, j in legs])
    d = np.array([ways[k][j] for k, j in legs]) - froms
    lengths = np.hypot(d[:, 0], d[:, 1])
    u = d / np.maximum(lengths, 1e-12)[:, None]
    origins = froms + np.where(firsts, context.offset, 0.0)[:, None] * u
    lengths = lengths - np.where(firsts, context.offset, 0.0)
    half = context.files.half
    cap = advance_until(origins, u, half, context.keep, math.inf)
    cap = np.minimum(cap, table_until(origins, u, half, context.room, context.pad))
    ok = (lengths >= -1e-9) & (cap >= lengths - 1e-9)
    bearings = np.arctan2(u[:, 0], u[:, 1])
    ok &= ~firsts | context.forms(bearings)
    good = set(range(len(ways))) - {k for (k, _), fine in zip(legs, ok, strict=True) if not fine}
    costs = np.full(len(ways), math.inf)
    chosen = [i for i, (k, _) in enumerate(legs) if k in good]
    if not chosen:
        return costs
    of_leg = _rays_of(context, chosen, np.column_stack([origins, u, lengths]), {} if gone is None else gone)
    at = dict(zip(legs, range(len(legs)), strict=True))
    numbers = {k: [at[k, j] for j in range(len(ways[k]))] for k in sorted(good)}
    costs[list(numbers)] = _way_prices(context, goal, ways, numbers, of_leg, bearings, lengths)
    return costs


def _rays_of(context: MoveContext, legs: Sequence[int], rows: np.ndarray, gone: dict[bytes, Ray]) -> dict[int, Ray]:
    """Return what each of some legs meets, by leg: ``rows`` (n, 5) are origins, directions and lengths; equal ones
    only once."""
    keys = {leg: rows[leg].tobytes() for leg in legs}
    new = {key: leg for leg, key in keys.items() if key not in gone}
    if new:
        new_rows = rows[list(new.values())]
        met = rays(context.files, context.ground, new_rows[:, :2], new_rows[:, 2:4], np.maximum(new_rows[:, 4], 1e-6))
        gone.update(zip(new, met, strict=True))
    return {leg: gone[key] for leg, key in keys.items()}


def _way_prices(
    context: MoveContext,
    goal: Goal,
    ways: Sequence[tuple[Point, ...]],
    numbers: dict[int, list[int]],
    met: dict[int, Ray],
    bearings: np.ndarray,
    lengths: np.ndarray,
) -> list[float]:
    """Return the costs of the paths whose legs have these ``numbers``: the first legs of all, then the second ones."""
    nodes = {k: Node.first(context) for k in numbers}
    for j in range(max(map(len, numbers.values()))):
        legs = {k: of_way[j] for k, of_way in numbers.items() if j < len(of_way)}
        spents = turned(context, [nodes[k] for k in legs], bearings[list(legs.values())])
        for (k, i), spent in zip(legs.items(), spents, strict=True):
            ray = followed(met[i], spent, context.files)
            spent = spend(ray, spent, context.files, max(0.0, float(lengths[i])))
            nodes[k] = Node(0.0, ways[k][j], float(bearings[i]), spent, ())
    spents = [node.spent for node in nodes.values()]
    if goal.facing is not None:
        spents = turned(context, list(nodes.values()), np.full(len(nodes), goal.facing))
    return [_total(context, spent) for spent in spents]
