"""The ``RuleSet`` record of a rule set of the family: its words, its rulings, and the function for each question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from tabletop.battle.saying import Saying
from tabletop.battle.unit import Unit
from tabletop.rules.ages import cites
from tabletop.rules.ages.tables import CAPTAIN, STANCES, Profile
from tabletop.rules.asked import ONE, USUAL, Wording
from tabletop.rules.common import headlines
from tabletop.rules.common.data import rows_of
from tabletop.rules.common.keyed_option import KeyedOption
from tabletop.rules.common.looks import Condition
from tabletop.rules.common.pikes import PikeAndShot
from tabletop.rules.rule_set import Question, RuleSet, Ruling, late

if TYPE_CHECKING:
    from tabletop.rules.calculator import Calculator
    from tabletop.rules.play import Play

HERE = "tabletop.rules.ages"
Made = TypeVar("Made")


def rows_in(profile: Profile, make: Callable[..., Made], name: str) -> dict[str, Made]:
    """Return the rows of a data file in the profile's packages, by name."""
    rows: dict[str, Made] = {}
    for data in profile.data(name):
        rows |= rows_of(make, data)
    return rows


def _actions(unit: Unit) -> tuple[str, ...]:
    """Return the kinds of move of a unit, then the formations it may form (ROC-MOV-01, ROC-FRM-01)."""
    from tabletop.rules.ages.movement.layouts import formations
    from tabletop.rules.ages.movement.move_kinds import kinds_for

    return (*kinds_for(unit), *formations(unit))


def _arriving(entry: Mapping[str, Any], at: tuple[float, float], facing: float) -> Mapping[str, Any]:
    from tabletop.rules.ages.movement.arrivals import arriving

    return arriving(entry, at, facing)


def rule_set_of(profile: Profile, title: str, version: int) -> RuleSet:
    """Return the record of a rule set of the family, with the rulings and options of its own folder (ROC-SCA-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.tables import profile_of
    >>> rules = rule_set_of(profile_of(open_battle("drill-ground")), "Realm of Chance", 1)
    >>> rules.unit, sorted(rules.questions)
    ('mm', ['assault', 'distance', 'field', 'fire', 'los', 'move', 'reach', 'serve', 'zones'])
    """

    def muster(entry: Mapping[str, Any], rulings: Mapping[str, Any]) -> Unit:
        from tabletop.rules.ages.muster import muster as mustered  # a listing of rulings needs no layouts

        return mustered(profile, entry, rulings)

    def play() -> Play:
        from tabletop.rules.ages.game import play_of  # a judge needs no game

        return play_of(profile)

    def calculator() -> Calculator:
        from tabletop.rules.ages.calculator.calculator import calculator_of  # nor has it any use for a calculator

        return calculator_of(profile)

    formations = ("line", "column", "square", "garrison", "unlimbered", "limbered")
    return RuleSet(
        name=profile.name,
        title=title,
        unit="mm",
        rulings=rows_in(profile, Ruling, "rulings.toml"),
        vocabulary={
            "troop": tuple(profile.troops),
            "quality": tuple(dict.fromkeys(quality for _, quality in profile.rows)),
            "formation": formations,
            "status": ("ok", "disrupted", "routing", "abandoned"),
            **({"rank": (CAPTAIN,)} if "captain" in profile.tables["rally"] else {}),
            **({"stance": STANCES} if profile.tables["orders"].get("formations") else {}),
        },
        muster=muster,
        actions=_actions,
        play=play,
        calculator=calculator,
        looks=PikeAndShot(
            conditions={"disrupted": Condition.SHAKEN, "routing": Condition.BROKEN},
            unready=("garrison",),
            pikes=tuple(profile.tables.get("looks", {}).get("pikes", ())),
        ),
        on_the_spot=(*formations, "dismounted", "mounted"),
        options=rows_in(profile, KeyedOption, "options.toml"),
        arriving=_arriving,
        endangered=late(f"{HERE}.questions.next_turn:endangered"),
        versions={"rules": version},
        questions={name: cites.question(profile, question) for name, question in QUESTIONS.items()},
        profile=profile,
        packages=profile.packages,
    )


def _reached(saying: Saying) -> str:
    """Return a sentence saying how much ground a unit can reach; by a charge only if an enemy is near there."""
    if saying.verdict.options.get("as") != "charge":
        return headlines.reach(saying)
    if not all(saying.verdict.because):
        return f"{saying.a} can reach nothing by a charge{saying.why_not()}"
    return f"{headlines.reach(saying).removesuffix('.')}, provided that an enemy is then within its reach."


def service(saying: Saying) -> str:
    """Return a sentence saying whether a unit may serve guns whose crew has run (SQP-TST-08)."""
    if saying.verdict.holds:
        return f"Yes. {saying.a} may serve {saying.b}: it touches the guns."
    return f"No. {saying.a} may not serve {saying.b}{saying.why_not()}"


def attack(saying: Saying) -> str:
    """Return a sentence saying whether one unit may attack another, and whether from the front if that is told apart.

    Cavalry has no front or flank to strike at a square (ROC-SQR-01).
    """
    if not saying.verdict.holds or saying.got("frontal") is not None:
        return headlines.assault(saying)
    return f"Yes. {saying.a} may assault {saying.b}, which has neither flank nor rear."


#: No order is delayed in these rules: what is asked has no such tick.
ATTACK = replace(USUAL["assault"], headline=attack, ticks=())
ZONES = Wording("Zones", "Its front, flanks and rear", ONE, sentence="Where are the front, flanks and rear of {0}?")
SERVE = Wording(
    "Serve",
    "May it serve guns whose crew has run?",
    (("unit", "Click who would serve the guns."), ("unit", "Now the guns.")),
    sentence="May {0} serve {1}?",
    headline=service,
)
REACH = replace(USUAL["reach"], headline=_reached, ticks=())
MOVE = replace(USUAL["move"], ticks=())
QUESTIONS = {
    "distance": Question(late("tabletop.rules.common.distance:distance"), 2, flips=False),
    "los": Question(
        late(f"{HERE}.sight.judge:los"),
        2,
        loosens=(0, 1),
        shrinks=(0, 1),
        dear=12.0,
        influence=late(f"{HERE}.questions.influence:between"),
    ),
    "fire": Question(
        late(f"{HERE}.fire.judge:fire"),
        2,
        dear=12.0,
        attributes=late(f"{HERE}.questions.influence:of_fire"),
        facts=late(f"{HERE}.questions.facts:of_fire"),
        influence=late(f"{HERE}.questions.influence:between"),
    ),
    "assault": Question(
        late(f"{HERE}.combat.judge:assault"),
        2,
        dear=6.0,
        attributes=late(f"{HERE}.questions.influence:of_assault"),
        facts=late(f"{HERE}.questions.facts:of_assault"),
        influence=late(f"{HERE}.questions.influence:about_two"),
        wording=ATTACK,
    ),
    "move": Question(
        late(f"{HERE}.movement.judge:move"),
        1,
        dear=4.0,
        influence=late(f"{HERE}.questions.influence:on_the_way"),
        wording=MOVE,
    ),
    "reach": Question(late(f"{HERE}.movement.reach:reach"), 1, flips=False, wording=REACH),
    "zones": Question(late(f"{HERE}.combat.zones:zones"), 1, flips=False, wording=ZONES),
    "serve": Question(
        late(f"{HERE}.morale.serving:serve"),
        2,
        hopeless=late(f"{HERE}.morale.serving:hopeless"),
        influence=late(f"{HERE}.morale.serving:of_the_two"),
        wording=SERVE,
    ),
    "field": Question(late(f"{HERE}.fire.field_of_fire:field"), 1, flips=False),
}
