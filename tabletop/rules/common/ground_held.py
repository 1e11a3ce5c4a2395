"""Which side holds the objectives of a scenario."""

from __future__ import annotations

from collections.abc import Callable

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.event import Taken
from tabletop.battle.progress import Objective
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit


def take_ground(unfolding: Unfolding, counts: Callable[[Unit], bool]) -> None:
    """Give each objective to the only side with units there; else it keeps its holder.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("ford"))
    >>> take_ground(unfolding, lambda unit: True)
    >>> [(objective.id, objective.holder) for objective in unfolding.battle.setup.objectives]
    [('village', 'imperial')]
    """
    battle = unfolding.battle
    for objective in battle.setup.objectives:
        sides = standing_at(battle, objective, counts)
        if len(sides) == 1 and sides[0] != objective.holder:
            unfolding.happen(Taken(objective.id, sides[0]))


def standing_at(battle: Battle, objective: Objective, counts: Callable[[Unit], bool]) -> tuple[str, ...]:
    """Return the sides with a unit that ``counts``, not a general, any part of which is within the objective's radius.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("ford")
    >>> standing_at(battle, battle.setup.objectives[0], lambda unit: True)
    ('imperial',)
    """
    x, y = objective.at
    far, sides = objective.radius + battle.tape.t, set[str]()
    for unit in battle.units:
        if unit.is_general or unit.side in sides or not counts(unit):
            continue
        west, south, east, north = unit.bounds
        if west - far <= x <= east + far and south - far <= y <= north + far:
            gap = float(shapely.distance(unit.footprint, shapely.Point(x, y)))
            sides |= {unit.side} if battle.tape.at_most(gap, objective.radius) else set()
    return tuple(sorted(sides))
