"""Calculators made of sheets: what each answers, its fields, and the function that answers a form by the rules."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance, gathered
from tabletop.errors import BadQuestion
from tabletop.rules.calculator import Answer, Calculator, Field, Filled

#: The button that asks which action is meant.
RESULT = "result"
YES_NO = (True, False)

Form = Mapping[str, Any]
Odds = tuple[tuple[float, str], ...]
Filler = Callable[[Battle, str, str | None], Mapping[str, Filled]]


def _unfilled(battle: Battle, unit: str, target: str | None) -> Mapping[str, Filled]:
    """Return no field: nothing is taken from a table."""
    return {}


@dataclass(frozen=True)
class Sheet:
    """One thing a calculator answers: its label and its fields, in the order in which they are asked.

    ``ready(form)`` takes a complete form and returns what answers it for one course of chance. ``odds(form)`` is for
    answers whose exact chances have a closed form; without it every course of chance is followed. ``filled`` fills in
    fields from a table for a unit and its target.
    """

    label: str
    fields: tuple[Field, ...]
    ready: Callable[[Form], Callable[[Chance], Answer]]
    filled: Filler = _unfilled
    odds: Callable[[Form], Odds] | None = None


@dataclass(frozen=True)
class Sheets:
    """The sheets of a calculator by name: of actions, and of other buttons; ``needs`` says when a field is asked."""

    actions: Mapping[str, Sheet]
    buttons: Mapping[str, Sheet] = field(default_factory=dict)
    needs: Mapping[str, Callable[[Form], bool]] = field(default_factory=dict)

    def calculator(self, title: str, usual: str = "average") -> Calculator:
        """Return the calculator of these sheets; the first action is the one meant where none is named."""
        return Calculator(
            title=title,
            buttons={RESULT: "Result of an action", **{name: sheet.label for name, sheet in self.buttons.items()}},
            actions={name: sheet.label for name, sheet in self.actions.items()},
            result=RESULT,
            first=next(iter(self.actions)),
            usual=usual,
            fields=lambda button, action: self.sheet(button, action).fields,
            applies=self.applies,
            press=self.press,
            odds=self.odds,
            filled=lambda battle, button, action, *units: self.sheet(button, action).filled(battle, *units),
        )

    def sheet(self, button: str, action: str | None) -> Sheet:
        """Return what a button, or an action of the result, asks; BadQuestion for one there is not."""
        sheets, name = (self.actions, action or "") if button == RESULT else (self.buttons, button)
        if name not in sheets:
            raise BadQuestion(f"the result of which action? one of: {', '.join(self.actions)}")
        return sheets[name]

    def applies(self, name: str, form: Form) -> bool:
        """Return whether a field makes a difference, given those before it."""
        need = self.needs.get(name)
        return need is None or need(form)

    def complete(self, sheet: Sheet, form: Form) -> dict[str, Any]:
        """Return a form with every field of its sheet, checked; those that make no difference are as usual."""
        found: dict[str, Any] = {}
        for one in sheet.fields:
            asked = self.applies(one.name, found)
            found[one.name] = checked(one, form.get(one.name)) if asked else one.usual
        return found

    def press(self, button: str, action: str | None, form: Form, chance: Chance) -> Answer:
        """Return the answer to a form for one course of chance."""
        sheet = self.sheet(button, action)
        return sheet.ready(self.complete(sheet, form))(chance)

    def odds(self, button: str, action: str | None, form: Form) -> Odds:
        """Return every answer to a form with its exact probability, by the function that answers."""
        sheet = self.sheet(button, action)
        whole = self.complete(sheet, form)
        if sheet.odds is not None:
            return sheet.odds(whole)
        answer = sheet.ready(whole)
        return tuple((p, text) for text, p in gathered(lambda chance: answer(chance).text).items())


def checked(one: Field, value: Any) -> Any:
    """Return a field's value, or its usual one for None; BadQuestion, with the cure, for one it cannot have.

    >>> checked(Field("aim", "Aim", ("hull", "masts"), usual="hull"), None)
    'hull'
    """
    if value is None and one.usual is not None:
        return one.usual
    if not one.values:
        if value is None:
            raise BadQuestion(f"{one.name} is missing; a whole number from 0")
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise BadQuestion(f"{one.name} must be a whole number from 0, not {value!r}")
        return value
    if any(value == v and isinstance(value, bool) == isinstance(v, bool) for v in one.values):
        return value
    words = [{True: "yes", False: "no"}[v] if isinstance(v, bool) else str(v) for v in one.values]
    if value is None:
        raise BadQuestion(f"{one.name} is missing; one of: {', '.join(words)}")
    near = difflib.get_close_matches(str(value), words, 1)
    cure = f"did you mean '{near[0]}'?" if near else f"one of: {', '.join(words)}"
    raise BadQuestion(f"{one.name} cannot be {value!r}; {cure}")
