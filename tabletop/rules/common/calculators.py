"""Calculators made of sheets: what each sheet answers, its fields, and the function that answers a form."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance, gathered
from tabletop.battle.event import Thrown
from tabletop.battle.progress import Setup
from tabletop.battle.unfolding import Unfolding
from tabletop.errors import BadQuestion
from tabletop.geometry.terrain import Table
from tabletop.rules.calculator import Answer, Calculator, Field, Filled
from tabletop.rules.common.basis import said
from tabletop.rules.common.data import data_of, rows_of
from tabletop.rules.rule_set import find

#: The button for the result of an action, which asks for the action first.
RESULT = "result"
YES_NO = (True, False)

#: Small numbers as the values of a field.
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")

Form = Mapping[str, Any]
Answers = Callable[[Chance], Answer]
Odds = tuple[tuple[float, str], ...]
Filler = Callable[[Battle, str, str | None], Mapping[str, Filled]]


def unfilled(battle: Battle, unit: str, target: str | None) -> Mapping[str, Filled]:
    """Return no field: nothing is taken from a table.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfilled(open_battle("starter"), "arnaud", None)
    {}
    """
    return {}


@dataclass(frozen=True)
class Sheet:
    """One thing a calculator answers: its label and its fields, in the order in which they are asked.

    ``ready(form)`` takes a complete form and returns a function that answers it for one course of chance.
    ``odds(form)`` is for answers whose exact chances have a closed form; without it every course of chance is followed.
    ``filled`` fills in fields from a table for a unit and its target. ``basis(form)`` is where the numbers come from
    that the answer is read from; "" if the rule set does not say.
    """

    label: str
    fields: tuple[Field, ...]
    ready: Callable[[Form], Answers]
    filled: Filler = unfilled
    odds: Callable[[Form], Odds] | None = None
    basis: Callable[[Form], str] = lambda form: ""


@dataclass(frozen=True)
class Sheets:
    """The sheets of a calculator by name, for actions and for other buttons; ``needs`` says when a field is asked."""

    actions: Mapping[str, Sheet]
    buttons: Mapping[str, Sheet] = field(default_factory=dict)
    needs: Mapping[str, Callable[[Form], bool]] = field(default_factory=dict)

    def calculator(self, title: str, usual: str = "average") -> Calculator:
        """Return the calculator of these sheets; the first action is the default."""
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
            basis=self.basis,
            filled=lambda battle, button, action, *units: self.sheet(button, action).filled(battle, *units),
        )

    def sheet(self, button: str, action: str | None) -> Sheet:
        """Return the sheet of a button, or of an action for the result button; BadQuestion for an unknown one."""
        sheets, name = (self.actions, action or "") if button == RESULT else (self.buttons, button)
        if name not in sheets:
            raise BadQuestion(f"the result of which action? one of: {', '.join(self.actions)}")
        return sheets[name]

    def applies(self, name: str, form: Form) -> bool:
        """Return whether a field makes a difference, given the ones before it."""
        need = self.needs.get(name)
        return need is None or need(form)

    def complete(self, sheet: Sheet, form: Form) -> dict[str, Any]:
        """Return a form with every field of its sheet, checked; fields that make no difference take their default."""
        values: dict[str, Any] = {}
        for entry in sheet.fields:
            applies = self.applies(entry.name, values)
            values[entry.name] = checked(entry, form.get(entry.name)) if applies else entry.usual
        return values

    def press(self, button: str, action: str | None, form: Form, chance: Chance) -> Answer:
        """Return the answer to a form for one course of chance; a line says if its numbers are not the rulebook's."""
        sheet = self.sheet(button, action)
        whole = self.complete(sheet, form)
        answer, basis = sheet.ready(whole)(chance), sheet.basis(whole)
        if not basis:
            return answer
        lines = (*answer.lines, *([said(basis)] if said(basis) else []))
        return replace(answer, lines=lines, data={**answer.data, "basis": basis})

    def basis(self, button: str, action: str | None, form: Form) -> str:
        """Return where the numbers come from that the answer to a form is read from; "" if that is not known."""
        sheet = self.sheet(button, action)
        return sheet.basis(self.complete(sheet, form))

    def odds(self, button: str, action: str | None, form: Form) -> Odds:
        """Return every answer to a form with its exact probability, from the function that answers."""
        sheet = self.sheet(button, action)
        whole = self.complete(sheet, form)
        if sheet.odds is not None:
            return sheet.odds(whole)
        answer = sheet.ready(whole)
        return tuple((p, text) for text, p in gathered(lambda chance: answer(chance).text).items())


#: A battle made from a form, and the act carried out in it, which returns its outcome in words or None if the battle
#: shows it.
Scene = tuple[Battle, Callable[[Unfolding], str | None]]


def sheets_of(
    package: str,
    scenes: Mapping[str, Callable[[Form], Scene]],
    odds: Mapping[str, Callable[[Form], Odds]],
    fillers: Mapping[str, Filler],
) -> Sheets:
    """Return the sheets written in a rule set's ``calculator.toml``; ``scenes`` turns a form into a battle, by name.

    A sheet's ``outcomes`` are lists of a unit, a mark, and the text for the unit having it (a mark "" means that the
    unit is gone). The first that holds is the outcome, else ``otherwise``.

    >>> sheets = sheets_of("tabletop.rules.sail", {}, {}, {})
    >>> [field.label for field in sheets.actions["board"].fields]
    ['Boarding ship decks', 'Boarded ship decks']
    """
    data = data_of(package, "calculator.toml")
    fields = rows_of(Field, data["fields"])

    def of(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Sheet]:
        return {name: sheet(name, row) for name, row in rows.items()}

    def sheet(name: str, row: Mapping[str, Any]) -> Sheet:
        sheet_fields = tuple(fields[field] for field in row["fields"])
        filled = fillers.get(name, unfilled)
        return Sheet(
            row["label"], sheet_fields, lambda form: _by_battle(*scenes[name](form), row), filled, odds.get(name)
        )

    return Sheets(of(data["actions"]), of(data["buttons"]))


def scene(
    rules: str, size: tuple[float, float], units: Mapping[str, Mapping[str, Any]], options: Mapping[str, Any]
) -> Battle:
    """Return a battle of only these units on an empty table, each a side of its own, with the default rulings.

    Units are written as in a file; ``marks`` overrides theirs. ``size`` is width and height in table units.

    >>> general = {"name": "Wellington", "troop": "general", "at": [10, 10]}
    >>> [unit.id for unit in scene("tse", (30.0, 30.0), {"duke": general}, {}).units]
    ['duke']
    """
    record = find(rules)
    values = record.ruling_values()
    mustered = []
    for name, entry in units.items():
        written = {"id": name, "side": name, **{key: value for key, value in entry.items() if key != "marks"}}
        unit = record.muster(written, values)
        mustered.append(replace(unit, marks={**unit.marks, **entry.get("marks", {})}))
    battle = Battle.of(rules, Table.of(record.unit, *size), mustered, values)
    return replace(battle, setup=Setup(tuple(units), options=dict(options)))


def _by_battle(battle: Battle, act: Callable[[Unfolding], str | None], row: Mapping[str, Any]) -> Answers:
    """Return a function that answers by acting on a battle; further lines list the dice thrown."""

    def answer(chance: Chance) -> Answer:
        unfolding = Unfolding(battle, chance)
        text = act(unfolding) or _outcome(unfolding.battle, row)
        thrown: dict[str, list[str]] = {}
        for event in unfolding.events:
            if isinstance(event, Thrown):
                thrown.setdefault(event.purpose, []).append(str(event.face))
        return Answer(
            text, tuple(f"{purpose}: {', '.join(faces)}" for purpose, faces in thrown.items()), {"outcome": text}
        )

    return answer


def _outcome(battle: Battle, row: Mapping[str, Any]) -> str:
    for unit, mark, text in row["outcomes"]:
        if battle.unit(unit).marks.get(mark) if mark and battle.has(unit) else not (mark or battle.has(unit)):
            return str(text)
    return str(row["otherwise"])


def checked(one: Field, value: Any) -> Any:
    """Return a field's value, its default if it is None; BadQuestion, with the cure, for an impossible value.

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
