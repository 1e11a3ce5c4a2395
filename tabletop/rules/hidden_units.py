"""The record of a rule set under which a side does not know of every enemy unit."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.rules.play import Play


def everybody(battle: Battle, side: str) -> Collection[str]:
    """Return the ids of all units, on the table and still to come."""
    return {unit.id for unit in (*battle.units, *battle.awaited)}


@dataclass(frozen=True)
class PlayWithHiddenUnits(Play):
    """How battles with hidden units are played.

    ``visible(battle, side)`` returns the ids of the units that a side may know of, its own included. The others are
    neither shown nor named to that side, nor considered by a computer that plays it (``tabletop.play.knowledge``).
    Actions are judged and resolved in the battle as it is: the rules say what happens to a unit that meets a hidden
    one.
    """

    visible: Callable[[Battle, str], Collection[str]] = everybody
