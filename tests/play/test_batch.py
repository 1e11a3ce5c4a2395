"""Many questions at once: one verdict a line, in order; a bad line says so and stops nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tabletop.errors import BadQuestion
from tabletop.play.batch import answers
from tabletop.play.files.load import load_scene_data
from tabletop.play.files.yaml_text import parse
from tabletop.play.requests import read_options, text_point, text_ruling, with_rulings
from tests.play.mutations import SCENE

ROW = "\n  - {id: foy, side: french, troop: infantry, bases: 4, formation: deployed, at: [10, 4], facing: 0}\n"
DATA: dict[str, Any] = parse("", SCENE.rstrip() + ROW).data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scene.yaml").write_text(SCENE.rstrip() + ROW)
    return tmp_path


def answered(folder: Path, *lines: object) -> list[dict[str, Any]]:
    raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return [json.loads(answer) for answer in answers(raw, folder)]


def request(**changes: Any) -> dict[str, Any]:
    return {"scene": "scene.yaml", "question": "distance", "args": ["kempt", "foy"], **changes}


def test_a_scene_by_path_and_the_same_inline_answer_alike(folder: Path) -> None:
    by_path, inline = answered(folder, request(), request(scene=DATA))
    assert by_path == inline
    assert by_path["measured"]["distance"] == pytest.approx(5.25)
    assert by_path["margin"] is None
    assert by_path["too_close"] is None


def test_answers_come_in_order_and_bad_lines_stop_nothing(folder: Path) -> None:
    found = answered(
        folder,
        request(),
        b"{not json",
        request(question="lso"),
        request(args=["kempt", "nobody"]),
        request(scene="none.yaml"),
        request(args=["foy", "kempt"]),
    )
    assert [("error" in line) for line in found] == [False, True, True, True, True, False]
    assert "did you mean 'los'?" in found[2]["error"]
    assert "no such file" in found[4]["error"]
    assert found[5]["args"] == ["foy", "kempt"]


def test_blank_lines_are_no_requests(folder: Path) -> None:
    assert len(answered(folder, b"\n", request(), b"  \n")) == 1


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"[" * 100_000, "not JSON"),
        (b'{"a":' * 100_000, "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"null", "a request is"),
        (b"7", "a request is"),
        (b'{"scene": "a", "scene": "b"}', "stands twice"),
        (request(colour="red"), "no key 'colour'"),
        ({"question": "los"}, "'scene' is missing"),
        (request(scene=7), "'scene' must be"),
        (request(scene=""), "'scene' must be"),
        (request(scene="\0"), "file"),
        (request(scene="../" * 50), "folder"),
        (request(question=3), "must be a word"),
        (request(args="kempt"), "must be a list"),
        (request(args=[1, 2]), "must be a list"),
        (request(args=["kempt"]), "2 units"),
        (request(options=[]), "options must be a block"),
        (request(options={"tapo": 1}), "did you mean 'tape'?"),
        (request(options={"margin": "no"}), "true or false"),
        (request(options={"to": [1]}), "two numbers"),
        (request(options={"to": [1, "x"]}), "must be a number"),
        (request(options={"path": []}), "list of points"),
        (request(options={"path": [[0, 0]] * 999}), "the most is"),
        (request(options={"distance": -1}), "negative"),
        (request(options={"distance": 1e308}), "out of bounds"),
        (request(options={"front": 2.5}), "whole number"),
        (request(options={"error": [1, 999]}), "a length and an angle"),
        (request(options={"rulings": {"hills": True}}), "no ruling"),
        (request(options={"rulings": {"scale": 2}}), "belongs to the table"),
        (request(scene={**DATA, "table": None}), "table"),
        (request(scene={**DATA, "format": "tabletop-map/1"}), "name a scene"),
        (request(scene={"format": "tabletop-scenario/1", "map": "../x.yaml"}), "leads out"),
    ],
)
def test_a_bad_line_is_told_with_its_cure(folder: Path, line: object, says: str) -> None:
    (found,) = answered(folder, line)
    assert says in found["error"]
    assert "defect" not in found["error"]


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e999", "9" * 5000])
def test_no_number_to_measure_with_is_told(folder: Path, value: str) -> None:
    line = json.dumps(request(options={"distance": 0})).replace('"distance": 0', f'"distance": {value}').encode()
    (found,) = answered(folder, line)
    assert "out of bounds" in found["error"] or "not JSON" in found["error"]


def test_options_are_snapped_to_the_grid_on_entry() -> None:
    assert read_options({"to": [1.00001, 2], "facing": -90.001}) == {"to": (1.0, 2.0), "facing": 270.0}
    assert read_options(None) == {}
    assert read_options({"as": None}) == {}


def test_words_of_the_command_line_become_values() -> None:
    assert text_point("to", "3,-4.5") == [3.0, -4.5]
    assert text_ruling("hills_block=False") == ("hills_block", False)
    assert text_ruling("bend_limit=0") == ("bend_limit", 0)
    assert text_ruling("frontal_test=midpoint") == ("frontal_test", "midpoint")
    for wrong in ("3", "3,x", "3,4,5", "nan,1"):
        with pytest.raises(BadQuestion):
            text_point("to", wrong)
    with pytest.raises(BadQuestion):
        text_ruling("hills_block")


def test_a_ruling_for_one_question_changes_the_battle_alone() -> None:
    battle = load_scene_data(DATA)
    changed = with_rulings(battle, {"hills_block": False})
    assert changed.rulings["hills_block"] is False
    assert battle.rulings["hills_block"] is True
