"""What choke-points spare those who pass over them: one law in every form of the price (TSE-MOV-09, TSE-TER-05)."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.movement.advance_cost import met_by, over_chokes
from tabletop.geometry.movement.advances import Heads, advances, reached
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.movement.leg_cost import straight_toll, straight_tolls
from tabletop.geometry.movement.leg_ground import ground_about
from tabletop.geometry.movement.motion import Pivot, Straight
from tabletop.geometry.movement.move_context import MoveContext, Node, Nodes
from tabletop.geometry.terrain import Terrain
from tabletop.rules.tse.movement.motion import ACTIONS, along, body_of, cost_model, ground_under, planned_move
from tabletop.rules.tse.movement.reach import setting_of
from tests.moving import O, battle, box, by_path, drawn, piece, unit


def scene(seed: int) -> Battle:
    """Return a column before a stream in rough banks, aslant, with one or two bridges over it."""
    rng = np.random.default_rng(seed)
    angle, at = rng.uniform(-0.9, 0.9), rng.uniform(1.0, 3.0)
    c, s = math.cos(angle), math.sin(angle)

    def put(x: float, y: float) -> tuple[float, float]:
        return x * c - y * s, x * s + y * c + at

    def aslant(x0: float, x1: float, y0: float, y1: float, kind: str, name: str) -> Terrain:
        return piece(kind, [put(x0, y0), put(x1, y0), put(x1, y1), put(x0, y1)], name)

    x, wide, long = rng.uniform(-1.0, 1.0), rng.uniform(0.4, 1.5), rng.uniform(0.3, 1.2)
    terrain = [
        drawn("stream", [put(-20, 0), put(20, 0)], "stream"),
        aslant(x - wide, x + wide, -long, long, "bridge", "b"),
    ]
    if seed % 2:
        bank = rng.uniform(0.1, 1.5)
        terrain.append(aslant(-20, 20, -bank, bank, "marsh", "banks"))
    if seed % 3 == 0:
        terrain.append(aslant(x + 2.5, x + 3.5, -0.5, 0.5, "gate", "other"))
    keys = {"formation": "march-column"} if seed % 4 == 3 else {}
    return battle(unit(n=int(rng.integers(2, 9)), quality="elite", **keys), terrain=terrain)


def moving(seed: int) -> tuple[Battle, Unit, str, dict[str, Any], MoveContext]:
    """Return a scene, its unit, the action by which it moves, the options of that, and what it moves by."""
    there = scene(seed)
    own, name = there.unit("a"), "march" if seed % 4 == 3 else "maneuver"
    return there, own, name, {"head": 0} if name == "march" else {}, setting_of(there, own, ACTIONS[name])


@pytest.mark.parametrize("seed", range(24))
def test_a_budget_lasts_as_far_as_the_exact_price_says(seed: int) -> None:
    """TSE-MOV-09: bulk advances and the toll of the same way agree, to and beyond a bridge."""
    there, own, name, forming, context = moving(seed)
    bearings = np.radians(np.arange(-75.0, 76.0, 7.5))
    heads = Heads((Node.first(context),), np.zeros(len(bearings), int), bearings)
    found = advances(context, heads)
    for bearing, far in zip(bearings.tolist(), found.lengths.tolist(), strict=True):
        at = context.pivot[0] + 40 * math.sin(bearing), context.pivot[1] + 40 * math.cos(bearing)
        way = along(there, own, ACTIONS[name], [at], None, **forming)
        assert far == pytest.approx(way.toll.affordable(context.budget), abs=1e-5)


@pytest.mark.parametrize("seed", range(16))
def test_what_two_legs_cost(seed: int) -> None:
    """TSE-MOV-09: legs told one after the other cost what the whole way does; a leg may be split anywhere."""
    there, own, name, forming, context = moving(seed)
    rng = np.random.default_rng(seed)
    first = np.array(context.pivot) + np.array([rng.uniform(-0.5, 0.5), rng.uniform(1.0, 2.0) + context.offset])
    node = reached(context, Nodes.of([Node.first(context)]), first[None])
    if not len(node.cost):
        return
    points = first + (first - np.array(context.pivot)) * rng.uniform(0.1, 1.2, (4, 1))
    later = reached(context, Nodes.of([node.node(0)]), points)
    for at, cost in zip(later.at.tolist(), later.cost.tolist(), strict=True):
        whole = along(there, own, ACTIONS[name], [tuple(at)], None, **forming).price.total
        split = along(there, own, ACTIONS[name], [tuple(first.tolist()), tuple(at)], None, **forming).price.total
        assert split == pytest.approx(whole, abs=1e-6)
        assert (
            whole - 1e-5 <= cost <= whole + 0.5 + 1e-5
        )  # one base may meet the stream in one leg, another in the next


@pytest.mark.parametrize("seed", range(24))
def test_many_legs_at_once_cost_what_each_does(seed: int) -> None:
    """TSE-INV-16, TSE-MOV-09: as the bases are driven back, in any direction near their rear."""
    there = scene(seed)
    own = there.unit("a").turned(180.0)
    ground, law = ground_under(there, own, ACTIONS["maneuver"]), cost_model(there, own, ACTIONS["maneuver"], "rear")
    legs = [((0.0, 0.0), (6 * math.sin(a), 6 * math.cos(a))) for a in np.radians(np.arange(-45.0, 46.0, 9.0))]
    for leg, toll in zip(legs, straight_tolls(own.bases, legs, ground, law), strict=True):
        assert toll.price().total == pytest.approx(straight_toll(own.bases, *leg[1], ground, law).price().total)


@pytest.mark.parametrize("degrees", [-45.0, -20.0, 0.0, 20.0, 45.0])
@pytest.mark.parametrize("n", [2, 4, 8])
def test_over_the_bridge_aslant(degrees: float, n: int) -> None:
    """TSE-MOV-09: whatever the angle, whatever the front, the bridge costs half an inch and the stream nothing."""
    stream, bridge = drawn("stream", [(-30, 3), (30, 3)], "stream"), box(-0.5, 0.5, 2.5, 3.5, "bridge", "bridge")
    a = math.radians(degrees)
    own = unit(n=n, front=n // 2, facing=degrees, front_mid=(-math.tan(a) * 2.0, 1.0))
    over = battle(own, terrain=[stream, bridge])
    price = by_path(over, (0.0, 3.0), (math.tan(a) * 3.0, 6.0)).measured
    assert (price["linear"], price["choke"]) == (0, 1)


def test_beside_it_and_back_over_it() -> None:
    """TSE-MOV-08, TSE-MOV-09: through the stream at its price, round, and over the bridge at the bridge's."""
    stream, bridge = drawn("stream", [(-30, 1), (30, 1)], "stream"), box(3.5, 4.5, 0.5, 1.5, "bridge", "bridge")
    there = battle(unit(troop="light-cavalry", n=2, front=1, front_mid=(0.0, 0.0)), terrain=[stream, bridge])
    price = by_path(there, (0.0, 4.0), (4.0, 4.0), (4.0, -3.0)).measured
    assert (price["linear"], price["choke"]) == (1, 1)


def test_a_turn_on_the_bridge() -> None:
    """TSE-MOV-09: corners that swing over the stream while the middle is on the bridge pay nothing."""
    stream, bridge = drawn("stream", [(-30, 1), (30, 1)], "stream"), box(-0.5, 0.5, 0.5, 1.5, "bridge", "bridge")
    there = battle(unit(front_mid=(0.0, 0.0)), terrain=[stream, bridge])
    own = there.unit("a")
    gone = planned_move(there, own, own, ACTIONS["maneuver"], [Straight(0.8), Pivot(40.0)])
    assert (gone.price.linear, gone.price.choke) == (0, 1)
    off = planned_move(
        there, own.moved(3.0, 0.0), own.moved(3.0, 0.0), ACTIONS["maneuver"], [Straight(0.8), Pivot(40.0)]
    )
    assert (off.price.linear, off.price.choke) == (1, 0)
    assert body_of(own).mid == (O, O)


@pytest.mark.parametrize("seed", range(8))
def test_lines_under_bridges_at_once_and_one_by_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-MOV-09: what advances meet of winding streams with bridges is what the law says of each by itself."""
    rng = np.random.default_rng(seed)
    bends = [(-9.0 + 1.5 * k, float(rng.uniform(1.0, 3.5))) for k in range(13)]
    ways = [[bends[k], bends[k + 1], (bends[k][0] + 1.0, bends[k][1] + 3.0)] for k in (3, 6)]
    at = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in (bends[4:6], bends[7:9])]
    bridges = [box(x - 0.5, x + 0.5, y - 0.6, y + 0.6, "bridge", f"b{k}") for k, (x, y) in enumerate(at)]
    lines = [drawn("stream", bends, "stream"), *(drawn("hedge", way, f"h{k}") for k, way in enumerate(ways))]
    there = battle(unit(n=5, quality="elite"), terrain=[*lines, *bridges])
    context = setting_of(there, there.unit("a"), ACTIONS["maneuver"])
    bearings, lengths = rng.uniform(-1.2, 1.2, 80), rng.uniform(1.0, 9.0, 80)
    u = np.column_stack([np.sin(bearings), np.cos(bearings)])
    starts = np.array(context.pivot) + rng.uniform(-1.5, 1.5, (80, 2)) + context.offset * u
    found = [met_by(context.files, context.ground, starts, u, lengths)]
    monkeypatch.setattr("tabletop.geometry.movement.advance_cost.lines_alone", lambda passage, ground: False)
    found.append(met_by(context.files, context.ground, starts, u, lengths))
    quick, slow = (met.linear for met in found)
    assert quick.strip.tolist() == slow.strip.tolist()
    assert quick.low == pytest.approx(slow.low, abs=2e-6)
    assert sum(on.sum() for _, on in over_chokes(context.files, context.ground, starts, u, lengths)) > 5


@pytest.mark.parametrize("seed", range(12))
def test_legs_with_the_same_ground_about_them_cost_the_same(seed: int) -> None:
    """TSE-MOV-09: a bridge that lies beyond a leg's end spares it something, and elsewhere does not."""
    rng, there = np.random.default_rng(seed), scene(4 * seed)
    own, bridge = there.unit("a"), there.table.piece("b")
    law = cost_model(there, own, ACTIONS["maneuver"])
    x, y = np.array(bridge.shape.centroid.coords[0]) - own.front_mid
    shares = [(share, aside) for share in (0.6, 0.8, 0.95) for aside in (-0.5, 0.0, 0.5)]
    legs = [((0.0, 0.0), (share * float(x + aside), share * float(y))) for share, aside in shares]
    known: dict[tuple[int, Hashable], float] = {}
    for k in range(20):
        moved = bridge if k == 0 else bridge.moved(*rng.uniform(-0.5, 0.5, 2) if k % 2 else rng.uniform(-9.0, 9.0, 2))
        ground = ground_of(there.table.with_pieces([moved]))
        about = ground_about(own.bases, legs, ground, law)
        assert about is not None
        for i, (on, toll) in enumerate(zip(about, straight_tolls(own.bases, legs, ground, law), strict=True)):
            assert known.setdefault((i, on), toll.price().total) == pytest.approx(toll.price().total, abs=1e-9)
    assert len(known) < 20 * len(legs)
