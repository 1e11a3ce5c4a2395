"""The path of an assault: where it runs, what it costs, what it meets, and the poses at its end."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.arc import arc_of, distance_to_arc
from tabletop.geometry.base import Base
from tabletop.geometry.ground import ground_of
from tabletop.geometry.measure import SAME_PLACE, Point, bearing, heading, right_of, turn_between
from tabletop.geometry.price import Price, ending_on, line_price, stretched
from tabletop.geometry.shapes import united
from tabletop.rules.tse.arc import arc_fronts, sees_all_round
from tabletop.rules.tse.cover import Cover, behind_cover, path_cover
from tabletop.rules.tse.movement import ACTIONS, tariff
from tabletop.rules.tse.tables import length, tables, troop

#: Neighbours in line stand this near (table units), where rounding leaves a crack that a rim taken off would widen.
HAIR = 1e-9


@dataclass(frozen=True)
class AssaultPath:
    """A straight way from the middle of a front to a point of the target (TSE-ASL-04)."""

    start: Point
    end: Point
    facing: float

    @cached_property
    def length(self) -> float:
        return math.dist(self.start, self.end)

    @cached_property
    def line(self) -> shapely.LineString:
        return shapely.LineString([self.start, self.end])

    def at(self, along: float) -> Point:
        """Return the point ``along`` from the start."""
        e = heading(self.facing)
        return self.start[0] + along * e[0], self.start[1] + along * e[1]


def paths_to(unit: Unit, target: Unit) -> tuple[AssaultPath, ...]:
    """Return the paths from the middle of the unit's front to the nearest points of the target.

    One, or several where points tie: the assaulter may choose (TSE-ASL-04).
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
    """Return how far the unit may assault: 6 or 12, deployed infantry 2, half if delayed; None if it never may.

    All qualities alike (TSE-ASL-05); linear infantry in line (TSE-ASL-50); delayed orders (TSE-ORD-05, TSE-ASL-09).
    """
    kind, in_line = troop(unit.troop), unit.formation == "deployed" and unit.linear
    reach = kind.linear_assault_reach if in_line and kind.linear_assault_reach else kind.assault_reach
    if reach is None:
        return None
    return reach * battle.scale * (float(tables()["factors"]["delayed"]) if delayed else 1.0)


def price_of(battle: Battle, unit: Unit, start: Point, end: Point, target: Unit | None = None) -> Price:
    """Return what a way costs an assaulter: terrain on the line alone, no roads (TSE-ASL-06).

    With the ``target`` it ends on, an obstacle at the target counts as crossed too (TSE-MOV-08).
    """
    law = tariff(battle, unit, ACTIONS["maneuver"])
    price = line_price(start, end, ground_of(battle.table), law)
    more = 0 if target is None else _at_target(battle, target, start, end)
    return replace(price, total=price.total + more * law.linear, linear=price.linear + more) if more else price


def _at_target(battle: Battle, target: Unit, start: Point, end: Point) -> int:
    """Return how many obstacles are crossed at the target besides those the line crosses before it (TSE-MOV-08).

    Those on which the way ends, and those grazed by it that give the target cover against it (TSE-COV-09).
    """
    linear, t = ground_of(battle.table).linear, battle.tape.t
    way = shapely.LineString([start, end])
    if not linear or not shapely.dwithin(linear.parts, shapely.Point(end), behind_cover(battle) + t).any():
        return 0
    more = ending_on(start, end, linear, t)
    met = shapely.dwithin(linear.parts, way, t) & ~shapely.intersects(linear.parts, stretched(start, end, t))
    beside = np.nonzero(met)[0].tolist()
    found = path_cover(battle, target, (start, end)) if beside else Cover()
    giving = set(found.pieces) if found.rank else set()
    at_end: list[bool] = shapely.dwithin(linear.parts, shapely.Point(end), t).tolist()
    return more + sum(at_end[k] or bool(giving & set(linear.ids[k])) for k in beside)


def is_frontal(battle: Battle, target: Unit, path: AssaultPath) -> bool:
    """Return whether the path runs inside the target's arc for more than the tolerance, or starts on its edge.

    A single touching point at the target is not frontal; any path to a square is. By the ruling ``frontal_test`` the
    start alone decides (TSE-ASL-08).
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
    """Return the unit turned on the middle of its front to face along the path (TSE-ASL-03, TSE-ASL-24)."""
    return unit.turned(turn_between(unit.facing, path.facing), path.start)


def contact_length(unit: Unit, target: Unit, path: AssaultPath) -> float:
    """Return how far the front goes until it first meets the target: the path's length if the target is convex there.

    Measured along the path, for every front edge over the ground it sweeps, bent lines included (TSE-ASL-23).
    """
    edges = [base.front_edge for base in turned_to(unit, path).fronts if isinstance(base, Base)]
    return max(0.0, min((_meets(edge, target, path) for edge in edges), default=path.length))


def _meets(edge: np.ndarray, target: Unit, path: AssaultPath) -> float:
    """Return how far one front edge goes along the path until it meets the target, at most the path's length."""
    ahead = heading(path.facing)
    e, r = np.array(ahead), np.array(right_of(ahead))
    a, b = edge
    wide = float((b - a) @ r)
    if wide <= 0.0:
        return path.length
    swept = shapely.Polygon(np.array([a, b, b + path.length * e, a + path.length * e]))
    if not shapely.intersects(swept, target.footprint):
        return path.length
    met = shapely.get_coordinates(shapely.intersection(swept, target.footprint))
    gone = (met - a) @ e - (met - a) @ r / wide * float((b - a) @ e)
    return min(path.length, float(gone.min(initial=path.length)))


def advanced(unit: Unit, path: AssaultPath, along: float) -> Unit:
    """Return the unit facing along the path, the middle of its front ``along`` it."""
    x, y = path.at(along)
    return turned_to(unit, path).moved(x - path.start[0], y - path.start[1])


def contact_pose(unit: Unit, target: Unit, path: AssaultPath) -> Unit:
    """Return the unit in contact: the assault has gone home (TSE-ASL-20, TSE-ASL-23, TSE-ASL-25, TSE-ASL-26)."""
    return advanced(unit, path, contact_length(unit, target, path))


def stopped_pose(battle: Battle, unit: Unit, target: Unit, path: AssaultPath) -> Unit:
    """Return the unit stopped by fire 1 in short of contact, or where it was if it began nearer (TSE-INV-12)."""
    short = contact_length(unit, target, path) - length("zone") * battle.scale
    return advanced(unit, path, max(0.0, short))


def thrown_back_pose(unit: Unit, path: AssaultPath) -> Unit:
    """Return the unit thrown back to its start, facing along the path (TSE-INV-13, TSE-INV-14)."""
    return turned_to(unit, path)


def front_sweep(unit: Unit, path: AssaultPath, along: float) -> shapely.Geometry:
    """Return the ground the front edges sweep from the start to ``along`` the path, nothing left out between them."""
    quads = [shapely.Polygon(quad) for quad in _quads(unit, path, along)]
    swept: shapely.Geometry = united(quads, HAIR)
    return swept


def front_box(unit: Unit, path: AssaultPath, along: float) -> tuple[float, float, float, float]:
    """Return the box round ``front_sweep``: west, south, east, north; where nothing is swept a box that meets none."""
    corners = np.array(_quads(unit, path, along)).reshape(-1, 2)
    (x0, y0), (x1, y1) = corners.min(axis=0, initial=np.inf).tolist(), corners.max(axis=0, initial=-np.inf).tolist()
    return x0, y0, x1, y1


def _quads(unit: Unit, path: AssaultPath, along: float) -> list[np.ndarray]:
    """Return the corners of what each front edge sweeps."""
    e = np.array(heading(path.facing)) * along
    edges = [b.front_edge for b in turned_to(unit, path).fronts if isinstance(b, Base)]
    return [np.array([a, b, b + e, a + e]) for a, b in edges] if along > 0.0 else []
