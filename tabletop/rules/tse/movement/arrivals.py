"""Route marches: on to the table from its edge, then along the path the scenario prescribes (TSE-ACT-80)."""

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
from tabletop.rules.tse.turn.answer_cache import cached_answer
from tabletop.rules.tse.turn.sequence import turn_reasons

ROUTE_MARCH = ACTIONS["route-march"]


def route_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return the quickly checked reasons whether a unit may route march now: coming on or continuing (TSE-ACT-81).

    A general never may: he only moves and holds (TSE-LDR-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> reasons = route_reasons(open_battle("starter"), Action("route-march", "french", "arnaud"))
    >>> [reason.rule for reason in reasons if not reason.holds]
    ['TSE-TRN-04', 'TSE-ACT-81']
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
    """Return whether a unit may make this route march; if its entry is blocked it waits a turn (TSE-ACT-80..83)."""
    against = [r for r in route_reasons(battle, action) if not r.holds]
    against += _prescribed(battle, action) if not against else []
    if against:
        return ruled(battle, action, against)
    plan, request = _planned_march(battle, action)
    if not battle.tape.over(plan.motion.charge, 0.0) and not faults(plan):
        return ruled(battle, action, [Reason("TSE-ACT-83", False, "its way is blocked; it waits for another turn")])
    return judged(plan, request)


def _prescribed(battle: Battle, action: Action) -> list[Reason]:
    """Return a reason against any path but the rest of the prescribed one, if one is prescribed (TSE-ACT-82)."""
    unit = battle.anyone(str(action.unit))
    way_ahead = way_left(battle, unit)
    path = action.options.get("path")
    if path is None or not way_ahead or tuple(map(tuple, path)) == way_ahead[: len(path)]:
        return []
    return [Reason("TSE-ACT-82", False, f"the scenario prescribes the way {unit.called} comes on")]


def way_left(battle: Battle, unit: Unit) -> tuple[Point, ...]:
    """Return the waypoints (table units) still ahead on the path the scenario prescribes for a route march.

    Source: TSE-ACT-82.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> way_left(battle, battle.unit("arnaud"))
    ()
    """
    arrival = arrival_of(battle, unit)
    if arrival is None or not arrival.along:
        return ()
    if not battle.has(unit.id):
        return arrival.along
    way = shapely.LineString([arrival.at, *arrival.along])
    passed = shapely.line_locate_point(way, shapely.Point(unit.front_mid)) + battle.tape.t
    return tuple(p for p in arrival.along if shapely.line_locate_point(way, shapely.Point(p)) > passed)


@cached_answer
def _planned_march(battle: Battle, action: Action) -> Measured:
    """Return a unit's route march: the path asked for, else as far as it gets along the prescribed one or straight on.

    Options: ``path``; ``length``, how much of its base move to spend at most, in table units.
    """
    battle_with_unit = with_unit_there(battle, battle.anyone(str(action.unit)))
    unit = battle_with_unit.unit(str(action.unit))
    asked_path = action.options.get("path")
    way = (
        tuple(asked_path) if asked_path else way_left(battle, battle.anyone(unit.id)) or _ahead(battle_with_unit, unit)
    )
    plan = along(battle_with_unit, unit, ROUTE_MARCH, way, None)
    allowed = min(plan.allowed, float(action.options.get("length", plan.allowed)))
    if not asked_path or "length" in action.options:
        plan = replace(as_far_as(plan, allowed), allowed=plan.allowed)
    return plan, Request("move", (unit.id,), {**action.options, "as": action.kind, "path": way})


def _ahead(battle: Battle, unit: Unit) -> tuple[Point, ...]:
    """Return a path straight ahead, longer than any move."""
    far = float(tables()["moves"]["general"]["any"]["general"]) * float(tables()["factors"]["road"]) * battle.scale
    (x, y), (fx, fy) = unit.front_mid, heading(unit.facing)
    return ((x + far * fx, y + far * fy),)


def route_march(unfolding: Unfolding, action: Action) -> None:
    """Make a route march, which needs no orders (TSE-ACT-80) and may continue in later turns (TSE-ACT-81)."""
    battle = unfolding.battle
    plan, _ = _planned_march(battle, action)
    end = plan.end
    if battle.has(end.id):
        put(unfolding, end, plan.motion.way)
    else:
        unfolding.happen(Entered(end.id, pose_of(end), plan.motion.way))
        if not wholly_on(battle, end):
            unfolding.mark(end.id, coming_on=True)
    unfolding.mark(end.id, acted=True, route_march=True)
    overrun(unfolding, end, ground_swept(plan))


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
