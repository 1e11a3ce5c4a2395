"""Moves: what one costs, in moves and millimetres, and every reason that may forbid it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.naming import plain
from tabletop.battle.unit import Unit, beside, distance_between, pose_of
from tabletop.geometry.cache import Cache
from tabletop.geometry.depth import deepest
from tabletop.geometry.shapes import ghosts, line_shape
from tabletop.geometry.verdict import Reason, Verdict, features_of
from tabletop.rules.ages.command.obedience import against_order
from tabletop.rules.ages.morale.status import ROUTING, just_taken, organised, served
from tabletop.rules.ages.movement import terrain
from tabletop.rules.ages.movement.layouts import COLUMN, FIXED, GARRISON, LIMBERED, SQUARE
from tabletop.rules.ages.movement.motion import (
    Course,
    met,
    over_the_edge,
    surely_on_table,
)
from tabletop.rules.ages.movement.move_kinds import (
    CHARGE,
    DESTINATION,
    WITHDRAW,
    course_to,
)
from tabletop.rules.ages.tables import ARTILLERY, CAVALRY, INFANTRY, arm, attack_range, row, tables, troop_of
from tabletop.rules.common.ruled import either
from tabletop.rules.rule_set import Request


@dataclass(frozen=True)
class PlannedMove:
    """A planned move: its kind, its course, the length of a whole move (mm), and the fraction spent before."""

    battle: Battle
    unit: Unit
    kind: str
    course: Course
    allowance: float
    spent: float

    @property
    def fraction(self) -> float:
        """The fraction of a whole move it uses, including wheels."""
        return self.course.wheels + self.course.length / self.allowance

    @property
    def end(self) -> Unit:
        """The unit where the move ends."""
        return self.course.end

    @cached_property
    def against(self) -> tuple[Reason, ...]:
        """Every reason that forbids it."""
        return faults(self)

    @cached_property
    def remarks(self) -> tuple[Reason, ...]:
        """The remark that it goes against the unit's order, which forbids nothing (AGE-ORD-01); empty without one."""
        return against_order(self.battle, self.unit, self.kind, self.end, self.course.length)


def spent(unit: Unit) -> float:
    """Return the share of its move that a unit has used this turn; it may exceed 1 (ROC-FRM-01).

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> unit = open_battle("drill-ground").unit("french-1")
    >>> spent(unit), spent(replace(unit, marks={"spent": 0.75}))
    (0.0, 0.75)
    """
    return float(unit.marks.get("spent", 0.0))


def allowance(battle: Battle, unit: Unit, kind: str, course: Course) -> float:
    """Return the length of a whole move of this kind along this course, in mm (ROC-MOV-01, ROC-MOV-02, ROC-MOV-04).

    The figures for difficult ground, road and charge are each added once a move. A column always has the charge figure,
    but not twice if it charges. A road helps columns and limbered guns that never leave it.
    """
    person = troop_of(unit).speed
    if person is not None:
        return person
    figures = row(unit)
    road = unit.formation in (COLUMN, LIMBERED) and terrain.on_road(battle, course)
    slow = terrain.is_difficult(battle, course)
    if road and battle.rulings["road_in_difficult"] == "road":
        slow = False
    quick = charge_figures(battle, unit, kind)
    whole = figures.move + figures.difficult * slow + figures.road * road + figures.charge * quick
    share = float(tables(unit)["retreat"]["facing"]) if kind == WITHDRAW else 1.0
    return whole * share


def charge_figures(battle: Battle, unit: Unit, kind: str) -> int:
    """Return how often the charge figure is added to a move: in column or for a charge, usually once (ROC-MOV-04)."""
    times = (unit.formation == COLUMN) + (kind == CHARGE)
    return times if battle.rulings["column_charge"] == "twice" else min(1, times)


def planned_move(battle: Battle, unit: Unit, kind: str, options: Mapping[str, Any]) -> PlannedMove:
    """Return the move a unit is asked to make: along ``path`` and to ``facing``, or straight back.

    Source: ROC-MOV-01, ROC-MOV-06. Points are in table units, facings in degrees. Cached on the battle, because a move
    that was judged is needed again when it is made. Raises BadQuestion without a destination.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("on-the-causeway")
    >>> plan = planned_move(battle, battle.unit("beside-it"), "move", {"path": [(350, 215)]})
    >>> plan.allowance, plan.fraction
    (40.0, 0.75)
    """
    cache: dict[str, PlannedMove] = vars(battle).setdefault("_planned_moves", {})
    key = f"{unit.id} {kind} {[(name, options.get(name)) for name in DESTINATION]}"
    if key not in cache or cache[key].unit is not unit:
        course, whole = _ON_GROUND.of(
            (unit, battle.table, battle.rulings), key, lambda: _on_ground(battle, unit, kind, options)
        )
        cache[key] = PlannedMove(battle, unit, kind, course, whole, spent(unit))
    return cache[key]


#: Courses with their allowances; they do not depend on other units, so they stay valid while these move.
_ON_GROUND: Cache[tuple[Course, float]] = Cache(2048)


def _on_ground(battle: Battle, unit: Unit, kind: str, options: Mapping[str, Any]) -> tuple[Course, float]:
    """Return the course a unit is asked to take and the length of a whole move along it in mm."""
    course = course_to(unit, kind, options, battle.rulings)
    return course, allowance(battle, unit, kind, course)


# --- is it legal? ----------------------------------------------------------------------------------------------------


def judged(plan: PlannedMove, request: Request) -> Verdict:
    """Return the verdict on a planned move, with every reason against it, the cost, and where it ends."""
    against = plan.against
    allowed = max(0.0, 1.0 - plan.spent) * plan.allowance
    cost = min(allowed, plan.fraction * plan.allowance)
    good = Reason("ROC-MOV-01", True, _cost_text(plan), cost, allowed)
    way = (
        tuple(plan.course.waypoints) if plan.unit.fronts else (plan.unit.at, *(leg.end.at for leg in plan.course.legs))
    )
    end = plan.end
    shown = (line_shape("blocked" if against else "path", way),) if len(way) > 1 else ()
    return Verdict(
        "move",
        request.args,
        plan.battle.rules,
        not against,
        {
            "cost": cost,
            "allowed": allowed,
            "fraction": plan.fraction,
            "carried": max(0.0, plan.spent + plan.fraction - 1.0),
            "allowance": plan.allowance,
            "path": [list(p) for p in way],
            "at": list(end.at),
            "facing": end.facing,
            "after": pose_of(end),
        },
        against or (good, *plan.remarks),
        witness=None if against else way,
        blockers=features_of(against),
        options=request.options,
        shapes=(*shown, *ghosts(end.bases)),
    )


def _cost_text(plan: PlannedMove) -> str:
    """Return, in words, what a move costs."""
    parts = [f"{plan.course.length:.1f} of {plan.allowance:g} mm straight"]
    if plan.course.wheels:
        wheels = plan.course.wheels
        parts.append(f"wheels for {wheels:.2f} of a move ({wheels * plan.allowance:.1f} mm)")
    if plan.spent:
        parts.append(f"{plan.spent:.2f} of the move was spent before")
    return "it goes " + ", ".join(parts)


def faults(plan: PlannedMove) -> tuple[Reason, ...]:
    """Return every reason that forbids a move: the unit's state, the cost, the ground, other units.

    If state, cost or charge forbid it, ground and units are not checked.
    """
    checks: Sequence[Callable[[PlannedMove], Iterator[Reason]]] = (
        _state,
        _cost,
        _charge,
        _ground,
        _enemies,
        _friends,
        _ending,
    )
    cheap = tuple(reason for check in checks[:3] for reason in check(plan) if not reason.holds)
    if cheap:
        return cheap
    return tuple(reason for check in checks[3:] for reason in check(plan) if not reason.holds)


def _state(plan: PlannedMove) -> Iterator[Reason]:
    unit = plan.unit
    name = unit.called
    yield Reason("ROC-MOV-07", unit.status != ROUTING, f"{name} is routing and runs by itself")
    yield Reason("ROC-CTL-01", not unit.marks.get("pursuing"), f"{name} is in pursuit and out of control")
    yield Reason("AGE-RES-09", not unit.marks.get("retiring"), f"{name} retires until it is rallied")
    yield Reason("ROC-ART-08", not just_taken(plan.battle, unit), f"{name} was taken too short a time ago to be used")
    yield from served(unit)
    if unit.formation in FIXED:
        text = f"{name} does not move in formation {plain(unit.formation)}; form another first"
        yield Reason(_fixed_by(unit), False, text)


def _fixed_by(unit: Unit) -> str:
    """Return the rule that keeps a unit where it stands until it has formed otherwise; squares' is infantry's alone."""
    if arm(unit) == CAVALRY and unit.formation == GARRISON:
        return "AGE-SET-03"
    return "ROC-ART-09" if arm(unit) == ARTILLERY else "ROC-FRM-06"


def _cost(plan: PlannedMove) -> Iterator[Reason]:
    """Check the cost: legs are paid in full; a wheel needs some move left and carries the rest over (ROC-FRM-01)."""
    used, tape, turned = plan.spent, plan.battle.tape, ""
    for leg in plan.course.legs:
        if leg.cost:
            turned = "after its wheel "
            length_left = plan.allowance * (1.0 - used)
            yield Reason(
                "ROC-FRM-01", tape.over(length_left, 0.0), "nothing of its move is left for a wheel", length_left, 0.0
            )
            if plan.battle.rulings["manoeuvre_debt"] == "not-allowed":
                text = f"the wheel costs {leg.cost:.2f} of a move, and {max(0.0, 1.0 - used):.2f} is left"
                yield Reason("ROC-FRM-01", used + leg.cost <= 1.0 + 1e-9, text, leg.cost, 1.0 - used)
            used += leg.cost
        if leg.length:
            length_left = max(0.0, plan.allowance * (1.0 - used))
            holds = tape.at_most(leg.length, length_left)
            text = f"{turned}it has {length_left:.1f} mm left to go, and the way is {leg.length:.1f} mm"
            yield Reason("ROC-MOV-01", holds, text, leg.length, length_left)
            used += leg.length / plan.allowance


def _charge(plan: PlannedMove) -> Iterator[Reason]:
    """Check a charge: at most once in three turns, straight on, and ending within reach of an enemy (ROC-MOV-03).

    Squares that cavalry attacks from a distance count only if it comes within their reach by this charge (GLA-HDG-02).
    """
    if plan.kind != CHARGE:
        return
    battle, unit = plan.battle, plan.unit
    yield charge_again(battle, unit)
    goes = battle.tape.over(plan.course.length, 0.0)
    nowhere = "a charge must go straight on to within reach of an enemy, and this one goes nowhere"
    yield either("ROC-MOV-03", goes, "it goes straight on", nowhere)
    near = [enemy for enemy in battle.enemies(unit) if in_reach(battle, plan.end, enemy)]
    old = [enemy for enemy in near if enemy.formation == SQUARE and near_as_square(battle, unit, enemy)]
    if near and len(near) == len(old):
        limit = attack_range(unit, at_square=True)
        text = f"{unit.called} must come upon {old[0].called} from outside {limit:g} mm"
        yield Reason("GLA-HDG-02", False, text, feature=old[0].id)
    away = "a charge must end within reach of an enemy"
    yield either("ROC-MOV-03", bool(near), "it ends within reach of an enemy", away)


def charge_again(battle: Battle, unit: Unit) -> Reason:
    """Return the reason for or against a charge by how many turns ago the unit last charged (ROC-MOV-03).

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("drill-ground"), "hussars", "charge")
    >>> charge_again(battle, replace(battle.unit("hussars"), marks={"charged": 1})).text
    'it charged in turn 1, and may again from turn 4 on'
    """
    last, now = unit.marks.get("charged"), battle.clock.turn
    if last is None or not now:
        return Reason("ROC-MOV-03", True, "no charge of its own is too recent")
    again = last + int(tables(unit)["charge"]["every"])
    return Reason(
        "ROC-MOV-03", now >= again, f"it charged in turn {last}, and may again from turn {again} on", now, again
    )


def in_reach(battle: Battle, unit: Unit, enemy: Unit) -> bool:
    """Return whether an enemy is near enough to be attacked: 50 mm for infantry, contact for cavalry (ROC-CBT-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> in_reach(battle, battle.unit("french-1"), battle.unit("prussian-1"))
    True
    """
    if arm(unit) not in (INFANTRY, CAVALRY):
        return False
    return _within(battle, unit, enemy, attack_range(unit, enemy.formation == SQUARE))


def near_as_square(battle: Battle, unit: Unit, enemy: Unit) -> bool:
    """Return whether cavalry is within the distance from which it attacks squares, where that is farther than contact.

    The enemy is measured where it stands, in square or not. Always False in ages without such a distance (GLA-HDG-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> near_as_square(battle, battle.unit("hussars"), battle.unit("french-3"))
    False
    """
    reach = attack_range(unit, at_square=True)
    return arm(unit) == CAVALRY and reach > attack_range(unit) and _within(battle, unit, enemy, reach)


def _within(battle: Battle, unit: Unit, enemy: Unit, reach: float) -> bool:
    """Return whether an enemy is at most ``reach`` mm away, edge to edge."""
    (ax, ay), (bx, by) = unit.at, enemy.at
    if abs(ax - bx) > 400.0 + reach or abs(ay - by) > 400.0 + reach:
        return False
    return battle.tape.at_most(distance_between(unit, enemy), reach)


def _ground(plan: PlannedMove) -> Iterator[Reason]:
    """Check that it stays on the table and off impassable ground; for persons only the edge matters (ROC-MOV-01)."""
    if not surely_on_table(plan.battle, plan.course):
        over = over_the_edge(plan.battle, plan.course.swept, plan.end.footprint)
        text = f"the way goes {over:.1f} mm over the table's edge"
        yield Reason("ROC-MOV-01", not plan.battle.tape.over(over, 0.0), text, over)
    closed = terrain.barred(plan.battle)
    if closed is not None and plan.unit.fronts:
        inside = plan.course.meets(closed)
        yield Reason("ROC-MOV-01", not inside, "the way enters ground nobody can enter")


def _enemies(plan: PlannedMove) -> Iterator[Reason]:
    """Check that it passes through no enemies except guns and messengers (ROC-ART-08, ROC-ORD-03)."""
    if not plan.unit.fronts:
        return
    for enemy in met(plan.battle, plan.course, plan.battle.enemies(plan.unit)):
        if arm(enemy) != ARTILLERY:
            text = f"the way leads through {enemy.called}, an enemy"
            yield Reason("ROC-MOV-05", False, text, feature=enemy.id)


def _friends(plan: PlannedMove) -> Iterator[Reason]:
    """Check the friends passed through: all are allowed or, if so ruled, only those in good order (ROC-MOV-05)."""
    battle, unit = plan.battle, plan.unit
    if battle.rulings["pass_through"] == "any" or not unit.fronts:
        return
    for friend in met(battle, plan.course, battle.friends(unit)):
        good = organised(unit) and organised(friend)
        text = f"it would pass through {friend.called}, and only units in good order may"
        yield Reason("ROC-MOV-05", good, text, feature=friend.id)


def _ending(plan: PlannedMove) -> Iterator[Reason]:
    """Check that it ends clear of other units and, with guns, of houses (ROC-MOV-05, ROC-ART-08, AGE-SET-03).

    Overrun guns are set aside. Guns may pass through a village, as everybody may, and halt on its road; elsewhere in it
    they do not end (ruling).
    """
    battle, end = plan.battle, plan.end
    friends = battle.friends(end) if end.fronts else ()
    for other in beside(end.bounds, (*friends, *battle.enemies(end)), 0.0):
        if other.side != end.side and arm(other) == ARTILLERY and end.fronts:
            continue
        depth = deepest(end.bases, other.bases)
        if battle.tape.over(depth, 0.0):
            text = f"it would end {depth:.1f} mm deep in {other.called}"
            yield Reason("ROC-MOV-05", False, text, depth, 0.0, other.id)
    house = terrain.closed_house(battle, end, plan.unit)
    if house is not None and not terrain.on_road(battle, plan.course):
        text = f"it would end in {house.name or house.id}, and a house shelters no {arm(end)}"
        yield Reason("AGE-SET-03", False, text, feature=house.id)
