"""The strip under the table of a lesson: the step's goal and text, the feedback to the learner, and the buttons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from tabletop.render.drawing.lettering import wrapped
from tabletop.render.drawing.theme import colour
from tabletop.render.widgets.pages.brush import LINE, Brush, Place, ink
from tabletop.render.widgets.pages.spots import State, button
from tabletop.render.widgets.panel_page import Key

#: Design pixels: the strip's height, its margins, the column of buttons, a button, the gap between buttons.
HIGH, PAD, BUTTONS, BUTTON, GAP = 156.0, 14.0, 236.0, 30.0, 8.0
#: Letter sizes of the goal, of the text, of the line above the goal.
GOAL, LETTERS, SMALL = 18.0, 15.0, 14.0
#: The answer colour of the strip's edge, by the state of the step.
TINTS = {"done": "yes", "failed": "no"}


@dataclass(frozen=True)
class LessonText:
    """The strip's content: the place in the lesson, the goal, the explanation, the latest feedback to the learner.

    ``tone`` is "done", "failed" or ""; ``strong`` is the word of the button to press next, "" for none.
    """

    head: str
    goal: str
    explanation: str
    feedback: str = ""
    tone: str = ""
    keys: Sequence[Key] = ()
    strong: str = ""


class LessonStrip:
    """Draws the strip and handles its buttons."""

    def __init__(self) -> None:
        self.words: dict[str, pygame.Rect] = {}
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._at = (-1, -1)
        self._held = ""

    def draw(self, surface: pygame.Surface, rect: pygame.Rect, content: LessonText, scale: float) -> None:
        """Draw it into a rectangle of the window, in pixels."""
        self.rect = rect
        brush = Brush(surface, scale)
        left, top, wide, high = (length / scale for length in rect)
        brush.paper((left, top, wide, high), "panel", "panel_edge", 0)
        pygame.draw.rect(surface, _tint(content.tone), (rect.left, rect.top, round(6 * scale), rect.height))
        room = wide - BUTTONS - 3 * PAD - 6
        self._texts(brush, (left + 6 + PAD, top + 10, room, high - 20), content)
        self._buttons(brush, (left + wide - BUTTONS - PAD, top + PAD, BUTTONS, high - 2 * PAD), content)

    def _texts(self, brush: Brush, place: Place, content: LessonText) -> None:
        left, top, wide, high = place
        brush.line(content.head, left, top + 7, wide, SMALL, "plain", "quiet")
        y = top + 18
        for row in wrapped(content.goal, GOAL, wide, "bold")[:2]:
            brush.line(row, left, y + 11, wide, GOAL, "bold")
            y += 25
        y += 2
        bottom = top + high
        reply_lines = wrapped(content.feedback, LETTERS, wide) if content.feedback else []
        spare = bottom - y - len(reply_lines) * LETTERS * LINE
        if content.explanation and spare >= LETTERS * LINE:
            rows = len(wrapped(content.explanation, LETTERS, wide))
            tall = min(spare, rows * LETTERS * LINE)
            brush.lines(content.explanation, (left, y, wide, tall), LETTERS, "quiet" if reply_lines else "ink")
            y += tall
        if reply_lines:
            brush.lines(
                content.feedback, (left, y, wide, bottom - y), LETTERS, "ink", "bold" if content.tone else "plain"
            )

    def _buttons(self, brush: Brush, place: Place, content: LessonText) -> None:
        left, top, wide, _ = place
        each = (wide - GAP) / 2
        self.words = {}
        for number, key in enumerate(content.keys):
            row, column = divmod(number, 2)
            spot = (left + column * (each + GAP), top + row * (BUTTON + GAP), each, BUTTON)
            rect = brush.rect(spot)
            self.words[key.word] = rect
            hovered = rect.collidepoint(self._at)
            state = State(hovered=hovered, held=hovered and self._held == key.word)
            button(key.label, key.word == content.strong)(brush, spot, state)

    def handle(self, event: pygame.event.Event) -> str | None:
        """Return the word of the button pressed by an event, "" for another event on the strip, None for any other."""
        if event.type == pygame.MOUSEMOTION:
            self._at = event.pos
            return None
        if event.type not in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP) or event.button != 1:
            return None
        word_under = next((word for word, rect in self.words.items() if rect.collidepoint(event.pos)), "")
        if event.type == pygame.MOUSEBUTTONDOWN:
            self._held = word_under
            return "" if self.rect.collidepoint(event.pos) else None
        held, self._held = self._held, ""
        return word_under if word_under and word_under == held else None


def _tint(tone: str) -> str:
    return colour("answer", TINTS[tone]) if tone in TINTS else ink("edge")
