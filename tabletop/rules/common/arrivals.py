"""Reinforcements: which are due, and how a unit comes on to the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Entered
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, pose_of
from tabletop.geometry.terrain import Table
from tabletop.rules.common.overlaps import overlapped


def by_centre(entry: Mapping[str, Any], at: tuple[float, float], facing: float) -> Mapping[str, Any]:
    """Return the entry of a unit still to come, with its centre at ``at`` (table units) and a facing in degrees.

    >>> by_centre({"id": "temeraire", "troop": "ship-of-the-line"}, (0.0, 40.0), 90.0)
    {'id': 'temeraire', 'troop': 'ship-of-the-line', 'at': (0.0, 40.0), 'facing': 90.0}
    """
    return {**unplaced(entry), "at": at, "facing": facing}


def unplaced(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry of a unit without where it stands.

    >>> unplaced({"id": "temeraire", "at": [3, 4], "facing": 90})
    {'id': 'temeraire'}
    """
    return {key: value for key, value in entry.items() if key not in ("at", "front_mid", "facing")}


def due(battle: Battle, side: str) -> tuple[Unit, ...]:
    """Return the units of a side that may come on from this turn on (AGE-SET-07).

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("maida")
    >>> late = replace(battle, clock=replace(battle.clock, turn=6))
    >>> due(battle, "british"), [unit.id for unit in due(late, "british")]
    ((), ['20th-foot', 'ross'])
    """
    now = {name for arrival in battle.arrivals if arrival.turn <= battle.clock.turn for name in arrival.units}
    return tuple(unit for unit in battle.awaited if unit.id in now and unit.side == side)


def within(table: Table, unit: Unit) -> Unit:
    """Return a unit shifted by as little as brings all of it on to the table.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("maida")
    >>> within(battle.table, battle.anyone("ross")).footprint.bounds[0]
    0.0
    """
    x0, y0, x1, y1 = unit.footprint.bounds
    return unit.moved(_shift(x0, x1, table.width), _shift(y0, y1, table.height))


def _shift(low: float, high: float, size: float) -> float:
    """Return the shift that brings the interval from ``low`` to ``high`` between 0 and ``size``."""
    return max(0.0, -low) - max(0.0, high - size)


def come_on(unfolding: Unfolding, side: str) -> tuple[Unit, ...]:
    """Bring on every unit of a side that is due, just within the edge; return those whose place is taken: they wait.

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("maida")
    >>> unfolding = Unfolding(replace(battle, clock=replace(battle.clock, turn=6)))
    >>> come_on(unfolding, "british")
    ()
    >>> unfolding.battle.has("20th-foot"), due(unfolding.battle, "british")
    (True, ())
    """
    for unit in due(unfolding.battle, side):
        battle, after = unfolding.battle, within(unfolding.battle.table, unit)
        if not any(overlapped(battle, after, battle.units)):
            unfolding.happen(Entered(unit.id, pose_of(after), (unit.at, after.at)))
    return due(unfolding.battle, side)
