"""Messengers in the way of enemy units, which take them with the orders they carry."""

from __future__ import annotations

import math

from tabletop.battle.battle import Battle
from tabletop.battle.event import Removed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between
from tabletop.rules.ages.movement.motion import LEAST, Course, barriers, met, solid
from tabletop.rules.ages.tables import arm
from tabletop.rules.ages.turn.simultaneous import DECIMALS, in_sequence


def on_a_course(battle: Battle, unit: Unit, course: Course) -> tuple[Unit, ...]:
    """Return the enemy staff officers that a fighting unit passes over on a course (ROC-ORD-03, AGE-ORD-05)."""
    if unit.is_general:
        return ()
    return met(battle, course, _enemy_riders(battle, unit))


def _enemy_riders(battle: Battle, unit: Unit) -> list[Unit]:
    return [u for u in battle.units if u.side != unit.side and arm(u) == "staff"]


def ride_down(unfolding: Unfolding, start: Unit, end: Unit) -> None:
    """Take the enemy staff officers in the straight way of a unit that pursues, runs or falls back (AGE-ORD-05).

    ``start`` is the unit after any turn, ``end`` where it comes to a stand; it takes those it passes over by more than
    the tolerance.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("wachau"))
    >>> guns = next(unit for unit in unfolding.battle.units if unit.side != unfolding.unit("aide").side)
    >>> x, y = unfolding.unit("aide").at
    >>> start = guns.moved(x - guns.at[0], y - 100.0 - guns.at[1])
    >>> ride_down(unfolding, start, start.moved(0.0, 200.0))
    >>> unfolding.battle.has("aide")
    False
    """
    battle, (x, y), (ex, ey) = unfolding.battle, start.at, end.at
    far = math.dist((x, y), (ex, ey))
    if far <= LEAST:
        return
    direction = (ex - x) / far, (ey - y) / far
    for rider in _enemy_riders(battle, start):
        if barriers(start, solid(rider), direction, far, battle.tape.t):
            capture(unfolding, rider.id, start.id)


def capture(unfolding: Unfolding, rider: str, by: str) -> None:
    """Take a staff officer; the order he carries goes to the enemy general nearest to him (ROC-ORD-03, AGE-ORD-05)."""
    battle, man = unfolding.battle, unfolding.unit(rider)
    generals = [u for u in battle.units if u.side != man.side and arm(u) == "general"]
    near = in_sequence(battle, generals)
    nearest = min(near, key=lambda g: round(distance_between(g, man), DECIMALS), default=None)
    record = {"order": man.marks.get("carries"), "to": nearest.id if nearest else None}
    unfolding.tell("messenger taken", record, by, rider, ("ROC-ORD-03",))
    unfolding.happen(Removed(rider, "captured"))
