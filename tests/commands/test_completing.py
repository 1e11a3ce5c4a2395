"""What the shell offers where Tab is pressed, how that is installed, and what ``judge --help`` says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop import cli
from tabletop.play.files import installed

ROOT = Path(__file__).resolve().parents[2]
DISPUTE = installed.installed("scenarios/tse/disputes/level-shadow.yaml")
EXAMPLES = re.findall(r"^  tabletop (judge .*)$", cli.JUDGE_EXAMPLES, re.M)


def offered(folder: Path, *words: str, **environment: str) -> list[str]:
    """Return what bash is offered behind some words, the last of which is being typed."""
    told = {"COMP_WORDS": shlex.join(["tabletop", *words]), "COMP_CWORD": str(len(words))}
    given = {**os.environ, "PYTHONPATH": str(ROOT), "_TABLETOP_COMPLETE": "complete_bash", **told, **environment}
    command = [sys.executable, "-m", "tabletop"]
    done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["exam"], ["examples"]),
        (["judge", "level"], ["level-shadow"]),
        (["judge", "level-shadow", "lo"], ["los"]),
        (["judge", "level-shadow", "los", "low-guns", "mi"], ["middle", "middle-guns"]),
        (["judge", "level-shadow", "los", "middle", "mid"], ["middle-guns"]),
        (["judge", "level-shadow", "fallback", "middle", "--from", "low"], ["low-guns"]),
        (["judge", "level-shadow", "los", "--ruling", "hills_b"], ["hills_block=true", "hills_block=false"]),
        (["examples", "level"], ["level-shadow"]),
        (["render", "mine/"], ["mine/broken.yaml", "mine/deeper/", "mine/game.jsonl", "mine/scene.yaml"]),
        (["judge", "mine/scene.yaml", "los", "low"], ["low-guns"]),
        (["verify", "mine/g"], ["mine/game.jsonl"]),
        (["judge", "nothing-of-this-name", "los", "x"], []),
        (["judge", "mine/broken.yaml", "los", "x"], []),
        (["judge", "-", "los", "x"], []),
        (["judge", "no/such/folder/"], []),
    ],
)
def test_what_may_come_next_is_offered(tmp_path: Path, words: list[str], found: list[str]) -> None:
    (tmp_path / "mine" / "deeper").mkdir(parents=True)
    shutil.copy(DISPUTE, tmp_path / "mine" / "scene.yaml")
    for name in ("game.jsonl", "broken.yaml", "notes.txt", ".hidden.yaml"):
        (tmp_path / "mine" / name).write_text("{")
    assert sorted(offered(tmp_path, *words)) == sorted(found)


def test_it_is_installed_for_the_command_tabletop(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".bashrc").write_text("mine=1\n")
    given = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "HOME": str(home),
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
    }
    command = [sys.executable, "-m", "tabletop", "--install-completion", "bash"]
    done = subprocess.run(command, env=given, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == ""
    script = (home / ".bash_completions" / "tabletop.sh").read_text()
    assert "complete -o default -F _tabletop_completion tabletop" in script
    assert (home / ".bashrc").read_text().startswith("mine=1\n")


def test_where_it_cannot_be_installed_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", "/home/me/.bashrc")

    monkeypatch.setattr(cli, "_asked_for", lambda words: full)
    assert cli.status(["--install-completion"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "/home/me/.bashrc: Permission denied" in said


@pytest.mark.usefixtures("few_placements")
@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_of_the_help_can_be_asked(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    line, _, given = line.partition(" < ")
    if given:
        monkeypatch.setattr(sys, "stdin", DISPUTE.open())
    assert cli.status([*shlex.split(line), "--no-margin"]) in (0, 1)
    said = capsys.readouterr()
    assert said.out and not said.err


def test_the_help_of_judge_shows_examples_and_units_of_measure(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.status(["judge", "--help"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Usage: tabletop judge")
    assert len(EXAMPLES) >= 8 and all(f"tabletop {example}\n" in said for example in EXAMPLES)
    assert "in, cm or mm" in said and "degrees clockwise from north" in said
