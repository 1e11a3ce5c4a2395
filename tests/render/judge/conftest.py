"""Nobody's own folders are looked into or written in by a test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.play.saves import autosave
from tabletop.play.workers import judge_worker
from tabletop.render.judge import filing


@pytest.fixture
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """No margin is searched for, which takes most of a verdict's time: for tests that do not look at it."""
    calmly = judge_worker._calmly

    def unsearched(battle: Battle, request: judge_worker.JudgeRequest, **more: Any) -> judge_worker.Answer:
        return calmly(battle, request, **({"margin": False} if request.full else {}), **more)

    monkeypatch.setattr(judge_worker, "_calmly", unsearched)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "USERPROFILE", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setattr(filing, "own_folder", lambda: home / "My battles")
    monkeypatch.setattr(filing, "games_folder", lambda: home / "games")
    monkeypatch.setattr(autosave, "games_folder", lambda: home / "games")
    monkeypatch.setattr(Path, "home", lambda: home)
