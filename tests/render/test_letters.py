"""No text in the window is smaller than 14 pixels at 100 %: the size its font is made for."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from tabletop.render.drawing.primitives import Drawing, Frame, Layer, Text
from tabletop.render.painting import painter
from tools import letters, tour

#: Looked over in every run; the rest, and the other sizes, in the sweep.
FEW = ("settings", "game-odds", "replay", "judge-verdict")


@pytest.fixture(scope="module", autouse=True)
def home() -> Iterator[None]:
    with tour.at_home():
        yield


@pytest.mark.parametrize("name", FEW)
def test_no_letters_are_too_small(name: str) -> None:
    assert letters.small(name, tour.SIZES[0]) == []


@pytest.mark.sweep
@pytest.mark.parametrize("size", tour.SIZES)
@pytest.mark.parametrize("name", tour.STATES)
def test_no_letters_are_too_small_at_any_size(name: str, size: tuple[int, int, float]) -> None:
    assert letters.small(name, size) == []


def test_small_letters_are_noticed_also_when_they_were_drawn_before() -> None:
    """Those of the painter, kept from before or not, and those that the magnified window makes large."""
    pygame.display.set_mode((200, 100))
    surface = pygame.Surface((200, 100))
    drawing = Drawing((Layer("words", (Text((0.0, 0.0), "tiny", 9.0, "#000000"),)),), (-9.0, -9.0, 9.0, 9.0), 1.0)
    painter.paint(surface, drawing, Frame(1.0, 0.0, 0.0), 1.0)
    with letters.watched() as seen:
        painter.paint(surface, drawing, Frame(1.0, 0.0, 0.0), 1.0)
    assert seen.small(1.0) == {9.0: ["tiny"]}
    seen.note(28, "large enough at twice the size")
    seen.note(27, "not")
    assert seen.small(2.0) == {4.5: ["tiny"], 13.5: ["not"]}
