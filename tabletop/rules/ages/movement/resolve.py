"""Moves as actions: judged and made, with everything that happens on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import shapely

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Changed, Lost, Placed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between, pose_of
from tabletop.errors import BadQuestion
from tabletop.geometry.depth import deepest
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.ages.morale.effects import disrupt
from tabletop.rules.ages.morale.status import OK, ROUTING, abandoned
from tabletop.rules.ages.movement import messengers
from tabletop.rules.ages.movement.contacts import note_contacts
from tabletop.rules.ages.movement.costs import forming_cost, time_for_square
from tabletop.rules.ages.movement.formation import as_formed, formed, may_form
from tabletop.rules.ages.movement.layouts import COLUMN, LINE, SQUARE, fewer, pose_after
from tabletop.rules.ages.movement.legality import (
    CHARGE,
    MOVE,
    RETREAT,
    RIDE,
    WITHDRAW,
    PlannedMove,
    allowance,
    judged,
    kinds_for,
    planned_move,
    spent,
)
from tabletop.rules.ages.movement.motion import (
    LEAST,
    Course,
    Leg,
    about_face,
    backwards,
    barriers,
    met,
    room,
    solid,
    straight,
)
from tabletop.rules.ages.movement.neared import note_squares
from tabletop.rules.ages.movement.threat import threatens
from tabletop.rules.ages.tables import ARTILLERY, CAVALRY, INFANTRY, arm, length, tables
from tabletop.rules.ages.turn import losses
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
    if arm(unit) == CAVALRY and unit.fronts and _squares_form(unfolding.battle, action.kind):
        plan = _at_squares(unfolding, plan)
    go(unfolding, unit.id, plan.course, action.kind)
    used = plan.spent + plan.fraction
    if not unit.is_general:
        unfolding.mark(unit.id, spent=used)
    unfolding.mark(unit.id, moved=True, **_marks(unfolding.battle, action.kind))
    note_contacts(unfolding, unit)
    note_squares(unfolding, unit.id, start)


def squares_before(unfolding: Unfolding, side: str) -> None:
    """If so ruled, let infantry that a side's cavalry threatens form square as that side's movement opens (AGE-MOV-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> unfolding = Unfolding(replace(battle, rulings={**battle.rulings, "square_when": "threatened"}))
    >>> squares_before(unfolding, "prussian")
    >>> unfolding.unit("french-3").formation
    'square'
    """
    if unfolding.battle.rulings["square_when"] != "threatened":
        return
    battle = unfolding.battle
    horse = [u for u in in_sequence(battle, battle.side(side)) if not u.is_general and arm(u) == CAVALRY]
    foot = (u for u in battle.units if u.side != side and not u.is_general and arm(u) == INFANTRY)
    for unit in in_sequence(battle, foot):
        if unit.formation in (LINE, COLUMN) and any(threatens(battle, rider, unit) for rider in horse):
            form_square(unfolding, unit.id)


def _squares_form(battle: Battle, kind: str) -> bool:
    """Return whether infantry may form square against cavalry that reaches it by this kind of move (ROC-FRM-06)."""
    when = battle.rulings["square_when"]
    return when in ("attacked", "threatened") or (when == "charged" and kind == CHARGE)


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


# --- what is overrun -------------------------------------------------------------------------------------------------


def capture_guns(unfolding: Unfolding, gun: str, by: str) -> None:
    """Capture guns passed through: they change sides and are set aside, usable from the next turn (ROC-ART-08)."""
    battle, guns, captor = unfolding.battle, unfolding.unit(gun), unfolding.unit(by)
    losses.report(unfolding, guns, "gun", 1)
    marks = {"captured": battle.clock.turn, "fired": None, "spent": None, "debt": None, "colour": _colour(captor)}
    marks |= {"abandoned": None} if abandoned(guns) else {}
    marks |= {"retiring": None} if guns.marks.get("retiring") else {}
    status = OK if guns.status == ROUTING else None
    unfolding.happen(Changed(gun, side=captor.side, status=status, marks=marks))
    unfolding.happen(Placed(gun, pose_of(set_aside(unfolding.battle, unfolding.unit(gun), captor)), how="captured"))
    _crew(unfolding, captor.id, guns.at)


def _crew(unfolding: Unfolding, captor: str, guns: Point) -> None:
    """Take a base from the captor to crew the captured guns, but never his last one (AGE-ART-08).

    It does not count as a loss, since its men are still on the table. Rule sets without this rule take none.
    """
    unit = unfolding.unit(captor)
    bases = min(int(tables(unit).get("guns", {}).get("crew", 0)), unit.strength - 1)
    if bases > 0:
        unfolding.happen(Lost(captor, bases, pose_of(fewer(unit, guns))))
        unfolding.tell("crew", {"bases": bases}, captor, rules=("AGE-ART-08",))


def _colour(unit: Unit) -> Any:
    return unit.marks.get("colour")


def set_aside(battle: Battle, gun: Unit, captor: Unit) -> Unit:
    """Return captured guns where they overlap no unit: where they were, else behind their captor (ruling).

    If there is no room behind him they stand beside or in front of him.
    """
    others = [u for u in battle.units if u.id != gun.id and not u.is_general]
    faced = gun.turned((captor.facing - gun.facing) % 360.0)
    f = captor.forward
    r = (f[1], -f[0])
    low = shapely.get_coordinates(captor.footprint) @ list(f)
    back = float(min(low)) - faced.bases[0].depth / 2 - length(battle, "contact")  # type: ignore[union-attr]
    across = captor.at[0] * r[0] + captor.at[1] * r[1]
    tries = [gun]
    for row in (*range(30), *range(-1, -30, -1)):
        for aside in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5):
            ahead, side = back - 10.0 * row, across + 20.0 * aside
            x, y = ahead * f[0] + side * r[0], ahead * f[1] + side * r[1]
            tries.append(faced.moved(x - faced.at[0], y - faced.at[1]))
    return next((t for t in tries if _stands_clear(battle, t, others)), gun)


def _stands_clear(battle: Battle, unit: Unit, others: list[Unit]) -> bool:
    x0, y0, x1, y1 = unit.footprint.bounds
    if min(x0, y0) < 0.0 or x1 > battle.table.width or y1 > battle.table.height:
        return False
    near = [o for o in others if shapely.intersects(o.footprint, unit.footprint)]
    return all(not battle.tape.over(deepest(unit.bases, o.bases), 0.0) for o in near)


# --- infantry forms square against cavalry ---------------------------------------------------------------------------


def _at_squares(unfolding: Unfolding, plan: PlannedMove) -> PlannedMove:
    """Let infantry that cavalry reaches form square if it has time, and end the cavalry's move there (ROC-FRM-06).

    The move then ends where it first touches such a square. If it touches none any more, its last leg goes on to one
    that lies straight ahead, or else ends where it was to end.
    """
    battle = unfolding.battle
    reached = [
        enemy
        for enemy in in_sequence(battle, battle.enemies(plan.unit))
        if arm(enemy) == INFANTRY and battle.tape.at_most(distance_between(plan.end, enemy), length(battle, "contact"))
    ]
    formed_now = [enemy.id for enemy in reached if form_square(unfolding, enemy.id, plan.course)]
    return _cut_short(unfolding.battle, plan, [unfolding.unit(name) for name in formed_now]) if formed_now else plan


def form_square(unfolding: Unfolding, name: str, threat: Course | None = None) -> bool:
    """Let infantry form square in the enemy's move, at the cost of its next move; return whether it did (ROC-FRM-06).

    It has no time if less of that move is left than a square costs, unless it costs nothing, and no room if the square
    would overlap a unit, or the cavalry where it stood or wheeled before it came on. A routing unit cannot form square
    (ROC-SQR-05).
    """
    battle, unit = unfolding.battle, unfolding.unit(name)
    if unit.formation not in (LINE, COLUMN) or unit.status == ROUTING:
        return False
    debt, after = float(unit.marks.get("debt", 0.0)), as_formed(battle, unit, SQUARE)
    cost = time_for_square(unit, debt, battle.rulings)
    if cost is None or not _has_room(battle, unit, after, threat):
        lacking = {} if cost is None else {"room": False}
        unfolding.tell("no square", {"debt": debt, **lacking}, name, rules=("ROC-FRM-06",))
        return False
    unfolding.happen(Placed(name, pose_of(after), how="square"))
    unfolding.mark(name, debt=debt + cost)
    unfolding.tell("square", {"cost": cost}, name, rules=("ROC-FRM-06",))
    return True


def _has_room(battle: Battle, unit: Unit, after: Unit, threat: Course | None) -> bool:
    movers = {threat.unit.id} if threat is not None else set()
    others = [u for u in battle.units if u.id not in {unit.id, *movers} and not u.is_general]
    if not _stands_clear(battle, after, others):
        return False
    meeting = None if threat is None else _first_meeting(threat, [after])
    return meeting is None or meeting.straight or meeting.at_the_end


@dataclass(frozen=True)
class Meeting:
    """The leg of a course that first meets a new square: on its straight run, or else in its wheel or at the start."""

    leg: int
    straight: bool
    at_the_end: bool = False  # in a wheel that ends the move after a straight run


def _first_meeting(course: Course, squares: Sequence[Unit]) -> Meeting | None:
    """Return where a course first overlaps one of some squares by more than the tolerance; None if it does not."""
    before = course.unit
    if any(Course(before, ()).meets(square.footprint) for square in squares):
        return Meeting(0, False)
    for k, leg in enumerate(course.legs):
        wheel = Course(before, (replace(leg, length=0.0, end=leg.start, sweeps=leg.wheeling),))
        run = Course(leg.start, (replace(leg, wheel=0.0, sweeps=leg.sweeps[len(leg.wheeling) :]),))
        for part, straight_on in ((wheel, False), (run, True)):
            if any(part.meets(square.footprint) for square in squares):
                return Meeting(k, straight_on, not straight_on and k > 0 and not leg.length)
        before = leg.end
    return None


def _cut_short(battle: Battle, plan: PlannedMove, squares: Sequence[Unit]) -> PlannedMove:
    """Return the move ended where it first touches new squares, or else with its last leg run on to one of them.

    A wheel that would end in a square is left out. The unit stays on the table and stops short of a friend it would end
    in; if it cannot, it does not set out.
    """
    legs, meeting = plan.course.legs, _first_meeting(plan.course, squares)
    if not legs or (meeting is None and not legs[-1].length):
        return plan
    k = len(legs) - 1 if meeting is None else meeting.leg - meeting.at_the_end
    before, last = legs[:k], legs[k]
    used = plan.spent + sum(leg.cost + leg.length / plan.allowance for leg in before) + last.cost
    at_the_end = meeting is not None and meeting.at_the_end
    course = _run(battle, plan, before, last, last.length if at_the_end else plan.allowance * (1.0 - used))
    if meeting is None and not _comes_upon(battle, plan, course, squares):
        course = _run(battle, plan, before, last, last.length)
    inside = any(battle.tape.over(deepest(course.end.bases, f.bases), 0.0) for f in battle.friends(plan.unit))
    return replace(plan, course=Course(plan.course.unit, ()) if inside else course)


def _run(battle: Battle, plan: PlannedMove, before: Sequence[Leg], last: Leg, most: float) -> Course:
    """Return a course whose last leg goes straight on, at most ``most`` mm, to an enemy or the table's edge."""
    back, most = plan.kind == WITHDRAW, max(0.0, most)
    run = _free_run(battle, about_face(last.start) if back else last.start, most)
    standing = replace(last, length=0.0, end=last.start, sweeps=last.wheeling)
    legs = backwards(last.start, run).legs if back else (straight(standing, run),)
    return Course(plan.course.unit, (*before, *legs))


def _comes_upon(battle: Battle, plan: PlannedMove, course: Course, squares: Sequence[Unit]) -> bool:
    """Return whether a move run on touches one of some squares and is one that could have been chosen (ROC-MOV-01)."""
    near = length(battle, "contact")
    touches = any(battle.tape.at_most(distance_between(course.end, square), near) for square in squares)
    whole = allowance(battle, plan.unit, plan.kind, course)
    return touches and not replace(plan, battle=battle, course=course, allowance=whole).against


def _free_run(battle: Battle, start: Unit, most: float) -> float:
    """Return how far (mm) a unit goes straight on: to an enemy or the table's edge, short of friends."""
    run = min(_first_met(battle, start, most), room(battle, start, most))
    return _short_of_friends(battle, start, max(0.0, run))


def _first_met(battle: Battle, start: Unit, most: float) -> float:
    """Return how far (mm) a unit goes straight on before it touches an enemy other than guns; at most ``most``."""
    first = most
    x0, y0, x1, y1 = start.footprint.bounds
    for other in battle.enemies(start):
        ox0, oy0, ox1, oy1 = other.footprint.bounds
        near = ox0 <= x1 + most and ox1 >= x0 - most and oy0 <= y1 + most and oy1 >= y0 - most
        if near and arm(other) != ARTILLERY:
            stretches = barriers(start, solid(other), heading(start.facing), most, 0.0)
            first = min([first, *(lo for lo, hi in stretches if hi > LEAST)])
    return first


def _short_of_friends(battle: Battle, start: Unit, run: float) -> float:
    """Return the length of a run, shortened until it ends in no friend."""
    stretches = [
        stretch
        for friend in battle.friends(start)
        for stretch in barriers(start, solid(friend), heading(start.facing), run + 1.0, battle.tape.t)
    ]
    for lo, hi in sorted(stretches, reverse=True):
        if lo < run < hi:
            run = max(0.0, lo - battle.tape.t)  # just touching: the barriers leave out a tolerance of overlap
    return run


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
    unfolding.happen(Placed(unit.id, pose_after(unit, after), how=formation))
    unfolding.mark(unit.id, spent=spent(unit) + cost)


__all__ = ["CHARGE", "FORM", "MOVE", "RETREAT", "RIDE", "WITHDRAW", "form", "judge_form", "judge_move", "make_move"]
