"""The marks an army's losses may reach, and the number up to which a unit loses heart at each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.rules.common import base_losses
from tabletop.rules.common.basis import bases_of, noted
from tabletop.rules.common.crisis import TESTED, Levels, reached
from tabletop.rules.common.data import data_of
from tabletop.rules.common.keyed_option import given

PACKAGE = "tabletop.rules.sauve_qui_peut"
#: The names of the module's options.
SWITCH, MEAN, BEFORE, BREAKS = "sauve_qui_peut", "army_mean", base_losses.BEFORE, "army_breaks"


@cache
def data() -> Mapping[str, Any]:
    """Return the numbers of the module."""
    numbers: Mapping[str, Any] = data_of(PACKAGE, "tables.toml")["crisis"]
    return numbers


def chosen(battle: Battle) -> bool:
    """Return whether the scenario switches the crisis of morale on (option ``sauve_qui_peut``, SQP-TST-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> chosen(open_battle("last-half-hour")), chosen(open_battle("drill-ground"))
    (True, False)
    """
    return bool(battle.setup.options.get(SWITCH, False))


def levels_of(battle: Battle, side: str) -> Levels:
    """Return the marks and levels of an army, cumulative or by hazard, for the losses at which such armies broke.

    Half of all armies broke at 25 % of losses, the French at 15 % (SQP-BAS-01, SQP-BAS-04); the option ``army_mean``
    sets this for a side. After the last mark the level stays the same (SQP-TST-06).
    """
    kind, numbers = _kind(battle), data()["early"] if _early(battle, side) else data()
    return Levels(tuple(data()["marks"]), tuple(numbers[kind]), int(data()["step"]))


def basis_of(battle: Battle, side: str) -> str:
    """Return where the levels of an army come from, as their table says (SQP-TST-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> basis_of(open_battle("last-half-hour"), "french")
    'reconstruction'
    """
    section = "crisis.early" if _early(battle, side) else "crisis"
    return bases_of(PACKAGE, "tables.toml")[f"{section}.{_kind(battle)}"]


def _kind(battle: Battle) -> str:
    return "hazard" if battle.setup.options.get(SWITCH) == "hazard" else "levels"


def _early(battle: Battle, side: str) -> bool:
    """Return whether such armies broke at the lower losses (SQP-BAS-02)."""
    mean = given(battle.setup.options, MEAN, side) or data()["mean"]
    return int(mean) == int(data()["early"]["mean"])


def outlook(battle: Battle, side: str) -> str:
    """Return a sentence on what an army has lost and on its next test; "" if it is not switched on.

    If a mark is reached that the army has not been tested for, that test is the next, when the move ends.

    Source: SQP-TST-02, SQP-TST-11.

    >>> from tabletop.battle.unfolding import Unfolding
    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("last-half-hour"))
    >>> base_losses.joined(unfolding, unfolding.battle.units)
    >>> outlook(unfolding.battle, "french")
    '0 of 35 bases lost (0 %); at 6 each unit throws: 15.1 % lose heart, 7.6 % rout (reconstruction)'
    """
    bases = base_losses.army(battle, side)
    if not chosen(battle) or not bases:
        return ""
    levels, bases_lost = levels_of(battle, side), base_losses.lost(battle, side)
    now = f"{bases_lost} of {bases} bases lost ({base_losses.percent(battle, side):.0f} %)"
    past, tested = reached(battle, side, levels), int(battle.memory.get(TESTED + side, 0))
    following = past if past > tested else tested + 1
    if following > levels.most():
        return now
    at, level = base_losses.mark(bases, levels.percentage(following)), levels.level(following)
    chance, rout = (level + 1) / 10.0, (level // 2 + 1) / 10.0
    when = "when this move ends" if past > tested else f"at {at}"
    label = noted(basis_of(battle, side))
    return f"{now}; {when} each unit throws: {chance:.1f} % lose heart, {rout:.1f} % rout{label}"


def or_break_it(battle: Battle) -> str:
    """Return how an army may also be beaten, for the end of a sentence; "" if the scenario does not say so.

    The option ``army_breaks`` sets the share of its units (SQP-BAS-01, SQP-TST-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> or_break_it(open_battle("last-half-hour"))
    ', or have more than 50 % of its units rout or leave the table'
    """
    share = battle.setup.options.get(BREAKS)
    if share is None or share == "never":
        return ""
    return f", or have more than {share:g} % of its units rout or leave the table"
