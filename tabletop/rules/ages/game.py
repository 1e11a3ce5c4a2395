"""The ``Play`` record of a rule set of the family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.rules.ages import cites
from tabletop.rules.ages.combat import pursuit
from tabletop.rules.ages.combat import resolve as combat_resolve
from tabletop.rules.ages.command import orders
from tabletop.rules.ages.computer.action_value import prospect
from tabletop.rules.ages.computer.random_action import random_action
from tabletop.rules.ages.computer.suggest import (
    JUDGES,
    SHARES,
    combats,
    judged,
    moves_for,
    suggest,
)
from tabletop.rules.ages.computer.unit_value import worth
from tabletop.rules.ages.fire import resolve as fire_resolve
from tabletop.rules.ages.morale.status import MARKS, SIGNS
from tabletop.rules.ages.movement.move_kinds import kinds_for
from tabletop.rules.ages.sight import mist
from tabletop.rules.ages.sight.judge import conditions
from tabletop.rules.ages.tables import ARTILLERY, STANCES, Profile, arm
from tabletop.rules.ages.turn import adjustments, report, sequence
from tabletop.rules.ages.turn.faults import faults
from tabletop.rules.ages.turn.phases import ARTILLERY_PHASE, COMBAT_PHASE, HERE, MOVEMENT_PHASE, PHASES, in_turn
from tabletop.rules.common import modules
from tabletop.rules.common.data import data_of
from tabletop.rules.common.distribution import distribution
from tabletop.rules.play import Choice, Odds, Play
from tabletop.rules.surroundings import Ground, PlayWithSurroundings

#: The shortest distance back that counts as a move, in mm.
LEAST = 1.0


def odds(battle: Battle, action: Action) -> Odds | None:
    """Return the exact distribution of a shot or a combat; None for actions that leave nothing to chance."""
    reckon = JUDGES[action.kind].reckon if action.kind in JUDGES else None
    if reckon is None:
        return None
    by = fire_resolve if action.kind == "bombard" else combat_resolve
    results, behind = distribution(battle, action, reckon), by.factors(battle, action)
    return Odds(action, results, behind, rests_on=by.rests_on(battle, action), basis=by.basis(battle, action))


def menu(battle: Battle, name: str) -> Sequence[Choice]:
    """Return the kinds of action for a unit in this phase, with the reason for closed ones."""
    unit, phase = battle.anyone(name), battle.clock.phase
    if not battle.has(name):
        return [_open_or_not(battle, [Action("enter", unit.side, name)])] if phase == MOVEMENT_PHASE else []
    if phase == ARTILLERY_PHASE and not unit.is_general and arm(unit) == ARTILLERY:
        return [_open_or_not(battle, [Action("bombard", unit.side, name, e.id) for e in battle.enemies(unit)])]
    if phase == COMBAT_PHASE and not unit.is_general:
        own = [a for a in combats(battle, unit.side) if name in combat_resolve.attackers_of(a)]
        own = own or [Action("combat", unit.side, name, e.id) for e in battle.enemies(unit)[:1]]
        return [_open_or_not(battle, own)]
    if phase == MOVEMENT_PHASE:
        return _movement_menu(battle, name)
    return []


def _movement_menu(battle: Battle, name: str) -> list[Choice]:
    unit = battle.unit(name)
    choices = []
    tries = list(moves_for(battle, unit))
    own: tuple[str, ...] = ("form",)
    if unit.is_general:
        own = ("dismiss",) if arm(unit) == "staff" else ("call",)
    own = ("order", *own) if orders.may_order(battle, unit) else own
    for kind in (*kinds_for(unit), *own):
        stay = Action(kind, unit.side, name, options=_stay(kind, unit.facing))
        if kind == "order" and arm(unit) != "staff":
            near = tuple(u.id for u in orders.addressed(battle, unit))[:1]
            stay = Action(kind, unit.side, name, options={"stance": "attack", "to": near})
        candidates = [a for a in tries if a.kind == kind]
        choices.append(_open_or_not(battle, [*candidates, *_shorter(candidates)] or [stay], kind))
    return choices


def _shorter(tries: Sequence[Action]) -> Iterator[Action]:
    """Yield shorter moves straight back, which slow ground or a friend behind may still allow."""
    for action in tries:
        whole = action.options.get("distance")
        if whole is not None:
            for share in SHARES[1:]:
                yield Action(action.kind, action.side, action.unit, options={"distance": share * whole})


def _stay(kind: str, facing: float) -> dict[str, object]:
    """Return the options of the smallest action of a kind, which is tried to learn what forbids the kind."""
    least: dict[str, dict[str, object]] = {
        "withdraw": {"distance": LEAST},
        "retreat": {"distance": LEAST},
        "form": {"formation": "line"},
        "order": {"stance": STANCES[0]},
        "call": {},
        "dismiss": {},
    }
    return least.get(kind, {"facing": facing})


def _open_or_not(battle: Battle, tries: Sequence[Action], kind: str = "") -> Choice:
    """Return a kind as open if one of the tries is allowed, else closed with the first try's verdict."""
    name = kind or (tries[0].kind if tries else "combat")
    if any(judged(battle, action) is not None for action in tries):
        return Choice(name, True)
    verdict = JUDGES[name].judge(battle, tries[0]) if tries else None
    return Choice(name, False, verdict)


#: Other words players use for actions and formations, with what each may mean.
WORDS = data_of(HERE, "actions.toml")["words"]
#: For each phase, the mark of a unit that has had its action.
DONE_WITH = {ARTILLERY_PHASE: "fired", MOVEMENT_PHASE: "moved", COMBAT_PHASE: "fought"}


def acted(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit has had its action in this phase: fired, moved or fought (ROC-SEQ-01)."""
    return bool(unit.marks.get(DONE_WITH.get(battle.clock.phase, "")))


def play_of(profile: Profile) -> Play:
    """Return the record of how a rule set of the family is played."""
    return PlayWithSurroundings(
        phases=PHASES,
        kinds={name: cites.kind(profile, action) for name, action in JUDGES.items()},
        answers={pursuit.AFTER_VICTORY: cites.unfolding(profile, pursuit.answered)},
        begin=cites.unfolding(profile, sequence.begin),
        advance=cites.unfolding(profile, sequence.advance),
        mover=lambda battle: battle.clock.side,
        menu=lambda battle, name: cites.choices(profile, menu(battle, name)),
        in_turn=in_turn,
        acted=acted,
        suggest=suggest,
        random_action=random_action,
        odds=lambda battle, action: cites.odds(profile, odds(battle, action)),
        worth=worth,
        prospect=prospect,
        faults=faults,
        adjustments=adjustments.adjustments,
        asks=pursuit.asks,
        replies=pursuit.replies,
        narrate=report.NARRATION.narrate,
        shots=("fire",),
        slain=("destroyed",),
        minutes=float(profile.tables["scale"]["minutes"]),
        won=profile.won,
        words=WORDS,
        marks=(*MARKS, "colour"),
        signs=SIGNS,
        remarks=orders.remarks,
        outlook=modules.outlook,
        lowest=int(profile.tables["throw"]["first"]),
        ground=Ground(float(profile.tables["scale"]["metres"]), "m"),
        conditions=conditions,
        memory=("edge:", "army:", "lost:", "crisis:", mist.MIST, *modules.memory()),
    )
