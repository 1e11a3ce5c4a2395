"""Where the numbers come from that each answer of the family's calculator is read from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabletop.rules.ages.calculator import answers
from tabletop.rules.ages.calculator.forms import NOBODY, split
from tabletop.rules.ages.calculator.scene import fight_of_form, shot_of_form
from tabletop.rules.ages.fire.judge import basis_of_shot
from tabletop.rules.ages.morale.status import ROUTING
from tabletop.rules.ages.tables import CAPTAIN, Profile
from tabletop.rules.common.calculators import Form


def of_combat(profile: Profile, form: Form) -> str:
    """Return the basis of a combat: strengths, odds and results, or the table of squares (ROC-CBT-11, ROC-SQR-01)."""
    return fight_of_form(profile, form).basis


def of_shot(profile: Profile, form: Form) -> str:
    """Return the basis of a shot: the table of the guns (ROC-ART-03)."""
    return basis_of_shot(shot_of_form(profile, form)[1])


def of_rally(profile: Profile, form: Form) -> str:
    """Return the basis of a throw to rally or to halt: its number, and what a general adds or suffers (ROC-RAL-01).

    A routing unit halts at a number of the rules, a disrupted one rallies at that of its row in the army tables.
    """
    needs = "rally.rout" if form["unit_state"] == ROUTING else _row(form)
    fire = [f"under_fire.{fate}" for fate in ("killed", "wounded", "shaken")] if form["exposed"] else []
    return profile.basis(needs, *_helped(form), *fire)


def of_control(profile: Profile, form: Form) -> str:
    """Return the basis of a control test: the number of the unit's row in the army tables (ROC-CTL-01)."""
    return profile.basis(_row(form), *_helped(form))


def of_order(profile: Profile, form: Form) -> str:
    """Return the basis of the throw for an order brought by a messenger (ROC-ORD-01)."""
    return profile.basis("orders.understood")


def of_crisis(profile: Profile, form: Form) -> str:
    """Return the basis of a crisis of morale: its marks and levels (AGE-CRI-02, AGE-CRI-03)."""
    return profile.basis("crisis.marks", "crisis.levels")


def _row(form: Form) -> str:
    troop, quality = split(str(form["unit"]))
    return f"{troop}.{quality}"


def _helped(form: Form) -> tuple[str, ...]:
    """Return the path of what the general adds who is with the unit; none without one."""
    general = str(form.get("general", NOBODY))
    return () if general == NOBODY else ("rally.captain" if general == CAPTAIN else "rally.general",)


#: The basis of each answer.
OF: Mapping[Callable[..., Any], Callable[[Profile, Form], str]] = {
    answers.fought: of_combat,
    answers.fired: of_shot,
    answers.rallied: of_rally,
    answers.controlled: of_control,
    answers.ordered: of_order,
    answers.in_crisis: of_crisis,
}
