"""The texts of pending decisions, and the label and meaning of each answer."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.battle.battle import Battle
from tabletop.battle.naming import capital, plain
from tabletop.battle.progress import Decision
from tabletop.rules.play import Reply
from tabletop.rules.tse.assault.breakthrough import ADVANCE, BREAKTHROUGH, STAY, target_of
from tabletop.rules.tse.assault.resolve import COUNTERCHARGE, MEET, STAND
from tabletop.rules.tse.turn.sequence import FIRST, SECOND, single

#: Label and meaning of the standard answers: who goes first, a countercharge, a breakthrough.
USUAL: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "go-first": {
        FIRST: ("Go first", "one of your divisions acts, then one of theirs, and so on by turns"),
        SECOND: ("Go second", "they must begin: one of their divisions acts before any of yours"),
    },
    COUNTERCHARGE: {
        MEET: ("Countercharge", "it rides to meet them half-way"),
        STAND: ("Stand", "it awaits the charge where it is"),
    },
    BREAKTHROUGH: {
        STAY: ("Stay", "it stands on the ground it has won"),
        ADVANCE: ("Ride on", "straight ahead as far as it may, without a fight"),
    },
}


def asks(battle: Battle, decision: Decision) -> str:
    """Return the question put to a side (TSE-TRN-02, TSE-ASL-60, TSE-ASL-70); "" if these rules never ask it.

    >>> from tabletop.play.files.opened import open_battle
    >>> asks(open_battle("starter"), Decision("french", "go-first", (FIRST, SECOND)))
    'french has the initiative: go first, or let the other side go first?'
    """
    name = battle.called(decision.unit)
    if decision.kind == COUNTERCHARGE:
        return f"{name} is charged by {battle.called(str(decision.data['unit']))}: countercharge, or stand?"
    if decision.kind == BREAKTHROUGH:
        reach = f"{float(decision.data['left']):.2f} {battle.table.unit} left of its reach"
        return f"{name} may break through with {reach}: stay, or go on?"
    usual = f"{decision.side} has the initiative: go first, or let the other side go first?"
    return usual if decision.kind == "go-first" else ""


def replies(battle: Battle, decision: Decision) -> Mapping[str, Reply]:
    """Return the label and meaning of every answer (TSE-TRN-02, TSE-ASL-60, TSE-ASL-70).

    >>> from tabletop.play.files.opened import open_battle
    >>> replies(open_battle("starter"), Decision("french", "go-first", (FIRST, SECOND)))[FIRST].label
    'Go first'
    """
    return {choice: _reply(battle, decision, choice) for choice in decision.choices}


def _reply(battle: Battle, decision: Decision, choice: str) -> Reply:
    target = target_of(choice)
    if decision.kind == BREAKTHROUGH and target is not None:
        return Reply(f"Assault {battle.called(target)}", "it charges on into them")
    label, meaning = USUAL.get(decision.kind, {}).get(choice, (capital(plain(choice)), ""))
    return Reply(label, meaning.replace("divisions", "units") if single(battle) else meaning)
