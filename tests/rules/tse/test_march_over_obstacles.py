"""What a march column pays for the obstacles its bases meet, leg after leg, as the judge has it."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.geometry.movement.advances import onward
from tabletop.geometry.movement.move_context import Node
from tabletop.rules.tse.movement.motion import ACTIONS, along
from tabletop.rules.tse.movement.reach import setting_of
from tests.moving import O, battle, drawn, unit

MARCH = ACTIONS["march"]


def priced(seed: int, road: bool) -> list[tuple[float, float]]:
    """What places two and three legs away are thought to cost, and what the judge says of the same ways."""
    rng = np.random.default_rng(seed)
    ends = [rng.uniform(-4.0, 4.0, (2, 2)).tolist() for _ in range(5)]
    ends.append([(-0.9, -0.6), (0.9, -0.9)])  # between the head and what follows it
    terrain = [drawn("wall", [tuple(p) for p in line], id=f"wall-{k}") for k, line in enumerate(ends)]
    bends = [(0.0, -4.0), (0.0, 2.0), (3.0, 2.0)]
    terrain += [drawn("road", bends, id="road"), drawn("hedge", [(-0.2, 2.2), (0.1, 4.0)], id="hedge")] if road else []
    scene = battle(unit(n=4, formation="march-column"), terrain=terrain)
    own = scene.unit("a")
    setting = setting_of(scene, own, MARCH, head=0)
    points = rng.uniform(O - 3.0, O + 3.0, (12, 2))
    points = np.concatenate([points, [(O, O + 2.0), (O + 1.5, O + 2.0), (O + 2.5, O + 2.0)]]) if road else points
    first = onward(setting, [Node.first(setting)], points)
    second = onward(setting, first, points)
    third = onward(setting, second[::7], points)
    nodes = (*first, *second, *third[::5])
    return [(node.cost, along(scene, own, MARCH, list(node.way), None, head=0).price.total) for node in nodes]


@pytest.mark.parametrize("road", [False, True])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(2, 6))])
def test_no_place_costs_less_than_its_way_does(seed: int, road: bool) -> None:
    """TSE-MOV-04, TSE-MOV-08, TSE-MOV-23: followers, and bends on a road, still meet what lies where it set out."""
    thought, judged = np.array(priced(seed, road)).T
    assert len(thought) > 20
    assert (thought - judged).min() > -1e-5
    assert (np.abs(thought - judged) < 1e-5).mean() > 0.1, "turns beside obstacles alone are charged for the worst"
