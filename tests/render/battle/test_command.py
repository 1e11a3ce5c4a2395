"""``tabletop play --players``: what it says where it cannot open a window."""

from pathlib import Path

import pytest

from tabletop import cli, doctor

ROOT = Path(__file__).resolve().parents[3]
SKIRMISH = str(ROOT / "scenarios" / "tse" / "skirmish.yaml")


def test_without_a_display_the_prompt_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "can_show", lambda: False)
    assert cli.status(["play", SKIRMISH, "--players", "human,greedy"]) == 2
    assert "--text" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--seed", "3"], ["--save", "game.jsonl"]])
def test_a_seed_or_a_file_wants_players(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.status(["play", SKIRMISH, *words]) == 2
    assert "--players" in capsys.readouterr().err


def test_a_window_is_opened_on_the_battle_begun(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from tabletop.play.session import Session
    from tabletop.render import running
    from tabletop.render.battle import window as game_window

    opened: list[Session] = []

    def playing(session: Session) -> object:
        opened.append(session)
        return None

    monkeypatch.setattr(doctor, "can_show", lambda: True)
    monkeypatch.setattr(game_window, "playing", playing)
    monkeypatch.setattr(running, "run", lambda *_makers, title: 0)
    kept = tmp_path / "game.jsonl"
    words = ["play", SKIRMISH, "--players", "human,greedy", "--seed", "3", "--save", str(kept)]
    assert cli.status(words) == 0
    assert opened[0].header.seed == 3 and opened[0].path == kept
    assert sorted(opened[0].header.players.values()) == ["greedy", "human"]
    assert cli.status(words) == 2
    assert cli.status(["play", str(kept), "--players", "human,greedy"]) == 0
    assert opened[1].battle == opened[0].battle
