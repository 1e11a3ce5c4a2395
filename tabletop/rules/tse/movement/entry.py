"""Where reinforcements enter: at the point on the table's edge that the scenario names (TSE-ACT-82)."""

from __future__ import annotations

from dataclasses import replace

from tabletop.battle.battle import Battle
from tabletop.battle.progress import Arrival
from tabletop.battle.unit import Unit
from tabletop.rules.tse.movement.formation import assume


def arrival_of(battle: Battle, unit: Unit) -> Arrival | None:
    """Return the arrival of a unit or general (TSE-ACT-82); None if it began on the table and has not left it."""
    return next((a for a in battle.arrivals if unit.id in a.units), None)


def with_unit_there(battle: Battle, unit: Unit) -> Battle:
    """Return the battle with an awaited unit placed ``at_edge``; one already on the table stays where it is.

    Source: TSE-ACT-83.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> with_unit_there(battle, battle.unit("arnaud")).unit("arnaud").at == battle.unit("arnaud").at
    True
    """
    arrival = arrival_of(battle, unit)
    if battle.has(unit.id) or arrival is None:
        return battle
    entrant = at_edge(battle, unit, arrival)
    return replace(battle, units=tuple(sorted((*battle.units, entrant), key=lambda u: u.id)))


def at_edge(battle: Battle, unit: Unit, arrival: Arrival) -> Unit:
    """Return a unit in march column off the table, its front on the edge; a general just on the table (TSE-ACT-83)."""
    (x, y), table = arrival.at, battle.table
    if unit.is_general:
        x0, _, x1, _ = unit.bounds
        r = (x1 - x0) / 2
        x, y = min(max(x, r), table.width - r), min(max(y, r), table.height - r)
        return unit.moved(x - unit.at[0], y - unit.at[1])
    column = assume(battle, unit, "march-column", facing=arrival.facing, head=0)
    front = column.front_mid
    column = column.moved(x - front[0], y - front[1])
    return replace(column, marks={**column.marks, "coming_on": True})
