"""Sample points: spread over what may be in reach and not beyond what a point could come to."""

import numpy as np
import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.geometry.movement import sample_points as module
from tabletop.geometry.movement.reach import explored
from tabletop.geometry.movement.sample_points import SAMPLES, sample_points
from tabletop.rules.tse.movement.motion import ACTIONS
from tabletop.rules.tse.movement.reach import setting_of
from tests.moving import O, battle, box, unit


def samples(scene: Battle) -> np.ndarray:
    return sample_points(setting_of(scene, scene.unit("a"), ACTIONS["maneuver"])) - O


def test_open_ground_is_sampled_as_far_as_the_front_goes() -> None:
    found = samples(battle(unit()))
    assert len(found) == SAMPLES
    assert np.hypot(*found.T).max() == pytest.approx(6.75, abs=0.01)


def test_what_lies_deep_in_rough_is_not_sampled() -> None:
    """Six inches of movement go three inches into a wood an inch ahead (TSE-MOV-12)."""
    found = samples(battle(unit(), terrain=[box(-20, 20, 1.5, 20)]))
    assert 4.0 < found[:, 1].max() < 4.75
    assert found[:, 1].min() < -6.5


def test_what_lies_behind_a_lake_is_not_sampled() -> None:
    scene = battle(unit(), terrain=[box(-30, 30, 2, 3, "lake")])
    found = samples(scene)
    assert found[:, 1].max() < 2.0
    assert len(found) > SAMPLES / 3
    bridged = battle(unit(), terrain=[box(-30, 30, 2, 3, "lake"), box(-0.5, 0.5, 1.9, 3.1, "bridge", "bridge")])
    assert samples(bridged)[:, 1].max() > 4.0


def test_where_cells_find_next_to_nothing_all_free_ground_is_sampled() -> None:
    """A gap narrower than two cells is no way for the field; a way through it is looked for all the same."""
    walls = [box(-6, -1.1, -4, 1.3, "lake", "west"), box(1.1, 6, -4, 1.3, "lake", "east")]
    closed = battle(
        unit(), terrain=[*walls, box(-6, 6, 1.3, 2.3, "lake", "north"), box(-6, 6, -5, -4, "lake", "south")]
    )
    assert samples(closed)[:, 1].max() > 5.0


def test_a_reach_that_is_stopped_at_once_is_its_first_fan_without_samples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = battle(unit())
    context = setting_of(scene, scene.unit("a"), ACTIONS["maneuver"])
    monkeypatch.setattr(module, "CostGrid", None)  # not to be asked
    area, nodes = explored(context, lambda: True)
    assert len(nodes) == 1
    assert isinstance(area, shapely.Geometry)
    assert area.area == pytest.approx(np.pi * (6.75**2 - 0.75**2), rel=0.002)
