"""The ground that a scenario asks a side to take, hold or deny, as the computer values it (AGE-WIN-01)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from tabletop.battle.battle import Battle
from tabletop.battle.progress import Objective
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import heading
from tabletop.rules.ages.morale.edges import bearing_home
from tabletop.rules.ages.tables import ARTILLERY, arm, row
from tabletop.rules.ages.turn import goals
from tabletop.rules.common.ground_value import Taker, ground_value, urgency

#: Weights of ground, in bases; a step is a whole move. Tuned by play, no rule.
WEIGHTS: Mapping[str, float] = {
    "ground": 1.5,  # an objective not held, at hand
    "guarded": 0.8,  # one that is held
    "stand": 2.0,  # by so many times more for the unit that stands on it
    "ground_fades": 0.85,  # with every whole move it is farther away
    "crowd": 0.7,  # with every friend who is nearer to it
    "last": 4.0,  # by so many times more towards the last turn, when it is counted
    "guns": 0.3,  # batteries take less ground
}


def places(battle: Battle, unit: Unit) -> tuple[Objective, ...]:
    """Return the ground that matters to a unit's side: the scenario's objectives, and the line it is to go beyond.

    The line stands in the list as the point of it straight ahead.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("maida")
    >>> [place.at for place in places(battle, battle.unit("9e-chasseurs-a-cheval"))]
    [(300.0, 700.0)]
    """
    far, (x, y) = goals.how_far(battle, unit.side), unit.at
    if far is None:
        return battle.setup.objectives
    fx, fy = heading(bearing_home(battle, unit.side))
    left = max(0.0, far - goals.from_home(battle, unit.side, unit.at))
    return (*battle.setup.objectives, Objective("beyond", (x - fx * left, y - fy * left), 0.0))


def value(battle: Battle, unit: Unit) -> float:
    """Return what the ground is worth to a unit where it stands, in bases: none to one that routs (AGE-WIN-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("ford")
    >>> value(battle, battle.unit("breuner")) > value(battle, battle.unit("croats")) > 0.0
    True
    """
    ground = places(battle, unit)
    if not ground or not goals.in_hand(unit):
        return 0.0
    share = (WEIGHTS["guns"] if arm(unit) == ARTILLERY else 1.0) * urgency(battle, WEIGHTS["last"])
    enemies = [e for e in battle.enemies(unit) if goals.in_hand(e)]
    taker = Taker(WEIGHTS, row(unit).move, goals.in_hand, lambda place: _contested(place, enemies), share)
    return ground_value(battle, unit, ground, taker)[0]


def _contested(place: Objective, enemies: list[Unit]) -> bool:
    return any(math.dist(enemy.at, place.at) <= place.radius for enemy in enemies)


def wanted(battle: Battle, unit: Unit) -> Objective | None:
    """Return the nearest ground that a unit's side does not hold and the unit does not stand on; None without any."""
    open_ground = [p for p in places(battle, unit) if p.holder != unit.side and math.dist(p.at, unit.at) > p.radius]
    return min(open_ground, key=lambda p: (round(math.dist(p.at, unit.at), 6), p.at), default=None)
