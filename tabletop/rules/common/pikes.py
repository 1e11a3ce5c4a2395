"""Foot with pikes: how a rule set says which of its troops carry them, besides its other looks."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.battle.unit import Unit
from tabletop.rules.common.looks import Looks
from tabletop.rules.rule_set import looks_of


@dataclass(frozen=True)
class PikeAndShot(Looks):
    """The looks of a rule set whose ``pikes`` are the kinds of troops drawn as a block of pikes between shot."""

    pikes: tuple[str, ...] = ()


def carries_pikes(unit: Unit) -> bool:
    """Return whether a unit is drawn with pikes.

    >>> from tabletop.play.files.opened import open_battle
    >>> carries_pikes(open_battle("luetzen").unit("grana")), carries_pikes(open_battle("starter").unit("arnaud"))
    (True, False)
    """
    looks = looks_of(unit)
    return isinstance(looks, PikeAndShot) and unit.troop in looks.pikes
