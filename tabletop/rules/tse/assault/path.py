"""The path of an assault: where it runs, what it costs, and the poses on it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.arc import arc_of, distance_to_arc
from tabletop.geometry.measure import SAME_PLACE, Point, bearing, heading, turn_between
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.movement.line_cost import ending_on, line_cost, stretched
from tabletop.geometry.movement.motion_cost import MoveCost
from tabletop.rules.tse.fire.arc import arc_fronts, sees_all_round
from tabletop.rules.tse.fire.cover import Cover, behind_cover, path_cover
from tabletop.rules.tse.movement.motion import ACTIONS, cost_model
from tabletop.rules.tse.tables import tables, troop


@dataclass(frozen=True)
class AssaultPath:
    """A straight line from the middle of a front to a point of the target (TSE-ASL-04)."""

    start: Point
    end: Point
    facing: float

    @cached_property
    def length(self) -> float:
        """The length of the path, table units."""
        return math.dist(self.start, self.end)

    @cached_property
    def line(self) -> shapely.LineString:
        """The path as a line."""
        return shapely.LineString([self.start, self.end])

    def at(self, along: float) -> Point:
        """Return the point ``along`` from the start."""
        e = heading(self.facing)
        return self.start[0] + along * e[0], self.start[1] + along * e[1]


def paths_to(unit: Unit, target: Unit) -> tuple[AssaultPath, ...]:
    """Return the paths from the middle of the unit's front to the nearest points of the target, in table units.

    There is more than one if points tie; the assaulter may then choose (TSE-ASL-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("front-or-flank")
    >>> [round(path.length, 2) for path in paths_to(battle.unit("west-column"), battle.unit("west-line"))]
    [5.66]
    """
    start = unit.front_mid
    ends = [_nearest(start, base.polygon) for base in target.bases]
    least = min(math.dist(start, end) for end in ends)
    tied = {(round(x, 9), round(y, 9)): (x, y) for x, y in ends if math.dist(start, (x, y)) <= least + 1e-9}
    return tuple(_path(unit, start, end) for end in tied.values())


def _nearest(start: Point, shape: shapely.Polygon) -> Point:
    x, y = shapely.get_coordinates(shapely.shortest_line(shapely.Point(start), shape))[-1].tolist()
    return x, y


def _path(unit: Unit, start: Point, end: Point) -> AssaultPath:
    dx, dy = end[0] - start[0], end[1] - start[1]
    return AssaultPath(start, end, bearing(dx, dy) if math.hypot(dx, dy) > SAME_PLACE else unit.facing)


def reach_of(battle: Battle, unit: Unit, delayed: bool = False) -> float | None:
    """Return how far (table units) the unit may assault; None if it never may.

    At scale 1 it is 6 or 12 for all qualities (TSE-ASL-05), and 2 for linear infantry in line (TSE-ASL-50). Delayed
    orders halve it (TSE-ORD-05, TSE-ASL-09).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> [reach_of(battle, battle.unit(id)) for id in ("arnaud", "esnault", "morel-guns")]
    [6.0, 12.0, None]
    >>> reach_of(battle, battle.unit("arnaud"), delayed=True)
    3.0
    """
    kind, in_line = troop(unit.troop), unit.formation == "deployed" and unit.linear
    reach = kind.linear_assault_reach if in_line and kind.linear_assault_reach else kind.assault_reach
    if reach is None:
        return None
    return reach * battle.scale * (float(tables()["factors"]["delayed"]) if delayed else 1.0)


def price_of(battle: Battle, unit: Unit, start: Point, end: Point, target: Unit | None = None) -> MoveCost:
    """Return the cost of an assaulter's path: only terrain on the line counts, and no roads (TSE-ASL-06).

    If ``target``, the unit it ends on, is given, an obstacle at the target counts as crossed too (TSE-MOV-08).
    """
    law = cost_model(battle, unit, ACTIONS["maneuver"])
    price = line_cost(start, end, ground_of(battle.table), law)
    more = 0 if target is None else _at_target(battle, target, start, end)
    return replace(price, total=price.total + more * law.linear, linear=price.linear + more) if more else price


def _at_target(battle: Battle, target: Unit, start: Point, end: Point) -> int:
    """Return how many obstacles are crossed at the target, not counting those the line crosses before it (TSE-MOV-08).

    These are the obstacles the path ends on, and those it touches that give the target cover against it (TSE-COV-09).
    """
    linear, t = ground_of(battle.table).linear, battle.tape.t
    way = shapely.LineString([start, end])
    if not linear or not shapely.dwithin(linear.parts, shapely.Point(end), behind_cover(battle) + t).any():
        return 0
    more = ending_on(start, end, linear, t)
    met = shapely.dwithin(linear.parts, way, t) & ~shapely.intersects(linear.parts, stretched(start, end, t))
    beside = np.nonzero(met)[0].tolist()
    cover = path_cover(battle, target, (start, end)) if beside else Cover()
    giving = set(cover.pieces) if cover.rank else set()
    at_end: list[bool] = shapely.dwithin(linear.parts, shapely.Point(end), t).tolist()
    return more + sum(at_end[k] or bool(giving & set(linear.ids[k])) for k in beside)


def is_frontal(battle: Battle, target: Unit, path: AssaultPath) -> bool:
    """Return whether the path runs inside the target's arc for more than the tolerance, or starts in it or on its edge.

    Touching the arc only at the target is not frontal; any path to a square is. If the ruling ``frontal_test`` is
    "midpoint", only the start decides (TSE-ASL-08).
    """
    if sees_all_round(target):
        return True
    fronts = arc_fronts(battle, target)
    start = shapely.Point(path.start)
    if fronts and battle.tape.touches(distance_to_arc(fronts, start)):
        return True
    if battle.rulings["frontal_test"] == "midpoint":
        return False
    reach = 4.0 * (path.length + sum(front.width for front in fronts))
    inside = shapely.intersection(arc_of(fronts, reach), path.line)
    return battle.tape.over(float(shapely.length(inside)), 0.0)


def turned_to(unit: Unit, path: AssaultPath) -> Unit:
    """Return the unit turned on the middle of its front to face along the path (TSE-ASL-03, TSE-ASL-24).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("front-or-flank")
    >>> column = battle.unit("west-column")
    >>> path = paths_to(column, battle.unit("west-line"))[0]
    >>> turned_to(column, path).facing == path.facing, turned_to(column, path).front_mid == column.front_mid
    (True, True)
    """
    return unit.turned(turn_between(unit.facing, path.facing), path.start)


def advanced(unit: Unit, path: AssaultPath, along: float) -> Unit:
    """Return the unit facing along the path, with the middle of its front ``along`` (table units) it (TSE-ASL-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("front-or-flank")
    >>> column = battle.unit("west-column")
    >>> path = paths_to(column, battle.unit("west-line"))[0]
    >>> column.front_mid[1], advanced(column, path, 2.0).front_mid[1]
    (4.0, 5.414213562373095)
    """
    x, y = path.at(along)
    return turned_to(unit, path).moved(x - path.start[0], y - path.start[1])


def thrown_back_pose(unit: Unit, path: AssaultPath) -> Unit:
    """Return the unit thrown back to its start, facing along the path (TSE-INV-13, TSE-INV-14)."""
    return turned_to(unit, path)
