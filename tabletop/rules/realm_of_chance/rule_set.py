"""The ``RuleSet`` record of Realm of Chance: its words, its rulings, and the function for each question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tabletop.battle.unit import Unit
from tabletop.rules.realm_of_chance.tables import rows, troops
from tabletop.rules.rule_set import Question, RuleSet, late, read_options, read_rulings

if TYPE_CHECKING:
    from tabletop.rules.play import Play

HERE = "tabletop.rules.realm_of_chance"


def _muster(entry: Mapping[str, Any], rulings: Mapping[str, Any]) -> Unit:
    """Return a unit; imported at the first one, since a listing of rulings needs no layouts."""
    from tabletop.rules.realm_of_chance.muster import muster

    return muster(entry, rulings)


def _actions(unit: Unit) -> tuple[str, ...]:
    """Return the kinds of move of a unit, then the formations it may form (ROC-MOV-01, ROC-FRM-01)."""
    from tabletop.rules.realm_of_chance.movement.layouts import OF_ARM
    from tabletop.rules.realm_of_chance.movement.legality import kinds_for
    from tabletop.rules.realm_of_chance.tables import arm

    return (*kinds_for(unit), *OF_ARM.get(arm(unit), ()))


def _arriving(entry: Mapping[str, Any], at: tuple[float, float], facing: float) -> Mapping[str, Any]:
    from tabletop.rules.realm_of_chance.movement.arrivals import arriving

    return arriving(entry, at, facing)


def _play() -> Play:
    """Return the ``Play`` record; imported at the first battle, since a judge needs no game."""
    from tabletop.rules.realm_of_chance.game import PLAY

    return PLAY


RULES = RuleSet(
    name="realm-of-chance",
    title="Realm of Chance",
    unit="mm",
    rulings=read_rulings(HERE),
    vocabulary={
        "troop": tuple(troops()),
        "quality": tuple(dict.fromkeys(quality for _, quality in rows())),
        "formation": ("line", "column", "square", "garrison", "unlimbered", "limbered"),
        "status": ("ok", "disrupted", "routing"),
    },
    muster=_muster,
    actions=_actions,
    play=_play,
    on_the_spot=("line", "column", "square", "garrison", "unlimbered", "limbered"),
    options=read_options(HERE),
    arriving=_arriving,
    endangered=late(f"{HERE}.questions.next_turn:endangered"),
    versions={"rules": 2},
    questions={
        "distance": Question(late("tabletop.rules.common.distance:distance"), 2, flips=False),
        "los": Question(
            late(f"{HERE}.sight.judge:los"),
            2,
            loosens=(0, 1),
            shrinks=(0, 1),
            dear=12.0,
            influence=late(f"{HERE}.questions.influence:between"),
        ),
        "field": Question(late(f"{HERE}.fire.field_of_fire:field"), 1, flips=False),
        "fire": Question(
            late(f"{HERE}.fire.judge:fire"),
            2,
            dear=12.0,
            attributes=late(f"{HERE}.questions.influence:of_fire"),
            influence=late(f"{HERE}.questions.influence:between"),
        ),
        "assault": Question(
            late(f"{HERE}.combat.judge:assault"),
            2,
            dear=6.0,
            attributes=late(f"{HERE}.questions.influence:of_assault"),
            influence=late(f"{HERE}.questions.influence:about_two"),
        ),
        "zones": Question(late(f"{HERE}.combat.zones:zones"), 1, flips=False),
        "reach": Question(late(f"{HERE}.movement.reach:reach"), 1, flips=False),
        "move": Question(
            late(f"{HERE}.movement.judge:move"),
            1,
            dear=4.0,
            influence=late(f"{HERE}.questions.influence:on_the_way"),
        ),
    },
)
