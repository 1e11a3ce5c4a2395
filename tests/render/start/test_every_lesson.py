"""Every lesson from the start screen to its end by real clicks: mouse and keys alone, each action of its solutions."""

from __future__ import annotations

import pytest

from tabletop.lessons import library
from tabletop.lessons.progress import Progress
from tabletop.lessons.reading import load_lesson, name_of
from tabletop.render.battle import lesson_window
from tabletop.render.start.lessons import Lessons
from tests.render.battle.driver import Brisk
from tests.render.start.conftest import Visit
from tests.render.start.learner import Learner

PATHS = library.paths()
#: Played in every run, one of each family of rules; the others in the sweep.
ALWAYS = ("fifty", "drill", "broadside")


def _played() -> list[object]:
    rows: list[object] = []
    for number, path in enumerate(PATHS):
        name = name_of(path)
        marks = [] if name in ALWAYS else [pytest.mark.sweep]
        rows.append(pytest.param(number, marks=marks, id=name))
    return rows


@pytest.mark.parametrize("number", _played())
def test_a_lesson_is_played_by_clicks(visit: Visit, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson_window, "opened", lesson_window.inlined)
    monkeypatch.setattr(lesson_window, "InlineJudgeWorker", lambda battle: Brisk(battle, 1_000))
    visitor = visit()
    visitor.press("lessons")
    visitor.press(f"lesson:{number}")
    Learner(visitor).plays()
    assert type(visitor.top) is Lessons
    assert Progress().done(name_of(PATHS[number])) == len(load_lesson(PATHS[number]).steps)
