"""The forms of the family filled in from a table: each field as a battle has it, with its source in words."""

from __future__ import annotations

import math
from collections.abc import Mapping

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.rules.ages.calculator import crisis_of_modules
from tabletop.rules.ages.calculator.forms import ARMS, BETTER, GENERAL, LEVEL, NOBODY, WORKS
from tabletop.rules.ages.combat.judge import Fight, fight_of
from tabletop.rules.ages.command.generals import generals_with
from tabletop.rules.ages.fire.judge import range_of
from tabletop.rules.ages.morale.status import DISRUPTED, OK, ROUTING, steady, strength
from tabletop.rules.ages.tables import ARTILLERY, CAPTAIN, arm, troop_of
from tabletop.rules.calculator import Filled
from tabletop.rules.common.base_losses import army, lost
from tabletop.rules.rule_set import find

#: Rulings that affect a form's answer; the calculator uses their default values.
ANSWERED_BY = (
    "columns_shifted", "control_general", "dd_falls_on", "halt_needs", "odds", "range_ends", "routing_factor",
    "square_uses_modifiers",
)  # fmt: skip


def combat(battle: Battle, unit: str, target: str | None) -> Mapping[str, Filled]:
    """Return the form of a combat of one unit against another (ROC-CBT-03..09)."""
    one, other = _troops(battle, unit), _aimed(battle, target)
    if arm(one) == ARTILLERY:
        raise BadQuestion(f"{one.called} is artillery, and attacks by its fire alone")
    fight = fight_of(battle, (one.id,), other.id)
    marks = {factor.name: factor.rule for factor in fight.on_die}
    charges = bool(one.marks.get("charging")) and "charging" in marks
    lancers = bool(troop_of(one).contact) and other.id in one.marks.get("contacts", ())
    guns = fight.attack - strength(one, battle.rulings, other.id) if fight.foot else 0
    return _taken(
        attacker=(_kind(one), one.called),
        defender=(_kind(other), other.called),
        defender_formation=(other.formation, other.called),
        defender_state=(_state(other), other.called),
        attacker_state=(_state(one), one.called),
        attacker_bases=(one.strength, one.called),
        defender_bases=(other.strength, other.called),
        further_strength=(guns, "guns that fired at it"),
        arms=(ARMS[fight.arms - 1], "the attacker, and guns that fired at the defender"),
        direction=(fight.zone if fight.foot else "front", "the zone the attacker stands in"),
        attacker_ground=(_ground(fight.attackers_ground(fight.foot)), "the ground of both"),
        defender_ground=(_ground(_defended(fight)), "the ground of both, and what lies between"),
        charging=(charges, f"the move of {one.called}"),
        first_contact=(lancers, f"the move of {one.called}"),
        attacker_general=_general(battle, one),
        defender_general=_general(battle, other) if battle.rulings["generals"] == "both" else (NOBODY, "a ruling"),
    )


def shot(battle: Battle, unit: str, target: str | None) -> Mapping[str, Filled]:
    """Return the form of a shot, the range rounded up to whole mm so that its band is as in battle (ROC-ART-04)."""
    gun, other = _troops(battle, unit), _aimed(battle, target)
    if arm(gun) != ARTILLERY:
        raise BadQuestion(f"{gun.called} is no artillery: choose a battery")
    far = range_of(gun, other)
    return _taken(
        guns=(gun.troop, gun.called),
        range=(max(0, math.ceil(far - battle.tape.t)), f"{far:.1f} mm from its front"),
        defender_formation=(other.formation, other.called),
        defender_state=(_state(other), other.called),
    )


def rally(battle: Battle, unit: str, target: str | None) -> Mapping[str, Filled]:
    """Return the form of a throw to rally or to halt (ROC-RAL-01, ROC-RAL-03)."""
    one = _troops(battle, unit)
    if one.status == OK:
        raise BadQuestion(f"{one.called} is in good order, and need not rally")
    return _taken(
        unit=(_kind(one), one.called),
        unit_state=(one.status, one.called),
        general=_general(battle, one),
        exposed=(bool(one.marks.get("exposed")), f"what was done to {one.called}"),
    )


def control(battle: Battle, unit: str, target: str | None) -> Mapping[str, Filled]:
    """Return the form of a control test (ROC-CTL-01)."""
    one = _troops(battle, unit)
    return _taken(unit=(_kind(one), one.called), general=_general(battle, one))


def crisis(battle: Battle, unit: str, target: str | None) -> Mapping[str, Filled]:
    """Return the form of a crisis of morale in the army of a unit (AGE-CRI-01, AGE-CRI-02, SQP-TST-01)."""
    one = battle.unit(unit)
    of_modules = crisis_of_modules.filled(battle, one.side, bool(battle.rulings.get("crisis_of_morale")))
    return _taken(
        army_bases=(army(battle, one.side), f"the army of {one.side}"),
        army_lost=(lost(battle, one.side), f"the losses of {one.side}"),
        disrupted=(one.status == DISRUPTED, one.called),
        **of_modules,
    )


def _taken(**values: tuple[str | bool | int, str]) -> Mapping[str, Filled]:
    return {name: Filled(value, source) for name, (value, source) in values.items()}


def _troops(battle: Battle, name: str) -> Unit:
    """Return a unit that fights; BadQuestion for a general, or if the battle's rulings would change the answer."""
    unit, rulings = battle.unit(name), find(battle.rules).rulings
    if unit.is_general:
        raise BadQuestion(f"{unit.called} is a general: choose a unit that fights")
    other = next((r for r in ANSWERED_BY if r in rulings and battle.rulings[r] != rulings[r].default), None)
    if other is not None:
        raise BadQuestion(f"this battle has the ruling {other}: {battle.rulings[other]}; the calculator knows it not")
    return unit


def _aimed(battle: Battle, target: str | None) -> Unit:
    if target is None:
        raise BadQuestion("choose an enemy: point at him")
    return _troops(battle, target)


def _kind(unit: Unit) -> str:
    return f"{unit.quality} {unit.troop}"


def _state(unit: Unit) -> str:
    """Return the unit's state; with its back turned it counts as disrupted (ROC-MOV-06)."""
    return unit.status if steady(unit) or unit.status == ROUTING else DISRUPTED


def _ground(times: int) -> str:
    return {0: LEVEL, 1: BETTER}.get(times, WORKS)


def _defended(fight: Fight) -> int:
    return fight.defenders_ground(fight.foot) if fight.battle.rulings["ground"] != "attacker" else 0


def _general(battle: Battle, unit: Unit) -> tuple[str, str]:
    ranks = {general.rank or GENERAL: general.called for general in generals_with(battle, unit)}
    best = next((rank for rank in (CAPTAIN, GENERAL) if rank in ranks), NOBODY)
    return best, ranks.get(best, f"nobody is with {unit.called}")
