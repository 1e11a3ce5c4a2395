"""A small lesson for tests, and ways to change it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.errors import Fault
from tabletop.lessons.lesson import Lesson
from tabletop.lessons.reading import read_lesson
from tabletop.play.files.yaml_text import without_places
from tests import plain_data

UNITS: list[dict[str, Any]] = [
    {"id": "dubois", "side": "red", "troop": "general", "rank": "division", "at": [3, 12]},
    {"id": "foot", "side": "red", "troop": "infantry", "bases": 2, "formation": "maneuver-column", "front": 2,
     "at": [4, 9], "facing": 90, "parent": "dubois"},
    {"id": "post", "side": "blue", "troop": "infantry", "bases": 2, "formation": "maneuver-column", "front": 2,
     "at": [20, 9], "facing": 270},
]  # fmt: skip
LESSON: dict[str, Any] = {
    "format": "tabletop-lesson/1",
    "title": "Forward",
    "rules": "tse",
    "teaches": ["TSE-MOV-02"],
    "learner": "red",
    "start": {"acting": "foot"},
    "chance": {"orders": "high"},
    "scene": {"table": {"unit": "in", "width": 24, "height": 18}, "terrain": [], "units": UNITS},
    "steps": [
        {
            "goal": "Go east with {unit:foot}.",
            "until": {"unit": "foot", "within": {"d": 2, "of": [8, 9]}},
            "why": {"ask": "fire", "args": ["foot", "post"]},
            "done": "There.",
            "hints": ["East is to the right."],
            "solution": "maneuver foot forward 3",
            "wrong": [{"acts": "hold foot", "rule": "TSE-FIR-01", "measured": 15.25, "limit": 3.0}],
        },
        {"goal": "Can it fire now?", "predict": {"ask": "fire", "args": ["foot", "post"]}},
    ],
}


def changed(*where: str | int, to: Any) -> dict[str, Any]:
    """Return the lesson's data with one value other than it is."""
    return plain_data.changed(LESSON, *where, to=to)


def read(data: Mapping[str, Any]) -> tuple[Lesson | None, list[Fault]]:
    """Return the lesson of plain data, and its faults."""
    return read_lesson(without_places("lesson.yaml", data), "forward")


def lesson(data: Mapping[str, Any] = LESSON) -> Lesson:
    """Return a sound lesson."""
    found, faults = read(data)
    assert found is not None, faults
    return found
