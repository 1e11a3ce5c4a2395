"""The ``RuleSet`` record of There Stand Empires: its words, its rulings, and the function for each question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tabletop.battle.unit import Unit
from tabletop.rules.common.looks import Condition, Looks
from tabletop.rules.rule_set import Question, RuleSet, entry_at_edge, late, read_options, read_rulings
from tabletop.rules.tse.tables import troops
from tabletop.rules.tse.wordings import WORDINGS

if TYPE_CHECKING:
    from tabletop.rules.calculator import Calculator
    from tabletop.rules.play import Play

HERE = "tabletop.rules.tse"


def _muster(entry: Mapping[str, Any], rulings: Mapping[str, Any]) -> Unit:
    """Return a unit; the import waits for the first one, since listing rulings needs no layouts."""
    from tabletop.rules.tse.muster import muster

    return muster(entry, rulings)


def _actions(unit: Unit) -> tuple[str, ...]:
    """Return the kinds of move open to a general (TSE-ACT-02) or a unit (TSE-ACT-10, -20, -30, -70)."""
    if unit.is_general:
        return ("general",)
    square = ("square",) if troops()[unit.troop].family == "infantry" else ()
    return ("maneuver", "march", "deploy", *square)


def _play() -> Play:
    """Return the ``Play`` record; the import waits for the first battle, since judging needs no game."""
    from tabletop.rules.tse.game import PLAY

    return PLAY


def _calculator() -> Calculator:
    """Return the calculator; imported on demand, since judging needs none."""
    from tabletop.rules.tse.calculator.game_app import CALCULATOR

    return CALCULATOR


def _influence(name: str) -> Any:
    """Return the zone-of-influence function of this name, imported when a margin is searched for."""
    return late(f"{HERE}.questions.influence:{name}")


def _arriving(entry: Mapping[str, Any], at: tuple[float, float], facing: float) -> Mapping[str, Any]:
    """Return the entry for a unit that arrives: in march column, its front on the table's edge where it enters.

    TSE-ACT-80, TSE-ACT-82, TSE-ACT-83.
    """
    written = entry_at_edge(entry, at, facing)
    if entry.get("troop") == "general":
        return written
    unformed = {key: value for key, value in written.items() if key not in ("front", "bend", "reference")}
    return {**unformed, "formation": "march-column"}


RULES = RuleSet(
    name="tse",
    title="There Stand Empires",
    unit="in",
    charge="assault",
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
    shifts=("deploy",),
    ways={
        "maneuver": ("Maneuver", "Assume maneuver column, any facing, and move"),
        "march": ("March", "Assume march column and move; roads help"),
        "deploy": ("Deploy", "Form line: shift the reference base up to 1 in, turn with Q and E"),
        "square": ("Square", "Form square where it stands (infantry)"),
        "general": ("Ride", "A general rides in any direction"),
    },
    looks=Looks(
        conditions={"disordered": Condition.SHAKEN, "demoralized": Condition.BROKEN},
        ranks={"division": 2, "corps": 3, "army": 4},
        usual={"quality": "average", "rank": "division"},
        unready=("march-column",),
    ),
    options=read_options(HERE),
    arriving=_arriving,
    versions={"rules": 2, "model": 3},
    endangered=late(f"{HERE}.questions.next_turn:endangered"),
    questions={
        "distance": Question(late("tabletop.rules.common.distance:distance"), 2, flips=False),
        "los": Question(
            late(f"{HERE}.sight.judge:los"),
            2,
            grows=(0, 1),
            surely=late(f"{HERE}.sight.judge:is_seen"),
            influence=_influence("between"),
        ),
        "arc": Question(late(f"{HERE}.fire.arc:arc"), 2, influence=_influence("nothing_else"), wording=WORDINGS["arc"]),
        "fire": Question(
            late(f"{HERE}.fire.judge:fire"),
            2,
            attributes=late(f"{HERE}.questions.attributes:of_fire"),
            facts=late(f"{HERE}.questions.facts:of_fire"),
            surely=late(f"{HERE}.fire.judge:may_surely_fire"),
            dear=4.0,
            influence=_influence("in_the_way_of_fire"),
            grows=(1,),
            loosens=(0,),
            hopeless=late(f"{HERE}.questions.influence:out_of_range"),
            unmoved=("TSE-ACT-93", "TSE-ACT-91", "TSE-FIR-22", "TSE-FIR-24"),
        ),
        "assault": Question(
            late(f"{HERE}.assault.judge:assault"),
            2,
            attributes=late(f"{HERE}.questions.attributes:of_assault"),
            facts=late(f"{HERE}.questions.facts:of_assault"),
            dear=4.0,
            influence=late(f"{HERE}.questions.assault_influence:in_the_way_of_an_assault"),
            unmoved=("TSE-ACT-94", "TSE-ASL-82", "TSE-ASL-01", "TSE-ASL-50", "TSE-ASL-52"),
            hopeless=late(f"{HERE}.questions.influence:out_of_reach"),
            hopeless_too=("in_reach",),
        ),
        "breakthrough": Question(
            late(f"{HERE}.assault.judge_breakthrough:breakthrough"),
            2,
            attributes=late(f"{HERE}.questions.attributes:of_assault"),
            facts=late(f"{HERE}.questions.facts:of_breakthrough"),
            dear=16.0,
            influence=late(f"{HERE}.questions.assault_influence:in_the_way_of_a_breakthrough"),
            unmoved=("TSE-ASL-82", "TSE-ASL-73"),
            hopeless=late(f"{HERE}.questions.influence:no_first_assault"),
            wording=WORDINGS["breakthrough"],
        ),
        "move": Question(
            late(f"{HERE}.movement.judge:move"),
            1,
            turns=late(f"{HERE}.questions.unaffected_rulings:move_turns"),
            attributes=late(f"{HERE}.questions.attributes:of_move"),
            facts=late(f"{HERE}.questions.facts:of_move"),
            dear=6.0,
            influence=_influence("on_the_way"),
            unmoved=("TSE-ACT-91",),
            hopeless=late(f"{HERE}.questions.influence:out_of_budget"),
            hopeless_too=("in_budget",),
        ),
        "reach": Question(late(f"{HERE}.movement.judge:reach"), 1, flips=False),
        "fallback": Question(
            late(f"{HERE}.morale.fall_back:fallback"),
            1,
            turns=late(f"{HERE}.questions.unaffected_rulings:fall_back_turns"),
            attributes=late(f"{HERE}.questions.attributes:of_fall_back"),
            facts=late(f"{HERE}.questions.facts:of_fall_back"),
            dear=10.0,
            influence=_influence("about"),
            wording=WORDINGS["fallback"],
        ),
        "cover": Question(
            late(f"{HERE}.fire.judge_cover:cover"),
            1,
            attributes=late(f"{HERE}.questions.attributes:of_cover"),
            facts=late(f"{HERE}.questions.facts:of_cover"),
            dear=6.0,
            influence=_influence("in_the_way_of_fire"),
            wording=WORDINGS["cover"],
        ),
        "command": Question(
            late(f"{HERE}.command.judge:command"),
            1,
            attributes=late(f"{HERE}.questions.attributes:of_command"),
            influence=_influence("generals"),
            wording=WORDINGS["command"],
        ),
        "zone": Question(late(f"{HERE}.movement.zone_of_control:zone"), 1, flips=False, wording=WORDINGS["zone"]),
        "field": Question(late(f"{HERE}.fire.field_of_fire:field"), 1, flips=False),
        "ground": Question(late(f"{HERE}.sight.ground_seen:ground"), 1, flips=False, wording=WORDINGS["ground"]),
        "line": Question(
            late(f"{HERE}.sight.between_points:line"),
            0,
            influence=_influence("points_between"),
            wording=WORDINGS["line"],
        ),
    },
)
