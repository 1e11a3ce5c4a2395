"""The shortest line about a fixed corner between two convex cells, when only the direction is free.

In an interval of directions each end of the line lies on one side of its cell until the line passes a corner of the
cell: between two such marks the length is a sum of two secants of the direction, smooth and convex, and over the whole
interval it is convex. So the least mark tells the two pieces that can hold the least length, and the slope at that mark
whether one does; there Newton's steps find where the slope is nothing.
"""

from __future__ import annotations

import numpy as np

from tabletop.geometry.bodies import Bodies
from tabletop.geometry.sight.obstruction import Bools, Floats
from tabletop.geometry.sight_pivots import heading_of, wrap

#: Newton's steps, each kept within a bracket that shrinks; the last ones move by rounding errors only.
STEPS = 12
#: Marks nearer to each other (radians) are one.
SAME = 1e-12


def shortest_turn(v: Floats, a: Floats, e: Floats, high: Bodies, low: Bodies) -> Floats:
    """Return for each interval [a, e] (n,) of directions the one in which the line through v (n, 2) is shortest.

    The line runs from ``high`` through ``v`` to ``low``, each one body a row or one for all; all directions of the
    interval must meet both. Exact to rounding, in the length.
    """
    marks = _marks(v, a, e, high, low)
    length = _length(v, marks, high, low)
    row, k = np.arange(len(v)), length.argmin(1)
    mark = marks[row, k]
    best: Floats = length[row, k]
    angle: Floats = mark.copy()
    before = np.where(marks < mark[:, None] - SAME, marks, -np.inf).max(1)
    after = np.where(marks > mark[:, None] + SAME, marks, np.inf).min(1)
    for beyond, inward in ((before, 1.0), (after, -1.0)):
        some = np.nonzero(np.isfinite(beyond))[0]
        piece = _Piece(v[some], (mark[some] + beyond[some]) / 2, high.take(some), low.take(some))
        falls = piece.slope(mark[some])[0] * inward > 0.0
        some, piece = some[falls], piece.take(falls)
        if len(some):
            found = piece.least(mark[some], beyond[some])
            gone = _length(v[some], found[:, None], high.take(some), low.take(some))[:, 0]
            better = gone < best[some]
            best[some[better]], angle[some[better]] = gone[better], found[better]
    return angle


def _marks(v: Floats, a: Floats, e: Floats, high: Bodies, low: Bodies) -> Floats:
    """Return the ends of each interval and the directions in it at which the line passes a corner of a body, sorted."""
    way = np.concatenate([low.points - v[:, None], v[:, None] - high.points], axis=1)
    middle = ((a + e) / 2)[:, None]
    bends = middle + wrap(np.arctan2(way[..., 1], way[..., 0]) - middle)
    inside = np.clip(bends, a[:, None], e[:, None])
    marks: Floats = np.sort(np.concatenate([a[:, None], inside, e[:, None]], axis=1), axis=1)
    return marks


def _length(v: Floats, angle: Floats, high: Bodies, low: Bodies) -> Floats:
    """Return the lengths of lines through v (n, 2) in directions (n, k)."""
    u = heading_of(angle)
    return np.asarray(low.enter(v, u)[0] - high.leave(v, u)[0])


class _Piece:
    """One smooth piece an interval: the sides its lines end on, as normals (n, 2) and distances (n,) from v."""

    def __init__(self, v: Floats, middle: Floats, high: Bodies, low: Bodies) -> None:
        u = heading_of(middle)
        self.sides = [low.side(low.enter(v, u)[1], v), high.side(high.leave(v, u)[1], v)]

    def take(self, which: Bools) -> _Piece:
        some = object.__new__(_Piece)
        some.sides = [(normal[which], level[which]) for normal, level in self.sides]
        return some

    def slope(self, angle: Floats) -> tuple[Floats, Floats]:
        """Return the first and second derivative of the length by the direction."""
        u = heading_of(angle)
        first, second = np.zeros(len(angle)), np.zeros(len(angle))
        with np.errstate(divide="ignore", invalid="ignore"):
            for sign, (normal, level) in zip((1.0, -1.0), self.sides, strict=True):
                along = (normal * u).sum(1)
                aside = normal[:, 1] * u[:, 0] - normal[:, 0] * u[:, 1]
                share, tilt = sign * level / along, aside / along
                first -= share * tilt
                second += share * (1.0 + 2.0 * tilt * tilt)
        return first, second

    def least(self, one: Floats, other: Floats) -> Floats:
        """Return the direction of least length between two, by Newton's steps in a bracket."""
        a, e = np.minimum(one, other), np.maximum(one, other)
        angle = (a + e) / 2
        for _ in range(STEPS):
            first, second = self.slope(angle)
            a, e = np.where(first < 0.0, angle, a), np.where(first < 0.0, e, angle)
            with np.errstate(divide="ignore", invalid="ignore"):
                angle = angle - first / second
            angle = np.where((angle >= a) & (angle <= e), angle, (a + e) / 2)
        return angle
