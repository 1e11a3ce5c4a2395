"""Units that act once in each of their side's turns: the mark ``acted``, which the clock takes away."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.clock import Until
from tabletop.battle.unfolding import Unfolding
from tabletop.geometry.verdict import Reason
from tabletop.rules.common.ruled import either


def yet_to_act(battle: Battle, action: Action, rule: str) -> Reason:
    """Return, as a reason, whether the unit of an action is the side's own and has yet to act in this turn.

    >>> from tabletop.play.files.opened import open_battle
    >>> yet_to_act(open_battle("drill-ground"), Action("move", "prussian", "french-1"), "ROC-SEQ-01").text
    'French battalion is not to act now'
    """
    unit = battle.unit(str(action.unit))
    ready = unit.side == action.side and not unit.marks.get("acted")
    return either(rule, ready, f"{unit.called} has yet to act", f"{unit.called} is not to act now")


def act(unfolding: Unfolding, unit: str) -> None:
    """Note that a unit has acted, until the turn of the side to move is over.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> unfolding.clock(turn=1, side="french")
    >>> act(unfolding, "french-1")
    >>> unfolding.unit("french-1").marks["acted"]
    True
    >>> unfolding.clock(side="prussian")
    >>> unfolding.unit("french-1").marks.get("acted") is None
    True
    """
    clock = unfolding.battle.clock
    unfolding.mark_until(unit, Until(clock.turn, side=clock.side, over=True), acted=True)
