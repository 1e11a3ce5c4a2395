"""Losses of an army in the Ages: its bases at the beginning, those removed, and the marks it has reached."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from tabletop.battle.battle import Battle
from tabletop.battle.event import Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.rules.ages.tables import tables

ARMY, LOST = "army:", "lost:"


def joined(unfolding: Unfolding, units: Sequence[Unit]) -> None:
    """Add the bases of units to their armies: at the beginning, and when they come on (AGE-SET-05, -06, AGE-CRI-06).

    A battery counts as one base (ruling); generals and messengers as none.
    """
    more = Counter[str]()
    for unit in units:
        if not unit.is_general:
            more[unit.side] += unit.strength
    for side in unfolding.battle.setup.sides:
        if more[side]:
            unfolding.happen(Remembered(ARMY + side, army(unfolding.battle, side) + more[side]))


def count(unfolding: Unfolding, loser: Unit, what: str, times: int) -> None:
    """Mark each base removed (AGE-CRI-01), guns taken among them; disruption is no loss."""
    if what != "disrupted":
        unfolding.happen(Remembered(LOST + loser.side, lost(unfolding.battle, loser.side) + times))


def army(battle: Battle, side: str) -> int:
    """Return how many bases an army has had, N of the marks (AGE-SET-05)."""
    return int(battle.memory.get(ARMY + side, 0))


def lost(battle: Battle, side: str) -> int:
    """Return how many bases an army has lost (AGE-CRI-01)."""
    return int(battle.memory.get(LOST + side, 0))


def percent(battle: Battle, side: str) -> float:
    """Return an army's losses in hundredths of it (AGE-WIN-02)."""
    return 100.0 * lost(battle, side) / max(1, army(battle, side))


def mark(bases: int, percentage: int) -> int:
    """Return how many lost bases reach a percentage of an army of so many (AGE-SET-05).

    >>> [mark(57, p) for p in (15, 20, 25, 30, 35, 40)]
    [9, 12, 15, 18, 20, 23]
    """
    return math.ceil(bases * percentage / 100)


def reached(battle: Battle, side: str) -> int:
    """Return how many of the marks an army has reached: 0 before the first (AGE-SET-05)."""
    marks: Sequence[int] = tables(battle)["crisis"]["marks"]
    bases, gone = army(battle, side), lost(battle, side)
    return sum(gone >= mark(bases, percentage) for percentage in marks) if bases else 0
