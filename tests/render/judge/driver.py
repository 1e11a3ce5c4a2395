"""An umpire at the judge's table: moves the mouse, presses buttons and keys, types. Nothing but events."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pygame
import pygame_gui

from tabletop.geometry.measure import Point
from tabletop.play.files.draft import Draft
from tabletop.render.judge.controller import JudgeController
from tabletop.render.judge.screen import JudgingScreen, inlined

SIZE = (1280, 720)


class Umpire:
    """Somebody at the judge's table."""

    def __init__(self, screen: JudgingScreen) -> None:
        self.screen = screen

    @property
    def controller(self) -> JudgeController:
        return self.screen.controller

    def tell(self, kind: int, **what: Any) -> None:
        """Let one event happen, and one frame."""
        pygame.event.post(pygame.event.Event(kind, what))
        self.screen.step(0.02)

    def wait(self, frames: int = 3) -> None:
        for _ in range(frames):
            self.screen.step(0.05)

    # --- the mouse ---

    def move(self, pixel: tuple[int, int]) -> None:
        pygame.mouse.set_pos(pixel)
        self.tell(pygame.MOUSEMOTION, pos=pixel, rel=(0, 0), buttons=(0, 0, 0))

    def down(self, pixel: tuple[int, int], button: int = 1) -> None:
        self.tell(pygame.MOUSEBUTTONDOWN, pos=pixel, button=button)

    def up(self, pixel: tuple[int, int], button: int = 1) -> None:
        self.tell(pygame.MOUSEBUTTONUP, pos=pixel, button=button)

    def click_pixel(self, pixel: tuple[int, int], button: int = 1) -> None:
        """Come to a pixel, press and let go between two frames, and wait for what the panel tells of it."""
        self.move(pixel)
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pixel, button=button))
        self.up(pixel, button)
        self.wait(1)

    def click(self, point: Point, button: int = 1) -> None:
        """Click a point of the table."""
        self.click_pixel(self.screen.at(point), button)

    def hold(self, start: Point, end: Point) -> None:
        """Press at one point of the table and move to another, without letting go."""
        a, b = self.screen.at(start), self.screen.at(end)
        self.move(a)
        self.down(a)
        self.move(((a[0] + b[0]) // 2, (a[1] + b[1]) // 2))
        self.move(b)

    def drag(self, start: Point, end: Point) -> None:
        """Drag from one point of the table to another."""
        self.hold(start, end)
        self.up(self.screen.at(end))
        self.wait(1)

    # --- keys ---

    def key(self, key: int, mod: int = 0) -> None:
        pygame.key.set_mods(mod)
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0))
        self.tell(pygame.KEYUP, key=key, mod=mod, unicode="", scancode=0)
        pygame.key.set_mods(0)

    def keeping(self, mod: int) -> None:
        """Keep Shift, Ctrl or Alt pressed from now on; 0 lets go."""
        pygame.key.set_mods(mod)

    # --- the panel ---

    def _seen(self, word: str) -> pygame.Rect:
        """Scroll until what sends a word is seen, and return where."""
        self.wait(1)
        self.screen.form.turn_to(word)
        return self.screen.form.words[word]

    def press(self, word: str) -> None:
        """Click the button that sends ``word``."""
        self.click_pixel(self._seen(word).center)

    def choose(self, word: str, label: str) -> None:
        """Open a list and choose the row with this label."""
        self.click_pixel(self._seen(word).center)
        self.wait(1)
        # What is open of a list is the widgets' own affair.
        made: Any = self.screen.form._widgets._made[word]
        rows = made.menu_states["expanded"].options_selection_list.item_list
        row = next(row for row in rows if row["text"] == label)
        self.click_pixel(row["button_element"].get_abs_rect().center)
        self.wait(2)

    def write(self, word: str, text: str) -> None:
        """Click an entry, take out what stands there, and type."""
        self.click_pixel(self._seen(word).center)
        keys = ((pygame.K_a, pygame.KMOD_LCTRL), (pygame.K_BACKSPACE, 0))
        for key, mod in keys:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0))
        for letter in text:
            pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=letter))
        self.wait(2)

    def link(self, word: str, value: str) -> None:
        """Follow a link of a text, as the widgets tell of it."""
        made = self.screen.form._widgets._made[word]
        self.tell(pygame_gui.UI_TEXT_BOX_LINK_CLICKED, ui_element=made, link_target=value)
        self.wait()

    def drop(self, path: Path) -> None:
        self.tell(pygame.DROPFILE, file=str(path))
        self.wait()


@contextmanager
def in_the_workshop(size: tuple[int, int] = SIZE, scale: float = 1.0) -> Iterator[Umpire]:
    """Open the workshop, and close it in the end."""
    with at_the_table(None, size, scale) as umpire:
        umpire.screen.build()
        umpire.wait(1)
        yield umpire


@contextmanager
def at_the_table(draft: Draft | None = None, size: tuple[int, int] = SIZE, scale: float = 1.0) -> Iterator[Umpire]:
    """Open the judge's table, and close it in the end."""
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(size, pygame.RESIZABLE)
    pygame.key.set_mods(0)
    pygame.event.clear()
    screen = inlined(draft, scale)
    screen.step(0.2)
    try:
        yield Umpire(screen)
    finally:
        screen.close()
