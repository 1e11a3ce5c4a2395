"""The course of a move: straight legs and wheels, what each costs, and the ground it sweeps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, beside
from tabletop.geometry.base import Base
from tabletop.geometry.measure import ANGLE_TOLERANCE, TOLERANCES, Point, bearing, heading, turn_between
from tabletop.geometry.movement.motion import Bounds, Slide, Sweep, Swing
from tabletop.geometry.shapes import hull_about, united
from tabletop.rules.ages.combat.zones import extent, middle
from tabletop.rules.ages.movement.costs import Rulings, wheel_cost
from tabletop.rules.ages.movement.layouts import ROUND
from tabletop.rules.ages.tables import length
from tabletop.rules.common.overlaps import overlapped

#: Least length (mm) of a leg, as the direction of a shorter one is undefined.
LEAST = 1e-6
#: A generous bound (mm) on the error of a union of many areas.
SURE = 1e-3
#: How far (mm) the chords that stand for a wheel's arc may lie inside it.
ARC_ERROR = 0.01


@dataclass(frozen=True)
class Leg:
    """One leg of a course: the wheel before it (degrees clockwise), that wheel's cost in moves, its length in mm.

    ``start`` is the unit after the wheel; ``sweeps`` are its motions, without an about-face on the spot.
    """

    wheel: float
    cost: float
    length: float
    start: Unit
    end: Unit
    sweeps: tuple[Sweep, ...]

    @property
    def wheeling(self) -> tuple[Sweep, ...]:
        """The motions of its wheel."""
        return tuple(sweep for sweep in self.sweeps if isinstance(sweep, Swing))


@dataclass(frozen=True)
class Course:
    """The legs of a move; the last may be a wheel alone."""

    unit: Unit
    legs: tuple[Leg, ...]

    @property
    def end(self) -> Unit:
        """The unit at the end of the last leg."""
        return self.legs[-1].end if self.legs else self.unit

    @property
    def length(self) -> float:
        """Total length of the straight legs, mm."""
        return math.fsum(leg.length for leg in self.legs)

    @property
    def wheels(self) -> float:
        """Total cost of the wheels, in moves."""
        return math.fsum(leg.cost for leg in self.legs)

    @property
    def waypoints(self) -> tuple[Point, ...]:
        """The points the middle of the front passes, without consecutive repeats."""
        points = [self.unit.front_mid]
        for leg in self.legs:
            points += [leg.start.front_mid, leg.end.front_mid]
        return tuple(p for k, p in enumerate(points) if k == 0 or math.dist(p, points[k - 1]) > LEAST)

    @cached_property
    def bounds(self) -> Bounds:
        """A box round ``parts``: west, south, east, north."""
        boxes = [whole(self.unit).box, whole(self.end).box, *(s.bounds for leg in self.legs for s in leg.sweeps)]
        x0, y0, x1, y1 = zip(*boxes, strict=True)
        return min(x0), min(y0), max(x1), max(y1)

    @cached_property
    def parts(self) -> np.ndarray:
        """The areas that together make up the swept ground, as an array of polygons."""
        sweeps = (sweep for leg in self.legs for sweep in leg.sweeps)
        parts = [part for sweep in sweeps for part in (sweep.pieces if isinstance(sweep, Swing) else [sweep.swept])]
        polygons = np.array([whole(self.unit).polygon, whole(self.end).polygon, *parts], object)
        return np.asarray(polygons[shapely.get_dimensions(polygons) == 2])

    @cached_property
    def swept(self) -> BaseGeometry:
        """The ground under the unit at any moment of its move."""
        area: BaseGeometry = united(self.parts)
        return area

    @cached_property
    def inner(self) -> BaseGeometry:
        """The swept ground shrunk by the tolerance: what only touches it is not met."""
        shape: BaseGeometry = shapely.buffer(self.swept, -TOLERANCES["mm"], join_style="mitre")
        shapely.prepare(shape)
        return shape

    def meets(self, area: BaseGeometry) -> bool:
        """Return whether ``inner`` meets an area; the union is not computed if the box or the parts settle it."""
        if not shapely.intersects(area, shapely.box(*self.bounds)):
            return False
        met = shapely.intersects(area, self.parts)
        if not met.any():
            return False
        sure = shapely.buffer(self.parts[met], -TOLERANCES["mm"] - SURE, join_style="mitre")
        return bool(shapely.intersects(area, sure).any()) or bool(shapely.intersects(area, self.inner))


def along(unit: Unit, path: Sequence[Point], facing: float | None = None, rulings: Rulings = None) -> Course:
    """Return the course that takes the middle of a unit's front through ``path`` and then turns it to ``facing``.

    Points are in table units, ``facing`` in degrees. The unit wheels towards each point on the middle of its front
    (reconstruction); a wheel of 180 degrees is an about-face on the spot (ROC-FRM-02). A general or staff officer moves
    without turning.

    >>> from tabletop.play.files.opened import open_battle
    >>> course = along(open_battle("drill-ground").unit("hussars"), [(760.0, 240.0)], facing=270.0)
    >>> course.length, course.wheels
    (70.0, 0.5)
    """
    if not unit.fronts:
        return _carried(unit, path)
    legs: list[Leg] = []
    at = unit
    for point in path:
        if math.dist(at.front_mid, point) > LEAST:
            legs.append(_leg(at, point, rulings))
            at = legs[-1].end
    if facing is not None and abs(turn_between(at.facing, facing)) > ANGLE_TOLERANCE:
        legs.append(_wheel(at, turn_between(at.facing, facing), rulings))
    return Course(unit, _priced(unit, legs, rulings))


def _priced(unit: Unit, legs: Sequence[Leg], rulings: Rulings) -> tuple[Leg, ...]:
    """Return legs whose wheels together cost at least as much as one wheel through the same angle (ROC-FRM-02, -04).

    So a nation with a discount on every manoeuvre gains nothing by wheeling in small steps: after each wheel the cost
    so far is at least that of one wheel from the first facing to the present one.
    """
    priced, paid, turned = [], 0.0, 0.0
    for leg in legs:
        turned = (turned + leg.wheel + 180.0) % 360.0 - 180.0
        due = max(paid + leg.cost, wheel_cost(unit, turned, rulings)) if leg.wheel else paid
        priced.append(replace(leg, cost=due - paid) if due > paid + leg.cost else leg)
        paid = due
    return tuple(priced)


def _carried(unit: Unit, path: Sequence[Point]) -> Course:
    legs: list[Leg] = []
    at = unit
    for x, y in path:
        length = math.dist(at.at, (x, y))
        if length > LEAST:
            after = at.moved(x - at.at[0], y - at.at[1])
            legs.append(Leg(0.0, 0.0, length, at, after, (_slide(at, x - at.at[0], y - at.at[1]),)))
            at = after
    return Course(unit, tuple(legs))


def _leg(unit: Unit, point: Point, rulings: Rulings) -> Leg:
    """Return the leg to a point: a wheel towards it and the straight run.

    If the point lies within a millimetre of straight ahead, which is as precisely as a hand can set a base, the unit
    does not wheel (ruling).
    """
    (x, y), (px, py) = unit.front_mid, point
    (fx, fy), (dx, dy) = unit.forward, (px - x, py - y)
    if abs(dx * fy - dy * fx) <= length(unit, "straight") and dx * fx + dy * fy > 0.0:
        return straight(_wheel(unit, 0.0, rulings), dx * fx + dy * fy)
    wheeled = _wheel(unit, turn_between(unit.facing, bearing(px - x, py - y)), rulings)
    start = wheeled.end
    return straight(replace(wheeled, start=start), math.dist(start.front_mid, point))


def straight(leg: Leg, length: float) -> Leg:
    """Return a leg with a straight run of ``length`` after its wheel."""
    if length <= LEAST:
        return leg
    f = heading(leg.start.facing)
    dx, dy = length * f[0], length * f[1]
    slide = _slide(leg.start, dx, dy)
    return replace(leg, length=length, end=leg.start.moved(dx, dy), sweeps=(*leg.sweeps, slide))


def _wheel(unit: Unit, degrees: float, rulings: Rulings) -> Leg:
    if abs(degrees) <= ANGLE_TOLERANCE:
        return Leg(0.0, 0.0, 0.0, unit, unit, ())
    cost = wheel_cost(unit, degrees, rulings)
    if abs(degrees) >= 180.0 - ANGLE_TOLERANCE:
        after = about_face(unit)
        return Leg(180.0, cost, 0.0, after, after, ())
    swing = Swing(whole(unit), unit.front_mid, degrees, 0.0, ARC_ERROR)
    after = unit.turned(degrees, unit.front_mid)
    return Leg(degrees, cost, 0.0, after, after, (swing,))


def about_face(unit: Unit) -> Unit:
    """Return a unit after every man has turned round on the spot."""
    return unit.turned(180.0)


def backwards(unit: Unit, distance: float) -> Course:
    """Return the course of a unit that goes straight back ``distance`` mm while facing the front (ROC-MOV-06)."""
    f = unit.forward
    dx, dy = -distance * f[0], -distance * f[1]
    leg = Leg(0.0, 0.0, distance, unit, unit.moved(dx, dy), (_slide(unit, dx, dy),))
    return Course(unit, (leg,) if distance > LEAST else ())


def _slide(unit: Unit, dx: float, dy: float) -> Slide:
    return Slide(whole(unit), dx, dy, math.hypot(dx, dy))


def whole(unit: Unit) -> Base:
    """Return a unit as one base: its bounding rectangle aligned with its facing, in table units (ROC-SCA-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> base = whole(open_battle("drill-ground").unit("french-1"))
    >>> base.frontage, base.depth
    (100.0, 15.0)
    """
    (x, y), (w, d) = middle(unit), extent(unit)
    return Base(x, y, unit.facing, w, d)


# --- what is met on the way ------------------------------------------------------------------------------------------


def met(battle: Battle, course: Course, others: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return those of ``others`` that the unit passes over by more than the tolerance (ROC-MOV-05).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> course = along(battle.unit("cuirassiers"), [(560.0, 420.0)])
    >>> [unit.id for unit in met(battle, course, battle.enemies(battle.unit("cuirassiers")))]
    ['horse-guns', 'russian-1']
    """
    if not course.legs:
        return ()
    near = beside(course.bounds, others, 0.0)
    return tuple(unit for unit in near if course.meets(unit.footprint))


def solid(unit: Unit) -> tuple[BaseGeometry, ...]:
    """Return a unit as convex shapes in table units: its bases for a square or garrison, else one (ROC-MOV-05).

    >>> from tabletop.play.files.opened import open_battle
    >>> [shape.bounds for shape in solid(open_battle("drill-ground").unit("french-1"))]
    [(90.0, 212.5, 190.0, 227.5)]
    """
    if unit.formation in ROUND:
        return tuple(base.polygon for base in unit.bases)
    return (whole(unit).polygon,)


def convex(area: BaseGeometry) -> tuple[BaseGeometry, ...]:
    """Return an area as triangles."""
    return tuple(shapely.get_parts(shapely.constrained_delaunay_triangles(area)).tolist())


def barriers(
    unit: Unit, shapes: Iterable[BaseGeometry], direction: Point, most: float, give: float
) -> list[tuple[float, float]]:
    """Return where along ``direction`` (a unit vector) a unit overlaps convex ``shapes`` by more than ``give`` mm.

    The result is pairs (from, to) of distances up to ``most``, in table units, merged and sorted (ROC-MOV-05). It is
    exact: the line of motion is intersected with the Minkowski sum of each shape and the mirrored unit.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> unit, enemy = battle.unit("french-1"), battle.unit("prussian-1")
    >>> barriers(unit, solid(enemy), (0.0, 1.0), 200.0, 0.0)
    [(50.0, 80.0)]
    """
    way = shapely.LineString([(0.0, 0.0), (most * direction[0], most * direction[1])])
    bodies = [shapely.get_coordinates(part)[:-1] for part in solid(unit)]
    grown = [_grown(shape, body) for shape in shapes for body in bodies]
    if not grown:
        return []
    inside = shapely.intersection(shapely.buffer(np.array(grown, object), -give, join_style="mitre"), way)
    ends = [shapely.get_coordinates(cut) @ np.array(direction) for cut in inside]
    return _merged(sorted((float(cut.min()), float(cut.max())) for cut in ends if len(cut)))


def _grown(shape: BaseGeometry, body: np.ndarray) -> shapely.Geometry:
    """Return the translations that make a convex body meet a convex shape."""
    sums = shapely.get_coordinates(shape)[:, None, :] - body[None, :, :]
    return hull_about(sums.reshape(-1, 2))


def _merged(stretches: list[tuple[float, float]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for lo, hi in stretches:
        if merged and lo <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(hi, merged[-1][1]))
        else:
            merged.append((lo, hi))
    return merged


def over_the_edge(battle: Battle, *areas: BaseGeometry | Unit) -> float:
    """Return how far any of some areas or units reaches over the table's edge; below 0 if none does (ROC-MOV-01).

    Lengths are in table units. Measure a course together with its end, so that a legal move never ends over the edge.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> over_the_edge(battle, battle.unit("french-1").footprint), over_the_edge(battle, shapely.box(880, 0, 910, 40))
    (-90.0, 10.0)
    """
    return max(_over(battle, area.bounds) for area in areas)


def _over(battle: Battle, bounds: Bounds) -> float:
    """Return how far a box reaches over the table's edge; below 0 if it lies within."""
    x0, y0, x1, y1 = bounds
    return max(-x0, -y0, x1 - battle.table.width, y1 - battle.table.height)


def surely_on_table(battle: Battle, course: Course) -> bool:
    """Return True if a course stays well clear of the table's edge, so that no exact measuring is needed."""
    return max(_over(battle, course.bounds), _over(battle, course.end.bounds)) < -SURE


def room(battle: Battle, unit: Unit, most: float) -> float:
    """Return how far a unit can go straight on before it leaves the table; below 0 if it is over the edge (ROC-MOV-01).

    The length is in table units and at most ``most``.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> room(battle, battle.unit("french-1"), 1000.0), room(battle, battle.unit("french-1"), 50.0)
    (272.5, 50.0)
    """
    x0, y0, x1, y1 = unit.footprint.bounds
    table, direction = battle.table, heading(unit.facing)
    distance = most
    for low, high, size, rate in ((x0, x1, table.width, direction[0]), (y0, y1, table.height, direction[1])):
        if low < -battle.tape.t or high > size + battle.tape.t:
            return -1.0
        if abs(rate) > 1e-9:
            distance = min(distance, max(0.0, (size - high if rate > 0 else low) / abs(rate)))
    return distance


def stands_clear(battle: Battle, unit: Unit, others: list[Unit]) -> bool:
    """Return whether a unit stands on the table and overlaps none of some others by more than the tolerance."""
    x0, y0, x1, y1 = unit.footprint.bounds
    if min(x0, y0) < 0.0 or x1 > battle.table.width or y1 > battle.table.height:
        return False
    near = [o for o in others if shapely.intersects(o.footprint, unit.footprint)]
    return not any(overlapped(battle, unit, near))
