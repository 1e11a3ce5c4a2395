"""Further moves of one unit for people to choose from: other ranks, and a wheel on a corner to face the enemy.

The evaluation seldom prefers them to the plain move, so computer players do not consider them. A person may have a
reason that the evaluation does not see, such as a gap to pass or a flank to hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.measure import Point, bearing, heading, snap_facing, turn_between
from tabletop.geometry.movement.motion import turn_charge
from tabletop.rules.common.candidates import once
from tabletop.rules.tse.computer.suggest import NEAR_FLANK, aim, nearest_enemy, toward, way_along
from tabletop.rules.tse.movement.formation import ranks_wanted
from tabletop.rules.tse.movement.layouts import rank_splits
from tabletop.rules.tse.movement.motion import ACTIONS, allowance, body_of, set_out
from tabletop.rules.tse.turn.actions import KINDS
from tabletop.rules.tse.turn.menu import is_open

#: How many columns are shown besides the usual one.
SPLITS = 2
#: Degrees off the enemy's bearing at which a unit sets out before it wheels.
OUTWARD = (30.0, 60.0)
MANEUVER = "maneuver"


def variations(battle: Battle, name: str) -> Iterator[Action]:
    """Yield allowed moves of the unit ``name`` in other ranks (TSE-FRM-20) and with wheels on a corner (TSE-MOV-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.turn.sequence import in_turn
    >>> next(variations(in_turn(open_battle("starter"), "arnaud"), "arnaud")).options["ranks"]
    (2, 1, 1)
    """
    if battle.pending or battle.over or not battle.has(name):
        return
    unit = battle.unit(name)
    if unit.is_general or not is_open(battle, Action(MANEUVER, unit.side, unit.id)):
        return
    for action in once((*in_other_ranks(battle, unit), *wheeling(battle, unit))):
        if KINDS[action.kind].judge(battle, action).holds:
            yield action


def in_other_ranks(battle: Battle, unit: Unit) -> Iterator[Action]:
    """Yield moves straight toward the enemy or objective in the columns most like the usual one."""
    point = aim(battle, unit)
    if point is not None:
        for split in _others(unit):
            yield from way_along(battle, unit, MANEUVER, toward(unit, point), 1.0, None, ranks=split)


def _others(unit: Unit) -> Sequence[tuple[int, ...]]:
    """Return the legal ranks most like the usual ones: about as deep, and wider ones first if equally deep."""
    usual = ranks_wanted(unit, None)
    splits = [split for split in rank_splits(unit.troop, unit.strength) if split != tuple(usual)]

    def unlike(split: tuple[int, ...]) -> tuple[bool, int, int]:
        backward = any(after > before for before, after in pairwise(split))
        return backward, abs(len(split) - len(usual)), len(split)

    return sorted(splits, key=unlike)[:SPLITS]


def wheeling(battle: Battle, unit: Unit) -> Iterator[Action]:
    """Yield moves past the nearest enemy's flank that end with a wheel on the inner corner, to face him (TSE-MOV-03).

    They stop early enough that the wheel can still be paid for.
    """
    enemy = nearest_enemy(battle, unit)
    allowed = allowance(battle, unit, ACTIONS[MANEUVER])
    if enemy is None or distance_between(unit, enemy) > NEAR_FLANK * battle.scale + allowed:
        return
    for off in OUTWARD:
        for side in (-1, 1):
            yield from _wheeled(battle, unit, enemy.at, snap_facing(toward(unit, enemy.at) + side * off), allowed)


def _wheeled(battle: Battle, unit: Unit, enemy: Point, outward: float, allowed: float) -> Iterator[Action]:
    """Yield the move along a bearing that leaves enough for a wheel toward an enemy, on the corner on his side."""
    fx, fy = heading(outward)
    start = set_out(battle, unit, ACTIONS[MANEUVER], (unit.at[0] + fx, unit.at[1] + fy), None)
    x, y = start.front_mid
    facing = snap_facing(bearing(enemy[0] - x - allowed / 2 * fx, enemy[1] - y - allowed / 2 * fy))
    turn = turn_between(outward, facing)
    about = "right" if turn > 0 else "left"
    budget_left = allowed - turn_charge(body_of(start).width, turn, about)
    for action in way_along(battle, unit, MANEUVER, outward, max(0.0, budget_left) / allowed, facing):
        path = action.options["path"]
        pivots = (*("middle",) * (len(path) - 1), about)
        yield Action(action.kind, action.side, action.unit, options={**action.options, "pivots": pivots})
