"""Moves, row by row: base moves, paths, formations on the way, route marches (TSE-ACT, TSE-MOV, TSE-FRM)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from tabletop.errors import BadQuestion
from tabletop.geometry.base import Base, Disc
from tabletop.geometry.movement.motion import Pivot, Shift, Straight
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.rules.tse.movement.motion import ACTIONS, PlannedMove, along, planned_move
from tabletop.rules.tse.tables import troops
from tests.bases import rectangles
from tests.moving import O, battle, box, by_path, drawn, general, rules_against, unit

#: The bases of a road that runs north through the mover, and a strip of rough ground across it.
ROAD = drawn("road", [(0, -60), (0, 60)], "road")
STRIP = box(-60, 60, 3, 5)


def route_march(length: float, *terrain: Terrain, troop: str = "infantry", **keys: Any) -> Verdict:
    """Return the verdict on a route march straight north."""
    n = 1 if "artillery" in troop else 4
    marcher = unit(troop=troop, n=n, formation="march-column", front_mid=(0, 0), **keys)
    return by_path(battle(marcher, terrain=terrain), (0, length), as_="route-march")


def goes_just(length: float, **keys: str) -> bool:
    """Return whether a route march goes exactly so far."""
    return route_march(length, **keys).holds and rules_against(route_march(length + 0.02, **keys)) == ["TSE-MOV-01"]


# --- base moves ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("quality", "length"), [("elite", 14), ("veteran", 14), ("average", 12), ("poor", 10)])
def test_route_march_of_infantry(quality: str, length: float) -> None:
    """TSE-ACT-80a."""
    assert goes_just(length, quality=quality)


@pytest.mark.parametrize(("quality", "length"), [("elite", 28), ("veteran", 28), ("average", 24), ("poor", 20)])
def test_route_march_of_light_cavalry(quality: str, length: float) -> None:
    """TSE-ACT-80b."""
    assert goes_just(length, quality=quality, troop="light-cavalry")


@pytest.mark.parametrize(("quality", "length"), [("elite", 24), ("veteran", 24), ("average", 20), ("poor", 18)])
def test_route_march_of_heavy_cavalry(quality: str, length: float) -> None:
    """TSE-ACT-80c."""
    assert goes_just(length, quality=quality, troop="heavy-cavalry")


@pytest.mark.parametrize(
    ("troop", "length"),
    [("heavy-foot-artillery", 12), ("light-foot-artillery", 12), ("horse-artillery", 20), ("transport", 12)],
)
def test_route_march_of_guns_and_wagons(troop: str, length: float) -> None:
    """TSE-ACT-80d."""
    assert goes_just(length, troop=troop)


def test_a_general_goes_28_inches_in_any_directions() -> None:
    """TSE-ACT-02: there and back again costs what it is long; no turn is charged."""
    scene = battle(general())
    for way in ([(0, 28)], [(-28, 0)], [(0, 14), (0, 0)], [(8, 0), (8, -8), (0, -8), (0, -4)]):
        verdict = by_path(scene, *way)
        assert verdict.holds
        assert verdict.measured["cost"] == pytest.approx(28.0, abs=1e-9)
        assert verdict.measured["turns"] == 0.0
    assert rules_against(by_path(scene, (0, 14), (0, -0.02))) == ["TSE-MOV-01"]


def test_a_general_pays_for_ground_as_cavalry_does() -> None:
    """TSE-ACT-02: four for one."""
    scene = battle(general(), terrain=[STRIP])
    horse = battle(unit(troop="light-cavalry", n=2, front=2, front_mid=(0, 0)), terrain=[STRIP])
    costs = [by_path(at, (0, 10)).measured["cost"] for at in (scene, horse)]
    assert costs == pytest.approx([10 + 3 * 2] * 2, abs=1e-6)


# --- the way and its length ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0.25, 1.0, 5.99, 6.0])
def test_any_part_of_the_base_move(length: float) -> None:
    """TSE-MOV-01."""
    verdict = by_path(battle(unit(front_mid=(0, 0))), (0, length))
    assert verdict.holds
    assert verdict.measured["cost"] == pytest.approx(length, abs=1e-9)


def test_none_of_the_base_move() -> None:
    """TSE-MOV-01: standing still costs nothing."""
    verdict = by_path(battle(unit(front_mid=(0, 0))), facing=0.0)
    assert verdict.holds
    assert verdict.measured["cost"] == 0.0


def test_terrain_and_turns_count_against_the_base_move() -> None:
    """TSE-MOV-01: five inches are within it, five inches with a hedge and a bend are not."""
    mover, hedge = unit(front_mid=(0, 0)), drawn("hedge", [(-9, 1), (9, 1)])
    assert by_path(battle(mover), (0, 5)).holds
    assert rules_against(by_path(battle(mover, terrain=[hedge]), (0, 2), (3, 2))) == ["TSE-MOV-01"]


def test_the_player_chooses_the_path() -> None:
    """TSE-MOV-04: two ways to one place; each costs its own legs, and for each bend the way of the outer corner."""
    scene = battle(unit(n=4, front=2, front_mid=(0, 0)))
    straight, bent = by_path(scene, (0, 4), facing=0.0), by_path(scene, (0, 2), (1, 3), (0, 4), facing=0.0)
    assert straight.measured["cost"] == pytest.approx(4.0, abs=1e-9)
    turn = math.pi / 4  # 45 degrees, half a front of two
    assert bent.measured["length"] == pytest.approx(2 + 2 * math.sqrt(2), abs=1e-6)
    assert bent.measured["cost"] == pytest.approx(2 + 2 * math.sqrt(2) + 4 * turn, abs=1e-6)
    assert bent.measured["at"] == pytest.approx(straight.measured["at"], abs=1e-6)


def test_length_is_that_of_a_front_base() -> None:
    """TSE-MOV-04: a base of the front rank, carried straight, goes as far as is charged."""
    scene = battle(unit(front_mid=(0, 0)))
    verdict = by_path(scene, (0, 5.5))
    start, end = scene.unit("a").bases[0], verdict.measured["after"]["bases"][0]
    assert math.dist(start.centre, end[:2]) == pytest.approx(verdict.measured["cost"], abs=1e-9)


# --- formations on the way -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("action", "after"), [("maneuver", "maneuver-column"), ("march", "march-column")])
@pytest.mark.parametrize("formation", ["deployed", "square"])
def test_lines_and_squares_form_a_column_to_go_anywhere(formation: str, action: str, after: str) -> None:
    """TSE-FRM-16, TSE-FRM-31."""
    verdict = by_path(battle(unit(formation=formation)), (0, 4), as_=action)
    assert verdict.holds
    assert verdict.measured["after"]["formation"] == after


@pytest.mark.parametrize("action", ["deploy", "square"])
def test_no_way_is_gone_in_line_or_square(action: str) -> None:
    """TSE-FRM-16, TSE-FRM-31: forming up goes no way at all."""
    with pytest.raises(BadQuestion, match="goes no way"):
        by_path(battle(unit(formation="deployed")), (0, 0.5), as_=action)


def test_a_line_deploys_again() -> None:
    """TSE-FRM-16: by an inch of its reference base, not by more."""
    scene = battle(unit(formation="deployed"))
    near, far = (by_path(scene, path=None, as_="deploy", shift=(0.0, north)) for north in (1.0, 1.02))
    assert near.holds
    assert near.measured["after"]["formation"] == "deployed"
    assert near.measured["at"] == pytest.approx([O, O + 1.0])
    assert rules_against(far) == ["TSE-FRM-13"]


def test_a_square_stays_on_its_reference_base() -> None:
    """TSE-FRM-31: forming square again moves nothing but by a turn, and no shift may be asked for."""
    square = unit(formation="square", n=4)
    with pytest.raises(BadQuestion, match="--shift is for --as deploy"):
        by_path(battle(square), path=None, as_="square", shift=(0.0, 1.0), facing=0.0)
    after = by_path(battle(square), path=None, as_="square", facing=0.0).measured["after"]
    assert after["bases"][0][:2] == pytest.approx(list(square.bases[0].centre))


def gone(
    *steps: Straight | Shift | Pivot, action: str = "maneuver", n: int = 6, terrain: tuple[Terrain, ...] = ()
) -> PlannedMove:
    """Return the going of a unit at the origin by steps of its own, wheels among them."""
    formation = "march-column" if ACTIONS[action].marching else "maneuver-column"
    scene = battle(unit(n=n, formation=formation, front_mid=(0, 0)), terrain=terrain)
    mover = scene.unit("a")
    return planned_move(scene, mover, mover, ACTIONS[action], steps)


def gaps(bases: Sequence[Base | Disc]) -> list[float]:
    return [math.dist(a.centre, b.centre) for a in bases for b in bases]


@pytest.mark.parametrize("corner", ["left", "right"])
def test_a_column_wheels_and_stays_a_column(corner: str) -> None:
    """TSE-FRM-23c: on either front corner, which stays where it is; ranks and files keep their places."""
    turn = 40.0 if corner == "right" else -40.0
    wheel = gone(Pivot(turn, corner), Straight(1.0), Pivot(-turn, "left"))
    once = gone(Pivot(turn, corner))
    side = 1 if corner == "right" else 0
    front = {"left": 0, "right": 2}[corner]
    before, after = (rectangles(bases)[front] for bases in (once.start.bases, once.motion.end))
    assert tuple(after.front_edge[side]) == pytest.approx(tuple(before.front_edge[side]), abs=1e-9)
    assert once.price.turns == pytest.approx(3 * math.radians(40), abs=1e-9)
    assert wheel.end.formation == "maneuver-column"
    assert {round(b.facing % 360, 9) for b in rectangles(wheel.motion.end)} == {0.0}
    assert gaps(wheel.motion.end) == pytest.approx(gaps(wheel.start.bases), abs=1e-9)


def test_followers_ride_the_head_s_track() -> None:
    """TSE-FRM-26: one inch round the corner, two bases have turned it and two have not."""
    scene = battle(unit(n=4, formation="march-column", front_mid=(0, 0)))
    end = along(scene, scene.unit("a"), ACTIONS["march"], [(O, O + 5), (O + 1, O + 5)], None).end
    fronts = [(b.front_mid[0] - O, b.front_mid[1] - O) for b in rectangles(end.bases)]
    for front, place in zip(fronts, [(1, 5), (0.25, 5), (0, 4.5), (0, 3.75)], strict=True):
        assert front == pytest.approx(place, abs=1e-9)
    assert end.formation == "march-column"


def test_a_march_turns_as_often_as_it_likes() -> None:
    """TSE-FRM-26: four bends, and the column still ends as one, its tail on the track."""
    scene = battle(unit(troop="light-cavalry", n=3, formation="march-column", front_mid=(0, 0)))
    verdict = by_path(scene, (0, 2), (2, 2), (2, 4), (4, 4), (4, 6), as_="march")
    assert verdict.holds
    assert verdict.measured["after"]["formation"] == "march-column"
    assert verdict.measured["turns"] == pytest.approx(4 * math.pi / 4, abs=1e-9)


def test_the_wheel_of_a_march_column() -> None:
    """TSE-MOV-23: a right angle on the corner of a front one base wide."""
    assert gone(Pivot(90.0, "right"), action="march", n=4).price.turns == pytest.approx(math.pi / 2, abs=1e-9)
    assert gone(Pivot(-90.0, "left"), action="march", n=8).price.turns == pytest.approx(math.pi / 2, abs=1e-9)


def test_the_bend_of_a_road() -> None:
    """TSE-MOV-23: along the track, without a wheel; beside the road it is charged."""
    bend = drawn("road", [(0, -60), (0, 4), (60, 4)], "road")
    marcher = unit(n=1, troop="horse-artillery", formation="march-column", front_mid=(0, 0))
    on, off = (by_path(battle(marcher, terrain=t), (0, 4), (5, 4), as_="march").measured for t in ([bend], []))
    assert on["turns"] == 0.0
    assert on["cost"] == pytest.approx(9 / 1.5, abs=1e-6)
    assert off["turns"] > 0.5


# --- roads and route marches -----------------------------------------------------------------------------------------


def test_a_road_through_rough_ground() -> None:
    """TSE-MOV-13: a marching column ignores the rough under it and has the road's rate; a maneuvering one does not."""
    pieces = [ROAD, STRIP]
    marcher, column = (unit(n=2, formation=f, front=1, front_mid=(0, 0)) for f in ("march-column", "maneuver-column"))
    march = by_path(battle(marcher, terrain=pieces), (0, 6), as_="march").measured
    assert march["cost"] == pytest.approx(6 / 1.5, abs=1e-6)
    beside = by_path(battle(marcher, terrain=[STRIP]), (0, 6), as_="march").measured
    assert beside["cost"] == pytest.approx(6 + 2, abs=1e-6)
    assert by_path(battle(column, terrain=pieces), (0, 6)).measured["cost"] == pytest.approx(6 + 2, abs=1e-6)


def test_a_route_march_is_a_march() -> None:
    """TSE-ACT-83: roads and towns at half as much again, rough ground dear, chokes free, enemies kept off."""
    assert route_march(18.0, ROAD).holds
    assert route_march(18.0, box(-60, 60, -60, 60, "town")).holds
    assert not route_march(18.02, ROAD).holds
    assert route_march(12.0, box(-1, 1, 4, 6, "bridge")).measured["cost"] == pytest.approx(12.0, abs=1e-6)
    assert route_march(8.0, STRIP).measured["cost"] == pytest.approx(8 + 2, abs=1e-6)
    assert route_march(8.0, STRIP, troop="heavy-cavalry").measured["cost"] == pytest.approx(8 + 3 * 2, abs=1e-6)
    marcher = unit(formation="march-column", front_mid=(0, 0))
    enemy = unit("b", side="blue", formation="deployed", front_mid=(3.0, 5.0))  # its line reaches to x = 1
    verdict = by_path(battle(marcher, enemy), (0, 12), as_="route-march")
    assert rules_against(verdict) == ["TSE-MOV-17"]
    assert verdict.measured["after"]["formation"] == "march-column"


def test_a_move_of_no_length() -> None:
    """TSE-ACT-22: a line becomes a column that faces east where it stands; the front costs nothing to form."""
    line = unit(formation="deployed")
    verdict = by_path(battle(line), facing=90.0)
    assert verdict.holds
    assert verdict.measured["cost"] == 0.0
    assert [(r.measured, r.limit) for r in verdict.because if r.rule == "TSE-MOV-01"] == [(0.0, 6.0)]
    assert (verdict.measured["facing"], verdict.measured["after"]["formation"]) == (90.0, "maneuver-column")
    assert verdict.measured["at"] == pytest.approx(list(line.at), abs=1e-9)


@pytest.mark.parametrize("formation", ["deployed", "maneuver-column", "march-column", "square"])
def test_forming_square_goes_nowhere(formation: str) -> None:
    """TSE-ACT-33: no shift, no way; the reference base turns on its own centre."""
    before = unit(formation=formation, n=6, facing=30.0)
    verdict = by_path(battle(before), path=None, as_="square", ref=2, facing=120.0)
    assert verdict.holds
    assert (verdict.measured["cost"], verdict.measured["allowed"]) == (0.0, 0.0)
    assert verdict.measured["after"]["bases"][2][:2] == pytest.approx(list(before.bases[2].centre), abs=1e-9)
    with pytest.raises(BadQuestion, match="goes no way"):
        by_path(battle(before), (0, 1), as_="square")


TROOPS = [name for name, kind in troops().items() if kind.family != "general"]


@pytest.mark.parametrize("troop", TROOPS)
@pytest.mark.parametrize("formation", ["deployed", "maneuver-column", "march-column"])
def test_any_unit_may_deploy(troop: str, formation: str) -> None:
    """TSE-ACT-10: guns, wagons and horse too, from whatever formation; generals have none."""
    verdict = by_path(battle(unit(troop=troop, n=2, formation=formation)), path=None, as_="deploy")
    assert verdict.holds
    assert verdict.measured["after"]["formation"] == "deployed"
    with pytest.raises(BadQuestion, match="general"):
        by_path(battle(general()), path=None, as_="deploy")


@pytest.mark.parametrize("troop", TROOPS)
@pytest.mark.parametrize("formation", ["deployed", "maneuver-column"])
def test_any_unit_may_march(troop: str, formation: str) -> None:
    """TSE-ACT-70: it forms march column first, for nothing; then the road takes it half as far again as the open."""
    paved = box(-60, 60, -60, 60, "road")
    marcher = unit(troop=troop, n=1 if "artillery" in troop else 2, formation=formation)
    across, along_road = (by_path(battle(marcher, terrain=t), (0, 4), as_="march").measured for t in ([], [paved]))
    assert across["after"]["formation"] == along_road["after"]["formation"] == "march-column"
    assert across["cost"] == pytest.approx(across["length"], abs=1e-9)
    assert across["turns"] == 0.0
    assert along_road["cost"] == pytest.approx(across["cost"] / 1.5, abs=1e-6)
