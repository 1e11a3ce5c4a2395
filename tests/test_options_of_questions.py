"""Options of questions: all that a question reads can be given on the command line, in a batch, and at the prompt."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest

import tabletop
from tabletop import cli
from tabletop.judge import judge
from tabletop.lessons.mirror import mirrored
from tabletop.play.batch import answers
from tabletop.play.files.opened import open_battle
from tabletop.play.requests import read_options
from tabletop.play.typed.options import QUESTION_OPTIONS
from tabletop.rules import rule_set
from tabletop.terminal import usage
from tests.terminal.typist import STARTER, typist

ROOT = Path(__file__).parents[1]
#: Options with which the program asks its own questions again: no player gives them.
INTERNAL = {"brief", "hints", "shifted", "grown", "loose", "quick", "first", "should_stop"}
#: A value of each option as plain data.
VALUES: dict[str, Any] = {
    "as": "march", "facing": 90, "path": [[1, 2]], "to": [1, 2], "start": [1, 2], "end": [3, 4], "from": "auer",
    "after": "auer", "distance": 3, "assault": True, "delayed": True, "away": 45, "front": 2, "ranks": [2, 1],
    "ref": 0, "shift": [0, 1], "head": 1, "place": 0, "bend": [0, 10], "pivots": None,
}  # fmt: skip
LINE = {"start": [21.63, 11.57], "end": [21.6, 6.6]}
FALL = {"from": "auer", "distance": 3, "assault": True, "away": 30}
FELL = ("--from", "auer", "--distance", "3", "--assault")


def named(rules: str) -> set[str]:
    """Return the options that the records of a rule set's questions name."""
    wordings = [rule_set.find(rules).wording(name) for name in rule_set.find(rules).questions]
    roles = {role for wording in wordings for role, _ in wording.steps} - {"unit"}
    extras = {extra for wording in wordings for extra in wording.extras} - {"shaped"}
    return roles | extras | {tick.option for wording in wordings for tick in wording.ticks}


def read() -> set[str]:
    """Return the options that the code of all rule sets reads from a question."""
    sources = [path.read_text("utf-8") for path in (ROOT / "tabletop/rules").rglob("*.py")]
    found = {name for text in sources for name in re.findall(r'request\.options(?:\.get\(|\[)"(\w+)"', text)}
    assert {"path", "from", "delayed", "away"} <= found
    return found - INTERNAL - {"pivots"}  # pivots are given with the waypoints of a path


@pytest.mark.parametrize("option", sorted(read().union(*map(named, rule_set.BUILT_IN))))
def test_every_option_of_a_question_can_be_given_everywhere(option: str) -> None:
    words = {name.rstrip("_") for name in inspect.signature(cli.judge).parameters}
    assert option in words
    assert option in QUESTION_OPTIONS
    assert set(read_options({option: VALUES[option]})) == {option}


@pytest.mark.parametrize(
    ("question", "args", "options", "words"),
    [
        ("line", [], LINE, ("--start", "21.63,11.57", "--end", "21.6,6.6")),
        ("line", [], {"start": [0, 4], "end": [30, 0]}, ("--start", "-0,4", "--end", "30,0")),
        ("fallback", ["arnaud"], FALL, (*FELL, "--away", "30")),
        ("fallback", ["arnaud"], FALL | {"away": -30}, (*FELL, "--away", "-30")),
    ],
)
def test_the_same_question_has_the_same_answer_however_it_is_put(
    question: str, args: list[str], options: dict[str, Any], words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    margin = question == "line"  # of a fall-back it takes seconds, and is no affair of how the question is put
    snapped = read_options({**options, "margin": margin})
    wanted = json.loads(json.dumps(judge(open_battle("starter"), question, args, snapped).as_json()))
    status = cli.status(
        ["judge", "starter", question, *args, *words, "--margin" if margin else "--no-margin", "--json"]
    )
    assert (status, json.loads(capsys.readouterr().out)) == (0 if wanted["holds"] else 1, wanted)
    row = {"scene": "starter", "question": question, "args": args, "options": {**options, "margin": margin}}
    assert [json.loads(answer) for answer in answers([json.dumps(row).encode()], ROOT)] == [wanted]
    given = {"from_" if name == "from" else name: value for name, value in options.items()}
    assert tabletop.load("starter").judge(question, *args, margin=margin, **given).as_json() == wanted


def test_the_path_of_an_assault_drives_along_its_bearing() -> None:
    plain = judge(open_battle("starter"), "fallback", ["arnaud"], {**FALL, "away": None, "margin": False})
    turned = judge(open_battle("starter"), "fallback", ["arnaud"], {**FALL, "away": 150.0, "margin": False})
    assert plain.measured["at"] != turned.measured["at"]


@pytest.mark.parametrize(
    ("start", "says"),
    [
        ("x", "option 'start' must be two numbers"),
        ([1], "option 'start' must be two numbers"),
        ([1, None], "option 'start' must be a number"),
        ([1, 99999], "option 'start': 99999 is out of bounds"),
        (None, "no start given"),
    ],
)
def test_a_point_that_is_none_is_refused_in_a_batch(start: object, says: str) -> None:
    row = {"scene": "starter", "question": "line", "options": {"start": start, "end": [1, 2]}}
    (found,) = (json.loads(answer) for answer in answers([json.dumps(row).encode()], ROOT))
    assert says in found["error"] and "\n" not in found["error"]


@pytest.mark.parametrize(
    ("start", "end", "says"),
    [
        ("-1,4", "3,3", "--start -1,4 lies off the table, which is 30 x 24 in: give a point on it"),
        ("3,3", "29,24.01", "--end 29,24.0098 lies off the table"),
        ("3,3", "3,3.0001", "the same point, 3,3: give two points"),
    ],
)
def test_a_line_runs_between_two_points_of_the_table(
    start: str, end: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """TSE-LOS-01: one clear line of advice, and the exit status of a faulty question."""
    assert cli.status(["judge", "starter", "line", "--start", start, "--end", end]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert says in told


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("ask line start 21.63,11.57 end 21.6,6.6", "the line of 4.97 in is clear"),
        ("ask line start arnaud end auer", "the line of 10.80 in is blocked"),
        ("ask line start arnaud", "give start X,Y and end X,Y (no end given)"),
        ("ask line start end 3,3", "'start' wants something after it"),
        ("ask line start arnaud end nowhere-at-all", "no place 'nowhere-at-all' for 'end'"),
        ("ask cover arnaud from auer assault", "against an assault"),
        ("ask cover arnaud from auer assault 4", "'assault' takes no word after it"),
        ("ask fallback arnaud from auer distance 3 assault away 150", "30.00 degrees off its rear"),
        ("ask assault arnaud auer", "may not assault"),
    ],
)
def test_the_prompt_reads_them_too(line: str, says: str) -> None:
    typing = typist(STARTER)
    assert says in " ".join(typing.type(line).split())


def test_the_help_shows_how_they_are_typed() -> None:
    shown = " ".join(usage.questions(rule_set.find("tse")))
    assert "ask line start X,Y end X,Y" in shown
    assert "ask fallback A from B distance 3" in shown


def test_a_mirrored_lesson_asks_about_the_mirrored_line() -> None:
    asked = {"ask": "line", "options": {"start": [4, 9], "end": [20, 3], "away": 30}}
    assert mirrored(asked, 24)["options"] == {"start": [20, 9], "end": [4, 3], "away": 330}
