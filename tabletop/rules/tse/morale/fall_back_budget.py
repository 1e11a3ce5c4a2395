"""The budget of a fall-back: its distance, spent on ground and obstacles as in a move."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.cache import Cache
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.movement.choke_exemption import passages
from tabletop.geometry.movement.configuration_space import obstacle
from tabletop.geometry.movement.ground import Ground, Patches, edges_of, edges_within, ground_of
from tabletop.geometry.movement.leg_cost import straight_toll, straight_tolls
from tabletop.geometry.movement.leg_ground import ABOUT, ground_about, middle
from tabletop.geometry.movement.motion_cost import CostModel, Toll
from tabletop.geometry.movement.sweep import traced
from tabletop.rules.tse.morale.leading_edge import led_by
from tabletop.rules.tse.movement.motion import ACTIONS, cost_model

#: Bounds are computed leg by leg once this many legs are priced, for at least this many at once; slack for rounding.
MANY, FEW, SLACK = 24, 4, 1e-6


@dataclass(frozen=True)
class Spending:
    """The budget of a fall-back: its distance, spent on ground and obstacles as in a move (TSE-INV-01, TSE-INV-16).

    ``passing`` means that the unit will stand elsewhere next time, so the costs of its legs are not cached.
    """

    bases: tuple[Base, ...]
    ground: Ground
    law: CostModel
    distance: float
    plain: bool
    toll: float  # the most that nearby obstacles and choke-points can cost a leg
    leading: str
    passing: bool = False
    spent: dict[tuple[Point, ...], float] = field(default_factory=dict, compare=False)
    priced: dict[tuple[tuple[Point, ...], float], tuple[float, bool]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, battle: Battle, unit: Unit, distance: float, leading: str, passing: bool = False) -> Spending:
        """Return the budget of a unit driven with its ``leading`` edge first; recent ones are cached with their prices.

        It depends only on the rulings, the unit and the ground in its reach, not on other units nor on terrain farther
        away, so tables with the same ground in reach share it.
        """
        bases, edge = led_by(unit, leading)
        key = unit.bases, bases, distance, leading, cost_model(battle, unit, ACTIONS["maneuver"], edge), passing
        return _SPENDING.of(battle.table, key, lambda: cls._of(battle, unit, distance, leading, passing))

    @classmethod
    def _of(cls, battle: Battle, unit: Unit, distance: float, leading: str, passing: bool) -> Spending:
        reach = unit.footprint.buffer(distance + battle.tape.t)
        near = _ground_in(reach, ground_of(battle.table))
        bases, edge = led_by(unit, leading)
        law = cost_model(battle, unit, ACTIONS["maneuver"], edge, slowed=bool(near.rough))
        if passing:
            return cls._in(reach, near, bases, law, distance, leading, passing)
        key = unit.bases, bases, distance, leading, law, _shapes_in(reach, near, law.t)
        return _ALIKE.of((), key, lambda: cls._in(reach, near, bases, law, distance, leading))

    @classmethod
    def _in(
        cls,
        reach: BaseGeometry,
        near: Ground,
        bases: tuple[Base, ...],
        law: CostModel,
        distance: float,
        leading: str,
        passing: bool = False,
    ) -> Spending:
        """Return the budget of bases under a cost model, with ``near`` the ground in reach."""
        plain = not (near.rough or near.linear or near.choke)
        toll = sum(
            edges_within(kind.parts, reach) * price
            for kind, price in ((near.linear, law.linear), (near.choke, law.choke))
        )
        return cls(bases, near, law, distance, plain, toll, leading, passing)

    def left(self, before: Sequence[Point]) -> float:
        """Return the distance left after legs through the points ``before``."""
        key = tuple(before)
        if key not in self.spent:
            self.spent[key] = self.cost(((0.0, 0.0), *key))
        return max(0.0, self.distance - self.spent[key])

    def reckon(self, before: Sequence[tuple[Point, ...]]) -> None:
        """Compute in one batch the distance left after each of several single legs."""
        if self.plain:
            return
        new = [legs for legs in dict.fromkeys(before) if legs not in self.spent and len(legs) == 1]
        tolls = (
            straight_tolls(self.bases, [((0.0, 0.0), legs[0]) for legs in new], self.ground, self.law) if new else ()
        )
        for legs, toll in zip(new, tolls, strict=True):
            self.spent[legs] = toll.price().total

    def shortest(self, before: Sequence[Point]) -> float:
        """Return a length that the rest pays for in any direction, even if all is rough and every obstacle crossed."""
        remaining = self.left(before)
        return (
            remaining
            if self.plain
            else max(0.0, remaining - self.toll) / (self.law.rough if self.ground.rough else 1.0)
        )

    def at_least(self, before: Sequence[Sequence[Point]], starts: np.ndarray, ways: np.ndarray) -> np.ndarray:
        """Return for each last leg a length that the rest surely pays for, as if all of it were on rough ground.

        Computed leg by leg only once many legs are priced, and not for just a few at once.
        """
        short, remaining = self._limits(before)
        if len(self.priced) < MANY or len(ways) < FEW:
            return short
        return np.asarray(np.maximum(short, self._rest(starts, remaining, remaining, ways) / self._slowed - SLACK))

    def between(
        self, before: Sequence[Sequence[Point]], starts: np.ndarray, ways: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return for each last leg a lower and an upper bound on the length that the rest pays for.

        Computed leg by leg as in ``at_least``. The lower bound takes all ground as rough where a base may be on rough
        ground. The upper bound charges only for one point's path in rough ground, at the end of the leg.
        """
        short, remaining = self._limits(before)
        if len(self.priced) < MANY or len(ways) < FEW:
            return short, remaining
        slow, slack = self._slowed, 4.0 * self.law.t
        most = remaining - (1.0 - 1.0 / slow) * self._rough_of_a_point(starts, remaining[:, None] * ways)
        rest = self._rest(starts, remaining, most, ways)
        rough = _length_in(self._slow[1], _along(starts, ways, most, slack))
        sure = np.minimum(most, np.maximum(rest / slow, rest - (slow - 1.0) * rough)) - SLACK
        return np.maximum(short, sure), np.minimum(remaining, most + SLACK)

    def _limits(self, before: Sequence[Sequence[Point]]) -> tuple[np.ndarray, np.ndarray]:
        """Return, after each of some legs, how far the rest carries whatever the ground, and the rest itself."""
        each = {legs: (self.shortest(legs), self.left(legs)) for legs in dict.fromkeys(map(tuple, before))}
        short, remaining = np.array([each[tuple(legs)] for legs in before]).reshape(-1, 2).T
        return short, remaining

    @property
    def _slowed(self) -> float:
        return self.law.rough if self.ground.rough else 1.0

    def _rest(self, starts: np.ndarray, left: np.ndarray, most: np.ndarray, ways: np.ndarray) -> np.ndarray:
        """Return what is left for the ground of legs no longer than ``most`` once edges have been paid for.

        It pays for every edge of a choke-point that the middle of the front may meet, and for every edge of an obstacle
        that a base may meet over all of ``left``: an edge met aslant counts where it lies along the leg, not where the
        base meets it.
        """
        slack = 4.0 * self.law.t
        linear, choke = self._edges
        middles = starts + middle(self.bases, self.law.leading)
        toll = self.law.linear * _met(linear, _along(starts, ways, left, slack), slack)
        return np.asarray(left - toll - self.law.choke * _met(choke, _along(middles, ways, most, slack), slack))

    def _rough_of_a_point(self, starts: np.ndarray, ways: np.ndarray) -> np.ndarray:
        """Return how much of each straight leg the middle of one base's leading edge spends in rough ground.

        It is 0 if roads or choke-points may reduce the cost.
        """
        if not self.ground.rough or self.law.road != 1.0 or passages(self.ground):
            return np.zeros(len(ways))
        point = traced(self.bases[len(self.bases) // 2], "front_mid", self.law.leading)[0]
        return _length_in(self._slow[0], _lines(starts + point, ways))

    @cached_property
    def _slow(self) -> tuple[shapely.Geometry, shapely.Geometry]:
        """Rough ground shrunk by the tolerance, and the shifts that may put some base on rough ground."""
        rough = shapely.union_all(self.ground.rough.parts)
        grown = shapely.union_all([obstacle(self.bases, part) for part in self.ground.rough.parts])
        inside, about = (
            shapely.buffer(shape, by, join_style="mitre")
            for shape, by in ((rough, -self.law.t), (grown, 4.0 * self.law.t))
        )
        shapely.prepare([inside, about])
        return inside, about

    @cached_property
    def _edges(self) -> tuple[shapely.STRtree, shapely.STRtree]:
        """For each edge of an obstacle, the shifts that may put some base on it; and the edges of choke-points."""
        linear = [obstacle(self.bases, edge) for edge in edges_of(self.ground.linear.parts)]
        return shapely.STRtree(linear), shapely.STRtree(edges_of(self.ground.choke.parts))

    def lengths(self, legs: Sequence[tuple[Sequence[Point], float]]) -> list[tuple[float, bool]]:
        """Return, for each last leg (points before it, direction), how far the rest carries and whether it is spent."""
        if self.plain:
            return [(self.left(before), True) for before, _ in legs]
        keys = [(tuple(before), direction) for before, direction in legs]
        new = [key for key in dict.fromkeys(keys) if key not in self.priced]
        for key, result in zip(new, self._worked_out(new) if new else (), strict=True):
            self.priced[key] = result
        return [self.priced[key] for key in keys]

    def _worked_out(self, legs: Sequence[tuple[Sequence[Point], float]]) -> list[tuple[float, bool]]:
        """Return the same for new legs, cached across tables for legs with the same ground about them."""
        remaining = [self.left(before) for before, _ in legs]
        carried = [
            (length * x, length * y) for length, (_, d) in zip(remaining, legs, strict=True) for x, y in [heading(d)]
        ]
        ways = [(before[-1] if before else (0.0, 0.0), by) for (before, _), by in zip(legs, carried, strict=True)]
        keys = self._keys(ways, remaining)
        cached = [None if key is None else _CARRIED.get((), key) for key in keys]
        new = [k for k, result in enumerate(cached) if result is None]
        tolls = straight_tolls(self.bases, [ways[k] for k in new], self.ground, self.law) if new else []
        for k, toll in zip(new, tolls, strict=True):
            result = _carried(toll, remaining[k], self.law.t)
            cached[k] = (result,) if keys[k] is None else (_CARRIED.keep((), keys[k], result),)
        return [result[0] for result in cached if result is not None]

    def _keys(self, ways: Sequence[tuple[Point, Point]], left: Sequence[float]) -> list[Hashable]:
        """Return, for legs (start, vector), the cache key of how far they carry; None if it cannot be given."""
        cacheable = not self.passing and min(left) > 0.0
        about = ground_about(self.bases, ways, self.ground, self.law) if cacheable else None
        if about is None:
            return [None] * len(ways)
        return [(self._mover, *leg) for leg in zip(ways, left, about, strict=True)]

    @cached_property
    def _mover(self) -> object:
        return _mover(self.bases, self.law)

    def cost(self, way: Sequence[Point]) -> float:
        """Return the cost of a path, leg by leg."""
        return sum(self._cost(a, b) for a, b in pairwise(way))

    def _cost(self, start: Point, end: Point) -> float:
        if self.plain:
            return math.dist(start, end)
        bases = [b.moved(*start) for b in self.bases]
        return straight_toll(bases, end[0] - start[0], end[1] - start[1], self.ground, self.law).price().total


#: Recent budgets, by table and by equal ground in reach; and how far legs carry, which many tables share.
_SPENDING: Cache[Spending] = Cache(16)
_ALIKE: Cache[Spending] = Cache(64)
_CARRIED: Cache[tuple[float, bool]] = Cache(16384)


@lru_cache(maxsize=512)
def _mover(bases: tuple[Base, ...], law: CostModel) -> object:
    """Return a unique token for bases and their cost model, cheap to hash; a new one once the old one is evicted."""
    return object()


def _lines(starts: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """Return the lines (n,) from ``starts`` (n, 2) by ``ways`` (n, 2)."""
    return np.asarray(shapely.linestrings(np.stack([starts, starts + ways], axis=1)), object)


def _along(starts: np.ndarray, ways: np.ndarray, lengths: np.ndarray, slack: float) -> np.ndarray:
    """Return the lines (n,) along unit vectors ``ways``, of the given ``lengths`` plus ``slack`` at either end."""
    return _lines(starts - slack * ways, (lengths + 2.0 * slack)[:, None] * ways)


def _length_in(shape: shapely.Geometry, lines: np.ndarray) -> np.ndarray:
    """Return how much of each line lies in a prepared shape; only lines partly in it are cut."""
    lengths = np.where(shapely.covers(shape, lines), shapely.length(lines), 0.0)
    cut = np.flatnonzero((lengths == 0.0) & shapely.intersects(shape, lines))
    lengths[cut] = shapely.length(shapely.intersection(lines[cut], shape))
    return np.asarray(lengths)


def _met(shapes: shapely.STRtree, lines: np.ndarray, within: float) -> np.ndarray:
    """Return how many of ``shapes`` come within a distance of each line."""
    near = shapes.query(lines, predicate="dwithin", distance=within)[0]
    return np.bincount(near, minlength=len(lines))


def _carried(toll: Toll, left: float, t: float) -> tuple[float, bool]:
    """Return how far ``left`` carries along a leg, and whether that spends it in full."""
    if left == 0.0:
        return left, True
    far = toll.affordable(left)
    return far, left - toll.total(far) <= t or far >= left


def _ground_in(reach: BaseGeometry, ground: Ground) -> Ground:
    """Return the parts of the ground that lie in reach and cost something."""
    rough, linear, choke = (_in_reach(kind, reach) for kind in (ground.rough, ground.linear, ground.choke))
    return replace(ground, rough=rough, linear=linear, choke=choke)


def _shapes_in(reach: BaseGeometry, near: Ground, t: float) -> tuple[tuple[bytes, ...], ...]:
    """Return the shapes of the ground in reach, on which alone the cost of legs there depends.

    Each part is cut to the box about the reach, unless there is a choke-point, which exempts whatever it crosses.
    """
    kinds = [near.rough.parts, near.linear.parts, near.choke.parts]
    if not near.choke:
        window = shapely.box(*shapely.bounds(reach) + ABOUT * t * np.array([-1.0, -1.0, 1.0, 1.0]))
        kinds = [np.asarray(shapely.normalize(shapely.intersection(parts, window)), object) for parts in kinds]
    return tuple(tuple(map(shapely.to_wkb, parts)) for parts in kinds)


def _in_reach(patches: Patches, reach: BaseGeometry) -> Patches:
    """Return the patches that lie in reach."""
    near = np.flatnonzero(shapely.intersects(patches.parts, reach))
    return Patches(patches.parts[near], tuple(patches.ids[k] for k in near))
