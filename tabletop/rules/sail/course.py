"""Courses: straight runs and points turned, from a ship's pose to the pose it ends in; and what they meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point, heading, turn_between
from tabletop.rules.sail.ships import tables

#: Differences (cm) below this are rounding.
TINY = 1e-7
#: Steps after which a search for the place of contact ends: it has come nearer than rounding.
STEPS = 80


@dataclass(frozen=True)
class Leg:
    """A straight run of so many cm, after which the ship turns by ``turn`` points (-1, 0 or 1; clockwise positive)."""

    run: float
    turn: int = 0


@dataclass(frozen=True)
class Course:
    """Legs sailed from where a ship lies (SAIL-MOV-11)."""

    start: Base
    legs: tuple[Leg, ...]

    @property
    def length(self) -> float:
        """How many cm it takes: each point turned costs the 1 cm sailed before it."""
        return sum(leg.run for leg in self.legs)

    @cached_property
    def poses(self) -> tuple[Base, ...]:
        """The ship at the start and after every leg."""
        found = [self.start]
        for leg in self.legs:
            found.append(turned(ahead(found[-1], leg.run), leg.turn))
        return tuple(found)

    @property
    def end(self) -> Base:
        return self.poses[-1]

    @property
    def way(self) -> tuple[Point, ...]:
        """The way of the ship's centre."""
        return tuple(dict.fromkeys(pose.centre for pose in self.poses))

    def until(self, leg: int, run: float) -> Course:
        """Return the course up to ``run`` cm into a leg, not turned at its end."""
        return Course(self.start, (*self.legs[:leg], *([Leg(run)] if run > TINY else [])))


def ahead(base: Base, far: float) -> Base:
    """Return a ship so many cm farther on."""
    east, north = heading(base.facing)
    return base.moved(far * east, far * north) if far else base


def turned(base: Base, points: int) -> Base:
    """Return a ship turned about its centre by so many points of 22.5 degrees (SAIL-MOV-11)."""
    facing = (base.facing + points * float(tables()["movement"]["point"])) % 360.0
    return Base(base.x, base.y, facing, base.frontage, base.depth)


def turning(points: int) -> tuple[Leg, ...]:
    """Return the legs of a turn: 1 cm ahead before each point (SAIL-MOV-11)."""
    step = float(tables()["movement"]["advance"])
    return (Leg(step, 1 if points > 0 else -1),) * abs(points)


def points_to(base: Base, facing: float) -> int:
    """Return the points from a ship's heading to the point of the circle nearest to ``facing``, the shorter way."""
    return round(turn_between(base.facing, facing) / float(tables()["movement"]["point"]))


def plotted(
    base: Base,
    path: Sequence[Point] = (),
    facing: float | None = None,
    distance: float | None = None,
    luff: bool = True,
) -> Course:
    """Return the course by which the bow comes to each point of ``path``, then turns to ``facing``.

    ``distance`` is the length of the whole course: the rest is sailed straight on. Without ``luff`` the first leg may
    not run straight ahead: the wind is there.
    """
    legs: list[Leg] = []
    for number, point in enumerate(path):
        here = Course(base, tuple(legs)).end
        legs += _towards(here, point, luff or number > 0)
    if facing is not None:
        legs += turning(points_to(Course(base, tuple(legs)).end, facing))
    rest = 0.0 if distance is None else distance - sum(leg.run for leg in legs)
    return Course(base, (*legs, *([Leg(rest)] if rest > TINY else [])))


def _towards(base: Base, point: Point, luff: bool) -> tuple[Leg, ...]:
    """Return the shortest legs that bring the bow to a point: ahead, a turn, ahead again; else nearest to it."""
    best: tuple[tuple[float, float], tuple[Leg, ...]] | None = None
    for points in range(-8, 9):
        turn = turning(points)
        for first, last in _runs(base, point, points, turn, luff):
            legs = tuple(leg for leg in (Leg(first), *turn, Leg(last)) if leg.run > TINY)
            end = Course(base, legs).end.front_mid
            missed = ((end[0] - point[0]) ** 2 + (end[1] - point[1]) ** 2) ** 0.5
            rank = round(missed, 2), round(sum(leg.run for leg in legs), 6)
            if best is None or rank < best[0]:
                best = rank, legs
    assert best is not None
    return best[1]


def _runs(base: Base, point: Point, points: int, turn: tuple[Leg, ...], luff: bool) -> Iterator[tuple[float, float]]:
    """Yield the lengths sailed before and after a turn: the pair that meets the point, and turning at once."""
    bow = Course(base, turn).end.front_mid
    dx, dy = point[0] - bow[0], point[1] - bow[1]
    (hx, hy), (kx, ky) = heading(base.facing), heading(turned(base, points).facing)
    yield 0.0, max(0.0, dx * kx + dy * ky)
    across = hx * ky - hy * kx
    if luff and points and abs(across) > TINY:
        first, last = (dx * ky - dy * kx) / across, (hx * dy - hy * dx) / across
        if first >= 0.0 and last >= 0.0:
            yield first, last


# --- what a course meets ---------------------------------------------------------------------------------------------


def swept(base: Base, far: float) -> BaseGeometry:
    """Return the water a ship covers on a straight run."""
    return shapely.convex_hull(shapely.union(base.polygon, ahead(base, far).polygon))


def run_until(base: Base, far: float, other: BaseGeometry) -> float | None:
    """Return how far a ship comes, straight on, before it touches a shape it does not overlap; None if it never does.

    It is led on by the distance that is left, so it never goes too far.
    """
    run = 0.0
    if shapely.distance(swept(base, far), other) > TINY:
        return None
    for _ in range(STEPS):
        gap = float(shapely.distance(ahead(base, run).polygon, other))
        if gap <= TINY:
            return run
        run += gap
        if run > far:
            return None
    return run


def overlaps(base: Base, other: BaseGeometry, depth: float = 0.0) -> bool:
    """Return whether a ship lies on a shape, deeper than ``depth``."""
    if shapely.distance(base.polygon, other) > 0.0:
        return False
    shape = shapely.intersection(base.polygon, other)
    if shape.area <= TINY:
        return False
    west, south, east, north = shape.bounds
    return min(east - west, north - south) > depth


def entries(course: Course, shape: BaseGeometry) -> Iterator[tuple[int, float]]:
    """Yield where a course first comes upon a shape: the leg and the run in it; nothing if it lies there already."""
    if overlaps(course.start, shape):
        return
    for number, (leg, pose) in enumerate(zip(course.legs, course.poses, strict=False)):
        run = None if overlaps(pose, shape) else run_until(pose, leg.run, shape)
        if overlaps(pose, shape) or (run is not None and overlaps(ahead(pose, leg.run), shape)):
            yield number, run or 0.0
            return
        if overlaps(course.poses[number + 1], shape):
            yield number, leg.run
            return


def moved_to(ship: Unit, base: Base) -> Unit:
    """Return a ship lying as ``base``."""
    return replace(ship, bases=(base,), facing=base.facing)
