"""By what equal choices among units are settled: by place and by what they are, never by what they are called."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit

#: Lengths are compared after so many decimals.
DECIMALS = 6


def place_of(battle: Battle, unit: Unit) -> tuple[float | str, ...]:
    """Return by what units equal in all that counts are told apart: where they stand, and what they are.

    That is how far toward the enemy, and how far to the right of the table's middle: with the whole field turned round
    it is the same.

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
    """Return units in that order; those that differ in nothing but their names as they come.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> [unit.id for unit in by_place(battle, battle.side("french"))]
    ['colonel', 'french-guns', 'french-1', 'french-2', 'cuirassiers', 'french-3']
    """
    return sorted(units, key=lambda unit: place_of(battle, unit))


def _front(battle: Battle, side: str) -> tuple[float, float]:
    """Return the direction from the middle of a side's units to that of all others; north where there is none."""
    own = [unit.at for unit in battle.units if unit.side == side]
    others = [unit.at for unit in battle.units if unit.side != side]
    if not own or not others:
        return 0.0, 1.0
    (ax, ay), (bx, by) = (
        (math.fsum(x for x, _ in some) / len(some), math.fsum(y for _, y in some) / len(some)) for some in (own, others)
    )
    length = math.hypot(bx - ax, by - ay)
    return ((bx - ax) / length, (by - ay) / length) if length > 10.0**-DECIMALS else (0.0, 1.0)
