"""What small changes to the code would spoil: turns by the table's edge, rough ground drawn, an army's strain."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from tabletop.geometry.movement.advance_contact import Outlines, advance_until
from tabletop.geometry.movement.configuration_space import _grown
from tabletop.rules.tse.calculator.model_data import model
from tabletop.rules.tse.computer import action_value
from tabletop.rules.tse.computer.position_value import weights
from tabletop.rules.tse.morale import army_morale
from tabletop.rules.tse.movement.motion import ACTIONS
from tabletop.rules.tse.movement.reach import setting_of
from tests.moving import O, battle, box, by_path, unit

ROUND = np.radians(np.arange(0.0, 360.0, 15.0))


@pytest.mark.parametrize("quarter", range(4))
@pytest.mark.parametrize(("off", "free"), [(0.5, False), (3.0, True)])
def test_a_front_turns_on_its_middle_only_on_the_table(quarter: int, off: float, free: bool) -> None:
    """TSE-MOV-21: by each of the four edges alike; facing along it, half a front away and more."""
    scene = battle(unit())
    setting = setting_of(scene, scene.unit("a"), ACTIONS["maneuver"])
    x, y = (O - off, 0.0) if quarter % 2 else (0.0, O - off)
    mid = (O + x, O + y) if quarter < 2 else (O - x, O - y)
    facing = math.pi / 2 if quarter % 2 == 0 else 0.0
    assert setting.may_turn(mid, facing, np.array([facing])).all()
    assert setting.may_turn(mid, facing, ROUND).all() == free


def test_rough_ground_is_drawn_where_it_is_crossed() -> None:
    """TSE-MOV-06: along the track of the base charged for it; turning on the way there draws nothing."""
    rough = box(2.0, 4.0, -20.0, 20.0)
    verdict = by_path(battle(unit(), terrain=[rough]), (4.75, 0.0))
    marks = [shape for shape in verdict.shapes if shape.role == "mark"]
    assert [mark.label for mark in marks] == ["rough 2.00"]
    assert [round(x - O, 6) for x, _ in marks[0].points] == [2.0, 4.0]


def test_what_an_army_has_lost_strains_it_the_more_the_more_it_is() -> None:
    """TSE-MOR-01: nothing gone, nothing; the whole weight from the share at which it must be tried, and no more."""
    half, most = model().morale.half.value, weights()["army"]
    form = {"destroyed": 0, "demoralized_units": 0, "units": 100, "senior_lost": False}
    gone = [round(100 * half * share) for share in (0.0, 0.5, 1.0, 1.5)]
    nerve = [action_value._morale_loss({**form, "destroyed": n}) for n in gone]
    breaks = [weights()["breaks"] * army_morale.breaking({**form, "destroyed": n}) for n in gone]
    found = [a - b for a, b in zip(nerve, breaks, strict=True)]
    assert found == pytest.approx([0.0, most / 4, most, most], rel=0.1)


@pytest.mark.parametrize("x", [1.25, -2.25])
def test_an_edge_beside_the_way_stops_only_whom_it_is_to_be_kept_from(x: float) -> None:
    """TSE-MOV-17: parallel to the way, farther off than is to be kept from it, nearer than from something else."""
    beside, elsewhere = shapely.box(x, 1.0, x + 1.0, 2.0), shapely.box(-9.0, -9.0, -8.0, -8.0)
    keep = Outlines.of([(beside, 0.125), (elsewhere, 2.0)])
    assert advance_until(np.zeros(2), np.array([(0.0, 1.0)]), 1.0, keep, 4.0).tolist() == [4.0]


def test_a_dented_shape_is_grown_with_its_dent() -> None:
    """By a body moved along its edges: what the body cannot touch from there stays out."""
    dented = shapely.Polygon([(0, 0), (6, 0), (6, 4), (4, 4), (4, 2), (2, 2), (2, 4), (0, 4)])
    body = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    grown = _grown(dented, body)
    assert shapely.area(grown) == pytest.approx(7.0 * 5.0 - 1.0 * 2.0)
    assert not shapely.intersects(grown, shapely.Point(3.0, 3.0))
    whole_ = _grown(shapely.convex_hull(dented), body)
    assert shapely.area(whole_) == pytest.approx(7.0 * 5.0)
