"""How small the letters of the window are: every text drawn in every state of the tour, with the size it asked for.

python -m tools.letters                 every state at 1280x720, 1920x1080 and 3840x2160 (all twice as large)
python -m tools.letters 1280x720        at one size

A text's size is the height its font is made for, in pixels of the window, over what the screen magnifies: 14 means 14
pixels at 100 %. Capitals are some 0.73 of that, and small letters some 0.55. Fonts are made in two places, by the
painter and by the widgets; both are watched while a state is led to and drawn.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pygame
import pytest
from pygame_gui.core.gui_font_pygame import GUIFontPygame

from tabletop.render.painting import painter
from tabletop.render.widgets.pages import brush
from tools import tour

#: The least size.
LEAST = 14.0
#: States that show a sheet of paper smaller than it is printed: the letters on it are none of the window's.
PAPER = ("judge-card",)


class Letters:
    """The texts drawn, by the size asked for in pixels of the window."""

    def __init__(self) -> None:
        self.seen: dict[float, dict[str, None]] = {}

    def note(self, size: float, text: str) -> None:
        """Take down a text that is drawn."""
        if text.strip():
            self.seen.setdefault(size, {})[text] = None

    def small(self, density: float) -> dict[float, list[str]]:
        """Return the texts smaller than they may be, by their size at 100 %."""
        found = {size / density: list(texts) for size, texts in self.seen.items()}
        return {size: texts for size, texts in sorted(found.items()) if size < LEAST}


class _Noted:
    """A font that takes down what it draws."""

    def __init__(self, font: pygame.font.Font, size: float, letters: Letters) -> None:
        self._font, self._size, self._letters = font, size, letters

    def render(self, text: str, *how: Any) -> pygame.Surface:
        self._letters.note(self._size, text)
        return self._font.render(text, *how)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._font, name)


@contextmanager
def watched() -> Iterator[Letters]:
    """Take down every text drawn from now on; what was drawn before and kept is drawn again."""
    letters, made = Letters(), painter.font
    with pytest.MonkeyPatch.context() as patch:

        def noted(face: Any, size: int) -> Any:
            return _Noted(made(face, size), size, letters)

        def widget(method: str) -> None:
            usual = getattr(GUIFontPygame, method)

            def drawn(font: GUIFontPygame, text: str, *rest: Any, **more: Any) -> Any:
                letters.note(font.point_size, text)
                return usual(font, text, *rest, **more)

            patch.setattr(GUIFontPygame, method, drawn)

        _forget()
        for module in (painter, brush):
            patch.setattr(module, "font", noted)
        for method in ("render_premul", "render_premul_to"):
            widget(method)
        yield letters
    _forget()


def _forget() -> None:
    painter._lettered.cache_clear()
    brush._lettered.cache_clear()


def letters_of(name: str, size: tuple[int, int, float]) -> Letters:
    """Return every text drawn on the way to a state and in it."""
    with watched() as letters:
        tour.shown(name, size).app.close()
    return letters


def small(name: str, size: tuple[int, int, float]) -> list[str]:
    """Return what is written too small in a state, a line for each size of letters."""
    found = {} if name in PAPER else letters_of(name, size).small(size[2])
    return [f"{name} at {size[0]}x{size[1]}: {px:g} px: {', '.join(texts[:6])}" for px, texts in found.items()]


def main(arguments: list[str]) -> int:
    """Look over everything."""
    sizes = [size for size in tour.SIZES if not arguments or f"{size[0]}x{size[1]}" in arguments]
    wrong = 0
    with tour.at_home():
        for name in tour.STATES:
            for size in sizes:
                for line in small(name, size):
                    wrong += 1
                    print(line, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
