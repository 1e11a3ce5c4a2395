"""Moves judged: what each rule forbids and charges, and that turning the table changes nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.movement.leg_cost import straight_price
from tabletop.geometry.movement.line_cost import line_cost
from tabletop.geometry.movement.motion import Pivot, steps_along
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.movement.judge import move
from tabletop.rules.tse.movement.motion import ACTIONS, body_of, cost_model
from tabletop.rules.tse.muster import muster
from tabletop.rules.tse.rule_set import RULES
from tests.moving import O, battle, box, by_path, drawn, general, piece, rules_against, to, unit


def cost(verdict: Verdict) -> float:
    return float(verdict.measured["cost"])


def test_a_first_waypoint_behind_the_front_is_no_move() -> None:
    """TSE-MOV-02: the column forms facing the waypoint, its front lies beyond it already."""
    verdict = by_path(battle(unit()), (0.0, 0.3))
    assert rules_against(verdict) == ["TSE-MOV-02"]
    assert by_path(battle(unit()), (0.0, 0.75)).holds  # on the front: nothing to go


def test_a_turn_straight_about_is_made_clockwise_whatever_the_last_bit_says() -> None:
    """TSE-MOV-03: half a turn either way is a tie; rounding must not decide which ground the front sweeps."""
    for facing in range(0, 360, 7):
        body = body_of(unit(facing=float(facing)))
        east, north = heading(float(facing))
        for back in (0.44, 1.3, 2.0):
            behind = body.mid[0] - back * east, body.mid[1] - back * north
            turn = steps_along(body, [behind], None)[0]
            assert isinstance(turn, Pivot)
            assert turn.degrees == pytest.approx(180.0), (facing, back)


@pytest.mark.parametrize("side", [-1, 1])
def test_a_turn_about_at_the_end_goes_round_on_the_free_side(side: int) -> None:
    """To face straight behind there are two turns: a house on one side bars neither hand of the table (TSE-MOV-03)."""
    house = box(side * 1.4 - 0.2, side * 1.4 + 0.2, 1.8, 2.2, kind="building")
    found = by_path(battle(unit(), terrain=[house]), (0.0, 2.0), facing=180.0)
    assert rules_against(found) == []
    both = [house, box(-side * 1.4 - 0.2, -side * 1.4 + 0.2, 1.8, 2.2, kind="building", id="other")]
    barred = by_path(battle(unit(), terrain=both), (0.0, 2.0), facing=180.0)
    assert rules_against(barred) == ["TSE-MOV-15"]
    assert barred.blockers == ("other",)  # of two hands barred alike, the one that the ids put first


def test_turns_on_the_way_and_at_the_end_are_charged() -> None:
    """TSE-MOV-03: half a front for every radian, on the middle of the front."""
    verdict = by_path(battle(unit()), (0.0, 1.75), (1.0, 1.75), facing=180.0)
    assert cost(verdict) == pytest.approx(1.0 + math.pi / 2 + 1.0 + math.pi / 2)
    assert verdict.measured["turns"] == pytest.approx(math.pi)
    assert verdict.measured["facing"] == pytest.approx(180.0)
    assert verdict.measured["path"] == [[O, O + 0.75], [O, O + 1.75], [O + 1.0, O + 1.75]]


def test_splitting_a_leg_changes_no_price() -> None:
    """TSE-MOV-06, TSE-MOV-08, TSE-MOV-09: with a wood, a slanting hedge and a bridge on the way."""
    pieces = [box(-1, 0, 1, 2), drawn("hedge", [(-2, 2.2), (2, 3.1)]), box(-3, 3, 4, 4.5, "bridge", "bridge")]
    scene = battle(unit(quality="elite"), terrain=pieces)
    whole = by_path(scene, (0.0, 5.5))
    assert whole.measured["linear"] == 1
    assert whole.measured["choke"] == 1
    for at in (1.0, 1.5, 2.2, 2.65, 3.1, 4.0, 4.2, 4.5):
        assert cost(by_path(scene, (0.0, at), (0.0, 5.5))) == pytest.approx(cost(whole)), at


def test_splitting_a_hedge_or_a_wood_changes_no_price() -> None:
    """Pieces are united first: two halves of a hedge or a wood are one."""
    one = [drawn("hedge", [(-3, 2), (3, 2)]), box(-2, 2, 3, 4)]
    two = [drawn("hedge", [(-3, 2), (0.25, 2)], "h1"), drawn("wall", [(0.25, 2), (3, 2)], "h2")]
    two += [box(-2, 0.3, 3, 4, id="w1"), box(0.1, 2, 3, 4, id="w2")]
    assert cost(by_path(battle(unit(), terrain=one), (0.3, 4.5))) == pytest.approx(
        cost(by_path(battle(unit(), terrain=two), (0.3, 4.5)))
    )


def test_stopping_at_an_obstacle_leaves_it_uncrossed() -> None:
    """TSE-MOV-08: contact is not crossing; the next move pays."""
    scene = battle(unit(), terrain=[drawn("wall", [(-5, 2), (5, 2)])])
    assert by_path(scene, (0.0, 2.0)).measured["linear"] == 0
    assert by_path(scene, (0.0, 2.02)).measured["linear"] == 1
    waiting = battle(unit(at=(0.0, 1.25)), terrain=[drawn("wall", [(-5, 2), (5, 2)])])
    assert by_path(waiting, (0.0, 3.0)).measured["linear"] == 1


def test_rough_trace_rulings() -> None:
    """TSE-MOV-06: a wood that only the left half of the front meets."""
    scene = {trace: battle(unit(n=2, front=1), terrain=[box(-3, -0.2, 2, 3)], rough_trace=trace) for trace in TRACED}
    assert {trace: cost(by_path(s, (0.0, 4.75))) for trace, s in scene.items()} == pytest.approx(TRACED)


TRACED = {"front_edge": 5.0, "front_mid": 4.0, "footprint": 5.75}


def test_turning_in_rough_ground_pays_double() -> None:
    """TSE-MOV-06: the charged length of a turn counts while the base's front edge is in rough ground."""
    scene = battle(unit(n=2, front=2), terrain=[box(-9, 9, -9, 9)])
    verdict = by_path(scene, (0.0, 1.375), facing=90.0)
    assert cost(verdict) == pytest.approx(2 * (1.0 + math.pi / 2))


def test_impassable_ground_stops_the_whole_footprint() -> None:
    """TSE-MOV-15: a corner is enough; touching is none."""
    scene = battle(unit(), terrain=[box(1, 3, 2, 3, "lake")])
    assert by_path(scene, (0.0, 5.0)).holds
    beside = battle(unit(at=(0.05, 0.0)), terrain=[box(1, 3, 2, 3, "lake")])
    verdict = by_path(beside, (0.05, 5.0))
    assert rules_against(verdict) == ["TSE-MOV-15"]
    assert verdict.blockers == ("piece",)


@pytest.mark.parametrize(("x", "kind", "holds"), [(0.0, "bridge", True), (0.0, "ford", True), (1.2, "bridge", False)])
def test_a_gap_lets_the_midline_through(x: float, kind: str, holds: bool) -> None:
    """TSE-MOV-15: the front overhangs the bridge on both sides; only its middle must stay on it (TSE-MOV-22)."""
    river = drawn("river", [(-20, 3), (20, 3)])
    gap = box(-0.6, 0.6, 2.4, 3.6, kind, "gap")
    scene = battle(unit(at=(x, 0.0), quality="elite"), terrain=[river, gap])
    assert by_path(scene, (x, 5.0)).holds == holds


def test_ending_in_a_friend_but_passing_through() -> None:
    """TSE-MOV-16."""
    friend = unit("b", formation="deployed", front_mid=(0.0, 3.0))
    scene = battle(unit(), friend)
    assert by_path(scene, (0.0, 5.0)).holds
    inside = by_path(scene, (0.0, 2.6))
    assert rules_against(inside) == ["TSE-MOV-16"]
    assert inside.blockers == ("b",)
    assert by_path(scene, (0.0, 2.25)).holds  # touching


def test_leaving_a_zone() -> None:
    """TSE-MOV-18 by its three rulings: away, nearer, and past."""
    enemy = unit("b", side="blue", formation="deployed", front_mid=(0.0, 1.25), facing=180.0)
    scenes = {ruling: battle(unit(), enemy, leaving_zone=ruling) for ruling in ("not_closer", "forbidden", "free")}
    assert by_path(scenes["not_closer"], (0.0, -4.0)).holds
    assert "TSE-MOV-18" in rules_against(by_path(scenes["not_closer"], (0.0, 0.9)))
    assert "TSE-MOV-18" in rules_against(by_path(scenes["forbidden"], (0.0, -4.0)))
    assert by_path(scenes["free"], (0.0, 0.9)).holds


@pytest.mark.parametrize(("y", "said"), [(6.0, "the way runs into b"), (4.5, "the way comes within 0.25 in of b")])
def test_a_way_into_an_enemy_is_called_that(y: float, said: str) -> None:
    """TSE-MOV-17: within his zone, but not in him, it comes within so much."""
    enemy = unit("b", side="blue", formation="deployed", front_mid=(0.0, 4.75), facing=180.0)
    verdict = by_path(battle(unit(), enemy), (0.0, y))
    assert [reason.text for reason in verdict.because if reason.rule == "TSE-MOV-17" and not reason.holds] == [said]


def test_enemy_generals_have_no_zone() -> None:
    """TSE-MOV-19."""
    enemy = general(0.0, 3.0, side="blue")
    scene = battle(unit(), replace(enemy, id="b"))
    assert by_path(scene, (0.0, 5.0)).holds


def test_the_tables_edge() -> None:
    """TSE-MOV-21: touching is inside."""
    scene = battle(unit(at=(0.0, 95.0)))
    assert by_path(scene, (0.0, 100.0)).holds
    assert rules_against(by_path(scene, (0.0, 100.1))) == ["TSE-MOV-21"]


@pytest.mark.parametrize("friend", [(0.5, 2.0), (1.2, 2.1), (-0.4, 1.9), (0.0, -2.0)])
@pytest.mark.parametrize("goal", [(2.0, 0.5), (2.1, -0.6)])
def test_where_the_straight_way_ends_in_a_friend_another_arrives(
    friend: tuple[float, float], goal: tuple[float, float]
) -> None:
    """TSE-MOV-16: a place is refused only where no short last leg, from any side, ends beside the friends."""
    x, y = goal
    table = battle(unit(), unit("b", at=friend), unit("c", at=(3.6, 0.4), facing=90.0))
    legs = [math.radians(turn) for turn in range(0, 360, 15)]
    others = [(x + 0.25 * math.sin(leg), y + 0.25 * math.cos(leg)) for leg in legs]
    told = [by_path(table, other, goal, as_="maneuver") for other in others]
    costs = [verdict.measured["cost"] for verdict in told if verdict.holds]
    found = to(table, x, y, as_="maneuver")
    assert costs
    assert found.holds
    assert found.measured["cost"] <= min(costs) + 1e-6


def test_where_every_way_ends_in_a_friend_the_cheapest_says_so() -> None:
    """TSE-MOV-16."""
    found = to(battle(unit(), unit("b", at=(0.0, 3.0))), 0.0, 3.0, as_="maneuver")
    assert not found.holds
    assert rules_against(found) == ["TSE-MOV-16"]


def test_a_general_goes_any_way_at_four_for_one_and_ends_on_friends() -> None:
    """TSE-ACT-02, TSE-LDR-04, TSE-LDR-05, TSE-MOV-05."""
    friend = unit("b", formation="deployed", front_mid=(-3.0, 0.3))
    scene = battle(general(), friend, terrain=[box(2, 3, -5, 5)])
    verdict = by_path(scene, (4.0, 0.0), (-3.0, 0.0))
    assert verdict.holds
    assert verdict.measured["allowed"] == 28.0
    assert cost(verdict) == pytest.approx(4 + 3 + 7 + 3)
    enemy = unit("c", side="blue", n=2, at=(10.0, 0.0))
    assert "TSE-MOV-17" in rules_against(by_path(battle(general(), enemy), (8.2, 0.0)))


def test_a_march_bends_free_on_the_road_and_pays_off_it() -> None:
    """TSE-MOV-23, TSE-FRM-26: the column snakes along; off the road the head's wheel is charged."""
    road = drawn("road", [(0, -20), (0, 4), (9, 4)])
    column = unit(formation="march-column", at=(0.0, 0.0))
    on = by_path(battle(column, terrain=[road]), (0.0, 4.0), (3.0, 4.0), as_="march")
    assert on.measured["turns"] == 0.0
    assert cost(on) == pytest.approx((4.0 - 1.5 + 3.0) / 1.5, abs=1e-5)
    off = by_path(battle(column), (0.0, 4.0), (3.0, 4.0), as_="march")
    assert off.measured["turns"] == pytest.approx(math.pi / 4)


def test_followers_ride_the_heads_track() -> None:
    """TSE-FRM-26: after a corner the followers stand where the head went, each a depth behind the one before."""
    column = unit(formation="march-column", at=(0.0, 0.0))
    verdict = by_path(battle(column), (0.0, 4.0), (1.0, 4.0), as_="march")
    assert verdict.holds
    ghosts = [s for s in verdict.shapes if s.role == "ghost"]
    middles = [(sum(x for x, _ in s.points) / 4 - O, sum(y for _, y in s.points) / 4 - O) for s in ghosts]
    assert middles[0] == pytest.approx((0.625, 4.0))
    assert middles[3] == pytest.approx((0.0, 4.0 - 1.25 - 0.375))


def test_marchers_on_a_road_ignore_the_rough_beneath() -> None:
    """TSE-MOV-13; others pay it, and have nothing of the road."""
    ground = [box(-9, 9, -9, 9), drawn("road", [(0, -20), (0, 20)], "road")]
    column = unit(formation="march-column")
    assert cost(by_path(battle(column, terrain=ground), (0.0, 7.5), as_="march")) == pytest.approx(6.0 / 1.5, abs=1e-5)
    assert cost(by_path(battle(unit(), terrain=ground), (0.0, 2.75))) == pytest.approx(4.0)


def test_the_nearest_base_heads_a_march() -> None:
    """TSE-FRM-24: unless another is named."""
    line = unit(formation="deployed")
    verdict = by_path(battle(line), (6.0, 0.0), as_="march")
    assert cost(verdict) == pytest.approx(6.0 - 1.5 - 0.375)
    assert cost(by_path(battle(line), (6.0, 0.0), as_="march", head=0)) == pytest.approx(6.0 + 1.5 - 0.375)


def test_deploy_and_square_go_no_way() -> None:
    """TSE-ACT-10, TSE-ACT-30, TSE-FRM-13."""
    scene = battle(unit())
    assert by_path(scene, as_="deploy", path=None, ref=0, shift=(0.6, 0.8), facing=0.0).holds
    assert "TSE-FRM-13" in rules_against(by_path(scene, as_="deploy", path=None, ref=0, shift=(0.61, 0.8), facing=0.0))
    assert by_path(scene, as_="square", path=None).holds
    cavalry = battle(unit(troop="heavy-cavalry"))
    assert "TSE-ACT-30" in rules_against(by_path(cavalry, as_="square", path=None))


def test_a_demoralized_unit_only_regroups() -> None:
    """TSE-ACT-91; a disordered one moves as ever (TSE-FRM-03)."""
    assert "TSE-ACT-91" in rules_against(by_path(battle(unit(status="demoralized")), (0.0, 3.0)))
    assert by_path(battle(unit(status="disordered")), (0.0, 6.75)).holds


@pytest.mark.parametrize(
    ("mover", "options"),
    [
        (unit(), {"as_": "marhc", "path": [(0, 1)]}),
        (unit(), {"as_": "general", "path": [(0, 1)]}),
        (unit(), {"as_": "assault", "path": [(0, 1)]}),
        (general(), {"as_": "march", "path": [(0, 1)]}),
        (unit(), {"path": None}),
        (unit(), {"as_": "deploy", "path": [(0.0, 1.0)]}),
    ],
)
def test_questions_that_cannot_be_put(mover: Unit, options: dict[str, Any]) -> None:
    with pytest.raises(BadQuestion):
        by_path(battle(mover), **options)


def test_flat_maneuver() -> None:
    """TSE-ACT-20: the ruling takes quality out of the base move."""
    assert by_path(battle(unit(quality="poor")), (0.0, 3.0)).measured["allowed"] == 5.0
    assert by_path(battle(unit(quality="poor"), flat_maneuver=True), (0.0, 3.0)).measured["allowed"] == 6.0


def test_scale_doubles_everything() -> None:
    """TSE-SCL-01: a doubled table at scale 2 gives the doubled price."""

    small = by_path(battle(unit(), terrain=[box(-1, 0, 1, 2), drawn("hedge", [(-5, 3), (5, 3)])]), (0.5, 4.0))
    rulings = RULES.ruling_values({"scale": 2})
    outline = [(2 * O - 2, 2 * O + 2), (2 * O, 2 * O + 2), (2 * O, 2 * O + 4), (2 * O - 2, 2 * O + 4)]
    pieces = [
        Terrain.of_kind("p", "rough", outline=outline, scale=2.0),
        Terrain.of_kind("l", "hedge", line=[(2 * O - 10, 2 * O + 6), (2 * O + 10, 2 * O + 6)], scale=2.0),
    ]
    entry = {"id": "a", "side": "red", "troop": "infantry", "bases": 4, "formation": "maneuver-column"}
    mover = muster({**entry, "facing": 0.0, "at": (2 * O, 2 * O)}, rulings)
    big = Battle.of("tse", Table.of("in", 4 * O, 4 * O, pieces, 2.0), [mover], rulings)
    verdict = move(big, Request("move", ("a",), {"path": [(2 * O + 1.0, 2 * O + 8.0)]}))
    assert cost(verdict) == pytest.approx(2 * cost(small))
    assert verdict.measured["allowed"] == 12.0


# Turning the table ------------------------------------------------------------------------------------------------


def mirrored(p: tuple[float, float]) -> tuple[float, float]:
    return -p[0], p[1]


def quarter(p: tuple[float, float]) -> tuple[float, float]:
    return p[1], -p[0]


def shifted(p: tuple[float, float]) -> tuple[float, float]:
    return p[0] + 7.0, p[1] - 3.0


def table_of(change: Callable[[Point], Point], facing: Callable[[float], float]) -> Battle:
    wood = [change(p) for p in [(1.0, 2.0), (4.0, 2.5), (3.5, 5.0), (0.5, 4.0)]]
    enemy = unit("b", side="blue", n=3, formation="deployed", at=change((-4.0, 5.5)), facing=facing(140.0))
    hedge = drawn("hedge", [change((-3.0, 3.0)), change((2.0, 3.5))])
    mover = unit(n=6, at=change((0.0, 0.0)), facing=facing(20.0), quality="elite")
    return battle(mover, enemy, terrain=[piece("woods", wood, "wood"), hedge])


@pytest.mark.parametrize(
    ("change", "facing"),
    [(mirrored, lambda f: -f % 360.0), (quarter, lambda f: (f + 90.0) % 360.0), (shifted, lambda f: f)],
)
def test_turning_the_table_changes_no_price(change: Callable[[Point], Point], facing: Callable[[float], float]) -> None:
    """Mirror, quarter turn, shift: cost, items and verdict stay; also of the cheapest way."""
    ways = [[(0.5, 2.0), (2.0, 4.5)], [(-1.5, 2.0), (-1.0, 4.0)], [(1.0, 1.5), (1.5, 3.0), (0.0, 5.0)]]
    plain, changed = table_of(lambda p: p, lambda f: f), table_of(change, facing)
    for way in ways:
        here, there = by_path(plain, *way), by_path(changed, *(change(p) for p in way))
        assert there.holds == here.holds
        assert cost(there) == pytest.approx(cost(here), abs=1e-9)
        assert rules_against(there) == rules_against(here)
    here, there = to(plain, 3.0, 5.5), to(changed, *change((3.0, 5.5)))
    assert cost(there) == pytest.approx(cost(here), rel=5e-3)


# What falling back and assaults use ---------------------------------------------------------------------------------


def test_a_translation_is_priced_by_its_leading_edge() -> None:
    """TSE-INV-16: falling back north the rear edge leads; a wood ahead of the front edge costs nothing."""
    scene = battle(unit(facing=180.0), terrain=[box(-5, 5, 1, 2)])
    law = cost_model(scene, scene.unit("a"), ACTIONS["maneuver"], leading="rear")
    ground = ground_of(scene.table)
    found = straight_price(scene.unit("a").bases, 0.0, 3.0, ground, law)
    assert found.total == pytest.approx(4.0)
    slanting = straight_price(scene.unit("a").bases, 1.5, 2.0, ground, law)
    assert slanting.total == pytest.approx(2.5 + 1.25)
    base = scene.unit("a").bases[0]
    assert isinstance(base, Base)
    assert base.forward == heading(180.0)


def test_an_assault_is_priced_along_its_line_alone() -> None:
    """TSE-ASL-06: rough, linear and choke on the line, nothing for roads or the front's width."""
    pieces = [box(-5, 5, 1, 2), drawn("wall", [(-5, 3), (5, 3)]), box(0.5, 3, 0, 9, id="beside")]
    scene = battle(unit(), terrain=pieces)
    law = cost_model(scene, scene.unit("a"), ACTIONS["maneuver"])
    found = line_cost((O, O), (O, O + 4.0), ground_of(scene.table), law)
    assert found.total == pytest.approx(4.0 + 1.0 + 0.5)
