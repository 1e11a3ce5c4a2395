"""Worked cases in files: those of every rulebook pass, differences are found, faulty lines are one clear line each."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tabletop import cli
from tabletop.battle.action import Action
from tabletop.errors import BadQuestion, Unreadable
from tabletop.play.cases.reading import read_cases
from tabletop.play.cases.running import lines_of, run_case, run_cases
from tabletop.play.engine import judge
from tabletop.play.files.load import load_scene
from tabletop.play.given_dice import GivenDice
from tests.games.positions import ROOT

CASES = ROOT / "tests/cases"
FILES = sorted(CASES.glob("*.jsonl"))


def ours() -> dict[str, Any]:
    """Return the first case of the guide, for changing."""
    page = (ROOT / "docs/writing-cases.md").read_text("utf-8")
    block = re.findall(r"```jsonl\n(.*?)```", page, re.DOTALL)[0]
    found: dict[str, Any] = json.loads(block.splitlines()[1])
    return found


def written(folder: Path, *rows: dict[str, Any] | str) -> Path:
    path = folder / "mine.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), "utf-8")
    return path


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_worked_cases_of_the_books_come_out(file: Path) -> None:
    ran = list(run_cases(file))
    assert ran and not [line for one in ran for line in lines_of(one)]
    assert not [one.fault for one in ran if one.fault]


@pytest.mark.parametrize(
    ("prefix", "numbers"),
    [("AGE", (1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17)), ("DES", (1, 2, 4, 5, 6, 8, 9, 10, 12)),
     ("REA", (1, 2, 4, 5, 6, 8, 9, 10)), ("GLO", (1, 2, 4, 5, 6, 8, 9, 10)), ("GLA", (1, 2, 4, 5, 6, 8, 9, 10)),
     ("SAIL", (1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17)),
     ("SQP", (1, 2, 4, 5, 6, 8, 9, 10)),
     ("ROC", (1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18))],
)  # fmt: skip
def test_every_worked_case_of_the_books_stands_in_a_file(prefix: str, numbers: tuple[int, ...]) -> None:
    there = {
        json.loads(line)["case"][: len(prefix) + 4] for file in FILES for line in file.read_text("utf-8").splitlines()
    }
    assert {f"{prefix}-G{n:02}" for n in numbers} <= there


def test_the_cases_of_the_guide_come_out(tmp_path: Path) -> None:
    page = (ROOT / "docs/writing-cases.md").read_text("utf-8")
    for block in re.findall(r"```jsonl\n(.*?)```", page, re.DOTALL):
        ran = list(run_cases(written(tmp_path, *block.splitlines())))
        assert len(ran) == 4 and all(one.passed for one in ran), [(one.differences, one.fault) for one in ran]


@pytest.mark.parametrize(
    ("expect", "line"),
    [
        ({"records": {"combat": {"result": "Dr"}}}, "records.combat.result: expected 'Dr', got 'Ad'"),
        ({"records": {"combat": None}}, "records.combat: expected nothing, got"),
        ({"records": {"rout": [{}]}}, "records.rout: expected [{}], got []"),
        ({"units": {"blue": {"bases": 4}}}, "units.blue.bases: expected 4, got 5"),
        ({"units": {"red": None}}, "units.red: expected nothing, got"),
        ({"clock": {"turn": 2}}, "clock.turn: expected 2, got 1"),
        ({"thrown": ["fire"]}, "thrown[0]: expected 'fire', got 'combat'"),
        ({"tables": {"orders.understood": 151}}, "tables.orders.understood: expected 151, got 150"),
        ({"odds": {"the sky falls": 1.0}}, "odds: no result 'the sky falls'; there are: "),
    ],
)
def test_differences_are_found_and_named(tmp_path: Path, expect: dict[str, Any], line: str) -> None:
    case = {**ours(), "expect": expect}
    (ran,) = run_cases(written(tmp_path, case))
    assert ran.fault is None and not ran.passed
    (said,) = lines_of(ran)
    assert said.startswith(f"{ran.case.doc.file}:1: ten-against-ten: {line}")


def test_exact_odds_are_compared(tmp_path: Path) -> None:
    """1:1 without modifiers: 150 numbers disrupt the attacker, 150 hurt both; see the results table."""
    (ran,) = run_cases(written(tmp_path, {**ours(), "expect": {"odds": {}}}))
    assert ran.passed
    case = read_cases(written(tmp_path, ours()))[0]
    from tabletop.battle.action import Action
    from tabletop.play.engine import play_of

    assert case.battle is not None
    odds = play_of(case.battle).odds(case.battle, Action("combat", "french", "blue", "red"))
    assert odds is not None
    right = {odds.results[0][1].text: odds.results[0][0]}
    wrong = {text: chance + 0.001 for text, chance in right.items()}
    for chances, passes in ((right, True), (wrong, False)):
        (ran,) = run_cases(written(tmp_path, {**ours(), "expect": {"odds": chances}}))
        assert ran.passed is passes


def fought(dice: dict[str, Any], **expect: Any) -> dict[str, Any]:
    """Return the first case of the guide with other dice, or none, and other expectations."""
    return {**{key: value for key, value in ours().items() if key != "dice"}, **dice, "expect": expect}


@pytest.mark.parametrize(
    ("expect", "line"),
    [
        ({"records": {"combat": {"result": "Ad"}}, "chance": 0.15}, None),
        ({"records": {"combat": {"result": "Ad"}}, "chance": 0.149}, "chance: expected 0.149, got 0.1500"),
        ({"records": {"combat": {"result": "none"}}, "chance": 0}, None),
        ({"clock": {"turn": 1}, "chance": 1}, None),
        ({"mean": {"combat.attack": 10}}, None),
        ({"mean": {"combat.attack": 9.5}}, "mean.combat.attack: expected 9.5, got 10.0000"),
        ({"mean": {"rout.bases": 0}}, None),
    ],
)
def test_chances_and_means_are_over_every_throw(tmp_path: Path, expect: dict[str, Any], line: str | None) -> None:
    """1:1 without modifiers: the attacker is disrupted by 150 numbers of the 1,000, and attacks with 10 at any."""
    (ran,) = run_cases(written(tmp_path, fought({}, **expect)))
    assert ran.fault is None, ran.fault
    assert list(ran.differences) == ([] if line is None else [line])


@pytest.mark.parametrize(
    ("dice", "expect", "text"),
    [
        ({"dice": [120]}, {"chance": 0.5}, "dice: 'chance' and 'mean' take every throw there can be; leave 'dice' out"),
        ({"rest": 0}, {"mean": {"combat.attack": 10}}, "rest: 'chance' and 'mean' take every throw"),
        ({}, {"mean": {"combat.result": 1}}, "expect: mean: no number 'result' is on record under 'combat'"),
        ({}, {"chance": 1.5}, "chance: 1.5 is out of bounds; it must be at most 1"),
    ],
)
def test_a_chance_needs_every_throw(
    tmp_path: Path, dice: dict[str, Any], expect: dict[str, Any], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.status(["cases", str(written(tmp_path, fought(dice, **expect)))]) == 2
    assert text in capsys.readouterr().err


def test_a_question_has_no_chance(tmp_path: Path) -> None:
    row = {"case": "a", "scene": "scenarios/destiny/lancers.yaml", "question": "assault", "args": ["rifles", "line"]}
    (ran,) = run_cases(written(tmp_path, {**row, "expect": {"holds": True, "chance": 1}}))
    assert ran.fault is not None and "of something done, not of a question" in ran.fault.text


def test_throws_that_fall_in_too_many_ways_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletop.play.cases.every_throw.MOST", 2)
    (ran,) = run_cases(written(tmp_path, fought({}, chance=1)))
    assert ran.fault is not None and "more than 2 ways" in ran.fault.text


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"dice": []}, ":1:* dice: 0 numbers given, and one more is thrown, for 'combat'; add it"),
        ({"dice": [120, 5]}, ":1:* dice: 2 given, and 1 thrown: combat; take the rest out"),
        ({"dice": [1000]}, ":1:* dice: 1000 is no throw for 'combat'; it is 0 to 999"),
        ({"dise": [1]}, ":1:* no key 'dise' here; did you mean 'dice'?"),
        ({"do": [{"action": "combat", "unit": "bleu", "target": "red"}]}, ":1:* do: no unit 'bleu'"),
        ({"do": [{"action": "combatt", "unit": "blue"}]}, ":1:* do: no action 'combatt'"),
        ({"do": [{"action": "move", "unit": "blue", "options": {"path": 7}}]}, ":1:* do: "),
        (
            {"do": [{"action": "combat", "unit": "blue"}]},
            ":1:* do: 'combat' needs a target; add \"target\" with its id",
        ),
        (
            {"do": [{"action": "combat", "unit": "blue", "target": "rad"}]},
            ":1:* do: no unit 'rad'; did you mean 'red'?",
        ),
        ({"do": [{"action": "done", "side": "frensh"}]}, ":1:* do: no side 'frensh'; did you mean 'french'?"),
        ({"clock": None}, ":1:* do: the battle has not begun; let 'begin' be the first action"),
        ({"clock": {"phase": "combt"}}, ":1:* clock: no phase 'combt'; did you mean 'combat'?"),
        ({"memory": {"edges": 1}}, ":1:* memory: no entry 'edges'; did you mean"),
        ({"expect": None}, ':1:* expect must be a block of keys, not nothing; write e.g. \'"expect": {'),
        ({"do": []}, ":1:* a case needs 'do', a list of actions, or 'question', not both"),
        ({"scene": None}, ":1:* 'scene' is missing"),
        ({"scene": "scenarios/destiny/lancer.yaml"}, ":1:* scene: "),
        ({"set": {"rod": {}}}, ":1:* set: no unit 'rod'; did you mean 'red'?"),
        ({"like": "nobody"}, ":1:* like: there is no case 'nobody' before this one"),
        ({"clock": {"phase": "combat", "side": "frensh"}}, ":1:* clock: no side 'frensh'"),
        ({"marks": {"blue": {"charge": True}}}, ":1:* marks: no mark 'charge'; did you mean 'charged'?"),
        ({"marks": {"bleu": {}}}, ":1:* marks: no unit 'bleu'; did you mean 'blue'?"),
        ({"rulings": {"square_when": "often"}}, ":1:* scene: "),
        (
            {"expect": {"units": {"blue": {"basis": 4}}}},
            ":1:* expect: units.blue: no key 'basis'; did you mean 'bases'?",
        ),
        ({"expect": {"unit": {}}}, ":1:* no key 'unit' here; did you mean 'units'?"),
    ],
)
def test_a_faulty_line_is_one_clear_line_and_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], text: str
) -> None:
    file = written(tmp_path, {**ours(), **change})
    assert cli.status(["cases", str(file)]) == 2
    said = capsys.readouterr()
    lines = said.err.splitlines()
    assert len(lines) == 1 and "Traceback" not in said.err
    where, _, what = text.partition("* ")
    assert re.match(re.escape(str(file)) + re.escape(where) + r"\d+: ", lines[0]), lines[0]
    assert what in lines[0]


@pytest.mark.parametrize("raw", ["{", "[1]", "nonsense", '{"case": "a", "case": "b"}', "\udcff"])
def test_what_is_no_case_is_said(tmp_path: Path, raw: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_bytes(b"// nothing here\n\n" + raw.encode("utf-8", "surrogateescape"))
    with pytest.raises(Unreadable) as caught:
        read_cases(file)
    assert {fault.line for fault in caught.value.faults} == {3}


def test_every_fault_of_a_file_is_said_at_once(tmp_path: Path) -> None:
    file = written(tmp_path, {**ours(), "dise": 1}, ours(), ours(), {"case": "x", "expect": {}})
    with pytest.raises(Unreadable) as caught:
        read_cases(file)
    assert [(f.line, f.text) for f in caught.value.faults] == [
        (1, "no key 'dise' here; did you mean 'dice'?"),
        (3, "case: 'ten-against-ten' stands in line 2 already"),
        (4, "a case needs 'do', a list of actions, or 'question', not both"),
    ]


def test_exit_statuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = {**ours(), "case": "wrong", "expect": {"clock": {"turn": 9}}}
    file = str(written(tmp_path, ours(), wrong))
    assert cli.status(["cases", file]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "1 of 2 cases pass."
    assert cli.status(["cases", file, "--only", "ten-against-ten"]) == 0
    assert capsys.readouterr().out == "1 of 1 case passes.\n"
    assert cli.status(["cases", file, "--only", "ten-against-tan"]) == 2
    assert "did you mean 'ten-against-ten'?" in capsys.readouterr().err
    assert cli.status(["cases", str(tmp_path / "none.jsonl")]) == 2


def test_a_refused_scene_is_expected(tmp_path: Path) -> None:
    """With the words of its message; a sound scene, or other words, are a difference."""
    case = ours()
    case["scene"]["units"][0]["bases"] = 6
    words = {**case, "expect": {"refused": "bases"}}
    others = {**case, "case": "others", "expect": {"refused": "the moon"}}
    sound = {**ours(), "case": "sound", "expect": {"refused": "bases"}}
    assert [run_case(c).passed for c in read_cases(written(tmp_path, words, others, sound))] == [True, False, False]


def test_given_dice() -> None:
    """Faces and random numbers as they are read; then what follows them, or the battle's own dice."""
    assert [GivenDice([n], 0).die("a", 1000) for n in (0, 349, 0.349, 999)] == [1, 350, 350, 1000]
    assert GivenDice([6]).die("a") == 6 and GivenDice([], rest=3).die("a") == 3
    outcome, draw = GivenDice([4]).grade("a", [0.5, 0.5])
    assert outcome == 1 and draw == pytest.approx(3.5 / 6)
    for bad in (0, 7, 2.5):
        with pytest.raises(BadQuestion, match="it is 1 to 6"):
            GivenDice([bad]).die("fire")
    from tabletop.battle.dice import face

    dice = GivenDice([5], seed=7, thrown=3)
    assert [dice.die("a"), dice.die("b"), dice.die("c")] == [5, face(7, 4, 6), face(7, 5, 6)]


def test_a_mark_of_another_kind_is_refused_where_it_is_written(tmp_path: Path) -> None:
    """The decks left of a ship are a number: text is refused by one line that names the mark, not by the program."""
    row = {"case": "a", "scene": "raking", "do": [{"action": "begin"}], "rest": 3, "expect": {}}
    name = load_scene("raking").units[0].id
    for marks, said in (({"port": "many"}, "marks: port must be a whole number, not 'many'"),
                        ({"masts": 3}, "marks: masts must be a list, not '3'")):  # fmt: skip
        with pytest.raises(Unreadable) as caught:
            read_cases(written(tmp_path, {**row, "marks": {name: marks}}))
        assert [fault.text for fault in caught.value.faults] == [said]


def test_a_value_that_stops_the_rules_is_told_without_the_words_of_the_program(tmp_path: Path) -> None:
    """No class of errors and no message of Python is shown."""
    ship = load_scene("raking").units[0]
    do = [{"action": "sail", "unit": ship.id, "options": {"distance": "far"}}]
    clock = {"phase": "sailing", "side": ship.side}
    row = {"case": "a", "scene": "raking", "clock": clock, "do": do, "expect": {}}
    (ran,) = run_cases(written(tmp_path, row))
    assert ran.fault is not None and ran.fault.text.startswith("do: some value among its options, marks or memory")


def test_before_a_battle_has_begun_nobody_is_to_act() -> None:
    """The reason names no side that there is not."""
    battle = load_scene("raking")
    verdict = judge(battle, Action("done", battle.units[0].side))
    assert [reason.text for reason in verdict.against] == ["the battle has not begun"]
