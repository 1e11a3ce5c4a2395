"""Falling back: the least deviation from the wanted direction in which a whole set of bases can be moved.

Bases moved without turning are one point in the space of translations. There every obstacle is a polygon (the obstacle
grown by the mirrored bases), an enemy to keep away from is a polygon and a distance, and a fall-back is a straight leg,
or two, from the origin (TSE-INV-02, TSE-INV-04, TSE-INV-06).

The legal directions of a leg form a closed set. Its least deviation is the wanted direction or a boundary of the set,
and every boundary is one of: a direction to a corner of an obstacle; a tangent to the circle around a corner of an
enemy; a direction in which the leg ends on an edge of either. All are computed in closed form and tried in order of
deviation, so the answer does not depend on a grid. Where rough ground makes the leg's length depend on its direction,
the ends are found by bisection between the directions tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np
import shapely

from tabletop.geometry.distinct import distinct
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.movement.configuration_space import EXACT, Obstacles, critical, passing, shrunk

#: Bisection of directions stops at this bracket (degrees).
FINE = 1e-9
#: A critical direction counts as the boundary itself if the direction this far (degrees) nearer is forbidden.
NEAR = 1e-4
#: Scan steps per degree where the leg's length varies with its direction; even shares of a first leg tried as bends.
SCAN, SHARES = 1, 4
#: Directions tried at once, nearest first; after each failed batch the next is twice as large, up to the second number.
CHUNK, MOST = 12, 192
#: How many lengths a bisection of a leg tries at once.
HALVES = 7
#: How many first legs, bends, and second legs closest to those of a known path are tried.
LIKE = 2


@dataclass(frozen=True)
class Arc:
    """The allowed directions: ``wanted``, and from ``low`` (<= 0) to ``high`` (>= 0) degrees clockwise of it.

    >>> import numpy as np
    >>> from tabletop.geometry import Arc
    >>> Arc(wanted=180.0, low=-45.0, high=45.0).inside(np.array([170.0, 90.0]))
    [0.0, -10.0, 45.0, -45.0]
    """

    wanted: float
    low: float
    high: float

    def turns(self, bearings: np.ndarray) -> np.ndarray:
        """Return bearings (n,) as deviations from the wanted direction, clockwise, from -180 to 180 degrees."""
        return np.asarray((bearings - self.wanted + 180.0) % 360.0 - 180.0)

    def inside(self, bearings: np.ndarray) -> list[float]:
        """Return the bearings that lie in the arc as deviations, least first, clockwise before anticlockwise."""
        turns = self.turns(bearings)
        kept = turns[(turns >= self.low - FINE) & (turns <= self.high + FINE)]
        kept = distinct(np.round(np.clip([*kept, 0.0, self.low, self.high], self.low, self.high), 11))
        return sorted(kept.tolist(), key=lambda d: (abs(d), d < 0))


class Budget(Protocol):
    """What the move may cost."""

    @property
    def plain(self) -> bool:
        """Whether there is only open ground within reach, so that a leg costs its length."""

    def shortest(self, before: Sequence[Point]) -> float:
        """Return a lower bound on the length of a further leg in any direction, on any ground, after legs to
        ``before``."""

    def at_least(self, before: Sequence[Sequence[Point]], starts: np.ndarray, ways: np.ndarray) -> np.ndarray:
        """Return for each last leg (as in ``between``) a lower bound on its length, computed more quickly."""

    def between(
        self, before: Sequence[Sequence[Point]], starts: np.ndarray, ways: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return for each last leg (legs before it, its start, its unit vector) a lower and an upper bound of its
        length."""

    def left(self, before: Sequence[Point]) -> float:
        """Return the budget left after legs to ``before``: no leg is longer."""

    def reckon(self, before: Sequence[tuple[Point, ...]]) -> None:
        """Compute in one go what will be asked about: the budget left after each of some single legs."""

    def lengths(self, legs: Sequence[tuple[Sequence[Point], float]]) -> list[tuple[float, bool]]:
        """Return, for each last leg (legs before it, direction), how far the rest of the budget goes; whether in
        full."""


@dataclass(frozen=True)
class Fall:
    """The path found: its points in the space of translations, from the origin; whether the budget is spent in full.

    >>> from tabletop.geometry import Fall
    >>> Fall(((0.0, 0.0), (0.0, -6.0))).shift
    (0.0, -6.0)
    """

    way: tuple[Point, ...]
    in_full: bool = True

    @property
    def shift(self) -> Point:
        return self.way[-1]


def fall_back(
    arc: Arc, obstacles: Obstacles, budget: Budget, fine: float = FINE, likely: Sequence[float] = ()
) -> Fall | None:
    """Return the first legal path: one leg by increasing deviation, then two legs; None if there is none (TSE-INV-06).

    Lengths are table units, exact (no tolerance) unless a path is legal only within the declared tolerance,
    ``obstacles.give``. On ground that slows, the deviation is right to ``fine`` degrees; its side is always right. If
    only the side matters (``fine`` is infinite), the first of the ``likely`` deviations that is not 0 is tried early.

    A base falls back 6 in to the south; a wall 3 in behind it, a long way to the west but no farther east than it
    stands, sends it to the east:

    >>> import shapely
    >>> from tabletop.geometry import Arc, Base, Obstacles, least_fall_back, obstacle
    >>> class SixInches:
    ...     plain = True  # open ground all round: a length is its own cost
    ...     def lengths(self, legs):
    ...         return [(6.0, True) for _ in legs]
    >>> wall = obstacle([Base(10.0, 10.0, 0.0, 1.0, 1.0)], shapely.box(0.0, 6.0, 10.0, 7.0))
    >>> way = least_fall_back(Arc(180.0, -45.0, 45.0), Obstacles((wall,)), SixInches())
    >>> way.in_full, [round(length, 2) for length in way.shift]
    (True, [1.18, -5.88])
    """
    exact = obstacles.exactly()
    if straight := _one_leg(arc, exact, budget, fine, likely):
        return straight
    if not may_get_through(arc, obstacles, budget):
        return None
    within_tolerance = _one_leg(arc, obstacles, budget, fine, likely) or _two_legs(arc, obstacles, budget)
    return within_tolerance and (_two_legs(arc, exact, budget) or within_tolerance)


def some_fall_back(arc: Arc, obstacles: Obstacles, budget: Budget) -> Fall | None:
    """Return some legal path where ``fall_back`` finds one, not the first by deviation (table units; TSE-INV-06).

    >>> from types import SimpleNamespace
    >>> import shapely
    >>> from tabletop.geometry import Arc, Base, Obstacles, obstacle
    >>> six = SimpleNamespace(  # inches, on open ground
    ...     plain=True, shortest=lambda before: 6.0, left=lambda before: 6.0,
    ...     lengths=lambda legs: [(6.0, True) for _ in legs])
    >>> wall = obstacle([Base(10.0, 10.0, 0.0, 1.0, 1.0)], shapely.box(0.0, 6.0, 10.0, 7.0))
    >>> some_fall_back(Arc(180.0, -45.0, 45.0), Obstacles((wall,)), six).in_full
    True
    """
    if not may_get_through(arc, obstacles, budget):
        return None
    return _some_leg(arc, obstacles, budget) or _two_legs(arc, obstacles, budget)


def _some_leg(arc: Arc, obstacles: Obstacles, budget: Budget) -> Fall | None:
    """Return some legal path of one leg, by the exact law or within the tolerance.

    What is legal exactly is also legal within the tolerance, so if nothing passes within the tolerance the exact law
    need not be tried. Usually nothing does, because likely directions have been tried before: so all are tested at
    once.
    """
    exact = obstacles.exactly()
    ((length, _),) = budget.lengths([((), arc.wanted)])
    tried, by_exact = (arc.inside(critical(law, (0.0, 0.0), length)) for law in (obstacles, exact))
    tried = tried if budget.plain else scanned(tried, arc)

    def first(deviations: Sequence[float], *laws: Obstacles) -> Fall | None:
        for law in laws:
            good = _legal((), (0.0, 0.0), deviations, arc, law, budget) if deviations else np.zeros(0, bool)
            deviations = [d for d, legal in zip(deviations, good.tolist(), strict=True) if legal]
        return _fall((), deviations[0], arc, budget) if deviations else None

    return first(tried, obstacles) or first(sorted({*by_exact} - {*tried}, key=abs), obstacles, exact)


def chunks(tried: Sequence[float]) -> Iterator[Sequence[float]]:
    """Yield the first few, then larger and larger batches: testing many takes little longer than testing few."""
    start, size = 0, CHUNK
    while start < len(tried):
        yield tried[start : start + size]
        start, size = start + size, min(2 * size, MOST)


def fall_back_at_all(
    arc: Arc, obstacles: Obstacles, budget: Budget, hints: Sequence[tuple[Point, ...]] = ()
) -> tuple[Point, ...] | None:
    """Return a line along which some path is legal, not the first by deviation; None if none was found at once.

    It tries the directions of ``hints``, which are answers to similar questions (the first of them by itself), then the
    wanted direction and the arc's edges. Points are in table units, from where the unit stands. Source: TSE-INV-06.

    >>> from types import SimpleNamespace
    >>> import shapely
    >>> from tabletop.geometry import Arc, Base, Obstacles, obstacle
    >>> six = SimpleNamespace(plain=True, lengths=lambda legs: [(6.0, True) for _ in legs])  # inches, on open ground
    >>> wall = obstacle([Base(10.0, 10.0, 0.0, 1.0, 1.0)], shapely.box(0.0, 6.0, 10.0, 7.0))
    >>> arc, walls = Arc(180.0, -45.0, 45.0), Obstacles((wall,))
    >>> fall_back_at_all(arc, walls, six) is None
    True
    >>> way = fall_back_at_all(arc, walls, six, hints=[((0.0, 0.0), (3.0, -3.0))])
    >>> [round(float(length), 2) for length in way[1]]
    [0.71, -0.71]
    """
    known = hinted(arc, hints)
    rest = dict.fromkeys([0.0, *known, *((arc.low, arc.high) if hints else ())])
    for tried in (known[:1], [turn for turn in rest if turn not in known[:1]]):
        good = _legal((), (0.0, 0.0), tried, arc, obstacles.exactly(), budget) if tried else np.zeros(0, bool)
        if good.any():
            return (0.0, 0.0), heading(arc.wanted + tried[int(np.argmax(good))])
    return None


def hinted(arc: Arc, hints: Sequence[tuple[Point, ...]]) -> list[float]:
    """Return the directions within the arc in which ``hints``, answers to similar questions, begin.

    Hints are points in table units; directions are deviations in degrees (TSE-INV-06).

    >>> hinted(Arc(180.0, -45.0, 45.0), [((0.0, 0.0), (2.0, -2.0)), ((0.0, 0.0), (0.0, 3.0))])
    [-45.0]
    """
    turns = [float(arc.turns(_bearing_of(a, b))[0]) for a, b, *_ in hints]
    return list(dict.fromkeys(round(turn, 11) for turn in turns if arc.low <= turn <= arc.high))


def _one_leg(arc: Arc, law: Obstacles, budget: Budget, fine: float, likely: Sequence[float]) -> Fall | None:
    legal = once(lambda deviations: _legal((), (0.0, 0.0), deviations, arc, law, budget))
    side = next(filter(None, likely), None) if fine == math.inf and not budget.plain else None
    turns = side is not None and abs(likely[0]) >= 1 / SCAN  # otherwise the wanted direction is the most likely
    if not turns and legal([0.0])[0]:
        return _fall((), 0.0, arc, budget)
    ((length, _),) = budget.lengths([((), arc.wanted)])
    tried = arc.inside(critical(law, (0.0, 0.0), length))
    if budget.plain:
        good = np.flatnonzero(legal(tried))
        return _fall((), tried[good[0]], arc, budget) if len(good) else None
    deviation = to_the_same_side(tried, arc, legal, side) if side else None
    if deviation is None:
        deviation = 0.0 if legal([0.0])[0] else least(tried, arc, legal, fine)
    return None if deviation is None else _fall((), deviation, arc, budget)


def once(legal: Callable[[Sequence[float]], np.ndarray]) -> Callable[[Sequence[float]], np.ndarray]:
    """Return ``legal`` with a memory: each direction is tested only once."""
    known: dict[float, bool] = {}

    def asked(deviations: Sequence[float]) -> np.ndarray:
        new = [deviation for deviation in deviations if deviation not in known]
        if new:
            known.update(zip(new, legal(new).tolist(), strict=True))
        return np.array([known[deviation] for deviation in deviations], bool)

    return asked


def _legal(
    before: tuple[Point, ...], at: Point, deviations: Sequence[float], arc: Arc, law: Obstacles, budget: Budget
) -> np.ndarray:
    """Return for each deviation whether the last leg, from ``at``, can be made and ended, in full."""
    return _good_last([(before, at, d) for d in deviations], arc, law, budget)


def _good_last(
    tried: Sequence[tuple[tuple[Point, ...], Point, float]], arc: Arc, law: Obstacles, budget: Budget
) -> np.ndarray:
    """Return for each last leg (legs before, its start, deviation) whether it can be made and ended, in full.

    Legs that are blocked within the lower bound on their length need not be costed.
    """
    starts = np.array([at for _, at, _ in tried])
    ways = np.array([heading(arc.wanted + d) for _, _, d in tried])
    good = np.ones(len(tried), bool)
    if not budget.plain:
        good = clear_so_far([before for before, _, _ in tried], starts, ways, law, budget)
    left = np.flatnonzero(good)
    reached = budget.lengths([(tried[i][0], arc.wanted + tried[i][2]) for i in left.tolist()])
    lengths, full = np.array([r for r, _ in reached]), np.array([whole for _, whole in reached], bool)
    ends = starts[left] + lengths.reshape(-1, 1) * ways[left]
    good[left] = full & law.ends_clear(ends)
    rest = left[good[left]]
    good[rest] = law.legs_clear(starts[rest], ends[good[left]])
    return good


def clear_so_far(
    before: Sequence[tuple[Point, ...]], starts: np.ndarray, ways: np.ndarray, law: Obstacles, budget: Budget
) -> np.ndarray:
    """Return for each last leg (legs before it, its start, its unit vector) whether it may be legal (no wrong False).

    A leg fails if it is blocked within the lower bound on its length, or if every possible end of it is forbidden. The
    bound that is quick to compute finds most of those that fail.
    """
    least = budget.at_least(before, starts, ways)
    good = law.legs_clear(starts, starts + least[:, None] * ways)
    left = np.flatnonzero(good)
    if len(left):
        starts, ways = starts[left], ways[left]
        short, long = budget.between([before[k] for k in left.tolist()], starts, ways)
        if (short > least[left]).any():  # if no longer than before, they are known to be clear
            good[left] = law.legs_clear(starts, starts + short[:, None] * ways)
        if law.ends:
            sure, most = starts + short[:, None] * ways, starts + long[:, None] * ways
            last = shapely.linestrings(np.stack([sure, most], axis=1))
            good[left] &= ~np.asarray(shapely.covers(law.closed, last))
    return good


def _end(before: tuple[Point, ...], at: Point, deviation: float, arc: Arc, budget: Budget) -> tuple[Point, bool]:
    direction = arc.wanted + deviation
    ((length, full),) = budget.lengths([(before, direction)])
    e = heading(direction)
    return (at[0] + length * e[0], at[1] + length * e[1]), full


def _fall(before: tuple[Point, ...], deviation: float, arc: Arc, budget: Budget) -> Fall:
    at = before[-1] if before else (0.0, 0.0)
    end, full = _end(before, at, deviation, arc, budget)
    return Fall(((0.0, 0.0), *before, end), full)


def least(tried: list[float], arc: Arc, legal: Callable[[Sequence[float]], np.ndarray], fine: float) -> float | None:
    """Return the least legal deviation among those tried and the steps of a scan, refined by bisection."""
    points = scanned(tried, arc)
    inner = {True: 0.0, False: 0.0}
    exact = set(tried)
    for chunk in chunks(points):
        for point, good in zip(chunk, legal(chunk), strict=True):
            if good:
                if abs(point - inner[point > 0]) <= fine:
                    return point
                edge = point - math.copysign(NEAR, point)
                return (
                    point
                    if point in exact and not legal([edge])[0]
                    else _bisected(inner[point > 0], point, legal, fine)
                )
            inner[point > 0] = point
    return None


def to_the_same_side(
    tried: list[float], arc: Arc, legal: Callable[[Sequence[float]], np.ndarray], likely: float
) -> float | None:
    """Return a legal deviation on the same side as the one ``least`` would find; None where that is not certain at
    once.

    It is one near ``likely`` (not 0), provided neither the wanted direction nor any smaller deviation to the other side
    is legal. All are tested at once.
    """
    points = scanned(tried, arc)
    near = sorted((point for point in points if point * likely > 0.0), key=lambda point: abs(point - likely))[:LIKE]
    if not near:
        return None
    opposite = [point for point in points[: points.index(max(near, key=abs))] if point * likely <= 0.0]
    asked = [*near, *opposite]
    good = [point for point, is_legal in zip(asked, legal(asked).tolist(), strict=True) if is_legal]
    first = min(good, key=points.index, default=0.0)
    return first if first * likely > 0.0 else None


def _bearing_of(a: Point, b: Point) -> np.ndarray:
    return np.degrees(np.arctan2([b[0] - a[0]], [b[1] - a[1]]))


def scanned(tried: Collection[float], arc: Arc) -> list[float]:
    """Return the deviations tried and the steps of a scan, least first."""
    scan = range(math.ceil(arc.low * SCAN), math.floor(arc.high * SCAN) + 1)
    return sorted({*tried, *(k / SCAN for k in scan)}, key=lambda d: (abs(d), d < 0))


def _bisected(barred: float, free: float, legal: Callable[[Sequence[float]], np.ndarray], fine: float) -> float:
    """Return the legal end of the narrowest bracket between a forbidden and a legal deviation.

    Each step also tests both points the next step can come to: testing three takes little longer than testing one.
    """
    while abs(free - barred) > fine:
        middle = (barred + free) / 2
        at_middle, farther, nearer = legal([middle, (middle + free) / 2, (barred + middle) / 2]).tolist()
        for good in (at_middle, nearer if at_middle else farther):
            if abs(free - barred) > fine:
                middle = (barred + free) / 2
                barred, free = (barred, middle) if good else (middle, free)
    return free


# --- two legs --------------------------------------------------------------------------------------------------------


def _two_legs(arc: Arc, law: Obstacles, budget: Budget) -> Fall | None:
    """Return the first legal path of two legs: least deviation of the first, then latest bend, then least of the
    second.

    First legs run along the arc's edges, in the wanted direction, or past a corner; they bend at their far end, at even
    shares of it, and where a second leg in the wanted direction or along the arc's edge passes a corner.
    """
    if arc.high - arc.low < FINE or not may_get_through(arc, law, budget):
        return None
    ((length, _),) = budget.lengths([((), arc.wanted)])
    legs = (
        leg for first in arc.inside(passing(law, (0.0, 0.0), length)) for leg in _after(first, length, arc, law, budget)
    )
    size = CHUNK
    while chunk := list(islice(legs, size)):
        good = np.flatnonzero(_good_last(chunk, arc, law, budget))
        if len(good):
            before, _, second = chunk[int(good[0])]
            return _fall(before, second, arc, budget)
        size = min(2 * size, MOST)
    return None


def _after(
    first: float, length: float, arc: Arc, law: Obstacles, budget: Budget
) -> Iterator[tuple[tuple[Point, ...], Point, float]]:
    """Yield the second legs to try after a first in direction ``first``, bend by bend."""
    e, bends = heading(arc.wanted + first), _bends(first, length, arc, law, budget)
    budget.reckon([((bend * e[0], bend * e[1]),) for bend in bends])
    for bend in bends:
        yield from _second(e, bend, arc, law, budget)


def _second(
    e: Point, share: float, arc: Arc, law: Obstacles, budget: Budget
) -> list[tuple[tuple[Point, ...], Point, float]]:
    """Return the second legs to try after a first of length ``share`` along ``e``: (bend, bend, deviation).

    Where lengths vary with the ground, the end of a leg is not known beforehand, so only directions past corners are
    tried.
    """
    at = share * e[0], share * e[1]
    left = budget.left((at,))
    deviations = critical(law, at, left) if budget.plain else passing(law, at, left)
    return [((at,), at, d) for d in arc.inside(deviations)]


def _bends(first: float, length: float, arc: Arc, law: Obstacles, budget: Budget) -> list[float]:
    """Return lengths of a first leg after which to bend, longest first, none longer than the leg is clear."""
    e = np.array(heading(arc.wanted + first))
    clear = _clear_length(e, length, law)
    centres, radii = law.circles
    lengths = [np.array([clear * k / SHARES for k in range(1, SHARES + 1)])]
    for second in (arc.low, arc.high, 0.0) if budget.plain else ():
        g = np.array(heading(arc.wanted + second))
        if abs(second - first) < FINE:
            continue
        aside = radii[:, None] * np.array([g[1], -g[0]])  # tangents to the circles around the enemies' corners
        points = np.concatenate([law.corners, centres + aside, centres - aside])
        lengths.append((points[:, 0] * g[1] - points[:, 1] * g[0]) / (e[0] * g[1] - e[1] * g[0]))
    bends = distinct(np.round(np.concatenate(lengths), 9))
    bends = np.where(np.abs(bends - clear) <= FINE, clear, bends)  # rounding must not drop the farthest one
    kept = bends[(bends > EXACT) & (bends <= clear) & (bends < length - EXACT)]
    return [float(bend) for bend in kept[::-1]]


def _clear_length(e: np.ndarray, length: float, law: Obstacles) -> float:
    """Return how far a leg from the origin along ``e`` is clear."""
    lo, hi = 0.0, length
    if law.legs_clear(np.zeros((1, 2)), (hi * e)[None])[0]:
        return hi
    while hi - lo > EXACT / 8:
        halves = _halves(lo, hi)
        clear, k = law.legs_clear(np.zeros((len(halves), 2)), np.outer(halves, e)).tolist(), 0
        while k < len(halves) and hi - lo > EXACT / 8:
            lo, hi, k = (halves[k], hi, 2 * k + 2) if clear[k] else (lo, halves[k], 2 * k + 1)
    return lo


def _halves(lo: float, hi: float) -> list[float]:
    """Return the middle, and the middles that a bisection may come to next: those after number k are 2k+1 and 2k+2.

    Testing this many at once takes little longer than testing one.
    """
    between, middles = [(lo, hi)], []
    for low, high in between:
        middle = (low + high) / 2
        middles.append(middle)
        if len(between) < HALVES:
            between += [(low, middle), (middle, high)]
    return middles


def may_get_through(arc: Arc, law: Obstacles, budget: Budget, most: float = 0.0) -> bool:
    """Return False when no path inside the arc can get as far as every full fall-back must (never a wrong False).

    ``most`` (table units) is how much farther than in full it may go. Legs in an arc of half width h with a total
    length L get at least L cos(h) along its axis. So if the free ground inside the arc that is connected with the
    origin, and where a path may end, falls short of that for the least L, there is no path.
    """
    half = (arc.high - arc.low) / 2
    if half >= 90.0 or half < FINE:
        return True
    shortest, longest = budget.shortest(()), budget.left(()) + most
    axis = np.array(heading(arc.wanted + (arc.high + arc.low) / 2))
    sides = [np.array(heading(arc.wanted + d)) for d in (arc.low, arc.high)]
    reach = 2.0 * (longest + 1.0) / math.cos(math.radians(half))
    wedge = shapely.Polygon(np.array([(0.0, 0.0), sides[0] * reach, sides[1] * reach])).buffer(10.0 * EXACT)
    filled = [k.shape.buffer(k.limit - 2.0 * law.give) for k in law.keeps if 2.0 * law.give < k.limit < math.inf]
    free = wedge.difference(shapely.union_all([*(shrunk(wall, 2.0 * law.give) for wall in law.walls), *filled]))
    around_origin = [p for p in shapely.get_parts(free) if p.distance(shapely.Point(0.0, 0.0)) <= 10.0 * EXACT]
    near = shapely.Point(0.0, 0.0).buffer(1.01 * longest + 10.0 * EXACT)
    closed = shapely.union_all([shrunk(end, 2.0 * law.give) for end in law.ends])
    ends = shapely.get_coordinates(shapely.union_all(around_origin).intersection(near).difference(closed))
    farthest = float((ends @ axis).max()) if len(ends) else 0.0
    return farthest >= shortest * math.cos(math.radians(half)) - 100.0 * EXACT


def bent_fall_back(
    arc: Arc, obstacles: Obstacles, budget: Budget, hints: Sequence[tuple[Point, ...]]
) -> tuple[Point, ...] | None:
    """Return a legal path of two legs, among those ``some_fall_back`` tries the closest to one of ``hints``.

    Paths are points in table units, from where the unit stands (TSE-INV-06).

    >>> from types import SimpleNamespace
    >>> from tabletop.geometry import Arc, Obstacles
    >>> def left(before):
    ...     return 6.0 - sum(math.hypot(*point) for point in before)
    >>> six = SimpleNamespace(  # inches, on open ground
    ...     plain=True, left=left, reckon=lambda before: None,
    ...     lengths=lambda legs: [(left(before), True) for before, _ in legs])
    >>> hint = ((0.0, 0.0), (2.0, -2.0), (2.0, -5.0))
    >>> way = bent_fall_back(Arc(180.0, -45.0, 45.0), Obstacles(), six, [hint])
    >>> len(way), round(math.dist(way[0], way[1]) + math.dist(way[1], way[2]), 6)
    (3, 6.0)
    """
    if arc.high - arc.low < FINE:
        return None
    ((length, _),) = budget.lengths([((), arc.wanted)])
    for a, b, c in (hint for hint in hints if len(hint) == 3):
        legs = _like(a, b, c, length, arc, obstacles, budget)
        good = np.flatnonzero(_good_last(legs, arc, obstacles, budget)) if legs else np.zeros(0, int)
        if len(good):
            before, _, second = legs[int(good[0])]
            return _fall(before, second, arc, budget).way
    return None


def _like(
    a: Point, b: Point, c: Point, length: float, arc: Arc, law: Obstacles, budget: Budget
) -> list[tuple[tuple[Point, ...], Point, float]]:
    """Return the paths of two legs whose first leg, bend, and second leg are closest to those of the path a, b, c."""
    first, second = (float(arc.turns(_bearing_of(*leg))[0]) for leg in ((a, b), (b, c)))
    paths = []
    for along in sorted(arc.inside(passing(law, (0.0, 0.0), length)), key=lambda d: abs(d - first))[:LIKE]:
        bends = _bends(along, length, arc, law, budget)
        for bend in sorted(bends, key=lambda far: abs(far - math.dist(a, b)))[:LIKE]:
            legs = _second(heading(arc.wanted + along), bend, arc, law, budget)
            paths += sorted(legs, key=lambda leg: abs(leg[2] - second))[:LIKE]
    return paths


# --- stopping short --------------------------------------------------------------------------------------------------


def fall_back_short(arc: Arc, obstacles: Obstacles, budget: Budget) -> Fall:
    """Return the longest legal path in the wanted direction, of length 0 if need be (table units; TSE-INV-08).

    For the ruling ``fall_back_in_full``.

    >>> from types import SimpleNamespace
    >>> import shapely
    >>> from tabletop.geometry import Arc, Base, Obstacles, obstacle
    >>> six = SimpleNamespace(plain=True, lengths=lambda legs: [(6.0, True) for _ in legs])  # inches, on open ground
    >>> wall = obstacle([Base(10.0, 10.0, 0.0, 1.0, 1.0)], shapely.box(0.0, 6.0, 10.0, 7.0))
    >>> way = fall_back_short(Arc(180.0, -45.0, 45.0), Obstacles((wall,)), six)
    >>> way.in_full, round(way.shift[1], 2)
    (False, -2.5)
    """
    ((reach, _),) = budget.lengths([((), arc.wanted)])
    e = np.array(heading(arc.wanted))
    exact = obstacles.exactly()
    clear = _clear_length(e, reach, exact)
    bounds = spans(e[None], np.array([reach]), exact)[1]
    stops = [clear, *bounds[bounds <= clear].tolist()]
    best = max((s for s in stops if exact.ends_clear((s * e)[None])[0]), default=0.0)
    return Fall(((0.0, 0.0), (float(best * e[0]), float(best * e[1]))), in_full=False)


def spans(ways: np.ndarray, lengths: np.ndarray, law: Obstacles) -> tuple[np.ndarray, np.ndarray]:
    """Return where legs enter and leave the places where no path may end: which leg (n,), and how far along."""
    if not law.ends:
        return np.zeros(0, int), np.zeros(0)
    legs = shapely.linestrings(np.stack([np.zeros_like(ways), lengths[:, None] * ways], axis=1))
    met = shapely.intersection(np.asarray(legs)[:, None], np.array(law.ends, object)[None, :])
    parts, of = shapely.get_parts(met.ravel(), return_index=True)
    points, part = shapely.get_coordinates(parts, return_index=True)
    leg = of[part] // len(law.ends)
    return leg, (points * ways[leg]).sum(axis=1)
