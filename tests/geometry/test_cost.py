"""One formula of cost: changed in one place, it is changed for judge, route, reach, advance and fall-back alike."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely

from tabletop.geometry.movement import cost
from tabletop.geometry.movement.crossing import swing_contacts
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.movement.leg_cost import straight_price
from tabletop.geometry.movement.motion import Swing
from tabletop.geometry.movement.move_context import Node
from tabletop.geometry.movement.turning import Turning
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.movement.judge import reach
from tabletop.rules.tse.movement.motion import ACTIONS, along, body_of, cost_model
from tabletop.rules.tse.movement.reach import farthest_advance, setting_of
from tests.moving import O, battle, box, by_path, drawn, to, unit


def scene() -> Any:
    """Return a scene with rough ground and a hedge across the way north."""
    hedge = drawn("hedge", [(-9, 3.5), (9, 3.5)])
    return battle(unit(), terrain=[box(-9, 9, 1.5, 2.5), hedge])


def costs() -> dict[str, float]:
    """Return what going 4 in north costs by each of those who ask, and how far each says the base move lasts."""
    there, mover = scene(), scene().unit("a")
    law, ground = cost_model(there, mover, ACTIONS["maneuver"]), ground_of(there.table)
    far = farthest_advance(there, mover, ACTIONS["maneuver"], 0.0)
    (rings,) = reach(there, Request("reach", ("a",), {})).measured["area"]
    north = shapely.Polygon(rings[0], rings[1:]).intersection(shapely.LineString([(O, O), (O, O + 20)])).bounds[3]
    backward = unit(facing=180.0).bases
    return {
        "judge": by_path(there, (0.0, 4.75)).measured["cost"],
        "route": to(there, 0.0, 4.75).measured["cost"],
        "fall-back": straight_price(mover.bases, 0.0, 4.0, ground, law).total,
        "backward": straight_price(
            backward, 0.0, 4.0, ground, cost_model(there, mover, ACTIONS["maneuver"], "rear")
        ).total,
        "advance": far,
        "reach": north - O - 0.75,
    }


def changed(length: Any, rough: Any, road: Any, linear: Any, choke: Any, law: Any) -> Any:
    """Return a cost by another formula: an inch of rough ground costs a fifth more, an obstacle a quarter."""
    return FORMULA(length, rough, road, linear, choke, law) + 0.2 * rough + 0.25 * linear


FORMULA = cost.total


def test_the_formula_is_changed_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-MOV-05, TSE-MOV-06, TSE-MOV-08, TSE-INV-01: everybody's answer follows, by the same amount."""
    before = costs()
    monkeypatch.setattr(cost, "total", changed)
    after = costs()
    assert before["judge"] == pytest.approx(4.0 + 1.0 + 0.5)
    assert before["advance"] == pytest.approx(4.5, abs=1e-6)
    for name in ("judge", "route", "fall-back", "backward"):
        assert before[name] == pytest.approx(before["judge"], abs=1e-6), name
        assert after[name] - before[name] == pytest.approx(0.2 + 0.25, abs=1e-6), name
    for name in ("advance", "reach"):
        assert after[name] - before[name] == pytest.approx(-0.2 - 0.25, abs=0.01), name


def test_each_item_has_its_price() -> None:
    """TSE-MOV-05, TSE-MOV-08, TSE-MOV-09, TSE-MOV-11: worked out by hand, numbers and arrays alike."""
    law = (4.0, 0.5, 0.25, 1.5)
    assert cost.total(6.0, 1.0, 3.0, 2, 1, law) == pytest.approx(6.0 + 3.0 - 1.0 + 1.0 + 0.25)
    many = cost.total(np.array([1.0, 2.0]), np.array([0.0, 1.0]), 0.0, np.array([1, 0]), 0, law)
    assert many == pytest.approx([1.5, 5.0])
    assert cost.rough_more(law) == 3.0


@pytest.mark.parametrize("seed", range(30))
def test_turns_of_the_search_meet_the_obstacles_the_judge_counts(seed: int) -> None:
    """TSE-MOV-08: base by base, after the same turn; where they differ by more than rounding, never fewer."""
    rng = np.random.default_rng(seed)
    lines = [rng.uniform(-2.5, 2.5, (rng.integers(2, 4), 2)).tolist() for _ in range(3)]
    there = battle(unit(n=4), terrain=[drawn("hedge", line, f"h{k}") for k, line in enumerate(lines)])
    mover, context = there.unit("a"), setting_of(there, there.unit("a"), ACTIONS["maneuver"])
    going = along(there, mover, ACTIONS["maneuver"], [(O, O + 0.76)], None)
    body = body_of(going.end)
    node = Node(0.0, body.mid, 0.0, Node.first(context).spent, ())
    ground = ground_of(there.table)
    for turn in rng.uniform(-math.pi, math.pi, 4):
        paid = Turning.of(context, [node]).paid(np.zeros(1, int), np.array([turn]))
        swings = [Swing(base, body.mid, math.degrees(turn), 1.0) for base in body.bases]
        judged = [len(swing_contacts(swing, ground.linear, 0.005)) for swing in swings]
        found = np.sort(paid.crossed[0])
        assert (found >= np.sort(judged)).all()
        assert found.sum() - sum(judged) <= 1
