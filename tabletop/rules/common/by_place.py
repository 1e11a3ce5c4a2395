"""How ties among units are broken: by their place and what they are, never by their names."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit

#: Lengths are rounded to this many decimals before comparison.
DECIMALS = 6


def place_of(battle: Battle, unit: Unit) -> tuple[float | str, ...]:
    """Return the sort key that breaks ties among units: where they stand, then what they are.

    The place is how far they stand toward the enemy and to the right of the table's middle, in table units, so it does
    not change if the whole battlefield is turned round.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> place_of(battle, battle.unit("french-1"))[2:]
    ('infantry', 'line', 5, 'french-line', '', 'french')
    """
    fx, fy = _front(battle, unit.side)
    x, y = unit.at[0] - battle.table.width / 2, unit.at[1] - battle.table.height / 2
    where = (round(fx * x + fy * y, DECIMALS), round(fy * x - fx * y, DECIMALS))
    return (*where, unit.troop, unit.formation, unit.strength, unit.quality or "", unit.rank, unit.side)


def by_place(battle: Battle, units: Iterable[Unit]) -> list[Unit]:
    """Return units ordered by place; units that differ only in their names keep their order.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> [unit.id for unit in by_place(battle, battle.side("french"))]
    ['colonel', 'french-guns', 'french-1', 'french-2', 'cuirassiers', 'french-3']
    """
    return sorted(units, key=lambda unit: place_of(battle, unit))


def _front(battle: Battle, side: str) -> tuple[float, float]:
    """Return the direction from the mean position of a side's units to that of all others; north if there is none."""
    own = [unit.at for unit in battle.units if unit.side == side]
    others = [unit.at for unit in battle.units if unit.side != side]
    if not own or not others:
        return 0.0, 1.0
    (ax, ay), (bx, by) = (
        (math.fsum(x for x, _ in places) / len(places), math.fsum(y for _, y in places) / len(places))
        for places in (own, others)
    )
    length = math.hypot(bx - ax, by - ay)
    return ((bx - ax) / length, (by - ay) / length) if length > 10.0**-DECIMALS else (0.0, 1.0)
