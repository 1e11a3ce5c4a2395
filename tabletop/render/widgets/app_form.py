"""The game app's form while it is filled in: button, action, fields and follow-up questions, results. No screen."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tabletop.errors import TabletopError
from tabletop.play.app_draws import Draws, by_end
from tabletop.rules.calculator import Answer, Calculator, Fact, Field, Filled

#: Random seeds are below this.
SEEDS = 2**32
#: Number of results kept, newest first.
MOST = 6


@dataclass(frozen=True)
class Result:
    """One result: the question, the form, the seed of its draws, the answer; ``void``: it does not count."""

    asked: str
    form: Mapping[str, Any]
    seed: int
    answer: Answer
    void: bool = False


@dataclass
class Pad:
    """A calculator with its form. ``sources`` names the part of a table each field was filled in from."""

    machine: Calculator
    button: str = ""
    action: str | None = None
    values: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    trouble: str = ""

    def __post_init__(self) -> None:
        self.button = self.button or self.machine.result
        self.action = self.action or next(iter(self.machine.actions), None)

    @property
    def asked_action(self) -> str | None:
        """The action, if the button needs one."""
        return self.action if self.button == self.machine.result else None

    @property
    def asked(self) -> str:
        """The question in words."""
        action = self.asked_action
        return self.machine.buttons[self.button] if action is None else self.machine.actions[action]

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields and follow-up questions that apply to the form so far."""
        applicable: list[Field] = []
        form: dict[str, Any] = {}
        for entry in self.machine.fields(self.button, self.asked_action):
            if self.machine.applies(entry.name, form):
                applicable.append(entry)
                value = self.value(entry)
                if value is not None:
                    form[entry.name] = value
        return tuple(applicable)

    def value(self, one: Field) -> Fact | int | None:
        """Return a field's value, its usual value, or None if it is still to be filled in."""
        value = self.values.get(one.name, one.usual)
        if value is None or not one.values or any(value == v and type(value) is type(v) for v in one.values):
            return value
        return None

    @property
    def missing(self) -> tuple[Field, ...]:
        """The fields still to be filled in."""
        return tuple(entry for entry in self.fields if self.value(entry) is None)

    @property
    def form(self) -> dict[str, Any]:
        """The form as passed to the calculator."""
        return {entry.name: value for entry in self.fields if (value := self.value(entry)) is not None}

    def choose(self, button: str, action: str | None = None) -> None:
        """Switch to a button, or to an action of the result."""
        self.button, self.trouble = button, ""
        self.action = action or self.action

    def put(self, name: str, value: Fact | int | None) -> None:
        """Fill in a field by hand; None clears it."""
        self.sources.pop(name, None)
        self.trouble = ""
        if value is None:
            self.values.pop(name, None)
        else:
            self.values[name] = value

    def fill(self, values: Mapping[str, Filled]) -> None:
        """Fill in fields from a table."""
        for name, filled in values.items():
            self.values[name], self.sources[name] = filled.value, filled.source

    def press(self, seed: int | None = None) -> Result | None:
        """Compute a result; None, with ``trouble``, for an invalid form. Same seed and form give the same answer."""
        self.trouble = ""
        if self.missing:
            self.trouble = f"Still to be filled in: {', '.join(entry.label for entry in self.missing)}."
            return None
        seed = secrets.randbelow(SEEDS) if seed is None else seed
        form = self.form
        try:
            answer = self.machine.press(self.button, self.asked_action, form, Draws(seed))
        except TabletopError as error:
            self.trouble = str(error)
            return None
        result = Result(self.asked, form, seed, answer)
        self.results[:] = [result, *self.results][:MOST]
        return result

    def void(self) -> None:
        """Declare the last result void, because its form was wrong; called again, undo that."""
        if self.results:
            self.results[0] = replace(self.results[0], void=not self.results[0].void)

    @property
    def basis(self) -> str:
        """Where the numbers come from that the odds are read from; "" if that is not known, or there are none."""
        try:
            return "" if self.missing else self.machine.basis(self.button, self.asked_action, self.form)
        except TabletopError:
            return ""

    @property
    def odds(self) -> list[tuple[float, str, Mapping[str, float]]]:
        """The exact odds of the form by result; empty while the form is incomplete or invalid."""
        if self.missing:
            return []
        try:
            return by_end(self.machine.odds(self.button, self.asked_action, self.form))
        except TabletopError as error:
            self.trouble = str(error)
            return []
