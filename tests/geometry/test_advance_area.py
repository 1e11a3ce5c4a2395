"""The ground won by advances: the directions they take, the bands between them, the edges they are told by."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely

from tabletop.geometry.movement.advance_area import AdvanceArea, fans
from tabletop.geometry.movement.advance_directions import outward
from tabletop.geometry.movement.advances import Advances, Heads
from tabletop.geometry.movement.move_context import MoveContext, Node, Nodes
from tabletop.geometry.movement.swept_strips import Edges
from tests.geometry.test_advances_at_once import SETTINGS, heads_of
from tests.moving import O


def nodes_of(context: MoveContext, seed: int, count: int = 3) -> Nodes:
    return Nodes(heads_of(context, seed).nodes[1 : 1 + count])


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("seed", range(2))
def test_directions_worth_an_advance_towards_places(name: str, seed: int) -> None:
    """TSE-MOV-01, TSE-MOV-03: few towards one place, more in no particular direction; in order of bearing."""
    context, rng = SETTINGS[name](), np.random.default_rng(seed)
    toward: list[np.ndarray | None] = [rng.uniform(O - 6, O + 6, (4, 2)), None, rng.uniform(O - 6, O + 6, (1, 2))]
    found = outward(context, nodes_of(context, seed), toward)
    count = np.bincount(found.heads.of, minlength=3)
    assert 0 < count[2] < count[1]
    assert (np.diff(found.heads.of * 4 * math.pi + found.bearings) > 0.0).all()


def test_nobody_goes_out_in_a_direction_it_cannot_pay_to_turn_to() -> None:
    """TSE-MOV-03: with next to nothing left only about the way it faces."""
    context = SETTINGS["column"]()
    node = replace(nodes_of(context, 1)[0], cost=context.budget - 0.1)
    found = outward(context, Nodes([node]), (None,))
    turn = np.remainder(found.bearings - float(node.facing or 0.0) + math.pi, 2 * math.pi) - math.pi
    assert np.abs(turn).max() <= 0.1 / context.files.half + 1e-6


def won(context: MoveContext, seed: int | None) -> AdvanceArea:
    nodes = Nodes([Node.first(context)]) if seed is None else nodes_of(context, seed)
    return fans(context, outward(context, nodes, [None] * len(nodes)))


@pytest.mark.parametrize("seed", [None, 0])
def test_places_on_ground_won(seed: int | None) -> None:
    """TSE-MOV-16: in a band, whether or not a friend lies between it and the mover, and not in a friend's."""
    context = SETTINGS["column"]()
    ground = won(context, seed)
    assert (ground.bands.inner > 0.0).any()  # friends stand in the way
    places = np.random.default_rng(3).uniform(O - 7.0, O + 7.0, (300, 2))
    area = shapely.union_all(ground.polygons)
    assert ground.holds(places).tolist() == shapely.intersects_xy(area, *places.T).tolist()
    assert 10 < ground.holds(places).sum() < 280


def test_no_ground_no_rings() -> None:
    """Nowhere to go: no bands, no rings, nothing holds a place."""
    context = SETTINGS["column"]()
    nobody = Heads(nodes_of(context, 0), np.zeros(0, int), np.zeros(0))
    ground = fans(context, Advances(nobody, np.zeros((0, 2)), np.zeros(0)))
    assert len(ground.points) == len(ground.polygons) == 0
    assert not ground.holds(np.zeros((1, 2))).any()


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
