"""A practice battle: begun from the page of a battle, dice taken back; tried again from a replay, by real clicks."""

from pathlib import Path

import pygame
import pytest

from tabletop.play.players import player_kind
from tabletop.play.saves import autosave, replay, save
from tabletop.render import rooms
from tabletop.render.battle import words
from tabletop.render.battle.window import GameWindow
from tabletop.render.replay.screen import replaying
from tabletop.render.screens import Go, Look
from tabletop.render.settings.model import Settings
from tests.render.battle.driver import DRILL, Player, playing, session, wanted
from tests.render.replay.watcher import Watcher, fought


def thrown(player: Player) -> int:
    """Play for the side that is to act until dice have been thrown; return how many steps there were before them."""
    for number in range(150):
        steps = player.controller.game.session.steps
        if steps[-1].thrown and steps[-1].action is not None:
            return len(steps) - 1
        word = wanted(player.words, number)
        if word is None or word == "confirm:":
            player.key(pygame.K_ESCAPE if word is None else pygame.K_RETURN)
        else:
            player.press(word)
    raise AssertionError("no die was thrown")


def test_in_a_practice_battle_undo_goes_past_dice(tmp_path: Path) -> None:
    begun = session(DRILL, ("human", "human"), 3, tmp_path / "game.jsonl")
    begun.close()
    practised = type(begun).start(begun.header.opening, 3, begun.header.players, tmp_path / "practice.jsonl", True)
    with playing(practised, measuring=False) as player:
        assert "practice" in words.situation(player.controller.state, False)[0]
        before = thrown(player)
        player.press("undo:")
        assert len(player.controller.game.session.steps) <= before
        assert "stays" not in player.controller.model.note
        player.press("redo:")
        assert player.controller.game.session.steps[-1].thrown
    saved = save.read(tmp_path / "practice.jsonl")
    assert saved.header.practice and replay.verify(saved).sound


def test_in_earnest_the_window_keeps_what_was_thrown() -> None:
    with playing(session(DRILL, ("human", "human"), 3), measuring=False) as player:
        before = thrown(player)
        player.press("undo:")
        assert len(player.controller.game.session.steps) > before
        assert player.controller.model.note.startswith("That stays")
        assert "practice" not in words.situation(player.controller.state, False)[0]


@pytest.fixture
def finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A battle between two computers that is over."""
    monkeypatch.setattr(autosave, "games_folder", lambda: tmp_path / "games")
    path = tmp_path / "over.jsonl"
    done = fought(path, DRILL)
    assert done.battle.over
    done.close()
    return path


def test_a_finished_battle_is_tried_again_from_its_replay(finished: Path) -> None:
    before = finished.read_bytes()
    watcher = Watcher(replaying(finished))
    while not watcher.screen.reel.whole:  # a replay is read while it is shown
        watcher.wait()
    watcher.key(pygame.K_END)
    watcher.press("try")
    assert watcher.screen.going is None and "over" in watcher.screen.notice
    watcher.key(pygame.K_ESCAPE)
    watcher.key(pygame.K_HOME)
    for _ in range(5):
        watcher.key(pygame.K_RIGHT)
    watcher.press("try")
    going = watcher.screen.going
    assert isinstance(going, Go)
    window = rooms.room(going.to)(Look(Settings()))
    assert isinstance(window, GameWindow)
    tried = window.controller.game.session
    assert tried.practice and len(tried.steps) == 6 and tried.mover is not None
    assert player_kind(tried.header.players[tried.mover]).make is None, "a person plays the side that is to act"
    path = tried.path
    assert path is not None and str(path) in window.controller.model.note
    window.close()
    assert finished.read_bytes() == before
    saved = save.read(path)
    assert saved.header.practice and len(saved.lines) == 6 and replay.verify(saved).sound
