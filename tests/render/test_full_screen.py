"""F11 fills the screen and goes back, on every screen; what is on show fits itself."""

from __future__ import annotations

import pygame

from tests.render.somebody import Somebody


def test_f11_fills_the_screen_and_goes_back_to_the_window(somebody: Somebody) -> None:
    somebody.rest()
    before = pygame.display.get_surface()
    assert before is not None
    size = before.get_size()
    key = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F11, mod=0, unicode="", scancode=0)
    for wanted in (pygame.display.get_desktop_sizes()[0], size):
        somebody.app.step(0.05, [key])
        surface = pygame.display.get_surface()
        assert surface is not None and surface.get_size() == wanted
        assert not somebody.app.notice
        somebody.rest(2)
