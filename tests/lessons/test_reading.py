"""Faulty lessons: one line each with file, line, column, key, value and cure, all at once, never a traceback."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tabletop.errors import Unreadable
from tabletop.lessons import library
from tabletop.lessons.reading import check_lesson, load_lesson
from tests.lessons.lessons import LESSON, changed, read
from tests.plain_data import ODD, places

#: An id that no rule has, in parts: whole it would be told as a misspelling of one.
NOBODYS = "-".join(("TSE", "MOV", "99"))


def faults(*where: str | int, to: Any) -> list[str]:
    found, said = read(changed(*where, to=to))
    assert (found is None) == bool(said)
    return [fault.text for fault in said]


@pytest.mark.parametrize(
    ("where", "to", "says"),
    [
        (("learner",), "rde", "did you mean 'red'"),
        (("teaches",), [NOBODYS], f"no rule '{NOBODYS}'"),
        (("start", "acting"), "fot", "did you mean 'foot'"),
        (("rules",), "tes", "did you mean 'tse'"),
        (("chance", "orders"), "hihg", "is no draw"),
        (("chance", "orders"), -1, "is no draw"),
        (("steps", 0, "solution"), None, "'solution' is missing"),
        (("steps", 0, "solution"), "manoeuver foot forward 3", "no action 'manoeuver'"),
        (("steps", 0, "solution"), "deploy foot ref 1", "cannot be mirrored"),
        (("steps", 0, "until"), {}, "a condition is about one of"),
        (("steps", 0, "until"), {"did": "hold", "clock": {"turn": 1}}, "'did' and 'clock'"),
        (("steps", 0, "until"), {"did": "hold", "margin": 1}, "'margin' does not belong to 'did'"),
        (("steps", 0, "until"), {"did": "fly"}, "'fly' is no kind"),
        (("steps", 0, "until"), {"ask": "los"}, "'ask' needs 'args'"),
        (("steps", 0, "until"), {"ask": "lso", "args": ["foot", "post"]}, "did you mean 'los'"),
        (("steps", 0, "until"), {"ask": "zone", "args": ["foot", "post"]}, "asks about one unit"),
        (("steps", 0, "until"), {"ask": "los", "args": ["foot", "pots"]}, "did you mean 'post'"),
        (("steps", 0, "until"), {"unit": "foot", "within": {"d": 2, "of": "hill"}}, "'hill' is no unit"),
        (("steps", 0, "until"), {"unit": "foot", "inside": [[1, 2]]}, "is no unit, piece of terrain or outline"),
        (("steps", 0, "until"), {"unit": "foot", "bases": "about 3"}, "is no comparison"),
        (("steps", 0, "until"), {"objective": "bridge", "holder": "red"}, "'bridge' is no objective"),
        (("steps", 0, "until"), {"all": [{"did": "hold"}, {"umit": "foot"}]}, "did you mean 'unit'"),
        (("steps", 0, "goal"), "Go with {unit:feet}.", "no unit 'feet'"),
        (("steps", 0, "goal"), "Press {cmd:undoo}.", "did you mean 'undo'"),
        (("steps", 0, "goal"), f"Obey {{rule:{NOBODYS}}}.", "no rule"),
        (("steps", 0, "goal"), "Go {there}.", "is no name"),
        (("steps", 0, "hints"), "one", "must be a list"),
        (("steps", 0, "wrong", 0, "rule"), NOBODYS, "no rule"),
        (("steps", 0, "watch"), "hold foot", "'watch' and 'until'"),
        (("steps", 1, "predict"), {"ask": "los", "args": ["foot"]}, "asks about 2 units"),
        (("steps", 1, "predict", "place"), [{"id": "fot"}], "did you mean 'foot'"),
        (("scene", "units", 1, "at"), [400, 9], "table"),
        (("scene", "units", 1, "troop"), "infantery", "did you mean 'infantry'"),
        (("scene", "tabel"), {}, "did you mean 'table'"),
        (("steps",), [], "steps"),
        (("steps",), "none", "must be a list"),
        (("scene",), 3, "block of keys"),
        (("title",), 3, "must be text"),
        (("format",), "tabletop-lesson/9", "is not 'tabletop-lesson/1'"),
    ],
)  # fmt: skip
def test_each_fault_names_its_cure(where: tuple[str | int, ...], to: Any, says: str) -> None:
    said = faults(*where, to=to)
    assert any(says in text for text in said), said


def test_all_faults_come_at_once_with_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    text = library.paths()[0].read_text("utf-8")
    text = text.replace("learner: ", "learner: x").replace("goal:", "gaol:", 1)
    file.write_text(text, "utf-8")
    lines = [str(fault) for fault in check_lesson(file)]
    assert len(lines) >= 2 and all(line.startswith(f"{file}:") and line.count(":") >= 3 for line in lines)
    with pytest.raises(Unreadable):
        load_lesson(file)


@pytest.mark.parametrize(
    "raw", [b"", b"\xff\xfe", b"format: [", b"- 1\n- 2\n", b"format: tabletop-lesson/1\n", b"a: &b"]
)
def test_what_is_no_lesson_is_said_so(tmp_path: Path, raw: bytes) -> None:
    file = tmp_path / "odd.yaml"
    file.write_bytes(raw)
    assert check_lesson(file)


def test_hostile_values_never_raise() -> None:
    """Every value of a lesson replaced by something odd is a fault or a lesson, never a traceback."""
    random = Random(1)
    found = places(LESSON)
    for where in random.sample(found, min(len(found), 60)):
        for value in random.sample(ODD, 5):
            read(changed(*where, to=value))


def test_every_lesson_that_comes_along_is_sound() -> None:
    assert library.paths()
    for path in library.paths():
        assert check_lesson(path) == []
