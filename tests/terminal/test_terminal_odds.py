"""Odds as they are shown and as data: the engine's own, to the last digit."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from tabletop import cli
from tabletop.battle.action import Action
from tabletop.play import engine
from tabletop.play.families import families
from tabletop.play.files.load import load_scene
from tabletop.play.typed.reading import read_in_turn
from tabletop.rules.play import Factor, Odds, Result
from tabletop.terminal import chances
from tests.terminal.typist import QUATRE_BRAS

LINES = [
    "assault jamin brunswick-light",
    "assault wathiez saxe-weimar",
    "fire foy-guns bijlandt-left",
    "fire foy-guns rogers",
    "deploy foy-guns facing north",
]


@pytest.mark.parametrize("line", LINES)
def test_the_data_are_the_engines_odds(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """TSE-APP-10: form, outcomes and modifiers exactly as the rule set gives them; families add up to one."""
    assert cli.status(["odds", str(QUATRE_BRAS), *line.split(), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    battle, action = read_in_turn(load_scene(QUATRE_BRAS), line)
    found = engine.play_of(battle).odds(battle, action)
    assert found is not None
    assert [(o["text"], o["probability"], o["worth"]) for o in data["outcomes"]] == [
        (result.text, p, result.worth) for p, result in found.results
    ]
    assert data["form"] == dict(found.form)
    assert [(m["name"], m["amount"]) for m in data["modifiers"]] == [(f.name, f.amount) for f in found.factors]
    assert math.fsum(f["probability"] for f in data["families"]) == pytest.approx(1.0, abs=1e-12)
    assert all(outcome["family"] or not line.startswith("assault") for outcome in data["outcomes"])


@pytest.mark.parametrize("line", LINES)
def test_in_words(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.status(["odds", str(QUATRE_BRAS), *line.split()]) == 0
    said = capsys.readouterr().out.splitlines()
    heads = [float(row[:5]) for row in said if row[5:6] == "%"]
    assert sum(heads) == pytest.approx(100.0, abs=0.4)
    assert heads == sorted(heads, reverse=True)
    assert max(map(len, said)) <= 80


def result(text: str, family: str = "") -> Result:
    return Result(text, family=family)


def test_families_gather_results_by_how_they_end() -> None:
    rows = (
        (0.25, result("shaken; target runs", "gives way")),
        (0.5, result("target runs", "gives way")),
        (0.125, result("target breaks", "gives way")),
        (0.125, result("nothing")),
    )
    found = Odds(Action("assault", "blue", "a", "b"), rows, (Factor("steep", -0.5, "R-1", "ruling", "melee"),))
    assert families(found) == [
        (0.875, "gives way", [(0.75, "target runs"), (0.125, "target breaks")]),
        (0.125, "nothing", []),
    ]
    assert chances.one_line(found) == "87.5% gives way; 12.5% nothing"
    assert chances.brief(found).splitlines()[0].endswith("gives way: target runs 75.0%, target breaks 12.5%")
    assert chances.full(found).splitlines()[-2:] == ["Modifiers of the melee stage:", "  -0.50  steep  [R-1, ruling]"]
    assert chances.full(None) == "Nothing in this is left to chance."


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["assault", "jamin", "kempt"], 1, "It may not be done:"),
        (["hold", "jamin"], 0, "Nothing in this is left to chance."),
        (["assault", "jamin"], 1, "an assault needs a target"),
        (["asault", "jamin", "kempt"], 2, "did you mean 'assault'?"),
        (["assault", "jamin", "nobody"], 2, "nobody here is called 'nobody'"),
        (["assault"], 2, "name an action and a unit"),
        (["maneuver", "jamin", "to", "30"], 2, "no place '30'"),
    ],
)
def test_exit_statuses(words: list[str], status: int, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.status(["odds", str(QUATRE_BRAS), *words]) == status
    said = capsys.readouterr()
    assert says in said.out + said.err
    assert "Traceback" not in said.err


def test_a_moment_only_of_a_saved_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.status(["odds", str(QUATRE_BRAS), "hold", "jamin", "--at", "3"]) == 2
    assert "only a saved game has moments" in capsys.readouterr().err
