"""The law of sight for bundles: a lower bound on the length of a clear line in a bundle.

Where the law computes what an obstruction does to one line from the points where it crosses it, this module does so for
all lines of a bundle from bounds on these points (``bundle.runs``). No line of a bundle is clear if every line crosses
something that hides all behind it, or if each spends more in woods than it may. Where a shadow falls, the lower end
must lie beyond it: the line is at least (1 + c) times as long as the distance D to the far side. For a single line the
bounds are exact, so its least length is the one at which its lower end comes into view.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely

from tabletop.geometry.sight.bundle import (
    IN,
    NEAR,
    OUT,
    Bundles,
    Outlines,
    Runs,
    farthest,
    runs,
    segments_apart,
    shares,
    sides,
)
from tabletop.geometry.sight.cells import Cell
from tabletop.geometry.sight.law import InterveningUnit, Rulings
from tabletop.geometry.sight.obstruction import Bools, Floats, Ints

#: If shadow and all before it are more than this multiple of the line, all of the line's end lies in the shadow; allows
#: for rounding.
PAST = 1.0 + 1e-9
#: How many times the law's own edge distance a cell may extend beyond the edge of what holds it.
EDGE = 2.0


@dataclass(frozen=True, eq=False)
class Standing:
    """An obstruction between two cells: its closed outlines, and its shadow factor (inf: a wall).

    A stretch inside counts only if longer than ``least``. ``high``, ``low``: it holds that end's cell; each unit of
    length of a stretch there spends ``woods`` of the whole budget and ``crest`` of the way to a crest. ``unit``: a
    unit passed over, near all lines if ``always``. ``begins``: all lines begin in it, though it holds no end.
    """

    area: shapely.Geometry
    rings: tuple[Floats, ...]
    factor: float
    least: float = 0.0
    high: bool = False
    low: bool = False
    woods: float = 0.0
    crest: float = 0.0
    unit: InterveningUnit | None = None
    always: bool = False
    begins: bool = False

    @property
    def measured(self) -> bool:
        """Whether being crossed is not enough: the length and place of the stretch inside count too."""
        return self.least > 0.0 or self.high or self.low


class Crossings(NamedTuple):
    """The runs of edges of one obstruction, for n bundles: (n, m), padded to the largest number of runs.

    Whether there is a run; how and whether surely it is crossed, between which distances, and from where to where (n,
    m, 2).
    """

    there: Bools
    turn: Ints
    sure: Bools
    low: Floats
    high: Floats
    first: Floats
    last: Floats
    share: Floats

    @classmethod
    def of(cls, runs: Runs, share: Floats, owner: int, bundles: Ints) -> Crossings:
        """Return the runs of an obstruction for some bundles (sorted indices), ``share`` by run."""
        rows = np.nonzero((runs.owner == owner) & np.isin(runs.bundle, bundles))[0]
        mine = runs.bundle[rows]
        place = np.searchsorted(bundles, mine), np.arange(len(mine)) - np.searchsorted(mine, mine)
        shape = len(bundles), int(place[1].max(initial=0)) + 1
        exists = np.zeros(shape, bool)
        exists[place] = True
        columns = []
        for each in (runs.turn, runs.sure, runs.low, runs.high, runs.first, runs.last, share):
            column = np.zeros(shape + each.shape[1:], each.dtype)
            column[place] = each[rows]
            columns.append(column)
        turn, sure, *others = columns
        return cls(exists, turn, sure & exists, *others)

    @property
    def into(self) -> Bools:
        into: Bools = self.there & (self.turn == IN)
        return into

    @property
    def out(self) -> Bools:
        out: Bools = self.there & (self.turn == OUT)
        return out

    def apart(self, n: Ints, one: Ints, other: Ints) -> Floats:
        """Return, by bundle, how far apart two runs of a single edge each lie; nan for other runs."""
        a, b, c, d = self.first[n, one], self.last[n, one], self.first[n, other], self.last[n, other]
        return segments_apart(a, b, c, d)


class Stretches(NamedTuple):
    """For each run (n, m) that surely ends or begins a stretch inside an obstruction: whether there is one, its
    least length, the least distance to where it ends, and the least share of lines before its end.

    ``own``: whether it may contain the end of the line on its open side, and its least length ``whole`` if it does;
    ``other``: whether it may contain the other end.
    """

    there: Bools
    inside: Floats
    far: Floats
    own: Bools
    whole: Floats
    other: Bools
    share: Floats


@dataclass(eq=False)
class Between:
    """Everything that stands between two cells, under ``law``."""

    high: Cell
    low: Cell
    law: Rulings
    standing: Sequence[Standing]

    @cached_property
    def outlines(self) -> Outlines:
        return Outlines.of([(k, ring) for k, obstruction in enumerate(self.standing) for ring in obstruction.rings])

    @cached_property
    def rim(self) -> Outlines | None:
        """The lower cell's outline, if shadows may end inside it."""
        points = self.low.points
        if len(points) < 3 or not any(0.0 < obstruction.factor < math.inf for obstruction in self.standing):
            return None
        return Outlines.of([(0, np.concatenate([points, points[:1]]))])

    @cached_property
    def plain(self) -> bool:
        """Whether there are only walls, each blocking by a crossing however short."""
        return all(
            obstruction.factor == math.inf and not (obstruction.measured or obstruction.unit)
            for obstruction in self.standing
        )

    @cached_property
    def spare(self) -> Floats:
        """By index: how far behind a line's start or beyond its end an outline may still matter. It is more if the
        obstruction holds the cell: what counts as standing in it may stand just outside."""
        return np.array(
            [EDGE * self.law.at_edge if obstruction.high or obstruction.low else NEAR for obstruction in self.standing]
        )

    @cached_property
    def factors(self) -> Floats:
        """By index: the factor of what blocks by being crossed, -inf for everything else."""
        return np.array(
            [
                -math.inf if obstruction.measured or obstruction.unit else obstruction.factor
                for obstruction in self.standing
            ],
            float,
        )


def bounded(between: Between, bundles: Bundles, limit: float) -> tuple[Floats, Bools, Bools]:
    """Return a lower bound on the length of a clear line of each of n bundles, inf if none is shorter than ``limit``.

    Also which vertices (n, v) of the outlines lie on neither side of all lines, and in which bundles some lines may
    cross something before they start or beyond their ends.
    """
    if not len(bundles.p):
        return np.zeros(0), np.zeros((0, len(between.outlines.begins)), bool), np.zeros(0, bool)
    outlines = between.outlines
    turn, side = sides(bundles, outlines.points)
    all_runs = runs(bundles, outlines, turn, side, between.spare)
    judged = Judged(between, bundles, all_runs, bundles.least, limit)
    doubtful = np.zeros(len(bundles.p), bool)
    doubtful[all_runs.bundle[~all_runs.within]] = True
    return judged.least_clear(), side == 0, doubtful


@dataclass(eq=False)
class Judged:
    """Bundles being judged by their runs: ``length`` is raised from the ``least`` of any line to that of a clear
    line."""

    between: Between
    bundles: Bundles
    runs: Runs
    least: Floats
    limit: float

    def __post_init__(self) -> None:
        self.length = self.least.copy()

    @cached_property
    def most(self) -> Floats:
        """The length of the longest line of each bundle."""
        return self.bundles.most

    def least_clear(self) -> Floats:
        self.crossed()
        if not self.between.plain:
            for k, obstruction in enumerate(self.between.standing):
                if obstruction.unit is not None:
                    self.passed_over(k, obstruction, obstruction.unit)
            self.measured()  # last: the longer a line must be to get out of shadows, the more it spends in woods
            self.within_cell()
        self.length[self.length >= self.limit] = np.inf
        return self.length

    def crossed(self) -> None:
        """Judge what blocks by being crossed by all lines (TSE-LOS-05 to 07, 16)."""
        runs = self.runs
        factor: Floats = np.where(runs.sure, self.between.factors[runs.owner], -np.inf)
        self.length[runs.bundle[factor == np.inf]] = np.inf
        shade = (factor > 0.0) & (factor < np.inf) & (runs.turn == OUT)
        reach = self.shares[shade] * (1.0 + factor[shade]) + self.between.law.t / self.last[runs.bundle[shade]]
        self.length[runs.bundle[shade][reach > PAST]] = np.inf
        np.maximum.at(self.length, runs.bundle[shade], self.beyond(runs.low[shade], factor[shade]))

    @cached_property
    def shares(self) -> Floats:
        """By run, the least share of a line before it, for a line extended as far as the ground it ends in allows."""
        if self.between.plain:
            return np.zeros(len(self.runs.bundle))
        rim, bundles = self.between.rim, self.bundles
        if rim is None:
            return shares(bundles, self.runs, self.between.outlines, (bundles.r[:, None], bundles.entering[:, None]))
        points, way = rim.points[:-1], np.diff(rim.points, axis=0)
        square = np.stack([way[:, 1], -way[:, 0]], 1) / np.hypot(way[:, 0], way[:, 1])[:, None]
        shape = len(bundles.p), *points.shape
        ends = np.broadcast_to(points, shape), np.broadcast_to(square, shape)
        return shares(bundles, self.runs, self.between.outlines, ends)

    @cached_property
    def last(self) -> Floats:
        """By bundle, how far away its lines end at most, extended through the ground they end in."""
        rim, most = self.between.rim, np.maximum(self.most, NEAR)
        return most if rim is None else np.maximum(most, farthest(self.bundles, rim))

    def beyond(self, far: Floats, factor: Floats | float) -> Floats:
        """Return the length at which a line's lower end gets out of a shadow."""
        return far * (1.0 + factor) + self.between.law.t

    def measured(self) -> None:
        """Judge what depends on the length of the stretches inside, and on budgets (TSE-LOS-06, 10 to 17)."""
        law, alive = self.between.law, np.nonzero(self.length < self.limit)[0]
        if not len(alive):
            return
        by_index = {
            k: Crossings.of(self.runs, self.shares, k, alive)
            for k, obstruction in enumerate(self.between.standing)
            if obstruction.measured
        }
        for k, crossings in by_index.items():
            length = self.length[alive]
            least = by_stretches(self.between.standing[k], crossings, (length, self.last[alive]), law)
            self.length[alive] = np.maximum(length, least)
        alive_still = np.isfinite(self.length[alive])
        length = np.where(alive_still, self.length[alive], 0.0)
        lengths = length, np.maximum(length, self.most[alive])
        woods, crest = np.zeros(len(alive)), np.zeros(len(alive))
        for k, obstruction in enumerate(self.between.standing):
            if obstruction.high or obstruction.low:
                starts, ends = self.held(obstruction)
                mine = own_stretch(obstruction, by_index[k], lengths, (starts[alive], ends[alive]), law.at_edge)
                woods += mine * obstruction.woods
                crest += mine * obstruction.crest
        spent = (woods > 1.0 + law.t / law.budget + 1e-9) | (crest > law.crest + law.t + 1e-9)
        self.length[alive[spent & alive_still]] = np.inf

    def held(self, one: Standing) -> tuple[Bools, Bools]:
        """Return the bundles whose starts, and whose ends, surely lie inside an obstruction."""
        surely = []
        for holds, places in (
            (one.high, (self.bundles.p, self.bundles.q)),
            (one.low, (self.bundles.r, self.bundles.s)),
        ):
            inside = np.full(len(self.length), holds)
            for at in places if holds else ():
                inside &= shapely.contains_xy(one.area, at[:, 0], at[:, 1])
            surely.append(inside)
        return surely[0], surely[1]

    def passed_over(self, k: int, one: Standing, unit: InterveningUnit) -> None:
        """Judge a unit that lines pass too closely, by its shadow as far as it lies within the corridor
        (TSE-FIR-12)."""
        if one.always:
            indices = np.nonzero(self.length < self.limit)[0]
        else:
            met = self.runs.bundle[self.runs.sure & (self.runs.owner == k)]
            indices = np.unique(met[self.length[met] < self.limit])
        if len(indices):
            far = corridor_end(self.bundles.of(indices), unit, (self.least[indices], self.most[indices]))
            self.length[indices] = np.maximum(self.length[indices], self.beyond(far, one.factor))

    def within_cell(self) -> None:
        """Drop bundles whose lines would end beyond the lower cell."""
        longer = np.nonzero(np.isfinite(self.length) & (self.length > self.least + 1e-9))[0]
        if len(longer):
            self.length[longer[self.length[longer] > self.last[longer] + 1e-9]] = np.inf


def by_stretches(one: Standing, some: Crossings, lengths: tuple[Floats, Floats], law: Rulings) -> Floats:
    """Return a lower bound (n,) on the length of a clear line from the stretches every line has inside an obstruction.

    ``lengths`` are those of the shortest line, and of the longest, extended as far as the ground it ends in allows. A
    stretch contains an end or hides like any other: where it may be either, both must hide. Around a notch some lines
    begin a new stretch and others do not: the one must be too long for the budget, the other long enough to hide.
    """
    length, last = lengths
    least = np.zeros(len(length))
    if one.factor <= 0.0:
        return least
    stretches = [stretches_before(one, some, length, law)]
    if one.high or one.low:
        stretches.append(stretches_after(one, some, length, law))
    for exists, inside, far, own, whole, other, share in stretches:
        inside, whole = (np.where(exists & (each > 0.0), each, 0.0) for each in (inside, whole))
        spends, spends_whole = (each * one.woods > 1.0 + law.t / law.budget + 1e-9 for each in (inside, whole))
        hides = exists & (inside > one.least) & (spends | (~other & (~own | spends_whole)))
        end = np.full(far.shape, np.inf)
        if one.factor < math.inf:
            hidden = share * (1.0 + one.factor) + (law.t / last)[:, None] > PAST
            end = np.where(hidden, np.inf, far * (1.0 + one.factor) + law.t)
        least = np.maximum(least, np.where(hides, end, 0.0).max(1))
    return least


def stretches_before(one: Standing, some: Crossings, length: Floats, law: Rulings) -> Stretches:
    """Return the stretches that end where all lines leave an obstruction."""
    low, high = some.low, some.high
    since = (some.there & ~some.out)[:, None, :] & (low[:, None, :] <= high[:, :, None])  # by run, by other run
    entries = (some.into & some.sure & (low > law.at_edge))[:, None, :]
    begun = (since & entries & (high[:, None, :] <= low[:, :, None])).any(2)
    exists = some.out & some.sure & (since.any(2) | one.high | one.begins)
    other = one.low & (high >= length[:, None] - law.at_edge)
    inside = low - np.where(since, high[:, None, :], 0.0).max(2)
    entry = since.argmax(2)
    single = exists & (since.sum(2) == 1) & np.take_along_axis(some.sure, entry, 1)
    n, k = np.nonzero(single)
    inside[n, k] = np.fmax(inside[n, k], some.apart(n, entry[n, k], k))
    own: Bools = np.asarray(~begun) & one.high
    return Stretches(exists, inside, low, own, low - law.at_edge, other, some.share)


def stretches_after(one: Standing, some: Crossings, length: Floats, law: Rulings) -> Stretches:
    """Return the stretches that begin where all lines enter an obstruction."""
    low, high = some.low, some.high
    until = (some.there & ~some.into)[:, None, :] & (high[:, None, :] >= low[:, :, None])
    exits = (some.out & some.sure & (high < length[:, None] - law.at_edge))[:, None, :]
    left = (exits & (low[:, None, :] >= high[:, :, None])).any(2)
    exists = some.into & some.sure & (until.any(2) | one.low)
    other = one.high & (low <= law.at_edge)
    end = np.minimum(length[:, None], np.where(until, low[:, None, :], np.inf).min(2))
    met = np.isfinite(high)  # what is never met has no stretch, however long the line
    inside = np.where(met, end - np.where(met, high, 0.0), -np.inf)
    whole = np.where(met, length[:, None] - np.where(met, high, 0.0) - law.at_edge, -np.inf)
    own: Bools = np.asarray(~left) & one.low
    return Stretches(exists, inside, end, own, whole, other, np.zeros(low.shape))


def own_stretch(
    one: Standing, some: Crossings, lengths: tuple[Floats, Floats], held: tuple[Bools, Bools], at_edge: float
) -> Floats:
    """Return the least length (n,) that lines spend inside an obstruction that holds their start, their end, or both.

    ``lengths`` are those of the shortest and the longest line, ``held`` says which ends surely lie inside. An end
    within ``at_edge`` of its edge counts as held too.
    """
    least, most = lengths
    wall = one.factor == math.inf and one.least <= at_edge  # a stretch that begins farther on hides everything
    near = some.into & (np.where(wall & some.sure, some.low, some.high) <= at_edge)
    entered = np.where(near, some.high, 0.0).max(1) if one.high else np.zeros(len(least))
    left = one.low & (some.out & (some.low >= most[:, None] - at_edge)).any(1)
    leaves, enters = some.there & ~some.into, some.there & ~some.out
    start = np.where(leaves.any(1), np.where(leaves, some.low, np.inf).min(1), least) - entered
    start = np.where((held[0] | (entered > 0.0)) & (start > one.least), start, 0.0)
    end = least - np.where(enters, some.high, 0.0).max(1) - at_edge * left
    end = np.where(held[1] | left, end, 0.0)
    inside: Floats = np.minimum(np.maximum(start, 0.0) + np.maximum(end, 0.0), least)
    return inside


def corridor_end(bundles: Bundles, unit: InterveningUnit, lengths: tuple[Floats, Floats]) -> Floats:
    """Return the least distance from the starts, along lines, to the farthest point of a unit within its clearance.

    That is a corner within the clearance of all lines; or where a side crosses the rim of the corridor of all lines, or
    its outer end lies inside the corridor; or where all lines cross a side themselves: for lines perpendicular to a
    side, the far side. ``lengths`` are those of the shortest and the longest line of each bundle.
    """
    distance, rim = np.zeros(len(bundles.p)), unit.clearance
    for ring in unit.rings:
        low, high = _beside(bundles, ring, lengths)
        aside = np.maximum(np.abs(low), np.abs(high))
        n, k = np.nonzero(aside <= rim)
        np.maximum.at(distance, n, _along(segments_apart(bundles.p[n], bundles.q[n], ring[k], ring[k]), aside[n, k]))
        distance = np.maximum(distance, _sides_crossed((bundles.p, bundles.q), ring, (low, high), np.array([rim, 0.0])))
    return distance


def _sides_crossed(pieces: tuple[Floats, Floats], ring: Floats, beside: tuple[Floats, Floats], rims: Floats) -> Floats:
    """Return the least distance (n,) along lines to where a side of a ring crosses one of ``rims`` beside all lines.

    Or where the side's outer end lies within the corridor; ``pieces`` are those of the starts, (n, 2) each, ``beside``
    how far left of the lines corners lie. Arrays run by rim, hand of the line, bundle, side in either direction.
    """
    (p, q), (low, high) = pieces, beside
    distances, last = np.zeros(len(low)), np.arange(len(ring) - 1)
    i, j = np.concatenate([last, last + 1]), np.concatenate([last + 1, last])
    least, most, rim = np.stack([low, -high]), np.stack([high, -low]), rims[:, None, None, None]
    out, into = least[:, :, i] - rim, rim - most[:, :, j]
    at = np.nonzero((out > -2.0 * rim) & (into > 0.0))
    by, hand, n, k = at
    rim, i, j = rims[by], i[k], j[k]
    out, beyond = np.maximum(out[at], 0.0), np.maximum(most[hand, n, i] - rim, 0.0)
    near = (out / (out + (rim - least[hand, n, j])))[:, None]
    far = (beyond / (beyond + into[at]))[:, None]
    start, way = ring[i], ring[j] - ring[i]
    np.maximum.at(distances, n, _along(segments_apart(p[n], q[n], start + near * way, start + far * way), rim))
    return distances


def _along(distance: Floats, aside: Floats) -> Floats:
    """Return how far along a line a point lies, given its distance and an upper bound on how far aside it is."""
    along: Floats = np.sqrt(np.maximum(distance * distance - aside * aside, 0.0))
    return along


def _beside(bundles: Bundles, points: Floats, lengths: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Return bounds (n, v) on how far left of the lines points lie."""
    starts, ends = bundles.corners
    way = ends - starts
    turn = way[..., :1] * (points[:, 1] - starts[..., 1:]) - way[..., 1:] * (points[:, 0] - starts[..., :1])
    low, high, least, most = turn.min(1), turn.max(1), np.maximum(lengths[0], 1e-9)[:, None], lengths[1][:, None]
    return np.where(low > 0.0, low / most, low / least), np.where(high > 0.0, high / least, high / most)
