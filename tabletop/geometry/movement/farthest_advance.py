"""How far a budget lasts along many straight advances, and what each has cost by then: ``advance_cost`` for many.

For columns that move as one on ground without roads; march columns in file are computed one path at a time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np

from tabletop.geometry.movement import cost
from tabletop.geometry.movement.advance_cost import Files, Met, Spent
from tabletop.geometry.movement.swept_strips import Stretches


@dataclass(frozen=True)
class Paid:
    """What n paths have cost so far: ``plain`` (n,) is shared by all bases, ``rough`` (n, bases) are lengths in
    rough ground, ``crossed`` (n, bases) counts of linear obstacles each base has met."""

    plain: np.ndarray
    rough: np.ndarray
    crossed: np.ndarray

    def taken(self, chosen: np.ndarray) -> Paid:
        return Paid(self.plain[chosen], self.rough[chosen], self.crossed[chosen])

    def total(self, files: Files) -> np.ndarray:
        """Return the cost of each path (n,)."""
        rough, crossed = (reduce(np.maximum, each.T, np.zeros(len(self.plain))) for each in (self.rough, self.crossed))
        return np.asarray(self.plain + cost.total(0.0, rough, 0.0, crossed, 0, files.cost_model.law))

    def way(self, k: int) -> Spent:
        """Return what one path has cost."""
        return Spent(float(self.plain[k]), tuple(self.rough[k].tolist()), met=tuple(self.crossed[k].tolist()))

    def columns(self) -> Iterator[dict[str, Any]]:
        """Yield, for each path, the fields of its ``Spent`` that are kept here."""
        for plain, rough, met in zip(self.plain.tolist(), self.rough.tolist(), self.crossed.tolist(), strict=True):
            yield {"plain": plain, "rough": tuple(rough), "met": tuple(met)}

    def each(self) -> list[Spent]:
        """Return what each path has cost."""
        return [self.way(k) for k in range(len(self.plain))]


@dataclass(frozen=True)
class AdvanceCosts:
    """The ground that advances ``which`` (e,) meet (the others meet none), in tables padded with values that never
    count.

    ``low`` and ``width`` (s, bases, e) are stretches in rough ground, ``linear`` (c, bases, e) and ``choke`` (d, e) the
    lengths at which something is met.
    """

    files: Files
    paid: Paid
    which: np.ndarray
    low: np.ndarray
    width: np.ndarray
    linear: np.ndarray
    choke: np.ndarray

    @classmethod
    def of(cls, files: Files, met: Met, paid: Paid) -> AdvanceCosts:
        """Return the costs along advances that have ``paid`` so much before."""
        rough, linear = _by_base(files, met.rough), _by_base(files, met.linear)
        rough, linear = rough.taken(rough.high > 0.0), linear.taken(linear.low >= -files.cost_model.t)
        bases = files.count
        met_any = np.zeros(met.count, bool)
        met_any[np.concatenate([rough.strip // bases, linear.strip // bases, met.choke.strip])] = True
        charged = np.flatnonzero(met_any)
        number = np.cumsum(met_any) - 1
        slow = rough.strip % bases, number[rough.strip // bases]
        obstacle = linear.strip % bases, number[linear.strip // bases]
        low = np.maximum(rough.low, 0.0)
        shape = bases, len(charged)
        return cls(
            files,
            paid,
            charged,
            _table(slow, low, shape, 0.0),
            _table(slow, rough.high - low, shape, 0.0),
            _table(obstacle, linear.low, shape, np.inf),
            _table((number[met.choke.strip],), np.maximum(met.choke.low, 0.0), shape[1:], np.inf),
        )

    def spent(self, at: np.ndarray) -> Paid:
        """Return what all paths have cost once each has gone ``at`` (n,) farther."""
        plain, rough, crossed = self.paid.plain + at, self.paid.rough.copy(), self.paid.crossed.copy()
        law, s = self.files.cost_model.law, at[self.which]
        plain[self.which] += cost.total(0.0, 0.0, 0.0, 0, self._entered(s), law)
        rough[self.which] += self._slowed(s).T
        if len(self.linear):
            crossed[self.which] += self._crossed(s).T
        return Paid(plain, rough, crossed)

    def after(self, at: np.ndarray) -> list[Spent]:
        """Return the same as a list, path by path."""
        return self.spent(at).each()

    def lasting(self, budget: float, limit: np.ndarray) -> np.ndarray:
        """Return how far (n,) the budget lasts along each, at most ``limit`` (n,); negative where it is overspent."""
        start = self.paid.total(self.files)
        lengths = np.where(start <= budget, np.minimum(limit, budget - start), -1.0)
        if len(self.which):
            lengths[self.which] = self._searched(budget, limit[self.which])
        return lengths

    def _searched(self, budget: float, most: np.ndarray) -> np.ndarray:
        """Return how far, at most ``most``, the budget lasts along each advance that meets something; -1 if nowhere."""
        far = np.where(self._price(most) <= budget, most, -1.0)
        poor = np.flatnonzero((far < 0.0) & (most >= 0.0))
        if len(poor):
            far[poor] = self._taken(poor)._until(budget, most[poor])
        return np.where(self._price(np.zeros(len(most))) <= budget, far, -1.0)

    def _taken(self, chosen: np.ndarray) -> AdvanceCosts:
        """Return the costs along some of the advances that meet something, by their position in ``which``."""
        paid = self.paid.taken(self.which[chosen])
        tables = (table[..., chosen] for table in (self.low, self.width, self.linear, self.choke))
        return AdvanceCosts(self.files, paid, np.arange(len(chosen)), *tables)

    def _until(self, budget: float, most: np.ndarray) -> np.ndarray:
        """Return how far the budget lasts, if less than ``most``: first between which marks, then where."""
        marks = self._marks(most)
        rows = np.arange(len(most))
        before, after = np.zeros(len(most), int), np.full(len(most), marks.shape[1] - 1)
        while (after - before > 1).any():
            middle = (before + after) // 2
            cheap = self._price(marks[rows, middle]) <= budget
            before, after = np.where(cheap, middle, before), np.where(cheap, after, middle)
        mark, end = marks[rows, before], marks[rows, after]
        at = mark + 1e-10
        spare = budget - self._price(at)
        slow = self._before[1] + self._slowed(at)
        inside = ((self.low <= mark) & (self.low + self.width >= end)).sum(axis=0)
        dear = cost.rough_more(self.files.cost_model.law)
        # between the marks each base pays at one rate, and the front goes no farther than the budget takes any of them
        room = ((spare + dear * (slow.max(axis=0) - slow)) / (1.0 + dear * inside)).min(axis=0)
        return np.where(spare < -1e-9, mark, np.maximum(mark, np.minimum(at + room, end) - 1e-9))

    def _marks(self, most: np.ndarray) -> np.ndarray:
        """Return (e, k) sorted lengths, 0 to ``most``, between which the cost has no jumps and is convex."""
        e = len(most)
        ends = [self.low, self.low + self.width, self.linear, self.choke]
        every = np.concatenate([end.reshape(-1, e) for end in ends]).T
        every = np.minimum(np.maximum(every, 0.0), most[:, None])
        return np.sort(np.concatenate([np.zeros((e, 1)), every, most[:, None]], axis=1), axis=1)

    def _price(self, s: np.ndarray) -> np.ndarray:
        """Return the cost (e,) of the paths that meet something once each has gone ``s`` (e,) farther."""
        plain, rough, crossed = self._before
        most = (rough + self._slowed(s)).max(axis=0)
        linear = (crossed + self._crossed(s)).max(axis=0) if len(self.linear) else crossed.max(axis=0)
        return np.asarray(plain + cost.total(s, most, 0.0, linear, self._entered(s), self.files.cost_model.law))

    @cached_property
    def _before(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What the paths that meet something cost before: (e,), and (bases, e) lengths in rough ground and
        obstacles."""
        rough, crossed = (np.ascontiguousarray(each[self.which].T) for each in (self.paid.rough, self.paid.crossed))
        return self.paid.plain[self.which], rough, crossed

    def _slowed(self, s: np.ndarray) -> np.ndarray:
        """Return the length (bases, e) that each base has been in rough ground."""
        return np.asarray(np.minimum(np.maximum(s - self.low, 0.0), self.width).sum(axis=0))

    def _crossed(self, s: np.ndarray) -> np.ndarray:
        """Return how many obstacles (bases, e) each base has met."""
        return np.asarray((self.linear < s - 1e-12).sum(axis=0))

    def _entered(self, s: np.ndarray) -> np.ndarray:
        """Return how many choke-points (e,) have been entered."""
        return np.asarray((self.choke < s - 1e-12).sum(axis=0))


def _by_base(files: Files, found: Stretches) -> Stretches:
    """Return the stretches of strips as stretches of the bases in them, numbered ray by ray, shifted by how far
    behind each is."""
    owner = np.repeat(np.arange(len(files.strips)), [len(strip.behind) for strip in files.strips])
    behind = np.concatenate([strip.behind for strip in files.strips])
    ray, strip = np.divmod(found.strip, len(files.strips))
    k, base = np.nonzero(strip[:, None] == owner)
    back = behind[base]
    return Stretches(ray[k] * files.count + base, found.low[k] + back, found.high[k] + back, found.part[k])


def _table(place: tuple[np.ndarray, ...], value: np.ndarray, shape: tuple[int, ...], empty: float) -> np.ndarray:
    """Return a table (k, *shape) with the values at each place, padded with ``empty``."""
    row = np.ravel_multi_index(place, shape) if len(value) else np.zeros(0, int)
    order = np.argsort(row, kind="stable")
    row, value = row[order], value[order]
    column = np.arange(len(row)) - np.searchsorted(row, row)
    table = np.full((int(column.max(initial=-1)) + 1, math.prod(shape)), empty)
    table[column, row] = value
    return table.reshape(len(table), *shape)
