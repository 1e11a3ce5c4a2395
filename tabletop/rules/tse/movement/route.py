"""The cheapest way to a place: found by the search, priced and judged by the one law of moves."""

from __future__ import annotations

import math
from dataclasses import replace

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.cache import Cache
from tabletop.geometry.measure import Point
from tabletop.geometry.movement.move_context import MoveContext
from tabletop.geometry.movement.route import Goal, Route, cheapest_routes
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.movement.legality import at_the_end, faults, judged, on_the_way
from tabletop.rules.tse.movement.motion import Action, PlannedMove, along, forming_options, nearest_base
from tabletop.rules.tse.movement.reach import setting_of

#: When no way is within the base move, ways up to so many times as dear are looked for, to say what it would cost.
DEARER = 2.5

Way = tuple[Point, ...]

#: Ways found lately: where one of them is legal, nobody need search whether there is any.
_FOUND: Cache[tuple[Way, ...]] = Cache(64)


def cheapest_move(battle: Battle, unit: Unit, action: Action, request: Request) -> tuple[PlannedMove, Way]:
    """Return the cheapest legal move to ``to`` and its waypoints; the straight way if none was found.

    It is priced as ``move --path`` would price it (TSE-MOV-01, TSE-MOV-04). Where the cheapest ends in a friend, one
    that arrives otherwise is looked for (TSE-MOV-16).
    """
    to = (float(request.options["to"][0]), float(request.options["to"][1]))
    facing = None if action.formation is None else request.options.get("facing")
    forming = forming_options(request.options)
    if action.marching:
        forming.setdefault("head", nearest_base(unit, to))
    goal = Goal(to, None if facing is None else math.radians(facing))

    def gone(way: Way) -> tuple[PlannedMove, Way]:
        return along(battle, unit, action, way, facing, **forming), way

    key = unit.id, unit.bases, action, goal, tuple(sorted(forming.items()))
    if request.brief:
        known = _FOUND.get(battle.table, key) or ((),)
        legal = next((plan for plan in map(gone, ((to,), *known[0])) if _legal(*plan, request)), None)
        if legal is not None:
            return legal
    context = setting_of(battle, unit, action, overhang=True, **forming)
    ways = ((to,), *(route.way for route in _routes(context, goal, dearer=not request.brief)))
    plans = [gone(way) for way in ways]
    best, way = min(plans, key=_rank)
    worse = _forbidden(best)
    better = [plan for plan, _ in plans if worse or (not request.brief and plan.price.total < best.price.total)]
    barred = any(reason.rule == "TSE-MOV-15" for plan in better for reason in on_the_way(plan))
    if barred or any(map(at_the_end, better)):
        others = cheapest_routes(context, goal, lambda way: _fits(gone(way)[0], barred))
        best, way = min([(best, way), *(gone(route.way) for route in others)], key=_rank)
    _FOUND.keep(battle.table, key, (way,))
    return best, way


def _legal(plan: PlannedMove, way: Way, request: Request) -> bool:
    return judged(plan, replace(request, options={**request.options, "path": way})).holds


def _rank(found: tuple[PlannedMove, Way]) -> tuple[bool, bool, float, int]:
    """Order planned moves: legal ones first, then those that only cost too much, then the cheapest."""
    plan, way = found
    dear = plan.price.total > plan.allowed + plan.battle.tape.t
    return _forbidden(plan), dear, plan.price.total, len(way)


def _forbidden(plan: PlannedMove) -> bool:
    """Return whether more than its cost forbids a planned move."""
    return any(reason.rule != "TSE-MOV-01" for reason in faults(plan))


def _fits(plan: PlannedMove, barred: bool) -> bool:
    """Return whether a planned move ends in no friend and, where ways over gaps are in question, may be gone at all."""
    return not at_the_end(plan) and not (barred and on_the_way(plan))


def _routes(context: MoveContext, goal: Goal, dearer: bool) -> list[Route]:
    routes = cheapest_routes(context, goal)
    if not routes and dearer:
        routes = cheapest_routes(replace(context, budget=context.budget * DEARER), goal)
    return routes
