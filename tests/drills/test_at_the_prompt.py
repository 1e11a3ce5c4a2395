"""Drills at the prompt and on paper: real sessions, a dispute, a handout, bad input."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path

import pytest

from tabletop.cli import status
from tabletop.drills import stock
from tabletop.drills.dispute import dispute
from tabletop.drills.drilling import Drilling
from tabletop.drills.position import Position
from tabletop.drills.standing import Standings
from tabletop.drills.supply import InlineSupply, Order
from tabletop.errors import BadQuestion
from tabletop.play.files.opened import open_battle
from tabletop.terminal.drill import DrillPrompt

ROOT = Path(__file__).parents[2]


class Nothing(InlineSupply):
    """A supply that is never ready."""

    def order(self, order: Order) -> Future[Position | None]:
        return Future()


def drilling(path: Path, mode: str = "eye", only: str = "nearest") -> Drilling:
    return Drilling(Standings(path / "drills.json"), InlineSupply(), mode, only, seed=1)


def test_a_session_at_the_prompt(tmp_path: Path) -> None:
    said: list[str] = []
    session = drilling(tmp_path, "tape")
    prompt = DrillPrompt(session, tmp_path / "drill.svg", said.append)
    prompt.open()
    position = session.position
    assert position is not None and position.question in said and (tmp_path / "drill.svg").exists()
    wrong = next(choice for choice in position.choices if choice != position.answer)
    assert prompt.line("list") and prompt.line(f"tape arnaud {position.answer}") and prompt.line("tape 1,1 4,5")
    assert "5.00 in" in said
    assert prompt.line("perhaps") and "is no answer" in said[-1]
    assert prompt.line(wrong)
    assert f"Wrong. The answer: {position.choices[position.answer]}." in said
    assert (tmp_path / "drill-twin.svg").exists() and any("elsewhere" in line for line in said)
    assert prompt.line(wrong) and "answered" in said[-1]
    assert prompt.line("") and session.position is not position and session.last is None
    assert session.position is not None and prompt.line(session.position.answer) and "Right." in said
    assert not prompt.line("quit")
    again = Standings(tmp_path / "drills.json").of("nearest", "tape").stairs
    assert again.answers == 2 and again.right == 1


def test_by_eye_there_is_no_tape(tmp_path: Path) -> None:
    said: list[str] = []
    prompt = DrillPrompt(drilling(tmp_path), tmp_path / "drill.svg", said.append)
    prompt.open()
    prompt.line("tape arnaud auer")
    assert "by eye" in said[-1]


def test_a_dispute_is_a_drill_that_changes_no_score(tmp_path: Path) -> None:
    position = dispute(open_battle("front-or-flank"), "assault", ["west-column", "west-line"])
    session = drilling(tmp_path)
    session.put(position)
    answered = session.answer("no")
    assert position.answer == "yes" and not answered.right and not (tmp_path / "drills.json").exists()
    assert position.question.startswith("May West column assault")


def test_what_has_no_yes_and_no_is_no_drill() -> None:
    with pytest.raises(BadQuestion, match="yes or no"):
        dispute(open_battle("starter"), "distance", ["arnaud", "auer"])


def test_the_stock_serves_while_nothing_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "stock.json"
    made = drilling(tmp_path).next()
    assert made is not None
    stock.write([made], path)
    monkeypatch.setattr(stock, "PATH", path)
    stock._kept.cache_clear()
    session = Drilling(Standings(tmp_path / "other.json"), Nothing(), "eye", "nearest", seed=3)
    position = session.next()
    stock._kept.cache_clear()
    assert position is not None
    assert (position.answer, position.margin, position.seen) == (made.answer, made.margin, made.seen)
    assert position.battle.unit("auer").at == made.battle.unit("auer").at
    assert session.next() is None


def test_a_dispute_is_printed_on_two_sides(tmp_path: Path) -> None:
    words = ["drills", "front-or-flank", "assault", "west-column", "west-line", "--print", str(tmp_path / "d.pdf")]
    assert status(words) == 0
    data = (tmp_path / "d.pdf").read_bytes()
    assert data.startswith(b"%PDF-") and data.count(b"/Type /Page\n") == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sigth"], "did you mean 'sight'"),
        (["sight", "--margin", "9"], "0.05 to 1.5"),
        (["--all"], "belongs to --check"),
        (["sight", "--print", "x.png"], "ends in .pdf"),
        (["--print", "x.pdf"], "name what"),
        (["sight", "fire"], "one family"),
        (["starter", "distance", "arnaud", "auer"], "yes or no"),
        (["starter", "los", "arnaud"], "2 units"),
    ],
)
def test_bad_input_is_one_clear_line(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status(["drills", *words]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_check_that_is_ended_leaves_no_process_at_work(how: signal.Signals) -> None:
    """Ctrl+C ends it with status 130 and no traceback; its processes hold its pipes, so reading to the end waits.

    It is ended once the first margin is proved: only then is it sure that its processes are at work.
    """
    command = [sys.executable, "-m", "tabletop", "drills", "--check", "nearest"]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"}
    running = subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, text=True
    )
    assert running.stdout is not None and running.stdout.readline()
    (os.killpg if how == signal.SIGINT else os.kill)(running.pid, how)
    _, said = running.communicate(timeout=60)
    assert "Traceback" not in said
    assert running.returncode == (130 if how == signal.SIGINT else -how)
