"""The shortest clear line between two shapes, or any clear line: one search under one law.

The shapes are cut into convex cells on which everything about a line's end is constant; ``sight.search`` searches
between two cells. The distance follows the exact law (t = 0); whether anything is seen at all is decided with the
tolerance, so that what only rounding opens or closes counts as exactly at the limit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import shapely

from tabletop.geometry.cache import Cache
from tabletop.geometry.measure import GRAZE, Point
from tabletop.geometry.sight.bounds import Between
from tabletop.geometry.sight.cell_pair import pair_of
from tabletop.geometry.sight.cells import Cell, cells_of, whole_of
from tabletop.geometry.sight.friends import ground_kept_clear, pen
from tabletop.geometry.sight.law import InterveningUnit, SightLaw, clear, normalised
from tabletop.geometry.sight.obstruction import SHRUNK, Bools, Floats, SightObstruction, ground_of
from tabletop.geometry.sight.search import CellSearch, between_of, cores
from tabletop.geometry.sight.unproved import cut_short, note
from tabletop.geometry.terrain import Table

#: How close to the clearance (as a share of it) a line counts as touching the polygon around a unit.
RIM = 1e-3
#: Lengths closer than this (table units) belong to the same line.
SAME = 1e-9
#: A later pair of cells is searched only if it may beat the best line by this much (table units): more than rounding.
WORTH = 1e-8
#: From this many pairs of cells on, the search first tests whether walls alone block every line between the two shapes.
MANY = 4
#: After this many bundles a pair of cells is postponed where any line will do.
EARLY = 2_000

Line = tuple[Point, Point]
T = TypeVar("T")


@dataclass(eq=False)
class Search:
    """One search: first within the tolerance, for any line, then under the exact law for the distance."""

    table: Table
    a: shapely.Geometry
    b: shapely.Geometry
    law: SightLaw
    intervening: tuple[InterveningUnit, ...]
    obstructions_met: tuple[Hashable, ...] | None = None  # everything that hides between the shapes; None: unknown
    about: float | None = None  # the direction (radians) for which the ground around units is drawn finest
    any: bool = False  # the first line that is clear within the tolerance will do
    longest: float = math.inf  # no longer line is searched for
    seen: bool = False  # some line is known to be clear within the tolerance: only the exact distance is wanted
    closed: dict[tuple[float, float | None], list[SightObstruction]] = field(default_factory=dict)

    def answer(self) -> tuple[float | None, Line | None]:
        """Return the result of ``run``, cached."""
        return self.known() or _ANSWERS.of(self.table, self.key, lambda: self.shared(_BETWEEN, self.run))

    def shared(self, kept: Cache[T], find: Callable[[], T]) -> T:
        """Return what was found on any table with the same obstructions between the shapes; compute it if nothing was.

        A search that was cut short is recorded with its table and not shared.
        """
        key = self.key, self.obstructions_met, self.table.unit, self.table.scale
        known = None if self.obstructions_met is None else kept.get((), key)
        if known is not None:
            return known[0]
        before = cut_short(self.table)
        answer = find()
        return answer if self.obstructions_met is None or cut_short(self.table) > before else kept.keep((), key, answer)

    def known(self) -> tuple[float | None, Line | None] | None:
        """Return the answer if it is cached; where any line will do, so does the shortest."""
        cached = _ANSWERS.get(self.table, self.key)
        if cached is None and self.seen:
            cached = _ANSWERS.get(self.table, replace(self, seen=False).key)
        if cached is None and self.any:
            shortest = _ANSWERS.get(self.table, replace(self, any=False, longest=math.inf).key)
            cached = shortest if shortest is not None and self.will_do(shortest[0][1]) else None
        return None if cached is None else cached[0]

    def will_do(self, shortest: Line | None) -> bool:
        """Return whether the shortest line, None where nothing is seen, answers the question.

        One that is too long does not: the tolerance may let a shorter line pass that the exact law blocks.
        """
        return shortest is None or math.dist(*shortest) <= self.longest

    @property
    def key(self) -> tuple[Hashable, ...]:
        return self.a, self.b, self.law, self.intervening, self.any, self.longest, self.seen

    def run(self) -> tuple[float | None, Line | None]:
        """Return the distance, and a line clear within the tolerance too; None and None when the target is not seen."""
        t = self.table.tape.t
        nearest = shapely.get_coordinates(shapely.shortest_line(self.a, self.b))
        if _length(nearest) > self.longest:
            return None, None
        if self.clear(nearest[:1], nearest[1:], 0.0)[0] and self.clear(nearest[:1], nearest[1:], t)[0]:
            return _length(nearest), _line(nearest)
        if self.intervening:
            bare = self.without_units()
            if bare is not None:
                return bare
        line = None if self.seen else self.shortest(t, first=True)
        if self.any:
            return (None, None) if line is None else (_length(line), _line(line))
        return (None, None) if line is None and not self.seen else self.both_laws(t, line)

    def exactly_within(self) -> Line | None:
        """Return a line shorter than ``longest`` that is clear under the exact law, cached; None if there is none.

        If there is none without the units in the line of fire, there is none with them.
        """
        return self.shared(_EXACT, self._exactly_within)

    def _exactly_within(self) -> Line | None:
        if float(shapely.distance(self.a, self.b)) > self.longest:
            return None
        bare = replace(self, intervening=(), closed={}) if self.intervening else self
        line = bare.shortest(0.0, first=True)
        if line is None or not self.intervening:
            return None if line is None else _line(line)
        line = line if self.clear(line[:1], line[1:], 0.0)[0] else self.shortest(0.0, first=True)
        return None if line is None else _line(line)

    def both_laws(self, t: float, known: Floats | None) -> tuple[float | None, Line | None]:
        """Return the exact distance and a line that is clear within the tolerance too, unless only the distance is
        wanted.

        ``known`` is a line that is clear within the tolerance.
        """
        if known is not None and not self.clear(known[:1], known[1:], 0.0)[0]:
            known = None
        exact = self.exact(known)
        if exact is not None and (self.seen or self.clear(exact[:1], exact[1:], t)[0]):
            return _length(exact), _line(exact)
        taped = self.shortest(t)
        if taped is None:
            return None, None
        return _length(taped if exact is None else exact), _line(taped)

    def without_units(self) -> tuple[float | None, Line | None] | None:
        """Return the answer if units in the line of fire do not change it: nothing is seen even without them, or
        they let the shortest line pass. None if they matter."""
        distance, line = replace(self, intervening=(), closed={}, seen=False).answer()
        if line is None:
            return None, None
        ends = np.array(line)
        passes = [self.clear(ends[:1], ends[1:], t)[0] for t in (0.0, self.table.tape.t)]
        same = distance is not None and abs(distance - _length(ends)) <= SAME
        return (distance, line) if all(passes) and same else None

    def clear(self, starts: Floats, ends: Floats, t: float) -> Bools:
        a, b = normalised(starts, ends)
        return clear(ground_of(self.table), a, b, self.law, self.intervening, t)

    def exact(self, known: Floats | None) -> Floats | None:
        """Return the shortest line clear under the exact law, given one that is.

        If it passes a unit at the rim of its clearance, it is searched for again with the rim drawn finer there.
        """
        line = self.shortest(0.0, known)
        if line is None or not self.at_a_rim(line):
            return line
        (dx, dy) = line[1] - line[0]
        return replace(self, about=math.atan2(dy, dx)).shortest(0.0, line)

    def at_a_rim(self, line: Floats) -> bool:
        """Return whether a line passes a unit about as close as it may."""
        way = shapely.LineString(line)
        near = ((float(shapely.distance(way, unit.area)), unit.clearance) for unit in self.intervening)
        return any(abs(distance - clearance) < RIM * clearance for distance, clearance in near)

    def shortest(self, t: float, known: Floats | None = None, first: bool = False) -> Floats | None:
        """Return the shortest line clear under ``t``, (2, 2), from a to b, or the ``first`` found; None if there is
        none.

        ``known`` is one that is clear.
        """
        obstructions = self.unit_ground(t)
        # the law counts an end this close to a wood's edge as standing in it
        ground, band = ground_of(self.table), self.law.rulings(t).at_edge
        own_cells, others = (cells_of(ground, shape, band, obstructions) for shape in (self.a, self.b))
        line = self.best_of(own_cells, others, t, known, first)
        return None if line is None else self.onto(line, t)

    def best_of(
        self, some: Sequence[Cell], others: Sequence[Cell], t: float, known: Floats | None, first: bool
    ) -> Floats | None:
        """Return the shortest clear line between any two cells: pair by pair, the nearest first.

        The closest points of every two cells are tried first, all at once: the clear lines among them bound the rest.
        Where any line will do, pairs that take long are postponed until the others are finished.
        """
        if not some or not others:
            return None
        best, limit = known, min(self.longest, math.inf if known is None else _length(known))
        nearest = _closest(some, others)
        length = np.hypot(*(nearest[:, 1] - nearest[:, 0]).T)
        good = np.nonzero((length < limit) & self.clear(nearest[:, 0], nearest[:, 1], t))[0]
        if len(good):
            k = good[length[good].argmin()]
            best, limit = nearest[k], float(length[k])
        if best is None and len(length) >= MANY and self.shut_off(t):
            return None
        pairs = [
            (some[k // len(others)], others[k % len(others)], length[k]) for k in np.argsort(length, kind="stable")
        ]
        return self.in_turn(pairs, t, (best, limit), first)

    def in_turn(
        self, left: list[tuple[Cell, Cell, float]], t: float, known: tuple[Floats | None, float], first: bool
    ) -> Floats | None:
        """Return the shortest clear line between pairs of cells, each given with the least length of its lines.

        ``known`` is the best line so far, and the length that lines must be shorter than.
        """
        (best, limit), begun = known, dict[int, CellSearch]()
        for most in (EARLY, math.inf) if first else (math.inf,):
            pairs, left = left, []
            for pair in pairs:
                a, b, least = pair
                if least >= limit - WORTH or (first and best is not None):
                    break
                search = begun.get(id(pair)) or begun.setdefault(id(pair), self.between(a, b, t, limit, first))
                line = search.run(most)
                left += [] if search.through else [pair]
                if line is not None:
                    best, limit = line, _length(line)
            if first and best is not None:
                return best
        for pair in left:
            note(self.table, self.a, self.b, begun[id(pair)].looked)
        return best

    def between(self, a: Cell, b: Cell, t: float, limit: float, first: bool) -> CellSearch:
        """Return the search between two cells for the shortest clear line shorter than ``limit``, or for the first
        found."""
        units_with_ground = tuple(zip(self.intervening, self.unit_ground(t), strict=True))
        pair = pair_of(a, b, ground_of(self.table, SHRUNK), self.law, t, units_with_ground)
        if pair.hopeless:
            nothing = Between(pair.high, pair.low, self.law.rulings(t), ())
            return CellSearch(nothing, lambda p, q: self.clear(p, q, t), limit, hopeless=True)
        what = between_of(pair, ground_of(self.table, t / 2 + GRAZE), self.law.rulings(t))
        return CellSearch(what, lambda p, q: self.clear(p, q, t), limit, first, back=pair.swapped)

    def shut_off(self, t: float) -> bool:
        """Return whether walls alone block every line: the usual no, decided at once for all cells."""
        ground = ground_of(self.table)
        a, b = (whole_of(ground, shape, self.law.rulings(t).at_edge) for shape in (self.a, self.b))
        units_with_ground = tuple(zip(self.intervening, self.unit_ground(t), strict=True))
        pair = pair_of(a, b, ground_of(self.table, SHRUNK), self.law, t, units_with_ground)
        apart = [wall for wall in pair.walls if not _meets(wall, a, b)]
        if not apart or shapely.intersects(a.shape, b.shape):
            return False
        walls = Between(pair.high, pair.low, self.law.rulings(t), cores(apart, ground_of(self.table, t / 2 + GRAZE)))
        search = CellSearch(walls, lambda p, _: np.ones(len(p), bool), self.longest, True)
        return search.run() is None and search.through

    def onto(self, line: Floats, t: float) -> Floats:
        """Return a line with its ends moved onto the shapes, off which rounding may have set them, if it stays
        clear."""
        ways = shapely.shortest_line(shapely.points(line), np.array([self.a, self.b], dtype=object))
        ends = shapely.get_coordinates(ways)[1::2]
        return ends if self.clear(ends[:1], ends[1:], t)[0] else line

    def unit_ground(self, t: float) -> list[SightObstruction]:
        """Return the ground that units close to a line, under tolerance ``t``; cached."""
        if (t, self.about) not in self.closed:
            obstructions = [ground_kept_clear(unit, -1 - k, t, self.round) for k, unit in enumerate(self.intervening)]
            self.closed[t, self.about] = obstructions
        return self.closed[t, self.about]

    @cached_property
    def round(self) -> Floats:
        return pen(self.a, self.b, self.about)

    def tried(self) -> list[Line]:
        """Return two lines to show when nothing is seen: nearest to nearest and middle to middle."""
        nearest = shapely.get_coordinates(shapely.shortest_line(self.a, self.b))
        middles = shapely.get_coordinates([shapely.centroid(self.a), shapely.centroid(self.b)])
        return [_line(nearest), _line(middles)]


def _meets(wall: SightObstruction, a: Cell, b: Cell) -> bool:
    return bool(shapely.intersects(wall.core, a.shape) or shapely.intersects(wall.core, b.shape))


def _closest(some: Sequence[Cell], others: Sequence[Cell]) -> Floats:
    """Return a closest pair of points for every two cells, (n, 2, 2), the second cell varying fastest."""
    a = np.array([cell.shape for cell in some], dtype=object)
    b = np.array([cell.shape for cell in others], dtype=object)
    lines = shapely.shortest_line(np.repeat(a, len(b)), np.tile(b, len(a)))
    return shapely.get_coordinates(lines).reshape(-1, 2, 2)


def _length(xy: Floats) -> float:
    return float(np.hypot(*(xy[1] - xy[0])))


def _line(xy: Floats) -> Line:
    (ax, ay), (bx, by) = xy.tolist()
    return (ax, ay), (bx, by)


#: Recent results: a verdict, its rulings and its margin ask the same question again and again.
_ANSWERS: Cache[tuple[float | None, Line | None]] = Cache(1024)
_BETWEEN: Cache[tuple[float | None, Line | None]] = Cache(1024)
_EXACT: Cache[Line | None] = Cache(256)


def forget() -> None:
    """Drop the results that tables with the same obstructions between two shapes share: for tests that change the
    law."""
    for kept in (_BETWEEN, _EXACT):
        kept.kept.clear()
