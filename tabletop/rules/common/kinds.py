"""Kinds of action from a data file: each one's label, what it needs, its rules and its phases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.geometry.verdict import Verdict
from tabletop.rules.common.data import data_of
from tabletop.rules.play import ActionKind, Choice

#: The functions that judge an action, carry it out and, if chance plays a part, draw one course of it.
Functions = tuple[Callable[..., Any], ...]


def read_kinds(
    package: str, functions: Mapping[str, Functions], called: Mapping[str, Callable[[Battle], str]]
) -> dict[str, ActionKind]:
    """Return the kinds in the order of ``actions.toml``; ``called`` has the labels that depend on the battle.

    >>> functions = dict.fromkeys(phases_of("tabletop.rules.sail"), (bool, bool))
    >>> [kind.name for kind in read_kinds("tabletop.rules.sail", functions, {}).values()][:3]
    ['sail', 'fire', 'board']
    """
    kinds = {}
    for name, row in data_of(package, "actions.toml")["actions"].items():
        judge, resolve, reckon = (*functions[name], None)[:3]
        assert judge is not None and resolve is not None, f"{name} is judged and carried out"
        needs, rules = tuple(row.get("needs", ("unit",))), tuple(row["rules"])
        kinds[name] = ActionKind(name, row["label"], judge, resolve, reckon, needs, rules, called.get(name))
    return kinds


@cache
def phases_of(package: str) -> dict[str, tuple[str, ...]]:
    """Return the phases of each kind of action in a package's ``actions.toml``.

    >>> phases_of("tabletop.rules.sail")["fire"]
    ('sailing', 'gunnery')
    """
    rows = data_of(package, "actions.toml")["actions"]
    return {name: tuple(row["phases"]) for name, row in rows.items()}


def first_phase(package: str, kind: str, usual: str) -> str:
    """Return the first phase of a player turn in which a kind of action is done, ``usual`` if it has none.

    >>> first_phase("tabletop.rules.sail", "board", "sailing"), first_phase("tabletop.rules.sail", "done", "sailing")
    ('gunnery', 'sailing')
    """
    return next(iter(phases_of(package).get(kind, ())), usual)


def suggested(actions: Iterable[Action], unit: str, kinds: Iterable[str]) -> list[Choice]:
    """Return a unit's menu of some kinds, each open if one of the suggested actions is of that kind and the unit's.

    >>> choices = suggested([Action("move", "red", "guards")], "guards", ("move", "fire"))
    >>> [(choice.kind, choice.open) for choice in choices]
    [('move', True), ('fire', False)]
    """
    found = {action.kind for action in actions if action.unit == unit}
    return [Choice(kind, kind in found) for kind in kinds]


def choice_of(kind: str, verdicts: Sequence[Verdict]) -> Choice:
    """Return a menu entry: open if one of the tries is allowed, else closed with the first try's verdict.

    >>> no = Verdict("move", ("arnaud",), "tse", False)
    >>> choice_of("move", [no]).open, choice_of("move", [no, Verdict("move", ("arnaud",), "tse", True)]).open
    (False, True)
    """
    if any(verdict.holds for verdict in verdicts):
        return Choice(kind, True)
    return Choice(kind, False, verdicts[0] if verdicts else None)
