"""Throws made at a real table, given to a battle at the prompt."""

from __future__ import annotations

import io

import pytest

from tabletop import cli
from tabletop.battle.event import Thrown
from tabletop.play.files.load import load_scene
from tabletop.play.session import Session
from tests.games.positions import ROOT

LANCERS = ROOT / "scenarios/destiny/lancers.yaml"


def put(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str, *words: str
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    status = cli.status(["play", *words])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return status, said.out, said.err


def test_throws_are_taken_in_order_and_again_after_taking_back() -> None:
    """A shot at 349, as read; taken back and fired again it is 349 again; the next throw is the seed's."""
    session = Session.with_dice(load_scene(LANCERS), 7, {}, [349])
    from tabletop.battle.action import Action

    shot = Action("bombard", "french", "guns", "highlanders")
    for _ in range(2):
        step = session.do(shot)
        assert next(e.face for e in step.events if isinstance(e, Thrown)) == 350
        session.undo()
    assert session.practice and session.path is None


def test_what_is_no_throw_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = str(LANCERS)
    for words, said in (
        (["--text", "--dice", "3,x"], "--dice: 'x' is no throw; write them with commas: --dice 3,6,2"),
        (["--dice", "3"], "add --text"),
        (["--text", "--dice", "3", "--save", "a.jsonl"], "leave out --save, or --dice"),
    ):
        status, _, err = put(capsys, monkeypatch, "", scene, *words)
        assert status == 2 and said in err and len(err.splitlines()) == 1


def test_at_the_prompt(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, err = put(capsys, monkeypatch, "bombard guns highlanders\nyes\nquit\n", str(LANCERS), "--text",
                           "--dice", "999")  # fmt: skip
    assert (status, err) == (0, "") and "routed" in out
