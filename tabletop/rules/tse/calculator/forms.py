"""The calculator's forms: the fields, their possible values, and the fields of each action.

They are plain data, so that the table, a prompt, a line of options and a file all fill in the same form (TSE-APP-01,
TSE-APP-03, TSE-APP-05).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.errors import BadQuestion
from tabletop.rules.calculator import Field
from tabletop.rules.common.calculators import checked
from tabletop.rules.tse.calculator.model_data import BANDS, COVERS, FORMATIONS, ODDS, QUALITIES, TROOPS, YES_NO
from tabletop.rules.tse.tables import troop

#: The range of a shot that is farther than any band (TSE-APP-08).
BEYOND = "beyond"
SIDES = ("attacker", "defender")


def kinds(*families: str) -> tuple[str, ...]:
    """Return the calculator's names for troops, such as "elite infantry", with the quality first if they have one."""
    names = []
    for name in TROOPS:
        if not families or troop(name).family in families:
            names += [f"{quality} {name}" for quality in QUALITIES] if troop(name).graded else [name]
    return tuple(names)


def _yes(name: str, label: str, rule: str) -> Field:
    return Field(name, label, YES_NO, rule, False)


FIELDS: Mapping[str, Field] = {
    field.name: field
    for field in (
        Field("actor", "Actor", kinds(), "TSE-APP-01"),
        Field("target", "Target", kinds(), "TSE-APP-01"),
        Field("target_formation", "Target formation", FORMATIONS, "TSE-FIR-21"),
        Field("cover", "Cover", COVERS, "TSE-COV-01", "none"),
        Field("range", "Range", (*BANDS, BEYOND), "TSE-FIR-04", BANDS[0]),
        _yes("actor_disordered", "Actor disordered", "TSE-STS-09"),
        _yes("target_disordered", "Target disordered or demoralized", "TSE-STS-09"),
        Field("odds", "Outnumbering", ODDS, "TSE-FIR-15", "forces-even"),
        # Prompts, mostly yes or no, which are asked after the fields (TSE-APP-05).
        _yes("general_near", "Is a friendly general within 6 in of the actor?", "TSE-ORD-03"),
        Field("frontal", "Does the assault path cross the target's arc?", YES_NO, "TSE-ASL-08", True),
        _yes("target_demoralized", "Is the target demoralized?", "TSE-ASL-11"),
        _yes("countercharge", "Does the target's cavalry countercharge?", "TSE-ASL-60"),
        _yes("supported", "Do guns beside the target share in its defence?", "TSE-ASL-43"),
        _yes("demoralized", "Is the unit demoralized?", "TSE-REG-02"),
        _yes("senior_lost", "Has the army lost its senior general?", "TSE-MOR-06"),
        Field("destroyed", "Units destroyed", (), "TSE-MOR-01"),
        Field("demoralized_units", "Units demoralized", (), "TSE-MOR-01"),
        Field("units", "Units in the order of battle", (), "TSE-MOR-01"),
        Field("mover", "Who runs over him", kinds("infantry", "cavalry", "artillery", "transport"), "TSE-LDR-07"),
    )
}


@dataclass(frozen=True)
class Action:
    """One action of the calculator: its label, the families of troops that take it, its fields and prompts."""

    label: str
    actors: tuple[str, ...]
    fields: tuple[str, ...] = ("actor",)
    prompts: tuple[str, ...] = ()
    rule: str = "TSE-APP-06"


_COMBAT = ("actor", "target", "target_formation", "cover")
_STATES = ("actor_disordered", "target_disordered", "odds")
_FIRERS = ("infantry", "artillery")
_EVERYBODY = ("infantry", "cavalry", "artillery", "transport")
#: The actions of the Result function and their fields (TSE-APP-03).
ACTIONS: Mapping[str, Action] = {
    "deploy": Action("Deploy, or maneuver in line", _EVERYBODY, prompts=("general_near",)),
    "maneuver": Action("Maneuver in column", _EVERYBODY, prompts=("general_near",)),
    "march": Action("March", _EVERYBODY, prompts=("general_near",)),
    "square": Action("Form square", ("infantry",), prompts=("general_near",), rule="TSE-ACT-32"),
    "deployed-fire": Action("Deployed fire", _FIRERS, (*_COMBAT, "range", *_STATES), rule="TSE-ACT-40"),
    "advancing-fire": Action("Advancing fire", _FIRERS, (*_COMBAT, "range", *_STATES), rule="TSE-ACT-50"),
    "assault": Action(
        "Assault",
        ("infantry", "cavalry"),
        (*_COMBAT, *_STATES),
        ("general_near", "frontal", "target_demoralized", "countercharge", "supported"),
        "TSE-ACT-60",
    ),
    "regroup": Action("Regroup", _EVERYBODY, prompts=("demoralized", "general_near"), rule="TSE-ACT-90"),
}

#: The calculator's four functions and their fields; those of Result depend on the action (TSE-APP-01).
FUNCTIONS: Mapping[str, tuple[str, ...]] = {
    "initiative": (),
    "result": (),
    "overrun": ("mover",),
    "morale": ("destroyed", "demoralized_units", "units", "senior_lost"),
}


def used(action: str) -> tuple[Field, ...]:
    """Return the fields and prompts of an action, in the order asked; BadQuestion for an unknown action."""
    row = action_row(action)
    return tuple(FIELDS[name] for name in (*row.fields, *row.prompts))


def action_row(action: str) -> Action:
    """Return the record of an action; BadQuestion, with the nearest name, for an unknown one."""
    if action not in ACTIONS:
        near = difflib.get_close_matches(str(action), ACTIONS, 1)
        hint = f"; did you mean '{near[0]}'?" if near else f"; there are: {', '.join(ACTIONS)}"
        raise BadQuestion(f"no action '{action}'{hint}")
    return ACTIONS[action]


def applies(name: str, form: Mapping[str, Any]) -> bool:
    """Return whether a prompt needs to be asked, given the fields so far (TSE-APP-05).

    Only cavalry charged by cavalry is asked for a countercharge, for instance.
    """
    actor, target = (str(form.get(key, "")).split()[-1:] for key in ("actor", "target"))
    mounted = [bool(t) and troop(t[0]).family == "cavalry" for t in (actor, target)]
    return {
        "countercharge": all(mounted) and bool(form.get("frontal", True)) and not form.get("target_disordered"),
        "target_demoralized": bool(form.get("target_disordered")),
        "supported": bool(target) and troop(target[0]).family == "infantry",
    }.get(name, True)


def filled(action: str, form: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields and prompts that the action uses, checked; other fields are ignored (TSE-APP-03).

    A missing field takes its default, if it has one. Raises BadQuestion, naming the field, its value and the possible
    ones, for a field that is missing or wrong.
    """
    row = action_row(action)
    facts = dict(_checked(used(action), form))
    troops = str(facts["actor"]).split()[-1]
    if troop(troops).family not in row.actors:
        raise BadQuestion(f"{troops} never takes the action '{action}' ({row.rule}); it is for {', '.join(row.actors)}")
    for name in row.prompts:
        if not applies(name, facts):
            facts[name] = FIELDS[name].usual
    return facts


def _checked(fields: tuple[Field, ...], form: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for field in fields:
        yield field.name, checked(field, form.get(field.name))
