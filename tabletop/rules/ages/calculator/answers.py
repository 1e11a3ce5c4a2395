"""The answers of the family's calculator, each drawn by the function that resolves the same thing in a battle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.event import Thrown, Told
from tabletop.battle.unfolding import Unfolding
from tabletop.errors import BadQuestion
from tabletop.rules.ages.calculator import crisis_of_modules
from tabletop.rules.ages.calculator.forms import NOBODY
from tabletop.rules.ages.calculator.scene import (
    ATTACKER,
    SIDES,
    fight_of_form,
    shot_of_form,
    unit_of_form,
    with_options,
)
from tabletop.rules.ages.combat import resolve as combat
from tabletop.rules.ages.combat import under_fire
from tabletop.rules.ages.combat.pursuit import in_hand
from tabletop.rules.ages.command.orders import understood
from tabletop.rules.ages.computer.unit_value import worth_of
from tabletop.rules.ages.fire import resolve as fire
from tabletop.rules.ages.fire.judge import band_of, guns_of, on_die, range_of
from tabletop.rules.ages.morale import crisis
from tabletop.rules.ages.morale.status import DISRUPTED, OK, ROUTING
from tabletop.rules.ages.tables import STANCES, Profile, row, tables
from tabletop.rules.ages.throws import FEW, in_words
from tabletop.rules.ages.turn.sequence import rally_throw
from tabletop.rules.calculator import Answer
from tabletop.rules.common.base_losses import ARMY, LOST
from tabletop.rules.common.basis import noted
from tabletop.rules.common.calculators import Form
from tabletop.rules.play import Factor, Result

Answers = Callable[[Chance], Answer]
#: The fate of a general who comes through fire.
UNHURT = under_fire.FATES[-1]


def fought(profile: Profile, form: Form) -> Answers:
    """Answer a combat: strengths, odds, column and throw, or the dice for cavalry at a square (ROC-CBT-11, ROC-SQR-01).

    Generals who help come under fire first, if the rules say so (AGE-RAL-08).
    """
    fight = fight_of_form(profile, form)

    def answer(chance: Chance) -> Answer:
        unfolding = Unfolding(fight.battle, chance)
        outcome = combat.drawn(fight, unfolding)
        after = under_fire.after(fight, outcome.generals)
        came = combat.weighed(after, outcome, ATTACKER)
        fates = [_fate(fight.battle.called(name), fate) for name, fate, _ in outcome.generals if fate != UNHURT]
        reasoning = [sentence for sentence, _ in combat.read_from(after)]
        reasoning += [_factor(profile, factor) for factor in combat.modifiers(after)]
        code = {"square": outcome.square, "result": outcome.odds}
        data = {**(after.summary() if after.foot else {}), **{k: v for k, v in code.items() if v is not None}}
        return _answer("; ".join([*fates, came.text]), reasoning, unfolding, came, data)

    return answer


def fired(profile: Profile, form: Form) -> Answers:
    """Answer a battery's shot from the table of its guns (ROC-ART-03, ROC-ART-06); no shot beyond the last band."""
    battle, gun, target = shot_of_form(profile, form)
    if band_of(battle, guns_of(gun), range_of(gun, target)) is None:
        return lambda chance: Answer("no shot, out of range", data={"result": "out of range"})
    factors = on_die(target)

    def answer(chance: Chance) -> Answer:
        unfolding = Unfolding(battle, chance)
        code = fire.drawn(battle, gun, target, unfolding)
        reasoning = [_factor(profile, factor) for factor in factors]
        came = worth_of(battle, code, (), target, ATTACKER)
        return _answer(came.text, reasoning, unfolding, came, {"result": code})

    return answer


def rallied(profile: Profile, form: Form) -> Answers:
    """Answer the throw of a disrupted unit to rally, or of a routing one to halt (ROC-RAL-01, ROC-RAL-03)."""
    routs = form["unit_state"] == ROUTING
    battle = unit_of_form(profile, str(form["unit"]), str(form["unit_state"]), str(form["general"]))
    marks = {"exposed": True} if form["exposed"] else {}
    battle = battle.with_unit(replace(battle.unit(ATTACKER), marks=marks))
    needs = int(tables(battle)["rally"]["rout"]) if routs else row(battle.unit(ATTACKER)).rally
    words = ("it halts, disrupted", "it runs on") if routs else ("it rallies", "it stays disrupted")

    def answer(chance: Chance) -> Answer:
        unfolding = Unfolding(battle, chance)
        good = rally_throw(unfolding, unfolding.unit(ATTACKER), "halt" if routs else "rally", needs)
        reasoning = [f"it needs {_number(profile, needs)} or more"]
        fire_events = [event for event in unfolding.events if isinstance(event, Told) and event.what == "under fire"]
        fates = [_fate("the general", str(event.values["result"])) for event in fire_events]
        text = "; ".join([*(fate for fate in fates if UNHURT not in fate), words[not good]])
        return _answer(text, reasoning, unfolding, None, {"done": good})

    return answer


def controlled(profile: Profile, form: Form) -> Answers:
    """Answer the control test of a unit that has routed an enemy in close combat (ROC-CTL-01).

    A general who is still with it helps in the Ages; he came through the fire in the combat before (AGE-CTL-01).
    """
    battle = unit_of_form(profile, str(form["unit"]), OK, str(form.get("general", NOBODY)))
    for general in (unit for unit in battle.units if unit.is_general):
        battle = battle.with_unit(replace(general, marks={"tested": battle.clock.turn}))
    needs = row(battle.unit(ATTACKER)).rally

    def answer(chance: Chance) -> Answer:
        unfolding = Unfolding(battle, chance)
        steady = in_hand(unfolding, ATTACKER)
        text = "it stays in hand, and may pursue" if steady else "it is out of control, and pursues"
        reasoning = [f"it needs {_number(profile, needs)} or more"]
        return _answer(text, reasoning, unfolding, None, {"steady": steady})

    return answer


def ordered(profile: Profile, form: Form) -> Answers:
    """Answer whether an order brought by a messenger is understood (ROC-ORD-01)."""
    battle = unit_of_form(profile, None, OK)

    def answer(chance: Chance) -> Answer:
        unfolding = Unfolding(battle, chance)
        understood(unfolding, ATTACKER, ATTACKER, {"stance": STANCES[0], "to": (ATTACKER,)})
        good = bool(unfolding.unit(ATTACKER).marks.get("order"))
        return _answer("understood" if good else "not understood", [], unfolding, None, {"understood": good})

    return answer


def in_crisis(profile: Profile, form: Form) -> Answers:
    """Answer what a crisis of morale does to a unit at the mark its army has just reached.

    It is that of the book, or of a module that the form chooses. Source: AGE-CRI-02, AGE-CRI-03, SQP-TST-03.
    """
    bases, bases_lost = int(form["army_bases"]), int(form["army_lost"])
    if not 0 < bases >= bases_lost:
        raise BadQuestion(f"army_lost: {bases_lost} bases cannot be lost of {bases}")
    memory = {ARMY + ATTACKER: bases, LOST + ATTACKER: bases_lost}
    status_before = DISRUPTED if form["disrupted"] else OK
    battle = with_options(unit_of_form(profile, None, status_before, memory=memory), crisis_of_modules.chosen(form))
    words = {ROUTING: "it routs", DISRUPTED: "it is disrupted, and retires until it is rallied"}

    def answer(chance: Chance) -> Answer:
        unfolding = Unfolding(battle, chance)
        crisis.close_the_move(unfolding)
        values = next((e.values for e in unfolding.events if isinstance(e, Told) and e.what == "crisis"), None)
        if values is None:
            return Answer("no mark is reached, and nobody throws", data={"result": "no mark"})
        status = unfolding.unit(ATTACKER).status
        reasoning = [f"losses of {values['percent']} in a hundred: it needs more than {_thousandths(values['level'])}"]
        text = words[status] if status != status_before else "it fights on"
        return _answer(text, reasoning, unfolding, None, {"status": status})

    return answer


# --- in words --------------------------------------------------------------------------------------------------------


def _answer(
    text: str, lines_before: Sequence[str], unfolding: Unfolding, came: Result | None, data: dict[str, object]
) -> Answer:
    lines = [*lines_before, *_thrown(unfolding), *(_effects(came) if came is not None else ())]
    return Answer(text, tuple(lines), {"outcome": text, **data})


def _fate(name: str, fate: str) -> str:
    return f"{name} is {fate}"


def _thrown(unfolding: Unfolding) -> Iterator[str]:
    """Yield every throw in words."""
    for event in unfolding.events:
        if isinstance(event, Thrown):
            yield f"{event.purpose}: {_shown(unfolding.battle, event)}"


def _shown(battle: Battle, event: Thrown) -> str:
    """Return a throw in words; a random number also where the rule set has dice otherwise (SQP-TST-02)."""
    throw = tables(battle)["throw"]
    if event.sides > FEW >= int(throw["sides"]):
        return f"number {_thousandths(event.face - 1)}"
    return in_words(battle, event.face - 1 + int(throw["first"]))


def _effects(came: Result) -> Iterator[str]:
    """Yield what happens to either unit: the bases it loses and its state afterwards."""
    for side in SIDES:
        own = {effect: amount for unit, effect, amount in came.effects if unit == side}
        state = next((effect.removeprefix("status:") for effect in own if effect.startswith("status:")), "")
        lost = f"loses {own['lost']:g} base" if "lost" in own else ""
        if state or lost:
            yield f"the {side}: {', '.join(part for part in (lost, state) if part)}"


def _factor(profile: Profile, factor: Factor) -> str:
    if factor.stage == "column":
        return f"{factor.name}: {factor.amount:+g} column{'' if abs(factor.amount) == 1 else 's'}{noted(factor.basis)}"
    amount = f"{factor.amount:+g}" if profile.sides <= FEW else f"{factor.amount / profile.sides:+.3f}"
    return f"{factor.name}: {amount}{noted(factor.basis)}"


def _thousandths(number: int) -> str:
    """Return a random number in words; a crisis is thrown for by one whatever dice the rule set has otherwise."""
    return f"{number / 1000:.3f}"


def _number(profile: Profile, number: int) -> str:
    return str(number) if profile.sides <= FEW else f"{number / profile.sides:.3f}"
