"""Losses of an army in the Ages: its bases at the start, and those removed."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.rules.ages.tables import profile_of
from tabletop.rules.common import base_losses, modules
from tabletop.rules.common.base_losses import army, joined, lost, mark, percent

__all__ = ["army", "count", "enrol", "joined", "lost", "mark", "percent", "report"]


def count(unfolding: Unfolding, loser: Unit, what: str, times: int) -> None:
    """Count each base removed, captured guns included (AGE-CRI-01); disruption is no loss.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("a-hundred-millimetres"))
    >>> count(unfolding, unfolding.unit("line"), "base", 1)
    >>> lost(unfolding.battle, "allied")
    1
    """
    if what != "disrupted":
        base_losses.count(unfolding, loser.side, times)


def report(unfolding: Unfolding, loser: Unit, what: str, times: int) -> None:
    """Report a loss to the rule set, and to a module that reads losses where the rules count none (AGE-CRI-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> report(unfolding, unfolding.unit("hussars"), "base", 1)
    >>> unfolding.battle.scores
    {'french': 2.0}
    """
    before = lost(unfolding.battle, loser.side)
    profile_of(loser).lost(unfolding, loser, what, times)
    if modules.count(unfolding.battle) and lost(unfolding.battle, loser.side) == before:
        count(unfolding, loser, what, times)


def enrol(unfolding: Unfolding, units: Sequence[Unit]) -> None:
    """Report units that join to the rule set, and to a module as ``report`` does (SQP-TST-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("last-half-hour"))
    >>> enrol(unfolding, unfolding.battle.units)
    >>> army(unfolding.battle, "french"), army(unfolding.battle, "allied")
    (35, 36)
    """
    before = unfolding.battle.memory
    profile_of(unfolding.battle).joined(unfolding, units)
    if modules.count(unfolding.battle) and unfolding.battle.memory == before:
        joined(unfolding, units)
