"""Proof that no line between two convex cells is clear: bundles of lines are told hidden all at once.

A bundle is all lines from one straight piece to another. Lines leave the higher cell by one of its sides, and the least
hidden of all that run along one line ends on the far side of the lower cell; so the bundles from sides to sides hold
all lines. Whether a point lies to the left of a line is linear in either end: what holds for the lines between the
ends of two pieces holds for the bundle. So a bundle is surely hidden if all its lines cross a chord of a wall; or the
edge of what casts a shadow, where even the least way to it hides the greatest gap behind; or pass some point of a unit
within the clearance. A bundle of which that is not sure is parted, until one line of it is not surely hidden either.

The proof asks the law's own bodies under the law's own tolerance, and leaves ``SLACK`` to rounding: what it calls
hidden no search finds a line in. That it fails proves nothing. Woods that hold an end are not asked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from tabletop.geometry.distinct import distinct_rows
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight.law import Screen
from tabletop.geometry.sight.obstruction import AT_EDGE, Bar, Bools, Floats, Ground
from tabletop.geometry.sight_chords import SLACK, Bundles, Chords, Sides
from tabletop.geometry.sight_pair import Pair
from tabletop.geometry.sight_screens import bodies, fan

#: How often bundles are looked at, and how many may be left each time.
DEPTH, MOST = 6, 64
#: Directions across which the ground about a unit in the way is measured.
ACROSS = 5


def left_open(pair: Pair, ground: Ground, screens: Sequence[Screen], t: float, limit: float) -> Bundles | None:
    """Return None where surely no line of a pair, shorter than ``limit``, is clear under tolerance ``t``.

    Else bundles that hold all lines of which that is not sure. ``ground`` is the law's own, ``screens`` are those the
    pair's bars number.
    """
    proof, some = Proof.of(pair, ground, screens, t, limit), Bundles.of(pair)
    if proof is None:
        return some
    for k in range(DEPTH):
        some = some.parted() if k else some
        hidden, middles = np.split(proof.hides(some.with_middles()), 2)
        some = some.take(np.nonzero(~hidden)[0])
        if not len(some.a):
            return None
        if len(some.a) > MOST or not middles.all():
            break
    return some


@dataclass(frozen=True, eq=False)
class Proof:
    """What hides lines between the cells of a pair, under tolerance ``t``, from those shorter than ``limit``."""

    pair: Pair
    chords: Chords | None
    sides: Sides
    t: float
    limit: float

    @classmethod
    def of(cls, pair: Pair, ground: Ground, screens: Sequence[Screen], t: float, limit: float) -> Proof | None:
        """Return all that may hide lines of a pair, None where that is nothing or the cells meet."""
        passed = [(screens[-1 - bar.index], math.inf) for bar in pair.walls if bar.index < 0]
        passed += [(over.screen, over.factor) for over in pair.over]
        bars = [(ground.bars[bar.index], math.inf) for bar in pair.walls if bar.index >= 0]
        bars += [(ground.bars[bar.index], factor) for factor, bar in pair.shades]
        bars = [(bar, factor) for bar, factor in bars if _apart(bar, pair, t)]
        if not (passed or bars) or shapely.dwithin(pair.high.shape, pair.low.shape, 10 * AT_EDGE):
            return None
        bodies = [(*_pieces_of(bar, t), factor) for bar, factor in bars]
        bodies += [body for screen, factor in passed for body in _bodies_of(screen, factor, pair, t)]
        chords = Chords.of([_between(pair, *body) for body in bodies]) if bodies else None
        return cls(pair, chords, Sides.of(passed, t), t, limit + SLACK)

    def hides(self, some: Bundles) -> Bools:
        """Return which bundles are surely hidden, or too long."""
        found = self._too_long(some)
        for hide in (self._cross, self._pass):
            left = np.nonzero(~found)[0]
            if len(left):
                found[left] = hide(some.take(left))
        return found

    def _cross(self, some: Bundles) -> Bools:
        none = np.zeros(len(some.a), bool)
        return none if self.chords is None else self.chords.hide(some, self.t, self.limit)

    def _pass(self, some: Bundles) -> Bools:
        return self.sides.hide(some, self.pair.low, self.t, self.limit)

    def _too_long(self, some: Bundles) -> Bools:
        """Return the bundles whose lines are too long before they come to the lower cell."""
        if math.isinf(self.limit):
            return np.zeros(len(some.a), bool)
        away, _, inmost, _ = some.off(*self.pair.low.sides)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(away > 0.0, away / (away - np.minimum(inmost, 0.0)), 0.0)
        found: Bools = np.maximum(share * some.least[:, None], away).max(1) >= self.limit
        return found


def _apart(bar: Bar, pair: Pair, t: float) -> bool:
    """Return whether no line between the cells starts or ends so near a bar that it counts as holding that end."""
    if bar.see_through == 0 and not bar.hill:
        return not shapely.intersects(bar.core, pair.low.shape)
    near = 2.0 * max(AT_EDGE, 0.0 if bar.hill else t)
    return not any(shapely.dwithin(bar.area, cell.shape, near) for cell in (pair.high, pair.low))


def _pieces_of(bar: Bar, t: float) -> tuple[Floats, Floats]:
    """Return chords (k, 2, 2) of a bar such that a stretch across one counts under tolerance ``t``, and its edges.

    Both are kept with the bar.
    """
    kept: dict[float, tuple[Floats, Floats]] = bar.__dict__.setdefault("_pieces", {})
    if t not in kept:
        inner = shapely.buffer(bar.core, -0.51 * t, join_style="mitre") if t > 0.0 else bar.core
        corners = shapely.get_coordinates(shapely.constrained_delaunay_triangles(inner)).reshape(-1, 4, 2)
        chords = np.stack([corners[:, :-1], corners[:, 1:]], axis=2).reshape(-1, 4)
        swap = (chords[:, 0] > chords[:, 2]) | ((chords[:, 0] == chords[:, 2]) & (chords[:, 1] > chords[:, 3]))
        chords = np.where(swap[:, None], chords[:, [2, 3, 0, 1]], chords)
        edges = np.stack([bar.points, bar.points[bar.after]], axis=1)
        kept[t] = distinct_rows(chords).reshape(-1, 2, 2), edges
    return kept[t]


def _bodies_of(screen: Screen, factor: float, pair: Pair, t: float) -> list[tuple[Floats, Floats, float]]:
    """Return a unit in the way as bodies that hinder lines: with the ground about it, if it is not passed over."""
    wide = math.isinf(factor)
    if shapely.dwithin(screen.area, pair.low.shape, screen.clearance if wide else 10 * AT_EDGE):
        return []
    if wide:
        return [
            (_wide(body, screen.clearance - max(t, GRAZE) - SLACK, pair), np.zeros((0, 2, 2)), factor)
            for body in bodies(screen)
        ]
    edges = np.concatenate([np.stack([ring[:-1], ring[1:]], axis=1) for ring in screen.rings])
    return [(edges, edges, factor)]


def _wide(body: Floats, near: float, pair: Pair) -> Floats:
    """Return chords (k, 2, 2) of the ground ``near`` a convex body, square to the lines of a pair."""
    angle = np.linspace(*fan(pair.high.points, pair.low.points), ACROSS)
    left = np.stack([-np.sin(angle), np.cos(angle)], axis=1)
    at = left @ body.T
    first, last = body[at.argmin(1)] - near * left, body[at.argmax(1)] + near * left
    return np.stack([first, last], axis=1)


def _between(pair: Pair, through: Floats, edges: Floats, factor: float) -> tuple[Floats, Floats, float]:
    """Return those pieces that lines of a pair may meet."""
    normals, levels = pair.hull.sides

    def met(pieces: Floats) -> Floats:
        beyond = np.asarray(pieces @ normals.T > levels)
        kept: Floats = pieces[~np.any(np.all(beyond, axis=1), axis=1)]
        return kept

    return met(through), met(edges), factor
