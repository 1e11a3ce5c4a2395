"""Advances of a fan, all at once, beside one at a time: what they meet, how far they go, what lies between them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import shapely

from tabletop.geometry.movement.advance_area import _inside_strips, _sectors
from tabletop.geometry.movement.advance_contact import Outlines, advance_until, table_until
from tabletop.geometry.movement.advance_cost import Spent, farthest, met_by, rays
from tabletop.geometry.movement.advances import Advances, Heads, advances, costs_along, onward
from tabletop.geometry.movement.bearing_index import edge_ranges
from tabletop.geometry.movement.farthest_advance import Paid
from tabletop.geometry.movement.move_context import MoveContext, Node, directions_of
from tabletop.rules.tse.movement.motion import ACTIONS
from tabletop.rules.tse.movement.reach import setting_of
from tests.moving import O, battle, box, drawn, general, piece, unit

CROWDED = battle(
    unit(n=6, facing=30.0),
    unit("b", side="blue", n=5, formation="deployed", front_mid=(-3.0, 4.5), facing=160.0),
    unit("c", n=4, formation="deployed", front_mid=(3.5, 2.0), facing=10.0),
    unit("d", n=4, formation="deployed", front_mid=(-1.5, -2.0), facing=70.0),
    terrain=[
        piece("woods", [(1, 3), (4, 4), (3, 6), (0, 5)]),
        box(-8, -4, -3, 1, id="marsh"),
        box(3, 9, -9, -4, "lake", "lake"),
        drawn("wall", [(-5, -2), (-1, -4)]),
        drawn("hedge", [(-4, 2), (1, 1), (3, 3)], id="hedge"),
    ],
)
ROUGH = battle(
    general(), terrain=[box(-9, 9, 3, 6), box(4, 9, -9, -4, "lake", "lake"), drawn("wall", [(-5, 1), (5, 2)])]
)
SETTINGS: dict[str, Callable[[], MoveContext]] = {
    "column": lambda: setting_of(CROWDED, CROWDED.unit("a"), ACTIONS["maneuver"]),
    "general": lambda: setting_of(ROUGH, ROUGH.unit("a"), ACTIONS["general"]),
}


def heads_of(context: MoveContext, seed: int) -> Heads:
    """Return some directions out of where a mover forms and out of places about it, reached somehow."""
    rng = np.random.default_rng(seed)
    nodes = [Node.first(context)]
    for x, y in rng.uniform(-4.0, 4.0, (5, 2)).tolist():
        rough = tuple(rng.uniform(0.0, 0.5, context.files.count).tolist())
        cost = float(rng.uniform(0.0, 2.0))
        nodes.append(Node(cost, (O + x, O + y), float(rng.uniform(-3.0, 6.0)), Spent(cost, rough), ((O + x, O + y),)))
    of = np.sort(rng.integers(0, len(nodes), 120))
    return Heads(tuple(nodes), of, rng.uniform(-math.pi, 2 * math.pi, len(of)))


def slowly(context: MoveContext, heads: Heads) -> np.ndarray:
    """Return how far each advance goes, one at a time, past all there is."""
    starts, u, found = heads.starts(context), directions_of(heads.bearings), []
    for k, bearing in enumerate(heads.bearings):
        node, one = heads.nodes[heads.of[k]], np.array([bearing])
        facing = node.facing
        free = context.forms(one)[0] if facing is None else context.may_turn(node.at, facing, one)[0]
        spent, half = _turned(context, node, float(bearing)), context.files.half
        left = context.budget - spent.plain
        if not free or left < 0.0:
            found.append(-1.0)
            continue
        cap = min(left, table_until(starts[k], u[[k]], half, context.room, context.pad)[0])
        cap = min(cap, advance_until(starts[k], u[[k]], half, context.keep, left)[0])
        (ray,) = rays(context.files, context.ground, starts[[k]], u[[k]], np.array([max(cap, 1e-6)]))
        found.append(farthest(ray, spent, context.files, context.budget, cap))
    return np.array(found)


def _turned(context: MoveContext, node: Node, bearing: float) -> Spent:
    from tabletop.geometry.movement.advances import turned

    return turned(context, [node], np.array([bearing]))[0]


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("seed", range(3))
def test_advances_go_as_far_together_as_one_by_one(name: str, seed: int) -> None:
    """TSE-MOV-01, TSE-MOV-05 to 09, TSE-MOV-17: from where the mover forms and from other places."""
    context = SETTINGS[name]()
    heads = heads_of(context, seed)
    found, alone = advances(context, heads).lengths, slowly(context, heads)
    assert (alone > 0.0).sum() > 30
    assert np.maximum(found, -1.0) == pytest.approx(np.maximum(alone, -1.0), abs=2e-9)


@pytest.mark.parametrize("name", SETTINGS)
def test_ground_not_beside_an_advance_is_none_of_its_business(name: str) -> None:
    """What advances meet of the ground in their bearings is what they meet of all the ground, parts and ends alike."""
    context = SETTINGS[name]()
    heads = heads_of(context, 7)
    starts, u, lengths = heads.starts(context), directions_of(heads.bearings), np.full(len(heads.of), 3.0)
    outlines, beside = heads.beside(context)
    some = met_by(context.files, context.ground, starts, u, lengths, beside)
    every = met_by(context.files, context.ground, starts, u, lengths)
    assert len(every.rough) > 10
    assert len(every.linear) > 3
    for one, other in ((some.rough, every.rough), (some.linear, every.linear), (some.choke, every.choke)):
        assert one.strip.tolist() == other.strip.tolist()
        assert one.low == pytest.approx(other.low, abs=1e-12)
        assert one.high == pytest.approx(other.high, abs=1e-12)
    half, keep = context.files.half, context.keep
    free = advance_until(starts, u, half, keep, 3.0)
    assert advance_until(starts, u, half, keep, 3.0, outlines) == pytest.approx(free, abs=1e-12)


def test_what_is_kept_away_from_however_far_stops_a_front_at_once() -> None:
    """TSE-MOV-17: where the distance to keep has no end only what lies wholly behind the front does not matter."""
    keep = Outlines.of([(shapely.box(2.0, 1.0, 3.0, 2.0), math.inf)])
    found = advance_until(np.zeros(2), np.array([(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)]), 0.5, keep, 4.0)
    assert found.tolist() == [0.0, 0.0, 4.0, 4.0]


def test_an_edge_lies_in_the_bearings_of_every_strip_that_meets_it() -> None:
    """Strips of some width that begin behind their place; few of the others are looked at."""
    rng = np.random.default_rng(2)
    places, a = rng.uniform(-5.0, 5.0, (4, 2)), rng.uniform(-6.0, 6.0, (40, 2))
    b = a + rng.uniform(-2.0, 2.0, a.shape)
    of, bearings = np.repeat(np.arange(4), 50), rng.uniform(-7.0, 7.0, 200)
    wide, back = 0.75, 1.25
    found, _ = edge_ranges(places, a, b, np.full((40, 1), wide), np.full((40, 1), back))
    i, e = found.pairs(of, bearings)
    looked_at = set(zip(i.tolist(), e.tolist(), strict=True))
    assert len(looked_at) == len(i)
    u = directions_of(bearings)
    right = np.column_stack([u[:, 1], -u[:, 0]])
    ends = [places[of] + far * u + side * wide * right for far, side in ((-back, -1), (-back, 1), (20, 1), (20, -1))]
    strips = np.asarray(shapely.polygons(np.stack(ends, axis=1)))
    meet = shapely.intersects(strips[:, None], shapely.linestrings(np.stack([a, b], axis=1)))
    assert set(zip(*(column.tolist() for column in np.nonzero(meet)), strict=True)) <= looked_at
    assert len(looked_at) < 1.5 * meet.sum()


def test_a_friend_lies_in_a_strip_from_where_to_where_the_library_says() -> None:
    """TSE-MOV-16: friends ahead, beside and just behind a front."""
    context = SETTINGS["column"]()
    found = advances(context, heads_of(context, 4))
    low, high = _inside_strips(context, found)
    half, back, met = context.files.half - 1e-9, context.files.back, 0
    for k, (start, u) in enumerate(zip(found.starts, directions_of(found.bearings), strict=True)):
        right = np.array([u[1], -u[0]])
        corners = [start + far * u + side * half * right for far, side in ((-30, -1), (-30, 1), (30, 1), (30, -1))]
        for j, friend in enumerate(context.friends):
            part = shapely.intersection(shapely.Polygon(corners), friend)
            ahead = (shapely.get_coordinates(part) - start) @ u
            if part.area > 1e-6 and ahead.max() > -back and ahead.min() < found.lengths[k]:
                met += 1
                assert (low[k, j], high[k, j]) == pytest.approx((ahead.min(), ahead.max()), abs=1e-6)
            elif part.is_empty:
                assert np.isinf(low[k, j])
    assert met > 30


@pytest.mark.parametrize("name", SETTINGS)
def test_places_gone_on_to_cost_what_the_way_there_costs(name: str) -> None:
    """TSE-MOV-01: those within the allowance and no others, each at the price of its turn and its advance."""
    context = SETTINGS[name]()
    nodes = heads_of(context, 5).nodes[1:]
    points = np.random.default_rng(1).uniform(O - 5.0, O + 5.0, (40, 2))
    found = {(node.way[:-1], node.at): node for node in onward(context, nodes, points)}
    assert len(found) > 5
    for node in nodes:
        for x, y in points.tolist():
            dx, dy = x - node.at[0], y - node.at[1]
            heads = Heads((node,), np.zeros(1, int), np.array([math.atan2(dx, dy)]))
            far, away = float(slowly(context, heads)[0]), math.hypot(dx, dy)
            if abs(far - away) > 1e-6:
                assert ((node.way, (x, y)) in found) == (far > away)
            if far > away + 1e-6:
                spent = _turned(context, node, math.atan2(dx, dy))
                paid = Paid(np.array([spent.plain]), np.array([spent.rough]), np.array([spent.met]))
                starts = heads.starts(context)
                costs = costs_along(context, heads, starts, np.array([away]), paid, heads.beside(context)[1])
                after = costs.after(np.array([away]))[0]
                price = after.cost(context.files.cost_model)
                assert found[node.way, (x, y)].cost == pytest.approx(price, abs=1e-9)


# --- between two neighbours -------------------------------------------------------------------------------------------

STEP = math.radians(3.0)


def fan(far: Callable[[float], float], first: float, count: int) -> Advances:
    """Return advances every three degrees from the origin as far as ``far`` says of their bearings."""
    bearings = first + STEP * np.arange(count)
    node = Node(0.0, (0.0, 0.0), 0.0, Spent(0.0, (0.0,)), ())
    lengths = np.array([far(bearing) for bearing in bearings.tolist()])
    return Advances(Heads((node,), np.zeros(count, int), bearings), np.zeros((count, 2)), lengths)


def wall(distance: float, normal: float) -> Callable[[float], float]:
    """Return how far away a straight wall is in each bearing; it is nearest, ``distance`` off, towards ``normal``."""
    return lambda bearing: distance / math.cos(bearing - normal)


def excess(found: Advances, far: Callable[[float], float], count: int = 60) -> float:
    """Return by how much at most the sectors claim more than ``far``."""
    bands, worst = _sectors(found), -math.inf
    for first, second, (a, b) in zip(bands.first, bands.second, bands.outer, strict=True):
        one, other = found.bearings[first], found.bearings[second]
        gap = other - one
        for t in np.linspace(0.0, gap, count).tolist():
            chord = a * b * math.sin(gap) / max(a * math.sin(t) + b * math.sin(gap - t), 1e-12)
            worst = max(worst, chord - far(one + t))
    return worst


def test_along_a_straight_wall_all_of_it_is_claimed() -> None:
    far = wall(5.0, 0.6)
    found = fan(far, 0.6 - 2.7 * STEP, 6)
    bands = _sectors(found)
    assert bands.outer == pytest.approx(np.stack([found.lengths[bands.first], found.lengths[bands.second]], axis=1))
    assert excess(found, far) < 1e-9


@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("bend", [0.1, 0.3, 0.6])
def test_short_of_a_corner_that_stands_in_nothing_beyond_it_is_claimed(share: float, bend: float) -> None:
    """Two walls that meet in a corner pointing at the mover, between two of its advances."""
    at = 0.6 + share * STEP
    left, right = wall(5.0 * math.cos(bend), at + bend), wall(5.0 * math.cos(bend), at - bend)

    def far(bearing: float) -> float:
        return left(bearing) if bearing < at else right(bearing)

    found = fan(far, 0.6 - 5 * STEP, 12)
    assert far(0.6) > 5.0 < far(0.6 + STEP)
    assert excess(found, far) < 1e-9


@pytest.mark.parametrize("share", [0.2, 0.9])
@pytest.mark.parametrize("slope", [0.0, 0.3, 0.6])
@pytest.mark.parametrize("mirrored", [False, True])
def test_beside_a_jump_the_nearer_wall_may_run_on_up_to_it(share: float, slope: float, mirrored: bool) -> None:
    """A wall that comes nearer up to its end somewhere between two advances, and open ground beyond."""
    side = -1.0 if mirrored else 1.0
    near = wall(4.0, side * (slope + 0.1))

    def far(bearing: float) -> float:
        return near(bearing) if side * bearing < share * STEP else 9.0 / max(math.cos(bearing), 0.1)

    found = fan(far, -5 * STEP, 12)
    assert excess(found, far) < 1e-9
    assert _sectors(found).outer.max() > 8.5
