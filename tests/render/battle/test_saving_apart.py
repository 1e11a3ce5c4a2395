"""A slow disk in the window: frames go on, computers wait for it, and what is not kept is said when it is known."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.saves import autosave, replay, save
from tabletop.render.battle.window import GameWindow
from tests.render.battle.driver import SIZE, STARTER, session

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame

#: Seconds after which a test no longer waits for another thread.
PATIENCE = 30.0


@pytest.fixture
def window(tmp_path: Path) -> Iterator[GameWindow]:
    """A battle between two computers, kept in a file, saved on a thread of its own."""
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(SIZE)
    battle = session(STARTER, ("random", "random"), 3, tmp_path / "game.jsonl")
    battle.save_apart()
    found = GameWindow.inlined(battle)
    found.pace("at once")
    yield found
    found.close()


def until_saved(window: GameWindow) -> None:
    window.controller.game.session.close()
    window.controller.game.session.save_apart()
    window.controller.listen()


def test_the_window_goes_on_and_the_computer_waits_for_a_slow_disk(
    window: GameWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, fsync, session = threading.Event(), os.fsync, window.controller.game.session

    def slow(handle: int) -> None:
        assert opened.wait(PATIENCE)
        fsync(handle)

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", slow)
        begun = len(session.steps)
        for _ in range(20):
            window.step(0.1)
        assert len(session.steps) == begun + 1 and session.saving
        assert window.controller.model.battle is session.battle, "what was done is shown before it is saved"
        opened.set()
        until_saved(window)
        window.step(0.1)
        assert len(session.steps) == begun + 2


def test_what_is_not_kept_is_said_when_it_is_known(window: GameWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, controller = threading.Event(), window.controller

    def full(*_: object) -> None:
        assert opened.wait(PATIENCE)
        raise OSError(28, "No space left on device")

    controller.game.computers.paused = True
    with monkeypatch.context() as disk:
        disk.setattr(autosave.Autosave, "_append", full)
        disk.setattr(autosave, "write_whole", full)
        controller.game.do(RandomMover(1).choose(controller.model.battle).action)
        window.step(0.1)
        assert "not kept" not in controller.model.note and controller.game.session.saving
        opened.set()
        controller.game.session.close()
        window.step(0.1)
        assert (
            "The game goes on, but is not kept" in controller.model.note
            and "No space left on device" in controller.model.note
        )
        assert "No space left on device" in window.unkept
    controller.game.do(RandomMover(1).choose(controller.model.battle).action)
    window.step(0.1)
    assert "not kept" not in controller.model.note and not window.unkept


def test_leaving_waits_for_the_disk_and_says_what_would_be_lost(
    window: GameWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, controller = threading.Event(), window.controller

    def full(*_: object) -> None:
        assert opened.wait(PATIENCE)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(autosave.Autosave, "_append", full)
        controller.game.do(RandomMover(1).choose(controller.model.battle).action)
        threading.Timer(0.05, opened.set).start()
        assert "No space left on device" in window.unkept, "asked while it was still being written"


def test_closing_the_window_saves_what_was_done_last(window: GameWindow, tmp_path: Path) -> None:
    controller = window.controller
    for _ in range(3):
        controller.game.do(RandomMover(1).choose(controller.model.battle).action)
    steps = len(controller.game.session.steps)
    window.close()
    found = save.read(tmp_path / "game.jsonl")
    assert len(found.lines) == steps and replay.verify(found).sound
