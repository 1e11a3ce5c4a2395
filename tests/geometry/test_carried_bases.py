"""Bases carried straight among things of any shape, put beside what plain polygons say of them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
import shapely

from tabletop.geometry.base import Base
from tabletop.geometry.movement.configuration_space import Keep, Obstacles, critical, keeps, obstacle, passing

SEEDS = range(12)
#: What is nearer to a limit than this is left out of a comparison.
HAIR = 1e-4


def line(rng: np.random.Generator) -> list[Base]:
    """Return one to four bases abreast, or two and two one behind the other with a gap."""
    first = Base.entered(10.0, 10.0, float(rng.uniform(0, 360)), 1.0, 0.75)
    (fx, fy), (rx, ry) = first.forward, first.right
    if rng.random() < 0.3:
        return [first.moved(k * rx - d * fx, k * ry - d * fy) for k in (0, 1) for d in (0.0, 1.5)]
    return [first.moved(k * rx, k * ry) for k in range(int(rng.integers(1, 5)))]


def thing(rng: np.random.Generator) -> shapely.Geometry:
    """Return an L, a star, a ring or a line somewhere about."""
    x, y = rng.uniform(5.0, 15.0, 2)
    kind = int(rng.integers(0, 4))
    if kind == 0:
        shape: shapely.Geometry = shapely.Polygon([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)])
    elif kind == 1:
        angle = np.sort(rng.uniform(0, 2 * np.pi, 7))
        reach = rng.uniform(0.4, 2.0, 7)
        shape = shapely.convex_hull(shapely.MultiPoint(np.c_[reach * np.cos(angle), reach * np.sin(angle)]))
    elif kind == 2:
        shape = shapely.difference(shapely.box(-2, -2, 2, 2), shapely.box(-1.5, -1.5, 1.5, 1.5))
    else:
        shape = shapely.LineString([(-2.0, 0.0), (0.5, 0.25), (1.0, 2.0)])
    turned = shapely.affinity.rotate(shape, float(rng.uniform(0, 360)), origin=(0, 0))
    return shapely.affinity.translate(turned, float(x), float(y))


def swept(bases: list[Base], start: np.ndarray, end: np.ndarray) -> shapely.Geometry:
    """Return the ground that bases carried from one place to another pass over: each is convex."""
    return shapely.union_all(
        [shapely.convex_hull(shapely.union(b.moved(*start).polygon, b.moved(*end).polygon)) for b in bases]
    )


def legs(rng: np.random.Generator, count: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for _ in range(count):
        yield rng.uniform(-4.0, 4.0, 2), rng.uniform(-6.0, 6.0, 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_leg_is_clear_of_a_wall_just_when_nothing_of_it_is_passed_over(seed: int) -> None:
    """TSE-INV-07, TSE-MOV-15."""
    rng = np.random.default_rng(seed)
    for _ in range(8):
        bases, shape = line(rng), thing(rng)
        law = Obstacles(walls=(obstacle(bases, shape),))
        for start, end in legs(rng, 12):
            ground = swept(bases, start, end)
            apart = float(shapely.distance(ground, shape))
            depth = shapely.intersection(shapely.buffer(ground, -HAIR), shape)
            if apart > HAIR or not shapely.is_empty(depth):
                assert law.legs_clear(start[None], end[None]).tolist() == [apart > HAIR]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_way_may_end_where_the_bases_would_not_stand_in_anybody(seed: int) -> None:
    """TSE-INV-09."""
    rng = np.random.default_rng(seed)
    for _ in range(8):
        bases, shape = line(rng), thing(rng)
        law = Obstacles(ends=(obstacle(bases, shape),))
        points = rng.uniform(-6.0, 6.0, (30, 2))
        stood = [shapely.union_all([b.moved(*p).polygon for b in bases]) for p in points]
        for free, there in zip(law.ends_clear(points).tolist(), stood, strict=True):
            apart = float(shapely.distance(there, shape))
            if apart > HAIR or not shapely.is_empty(shapely.intersection(shapely.buffer(there, -HAIR), shape)):
                assert free == (apart > HAIR)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("limit", [0.5, 1.0])
def test_a_leg_keeps_its_distance_just_when_no_base_comes_nearer(seed: int, limit: float) -> None:
    """TSE-INV-07, TSE-MOV-17."""
    rng = np.random.default_rng(seed)
    bases, others = line(rng), [b.moved(*rng.uniform(-3.0, 3.0, 2)) for b in line(rng)]
    law = Obstacles(keeps=keeps(bases, others, limit))
    there = shapely.union_all([b.polygon for b in others])
    for start, end in legs(rng, 60):
        gap = float(shapely.distance(swept(bases, start, end), there))
        if abs(gap - limit) > HAIR:
            assert law.legs_clear(start[None], end[None]).tolist() == [gap > limit]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_direction_in_which_legs_begin_or_cease_to_be_clear_is_told(seed: int) -> None:
    """TSE-INV-06: corners and tangents for the way, and where a leg of that length ends just on something."""
    rng = np.random.default_rng(seed)
    met = 0
    for _ in range(6):
        bases, shape = line(rng), thing(rng)
        enemy = [b.moved(*rng.uniform(-5.0, 5.0, 2)) for b in line(rng)[:1]]
        law = Obstacles(walls=(obstacle(bases, shape),), keeps=keeps(bases, enemy, 1.0))
        at, length = rng.uniform(-1.0, 1.0, 2), float(rng.uniform(2.0, 7.0))
        if not law.legs_clear(at[None], at[None] + 1e-3)[0]:
            continue
        origin = (float(at[0]), float(at[1]))
        told = critical(law, origin, length)
        turns = np.arange(0.0, 360.0, 0.25)
        clear = law.legs_clear(np.tile(at, (len(turns), 1)), at + length * headings(turns))
        for k in np.nonzero(clear != np.roll(clear, -1))[0]:
            off = (told - turns[k]) % 360.0
            assert ((off <= 0.25 + 1e-6) | (off >= 360.0 - 1e-6)).any(), turns[k]
            met += 1
        assert set(np.round(passing(law, origin, length), 9)) <= set(np.round(told, 9))
    assert met > 3


def headings(turns: np.ndarray) -> np.ndarray:
    return np.stack([np.sin(np.radians(turns)), np.cos(np.radians(turns))], axis=1)


def test_a_corner_and_a_circle_are_passed_where_they_stand() -> None:
    """Bearings of a wall's corners within reach, and of both tangents to the circles about an enemy's corners."""
    wall, enemy = shapely.box(1.0, 3.0, 2.0, 4.0), shapely.box(-4.0, 0.0, -3.0, 1.0)
    law = Obstacles(walls=(wall,), keeps=(Keep(enemy, 1.0),))
    near = passing(law, (0.0, 0.0), 3.5)
    bearing = math.degrees(math.atan2(1.0, 3.0))
    assert np.abs(near - bearing).min() < 1e-9
    assert np.abs(near - math.degrees(math.atan2(2.0, 4.0))).min() > 1e-3, "out of reach"
    middle, half = -90.0, math.degrees(math.asin(1.0 / 3.0))
    for tangent in (middle - half, middle + half):
        assert np.abs(near - tangent).min() < 1e-9


def test_a_leg_that_ends_just_as_near_as_may_be() -> None:
    """TSE-INV-07: both bearings in which its end lies on the circle about an enemy's corner, and on his sides."""
    enemy = shapely.Polygon([(0.0, 4.0), (-0.125, 6.0), (0.125, 6.0)])
    law = Obstacles(keeps=(Keep(enemy, 0.75),))
    told = critical(law, (0.0, 0.0), 3.5)
    off = math.degrees(math.acos((3.5**2 + 4.0**2 - 0.75**2) / (2.0 * 3.5 * 4.0)))
    for bearing in (off, -off):
        assert np.abs(told - bearing).min() < 1e-9
        end = 3.5 * headings(np.array([bearing]))
        assert shapely.distance(shapely.Point(end[0]), enemy) == pytest.approx(0.75)


@pytest.mark.parametrize("at", [(0.0, 0.0), (0.5, -1.0)])
def test_a_leg_that_ends_just_on_an_edge(at: tuple[float, float]) -> None:
    wall = shapely.box(-3.0, 2.0, 3.0, 3.0)
    told = critical(Obstacles(walls=(wall,)), at, 4.0)
    off = math.degrees(math.acos((2.0 - at[1]) / 4.0))
    for bearing in (off, -off):
        end = at[0] + 4.0 * math.sin(math.radians(bearing))
        assert (np.abs(told - bearing).min() < 1e-9) == (abs(end) <= 3.0)
