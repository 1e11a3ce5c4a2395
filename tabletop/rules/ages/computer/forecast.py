"""Estimates of fights to come: an attack together with friends, and what the enemy could do next turn.

Only the computer player uses them; ``combat.resolve`` has the real results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance, every_course
from tabletop.battle.unit import Unit, beside, distance_between, distances_between
from tabletop.geometry.cache import Cache
from tabletop.rules.ages.combat import resolve as combat_resolve
from tabletop.rules.ages.combat.judge import Fight, may_attack
from tabletop.rules.ages.combat.odds import column, fire_result, ratio, result, square_result
from tabletop.rules.ages.computer.unit_value import loses
from tabletop.rules.ages.fire import judge as fire_judge
from tabletop.rules.ages.morale.status import ROUTING, free, steady, strength
from tabletop.rules.ages.movement.costs import time_for_square
from tabletop.rules.ages.movement.layouts import COLUMN, LINE, SQUARE, UNLIMBERED
from tabletop.rules.ages.movement.legality import in_reach, spent
from tabletop.rules.ages.tables import ARTILLERY, CAVALRY, INFANTRY, Profile, arm, attack_range, profile_of, row
from tabletop.rules.ages.throws import every
from tabletop.rules.ages.turn.simultaneous import in_sequence
from tabletop.rules.play import Result

#: The share that counts of a fight's value if it needs a friend who has still to come up.
HOPED = 0.6


def attack(battle: Battle, end: Unit) -> tuple[float, str]:
    """Return the most a unit adds to the value of an attack from where its move ends, and the target in words."""
    far = max(attack_range(end), attack_range(end, at_square=True)) + battle.tape.t
    targets = [enemy for enemy in beside(end.bounds, battle.enemies(end), far) if _at(battle, end, enemy)]
    candidates = [(_adds(battle, end, enemy), f"at {enemy.called}") for enemy in targets]
    return max(candidates, key=lambda pair: pair[0], default=(0.0, ""))


def _at(battle: Battle, unit: Unit, enemy: Unit) -> bool:
    return unit.status != ROUTING and in_reach(battle, unit, enemy)


def _adds(battle: Battle, unit: Unit, enemy: Unit) -> float:
    """Return by how much a unit raises the expected value of a fight; friends still to come up count in part."""
    attackers, without, coming = _support(battle, unit, enemy)
    after = battle.with_unit(unit)
    adds = _mean(after, (*attackers, unit), enemy) - without
    if coming is None:
        return adds
    return max(adds, HOPED * (_mean(after, (*attackers, unit, coming), enemy) - without))


def _support(battle: Battle, unit: Unit, enemy: Unit) -> tuple[tuple[Unit, ...], float, Unit | None]:
    """Return the friends that could attack an enemy now, what that is worth without the unit, and who may still come.

    Cached on the battle, because it is the same wherever the unit's move ends.
    """
    cache: dict[tuple[str, str], tuple[tuple[Unit, ...], float, Unit | None]]
    cache = vars(battle).setdefault("_support", {})
    key = unit.id, enemy.id
    if key not in cache:
        attackers = _others(battle, unit, enemy)
        without = _mean(battle, attackers, enemy) if attackers else 0.0
        cache[key] = attackers, without, _coming(battle, unit, enemy, attackers)
    return cache[key]


def _others(battle: Battle, unit: Unit, enemy: Unit) -> tuple[Unit, ...]:
    """Return the friends that could attack an enemy from where they stand."""
    able = (u for u in battle.friends(unit) if in_reach(battle, u, enemy) and all(may_attack(u)))
    return in_sequence(battle, able)


def _coming(battle: Battle, unit: Unit, enemy: Unit, there: Sequence[Unit]) -> Unit | None:
    """Return the strongest friend that has not moved and may reach the enemy this turn; None if there is none."""
    able = [
        u
        for u in battle.friends(unit)
        if u not in there
        and arm(u) != ARTILLERY
        and free(u)
        and not u.marks.get("moved")
        and spent(u) < 1.0
        and u.formation in (LINE, COLUMN)
        and distance_between(u, enemy) <= striking_range(u)
    ]
    return max(in_sequence(battle, able), key=strength, default=None)


def striking_range(unit: Unit) -> float:
    """Return how far (mm) a unit may strike in one turn: its move, its charge, and its infantry range."""
    return row(unit).move + row(unit).charge + (attack_range(unit) if arm(unit) == INFANTRY else 0.0)


def _mean(battle: Battle, attackers: Iterable[Unit], enemy: Unit) -> float:
    """Return the expected value of an attack to the attackers, assuming that infantry forms square against cavalry."""
    units = tuple(u for u in attackers if arm(u) != ARTILLERY)
    if not units:
        return 0.0
    rides = any(arm(u) == CAVALRY and u.marks.get("moved") is None for u in units)
    fight = Fight(battle, units, replace(enemy, formation=SQUARE) if rides and forms_square(enemy) else enemy)

    def reckon(chance: Chance) -> Result:
        return combat_resolve.weighed(fight, combat_resolve.drawn(fight, chance), units[0].side)

    return sum(p * result.worth for p, result in every_course(reckon))


def forms_square(unit: Unit) -> bool:
    """Return whether infantry has time to form square when cavalry reaches it (ROC-FRM-06)."""
    if arm(unit) != INFANTRY or unit.formation not in (LINE, COLUMN) or unit.status == ROUTING:
        return False
    owed = float(unit.marks.get("debt", 0.0)) + max(0.0, spent(unit) - 1.0)
    return time_for_square(unit, owed) is not None


# --- what the enemy could do -----------------------------------------------------------------------------------------


def threat(battle: Battle, unit: Unit) -> float:
    """Return the expected loss next turn: to the best charge of an enemy, less his own loss, and to one battery."""
    enemies = battle.enemies(unit)
    return _THREATS.of((unit, battle.table, battle.rulings, *enemies), "", lambda: _threat(battle, unit, enemies))


#: Threats to units; they do not depend on friends.
_THREATS: Cache[float] = Cache(2048)


def _threat(battle: Battle, unit: Unit, enemies: Sequence[Unit]) -> float:
    able = [e for e in enemies if arm(e) != ARTILLERY and e.status != ROUTING]
    gaps = distances_between(unit, able)
    near = (enemy for enemy, gap in zip(able, gaps, strict=True) if gap <= striking_range(enemy))
    batteries = (e for e in enemies if arm(e) == ARTILLERY and e.formation == UNLIMBERED and e.status != ROUTING)
    charge = max([0.0, *(_charged_by(battle, enemy, unit) for enemy in near)])
    return charge + max([0.0, *(_shelled_by(battle, gun, unit) for gun in batteries)])


def _shelled_by(battle: Battle, gun: Unit, unit: Unit) -> float:
    """Return the expected loss of a unit to a battery that sees it and fires at it (ROC-ART-03)."""
    guns = fire_judge.guns_of(gun)
    band = fire_judge.band_of(battle, guns, fire_judge.range_of(gun, unit))
    if band is None:
        return 0.0
    chances = _by_fire(profile_of(gun), guns, band, fire_judge.die_bonus(unit))
    return sum(p * loses(code, unit, False)[0] for p, code in chances)


@cache
def _by_fire(profile: Profile, guns: str, band: int, bonus: int) -> list[tuple[float, str]]:
    """Return the chances of each result of a shot (ROC-ART-03, ROC-ART-06)."""
    counts = Counter(fire_result(profile, guns, band, number + bonus) for number in every(profile))
    return [(n / profile.sides, code) for code, n in counts.items() if code]


def _charged_by(battle: Battle, enemy: Unit, unit: Unit) -> float:
    """Return the expected value to an enemy of a charge at a unit's front."""
    if arm(enemy) == CAVALRY and (unit.formation == SQUARE or forms_square(unit)):
        chances = _at_square(profile_of(unit), "ok" if steady(unit) else "disrupted")
        pairs = [(chances["broken"], "Dr"), (chances["repelled"], "Ad")]
    else:
        pairs = _by_odds(profile_of(unit), column(battle, ratio(strength(enemy), strength(unit)), 0))
    return sum(p * (loses(code, unit, False)[0] - loses(code, enemy, True)[0]) for p, code in pairs)


@cache
def _at_square(profile: Profile, state: str) -> dict[str, float]:
    """Return the chances of each result of cavalry at a square (ROC-SQR-02, ROC-SQR-03)."""
    throws = int(profile.tables["square"]["throws"])
    counts = Counter(square_result(profile, state, thrown) for thrown in every(profile, throws))
    return {code: counts[code] / profile.sides**throws for code in ("broken", "repelled")}


@cache
def _by_odds(profile: Profile, at: str) -> list[tuple[float, str]]:
    """Return the chances of each result of a charge in a column of the results table (ROC-CBT-07)."""
    charging = int(profile.tables["combat"]["die"]["charging"])
    counts = Counter(result(profile, at, number + charging) for number in every(profile))
    return [(n / profile.sides, code) for code, n in counts.items() if code]
