"""The expected value of an action to the side that takes it, in bases, and the reason, looking one action ahead.

Shots and assaults are valued by their exact odds, moves by the change in the position's evaluation, regrouping by the
value of the troops afterwards. Losses count for more in an army near breaking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from tabletop.battle.action import ANSWER, Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import every_course
from tabletop.battle.unit import Unit, pose_of, standing
from tabletop.rules.common.evaluation import Value, valued
from tabletop.rules.play import Result
from tabletop.rules.tse.assault import calculator_form
from tabletop.rules.tse.assault import resolve as assault_resolve
from tabletop.rules.tse.assault.breakthrough import BREAKTHROUGH, target_of
from tabletop.rules.tse.calculator import calculator, model
from tabletop.rules.tse.calculator.model_data import model as whole
from tabletop.rules.tse.calculator.odds import FIRE, results_of
from tabletop.rules.tse.command.orders import ORDERED, general_near
from tabletop.rules.tse.computer.position_value import (
    Evaluation,
    Part,
    assaults_on,
    eagerness,
    evaluation,
    ground_under,
    shots_after_deploying,
    total,
    weights,
)
from tabletop.rules.tse.computer.unit_value import rate, result_of
from tabletop.rules.tse.morale import army_morale
from tabletop.rules.tse.morale.regrouping import posed
from tabletop.rules.tse.turn.actions import KINDS
from tabletop.rules.tse.turn.answer_cache import cached_answer
from tabletop.rules.tse.turn.sequence import idle, members

#: Changes of evaluation smaller than this, in bases, are not named.
NAMED = 0.04
#: The family of results of a successful assault.
GIVES_WAY = "the target gives way"
#: How a change in each part of the evaluation is worded: for the better, for the worse.
WORDS: dict[str, tuple[str, str]] = {
    "ground": ("nearer to {}", "farther from {}"),
    "shot": ("a shot at {}", "no such shot at {}"),
    "assault": ("ready to assault {}", "less ready to assault {}"),
    "danger": ("safer from {}", "open to {}"),
    "press": ("closing with {}", "away from {}"),
    "command": ("with {}", "away from {}"),
    "overrun": ("clear of {}", "within reach of {}"),
}


def prospect(battle: Battle, action: Action) -> Value:
    """Return the expected value of an action to the side that takes it, in bases, and the reason (TSE-APP-10).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.turn.sequence import in_turn
    >>> battle = in_turn(open_battle("starter"), "kessler-guns")
    >>> worth, why = prospect(battle, Action("deployed-fire", "austrian", "kessler-guns", "daumas"))
    >>> worth > 0.0, why
    (True, '13% to shake Daumas, +0.12')
    """
    return valued(WEIGHED, battle, action)


# --- moves -----------------------------------------------------------------------------------------------------------

_evaluation_now = cached_answer(evaluation)


def _moved(battle: Battle, action: Action) -> Value:
    """Return the value of a move: the change of evaluation, weighted by the chances of orders (TSE-ORD-01)."""
    unit = battle.anyone(str(action.unit))
    after = KINDS[action.kind].judge(battle, action).measured.get("after")
    if after is None or not battle.has(unit.id):
        return (0.0, "") if after is None else _arriving(battle, action)
    moved_unit = standing(unit, after)
    old, new = _evaluation_now(battle, unit), evaluation(battle.with_unit(moved_unit), moved_unit)
    gain = total(new) - total(old)
    shot = _shot_after(battle, moved_unit) if action.kind == "deploy" else Part()
    if action.kind in ORDERED:
        _, delayed, received = model.order_odds(unit, action.kind, general_near(battle, unit))
        gain = gain * (received + delayed * weights()["late"]) + shot.worth * received
    then = [f"then a shot at {shot.about} ({shot.worth:+.2f})"] if shot.worth >= NAMED else []
    return gain - weights()["stir"], ", ".join(filter(None, [_changes(old, new, gain >= 0.0), *then]))


def _changes(old: Evaluation, new: Evaluation, better: bool) -> str:
    """Return the two greatest changes of an evaluation in words; with ``better``, gains come first, else losses."""
    changes = [(part.worth - old[name].worth, name) for name, part in new.items()]
    worth_naming = (f for f in changes if abs(f[0]) >= NAMED)
    ordered = sorted(worth_naming, key=lambda f: ((f[0] > 0) != better, -abs(f[0]), f[1]))[:2]
    return ", ".join(f"{_change_text(name, gain, old, new)} ({gain:+.2f})" for gain, name in ordered)


def _change_text(name: str, gain: float, old: Evaluation, new: Evaluation) -> str:
    better, worse = WORDS[name]
    chosen = new if (gain > 0) != (name in ("danger", "overrun")) else old
    about = chosen[name].about or (old if chosen is new else new)[name].about or "the enemy"
    return (better if gain > 0 else worse).format(about)


def _arriving(battle: Battle, action: Action) -> Value:
    return weights()["arrives"], "troops on to the table"


# --- fire, assaults --------------------------------------------------------------------------------------------------


def _shot(battle: Battle, action: Action) -> Value:
    """Return the value of a shot, including that of preparing a friend's assault on the same target."""
    results = results_of(battle, action) or ()
    gain = _average(battle, action.side, results)
    target = battle.unit(str(action.target))
    opened, friend = _opened(battle, battle.unit(str(action.unit)), target)
    effect = sum(p for p, r in results if r.effects)
    why = f"{effect:.0%} to shake {target.called}, {gain:+.2f}"
    if friend is None:
        return gain, why
    return gain + opened, f"{why}; then {friend.called} may assault"


def _opened(battle: Battle, unit: Unit, target: Unit) -> tuple[float, Unit | None]:
    """Return what a shot is worth to the friend of ``unit`` best placed to assault the target next, and that friend."""
    others = (u for u in idle(battle, unit.side, battle.clock.group) if u.id != unit.id and battle.has(u.id))
    worth, friend = max(assaults_on(battle, others, target), key=lambda c: c[0], default=(0.0, None))
    return weights()["opens"] * worth, friend


def _shot_after(battle: Battle, unit: Unit) -> Part:
    """Return the best shot of a unit after deploying where it stands, including the value of preparing an assault."""
    shots = [(worth + _opened(battle, unit, enemy)[0], enemy) for worth, enemy in shots_after_deploying(battle, unit)]
    worth, target = max(shots, key=lambda pair: pair[0], default=(0.0, None))
    return Part() if target is None else Part(worth, target.called)


def _assault(battle: Battle, action: Action) -> Value:
    """Return the value of an assault: the losses of both sides and the ground it may clear."""
    results, target = results_of(battle, action) or (), battle.unit(str(action.target))
    cleared = sum(p for p, r in results if r.family == GIVES_WAY) * ground_under(battle, action.side, target)
    charge = calculator_form.charge_of(battle, str(action.unit), target.id)
    late = "" if calculator_form.within(battle, charge, delayed=True) else ", out of reach if orders are delayed"
    return _average(battle, action.side, results) + cleared, _assault_text(battle, target, results) + late


def _assault_text(battle: Battle, target: Unit, results: Iterable[tuple[float, Result]]) -> str:
    shares = dict[str, float]()
    for p, result in results:
        shares[result.family] = shares.get(result.family, 0.0) + p
    best = max((f for f in shares if f), key=lambda family: shares[family], default="")
    beaten = shares.get(GIVES_WAY, 0.0)
    more = "" if best in ("", GIVES_WAY) else f", {shares[best]:.0%} {best}"
    return f"{beaten:.0%} that {target.called} gives way{more}"


def _average(battle: Battle, side: str, results: Iterable[tuple[float, Result]]) -> float:
    return sum(p * (r.worth + _morale_effect(battle, side, r)) for p, r in results)


def _morale_effect(battle: Battle, side: str, result: Result) -> float:
    """Return the value to ``side`` of a result's effect on the morale of both armies."""
    losses = dict[str, tuple[int, int]]()
    for name, effect, _ in result.effects:
        unit = battle.unit(name)
        destroyed, demoralized = losses.get(unit.side, (0, 0))
        if effect == "removed":
            losses[unit.side] = destroyed + 1, demoralized - (unit.status == "demoralized")
        elif effect == "status:demoralized":
            losses[unit.side] = destroyed, demoralized + 1
    return sum(_morale_cost(battle, of, *more) * (-1.0 if of == side else 1.0) for of, more in sorted(losses.items()))


@cached_answer
def _morale_cost(battle: Battle, side: str, destroyed: int, demoralized: int) -> float:
    """Return the cost to an army's morale of this many more units destroyed and demoralized."""
    form = army_morale.state(battle, side)
    after = {
        "destroyed": form["destroyed"] + destroyed,
        "demoralized_units": form["demoralized_units"] + demoralized,
    }
    return _morale_loss({**form, **after}) - _morale_loss(form)


def _morale_loss(form: Mapping[str, Any]) -> float:
    """Return what an army's losses cost its morale, in bases; the cost rises faster the nearer it is to breaking."""
    lost, units = form["destroyed"] + form["demoralized_units"], form["units"]
    share = lost / units if units else 0.0
    nerve = weights()["army"] * min(1.0, share / whole().morale.half.value) ** 2
    return nerve + weights()["breaks"] * army_morale.breaking(form)


# --- regrouping, coming on, groups -----------------------------------------------------------------------------------


def _regrouped(battle: Battle, action: Action) -> Value:
    """Return the value of a regroup: for the unit's status, its new position and its army's morale."""
    unit, regrouped_unit = battle.unit(str(action.unit)), posed(battle, action)
    before, statuses = unit.strength * rate(unit), whole().worth.status
    nerve = -_morale_cost(battle, unit.side, 0, -1) if unit.status == "demoralized" else 0.0
    gain = chance = 0.0
    for p, result in results_of(battle, action) or ():
        for _, effect, _ in result.effects:
            status = effect[len("status:") :]
            chance += p
            gain += p * (before * (statuses[status].value - statuses[unit.status].value) + nerve)
            gain += p * _reformed(battle, replace(unit, status=status), replace(regrouped_unit, status=status))
    return gain, f"{chance:.0%} to bring {unit.called} back, {gain:+.2f}"


def _reformed(battle: Battle, old: Unit, new: Unit) -> float:
    """Return the change of evaluation due to a regrouped unit's new formation and facing (TSE-REG-03)."""
    if pose_of(old) == pose_of(new):
        return 0.0
    return total(evaluation(battle.with_unit(new), new)) - total(evaluation(battle.with_unit(old), old))


def _chosen(battle: Battle, action: Action) -> Value:
    eager = eagerness(battle, members(battle, str(action.options["group"])))
    return eager.worth, f"it has most to do{', against ' + eager.about if eager.about else ''}"


# --- answers ---------------------------------------------------------------------------------------------------------


def _answered(battle: Battle, action: Action) -> Value:
    """Return the value of an answer: of a countercharge to the charged side, of a breakthrough to the charger."""
    decision, choice = battle.pending[0], str(action.options.get("choice"))
    if decision.kind == assault_resolve.COUNTERCHARGE:
        charge = calculator_form.charge_of(battle, str(decision.data["unit"]), str(decision.data["target"]))
        worth, text = _clash(battle, charge, choice == assault_resolve.MEET)
        return -worth, text
    target = target_of(choice)
    if decision.kind != BREAKTHROUGH or target is None:
        return 0.0, ""
    second = calculator_form.breakthrough_of(battle, str(decision.unit), target, float(decision.data["left"]))
    return (0.0, "") if second is None else _clash(battle, second, False)


def _clash(battle: Battle, charge: calculator_form.Charge, countercharge: bool) -> Value:
    """Return the value of a charge to the charger, with its likely results in words."""
    form = calculator_form.form_of(battle, charge, countercharge)
    action = Action(assault_resolve.ASSAULT, battle.unit(charge.unit).side, charge.unit, charge.target)
    courses = tuple(every_course(lambda chance: result_of(battle, action, calculator.assaulted(form, chance))))
    return _average(battle, action.side, courses), _assault_text(battle, battle.unit(charge.target), courses)


#: The function that values each kind of action; other kinds have the value 0.
WEIGHED: dict[str, Callable[[Battle, Action], Value]] = {
    ANSWER: _answered,
    "choose": _chosen,
    "regroup": _regrouped,
    "route-march": _moved,
    "assault": _assault,
    **dict.fromkeys(FIRE, _shot),
    **dict.fromkeys(("deploy", "maneuver", "march", "square", "general"), _moved),
}
