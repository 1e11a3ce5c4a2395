"""Which units a unit would stand in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.depth import deepest


def overlapped(battle: Battle, unit: Unit, others: Iterable[Unit]) -> Iterator[Unit]:
    """Yield those of some other units that a unit overlaps by more than the tolerance; touching is allowed.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> unit, enemy = battle.unit("french-1"), battle.unit("prussian-1")
    >>> there = unit.moved(enemy.at[0] - unit.at[0], enemy.at[1] - unit.at[1])
    >>> [other.id for other in overlapped(battle, there, battle.units)]
    ['prussian-1']
    """
    rest = (other for other in others if other.id != unit.id)
    return (other for other in rest if battle.tape.over(deepest(unit.bases, other.bases), 0.0))
