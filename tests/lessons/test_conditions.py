"""Conditions: each subject says yes and no where it should."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.lessons.conditions import Situation, compared, holds
from tabletop.lessons.models import ConditionRow
from tabletop.lessons.runner import Runner
from tests.lessons.lessons import lesson


def now(played: str = "") -> Situation:
    runner = Runner(lesson())
    runner.play(played)
    return runner.situation


MOVED = now("maneuver foot forward 3")
START = now()


@pytest.mark.parametrize(
    ("condition", "before", "after"),
    [
        ({"unit": "foot", "within": {"d": 1.5, "of": [8, 9]}}, False, True),
        ({"unit": "foot", "within": {"d": 13, "of": "post"}}, False, True),
        ({"unit": "foot", "inside": [[6, 8], [9, 8], [9, 10], [6, 10]]}, False, True),
        ({"unit": "foot", "facing": {"toward": 90, "within": 1}}, True, True),
        ({"unit": "foot", "facing": {"toward": "dubois", "within": 30}}, False, False),
        ({"unit": "foot", "formation": "maneuver-column", "bases": ">= 2", "status": "ok"}, True, True),
        ({"unit": "foot", "bases": "> 2"}, False, False),
        ({"unit": "foot", "gone": True}, False, False),
        ({"unit": "foot", "marks": {"acted": True}}, False, True),
        ({"did": "maneuver", "unit": "foot"}, False, True),
        ({"did": "maneuver", "by": "blue"}, False, False),
        ({"did": "hold"}, False, False),
        ({"happened": "placed", "unit": "foot"}, False, True),
        ({"happened": "lost", "by": "anybody"}, False, False),
        ({"ask": "distance", "args": ["foot", "post"], "measured": {"distance": "<= 13"}}, False, True),
        ({"ask": "los", "args": ["foot", "post"]}, True, True),
        ({"ask": "los", "args": ["foot", "post"], "holds": False}, False, False),
        ({"ask": "fire", "args": ["foot", "post"], "holds": False}, True, True),
        ({"score": "red", "points": 0}, True, True),
        ({"clock": {"turn": 1, "side": "red"}}, True, True),
        ({"clock": {"turn": "> 1"}}, False, False),
        ({"pending": "go-first"}, False, False),
        ({"outcome": "draw"}, False, False),
        ({"odds": "assault foot post", "good": ">= 0.1"}, False, False),
        ({"all": [{"did": "maneuver"}, {"clock": {"turn": 1}}]}, False, True),
        ({"any": [{"did": "hold"}, {"did": "maneuver"}]}, False, True),
        ({"none": [{"did": "maneuver"}]}, True, False),
        ({"count": ">= 2", "of": [{"did": "maneuver"}, {"did": "hold"}, {"clock": {"turn": 1}}]}, False, True),
    ],
)
def test_conditions(condition: dict[str, Any], before: bool, after: bool) -> None:
    row = ConditionRow.model_validate(condition)
    assert (holds(row, START), holds(row, MOVED)) == (before, after)


@pytest.mark.parametrize(
    ("value", "wanted", "fits"),
    [(3, 3, True), (3, "= 3", True), (3, "< 3", False), (3, "<= 3", True), (3.1, ">3", True), (-1, "-1", True)],
)
def test_comparisons(value: float, wanted: object, fits: bool) -> None:
    assert compared(value, wanted) is fits
