"""Switches between window and full screen with F11, on every screen of the program."""

from __future__ import annotations

import pygame


class FullScreen:
    """Whether the program fills the screen, and the previous size of its window."""

    def __init__(self) -> None:
        self._before: tuple[int, int] | None = None

    @property
    def full(self) -> bool:
        """Whether the program fills the screen."""
        return self._before is not None

    def turn(self) -> pygame.event.Event:
        """Fill the screen, or return to the window; return the resize event for the present screen."""
        surface = pygame.display.get_surface()
        now = surface.get_size() if surface is not None else (1280, 720)
        if self._before is None:
            self._before = now
            made = pygame.display.set_mode(pygame.display.get_desktop_sizes()[0], pygame.FULLSCREEN)
        else:
            made, self._before = pygame.display.set_mode(self._before, pygame.RESIZABLE), None
        wide, high = made.get_size()
        return pygame.event.Event(pygame.VIDEORESIZE, size=(wide, high), w=wide, h=high)
