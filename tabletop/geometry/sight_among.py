"""The shortest clear line between any two of many cells: pair by pair, the nearest first, as far as none is shorter."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
import shapely

from tabletop.geometry.sight.law import Bar, Bools, Floats, Ground, Screen, SightLaw, clear, ground_of, normalised
from tabletop.geometry.sight.obstruction import SHRUNK
from tabletop.geometry.sight_bundles import left_open
from tabletop.geometry.sight_cells import Cell
from tabletop.geometry.sight_chords import Bundles
from tabletop.geometry.sight_dark import Dark
from tabletop.geometry.sight_found import Found
from tabletop.geometry.sight_net import first_of
from tabletop.geometry.sight_pair import Pair, pair_of
from tabletop.geometry.sight_search import shortest_of
from tabletop.geometry.sight_sure import settled
from tabletop.geometry.terrain import Table

#: Candidates put to the law at a time, the shortest first.
BATCH = 24
#: A later pair of cells must beat the best line by this much (table units) to be searched: more than rounding.
WORTH = 1e-8
#: A line fails at a sharp corner only if a tape with this many times the tolerance lets it pass.
NEARLY = 3.0
#: Where terrain alone stands between two cells, from so many pieces of it on a proof is cheaper than the search.
MANY = 4


@dataclass(frozen=True, eq=False)
class Judged:
    """What lines are judged by: the table, the law, units in the way with the ground they close, and the tolerance.

    ``t`` is what the ground was cut back by, ``reads`` what the law reads lines with.
    """

    table: Table
    law: SightLaw
    screens: tuple[tuple[Screen, Bar], ...]
    t: float
    reads: float

    def clear(self, starts: Floats, ends: Floats, times: float = 1.0) -> Bools:
        """Return which lines are clear, with some ``times`` the tolerance."""
        return clear(ground_of(self.table), *normalised(starts, ends), self.law, self.units, times * self.reads)

    @property
    def units(self) -> tuple[Screen, ...]:
        return tuple(screen for screen, _ in self.screens)


@dataclass(eq=False)
class Among:
    """The search among the cells of two shapes for the shortest clear line, shorter than ``limit``.

    ``any``: the first that is found will do. ``at_most`` tells a length that need not be exceeded.
    """

    some: Sequence[Cell]
    others: Sequence[Cell]
    judged: Judged
    loose: Ground
    limit: float
    any: bool
    at_most: Callable[[], float]
    under: float = math.inf
    best: Floats | None = None
    mixed: bool = False  # whether more than walls bears on some pair
    searched: bool = False  # whether some pair had to be
    nearly: list[Floats] = field(default_factory=list)  # lines that fail, but not by much
    doubtful: list[tuple[Pair, Bundles]] = field(default_factory=list)  # no line is clear, but one nearly may be

    def shortest(self, alone: bool) -> Floats | None:
        """Return the line (2, 2), from the first shape; ``alone``: nothing is known to bound it.

        The closest points of every two cells are tried first, all at once: what is clear among them bounds the rest.
        """
        nearest = _closest(self.some, self.others)
        length = np.hypot(*(nearest[:, 1] - nearest[:, 0]).T)
        good = np.nonzero(self.judged.clear(nearest[:, 0], nearest[:, 1]) & (length < self.limit))[0]
        if len(good):
            k = good[length[good].argmin()]
            self.best, self.limit = nearest[k], float(length[k])
        alone &= self.best is None
        if alone and self.dark.wholly:
            return None
        self.under = self.limit
        for k in np.argsort(length, kind="stable").tolist():
            if length[k] >= self.under - WORTH or (self.any and self.best is not None):
                break
            i, j = divmod(k, len(self.others))
            if not (alone and self.best is None and self.dark.between(self.some[i], self.others[j])):
                self._look(self.some[i], self.others[j])
        if self.best is None and self.searched:
            for pair, left in self.doubtful:
                self._shortest_of(pair, left)
        return self.best

    @cached_property
    def dark(self) -> Dark:
        judged, ground = self.judged, ground_of(self.judged.table, SHRUNK)
        return Dark(list(self.some), list(self.others), ground, judged.law, judged.t, self.loose, judged.screens)

    def _look(self, a: Cell, b: Cell) -> None:
        """Look for a line between two cells that is shorter than the best."""
        judged, ground = self.judged, ground_of(self.judged.table, SHRUNK)
        pair = settled(pair_of(a, b, ground, judged.law, judged.t, judged.screens, self.loose))
        if not (self.mixed or pair.simple):
            self.mixed, self.under = True, min(self.limit, self.at_most())
        if pair.hopeless:
            return
        left = None
        if pair.over or len(pair.walls) + len(pair.shades) >= MANY:
            left = self._left_open(pair)
            if left is None:
                return
        self.searched, found = True, self._shortest_of(pair, left)
        if found is not None:
            self.best = found[::-1] if pair.swapped else found
            self.limit = float(np.hypot(*(found[1] - found[0])))
            self.under = min(self.under, self.limit)

    def _shortest_of(self, pair: Pair, left: Bundles | None) -> Floats | None:
        return shortest_of(pair, self.under - WORTH, self._first_clear, left)

    def _left_open(self, pair: Pair) -> Bundles | None:
        """Return bundles that hold what lines of a pair may do, None where it is proved that none does.

        What fails for this tape, but might not for one that lets a little more pass, is noted as ``doubtful``.
        """
        judged = self.judged
        left = partial(left_open, pair, ground_of(judged.table), judged.units, limit=self.under - WORTH)
        nearly = left(t=NEARLY * judged.reads)
        if nearly is not None and judged.reads > 0.0 and left(t=judged.reads) is None:
            self.doubtful.append((pair, nearly))
            return None
        return nearly

    def _first_clear(self, found: Found) -> Floats | None:
        """Return the first of the candidates that the law calls clear."""
        for k in range(0, len(found.length), BATCH):
            some = slice(k, k + BATCH)
            n = first_of(found.high[some], found.low[some], self.judged.clear)
            if n is not None:
                return np.array([found.high[k + n], found.low[k + n]])
            if self.judged.reads > 0.0:
                near = k + np.nonzero(self.judged.clear(found.high[some], found.low[some], NEARLY))[0]
                self.nearly += [np.array([found.high[n], found.low[n]]) for n in near[:1].tolist()]
        return None


def _closest(some: Sequence[Cell], others: Sequence[Cell]) -> Floats:
    """Return a closest pair of points for every two cells, (n, 2, 2), the second cell varying first."""
    a = np.array([cell.shape for cell in some], dtype=object)
    b = np.array([cell.shape for cell in others], dtype=object)
    lines = shapely.shortest_line(np.repeat(a, len(b)), np.tile(b, len(a)))
    return shapely.get_coordinates(lines).reshape(-1, 2, 2)
