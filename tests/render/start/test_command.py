"""What ``tabletop``, ``tabletop play`` and ``run.py`` open, and what they say where there is no display."""

from pathlib import Path
from typing import Any

import pytest

from tabletop import cli, doctor
from tabletop.play.files import named_files
from tabletop.play.saves import library
from tabletop.play.session import Session
from tabletop.render import running
from tabletop.render.battle import window as game_window
from tabletop.render.start import screen
from tabletop.render.table import window
from tests.render.start.visitor import SKIRMISH, kept_game

START, MEASURING = "the start screen", "the measuring table"


class Opened:
    """What the window was asked to show."""

    def __init__(self) -> None:
        self.shown: list[Any] = []
        self.titles: list[str] = []

    def run(self, *makers: Any, title: str) -> int:
        self.shown.append(makers)
        self.titles.append(title)
        return 0


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    found = Opened()
    monkeypatch.setattr(doctor, "can_show", lambda: True)
    monkeypatch.setattr(running, "run", found.run)
    monkeypatch.setattr(window, "measuring", lambda _: MEASURING)
    monkeypatch.setattr(screen, "starting", lambda: START)
    monkeypatch.setattr(game_window, "playing", lambda session: session)
    return found


def session_of(opened: Opened) -> Session:
    under, over = opened.shown[-1]
    assert under == START and isinstance(over, Session)
    return over


@pytest.mark.parametrize("words", [[], ["play"]])
def test_with_no_battle_named_the_start_screen_opens(opened: Opened, words: list[str]) -> None:
    assert cli.status(words) == 0
    assert opened.shown == [(START,)]


def test_a_battle_is_played_over_the_start_screen(opened: Opened, tmp_path: Path) -> None:
    kept = tmp_path / "game.jsonl"
    words = ["play", str(SKIRMISH), "--players", "human,random", "--seed", "9", "--save", str(kept)]
    assert cli.status(words) == 0
    session = session_of(opened)
    assert session.header.seed == 9 and session.header.players == {"red": "human", "blue": "random"}
    assert session.path == kept and opened.titles == ["A skirmish over a hedge"]


def test_without_players_it_is_measured_on(opened: Opened) -> None:
    assert cli.status(["play", str(SKIRMISH)]) == 0
    assert opened.shown == [(START, MEASURING)]


def test_a_saved_game_goes_on_with_its_own_players(opened: Opened, games_folder: Path) -> None:
    kept = kept_game(games_folder / "a.jsonl", players=("greedy", "human"))
    assert cli.status(["play", str(games_folder / "a.jsonl")]) == 0
    session = session_of(opened)
    assert session.header.players == {"red": "greedy", "blue": "human"}
    assert session.battle == kept.battle and session.path == games_folder / "a.jsonl"


def test_a_saved_game_can_be_measured_on(opened: Opened, games_folder: Path) -> None:
    kept_game(games_folder / "a.jsonl")
    assert cli.status(["play", str(games_folder / "a.jsonl"), "--measure"]) == 0
    assert opened.shown == [(START, MEASURING)]


def test_a_saved_game_may_go_on_in_another_file_but_with_its_own_seed(
    opened: Opened, games_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept_game(games_folder / "a.jsonl")
    game = str(games_folder / "a.jsonl")
    assert cli.status(["play", game, "--save", str(games_folder / "b.jsonl")]) == 0
    assert session_of(opened).path == games_folder / "b.jsonl" and named_files.is_game(games_folder / "b.jsonl")
    assert cli.status(["play", game, "--seed", "3"]) == 2
    assert "--seed" in capsys.readouterr().err


@pytest.mark.parametrize("text", [None, "", "no game\n"])
def test_a_missing_or_broken_game_is_one_clear_line(
    opened: Opened, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None
) -> None:
    path = tmp_path / "x.jsonl"
    if text is not None:
        path.write_text(text)
    assert cli.status(["play", str(path)]) == 2
    said = capsys.readouterr().err
    assert "x.jsonl:1:1:" in said and said.count("\n") == 1 and opened.shown == []


def test_the_first_battle_is_yours_against_the_computer_and_leaves_one_file_untouched(opened: Opened) -> None:
    assert cli.status(["play", "--first"]) == 0
    first = session_of(opened)
    assert first.battle.title == "The brook at Weidenau"
    assert first.header.players == {"french": "human", "austrian": "greedy"}
    assert cli.status(["play", "--first"]) == 0
    again = session_of(opened)
    assert again.path == first.path and again.header.seed == first.header.seed
    play_until(again, "french")
    assert cli.status(["play", "--first"]) == 0
    assert session_of(opened).path != first.path, "one that was played stays as it is"
    assert len(library.kept_games().paths) == 2


def play_until(session: Session, side: str) -> None:
    """Let things be done until a side has done something."""
    from tabletop.play.players import player_kind

    make = player_kind("random").make
    assert make is not None
    for _ in range(1000):
        mover = session.mover
        session.do(make(1).choose(session.battle).action)
        if mover == side:
            return


def test_the_first_battle_is_named_by_nobody(opened: Opened, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.status(["play", str(SKIRMISH), "--first"]) == 2
    assert "--first" in capsys.readouterr().err and opened.shown == []


def test_run_py_opens_the_start_screen() -> None:
    import runpy

    words: list[tuple[str, ...]] = []
    run = runpy.run_path(str(Path(__file__).resolve().parents[3] / "run.py"))
    main = run["main"]

    def ran(*said: str) -> int:
        words.append(said)
        return 0

    main.__globals__.update({"prepare": lambda _: None, "run": ran})
    import sys

    before, sys.argv = sys.argv, ["run.py"]
    try:
        assert main() == 0
        sys.argv = ["run.py", "rulings"]
        assert main() == 0
    finally:
        sys.argv = before
    assert words == [("-m", "tabletop", "play"), ("-m", "tabletop", "rulings")]


@pytest.mark.parametrize("words", [[], ["play"], ["play", "--first"]])
def test_without_a_display_pictures_are_made_and_it_is_said(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "can_show", lambda: False)
    monkeypatch.setattr(
        "tabletop.render.painting.postcards.write_postcards", lambda battle: [tmp_path / f"{battle.title}.png"]
    )
    assert cli.status(words) == 0
    said = capsys.readouterr().out
    assert said.startswith("There is no display here") and "--text" in said
    assert "The brook at Weidenau" in said and said.count("\n") == 1
    assert library.kept_games().paths == ()
