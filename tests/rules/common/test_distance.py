"""The distance of two units: nearest edges, generals' discs exact (TSE section 0)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.battle.unit import Unit
from tests.firing import SHIFT, ask, battle, block, general

A = block("a", "blue", (0.0, 3.0), (0.0, 0.75))


@pytest.mark.parametrize(
    ("b", "gap"),
    [
        (block("b", "red", (6.0, 7.0), (4.75, 5.5)), 5.0),
        (block("b", "red", (1.0, 2.0), (2.0, 2.75)), 1.25),
        (block("b", "red", (3.0, 4.0), (0.0, 0.75)), 0.0),
        (general("b", "blue", 6.5, 0.5), 3.0),
        (general("b", "blue", 3.25, 0.5), 0.0),
    ],
)
def test_nearest_edges(b: Unit, gap: float) -> None:
    verdict = ask(battle(A, b), "distance", "a", "b")
    back = ask(battle(A, b), "distance", "b", "a")
    assert verdict.holds
    assert verdict.measured["distance"] == pytest.approx(gap, abs=1e-9)
    assert back.measured == verdict.measured
    assert verdict.witness is not None
    assert math.dist(*verdict.witness) == pytest.approx(gap, abs=1e-9)
    assert [shape.role for shape in verdict.shapes] == ["tape"]


@given(st.floats(-6, 6), st.floats(-6, 6), st.sampled_from([0.375, 0.5, 0.75]))
def test_discs_are_measured_exactly(x: float, y: float, radius: float) -> None:
    verdict = ask(battle(A, general("b", "red", x, y, radius)), "distance", "a", "b")
    away = math.hypot(max(0.0, x - 3.0, -x), max(0.0, y - 0.75, -y))
    assert verdict.measured["distance"] == pytest.approx(max(0.0, away - radius), abs=1e-9)
    assert verdict.witness is not None
    assert all(-SHIFT < c < 3 * SHIFT for point in verdict.witness for c in point)
