"""The calculator of a rule set of the family, with a sheet for everything its rules look up in tables or throw for."""

from __future__ import annotations

from collections.abc import Callable

from tabletop.battle.dice import Chance
from tabletop.rules.ages.calculator import answers, bases, crisis_of_modules, from_table
from tabletop.rules.ages.calculator.forms import fields, needs
from tabletop.rules.ages.tables import Profile
from tabletop.rules.calculator import Answer, Calculator
from tabletop.rules.common.calculators import Filler, Form, Sheet, Sheets, unfilled
from tabletop.rules.rule_set import find

COMBAT = (
    "attacker", "defender", "defender_formation", "defender_state", "attacker_state", "attacker_bases",
    "defender_bases", "further_strength", "arms", "direction", "attacker_ground", "defender_ground", "charging",
    "first_contact", "attacker_general", "defender_general",
)  # fmt: skip


def calculator_of(profile: Profile) -> Calculator:
    """Return the calculator of a rule set.

    Source: ROC-CBT-11, ROC-ART-03, ROC-RAL-01, ROC-CTL-01, ROC-ORD-01, AGE-CRI-02, SQP-TST-01.

    >>> from tabletop.rules.realm_of_chance.profile import PROFILE
    >>> sorted(calculator_of(PROFILE).actions)[:2]
    ['bombard', 'combat']
    """
    rules = find(profile.name)
    of_modules = crisis_of_modules.fields("crisis_of_morale" in rules.rulings)
    form_fields = {**fields(profile), **{field.name: field for field in of_modules}}
    helped = ("general",) if rules.rulings["control_general"].default else ()

    def sheet(
        label: str,
        names: tuple[str, ...],
        answer: Callable[[Profile, Form], Callable[[Chance], Answer]],
        filled: Filler = unfilled,
    ) -> Sheet:
        rests_on = bases.OF[answer]
        return Sheet(
            label,
            tuple(form_fields[name] for name in names),
            lambda form: answer(profile, form),
            filled,
            basis=lambda form: rests_on(profile, form),
        )

    actions = {
        "bombard": sheet(
            "Bombard (artillery fire)",
            ("guns", "range", "defender_formation", "defender_state"),
            answers.fired,
            from_table.shot,
        ),
        "combat": sheet("Combat", COMBAT, answers.fought, from_table.combat),
        "rally": sheet(
            "Rally, or halt a rout", ("unit", "unit_state", "general", "exposed"), answers.rallied, from_table.rally
        ),
        "control": sheet("Control after a victory", ("unit", *helped), answers.controlled, from_table.control),
    }
    crisis = ("army_bases", "army_lost", "disrupted", *(field.name for field in of_modules))
    buttons = {
        "order": sheet("Order brought by a messenger", (), answers.ordered),
        "morale": sheet("Morale in a crisis", crisis, answers.in_crisis, from_table.crisis),
    }
    return Sheets(actions, buttons, {**needs(profile), **crisis_of_modules.needs()}).calculator(rules.title)
