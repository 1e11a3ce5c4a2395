"""Bundles of lines, all from one straight piece to another, and what hides all lines of one: chords and sides.

Whether a point lies to the left of a line is linear in either end: what holds for the lines between the ends of two
pieces holds for the bundle. ``sight_bundles`` proves with it that nothing is seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight.law import Screen
from tabletop.geometry.sight.obstruction import Bools, Floats, Ints
from tabletop.geometry.sight_cells import Cell
from tabletop.geometry.sight_pair import Pair

#: What is left to rounding, and to candidates that end a hair off their cells (table units).
SLACK = 1e-4
#: Into how many pieces the sides of a cell are cut at first.
FIRST = 4


@dataclass(frozen=True, eq=False)
class Bundles:
    """n bundles of lines: the middles (n, 2) of the pieces they start from and end on, and half those pieces' ways."""

    a: Floats
    b: Floats
    half_a: Floats
    half_b: Floats

    @classmethod
    def of(cls, pair: Pair) -> Bundles:
        """Return the bundles from the sides lines leave the higher cell by to those they leave the lower one by."""
        one, other = (_pieces(sides) for sides in (_left_by(pair.high, pair.low), _left_by(pair.low, pair.high, -1.0)))
        i, j = np.repeat(np.arange(len(one)), len(other)), np.tile(np.arange(len(other)), len(one))
        starts, ends = one[i], other[j]
        return cls(starts.mean(1), ends.mean(1), (starts[:, 1] - starts[:, 0]) / 2, (ends[:, 1] - ends[:, 0]) / 2)

    def take(self, k: Ints) -> Bundles:
        return Bundles(self.a[k], self.b[k], self.half_a[k], self.half_b[k])

    def with_middles(self) -> Bundles:
        """Return the bundles and, after them, the one line in the middle of each."""
        a, b, none = np.tile(self.a, (2, 1)), np.tile(self.b, (2, 1)), np.zeros_like(self.a)
        return Bundles(a, b, np.concatenate([self.half_a, none]), np.concatenate([self.half_b, none]))

    def parted(self) -> Bundles:
        """Return the bundles each in four."""
        one, other = self.half_a / 2, self.half_b / 2
        a = np.concatenate([self.a - one, self.a - one, self.a + one, self.a + one])
        b = np.concatenate([self.b - other, self.b + other, self.b - other, self.b + other])
        return Bundles(a, b, np.tile(one, (4, 1)), np.tile(other, (4, 1)))

    @cached_property
    def starts(self) -> Floats:
        """Both ends (n, 2, 2) of the pieces that lines start from."""
        return np.stack([self.a - self.half_a, self.a + self.half_a], axis=1)

    @cached_property
    def ends(self) -> Floats:
        return np.stack([self.b - self.half_b, self.b + self.half_b], axis=1)

    @cached_property
    def ways(self) -> Floats:
        """The ways (n, 4, 2) between the ends of the pieces."""
        found: Floats = (self.ends[:, None] - self.starts[:, :, None]).reshape(-1, 4, 2)
        return found

    @cached_property
    def u(self) -> Floats:
        """The directions (n, 2) of the middle lines."""
        way = self.b - self.a
        return way / np.hypot(way[:, 0], way[:, 1])[:, None]

    @cached_property
    def least(self) -> Floats:
        """A length (n,) that no line is shorter than."""
        found: Floats = np.maximum((self.ways * self.u[:, None]).sum(2).min(1), 0.0)
        return found

    @cached_property
    def most(self) -> Floats:
        """A length that no line is longer than."""
        return np.asarray(np.hypot(self.ways[..., 0], self.ways[..., 1]).max(1))

    def left(self, points: Floats) -> tuple[Floats, Floats]:
        """Return how far to the left points (m, 2) lie of lines, times their length: least and most, (n, m)."""
        ways = self.ways.reshape(-1, 2)
        x, y = np.repeat(self.starts, 2, axis=1).reshape(-1, 2).T
        level = ways[:, 1] * x - ways[:, 0] * y
        found = (np.stack([-ways[:, 1], ways[:, 0]], axis=1) @ points.T + level[:, None]).reshape(
            len(self.a), 4, len(points)
        )
        return found.min(1), found.max(1)

    def through(self, points: Floats) -> Bools:
        """Return through which points (m, 2) some line may run."""
        low, high = self.left(points)
        off = SLACK * self.most[:, None]
        return np.asarray(((low <= off) & (high >= -off)).any(0))

    def off(self, normals: Floats, levels: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return how far beyond straight lines (m,) starts and ends lie: least and most (n, m) of each."""
        one, other = (points @ normals.T - levels for points in (self.starts, self.ends))
        return one.min(1), one.max(1), other.min(1), other.max(1)


def _left_by(cell: Cell, other: Cell, sign: float = 1.0) -> Floats:
    """Return the sides (m, 2, 2) of a cell by which lines to another cell, or (-1.0) from it, can leave it."""
    p = cell.points
    if len(p) <= 2:
        return np.stack([p[:1], p[-1:]], axis=1)
    normals, level = cell.sides
    beyond = sign * (other.points @ normals.T - level)
    facing: Bools = np.max(beyond, axis=0) > 0.0
    return np.stack([p, np.roll(p, -1, axis=0)], axis=1)[facing]


def _pieces(sides: Floats) -> Floats:
    """Return sides cut in ``FIRST`` pieces each."""
    share = np.linspace(0.0, 1.0, FIRST + 1)[:, None]
    at = sides[:, :1] + (sides[:, 1:] - sides[:, :1]) * share
    return np.stack([at[:, :-1], at[:, 1:]], axis=2).reshape(-1, 2, 2)


@dataclass(frozen=True, eq=False)
class Chords:
    """Straight pieces in the way, (m, 2, 2): of some bodies.

    What crosses a ``through`` of a body is hindered by it: hidden where its shadow has no end. Else the body hides what
    lies up to ``factor`` times as far behind one of its ``edges`` as that lies from the higher end.
    """

    walls: Bools  # one a body
    through: Floats
    bodies: Bools  # which of the pieces that hinder belong to which body
    edges: Floats
    edges_of: Ints
    factor: Floats  # one an edge

    @classmethod
    def of(cls, bodies: Sequence[tuple[Floats, Floats, float]]) -> Chords:
        """Return the pieces of bodies: of each those that hinder, its edges, and its factor."""
        through, edges, factors = (list(column) for column in zip(*bodies, strict=True))
        edges = [own[: 0 if math.isinf(c) else None] for own, c in zip(edges, factors, strict=True)]
        number = np.arange(len(bodies))
        of = np.repeat(number, [len(own) for own in edges])
        return cls(
            np.isinf(factors),
            np.concatenate(through),
            np.repeat(number, [len(own) for own in through])[:, None] == number,
            np.concatenate(edges),
            of,
            np.array(factors)[of],
        )

    def hide(self, some: Bundles, t: float, limit: float) -> Bools:
        """Return which bundles are hidden, or longer than ``limit`` where they are not."""
        hindered = _across(some, self.through)[0] @ self.bodies
        found = np.asarray(hindered[:, self.walls].any(1))
        if len(self.edges):
            across, (near, far, behind) = _across(some, self.edges)
            across &= hindered[:, self.edges_of]
            room = t * (near + behind) / some.most[:, None] - SLACK
            hides = self.factor * near + room >= far
            with np.errstate(divide="ignore", invalid="ignore"):
                hides |= (1.0 + self.factor) * near / (near + far) * some.least[:, None] >= limit
            found |= (across & hides).any(1)
        return found


def _across(some: Bundles, chords: Floats) -> tuple[Bools, tuple[Floats, Floats, Floats]]:
    """Return which bundles cross which chords (n, m), all lines of them.

    And how far from each chord's line the starts lie at the least, the ends at the most and at the least.
    """
    if not len(chords):
        none = np.zeros((len(some.a), 0))
        return none > 0.0, (none, none, none)
    points = chords.reshape(-1, 2)
    low, high = some.left(points)
    off = SLACK * some.most[:, None]
    right, left = high < -off, low > off
    found = (right[:, ::2] & left[:, 1::2]) | (left[:, ::2] & right[:, 1::2])
    way = chords[:, 1] - chords[:, 0]
    normals = np.stack([way[:, 1], -way[:, 0]], axis=1) / np.hypot(way[:, 0], way[:, 1])[:, None]
    a_low, a_high, b_low, b_high = some.off(normals, (normals * chords[:, 0]).sum(1))
    on, back = (a_high < -SLACK) & (b_low > SLACK), (a_low > SLACK) & (b_high < -SLACK)
    near, far = np.where(on, -a_high, a_low), np.where(on, b_high, -b_low)
    return found & (on | back), (near, far, np.where(on, b_low, -b_high))


@dataclass(frozen=True, eq=False)
class Sides:
    """Sides (m, 2, 2) of units in the way, how near lines may not pass them, and the factors of their shadows."""

    ends: Floats
    near: Floats
    factor: Floats

    @classmethod
    def of(cls, passed: Sequence[tuple[Screen, float]], t: float) -> Sides:
        rings = [(ring, screen.clearance - max(t, GRAZE) - SLACK, c) for screen, c in passed for ring in screen.rings]
        count = [len(ring) - 1 for ring, _, _ in rings]
        ends = [np.stack([ring[:-1], ring[1:]], axis=1) for ring, _, _ in rings]
        near, factor = (np.repeat([own[k] for own in rings], count) for k in (1, 2))
        return cls(np.concatenate([np.zeros((0, 2, 2)), *ends]), near, factor)

    def hide(self, some: Bundles, low: Cell, t: float, limit: float) -> Bools:
        """Return which bundles pass some point of a side too near, all lines of them, before they come to ``low``.

        The point lies on the side: of a unit that closes its ground as near to the middle line as any, of one that is
        passed over as far along as that line's corridor goes.
        """
        if not len(self.ends):
            return np.zeros(len(some.a), bool)
        at = self._points(some)
        aside = self._aside(some, at)
        way, reach, over = some.b - some.a, at - some.a[:, None], np.isfinite(self.factor)
        c = np.where(over, self.factor, 0.0)
        along = _least_product(some, reach, way, -np.ones(len(c)), 0.0)
        found = (aside <= self.near) & (along > 0.0) & _before(some, low, at, aside)
        if over.any():
            beyond = _least_product(some, (1.0 + c)[:, None] * reach - way[:, None], way, -c, -1.0)
            dark = beyond >= (SLACK * some.most - t * some.least)[:, None]
            dark |= (1.0 + c) * along >= limit * some.most[:, None]
            found &= dark | ~over
        return np.asarray(found.any(1))

    def _points(self, some: Bundles) -> Floats:
        """Return a point (n, m, 2) of each side, as near to the middle lines or as far along them as it can be."""
        p, way = self.ends[:, 0], self.ends[:, 1] - self.ends[:, 0]
        u = some.u
        left = np.stack([-u[:, 1], u[:, 0]], axis=1)
        spread = np.maximum(*(np.abs((half * left).sum(1)) for half in (some.half_a, some.half_b)))
        off, rise = left @ p.T - (left * some.a).sum(1)[:, None], left @ way.T
        room = np.maximum(self.near - 1.1 * spread[:, None], 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = np.stack([(-room - off) / rise, -off / rise, (room - off) / rise])
        at = np.clip(np.where(np.abs(rise) < 1e-9, np.array([0.0, 0.5, 1.0])[:, None, None], at), 0.0, 1.0)
        onward = u @ way.T > 0.0
        last = np.where(onward, np.maximum(at[0], at[2]), np.minimum(at[0], at[2]))
        share = np.where(np.isfinite(self.factor), last, at[1])
        return np.asarray(p + share[..., None] * way)

    def _aside(self, some: Bundles, at: Floats) -> Floats:
        """Return how far (n, m) the lines pass points (n, m, 2) at the most."""
        starts, ways = np.repeat(some.starts, 2, axis=1)[:, :, None], some.ways[:, :, None]
        x, y = at[:, None, :, 0] - starts[..., 0], at[:, None, :, 1] - starts[..., 1]
        left = np.abs(ways[..., 0] * y - ways[..., 1] * x).max(1)
        with np.errstate(divide="ignore"):
            return np.asarray(left / some.least[:, None])


def _least_product(some: Bundles, p: Floats, q: Floats, with_a: Floats, with_b: float) -> Floats:
    """Return the least of p (n, m, 2) times the lines' ways q (n, 2), where p changes with either end.

    By ``with_a`` (m,) times as much as the start, by ``with_b`` times as much as the end.
    """
    a, b = some.half_a[:, None], some.half_b[:, None]
    q = q[:, None]
    aq, bq, ab = ((one * other).sum(2) for one, other in ((a, q), (b, q), (a, b)))
    found: Floats = (p * q).sum(2) - np.abs(with_a * aq - (p * a).sum(2)) - np.abs(with_b * bq + (p * b).sum(2))
    found -= np.abs(with_a) * (a * a).sum(2) + abs(with_b) * (b * b).sum(2) + np.abs((with_a - with_b) * ab)
    return found


def _before(some: Bundles, low: Cell, at: Floats, aside: Floats) -> Bools:
    """Return whether lines pass abreast of points (n, m, 2), ``aside`` of them, before they come to a cell."""
    normals, levels = low.sides
    u, turn = some.u, np.hypot(*some.half_a.T) + np.hypot(*some.half_b.T)
    with np.errstate(divide="ignore"):
        slant = np.abs(u[:, :1] * normals[:, 1] - u[:, 1:] * normals[:, 0]) + (1.5 * turn / some.least)[:, None]
    towards = (some.ways @ normals.T).max(1) < 0.0
    room = at @ normals.T - levels - aside[..., None] * slant[:, None]
    return np.asarray(((room >= 0.0) & towards[:, None]).any(2))
