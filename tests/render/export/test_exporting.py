"""What is shown, written to files: from a replay, a battle being played, a table on which is measured."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs
import pygame
import pytest
from PIL import Image

from tabletop.render import rooms
from tabletop.render.battle.window import GameWindow
from tabletop.render.destinations import Subject
from tabletop.render.drawing.svg import svg
from tabletop.render.export.screen import Exporting, exporting
from tabletop.render.export.written import view
from tabletop.render.film import process as film_process
from tabletop.render.judge import screen as judging
from tabletop.render.painting.painter import picture
from tabletop.render.replay.screen import replaying
from tabletop.render.screens import Back, Go, Look
from tabletop.render.settings.model import Settings
from tabletop.render.table.window import Window
from tests.render.replay.watcher import Watcher, fought


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pictures", "documents"):
        folder = str(tmp_path / name)
        monkeypatch.setattr(platformdirs, f"user_{name}_dir", lambda *_, folder=folder, **__: folder)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "skirmish.jsonl"
    fought(path)
    return path


class Sheet:
    """The sheet, handled by mouse and keys."""

    def __init__(self, page: Exporting) -> None:
        self.page = page
        self.tell()

    def tell(self, *events: pygame.event.Event) -> None:
        self.page.frame(list(events), 0.05)

    def press(self, word: str) -> None:
        at = self.page.words[word].center
        for kind in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            self.tell(pygame.event.Event(kind, pos=at, button=1, rel=(0, 0), buttons=(0, 0, 0)))


@pytest.fixture
def sheet(game: Path) -> Iterator[Sheet]:
    """The sheet of a replay after its third action."""
    watcher = Watcher(replaying(game))
    for _ in range(3):
        watcher.key(pygame.K_RIGHT)
    watcher.key(pygame.K_e, pygame.KMOD_CTRL)
    going = watcher.screen.going
    assert isinstance(going, Go)
    page = rooms.room(going.to)(Look(Settings()))
    assert isinstance(page, Exporting)
    yield Sheet(page)
    page.close()


def files(tmp_path: Path) -> list[str]:
    """Return everything that lies in the folders now."""
    return sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())


def test_every_key_of_a_replays_sheet_writes_its_file_and_says_where(sheet: Sheet, tmp_path: Path) -> None:
    heads = {
        "view.png": b"\x89PNG", "view.svg": b"<?xml", "whole.png": b"\x89PNG", "whole.svg": b"<?xml",
        "report.html": b"<!DOCTYPE",
    }  # fmt: skip
    for word, head in heads.items():
        before = set(files(tmp_path))
        sheet.press(word)
        (new,) = set(files(tmp_path)) - before
        path = tmp_path / new
        assert path.read_bytes().startswith(head)
        assert path.parent.name == "tabletop"
        assert path.name in sheet.page.outcome and sheet.page.note == ""
        assert sheet.page.written == path


def test_nothing_is_written_over(sheet: Sheet, tmp_path: Path) -> None:
    for _ in range(3):
        sheet.press("view.png")
    assert len(files(tmp_path)) == 3


def test_a_picture_of_the_view_is_what_the_window_shows(game: Path, tmp_path: Path) -> None:
    """The same drawings painted by the same painter: only its smoothing differs."""
    watcher = Watcher(replaying(game))
    watcher.key(pygame.K_END)
    watcher.move(watcher.screen.places.bar.center)
    watcher.move(watcher.screen.places.table.center)
    watcher.tell(pygame.MOUSEWHEEL, y=4)
    watcher.move(watcher.screen.places.bar.center)
    pygame.time.wait(300)
    watcher.wait(3)
    place = watcher.screen.places.table
    on_screen = pygame.surfarray.array3d(watcher.screen.surface.subsurface(place)).astype(int)
    shown = watcher.screen.stage.drawings(watcher.screen.head, watcher.screen.camera)
    moment = watcher.screen.head.moment
    in_file = pygame.surfarray.array3d(picture(view(Subject(moment.battle, watcher.screen.camera, shown)))).astype(int)
    assert on_screen.shape == in_file.shape
    assert abs(on_screen - in_file).mean() < 3.0
    assert (abs(on_screen - in_file).max(axis=2) > 90).mean() < 0.02


def test_a_picture_has_the_pixels_of_the_window_and_a_drawing_its_own(game: Path, tmp_path: Path) -> None:
    watcher = Watcher(replaying(game), (1600, 1000), 2.0)
    watcher.key(pygame.K_e, pygame.KMOD_CTRL)
    going = watcher.screen.going
    assert isinstance(going, Go)
    page = rooms.room(going.to)(Look(Settings(), 2.0))
    assert isinstance(page, Exporting)
    sheet = Sheet(page)
    sheet.press("view.png")
    with Image.open(tmp_path / files(tmp_path)[0]) as found:
        assert found.size == watcher.screen.places.table.size
    drawing = view(page.subject)
    wide, high = watcher.screen.places.table.size
    assert drawing.size == (round(wide / 2), round(high / 2))
    assert f'width="{drawing.size[0]}"' in svg(drawing)


def test_a_battle_being_played_and_a_measuring_table_are_exported_too(game: Path, tmp_path: Path) -> None:
    session = fought(None, actions=4)
    pygame.display.set_mode((1280, 720))
    window = GameWindow.inlined(session)
    window.frame([], 0.1)
    sheet = Sheet(_page(exporting(window.subject())))
    sheet.press("view.svg")
    sheet.press("report.html")
    assert [name.split("/")[0] for name in files(tmp_path)] == ["documents", "pictures"]
    window.close()
    table = Window.inline(session.battle)
    table.frame([], 0.1)
    sheet = Sheet(_page(exporting(table.subject())))
    assert "report.html" not in sheet.page.words and "film.gif" not in sheet.page.words
    sheet.press("whole.png")
    assert len(files(tmp_path)) == 3
    table.close()


def test_ctrl_e_opens_the_sheet_at_every_table(tmp_path: Path) -> None:
    session = fought(None, actions=4)
    pygame.display.set_mode((1280, 720))
    judge = judging.inlined()
    for screen, told in ((Window.inline(session.battle), False), (GameWindow.inlined(session), True), (judge, False)):
        press = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_e, mod=pygame.KMOD_CTRL, unicode="", scancode=0)
        screen.frame([], 0.1)
        screen.frame([press], 0.1)
        going = screen.going
        assert isinstance(going, Go)
        sheet = Sheet(_page(rooms.room(going.to)))
        assert ("report.html" in sheet.page.words) is told
        sheet.press("view.svg")
        sheet.press("view.png")
        assert sheet.page.note == ""
        screen.close()
    assert len(files(tmp_path)) == 6


def _page(maker: Callable[[Look], object]) -> Exporting:
    page = maker(Look(Settings()))
    assert isinstance(page, Exporting)
    return page


# --- what goes wrong -------------------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_made_is_one_line(sheet: Sheet, tmp_path: Path) -> None:
    (tmp_path / "pictures").write_text("in the way")
    sheet.press("view.png")
    assert "the folder cannot be made" in sheet.page.note and "\n" not in sheet.page.note
    sheet.press("film.gif")
    assert "the folder cannot be made" in sheet.page.note
    assert files(tmp_path) == ["pictures"]


def test_a_full_disk_is_one_line_and_leaves_nothing(
    sheet: Sheet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for word in ("view.png", "whole.svg", "report.html"):
        sheet.press(word)
        assert "No space left" in sheet.page.note and "\n" not in sheet.page.note
        assert sheet.page.written is None
    assert files(tmp_path) == []


# --- films -----------------------------------------------------------------------------------------------------------


def test_a_film_is_made_in_another_process_and_said(
    sheet: Sheet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(film_process.of_battle, "__defaults__", (320,))
    sheet.press("film.gif")
    assert sheet.page.filming is not None
    assert "film.png" not in sheet.page.words and "stop" in sheet.page.words
    far = 0
    for _ in range(1200):
        if sheet.page.filming is None:
            break
        sheet.tell()
        far = max(far, sheet.page.filming.done if sheet.page.filming else far)
        pygame.time.wait(50)
    assert sheet.page.filming is None and far > 1
    (name,) = files(tmp_path)
    assert name in str(sheet.page.written) and name.endswith(".gif")
    with Image.open(tmp_path / name) as film:
        assert film.size[0] == 320 and film.n_frames > 10


def test_a_film_left_off_leaves_nothing(sheet: Sheet, tmp_path: Path) -> None:
    sheet.press("film.png")
    sheet.press("stop")
    for _ in range(1200):
        if sheet.page.filming is None:
            break
        sheet.tell()
        pygame.time.wait(50)
    assert "left off" in sheet.page.note
    assert files(tmp_path) == []


def test_leaving_the_sheet_leaves_the_film_off(sheet: Sheet, tmp_path: Path) -> None:
    sheet.press("film.webp")
    sheet.press("done")
    assert sheet.page.going == Back()
    sheet.page.close()
    assert files(tmp_path) == []
