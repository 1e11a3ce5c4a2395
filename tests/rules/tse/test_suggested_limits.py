"""What is thought of, exactly at the limits of it; and where a unit can form and turn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.terrain import Terrain
from tabletop.rules.tse.computer import rough_cover
from tabletop.rules.tse.computer.suggest import FAR, NEAR_ROAD, by_road, generals, marching, moves_along
from tabletop.rules.tse.fire.cover import Cover, behind_cover
from tabletop.rules.tse.movement import reach
from tabletop.rules.tse.movement.motion import ACTIONS, allowance
from tabletop.rules.tse.tables import length
from tests.playing import FIELD, general, scene, unit

STEP = 1.0 / 1024.0
SIDES: list[tuple[float, bool]] = [(-STEP, True), (0.0, False), (STEP, False)]


def at(x: float, y: float) -> Point:
    a, b = FIELD.put((x, y))
    return a, b


# --- moves thought of -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("more", "near"), SIDES)
def test_far_from_every_enemy_a_unit_marches(more: float, near: bool) -> None:
    """TSE-ACT-20: exactly as far as so many maneuvers is far."""
    own = unit()
    far = FAR * allowance(scene(own), own, ACTIONS["maneuver"])
    foe = unit("e", side="red", facing=180)
    battle = scene(own, foe.moved(0.0, own.bounds[3] + far + more - foe.bounds[1]))
    assert bool(list(marching(battle, battle.unit("a")))) != near


@pytest.mark.parametrize(("more", "near"), [(-STEP, True), (0.0, True), (STEP, False)])
def test_a_road_as_far_off_as_one_is_marched_by(more: float, near: bool) -> None:
    """TSE-MOV-12."""
    road = FIELD.path("road", "road", (-30.0, NEAR_ROAD + more), (30.0, NEAR_ROAD + more))
    battle = scene(unit(), road)
    found = by_road(battle, battle.unit("a"), at(10.0, 10.0))
    assert found == ((at(10.0, NEAR_ROAD + more),) if near else ())


ROAD = FIELD.path("road", "road", (-20.0, 2.0), (0.0, 2.0), (0.0, 12.0), (20.0, 12.0))


@pytest.mark.parametrize(
    ("start", "end", "way"),
    [
        ((0.0, -1.0), (0.0, 12.0), [(0.0, 12.0)]),
        ((-5.0, 2.0), (0.0, 2.0), [(0.0, 2.0)]),
        ((-5.0, 2.0), (9.0, 14.0), [(0.0, 2.0), (0.0, 12.0), (9.0, 12.0)]),
        ((3.0, 13.0), (-8.0, 1.0), [(0.0, 12.0), (0.0, 2.0), (-8.0, 2.0)]),
        ((0.0, 12.0), (0.0, 2.0), [(0.0, 2.0)]),
    ],
)
def test_by_road_from_corner_to_corner(start: Point, end: Point, way: list[Point]) -> None:
    """Only corners on the way: neither the one it begins at nor, twice, the one it ends at."""
    battle = scene(unit(at=start), ROAD)
    assert by_road(battle, battle.unit("a"), at(*end)) == tuple(at(*p) for p in way)


def test_the_nearest_road_of_several_and_none_without_any() -> None:
    far = FIELD.path("far", "road", (-20.0, -3.0), (20.0, -3.0))
    battle = scene(unit(), far, ROAD)
    assert by_road(battle, battle.unit("a"), at(-9.0, 0.0)) == (at(-9.0, 2.0),)
    assert by_road(scene(unit()), unit(), at(-9.0, 0.0)) == ()


@pytest.mark.parametrize(("more", "moves"), [(-STEP, False), (0.0, False), (STEP, True)])
def test_a_move_worth_making_is_longer_than_the_clearance(more: float, moves: bool) -> None:
    far = length("clearance") + more
    battle = scene(unit())
    own = battle.unit("a")
    x, y = own.at
    share = far / allowance(battle, own, ACTIONS["maneuver"])
    found = list(moves_along(battle, own, "maneuver", ((x, y + 6.0),), share, None))
    assert bool(found) == moves
    lead = scene(unit(at=(0.0, far)), general(at=(0.0, 0.0)))
    assert bool(list(generals(lead, lead.unit("div")))) == moves


def test_a_general_goes_to_those_who_need_him_most() -> None:
    """In disorder first, then who has no general near, then who is next to the enemy; three at most."""
    units = [
        unit("calm", at=(0.0, 20.0)),
        unit("front", at=(20.0, 20.0)),
        unit("shaken", at=(-20.0, 20.0), status="disordered"),
        unit("led", at=(0.0, 3.0)),
        unit("stray", at=(0.0, -20.0), parent="other", status="disordered"),
    ]
    foe = unit("e", side="red", at=(20.0, 27.0), facing=180)
    battle = scene(*units, foe, general(at=(0.0, 0.0)))
    found = [action.options["path"][-1] for action in generals(battle, battle.unit("div"))]
    aside = [math.degrees(math.atan2(x - 40.0, y - 40.0)) for x, y in found]
    assert aside == pytest.approx([-45.0, 45.0, 0.0], abs=0.1)


# --- cover thought of -------------------------------------------------------------------------------------------------


def wall(own: Unit, side: str, gap: float) -> Terrain:
    """Return a low wall along one side of a unit, its edge ``gap`` away."""
    x0, y0, x1, y1 = (v - 40.0 for v in own.bounds)
    spans = {
        "north": ((x0 - 3, x1 + 3), (y1 + gap, y1 + gap + 1)),
        "south": ((x0 - 3, x1 + 3), (y0 - gap - 1, y0 - gap)),
        "east": ((x1 + gap, x1 + gap + 1), (y0 - 3, y1 + 3)),
        "west": ((x0 - gap - 1, x0 - gap), (y0 - 3, y1 + 3)),
    }
    return FIELD.box("wall", "rough", *spans[side], sight="low", cover_assault="hard", cover_fire="hard")


@pytest.mark.parametrize(("more", "near"), [(-STEP, True), (0.0, True), (8 * STEP, False)])
@pytest.mark.parametrize("side", ["north", "south", "east", "west"])
def test_cover_half_an_inch_before_a_unit(side: str, more: float, near: bool) -> None:
    """TSE-COV-09: exactly as far behind it as gives cover; a unit shelters towards the side it is on."""
    own = unit(formation="deployed", bases=2)
    battle = scene(own, wall(own, side, behind_cover(scene(own)) + more))
    there = battle.unit("a")
    assert rough_cover.near_cover(battle, there) == near
    ways = {"north": (0.0, 30.0), "south": (0.0, -30.0), "east": (30.0, 0.0), "west": (-30.0, 0.0)}
    for name, way in ways.items():
        covered = rough_cover.likely_cover(battle, there, at(*way))
        assert covered == ("hard" if near and name == side else "none")


def test_equal_covers_are_neither_less() -> None:
    soft, hard = Cover("soft"), Cover("hard")
    assert soft < hard
    assert not hard < soft
    assert not soft < Cover("soft", pieces=("wood",))


# --- where a unit can form and turn -----------------------------------------------------------------------------------


def forming(battle: Battle, own: Unit, keep: float, shape: shapely.Polygon) -> bool:
    room = reach._Room([(shape, keep)], (), ground_of(battle.table), battle.table, battle.tape.t)
    test = reach._forming(None, own, own.at, room)
    return bool(test(np.zeros(1))[0])


@pytest.mark.parametrize(("more", "forms"), [(-STEP, False), (0.0, True), (STEP, True)])
def test_forming_as_near_an_enemy_as_may_be(more: float, forms: bool) -> None:
    """TSE-FRM-07: nearer than his zone's edge is forbidden, on it is not."""
    own = unit(formation="deployed")
    x0, _, x1, y1 = own.bounds
    enemy = shapely.box(x0, y1 + 1.0 + more, x1, y1 + 2.0)
    assert forming(FIELD.battle(own), own, 1.0, enemy) == forms


@pytest.mark.parametrize(("more", "bad"), [(-STEP, True), (0.0, False), (STEP, False)])
def test_turning_as_near_an_enemy_as_may_be(more: float, bad: bool) -> None:
    """TSE-MOV-17."""
    pose, edge = np.array([[(1.0, 1.0), (3.0, 1.0), (3.0, 2.0), (1.0, 2.0)]]), np.array([10.0, 10.0])
    enemy = np.array([shapely.box(1.0, 4.0 + more, 3.0, 5.0)])
    assert reach._too_near(pose, enemy, np.array([2.0]), edge).tolist() == [bad]


@pytest.mark.parametrize(("across", "bad"), [(0.0, False), (1e-3, True)])
def test_turning_at_the_edge_and_against_ground(across: float, bad: bool) -> None:
    """TSE-MOV-15, TSE-MOV-21."""
    box: list[Any] = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]
    none, edge = np.zeros(0), np.array([2.0, 1.0])
    for way in ((-across, 0.0), (0.0, -across), (across, 0.0), (0.0, across)):
        pose = np.array([box]) + way
        assert reach._too_near(pose, np.zeros(0, object), none, edge).tolist() == [bad]
    rock = np.array([shapely.box(2.0 + 1e-9 - across, 0.0, 3.0, 1.0)])
    assert reach._too_near(np.array([box]), rock, np.zeros(1), np.array([9.0, 9.0])).tolist() == [bad]


@pytest.mark.parametrize("bearing", [0.0, 90.0, 180.0, 270.0])
def test_up_to_every_edge_of_the_table(bearing: float) -> None:
    """TSE-MOV-21: straight at an edge a front goes as far as it, whichever it is."""
    fx, fy = heading(bearing)
    own = unit(at=(36.0 * fx, 36.0 * fy), facing=bearing)
    battle = FIELD.battle(own)
    x, y = own.front_mid
    gap = max(fx * (80.0 - x), fy * (80.0 - y)) if fx + fy > 0 else max(-fx * x, -fy * y)
    assert 2.0 < gap < 6.0
    assert reach.farthest_advance(battle, battle.unit("a"), ACTIONS["maneuver"], bearing) == pytest.approx(gap)
