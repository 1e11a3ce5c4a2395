"""Worked cases of movement, G09 to G14: zones, rough ground, bridges, roads, towns, wheels and pivots.

The worked cases have their origin at (0, 0); here everything stands on a table shifted by whole inches, which changes
no answer.
"""

from __future__ import annotations

import math

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.movement.motion import Pivot, Shift, Straight
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.movement.formation import assume
from tabletop.rules.tse.movement.judge import move
from tabletop.rules.tse.movement.motion import ACTIONS, PlannedMove, along, planned_move
from tabletop.rules.tse.movement.reach import farthest_advance
from tabletop.rules.tse.muster import muster
from tabletop.rules.tse.rule_set import RULES
from tests.bases import rectangles

O = 100.0  # where the cases' origin lies on the table
RULINGS = RULES.ruling_values()


def unit(id: str = "a", *, side: str = "red", troop: str = "infantry", n: int = 4, **keys: object) -> Unit:  # noqa: A002
    """Return a column whose front's middle is at the origin, facing north, unless said."""
    entry = {"id": id, "side": side, "troop": troop, "bases": n, "formation": "maneuver-column", "facing": 0.0}
    if "at" not in keys:
        entry["front_mid"] = (O, O)
    return muster({**entry, **keys}, RULINGS)


def battle(*units: Unit, terrain: tuple[Terrain, ...] = (), **rulings: object) -> Battle:
    return Battle.of("tse", Table.of("in", 2 * O, 2 * O, terrain), units, RULES.ruling_values(rulings))


def box(x0: float, x1: float, y0: float, y1: float, kind: str = "rough", id: str = "piece") -> Terrain:  # noqa: A002
    return Terrain.of_kind(id, kind, outline=[(O + x0, O + y0), (O + x1, O + y0), (O + x1, O + y1), (O + x0, O + y1)])


def north(scene: Battle, length: float, action: str = "maneuver") -> Verdict:
    """Return the verdict on unit ``a`` going straight north."""
    return move(scene, Request("move", ("a",), {"path": [(O, O + length)], "as": action}))


def farthest(scene: Battle, budget: float | None = None, action: str = "maneuver", far: float = 40.0) -> float:
    """Return how far north unit ``a`` can pay for (exactly, without tolerance)."""
    way = along(scene, scene.unit("a"), ACTIONS[action], [(O, O + far)], None)
    return way.toll.affordable(way.allowed if budget is None else budget)


# G09 ---------------------------------------------------------------------------------------------


def zone_scene(e: float) -> Battle:
    """The battery's right edge at x = e; the enemy on [2,3] x [3,3.75]."""
    gun = unit(troop="light-foot-artillery", n=1, front_mid=(O + e - 0.5, O))
    enemy = unit("b", side="blue", n=2, formation="deployed", front_mid=(O + 3.0, O + 3.75))
    return battle(gun, enemy)


def past(e: float, y: float) -> Verdict:
    scene = zone_scene(e)
    return move(scene, Request("move", ("a",), {"path": [(O + e - 0.5, O + y)]}))


def test_g09_exactly_one_inch_may_pass() -> None:
    """G09 e=1.0 (TSE-MOV-17): the zone is open, exactly 1 in is outside it."""
    verdict = past(1.0, 5.9)
    assert verdict.holds
    assert next(r.measured for r in verdict.because if r.rule == "TSE-MOV-17") == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(("e", "reach"), [(1.05, 2.6878), (1.4, 2.2)])
def test_g09_farther_right_stops_at_the_zone(e: float, reach: float) -> None:
    """G09 e=1.05 and e=1.4 (TSE-MOV-17)."""
    assert past(e, reach).holds
    assert not past(e, reach + 0.05).holds


def test_g09_dipping_into_the_zone_on_the_way_is_illegal() -> None:
    """G09: the end lies clear of the zone, the way does not (TSE-MOV-17)."""
    verdict = past(1.4, 5.9)
    assert not verdict.holds
    assert verdict.blockers == ("b",)
    assert verdict.because[0].rule == "TSE-MOV-17"
    assert verdict.because[0].measured == pytest.approx(0.6, abs=1e-3)  # 1.4 is not on the grid


# G10 ---------------------------------------------------------------------------------------------

WOOD = box(-50, 50, 2, 10)


def test_g10_infantry() -> None:
    """G10 (TSE-MOV-05, TSE-MOV-07): two in the open, two in the wood, six in all."""
    scene = battle(unit(), terrain=(WOOD,))
    assert farthest(scene, 6.0) == pytest.approx(4.0, abs=1e-9)
    assert north(scene, 4.0).measured["cost"] == pytest.approx(6.0, abs=1e-9)
    assert north(scene, 4.0).holds
    verdict = north(scene, 4.01)
    assert verdict.measured["cost"] == pytest.approx(6.02, abs=1e-9)
    assert not verdict.holds


def test_g10_cavalry() -> None:
    """G10 cavalry (TSE-MOV-05): four inches for one of rough."""
    scene = battle(unit(troop="light-cavalry"), terrain=(WOOD,))
    assert farthest(scene) == pytest.approx(4.5, abs=1e-9)


# G11 ---------------------------------------------------------------------------------------------

STAGGERED = (box(-1, 0, 1, 2, id="wood-a"), box(0, 1, 3, 4, id="wood-b"))


@pytest.mark.parametrize(("trace", "cost"), [("front_edge", 6.0), ("footprint", 6.75)])
def test_g11a_the_most_of_any_base_not_the_union(trace: str, cost: float) -> None:
    """G11a (TSE-MOV-06): each file has one inch of wood, at different times."""
    scene = battle(unit(), terrain=STAGGERED, rough_trace=trace)
    assert north(scene, 5.0).measured["cost"] == pytest.approx(cost, abs=1e-9)
    assert north(scene, 5.0).holds == (cost == 6.0)


def test_g11b_the_trailing_rank_pays() -> None:
    """G11b (TSE-MOV-06): the rear rank leaves the wood 0.75 later."""
    assert farthest(battle(unit(), terrain=(box(-50, 50, -50, 0),))) == pytest.approx(5.25, abs=1e-9)


# G12 ---------------------------------------------------------------------------------------------

BRIDGE = box(-1, 1, 2, 3, "bridge", "bridge")
HEDGE = Terrain.of_kind("hedge", "hedge", line=[(O - 9, O + 4), (O + 9, O + 4)])
TOWN = box(-50, 50, -50, 50, "town", "town")


def road(start: float) -> Terrain:
    return Terrain.of_kind("road", "road", line=[(O, O + start), (O, O + 50)])


def column(troop: str = "infantry", n: int = 4) -> Unit:
    return unit(troop=troop, n=n, formation="march-column")


def test_g12a_a_bridge() -> None:
    """G12a (TSE-MOV-09, TSE-MOV-10)."""
    assert farthest(battle(unit(), terrain=(BRIDGE,))) == pytest.approx(5.5, abs=1e-9)
    assert north(battle(unit(), terrain=(BRIDGE,)), 5.5).holds


def test_g12b_a_bridge_and_a_hedge() -> None:
    """G12b (TSE-MOV-08, TSE-MOV-09)."""
    assert farthest(battle(unit(), terrain=(BRIDGE, HEDGE))) == pytest.approx(5.0, abs=1e-9)


def test_g12c_maneuver_in_a_town() -> None:
    """G12c (TSE-MOV-12): a town is rough."""
    assert farthest(battle(unit(), terrain=(TOWN,))) == pytest.approx(3.0, abs=1e-9)


@pytest.mark.parametrize("pieces", [(road(-50), BRIDGE), (TOWN,)], ids=["road with a bridge", "town"])
def test_g12d_route_march_by_road_or_town(pieces: tuple[Terrain, ...]) -> None:
    """G12d (TSE-MOV-11, TSE-MOV-12, TSE-TER-05)."""
    assert farthest(battle(column(), terrain=pieces), action="route-march") == pytest.approx(18.0, abs=1e-9)


def test_g12e_across_country_then_road() -> None:
    """G12e (TSE-MOV-14): the road counts once the head is on it, however long the column; as ruled, once every base."""
    one = unit(troop="light-foot-artillery", n=1, formation="march-column")
    scene = battle(column(n=2), terrain=(road(3),))
    assert farthest(battle(one, terrain=(road(3),)), action="route-march") == pytest.approx(16.5, abs=1e-6)
    assert farthest(scene, action="route-march") == pytest.approx(16.5, abs=1e-6)
    every = battle(column(n=2), terrain=(road(3),), road_bases="all")
    assert farthest(every, action="route-march") == pytest.approx(3.75 + (12 - 3.75) * 1.5, abs=1e-6)


def test_g12f_a_hedge_across_the_road() -> None:
    """G12f (TSE-MOV-08): flat, whatever the road's rate."""
    scene = battle(column(), terrain=(road(-50), HEDGE))
    assert farthest(scene, action="route-march") == pytest.approx(17.25, abs=1e-9)


def test_g12g_a_bridge_costs_marchers_nothing() -> None:
    """G12g (TSE-MOV-09)."""
    assert farthest(battle(column(), terrain=(BRIDGE,)), action="route-march") == pytest.approx(12.0, abs=1e-9)


def test_g12h_cavalry_with_one_inch_of_rough() -> None:
    """G12h (TSE-MOV-05, TSE-ACT-80b)."""
    scene = battle(column("light-cavalry"), terrain=(box(-50, 50, 2, 3),))
    assert farthest(scene, action="route-march") == pytest.approx(21.0, abs=1e-9)


# G13, G14 ----------------------------------------------------------------------------------------


def wheeled(front: int, n: int, *steps: Straight | Shift | Pivot) -> PlannedMove:
    scene = battle(unit(n=n, front=front))
    start = assume(scene, scene.unit("a"), "maneuver-column", facing=0.0)
    return planned_move(scene, scene.unit("a"), start, ACTIONS["maneuver"], steps)


def test_g13_wheel_then_advance() -> None:
    """G13 (TSE-MOV-03): the outer corner's arc is charged, the rest goes straight."""
    wheel = wheeled(3, 6, Pivot(30.0, "right"))
    assert wheel.price.total == pytest.approx(math.pi / 2, abs=1e-9)
    assert wheel.motion.way[-1] == pytest.approx((O + 0.2010, O + 0.75), abs=1e-4)
    left = rectangles(wheel.motion.end)[0].front_edge[0]
    assert tuple(left) == pytest.approx((O - 1.0981, O + 1.5), abs=1e-4)
    full = wheeled(3, 6, Pivot(30.0, "right"), Straight(6 - math.pi / 2))
    assert full.price.total == pytest.approx(6.0, abs=1e-9)
    assert full.motion.way[-1] == pytest.approx((O + 2.4156, O + 4.5858), abs=1e-4)
    assert full.motion.facing == pytest.approx(30.0, abs=1e-9)


def test_g14_on_the_middle() -> None:
    """G14 (TSE-MOV-03): the corner travels half as far when the front turns on its middle."""
    turn = wheeled(4, 8, Pivot(90.0))
    assert turn.price.total == pytest.approx(math.pi, abs=1e-9)
    assert turn.allowed - turn.price.total == pytest.approx(2.8584, abs=1e-4)


def test_g14_on_a_corner() -> None:
    """G14: a quarter wheel of a front of four is beyond a move of six; 85.9437 degrees are not."""
    assert wheeled(4, 8, Pivot(90.0, "right")).price.total == pytest.approx(2 * math.pi, abs=1e-9)
    assert wheeled(4, 8, Pivot(-90.0, "left")).price.total > 6.0
    assert wheeled(4, 8, Pivot(85.9437, "right")).price.total == pytest.approx(6.0, abs=1e-4)


def test_g14_facing_as_the_column_forms_is_free() -> None:
    """G14 (TSE-ACT-20, TSE-MOV-02): the turn that comes with the formation costs nothing."""
    verdict = move(battle(unit(n=8, front=4)), Request("move", ("a",), {"facing": 90.0}))
    assert verdict.holds
    assert verdict.measured["cost"] == 0.0
    assert verdict.measured["facing"] == 90.0


# The farthest advance, searched by the exact law --------------------------------------------------


@pytest.mark.parametrize(("e", "reach"), [(1.0, 6.0), (1.05, 2.6878), (1.4, 2.2)])
def test_g09_farthest_advance(e: float, reach: float) -> None:
    """G09 (TSE-MOV-17): how far north the battery gets."""
    scene = zone_scene(e)
    got = farthest_advance(scene, scene.unit("a"), ACTIONS["maneuver"], 0.0)
    assert got == pytest.approx(reach, abs=2e-3)  # the battery's place is on the grid, e is not


@pytest.mark.parametrize(
    ("reach", "troop", "pieces"),
    [
        (4.0, "infantry", (WOOD,)),
        (4.5, "light-cavalry", (WOOD,)),
        (5.25, "infantry", (box(-50, 50, -50, 0),)),
        (5.5, "infantry", (BRIDGE,)),
        (5.0, "infantry", (BRIDGE, HEDGE)),
        (3.0, "infantry", (TOWN,)),
    ],
)
def test_g10_to_g12_farthest_advance(reach: float, troop: str, pieces: tuple[Terrain, ...]) -> None:
    """G10, G11b, G12a-c: the search agrees with the judge's own price."""
    scene = battle(unit(troop=troop), terrain=pieces)
    got = farthest_advance(scene, scene.unit("a"), ACTIONS["maneuver"], 0.0)
    assert got == pytest.approx(reach, abs=1e-6)


@pytest.mark.parametrize(
    ("reach", "troop", "n", "pieces"),
    [
        (18.0, "infantry", 4, (road(-50), BRIDGE)),
        (18.0, "infantry", 4, (TOWN,)),
        (16.5, "light-foot-artillery", 1, (road(3),)),
        (17.25, "infantry", 4, (road(-50), HEDGE)),
        (12.0, "infantry", 4, (BRIDGE,)),
        (21.0, "light-cavalry", 4, (box(-50, 50, 2, 3),)),
    ],
)
def test_g12_farthest_march(reach: float, troop: str, n: int, pieces: tuple[Terrain, ...]) -> None:
    """G12d-h: route marches."""
    scene = battle(unit(troop=troop, n=n, formation="march-column"), terrain=pieces)
    got = farthest_advance(scene, scene.unit("a"), ACTIONS["route-march"], 0.0)
    assert got == pytest.approx(reach, abs=1e-5)
