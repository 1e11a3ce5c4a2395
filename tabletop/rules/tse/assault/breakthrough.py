"""Breakthrough: cavalry that has driven off its target may use the rest of its reach (TSE-ASL-70..74)."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.event import Asked, Placed, Remembered
from tabletop.battle.progress import Decision
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, pose_of
from tabletop.geometry.measure import Point
from tabletop.geometry.movement.motion import Straight
from tabletop.rules.tse.assault.calculator_form import BROKE_THROUGH, Charge, breakthrough_of
from tabletop.rules.tse.command.generals import ground_swept, overrun
from tabletop.rules.tse.movement.legality import faults
from tabletop.rules.tse.movement.motion import ACTIONS, PlannedMove, planned_move
from tabletop.rules.tse.movement.partial_move import as_far_as
from tabletop.rules.tse.tables import troop

BREAKTHROUGH = "breakthrough"
#: The answers: stay, ride straight ahead, or assault an enemy in reach.
STAY, ADVANCE, AGAINST = "stay", "advance", "assault "


def offer(unfolding: Unfolding, charge: Charge, left: float) -> None:
    """Ask the victorious side what its cavalry does next, unless it can only stay (TSE-ASL-70..73)."""
    choices = choices_of(unfolding.battle, charge.unit, left)
    if len(choices) < 2:
        return
    unit = unfolding.unit(charge.unit)
    unfolding.happen(Asked(Decision(unit.side, BREAKTHROUGH, choices, unit=unit.id, data={"left": left})))


def choices_of(battle: Battle, unit: str, left: float) -> tuple[str, ...]:
    """Return the answers open to a unit; only cavalry, not demoralized, with reach left, once a turn, may go on."""
    if not battle.has(unit) or BROKE_THROUGH + unit in battle.memory or not battle.tape.over(left, 0.0):
        return (STAY,)
    rider = battle.unit(unit)
    if troop(rider.troop).family != "cavalry" or rider.status == "demoralized":
        return (STAY,)
    against = tuple(AGAINST + target for target in _targets(battle, unit, left))
    room = planned(battle, unit, left)
    onward = (ADVANCE,) if room is not None else ()
    return (STAY, *onward, *against)


def _targets(battle: Battle, unit: str, left: float) -> Iterator[str]:
    """Yield the ids of the enemies a unit may assault, nearest first, independent of their names."""
    rider = battle.unit(unit)

    def near(enemy: Unit) -> tuple[float, Point]:
        return round(float(shapely.distance(rider.footprint, enemy.footprint)), 6), enemy.at

    for enemy in sorted(battle.enemies(rider), key=near):
        if breakthrough_of(battle, unit, enemy.id, left) is not None:
            yield enemy.id


def target_of(choice: str) -> str | None:
    """Return the target an answer names, None if it names none (TSE-ASL-70).

    >>> target_of("assault b"), target_of("stay")
    ('b', None)
    """
    return choice.removeprefix(AGAINST) if choice.startswith(AGAINST) else None


def planned(battle: Battle, unit: str, left: float) -> PlannedMove | None:
    """Return the ride straight ahead as far as ``left`` and enemy zones allow; None without room (TSE-ASL-74)."""
    rider = battle.unit(unit)
    whole = planned_move(battle, rider, rider, ACTIONS["maneuver"], (Straight(left),))
    ride = as_far_as(whole, left)
    moved = battle.tape.over(abs(ride.end.at[0] - rider.at[0]) + abs(ride.end.at[1] - rider.at[1]), 0.0)
    return ride if moved and not faults(ride) else None


def advance(unfolding: Unfolding, unit: str, left: float) -> None:
    """Ride on straight ahead without a fight (TSE-ASL-74)."""
    ride = planned(unfolding.battle, unit, left)
    assert ride is not None, "an advance is only offered where there is room"
    unfolding.happen(Remembered(BROKE_THROUGH + unit, True))
    path = (ride.start.front_mid, ride.end.front_mid)
    unfolding.happen(Placed(unit, pose_of(ride.end), path, BREAKTHROUGH))
    overrun(unfolding, unfolding.unit(unit), ground_swept(ride))
