"""The ground straight lines reach for a budget: all that the law of their price gives, and hardly more (TSE-ASL-06)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
import shapely
from shapely import affinity

from tabletop.geometry.measure import Point
from tabletop.geometry.movement.ground import Ground, ground_of
from tabletop.geometry.movement.line_cost import line_cost
from tabletop.geometry.movement.line_reach import MOST, ground_of_lines
from tabletop.geometry.movement.motion_cost import CostModel
from tabletop.geometry.terrain import Terrain
from tests.moving import O, battle, box, drawn

T = 0.005
FOOT, HORSE = CostModel(2.0, 0.5, 0.5), CostModel(4.0, 0.5, 0.5)
START = (O, O)


def at(bearing: float, far: float) -> Point:
    return O + far * math.sin(bearing), O + far * math.cos(bearing)


def legal(end: Point, budget: float, ground: Ground, cost_model: CostModel) -> bool:
    """Return whether a line costs no more than a budget and crosses no more impassable ground than the tolerance."""
    if line_cost(START, end, ground, cost_model).total > budget:
        return False
    closed = shapely.difference(ground.barred.area, ground.gaps)
    return bool(shapely.length(shapely.intersection(shapely.LineString([START, end]), closed)) <= T)


def ground_on(*terrain: Terrain) -> Ground:
    return ground_of(battle(terrain=terrain).table)


def strewn(rng: Random) -> Ground:
    """Return ground with pieces of all kinds strewn about the start, many of them crossed by bridges."""
    found = list[Terrain]()
    for k in range(rng.randint(2, 7)):
        x, y, wide, high = rng.uniform(-7, 5), rng.uniform(-7, 5), rng.uniform(0.3, 6), rng.uniform(0.3, 4)
        kind = rng.choice(("rough", "rough", "lake", "hedge", "stream", "stream"))
        if kind in ("hedge", "stream"):
            ends = [(x - wide, y - high), (x, y), (x + wide, y + rng.uniform(-3.0, 3.0))]
            found.append(drawn(kind, ends, f"p{k}"))
        else:
            found.append(turned(box(x - wide / 2, x + wide / 2, y - high / 2, y + high / 2, kind, f"p{k}"), rng))
        if rng.random() < 0.6:
            found.append(turned(box(x - 0.4, x + 0.4, y - high, y + high, "bridge", f"b{k}"), rng))
    return ground_on(*found)


def turned(piece: Terrain, rng: Random) -> Terrain:
    corners = shapely.get_coordinates(affinity.rotate(piece.shape, rng.uniform(0.0, 180.0)))[:-1]
    return Terrain.of_kind(piece.id, piece.kind, outline=[(x, y) for x, y in corners.tolist()])


def about(bearing: float, far: float) -> Iterator[Point]:
    """Yield places that lie within ``MOST`` of one, nearer to the start or beside it."""
    for less in np.linspace(0.0, 0.99 * MOST, 7).tolist():
        aside = math.sqrt(0.99 * MOST**2 - less**2)
        for side in np.linspace(-aside, aside, 9).tolist():
            yield at(bearing + math.atan2(side, far), max(far - less, 1e-6))


def checked(rng: Random, ground: Ground) -> int:
    """Check places at random, most of them near the rim; return how many lay where the law lets lines end."""
    cost_model, budget = rng.choice(((FOOT, 6.0), (HORSE, 12.0), (FOOT, rng.uniform(0.5, 6.0))))
    area = ground_of_lines(START, budget, ground, cost_model)
    shapely.prepare(area)
    assert area.is_valid
    count = 0
    for _ in range(60):
        bearing, far = rng.uniform(0.0, 2 * math.pi), budget * max(rng.random(), rng.random())
        rim = shapely.intersection(shapely.LineString([START, at(bearing, 2 * budget)]), area)
        for length in (far, rim.length - rng.uniform(0.0, 0.2), rim.length + rng.uniform(0.0, 0.2)):
            end = at(bearing, max(length, 1e-3))
            if shapely.intersects_xy(area, *end):
                assert any(legal(place, budget, ground, cost_model) for place in about(bearing, length)), end
            elif legal(end, budget, ground, cost_model):
                raise AssertionError((end, budget, area.distance(shapely.Point(end))))
            else:
                continue
            count += 1
    return count


@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(10), marks=pytest.mark.sweep)])
def test_all_ground_of_the_law_is_shown_and_hardly_more(seeds: range) -> None:
    """On a few fields, and on those that were once shown wrong."""
    some = (*seeds, 411, 776, 967, 1036)
    assert sum(checked(rng, strewn(rng)) for rng in map(Random, some)) > 50 * len(some)


@pytest.mark.sweep
def test_all_ground_of_the_law_is_shown_and_hardly_more_many_times() -> None:
    for seed in range(100, 1100):
        rng = Random(seed)
        checked(rng, strewn(rng))


def shown(end: Point, budget: float, ground: Ground) -> bool:
    area = ground_of_lines(START, budget, ground, FOOT)
    return bool(shapely.intersects_xy(area, O + end[0], O + end[1]))


def test_a_stream_under_a_bridge_costs_nothing_more() -> None:
    """TSE-MOV-09: half an inch for the bridge, none for what it crosses; beside it half an inch for the stream."""
    stream, bridge = drawn("stream", [(-9, 3), (9, 3)], "stream"), box(-0.3, 0.3, 2.5, 3.5, "bridge", "bridge")
    for ground in (ground_on(stream), ground_on(stream, bridge), ground_on(bridge)):
        assert shown((0.0, 5.49), 6.0, ground)
        assert not shown((0.0, 5.66), 6.0, ground)


def test_a_gap_is_shown_as_wide_as_it_is() -> None:
    """TSE-MOV-15: impassable ground is passed on the choke-point alone, to the very side of it."""
    lake, bridge = box(-9, 9, 2, 3, "lake", "lake"), box(-0.3, 0.3, 1.9, 3.1, "bridge", "bridge")
    ground = ground_on(lake, bridge)
    for side in (-1.0, 1.0):
        assert shown((side * 0.499, 5.0), 6.0, ground)  # 0.2994 aside where it leaves the bridge
        assert not shown((side * 0.55, 5.0), 6.0, ground)


def test_what_ends_beside_a_line_does_not_count() -> None:
    """TSE-MOV-08: the end of a hedge is passed by a hair."""
    ground = ground_on(drawn("hedge", [(0.002, 1.0), (5.0, 1.0)], "hedge"))
    assert shown((-0.001, 5.99), 6.0, ground)
    assert not shown((1.5, 5.7), 6.0, ground)
