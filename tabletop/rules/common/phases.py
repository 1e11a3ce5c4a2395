"""The phases of a player turn: whether an action belongs to one, who has yet to act, and steps of many units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.clock import Until
from tabletop.battle.naming import side_name
from tabletop.battle.progress import Clock
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason
from tabletop.rules.common.by_place import by_place
from tabletop.rules.common.ruled import either


def phase_reasons(battle: Battle, action: Action, phases: Sequence[str], rule: str, text: str) -> list[Reason]:
    """Return as reasons whether it is one of ``phases``, with the text ``text``, and whether the unit is the player's.

    >>> from tabletop.play.files.opened import open_battle
    >>> action = Action("move", "prussian", "hussars")
    >>> reasons = phase_reasons(open_battle("drill-ground"), action, ("movement",), "ROC-SEQ-01", "moves come third")
    >>> [bool(reason) for reason in reasons]
    [False, True]
    """
    reasons = [Reason(rule, battle.clock.phase in phases, text)]
    if action.unit is not None:
        reasons.append(own(action, battle.unit(action.unit), rule))
    return reasons


def own(action: Action, unit: Unit, rule: str) -> Reason:
    """Return as a reason whether a unit is on the side of an action.

    >>> from tabletop.play.files.opened import open_battle
    >>> own(Action("move", "prussian"), open_battle("drill-ground").unit("french-1"), "ROC-SEQ-01").text
    'French battalion is on the French side'
    """
    return Reason(rule, unit.side == action.side, f"{unit.called} is on the {side_name(unit.side)} side")


def in_phase(battle: Battle, name: str, phase: str) -> Battle:
    """Return a battle that has not begun with its clock at a phase of the unit's side; any other battle unchanged.

    >>> from tabletop.play.files.opened import open_battle
    >>> in_phase(open_battle("drill-ground"), "hussars", "movement").clock
    Clock(turn=1, phase='movement', side='prussian', group=None)
    """
    return battle if battle.clock.turn else replace(battle, clock=Clock(1, phase, battle.anyone(name).side))


def each(unfolding: Unfolding, units: Iterable[Unit], step: Callable[[Unfolding, str], None]) -> None:
    """Carry out a step for each of some units that is still on the table, by place.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("raking"))
    >>> each(unfolding, unfolding.battle.units, lambda unfolding, name: print(name))
    gannet
    heron
    zeeland
    """
    for name in [unit.id for unit in by_place(unfolding.battle, units)]:
        if unfolding.battle.has(name):
            step(unfolding, name)


# --- units that act once in each of their side's turns: the mark ``acted``, which the clock takes away ---------------


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
