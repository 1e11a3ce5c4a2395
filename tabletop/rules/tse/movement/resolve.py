"""Voluntary moves as actions: judged by the question ``move``, ordered, and made (TSE-ACT, TSE-ORD)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.event import Entered, Placed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between, pose_of
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.common.ruled import ruled
from tabletop.rules.play import ActionKind, Result
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.calculator.model import delayed_share
from tabletop.rules.tse.command.generals import fates, ground_swept, overrun
from tabletop.rules.tse.command.orders import DELAYED, LOST, might_fire, movement_reasons, ordered
from tabletop.rules.tse.movement.entry import with_unit_there
from tabletop.rules.tse.movement.judge import planned
from tabletop.rules.tse.movement.legality import judged
from tabletop.rules.tse.movement.motion import PlannedMove, action_of
from tabletop.rules.tse.movement.partial_move import as_far_as
from tabletop.rules.tse.movement.zone_of_control import zone_width
from tabletop.rules.tse.tables import troop
from tabletop.rules.tse.turn.answer_cache import cached_answer
from tabletop.rules.tse.turn.sequence import acted, turn_reasons

#: The share of its allowance that a move may cost if a shot is to follow (TSE-CMB-02).
HALF = 0.5


Measured = tuple[PlannedMove, Request]


@cached_answer
def planned_move_of(battle: Battle, action: Action) -> Measured:
    """Return the planned move of an action, and its request; the options are those of the question ``move``."""
    battle_with_unit = with_unit_there(battle, battle.anyone(str(action.unit)))
    unit = battle_with_unit.unit(str(action.unit))
    request = Request("move", (unit.id,), {**action.options, "as": action.kind})
    return planned(battle_with_unit, unit, action_of(unit, action.kind), request)


# --- generals --------------------------------------------------------------------------------------------------------


def judge_general(battle: Battle, action: Action) -> Verdict:
    """Return whether a general may make this move: once a turn, between other actions (TSE-ACT-02, TSE-ACT-03).

    A general who is still to arrive starts at his entry point on the edge, if no enemy is near (TSE-ACT-82).
    """
    against = [r for r in turn_reasons(battle, action) if not r.holds]
    if against:
        return ruled(battle, action, against)
    plan, request = planned_move_of(battle, action)
    blocked = () if battle.has(plan.before.id) else blocked_by(plan)
    return ruled(battle, action, blocked) if blocked else judged(plan, request)


def blocked_by(plan: PlannedMove) -> tuple[Reason, ...]:
    """Return reasons naming the enemies whose zones keep a general from entering (TSE-LDR-05, TSE-MOV-17)."""
    width = zone_width(plan.battle)
    enemies = ((e, distance_between(plan.before, e)) for e in plan.battle.enemies(plan.before))
    near = ((e, gap) for e, gap in enemies if plan.battle.tape.under(gap, width))
    return tuple(Reason("TSE-MOV-17", False, f"{e.called} is at the entry", gap, width, e.id) for e, gap in near)


def move_general(unfolding: Unfolding, action: Action) -> None:
    """Move a general, without orders or chance (TSE-ACT-02)."""
    plan, _ = planned_move_of(unfolding.battle, action)
    if unfolding.battle.has(plan.end.id):
        put(unfolding, plan.end, plan.motion.way)
    else:
        unfolding.happen(Entered(plan.end.id, pose_of(plan.end), plan.motion.way))
    acted(unfolding, str(action.unit))


# --- maneuver and march ----------------------------------------------------------------------------------------------


def judge_move(battle: Battle, action: Action) -> Verdict:
    """Return whether a unit may make this maneuver or march (TSE-ACT-20, TSE-ACT-70, TSE-MOV-01..23)."""
    against = [r for r in movement_reasons(battle, action) if not r.holds]
    return ruled(battle, action, against) if against else judged(*planned_move_of(battle, action))


def move(unfolding: Unfolding, action: Action) -> None:
    """Maneuver or march as far as the orders allow, overrunning generals (TSE-ACT-21, TSE-ORD-04, TSE-ORD-05).

    After a maneuver of no more than half the allowance the unit may still fire (TSE-CMB-02).
    """
    plan, _ = planned_move_of(unfolding.battle, action)
    orders = ordered(unfolding, unfolding.battle, plan.before, action.kind)
    if orders == LOST:
        return
    part_made = made(plan, action, orders)
    put(unfolding, part_made.end, part_made.motion.way)
    overrun(unfolding, part_made.before, ground_swept(part_made))
    if action.kind == "maneuver" and not within_half(part_made) and troop(part_made.before.troop).range is not None:
        unfolding.mark(part_made.before.id, moved_far=True)
    shot = action.kind == "maneuver" and within_half(part_made)
    finish_move(unfolding, part_made.before.id, shot)


def made(plan: PlannedMove, action: Action, orders: str) -> PlannedMove:
    """Return the part of a planned move that is made: all of it, or what delayed orders allow (TSE-ACT-21, TSE-ORD-05).

    With the option ``to_fire`` a delayed unit stops early enough to fire: at half the delayed allowance (TSE-CMB-02).
    """
    if orders != DELAYED:
        return plan
    allowed = plan.allowed * delayed_share()
    part_made = as_far_as(plan, allowed)
    if action.options.get("to_fire") and not within_half(part_made):
        return replace(as_far_as(plan, allowed * HALF), allowed=allowed)
    return part_made


def within_half(plan: PlannedMove) -> bool:
    """Return whether a move costs no more than half its allowance (TSE-CMB-02)."""
    return plan.battle.tape.at_most(plan.price.total, plan.allowed * HALF)


def finish_move(unfolding: Unfolding, unit: str, shot: bool) -> None:
    """End a move, which uses up the unit's action; with ``shot`` advancing fire may follow it (TSE-CMB-01..04).

    A unit that could not fire at anything has acted at once.
    """
    if shot and might_fire(unfolding.battle, unfolding.unit(unit)):
        unfolding.mark(unit, may_fire="advancing", route_march=None)
    else:
        acted(unfolding, unit)


def reckon(battle: Battle, action: Action, chance: Chance) -> Result:
    """Return the result of an ordered move for one course of chance, with the generals it overruns (TSE-LDR-07)."""
    plan, _ = planned_move_of(battle, action)
    orders = ordered(chance, battle, plan.before, action.kind)
    if orders == LOST:
        return Result("orders lost: it stays")
    part_made = made(plan, action, orders)
    text = f"orders {orders}: it goes {part_made.price.total:.2f} of {part_made.allowed:g} {battle.table.unit}"
    return Result("; ".join([text, *fates(chance, battle, part_made.before, ground_swept(part_made))]))


def put(unfolding: Unfolding, unit: Unit, path: tuple[Any, ...] = (), how: str = "") -> None:
    """Place the unit where ``unit`` stands; a column wholly on the table is no longer coming on (TSE-ACT-83).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("front-or-flank"))
    >>> put(unfolding, unfolding.unit("west-line").moved(0.0, -2.0))
    >>> unfolding.unit("west-line").front_mid
    (10.0, 6.0)
    """
    way = tuple((float(x), float(y)) for k, (x, y) in enumerate(path) if k == 0 or path[k - 1] != (x, y))
    unfolding.happen(Placed(unit.id, pose_of(unit), way, how))
    if unit.marks.get("coming_on") and wholly_on(unfolding.battle, unit):
        unfolding.mark(unit.id, coming_on=None)


def wholly_on(battle: Battle, unit: Unit) -> bool:
    """Return whether no part of a unit is off the table (TSE-MOV-21).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> wholly_on(battle, battle.unit("arnaud")), wholly_on(battle, battle.unit("arnaud").moved(-8.0, 0.0))
    (True, False)
    """
    x0, y0, x1, y1 = unit.footprint.bounds
    return not battle.tape.over(max(-x0, -y0, x1 - battle.table.width, y1 - battle.table.height), 0.0)


KINDS = (
    ActionKind("general", "Move the general", judge_general, move_general, None, ("unit", "path"), ("TSE-ACT-02",)),
    ActionKind("maneuver", "Maneuver", judge_move, move, reckon, ("unit", "path"), ("TSE-ACT-20", "TSE-ACT-21")),
    ActionKind("march", "March", judge_move, move, reckon, ("unit", "path"), ("TSE-ACT-70",)),
)
