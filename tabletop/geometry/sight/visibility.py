"""The stretches of ground that eyes see in all directions, sector by sector, not yet united.

Around each eye the table is cut into narrow sectors, at every corner of every obstruction and of the table. In each
sector one ray is followed (``ray_marks``). A sector in which the boundaries of what is seen are not straight, or cross,
is cut again there, until they are straight or it is narrower than ``NARROWEST``; then only what both sides show is
kept. So every claim is backed by a ray, and boundaries are straight except for the arcs of spent budgets, which are
chords of at most ``WIDEST``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabletop.geometry.kernels.seen import ENDS, EYE, NO_ROOM, SIDES, Eyes, Outlines, seen
from tabletop.geometry.kernels.seen_together import Views
from tabletop.geometry.sight.law import Floats, Ints
from tabletop.geometry.sight.obstruction import packed
from tabletop.geometry.sight.ray_marks import NARROWEST, Rays

#: Greatest width of a sector (radians).
WIDEST = math.radians(15.0)
#: Bearings closer together than this (radians) count as one.
ONE_BEARING = 4e-7
#: How many eyes are processed together; initial room for stretches per sector.
TOGETHER, ROOM = 32, 4


@dataclass(frozen=True, eq=False)
class Stretches:
    """Stretches of straight sectors (k,): the eye of each, the bearings of both sides, and (k, 4) the distances from
    the eye at which it begins and ends at the right and at the left."""

    whose: Ints
    right: Floats
    left: Floats
    ends: Floats

    @classmethod
    def joined(cls, parts: list[Stretches]) -> Stretches:
        names = ("whose", "right", "left", "ends")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def first(self, eyes: int) -> Ints:
        """Return where the stretches of each of so many eyes begin (n + 1,); the stretches are sorted by eye."""
        return np.searchsorted(self.whose, np.arange(eyes + 1))

    def views(self, eyes: Floats) -> Views:
        """Return them in the form kernels use: everything that ``eyes`` (n, 2) see, in order."""
        return Views(eyes, self.whose, self.first(len(eyes)), self.right, self.left, self.ends)

    def take(self, which: Any) -> Stretches:
        return Stretches(self.whose[which], self.right[which], self.left[which], self.ends[which])


def stretches(rays: Rays, eyes: Floats, first: int = 0) -> Stretches:
    """Return the stretches that eyes (n, 2) see, in order; the eyes are numbered from ``first``."""
    bearings = _bearings(np.concatenate([rays.starts, rays.corners]), eyes)
    cuts, begin = _cuts(bearings)
    held = np.zeros((len(eyes), len(rays.ground.obstructions)), np.uint8)
    for obstruction in rays.ground.hills:
        held[:, obstruction.index] = obstruction.holds(eyes)
    corners, levels = np.ascontiguousarray(bearings[:, : len(rays.starts)]), rays.ground.levels(eyes)
    outlines = Outlines(rays.starts, rays.after, rays.obstruction, rays.heights, rays.closing, rays.times)
    at = Eyes(eyes, levels, held, corners, cuts, begin)
    numbers, law = np.concatenate([rays.size, rays.numbers, [NARROWEST]]), rays.law.rulings(rays.table.tape.t)
    rows, n = np.empty((ROOM * len(cuts), 10)), NO_ROOM
    while True:
        n = seen(at, packed(rays.ground, True), outlines, numbers, law, rows)
        if n != NO_ROOM:
            break
        rows = np.empty((4 * len(rows), 10))
    right, left = (np.ascontiguousarray(rows[:n, SIDES + k]) for k in (0, 1))
    return Stretches(first + rows[:n, EYE].astype(int), right, left, np.ascontiguousarray(rows[:n, ENDS]))


def _cuts(bearings: Floats) -> tuple[Floats, Ints]:
    """Return the bearings at which the sectors of each eye begin and end, increasing once around from due west, eye
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
