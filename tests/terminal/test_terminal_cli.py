"""``tabletop play --text`` as a command: a battle from a file of lines, kept, left and gone on with; exit statuses."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tabletop import cli
from tabletop.play.saves import save as saving
from tabletop.play.saves.replay import verify
from tests.terminal.typist import QUATRE_BRAS, SKIRMISH, STARTER

SCENE = str(SKIRMISH)


def play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: list[str], *words: str
) -> tuple[int, str, str]:
    """Play with these lines typed; return status, stdout and stderr."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    status = cli.status(["play", *words, "--text"])
    said = capsys.readouterr()
    assert "Traceback" not in said.err + said.out
    assert "defect" not in said.err + said.out
    return status, said.out, said.err


def test_what_is_typed_from_a_file_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = play(monkeypatch, capsys, ["first", "choose blue", "quit"], SCENE, "--seed", "2")
    assert (status, err) == (0, "")
    assert "1 blue> first\nBlue went first.\n" in out
    assert out.endswith("> quit\n")


def test_the_end_of_the_file_leaves_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(monkeypatch, capsys, [], SCENE, "--seed", "2")[0] == 0


def test_left_in_the_middle_and_gone_on_with(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A game kept as it goes is gone on with, by the same players, and comes out as one played in one go."""
    lines = ["first", "choose kempt", "first", "choose blue", "deploy blue facing south", "hold blue", "choose red"]
    lines += ["maneuver red forward 1", "hold red", "second", "auto 5", "auto 5", "auto 5"]
    path, whole = tmp_path / "game.jsonl", tmp_path / "whole.jsonl"
    play(monkeypatch, capsys, lines, SCENE, "--seed", "2", "--save", str(whole))
    out = play(monkeypatch, capsys, lines[:6], SCENE, "--seed", "2", "--save", str(path))[1]
    assert f"'tabletop play {path} --text' goes on with it." in out
    status, out, _ = play(monkeypatch, capsys, lines[6:], str(path))
    assert status == 0
    assert "A skirmish over a hedge\nTurn 1 of 6." in out
    assert path.read_bytes() == whole.read_bytes()
    assert verify(saving.read(path)).sound


def test_a_decision_survives_being_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    play(monkeypatch, capsys, [], SCENE, "--seed", "2", "--save", str(path))
    out = play(monkeypatch, capsys, ["second"], str(path))[1]
    assert "go first, or let the other side go first?" in out
    assert "Red was made to go first." in out


def test_a_computer_plays_the_other_side(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    out = play(monkeypatch, capsys, ["finish", "choose red", "finish"], SCENE, "--seed", "2", "--players",
               "human,greedy", "--save", str(path))[1]  # fmt: skip
    assert "Blue: " in out
    assert saving.read(path).header.players == {"red": "human", "blue": "greedy"}
    again = play(monkeypatch, capsys, [], str(path))[1]
    assert "Red" in again
    assert "1 red" in again or "2 red" in again


def test_two_computers_fight_it_out(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = play(monkeypatch, capsys, ["who", "report"], SCENE, "--seed", "1", "--players", "greedy,greedy")
    assert status == 0
    assert "over> who\n" in out
    assert "The battle is over." in out


def test_the_starter_battle_is_the_usual_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    named = play(monkeypatch, capsys, ["who"], str(STARTER), "--seed", "1")
    assert play(monkeypatch, capsys, ["who"], "--seed", "1") == named


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere.yaml"], "nowhere.yaml"),
        ([SCENE, "--players", "human"], "name a player for each side (red, blue): --players human,greedy"),
        ([SCENE, "--players", "human,gredy"], "no player 'gredy'; did you mean 'greedy'?"),
        ([SCENE, "--save", "/nowhere/at/all/game.jsonl"], "cannot be saved there"),
    ],
)
def test_faults_before_it_begins(
    words: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = play(monkeypatch, capsys, [], *words)
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_a_file_that_is_there_is_never_written_over(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Blücher", "utf-8")
    assert play(monkeypatch, capsys, [], SCENE, "--save", str(path))[0] == 2
    out = play(monkeypatch, capsys, [f"save {path}"], SCENE)[1]
    assert "is there already; name another" in out.replace("\n  ", " ")
    assert path.read_text("utf-8") == "Dear Blücher"


def test_saved_from_within_it_is_kept_from_then_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "battle at noon.jsonl"
    play(monkeypatch, capsys, [f"save {path}", "first", "save"], SCENE, "--seed", "2")
    assert len(saving.read(path).lines) == 2


def test_odds_of_a_moment_of_a_saved_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    play(monkeypatch, capsys, ["first", "second", "choose foy"], str(QUATRE_BRAS), "--seed", "3", "--save", str(path))
    assert cli.status(["odds", str(path), "assault", "jamin", "brunswick-light", "--at", "1"]) == 0
    assert "the target gives way" in capsys.readouterr().out
