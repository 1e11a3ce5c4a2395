"""In every main state of every screen nothing that can be pressed lies outside the window, or over another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from tools import tour

#: Led to in every run; the rest, and the other sizes, in the sweep.
FEW = (
    "start",
    "first-start",
    "new-battle",
    "settings",
    "calculator",
    "game-question",
    "game-over",
    "replay",
    "judge-verdict",
)


@pytest.fixture(scope="module", autouse=True)
def home() -> Iterator[None]:
    with tour.at_home():
        yield


def looked_over(name: str, size: tuple[int, int, float]) -> None:
    guide = tour.shown(name, size)
    try:
        assert not guide.app.notice
        assert not tour.faults(guide.top)
    finally:
        guide.app.close()


@pytest.mark.parametrize("name", FEW)
def test_nothing_lies_over_another(name: str) -> None:
    looked_over(name, tour.SIZES[0])


@pytest.mark.sweep
@pytest.mark.parametrize("size", tour.SIZES)
@pytest.mark.parametrize("name", tour.STATES)
def test_nothing_lies_over_another_at_any_size(name: str, size: tuple[int, int, float]) -> None:
    looked_over(name, size)


def test_what_lies_outside_or_over_another_is_told() -> None:
    class Crowded:
        words = {  # noqa: RUF012  (two of a kind)
            "one": pygame.Rect(10, 10, 50, 20),
            "two": pygame.Rect(40, 15, 50, 20),
            "far": pygame.Rect(-5, 200, 50, 20),
        }

    pygame.display.set_mode((640, 480))
    told = tour.faults(Crowded())  # type: ignore[arg-type]
    assert len(told) == 2 and "far lies outside" in told[0] and "one and two" in told[1]


def test_pictures_of_the_documentation_are_there_and_small() -> None:
    pictures = [tour.PICTURES / f"tour-{name}.png" for name in tour.SHOWN]
    page = (Path(tour.ROOT) / "docs" / "the-window.md").read_text("utf-8")
    assert all(path.is_file() and f"pictures/{path.name}" in page for path in pictures)
    assert sum(path.stat().st_size for path in pictures) < 4_000_000
