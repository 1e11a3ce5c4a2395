"""Reinforcements: units that come on during the battle, where and when the scenario says."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Entered
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import PERSONS, Unit, pose_of
from tabletop.geometry.measure import TOLERANCES, Point
from tabletop.geometry.terrain import Table
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.ages.combat.zones import extent
from tabletop.rules.ages.movement import terrain
from tabletop.rules.ages.movement.motion import barriers, over_the_edge, solid
from tabletop.rules.ages.movement.neared import note_squares
from tabletop.rules.ages.turn import losses
from tabletop.rules.ages.turn.phases import MOVEMENT_PHASE
from tabletop.rules.ages.turn.simultaneous import DECIMALS
from tabletop.rules.common.arrivals import due, unplaced, within
from tabletop.rules.common.keyed_option import given
from tabletop.rules.common.overlaps import overlapped
from tabletop.rules.common.phases import own
from tabletop.rules.common.ruled import either, ruled

__all__ = ["arriving", "coming_on", "due", "enter", "entering", "judge_enter"]

#: How far (mm) beyond a unit in the way another comes on beside it.
CLEAR = 1e-3


def arriving(entry: Mapping[str, Any], at: tuple[float, float], facing: float) -> Mapping[str, Any]:
    """Return the entry of a unit still to come, with the middle of its front, or a person's centre, at ``at``.

    The point of entry is in table units (mm), ``facing`` in degrees (AGE-SET-07).

    >>> arriving({"id": "ross", "troop": "infantry"}, (0.0, 840.0), 90.0)
    {'id': 'ross', 'troop': 'infantry', 'front_mid': (0.0, 840.0), 'facing': 90.0}
    """
    if entry.get("troop") in PERSONS:
        return {**unplaced(entry), "at": at}
    return {**unplaced(entry), "front_mid": at, "facing": facing}


def entering(table: Table, unit: Unit) -> Unit:
    """Return a unit that has just come on, its rear at the edge, which takes its whole move (reconstruction).

    A person, who has no rear, stands just within the edge with all of his base on the table.
    """
    if not unit.fronts:
        return within(table, unit)
    depth, (fx, fy) = extent(unit)[1], unit.forward
    return unit.moved(depth * fx, depth * fy)


def coming_on(battle: Battle, unit: Unit) -> Unit:
    """Return a unit as it comes on: at the free place of its entry nearest to the arrival's point (AGE-SET-07).

    The entry is as wide along the edge as the option ``entry_width`` says, in mm, with the point in its middle. Of two
    places equally near, the one to the unit's right counts. Without a free place it comes on at the point.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("maida")
    >>> coming_on(battle, battle.anyone("20th-foot")).front_mid
    (75.0, 800.0)
    """
    after, most = entering(battle.table, unit), _width(battle, unit) / 2
    if not unit.fronts or most <= 0.0:
        return after
    x, y = _along_the_edge(battle.table, unit)
    shapes = [*terrain.barred_parts(battle), *(s for u in battle.units if not u.is_general for s in solid(u))]
    found = []
    for way in ((x, y), (-x, -y)):
        shift = _first_free(barriers(after, shapes, way, most + 1.0, battle.tape.t))
        place = after.moved(shift * way[0], shift * way[1])
        if shift <= most and not battle.tape.over(over_the_edge(battle, place), 0.0):
            found.append((round(shift, DECIMALS), place))
    return min(found, key=lambda each: each[0], default=(0.0, after))[1]


def _width(battle: Battle, unit: Unit) -> float:
    """Return how wide (mm) a unit's entry is, by the scenario's option: the unit's own, its side's, or everybody's."""
    return float(given(battle.setup.options, "entry_width", unit.id, unit.side) or 0.0)


def _along_the_edge(table: Table, unit: Unit) -> Point:
    """Return the direction along the edge a unit comes on over, to the right as it faces; at a corner that it faces."""
    (x, y), (fx, fy) = unit.front_mid, unit.forward
    beside, before = min(abs(x), abs(x - table.width)), min(abs(y), abs(y - table.height))
    upright = abs(fx) > abs(fy) if abs(beside - before) <= TOLERANCES["mm"] else beside < before
    return (0.0, math.copysign(1.0, -fx)) if upright else (math.copysign(1.0, fy), 0.0)


def _first_free(stretches: Sequence[tuple[float, float]]) -> float:
    """Return the least shift, in mm, that lies in none of the stretches (sorted)."""
    shift = 0.0
    for lo, hi in stretches:
        if lo <= shift < hi:
            shift = hi + CLEAR
    return shift


def judge_enter(battle: Battle, action: Action) -> Verdict:
    """Return whether a unit may come on now: it is due, and its entry has room (ROC-MOV-01, ROC-MOV-05, AGE-SET-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = judge_enter(open_battle("maida"), Action("enter", "british", "20th-foot"))
    >>> [reason.text for reason in verdict.because if not reason.holds]
    ['units come on in the movement phase', '20th Foot is not due yet']
    """
    unit = battle.anyone(str(action.unit))
    name = unit.called
    reasons = [
        Reason("ROC-SEQ-01", battle.clock.phase == MOVEMENT_PHASE, "units come on in the movement phase"),
        own(action, unit, "ROC-SEQ-01"),
        either("ROC-MOV-01", unit in due(battle, unit.side), f"{name} is due", f"{name} is not due yet"),
    ]
    after = coming_on(battle, unit)
    troops = [other for other in battle.units if after.fronts and not other.is_general]
    for other in overlapped(battle, after, troops):
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
    start = unfolding.battle
    at_point, after = entering(start.table, unit), coming_on(start, unit)
    (x, y), (ax, ay), (px, py) = unit.front_mid, after.at, at_point.at
    unfolding.happen(Entered(unit.id, pose_of(after), ((x + ax - px, y + ay - py), after.front_mid)))
    unfolding.mark(unit.id, moved=True, spent=1.0)
    note_squares(unfolding, unit.id, start)
    losses.enrol(unfolding, (unit,))
