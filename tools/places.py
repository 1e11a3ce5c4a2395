"""What can be pressed on a screen of the window, and where, whatever the screen is made of."""

from __future__ import annotations

from typing import Any

import pygame


def spots(screen: Any) -> list[tuple[str, pygame.Rect]]:
    """Return each word that can be sent now, and where in the window (pixels) to press for it."""
    words: dict[str, pygame.Rect] | None = getattr(screen, "words", None)
    for name in ("form", "widgets"):
        holder = getattr(screen, name, None)
        words = holder.words if words is None and holder is not None else words
    if words is not None:
        return list(words.items())
    made = getattr(getattr(screen, "panel", None), "_buttons", {})
    strip = getattr(getattr(screen, "strip", None), "words", {})
    return [
        *((word, button.get_abs_rect()) for button, word in made.items() if button.is_enabled and button.visible),
        *strip.items(),
    ]


def sent(screen: Any) -> list[tuple[str, pygame.Rect]]:
    """Return the same, plus what the main button of a battle currently sends (``confirm:``), if no other button
    does."""
    buttons = spots(screen)
    known = {word for word, _ in buttons}
    main = [(screen.next_step.word, rect) for word, rect in buttons if word == "main:"]
    return [*buttons, *(spot for spot in main if spot[0] not in known)]
