"""A battle opens over several frames, a bare table first; then it is the picture made at once, to the pixel."""

from __future__ import annotations

import pygame
import pytest

from tabletop.render.battle.window import GameWindow
from tabletop.render.drawing.theme import colour
from tabletop.render.table import canvas
from tests.render.battle.driver import SIZE, STARTER, session
from tests.render.somebody import Somebody


def opened(gently: bool) -> GameWindow:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(SIZE)
    window = GameWindow.inlined(session(STARTER, ("human", "human"), 3))
    window.canvas.gently = gently
    return window


def pixels(window: GameWindow) -> bytes:
    return bytes(pygame.image.tobytes(window.surface.subsurface(window.panel.table_rect), "RGB"))


def test_the_first_picture_comes_over_several_frames_and_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "OPENING", 0.0)  # one piece of work a frame
    window = opened(gently=True)
    window.step(0.1)
    place = window.panel.table_rect
    assert window.surface.get_at((place.centerx, place.top + 40)) == pygame.Color(colour("ground", "field"))
    frames = 1
    while window.canvas.gently:
        window.step(0.0)
        frames += 1
        assert frames < 1000
    assert frames > 20
    window.step(0.3)
    at_once = opened(gently=False)
    for _ in range(frames):
        at_once.step(0.0)
    at_once.step(0.3)
    assert pixels(window) == pixels(at_once)
    window.close()
    at_once.close()


def test_a_window_resized_while_it_opens_shows_the_table_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "OPENING", 0.0)
    window = opened(gently=True)
    for _ in range(5):
        window.step(0.1)
    pygame.display.set_mode((1000, 700), pygame.RESIZABLE)
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=(1000, 700), w=1000, h=700))
    for _ in range(400):
        window.step(0.0)
    assert not window.canvas.gently
    place = window.panel.table_rect
    assert window.surface.get_at(place.center) != pygame.Color(colour("ground", "field"))
    window.close()


def test_a_battle_gone_on_with_opens_so(somebody: Somebody) -> None:
    somebody.rest()
    somebody.does("continue")
    somebody.rest(60)
    assert not somebody.game.canvas.gently
