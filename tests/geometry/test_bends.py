"""Ways to the rim of the ground in reach, bent as long as that takes them farther."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from tabletop.geometry.movement import reach
from tabletop.geometry.movement.choke_crossings import held_until
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.movement.reach import explored
from tabletop.judge import ask
from tabletop.rules.tse.movement.motion import ACTIONS
from tabletop.rules.tse.movement.reach import setting_of
from tests.moving import O, battle, box, unit

ROUND = battle(
    unit(n=4, troop="light-cavalry", quality="elite", front=2, front_mid=(0.0, 0.0)),
    unit("b", side="blue", n=4, formation="deployed", front_mid=(0.0, 6.0), facing=180.0),
    terrain=[box(-4.0, 4.0, 1.0, 3.0, id="wood")],
)


def test_bending_wins_ground_that_can_be_got_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-MOV-01, TSE-MOV-17: past a wood and an enemy; to every place won a move along its way is legal."""
    context = setting_of(ROUND, ROUND.unit("a"), ACTIONS["maneuver"])
    whole, nodes = explored(context)
    monkeypatch.setattr(reach, "BENDING", 0)
    first, others = explored(context)
    assert shapely.difference(first, whole).area < 1e-3
    assert whole.area > 1.005 * first.area
    further = nodes[len(others) :]
    assert further
    for node in further[:20]:
        along = ask(ROUND, "move", ["a"], {"path": [list(place) for place in node.way]})
        assert along.holds, along.because
        assert along.measured["cost"] == pytest.approx(node.cost, abs=0.02)


def test_a_rear_over_the_river_must_not_leave_the_bridge_before_it_is_clear() -> None:
    """TSE-MOV-15: beside the bridge, on it, and where the column stands over no river at all."""
    there = battle(
        unit(n=2), terrain=[box(-30, 30, 2, 3, "river", "river"), box(-0.5, 0.5, 1.5, 3.5, "bridge", "bridge")]
    )
    opened = tuple(one for one in ground_of(there.table).opened if one is not None)
    assert len(opened) == 1
    starts = np.array([(O + 0.9, O + 3.5), (O, O + 4.0), (O + 9.0, O + 9.0)])
    u = np.array([(math.sin(a), math.cos(a)) for a in np.radians([80.0, 0.0, 0.0])])
    limit = held_until(opened, starts, u, 0.6, 2.5, 0.005)
    assert 0.0 <= limit[0] < 2.5
    assert limit[1] == np.inf
    assert limit[2] == np.inf
