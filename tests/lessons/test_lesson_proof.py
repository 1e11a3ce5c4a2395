"""The proof of a lesson finds what is wrong with it, and every lesson that comes along passes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop.lessons import library, proof
from tabletop.lessons.reading import load_lesson, name_of
from tests.lessons.lessons import changed, lesson


def found(*where: str | int, to: Any) -> list[str]:
    return [fault.text for fault in proof.prove(lesson(changed(*where, to=to)), plays=0).faults]


@pytest.mark.parametrize(
    ("where", "to", "says"),
    [
        (("steps", 0, "goal"), "a b c d e f g h i j k l m", "goal: 13 words; the most is 12"),
        (("steps", 0, "say"), "word " * 36, "say: 36 words"),
        (("steps", 0, "until"), {"unit": "foot", "status": "ok"}, "holds at the start"),
        (("steps", 0, "until"), {"clock": {"turn": 2}}, "doing nothing ends as 'done'"),
        (("steps", 0, "solution"), "maneuver foot forward 1", "does not reach the goal"),
        (("steps", 0, "solution"), "maneuver foot forward 30", "does not reach the goal"),
        (("steps", 0, "solution"), "assault foot post", "does not reach the goal: TSE-"),
        (("steps", 0, "until"), {"unit": "foot", "within": {"d": 0.12, "of": [7.86, 9]}}, "end points near the"),
        (("steps", 0, "wrong", 0, "rule"), "TSE-LOS-06", "is told rule: TSE-FIR-"),
        (("steps", 0, "wrong", 0, "acts"), "maneuver foot forward 3", "reaches the goal: it is no wrong attempt"),
        (("steps", 0, "solution"), "; ".join(["hold foot"] * 7), "7 actions; the most is 6"),
        (("steps", 0, "turns"), 1, "a lesson has 5 or more"),
    ],
)  # fmt: skip
def test_a_lesson_that_does_not_teach_is_found_out(where: tuple[str | int, ...], to: Any, says: str) -> None:
    said = found(*where, to=to)
    assert any(says in text for text in said), said


def test_random_play_never_gets_stuck() -> None:
    proved = proof.Proved(lesson())
    proof._played_at_random(proved, 5)
    assert proved.plays == 5 and not proved.faults


@pytest.mark.parametrize("path", library.paths(), ids=name_of)
def test_lessons_that_come_along_are_solved_as_recorded(path: Path) -> None:
    """The quick half of the proof; ``tabletop lessons --check`` does all of it."""
    taught = load_lesson(path)
    proved = proof.Proved(taught)
    proof._counted(proved)
    for number, step in enumerate(taught.steps):
        if step.until is not None:
            proof._not_done_yet(proved, taught, number, 0, "")
            proof._solved(proved, taught, number, 0, "")
            for k in range(len(step.wrong)):
                proof._refused(proved, taught, number, k, "")
    assert proved.faults == []


@pytest.mark.sweep
@pytest.mark.parametrize("path", library.paths(), ids=name_of)
def test_lessons_that_come_along_are_proved(path: Path) -> None:
    assert proof.prove(load_lesson(path)).faults == []
