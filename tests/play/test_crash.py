"""Killed in the middle of a battle: the game opens and has lost at most the action in flight."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from random import Random

import pytest

from tabletop.play.saves import replay, save
from tests.play.kept_games import action, played

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


def _play_on(path: Path, seed: int, pipe: int, apart: bool) -> None:
    """Play and take back, telling after each how many steps the game has; the parent ends it."""
    random = Random(seed)
    session = played(0, seed, path)
    if apart:
        session.save_apart()
    os.write(pipe, bytes([len(session.steps)]))
    while True:
        if session.mover is None:
            signal.pause()
        if session.why_not_undo() is None and random.random() < 0.3:
            session.undo()
        else:
            session.do(action(session.battle, random))
        os.write(pipe, bytes([len(session.steps)]))


def killed(path: Path, seed: int, apart: bool) -> int:
    """Let a child play, kill it at a random moment, and return how many steps it had told of last."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _play_on(path, seed, theirs, apart)
        finally:
            os._exit(1)
    os.close(theirs)
    told = os.read(ours, 1)
    time.sleep(Random(seed).uniform(0.0, 0.15))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(ours, 4096):
        told = more
    os.close(ours)
    return told[-1]


def check(tmp_path: Path, seed: int, apart: bool) -> None:
    path = tmp_path / f"{seed}.jsonl"
    told = killed(path, seed, apart)
    found = save.read(path)
    assert abs(len(found.lines) - told) <= 1
    assert replay.verify(found).sound


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_a_killed_game_opens(tmp_path: Path, seed: int, apart: bool) -> None:
    check(tmp_path, seed, apart)


@pytest.mark.sweep
@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("seed", range(100, 300))
def test_a_killed_game_opens_two_hundred_times(tmp_path: Path, seed: int, apart: bool) -> None:
    check(tmp_path, seed, apart)
