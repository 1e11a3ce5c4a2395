"""Folders of the test's own, and screens whose work is done in this process."""

from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs
import pytest

from tabletop.play.session import Session
from tabletop.render.battle import window
from tabletop.render.battle.window import GameWindow
from tabletop.render.screens import Look, Maker
from tabletop.render.start import file_page, home, pictures, quick, setting_up
from tabletop.render.start.background_jobs import InlineJobs
from tabletop.render.start.screen import starting
from tabletop.render.widgets.pages import browse
from tests.render.start.visitor import Visitor

Visit = Callable[..., Visitor]


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("data", "config", "cache", "log", "documents", "pictures"):
        folder = str(tmp_path / name)
        monkeypatch.setattr(platformdirs, f"user_{name}_dir", lambda *_, folder=folder, **__: folder)
    # A picture's name says what is on it: those that another test of this process had painted are as good.
    monkeypatch.setattr(pictures, "cache_folder", lambda: tmp_path.parent / "fields")
    for module in (file_page, home, setting_up, quick):
        monkeypatch.setattr(module, "BackgroundJobs", InlineJobs)
    monkeypatch.setattr(browse, "_last", [])

    def played(session: Session) -> Callable[[Look], GameWindow]:
        return lambda look: GameWindow.inlined(session, look.scale)

    monkeypatch.setattr(window, "playing", played)


@pytest.fixture
def games_folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "games"


@pytest.fixture
def visit() -> Iterator[Visit]:
    """Return what opens a screen, the start screen unless another is named."""
    visitors: list[Visitor] = []

    def opened(first: Maker | None = None, size: tuple[int, int] = (1280, 720), scale: float = 1.0) -> Visitor:
        visitors.append(Visitor(first or starting(), size, scale))
        return visitors[-1]

    yield opened
    for visitor in visitors:
        visitor.close()
