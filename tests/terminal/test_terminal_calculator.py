"""The calculator at the terminal: as a conversation, in one line, as JSON in and out (TSE-APP)."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop import cli
from tabletop.play.app_draws import Draws
from tabletop.rules.rule_set import NAMES, find
from tabletop.rules.tse.calculator.forms import ACTIONS
from tabletop.rules.tse.calculator.game_app import CALCULATOR
from tabletop.terminal.game_app import columns, converse, meant, odds_text

ASSAULT = {"actor": "elite infantry", "target": "average infantry", "target_formation": "deployed", "cover": "soft"}


def conversation(*typed: str, seed: int | None = 3) -> tuple[list[str], list[str]]:
    """Return what was asked, and what was said, while these lines were typed; then the player leaves."""
    lines: Iterator[str] = iter(typed)
    asked: list[str] = []
    said: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        found = next(lines, None)
        if found is None:
            raise EOFError
        return found

    converse(CALCULATOR, seed, ask, said.append)
    return asked, said


def answers(said: list[str]) -> list[str]:
    return [text.splitlines()[0] for text in said if text.startswith("=> ")]


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_can_be_asked_for(action: str) -> None:
    """TSE-APP-01, TSE-APP-05: each field and prompt that applies is asked for once, in order; then the result."""
    asked, said = conversation("", action, *["1"] * 14)
    form: dict[str, Any] = {}
    labels = []
    for field in CALCULATOR.fields("result", action):
        if CALCULATOR.applies(field.name, form):
            form[field.name] = field.values[0]
            labels.append(field.label)
    assert [question.split(" (")[0].split(" [")[0].rstrip(": ") for question in asked[2 : 2 + len(labels)]] == labels
    expected = CALCULATOR.press("result", action, form, Draws(3)).text
    assert answers(said)[0] == f"=> {expected}"


def test_only_troops_that_take_an_action_are_offered() -> None:
    """TSE-APP-03, TSE-ACT-93, TSE-ACT-94: guns never assault, cavalry never fires."""
    values = {a: CALCULATOR.fields("result", a)[0].values for a in ACTIONS}
    assert not any("artillery" in str(value) for value in values["assault"])
    assert not any("cavalry" in str(value) for value in values["deployed-fire"])
    assert len(values["march"]) == 16


def test_words_numbers_beginnings_and_enter() -> None:
    asked, said = conversation("result", "march", "veteran inf", "")
    assert "orders" in answers(said)[0]
    assert "(yes / no) [no]: " in asked[3]


def test_a_wrong_answer_is_asked_again_and_a_question_mark_lists() -> None:
    asked, said = conversation("2", "march", "elite", "?", "elefants", "16", "maybe", "y")
    listed, doubt, again, unknown, strange = said[4:9]
    assert "'elite' could be any of: elite infantry, elite light-cavalry" in doubt
    assert again == listed
    assert "'elefants' is none of these" in unknown
    assert "'maybe' is none of these" in strange
    assert answers(said)
    assert asked.count("Actor: ") == 4


def test_a_step_back() -> None:
    asked, said = conversation("2", "march", "elite infantry", "<", "poor infantry", "yes", "")
    assert [question.split(" (")[0] for question in asked[2:6]] == [
        "Actor: ", "Is a friendly general within 6 in of the actor?", "Actor [elite infantry]: ",
        "Is a friendly general within 6 in of the actor?",
    ]  # fmt: skip
    expected = CALCULATOR.press("result", "march", {"actor": "poor infantry", "general_near": True}, Draws(3))
    assert answers(said) == [f"=> {expected.text}"]


def test_a_form_that_cannot_be_has_no_odds() -> None:
    """The fault is said again, and the conversation goes on."""
    asked, said = conversation("4", "9", "0", "8", "no", "o", "a")
    fault = "  9 units destroyed or demoralized cannot be, of 8 in the order of battle"
    assert said.count(fault) == 2 and asked[-1] == "Units destroyed [9]: "


def test_a_wrong_form_is_filled_in_again_from_what_was_said() -> None:
    """TSE-APP-04: its result counts for nothing."""
    asked, said = conversation("2", "march", "elite infantry", "yes", "a", "", "no", "")
    assert "That result counts for nothing." in said
    assert "Actor [elite infantry]: " in asked
    assert "Is a friendly general within 6 in of the actor? (yes / no) [yes]: " in asked
    assert len(answers(said)) == 2


def test_its_odds_on_request() -> None:
    said = conversation("2", "march", "elite infantry", "yes", "o", "")[1]
    assert any("orders received" in text and "%" in text for text in said)


def test_the_other_buttons() -> None:
    """TSE-APP-01: initiative, leader overrun, army morale."""
    assert answers(conversation("1")[1])[0] in ("=> attacker", "=> defender")
    assert answers(conversation("3", "1")[1])[0] in ("=> killed", "=> captured", "=> escapes")
    assert answers(conversation("4", "3", "1", "8", "no")[1])[0] in ("=> breaks", "=> holds")
    said = conversation("4", "-1", "3", "9", "8", "no")[1]
    assert "  answer with a whole number" in said
    assert any("12 units destroyed or demoralized cannot be" in text for text in said)


@pytest.mark.parametrize(
    "typed", [["q"], ["2", "q"], ["2", "7", "quit"], ["2", "march", "1", "yes", "q"], ["<", "q"], []]
)
def test_leaving_at_any_moment(typed: list[str]) -> None:
    assert conversation(*typed)[1][-1] == ""


def test_a_long_list_is_shown_once() -> None:
    said = conversation("2", "march", "1", "", "", "2", "march", "2", "", "")[1]
    assert sum("elite light-cavalry" in text for text in said) == 1
    assert all(len(line) <= 100 for text in said for line in text.splitlines())


# --- in one line, and as data ----------------------------------------------------------------------------------------


def put(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = cli.status(["calculator", *words])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "defect" not in said.err
    return status, said.out, said.err


def words(form: dict[str, Any]) -> list[str]:
    return [f"{key}={value}" for key, value in form.items()]


def test_one_line_says_what_the_function_says(capsys: pytest.CaptureFixture[str]) -> None:
    """TSE-APP-02: same form and seed, same answer, however asked."""
    expected = CALCULATOR.press("result", "assault", ASSAULT, Draws(11))
    status, out, _ = put(capsys, "assault", *words(ASSAULT), "--seed", "11")
    assert (status, out.splitlines()[0]) == (0, expected.text)
    status, out, _ = put(capsys, "assault", *words(ASSAULT), "--seed", "11", "--json")
    data = json.loads(out)
    assert data["text"] == expected.text
    assert data["form"] == ASSAULT
    assert (data["button"], data["action"], data["seed"]) == ("result", "assault", 11)


def test_json_in_and_out(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "form.json"
    path.write_text(json.dumps({"action": "assault", **ASSAULT}), "utf-8")
    from_file = put(capsys, "--form", str(path), "--seed", "11", "--json")
    assert from_file == put(capsys, "assault", *words(ASSAULT), "--seed", "11", "--json")
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"button": "initiative"})))
    status, out, _ = put(capsys, "--form", "-", "--seed", "1", "--json")
    assert (status, json.loads(out)["text"] in ("attacker", "defender")) == (0, True)


def test_what_it_says_can_be_put_to_it_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = put(capsys, "assault", *words(ASSAULT), "--seed", "11", "--json")[1]
    said = json.loads(out)
    path = tmp_path / "form.json"
    path.write_text(json.dumps({"action": said["action"], **said["form"]}), "utf-8")
    assert put(capsys, "--form", str(path), "--seed", str(said["seed"]), "--json")[1] == out


def test_odds_are_the_functions_own(capsys: pytest.CaptureFixture[str]) -> None:
    """TSE-APP-10: every answer with its exact chance."""
    out = put(capsys, "assault", *words(ASSAULT), "--odds", "--json")[1]
    found = CALCULATOR.odds("result", "assault", ASSAULT)
    assert [(row["probability"], row["text"]) for row in json.loads(out)] == list(found)
    assert math.fsum(p for p, _ in found) == pytest.approx(1.0, abs=1e-12)
    said = put(capsys, "assault", *words(ASSAULT), "--odds")[1].splitlines()
    assert sum(float(row[:5]) for row in said if row[5:6] == "%" and "<" not in row[:6]) > 99.0
    assert max(map(len, said)) <= 80


def test_unused_fields_change_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """TSE-APP-03: a field of another action is ignored; a name that is no field is a slip."""
    march = ["march", "actor=elite inf", "--seed", "4"]
    assert put(capsys, *march) == put(capsys, *march, "cover=hard", "range=0-3")
    assert put(capsys, *march, "colour=red")[0] == 2


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["asault"], "the calculator knows no 'asault'; did you mean 'assault'?"),
        (["result"], "the result of what? name one of: deploy, maneuver"),
        (["march"], "actor is missing; one of: elite infantry"),
        (["march", "actor"], "a field is given as name=value"),
        (["march", "actor=elite"], "actor: 'elite' could be any of: elite infantry, elite light-cavalry"),
        (["march", "actor=dragon"], "actor: 'dragon' is none of these"),
        (["march", "actr=elite infantry"], "the calculator has no field 'actr'; did you mean 'actor'?"),
        (["assault", "actor=transport", "target=transport", "target_formation=sq"], "transport never takes the action"),
        (["morale", "destroyed=x", "units=8", "demoralized_units=0"], "destroyed must be a whole number"),
        (["morale", "destroyed=-2", "units=8", "demoralized_units=0"], "destroyed must be a whole number"),
        (["morale", "destroyed=9", "units=8", "demoralized_units=0"], "cannot be, of 8 in the order of battle"),
        (["--form", "/nowhere/form.json"], "the form '/nowhere/form.json' cannot be read"),
        (["march", "--rules", "tsee"], "no rule set 'tsee'; did you mean 'tse'?"),
        (["bombrd", "--rules", "realm-of-chance"], "the calculator knows no 'bombrd'; did you mean 'bombard'?"),
    ],
)
def test_faults_are_one_line_with_a_cure(given: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = put(capsys, *given)
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_rules_without_a_calculator(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    without = replace(find("sail"), calculator=None)
    monkeypatch.setattr("tabletop.rules.rule_set.find", lambda name: without)
    status, out, err = put(capsys, "fire", "--rules", "sail")
    assert (status, out, err) == (2, "", "tabletop: Age of Sail has no calculator: its players throw dice\n")


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ("[]", "must be a block of names and values"),
        ("{", "cannot be read"),
        ("[" * 100_000, "cannot be read"),
        ('{"action": ["march"]}', "'action' must be a word"),
        ('{"action": "march", "actor": 7}', "actor cannot be 7"),
        ('{"action": "march", "actor": {"a": 1}}', "actor cannot be {'a': 1}"),
        (
            '{"action": "march", "actor": "elite infantry", "general_near": 1}',
            "general_near cannot be 1; one of: yes, no",
        ),
        (
            '{"action": "march", "akter": "elite infantry"}',
            "the calculator has no field 'akter'; did you mean 'actor'?",
        ),
        ('{"button": "morale", "destroyed": 1.5}', "destroyed must be a whole number"),
        ('{"button": "morale", "destroyed": true}', "destroyed must be a whole number"),
    ],
)
def test_faults_of_a_form_in_json(form: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "form.json"
    path.write_text(form, "utf-8")
    status, out, err = put(capsys, "--form", str(path))
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_the_first_rule_set_is_the_usual_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert find(NAMES[0]).calculator is not None
    assert put(capsys, "initiative", "--seed", "1") == put(capsys, "initiative", "--seed", "1", "--rules", NAMES[0])


def test_values_and_lists() -> None:
    assert meant("2", {"yes": True, "no": False}) is False
    assert meant("Y", {"yes": True, "no": False}) is True
    assert columns({"yes": True, "no": False}) == "   1. yes     2. no"


def test_odds_by_how_it_ends() -> None:
    said = odds_text([(0.5, "held"), (0.3, "late: broken"), (0.15, "shaken; broken"), (0.05, "late: shaken; held")])
    rows = said.splitlines()
    assert rows[0].split() == ["55.0%", "###########", "held"]
    assert rows[1].strip() == "(straight 50.0%, late: shaken 5.0%)"
    assert rows[2].split() == ["45.0%", "#########", "broken"]
