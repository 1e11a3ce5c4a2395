"""The law of overhang at choke-points, held against poses one by one (TSE-MOV-15)."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.movement.clearance import trespass
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.movement.motion import Body, Pivot, Straight, rigid_motion
from tabletop.rules.tse.movement.motion import body_of
from tests.moving import battle, box, unit

T = 0.005
RIVER = box(-30, 30, 0, 2, "river", "river")


def barred(body: Body, turning: bool, give: float, gap: BaseGeometry) -> bool:
    """Return whether a pose is barred, by the words of the rule; ``give`` widens or narrows every limit."""
    foot = shapely.union_all([base.polygon for base in body.bases])
    river = shapely.difference(RIVER.shape, gap)
    if shapely.buffer(foot, -T - give, join_style="mitre").intersection(river).is_empty:
        return False
    on_gap = not shapely.buffer(foot, -T + give, join_style="mitre").intersection(gap).is_empty
    centre = np.array([base.centre for base in body.bases]).mean(axis=0)
    guides = [body.mid, *([tuple(centre)] if turning else [])]
    deep = shapely.buffer(river, -T - give, join_style="mitre")
    return not (on_gap and any(not deep.contains(shapely.Point(p)) for p in guides))


@pytest.mark.parametrize("seed", [*range(30), *(pytest.param(k, marks=pytest.mark.sweep) for k in range(30, 60))])
def test_a_step_is_barred_just_when_a_pose_of_it_is(seed: int) -> None:
    """TSE-MOV-15: straight ahead the middle of the front is the guide, in a turn it or the centre."""
    rng = np.random.default_rng(seed)
    wide = float(rng.uniform(0.3, 1.5))
    south, north = (-0.5, 2.5) if seed % 3 else (0.0, 2.0)
    bridge = box(-wide, wide, south, north, "bridge", "bridge")
    n = int(rng.integers(2, 7))
    own = unit(n=n, front=(n + 1) // 2, facing=float(rng.uniform(-60, 60)), front_mid=tuple(rng.uniform(-1.5, 1.5, 2)))
    scene = battle(own, terrain=[RIVER, bridge])
    body = body_of(own)
    turning = seed % 2 == 1
    step = Pivot(float(rng.uniform(-90, 90))) if turning else Straight(float(rng.uniform(0.2, 3.0)))
    told = bool(trespass(rigid_motion(body, [step]), ground_of(scene.table), T))
    poses = []
    for share in np.linspace(0.0, 1.0, 201).tolist():
        if isinstance(step, Pivot):
            poses.append(body.turned(step.degrees * share, body.mid))
        else:
            a = math.radians(body.facing)
            poses.append(body.moved(step.length * share * math.sin(a), step.length * share * math.cos(a)))
    surely = any(barred(pose, turning, 0.012, bridge.shape) for pose in poses)
    maybe = any(barred(pose, turning, -0.012, bridge.shape) for pose in poses)
    assert told or not surely
    assert maybe or not told
