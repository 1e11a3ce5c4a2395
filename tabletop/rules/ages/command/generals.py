"""Generals who are with a unit, and what they help it."""

from __future__ import annotations

from collections.abc import Collection

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, beside, distance_between
from tabletop.rules.ages.tables import CAPTAIN, arm, length, tables


def general_with(battle: Battle, unit: Unit) -> bool:
    """Return whether a general of its side is with a unit who can help it (ROC-RAL-04, ROC-CBT-09).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("schellenberg")
    >>> general_with(battle, battle.unit("dutch-grenadiers"))
    True
    """
    return bool(generals_with(battle, unit))


def general_help(battle: Battle, unit: Unit, out: Collection[str] = ()) -> int:
    """Return what generals with a unit, except those ``out``, add to a throw; captains add more.

    Source: AGE-RAL-07, DES-GEN-02.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("schellenberg")
    >>> general_help(battle, battle.unit("dutch-grenadiers")), general_help(battle, battle.unit("lumley-ii"))
    (100, 200)
    """
    data = tables(unit)["rally"]
    helping = [g for g in generals_with(battle, unit) if g.id not in out]
    return max((int(data["captain" if g.rank == CAPTAIN else "general"]) for g in helping), default=0)


def generals_with(battle: Battle, unit: Unit) -> tuple[Unit, ...]:
    """Return the unshaken generals who touch a unit of their side or, if so ruled, are near it (ROC-RAL-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("schellenberg")
    >>> [general.id for general in generals_with(battle, battle.unit("dutch-grenadiers"))]
    ['goor']
    """
    near = battle.tape.at_most
    reach = length(battle, "contact" if battle.rulings["general_presence"] == "touching" else "general_near")
    return tuple(
        general
        for general in beside(unit.bounds, _generals(battle, unit.side), reach + battle.tape.t)
        if (not battle.clock.turn or general.marks.get("shaken") != battle.clock.turn)
        and near(distance_between(general, unit), reach)
    )


def _generals(battle: Battle, side: str) -> tuple[Unit, ...]:
    cache: dict[str, tuple[Unit, ...]] = vars(battle).setdefault("_generals", {})
    if side not in cache:
        cache[side] = tuple(unit for unit in battle.side(side) if unit.is_general and arm(unit) == "general")
    return cache[side]
