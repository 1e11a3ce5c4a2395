"""Coming on: route marches on to the table from its edge, and on along the way the scenario prescribes (TSE-ACT-80)."""

from __future__ import annotations

from dataclasses import replace

import shapely

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Entered
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, pose_of
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.common.ruled import ruled
from tabletop.rules.play import ActionKind
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.command.generals import ground_swept, overrun
from tabletop.rules.tse.command.orders import condition
from tabletop.rules.tse.movement.entry import arrival_of, with_unit_there
from tabletop.rules.tse.movement.legality import faults, judged
from tabletop.rules.tse.movement.motion import ACTIONS, along
from tabletop.rules.tse.movement.partial_move import as_far_as
from tabletop.rules.tse.movement.resolve import Measured, put, wholly_on
from tabletop.rules.tse.tables import tables
from tabletop.rules.tse.turn.answer_cache import recalled
from tabletop.rules.tse.turn.sequence import turn_reasons

ROUTE_MARCH = ACTIONS["route-march"]


def route_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return, cheaply, whether a unit may route march at all now: to come on, or on from its last one (TSE-ACT-81).

    A general never does: he moves and holds, nothing else (TSE-LDR-01).
    """
    unit = battle.anyone(str(action.unit))
    name, coming = unit.called, not battle.has(unit.id)
    going_on = coming or bool(unit.marks.get("route_march"))
    if unit.is_general:
        text = f"{name}: a general, who moves as generals do; only units route march"
        return [*turn_reasons(battle, action), Reason("TSE-LDR-01", False, text)]
    return [
        *turn_reasons(battle, action),
        Reason("TSE-ACT-81", going_on, f"{name}: {'on a' if going_on else 'not on a'} route march"),
        Reason("TSE-ACT-91", unit.status != "demoralized", f"{name}: {condition(unit)}"),
    ]


def judge_route_march(battle: Battle, action: Action) -> Verdict:
    """Say whether a unit may route march so; a blocked entry waits for another turn (TSE-ACT-80..83)."""
    against = [r for r in route_reasons(battle, action) if not r.holds]
    against += _prescribed(battle, action) if not against else []
    if against:
        return ruled(battle, action, against)
    going, request = _going(battle, action)
    if not battle.tape.over(going.motion.charge, 0.0) and not faults(going):
        return ruled(battle, action, [Reason("TSE-ACT-83", False, "its way is blocked; it waits for another turn")])
    return judged(going, request)


def _prescribed(battle: Battle, action: Action) -> list[Reason]:
    """Where the scenario says by which way they come, no other is taken while there is some of it left (TSE-ACT-82)."""
    unit = battle.anyone(str(action.unit))
    left = way_left(battle, unit)
    path = action.options.get("path")
    if path is None or not left or tuple(map(tuple, path)) == left[: len(path)]:
        return []
    return [Reason("TSE-ACT-82", False, f"the scenario prescribes the way {unit.called} comes on")]


def way_left(battle: Battle, unit: Unit) -> tuple[Point, ...]:
    """Return what a route marching unit has still to go of the way the scenario prescribes (TSE-ACT-82)."""
    arrival = arrival_of(battle, unit)
    if arrival is None or not arrival.along:
        return ()
    if not battle.has(unit.id):
        return arrival.along
    way = shapely.LineString([arrival.at, *arrival.along])
    passed = shapely.line_locate_point(way, shapely.Point(unit.front_mid)) + battle.tape.t
    return tuple(p for p in arrival.along if shapely.line_locate_point(way, shapely.Point(p)) > passed)


@recalled
def _going(battle: Battle, action: Action) -> Measured:
    """Return how a unit route marches: the way asked for, or as far as it gets by the way prescribed, or ahead.

    Options: ``path``; ``length``, the inches of base move to spend at most.
    """
    there = with_unit_there(battle, battle.anyone(str(action.unit)))
    unit = there.unit(str(action.unit))
    asked = action.options.get("path")
    way = tuple(asked) if asked else way_left(battle, battle.anyone(unit.id)) or _ahead(there, unit)
    going = along(there, unit, ROUTE_MARCH, way, None)
    allowed = min(going.allowed, float(action.options.get("length", going.allowed)))
    if not asked or "length" in action.options:
        going = replace(as_far_as(going, allowed), allowed=going.allowed)
    return going, Request("move", (unit.id,), {**action.options, "as": action.kind, "path": way})


def _ahead(battle: Battle, unit: Unit) -> tuple[Point, ...]:
    """Return a way straight on, as long as any move can be."""
    far = float(tables()["moves"]["general"]["any"]["general"]) * float(tables()["factors"]["road"]) * battle.scale
    (x, y), (fx, fy) = unit.front_mid, heading(unit.facing)
    return ((x + far * fx, y + far * fy),)


def route_march(unfolding: Unfolding, action: Action) -> None:
    """Route march: no orders needed, none can fail (TSE-ACT-80); the march goes on in later turns (TSE-ACT-81)."""
    battle = unfolding.battle
    going, _ = _going(battle, action)
    end = going.end
    if battle.has(end.id):
        put(unfolding, end, going.motion.way)
    else:
        unfolding.happen(Entered(end.id, pose_of(end), going.motion.way))
        if not wholly_on(battle, end):
            unfolding.mark(end.id, coming_on=True)
    unfolding.mark(end.id, acted=True, route_march=True)
    overrun(unfolding, end, ground_swept(going))


KINDS = (
    ActionKind(
        "route-march",
        "Route march",
        judge_route_march,
        route_march,
        None,
        ("unit", "path"),
        ("TSE-ACT-80", "TSE-ACT-81"),
    ),
)
