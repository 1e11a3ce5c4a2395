"""The law of sight over bundles: the least length that a clear line of a bundle can have.

What the law does to a line from the places where it crosses an obstruction, this does to all lines of a bundle from
bounds of those places (``bundle.runs``). No line of a bundle is clear when every line crosses something that hides all
behind it, or when each spends more in woods than it may. Where a shadow falls, the lower end lies beyond it: the line
is at least (1 + c) times as long as the way D to the far side. For a single line the bounds are exact, so its least
length is that at which its lower end comes into view.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely

from tabletop.geometry.sight.bundle import IN, NEAR, OUT, Bundles, Outlines, Runs, farthest, runs, segments_apart, sides
from tabletop.geometry.sight.law import Rulings, Screen
from tabletop.geometry.sight.obstruction import Bools, Floats
from tabletop.geometry.sight_cells import Cell

#: How much farther than the law's own distance a cell may reach beyond the edge of what holds it.
EDGE = 2.0


@dataclass(frozen=True, eq=False)
class Standing:
    """An obstruction between two cells: its closed outlines, and the factor of its shadow (inf: a wall).

    ``least``: a stretch inside must be longer to count. ``high``, ``low``: it holds that end's cell; of a stretch there
    every unit of length spends ``woods`` of the whole budget and ``crest`` of the way to a crest. ``screen``: a unit
    passed over, near all lines where ``always``.
    """

    area: shapely.Geometry
    rings: tuple[Floats, ...]
    factor: float
    least: float = 0.0
    high: bool = False
    low: bool = False
    woods: float = 0.0
    crest: float = 0.0
    screen: Screen | None = None
    always: bool = False

    @property
    def measured(self) -> bool:
        """Whether it is not enough that a line crosses it: how long the stretch inside is, and where, counts too."""
        return self.least > 0.0 or self.high or self.low


class Run(NamedTuple):
    """One run of edges of one obstruction and one bundle: how it is crossed, whether surely, and where."""

    turn: int
    within: bool
    sure: bool
    low: float
    high: float
    first: list[float]
    last: list[float]

    def apart(self, other: Run) -> float:
        """Return how far two runs of one edge each lie apart, nan for others."""
        ends = [(self.first, other), (self.last, other), (other.first, self), (other.last, self)]
        return min(to_segment(x, run.first, run.last) for x, run in ends)


@dataclass(eq=False)
class Between:
    """All that stands between two cells, the higher one's lines judged under ``law``."""

    high: Cell
    low: Cell
    law: Rulings
    standing: Sequence[Standing]

    @cached_property
    def outlines(self) -> Outlines:
        return Outlines.of([(k, ring) for k, one in enumerate(self.standing) for ring in one.rings])

    @cached_property
    def rim(self) -> Outlines | None:
        """The lower cell's outline, where shadows may end inside it."""
        points = self.low.points
        if len(points) < 3 or not any(0.0 < one.factor < math.inf for one in self.standing):
            return None
        return Outlines.of([(0, np.concatenate([points, points[:1]]))])

    @cached_property
    def plain(self) -> bool:
        """Whether walls alone decide, each by a crossing however short."""
        return all(one.factor == math.inf and not (one.measured or one.screen) for one in self.standing)

    @cached_property
    def spare(self) -> Floats:
        """By number: how far behind a line's start or beyond its end an outline may yet have to do with it, where it
        holds the cell: what counts as standing in it may stand just outside."""
        return np.array([EDGE * self.law.at_edge if one.high or one.low else NEAR for one in self.standing])

    @cached_property
    def factors(self) -> tuple[Floats, Bools]:
        """By number: the factor of what acts by being crossed, -inf for all else; and what is measured."""
        plain = [-math.inf if one.measured or one.screen else one.factor for one in self.standing]
        return np.array(plain, float), np.array([one.measured for one in self.standing], bool)


def bounded(between: Between, bundles: Bundles, limit: float) -> tuple[Floats, Bools, Bools]:
    """Return the least length of a clear line of each of n bundles, inf where none is shorter than ``limit``.

    And which vertices (n, v) of the outlines lie on neither side of all lines; and in which bundles some lines may
    cross something before they start or beyond their ends.
    """
    if not len(bundles.p):
        return np.zeros(0), np.zeros((0, len(between.outlines.begins)), bool), np.zeros(0, bool)
    outlines = between.outlines
    turn, side = sides(bundles, outlines.points)
    found = runs(bundles, outlines, turn, side, between.spare)
    judged = Judged(between, bundles, found, bundles.least, limit)
    doubtful = np.zeros(len(bundles.p), bool)
    doubtful[found.bundle[~found.within]] = True
    return judged.least_clear(), side == 0, doubtful


@dataclass(eq=False)
class Judged:
    """Bundles being judged by their runs: ``length`` grows to the least length of a clear line of each."""

    between: Between
    bundles: Bundles
    runs: Runs
    length: Floats
    limit: float

    def least_clear(self) -> Floats:
        self.crossed()
        if not self.between.plain:
            self.measured()
            for k, one in enumerate(self.between.standing):
                if one.screen is not None:
                    self.passed_over(k, one, one.screen)
            self.within_cell()
        self.length[self.length >= self.limit] = np.inf
        return self.length

    def crossed(self) -> None:
        """Judge what acts by being crossed by all lines (TSE-LOS-05 to 07, 16)."""
        found = self.runs
        factor: Floats = np.where(found.sure, self.between.factors[0][found.owner], -np.inf)
        self.length[found.bundle[factor == np.inf]] = np.inf
        shade = (factor > 0.0) & (factor < np.inf) & (found.turn == OUT)
        np.maximum.at(self.length, found.bundle[shade], self.beyond(found.low[shade], factor[shade]))

    def beyond(self, far: Floats, factor: Floats | float) -> Floats:
        """Return the length at which a line's lower end comes out of a shadow."""
        return far * (1.0 + factor) + self.between.law.t

    def measured(self) -> None:
        """Judge what acts by how long the stretches inside are, and spends budgets (TSE-LOS-06, 10 to 17)."""
        found, law = self.runs, self.between.law
        rows = np.nonzero(self.between.factors[1][found.owner] & (self.length[found.bundle] < self.limit))[0]
        columns = (each[rows].tolist() for each in found)
        runs_of: dict[tuple[int, int], list[Run]] = {}
        for bundle, owner, *run in zip(*columns, strict=True):
            runs_of.setdefault((bundle, owner), []).append(Run(*run))
        alive = np.nonzero(self.length < self.limit)[0].tolist()
        ends = [(k, one) for k, one in enumerate(self.between.standing) if one.high or one.low]
        for (bundle, owner), some in runs_of.items():
            length = float(self.length[bundle])
            if length < self.limit:
                self.length[bundle] = max(length, self.by_stretches(self.between.standing[owner], some, length))
        if not ends:
            return
        held = {k: self.held(one) for k, one in ends}
        most = self.bundles.most
        for bundle in alive:
            woods = crest = 0.0
            lengths = float(self.length[bundle]), max(float(self.length[bundle]), float(most[bundle]))
            for k, one in ends:
                inside = held[k][0][bundle], held[k][1][bundle]
                mine = own_stretch(one, runs_of.get((bundle, k), []), lengths, inside, law.at_edge)
                woods += mine * one.woods
                crest += mine * one.crest
            if woods > 1.0 + law.t / law.budget + 1e-9 or crest > law.crest + law.t + 1e-9:
                self.length[bundle] = math.inf

    def held(self, one: Standing) -> tuple[list[bool], list[bool]]:
        """Return of which bundles the starts and the ends surely lie inside an obstruction."""
        found = []
        for holds, places in (
            (one.high, (self.bundles.p, self.bundles.q)),
            (one.low, (self.bundles.r, self.bundles.s)),
        ):
            inside = np.full(len(self.length), holds)
            for at in places if holds else ():
                inside &= shapely.contains_xy(one.area, at[:, 0], at[:, 1])
            found.append(inside.tolist())
        return found[0], found[1]

    def by_stretches(self, one: Standing, some: Sequence[Run], length: float) -> float:
        """Return the least length of a clear line by the stretches that every line has inside an obstruction.

        A stretch is an end's own or hides like any other: where it may be either, both must tell.
        """
        law, least = self.between.law, 0.0
        found = list(stretches_before(one, some, length, law))
        if one.high or one.low:
            found += stretches_after(one, some, length, law)
        for inside, far, own in found:
            spends = inside * one.woods > 1.0 + law.t / law.budget + 1e-9
            if inside > one.least and one.factor > 0.0 and (spends or not own):
                least = math.inf if one.factor == math.inf else max(least, far * (1.0 + one.factor) + law.t)
        return least

    def passed_over(self, k: int, one: Standing, screen: Screen) -> None:
        """Judge a unit that lines pass too near, its shadow as far as it lies within the corridor (TSE-FIR-12)."""
        if one.always:
            which = np.nonzero(self.length < self.limit)[0]
        else:
            met = self.runs.bundle[self.runs.sure & (self.runs.owner == k)]
            which = np.unique(met[self.length[met] < self.limit])
        if len(which):
            far = corridor_end(self.bundles.of(which), screen)
            self.length[which] = np.maximum(self.length[which], self.beyond(far, one.factor))

    def within_cell(self) -> None:
        """Leave out bundles whose lines would end beyond the lower cell."""
        which = np.nonzero(np.isfinite(self.length) & (self.length > self.bundles.least + 1e-9))[0]
        if len(which):
            some, rim = self.bundles.of(which), self.between.rim
            last = some.most if rim is None else np.maximum(some.most, farthest(some, rim))
            self.length[which[self.length[which] > last + 1e-9]] = np.inf


def stretches_before(
    one: Standing, some: Sequence[Run], length: float, law: Rulings
) -> Iterator[tuple[float, float, bool]]:
    """Yield the stretches that end where all lines leave an obstruction.

    Of each the least length, the least distance to where it ends, and whether it may be an end's own.
    """
    for run in some:
        if run.turn == OUT and run.sure:
            since = [other for other in some if other.turn != OUT and other.low <= run.high]
            begun = any(o.turn == IN and o.sure and o.low > law.at_edge and o.high <= run.low for o in since)
            if since or one.high:
                own = (one.high and not begun) or (one.low and run.high >= length - law.at_edge)
                inside = run.low - max((other.high for other in since), default=0.0)
                yield max(inside, since[0].apart(run)) if len(since) == 1 and since[0].sure else inside, run.low, own


def stretches_after(
    one: Standing, some: Sequence[Run], length: float, law: Rulings
) -> Iterator[tuple[float, float, bool]]:
    """Yield the stretches that begin where all lines enter an obstruction, likewise."""
    for run in some:
        if run.turn == IN and run.sure:
            until = [other.low for other in some if other.turn != IN and other.high >= run.low]
            left = any(o.turn == OUT and o.sure and o.low >= run.high and o.high < length - law.at_edge for o in some)
            if until or one.low:
                own = (one.low and not left) or (one.high and run.low <= law.at_edge)
                end = min(length, *until) if until else length
                yield end - run.high, end, own


def to_segment(x: Sequence[float], a: Sequence[float], b: Sequence[float]) -> float:
    """Return how far a point lies from a segment."""
    wx, wy, vx, vy = b[0] - a[0], b[1] - a[1], x[0] - a[0], x[1] - a[1]
    square = wx * wx + wy * wy
    share = min(max((vx * wx + vy * wy) / square, 0.0), 1.0) if square else 0.0
    return math.hypot(vx - share * wx, vy - share * wy)


def own_stretch(
    one: Standing, some: Sequence[Run], lengths: tuple[float, float], held: tuple[bool, bool], at_edge: float
) -> float:
    """Return the least length that lines spend inside an obstruction that holds their start, their end, or both.

    ``lengths`` are those of the shortest and the longest line, ``held`` says which ends surely lie inside. One as near
    before its edge as ``at_edge`` is held as well.
    """
    least, most = lengths
    wall = one.factor == math.inf and one.least <= at_edge  # a stretch that begins farther on hides all
    near = [run.high for run in some if run.turn == IN and (run.low if wall and run.sure else run.high) <= at_edge]
    entered = max(near, default=0.0) if one.high else 0.0
    left = one.low and any(run.turn == OUT and run.low >= most - at_edge for run in some)
    start = end = 0.0
    if held[0] or entered > 0.0:
        start = min((run.low for run in some if run.turn != IN), default=least) - entered
        start = start if start > one.least else 0.0
    if held[1] or left:
        end = least - max((run.high for run in some if run.turn != OUT), default=0.0) - at_edge * left
    return min(max(start, 0.0) + max(end, 0.0), least)


def corridor_end(bundles: Bundles, screen: Screen) -> Floats:
    """Return the least distance from the starts, along lines, to the farthest point of a unit within its clearance.

    That is a corner within it of all lines, or where all cross a side by the rim of the corridor, or have the side's
    outer end in it.
    """
    found, rim = np.zeros(len(bundles.p)), screen.clearance
    p, q = bundles.p[:, None], bundles.q[:, None]
    for ring in screen.rings:
        low, high = _beside(bundles, ring)
        aside = np.maximum(np.abs(low), np.abs(high))
        along = _along(segments_apart(p, q, ring, ring), aside)
        found = np.maximum(found, np.where(aside <= rim, along, 0.0).max(1))
        last = len(ring) - 1
        for i, j in ((np.arange(last), np.arange(1, last + 1)), (np.arange(1, last + 1), np.arange(last))):
            for least, most in ((low, high), (-high, -low)):
                out, beyond = least[:, i] - rim, most[:, i] - rim
                into, within = rim - most[:, j], rim - least[:, j]
                sure = (out > -2.0 * rim) & (into > 0.0)
                out, beyond = np.maximum(out, 0.0), np.maximum(beyond, 0.0)
                near = np.where(sure, out / np.where(sure, out + within, 1.0), 0.0)[..., None]
                far = np.where(sure, beyond / np.where(sure, beyond + into, 1.0), 1.0)[..., None]
                way = ring[j] - ring[i]
                along = _along(segments_apart(p, q, ring[i] + near * way, ring[i] + far * way), np.array(rim))
                found = np.maximum(found, np.where(sure, along, 0.0).max(1))
    return found


def _along(distance: Floats, aside: Floats) -> Floats:
    """Return how far along a line a point lies that is so far off, and so far aside of the line at most."""
    found: Floats = np.sqrt(np.maximum(distance * distance - aside * aside, 0.0))
    return found


def _beside(bundles: Bundles, points: Floats) -> tuple[Floats, Floats]:
    """Return bounds (n, v) of how far left of the lines points lie."""
    starts, ends = bundles.corners
    way = ends - starts
    turn = way[..., :1] * (points[:, 1] - starts[..., 1:]) - way[..., 1:] * (points[:, 0] - starts[..., :1])
    low, high, least, most = turn.min(1), turn.max(1), bundles.least[:, None], bundles.most[:, None]
    least = np.maximum(least, 1e-9)
    return np.where(low > 0.0, low / most, low / least), np.where(high > 0.0, high / least, high / most)
