"""The expected value of an action, looking one action ahead: exact odds if dice decide, weights for positions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import gathered
from tabletop.battle.naming import plain
from tabletop.battle.unit import Unit, distance_between, distances_between
from tabletop.geometry.cache import Cache
from tabletop.geometry.measure import bearing, heading, turn_between
from tabletop.rules.ages.combat import resolve as combat_resolve
from tabletop.rules.ages.command.generals import general_with
from tabletop.rules.ages.computer import ground
from tabletop.rules.ages.computer.forecast import attack, threat
from tabletop.rules.ages.computer.known import as_known, reacts_to_unseen
from tabletop.rules.ages.fire import judge as fire_judge
from tabletop.rules.ages.fire import resolve as fire_resolve
from tabletop.rules.ages.morale.edges import bearing_home
from tabletop.rules.ages.morale.status import DISRUPTED, OK, ROUTING
from tabletop.rules.ages.movement.costs import wheel_cost
from tabletop.rules.ages.movement.layouts import COLUMN, GARRISON, LIMBERED, LINE, SQUARE, UNLIMBERED
from tabletop.rules.ages.movement.legality import PlannedMove, planned_move
from tabletop.rules.ages.movement.motion import met
from tabletop.rules.ages.movement.move_kinds import CHARGE, RETREAT, WITHDRAW
from tabletop.rules.ages.tables import ARTILLERY, CAVALRY, INFANTRY, arm, attack_range, profile_of, row
from tabletop.rules.common.evaluation import Value, lead, valued
from tabletop.rules.play import Result

#: Weights of the evaluation, in bases; tuned by play, no rule.
CLOSER = 0.4  # a whole move nearer to the enemy
PRESS = 0.8  # added to that for a side that attacks or is losing
CARE = 0.5  # share of what the enemy's best charge would cost next turn
BACK = -0.6  # going back in good order
AWAY = -1.5  # turning one's back
MESSY = -0.8  # each unit disrupted by passing through friends
ORDERED = 3.0  # a move against the unit's order
RIDE = 0.6  # a general beside a unit that needs him
SHAPE = 0.5  # a formation that fits
NOISE = -0.05  # an action without a use
SAFE = 120.0  # mm within which cavalry keeps infantry in its square
FAR = (3.0, 4.5)  # moves from the enemy within which a column deploys, and beyond which a line forms column
AHEAD = 15.0  # degrees off straight ahead for which no wheel is counted


def expected(battle: Battle, action: Action, reckon: Any) -> Value:
    """Return the expected value of an action in bases, and its most likely result in words."""
    results: dict[Result, float] = gathered(lambda chance: reckon(battle, action, chance))
    worth = sum(p * result.worth for result, p in results.items())
    likely = max(results.items(), key=lambda pair: (round(pair[1], 9), pair[0].text))[0].text
    return worth, f"most likely: {likely}"


def prospect(battle: Battle, action: Action) -> Value:
    """Return the expected value of an action in bases, and the reason in a few words (ROC-CBT-03, AGE-ORD-06).

    Only enemy units that the acting side sees count.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("drill-ground"), "french-guns", "bombard")
    >>> prospect(battle, Action("bombard", "french", "french-guns", "russian-1"))[1]
    'most likely: the defender is routed'
    """
    return valued(_WEIGHED, battle, action)


def _shot(battle: Battle, action: Action) -> Value:
    return expected(battle, action, fire_resolve.reckon)


def _combat(battle: Battle, action: Action) -> Value:
    return expected(battle, action, combat_resolve.reckon)


# --- moves -----------------------------------------------------------------------------------------------------------


def _move(battle: Battle, action: Action) -> Value:
    """Return the value of a move, less if it goes against the unit's order (AGE-ORD-01)."""
    unit = battle.unit(str(action.unit))
    plan, known = planned_move(battle, unit, action.kind, action.options), as_known(battle, unit.side)
    worth, reason = _going_back(known, plan) if action.kind in (WITHDRAW, RETREAT) else _going(known, plan)
    return worth - ORDERED * bool(plan.remarks), reason


def _going(battle: Battle, plan: PlannedMove) -> Value:
    """Return the value of a move forward: the best attack it leads to, the risk, the approach to the enemy."""
    unit = plan.unit
    end = _ENDS.of((unit, plan.course), (plan.kind, plan.allowance), lambda: _moved(plan))
    gains = ground.value(battle, end) - ground.value(battle, unit)
    if arm(unit) == ARTILLERY:
        return NOISE + 0.2 * _nearer(battle, unit, end) + gains, "guns forward"
    fight, text = attack(battle, end)
    risk = CARE * (threat(battle, unit) - threat(battle, end)) + _disruption_cost(battle, plan)
    nearer = _approach_value(battle, unit) * _nearer(battle, unit, end)
    reason = text or ("for the ground" if gains > max(0.0, nearer) else "forward")
    return fight + risk + nearer + gains, reason


#: Units as they are after a move.
_ENDS: Cache[Unit] = Cache(2048)


def _moved(plan: PlannedMove) -> Unit:
    """Return the unit as it is after a move."""
    charging = {"charging": True} if plan.kind == CHARGE else {}
    return replace(plan.end, marks={**plan.unit.marks, "spent": plan.spent + plan.fraction, **charging})


def _approach_value(battle: Battle, unit: Unit) -> float:
    """Return the value of coming a whole move nearer: more for the attacker, and for a side that is losing.

    While the battle is undecided it also grows as the time left runs short for the way to the enemy.
    """
    side, winner = unit.side, _winning(battle)
    if battle.setup.attacker == side or lead(battle, side) < 0.0 or winner == battle.setup.other(side):
        return CLOSER + PRESS
    return CLOSER + PRESS * _haste(battle, unit) * (winner is None)


def _winning(battle: Battle) -> str | None:
    """Return the side that would win if the battle ended now, cached on the battle, as every move is weighed by it."""
    cache: dict[str, str | None] = vars(battle)
    if "_winning" not in cache:
        cache["_winning"] = profile_of(battle).winning(battle)
    return cache["_winning"]


def _haste(battle: Battle, unit: Unit) -> float:
    """Return how far time presses: 0 with half the battle to spare after the way to the enemy, 1 with nothing."""
    turns, enemies = battle.setup.turns, _in_hand(battle.enemies(unit))
    if not turns or not enemies:
        return 0.0
    spare = turns - battle.clock.turn - _moves_to_nearest(battle, unit, enemies)
    return min(1.0, max(0.0, 1.0 - 2.0 * spare / turns))


def _disruption_cost(battle: Battle, plan: PlannedMove) -> float:
    """Return the cost of passing through friends, as a negative number (ROC-MOV-05)."""
    friends = met(battle, plan.course, battle.friends(plan.unit))
    shaken = [u for u in friends if u.status == OK]
    return MESSY * (len(shaken) + (bool(friends) and plan.unit.status == OK))


def _going_back(battle: Battle, plan: PlannedMove) -> Value:
    """Return the value of going back, which is a gain for disrupted units that could be attacked."""
    unit = plan.unit
    danger = CARE * threat(battle, unit)
    gain = danger if unit.status == DISRUPTED else 0.0
    lost = ground.value(battle, unit) - ground.value(battle, plan.end)
    return gain - lost + (BACK if plan.kind == WITHDRAW else AWAY), "out of reach"


def _nearer(battle: Battle, unit: Unit, end: Unit) -> float:
    """Return by how many whole moves, wheels included, a unit comes nearer to striking an enemy.

    A side that sees none looks for him: the farther from its own edge, the nearer (AGE-ORD-06).
    """
    enemies = _in_hand(battle.enemies(unit))
    if not enemies:
        return 0.0 if reacts_to_unseen(battle) else _moves_away_from_home(battle, unit, end)
    return _moves_to_nearest(battle, unit, enemies) - _moves_to_nearest(battle, end, enemies)


def _in_hand(units: Sequence[Unit]) -> list[Unit]:
    return [unit for unit in units if unit.status != ROUTING]


def _moves_away_from_home(battle: Battle, unit: Unit, end: Unit) -> float:
    """Return by how many whole moves a unit goes away from its side's own edge, straight towards the enemy's."""
    home = heading(bearing_home(battle, unit.side))
    (x, y), (u, v) = unit.front_mid, end.front_mid
    return ((x - u) * home[0] + (y - v) * home[1]) / row(unit).move


def _moves_to_nearest(battle: Battle, unit: Unit, enemies: Sequence[Unit]) -> float:
    """Return how many moves, wheel included, a unit needs to strike the nearest of some enemies."""
    return _MOVES_TO.of((unit, battle.rulings, *enemies), "", lambda: _moves_to(battle, unit, enemies))


#: How many moves units are from striking.
_MOVES_TO: Cache[float] = Cache(2048)


def _moves_to(battle: Battle, unit: Unit, enemies: Sequence[Unit]) -> float:
    (x, y), least = unit.front_mid, math.inf
    close = 0.8 * attack_range(unit) if arm(unit) == INFANTRY else 0.0
    gaps = [max(0.0, distance - close) for distance in distances_between(unit, enemies)]
    for gap, enemy in sorted(zip(gaps, enemies, strict=True), key=itemgetter(0)):
        straight = gap / row(unit).move
        if straight >= least:
            break
        turn = turn_between(unit.facing, bearing(enemy.at[0] - x, enemy.at[1] - y)) if gap else 0.0
        wheel = wheel_cost(unit, turn, battle.rulings) if abs(turn) > AHEAD else 0.0
        least = min(least, wheel + straight)
    return least


# --- formations, rides ----------------------------------------------------------------------------------------------


def _form(battle: Battle, action: Action) -> Value:
    """Return the value of a change of formation, by whether the formation fits where the unit stands."""
    unit, formation = battle.unit(str(action.unit)), str(action.options.get("formation"))
    wanted = _fitting(as_known(battle, unit.side), unit)
    if formation == wanted and unit.formation != wanted:
        return SHAPE, f"{plain(formation)} fits here"
    return (-SHAPE if unit.formation == wanted else NOISE), ""


def _fitting(battle: Battle, unit: Unit) -> str:
    """Return the fitting formation: line near the enemy, column far off, square near cavalry, guns ready in range."""
    enemies = battle.enemies(unit)
    return _FITTING.of((unit, *enemies), "", lambda: _fits(unit, _in_hand(enemies)))


#: Fitting formations of units; they do not depend on friends.
_FITTING: Cache[str] = Cache(256)


def _fits(unit: Unit, enemies: Sequence[Unit]) -> str:
    gaps = distances_between(unit, enemies)
    near = min(gaps, default=9999.0)
    if arm(unit) == ARTILLERY:
        return UNLIMBERED if near < 0.8 * fire_judge.bands(profile_of(unit), fire_judge.guns_of(unit))[-1] else LIMBERED
    if arm(unit) == CAVALRY:
        return LINE
    if unit.formation == GARRISON:
        return GARRISON
    horse = min((gap for gap, e in zip(gaps, enemies, strict=True) if arm(e) == CAVALRY), default=9999.0)
    if unit.formation == SQUARE and horse < SAFE:
        return SQUARE
    far = FAR[0] if unit.formation == COLUMN else FAR[1]
    return COLUMN if near > far * row(unit).move else LINE


def _ride(battle: Battle, action: Action) -> Value:
    """Return the value of a ride: the value of the general's new place less that of the old one."""
    person = battle.unit(str(action.unit))
    if arm(person) != "general":
        return (RIDE / 2, "with orders") if person.marks.get("carries") else (NOISE, "")
    end = planned_move(battle, person, action.kind, action.options).end
    before, after = (_place_value(battle.with_unit(p), p) for p in (person, end))
    return after - before, "where he is needed"


def _place_value(battle: Battle, person: Unit) -> float:
    """Return the value of a general's place, from the neediest unit he touches and the distance to the nearest."""
    own = [u for u in battle.side(person.side) if not u.is_general]
    touched = [u for u in own if general_with(battle, u)]
    need = {OK: 0.2, DISRUPTED: 1.0, ROUTING: 0.6}
    best = max((need[u.status] for u in touched), default=0.0)
    gap = min((distance_between(person, u) for u in own), default=0.0)
    return RIDE * best - 0.0005 * gap


def _order(battle: Battle, action: Action) -> Value:
    """Return the value of an order: a small cost, since an order by itself has no effect in play."""
    return 2 * NOISE, ""


def _enter(battle: Battle, action: Action) -> Value:
    """Return the value of coming on: a constant."""
    return 1.0, "into the battle"


_WEIGHED = {
    "enter": _enter,
    "bombard": _shot,
    "combat": _combat,
    "move": _move,
    "charge": _move,
    "withdraw": _move,
    "retreat": _move,
    "form": _form,
    "ride": _ride,
    "order": _order,
    "call": _order,
    "dismiss": _order,
}
