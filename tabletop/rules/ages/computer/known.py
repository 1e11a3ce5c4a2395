"""The battle as a computer player may use it: without the enemy units that nobody on its side sees."""

from __future__ import annotations

from dataclasses import replace

from tabletop.battle.battle import Battle
from tabletop.rules.ages.sight.unseen import unseen
from tabletop.rules.ages.tables import tables


def reacts_to_unseen(battle: Battle) -> bool:
    """Return whether the computer may use enemy units that its side does not see (AGE-ORD-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> reacts_to_unseen(open_battle("drill-ground")), reacts_to_unseen(open_battle("maida"))
    (True, False)
    """
    return bool(tables(battle).get("computer", {}).get("reacts_to_unseen", True))


def as_known(battle: Battle, side: str) -> Battle:
    """Return a battle without the enemy units that a side does not know of; the same object if it knows of all.

    What the computer suggests, forecasts and values for a side rests on this battle alone. What an action may do is
    judged in the battle as it is. Source: AGE-ORD-06.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("maida")
    >>> as_known(battle, "british") is battle
    True
    """
    kept: dict[str, Battle] = vars(battle).setdefault("_as_known", {})
    if side not in kept:
        hidden = frozenset() if reacts_to_unseen(battle) else unseen(battle, side)
        units = tuple(unit for unit in battle.units if unit.id not in hidden)
        kept[side] = replace(battle, units=units) if hidden else battle
    return kept[side]
