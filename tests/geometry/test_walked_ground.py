"""How far a point gets over ground of several slownesses: against known least costs, and against ways walked again."""

import itertools
import math

import numpy as np
import pytest
import shapely
import shapely.affinity
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.walked_ground import LEGS, LONGEST, Reached, WalkedGround

pytestmark = pytest.mark.usefixtures("speed")

H = 0.25
#: Between the two directions farthest apart a way is longer than the straight line by no more than this share.
EXCESS = 1.0 / math.cos(math.atan(1.0 / LONGEST) / 2) - 1.0
#: Legs are priced in single precision, rounded up.
SINGLE = 2e-7


def ground(
    *layers: tuple[BaseGeometry, float],
    hard: BaseGeometry | None = None,
    size: tuple[float, float] = (12.0, 9.0),
) -> WalkedGround:
    return WalkedGround(*size, H, layers, hard if hard is not None else shapely.Polygon())


def nodes(found: Reached) -> tuple[np.ndarray, np.ndarray]:
    ny, nx = found.cost.shape
    x, y = np.meshgrid(np.arange(nx) * H, np.arange(ny) * H)
    return x, y


def walked(found: Reached, row: int, column: int, hard: BaseGeometry) -> float:
    """What the way to a node costs by the areas themselves; it may touch what is hard, not run into it."""
    way = found.way_to(row, column)
    assert way[0] == found.start
    assert way[-1] == (column * H, row * H)
    legs = shapely.linestrings([[a, b] for a, b in itertools.pairwise(way)])
    assert not shapely.intersects(legs, shapely.buffer(hard, -1e-6)).any()
    cost = shapely.length(legs).sum()
    for area, extra in found.ground.layers:
        # along a border a way may lie a hair to either side
        best = shapely.buffer(area, math.copysign(1e-9, -extra))
        cost += extra * shapely.length(shapely.intersection(legs, best)).sum()
    return float(cost)


def test_legs_go_in_as_many_directions_as_are_told() -> None:
    every = {math.atan2(up, over) for up, over in [*LEGS, *[(-up, -over) for up, over in LEGS]]}
    assert len(every) == 48
    gaps = np.diff(sorted([*every, min(every) + 2 * math.pi]))
    assert 1.0 / math.cos(gaps.max() / 2) - 1.0 == pytest.approx(EXCESS)


@pytest.mark.parametrize("start", [(6.0, 4.0), (6.13, 4.07), (0.0, 0.0), (11.9, 8.93)])
@pytest.mark.parametrize("most", [0.0, 1.7, 5.0])
def test_on_even_ground_the_reach_is_a_disc(start: tuple[float, float], most: float) -> None:
    found = ground().reach(start, most)
    x, y = nodes(found)
    away = np.hypot(x - start[0], y - start[1])
    claimed = np.isfinite(found.cost)
    assert (found.cost[claimed] >= away[claimed] - 1e-9).all(), "cheaper than can be had"
    assert (found.cost[claimed] <= away[claimed] * (1.0 + EXCESS + SINGLE)).all()
    assert (found.cost[claimed] <= most).all()
    assert claimed[away * (1.0 + EXCESS + SINGLE) <= most].all()


def test_through_a_strip_off_the_nodes_it_bends_by_snells_law() -> None:
    low, high, slow = 3.13, 5.37, 3.0
    start = (4.0, 1.0)
    found = ground((shapely.box(-1.0, low, 13.0, high), slow - 1.0)).reach(start, 30.0)
    x, y = nodes(found)
    behind = y >= 6.0
    plain = (low - start[1]) + (y - high)
    p, q = np.zeros_like(x), np.full_like(x, 1.0 - 1e-12)
    for _ in range(80):
        m = (p + q) / 2
        gone = plain * m / np.sqrt(1 - m * m) + (high - low) * m / np.sqrt(slow * slow - m * m)
        p, q = np.where(gone < np.abs(x - start[0]), m, p), np.where(gone < np.abs(x - start[0]), q, m)
    least = plain / np.sqrt(1 - p * p) + slow * slow * (high - low) / np.sqrt(slow * slow - p * p)
    over = (found.cost / least)[behind] - 1.0
    assert over.min() > -1e-9, "cheaper than can be had"
    assert over.max() < EXCESS + 0.005


def test_a_gap_narrower_than_the_nodes_lets_through() -> None:
    wall = shapely.union(shapely.box(5.1, -1.0, 5.4, 4.11), shapely.box(5.1, 4.17, 5.4, 10.0))
    found = ground(hard=wall).reach((4.0, 4.0), 6.0)
    x, y = nodes(found)
    beyond = (x > 5.5) & np.isfinite(found.cost)
    assert beyond.sum() > 100
    least = np.hypot(x - 4.0, y - 4.0)
    assert (found.cost[beyond] >= least[beyond] - 1e-9).all()
    shut = ground(hard=shapely.box(5.1, -1.0, 5.4, 10.0)).reach((4.0, 4.0), 6.0)
    assert np.isinf(shut.cost[x > 5.1]).all()


def test_round_a_corner_the_cost_is_two_straight_legs() -> None:
    corner = (5.06, 5.08)
    found = ground(hard=shapely.box(corner[0], -1.0, 6.0, corner[1])).reach((4.0, 2.0), 30.0)
    x, y = nodes(found)
    behind = (x > 6.0) & (y < 4.0)
    other = (6.0, corner[1])
    least = math.dist((4.0, 2.0), corner) + math.dist(corner, other) + np.hypot(x - other[0], y - other[1])
    over = (found.cost / least)[behind] - 1.0
    assert over.min() > -1e-9, "cheaper than can be had"
    assert over.max() < EXCESS + SINGLE


def test_nothing_is_reached_from_inside_what_is_hard() -> None:
    assert np.isinf(ground(hard=shapely.box(3.0, 3.0, 5.0, 5.0)).reach((4.0, 4.1), 9.0).cost).all()


def areas(seed: int) -> tuple[list[tuple[BaseGeometry, float]], BaseGeometry]:
    """Areas slow and fast that overlap, others hard, some with borders along the nodes and corners on them."""
    rng = np.random.default_rng(seed)

    def some(n: int, size: float) -> list[BaseGeometry]:
        middles, turns = rng.uniform((0, 0), (12, 9), (n, 2)), rng.uniform(0, 90, n)
        boxes = [shapely.box(x - size, y - size / 2, x + size, y + size / 2) for x, y in middles]
        return [shapely.affinity.rotate(box, turn) for box, turn in zip(boxes, turns, strict=True)]

    slow = [(area, float(rng.choice([0.5, 1.0, 3.0]))) for area in some(4, 1.5)]
    square = [(shapely.box(2.0, 2.0, 4.0, 3.5), 1.0), (shapely.box(7.0, 1.0, 7.5, 8.0), -0.4)]
    return [*slow, *square], shapely.union_all([*some(5, 0.6), shapely.box(8.0, 5.0, 9.0, 6.0)])


@pytest.mark.parametrize("seed", range(5))
def test_every_claim_is_a_way_that_costs_no_more(seed: int) -> None:
    layers, hard = areas(seed)
    start, most = (5.0, 4.0), 4.5
    hard = shapely.difference(hard, shapely.Point(start).buffer(0.3))
    found = ground(*layers, hard=hard).reach(start, most)
    claims = np.argwhere(np.isfinite(found.cost))
    assert len(claims) > 300
    for row, column in np.random.default_rng(seed).permutation(claims)[:60]:
        assert walked(found, row, column, hard) <= found.cost[row, column] + 1e-6
        assert found.cost[row, column] <= most
    assert found.way_to(*np.argwhere(np.isinf(found.cost))[0]) == []


@pytest.mark.parametrize("seed", range(3))
def test_mirrored_and_listed_otherwise_it_is_the_same(seed: int) -> None:
    layers, hard = areas(seed)
    start = (5.0, 4.0)
    found = ground(*layers, hard=hard).reach(start, 5.0).cost

    def mirrored(area: BaseGeometry) -> BaseGeometry:
        return shapely.transform(area, lambda xy: (12.0, 0.0) + xy * (-1.0, 1.0))

    turned = [(mirrored(area), extra) for area, extra in layers[::-1]]
    other = ground(*turned, hard=mirrored(hard)).reach((7.0, 4.0), 5.0).cost[:, ::-1]
    both = np.isfinite(found) & np.isfinite(other)
    assert (np.isfinite(found) != np.isfinite(other)).sum() <= 1, "but for a place at the very limit"
    assert found[both] == pytest.approx(other[both], abs=1e-6)
