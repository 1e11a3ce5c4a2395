"""Nobody's own folders are looked into or written in by a test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.play.saves import autosave
from tabletop.render.judge import filing


@pytest.fixture(autouse=True)
def elsewhere(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "USERPROFILE", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setattr(filing, "own_folder", lambda: home / "My battles")
    monkeypatch.setattr(filing, "games_folder", lambda: home / "games")
    monkeypatch.setattr(autosave, "games_folder", lambda: home / "games")
    monkeypatch.setattr(Path, "home", lambda: home)
