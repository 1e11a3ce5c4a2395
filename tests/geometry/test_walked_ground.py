"""How far a point gets over ground of several slownesses: against known least costs, and against ways walked again."""

import itertools
import math

import numpy as np
import pytest
import shapely
import shapely.affinity
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.walked_ground import LEGS, LONGEST, Outlines, Reached, WalkedGround

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


@pytest.mark.parametrize("extra", [1.0, -0.4])
def test_an_outline_halfway_between_a_corner_and_a_node_is_charged_from_there_on(extra: float) -> None:
    """The middle of such a leg lies on the outline, neither inside nor outside."""
    hard = shapely.box(2.0, 2.0, 3.0, 3.0)
    for start, area in (
        ((1.4, 2.5), shapely.box(3.5, -1.0, 5.0, 10.0)),
        ((3.6, 2.5), shapely.box(0.0, -1.0, 1.5, 10.0)),
    ):
        found = ground((area, extra), hard=hard, size=(6.0, 6.0)).reach(start, 9.0)
        for row, column in itertools.product(range(25), (4, 16)):
            if np.isfinite(found.cost[row, column]):
                assert walked(found, row, column, hard) == pytest.approx(found.cost[row, column], rel=SINGLE)


def test_a_place_for_all_that_may_be_spent_is_reached() -> None:
    found = ground().reach((6.125, 4.0), 0.125)
    assert np.argwhere(np.isfinite(found.cost)).tolist() == [[16, 24], [16, 25]]
    assert ground().reach((6.0, 4.0), 5.0).cost[16, 24 + 12] == 3.0, "not a hair more where prices are told exactly"


SLOW = shapely.Polygon([(1.0, 0.0), (3.0, 2.0), (1.0, 4.0), (-1.0, 2.0)])


@pytest.mark.parametrize("about", [SLOW, shapely.reverse(SLOW)])
@pytest.mark.parametrize(
    ("a", "b", "more"),
    [
        ((1.0, -2.0), (1.0, 2.0), 0.5),  # in by a corner
        ((1.0, 2.0), (1.0, 6.0), -0.5),  # out by a corner
        ((-3.0, 2.0), (5.0, 2.0), 0.0),  # in by one, out by another
        ((-3.0, 0.0), (5.0, 0.0), 0.0),  # past one
        ((-3.0, 4.0), (5.0, 4.0), 0.0),
        ((3.0, -2.0), (3.0, 6.0), 0.0),
        ((-1.0, 6.0), (-1.0, -2.0), 0.0),
        ((2.0, 1.0), (0.0, 3.0), 0.5),  # from its edge on, in
        ((0.0, 3.0), (-1.0, 4.0), -0.5),  # from its edge on, out
    ],
)
def test_a_corner_is_gone_through_once(
    about: shapely.Polygon, a: tuple[float, float], b: tuple[float, float], more: float
) -> None:
    """By one of the two edges that meet there; an edge where one segment ends and the next sets out by the next."""
    outlines = Outlines.of([(about, 0.5)])
    edges = np.arange(len(outlines.extra))
    way = np.broadcast_to(np.subtract(b, a), (len(edges), 2))
    _, share, changes = outlines.crossed(edges, np.broadcast_to(np.array(a), (len(edges), 2)), way)
    assert ((share >= 0.0) & (share < 1.0)).all()
    assert changes.sum() == more


def test_an_edge_at_which_a_segment_ends_is_left_to_the_next() -> None:
    outlines = Outlines.of([(shapely.box(1.0, 0.0, 3.0, 4.0), 0.5)])
    edges = np.arange(len(outlines.extra))
    told = []
    for x in (-1.0, 0.0, 1.0, 2.0, 3.0, 4.0):
        at, way = (np.broadcast_to(np.array(p), (len(edges), 2)) for p in ((x, 2.0), (1.0, 0.0)))
        told.append(outlines.crossed(edges, at, way)[2].tolist())
    assert told == [[], [], [0.5], [], [-0.5], []]


@pytest.mark.parametrize("tip", [(5.0, 0.0), (5.0, 9.0)])
def test_past_a_corner_on_the_edge_of_the_table(tip: tuple[float, float]) -> None:
    """What only touches the edge of the table can be gone about there; what stands over it cannot."""
    other = 10.0 - 1.25 * tip[1]
    wall = shapely.Polygon([tip, (5.5, other), (4.5, other)])
    found = ground(hard=wall).reach((4.0, 4.5), 14.0)
    assert found.cost[18, 24] == pytest.approx(math.dist((4.0, 4.5), tip) + math.dist(tip, (6.0, 4.5)), rel=EXCESS)
    over = shapely.union(wall, shapely.box(4.9, tip[1] - 0.5, 5.1, tip[1] + 0.5))
    assert np.isinf(ground(hard=over).reach((4.0, 4.5), 14.0).cost[:, 24:]).all()


def test_from_the_first_corner_only_its_links_lead_on() -> None:
    """It stands next to the last node in the list of places, but has no legs of the grid."""
    priced = ground(hard=shapely.box(3.1, 3.1, 5.0, 5.0))
    corner = len(priced.slowness)
    first, others, price = priced.links
    to, spent = priced.onward(np.array([corner]), np.array([2.0]))
    own = slice(first[corner], first[corner + 1])
    assert to.tolist() == others[own].tolist()
    assert spent.tolist() == pytest.approx((price[own] + 2.0).tolist())
