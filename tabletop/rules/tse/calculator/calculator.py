"""The rulebook's calculator: four stateless functions of a form and chance (TSE-APP-01, TSE-APP-02).

A battle on the table calls these functions with forms filled in from the table (``fire``, ``assault``, ``morale``);
players with miniatures fill in the forms themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from tabletop.battle.dice import Chance
from tabletop.errors import BadQuestion
from tabletop.rules.common.calculators import checked
from tabletop.rules.tse.calculator import model as chances
from tabletop.rules.tse.calculator.forms import BEYOND, FIELDS, FUNCTIONS, SIDES, filled
from tabletop.rules.tse.calculator.ladder import probabilities, score
from tabletop.rules.tse.calculator.model_data import Effects, Fact, Ladder, Step, model
from tabletop.rules.tse.morale.status import worsened
from tabletop.rules.tse.tables import troop

Stage = Literal["fire", "defence", "melee"]
NOTHING = Effects()


@dataclass(frozen=True)
class Drawn:
    """One graded outcome: the stage, the step reached, and the word for the performance."""

    stage: Stage
    step: Step
    word: str = ""


@dataclass(frozen=True)
class CalculatorResult:
    """The result of an action: a text, and the results of orders, fire and assault if the action has them.

    ``actor`` and ``target`` are the effects on either side, in the order they happen. ``home`` says whether an assault
    went home (None if there was none). ``outcome`` names the result.
    """

    text: str
    outcome: str = ""
    order: str | None = None
    drawn: tuple[Drawn, ...] = ()
    actor: tuple[Effects, ...] = ()
    target: tuple[Effects, ...] = ()
    home: bool | None = None
    advance: str | None = None
    square: bool = False
    reach: float | None = None
    words: Mapping[str, str] = field(default_factory=dict)


# --- the four functions ----------------------------------------------------------------------------------------------


def initiative(chance: Chance, attacker: float | None = None) -> str:
    """Return who has the initiative, "attacker" or "defender" (TSE-TRN-02); ``attacker`` biases the chance."""
    odds = chances.initiative_odds() if attacker is None else (1.0 - attacker, attacker)
    return SIDES[0] if chance.grade("initiative", odds)[0] == 1 else SIDES[1]


def result(action: str, form: Mapping[str, Any], chance: Chance) -> CalculatorResult:
    """Return the result of an action from its form: orders, fire, assault or regroup (TSE-APP-01, -06, -07).

    Raises BadQuestion for a form that lacks a field or is impossible. Fields the action does not use have no effect.
    """
    used = filled(action, form)
    if action == "regroup":
        return regrouped(used, chance)
    if action.endswith("fire"):
        return fired(action, used, chance)
    order = ordered(action, used, chance)
    if action != "assault" or order == "lost":
        return CalculatorResult(_ORDERS[order], order, order)
    outcome = assaulted(used, chance)
    reach = _reach(used) * (chances.delayed_share() if order == "delayed" else 1.0)
    text = f"reach {reach:g} in: {outcome.text}" if order == "delayed" else outcome.text
    return replace(outcome, text=text, order=order, reach=reach)


def overrun(form: Mapping[str, Any], chance: Chance) -> str:
    """Return the fate of a general who is overrun: "killed", "captured" or "escapes" (TSE-LDR-08)."""
    mover = str(checked(FIELDS["mover"], form.get("mover")))
    return chances.OVERRUN[chance.grade("leader overrun", chances.overrun_chances(mover.split()[-1]))[0]]


def army_morale(form: Mapping[str, Any], chance: Chance) -> str:
    """Return whether an army "breaks" or "holds"; with less than half lost it holds without a draw.

    Raises BadQuestion if more units are gone than there are. Source: TSE-MOR-01, TSE-MOR-05.

    >>> from tabletop.battle.dice import ScriptedDice
    >>> form = {"destroyed": 2, "demoralized_units": 2, "units": 7, "senior_lost": False}
    >>> army_morale(form, ScriptedDice([0.01])), army_morale({**form, "destroyed": 1}, ScriptedDice([0.01]))
    ('breaks', 'holds')
    """
    values = {name: checked(FIELDS[name], form.get(name)) for name in FUNCTIONS["morale"]}
    lost, units = values["destroyed"] + values["demoralized_units"], values["units"]
    if units == 0 or lost > units:
        raise BadQuestion(f"{lost} units destroyed or demoralized cannot be, of {units} in the order of battle")
    breaks = chances.break_chance(lost / units, values["senior_lost"], values["destroyed"] / units)
    if breaks == 0.0:
        return "holds"
    return chances.MORALE[chance.grade("army morale", (breaks, 1.0 - breaks))[0]]


# --- orders, regrouping ----------------------------------------------------------------------------------------------

_ORDERS = {"lost": "orders lost", "delayed": "orders delayed", "received": "orders received"}


def ordered(action: str, form: Mapping[str, Any], chance: Chance) -> str:
    """Return the result of orders: "lost", "delayed" or "received" (TSE-ORD-01)."""
    troops, quality = split(str(form["actor"]))
    odds = chances.order_chances(troops, quality, action, bool(form["general_near"]))
    return chances.ORDERS[chance.grade("orders", odds)[0]]


def regrouped(form: Mapping[str, Any], chance: Chance) -> CalculatorResult:
    """Return whether a regroup fails, improves the unit by one step or restores it fully (TSE-REG-02)."""
    troops, quality = split(str(form["actor"]))
    odds = chances.regroup_chances(troops, quality, bool(form["demoralized"]), bool(form["general_near"]))
    outcome = chances.REGROUPED[chance.grade("regroup", odds)[0]]
    return CalculatorResult(
        {"fails": "the unit does not regroup", "one step": "one step better"}.get(outcome, "rallied"), outcome
    )


# --- fire ------------------------------------------------------------------------------------------------------------


def fired(action: str, form: Mapping[str, Any], chance: Chance) -> CalculatorResult:
    """Return the effect of a shot, which affects only its target (TSE-FIR-23); out of range it is wasted (TSE-APP-08).

    Generals do not influence it (TSE-LDR-11).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> form = {"actor": "light-foot-artillery", "target": "average infantry", "target_formation": "deployed"}
    >>> fired("deployed-fire", filled("deployed-fire", form), ScriptedDice([0.95])).text
    'disordered and falls back'
    """
    if out_of_range(form):
        return CalculatorResult("out of range: the shot is wasted", "out of range")
    drawn = draw("fire", fire_facts(action, form), chance, "fire")
    text = drawn.step.name
    return CalculatorResult(text, text, drawn=(drawn,), target=(drawn.step.target,), words=_words(firing=drawn))


def out_of_range(form: Mapping[str, Any]) -> bool:
    """Return whether the form's range exceeds that of the troops; their ranges end on band limits (TSE-FIR-01)."""
    reach = troop(split(str(form["actor"]))[0]).range or 0.0
    band = str(form["range"])
    return band == BEYOND or float(band.split("-")[1]) > reach


def fire_facts(action: str, form: Mapping[str, Any]) -> dict[str, Fact]:
    """Return the facts that fire factors depend on, including the target's formation (TSE-ACT-13, TSE-APP-03).

    >>> form = {"actor": "light-foot-artillery", "target": "average infantry", "target_formation": "deployed"}
    >>> facts = fire_facts("deployed-fire", filled("deployed-fire", form))
    >>> facts["actor_family"], facts["cover"], facts["range"]
    ('artillery', 'none', '0-3')
    """
    return {
        "action": action,
        **_side("actor", str(form["actor"])),
        **_side("target", str(form["target"])),
        **{
            key: form[key]
            for key in ("target_formation", "cover", "range", "actor_disordered", "target_disordered", "odds")
        },
    }


# --- assault ---------------------------------------------------------------------------------------------------------


def assaulted(form: Mapping[str, Any], chance: Chance) -> CalculatorResult:
    """Return the result of an assault whose orders arrived: emergency square, defensive fire, hand to hand.

    A demoralized target does not fire, nor does one that countercharges (TSE-STS-10, TSE-ASL-60). An assaulter that the
    fire demoralizes goes no farther. Source: TSE-ASL-13.

    >>> from tabletop.battle.dice import ScriptedDice
    >>> form = {"actor": "elite heavy-cavalry", "target": "average infantry", "target_formation": "deployed"}
    >>> assaulted(filled("assault", form), ScriptedDice(rest=0.9)).text
    'thrown back to its start and disordered'
    """
    facts = assault_facts(form)
    square = _emergency_square(facts, chance)
    facts["emergency_square"] = square
    shot = _defended(facts, chance)
    advance = _advance(shot, bool(facts["actor_disordered"]))
    if shot is not None and advance != "home":
        return _stopped(shot, advance, square)
    shaken = shot is not None and shot.step.actor.status is not None
    facts["actor_disordered"] = bool(facts["actor_disordered"]) or shaken
    fight = draw("melee", facts, chance, "assault")
    drawn = (*((shot,) if shot else ()), fight)
    name = fight.step.name
    return CalculatorResult(
        f"disordered by fire; {name}" if shaken else name,
        name,
        drawn=drawn,
        actor=tuple(d.step.actor for d in drawn),
        target=(fight.step.target,),
        home=True,
        advance="home",
        square=square,
        words=_words(defence=shot, assault=fight),
    )


def _stopped(shot: Drawn, advance: str, square: bool) -> CalculatorResult:
    text = shot.step.name if shot.step.advance == advance else "stopped short and demoralized"
    return CalculatorResult(
        text,
        text,
        drawn=(shot,),
        actor=(shot.step.actor,),
        home=False,
        advance=advance,
        square=square,
        words=_words(defence=shot),
    )


def _advance(shot: Drawn | None, disordered: bool) -> str:
    """Return how far the assaulter gets: "home", "stopped" 1 in short, or thrown back to its "start" (TSE-ASL-20)."""
    if shot is None:
        return "home"
    effect = shot.step.actor.status
    after = worsened("disordered" if disordered else "ok", effect) if effect else "ok"
    if shot.step.advance == "home" and after == "demoralized":
        return "stopped"
    return shot.step.advance or "home"


def _defended(facts: Mapping[str, Fact], chance: Chance) -> Drawn | None:
    """Return the defender's fire; None if it does not fire (TSE-ASL-11, TSE-STS-10)."""
    if facts["target_demoralized"] or facts["countercharge"]:
        return None
    return draw("defence", facts, chance, "defensive fire")


def _emergency_square(facts: Mapping[str, Fact], chance: Chance) -> bool:
    """Return whether infantry charged by cavalry forms an emergency square; its formation on the table stays."""
    likely = square_chance(facts)
    return likely > 0.0 and chance.grade("emergency square", (1.0 - likely, likely))[0] == 1


def square_chance(facts: Mapping[str, Fact]) -> float:
    """Return the chance of an emergency square: it depends on quality, and is less if disordered or not frontal."""
    open_to_it = facts["target_formation"] in ("deployed", "maneuver-column") and not facts["target_demoralized"]
    if not (open_to_it and facts["actor_family"] == "cavalry" and facts["target_family"] == "infantry"):
        return 0.0
    rows = model().emergency_square
    likely = rows.quality[str(facts["target_quality"])].value
    likely *= rows.disordered.times if facts["target_disordered"] else 1.0
    return likely * (1.0 if facts["frontal"] else rows.not_frontal.times)


def assault_facts(form: Mapping[str, Any]) -> dict[str, Fact]:
    """Return the facts that assault factors depend on (TSE-ASL-12); range is not among them (TSE-APP-03)."""
    demoralized = bool(form["target_demoralized"])
    keys = ("target_formation", "cover", "actor_disordered", "odds", "frontal", "countercharge", "supported")
    return {
        "action": "assault",
        **_side("actor", str(form["actor"])),
        **_side("target", str(form["target"])),
        **{key: form[key] for key in keys},
        "frontal": bool(form["frontal"]) or form["target_formation"] == "square",
        "target_disordered": bool(form["target_disordered"]) or demoralized,
        "target_demoralized": demoralized,
        "emergency_square": False,
    }


# --- shared parts ----------------------------------------------------------------------------------------------------


def draw(stage: Stage, facts: Mapping[str, Fact], chance: Chance, purpose: str) -> Drawn:
    """Draw one graded outcome; its word depends on the draw alone (TSE-APP-09)."""
    number, height = chance.grade(purpose, outcome_odds(stage, facts))
    return Drawn(stage, ladder_of(stage).steps[number], "" if height is None else chances.word(height))


def outcome_odds(stage: Stage, facts: Mapping[str, Fact]) -> tuple[float, ...]:
    """Return the exact probability of every outcome of a stage, in the ladder's order (TSE-APP-10).

    >>> form = {"actor": "light-foot-artillery", "target": "average infantry", "target_formation": "deployed"}
    >>> odds = outcome_odds("fire", fire_facts("deployed-fire", filled("deployed-fire", form)))
    >>> len(odds), round(sum(odds), 9)
    (6, 1.0)
    """
    return _odds(stage, tuple(sorted(facts.items())))


@lru_cache(maxsize=4096)
def _odds(stage: Stage, facts: tuple[tuple[str, Fact], ...]) -> tuple[float, ...]:
    ladder = ladder_of(stage)
    return probabilities(ladder, score(ladder, dict(facts)))


def ladder_of(stage: Stage) -> Ladder:
    """Return the ladder of a stage (TSE-APP-10).

    >>> [step.name for step in ladder_of("fire").steps][:3]
    ['no effect', 'disordered', 'disordered and falls back']
    """
    ladder: Ladder = getattr(model(), stage)
    return ladder


def split(kind: str) -> tuple[str, str]:
    """Return the troops and the quality in a calculator name.

    >>> split("elite light-cavalry"), split("transport")
    (('light-cavalry', 'elite'), ('transport', ''))
    """
    quality, _, troops = kind.rpartition(" ")
    return troops, quality


def _side(side: str, kind: str) -> dict[str, Fact]:
    troops, quality = split(kind)
    facts: dict[str, Fact] = {side: troops, f"{side}_family": troop(troops).family}
    return {**facts, f"{side}_quality": quality} if quality else facts


def _words(**drawn: Drawn | None) -> dict[str, str]:
    return {name: d.word for name, d in drawn.items() if d is not None and d.word}


def _reach(form: Mapping[str, Any]) -> float:
    reach = troop(split(str(form["actor"]))[0]).assault_reach
    return 0.0 if reach is None else reach


def back_distance(troops: str, back: str) -> float:
    """Return how far troops fall back for "short" or "long", in inches at figure scale 1 (TSE-INV-01).

    >>> back_distance("infantry", "short"), back_distance("heavy-cavalry", "long")
    (3.0, 12.0)
    """
    row = model().fall_back[troops]
    return row.long if back == "long" else row.short
