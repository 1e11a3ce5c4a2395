"""The exact odds of an action, and every modifier behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import every_course, gathered
from tabletop.rules.play import Factor, Odds, Result
from tabletop.rules.tse.assault import calculator_form
from tabletop.rules.tse.assault import resolve as assault_resolve
from tabletop.rules.tse.calculator import calculator, model
from tabletop.rules.tse.calculator.calculator import CalculatorResult
from tabletop.rules.tse.calculator.forms import filled
from tabletop.rules.tse.calculator.ladder import factors
from tabletop.rules.tse.calculator.model_data import Fact
from tabletop.rules.tse.calculator.model_data import model as whole
from tabletop.rules.tse.command.orders import ORDERED, general_near
from tabletop.rules.tse.fire import resolve as fire_resolve
from tabletop.rules.tse.turn.actions import KINDS

FIRE = (fire_resolve.DEPLOYED, fire_resolve.ADVANCING)


def odds(battle: Battle, action: Action) -> Odds | None:
    """Return the exact distribution of an action's results, from the functions that resolve it (TSE-APP-10).

    None if the action leaves nothing to chance. Its judge must allow the action.

    >>> from tabletop.play.files.opened import open_battle
    >>> odds(open_battle("starter"), Action("hold", "french", "arnaud")) is None
    True
    """
    results = results_of(battle, action)
    if results is None:
        return None
    return Odds(action, results, tuple(behind(battle, action)), form_of(battle, action))


def results_of(battle: Battle, action: Action) -> tuple[tuple[float, Result], ...] | None:
    """Return every result with its probability, equal ones merged, in the order of the model's outcomes (TSE-APP-10).

    None if the action leaves nothing to chance.

    >>> from tabletop.play.files.opened import open_battle
    >>> results_of(open_battle("starter"), Action("hold", "french", "arnaud")) is None
    True
    """
    kind = KINDS.get(action.kind)
    if kind is None or kind.reckon is None:
        return None
    reckon = kind.reckon
    probabilities = gathered(lambda chance: reckon(battle, action, chance))
    return tuple((probability, result) for result, probability in probabilities.items())


def form_of(battle: Battle, action: Action) -> Mapping[str, Any]:
    """Return the calculator's form for an action, filled in from the table; empty if the action has none."""
    if action.kind in FIRE:
        return {"action": action.kind, **fire_resolve.form_of(battle, action)}
    if action.kind == assault_resolve.ASSAULT:
        charge = calculator_form.charge_of(battle, str(action.unit), str(action.target))
        meets = calculator_form.may_countercharge(battle, charge)
        return {"action": action.kind, **calculator_form.form_of(battle, charge, meets)}
    return {}


# --- a form by itself -----------------------------------------------------------------------------------------------


def form_odds(action: str, form: Mapping[str, Any]) -> tuple[tuple[float, CalculatorResult], ...]:
    """Return every possible result of a form with its exact probability, equal ones merged.

    No battle is needed, so players with miniatures can use it. Raises BadQuestion for a wrong form (TSE-APP-01).
    """
    answers = dict[tuple[str | None, str], tuple[float, CalculatorResult]]()
    for probability, result in every_course(lambda chance: calculator.result(action, form, chance)):
        key = (result.order, result.text)
        answers[key] = answers.get(key, (0.0, result))[0] + probability, result
    return tuple(answers.values())


def form_factors(action: str, form: Mapping[str, Any]) -> tuple[Factor, ...]:
    """Return every modifier behind the result of a form; none for orders and regrouping, which are plain tables."""
    used = filled(action, form)
    if action == assault_resolve.ASSAULT:
        return tuple(assault_factors(used))
    if action in FIRE and not calculator.out_of_range(used):
        return tuple(stage_factors("fire", calculator.fire_facts(action, used)))
    return ()


# --- the modifiers ---------------------------------------------------------------------------------------------------


def behind(battle: Battle, action: Action) -> Iterator[Factor]:
    """Yield every modifier behind the odds with its name, amount, rule, basis and stage."""
    if action.kind in ORDERED:
        yield from _order_factors(battle, action)
    if action.kind in FIRE:
        form = fire_resolve.form_of(battle, action)
        if not calculator.out_of_range(form):
            yield from stage_factors("fire", calculator.fire_facts(action.kind, form))
    elif action.kind == assault_resolve.ASSAULT:
        yield from assault_factors(form_of(battle, action))


def _order_factors(battle: Battle, action: Action) -> Iterator[Factor]:
    """Yield the chances of lost and delayed orders, and how a general near reduces them (TSE-ORD-03, TSE-ORD-06)."""
    unit = battle.unit(str(action.unit))
    near = general_near(battle, unit)
    lost, delayed, _ = model.order_odds(unit, action.kind, False)
    basis = whole().orders.actions[action.kind].basis
    yield Factor("orders lost", lost, "TSE-ORD-01", basis, "orders")
    yield Factor("orders delayed", delayed, "TSE-ORD-01", basis, "orders")
    if near:
        general = whole().orders.general
        yield Factor("a general near leaves this share of both", general.times, general.rule, general.basis, "orders")


def assault_factors(form: Mapping[str, Any]) -> Iterator[Factor]:
    """Yield the modifiers of an assault as they stand before any fire: square, defensive fire, hand to hand."""
    facts = calculator.assault_facts(form)
    square = calculator.square_chance(facts)
    if square:
        row = whole().emergency_square.quality[str(facts["target_quality"])]
        yield Factor("emergency square", square, row.rule, row.basis, "square")
    if not (facts["target_demoralized"] or facts["countercharge"]):
        yield from stage_factors("defence", facts)
    yield from stage_factors("melee", facts)


def stage_factors(stage: calculator.Stage, facts: Mapping[str, Fact]) -> Iterator[Factor]:
    """Yield the modifiers of one stage that apply, in the model's order."""
    for row in factors(calculator.ladder_of(stage), facts):
        yield Factor(row.name, row.add, row.rule, row.basis, stage)
