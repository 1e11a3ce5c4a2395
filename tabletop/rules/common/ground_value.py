"""What objectives are worth to a computer player: less from farther away, and less with friends nearer to them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.battle.progress import Objective
from tabletop.battle.unit import Unit


@dataclass(frozen=True)
class Taker:
    """How a rule set values objectives for one unit.

    ``weights`` holds, in any unit of value: ``ground`` for a point of an objective not held, ``guarded`` for one held,
    ``stand`` the factor for standing on it, ``ground_fades`` the factor for each step away, ``crowd`` that for each
    friend nearer to it. A step is ``step`` table units long; ``counts`` says which friends take ground, ``barred``
    where an enemy keeps the unit from taking it, and ``share`` is what the unit itself counts.
    """

    weights: Mapping[str, float]
    step: float
    counts: Callable[[Unit], bool]
    barred: Callable[[Objective], bool]
    share: float = 1.0


def ground_value(
    battle: Battle, unit: Unit, objectives: Iterable[Objective], taker: Taker
) -> tuple[float, Objective | None]:
    """Return what objectives are worth to a unit where it stands: the best one not held and the best one held.

    The objective that adds most comes second; None without any that does. Objectives lie in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("ford")
    >>> weights = {"ground": 1.0, "guarded": 0.5, "stand": 2.0, "ground_fades": 0.5, "crowd": 1.0}
    >>> taker = Taker(weights, 100.0, lambda unit: True, lambda objective: False)
    >>> village = battle.setup.objectives
    >>> [round(ground_value(battle, battle.unit(name), village, taker)[0], 3) for name in ("altblau", "landfahnen")]
    [0.172, 1.0]
    """
    w, best = taker.weights, dict[bool, tuple[float, Objective | None]]({True: (0.0, None), False: (0.0, None)})
    friends = [friend for friend in battle.friends(unit) if taker.counts(friend)]
    for objective in objectives:
        is_held = objective.holder == unit.side
        away = math.dist(unit.at, objective.at)
        gap = max(0.0, away - objective.radius)
        nearer = sum(math.dist(friend.at, objective.at) < away for friend in friends)
        worth = (w["guarded"] if is_held else w["ground"]) * objective.points * w["crowd"] ** nearer
        stands = gap <= 0.0 and not taker.barred(objective)
        worth *= taker.share * (w["stand"] if stands else w["ground_fades"] ** (gap / taker.step))
        best[is_held] = max(best[is_held], (worth, objective), key=lambda pair: pair[0])
    return best[True][0] + best[False][0], max(best.values(), key=lambda pair: pair[0])[1]


def urgency(battle: Battle, last: float) -> float:
    """Return the factor by which ground counts more now than at first, since it is counted after the last turn.

    It grows to 1 + ``last``; without a last turn it is 1.

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("ford")
    >>> [urgency(replace(battle, clock=replace(battle.clock, turn=turn)), 4.0) for turn in (0, 6, 12)]
    [1.0, 1.5, 5.0]
    """
    turns = battle.setup.turns
    return 1.0 + last * (min(1.0, battle.clock.turn / turns) ** 3 if turns else 0.0)
