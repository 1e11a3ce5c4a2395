"""Ways of falling back among plain shapes, beside every way of a fine grid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
import shapely

from tabletop.geometry.measure import Point, heading
from tabletop.geometry.movement.configuration_space import Keep, Obstacles
from tabletop.geometry.movement.fall_back import (
    Arc,
    Fall,
    bent_fall_back,
    fall_back,
    fall_back_at_all,
    fall_back_short,
    some_fall_back,
)
from tabletop.geometry.movement.fall_back_beyond import fall_back_beyond, some_fall_back_beyond

HAIR = 1e-6


@dataclass(frozen=True)
class Level:
    """A budget that carries as far everywhere; with ``uneven``, less far the more a leg turns from north."""

    distance: float
    uneven: float = 0.0

    @property
    def plain(self) -> bool:
        return self.uneven == 0.0

    def left(self, before: Sequence[Point]) -> float:
        points = [(0.0, 0.0), *before]
        gone = sum(
            math.dist(p, q) / self.share(math.degrees(math.atan2(q[0] - p[0], q[1] - p[1])))
            for p, q in pairwise(points)
        )
        return max(0.0, self.distance - gone)

    def share(self, direction: float) -> float:
        return 1.0 - self.uneven * math.sin(math.radians(direction)) ** 2

    def shortest(self, before: Sequence[Point]) -> float:
        return self.left(before) * (1.0 - self.uneven)

    def at_least(self, before: Sequence[Sequence[Point]], starts: np.ndarray, ways: np.ndarray) -> np.ndarray:
        return np.array([self.shortest(legs) for legs in before])

    def between(
        self, before: Sequence[Sequence[Point]], starts: np.ndarray, ways: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        return np.array([self.shortest(legs) for legs in before]), np.array([self.left(legs) for legs in before])

    def reckon(self, before: Sequence[tuple[Point, ...]]) -> None:
        pass

    def lengths(self, legs: Sequence[tuple[Sequence[Point], float]]) -> list[tuple[float, bool]]:
        return [(self.left(before) * self.share(direction), True) for before, direction in legs]


def scene(seed: int) -> tuple[Arc, Obstacles, float]:
    """Return an arc, walls and enemies before the origin but not on it, places not to end in, and a distance."""
    rng = np.random.default_rng(seed)
    walls, ends, keeps = [], [], []
    for _ in range(int(rng.integers(1, 5))):
        x, y = rng.uniform(-4.0, 4.0), rng.uniform(0.3, 4.0)
        shape = shapely.box(x, y, x + rng.uniform(0.1, 3.0), y + rng.uniform(0.1, 1.5))
        walls.append(shapely.affinity.rotate(shape, float(rng.uniform(0, 360))))
    for _ in range(int(rng.integers(0, 4))):
        x, y = rng.uniform(-3.0, 2.0), rng.uniform(1.5, 4.0)
        ends.append(shapely.box(x, y, x + rng.uniform(0.3, 3.0), y + rng.uniform(0.3, 1.5)))
    for _ in range(int(rng.integers(0, 3))):
        x, y = rng.uniform(-4.0, 3.0), rng.uniform(1.5, 4.0)
        keeps.append(Keep(shapely.box(x, y, x + 1.0, y + 1.0), 1.0))
    here = shapely.Point(0.0, 0.0)
    law = Obstacles(
        walls=tuple(wall for wall in walls if wall.distance(here) > 0.1),
        keeps=tuple(keep for keep in keeps if keep.shape.distance(here) > 1.1),
        ends=tuple(ends),
    )
    off = float(rng.uniform(-45.0, 45.0))
    return Arc(0.0, -45.0 - off, 45.0 - off), law, float(rng.uniform(2.0, 5.0))


def legal(points: Sequence[Point], law: Obstacles) -> bool:
    """Return whether a way is clear and may end where it ends."""
    way = np.array(points)
    return bool(law.legs_clear(way[:-1], way[1:]).all() and law.ends_clear(way[-1:])[0])


def straight(arc: Arc, law: Obstacles, budget: Level, step: float = 0.05) -> np.ndarray:
    """Return every deviation of a fine grid, within the arc, at which one leg will do."""
    turns = np.arange(arc.low, arc.high, step)
    far = np.array([length for length, _ in budget.lengths([((), arc.wanted + d) for d in turns.tolist()])])
    ways = np.array([heading(arc.wanted + d) for d in turns.tolist()])
    ends = far[:, None] * ways
    good = law.legs_clear(np.zeros(ends.shape), ends) & law.ends_clear(ends)
    return np.asarray(turns[good])


def told(fall: Fall, arc: Arc, budget: Level) -> list[float]:
    """Return the deviations of a fall-back's legs, seen to be in the arc and to spend the budget."""
    legs = list(pairwise(fall.way))
    off = [math.degrees(math.atan2(q[0] - p[0], q[1] - p[1])) - arc.wanted for p, q in legs]
    assert all(arc.low - HAIR <= d <= arc.high + HAIR for d in off)
    assert budget.left(fall.way[1:]) == pytest.approx(0.0, abs=1e-6)
    return off


@pytest.mark.parametrize("uneven", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(60))
def test_the_first_way_by_deviation(seed: int, uneven: float) -> None:
    """TSE-INV-06: straight by the least turn if any straight way will do; else bent once if some such way will."""
    arc, law, distance = scene(seed)
    budget = Level(distance, uneven)
    found, grid = fall_back(arc, law, budget), straight(arc, law, budget)
    if len(grid):
        assert found is not None
        (turn,) = told(found, arc, budget)
        assert abs(turn) <= np.abs(grid).min() + (HAIR if budget.plain else 1e-3)
        assert legal(found.way, law)
    elif found is not None:
        told(found, arc, budget)
        assert legal(found.way, law)
        assert found.in_full
    elif budget.plain:
        assert not bent(arc, law, budget, seed)
    some = some_fall_back(arc, law, budget)
    assert (some is None) == (found is None)
    if some is not None:
        assert legal(some.way, law)
        told(some, arc, budget)


def bent(arc: Arc, law: Obstacles, budget: Level, seed: int, count: int = 4000) -> bool:
    """Return whether any of many ways of two legs drawn at random is legal."""
    rng = np.random.default_rng(seed)
    first, second = rng.uniform(arc.low, arc.high, (2, count))
    share = rng.uniform(0.05, 0.95, count) * budget.distance
    at = share[:, None] * np.array([heading(arc.wanted + d) for d in first.tolist()])
    end = at + (budget.distance - share)[:, None] * np.array([heading(arc.wanted + d) for d in second.tolist()])
    good = law.legs_clear(np.zeros(at.shape), at) & law.ends_clear(end)
    return bool((good & law.legs_clear(at, end)).any())


def test_the_scenes_put_the_question() -> None:
    kinds = [
        "none" if found is None else f"{len(found.way) - 1} legs"
        for found in (fall_back(arc, law, Level(distance)) for arc, law, distance in map(scene, range(60)))
    ]
    assert {kind: kinds.count(kind) >= 2 for kind in set(kinds)} == {"none": True, "1 legs": True, "2 legs": True}


@pytest.mark.parametrize("seed", range(60))
def test_as_far_as_it_can_go_straight(seed: int) -> None:
    """TSE-INV-08, by the ruling that it stops where it can go no farther: the longest way that may end there."""
    arc, law, distance = scene(seed)
    found = fall_back_short(arc, law, Level(distance))
    e = np.array(heading(arc.wanted))
    assert not found.in_full
    gone = float(np.hypot(*found.shift))
    assert np.array(found.shift) == pytest.approx(gone * e)
    tried = np.arange(0.0, distance, 0.01)
    ends = tried[:, None] * e
    good = law.legs_clear(np.zeros(ends.shape), ends) & law.ends_clear(ends)
    assert gone >= tried[good].max(initial=0.0) - HAIR
    assert gone == 0.0 or legal(((0.0, 0.0), tuple(((1.0 - 1e-7) * gone * e).tolist())), law)


@pytest.mark.parametrize("uneven", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(60))
def test_on_until_it_is_clear(seed: int, uneven: float) -> None:
    """TSE-INV-09: where it would end among friends it goes on by the least turn, no farther than needed or allowed."""
    arc, law, distance = scene(seed)
    budget, most = Level(distance, uneven), 1.5
    found, grid = fall_back_beyond(arc, law, budget, most), beyond(arc, law, budget, most)
    if len(grid):
        assert found is not None
        turn = math.degrees(math.atan2(*found.shift)) - arc.wanted
        assert abs(turn) <= np.abs(grid).min() + HAIR
    hint = ((0.0, 0.0), heading(float(seed)))
    for hints in ((), (hint,)) if found is None else ((), (hint,), (found.way,)):
        some = some_fall_back_beyond(arc, law, budget, most, hints)
        assert (some is None) == (found is None)
        assert some is None or legal(some[0].way, law)
    if found is None:
        return
    (x, y), gone = found.shift, math.hypot(*found.shift)
    turn = math.degrees(math.atan2(x, y)) - arc.wanted
    least = distance * budget.share(arc.wanted + turn)
    assert least - HAIR <= gone <= least + most + HAIR
    assert arc.low - HAIR <= turn <= arc.high + HAIR
    assert legal(found.way, law)
    nearer = np.arange(least, gone - 0.01, 0.01)
    if len(nearer):
        assert not law.ends_clear(nearer[:, None] * np.array([x, y]) / gone).any()


def beyond(arc: Arc, law: Obstacles, budget: Level, most: float) -> np.ndarray:
    """Return every deviation of a fine grid at which a straight way, gone on with if need be, will do."""
    good = []
    for turn in np.arange(arc.low, arc.high, 0.25).tolist():
        ((reach, _),) = budget.lengths([((), arc.wanted + turn)])
        ends = np.arange(reach, reach + most, 0.01)[:, None] * np.array(heading(arc.wanted + turn))
        clear = np.flatnonzero(law.ends_clear(ends))
        if len(clear) and law.legs_clear(np.zeros((1, 2)), ends[clear[:1]])[0]:
            good.append(turn)
    return np.array(good)


def test_a_bent_way_like_one_that_is_known() -> None:
    """TSE-INV-06: it is legal, and where there is none at all there is none like one either."""
    bent_ways = 0
    for seed in range(60):
        arc, law, distance = scene(seed)
        budget = Level(distance)
        found, some = fall_back(arc, law, budget), some_fall_back(arc, law, budget)
        way = some.way if some is not None and len(some.way) == 3 else ((0.0, 0.0), (0.3, 0.4), (-0.2, 1.0))
        like = bent_fall_back(arc, law, budget, [way, ((0.0, 0.0), (1.0, 1.0))])
        assert like is None or legal(like, law)
        assert like is None or found is not None
        bent_ways += some is not None and len(some.way) == 3
        assert like is not None or some is None or len(some.way) == 2
    assert bent_ways >= 2


@pytest.mark.parametrize("shift", [-1e-12, -1e-15, 0.0, 1e-15, 1e-12, 2e-3])
def test_past_an_enemy_in_contact(shift: float) -> None:
    """TSE-INV-09: the same way whatever rounding makes of a contact; where it is overlapped, by the tolerance."""
    beside, behind = shapely.box(-3.0, -1.0, shift, 1.0), shapely.box(-1.0, 1.0, 1.0, 4.0)
    others = shapely.Polygon([(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (3.0, 9.0)])
    law = Obstacles(walls=(beside, others), ends=(behind,), give=5e-3)
    found = fall_back_beyond(Arc(30.0, -45.0, 0.0), law, Level(2.0), 3.0)
    assert found is not None
    assert math.degrees(math.atan2(*found.shift)) == pytest.approx(18.435 if shift < 1e-3 else 18.526, abs=0.01)


@pytest.mark.parametrize("seed", range(20))
def test_a_line_told_at_once_is_a_way(seed: int) -> None:
    arc, law, distance = scene(seed)
    line = fall_back_at_all(arc, law, Level(distance))
    ahead = tuple(distance * v for v in heading(arc.wanted))
    assert (line is not None) == legal(((0.0, 0.0), (ahead[0], ahead[1])), law)
    grid = straight(arc, law, Level(distance))
    if len(grid):
        hint = ((0.0, 0.0), heading(arc.wanted + float(grid[len(grid) // 2])))
        (_, (x, y)) = fall_back_at_all(arc, law, Level(distance), [hint]) or ((0, 0), (0, 0))
        assert legal(((0.0, 0.0), (distance * x, distance * y)), law)
