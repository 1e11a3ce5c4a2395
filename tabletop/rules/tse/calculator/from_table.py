"""The calculator's form filled in from the table, each field with its source in words (TSE-APP-01, TSE-APP-03).

The same functions fill in the forms of a battle being played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.naming import in_order
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Reason
from tabletop.rules.calculator import Filled
from tabletop.rules.tse.assault import calculator_form
from tabletop.rules.tse.assault import resolve as assault_resolve
from tabletop.rules.tse.assault.calculator_form import bases_so_far
from tabletop.rules.tse.command.judge import nearest_general
from tabletop.rules.tse.command.orders import ORDERED, general_near
from tabletop.rules.tse.fire import resolve as fire_resolve
from tabletop.rules.tse.fire.resolve import named
from tabletop.rules.tse.morale import army_morale

FIRE = (fire_resolve.DEPLOYED, fire_resolve.ADVANCING)


def filled(battle: Battle, button: str, action: str | None, unit: str, target: str | None) -> Mapping[str, Filled]:
    """Return the fields of a button, or of an action for the button ``result``, taken from the table.

    Raises BadQuestion if that is impossible: there is no target, the unit is a general, no path leads to the target.
    """
    actor = battle.unit(unit)
    if button == "result":
        return _OF[str(action)](battle, actor, target) if action in _OF else {}
    return _BUTTONS[button](battle, actor)


def _troops(battle: Battle, unit: Unit) -> Unit:
    if unit.is_general:
        raise BadQuestion(f"{unit.called} is a general: choose a unit")
    return unit


def _aimed(battle: Battle, unit: Unit, target: str | None) -> Unit:
    _troops(battle, unit)
    if target is None:
        raise BadQuestion("choose an enemy: point at him")
    return _troops(battle, battle.unit(target))


# --- orders and regrouping -------------------------------------------------------------------------------------------


def _ordered(battle: Battle, unit: Unit, target: str | None) -> Mapping[str, Filled]:
    """Return the form of an action that only needs orders (TSE-ORD-01, TSE-ORD-03)."""
    return _with(_troops(battle, unit), {"general_near": _near(battle, unit)})


def _regroup(battle: Battle, unit: Unit, target: str | None) -> Mapping[str, Filled]:
    """Return the form of a regroup (TSE-REG-02, TSE-REG-05)."""
    demoralized = Filled(unit.status == "demoralized", _state(unit))
    return _with(_troops(battle, unit), {"demoralized": demoralized, "general_near": _near(battle, unit)})


def _with(unit: Unit, fields: Mapping[str, Filled]) -> dict[str, Filled]:
    return {"actor": Filled(named(unit), unit.called), **fields}


def _near(battle: Battle, unit: Unit) -> Filled:
    nearest = nearest_general(battle, unit)
    source = "no general on the table"
    if nearest is not None:
        source = f"{nearest[0].called} is {nearest[1]:.2f} {battle.table.unit} from {unit.called}"
    return Filled(general_near(battle, unit), source)


def _state(unit: Unit) -> str:
    return f"{unit.called} is {in_order(unit)}"


# --- fire and assault ------------------------------------------------------------------------------------------------


def _fire(action: str) -> Callable[[Battle, Unit, str | None], Mapping[str, Filled]]:
    def facts(battle: Battle, unit: Unit, target: str | None) -> Mapping[str, Filled]:
        """Return the form of a shot (TSE-FIR-14..21)."""
        aim = _aimed(battle, unit, target)
        form = fire_resolve.form_of(battle, Action(action, unit.side, unit.id, aim.id))
        verdict = fire_resolve.measured(battle, unit.id, aim.id)
        far, against = verdict.measured["range"], verdict.measured["cover"]
        sources = {
            **_sources(unit, aim),
            "range": "no line of fire" if far is None else f"measured {far:.2f} {battle.table.unit}",
            "cover": _cover(verdict.because, against),
            "odds": f"{unit.strength} bases against {aim.strength}",
        }
        return _sourced(form, sources)

    return facts


def _assault(battle: Battle, unit: Unit, target: str | None) -> Mapping[str, Filled]:
    """Return the form of an assault (TSE-ASL-13, TSE-ASL-30..35)."""
    aim = _aimed(battle, unit, target)
    if not calculator_form.measured(battle, unit.id, aim.id).measured.get("path"):
        raise BadQuestion(f"{unit.called} has no way to {aim.called}")
    charge = calculator_form.charge_of(battle, unit.id, aim.id)
    form = calculator_form.form_of(battle, charge, calculator_form.may_countercharge(battle, charge))
    bases = bases_so_far(battle, charge)
    helped = f", {bases - unit.strength} that assaulted before" if bases > unit.strength else ""
    sources = {
        **_sources(unit, aim),
        "cover": f"as the path meets {aim.called}",
        "odds": f"{unit.strength} bases{helped} against {aim.strength}",
        "general_near": _near(battle, unit).source,
        "frontal": f"the path {'crosses' if charge.frontal else 'does not cross'} the arc of {aim.called}",
        "target_demoralized": _state(aim),
        "countercharge": f"{aim.called} {'may ride' if form['countercharge'] else 'does not ride'} to meet it",
        "supported": f"{'guns stand' if form['supported'] else 'no guns'} beside {aim.called}",
    }
    return _sourced(form, sources)


def _sources(unit: Unit, aim: Unit) -> dict[str, str]:
    return {
        "actor": unit.called,
        "target": aim.called,
        "target_formation": f"as {aim.called} stands",
        "actor_disordered": _state(unit),
        "target_disordered": _state(aim),
    }


def _cover(because: tuple[Reason, ...], cover: object) -> str:
    """Return, in words, why the target has its cover: the reason that cites a rule of cover, if there is one."""
    cited = next((reason.text for reason in _flat(because) if "-COV-" in reason.rule), None)
    return cited or ("nothing covers it" if cover in (None, "none") else f"{cover} cover")


def _flat(because: tuple[Reason, ...]) -> list[Reason]:
    return [nested for reason in because for nested in (reason, *_flat(reason.parts))]


def _sourced(form: Mapping[str, Any], sources: Mapping[str, str]) -> dict[str, Filled]:
    return {name: Filled(value, sources.get(name, "")) for name, value in form.items()}


_OF: Mapping[str, Callable[[Battle, Unit, str | None], Mapping[str, Filled]]] = {
    **dict.fromkeys((kind for kind in ORDERED if kind != assault_resolve.ASSAULT), _ordered),
    **{kind: _fire(kind) for kind in FIRE},
    assault_resolve.ASSAULT: _assault,
    "regroup": _regroup,
}


# --- the other buttons -----------------------------------------------------------------------------------------------


def _initiative(battle: Battle, unit: Unit) -> Mapping[str, Filled]:
    return {}


def _overrun(battle: Battle, unit: Unit) -> Mapping[str, Filled]:
    """Return the form for an overrun: the troops that overrun a general (TSE-LDR-07)."""
    return {"mover": Filled(named(_troops(battle, unit)), unit.called)}


def _morale(battle: Battle, unit: Unit) -> Mapping[str, Filled]:
    """Return the form for army morale: the army's losses (TSE-MOR-01)."""
    form = army_morale.state(battle, unit.side)
    return {name: Filled(value, f"counted: the army of the {unit.side}") for name, value in form.items()}


_BUTTONS: Mapping[str, Callable[[Battle, Unit], Mapping[str, Filled]]] = {
    "initiative": _initiative,
    "overrun": _overrun,
    "morale": _morale,
}
