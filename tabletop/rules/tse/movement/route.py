"""The cheapest way to a place: found by the search, priced and judged by the one law of moves."""

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

#: When no way is within the base move, ways up to so many times as dear are looked for, to say what it would cost.
DEARER = 2.5

Way = tuple[Point, ...]

#: The ruling on what part of a base is traced through rough ground; two of its values.
TRACE, EDGE, FOOTPRINT = "rough_trace", "front_edge", "footprint"

#: Ways found lately: where one of them is legal, nobody need search whether there is any.
_FOUND: Cache[tuple[Way, ...]] = Cache(64)
#: What was searched for lately: for the rulings that an answer may turn on, one after another.
_SEARCHED: PerRulings[tuple[Way, ...]] = PerRulings(8)


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
    search = _Search(battle, unit, action, Goal(to, None if facing is None else math.radians(facing)), facing, forming)

    def gone(way: Way) -> tuple[PlannedMove, Way]:
        return search.along(battle, way), way

    key = unit.id, unit.bases, *search.key
    if request.brief:
        known = _FOUND.get(battle.table, key) or ((),)
        legal = next((plan for plan in map(gone, ((to,), *known[0])) if _legal(*plan, request)), None)
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


@dataclass(frozen=True)
class _Search:
    """The search for ways of one unit to a place, facing so at the end (degrees).

    It prices what a front crosses by the front's edge, whatever part of a base is traced (``setting_of``): so what it
    finds is the same by all rulings that it does not look up, and is kept for the next who asks.
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
        """Return the planned move by a way."""
        return along(battle, self.unit, self.action, way, self.facing, **self.forming)

    def ways(self, dearer: bool) -> tuple[Way, ...]:
        """Return the cheapest ways within the base move; if ``dearer`` and there are none, those that cost more."""
        found = self._kept("within", lambda battle: self._found(battle))
        return found or (self._kept("dearer", lambda battle: self._found(battle, DEARER)) if dearer else ())

    def fitting(self, barred: bool) -> tuple[Way, ...]:
        """Return the cheapest ways that end in no friend and, if some were ``barred``, may be gone at all."""

        def found(battle: Battle) -> tuple[Way, ...]:
            return self._found(battle, fits=lambda way: _fits(self.along(battle, way), barred))

        return self._kept(("fitting", barred), found)

    def _found(self, battle: Battle, more: float = 1.0, fits: Fits | None = None) -> tuple[Way, ...]:
        context = setting_of(battle, self.unit, self.action, overhang=True, **self.forming)
        context = replace(context, budget=context.budget * more)
        return tuple(route.way for route in cheapest_routes(context, self.goal, fits))

    def _kept(self, what: Hashable, make: Callable[[Battle], tuple[Way, ...]]) -> tuple[Way, ...]:
        """Return what was found before by the same rulings, or is now; the edge and the middle of a front are one."""
        trace = self.battle.rulings[TRACE]
        instead = {} if trace == FOOTPRINT else {TRACE: EDGE}
        return _SEARCHED.of(self.battle, self.unit, (what, trace == FOOTPRINT, *self.key), make, instead)
