"""A weaker question of fire: could a unit fire if it were shifted by up to some length, in any direction?

Each condition of a shot is checked once, in a form weak enough to hold for any shift: the arc is grown by the shift,
the front stands for all the ground it can occupy, and only the parts of friends that are ahead of the front line in
every shift are in the way. A no holds for every shift; a yes may still fail for each of them.
"""

from __future__ import annotations

from dataclasses import replace

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.arc import Front, fronts_of
from tabletop.geometry.line_of_sight import InterveningUnit, seen_by
from tabletop.rules.tse.fire.arc import arc_fronts, gap_to_arc, sees_all_round
from tabletop.rules.tse.fire.line_of_fire import as_intervening, in_the_way
from tabletop.rules.tse.fire.shot import reach_of
from tabletop.rules.tse.sight.judge import law_of


def may_shoot(battle: Battle, firer: Unit, target: Unit, shift: float) -> bool:
    """Return whether the firer, moved by up to ``shift``, may have a shot in range (TSE-FIR-01, 05, 06, 08, 10)."""
    reach = reach_of(battle, firer)
    if reach is None or gap_to_arc(battle, firer, target) > shift + battle.tape.t:
        return False
    if not battle.rulings["same_part"]:
        return True
    part = _part(battle, firer, target.footprint, shift)
    return any(_may_reach(battle, firer, target, part, front, shift, reach) for front in fronts_of(firer.fronts))


def may_see(battle: Battle, firer: Unit, target: Unit, shape: shapely.Geometry, shift: float) -> bool:
    """Return whether the firer, moved by up to ``shift``, may have a line of fire at a shape, however long."""
    part = _part(battle, firer, shape, shift)
    law = law_of(battle)
    for front in fronts_of(firer.fronts) if not shapely.is_empty(part) else ():
        start = _around(front.edge, shift)
        intervening = _intervening_within(battle, firer, target, part, front, shift)
        if seen_by(battle.table, start, part, law, (), intervening) is not None:
            return True
    return False


def _part(battle: Battle, firer: Unit, shape: shapely.Geometry, shift: float) -> shapely.Geometry:
    """Return the part of a shape that lies in the arc for some shift."""
    if sees_all_round(firer):
        return shape
    wide = shift + 2.0 * battle.tape.t
    far = 2.0 * max(front.farthest(shape) + front.width for front in arc_fronts(battle, firer))
    arcs = shapely.union_all([front.arc(far + wide) for front in arc_fronts(battle, firer)])
    return shapely.intersection(shape, shapely.buffer(arcs, wide, join_style="mitre"))


def _may_reach(
    battle: Battle, firer: Unit, target: Unit, part: shapely.Geometry, front: Front, shift: float, reach: float
) -> bool:
    start = _around(front.edge, shift)
    if shapely.is_empty(part) or shapely.distance(start, part) > reach + battle.tape.t:
        return False
    intervening = _intervening_within(battle, firer, target, part, front, shift)
    longest = reach + 2.0 * battle.tape.t
    return seen_by(battle.table, start, part, law_of(battle), (), intervening, longest) is not None


def _around(edge: shapely.LineString, shift: float) -> shapely.Geometry:
    """Return a rectangle round all the ground an edge can occupy: fewer corners mean fewer lines to search."""
    return shapely.buffer(edge, shift, cap_style="square", join_style="mitre")


def _intervening_within(
    battle: Battle, firer: Unit, target: Unit, part: shapely.Geometry, front: Front, shift: float
) -> tuple[InterveningUnit, ...]:
    """Return the parts of the units in the way that are ahead of the front line in every shift."""
    fx, fy = front.forward
    left, right = ((x + shift * fx, y + shift * fy) for x, y in (front.left, front.right))
    onward = replace(front, left=left, right=right)
    others = in_the_way(battle, firer, target, part)
    return tuple(piece for unit in others for piece in as_intervening(battle, onward, unit, True))
