"""Courses of straight runs and stepwise turns, from a base's first pose to its last; and what they meet.

They are for things that cannot wheel on the spot, such as ships and carriages. Lengths are in table units, turns in
degrees clockwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point, heading, turn_between

#: Differences (table units) below this are rounding.
TINY = 1e-7
#: Steps after which the search for a point of contact ends, being closer than rounding.
STEPS = 80


@dataclass(frozen=True)
class Leg:
    """A straight run, after which the base turns by ``turn`` degrees about its centre."""

    run: float
    turn: float = 0.0


@dataclass(frozen=True)
class Steering:
    """How something turns: by at most ``most`` steps of ``step`` degrees, each after ``advance`` straight on."""

    step: float
    advance: float
    most: int = 8

    def turn(self, steps: int) -> tuple[Leg, ...]:
        """Return the legs of a turn by ``steps`` steps, negative ones to the left."""
        return (Leg(self.advance, self.step if steps > 0 else -self.step),) * abs(steps)

    def to(self, base: Base, facing: float) -> int:
        """Return the steps, the shorter way, from a base's heading to the one nearest to ``facing``."""
        return round(turn_between(base.facing, facing) / self.step)

    def by(self, base: Base, steps: int) -> float:
        """Return the heading ``steps`` steps from a base's own."""
        return (base.facing + steps * self.step) % 360.0

    def tried(self, most: float | None = None) -> range:
        """Return every number of steps to either side, up to ``most``."""
        n = self.most if most is None else min(self.most, int(most))
        return range(-n, n + 1)


@dataclass(frozen=True)
class Course:
    """A sequence of legs from where a base stands."""

    start: Base
    legs: tuple[Leg, ...]

    @property
    def length(self) -> float:
        """How far it goes; a step of a turn costs the straight run before it."""
        return sum(leg.run for leg in self.legs)

    @cached_property
    def poses(self) -> tuple[Base, ...]:
        """The base at the start and after every leg."""
        bases = [self.start]
        for leg in self.legs:
            bases.append(turned(ahead(bases[-1], leg.run), leg.turn))
        return tuple(bases)

    @property
    def end(self) -> Base:
        return self.poses[-1]

    @property
    def way(self) -> tuple[Point, ...]:
        """The path of the centre."""
        return tuple(dict.fromkeys(pose.centre for pose in self.poses))

    def until(self, leg: int, run: float) -> Course:
        """Return the course up to ``run`` into a leg, without a turn at its end."""
        return Course(self.start, (*self.legs[:leg], *([Leg(run)] if run > TINY else [])))


def ahead(base: Base, far: float, way: float | None = None) -> Base:
    """Return a base ``far`` farther on, or ``far`` towards a bearing (degrees)."""
    east, north = heading(base.facing if way is None else way)
    return base.moved(far * east, far * north) if far else base


def turned(base: Base, degrees: float) -> Base:
    """Return a base turned about its centre."""
    return Base(base.x, base.y, (base.facing + degrees) % 360.0, base.frontage, base.depth)


def plotted(
    base: Base,
    steering: Steering,
    path: Sequence[Point] = (),
    facing: float | None = None,
    distance: float | None = None,
    luff: bool = True,
) -> Course:
    """Return the course that brings the middle of the front to each point of ``path``, then turns to ``facing``.

    ``distance`` is the length of the whole course; what is left runs straight on. Without ``luff`` the course may not
    begin with a straight run before a turn. Points and lengths are in table units, facings in degrees.

    >>> course = plotted(Base(20.0, 10.0, 0.0, 2.0, 6.0), Steering(22.5, 1.0), facing=45.0, distance=8.0)
    >>> course.length, [(leg.run, leg.turn) for leg in course.legs]
    (8.0, [(1.0, 22.5), (1.0, 22.5), (6.0, 0.0)])
    """
    legs: list[Leg] = []
    for number, point in enumerate(path):
        end = Course(base, tuple(legs)).end
        legs += _towards(end, steering, point, luff or number > 0)
    if facing is not None:
        legs += steering.turn(steering.to(Course(base, tuple(legs)).end, facing))
    rest = 0.0 if distance is None else distance - sum(leg.run for leg in legs)
    return Course(base, (*legs, *([Leg(rest)] if rest > TINY else [])))


def turning(base: Base, steering: Steering, most: float, step: float) -> Iterator[Course]:
    """Yield the courses of a turn and a straight run, each turn's longest first: ``most`` and shorter by ``step``.

    Lengths are in table units.

    >>> courses = turning(Base(20.0, 10.0, 0.0, 2.0, 6.0), Steering(22.5, 1.0), 2.0, 1.0)
    >>> [(course.end.facing, course.length) for course in courses]
    [(315.0, 2.0), (337.5, 2.0), (337.5, 1.0), (0.0, 2.0), (0.0, 1.0), (22.5, 2.0), (22.5, 1.0), (45.0, 2.0)]
    """
    for steps in steering.tried(most):
        turn, far = steering.turn(steps), most
        while far > TINY and far >= abs(steps) * steering.advance:
            rest = far - abs(steps) * steering.advance
            yield Course(base, (*turn, *([Leg(rest)] if rest > TINY else [])))
            far -= step


def _towards(base: Base, steering: Steering, point: Point, luff: bool) -> tuple[Leg, ...]:
    """Return the legs (ahead, a turn, ahead) that bring the front nearest to a point; the shortest if several do."""
    best: tuple[tuple[float, float], tuple[Leg, ...]] | None = None
    for steps in steering.tried():
        turn = steering.turn(steps)
        for first, last in _runs(base, point, steps * steering.step, turn, luff):
            legs = tuple(leg for leg in (Leg(first), *turn, Leg(last)) if leg.run > TINY)
            end = Course(base, legs).end.front_mid
            missed = ((end[0] - point[0]) ** 2 + (end[1] - point[1]) ** 2) ** 0.5
            rank = round(missed, 2), round(sum(leg.run for leg in legs), 6)
            if best is None or rank < best[0]:
                best = rank, legs
    assert best is not None
    return best[1]


def _runs(base: Base, point: Point, degrees: float, turn: tuple[Leg, ...], luff: bool) -> Iterator[tuple[float, float]]:
    """Yield the lengths sailed before and after a turn: turning at once, and the pair that meets the point if any."""
    bow = Course(base, turn).end.front_mid
    dx, dy = point[0] - bow[0], point[1] - bow[1]
    (hx, hy), (kx, ky) = heading(base.facing), heading(turned(base, degrees).facing)
    yield 0.0, max(0.0, dx * kx + dy * ky)
    across = hx * ky - hy * kx
    if luff and degrees and abs(across) > TINY:
        first, last = (dx * ky - dy * kx) / across, (hx * dy - hy * dx) / across
        if first >= 0.0 and last >= 0.0:
            yield first, last


# --- what a course meets ---------------------------------------------------------------------------------------------


def swept(base: Base, far: float, way: float | None = None) -> BaseGeometry:
    """Return the ground a base covers while it goes ``far`` table units straight on, or towards a bearing (degrees).

    >>> swept(Base(20.0, 10.0, 0.0, 2.0, 6.0), 12.0).bounds
    (19.0, 7.0, 21.0, 25.0)
    """
    return shapely.convex_hull(shapely.union(base.polygon, ahead(base, far, way).polygon))


def run_until(
    base: Base, far: float, other: BaseGeometry, depth: float = 0.0, way: float | None = None
) -> float | None:
    """Return how far a base goes straight on, or towards a bearing, before it touches a shape; None if it never does.

    A shape that it touches at the start counts only if the way leads more than ``depth`` into it. Each step advances by
    the distance still left, so it never goes too far. Lengths are in table units, bearings in degrees.

    >>> base, beside = Base(20.0, 10.0, 0.0, 2.0, 6.0), shapely.box(21.0, 7.0, 23.0, 13.0)
    >>> run_until(base, 9.0, beside), run_until(base, 9.0, beside, way=90.0)
    (None, 0.0)
    """
    run, ground = 0.0, swept(base, far, way)
    if shapely.distance(ground, other) > TINY:
        return None
    if shapely.distance(base.polygon, other) <= TINY and not overlaps(ground, other, depth):
        return None
    for _ in range(STEPS):
        gap = float(shapely.distance(ahead(base, run, way).polygon, other))
        if gap <= TINY:
            return run
        run += gap
        if run > far:
            return None
    return run


def near(course: Course, unit: Unit) -> bool:
    """Return whether a course is long enough to reach a unit, however it turns.

    >>> from tabletop.play.files.opened import open_battle
    >>> ship = open_battle("raking").unit("zeeland")
    >>> [near(Course(Base(5.0, 22.0, 90.0, 2.0, 6.0), (Leg(run),)), ship) for run in (10.0, 20.0)]
    [False, True]
    """
    (x, y), (west, south, east, north) = course.start.centre, unit.bounds
    reach = course.length + course.start.frontage + course.start.depth
    return west - reach <= x <= east + reach and south - reach <= y <= north + reach


def obstacle(course: Course, number: int, others: Sequence[Unit], depth: float) -> tuple[float | None, Unit] | None:
    """Return how far leg ``number`` runs before it meets a unit, and the unit; None for how far if the turn does.

    ``depth`` is how deep a turn, or a run beside a unit, may reach into it. Lengths are in table units.

    >>> from tabletop.play.files.opened import open_battle
    >>> ship = open_battle("raking").unit("zeeland")
    >>> found = obstacle(Course(Base(32.0, 10.0, 0.0, 1.0, 3.0), (Leg(20.0),)), 0, [ship], 0.0)
    >>> round(found[0], 2), found[1].id
    (7.5, 'zeeland')
    """
    leg, pose = course.legs[number], course.poses[number]
    met = [(run, u) for u in others if (run := run_until(pose, leg.run, u.footprint, depth)) is not None]
    if met:
        return min(met, key=lambda pair: round(pair[0], 6))
    after = course.poses[number + 1]
    return next(((None, u) for u in others if leg.turn and overlaps(after.polygon, u.footprint, depth)), None)


def overlaps(shape: BaseGeometry, other: BaseGeometry, depth: float = 0.0) -> bool:
    """Return whether a shape reaches into another by more than ``depth`` (table units).

    >>> shape, other = Base(20.0, 10.0, 0.0, 2.0, 6.0).polygon, shapely.box(20.5, 0.0, 40.0, 20.0)
    >>> overlaps(shape, other), overlaps(shape, other, depth=0.6)
    (True, False)
    """
    if shapely.distance(shape, other) > 0.0:
        return False
    inner = shapely.buffer(shape, -depth, join_style="mitre") if depth else shape
    return bool(shapely.intersection(inner, other).area > TINY)


def entries(course: Course, shape: BaseGeometry) -> Iterator[tuple[int, float]]:
    """Yield where a course first enters a shape: the leg and the run in it; nothing if it starts in the shape.

    A run enters what its base passes over, though it ends beyond. Runs are in table units.

    >>> course = Course(Base(20.0, 10.0, 0.0, 2.0, 6.0), (Leg(5.0), Leg(10.0)))
    >>> [(leg, round(run, 3)) for leg, run in entries(course, shapely.box(0.0, 20.0, 40.0, 30.0))]
    [(1, 2.0)]
    """
    if overlaps(course.start.polygon, shape):
        return
    for number, (leg, pose) in enumerate(zip(course.legs, course.poses, strict=False)):
        if overlaps(swept(pose, leg.run), shape):
            yield number, run_until(pose, leg.run, shape) or 0.0
            return
        if overlaps(course.poses[number + 1].polygon, shape):
            yield number, leg.run
            return


def moved_to(unit: Unit, base: Base) -> Unit:
    """Return a unit of one base standing as ``base``.

    >>> from tabletop.play.files.opened import open_battle
    >>> ship = open_battle("raking").unit("heron")
    >>> moved_to(ship, ahead(ship.bases[0], 5.0)).at
    (39.0, 21.5)
    """
    return replace(unit, bases=(base,), facing=base.facing)


def reachable(base: Base, steering: Steering, allowed: float, may: Callable[[Course], bool]) -> BaseGeometry:
    """Return where the front's middle may get by a run, a turn and a run, or with one more step; slivers are filled.

    ``may`` says whether a course is open; ``allowed`` is the greatest length, in table units.

    >>> area = reachable(Base(20.0, 10.0, 0.0, 2.0, 6.0), Steering(22.5, 1.0), 5.0, lambda course: True)
    >>> [round(edge) for edge in area.bounds]
    [14, 12, 26, 18]
    """
    parts = []
    for steps in steering.tried(allowed):
        for more in (0, 1, -1) if steps == 0 else (0, 1 if steps > 0 else -1):
            length_left = allowed - steering.advance * (abs(steps) + abs(more))
            if length_left < 0.0 or allowed <= 0.0:
                continue
            early, late = steering.turn(steps), steering.turn(more)
            first, second = (early, late) if more else ((), early)
            runs = [(0.0, 0.0), (length_left, 0.0), (0.0, length_left)]
            courses = [Course(base, (*first, Leg(a), *second, Leg(b))) for a, b in runs]
            corners = shapely.MultiPoint([course.end.front_mid for course in courses if may(course)])
            parts.append(shapely.convex_hull(corners).buffer(0.05))
    return shapely.union_all(parts).buffer(0.8, quad_segs=4).buffer(-0.8, quad_segs=4)
