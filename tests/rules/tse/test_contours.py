"""Bases astride a contour, said in words and drawn in the side view (TSE-LOS-19)."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.geometry.verdict import Verdict
from tests.firing import ask, battle, block, strip

WOOD = strip("wood", "woods", (-20.0, 20.0), (6.0, 7.0))
TARGET = block("target", "red", (-2.0, 2.0), (10.5, 11.25), facing=180.0)


def looked(edge: float, question: str = "los", **keys: Any) -> Verdict:
    """Guns facing north, 1 in deep, front at y = 0; the hill ends at ``edge``."""
    guns = block("guns", "blue", (-0.5, 0.5), (-1.0, 0.0), troop="light-foot-artillery", **keys)
    hill = strip("ridge", "hill", (-20.0, 20.0), (-8.0, edge), level=1)
    return ask(battle(guns, TARGET, terrain=(WOOD, hill)), question, "guns", "target")


def astride(verdict: Verdict) -> list[tuple[str, float | None]]:
    return [(r.text, r.measured) for r in verdict.because if r.rule == "TSE-LOS-19"]


@pytest.mark.parametrize("question", ["los", "fire"])
def test_the_front_stands_off_the_hill(question: str) -> None:
    """TSE-LOS-19: by how much, and which side of it; of a No the line of which starts below."""
    ((text, measured),) = astride(looked(-0.1, question))
    assert "its front stands 0.10 in off the hill, and the line's end lies below it" in text
    assert measured == pytest.approx(0.1)


def test_the_rear_stands_on_the_hill() -> None:
    ((text, measured),) = astride(looked(-0.8))
    assert "its rear stands 0.20 in on the hill" in text
    assert measured == pytest.approx(0.2)


@pytest.mark.parametrize("edge", [0.0, -0.004, -0.996, -1.5, 2.0])
def test_nothing_is_said_of_bases_on_one_side(edge: float) -> None:
    """TSE-LOS-19: a base that reaches over a contour by no more than the tolerance is not astride."""
    assert astride(looked(edge)) == []


def test_the_side_view_shows_the_hill_behind_the_line() -> None:
    """TSE-LOS-19: the ground goes on behind the end that stands below the step, and names the hill."""
    view = looked(-0.1).side_view
    assert view is not None
    assert view.ground[0][2] == 1
    assert view.ground[0][0] < 0.0
    assert view.ground[0][1] <= 0.0
    assert view.ground[1][2] == 0
    assert [(level, name) for _, _, level, name in view.hills] == [(1, "ridge")]
    plain = looked(-5.0).side_view
    assert plain is not None
    assert plain.ground[0][0] == 0.0
    assert plain.hills == ()
