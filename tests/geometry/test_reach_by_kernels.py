"""The parts of a reach by kernels, as the loops they are written as, beside the plain way: the same to rounding."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pytest
import shapely

from tabletop.geometry.contact import Outlines
from tabletop.geometry.fan import Advances, Heads
from tabletop.geometry.lanes import Edges
from tabletop.geometry.outward import outward
from tabletop.geometry.places import clear
from tabletop.geometry.reach import explored
from tabletop.geometry.setting import Node, Nodes, Setting
from tabletop.geometry.spread import Won, fans
from tabletop.geometry.turning import Turning
from tabletop.rules.tse.movement.motion import ACTIONS
from tabletop.rules.tse.movement.reach import setting_of
from tests.geometry.test_advances_at_once import SETTINGS, heads_of
from tests.moving import O, battle, box, unit

T = TypeVar("T")
Both = Callable[[Callable[[], T]], tuple[T, T]]


pytestmark = pytest.mark.usefixtures("divided_as_compiled")


def nodes_of(setting: Setting, seed: int, count: int = 3) -> Nodes:
    return Nodes(heads_of(setting, seed).nodes[1 : 1 + count])


def started(setting: Setting) -> Nodes:
    return Nodes([Node.first(setting)])


def same_advances(found: Advances, plain: Advances) -> None:
    assert found.heads.of.tolist() == plain.heads.of.tolist()
    assert found.bearings == pytest.approx(plain.bearings, abs=2e-9)
    assert found.starts == pytest.approx(plain.starts, abs=2e-9)
    assert np.maximum(found.lengths, -1.0) == pytest.approx(np.maximum(plain.lengths, -1.0), abs=1e-7)


# --- directions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETTINGS)
def test_directions_worth_an_advance_out_of_where_a_mover_forms(name: str, both: Both[Advances]) -> None:
    """TSE-MOV-01, TSE-FRM-07."""
    setting = SETTINGS[name]()
    same_advances(*both(lambda: outward(setting, started(setting), (None,))))


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("seed", range(2))
def test_directions_worth_an_advance_towards_places(name: str, seed: int, both: Both[Advances]) -> None:
    """TSE-MOV-01, TSE-MOV-03: out of places from which it turns, towards some, or none in particular."""
    setting = SETTINGS[name]()
    rng = np.random.default_rng(seed)
    toward: list[np.ndarray | None] = [rng.uniform(O - 6, O + 6, (4, 2)), None, rng.uniform(O - 6, O + 6, (1, 2))]
    found, plain = both(lambda: outward(setting, nodes_of(setting, seed), toward))
    same_advances(found, plain)
    count = np.bincount(found.heads.of, minlength=3)
    assert 0 < count[2] < count[1]


def test_nobody_goes_out_in_a_direction_it_cannot_pay_to_turn_to(both: Both[Advances]) -> None:
    """TSE-MOV-03: with next to nothing left only about the way it faces."""
    setting = SETTINGS["column"]()
    node = replace(nodes_of(setting, 1)[0], cost=setting.budget - 0.1)
    found, plain = both(lambda: outward(setting, Nodes([node]), (None,)))
    same_advances(found, plain)
    turn = np.remainder(found.bearings - float(node.facing or 0.0) + math.pi, 2 * math.pi) - math.pi
    assert np.abs(turn).max() <= 0.1 / setting.files.half + 1e-6


# --- ground won -------------------------------------------------------------------------------------------------------


def won(setting: Setting, seed: int | None) -> Won:
    nodes = started(setting) if seed is None else nodes_of(setting, seed)
    return fans(setting, outward(setting, nodes, [None] * len(nodes)))


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("seed", [None, 0, 1])
def test_ground_won_by_advances(name: str, seed: int | None, both: Both[Won]) -> None:
    """TSE-MOV-16: bands less friends, and the rings about them."""
    setting = SETTINGS[name]()
    found, plain = both(lambda: won(setting, seed))
    assert found.bands.first.tolist() == plain.bands.first.tolist()
    assert found.bands.second.tolist() == plain.bands.second.tolist()
    assert found.bands.inner == pytest.approx(plain.bands.inner, abs=1e-7)
    assert found.bands.outer == pytest.approx(plain.bands.outer, abs=1e-7)
    assert found.number.tolist() == plain.number.tolist()
    assert found.points == pytest.approx(plain.points, abs=1e-7)
    if name == "column" and seed != 1:
        assert (found.bands.inner > 0.0).any()  # friends stand in the way


@pytest.mark.parametrize("seed", [None, 0])
def test_places_on_ground_won(seed: int | None, both: Both[np.ndarray]) -> None:
    """In a band, whether or not a friend lies between it and the mover."""
    setting = SETTINGS["column"]()
    places = np.random.default_rng(3).uniform(O - 7.0, O + 7.0, (300, 2))
    found, plain = both(lambda: won(setting, seed).holds(places))
    assert found.tolist() == plain.tolist()
    assert 10 < found.sum() < 280


@pytest.mark.parametrize("name", SETTINGS)
def test_rings_are_closed_and_their_ground_lies_to_the_left(name: str) -> None:
    ground = won(SETTINGS[name](), None)
    starts, ends = ground.edges
    for ring in range(int(ground.number.max()) + 1):
        own = ground.number == ring
        assert sorted(map(tuple, starts[own].tolist())) == sorted(map(tuple, ends[own].tolist()))
        assert (starts[own, 0] * ends[own, 1] - starts[own, 1] * ends[own, 0]).sum() > 0.0


def test_no_ground_no_rings() -> None:
    """Nowhere to go: no bands, no edges, nothing holds a place."""
    setting = SETTINGS["column"]()
    nobody = Heads(nodes_of(setting, 0), np.zeros(0, int), np.zeros(0))
    ground = fans(setting, Advances(nobody, np.zeros((0, 2)), np.zeros(0)))
    assert [len(ends) for ends in ground.edges] == [0, 0]
    assert len(ground.polygons) == 0
    assert not ground.holds(np.zeros((1, 2))).any()


# --- all of it --------------------------------------------------------------------------------------------------------


def test_a_whole_reach(both: Both[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-MOV-01, TSE-MOV-15 to 17: the same nodes, the same ground; before bends, whose goals lie on the rim."""
    monkeypatch.setattr("tabletop.geometry.reach.BENDING", 0)
    scene = battle(
        unit(n=3, facing=30.0),
        unit("b", side="blue", n=3, formation="deployed", front_mid=(-2.0, 4.5), facing=160.0),
        unit("c", n=2, formation="deployed", front_mid=(2.5, 2.0), facing=10.0),
        terrain=[box(-3, 1, -4, -2), box(2, 4, -3, -1, "lake", "lake")],
    )

    def asked() -> tuple[shapely.Geometry, list[Any]]:
        area, nodes = explored(setting_of(scene, scene.unit("a"), ACTIONS["maneuver"]))
        return area, [(node.at, node.facing) for node in nodes]

    (area, nodes), (plain, others) = both(asked)
    assert nodes == others
    assert len(nodes) > 2
    assert shapely.symmetric_difference(area, plain, grid_size=1e-7).area < 1e-4


# --- turns ------------------------------------------------------------------------------------------------------------


def standing(count: int, rng: np.random.Generator, within: float = 6.0) -> list[tuple[tuple[float, float], float]]:
    places, facings = rng.uniform(O - within, O + within, (count, 2)), rng.uniform(0.0, 2 * math.pi, count)
    return [((x, y), facing) for (x, y), facing in zip(places.tolist(), facings.tolist(), strict=True)]


@pytest.mark.parametrize("where", ["among", "edge", "squarely"])
def test_how_far_there_is_room_to_turn(where: str, both: Both[Any]) -> None:
    """TSE-MOV-15, TSE-MOV-17, TSE-MOV-21: beside enemies and a lake, by the table's edge, just as near as may be."""
    scene = battle(
        unit(n=6, facing=30.0),
        unit("b", side="blue", n=5, formation="deployed", front_mid=(-3.0, 4.5), facing=160.0),
        terrain=[box(3, 9, -9, -4, "lake", "lake"), box(-1, -0.5, -1, -0.5, "lake", "pond")],
    )
    rng = np.random.default_rng(4)
    if where == "among":
        asked = standing(40, rng)
    elif where == "edge":
        asked = [((abs(x - O) / 4 + 0.01, y), facing) for (x, y), facing in standing(30, rng)]
    else:
        half = setting_of(scene, scene.unit("a"), ACTIONS["maneuver"]).files.half
        ends = [(O + 3.0 - half, O - 6.0), (O + 3.0 - half, O - 5.0), (half, O), (O, half)]
        asked = [(place, quarter * math.pi / 2) for place in ends for quarter in range(4)]
    found, plain = both(lambda: setting_of(scene, scene.unit("a"), ACTIONS["maneuver"]).turns.at(asked))
    assert found == plain
    assert any(math.isfinite(far) for room in found for far in room)


def test_how_long_turns_are_in_rough_ground(both: Both[Turning]) -> None:
    """TSE-MOV-06: in a wood, across its border, along it, and clear of it."""
    scene = battle(unit(n=6), terrain=[box(-3, 1, -4, 2), box(2, 5, 1, 5, id="other")])
    rng = np.random.default_rng(6)
    keys = [*standing(12, rng), ((O + 1.0, O), 0.0), ((O - 1.0, O + 2.0), math.pi / 2), ((O - 1.0, O - 1.0), 1.0)]

    def asked() -> Turning:
        setting = setting_of(scene, scene.unit("a"), ACTIONS["maneuver"])
        spent = Node.first(setting).spent
        return Turning.of(setting, Nodes(Node(0.0, at, facing, spent, (at,)) for at, facing in keys))

    found, plain = both(asked)
    assert found.number.tolist() == plain.number.tolist()
    assert found.slow == pytest.approx(plain.slow, abs=1e-12)
    assert 0.0 < np.mean(found.slow > 0.0) < 1.0


# --- what lies about --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("keep", [0.0, 0.5, math.inf])
def test_places_clear_of_outlines(keep: float, both: Both[np.ndarray]) -> None:
    """TSE-MOV-17: no nearer than is to be kept; exactly as near is clear."""
    box = shapely.Polygon([(2, 2), (4, 2), (4, 3), (2, 3)])
    outlines = Outlines.of([(box, keep), (shapely.LineString([(-3, 0), (-1, 1)]), 0.25)])
    rng = np.random.default_rng(8)
    points = np.concatenate([rng.integers(-16, 24, (200, 2)) / 4, rng.uniform(-4.0, 6.0, (200, 2))])
    found, plain = both(lambda: clear(points, outlines))
    assert found.tolist() == plain.tolist()
    assert both(lambda: clear(points[:0], outlines))[0].tolist() == []


@pytest.mark.parametrize("name", SETTINGS)
def test_the_bearings_in_which_edges_are_seen(name: str, both: Both[Any]) -> None:
    """Out of where the mover forms and out of other places, some in the midst of ground."""
    setting = SETTINGS[name]()
    heads = heads_of(setting, 3)

    def asked() -> Any:
        own = replace(setting)  # nothing found out yet
        ranges = own.surroundings.ranges(heads.places(own))
        return own.surroundings, ranges

    (found, ranges), (plain, others) = both(asked)
    assert found.a.tolist() == plain.a.tolist()
    assert ranges.width == pytest.approx(others.width, abs=1e-9)
    met = others.width >= 0.0
    assert ranges.first[met] == pytest.approx(others.first[met], abs=1e-9)
    assert 0.1 < met.mean() < 0.9


def test_edges_of_shapes_of_every_kind() -> None:
    """Areas with holes, several in one, lines and nothing at all: part by part, ring by ring."""
    holed = shapely.Polygon([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (1, 2), (2, 2)]])
    several = shapely.MultiPolygon([shapely.box(5, 0, 6, 1), shapely.box(7, 0, 8, 1)])
    mixed = shapely.GeometryCollection([shapely.LineString([(0, 9), (1, 9), (2, 8)]), shapely.box(9, 9, 10, 10)])
    found = Edges.of([holed, shapely.LineString([(3, 9), (4, 9)]), several, mixed])
    assert found.part.tolist() == [0] * 7 + [1] + [2] * 8 + [3] * 6
    assert found.solid.tolist() == [True] * 7 + [False] + [True] * 8 + [False] * 2 + [True] * 4
    assert (found.points[found.ends] - found.points[found.starts]).any(axis=1).all()
    assert len(Edges.of([]).part) == 0
