"""Line of sight from unit to unit: does some point of one see some point of the other, and how near?

``sight`` finds the shortest clear line between two footprints, ``seen_by`` any clear line. ``sight.shortest`` searches
the pairs of convex cells on which everything about a line's end is constant; ``sight.search`` searches within one pair.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property

import shapely

from tabletop.geometry.cache import Cache
from tabletop.geometry.measure import Point
from tabletop.geometry.sight.blocked import nearest_to_clear
from tabletop.geometry.sight.blocking_proof import Asked, blocking_proofs
from tabletop.geometry.sight.law import InterveningUnit, SightLaw, clear_lines
from tabletop.geometry.sight.line import Hindrance, SightLine, sight_line
from tabletop.geometry.sight.nearby_line import clear_near
from tabletop.geometry.sight.obstruction import as_seen
from tabletop.geometry.sight.relevant_rulings import Between, bearing, between
from tabletop.geometry.sight.shortest import Search
from tabletop.geometry.terrain import Table

__all__ = [
    "Hindrance",
    "InterveningUnit",
    "Search",
    "Sight",
    "SightLaw",
    "SightLine",
    "clear_lines",
    "seen_by",
    "sight",
    "sight_line",
]

Line = tuple[Point, Point]


_ROUGHLY: ContextVar[bool] = ContextVar("roughly explained", default=False)


@contextmanager
def roughly_explained() -> Iterator[None]:
    """Skip the search for the blocked line that comes nearest to being clear, where nobody reads the reasons.

    The best of a few lines is shown instead.
    """
    before = _ROUGHLY.set(True)
    try:
        yield
    finally:
        _ROUGHLY.reset(before)


@dataclass(frozen=True)
class Sight:
    """The result of a sight search between two footprints.

    ``distance`` is the infimum of the lengths of clear lines and ``line`` a clear line, from the spotter, that reaches
    it (or nearly, where the tolerance hides the very end of a shadow); both are None if the target is not seen. Then
    ``best_blocked`` is the line that comes nearest to being clear, and ``blockers`` what blocks it, the weightiest
    first; both are computed on first use.

    >>> import shapely
    >>> from tabletop.geometry import SightLaw, Table, Terrain, shortest_clear_line
    >>> wood = Terrain.of_kind("wood", "woods", outline=[(8, 0), (12, 0), (12, 9), (8, 9)])
    >>> table = Table.of("in", 20, 9, [wood])
    >>> sight = shortest_clear_line(table, shapely.box(1, 4, 2, 5), shapely.box(18, 4, 19, 5), SightLaw())
    >>> sight.seen, sight.distance, sight.blockers
    (False, None, ('wood',))
    """

    seen: bool
    distance: float | None
    line: Line | None
    _table: Table = field(repr=False, compare=False)
    _law: SightLaw = field(repr=False, compare=False)
    _intervening: tuple[InterveningUnit, ...] = field(repr=False, compare=False)
    _tried: tuple[Line, ...] = field(default=(), repr=False, compare=False)
    _ends: tuple[shapely.Geometry, ...] = field(default=(), repr=False, compare=False)
    _others: tuple[Sight, ...] = field(default=(), repr=False, compare=False)

    @property
    def best_blocked(self) -> SightLine | None:
        return self._roughly_blocked if _ROUGHLY.get() else self._best_blocked

    @cached_property
    def _best_blocked(self) -> SightLine | None:
        return self._blocked(looked_for=True)

    @cached_property
    def _roughly_blocked(self) -> SightLine | None:
        return self._blocked(looked_for=False)

    def _blocked(self, looked_for: bool) -> SightLine | None:
        """Return the blocked line to show: the best of the few lines tried, or of all lines if ``looked_for``."""
        if self.seen or not self._tried:
            return None
        tried = list(self._tried)
        if self._ends and looked_for:
            a, b = self._ends
            tried.append(nearest_to_clear(self._table, a, b, self._law, self._intervening, self._tried))
        lines = [sight_line(self._table, s, t, self._law, self._intervening) for s, t in tried]
        lines += [sight.best_blocked for sight in self._others if sight.best_blocked is not None]
        blocked = [line for line in lines if not line.clear]
        return min(blocked or lines, key=lambda line: (round(line.excess, 4), line.length))

    def beside(self, others: Iterable[Sight]) -> Sight:
        """Return this result, taking other fruitless searches into account for its best blocked line."""
        return replace(self, _others=tuple(others))

    @property
    def blockers(self) -> tuple[str, ...]:
        if self.best_blocked is None:
            return ()
        return tuple(dict.fromkeys(h.feature for h in self.best_blocked.blocking))


def sight(
    table: Table,
    spotter: shapely.Geometry,
    target: shapely.Geometry,
    law: SightLaw,
    intervening: Sequence[InterveningUnit] = (),
) -> Sight:
    """Return whether some point of ``spotter`` sees some point of ``target``, and the shortest clear line.

    Both are polygons or lines in table units (a spotter may be its front edges). Source: TSE-LOS-01 to 20; with
    units ``intervening``, TSE-FIR-10 and 12.

    >>> import shapely
    >>> from tabletop.geometry import SightLaw, Table, shortest_clear_line
    >>> table = Table.of("in", 20, 20)
    >>> shortest_clear_line(table, shapely.box(1, 1, 2, 2), shapely.box(5, 1, 6, 2), SightLaw()).distance
    3.0
    """
    table, key = as_seen(table), (spotter, target, law, tuple(intervening))
    return _SIGHTS.of(table, key, lambda: _sight(table, *key))


def _sight(
    table: Table,
    spotter: shapely.Geometry,
    target: shapely.Geometry,
    law: SightLaw,
    intervening: tuple[InterveningUnit, ...],
) -> Sight:
    search, swap = _search(table, spotter, target, law, intervening)
    distance, ends = search.answer()
    line = _turned(ends, swap)
    tried = () if line else tuple((t, s) if swap else (s, t) for s, t in search.tried())
    return Sight(line is not None, distance, line, table, law, intervening, tried, (spotter, target))


def seen_by(
    table: Table,
    spotter: shapely.Geometry,
    target: shapely.Geometry,
    law: SightLaw,
    hints: Sequence[Line] = (),
    intervening: Sequence[InterveningUnit] = (),
    longest: float = math.inf,
) -> Line | None:
    """Return any line by which ``spotter`` sees ``target``, or None if there is none shorter than ``longest``.

    It looks near ``hints`` first, then runs the search that ``sight`` makes, but stops at the first line that is clear
    within the tolerance.
    """
    table = as_seen(table)
    asked = table, spotter, target, law, tuple(intervening)
    if _proved_blocked(*asked):
        return None
    if math.isinf(longest) and _looked_between(table, spotter, target):
        search, swap = _search(*asked)
        known = search.known()
        if known is not None:
            return _turned(known[1], swap)
    near = clear_near(table, (spotter, target), law, hints, intervening, longest)
    if near is not None:
        return near
    search, swap = _search(*asked)
    line = replace(search, any=True, longest=longest).answer()[1]
    proofs = blocking_proofs()
    if line is None and proofs is not None and float(shapely.distance(spotter, target)) <= longest:
        proofs.learn(Asked(table, (spotter, target), law, tuple(intervening)))
    return _turned(line, swap)


def _proved_blocked(
    table: Table,
    spotter: shapely.Geometry,
    target: shapely.Geometry,
    law: SightLaw,
    intervening: tuple[InterveningUnit, ...],
) -> bool:
    """Return whether an earlier search of the same series proves every line between the two shapes blocked."""
    proofs = blocking_proofs()
    return proofs is not None and proofs.close(Asked(table, (spotter, target), law, intervening))


def known_hidden(table: Table, spotter: shapely.Geometry, target: shapely.Geometry, law: SightLaw) -> bool:
    """Return whether earlier searches of the same series prove that no part of ``target`` is seen, friends or no
    friends."""
    return _proved_blocked(as_seen(table), spotter, target, law, ())


def distance_seen(
    table: Table,
    spotter: shapely.Geometry,
    target: shapely.Geometry,
    law: SightLaw,
    intervening: Sequence[InterveningUnit] = (),
) -> float | None:
    """Return the distance that ``sight`` finds, given that ``seen_by`` found a line: that needs less of a search."""
    search, _ = _search(as_seen(table), spotter, target, law, tuple(intervening))
    return replace(search, seen=True).answer()[0]


def exactly_seen_within(
    table: Table,
    spotter: shapely.Geometry,
    target: shapely.Geometry,
    law: SightLaw,
    intervening: Sequence[InterveningUnit],
    longest: float,
) -> Line | None:
    """Return a line shorter than ``longest`` that is clear without tolerance; None if there is none.

    If there is none, the distance that ``sight`` finds is at least ``longest``.
    """
    table = as_seen(table)
    if _proved_blocked(table, spotter, target, law, tuple(intervening)):
        return None
    search, swap = _search(table, spotter, target, law, tuple(intervening))
    return _turned(replace(search, longest=longest).exactly_within(), swap)


def _turned(line: Line | None, swap: bool) -> Line | None:
    return None if line is None else (line[1], line[0]) if swap else line


def _looked_between(table: Table, a: shapely.Geometry, b: shapely.Geometry) -> bool:
    """Return whether the cache still knows what lies between the two shapes, in either order."""
    return any(_BETWEEN.get(table, pair) is not None for pair in ((a, b), (b, a)))


def _search(
    table: Table,
    spotter: shapely.Geometry,
    target: shapely.Geometry,
    law: SightLaw,
    intervening: tuple[InterveningUnit, ...],
) -> tuple[Search, bool]:
    """Return the search between two shapes, put in a fixed order, and whether that order has the target first.

    Only the rulings relevant between the two shapes go into the law, so that laws that differ in nothing else share one
    search.
    """
    swap = _rank(target) < _rank(spotter)
    a, b = (target, spotter) if swap else (spotter, target)
    what = _BETWEEN.of(table, (a, b), lambda: between(table, a, b))
    return Search(table, a, b, bearing(law, what, intervening), intervening, what.obstructions), swap


def _rank(shape: shapely.Geometry) -> tuple[object, ...]:
    """Return a key that orders two footprints the same way whichever is the spotter."""
    return (*shapely.bounds(shape).tolist(), shapely.area(shape), shapely.get_coordinates(shape).ravel().tolist())


#: Recent results: a verdict, its rulings and its margin ask the same question again and again.
_SIGHTS: Cache[Sight] = Cache(256)
_BETWEEN: Cache[Between] = Cache(256)
