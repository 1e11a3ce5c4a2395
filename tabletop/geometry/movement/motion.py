"""A motion: what every base of a unit does while its front goes straight, shifts, turns or wheels.

A rigid unit (a column of ranks, a line, a general's disc) moves as one. The bases of a file follow their head: each
follows the track of the middle of the head's front edge, at a constant distance behind it (TSE-FRM-26).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.base import AnyBase, Base, Disc
from tabletop.geometry.measure import SAME_PLACE, Point, bearing, heading, turn_between
from tabletop.geometry.shapes import hulls_about

#: A box: west, south, east, north.
Bounds = tuple[float, float, float, float]

#: How far the chords that approximate an arc may lie inside it, in table units.
ARC_ERROR = 1e-4
#: Turns (degrees) that differ by less than this are equal.
SAME_WAY = 1e-9


@dataclass(frozen=True)
class Straight:
    """Go forward by a length (table units)."""

    length: float


@dataclass(frozen=True)
class Shift:
    """Move by a vector without turning: a general's move, a fall-back."""

    dx: float
    dy: float


@dataclass(frozen=True)
class Pivot:
    """Turn clockwise by degrees about the middle of the front edge, or wheel about its left or right corner."""

    degrees: float
    about: str = "middle"


Step = Straight | Shift | Pivot

#: Where each pivot lies along the front edge, in half widths; and how many half widths from it the far corner is.
PIVOTS = {"middle": (0.0, 1.0), "left": (-1.0, 2.0), "right": (1.0, 2.0)}


@dataclass(frozen=True)
class Slide:
    """One base moved by (dx, dy); ``charge`` is the length charged to the unit meanwhile."""

    base: AnyBase
    dx: float
    dy: float
    charge: float

    @property
    def length(self) -> float:
        return math.hypot(self.dx, self.dy)

    @cached_property
    def swept(self) -> BaseGeometry:
        """The ground its outline sweeps: a convex hull (for a disc the line of its centre)."""
        return swept_straight(self.base, self.dx, self.dy)

    @property
    def pieces(self) -> np.ndarray:
        """Shapes whose union is ``swept``."""
        return np.array([self.swept], object)

    @cached_property
    def bounds(self) -> Bounds:
        """The bounding box of ``swept``: west, south, east, north."""
        x0, y0, x1, y1 = self.base.box
        dx, dy = self.dx, self.dy
        return min(x0, x0 + dx), min(y0, y0 + dy), max(x1, x1 + dx), max(y1, y1 + dy)


@dataclass(frozen=True)
class Swing:
    """One base turned clockwise by ``degrees`` about a point; the chords of its arcs may lie ``error`` inside them."""

    base: AnyBase
    about: Point
    degrees: float
    charge: float
    error: float = ARC_ERROR

    @cached_property
    def swept(self) -> BaseGeometry:
        """The ground its outline sweeps, with chords that lie at most ``error`` inside the arcs."""
        return shapely.union_all(self.pieces)

    @cached_property
    def pieces(self) -> np.ndarray:
        """Shapes whose union is ``swept``: the hulls of successive poses."""
        corners = self.poses
        if isinstance(self.base, Disc):
            return np.asarray(shapely.linestrings([corners.reshape(-1, 2)]))
        pairs = np.concatenate([corners[:-1], corners[1:]], axis=1)
        return hulls_about(pairs)

    @cached_property
    def bounds(self) -> Bounds:
        """The bounding box of ``swept``: west, south, east, north."""
        return _box(self.poses.reshape(-1, 2))

    @cached_property
    def poses(self) -> np.ndarray:
        """Its corners (k, 4, 2) at angles close enough for ``error``; for a disc its centre (k, 1, 2)."""
        rel = _corners(self.base) - np.array(self.about)
        radius = float(np.hypot(rel[:, 0], rel[:, 1]).max())
        angle = math.radians(self.degrees)
        n = max(1, math.ceil(abs(angle) / math.sqrt(8.0 * self.error / max(radius, 1e-9))))
        theta = np.linspace(0.0, angle, n + 1)
        turned = (rel[:, 0] + 1j * rel[:, 1])[None, :] * np.exp(-1j * theta)[:, None]
        return np.asarray(np.stack([turned.real, turned.imag], axis=-1) + np.array(self.about))


Sweep = Slide | Swing


def _corners(base: AnyBase) -> np.ndarray:
    """Return the corners (n, 2) of a base; for a disc its centre."""
    return np.array([base.centre]) if isinstance(base, Disc) else base.corners


def _box(points: np.ndarray) -> Bounds:
    """Return the bounding box of (n, 2) points: west, south, east, north."""
    (x0, y0), (x1, y1) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return x0, y0, x1, y1


def swept_straight(base: AnyBase, dx: float, dy: float) -> BaseGeometry:
    """Return the ground the outline of ``base`` sweeps when moved by (dx, dy), in table units (TSE-MOV-04).

    For a disc it is the line along which its centre goes.

    >>> from tabletop.geometry import Base
    >>> swept_straight(Base(2.0, 2.0, 0.0, 1.0, 1.0), 0.0, 3.0).bounds
    (1.5, 1.5, 2.5, 5.5)
    """
    if isinstance(base, Disc):
        return shapely.LineString([base.centre, (base.x + dx, base.y + dy)])
    corners = base.corners
    return shapely.convex_hull(shapely.MultiPoint(np.concatenate([corners, corners + np.array([dx, dy])])))


@dataclass(frozen=True)
class Motion:
    """What each base does, base by base and step by step, the path of the front's middle, and the bases at the end.

    ``axes`` are, for every step, the lines from the rear to the middle of the front at its start and its end: the
    path's midline, as long as the unit (TSE-MOV-15). ``turned`` is the charge of all turns. In a ``file`` only the head
    keeps step with ``axes``; the others follow its track: ``trails`` hold the track at the start of each step, and at
    the end.

    >>> from tabletop.geometry import Body, line, rigid_motion, steps_along
    >>> body = Body.of(line(4, 1.0, 0.75).by_front((10.0, 10.0), 0.0), range(4), 0.0)
    >>> motion = rigid_motion(body, steps_along(body, [(10.0, 13.0)]))
    >>> motion.charge, motion.way
    (3.0, ((10.0, 10.0), (10.0, 13.0)))
    """

    tracks: tuple[tuple[Sweep, ...], ...]
    way: tuple[Point, ...]
    axes: tuple[tuple[Point, ...], ...]
    charge: float
    turned: float
    end: tuple[AnyBase, ...]
    facing: float
    file: bool = False
    trails: tuple[tuple[Point, ...], ...] = ()

    @property
    def sweeps(self) -> tuple[Sweep, ...]:
        return tuple(sweep for track in self.tracks for sweep in track)

    @cached_property
    def bounds(self) -> Bounds:
        """The bounding box of all the ground that the bases' outlines sweep (for discs: their centres)."""
        boxes = [sweep.bounds for sweep in self.sweeps]
        if self.file or not boxes:  # a rigid unit ends where its last steps do
            boxes += [base.box for base in self.end]
        x0, y0, x1, y1 = zip(*boxes, strict=True)
        return min(x0), min(y0), max(x1), max(y1)


@dataclass(frozen=True)
class Body:
    """A set of bases with the middle and the width of its front, and the length of its axis to the rear.

    >>> from tabletop.geometry import Body, line
    >>> body = Body.of(line(4, 1.0, 0.75).by_front((10.0, 10.0), 0.0), range(4), 0.0)
    >>> body.mid, body.width, body.length
    ((10.0, 10.0), 4.0, 0.75)
    """

    bases: tuple[AnyBase, ...]
    mid: Point
    facing: float
    width: float
    length: float

    @classmethod
    def of(cls, bases: Sequence[AnyBase], fronts: Iterable[int], facing: float) -> Body:
        """Return the body of ``bases`` whose front is that of the bases with indices ``fronts``, left to right.

        A disc, or bases without a front, have a front of width 0 at the (first) centre.
        """
        first = bases[0]
        if isinstance(first, Disc) or not fronts:
            return cls(tuple(bases), first.centre, facing, 0.0, 0.0)
        front = [b for i in fronts if isinstance(b := bases[i], Base)]
        ends = np.array([front[0].front_edge[0], front[-1].front_edge[1]])
        (ax, ay), (bx, by) = ends.tolist()
        mid = (ax + bx) / 2, (ay + by) / 2
        f = heading(facing)
        corners = np.concatenate([b.corners for b in bases if isinstance(b, Base)])
        behind = (corners - np.array(mid)) @ np.array(f)
        return cls(tuple(bases), mid, facing, math.hypot(bx - ax, by - ay), -float(behind.min()))

    @property
    def axis(self) -> tuple[Point, Point]:
        """From the rear to the middle of the front."""
        f = heading(self.facing)
        return (self.mid[0] - self.length * f[0], self.mid[1] - self.length * f[1]), self.mid

    def pivot(self, about: str) -> Point:
        """Return the point of the front to turn about: its middle, or a corner to wheel on (TSE-FRM-23c)."""
        lateral = PIVOTS[about][0] * self.width / 2
        f = heading(self.facing)
        return self.mid[0] + lateral * f[1], self.mid[1] - lateral * f[0]

    def moved(self, dx: float, dy: float) -> Body:
        mid = self.mid[0] + dx, self.mid[1] + dy
        return replace(self, bases=tuple(b.moved(dx, dy) for b in self.bases), mid=mid)

    def turned(self, degrees: float, about: Point) -> Body:
        s, c = heading(degrees)
        dx, dy = self.mid[0] - about[0], self.mid[1] - about[1]
        return replace(
            self,
            bases=tuple(b.turned(degrees, about) for b in self.bases),
            mid=(about[0] + c * dx + s * dy, about[1] - s * dx + c * dy),
            facing=(self.facing + degrees) % 360.0,
        )


def turn_charge(width: float, degrees: float, about: str = "middle") -> float:
    """Return what a turn of a front of ``width`` costs: the arc of its farthest-travelling corner (TSE-MOV-03).

    >>> round(turn_charge(4.0, 90.0), 4), round(turn_charge(3.0, 30.0, "right"), 4)
    (3.1416, 1.5708)
    """
    return PIVOTS[about][1] * width / 2 * abs(math.radians(degrees))


def steps_along(
    body: Body, waypoints: Sequence[Point], facing: float | None = None, pivots: Sequence[str] = ()
) -> tuple[Step, ...]:
    """Return the steps that take a front straight through ``waypoints`` (table units), turning or wheeling at each.

    The first leg turns too unless the body already faces its waypoint; ``facing`` adds a final turn. ``pivots`` name
    what the front turns about, first where it stands and then at each waypoint: its "middle" (the default), or its
    "left" or "right" corner. On a corner it wheels until the middle of the front can go straight on through the next
    waypoint (TSE-MOV-03). Raises ValueError if that waypoint is too close to the corner.

    >>> from tabletop.geometry import Body, line, steps_along
    >>> body = Body.of(line(4, 1.0, 0.75).by_front((10.0, 10.0), 0.0), range(4), 0.0)
    >>> steps_along(body, [(10.0, 12.0), (13.0, 12.0)])
    (Straight(length=2.0), Pivot(degrees=90.0, about='middle'), Straight(length=3.0))
    """
    steps: list[Step] = []
    at, now, about = body.mid, body.facing, _named(pivots, 0)
    for k, point in enumerate(waypoints, 1):
        dx, dy = point[0] - at[0], point[1] - at[1]
        if math.hypot(dx, dy) <= SAME_PLACE:
            about = _named(pivots, k) if about == "middle" else about
            continue
        if about == "middle":
            now = _turn_to(steps, now, bearing(dx, dy))
            steps.append(Straight(math.hypot(dx, dy)))
        else:
            placed = replace(body, mid=at, facing=now)
            toward, length = _wheeled(placed, about, point)
            now = _turn_to(steps, now, toward, about)
            steps.append(Straight(length))
        at, about = point, _named(pivots, k)
    if facing is not None:
        _turn_to(steps, now, facing % 360.0, about)
    return tuple(steps)


def _named(pivots: Sequence[str], k: int) -> str:
    return pivots[k] if k < len(pivots) else "middle"


def _wheeled(body: Body, about: str, point: Point) -> tuple[float, float]:
    """Return the facing after a wheel on a corner from which the middle can go straight to a point, and how far."""
    corner, half = body.pivot(about), body.width / 2
    dx, dy = point[0] - corner[0], point[1] - corner[1]
    far = math.hypot(dx, dy)
    if far < half:
        raise ValueError(f"it cannot wheel on its {about} corner to go on to a point {far:.2f} from that corner")
    aside = math.degrees(math.asin(min(1.0, half / far)))
    toward = bearing(dx, dy) + (aside if about == "right" else -aside)
    return toward % 360.0, math.sqrt(max(0.0, far * far - half * half))


def _turn_to(steps: list[Step], now: float, facing: float, about: str = "middle") -> float:
    turn = turn_between(now, facing)
    if turn < SAME_WAY - 180.0:  # straight behind: turn clockwise, whatever the last bit says
        turn += 360.0
    if abs(turn) > SAME_WAY:
        steps.append(Pivot(turn, about))
    return facing if abs(turn) > SAME_WAY else now


def shifts_along(start: Point, waypoints: Sequence[Point]) -> tuple[Step, ...]:
    """Return the shifts that move a point through ``waypoints``, in table units: for a general, who has no facing.

    Source: TSE-UNI-19.

    >>> shifts_along((1.0, 1.0), [(1.0, 4.0), (1.0, 4.0), (3.0, 4.0)])
    (Shift(dx=0.0, dy=3.0), Shift(dx=2.0, dy=0.0))
    """
    points = [start, *waypoints]
    return tuple(Shift(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points) if a != b)


def rigid_motion(body: Body, steps: Iterable[Step]) -> Motion:
    """Return the motion of a body that moves as one (columns, lines, generals), step by step; lengths in table units.

    Source: TSE-MOV-01, TSE-MOV-03.

    >>> from tabletop.geometry import Body, line, rigid_motion, steps_along
    >>> body = Body.of(line(2, 1.0, 1.0).by_front((10.0, 10.0), 0.0), range(2), 0.0)
    >>> motion = rigid_motion(body, steps_along(body, [(10.0, 12.0)], facing=90.0))
    >>> round(motion.charge, 4), round(motion.turned, 4), motion.facing
    (3.5708, 1.5708, 90.0)
    """
    tracks: list[list[Sweep]] = [[] for _ in body.bases]
    way, axes, turned, charge = [body.mid], [], 0.0, 0.0
    for step in steps:
        sweeps, after = _rigid_step(body, step)
        for track, sweep in zip(tracks, sweeps, strict=True):
            track.append(sweep)
        charge += sweeps[0].charge
        if isinstance(step, Pivot):
            turned += sweeps[0].charge
        axes.append((*body.axis, *after.axis))
        body = after
        way.append(body.mid)
    return Motion(tuple(map(tuple, tracks)), tuple(way), tuple(axes), charge, turned, body.bases, body.facing)


def _rigid_step(body: Body, step: Step) -> tuple[list[Sweep], Body]:
    if isinstance(step, Pivot):
        about = body.pivot(step.about)
        charge = turn_charge(body.width, step.degrees, step.about)
        return [Swing(b, about, step.degrees, charge) for b in body.bases], body.turned(step.degrees, about)
    if isinstance(step, Straight):
        f = heading(body.facing)
        step = Shift(step.length * f[0], step.length * f[1])
    charge = math.hypot(step.dx, step.dy)
    return [Slide(b, step.dx, step.dy, charge) for b in body.bases], body.moved(step.dx, step.dy)


def file_motion(
    body: Body, steps: Iterable[Step], free_bend: Callable[[Point], bool], trail: Sequence[Point] | None = None
) -> Motion:
    """Return the motion of a file: its head moves as a rigid base, the others follow its track (TSE-FRM-26).

    ``free_bend(point)`` says whether the head bends along a road there, so that no turn is charged (TSE-MOV-23).
    ``trail`` is the track the file lies on now, from the middle of the head's front back to its tail; straight behind
    it by default. Points are in table units.

    >>> from tabletop.geometry import Base, Body, steps_along
    >>> bases = [Base(10.0, 10.0 - rank, 0.0, 1.0, 1.0) for rank in range(2)]
    >>> body = Body.of(bases, [0], 0.0)
    >>> motion = file_motion(body, steps_along(body, [(10.0, 13.5), (13.0, 13.5)]), lambda point: True)
    >>> motion.charge, [(round(base.x, 2), round(base.y, 2)) for base in motion.end]
    (6.0, [(12.5, 13.5), (11.5, 13.5)])
    """
    head = replace(body, bases=body.bases[:1], length=_depth(body.bases[0]))
    offsets = [0.0, *accumulate(math.dist(_front(a), _front(b)) for a, b in pairwise(body.bases))]
    track = _Trail(list(trail or reversed(body.axis)))
    tracks: list[list[Sweep]] = [[] for _ in body.bases]
    way, axes, turned, charge, trails = [body.mid], [], 0.0, 0.0, [tuple(track.points)]
    for step in steps:
        (sweep,), after = _rigid_step(head, step)
        cost = 0.0 if isinstance(step, Pivot) and free_bend(head.mid) else sweep.charge
        tracks[0].append(replace(sweep, charge=cost))
        charge += cost
        turned += cost if isinstance(step, Pivot) else 0.0
        stays = isinstance(step, Pivot) and step.about == "middle"
        gone = 0.0 if stays else math.dist(head.mid, after.mid)
        if not stays:
            track.lay(after.mid)
        for i in range(1, len(body.bases)):
            tracks[i].extend(track.ridden(body.bases[i], offsets[i], gone, cost))
        axes.append((*head.axis, *after.axis))
        head = after
        way.append(head.mid)
        trails.append(tuple(track.points))
    end = (*head.bases, *_placed(track, body.bases))
    ridden = tuple(map(tuple, tracks)), tuple(way), tuple(axes), charge, turned
    return Motion(*ridden, end, head.facing, file=True, trails=tuple(trails))


def _placed(track: _Trail, bases: Sequence[AnyBase]) -> Iterator[Base]:
    """Yield the followers of a file at their places on a track; they keep their distances."""
    offset = 0.0
    for before, base in pairwise(bases):
        offset += math.dist(_front(before), _front(base))
        yield track.placed(base, offset)


def followers_at(motion: Motion, k: int) -> tuple[Base, ...]:
    """Return the followers of a file at the start of step ``k``; with the number of steps, at the end."""
    return tuple(_placed(_Trail(list(motion.trails[k])), [track[0].base for track in motion.tracks]))


def _front(base: AnyBase) -> Point:
    return base.front_mid if isinstance(base, Base) else base.centre


def _depth(base: AnyBase) -> float:
    return base.depth if isinstance(base, Base) else 0.0


class _Trail:
    """The track of a file's head, newest point first; places the followers on it."""

    def __init__(self, points: list[Point]) -> None:
        self.points = points

    def lay(self, point: Point) -> None:
        if point != self.points[0]:
            self.points.insert(0, point)

    def ridden(self, base: AnyBase, offset: float, gone: float, charge: float) -> list[Sweep]:
        """Return the slides of a follower ``offset`` behind while the head advances by ``gone`` (its newest leg)."""
        assert isinstance(base, Base)
        if gone == 0.0:
            return [Slide(self.placed(base, offset), 0.0, 0.0, charge)]
        stretches = self._stretches(offset, offset + gone)
        slides: list[Sweep] = []
        for (ax, ay), (bx, by) in stretches:
            length = math.hypot(bx - ax, by - ay)
            at = _fronting(base, (ax, ay), bearing(bx - ax, by - ay))
            slides.append(Slide(at, bx - ax, by - ay, length * charge / gone))
        return slides

    def placed(self, base: AnyBase, offset: float) -> Base:
        """Return the follower in its current place."""
        assert isinstance(base, Base)
        (ax, ay), (bx, by) = self._leg(offset)
        return _fronting(base, (bx, by), bearing(bx - ax, by - ay))

    def _leg(self, offset: float) -> tuple[Point, Point]:
        """Return the point ``offset`` behind the head, after a point farther back on the same leg."""
        for newer, older in pairwise(self.points):
            length = math.dist(newer, older)
            if offset < length - 1e-12:
                return older, _between(newer, older, offset / length)
            offset -= length
        newer, older = self.points[-2], self.points[-1]
        length = math.dist(newer, older)
        return _between(newer, older, (length + offset + 1.0) / length), _between(newer, older, 1.0 + offset / length)

    def _stretches(self, near: float, far: float) -> list[tuple[Point, Point]]:
        """Return the straight stretches from ``far`` to ``near`` behind the head, in the order a follower takes
        them."""
        stretches: list[tuple[Point, Point]] = []
        start = 0.0
        legs = list(pairwise(self.points))
        for i, (newer, older) in enumerate(legs):
            length = math.dist(newer, older)
            end = math.inf if i == len(legs) - 1 else start + length
            lo, hi = max(near, start), min(far, end)
            if hi - lo > 1e-12:
                stretch = [_between(newer, older, (u - start) / length) for u in (hi, lo)]
                stretches.append((stretch[0], stretch[1]))
            start = end
        return stretches[::-1]


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _fronting(base: Base, mid: Point, facing: float) -> Base:
    f = heading(facing)
    return replace(base, x=mid[0] - base.depth / 2 * f[0], y=mid[1] - base.depth / 2 * f[1], facing=facing)
