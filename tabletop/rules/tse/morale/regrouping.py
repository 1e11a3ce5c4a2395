"""Regrouping: back to order, in any formation and facing, about the centre-point (TSE-REG, TSE-ACT-90)."""

from __future__ import annotations

from typing import Any, cast

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.event import Changed
from tabletop.battle.naming import state
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, pose_of
from tabletop.geometry.shapes import ghosts
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.common.ruled import ruled
from tabletop.rules.play import ActionKind, Result
from tabletop.rules.tse.calculator import model
from tabletop.rules.tse.command.generals import overrun
from tabletop.rules.tse.command.orders import general_near, may_regroup
from tabletop.rules.tse.morale.status import Status, regrouped
from tabletop.rules.tse.movement.formation import assume, shape_faults, standing_faults
from tabletop.rules.tse.movement.resolve import put
from tabletop.rules.tse.movement.zone_of_control import placing_faults
from tabletop.rules.tse.turn.sequence import acted, turn_reasons

#: The results of a regroup, the worst first (TSE-REG-02, TSE-REG-04).
FAILS, ONE_STEP, FULLY = model.REGROUPED
#: Options that shape the formation taken up on success.
SHAPING = ("facing", "front", "ranks", "align", "bend", "ref", "place", "head")


def judge_regroup(battle: Battle, action: Action) -> Verdict:
    """Return whether a unit may regroup, and in the formation and facing asked for (TSE-REG-01, TSE-REG-03)."""
    against = [r for r in regroup_reasons(battle, action) if not r.holds]
    if against:
        return ruled(battle, action, against)
    unit, after = battle.unit(str(action.unit)), posed(battle, action)
    reasons = [_worse(unit)]
    if after is not unit:
        reasons += [*shape_faults(battle, after), *placing_faults(battle, unit, after), *standing_faults(battle, after)]
    measured = {"at": list(after.at), "facing": after.facing, "after": pose_of(after)}
    return ruled(battle, action, reasons).with_(measured=measured, shapes=ghosts(after.bases))


def regroup_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return the quickly checked reasons whether a unit may regroup now (TSE-ACT-90, TSE-REG-01, TSE-CMB-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> reasons = regroup_reasons(open_battle("starter"), Action("regroup", "french", "arnaud"))
    >>> [reason.rule for reason in reasons if not reason.holds]
    ['TSE-TRN-04', 'TSE-REG-01']
    """
    unit = battle.anyone(str(action.unit))
    name, moved = unit.called, unit.marks.get("may_fire")
    return [
        *turn_reasons(battle, action),
        _worse(unit),
        Reason(
            "TSE-ACT-80", battle.has(unit.id), f"{name}: {'on the table' if battle.has(unit.id) else 'still to come'}"
        ),
        Reason(
            "TSE-CMB-03", not moved, f"{name}: {'moved already; only a shot is left' if moved else 'not moved yet'}"
        ),
    ]


def _worse(unit: Unit) -> Reason:
    status = "a general" if unit.is_general else unit.status if unit.status != "ok" else "in good order already"
    return Reason("TSE-REG-01", may_regroup(unit), f"{unit.called}: {status}")


def posed(battle: Battle, action: Action) -> Unit:
    """Return the unit as it would stand after a success: about its centre-point, unchanged by default (TSE-REG-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> posed(battle, Action("regroup", "french", "arnaud")).at == battle.unit("arnaud").at
    True
    """
    unit = battle.unit(str(action.unit))
    wanted: dict[str, Any] = {k: v for k in SHAPING if (v := action.options.get(k)) is not None}
    formation = action.options.get("formation")
    if formation is None and not wanted:
        return unit
    after = assume(battle, unit, str(formation or unit.formation), **wanted)
    return after.moved(unit.at[0] - after.at[0], unit.at[1] - after.at[1])


def drawn(battle: Battle, unit: Unit, chance: Chance) -> str:
    """Draw the result of a regroup; a general near helps (TSE-REG-05), and no orders are needed (TSE-REG-06)."""
    number, _ = chance.grade(f"regroup: {unit.id}", model.regroup_odds(unit, general_near(battle, unit)))
    return model.REGROUPED[number]


def regroup(unfolding: Unfolding, action: Action) -> None:
    """Regroup: on success the unit's status improves by one step or fully (TSE-REG-02, TSE-REG-04)."""
    battle, unit = unfolding.battle, unfolding.unit(str(action.unit))
    result = drawn(battle, unit, unfolding)
    status = _status(unit, result)
    unfolding.tell("regroup", {"result": result, "status": status}, unit.id, rules=("TSE-REG-02", "TSE-REG-04"))
    if result != FAILS:
        unfolding.happen(Changed(unit.id, status=status))
        after = posed(battle, action)
        if after is not unit:
            put(unfolding, after)
            overrun(unfolding, unit, after.footprint)
    acted(unfolding, unit.id)


def _status(unit: Unit, result: str) -> str:
    return unit.status if result == FAILS else regrouped(cast(Status, unit.status), result == FULLY)


def reckon(battle: Battle, action: Action, chance: Chance) -> Result:
    """Return the result of a regroup for one course of chance."""
    unit = battle.unit(str(action.unit))
    result = drawn(battle, unit, chance)
    status = _status(unit, result)
    if result == FAILS:
        return Result(f"it fails: still {status}")
    return Result(f"it is {state(status)}", effects=((unit.id, f"status:{status}", 1.0),))


KINDS = (ActionKind("regroup", "Regroup", judge_regroup, regroup, reckon, ("unit",), ("TSE-ACT-90", "TSE-REG-01")),)
