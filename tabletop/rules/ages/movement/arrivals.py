"""Reinforcements: units that come on during the battle, where and when the scenario says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Entered
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import PERSONS, Unit, pose_of
from tabletop.geometry.depth import deepest
from tabletop.geometry.terrain import Table
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.ages.combat.zones import extent
from tabletop.rules.ages.turn import losses
from tabletop.rules.ages.turn.phases import MOVEMENT_PHASE
from tabletop.rules.common.arrivals import due, within
from tabletop.rules.common.ruled import either, ruled

__all__ = ["arriving", "due", "enter", "entering", "judge_enter"]


def arriving(entry: Mapping[str, Any], at: tuple[float, float], facing: float) -> Mapping[str, Any]:
    """Return the entry of a unit still to come, with the middle of its front, or a person's centre, at ``at``.

    The point of entry is in table units (mm), ``facing`` in degrees (AGE-SET-07).

    >>> arriving({"id": "ross", "troop": "infantry"}, (0.0, 840.0), 90.0)
    {'id': 'ross', 'troop': 'infantry', 'front_mid': (0.0, 840.0), 'facing': 90.0}
    """
    unplaced = {key: value for key, value in entry.items() if key not in ("at", "front_mid", "facing")}
    if entry.get("troop") in PERSONS:
        return {**unplaced, "at": at}
    return {**unplaced, "front_mid": at, "facing": facing}


def entering(table: Table, unit: Unit) -> Unit:
    """Return a unit that has just come on, its rear at the edge, which takes its whole move (reconstruction).

    A person, who has no rear, stands just within the edge with all of his base on the table.
    """
    if not unit.fronts:
        return within(table, unit)
    depth, (fx, fy) = extent(unit)[1], unit.forward
    return unit.moved(depth * fx, depth * fy)


def judge_enter(battle: Battle, action: Action) -> Verdict:
    """Return whether a unit may come on now: it is due, and its entry is free (ROC-MOV-01, ROC-MOV-05).

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = judge_enter(open_battle("maida"), Action("enter", "british", "20th-foot"))
    >>> [reason.text for reason in verdict.because if not reason.holds]
    ['units come on in the movement phase', '20th Foot is not due yet']
    """
    unit = battle.anyone(str(action.unit))
    name = unit.called
    reasons = [
        Reason("ROC-SEQ-01", battle.clock.phase == MOVEMENT_PHASE, "units come on in the movement phase"),
        Reason("ROC-SEQ-01", unit.side == action.side, f"{name} is of side {unit.side}"),
        either("ROC-MOV-01", unit in due(battle, unit.side), f"{name} is due", f"{name} is not due yet"),
    ]
    after = entering(battle.table, unit)
    for other in battle.units:
        if after.fronts and not other.is_general and battle.tape.over(deepest(after.bases, other.bases), 0.0):
            text = f"{other.called} stands where {name} would come on"
            reasons.append(Reason("ROC-MOV-05", False, text, feature=other.id))
    return ruled(battle, action, reasons)


def enter(unfolding: Unfolding, action: Action) -> None:
    """Bring a unit on, which uses up its move (ROC-MOV-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("maida"))
    >>> enter(unfolding, Action("enter", "british", "20th-foot"))
    >>> unfolding.unit("20th-foot").front_mid
    (75.0, 800.0)
    """
    unit = unfolding.battle.anyone(str(action.unit))
    after = entering(unfolding.battle.table, unit)
    unfolding.happen(Entered(unit.id, pose_of(after), (unit.front_mid, after.front_mid)))
    unfolding.mark(unit.id, moved=True, spent=1.0)
    losses.enrol(unfolding, (unit,))
