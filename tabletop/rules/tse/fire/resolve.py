"""Fire as an action: judged by the question ``fire``, resolved by the calculator, carried out (TSE-FIR)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.common.ruled import ruled
from tabletop.rules.play import ActionKind, Result
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.calculator import calculator
from tabletop.rules.tse.calculator.forms import BEYOND
from tabletop.rules.tse.calculator.outnumbering import fire_box
from tabletop.rules.tse.computer.unit_value import result_of
from tabletop.rules.tse.fire.judge import fire
from tabletop.rules.tse.morale import army_morale
from tabletop.rules.tse.morale.effects import Blow, suffer
from tabletop.rules.tse.tables import troop
from tabletop.rules.tse.turn.answer_cache import cached_answer
from tabletop.rules.tse.turn.menu import MATRIX
from tabletop.rules.tse.turn.sequence import acted

DEPLOYED, ADVANCING = "deployed-fire", "advancing-fire"
#: The one rule a shot may break and still be declared; it is then wasted.
RANGE_RULE = "TSE-FIR-01"


def judge_fire(battle: Battle, action: Action) -> Verdict:
    """Return whether a unit may fire at a target in this way now (TSE-ACT-40..51, TSE-CMB-01..05, TSE-FIR-01..13).

    A shot out of range may be fired, but is wasted (TSE-FIR-09). Before the battle begins no unit may fire:

    >>> from tabletop.play.files.opened import open_battle
    >>> judge_fire(open_battle("starter"), Action("deployed-fire", "french", "morel-guns", "auer")).because[0].rule
    'TSE-TRN-04'
    """
    against = [r for r in _cheaply(battle, action) if not r.holds]
    if against:
        return ruled(battle, action, against)
    verdict = measured(battle, str(action.unit), str(action.target))
    wasted = _wasted(verdict)
    because = (wasted, *(r for r in verdict.because if r.holds)) if wasted else verdict.because
    holds = verdict.holds or wasted is not None
    return replace(verdict, question=action.kind, holds=holds, because=because, options=action.options)


@cached_answer
def measured(battle: Battle, unit: str, target: str) -> Verdict:
    """Return the verdict of the question ``fire``, cached (TSE-FIR-01..13); its lengths are in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> measured(open_battle("starter"), "kessler-guns", "daumas").holds
    True
    """
    return fire(battle, Request("fire", (unit, target)))


def _wasted(verdict: Verdict) -> Reason | None:
    """Return the reason why the shot is wasted if range alone forbids it, else None (TSE-FIR-09, TSE-APP-08)."""
    against = verdict.against
    if [r.rule for r in against] != [RANGE_RULE]:
        return None
    return replace(against[0], rule="TSE-FIR-09", holds=True)


def _cheaply(battle: Battle, action: Action) -> Iterator[Reason]:
    """Yield the reasons for and against this kind of fire that need no measuring: turn, formation, orders and so on."""
    yield from MATRIX[action.kind](battle, action)
    yield Reason("TSE-FIR-24", action.target is not None, "a shot needs a target")
    lost = battle.anyone(str(action.unit)).marks.get("lost_orders") and not battle.rulings["lost_orders_leave_fire"]
    yield Reason("TSE-CMB-05", not lost, f"{action.unit} has lost its orders and holds")


# --- the form and the result -----------------------------------------------------------------------------------------


def named(unit: Unit) -> str:
    """Return the calculator's name for a unit's troops (TSE-APP-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> named(open_battle("starter").unit("kessler-guns"))
    'light-foot-artillery'
    """
    return f"{unit.quality} {unit.troop}" if unit.quality else unit.troop


def form_of(battle: Battle, action: Action) -> dict[str, Any]:
    """Return the calculator's form for a shot, filled in from the table (TSE-FIR-14..21, TSE-FIR-27, TSE-STS-09).

    >>> from tabletop.play.files.opened import open_battle
    >>> form = form_of(open_battle("starter"), Action("deployed-fire", "austrian", "kessler-guns", "daumas"))
    >>> form["range"], form["cover"]
    ('6-9', 'none')
    """
    unit, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    verdict = measured(battle, unit.id, target.id)
    reach = troop(unit.troop).range or 0.0
    distance = verdict.measured["range"]
    beyond = distance is None or not battle.tape.at_most(distance, reach * battle.scale)
    return {
        "actor": named(unit),
        "target": named(target),
        "target_formation": target.formation,
        "cover": verdict.measured["cover"] or "none",
        "range": BEYOND if beyond else verdict.measured["band"],
        "actor_disordered": unit.status != "ok",
        "target_disordered": target.status != "ok",
        "odds": fire_box(unit.strength, target.strength),
    }


def resolve_fire(unfolding: Unfolding, action: Action) -> None:
    """Fire: the shot uses up the action and affects only the target (TSE-FIR-19, TSE-FIR-23, TSE-ACT-96)."""
    form = form_of(unfolding.battle, action)
    result = calculator.fired(action.kind, form, unfolding)
    unit, target = str(action.unit), str(action.target)
    values = {"form": form, "result": result.outcome, "words": dict(result.words)}
    unfolding.tell(action.kind, values, unit, target, ("TSE-FIR-23", "TSE-APP-09"))
    acted(unfolding, unit)
    for effects in result.target:
        suffer(unfolding, target, effects, Blow(unfolding.unit(unit)))
    army_morale.check(unfolding)


def reckon_fire(battle: Battle, action: Action, chance: Chance) -> Result:
    """Return the result of a shot for one course of chance."""
    result = calculator.fired(action.kind, form_of(battle, action), chance)
    return result_of(battle, action, result)


KINDS = (
    ActionKind(
        DEPLOYED,
        "Deployed fire",
        judge_fire,
        resolve_fire,
        reckon_fire,
        ("unit", "target"),
        ("TSE-ACT-40", "TSE-ACT-41"),
    ),
    ActionKind(
        ADVANCING,
        "Advancing fire",
        judge_fire,
        resolve_fire,
        reckon_fire,
        ("unit", "target"),
        ("TSE-ACT-50", "TSE-ACT-51"),
    ),
)
