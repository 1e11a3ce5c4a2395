"""Combat as an action: judged, drawn, carried out, then followed by control tests and pursuit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.ages.combat import under_fire
from tabletop.rules.ages.combat.judge import Fight, fight_of, may_attack, may_attack_at, must_fight
from tabletop.rules.ages.combat.odds import result, square_result
from tabletop.rules.ages.combat.pursuit import control
from tabletop.rules.ages.computer.unit_value import WORDS, worth_of
from tabletop.rules.ages.morale.effects import broken, shaken, suffer
from tabletop.rules.ages.morale.status import ROUTING
from tabletop.rules.ages.tables import ARTILLERY, arm, length, profile_of, tables
from tabletop.rules.ages.throws import in_results, throw
from tabletop.rules.ages.turn.phases import COMBAT_PHASE, phase_reasons
from tabletop.rules.ages.turn.simultaneous import DECIMALS
from tabletop.rules.common.phases import own
from tabletop.rules.common.ruled import either, ruled
from tabletop.rules.play import Factor, Result

NOTHING = ""


@dataclass(frozen=True)
class Drawn:
    """The results drawn for cavalry against a square and for the fight by odds; None if no dice were thrown."""

    square: str | None
    odds: str | None
    generals: tuple[tuple[str, str, int], ...] = ()


# --- judging ---------------------------------------------------------------------------------------------------------


def attackers_of(action: Action) -> tuple[str, ...]:
    """Return the ids of all attackers: the unit and those in the option ``with`` (ROC-CBT-01).

    >>> attackers_of(Action("combat", "french", "french-2", "russian-1", {"with": ("cuirassiers",)}))
    ('french-2', 'cuirassiers')
    """
    return tuple(dict.fromkeys([str(action.unit), *map(str, action.options.get("with", ()))]))


def judge_combat(battle: Battle, action: Action) -> Verdict:
    """Return whether these units may fight that enemy now (ROC-CBT-01).

    Each unit fights once, and a defender fights all its attackers together; a unit that could fight no other enemy must
    join in.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("drill-ground"), "french-1", "combat")
    >>> judge_combat(battle, Action("combat", "french", "french-1", "prussian-1")).holds
    True
    """
    reasons = phase_reasons(battle, action, COMBAT_PHASE)
    if not all(reasons):
        return ruled(battle, action, reasons)
    enemy = battle.unit(str(action.target))
    hostile = enemy.side != action.side and not enemy.is_general
    reasons.append(either("ROC-CBT-01", hostile, "the target is an enemy", "the target is no enemy that fights"))
    for name in attackers_of(action):
        unit = battle.unit(name)
        reasons.append(own(action, unit, "ROC-SEQ-01"))
        if all(reasons):
            reasons += [*may_attack(unit), *may_attack_at(battle, unit, enemy)]
    if all(reasons):
        reasons += _joining(battle, action)
    return ruled(battle, action, reasons)


def _joining(battle: Battle, action: Action) -> list[Reason]:
    """Return a reason for each unit left out that can fight no other enemy and so must join in (ROC-CBT-01)."""
    chosen = attackers_of(action)
    reasons = []
    for name, enemies in must_fight(battle, action.side).items():
        if enemies == (action.target,) and name not in chosen:
            unit = battle.unit(name)
            text = f"{unit.called} can fight nobody else, and must join in"
            reasons.append(Reason("ROC-CBT-01", False, text, feature=name))
    return reasons


# --- chance ----------------------------------------------------------------------------------------------------------


def drawn(fight: Fight, chance: Chance) -> Drawn:
    """Draw a combat: two dice for cavalry against a square; if the square stands, one for the fight by odds.

    ROC-SQR-01, AGE-SQR-07: nothing modifies the throw at a square unless so ruled; the square's fire is included
    (AGE-SQR-02, DES-SQR-01). The fight by odds follows ROC-CBT-11, ROC-CBT-12.

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> fight = fight_of(open_battle("drill-ground"), ["french-1"], "prussian-1")
    >>> [drawn(fight, ScriptedDice([die])).odds for die in range(1, 7)]
    ['Ad', 'Ad', 'Dx', '', '', 'Dx']
    """
    generals = under_fire.fates(fight, chance)
    fight = under_fire.after(fight, generals)
    square, profile = None, profile_of(fight.battle)
    if fight.horse:
        state, data = fight.state, profile.tables["square"]
        bonus = int(sum(f.amount for f in fight.at_square))
        turns = (data[state]["repelled"] + 1 - bonus, data[state]["broken"] - bonus)
        thrown = sum(throw(fight.battle, chance, "square", turns) for _ in range(data["throws"]))
        square = square_result(profile, state, thrown + bonus)
    if not fight.foot or square == "broken":
        return Drawn(square, None, generals)
    number = throw(fight.battle, chance, "combat", in_results(fight.battle, fight.bonus))
    return Drawn(square, result(profile, fight.column, number + fight.bonus), generals)


def reckon(battle: Battle, action: Action, chance: Chance) -> Result:
    """Return the result of a combat for one course of chance (ROC-CBT-01).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> action = Action("combat", "french", "french-1", "prussian-1")
    >>> reckon(open_battle("drill-ground"), action, ScriptedDice([6])).text
    'both are disrupted'
    """
    fight = fight_of(battle, attackers_of(action), str(action.target))
    return weighed(fight, drawn(fight, chance), action.side)


def weighed(fight: Fight, outcome: Drawn, side: str) -> Result:
    """Return the value of a drawn combat, both parts together, to the attacking side (ROC-SQR-01, ROC-CBT-11).

    >>> from tabletop.play.files.opened import open_battle
    >>> fight = fight_of(open_battle("drill-ground"), ["french-1"], "prussian-1")
    >>> weighed(fight, Drawn(None, "Ad"), "french").text
    'the attacker is disrupted'
    """
    texts: list[str] = []
    worth, effects = 0.0, list[tuple[str, str, float]]()
    square = {"broken": "Dr", "repelled": "Ad"}.get(outcome.square or "", NOTHING)
    for drawn_code, code, units in ((outcome.square, square, fight.horse), (outcome.odds, outcome.odds, fight.foot)):
        if drawn_code is None or code is None:
            continue
        part = worth_of(fight.battle, code, units, fight.defender, side)
        texts.append(WORDS[drawn_code])
        worth, effects = worth + part.worth, [*effects, *part.effects]
    return Result(_joined(texts), worth, tuple(effects))


def _joined(texts: Sequence[str]) -> str:
    """Return both parts of a fight as one text; "nothing happens" only if both parts come to nothing."""
    return "; ".join([text for text in texts if text != WORDS[NOTHING]] or [WORDS[NOTHING]])


#: How the modifiers of a combat are worded before it is fought; the record keeps their plain names.
CALLED = {
    "two arms": "two arms together",
    "three arms": "three arms together",
    "from the flank": "into the flank",
    "from the rear": "into the rear",
    "attacker ground": "the attacker has the better ground",
    "defender ground": "the defender has the better ground or cover",
    "charging": "it charges",
    "infantry at square": "infantry against a square",
    "attacker general": "a general with the attacker",
    "defender general": "a general with the defender",
}


def factors(battle: Battle, action: Action) -> tuple[Factor, ...]:
    """Return every modifier of a combat (ROC-CBT-04..09).

    >>> from tabletop.play.files.opened import open_battle
    >>> action = Action("combat", "prussian", "hussars-east", "line-east")
    >>> [(factor.name, factor.amount) for factor in factors(open_battle("struck-at-the-corner"), action)]
    [('into the flank', 1.0)]
    """
    return modifiers(fight_of(battle, attackers_of(action), str(action.target)))


def modifiers(fight: Fight) -> tuple[Factor, ...]:
    """Return every modifier of a combat, worded as before it is fought (ROC-CBT-04..09).

    >>> from tabletop.play.files.opened import open_battle
    >>> fight = fight_of(open_battle("behind-the-fence"), ["grenadiers-west"], "militia-west")
    >>> [(factor.name, factor.amount) for factor in modifiers(fight)]
    [('the defender has the better ground or cover', -100.0)]
    """
    applied = (*fight.at_square, *((*fight.ups, *fight.on_die) if fight.foot else ()))
    return tuple(replace(factor, name=CALLED[factor.name]) for factor in applied)


def basis(battle: Battle, action: Action) -> str:
    """Return where the numbers come from that the result of a combat is read from (ROC-ODD-01, ROC-SQR-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> basis(open_battle("drill-ground"), Action("combat", "french", "french-1", "prussian-1"))
    'source'
    >>> basis(open_battle("a-hundred-millimetres"), Action("combat", "british", "rifles-west", "french-west"))
    'reconstruction'
    """
    return fight_of(battle, attackers_of(action), str(action.target)).basis


def rests_on(battle: Battle, action: Action) -> tuple[tuple[str, str], ...]:
    """Return sentences on what the result is read from, each with its rule: dice, strengths, column (ROC-ODD-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> rests_on(open_battle("drill-ground"), Action("combat", "french", "french-1", "prussian-1"))
    (('strength 10 against 10: odds of 1:1', 'ROC-ODD-01'),)
    """
    return read_from(fight_of(battle, attackers_of(action), str(action.target)))


def read_from(fight: Fight) -> tuple[tuple[str, str], ...]:
    """Return sentences on what a combat's result is read from, each with its rule (ROC-ODD-01, ROC-ODD-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> fight = fight_of(open_battle("struck-at-the-corner"), ["hussars-east"], "line-east")
    >>> [sentence for sentence, rule in read_from(fight)]
    ['strength 12 against 10: odds of 1:1', 'read in the column 2:1']
    """
    sentences = []
    if fight.horse:
        throws = "two dice" if tables(fight.battle)["square"]["throws"] > 1 else "one number"
        sentences.append((f"{throws} for the cavalry at the square", "ROC-SQR-01"))
    if fight.foot:
        sentences.append((f"strength {fight.attack} against {fight.defence}: odds of {fight.odds}", "ROC-ODD-01"))
    if fight.foot and fight.column != fight.odds:
        sentences.append((f"read in the column {fight.column}", "ROC-ODD-04"))
    return tuple(sentences)


# --- carrying out ----------------------------------------------------------------------------------------------------


def fight_it(unfolding: Unfolding, action: Action) -> None:
    """Fight a combat and apply its result at once (ROC-RES-01..05, ROC-SQR-04); then test control (ROC-CTL-01).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"), ScriptedDice([6]))
    >>> fight_it(unfolding, Action("combat", "french", "french-1", "prussian-1"))
    >>> unfolding.unit("prussian-1").status
    'disrupted'
    """
    fight = fight_of(unfolding.battle, attackers_of(action), str(action.target))
    close = _in_contact(fight)
    outcome = drawn(fight, unfolding)
    under_fire.apply(unfolding, outcome.generals)
    fight = under_fire.after(fight, outcome.generals)
    for unit in (*fight.attackers, fight.defender):
        unfolding.mark(unit.id, fought=True)
    under_fire.expose(unfolding, fight.defender.id)
    routed = [*_at_square(unfolding, fight, outcome), *_by_odds(unfolding, fight, outcome)]
    control(unfolding, _victors(fight, close, routed))


def _at_square(unfolding: Unfolding, fight: Fight, outcome: Drawn) -> tuple[str, ...]:
    """Apply the throw at a square and return the units routed.

    A broken square loses a base and routs (AGE-SQR-05); cavalry driven off is disrupted, or routs if it was
    (ROC-SQR-04).
    """
    if outcome.square is None:
        return ()
    horse = [u.id for u in fight.horse]
    unfolding.tell("square", {"result": outcome.square}, horse[0], fight.defender.id, ("ROC-SQR-01",))
    enemy = _between(fight.horse)
    if outcome.square == "broken":
        return broken(unfolding, (fight.defender.id,), enemy)
    return shaken(unfolding, horse, fight.defender.at, "Ad") if outcome.square == "repelled" else ()


def _between(units: Sequence[Unit]) -> Point:
    """Return the mean of the units' centres."""
    return math.fsum(u.at[0] for u in units) / len(units), math.fsum(u.at[1] for u in units) / len(units)


def _by_odds(unfolding: Unfolding, fight: Fight, outcome: Drawn) -> tuple[str, ...]:
    if outcome.odds is None:
        return ()
    record = {**fight.summary(), "result": outcome.odds}
    foot = [u.id for u in fight.foot]
    unfolding.tell("combat", record, foot[0], fight.defender.id, ("ROC-CBT-01",))
    return suffer(unfolding, outcome.odds, foot, fight.defender.id, _between(fight.foot))


def _in_contact(fight: Fight) -> frozenset[str]:
    """Return the attackers in close combat: those that touch the defender (ROC-CTL-01, GLA-HDG-02)."""
    tape, near = fight.battle.tape, length(fight.battle, "contact")
    return frozenset(u.id for u in fight.attackers if tape.at_most(distance_between(u, fight.defender), near))


def _victors(fight: Fight, close: frozenset[str], routed: Sequence[str]) -> list[tuple[str, str]]:
    """Return (victor, routed) pairs for routs in close combat; guns and routing units pursue nobody.

    Source: ROC-CTL-01, ROC-RAL-02.
    """
    routed_ids = set(routed)
    if fight.defender.id in routed_ids:
        return [(u.id, fight.defender.id) for u in fight.attackers if u.id in close and u.id not in routed_ids]
    beaten = [u for u in fight.attackers if u.id in routed_ids & close]
    if not beaten or arm(fight.defender) == ARTILLERY or fight.defender.status == ROUTING:
        return []
    nearest = min(beaten, key=lambda u: round(distance_between(u, fight.defender), DECIMALS))
    return [(fight.defender.id, nearest.id)]
