"""The record of There Stand Empires: its words, its rulings, and the function behind each question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tabletop.battle.unit import Unit
from tabletop.rules.rule_set import Question, RuleSet, entry_at_edge, late, read_options, read_rulings
from tabletop.rules.tse.tables import troops

if TYPE_CHECKING:
    from tabletop.rules.calculator import Calculator
    from tabletop.rules.play import Play

HERE = "tabletop.rules.tse"


def _muster(entry: Mapping[str, Any], rulings: Mapping[str, Any]) -> Unit:
    """Import at the first unit: a listing of the rulings needs no layouts."""
    from tabletop.rules.tse.muster import muster

    return muster(entry, rulings)


def _actions(unit: Unit) -> tuple[str, ...]:
    """Generals move in any direction (TSE-ACT-02); units by the actions of TSE-ACT-10, -20, -30, -70."""
    if unit.is_general:
        return ("general",)
    square = ("square",) if troops()[unit.troop].family == "infantry" else ()
    return ("maneuver", "march", "deploy", *square)


def _play() -> Play:
    """Import at the first battle: a judge needs no game."""
    from tabletop.rules.tse.game import PLAY

    return PLAY


def _calculator() -> Calculator:
    """Import when asked: a judge needs no calculator."""
    from tabletop.rules.tse.game_app import CALCULATOR

    return CALCULATOR


def _arriving(entry: Mapping[str, Any], at: tuple[float, float], facing: float) -> Mapping[str, Any]:
    """Enter in march column where the scenario says, the head's front edge on the table's edge.

    TSE-ACT-80, TSE-ACT-82, TSE-ACT-83.
    """
    found = entry_at_edge(entry, at, facing)
    if entry.get("troop") == "general":
        return found
    kept = {key: value for key, value in found.items() if key not in ("front", "bend", "reference")}
    return {**kept, "formation": "march-column"}


RULES = RuleSet(
    name="tse",
    title="There Stand Empires",
    unit="in",
    rulings=read_rulings(HERE),
    vocabulary={
        "troop": tuple(troops()),
        "quality": ("elite", "veteran", "average", "poor"),
        "formation": ("deployed", "maneuver-column", "march-column", "square"),
        "status": ("ok", "disordered", "demoralized"),
        "rank": ("army", "corps", "division"),
    },
    muster=_muster,
    actions=_actions,
    play=_play,
    calculator=_calculator,
    on_the_spot=("deploy", "square"),
    options=read_options(HERE),
    arriving=_arriving,
    versions={"rules": 2, "model": 2},
    questions={
        "distance": Question(late("tabletop.rules.common.distance:distance"), 2, flips=False),
        "line": Question(late(f"{HERE}.between_points:line"), 0),
        "ground": Question(late(f"{HERE}.ground_seen:ground"), 1, flips=False),
        "los": Question(late(f"{HERE}.sight:los"), 2, rays=16, grows=(0, 1)),
        "arc": Question(late(f"{HERE}.arc:arc"), 2),
        "field": Question(late(f"{HERE}.field_of_fire:field"), 1, flips=False),
        "fire": Question(late(f"{HERE}.fire:fire"), 2, rays=16, stride=2, grows=(1,), loosens=(0,)),
        "zone": Question(late(f"{HERE}.zone_of_control:zone"), 1, flips=False),
        "move": Question(late(f"{HERE}.movement:move"), 1, rays=8, turns=late(f"{HERE}.traced_ground:move_turns")),
        "reach": Question(late(f"{HERE}.movement:reach"), 1, flips=False),
        "assault": Question(late(f"{HERE}.assault:assault"), 2, rays=16, stride=2),
        "breakthrough": Question(late(f"{HERE}.breakthrough_question:breakthrough"), 2, rays=16, stride=2),
        "fallback": Question(
            late(f"{HERE}.fall_back:fallback"),
            1,
            rays=8,
            stride=3,
            turns=late(f"{HERE}.traced_ground:fall_back_turns"),
        ),
        "command": Question(late(f"{HERE}.command:command"), 1),
        "cover": Question(late(f"{HERE}.cover:cover"), 1, rays=16, stride=2),
    },
)
