"""The rulebook's game app: its buttons, actions and fields, and the answer to each press (TSE-APP-01, TSE-APP-05)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tabletop.battle.dice import Chance, every_course
from tabletop.errors import BadQuestion
from tabletop.rules.calculator import Answer, Calculator, Field
from tabletop.rules.tse.calculator import calculator, from_table
from tabletop.rules.tse.calculator.calculator import CalculatorResult
from tabletop.rules.tse.calculator.forms import ACTIONS, FIELDS, FUNCTIONS, applies, kinds, used
from tabletop.rules.tse.calculator.model_data import Effects

BUTTONS = {
    "initiative": "Initiative",
    "result": "Result of an action",
    "overrun": "Leader overrun",
    "morale": "Army morale",
}


def fields(button: str, action: str | None) -> tuple[Field, ...]:
    """Return the fields of a button, in order; the actor can only be troops that take the action (TSE-APP-03)."""
    if button == "result":
        name = _needed(action)
        able = kinds(*ACTIONS[name].actors)
        return tuple(replace(field, values=able) if field.name == "actor" else field for field in used(name))
    return tuple(FIELDS[name] for name in FUNCTIONS[button])


def press(button: str, action: str | None, form: Mapping[str, Any], chance: Chance) -> Answer:
    """Return the calculator's answer to a form (TSE-APP-02)."""
    if button == "result":
        return _result(calculator.result(_needed(action), form, chance))
    outcome = _OTHERS[button](form, chance)
    return Answer(outcome, data={"outcome": outcome})


def odds(button: str, action: str | None, form: Mapping[str, Any]) -> tuple[tuple[float, str], ...]:
    """Return every answer with its exact probability, from the same functions that answer (TSE-APP-10)."""
    probabilities: dict[str, float] = {}
    for probability, outcome in every_course(lambda chance: press(button, action, form, chance).text):
        probabilities[outcome] = probabilities.get(outcome, 0.0) + probability
    return tuple((probability, outcome) for outcome, probability in probabilities.items())


def _initiative(form: Mapping[str, Any], chance: Chance) -> str:
    return calculator.initiative(chance)


_OTHERS = {"initiative": _initiative, "overrun": calculator.overrun, "morale": calculator.army_morale}


def _needed(action: str | None) -> str:
    if action is None:
        raise BadQuestion(f"the result of which action? one of: {', '.join(ACTIONS)}")
    return action


def _result(result: CalculatorResult) -> Answer:
    sides = (("actor", _effects(result.actor)), ("target", _effects(result.target)))
    lines = [f"{who}: {text}" for who, text in sides if text]
    lines += [f"{stage}: {word}" for stage, word in result.words.items()]
    lines += ["an emergency square was formed"] if result.square else []
    lines += [] if result.home is None else ["the assault went home" if result.home else "the assault did not go home"]
    return Answer(result.text, tuple(lines), _data(result))


def _data(result: CalculatorResult) -> dict[str, Any]:
    """Return a result as plain data, leaving out values the action does not have."""
    values: dict[str, Any] = {
        "outcome": result.outcome,
        "orders": result.order,
        "reach": result.reach,
        "actor": [_effect(effect) for effect in result.actor if not effect.nothing],
        "target": [_effect(effect) for effect in result.target if not effect.nothing],
        "gone_home": result.home,
        "advance": result.advance,
        "emergency_square": result.square or None,
        "performance": dict(result.words),
    }
    return {key: value for key, value in values.items() if value not in (None, [], {})}


def _effects(effects: tuple[Effects, ...]) -> str:
    return ", then ".join(text for text in map(_effect, effects) if text)


def _effect(effect: Effects) -> str:
    parts = [_WORSE[effect.status]] if effect.status else []
    parts += [f"loses {effect.lose} base{'s' if effect.lose > 1 else ''}"] if effect.lose else []
    parts += [_BACK[effect.back]] if effect.back else []
    parts += ["broken"] if effect.broken else []
    return ", ".join(parts)


_WORSE = {"disorder": "disordered", "demoralize": "demoralized"}
_BACK = {"short": "falls back half way", "long": "falls back", "start": "goes back to where it started"}

CALCULATOR = Calculator(
    title="There Stand Empires",
    buttons=BUTTONS,
    actions={name: row.label for name, row in ACTIONS.items()},
    result="result",
    first="deployed-fire",
    usual="average",
    fields=fields,
    applies=applies,
    press=press,
    odds=odds,
    filled=from_table.filled,
)
