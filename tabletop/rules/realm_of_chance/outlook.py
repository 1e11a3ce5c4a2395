"""What an action promises at one look ahead: exact odds where dice decide, a few weights for where to stand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance, every_course
from tabletop.battle.naming import plain
from tabletop.battle.unit import Unit, distance_between
from tabletop.rules.play import Result
from tabletop.rules.realm_of_chance import artillery, fighting
from tabletop.rules.realm_of_chance.combat import Fight, general_with
from tabletop.rules.realm_of_chance.condition import DISRUPTED, OK, ROUTING, strength
from tabletop.rules.realm_of_chance.course import met
from tabletop.rules.realm_of_chance.layouts import COLUMN, GARRISON, LIMBERED, LINE, SQUARE, UNLIMBERED
from tabletop.rules.realm_of_chance.movement import CHARGE, RETREAT, WITHDRAW, Going, going, in_reach
from tabletop.rules.realm_of_chance.tables import ARTILLERY, CAVALRY, INFANTRY, arm, length, row
from tabletop.rules.realm_of_chance.weighing import base_worth

#: Weights of the outlook, in bases; ours, tuned by play, no rule.
CLOSER = 0.4  # a whole move nearer to the enemy
BACK = -0.6  # going back in good order
AWAY = -1.5  # turning one's back
MESSY = -0.8  # each unit disrupted by passing through friends
RIDE = 0.6  # a general beside who needs him
SHAPE = 0.5  # a formation that fits
NOISE = -0.05  # doing something without a use
SAFE = 120.0  # mm within which cavalry is a threat to a line


def expected(battle: Battle, action: Action, reckon: Any) -> tuple[float, str]:
    """Return the mean worth of an action and its likeliest result."""
    results: dict[Result, float] = {}
    for chance, result in every_course(lambda chance: reckon(battle, action, chance)):
        results[result] = results.get(result, 0.0) + chance
    worth = sum(p * result.worth for result, p in results.items())
    likely = max(results.items(), key=lambda pair: (round(pair[1], 9), pair[0].text))[0].text
    return worth, f"most likely: {likely}"


def prospect(battle: Battle, action: Action) -> tuple[float, str]:
    """Weigh an action by one look ahead: its mean worth in bases, and why in a few words."""
    weigh = _WEIGHED.get(action.kind)
    return (0.0, "") if weigh is None else weigh(battle, action)


def _shot(battle: Battle, action: Action) -> tuple[float, str]:
    return expected(battle, action, artillery.reckon)


def _combat(battle: Battle, action: Action) -> tuple[float, str]:
    return expected(battle, action, fighting.reckon)


# --- moves -----------------------------------------------------------------------------------------------------------


def _move(battle: Battle, action: Action) -> tuple[float, str]:
    """A move is worth the best attack it leads to, or the way it brings the unit nearer; retreats cost."""
    unit = battle.unit(str(action.unit))
    gone = going(battle, unit, action.kind, action.options)
    end = gone.end
    if action.kind == CHARGE:
        end = replace(end, marks={**end.marks, "charging": True})
    if action.kind in (WITHDRAW, RETREAT):
        return _going_back(battle, unit, action.kind)
    after = battle.with_unit(end)
    fight, text = _attack_from(after, end)
    risk = _risk(after, end) + _mess(battle, gone)
    if arm(unit) == ARTILLERY:
        return NOISE + 0.2 * _nearer(battle, unit, end), "guns forward"
    return fight + risk + CLOSER * _nearer(battle, unit, end), text or "forward"


def _mess(battle: Battle, gone: Going) -> float:
    """Return what passing through friends costs, as a negative number (ROC-MOV-05)."""
    friends = met(battle, gone.course, battle.friends(gone.unit))
    shaken = [u for u in friends if u.status == OK]
    return MESSY * (len(shaken) + (bool(friends) and gone.unit.status == OK))


def _going_back(battle: Battle, unit: Unit, kind: str) -> tuple[float, str]:
    """Who is disrupted and could be attacked gains by going back."""
    danger = -_risk(battle, unit)
    gain = danger if unit.status == DISRUPTED else 0.0
    return gain + (BACK if kind == WITHDRAW else AWAY), "out of reach"


def _nearer(battle: Battle, unit: Unit, end: Unit) -> float:
    """Return how much nearer to the nearest enemy a unit comes, in whole moves; infantry is near enough in range."""
    enemies = [e for e in battle.enemies(unit) if e.status != ROUTING]
    if not enemies:
        return 0.0
    close = 0.8 * length("infantry_range") if arm(unit) == INFANTRY else 0.0
    before, after = (max(close, min(distance_between(u, e) for e in enemies)) for u in (unit, end))
    return (before - after) / row(unit).move


def _attack_from(after: Battle, end: Unit) -> tuple[float, str]:
    """Return the worth of the best attack a unit could make from where it ends, alone."""
    found = [_mean(after, end, enemy) for enemy in after.enemies(end) if in_reach(after, end, enemy)]
    return max(found, key=lambda pair: pair[0], default=(0.0, ""))


def _mean(battle: Battle, attacker: Unit, enemy: Unit) -> tuple[float, str]:
    """Return the mean worth, to the attacker, of his attack on an enemy."""
    if attacker.status == ROUTING or arm(attacker) == ARTILLERY:
        return 0.0, ""
    fight = Fight(battle, (attacker,), enemy)

    def reckon(chance: Chance) -> Result:
        return fighting.weighed(fight, fighting.drawn(fight, chance), attacker.side)

    worth = sum(p * result.worth for p, result in every_course(reckon))
    return worth, f"at {enemy.called}"


def _risk(after: Battle, unit: Unit) -> float:
    """Return what the best attack on a unit would cost it next turn, as a negative number: at half weight."""
    worst = 0.0
    for enemy in after.enemies(unit):
        reach = row(enemy).move + row(enemy).charge
        reach += length("infantry_range") if arm(enemy) == INFANTRY else 0.0
        if arm(enemy) == ARTILLERY or enemy.status == ROUTING or distance_between(unit, enemy) > reach:
            continue
        ratio = strength(enemy) / max(1, strength(unit))
        worst = max(worst, min(1.0, ratio / 3.0) * base_worth(unit))
    return -0.5 * worst


# --- formations, rides ----------------------------------------------------------------------------------------------


def _form(battle: Battle, action: Action) -> tuple[float, str]:
    """A line near the enemy, a column far from him, a square before cavalry, guns unlimbered in range."""
    unit, formation = battle.unit(str(action.unit)), str(action.options.get("formation"))
    wanted = _fitting(battle, unit)
    if formation == wanted and unit.formation != wanted:
        return SHAPE, f"{plain(formation)} fits here"
    return (-SHAPE if unit.formation == wanted else NOISE), ""


def _fitting(battle: Battle, unit: Unit) -> str:
    """Return the formation that fits where a unit stands."""
    enemies = [(distance_between(unit, e), e) for e in battle.enemies(unit) if e.status != ROUTING]
    near = min((d for d, _ in enemies), default=9999.0)
    if arm(unit) == ARTILLERY:
        return UNLIMBERED if near < 0.8 * artillery.bands(artillery.guns_of(unit))[-1] else LIMBERED
    if arm(unit) == CAVALRY:
        return LINE
    if unit.formation == GARRISON:
        return GARRISON
    horse = min((d for d, e in enemies if arm(e) == CAVALRY), default=9999.0)
    foot = min((d for d, e in enemies if arm(e) == INFANTRY), default=9999.0)
    if horse < SAFE and horse < foot:
        return SQUARE
    return COLUMN if near > 4.0 * row(unit).move else LINE


def _ride(battle: Battle, action: Action) -> tuple[float, str]:
    """A general is worth most beside a disrupted or routing unit, or one that is going to fight."""
    person = battle.unit(str(action.unit))
    if arm(person) != "general":
        return (RIDE / 2, "with orders") if person.marks.get("carries") else (NOISE, "")
    end = going(battle, person, action.kind, action.options).end
    before, after = (_comfort(battle.with_unit(p), p) for p in (person, end))
    return after - before, "where he is needed"


def _comfort(battle: Battle, person: Unit) -> float:
    """Return what a general's place is worth: the neediest unit he touches, else how near he is to one."""
    own = [u for u in battle.side(person.side) if not u.is_general]
    touched = [u for u in own if general_with(battle, u)]
    need = {OK: 0.2, DISRUPTED: 1.0, ROUTING: 0.6}
    best = max((need[u.status] for u in touched), default=0.0)
    gap = min((distance_between(person, u) for u in own), default=0.0)
    return RIDE * best - 0.0005 * gap


def _order(battle: Battle, action: Action) -> tuple[float, str]:
    """Orders are words between players: nothing comes of them by themselves."""
    return 2 * NOISE, ""


def _enter(battle: Battle, action: Action) -> tuple[float, str]:
    """Troops on the table are worth more than troops on the way."""
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
}
