"""The crisis of morale in the Ages: by their own books, or by a module that a scenario switches on."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.battle.event import Changed
from tabletop.battle.unfolding import Unfolding
from tabletop.rules.ages.morale.effects import disrupt, rout
from tabletop.rules.ages.morale.status import OK, ROUTING
from tabletop.rules.ages.tables import ARTILLERY, arm, tables
from tabletop.rules.ages.turn.phases import fighters
from tabletop.rules.common import crisis, modules
from tabletop.rules.common.crisis import Book, Host, Levels


def _shake(unfolding: Unfolding, name: str) -> None:
    """Disrupt a unit so that it retires until it is rallied (AGE-CRI-04; reconstruction)."""
    disrupt(unfolding, name)
    unfolding.happen(Changed(name, marks={"retiring": True, "pursuing": None}))


def _abandon(unfolding: Unfolding, name: str) -> bool:
    """Let a battery's crew run, so that nobody serves it until a friend touches it; False if it is no battery.

    Source: SQP-TST-08.
    """
    if arm(unfolding.unit(name)) != ARTILLERY:
        return False
    unfolding.mark(name, abandoned=True)
    return True


#: What the family says of its units to a crisis of morale, and does to them.
HOST = Host(
    units=fighters,
    routs=lambda unit: unit.status == ROUTING,
    steady=lambda unit: unit.status == OK,
    rout=rout,
    shake=_shake,
    abandon=_abandon,
)


def _own(battle: Battle, side: str) -> Levels:
    """Return the marks and levels of the books of the Ages, with none after the last (AGE-CRI-03)."""
    data = tables(battle)["crisis"]
    return Levels(tuple(data["marks"]), tuple(data["levels"]))


#: The crisis of the books of the Ages, where batteries lose heart like other units.
BY_THE_BOOK = Book(_own, ("AGE-CRI-02", "AGE-CRI-03"))


def close_the_move(unfolding: Unfolding) -> None:
    """Test both armies at the end of a player turn, each for the highest mark it has newly reached.

    A module that the scenario switches on stands in for the crisis of the book. Source: AGE-CRI-02, AGE-SEQ-04.

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.common import base_losses
    >>> unfolding = Unfolding(open_battle("last-half-hour"), ScriptedDice(rest=1000))
    >>> base_losses.joined(unfolding, unfolding.battle.units)
    >>> base_losses.count(unfolding, "french", 6)
    >>> close_the_move(unfolding)
    >>> unfolding.battle.memory["crisis:french"]
    1
    """
    if not modules.close_the_move(unfolding, HOST) and unfolding.battle.rulings.get("crisis_of_morale"):
        crisis.close_the_move(unfolding, HOST, BY_THE_BOOK)
