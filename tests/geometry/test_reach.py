"""Reach: every place claimed is backed by a way the judge finds legal, and little that could be reached is missing."""

from __future__ import annotations

import math
import random

import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.geometry.movement.move_context import Node
from tabletop.geometry.movement.reach import explored
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.movement.judge import reach
from tabletop.rules.tse.movement.legality import faults
from tabletop.rules.tse.movement.motion import ACTIONS, along
from tabletop.rules.tse.movement.reach import setting_of
from tests.moving import O, battle, box, drawn, general, piece, unit


def ground(scene: Battle, **options: object) -> BaseGeometry:
    area = reach(scene, Request("reach", ("a",), options)).measured["area"]
    return shapely.union_all([shapely.Polygon(rings[0], rings[1:]) for rings in area])


SCENES = {
    "open": battle(unit()),
    "wood": battle(unit(), terrain=[box(-3, 3, 2, 4)]),
    "lake": battle(unit(troop="light-cavalry"), terrain=[box(-1, 4, 2, 4, "lake"), box(-6, -2, -5, -3, id="marsh")]),
    "enemy": battle(unit(), unit("b", side="blue", formation="deployed", front_mid=(0.5, 4.0), facing=180.0)),
    "friend": battle(unit(), unit("b", formation="deployed", front_mid=(0.5, 3.0), facing=20.0)),
    "hedge": battle(unit(n=5), terrain=[drawn("hedge", [(-4, 2), (3, 3)])]),
    "edge": battle(unit(at=(98.0, 97.0), facing=45.0)),
    "general": battle(general(), terrain=[box(-9, 9, 3, 6), box(4, 9, -9, -4, "lake", "lake")]),
    "crowded": battle(
        unit(n=6, facing=30.0),
        unit("b", side="blue", n=5, formation="deployed", front_mid=(-3.0, 4.5), facing=160.0),
        unit("c", n=4, formation="deployed", front_mid=(3.5, 2.0), facing=10.0),
        terrain=[piece("woods", [(1, 3), (4, 4), (3, 6), (0, 5)]), drawn("wall", [(-5, -2), (-1, -4)])],
    ),
}


def backed(scene: Battle, nodes: list[Node], point: tuple[float, float], action: str) -> bool:
    ways = sorted(([*node.way, point] for node in nodes), key=lambda way: math.dist(way[-2], point) if way[1:] else 0.0)
    return any(not faults(along(scene, scene.unit("a"), ACTIONS[action], way, None)) for way in ways)


def sampled(area: BaseGeometry, count: int) -> list[tuple[float, float]]:
    rng = random.Random(7)
    x0, y0, x1, y1 = area.bounds
    found: list[tuple[float, float]] = []
    while len(found) < count:
        point = rng.uniform(x0, x1), rng.uniform(y0, y1)
        if area.contains(shapely.Point(point)):
            found.append(point)
    rim = area.buffer(-0.002).boundary
    found += [(p.x, p.y) for p in (rim.interpolate(rng.random(), normalized=True) for _ in range(count))]
    return found


@pytest.mark.parametrize("name", SCENES)
def test_no_place_is_claimed_that_no_legal_way_backs(name: str) -> None:
    """Inside and on the rim (TSE-MOV-01, TSE-MOV-15, TSE-MOV-16, TSE-MOV-17)."""
    scene = SCENES[name]
    action = "general" if scene.unit("a").is_general else "maneuver"
    area, nodes = explored(setting_of(scene, scene.unit("a"), ACTIONS[action]))
    assert not area.is_empty
    for point in sampled(area, 12):
        assert backed(scene, nodes, point, action), (point[0] - O, point[1] - O)


def test_open_ground_is_a_circle() -> None:
    """A column forms facing anywhere about its centre and goes straight: 0.75 to its front and 6 on."""
    assert ground(SCENES["open"]).area == pytest.approx(math.pi * 6.75**2, rel=0.005)


def brute(scene: Battle, step: float = 0.4) -> float:
    """Return the share of a lattice's reachable places that are claimed: ways of one or two legs over a fine choice."""
    area = ground(scene)
    mover = scene.unit("a")
    rng = random.Random(3)
    met = total = 0
    for _ in range(400):
        first = rng.uniform(0, 2 * math.pi), rng.uniform(0.8, 6.5)
        turn, second = rng.uniform(-1.5, 1.5), rng.uniform(0.0, 5.0)
        p = mover.at[0] + first[1] * math.sin(first[0]), mover.at[1] + first[1] * math.cos(first[0])
        q = p[0] + second * math.sin(first[0] + turn), p[1] + second * math.cos(first[0] + turn)
        if not faults(along(scene, mover, ACTIONS["maneuver"], [p, q], None)):
            total += 1
            met += area.dwithin(shapely.Point(q), 0.05)
    assert total > 30
    return met / total


@pytest.mark.parametrize("name", ["wood", "enemy", "hedge", "crowded"])
def test_little_is_missing(name: str) -> None:
    """Places reached by legal ways of two legs, drawn at random, are claimed, to 0.05 in, all but two in a hundred."""
    assert brute(SCENES[name]) >= 0.98


def test_mirrored_scene_has_the_mirrored_reach() -> None:
    scene = battle(unit(), terrain=[box(1, 3, 2, 4)])
    mirrored = battle(unit(), terrain=[box(-3, -1, 2, 4)])
    there = shapely.affinity.scale(ground(mirrored), -1.0, 1.0, origin=(O, O))
    assert ground(scene).symmetric_difference(there).area < 0.01 * there.area


def test_shut_in_by_the_enemy_nothing_is_in_reach() -> None:
    """No facing keeps clear of the zones: the unit cannot form (TSE-FRM-07, TSE-MOV-17)."""
    ring = [
        unit(f"b{k}", side="blue", n=4, formation="deployed", facing=k * 90.0, front_mid=place)
        for k, place in enumerate([(0.0, -2.0), (-2.0, 0.0), (0.0, 2.0), (2.0, 0.0)])
    ]
    assert ground(battle(unit(), *ring)).area == 0.0


def test_it_stops_when_asked() -> None:
    """Asked to stop at once, it returns what straight advances reach."""
    scene = SCENES["crowded"]
    first = ground(scene, should_stop=lambda: True)
    assert 0.0 < first.area <= ground(scene).area + 1e-9


def test_marching_reach_follows_the_road() -> None:
    """Along the road a march of 9 goes farther than across country (TSE-MOV-11)."""
    road = drawn("road", [(0, -50), (0, 50)])
    area = ground(battle(unit(formation="march-column"), terrain=[road]), **{"as": "march"})
    assert area.bounds[3] - O > 12.0
    assert area.bounds[2] - O < 12.0


@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_ground_behind_an_enemy_is_in_reach(mirror: float) -> None:
    """Round the flank of a deployed line in four legs, 13.23 of 14 (TSE-MOV-03, TSE-MOV-17); every place is backed."""
    mover = unit(troop="light-cavalry", quality="elite", n=4, front=2)
    scene = battle(mover, unit("b", side="blue", formation="deployed", at=(0.0, 6.0), facing=180.0))
    area, nodes = explored(setting_of(scene, scene.unit("a"), ACTIONS["maneuver"]))
    assert area.contains(shapely.Point(O + mirror, O + 10.0))
    for point in sampled(area, 10):
        assert backed(scene, nodes, point, "maneuver"), (point[0] - O, point[1] - O)


def test_a_column_forms_beside_a_bridge() -> None:
    """Where its turned bases overlap the river and the bridge, its guide points are looked at (TSE-MOV-15)."""
    river = drawn("river", [(-60, 1.2), (60, 1.2)], "river", width=1.0)
    bridge = drawn("bridge", [(0.0, 0.4), (0.0, 2.0)], "bridge", width=1.0)
    assert ground(battle(unit(n=6), terrain=[river, bridge])).area > 1.0


def test_ground_between_friends_is_in_reach_by_a_turn_before_a_short_last_leg() -> None:
    """Straight on it would end in a friend; a turn between them and three tenths of an inch end clear (TSE-MOV-16)."""
    friends = [unit(f"f{side}", n=4, formation="maneuver-column", front_mid=(side * 2.2, 7.5)) for side in (-1, 1)]
    mover = unit(troop="light-cavalry", quality="elite", n=4, front=2, front_mid=(0.0, 0.0))
    scene = battle(mover, *friends, unit("h", n=6, formation="deployed", front_mid=(0.0, 10.0)))
    area = ground(scene)
    for x, y in ((-1.0, 7.0), (-1.0, 7.4), (1.0, 7.0), (1.0, 7.4)):
        end = O + x, O + y
        ways = [[(end[0] - side, end[1]), end] for side in (-0.3, 0.3)]
        assert any(not faults(along(scene, scene.unit("a"), ACTIONS["maneuver"], way, None)) for way in ways)
        assert faults(along(scene, scene.unit("a"), ACTIONS["maneuver"], [end], None))
        assert area.dwithin(shapely.Point(end), 0.02), (x, y)
