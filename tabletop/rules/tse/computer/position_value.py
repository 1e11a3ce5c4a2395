"""The evaluation of a unit's position, for comparing actions one action ahead.

It counts ground to take and the shots and assaults the unit may make and suffer. These use the exact odds of the model
but rough distances, between centre-points and the middle of the front. Nothing is judged here: every action is still
judged before it is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from tabletop.battle.battle import Battle
from tabletop.battle.progress import Objective
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import bearing, turn_between
from tabletop.rules.common.data import data_of
from tabletop.rules.common.ground_value import Taker, ground_value, urgency
from tabletop.rules.tse.computer.combat_value import assault_worth, shot_worth
from tabletop.rules.tse.computer.rough_cover import likely_cover
from tabletop.rules.tse.tables import length, troop

#: Half the angle of a front's arc, degrees.
HALF_ARC = 45.0
#: Half a base's frontage, inches.
HALF_BASE = 0.5


@dataclass(frozen=True)
class Part:
    """One part of an evaluation in bases (negative for a threat), and the name of the unit or place it concerns."""

    worth: float = 0.0
    about: str = ""


@dataclass(frozen=True)
class AttackValue:
    """The values of what one unit may do to another from where it stands: by fire and by assault, in bases."""

    name: str
    shot: float
    assault: float

    @property
    def best(self) -> float:
        """The greater of the two values."""
        return max(self.shot, self.assault)


Evaluation = Mapping[str, Part]


@cache
def weights() -> Mapping[str, float]:
    """Return the weights, read once."""
    return {name: float(value) for name, value in data_of("tabletop.rules.tse", "outlook.toml")["weights"].items()}


def total(evaluation: Evaluation) -> float:
    """Return the sum of an evaluation, in bases."""
    return sum(part.worth for part in evaluation.values())


def evaluation(battle: Battle, unit: Unit) -> Evaluation:
    """Return the evaluation of a unit's position: ground, its own shots and assaults, less its dangers."""
    if unit.is_general:
        return _leading(battle, unit)
    enemies = battle.enemies(unit)
    own = [chance for e in enemies if (chance := attack_value(battle, unit, e)).best > 0.0]
    theirs = [chance for e in enemies if (chance := attack_value(battle, e, unit, name=e.called)).best > 0.0]
    w, holds = weights(), holding(battle, unit)
    assault, danger = (w["holds_assault"], w["holds_danger"]) if holds else (w["assault"], w["danger"])
    return {
        "ground": _ground(battle, unit),
        "shot": _best((w["shot"] * c.shot, c.name) for c in own),
        "assault": _best((assault * c.assault, c.name) for c in own),
        "danger": _danger(theirs, danger),
        "press": _press(battle, unit, enemies),
    }


def eagerness(battle: Battle, units: Iterable[Unit]) -> Part:
    """Return how urgently a group should act, from its best shot or assault and how near the enemy is."""
    most = Part()
    for unit in units:
        enemies = battle.enemies(unit)
        if unit.is_general or not enemies or not battle.has(unit.id):
            continue
        chances = (attack_value(battle, unit, e) for e in enemies)
        best = _best((chance.best, chance.name) for chance in chances)
        gap = min(math.dist(unit.at, e.at) for e in enemies) / battle.scale
        eager = max(0.0, 1.0 + best.worth - weights()["lead"] * gap)
        most = max(most, Part(eager, best.about), key=lambda part: part.worth)
    return most


# --- ground, generals ------------------------------------------------------------------------------------------------


def _ground(battle: Battle, unit: Unit) -> Part:
    """Return the value of objectives: the best one not held, and a share of the best one held."""
    if unit.status == "demoralized":
        return Part()
    w = weights()
    share = (1.0 if troop(unit.troop).graded else w["guns"]) * urgency(battle, w["last"])
    taker = Taker(w, battle.scale, _takes, lambda objective: _barred(battle, unit, objective), share)
    worth, most = ground_value(battle, unit, battle.setup.objectives, taker)
    return Part(worth, "" if most is None else most.name or most.id)


def _takes(unit: Unit) -> bool:
    return unit.status != "demoralized"


def holding(battle: Battle, unit: Unit) -> bool:
    """Return whether infantry or guns in good order stand on or next to an objective of their side."""
    if unit.status != "ok" or troop(unit.troop).family not in ("infantry", "artillery"):
        return False
    near = weights()["holds_within"] * battle.scale
    own = (o for o in battle.setup.objectives if o.holder == unit.side)
    return any(math.dist(unit.at, o.at) <= o.radius + near for o in own)


def _barred(battle: Battle, unit: Unit, objective: Objective) -> bool:
    """Return whether an enemy on an objective keeps it from being taken."""
    enemies = (e for e in battle.enemies(unit) if e.status != "demoralized")
    return any(math.dist(e.at, objective.at) <= objective.radius + HALF_BASE * battle.scale for e in enemies)


def ground_under(battle: Battle, side: str, unit: Unit) -> float:
    """Return the value of the ground a unit stands on to a side that does not hold it."""
    w = weights()
    objectives = (o for o in battle.setup.objectives if o.holder != side and math.dist(o.at, unit.at) <= o.radius)
    return urgency(battle, w["last"]) * max((w["stand"] * w["ground"] * o.points for o in objectives), default=0.0)


def _press(battle: Battle, unit: Unit, enemies: Iterable[Unit]) -> Part:
    """Return the (negative) value of how far the nearest enemy is beyond the unit's reach."""
    reach = max(_range(unit), _reach(unit))
    if unit.status != "ok" or reach <= 0.0:
        return Part()
    gaps = ((max(0.0, math.dist(unit.at, e.at) / battle.scale - reach), e.called) for e in enemies)
    gap, name = min(gaps, default=(0.0, ""))
    return Part(-weights()["press"] * gap, name)


def _leading(battle: Battle, general: Unit) -> Evaluation:
    """Return the evaluation of a general's position: his units within command, less the danger of being overrun."""
    w, command = weights(), length("command") * battle.scale
    near = [u for u in _followers(battle, general) if math.dist(u.at, general.at) <= command]
    shaken = [u for u in near if u.status != "ok"]
    threats = [e for e in battle.enemies(general) if math.dist(e.at, general.at) <= _reach(e) * battle.scale]
    alone = not any(math.dist(u.at, general.at) <= 2.0 * battle.scale for u in near)
    about = shaken[0] if shaken else near[0] if near else general
    return {
        "command": Part(w["command"] * len(near) + w["rally"] * len(shaken), about.called),
        "overrun": Part(-w["overrun"], threats[0].called) if threats and alone else Part(),
    }


def _followers(battle: Battle, general: Unit) -> list[Unit]:
    """Return the units a general commands: his own, or the whole side's if he has none."""
    friends = battle.friends(general)
    return [f for f in friends if f.parent == general.id] or list(friends)


# --- shots and assaults ----------------------------------------------------------------------------------------------


def _danger(chances: Iterable[AttackValue], weight: float) -> Part:
    """Return the value of the dangers: the worst in full, the rest in part, as not all enemies attack the same unit."""
    threats = sorted(((c.best, c.name) for c in chances), reverse=True)
    if not threats:
        return Part()
    worst, rest = threats[0], sum(worth for worth, _ in threats[1:])
    return Part(-weight * (worst[0] + weights()["others"] * rest), worst[1])


def _best(candidates: Iterable[tuple[float, str]]) -> Part:
    return Part(*max(candidates, key=lambda pair: pair[0], default=(0.0, "")))


def _range(unit: Unit) -> float:
    return 0.0 if unit.status == "demoralized" else troop(unit.troop).range or 0.0


def _reach(unit: Unit) -> float:
    return 0.0 if unit.is_general or unit.status == "demoralized" else troop(unit.troop).assault_reach or 0.0


def attack_value(battle: Battle, unit: Unit, target: Unit, name: str | None = None) -> AttackValue:
    """Return the value of a unit's attacks on a target, reduced if it is beyond reach or the unit must turn.

    Changing formation before an assault costs a move, but a move needed anyway to come within reach changes the
    formation as well (TSE-FRM-02).
    """
    label, w = (name or target.called), weights()
    fire, reach = _range(unit), _reach(unit)
    gap = _gap(unit, target, battle.scale) / battle.scale
    if gap > max(fire, reach) + w["far"] or max(fire, reach) <= 0.0:
        return AttackValue(label, 0.0, 0.0)
    turned = 1.0 if _ahead(unit, target) else w["aside"]
    cover = likely_cover(battle, target, unit.at)
    shot = assault = 0.0
    if fire > 0.0:
        worth = shot_worth(battle, unit, target, min(gap, fire), cover)
        shot = turned * w["fades"] ** max(0.0, gap - fire) * worth
    if reach > 0.0:
        near = w["fades"] ** max(0.0, gap - reach)
        fit = near if may_assault(unit) else min(near, w["reform"])
        worth = assault_worth(battle, unit, target, _ahead(target, unit), cover)
        assault = max(0.0, turned * fit * worth)
    return AttackValue(label, shot, assault)


def shots_after_deploying(battle: Battle, unit: Unit) -> Iterator[tuple[float, Unit]]:
    """Yield the values of the advancing shots of a unit that has just deployed, with their targets (TSE-CMB-01)."""
    fire = _range(unit)
    for enemy in battle.enemies(unit):
        gap = _gap(unit, enemy, battle.scale) / battle.scale
        if gap <= fire and _ahead(unit, enemy):
            yield shot_worth(battle, unit, enemy, gap, likely_cover(battle, enemy, unit.at), advancing=True), enemy


def may_assault(unit: Unit) -> bool:
    """Return whether a unit is in a formation that may assault (TSE-ACT-60)."""
    return unit.formation == "maneuver-column" or (unit.formation == "deployed" and unit.linear)


def assaults_on(battle: Battle, units: Iterable[Unit], target: Unit) -> Iterator[tuple[float, Unit]]:
    """Yield (value, unit) for the units that may assault a target from where they stand."""
    for unit in units:
        reach = _reach(unit)
        if reach > 0.0 and may_assault(unit) and _gap(unit, target, battle.scale) <= reach * battle.scale:
            chance = attack_value(battle, unit, target)
            if chance.assault > 0.0:
                yield chance.assault, unit


def _gap(unit: Unit, target: Unit, scale: float) -> float:
    """Return the approximate distance from the middle of a unit's front to the nearest base of a target."""
    x, y = unit.front_mid
    nearest = min(math.dist(b.centre, (x, y)) for b in target.bases)
    return max(0.0, nearest - HALF_BASE * scale)


def _ahead(unit: Unit, target: Unit) -> bool:
    if unit.formation == "square":
        return True
    (x, y), (tx, ty) = unit.front_mid, target.at
    return abs(turn_between(unit.facing, bearing(tx - x, ty - y))) <= HALF_ARC
