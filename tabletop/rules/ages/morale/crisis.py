"""The crisis of morale in the Ages: by their own books, or by a module that a scenario switches on."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.battle.event import Changed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import distance_between
from tabletop.rules.ages.morale.effects import disrupt, rout
from tabletop.rules.ages.morale.status import OK, ROUTING, abandoned
from tabletop.rules.ages.tables import ARTILLERY, arm, length, tables
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


def serve_again(unfolding: Unfolding, side: str) -> None:
    """Let friends who touch abandoned guns and do not rout serve them again (SQP-TST-08).

    Other abandoned guns serve nobody.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> unfolding = Unfolding(battle.with_unit(battle.unit("french-2").moved(30.0, 0.0)))
    >>> unfolding.mark("french-guns", abandoned=True)
    >>> serve_again(unfolding, "french")
    >>> abandoned(unfolding.unit("french-guns"))
    False
    """
    battle = unfolding.battle
    contact = length(battle, "contact")
    for gun in battle.side(side):
        if not abandoned(gun):
            continue
        friends = (unit for unit in battle.friends(gun) if unit.status != ROUTING and not abandoned(unit))
        if any(battle.tape.at_most(distance_between(gun, unit), contact) for unit in friends):
            unfolding.mark(gun.id, abandoned=None)
