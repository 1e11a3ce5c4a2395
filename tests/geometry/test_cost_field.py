"""Cost fields against known least costs: even ground, refraction through a strip, a corner; and against ways walked."""

import heapq
import math

import numpy as np
import pytest

from tabletop.geometry.movement.cost_field import EXCESS, CostGrid, near_least

H = 0.25


def nodes(ny: int, nx: int) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.meshgrid(np.arange(nx) * H, np.arange(ny) * H)
    return x, y


@pytest.mark.parametrize("start", [(6.0, 4.0), (6.1, 4.07), (0.0, 0.0), (12.0, 7.9)])
def test_on_even_ground_the_cost_is_the_distance(start: tuple[float, float]) -> None:
    x, y = nodes(41, 61)
    found = CostGrid(np.full((41, 61), 1.5), H).field(start)
    assert found == pytest.approx(1.5 * np.hypot(x - start[0], y - start[1]), abs=1e-9)


def refracted(across: np.ndarray, plain: np.ndarray, strip: float, slow: float) -> np.ndarray:
    """The least cost through ``plain`` of slowness 1 and a strip, ``across`` aside, by Snell's law (bisection)."""
    low, high = np.zeros_like(across), np.full_like(across, 1.0 - 1e-14)
    for _ in range(100):
        p = (low + high) / 2
        gone = plain * p / np.sqrt(1 - p * p) + strip * p / np.sqrt(slow * slow - p * p)
        low, high = np.where(gone < across, p, low), np.where(gone < across, high, p)
    p = (low + high) / 2
    cost: np.ndarray = plain / np.sqrt(1 - p * p) + slow * slow * strip / np.sqrt(slow * slow - p * p)
    return cost


@pytest.mark.parametrize("slow", [2.0, 4.0])
def test_behind_a_strip_of_rough_the_cost_is_by_snells_law(slow: float) -> None:
    x, y = nodes(97, 97)
    slowness = np.where((y > 10.1) & (y < 13.1), slow, 1.0)  # the cells' strip: from 10.125 to 13.125
    found = CostGrid(slowness, H).field((12.0, 4.0))
    behind = y >= 14.0
    least = refracted(np.abs(x - 12.0), (10.125 - 4.0) + (y - 13.125), 3.0, slow)[behind]
    over = found[behind] / least - 1.0
    assert over.min() > -1e-9, "cheaper than can be had"
    assert over.max() < EXCESS
    assert over.mean() < EXCESS / 2


def test_round_a_corner_the_cost_is_two_straight_legs() -> None:
    x, y = nodes(81, 81)
    slowness = np.where((x >= 10.0) & (y <= 12.0), np.inf, 1.0)
    found = CostGrid(slowness, H).field((4.0, 4.0))
    assert np.isinf(found[np.isinf(slowness)]).all()
    corner = (9.875, 12.125)
    seen = (x - 4.0) * (corner[1] - 4.0) <= (y - 4.0) * (corner[0] - 4.0)
    behind = np.isfinite(slowness) & ~seen & (x > 10.0)
    least = math.dist((4.0, 4.0), corner) + np.hypot(x - corner[0], y - corner[1])[behind]
    over = found[behind] - least
    assert behind.sum() > 500
    assert over.min() > -1e-9, "cheaper than can be had"
    assert (over - EXCESS * least).max() < H


def walked(slowness: np.ndarray, start: tuple[int, int]) -> np.ndarray:
    """Dijkstra over the eight neighbours: dearer than what may cut across, and of the same reach."""
    ny, nx = slowness.shape
    cost = np.full((ny, nx), np.inf)
    queue = [(0.0, *start)]
    while queue:
        c, j, i = heapq.heappop(queue)
        if cost[j, i] <= c:
            continue
        cost[j, i] = c
        for dj, di in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            if 0 <= j + dj < ny and 0 <= i + di < nx:
                step = (slowness[j, i] + slowness[j + dj, i + di]) / 2 * math.hypot(dj, di) * H
                heapq.heappush(queue, (c + step, j + dj, i + di))
    return cost


def uneven(seed: int, ny: int = 31, nx: int = 43) -> np.ndarray:
    rng = np.random.default_rng(seed)
    slowness = np.kron(rng.choice([0.5, 1.0, 2.0, 4.0, np.inf], (8, 11), p=[0.1, 0.4, 0.2, 0.1, 0.2]), np.ones((4, 4)))
    return np.ascontiguousarray(slowness[:ny, :nx])


@pytest.mark.parametrize("seed", range(6))
def test_on_uneven_ground_it_goes_where_steps_go_and_never_dearer(seed: int) -> None:
    slowness = uneven(seed)
    j, i = np.argwhere(slowness == 1.0)[7]
    found, steps = CostGrid(slowness, H).field((i * H, j * H)), walked(slowness, (j, i))
    assert (np.isfinite(found) == np.isfinite(steps)).all()
    fine = np.isfinite(steps)
    assert (found[fine] <= steps[fine] + 1e-9).all()
    assert (found[fine] >= 0.9 * steps[fine] - 1e-9).all()  # a way cuts a staircase of two steps by 8 % at most


@pytest.mark.parametrize("seed", range(6))
def test_mirrored_turned_and_from_the_other_end_it_is_the_same(seed: int) -> None:
    slowness = uneven(seed)
    nx = slowness.shape[1]
    (j, i), (m, k) = np.argwhere(slowness == 1.0)[[3, -3]]
    found = CostGrid(slowness, H).field((i * H, j * H))
    mirrored = CostGrid(slowness[:, ::-1], H).field(((nx - 1 - i) * H, j * H))[:, ::-1]
    turned = CostGrid(np.ascontiguousarray(slowness.T), H).field((j * H, i * H)).T
    for other in (mirrored, turned):
        assert (np.isfinite(found) == np.isfinite(other)).all()
        assert found[np.isfinite(found)] == pytest.approx(other[np.isfinite(found)], abs=1e-9)
    back = CostGrid(slowness, H).field((k * H, m * H))
    if math.isfinite(found[m, k]):
        assert found[m, k] == pytest.approx(back[j, i], rel=2 * EXCESS)
    else:
        assert math.isinf(back[j, i])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("most", [0.0, 0.4, 3.0, 7.5])
def test_asked_for_some_cost_only_it_is_the_same_as_far_as_that(seed: int, most: float) -> None:
    slowness = uneven(seed)
    j, i = np.argwhere(slowness == 1.0)[30]
    grid = CostGrid(slowness, H)
    whole, near = grid.field((i * H, j * H)), grid.field((i * H, j * H), most)
    assert (np.isfinite(near) == (whole <= most)).all()
    assert near[np.isfinite(near)] == pytest.approx(whole[whole <= most], abs=1e-9)


def test_nothing_is_reached_from_blocked_ground() -> None:
    slowness = np.ones((9, 9))
    slowness[4, 4] = np.inf
    assert np.isinf(CostGrid(slowness, H).field((1.0, 1.0))).all()


def test_the_least_cost_about_a_node_takes_in_its_neighbours() -> None:
    cost = np.full((5, 5), np.inf)
    cost[1, 1] = 3.0
    assert (np.isfinite(near_least(cost)) == (np.add.outer(np.arange(5) > 2, np.arange(5) > 2) == 0)).all()
