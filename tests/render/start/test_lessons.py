"""A lesson from the start screen to its end by real clicks: mouse and keys alone."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from tabletop.lessons import library
from tabletop.lessons.progress import Progress, usual_path
from tabletop.lessons.runner import DONE, FAILED, GOING
from tabletop.render.battle import lesson_window
from tabletop.render.battle.lesson_commands import GROUP, TABLE
from tabletop.render.battle.lesson_window import LessonWindow
from tabletop.render.start.lessons import Lessons
from tests.render.battle.driver import Player
from tests.render.start.conftest import Visit
from tests.render.start.visitor import Visitor

WOOD = next(number for number, path in enumerate(library.paths()) if "woods-shadow" in path.name)


@pytest.fixture
def visitor(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> Visitor:
    monkeypatch.setattr(lesson_window, "opened", lesson_window.inlined)
    visitor = visit()
    visitor.press("lessons")
    visitor.press(f"lesson:{WOOD}")
    return visitor


def lesson(visitor: Visitor) -> LessonWindow:
    window = visitor.top
    assert isinstance(window, LessonWindow)
    return window


def press(visitor: Visitor, word: str) -> None:
    """Click a button of the strip."""
    visitor.wait(1)
    visitor.click(lesson(visitor).strip.words[word].center)
    visitor.wait(2)


def test_a_lesson_from_the_start_screen_to_its_end(visitor: Visitor) -> None:
    window = lesson(visitor)
    player = Player(window)
    player.pick("guns")
    player.press("kind:maneuver")
    player.drag("guns", (6.6, 9.0))
    if "confirm:" in player.words:
        player.press("confirm:")
    player.wait(5)
    assert window.runner.battle.unit("guns").at[0] > 6 and window.runner.state == GOING
    player.press("kind:advancing-fire")
    player.click(player.pixel(player.at("column")))
    player.wait(2)
    if "confirm:" in player.words:
        player.press("confirm:")
    player.wait(10)
    assert window.runner.state == DONE and window.content().tone == "done"
    press(visitor, "goon:")
    assert window.runner.number == 1 and set(window.strip.words) >= {"yes:", "no:"}
    press(visitor, "no:")
    assert window.content().feedback.startswith("Right.")
    press(visitor, "goon:")
    assert type(visitor.top) is Lessons and Progress().done("the-woods-shadow") == 2
    assert visitor.page.words  # the list is there again


def test_the_menu_writes_the_lesson_as_handouts(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(lesson_window, "own_folder", lambda: tmp_path / "own")
    window = lesson(visitor)
    visitor.key(pygame.K_ESCAPE)
    visitor.wait(2)
    visitor.press("handout")
    assert visitor.top is window
    visitor.wait(3)
    data = (tmp_path / "own" / "lesson the-woods-shadow 1.pdf").read_bytes()
    assert data.startswith(b"%PDF") and data.count(b"/Type /Page\n") == 4
    assert window.content().feedback.startswith("Written: ") and window.runner.state == GOING


def test_damaged_progress_is_said_where_the_lessons_are_listed(visit: Visit) -> None:
    path = usual_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"{")
    visitor = visit()
    visitor.press("lessons")
    page = visitor.top
    assert isinstance(page, Lessons) and "damaged" in page.note and len(page.listed) == len(library.paths())
    assert path.with_name(path.name + ".damaged").read_bytes() == b"{"


def test_hint_solution_undo_retry_and_skip(visitor: Visitor) -> None:
    window = lesson(visitor)
    press(visitor, "hint:")
    assert window.content().feedback.startswith("The shadow is")
    press(visitor, "hint:")
    assert window._proof is not None and window._proof.verdict is not None
    press(visitor, "solution:")
    assert window.runner.state == DONE and window.controller.model.battle.unit("guns").at[0] > 6
    press(visitor, "undo:")
    assert window.runner.state == GOING and window.controller.model.battle.unit("column").status == "ok"
    press(visitor, "retry:")
    assert window.controller.model.battle == window.runner.opening
    press(visitor, "undo:")
    assert "nothing has been done" in window.content().feedback.lower()
    press(visitor, "skip:")
    assert window.runner.number == 1


def test_a_step_whose_turn_is_over_is_begun_anew_by_enter(visitor: Visitor) -> None:
    window = lesson(visitor)
    player = Player(window)
    player.press("end:0")
    player.wait(5)
    assert window.runner.state == FAILED and window.content().strong == "retry:"
    player.key(pygame.K_RETURN)
    assert window.runner.state == GOING and window.controller.model.battle == window.runner.opening


def test_every_button_has_its_command() -> None:
    """Also those of steps that are not shown now; what a battle keeps or waits for has no button here."""
    words = {key.word for key in TABLE.buttons(GROUP)}
    assert words == {"yes:", "no:", "hint:", "undo:", "retry:", "solution:", "skip:", "goon:"}
    assert not {"save:", "redo:", "pace:"} & {key.word for key in TABLE.buttons("bar")}
    assert TABLE.sheet()


def test_a_faulty_lesson_is_listed_and_says_what_is_wrong(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "01-odd.yaml"
    file.write_text("format: tabletop-lesson/1\ntitle: Odd\n", "utf-8")
    monkeypatch.setattr("tabletop.play.saves.library.lessons", lambda: (file,))
    visitor = visit()
    visitor.press("lessons")
    visitor.press("lesson:0")
    assert type(visitor.top) is Lessons and "is missing" in visitor.app.notice


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_step_stands_under_the_whole_table_and_nothing_puts_it_away(
    visit: Visit, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a battle's log would stand beside the table too."""
    monkeypatch.setattr(lesson_window, "opened", lesson_window.inlined)
    visitor = visit(size=size)
    visitor.press("lessons")
    visitor.press(f"lesson:{WOOD}")
    window = lesson(visitor)
    visitor.wait(2)
    layout = window.panel.layout
    assert (layout.strip.top, layout.strip.width) == (layout.table.bottom, layout.table.width)
    assert not layout.log.width
    table = window.controller.model.battle.table
    assert window.camera.scale * table.height <= layout.table.height
    Player(window).key(pygame.K_j)
    assert window.panel.layout == layout
