"""Saved games renamed and deleted: never another file."""

from pathlib import Path

import pytest

from tabletop.errors import Unsaved
from tabletop.play.saves.tidy import LONGEST, deleted, renamed


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "duel.jsonl"
    path.write_text("a game", "utf-8")
    return path


@pytest.mark.parametrize("name", ["The ridge", " The ridge.jsonl ", "The ridge.jsonl"])
def test_a_game_is_renamed_in_its_folder(game: Path, name: str) -> None:
    assert renamed(game, name) == game.with_name("The ridge.jsonl")
    assert game.with_name("The ridge.jsonl").read_text("utf-8") == "a game" and not game.exists()


def test_its_own_name_and_other_capitals_are_no_other_file(game: Path) -> None:
    assert renamed(game, "duel") == game and game.read_text("utf-8") == "a game"
    assert renamed(game, "Duel").read_text("utf-8") == "a game"


@pytest.mark.parametrize(
    "name", ["", " ", ".hidden", "../up", "a/b", "a\\b", "c:x", "what?", "x" * (LONGEST + 1), "\x00"]
)
def test_a_name_no_system_takes_is_refused(game: Path, name: str) -> None:
    with pytest.raises(Unsaved):
        renamed(game, name)
    assert game.read_text("utf-8") == "a game" and list(game.parent.iterdir()) == [game]


def test_another_file_is_never_lost(game: Path) -> None:
    other = game.with_name("first.jsonl")
    other.write_text("another game", "utf-8")
    with pytest.raises(Unsaved, match="is there already"):
        renamed(game, "first")
    assert (game.read_text("utf-8"), other.read_text("utf-8")) == ("a game", "another game")


def test_what_is_gone_already_is_said_and_nothing_is_left(game: Path) -> None:
    game.unlink()
    with pytest.raises(Unsaved, match="not there"):
        renamed(game, "new")
    with pytest.raises(Unsaved):
        deleted(game)
    assert not list(game.parent.iterdir())


def test_only_a_game_is_deleted(game: Path) -> None:
    letter, folder = game.with_name("letter.txt"), game.with_name("folder.jsonl")
    letter.write_text("Dear friend", "utf-8")
    folder.mkdir()
    for path in (letter, folder):
        with pytest.raises(Unsaved):
            deleted(path)
    deleted(game)
    assert sorted(path.name for path in game.parent.iterdir()) == ["folder.jsonl", "letter.txt"]
