"""The line to type in."""

from pathlib import Path

import pygame
import pytest

from tabletop.render.widgets.pages import text_entry as lines
from tabletop.render.widgets.pages.browse import Browse
from tabletop.render.widgets.pages.text_entry import Line
from tests.render.start.conftest import Visit

CTRL = pygame.KMOD_CTRL


def test_the_first_letter_replaces_what_was_there_the_next_follows() -> None:
    line = Line("old")
    line.entered()
    line.put("n")
    line.put("ew")
    assert line.text == "new" and line.caret == 3


def test_letters_go_in_at_the_caret() -> None:
    line = Line("ac", 1)
    line.put("b")
    assert line.text == "abc" and line.caret == 2
    line.key(pygame.K_HOME, 0)
    line.put("_")
    line.key(pygame.K_END, 0)
    line.put("!")
    assert line.text == "_abc!"


@pytest.mark.parametrize(
    ("caret", "key", "text"),
    [
        (1, pygame.K_BACKSPACE, "bc"),
        (0, pygame.K_BACKSPACE, "abc"),
        (1, pygame.K_DELETE, "ac"),
        (3, pygame.K_DELETE, "abc"),
    ],
)
def test_letters_are_taken_out(caret: int, key: int, text: str) -> None:
    line = Line("abc", caret)
    assert line.key(key, 0) and line.text == text


def test_what_is_chosen_whole_goes_whole() -> None:
    line = Line("abc", 1)
    assert line.key(pygame.K_a, CTRL) and line.key(pygame.K_BACKSPACE, 0) and line.text == ""


def test_the_clipboard_goes_in_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "_clipboard", lambda: "a\nb\t\0c")
    line = Line("")
    assert line.key(pygame.K_v, CTRL) and line.text == "abc"


def test_it_takes_no_more_than_it_can_hold() -> None:
    line = Line("")
    line.put("x" * 10_000)
    assert len(line.text) == lines.MOST and line.caret == lines.MOST


def test_keys_that_are_not_its_own_are_left_to_the_page() -> None:
    assert not Line("abc").key(pygame.K_RETURN, 0) and not Line("abc").key(pygame.K_TAB, 0)


def test_a_key_held_down_is_repeated_until_it_is_let_go(visit: Visit, tmp_path: Path) -> None:
    visitor = visit(lambda look: Browse(look, tmp_path))
    visitor.press("path")
    visitor.type("abcdefghijkl")
    line = visitor.page.lines["path"]
    visitor.tell(pygame.KEYDOWN, key=pygame.K_BACKSPACE, mod=0, unicode="", scancode=0)
    assert line.text == "abcdefghijk"
    visitor.wait(4)
    held = len(line.text)
    assert held < 10
    visitor.tell(pygame.KEYUP, key=pygame.K_BACKSPACE, mod=0, unicode="", scancode=0)
    visitor.wait(4)
    assert len(line.text) in (held, held - 1)
    visitor.wait(4)
    assert len(line.text) >= held - 1
