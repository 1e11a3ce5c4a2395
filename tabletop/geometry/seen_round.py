"""The stretches of ground that are seen from eyes all round, sector by sector, put together nowhere.

About each eye the table is cut into narrow sectors, at every corner of everything that hinders sight and of the table.
In each one ray is looked along (``seen_along``); a sector in which the boundaries of what is seen are not straight, or
pass each other, is cut again there, until it is straight or narrower than ``NARROWEST``, where only what both sides
show is kept. So nothing is claimed that no ray backs, and boundaries are straight but for the arcs of spent budgets,
chords of at most ``WIDEST``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabletop.geometry.kernels.seen import ENDS, EYE, NO_ROOM, SIDES
from tabletop.geometry.kernels.seen import seen as kernel
from tabletop.geometry.seen_along import NARROWEST, Rays, Sectors
from tabletop.geometry.sight.law import Bools, Floats, Ints
from tabletop.geometry.sight.obstruction import packed

#: Sectors are never wider (radians).
WIDEST = math.radians(15.0)
#: Bearings (radians) nearer to each other are one.
ONE_BEARING = 4e-7
#: How many eyes are looked through together, with a kernel and without; room for stretches of each of their sectors, at
#: first.
QUICKLY, TOGETHER, ROOM = 32, 8, 4


@dataclass(frozen=True, eq=False)
class Stretches:
    """Stretches of straight sectors (k,): whose eye, the bearings of both sides, and (k, 4) how far from the eye each
    begins and ends at the right and at the left."""

    whose: Ints
    right: Floats
    left: Floats
    ends: Floats

    @classmethod
    def of(cls, whose: Ints, right: Floats, left: Floats, near: Floats, far: Floats, rough: Bools) -> Stretches:
        """Return stretches that begin and end ``near`` and ``far`` (k, 3), in the middle, at the right and at the left;
        of a sector not straight only what both its sides show."""
        far = np.maximum(near, far)  # where they meet at a side rounding may swap them
        near = np.where(rough[:, None], near.max(1, keepdims=True), near)
        far = np.where(rough[:, None], far.min(1, keepdims=True), far)
        ends = np.stack([near[:, 1], far[:, 1], near[:, 2], far[:, 2]], axis=1)
        return cls(whose, right, left, ends).take((ends[:, 0] <= ends[:, 1]) & (ends[:, 2] <= ends[:, 3]))

    @classmethod
    def joined(cls, parts: list[Stretches]) -> Stretches:
        names = ("whose", "right", "left", "ends")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def corners(self, eyes: Floats) -> Floats:
        """Return the corners (k, 4, 2): near and far at the right, far and near at the left."""
        at = eyes[self.whose][:, None]
        right, left = (np.stack([np.cos(turn), np.sin(turn)], axis=1)[:, None] for turn in (self.right, self.left))
        return np.concatenate([at + self.ends[:, :2, None] * right, at + self.ends[:, :1:-1, None] * left], axis=1)

    def in_order(self) -> Stretches:
        """Return them in order of eye, bearing and distance."""
        return self.take(np.lexsort((self.ends[:, 0] + self.ends[:, 2], self.right, self.whose)))

    def first(self, eyes: int) -> Ints:
        """Return where the stretches of each of so many eyes begin (n + 1,), given in order."""
        return np.searchsorted(self.whose, np.arange(eyes + 1))

    def take(self, which: Any) -> Stretches:
        return Stretches(self.whose[which], self.right[which], self.left[which], self.ends[which])


def stretches(rays: Rays, eyes: Floats, first: int = 0) -> Stretches:
    """Return the stretches that eyes (n, 2) see, in order; the eyes are numbered from ``first``."""
    run, numbers = kernel.ready(), np.arange(first, first + len(eyes))
    if run is None:
        return _plain(rays, eyes, numbers).in_order()
    found = _quick(run, rays, eyes)
    return Stretches(numbers[found.whose], found.right, found.left, found.ends)


def together() -> int:
    """Return how many eyes are looked through together."""
    return TOGETHER if kernel.ready() is None else QUICKLY


def _cuts(bearings: Floats) -> tuple[Floats, Ints]:
    """Return the bearings at which the sectors of each eye begin and end, increasing once round from due west, eye
    after eye, and (n + 1,) where those of each eye begin. ``bearings`` (n, v) are those of all corners."""
    even = np.linspace(-math.pi, math.pi, math.ceil(2 * math.pi / WIDEST) + 1)[1:-1]
    every = np.sort(np.concatenate([bearings, np.tile(even, (len(bearings), 1))], axis=1), axis=1)
    every = np.where((every > -math.pi + ONE_BEARING) & (every < math.pi - ONE_BEARING), every, -math.pi)
    every.sort(axis=1)
    apart = np.diff(every, axis=1, prepend=-math.pi) > ONE_BEARING
    west = np.full((len(every), 1), math.pi)
    keep = np.concatenate([west > 0, apart, west > 0], axis=1)
    return np.concatenate([-west, every, west], axis=1)[keep], np.append(0, np.cumsum(keep.sum(1)))


def _bearings(corners: Floats, eyes: Floats) -> Floats:
    """Return the bearings (n, v), in radians from east, of corners (v, 2) from each of n eyes."""
    return np.arctan2(corners[:, 1] - eyes[:, 1:], corners[:, 0] - eyes[:, :1])


# --- by the kernel ---------------------------------------------------------------------------------------------------


def _quick(run: Callable[..., Any], rays: Rays, eyes: Floats) -> Stretches:
    """Return the stretches that eyes see."""
    bearings = _bearings(np.concatenate([rays.starts, rays.corners]), eyes)
    cuts, first = _cuts(bearings)
    held = np.zeros((len(eyes), len(rays.ground.bars)), np.uint8)
    for bar in rays.ground.hills:
        held[:, bar.index] = bar.holds(eyes)
    corners, levels = np.ascontiguousarray(bearings[:, : len(rays.starts)]), rays.ground.levels(eyes)
    lists = packed(rays.ground, True), rays.starts, rays.after, rays.bar, rays.heights, rays.closing, rays.times
    numbers, law = np.concatenate([rays.size, rays.numbers, [NARROWEST]]), rays.law.rulings(rays.table.tape.t)
    found, n = np.empty((ROOM * len(cuts), 10)), NO_ROOM
    while True:
        n = run(eyes, levels, held, corners, cuts, first, *lists, numbers, law, found)
        if n != NO_ROOM:
            break
        found = np.empty((4 * len(found), 10))
    right, left = (np.ascontiguousarray(found[:n, SIDES + k]) for k in (0, 1))
    return Stretches(found[:n, EYE].astype(int), right, left, np.ascontiguousarray(found[:n, ENDS]))


# --- by many sectors at once -----------------------------------------------------------------------------------------


def _plain(rays: Rays, eyes: Floats, numbers: Ints) -> Stretches:
    """Return the stretches that eyes (n, 2) of such numbers see."""
    cuts, first = _cuts(_bearings(np.concatenate([rays.starts, rays.corners]), eyes))
    begins = np.delete(np.arange(len(cuts)), first[1:] - 1)
    whose = np.repeat(numbers, np.diff(first) - 1)
    sectors = Sectors(np.repeat(eyes, np.diff(first) - 1, axis=0), cuts[begins], cuts[begins + 1])
    parts = []
    while len(whose):
        seen = rays.seen(sectors)
        done = ~(seen.crossed & (sectors.left - sectors.right > NARROWEST))
        some = np.nonzero(done[seen.sector])[0]
        k = seen.sector[some]
        sides = sectors.right[k], sectors.left[k]
        parts.append(Stretches.of(whose[k], *sides, seen.near[some], seen.far[some], seen.crossed[k]))
        again = np.nonzero(~done)[0]
        sectors, whose = sectors.take(again).cut(seen.cut[again]), np.tile(whose[again], 2)
    return Stretches.joined(parts)
