"""Moving: what a way costs in moves and millimetres, and whether it may be gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.naming import plain
from tabletop.battle.unit import Unit, distance_between, pose_of
from tabletop.errors import BadQuestion
from tabletop.geometry.depth import deepest
from tabletop.geometry.shapes import ghosts, line_shape
from tabletop.geometry.verdict import Reason, Verdict, features_of
from tabletop.rules.common.ruled import either
from tabletop.rules.realm_of_chance.morale.status import ROUTING, just_taken, organised
from tabletop.rules.realm_of_chance.movement import terrain
from tabletop.rules.realm_of_chance.movement.costs import Rulings
from tabletop.rules.realm_of_chance.movement.layouts import COLUMN, FIXED, LIMBERED
from tabletop.rules.realm_of_chance.movement.motion import (
    Course,
    about_face,
    along,
    backwards,
    met,
    over_the_edge,
    surely_on_table,
)
from tabletop.rules.realm_of_chance.tables import ARTILLERY, CAVALRY, INFANTRY, arm, length, row, tables, troops
from tabletop.rules.rule_set import Request

MOVE, CHARGE, WITHDRAW, RETREAT, RIDE = "move", "charge", "withdraw", "retreat", "ride"


@dataclass(frozen=True)
class Going:
    """A unit on its way: which kind of move, the way, what it may go in mm with a whole move, what is spent of one."""

    battle: Battle
    unit: Unit
    kind: str
    course: Course
    allowance: float
    spent: float

    @property
    def fraction(self) -> float:
        """What the way uses of a move, wheels included, in moves."""
        return self.course.wheels + self.course.length / self.allowance

    @property
    def end(self) -> Unit:
        return self.course.end

    @cached_property
    def against(self) -> tuple[Reason, ...]:
        """Every reason why it may not be gone."""
        return faults(self)


def spent(unit: Unit) -> float:
    """Return what of its move a unit has used this turn, in moves (ROC-FRM-01)."""
    return float(unit.marks.get("spent", 0.0))


def allowance(battle: Battle, unit: Unit, kind: str, course: Course) -> float:
    """Return how far a whole move of this kind goes along this way, in mm (ROC-MOV-01, ROC-MOV-02, ROC-MOV-04).

    Difficult ground, road and charge are added once a move. In column the charge figure is added, and not once more
    when the column charges. A road helps columns that never leave it, and limbered guns.
    """
    person = troops()[unit.troop].speed
    if person is not None:
        return person
    figures = row(unit)
    road = unit.formation in (COLUMN, LIMBERED) and terrain.on_road(battle, course)
    slow = terrain.is_difficult(battle, course)
    if road and battle.rulings["road_in_difficult"] == "road":
        slow = False
    quick = charge_figures(battle, unit, kind)
    whole = figures.move + figures.difficult * slow + figures.road * road + figures.charge * quick
    share = float(tables()["retreat"]["facing"]) if kind == WITHDRAW else 1.0
    return whole * share


def charge_figures(battle: Battle, unit: Unit, kind: str) -> int:
    """Return how often the charge figure is added to a move: in column or for a charge, usually once (ROC-MOV-04)."""
    times = (unit.formation == COLUMN) + (kind == CHARGE)
    return times if battle.rulings["column_charge"] == "twice" else min(1, times)


def going(battle: Battle, unit: Unit, kind: str, options: Mapping[str, Any]) -> Going:
    """Return a unit's going by kind of move: along ``path`` and to ``facing``, or straight back.

    Kept on the battle: what is judged is asked for again when it is done.
    """
    kept: dict[str, Going] = vars(battle).setdefault("_goings", {})
    key = f"{unit.id} {kind} {[(name, options.get(name)) for name in _WAYS]}"
    if key not in kept or kept[key].unit is not unit:
        course = _COURSES.get(kind, _forward)(unit, options, battle.rulings)
        kept[key] = Going(battle, unit, kind, course, allowance(battle, unit, kind, course), spent(unit))
    return kept[key]


#: Options that say where a move goes.
_WAYS = ("path", "to", "facing", "distance")


def _forward(unit: Unit, options: Mapping[str, Any], rulings: Rulings) -> Course:
    path, to, facing = options.get("path"), options.get("to"), options.get("facing")
    points = tuple(path or ()) if to is None else (to,)
    if not points and facing is None:
        raise BadQuestion(f"where shall '{unit.id}' move? give --to X,Y or --path X,Y X,Y ... (or --facing F)")
    return along(unit, [(float(x), float(y)) for x, y in points], facing, rulings)


def _back(unit: Unit, options: Mapping[str, Any], rulings: Rulings) -> Course:
    return backwards(unit, _distance_back(unit, options))


def _away(unit: Unit, options: Mapping[str, Any], rulings: Rulings) -> Course:
    """Turned about at no cost, then straight ahead (ROC-MOV-06)."""
    distance, turned = _distance_back(unit, options), about_face(unit)
    f = turned.forward
    x, y = turned.front_mid
    gone = along(turned, [(x + distance * f[0], y + distance * f[1])])
    return Course(turned, gone.legs)


def _distance_back(unit: Unit, options: Mapping[str, Any]) -> float:
    """Return how far back: the option ``distance``, or as far as the one point of ``path`` lies behind the front."""
    if options.get("distance") is not None:
        return float(options["distance"])
    path = options.get("path") or ([options["to"]] if options.get("to") is not None else [])
    if len(path) != 1:
        raise BadQuestion(f"how far shall '{unit.id}' go back? give --distance D, or --to X,Y straight behind it")
    (x, y), f = unit.front_mid, unit.forward
    dx, dy = float(path[0][0]) - x, float(path[0][1]) - y
    back, side = -(dx * f[0] + dy * f[1]), abs(dx * f[1] - dy * f[0])
    if back < 0.0 or side > length("straight"):
        raise BadQuestion(f"'{unit.id}' goes back straight to its rear; ({path[0][0]:g}, {path[0][1]:g}) is not there")
    return back


_COURSES: Mapping[str, Callable[[Unit, Mapping[str, Any], Rulings], Course]] = {WITHDRAW: _back, RETREAT: _away}


# --- may it be gone? -------------------------------------------------------------------------------------------------


def kinds_for(unit: Unit) -> tuple[str, ...]:
    """Return the kinds of move there are for a unit: persons ride, guns do not charge (ROC-ORD-01, ROC-MOV-03)."""
    if unit.is_general:
        return (RIDE,)
    return (MOVE,) if arm(unit) == ARTILLERY else (MOVE, CHARGE, WITHDRAW, RETREAT)


def judged(going: Going, request: Request) -> Verdict:
    """Return the verdict on a going, with every reason against it, the cost, and where it ends."""
    against = going.against
    allowed = max(0.0, 1.0 - going.spent) * going.allowance
    cost = min(allowed, going.fraction * going.allowance)
    good = Reason("ROC-MOV-01", True, _cost_text(going), cost, allowed)
    way = tuple(going.course.way) if going.unit.fronts else (going.unit.at, *(leg.end.at for leg in going.course.legs))
    end = going.end
    shown = (line_shape("blocked" if against else "path", way),) if len(way) > 1 else ()
    return Verdict(
        "move",
        request.args,
        going.battle.rules,
        not against,
        {
            "cost": cost,
            "allowed": allowed,
            "fraction": going.fraction,
            "carried": max(0.0, going.spent + going.fraction - 1.0),
            "allowance": going.allowance,
            "path": [list(p) for p in way],
            "at": list(end.at),
            "facing": end.facing,
            "after": pose_of(end),
        },
        against or (good,),
        witness=None if against else way,
        blockers=features_of(against),
        options=request.options,
        shapes=(*shown, *ghosts(end.bases)),
    )


def _cost_text(going: Going) -> str:
    """Return what a way costs in words."""
    parts = [f"{going.course.length:.1f} of {going.allowance:g} mm straight"]
    if going.course.wheels:
        wheels = going.course.wheels
        parts.append(f"wheels for {wheels:.2f} of a move ({wheels * going.allowance:.1f} mm)")
    if going.spent:
        parts.append(f"{going.spent:.2f} of the move was spent before")
    return "it goes " + ", ".join(parts)


def faults(going: Going) -> tuple[Reason, ...]:
    """Return every reason why a way may not be gone: the unit's state, the cost, the ground, who stands there."""
    checks: Sequence[Callable[[Going], Iterator[Reason]]] = (
        _state,
        _cost,
        _charge,
        _ground,
        _enemies,
        _friends,
        _ending,
    )
    cheap = tuple(reason for check in checks[:3] for reason in check(going) if not reason.holds)
    if cheap:
        return cheap
    return tuple(reason for check in checks[3:] for reason in check(going) if not reason.holds)


def _state(going: Going) -> Iterator[Reason]:
    unit = going.unit
    name = unit.called
    yield Reason("ROC-MOV-07", unit.status != ROUTING, f"{name} is routing and runs by itself")
    yield Reason("ROC-CTL-01", not unit.marks.get("pursuing"), f"{name} is in pursuit and out of control")
    yield Reason(
        "ROC-ART-08", not just_taken(going.battle, unit), f"{name} was taken this turn, and is not used at once"
    )
    if unit.formation in FIXED:
        rule = "ROC-ART-09" if arm(unit) == ARTILLERY else "ROC-FRM-06"
        yield Reason(rule, False, f"{name} does not move in formation {plain(unit.formation)}; form another first")


def _cost(going: Going) -> Iterator[Reason]:
    """Legs must be paid in full; a wheel may be begun with anything left, the rest carries over (ROC-FRM-01)."""
    used, tape = going.spent, going.battle.tape
    for leg in going.course.legs:
        if leg.cost:
            left = going.allowance * (1.0 - used)
            yield Reason("ROC-FRM-01", tape.over(left, 0.0), "nothing of its move is left for a wheel", left, 0.0)
            if going.battle.rulings["manoeuvre_debt"] == "not-allowed":
                text = f"the wheel costs {leg.cost:.2f} of a move, and {max(0.0, 1.0 - used):.2f} is left"
                yield Reason("ROC-FRM-01", used + leg.cost <= 1.0 + 1e-9, text, leg.cost, 1.0 - used)
            used += leg.cost
        if leg.length:
            left = max(0.0, going.allowance * (1.0 - used))
            holds = tape.at_most(leg.length, left)
            text = f"it has {left:.1f} mm left to go, and the way is {leg.length:.1f} mm"
            yield Reason("ROC-MOV-01", holds, text, leg.length, left)
            used += leg.length / going.allowance


def _charge(going: Going) -> Iterator[Reason]:
    """A charge at most once in three turns, and at somebody (ROC-MOV-03)."""
    if going.kind != CHARGE:
        return
    battle, unit = going.battle, going.unit
    last = unit.marks.get("charged")
    every = int(tables()["charge"]["every"])
    if last is not None and battle.clock.turn:
        text = f"it charged in turn {last}, and may again from turn {last + every} on"
        yield Reason("ROC-MOV-03", battle.clock.turn >= last + every, text, battle.clock.turn, last + every)
    near = any(in_reach(battle, going.end, enemy) for enemy in battle.enemies(unit))
    yield either("ROC-MOV-03", near, "it ends within reach of an enemy", "a charge must end within reach of an enemy")


def in_reach(battle: Battle, unit: Unit, enemy: Unit) -> bool:
    """Return whether an enemy is near enough to be attacked: 50 mm for infantry, contact for cavalry (ROC-CBT-02)."""
    reach = {INFANTRY: length("infantry_range"), CAVALRY: length("contact")}.get(arm(unit))
    if reach is None:
        return False
    (ax, ay), (bx, by) = unit.at, enemy.at
    if abs(ax - bx) > 400.0 + reach or abs(ay - by) > 400.0 + reach:
        return False
    return battle.tape.at_most(distance_between(unit, enemy), reach)


def _ground(going: Going) -> Iterator[Reason]:
    """It stays on the table and off ground nobody can enter; persons heed only the edge (ROC-MOV-01)."""
    if not surely_on_table(going.battle, going.course):
        over = over_the_edge(going.battle, going.course.swept, going.end.footprint)
        text = f"the way goes {over:.1f} mm over the table's edge"
        yield Reason("ROC-MOV-01", not going.battle.tape.over(over, 0.0), text, over)
    closed = terrain.barred(going.battle)
    if closed is not None and going.unit.fronts:
        inside = going.course.meets(closed)
        yield Reason("ROC-MOV-01", not inside, "the way enters ground nobody can enter")


def _enemies(going: Going) -> Iterator[Reason]:
    """Nobody passes through the enemy, but over his guns and messengers (ROC-ART-08, ROC-ORD-03)."""
    if not going.unit.fronts:
        return
    foes = [enemy for enemy in going.battle.enemies(going.unit) if arm(enemy) != ARTILLERY]
    for enemy in met(going.battle, going.course, foes):
        name = enemy.called
        yield Reason("ROC-MOV-05", False, f"the way leads through {name}, an enemy", feature=enemy.id)


def _friends(going: Going) -> Iterator[Reason]:
    """Friends may be passed in whatever order they are, unless so ruled (ROC-MOV-05)."""
    battle, unit = going.battle, going.unit
    if battle.rulings["pass_through"] == "any" or not unit.fronts:
        return
    for friend in met(battle, going.course, battle.friends(unit)):
        good = organised(unit) and organised(friend)
        text = f"it would pass through {friend.called}, and only units in good order may"
        yield Reason("ROC-MOV-05", good, text, feature=friend.id)


def _ending(going: Going) -> Iterator[Reason]:
    """Friends may be passed, but not stood on; guns overrun are set aside (ROC-MOV-05, ROC-ART-08)."""
    battle, end = going.battle, going.end
    others = battle.friends(going.unit) if going.unit.fronts else ()
    others = (*others, *(e for e in battle.enemies(going.unit) if arm(e) != ARTILLERY or not going.unit.fronts))
    for other in others:
        if _apart(end, other):
            continue
        depth = deepest(end.bases, other.bases)
        if battle.tape.over(depth, 0.0):
            text = f"it would end {depth:.1f} mm deep in {other.called}"
            yield Reason("ROC-MOV-05", False, text, depth, 0.0, other.id)


def _apart(a: Unit, b: Unit) -> bool:
    ax0, ay0, ax1, ay1 = a.footprint.bounds
    bx0, by0, bx1, by1 = b.footprint.bounds
    return ax1 < bx0 or bx1 < ax0 or ay1 < by0 or by1 < ay0
