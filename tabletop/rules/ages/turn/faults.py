"""What must never be so between two actions of a battle, whatever was done: places, houses, guns, states and marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.depth import deepest
from tabletop.rules.ages.morale.status import DISRUPTED, OF_A_TURN, ROUTING
from tabletop.rules.ages.movement.layouts import GARRISON, LIMBERED
from tabletop.rules.ages.movement.motion import over_the_edge
from tabletop.rules.ages.movement.terrain import houses
from tabletop.rules.ages.tables import ARTILLERY, arm
from tabletop.rules.ages.turn.losses import army, lost

#: Marks of guns alone, and those a unit that routs has no longer.
OF_GUNS = ("fired", "captured", "abandoned")
NOT_ROUTING = ("retreating", "pursuing", "charging", "fired", "retiring")
#: Marks that name a turn, and the mark of a turn's combat, which enemies carry too.
TURNS = ("charged", "captured", "tested", "shaken")
FOUGHT = "fought"


def faults(battle: Battle) -> Sequence[str]:
    """Return faults that must never occur between two actions.

    Units overlap or stand over the table's edge (ROC-MOV-05), two hold a house (AGE-SET-03), guns that have fired are
    limbered (ROC-ART-09), a state and a mark exclude each other, or an army has lost more than it had (AGE-CRI-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> faults(open_battle("saint-amand"))
    []
    """
    troops = [u for u in battle.units if not u.is_general]
    beyond = (u for u in battle.units if battle.tape.over(over_the_edge(battle, u.footprint), 0.0))
    return [
        *_overlapping(battle, troops),
        *(f"{unit.id} stands over the table's edge" for unit in beyond),
        *_houses(battle, troops),
        *(fault for unit in troops for fault in (*_guns(unit), *_state(unit), *_turns(battle, unit))),
        *_losses(battle),
    ]


def _overlapping(battle: Battle, troops: Sequence[Unit]) -> Iterator[str]:
    for a, b in combinations(troops, 2):
        if _near(a.footprint.bounds, b.footprint.bounds) and battle.tape.over(deepest(a.bases, b.bases), 0.0):
            yield f"{a.id} stands in {b.id}"


def _near(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _houses(battle: Battle, troops: Sequence[Unit]) -> Iterator[str]:
    """Yield the houses held by two units (AGE-SET-03)."""
    garrisons = [unit for unit in troops if unit.formation == GARRISON]
    for house in houses(battle) if garrisons else ():
        within = [unit.id for unit in garrisons if shapely.intersects_xy(house.shape, *unit.at)]
        if len(within) > 1:
            yield f"{' and '.join(within)} both hold {house.id}"


def _guns(unit: Unit) -> Iterator[str]:
    """Yield marks of guns on others, and guns that have limbered in the turn in which they fired (ROC-ART-09)."""
    if arm(unit) != ARTILLERY:
        yield from (f"{unit.id} is no battery and has the mark '{mark}'" for mark in OF_GUNS if unit.marks.get(mark))
    elif unit.marks.get("fired") and unit.formation == LIMBERED:
        yield f"{unit.id} has fired this turn and is limbered"


def _state(unit: Unit) -> Iterator[str]:
    """Yield marks that do not go with a unit's state (ROC-MOV-07, AGE-RES-09)."""
    if unit.status == ROUTING:
        yield from (f"{unit.id} routs and has the mark '{mark}'" for mark in NOT_ROUTING if unit.marks.get(mark))
    if unit.marks.get("retiring") and unit.status != DISRUPTED:
        yield f"{unit.id} retires and is not disrupted"
    if unit.marks.get("pursuing") and unit.marks.get("retiring"):
        yield f"{unit.id} both pursues and retires"


def _turns(battle: Battle, unit: Unit) -> Iterator[str]:
    """Yield marks of a turn to come, or of the turn of a side that is not to move (ROC-SEQ-01, ROC-MOV-03)."""
    clock, marks = battle.clock, unit.marks
    if not clock.turn:
        return
    yield from (f"{unit.id} has '{m}' of turn {marks[m]}" for m in TURNS if (marks.get(m) or 0) > clock.turn)
    if unit.side != clock.side:
        stale = (mark for mark in OF_A_TURN if mark != FOUGHT and marks.get(mark))
        yield from (f"{unit.id} is not of the side to move and has the mark '{mark}'" for mark in stale)
    if marks.get("charging") and marks.get("charged") != clock.turn:
        yield f"{unit.id} charges, but not by a charge of this turn"


def _losses(battle: Battle) -> Iterator[str]:
    """Yield armies that have lost more bases than they had (AGE-CRI-01)."""
    for side in battle.setup.sides:
        if army(battle, side) and not 0 <= lost(battle, side) <= army(battle, side):
            yield f"{side} has lost {lost(battle, side)} bases of {army(battle, side)}"
