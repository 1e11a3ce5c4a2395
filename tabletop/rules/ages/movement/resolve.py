"""Moves as actions: judged and made, with everything that happens on the way."""

from __future__ import annotations

from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Placed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import pose_of
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.ages.command.obedience import ordered
from tabletop.rules.ages.morale.effects import disrupt
from tabletop.rules.ages.movement import messengers
from tabletop.rules.ages.movement.captured_guns import capture_guns
from tabletop.rules.ages.movement.contacts import note_contacts
from tabletop.rules.ages.movement.costs import forming_cost
from tabletop.rules.ages.movement.formation import as_formed, formed, may_form
from tabletop.rules.ages.movement.layouts import formed_as
from tabletop.rules.ages.movement.legality import PlannedMove, judged, planned_move, spent
from tabletop.rules.ages.movement.motion import (
    Course,
    met,
)
from tabletop.rules.ages.movement.move_kinds import CHARGE, RETREAT, kinds_for
from tabletop.rules.ages.movement.neared import note_squares
from tabletop.rules.ages.movement.squares import at_squares, squares_form
from tabletop.rules.ages.tables import ARTILLERY, CAVALRY, arm
from tabletop.rules.ages.turn.phases import MOVEMENT_PHASE, phase_reasons
from tabletop.rules.ages.turn.simultaneous import in_sequence
from tabletop.rules.common.ruled import either, ruled
from tabletop.rules.rule_set import Request

FORM = "form"


def _request(action: Action) -> Request:
    return Request("move", (str(action.unit),), {**action.options, "as": action.kind})


def judge_move(battle: Battle, action: Action) -> Verdict:
    """Return whether a unit may make this move now: one a turn, in its movement phase (ROC-MOV-01, ROC-SEQ-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("drill-ground"), "hussars", "charge")
    >>> judge_move(battle, Action("charge", "prussian", "hussars", options={"path": ((760.0, 228.0),)})).holds
    True
    """
    reasons = _turn_to_move(battle, action)
    return judged(_plan(battle, action), _request(action)) if all(reasons) else ruled(battle, action, reasons)


def may_move(battle: Battle, action: Action) -> bool:
    """Return whether ``judge_move`` allows a move, without making the verdict (ROC-MOV-01, ROC-SEQ-01).

    Raises BadQuestion without a destination.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("drill-ground"), "hussars", "charge")
    >>> may_move(battle, Action("charge", "prussian", "hussars", options={"path": ((760.0, 228.0),)}))
    True
    """
    return all(_turn_to_move(battle, action)) and not _plan(battle, action).against


def _turn_to_move(battle: Battle, action: Action) -> list[Reason]:
    """Return the reasons for and against a unit making this kind of move now, wherever it goes."""
    reasons = phase_reasons(battle, action, MOVEMENT_PHASE)
    unit = battle.unit(str(action.unit))
    name, fresh = unit.called, not unit.marks.get("moved")
    reasons.append(either("ROC-MOV-01", fresh, f"{name} has not moved this turn", f"{name} has moved this turn"))
    fitting = action.kind in kinds_for(unit)
    reasons.append(Reason("ROC-MOV-01", fitting, f"{unit.called} may: {', '.join(kinds_for(unit))}"))
    return reasons


def _plan(battle: Battle, action: Action) -> PlannedMove:
    return planned_move(battle, battle.unit(str(action.unit)), action.kind, action.options)


def make_move(unfolding: Unfolding, action: Action) -> None:
    """Move a unit: friends passed are disrupted, guns and messengers overrun are taken (ROC-MOV-05, ROC-ART-08).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> make_move(unfolding, Action("charge", "prussian", "hussars", options={"path": ((760.0, 228.0),)}))
    >>> unfolding.unit("hussars").front_mid, unfolding.unit("french-3").formation
    ((760.0, 243.5), 'square')
    """
    start, unit = unfolding.battle, unfolding.unit(str(action.unit))
    plan = planned_move(start, unit, action.kind, action.options)
    if arm(unit) == CAVALRY and unit.fronts and squares_form(unfolding.battle, action.kind):
        plan = at_squares(unfolding, plan)
    for remark in plan.remarks:
        unfolding.tell("against order", {"order": ordered(start, unit)}, unit.id, rules=(remark.rule,))
    go(unfolding, unit.id, plan.course, action.kind)
    used = plan.spent + plan.fraction
    if not unit.is_general:
        unfolding.mark(unit.id, spent=used)
    unfolding.mark(unit.id, moved=True, **_marks(unfolding.battle, action.kind))
    note_contacts(unfolding, unit)
    note_squares(unfolding, unit.id, start)


def _marks(battle: Battle, kind: str) -> dict[str, Any]:
    """Return the marks of a move: the turn of a charge (ROC-MOV-03), or a back turned until next turn (ROC-MOV-06)."""
    if kind == CHARGE:
        return {"charged": battle.clock.turn, "charging": True}
    return {"retreating": True} if kind == RETREAT else {}


def go(unfolding: Unfolding, name: str, course: Course, how: str) -> None:
    """Place a unit at the end of its course, and resolve what happens to the units it passes over."""
    battle, unit = unfolding.battle, unfolding.unit(name)
    friends = met(battle, course, battle.friends(unit)) if unit.fronts else ()
    guns = met(battle, course, [e for e in battle.enemies(unit) if arm(e) == ARTILLERY]) if unit.fronts else ()
    riders = messengers.on_a_course(battle, unit, course)
    unfolding.happen(Placed(name, pose_of(course.end), course.waypoints, how))
    for friend in friends:
        interpenetrate(unfolding, name, friend.id)
    for rider in riders:
        messengers.capture(unfolding, rider.id, name)
    for gun in in_sequence(battle, guns):
        capture_guns(unfolding, gun.id, name)


def interpenetrate(unfolding: Unfolding, name: str, friend: str) -> None:
    """Resolve two friends passing through each other: those in order are disrupted (ROC-MOV-05)."""
    unfolding.tell("interpenetration", {}, name, friend, ("ROC-MOV-05",))
    disrupt(unfolding, name)
    disrupt(unfolding, friend)


# --- changes of formation --------------------------------------------------------------------------------------------


def judge_form(battle: Battle, action: Action) -> Verdict:
    """Return whether a unit may take a formation now (option ``formation``) (ROC-FRM-01, ROC-FRM-03, ROC-ART-09).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("drill-ground"), "hussars", "form")
    >>> judge_form(battle, Action("form", "prussian", "hussars", options={"formation": "square"})).because[0].text
    "'hussars' (light-cavalry) forms no square; it forms: line, column"
    """
    reasons = phase_reasons(battle, action, MOVEMENT_PHASE)
    if not all(reasons):
        return ruled(battle, action, reasons)
    unit, formation = battle.unit(str(action.unit)), str(action.options.get("formation"))
    try:
        return formed(battle, unit, formation, Request("move", (unit.id,), {**action.options, "as": formation}))
    except BadQuestion as no:
        return ruled(battle, action, [Reason("ROC-FRM-01", False, str(no))])


def may_form_now(battle: Battle, action: Action) -> bool:
    """Return whether ``judge_form`` allows a change of formation, without making the verdict (ROC-FRM-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("drill-ground"), "hussars", "form")
    >>> may_form_now(battle, Action("form", "prussian", "hussars", options={"formation": "square"}))
    False
    """
    unit, formation = battle.unit(str(action.unit)), str(action.options.get("formation"))
    return all(phase_reasons(battle, action, MOVEMENT_PHASE)) and may_form(battle, unit, formation)


def form(unfolding: Unfolding, action: Action) -> None:
    """Change formation at once; a cost beyond this move is carried over to the next (ROC-FRM-01, ROC-FRM-05).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> form(unfolding, Action("form", "prussian", "prussian-1", options={"formation": "square"}))
    >>> unfolding.unit("prussian-1").formation, unfolding.unit("prussian-1").marks
    ('square', {'spent': 0.5})
    """
    unit, formation = unfolding.unit(str(action.unit)), str(action.options["formation"])
    after = as_formed(unfolding.battle, unit, formation)
    cost = forming_cost(unit, formation, unfolding.battle.rulings) or 0.0
    unfolding.happen(formed_as(unit, after, formation))
    unfolding.mark(unit.id, spent=spent(unit) + cost)
