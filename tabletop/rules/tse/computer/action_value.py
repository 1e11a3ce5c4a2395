"""What an action is likely to be worth to the side that takes it, in bases, and why, by one look ahead.

Shots and assaults by their exact odds; moves by what the new place promises and the old one did; regrouping by what
the troops are worth afterwards; an army near breaking makes all that shakes it worth more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from tabletop.battle.action import ANSWER, Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import every_course
from tabletop.battle.unit import Unit, pose_of, standing
from tabletop.rules.play import Result
from tabletop.rules.tse.assault import calculator_form
from tabletop.rules.tse.assault import resolve as assault_resolve
from tabletop.rules.tse.assault.breakthrough import BREAKTHROUGH, target_of
from tabletop.rules.tse.calculator import calculator, model
from tabletop.rules.tse.calculator.model_data import model as whole
from tabletop.rules.tse.calculator.odds import FIRE, results_of
from tabletop.rules.tse.command.orders import ORDERED, general_near
from tabletop.rules.tse.computer.position_value import (
    Outlook,
    Part,
    chances_of,
    eagerness,
    ground_under,
    outlook,
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

#: What an action is worth, and why.
Prospect = tuple[float, str]
#: Changes of outlook smaller than this are not named, in bases.
NAMED = 0.04
#: The family of results in which an assault succeeds.
GIVES_WAY = "the target gives way"
#: How the change of a part of the outlook reads: for the better, for the worse.
WORDS: dict[str, tuple[str, str]] = {
    "ground": ("nearer to {}", "farther from {}"),
    "shot": ("a shot at {}", "no such shot at {}"),
    "assault": ("ready to assault {}", "less ready to assault {}"),
    "danger": ("safer from {}", "open to {}"),
    "press": ("closing with {}", "away from {}"),
    "command": ("with {}", "away from {}"),
    "overrun": ("clear of {}", "within reach of {}"),
}


def prospect(battle: Battle, action: Action) -> Prospect:
    """Return what an action is worth on average to the side that takes it, in bases, and why."""
    weigh = WEIGHED.get(action.kind)
    return (0.0, "") if weigh is None else weigh(battle, action)


# --- moves -----------------------------------------------------------------------------------------------------------

_now = cached_answer(outlook)


def _moved(battle: Battle, action: Action) -> Prospect:
    """Weigh up a move: the change of outlook if the orders come, part of it if they come late (TSE-ORD-01)."""
    unit = battle.anyone(str(action.unit))
    after = KINDS[action.kind].judge(battle, action).measured.get("after")
    if after is None or not battle.has(unit.id):
        return (0.0, "") if after is None else _arriving(battle, action)
    there = standing(unit, after)
    old, new = _now(battle, unit), outlook(battle.with_unit(there), there)
    gain = total(new) - total(old)
    shot = _shot_after(battle, there) if action.kind == "deploy" else Part()
    if action.kind in ORDERED:
        _, delayed, received = model.order_odds(unit, action.kind, general_near(battle, unit))
        gain = gain * (received + delayed * weights()["late"]) + shot.worth * received
    then = [f"then a shot at {shot.about} ({shot.worth:+.2f})"] if shot.worth >= NAMED else []
    return gain - weights()["stir"], ", ".join(filter(None, [_changes(old, new, gain >= 0.0), *then]))


def _changes(old: Outlook, new: Outlook, better: bool) -> str:
    """Return the two greatest changes of an outlook in words, those that speak for the move (or against it) first."""
    changes = [(part.worth - old[name].worth, name) for name, part in new.items()]
    worth_naming = (f for f in changes if abs(f[0]) >= NAMED)
    ordered = sorted(worth_naming, key=lambda f: ((f[0] > 0) != better, -abs(f[0]), f[1]))[:2]
    return ", ".join(f"{_said(name, gain, old, new)} ({gain:+.2f})" for gain, name in ordered)


def _said(name: str, gain: float, old: Outlook, new: Outlook) -> str:
    better, worse = WORDS[name]
    kept = new if (gain > 0) != (name in ("danger", "overrun")) else old
    about = kept[name].about or (old if kept is new else new)[name].about or "the enemy"
    return (better if gain > 0 else worse).format(about)


def _arriving(battle: Battle, action: Action) -> Prospect:
    return weights()["arrives"], "troops on to the table"


# --- fire, assaults --------------------------------------------------------------------------------------------------


def _shot(battle: Battle, action: Action) -> Prospect:
    """Weigh up a shot; one that may open the way for an assault on the same target comes before it."""
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
    """Return what a shot at a target is worth to a friend of ``unit`` who may assault it then, and who that is."""
    others = (u for u in idle(battle, unit.side, battle.clock.group) if u.id != unit.id and battle.has(u.id))
    worth, friend = max(chances_of(battle, others, target), key=lambda c: c[0], default=(0.0, None))
    return weights()["opens"] * worth, friend


def _shot_after(battle: Battle, unit: Unit) -> Part:
    """Return the best shot a unit has after deploying where it stands, for itself and for who may assault then."""
    shots = [(worth + _opened(battle, unit, enemy)[0], enemy) for worth, enemy in shots_after_deploying(battle, unit)]
    worth, target = max(shots, key=lambda pair: pair[0], default=(0.0, None))
    return Part() if target is None else Part(worth, target.called)


def _assault(battle: Battle, action: Action) -> Prospect:
    """Weigh up an assault: what it costs either side, and the ground it may clear."""
    results, target = results_of(battle, action) or (), battle.unit(str(action.target))
    cleared = sum(p for p, r in results if r.family == GIVES_WAY) * ground_under(battle, action.side, target)
    return _average(battle, action.side, results) + cleared, _clashed(battle, target, results)


def _clashed(battle: Battle, target: Unit, results: Iterable[tuple[float, Result]]) -> str:
    shares = dict[str, float]()
    for p, result in results:
        shares[result.family] = shares.get(result.family, 0.0) + p
    best = max((f for f in shares if f), key=lambda family: shares[family], default="")
    beaten = shares.get(GIVES_WAY, 0.0)
    more = "" if best in ("", GIVES_WAY) else f", {shares[best]:.0%} {best}"
    return f"{beaten:.0%} that {target.called} gives way{more}"


def _average(battle: Battle, side: str, results: Iterable[tuple[float, Result]]) -> float:
    return sum(p * (r.worth + _stake(battle, side, r)) for p, r in results)


def _stake(battle: Battle, side: str, result: Result) -> float:
    """Return what a result does to the nerve of both armies, for the good of ``side``."""
    gone = dict[str, tuple[int, int]]()
    for name, effect, _ in result.effects:
        unit = battle.unit(name)
        destroyed, demoralized = gone.get(unit.side, (0, 0))
        if effect == "removed":
            gone[unit.side] = destroyed + 1, demoralized - (unit.status == "demoralized")
        elif effect == "status:demoralized":
            gone[unit.side] = destroyed, demoralized + 1
    return sum(_shaken(battle, of, *more) * (-1.0 if of == side else 1.0) for of, more in sorted(gone.items()))


@cached_answer
def _shaken(battle: Battle, side: str, destroyed: int, demoralized: int) -> float:
    """Return what it costs an army that so many more of its units are destroyed, so many more demoralized."""
    form = army_morale.state(battle, side)
    after = {
        "destroyed": form["destroyed"] + destroyed,
        "demoralized_units": form["demoralized_units"] + demoralized,
    }
    return _strain({**form, **after}) - _strain(form)


def _strain(form: Mapping[str, Any]) -> float:
    """Return how near to breaking an army is, in bases: what is gone counts the more the more is gone."""
    gone, units = form["destroyed"] + form["demoralized_units"], form["units"]
    share = gone / units if units else 0.0
    nerve = weights()["army"] * min(1.0, share / whole().morale.half.value) ** 2
    return nerve + weights()["breaks"] * army_morale.breaking(form)


# --- regrouping, coming on, groups -----------------------------------------------------------------------------------


def _regrouped(battle: Battle, action: Action) -> Prospect:
    """Weigh up a regroup by what the unit is worth afterwards, where it stands then, and its army's nerve."""
    unit, there = battle.unit(str(action.unit)), posed(battle, action)
    before, statuses = unit.strength * rate(unit), whole().worth.status
    nerve = -_shaken(battle, unit.side, 0, -1) if unit.status == "demoralized" else 0.0
    gain = chance = 0.0
    for p, result in results_of(battle, action) or ():
        for _, effect, _ in result.effects:
            status = effect[len("status:") :]
            chance += p
            gain += p * (before * (statuses[status].value - statuses[unit.status].value) + nerve)
            gain += p * _reformed(battle, replace(unit, status=status), replace(there, status=status))
    return gain, f"{chance:.0%} to bring {unit.called} back, {gain:+.2f}"


def _reformed(battle: Battle, old: Unit, new: Unit) -> float:
    """Return what a regrouped unit's new formation and facing promise, more than its old ones do (TSE-REG-03)."""
    if pose_of(old) == pose_of(new):
        return 0.0
    return total(outlook(battle.with_unit(new), new)) - total(outlook(battle.with_unit(old), old))


def _chosen(battle: Battle, action: Action) -> Prospect:
    eager = eagerness(battle, members(battle, str(action.options["group"])))
    return eager.worth, f"it has most to do{', against ' + eager.about if eager.about else ''}"


# --- answers ---------------------------------------------------------------------------------------------------------


def _answered(battle: Battle, action: Action) -> Prospect:
    """Weigh up an answer: a countercharge by the side charged, a breakthrough by the side that charges."""
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


def _clash(battle: Battle, charge: calculator_form.Charge, countercharge: bool) -> Prospect:
    """Return what a charge is worth to who makes it, and what it may come to."""
    form = calculator_form.form_of(battle, charge, countercharge)
    action = Action(assault_resolve.ASSAULT, battle.unit(charge.unit).side, charge.unit, charge.target)
    courses = tuple(every_course(lambda chance: result_of(battle, action, calculator.assaulted(form, chance))))
    return _average(battle, action.side, courses), _clashed(battle, battle.unit(charge.target), courses)


#: Who weighs which kind of action; all others are worth nothing either way.
WEIGHED: dict[str, Callable[[Battle, Action], Prospect]] = {
    ANSWER: _answered,
    "choose": _chosen,
    "regroup": _regrouped,
    "route-march": _moved,
    "assault": _assault,
    **dict.fromkeys(FIRE, _shot),
    **dict.fromkeys(("deploy", "maneuver", "march", "square", "general"), _moved),
}
