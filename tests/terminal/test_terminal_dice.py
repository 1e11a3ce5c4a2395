"""Throws made at a real table, given to a battle at the prompt."""

from __future__ import annotations

import io

import pytest

from tabletop import cli
from tabletop.battle.event import Thrown
from tabletop.play.engine import play_of
from tabletop.play.files.load import load_scene
from tabletop.play.session import Session
from tabletop.terminal.commands import COMMANDS
from tabletop.terminal.prompt import Prompt
from tests.games.positions import ROOT

LANCERS = ROOT / "scenarios/destiny/lancers.yaml"
SAIL = ROOT / "scenarios/sail/long-sand.yaml"


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


@pytest.mark.parametrize(("throws", "bad"), [("3,7", "7"), ("0", "0"), ("3,3.5", "3.5"), ("0.5", "0.5")])
def test_a_number_that_no_die_of_the_rules_shows_is_refused_at_the_start(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, throws: str, bad: str
) -> None:
    """Age of Sail has six-sided dice only; rules with random numbers take 0 to 999 and fractions."""
    status, _, err = put(capsys, monkeypatch, "", str(SAIL), "--text", "--dice", throws)
    assert (status, err.strip()) == (2, f"tabletop: dice: {bad} is no throw of these rules; it is 1 to 6")
    status, _, err = put(capsys, monkeypatch, "", str(LANCERS), "--text", "--dice", "0,999,0.349")
    assert (status, err) == (0, "")
    status, _, err = put(capsys, monkeypatch, "", str(LANCERS), "--text", "--dice", "1000")
    assert (status, err.strip()) == (2, "tabletop: dice: 1000 is no throw of these rules; it is 0 to 999")


def test_a_throw_the_die_cannot_show_is_asked_for_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Realm of Chance has dice and random numbers: 349 is no throw of a die, and the game goes on with another."""
    realm = ROOT / "scenarios/realm-of-chance/drill-ground.yaml"
    session = Session.with_dice(load_scene(realm), 7, {}, [349, 2])
    prompt = Prompt(session, {}, print, COMMANDS, confirm="off")
    shot = next(a for a in play_of(session.battle).suggest(session.battle) if a.target is not None)
    for line in (f"{shot.kind} {shot.unit} {shot.target}", "dice 5,2", f"{shot.kind} {shot.unit} {shot.target}"):
        prompt.line(line)
    out = capsys.readouterr().out
    assert "is no throw for" in " ".join(out.split()) and "type 'dice N,2' with what was thrown for N" in " ".join(
        out.split()
    )
    assert "Next is thrown: 5, 2." in out
    assert next(e.face for e in session.steps[-1].events if isinstance(e, Thrown)) == 5


def test_dice_are_only_given_where_the_battle_was_begun_with_them(capsys: pytest.CaptureFixture[str]) -> None:
    """In a battle with the program's own dice the command is refused with its reason."""
    prompt = Prompt(Session.start(load_scene(SAIL), 3), {}, print, COMMANDS)
    prompt.line("dice 3,4")
    assert "the program throws the dice of this battle" in capsys.readouterr().out
