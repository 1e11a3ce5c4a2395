"""Assault as an action: judged, ordered, resolved by the calculator, carried out (TSE-ASL)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import shapely

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.event import Asked, Placed, Remembered
from tabletop.battle.progress import Decision
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, pose_of
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.common.ruled import ruled
from tabletop.rules.play import ActionKind, Result
from tabletop.rules.tse.assault.breakthrough import ADVANCE, advance, offer, target_of
from tabletop.rules.tse.assault.calculator_form import (
    ASSAULTED,
    BROKE_THROUGH,
    Charge,
    bases_so_far,
    breakthrough_of,
    charge_of,
    countercharge_meeting,
    form_of,
    left_after,
    may_countercharge,
    measured,
    within,
)
from tabletop.rules.tse.assault.contact import contact_pose, stopped_pose
from tabletop.rules.tse.assault.path import reach_of, thrown_back_pose, turned_to
from tabletop.rules.tse.calculator import calculator
from tabletop.rules.tse.calculator.calculator import CalculatorResult
from tabletop.rules.tse.calculator.model_data import Effects
from tabletop.rules.tse.command.generals import overrun
from tabletop.rules.tse.command.orders import DELAYED, LOST, ordered
from tabletop.rules.tse.computer.unit_value import result_of
from tabletop.rules.tse.morale import army_morale
from tabletop.rules.tse.morale.effects import Blow, place, suffer
from tabletop.rules.tse.movement.formation import standing_faults
from tabletop.rules.tse.options import chosen
from tabletop.rules.tse.turn.menu import MATRIX
from tabletop.rules.tse.turn.sequence import acted

ASSAULT, COUNTERCHARGE = "assault", "countercharge"
#: The family of results of an assault that never begins.
NOT_STARTED = "never begins"
#: Answers to a charge: meet it half-way, or stand (TSE-ASL-60).
MEET, STAND = "countercharge", "stand"


def judge_assault(battle: Battle, action: Action) -> Verdict:
    """Return the verdict on whether a unit may assault a target now.

    Source: TSE-ASL-01..08, TSE-ASL-40..53, TSE-CMB-03, TSE-CMB-05.

    Before the battle begins no unit may assault:

    >>> from tabletop.play.files.opened import open_battle
    >>> action = Action("assault", "red", "west-column", "west-line")
    >>> judge_assault(open_battle("front-or-flank"), action).because[0].rule
    'TSE-TRN-03'
    """
    against = [r for r in _cheaply(battle, action) if not r.holds]
    if against:
        return ruled(battle, action, against)
    verdict = measured(battle, str(action.unit), str(action.target))
    return replace(verdict, question=action.kind, options=action.options)


def _cheaply(battle: Battle, action: Action) -> Iterator[Reason]:
    """Yield the reasons for and against the assault that need no measuring."""
    yield from MATRIX[ASSAULT](battle, action)
    yield Reason("TSE-ASL-82", action.target is not None, "an assault needs a target")
    unit = battle.anyone(str(action.unit))
    barred = unit.linear and unit.formation != "deployed" and not chosen(battle, "column_assault", unit.side)
    yield Reason("TSE-ASL-51", not barred, f"{unit.called} is of an army that assaults in line only")


def resolve_assault(unfolding: Unfolding, action: Action) -> None:
    """Assault after drawing orders; with delayed ones it may fall short (TSE-ASL-09, TSE-ASL-10, TSE-ACT-61)."""
    before = unfolding.battle
    charge = charge_of(before, str(action.unit), str(action.target))
    order = ordered(unfolding, before, before.unit(charge.unit), ASSAULT)
    if order == LOST:
        return
    delayed = order == DELAYED
    if not within(before, charge, delayed):
        unfolding.tell(ASSAULT, {"result": "out of reach"}, charge.unit, charge.target, ("TSE-ASL-09",))
        acted(unfolding, charge.unit)
        return
    if may_countercharge(before, charge):
        _ask(unfolding, charge, delayed)
        return
    clash(unfolding, charge, delayed)


def _ask(unfolding: Unfolding, charge: Charge, delayed: bool) -> None:
    """Ask the charged side whether its cavalry meets the charge half-way (TSE-ASL-60)."""
    target = unfolding.unit(charge.target)
    data = {"unit": charge.unit, "target": charge.target, "delayed": delayed}
    unfolding.happen(Asked(Decision(target.side, COUNTERCHARGE, (MEET, STAND), unit=target.id, data=data)))


def answer_countercharge(unfolding: Unfolding, decision: Decision, choice: str) -> None:
    """Resolve the charge as the charged side decided (TSE-ASL-60..63).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("front-or-flank"), ScriptedDice(rest=0.9))
    >>> data = {"unit": "west-column", "target": "west-line", "delayed": False}
    >>> decision = Decision("red", COUNTERCHARGE, (MEET, STAND), unit="west-line", data=data)
    >>> answer_countercharge(unfolding, decision, STAND)
    >>> unfolding.unit("west-column").status, unfolding.unit("west-line").status
    ('disordered', 'ok')
    """
    charge = charge_of(unfolding.battle, str(decision.data["unit"]), str(decision.data["target"]))
    clash(unfolding, charge, bool(decision.data["delayed"]), countercharge=choice == MEET)


# --- the clash -------------------------------------------------------------------------------------------------------


def clash(unfolding: Unfolding, charge: Charge, delayed: bool = False, countercharge: bool = False) -> None:
    """Draw the result of an assault under way and carry it out (TSE-ASL-13, TSE-ASL-14, TSE-ASL-30..35)."""
    battle = unfolding.battle
    form = form_of(battle, charge, countercharge)
    unfolding.happen(Remembered(ASSAULTED + charge.target, bases_so_far(battle, charge)))
    result = calculator.assaulted(form, unfolding)
    _record(unfolding, charge, form, result)
    acted(unfolding, charge.unit)
    if not result.home:
        _fail(unfolding, charge, result)
        army_morale.check(unfolding)
        return
    reach = charge.reach if charge.breakthrough else reach_of(battle, battle.unit(charge.unit), delayed)
    reach_left = left_after(battle, charge, reach or 0.0, countercharge)
    won = _go_home(unfolding, charge, result, countercharge)
    army_morale.check(unfolding)
    if won and not unfolding.battle.over:
        offer(unfolding, charge, reach_left)


def _record(unfolding: Unfolding, charge: Charge, form: dict[str, Any], result: CalculatorResult) -> None:
    values = {
        "form": form,
        "result": result.outcome,
        "home": result.home,
        "square": result.square,
        "breakthrough": charge.breakthrough,
        "words": dict(result.words),
    }
    unfolding.tell(ASSAULT, values, charge.unit, charge.target, ("TSE-ASL-14", "TSE-ASL-20", "TSE-APP-09"))


def _blow(unfolding: Unfolding, source: str, away: float) -> Blow:
    return Blow(unfolding.unit(source), away % 360.0)


def _fail(unfolding: Unfolding, charge: Charge, result: CalculatorResult) -> None:
    """Carry out an assault that does not go home; only the assaulter has acted (TSE-ASL-21, TSE-INV-12, TSE-INV-13)."""
    for effects in result.actor:
        suffer(unfolding, charge.unit, effects, _blow(unfolding, charge.target, charge.path.facing + 180.0))
    battle = unfolding.battle
    if not battle.has(charge.unit):
        return
    unit, target = battle.unit(charge.unit), battle.unit(charge.target)
    if result.advance == "stopped":
        pose = stopped_pose(battle, unit, target, charge.path)
        if not standing_faults(battle, pose):
            _stand(unfolding, pose, charge, "stopped short")
            _ride_over(unfolding, thrown_back_pose(unit, charge.path))
            return
    _to_start(unfolding, charge, thrown_back_pose(unit, charge.path), unit)


def _to_start(unfolding: Unfolding, charge: Charge, pose: Unit, as_before: Unit) -> None:
    """Place the assaulter at its start, facing along the path (TSE-ASL-24), or as it stood if it has no room to turn.

    Source: TSE-INV-13.
    """
    free = not standing_faults(unfolding.battle, pose)
    _stand(unfolding, pose if free else as_before, charge, "thrown back to its start")


def _stand(unfolding: Unfolding, pose: Unit, charge: Charge, how: str) -> None:
    unfolding.happen(Placed(charge.unit, pose_of(pose), (charge.path.start, pose.front_mid), how))


def _go_home(unfolding: Unfolding, charge: Charge, result: CalculatorResult, countercharge: bool) -> bool:
    """Carry out an assault that goes home; return whether the target gave way. Both units have acted.

    Disorder from the defender's fire comes before contact, the effects of the melee after it (TSE-ASL-20..26). The
    target loses an action it had not yet used (TSE-ACT-95, TSE-ASL-81).
    """
    start = unfolding.unit(charge.unit)
    for effects in result.actor[:-1]:
        suffer(unfolding, charge.unit, effects, _blow(unfolding, charge.target, charge.path.facing + 180.0))
    _contact(unfolding, charge, countercharge)
    acted(unfolding, charge.target)
    blow = _blow(unfolding, charge.target, charge.path.facing + 180.0)  # while the target is there to deal it
    won = False
    for effects in result.target:
        won = suffer(unfolding, charge.target, effects, _blow(unfolding, charge.unit, charge.path.facing))
    _repelled(unfolding, charge, result.actor[-1], blow, start)
    return won


def _contact(unfolding: Unfolding, charge: Charge, countercharge: bool) -> None:
    """Move the assaulter, and a countercharging target, into contact, overrunning generals (TSE-ASL-23, TSE-LDR-07)."""
    battle = unfolding.battle
    before, target = battle.unit(charge.unit), battle.unit(charge.target)
    if countercharge:
        meets = countercharge_meeting(battle, charge)
        after, countercharger = meets.charger, meets.there
        unfolding.happen(
            Placed(
                countercharger.id, pose_of(countercharger), (target.front_mid, countercharger.front_mid), COUNTERCHARGE
            )
        )
        _ride_over(unfolding, meets.formed)
    else:
        after = contact_pose(battle, before, target, charge.path)
    unfolding.happen(Placed(after.id, pose_of(after), (charge.path.start, after.front_mid), ASSAULT))
    _ride_over(unfolding, turned_to(before, charge.path))


def _ride_over(unfolding: Unfolding, first: Unit) -> None:
    """Let a unit overrun the generals between ``first``, where it set out, and where it is now (TSE-LDR-07)."""
    now = unfolding.unit(first.id)
    swept = shapely.union_all([first.footprint, now.footprint]).convex_hull
    overrun(unfolding, now, swept)


def _repelled(unfolding: Unfolding, charge: Charge, effects: Effects, blow: Blow, start: Unit) -> None:
    """Apply the effects of the melee to the assaulter, which may be pushed back to its start although it went home."""
    if effects.nothing:
        return
    suffer(unfolding, charge.unit, effects, blow)
    if effects.back == "start" and unfolding.battle.has(charge.unit):
        now = unfolding.unit(charge.unit)
        as_before = replace(now, bases=start.bases, facing=start.facing)
        pose = now.moved(*(a - b for a, b in zip(charge.path.start, now.front_mid, strict=True)))
        free = not standing_faults(unfolding.battle, pose)
        place(unfolding, pose if free else as_before, "pushed back to its start")


def answer_breakthrough(unfolding: Unfolding, decision: Decision, choice: str) -> None:
    """Carry out the decision of the victorious side: stay, advance, or assault once more (TSE-ASL-70..74).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("fall-back-from-behind"))
    >>> decision = Decision("red", "breakthrough", ("stay", "advance"), unit="raiders", data={"left": 2.0})
    >>> answer_breakthrough(unfolding, decision, "advance")
    >>> unfolding.unit("raiders").at
    (8.0, 20.0)
    """
    unit, reach_left = str(decision.unit), float(decision.data["left"])
    target = target_of(choice)
    if choice == ADVANCE:
        advance(unfolding, unit, reach_left)
    if target is not None:
        charge = breakthrough_of(unfolding.battle, unit, target, reach_left)
        assert charge is not None, "only what it may assault was offered"
        unfolding.happen(Remembered(BROKE_THROUGH + unit, True))
        clash(unfolding, charge)


# --- odds ------------------------------------------------------------------------------------------------------------


def reckon_assault(battle: Battle, action: Action, chance: Chance) -> Result:
    """Return the result of an assault for one course of chance, assuming that cavalry countercharges if it may."""
    charge = charge_of(battle, str(action.unit), str(action.target))
    order = ordered(chance, battle, battle.unit(charge.unit), ASSAULT)
    if order == LOST:
        return Result("orders lost", family=NOT_STARTED)
    if not within(battle, charge, order == DELAYED):
        return Result("orders late: out of reach", family=NOT_STARTED)
    form = form_of(battle, charge, may_countercharge(battle, charge))
    return result_of(battle, action, calculator.assaulted(form, chance))


KINDS = (
    ActionKind(
        ASSAULT, "Assault", judge_assault, resolve_assault, reckon_assault, ("unit", "target"),
        ("TSE-ACT-60", "TSE-ACT-61"),
    ),
)  # fmt: skip
