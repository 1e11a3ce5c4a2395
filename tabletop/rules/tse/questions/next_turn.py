"""Where a unit could assault or shoot in its next turn, from where it stands now; never too little ground.

The ground of an assault is where the nearest point of a target may lie: anywhere around the middle of the front, as far
as terrain lets the reach go (TSE-ASL-03 to TSE-ASL-07), plus less than 0.15 in. For cavalry it includes the ground from
each contact it could now assault to, with the reach then left (TSE-ASL-70). What hides a target and units in the way
are ignored, since units may move before the turn comes.

The ground of a shot is what is in range, ignoring obstacles, from where the unit stands, where it could deploy about
any of its bases (TSE-CMB-01), or where it could move with half its allowance (TSE-CMB-02), whatever its facing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.movement.line_reach import ground_of_lines
from tabletop.rules.tse.assault.charge import left_over
from tabletop.rules.tse.assault.judge import assaultable, chosen_assault, may_assault
from tabletop.rules.tse.assault.path import advanced, reach_of
from tabletop.rules.tse.movement.formation import assume
from tabletop.rules.tse.movement.layouts import legal_fronts
from tabletop.rules.tse.movement.motion import ACTIONS, cost_model
from tabletop.rules.tse.movement.reach import setting_of
from tabletop.rules.tse.movement.resolve import HALF
from tabletop.rules.tse.tables import length, troop


def endangered(battle: Battle, unit: Unit) -> Mapping[str, BaseGeometry]:
    """Return the ground (table units) where the unit could ``assault`` or ``fire`` at an enemy in its next turn.

    Source: TSE-ASL-05, TSE-FIR-01.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> sorted(endangered(battle, battle.unit("kessler-guns")))
    ['assault', 'fire']
    """
    return {"assault": assaulted(battle, unit), "fire": shot_at(battle, unit)}


# --- assault ----------------------------------------------------------------------------------------------------------


def assaulted(battle: Battle, unit: Unit) -> BaseGeometry:
    """Return where the nearest point of an assaulted unit may lie, breakthroughs included; empty if there is none."""
    far = reach_of(battle, unit)
    if far is None or not may_assault(battle, unit):
        return shapely.Polygon()
    parts = [in_reach(battle, unit, unit.front_mid, far)]
    if troop(unit.troop).family == "cavalry":
        parts += [in_reach(battle, unit, at, reach_left) for at, reach_left in _onward(battle, unit, far)]
    whole: BaseGeometry = shapely.union_all(parts)
    return whole


def in_reach(battle: Battle, unit: Unit, start: Point, far: float) -> BaseGeometry:
    """Return where straight paths from ``start`` that cost no more than ``far`` can end (TSE-ASL-05 to TSE-ASL-07).

    They cost what an assaulter's path costs, and impassable ground stops them (TSE-MOV-15).
    """
    law, t = cost_model(battle, unit, ACTIONS["maneuver"]), battle.tape.t
    return ground_of_lines(start, far + t, ground_of(battle.table), law)


def _onward(battle: Battle, unit: Unit, far: float) -> Iterator[tuple[Point, float]]:
    """Yield where cavalry would stand after each assault it may make now, and the reach then left (TSE-ASL-70)."""
    for enemy in battle.enemies(unit):
        if enemy.is_general or not assaultable(battle, unit, enemy):
            continue
        assault, _ = chosen_assault(battle, unit, enemy)
        met = advanced(unit, assault.path, assault.path.length / 2)
        for end, halfway in ((assault.ended, False), (met, True)):
            reach_left = left_over(battle, unit, assault.path, far, halfway, enemy)
            if battle.tape.over(reach_left, 0.0):
                yield end.front_mid, reach_left


# --- fire -------------------------------------------------------------------------------------------------------------


def shot_at(battle: Battle, unit: Unit) -> BaseGeometry:
    """Return the ground that may come within the unit's range; empty if it may not fire.

    Source: TSE-FIR-04, TSE-CMB-01, TSE-CMB-02.
    """
    far = troop(unit.troop).range
    if far is None or unit.status == "demoralized":
        return shapely.Polygon()
    where = shapely.union_all([unit.footprint, *_deployed(battle, unit), *_half_way(battle, unit)])
    area: BaseGeometry = where.buffer(far * battle.scale + battle.tape.t, quad_segs=32)
    return area


def _deployed(battle: Battle, unit: Unit) -> Iterator[BaseGeometry]:
    """Yield, for each base, the ground that a line formed about it may occupy: shifted and facing any way."""
    line = assume(battle, unit, "deployed", facing=0.0)
    west, south, east, north = line.footprint.bounds
    far = math.hypot(east - west, north - south) + length("deploy_shift") * battle.scale
    for base in unit.bases:
        yield shapely.Point(base.centre).buffer(far / math.cos(math.pi / 64), quad_segs=16)


def _half_way(battle: Battle, unit: Unit) -> Iterator[BaseGeometry]:
    """Yield, for each legal front, the ground any corner of the column's front may reach by half a maneuver."""
    way = ACTIONS["maneuver"]
    for front in legal_fronts(unit.troop, unit.strength):
        context = setting_of(battle, unit, way, front=front)
        far = abs(context.offset) + HALF * context.budget + context.files.half + battle.tape.t
        yield shapely.Point(context.pivot).buffer(far / math.cos(math.pi / 64), quad_segs=16)
