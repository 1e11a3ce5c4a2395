"""The crisis of morale of a module on the calculator: the options a scenario gives for it, as fields of the form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.rules.calculator import Field
from tabletop.rules.common import modules
from tabletop.rules.common.calculators import Form
from tabletop.rules.common.keyed_option import KeyedOption, given


def fields(of_the_book: bool) -> tuple[Field, ...]:
    """Return a field for each option that decides on the crisis of a module (SQP-TST-01, SQP-BAS-02).

    Where the rule set has a crisis in its own book (``of_the_book``), it stands unless a module's is chosen.

    >>> [(field.label, field.values, field.usual) for field in fields(False)][0]
    ('Sauve qui peut', (True, 'hazard'), True)
    """
    return tuple(
        _switch(title, option, of_the_book) if number == 0 else _further(option)
        for title, options in _options()
        for number, option in enumerate(options)
    )


def _options() -> Iterator[tuple[str, tuple[KeyedOption, ...]]]:
    """Yield the title of each module with a crisis, and the options that decide on it, the switch first."""
    there = modules.options()
    for module in modules.attached():
        if module.crisis:
            yield module.title, tuple(there[name] for name in module.crisis)


def _switch(title: str, option: KeyedOption, of_the_book: bool) -> Field:
    values = tuple(value for value in option.values if value or of_the_book)
    return Field(option.name, title, values, option.rule, option.default if of_the_book else values[0])


def _further(option: KeyedOption) -> Field:
    """Return the field of an option that is a number."""
    return Field(option.name, option.meaning.partition(":")[0], (), option.rule, int(option.default))


def needs() -> Mapping[str, Callable[[Form], bool]]:
    """Return, by field, a test for whether it is asked: further options only of a module that is chosen.

    >>> needs()["army_mean"]({"sauve_qui_peut": False})
    False
    """
    return {
        option.name: lambda form, switch=options[0].name: bool(form.get(switch))  # type: ignore[misc]
        for _, options in _options()
        for option in options[1:]
    }


def chosen(form: Form) -> dict[str, Any]:
    """Return the options of a battle that a form chooses; BadQuestion for a value that a scenario could not give.

    >>> chosen({"sauve_qui_peut": "hazard", "army_mean": 15})
    {'sauve_qui_peut': 'hazard', 'army_mean': 15}
    """
    there = [option for _, options in _options() for option in options]
    for option in there:
        fault = option.fault(form[option.name])
        if fault is not None:
            raise BadQuestion(f"{option.name}: {fault}")
    return {option.name: form[option.name] for option in there}


def filled(battle: Battle, side: str, of_the_book: bool) -> dict[str, tuple[str | bool | int, str]]:
    """Return the fields of an army's crisis, each with its source in words; BadQuestion if the battle has no crisis."""
    found: dict[str, tuple[str | bool | int, str]] = {}
    for title, options in _options():
        for option in options:
            value = given(battle.setup.options, option.name, side)
            found[option.name] = option.default if value is None else value, "the scenario"
        if not (found[options[0].name][0] or of_the_book):
            raise BadQuestion(f"this battle has no crisis of morale: its scenario does not switch on {title}")
    return found
