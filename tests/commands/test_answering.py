"""An answer in words comes as it becomes known: the reasons first, then how close the call is."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tabletop import judge as judging
from tabletop.battle.battle import Battle
from tabletop.cli import status
from tabletop.commands.answering import BLANK, ENDED, MEANWHILE, print_answers
from tabletop.play.files.load import load_scene
from tabletop.play.verdict_words import explained

SCENE = str(Path(__file__).parents[2] / "scenarios" / "tse" / "quatre-bras.yaml")
QUESTIONS = [
    ("fire", ["bachelu-guns", "bijlandt"], {}),
    ("los", ["kempt", "bauduin"], {}),
    ("arc", ["kempt", "bauduin"], {"error": (0.125, 2.0)}),
    ("command", ["kempt"], {}),
    ("distance", ["kempt", "bauduin"], {}),
]


@pytest.fixture(scope="module")
def battle() -> Battle:
    return load_scene(SCENE)


@pytest.mark.parametrize(("question", "args", "options"), QUESTIONS)
def test_the_full_verdict_says_more_and_nothing_else(
    battle: Battle, question: str, args: list[str], options: dict[str, object]
) -> None:
    first, *_, last = [*judging.fuller(battle, question, args, options)] * 2
    assert last == judging.judge(battle, question, args, options)
    assert (first.margin, first.too_close, first.depends_on, first.certainty) == (None, None, (), None)
    assert explained(last, battle).startswith(explained(first, battle))
    assert (first.holds, first.because, first.measured) == (last.holds, last.because, last.measured)


@pytest.mark.parametrize(("question", "args", "options"), QUESTIONS)
def test_all_that_is_printed_is_the_full_verdict(
    battle: Battle,
    question: str,
    args: list[str],
    options: dict[str, object],
    capsys: pytest.CaptureFixture[str],
) -> None:
    verdicts = print_answers(battle, question, [args, args[::-1]], options)
    assert capsys.readouterr() == ("\n\n".join(explained(one, battle) for one in verdicts) + "\n", "")


def test_who_ends_the_search_has_the_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(judging, "_with_margin", ended)
    assert status(["judge", SCENE, "los", "kempt", "bauduin"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Yes. Kempt sees Bauduin") and "TSE-LOS-01" in out and "Margin" not in out
    assert err == f"{ENDED}\n"
    assert status(["judge", SCENE, "los", "kempt", "bauduin", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["margin"] is None


def test_who_looks_on_is_told_what_goes_on_and_nothing_of_it_stays(
    battle: Battle, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    print_answers(battle, "los", [["kempt", "bauduin"]], {})
    _, err = capsys.readouterr()
    blank = f"\r{' ' * BLANK}\r"
    assert err.count(f"{MEANWHILE} 100 %") == 1, "how far the search has got"
    assert err.startswith(blank) and err.endswith(blank)
    assert re.sub(rf"{re.escape(MEANWHILE)}( \d+ %)?", "", err.replace(blank, "")) == ""
