"""Kernels as the plain loops they are written as, with numba or without: on lattices, where much lies on a limit.

What the compiler makes of them is tested where answers are; here all of them is walked, beside the plain way.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pytest
import shapely

from tabletop.geometry import fan
from tabletop.geometry.contact import Outlines, advance_until, table_until
from tabletop.geometry.cost_field import CostGrid
from tabletop.geometry.fares import Fares, Paid
from tabletop.geometry.field_of_view import seen_from
from tabletop.geometry.kernels import advances
from tabletop.geometry.lanes import NONE, Edges, Lanes, Stretches
from tabletop.geometry.price import Tariff
from tabletop.geometry.ray import Files, Lane, Met, Spent
from tabletop.geometry.setting import Node, Setting, directions_of
from tabletop.geometry.sight.law import SightLaw, clear_lines, holds
from tabletop.geometry.sight.obstruction import Bar, Ground, packed
from tabletop.geometry.spread import _inside_lanes
from tabletop.rules.tse.movement.motion import ACTIONS
from tabletop.rules.tse.movement.reach import setting_of
from tests.geometry.test_advances_at_once import SETTINGS, heads_of
from tests.geometry.test_sight_in_bulk import LAWS, ends_of, lattice_table
from tests.moving import O, battle, box, drawn, unit

T = TypeVar("T")
Both = Callable[[Callable[[], T]], tuple[T, T]]
LATTICE = 4
Pair = tuple[tuple[float, float], tuple[float, float]]


pytestmark = pytest.mark.usefixtures("divided_as_compiled")


def lattice(rng: np.random.Generator, *shape: int, most: float = 8.0) -> np.ndarray:
    """Places and lengths on quarters, so that sums and differences are exact and limits are met."""
    return rng.integers(0, int(most * LATTICE), shape, endpoint=True) / LATTICE


# --- arcs -------------------------------------------------------------------------------------------------------------


# --- fares ------------------------------------------------------------------------------------------------------------


def met_at(rng: np.random.Generator, rays: int, bases: int, most: int) -> Stretches:
    """Stretches of rough ground or of nothing (an obstacle) for some of the lanes, in order and apart."""
    lane, low, high = [], [], []
    for one in range(rays * bases):
        ends = np.sort(rng.choice(24, 2 * int(rng.integers(0, most + 1)), replace=False)) / LATTICE
        lane += [one] * (len(ends) // 2)
        low += ends[::2].tolist()
        high += ends[1::2].tolist()
    return Stretches(np.array(lane, int), np.array(low), np.array(high), np.zeros(len(lane), int))


def lasting(fare: Fares, budget: float, limit: np.ndarray) -> np.ndarray:
    """Return how far a budget lasts by the loop, way by way; those that meet nothing the plain way."""
    law, bases, found = fare.files.tariff, fare.files.count, fare.lasting(budget, limit)
    for e, i in enumerate(fare.which.tolist()):
        met, count = np.zeros((3, bases + 1, 9)), np.zeros((2, bases + 1), int)
        met[0, :bases, : len(fare.low)], met[1, :bases, : len(fare.low)] = fare.low[..., e].T, fare.width[..., e].T
        met[2, :bases, : len(fare.linear)], met[2, bases, : len(fare.choke)] = fare.linear[..., e].T, fare.choke[:, e]
        count[0, :bases], count[1, :bases], count[1, bases] = len(fare.low), len(fare.linear), len(fare.choke)
        if limit[i] >= 0.0:
            prices, paid = np.array(law.law), fare.paid
            found[i] = advances.lasting(
                paid.plain[i], paid.rough, paid.crossed, i, met, count, prices, budget, limit[i]
            )
    return found


@pytest.mark.parametrize("seed", range(6))
def test_how_far_budgets_last(seed: int) -> None:
    """TSE-MOV-01, TSE-MOV-06, TSE-MOV-08: prices are whole quarters, so budgets are spent to the last bit."""
    rng = np.random.default_rng(seed)
    n, bases = 40, 2
    files = Files((Lane(-1.0, 0.0, (0.0,)), Lane(0.0, 1.0, (0.0,))), 1.0, 0.0, Tariff(rough=2.0, linear=1.0, choke=0.5))
    point = met_at(rng, n, bases, 2)
    choke = met_at(rng, n, 1, 1)
    paid = Paid(lattice(rng, n, most=1.0), lattice(rng, n, bases, most=0.5), lattice(rng, n, bases, most=0.0))
    met = Met(
        n,
        met_at(rng, n, bases, 2),
        NONE,
        Stretches(point.lane, point.low, point.low, point.part),
        Stretches(choke.lane, choke.low, choke.low, choke.part),
    )
    limit = lattice(rng, n, most=7.0)
    limit[:3] = (-1.0, 0.0, 0.0)
    for budget in (0.0, 0.5, 1.0, 2.25, 3.0, 4.5, 8.0):
        plain = Fares.of(files, met, paid).lasting(budget, limit)
        found = lasting(Fares.of(files, met, paid), budget, limit)
        assert found.tolist() == pytest.approx(plain.tolist(), abs=2e-9)
        assert (found <= np.maximum(limit, -1.0)).all()
        whole = Fares.of(files, met, paid).spent(np.maximum(limit, 0.0)).total(files) <= budget
        assert (found[whole & (limit >= 0.0)] == limit[whole & (limit >= 0.0)]).all(), (
            "all of it, where all is paid for"
        )


# --- advances ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("seed", range(3))
def test_how_far_fronts_go_straight_on(name: str, seed: int, both: Both[Any]) -> None:
    """TSE-MOV-01, TSE-MOV-05 to 09, TSE-MOV-17: past outlines, rough ground, obstacles and choke-points."""
    setting = SETTINGS[name]()
    heads = heads_of(setting, seed)
    found, plain = both(lambda: fan.advances(setting, heads).lengths)
    assert (plain > 0.0).sum() > 30
    assert found == pytest.approx(plain, abs=2e-9)
    points = np.random.default_rng(seed).uniform(O - 5.0, O + 5.0, (20, 2))
    one, other = both(
        lambda: [(node.at, *node.spent.rough, node.cost) for node in fan.onward(setting, heads.nodes, points)]
    )
    assert len(one) > 5
    assert np.concatenate([*zip(*one, strict=True)], axis=None) == pytest.approx(
        np.concatenate([*zip(*other, strict=True)], axis=None), abs=1e-9
    )


def on_quarters() -> Setting:
    """What stands about the mover stands square to it, on quarters of an inch, flush with its sides and its front."""
    rough = [box(-4, -1, 1, 2), box(1, 3, 0.5, 1.5, id="b"), box(-1, 1, 2, 3, id="c"), box(-0.25, 0.25, -6, -3, id="d")]
    lines = [drawn("wall", [(-2, 3.5), (2, 3.5)]), drawn("hedge", [(1.5, -3), (1.5, 0)], id="h")]
    walls = [
        box(-8, -6, -2, 4, "lake", "lake"),
        box(6.5, 8, -1, 1, "lake", "pond"),
        box(-6, 6, -4, -3.5, "lake", "low"),
    ]
    walls += [box(3.5, 4.5, 0.5, 1.5, "bridge", "bridge"), box(-1, 1, 4.5, 5.5, "gate", "gate")]
    scene = battle(
        unit(n=4), unit("e", side="blue", n=4, front_mid=(0.0, 9.0), facing=180.0), terrain=[*rough, *lines, *walls]
    )
    return setting_of(scene, scene.unit("a"), ACTIONS["maneuver"])


@pytest.mark.parametrize("name", ["column", "general", "on quarters"])
@pytest.mark.parametrize("seed", range(2))
def test_how_far_advances_go_and_what_they_cost(name: str, seed: int, both: Both[Any]) -> None:
    """TSE-MOV-01, TSE-MOV-05 to 09, TSE-MOV-17: from where the mover forms and from other places."""
    setting = SETTINGS[name]() if name in SETTINGS else on_quarters()
    heads = heads_of(setting, seed)
    if name not in SETTINGS:
        rng = np.random.default_rng(seed)
        at = [(O + x, O + y) for x, y in (lattice(rng, 6, 2) - 4.0).tolist()]
        rough = (0.0,) * setting.files.count
        nodes = (Node.first(setting), *(Node(0.5, place, 0.0, Spent(0.5, rough), (place,)) for place in at))
        heads = fan.Heads(nodes, np.repeat(np.arange(7), 4), np.tile(np.arange(4) * math.pi / 2, 7))
    found, plain = both(lambda: fan.advances(setting, heads).lengths)
    assert np.maximum(found, -1.0).tolist() == pytest.approx(np.maximum(plain, -1.0).tolist(), abs=2e-9)
    assert (found > 0.0).sum() > 5
    points = np.array([node.at for node in heads.nodes])[heads.of] + directions_of(heads.bearings) * 0.75
    one, other = both(lambda: [(n.cost, n.at, n.facing, n.spent) for n in fan.onward(setting, heads.nodes, points)])
    assert len(one) == len(other) > 5
    for mine, theirs in zip(one, other, strict=True):
        assert mine[1:3] == theirs[1:3]
        assert mine[0] == pytest.approx(theirs[0], abs=2e-9)
        assert (mine[3].plain, *mine[3].rough) == pytest.approx((theirs[3].plain, *theirs[3].rough), abs=2e-9)


def test_where_friends_lie_in_lanes(both: Both[tuple[np.ndarray, np.ndarray]]) -> None:
    """TSE-MOV-12: flush with a lane's side, across it, within it; in lanes that go any way and square ones."""
    setting = SETTINGS["column"]()
    heads = heads_of(setting, 4)
    far = fan.advances(setting, heads)
    (low, high), (plain_low, plain_high) = both(lambda: _inside_lanes(setting, far))
    assert low == pytest.approx(plain_low, abs=1e-9)
    assert high == pytest.approx(plain_high, abs=1e-9)
    assert np.isfinite(low).sum() > 20


def test_a_budget_that_pays_for_all_of_an_advance_is_not_searched() -> None:
    """TSE-MOV-01: to the last bit of it."""
    files = Files((Lane(-1.0, 1.0, (0.0,)),), 1.0, 0.0, Tariff(rough=2.0, linear=1.0, choke=0.5))
    wall = Stretches(np.zeros(1, int), np.array([2.0]), np.array([2.0]), np.zeros(1, int))
    fare = Fares.of(files, Met(1, NONE, NONE, wall, NONE), Paid(np.array([2.0]), np.zeros((1, 1)), np.zeros((1, 1))))
    assert lasting(fare, 7.0, np.array([4.0])).tolist() == [4.0]
    assert lasting(fare, 4.0, np.array([4.0])).tolist() == [pytest.approx(2.0, abs=2e-9)]


def test_how_far_to_the_edge_of_the_table() -> None:
    """Whichever end of the front leaves it first, towards any edge."""
    rng = np.random.default_rng(1)
    room, bearings = (0.5, 0.5, 11.5, 7.5), rng.uniform(0.0, 2 * math.pi, 200)
    places, ways = rng.uniform((2.0, 2.0), (10.0, 6.0), (200, 2)), directions_of(bearings)
    plain = table_until(places, ways, 1.25, room)
    for (x, y), (ux, uy), far in zip(places.tolist(), ways.tolist(), plain.tolist(), strict=True):
        assert advances.table_until(x, y, ux, uy, 1.25, np.array(room)) == pytest.approx(far, abs=1e-9)


# --- fronts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_how_far_fronts_may_advance(seed: int, both: Both[np.ndarray]) -> None:
    """TSE-MOV-17: outlines on quarters: beside the lane, abreast of the front, behind it, at the very distance."""
    rng = np.random.default_rng(seed)
    starts = lattice(rng, 40, 2)
    boxes = [
        shapely.box(x, y, x + w, y + d)
        for x, y, w, d in np.hstack([lattice(rng, 9, 2), rng.integers(1, 5, (9, 2)) / LATTICE]).tolist()
    ]
    spikes = [
        shapely.Polygon([(x, y), (x + 1.0, y + 0.5), (x + 0.25, y + 1.0)]) for x, y in lattice(rng, 5, 2).tolist()
    ]
    keeps = rng.choice([0.0, 0.25, 0.5, 1.0], 14).tolist()
    outlines = Outlines.of(list(zip([*boxes, *spikes], keeps, strict=True)))
    ways = np.array([(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.6, 0.8), (-0.8, 0.6)])[rng.integers(0, 6, 40)]
    for half in (0.25, 0.75):
        found, plain = both(lambda: advance_until(starts, ways, half, outlines, 3.0))  # noqa: B023
        assert found.tolist() == pytest.approx(plain.tolist(), abs=1e-9)
        assert 0.1 < (found < 3.0).mean() < 1.0


@pytest.mark.parametrize(
    ("outline", "far"),
    [
        ([(1.5, 1.0), (2.5, 1.0), (2.5, 3.0), (1.5, 3.0)], 4.0),
        ([(-2.5, 1.0), (-1.5, 1.0), (-1.5, 3.0), (-2.5, 3.0)], 4.0),
        ([(0.0, 2.0), (0.5, 3.0), (-0.5, 3.0)], 1.5),
        ([(0.0, 4.5), (0.5, 6.0), (-0.5, 6.0)], 4.0),
        ([(1.25, 0.0), (1.75, -1.0), (1.25, -1.0)], 0.0),
        ([(1.25, -0.25), (1.75, -1.0), (1.25, -1.0)], 4.0),
        ([(1.3, 2.0), (2.0, 3.0), (1.3, 3.0)], 1.6),
        ([(-2.0, 3.0), (-1.3, 2.0), (-1.3, 3.0)], 1.6),
        ([(-3.0, -1.0), (3.0, -1.0), (3.0, 0.0), (-3.0, 0.0)], 0.0),
    ],
)
def test_one_outline_before_a_front(outline: list[tuple[float, float]], far: float, both: Both[np.ndarray]) -> None:
    """Two wide, to be kept half an inch away from: just as far aside or behind as that is far enough."""
    keep = Outlines.of([(shapely.Polygon(outline), 0.5)])
    for told in both(lambda: advance_until(np.zeros((1, 2)), np.array([(0.0, 1.0)]), 1.0, keep, 4.0)):
        assert told.tolist() == [pytest.approx(far, abs=1e-9)]


# --- lanes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("by_part", [False, True])
def test_where_lanes_meet_ground(seed: int, by_part: bool, both: Both[Stretches]) -> None:
    """TSE-MOV-06, TSE-MOV-08: areas that touch lanes, one another and the lanes' two ends; holes, lines, no width."""
    rng = np.random.default_rng(seed)
    areas = [
        shapely.box(x, y, x + w, y + d)
        for x, y, w, d in np.hstack([lattice(rng, 9, 2), rng.integers(1, 9, (9, 2)) / LATTICE]).tolist()
    ]
    areas.append(shapely.Polygon([(1, 1), (5, 1), (5, 5), (1, 5)], [[(2, 2), (2, 4), (4, 4), (4, 2)]]))
    lines = [shapely.LineString(points) for points in lattice(rng, 5, 3, 2).tolist()]
    ways = np.array([(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)])[rng.integers(0, 4, 16)]
    sides, behind = np.array([(-0.5, 0.0), (0.0, 0.5), (0.25, 0.25), (-1.0, 1.0)]), np.array([0.0, 0.5, 0.25, 0.0])
    lanes = Lanes(lattice(rng, 16, 2), ways, lattice(rng, 16, most=4.0), sides, behind)
    for edges in (Edges.of([*areas, *lines]), Edges.of(lines), Edges.of([])):
        for gap in (0.0, 0.25):
            found, plain = both(lambda: lanes.meeting(edges, gap, by_part))  # noqa: B023
            for name in ("lane", "low", "high", "part"):
                assert getattr(found, name).tolist() == pytest.approx(getattr(plain, name).tolist(), abs=1e-12)
    middle = replace(lanes, sides=np.zeros((1, 2)), behind=np.array([0.25]))
    for closed in (False, True):
        found, plain = both(lambda: middle.running(Edges.of(areas), closed, by_part))  # noqa: B023
        for name in ("lane", "low", "high", "part"):
            assert getattr(found, name).tolist() == pytest.approx(getattr(plain, name).tolist(), abs=1e-12)


# --- least costs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_least_costs_over_uneven_ground(seed: int, both: Both[np.ndarray]) -> None:
    rng = np.random.default_rng(seed)
    slowness = np.kron(rng.choice([0.5, 1.0, 2.0, np.inf], (4, 5), p=[0.2, 0.4, 0.2, 0.2]), np.ones((3, 3)))
    j, i = np.argwhere(np.isfinite(slowness))[5]
    grid = CostGrid(slowness, 0.5)
    for most in (math.inf, 2.0):
        found, plain = both(lambda: grid.field((i * 0.5, j * 0.5), most))  # noqa: B023
        assert found.ravel().tolist() == pytest.approx(plain.ravel().tolist(), abs=1e-9)


def test_ground_that_costs_nothing(loops: None) -> None:
    """Everywhere can be had for nothing, also where nothing may be spent."""
    for most in (math.inf, 0.0):
        assert not CostGrid(np.zeros((4, 5)), 1.0).field((2.0, 2.0), most).any()
    assert np.isinf(CostGrid(np.full((3, 3), np.inf), 1.0).field((1.0, 1.0))).all()


# --- segments ---------------------------------------------------------------------------------------------------------


def turned(point: tuple[float, float], turn: int) -> tuple[float, float]:
    """Turn a place by quarter turns, and mirror it."""
    x, y = (point[0], point[1]) if turn < 4 else (-point[0], point[1])
    for _ in range(turn % 4):
        x, y = -y, x
    return float(x), float(y)


# --- sight ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_lines_on_whole_inches(law: SightLaw, both: Both[np.ndarray]) -> None:
    """TSE-LOS-01 to 20: between, along and through corners, within the tolerance and without one."""
    table = lattice_table()
    starts, ends = ends_of(table, 60, 3)
    for tolerance in (None, 0.0):
        found, plain = both(lambda: clear_lines(table, starts, ends, law, tolerance=tolerance))  # noqa: B023
        assert found.tolist() == plain.tolist()
        assert 0.05 < found.mean() < 0.95


def test_in_which_rings_points_lie() -> None:
    """A point in the edge of a hill stands on it: rings may have holes, and edges level with the point."""
    area = shapely.Polygon([(0, 0), (6, 0), (6, 2), (4, 2), (4, 4), (0, 4)], [[(1, 1), (1, 3), (3, 3), (3, 1)]])
    hill = Bar(1, 0.0, True, ("hill",), area, area, 0)
    hill.__dict__["grown"] = area
    o = packed(Ground((hill,)), False)
    for x, y in (np.argwhere(np.ones((17, 13))) / 2.0 - 1.0).tolist():
        assert holds(o, 0, x, y) == area.intersects(shapely.Point(x, y)), (x, y)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_what_is_seen_of_ground_on_whole_inches(law: SightLaw, both: Both[shapely.Geometry]) -> None:
    """TSE-LOS-01 to 20: eyes on hills and their edges, in woods and in a clearing, level with edges, on the border."""
    table = lattice_table()
    for eye in ((0.0, 0.0), (2.0, 7.0), (7.0, 6.0), (11.0, 7.0), (21.0, 15.0), (16.0, 3.0), (20.5, 4.0), (6.5, 15.5)):
        found, plain = both(lambda: seen_from(table, eye, law))  # noqa: B023
        assert shapely.area(shapely.symmetric_difference(found, plain)) < 1e-6


# --- what is seen of free ground --------------------------------------------------------------------------------------


# --- past walls -------------------------------------------------------------------------------------------------------
