"""Losses of an army counted in bases and kept in the battle's memory.

A rule set reports every base lost (``count``) and every unit that joins (``joined``). Anything that depends on an
army's losses, such as a crisis of morale or a comparison of casualties, reads them here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit

ARMY, LOST = "army:", "lost:"
#: The option of a scenario that says how many bases were lost before the battle, also by side; and the mark of a unit
#: that says how many of them were its own.
BEFORE = "lost_before"


def also_lost(options: Mapping[str, Any], losses: Mapping[str, int]) -> Mapping[str, Any]:
    """Return a scenario's options with bases lost before the battle added to its own, by side.

    >>> also_lost({"lost_before": 1}, {"french": 2, "allied": 0})
    {'lost_before': {'french': 3, 'allied': 1}}
    """
    if not any(losses.values()):
        return options
    said = options.get(BEFORE, 0)
    by_side = {side: int(said.get(side, 0) if isinstance(said, Mapping) else said) + n for side, n in losses.items()}
    return {**options, BEFORE: by_side}


def joined(unfolding: Unfolding, units: Sequence[Unit]) -> None:
    """Add the bases of units to their armies, at the start and when they come on (AGE-SET-05, -06, AGE-CRI-06).

    A battery counts as one base (ruling), generals and messengers as none. Reinforcements thus count in the total of
    which losses are a percentage (SQP-TST-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> joined(unfolding, unfolding.battle.units)
    >>> army(unfolding.battle, "french")
    20
    """
    more = Counter[str]()
    for unit in units:
        if not unit.is_general:
            more[unit.side] += unit.strength
    for side in unfolding.battle.setup.sides:
        if more[side]:
            unfolding.happen(Remembered(ARMY + side, army(unfolding.battle, side) + more[side]))


def count(unfolding: Unfolding, side: str, bases: int) -> None:
    """Record that an army has lost bases (AGE-CRI-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> count(unfolding, "french", 2)
    >>> lost(unfolding.battle, "french")
    2
    """
    unfolding.happen(Remembered(LOST + side, lost(unfolding.battle, side) + bases))


def before(unfolding: Unfolding, side: str, bases: int) -> None:
    """Record bases lost before the battle began, which count in the army and in its losses (SQP-TST-09).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> before(unfolding, "french", 5)
    >>> army(unfolding.battle, "french"), lost(unfolding.battle, "french")
    (5, 5)
    """
    unfolding.happen(Remembered(ARMY + side, army(unfolding.battle, side) + bases))
    count(unfolding, side, bases)


def army(battle: Battle, side: str) -> int:
    """Return how many bases an army has had in all, from which its marks are computed (AGE-SET-05).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> joined(unfolding, [unfolding.unit("hussars"), unfolding.unit("brigadier")])
    >>> army(unfolding.battle, "prussian")
    4
    """
    return int(battle.memory.get(ARMY + side, 0))


def lost(battle: Battle, side: str) -> int:
    """Return how many bases an army has lost (AGE-CRI-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> lost(open_battle("drill-ground"), "french")
    0
    """
    return int(battle.memory.get(LOST + side, 0))


def percent(battle: Battle, side: str) -> float:
    """Return an army's losses as a percentage of all the bases it ever had (AGE-WIN-02, SQP-TST-09).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> joined(unfolding, unfolding.battle.units)
    >>> count(unfolding, "french", 5)
    >>> percent(unfolding.battle, "french")
    25.0
    """
    return 100.0 * lost(battle, side) / max(1, army(battle, side))


def mark(bases: int, percentage: int) -> int:
    """Return how many lost bases reach a percentage of an army of ``bases`` bases (AGE-SET-05, SQP-TST-11).

    >>> [mark(57, p) for p in (15, 20, 25, 30, 35, 40)]
    [9, 12, 15, 18, 20, 23]
    """
    return math.ceil(bases * percentage / 100)
