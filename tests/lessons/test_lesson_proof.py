"""The proof of a lesson finds what is wrong with it, and every lesson that comes along passes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tabletop.lessons import library, proof
from tabletop.lessons.reading import load_lesson, name_of
from tabletop.lessons.runner import Runner
from tests.lessons.lessons import LESSON, UNITS, changed, lesson


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
        (("steps", 0, "done"), "word " * 26, "done: 26 words; the most is 25"),
        (("steps", 0, "missed"), "word " * 26, "missed: 26 words; the most is 25"),
        (("steps", 0, "hints"), ["word " * 21], "hints: 21 words; the most is 20"),
        (("teaches",), ["TSE-MOV-02", "TSE-MOV-03", "TSE-MOV-05", "TSE-MOV-06"], "4 rules in the lesson"),
        (("scene", "units"), [*UNITS, *({**UNITS[0], "id": f"g{n}", "at": [20, n + 1]} for n in range(4))], "7 units"),
        (("steps", 0, "wrong", 0, "measured"), 15.5, "not rule: TSE-FIR-01, measured: 15.50"),
        (("steps", 0, "wrong", 0, "limit"), 3.25, "limit: 3.00, not rule: TSE-FIR-01, measured: 15.25, limit: 3.25"),
        (("steps", 0, "solution"), "maneuver foot path 7.5,9.05 facing E", "mirrored"),
    ],
)  # fmt: skip
def test_a_lesson_that_does_not_teach_is_found_out(where: tuple[str | int, ...], to: Any, says: str) -> None:
    said = found(*where, to=to)
    assert any(says in text for text in said), said


def counted(*steps: Mapping[str, Any]) -> list[str]:
    proved = proof.Proved(lesson(changed("steps", to=list(steps))))
    proof._counted(proved)
    return [fault.text for fault in proved.faults]


def test_texts_are_counted_together() -> None:
    """Each within its limit, but too much on the screen at once, or in the whole lesson."""
    step = {**LESSON["steps"][0], "goal": "a " * 12, "say": "b " * 34, "hints": ["c " * 19], "done": "d " * 24}
    said = counted(step)
    assert any("65 words on the screen at once" in text for text in said), said
    said = counted(*[{**step, "hints": ["c " * 13]}] * 3)
    assert any("249 words in the lesson" in text for text in said), said


def test_a_solution_that_needs_luck_is_found_out() -> None:
    """The lesson sets no dice here: what the shot does depends on the seed."""
    units = [*UNITS[:2], {**UNITS[2], "at": [7, 9]}]
    step = {
        "goal": "Do them no harm.",
        "until": {"all": [{"did": "assault"}, {"unit": "post", "status": "ok"}]},
        "solution": "assault foot post",
    }
    data = {**LESSON, "chance": {}, "scene": {**LESSON["scene"], "units": units}, "steps": [step]}
    said = [fault.text for fault in proof.prove(lesson(data), plays=0).faults]
    assert any("with seed" in text and "does not reach the goal" in text for text in said), said


def test_a_step_where_nothing_can_be_done_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random play tells a step that goes on although no action is left."""
    monkeypatch.setattr(Runner, "can_go_on", lambda runner: len(runner.session.steps) < 3)
    proved = proof.Proved(lesson())
    proof._played_at_random(proved, 20)
    assert "nothing can be done" in proved.faults[0].text


def test_a_retry_that_puts_nothing_back_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Runner, "retry", lambda runner: None)
    proved = proof.Proved(lesson())
    proof._played_at_random(proved, 20)
    assert "retry does not put the step back" in proved.faults[0].text


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
            proof._wrong(proved, proof.at_step(taught, number), "")
    assert proved.faults == []


@pytest.mark.sweep
@pytest.mark.parametrize("path", library.paths(), ids=name_of)
def test_lessons_that_come_along_are_proved(path: Path) -> None:
    assert proof.prove(load_lesson(path)).faults == []
