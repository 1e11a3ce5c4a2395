"""Opens the program's window and runs it until it is closed."""

from __future__ import annotations

import os

import pygame

from tabletop.errors import Broken
from tabletop.geometry import fast
from tabletop.render.housekeeping import Housekeeping
from tabletop.render.router import App
from tabletop.render.screens import Look, Maker
from tabletop.render.settings import model

FRAMES = 60
#: Minimum width of a desktop, in pixels, on which all lettering is drawn twice as large.
FINE = 3000


def has_display() -> bool:
    """Return whether a window can be shown on this machine."""
    if os.environ.get("SDL_VIDEODRIVER") in ("dummy", "offscreen"):
        return False
    try:
        pygame.display.init()
    except pygame.error:
        return False
    shown = pygame.display.get_driver() not in ("dummy", "offscreen")
    pygame.display.quit()
    return shown


def open_screen(title: str) -> float:
    """Open the screen and return its magnification (2 on a high-resolution one); Broken if there is none."""
    os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
    try:
        pygame.display.init()
        pygame.font.init()
        desktop = pygame.display.get_desktop_sizes()[0]
        scale = 2.0 if desktop[0] >= FINE else 1.0
        size = (min(round(1600 * scale), desktop[0] * 9 // 10), min(round(1000 * scale), desktop[1] * 85 // 100))
        pygame.display.set_mode(size, pygame.RESIZABLE)
    except (pygame.error, IndexError) as error:
        raise Broken(f"no window can be opened here ({error}); pictures can: tabletop render SCENE") from None
    pygame.display.set_caption(f"tabletop - {title}" if title else "tabletop")
    return scale


def run(*makers: Maker, title: str) -> int:
    """Open the window with a stack of screens, the last maker's on top, and run until it is closed.

    Return the exit status.
    """
    density = open_screen(title)
    fast.begin(load=False)  # the worker processes that judge and think start faster with it
    chosen, wrong = model.read()
    app = App(makers[0], Look(chosen, density))
    app.notice = wrong
    clock, keeping = pygame.time.Clock(), Housekeeping()
    try:
        for make in makers[1:]:
            app.stack.append(make(app.look))
        while app.step(clock.tick(FRAMES) / 1000):
            keeping.frame(tuple(map(id, app.stack)), app.still, app.took)
    finally:
        app.close()
        pygame.quit()
    return 0
