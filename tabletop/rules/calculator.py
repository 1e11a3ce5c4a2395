"""A rule set's calculator, which players with real miniatures use instead of dice and tables.

It is stateless: every answer is a function of a form and of chance. Its buttons, actions and fields are data, so that
a prompt, one line of options and a file all fill in the same form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance

#: The value of a field.
Fact = str | bool


@dataclass(frozen=True)
class Field:
    """One field: its name, its label, its possible values (empty for a number), its rule, its default."""

    name: str
    label: str
    values: tuple[Fact, ...] = ()
    rule: str = ""
    usual: Fact | float | None = None


@dataclass(frozen=True)
class Filled:
    """A field filled in from a table: its value, and what on the table it was taken from."""

    value: Fact | int
    source: str


@dataclass(frozen=True)
class Answer:
    """The calculator's answer: one sentence, further lines, and the same as plain data."""

    text: str
    lines: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Calculator:
    """A rule set's calculator, with ``buttons`` and ``actions`` by name and their labels.

    Only the button ``result`` asks for an action, by default ``first``. ``usual`` is the word that begins the default
    of values that differ in quality only.

    ``fields(button, action)`` are asked in order, skipping those for which ``applies(name, form)`` is false.
    ``press(button, action, form, chance)`` gives the answer; BadQuestion for an incomplete or wrong form.
    ``odds(button, action, form)`` gives every answer with its probability, in the model's order.
    ``filled(battle, button, action, unit, target)`` fills in fields from a table, as a battle on it would; BadQuestion
    if the table does not tell.
    ``basis(button, action, form)`` is where the numbers come from that an answer is read from: ``source``, ``ruling``
    or ``reconstruction``, "" if the rule set does not say; BadQuestion as for ``press``.
    """

    title: str
    buttons: Mapping[str, str]
    actions: Mapping[str, str]
    result: str
    first: str
    usual: str
    fields: Callable[[str, str | None], tuple[Field, ...]]
    applies: Callable[[str, Mapping[str, Any]], bool]
    press: Callable[[str, str | None, Mapping[str, Any], Chance], Answer]
    odds: Callable[[str, str | None, Mapping[str, Any]], tuple[tuple[float, str], ...]]
    filled: Callable[[Battle, str, str | None, str, str | None], Mapping[str, Filled]]
    basis: Callable[[str, str | None, Mapping[str, Any]], str] = lambda button, action, form: ""
