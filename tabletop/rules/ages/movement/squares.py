"""Infantry that forms square against cavalry, and where the cavalry's move then ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tabletop.battle.battle import Battle
from tabletop.battle.event import Placed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between, pose_of
from tabletop.geometry.measure import heading
from tabletop.rules.ages.morale.status import ROUTING
from tabletop.rules.ages.movement.costs import time_for_square
from tabletop.rules.ages.movement.formation import as_formed
from tabletop.rules.ages.movement.layouts import COLUMN, LINE, SQUARE
from tabletop.rules.ages.movement.legality import PlannedMove, allowance
from tabletop.rules.ages.movement.motion import (
    LEAST,
    Course,
    Leg,
    about_face,
    backwards,
    barriers,
    room,
    solid,
    stands_clear,
    straight,
)
from tabletop.rules.ages.movement.move_kinds import CHARGE, WITHDRAW
from tabletop.rules.ages.movement.threat import threatens
from tabletop.rules.ages.tables import ARTILLERY, CAVALRY, INFANTRY, arm, length
from tabletop.rules.ages.turn.simultaneous import in_sequence
from tabletop.rules.common.overlaps import overlapped


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


def squares_form(battle: Battle, kind: str) -> bool:
    """Return whether infantry may form square against cavalry that reaches it by this kind of move (ROC-FRM-06)."""
    when = battle.rulings["square_when"]
    return when in ("attacked", "threatened") or (when == "charged" and kind == CHARGE)


def at_squares(unfolding: Unfolding, plan: PlannedMove) -> PlannedMove:
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
    if not stands_clear(battle, after, others):
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
    inside = any(overlapped(battle, course.end, battle.friends(plan.unit)))
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
