"""A line to type in, with a caret and access to the clipboard."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from tabletop.render.drawing.lettering import width
from tabletop.render.widgets.pages.brush import Brush, Place
from tabletop.render.widgets.pages.spots import State

#: Letter size of the line, its margin, and its maximum length.
SIZE, PAD, MOST = 15, 10, 400
#: The modifier keys of commands, here and on a Mac.
COMMAND = pygame.KMOD_CTRL | pygame.KMOD_META


@dataclass
class Line:
    """The typed text; ``fresh`` if the next letter replaces all of it (as after a click on the line)."""

    text: str
    caret: int = 0
    fresh: bool = False

    def entered(self) -> None:
        """Give it the focus."""
        self.fresh, self.caret = True, len(self.text)

    def left(self) -> None:
        """Take the focus away."""
        self.fresh = False

    def put(self, letters: str) -> None:
        """Insert letters at the caret."""
        letters = "".join(letter for letter in letters if letter.isprintable())
        if not letters:
            return
        if self.fresh:
            self.text, self.caret, self.fresh = "", 0, False
        self.text = (self.text[: self.caret] + letters + self.text[self.caret :])[:MOST]
        self.caret = min(len(self.text), self.caret + len(letters))

    def key(self, key: int, mod: int) -> bool:
        """Handle a key; return False if it is not for this line."""
        if mod & COMMAND:
            return self._command(key)
        moves = {
            pygame.K_LEFT: self.caret - 1, pygame.K_RIGHT: self.caret + 1, pygame.K_HOME: 0,
            pygame.K_END: len(self.text),
        }  # fmt: skip
        if key in moves:
            self.caret, self.fresh = min(len(self.text), max(0, moves[key])), False
        elif key == pygame.K_BACKSPACE:
            self._cut(self.caret - 1, self.caret)
        elif key == pygame.K_DELETE:
            self._cut(self.caret, self.caret + 1)
        else:
            return False
        return True

    def _command(self, key: int) -> bool:
        if key == pygame.K_v:
            self.put(_clipboard())
        elif key == pygame.K_a:
            self.entered()
        else:
            return False
        return True

    def _cut(self, start: int, end: int) -> None:
        if self.fresh:
            self.text, self.caret, self.fresh = "", 0, False
        elif start >= 0:
            self.text, self.caret = self.text[:start] + self.text[end:], start

    def draw(self, brush: Brush, place: Place, state: State) -> None:
        """Draw it; a text longer than its place is shown around the caret."""
        left, top, wide, high = place
        brush.paper(place, "panel", "strong" if state.focused else "edge", 4, 2 if state.focused else 1)
        room, start = wide - 2 * PAD, 0
        while start < self.caret and width(self.text[start : self.caret], SIZE) > room - 4:
            start += 1
        end = len(self.text)
        while end > self.caret and width(self.text[start:end], SIZE) > room:
            end -= 1
        shown = self.text[start:end]
        if state.focused and self.fresh and shown:
            brush.paper((left + PAD - 2, top + 6, width(shown, SIZE) + 4, high - 12), "chosen", radius=2)
        brush.line(shown, left + PAD, top + high / 2, room + 1, SIZE)
        if state.focused and not self.fresh:
            x = left + PAD + width(self.text[start : self.caret], SIZE)
            brush.paper((x, top + 8, 1.5, high - 16), "ink", radius=0)


def _clipboard() -> str:
    try:
        return pygame.scrap.get_text()
    except (pygame.error, AttributeError):
        return ""
