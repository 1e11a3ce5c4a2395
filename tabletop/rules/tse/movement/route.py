"""The cheapest way to a place: found by a search, then priced and judged like any other move."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.cache import Cache
from tabletop.geometry.measure import Point
from tabletop.geometry.movement.route import Fits, Goal, cheapest_routes
from tabletop.rules.common.noted import PerRulings
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.movement.legality import at_the_end, faults, judged, on_the_way
from tabletop.rules.tse.movement.motion import Action, PlannedMove, along, forming_options, nearest_base
from tabletop.rules.tse.movement.reach import setting_of

#: If no way is within the base move, search for ways up to this many times as dear, to say what the move would cost.
DEARER = 2.5

Way = tuple[Point, ...]

#: The ruling on which part of a base is traced through rough ground, and two of its values.
TRACE, EDGE, FOOTPRINT = "rough_trace", "front_edge", "footprint"

#: Ways found recently: if one of them is legal, there is no need to search again.
_FOUND: Cache[tuple[Way, ...]] = Cache(64)
#: Recent searches, by the rulings that the answer depends on.
_SEARCHED: PerRulings[tuple[Way, ...]] = PerRulings(8)


def cheapest_move(battle: Battle, unit: Unit, action: Action, request: Request) -> tuple[PlannedMove, Way]:
    """Return the cheapest legal move to ``to`` and its waypoints; the straight way if none was found.

    It is priced as ``move --path`` would price it (TSE-MOV-01, TSE-MOV-04). If the cheapest move ends in a friend, a
    second search looks for one that arrives clear of friends (TSE-MOV-16).
    """
    to = (float(request.options["to"][0]), float(request.options["to"][1]))
    facing = None if action.formation is None else request.options.get("facing")
    forming = forming_options(request.options)
    if action.marching:
        forming.setdefault("head", nearest_base(unit, to))
    search = _Search(battle, unit, action, Goal(to, None if facing is None else math.radians(facing)), facing, forming)

    def gone(way: Way) -> tuple[PlannedMove, Way]:
        return search.along(battle, way), way

    key = unit.id, unit.bases, *search.key
    if request.brief:
        cached_ways = _FOUND.get(battle.table, key) or ((),)
        legal = next((plan for plan in map(gone, ((to,), *cached_ways[0])) if _legal(*plan, request)), None)
        if legal is not None:
            return legal
    ways = ((to,), *search.ways(dearer=not request.brief))
    plans = [gone(way) for way in ways]
    best, way = min(plans, key=_rank)
    worse = _forbidden(best)
    better = [plan for plan, _ in plans if worse or (not request.brief and plan.price.total < best.price.total)]
    barred = any(reason.rule == "TSE-MOV-15" for plan in better for reason in on_the_way(plan))
    if barred or any(map(at_the_end, better)):
        best, way = min([(best, way), *map(gone, search.fitting(barred))], key=_rank)
    _FOUND.keep(battle.table, key, (way,))
    return best, way


def _legal(plan: PlannedMove, way: Way, request: Request) -> bool:
    return judged(plan, replace(request, options={**request.options, "path": way})).holds


def _rank(found: tuple[PlannedMove, Way]) -> tuple[bool, bool, float, int]:
    """Return a sort key for planned moves: legal ones first, then those that only cost too much, then by cost."""
    plan, way = found
    dear = plan.price.total > plan.allowed + plan.battle.tape.t
    return _forbidden(plan), dear, plan.price.total, len(way)


def _forbidden(plan: PlannedMove) -> bool:
    """Return whether anything but its cost forbids a planned move."""
    return any(reason.rule != "TSE-MOV-01" for reason in faults(plan))


def _fits(plan: PlannedMove, barred: bool) -> bool:
    """Return whether a planned move ends clear of friends and, if ``barred``, whether nothing on the way forbids it."""
    return not at_the_end(plan) and not (barred and on_the_way(plan))


@dataclass(frozen=True)
class _Search:
    """The search for one unit's ways to a place, ending with a given facing (degrees).

    It prices terrain by the front's edge, whichever part of a base the rulings trace (``setting_of``). Its results are
    therefore the same under all rulings it does not look up, and are cached for them.
    """

    battle: Battle
    unit: Unit
    action: Action
    goal: Goal
    facing: float | None
    forming: Mapping[str, Any]

    @property
    def key(self) -> tuple[Hashable, ...]:
        return self.action, self.goal, tuple(sorted(self.forming.items()))

    def along(self, battle: Battle, way: Way) -> PlannedMove:
        """Return the planned move along a way."""
        return along(battle, self.unit, self.action, way, self.facing, **self.forming)

    def ways(self, dearer: bool) -> tuple[Way, ...]:
        """Return the cheapest ways within the base move; if ``dearer`` and there are none, those that cost more."""
        affordable = self._kept("within", lambda battle: self._found(battle))
        return affordable or (self._kept("dearer", lambda battle: self._found(battle, DEARER)) if dearer else ())

    def fitting(self, barred: bool) -> tuple[Way, ...]:
        """Return the cheapest ways that end clear of friends and, if ``barred``, are free of obstacles on the way."""

        def found(battle: Battle) -> tuple[Way, ...]:
            return self._found(battle, fits=lambda way: _fits(self.along(battle, way), barred))

        return self._kept(("fitting", barred), found)

    def _found(self, battle: Battle, more: float = 1.0, fits: Fits | None = None) -> tuple[Way, ...]:
        context = setting_of(battle, self.unit, self.action, overhang=True, **self.forming)
        context = replace(context, budget=context.budget * more)
        return tuple(route.way for route in cheapest_routes(context, self.goal, fits))

    def _kept(self, what: Hashable, make: Callable[[Battle], tuple[Way, ...]]) -> tuple[Way, ...]:
        """Return the ways cached under the same rulings, or search; tracing a front's edge or middle is the same."""
        trace = self.battle.rulings[TRACE]
        instead = {} if trace == FOOTPRINT else {TRACE: EDGE}
        return _SEARCHED.of(self.battle, self.unit, (what, trace == FOOTPRINT, *self.key), make, instead)
