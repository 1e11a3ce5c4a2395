"""How long a new player waits: for the start screen, a lesson, a drill's position, and the first success.

python -m tools.first_hour              open every lesson and every family of drills, by clicks, with real processes

Times are wall-clock seconds from a click to the first frame that shows what was asked for, on the machine as it is.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest

from tabletop.drills.families import FAMILIES
from tabletop.drills.position import Position
from tabletop.geometry import fast
from tabletop.lessons import library
from tabletop.lessons.reading import name_of
from tabletop.lessons.runner import DONE
from tabletop.render.battle import lesson_window
from tabletop.render.battle.lesson_window import LessonWindow
from tabletop.render.drills.screen import DrillScreen
from tabletop.render.start.screen import starting
from tests.render.start.learner import Learner
from tests.render.start.visitor import Visitor
from tools.places import spots
from tools.tour_states import Guide

#: Seconds between two frames, seconds after which a wait is given up, and seconds a player thinks.
FRAME, PATIENCE, THINKS = 0.01, 60.0, 3.0
#: Positions of each family that are answered.
EACH = 4
STARTS = """
import time; begun = time.perf_counter()
import pygame
from tabletop.render.router import App
from tabletop.render.screens import Look
from tabletop.render.settings.model import Settings
from tabletop.render.start.screen import starting
pygame.display.init(); pygame.font.init(); pygame.display.set_mode((1280, 720))
app = App(starting(), Look(Settings())); app.step(0.02)
print(time.perf_counter() - begun)
"""


def waited(guide: Guide, there: Callable[[], bool]) -> float:
    """Return the seconds until something is on the screen, running frames meanwhile."""
    begun = time.perf_counter()
    while not there() and time.perf_counter() - begun < PATIENCE:
        guide.app.step(FRAME)
        time.sleep(FRAME / 10)
    guide.app.step(FRAME)
    return time.perf_counter() - begun


def rests(guide: Guide, seconds: float) -> None:
    """Run frames for some seconds, as while a player thinks."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        guide.app.step(FRAME)
        time.sleep(FRAME)


def clicked(guide: Guide, word: str) -> None:
    """Click what sends a word, without waiting for the result."""
    at = guide.place(word)
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        pygame.event.post(pygame.event.Event(kind, pos=at.center, button=1))


def lessons(guide: Guide) -> list[float]:
    """Return how long each lesson takes to open; print the slowest."""
    waited(guide, lambda: any(word == "lessons" for word, _ in spots(guide.top)))
    guide.presses("lessons")
    times = []
    for number in range(len(library.paths())):
        clicked(guide, f"lesson:{number}")
        times.append(waited(guide, lambda: isinstance(guide.top, LessonWindow)))
        rests(guide, THINKS)
        guide.strikes(pygame.K_ESCAPE)
        guide.presses("home", "lessons")
        rests(guide, THINKS)  # the lesson's processes end
    slowest = name_of(library.paths()[times.index(max(times))])
    print(f"{len(times)} lessons open in {statistics.median(times):.2f} s (median), {max(times):.2f} s ({slowest})")
    return times


def fresh(screen: DrillScreen, old: Position) -> Callable[[], bool]:
    """Return a function that tests whether another position is shown."""
    return lambda: screen.position not in (None, old)


def drills(guide: Guide) -> None:
    """Print how long the positions of each family take to appear, each answered after some thinking."""
    for name in FAMILIES:
        guide.presses("drills")
        clicked(guide, f"drill:{name}")
        times = [waited(guide, lambda: isinstance(guide.top, DrillScreen) and guide.top.position is not None)]
        for _ in range(EACH - 1):
            screen = guide.top
            assert isinstance(screen, DrillScreen) and screen.position is not None
            rests(guide, THINKS)
            clicked(guide, f"answer:{next(iter(screen.position.choices))}")
            guide.rests(2)
            clicked(guide, "next")
            times.append(waited(guide, fresh(screen, screen.position)))
        print(f"drill {name}: the first position after {times[0]:.2f} s, then {max(times[1:]):.2f} s at most")
        while isinstance(guide.top, DrillScreen):
            guide.strikes(pygame.K_ESCAPE)
        guide.strikes(pygame.K_ESCAPE)


def first_success() -> None:
    """Print the number of clicks and keystrokes until the first step of the first lesson is done."""
    pressed = 0
    real = pygame.event.post

    def post(event: pygame.event.Event) -> bool:
        nonlocal pressed
        pressed += event.type in (pygame.MOUSEBUTTONDOWN, pygame.KEYDOWN)
        return real(event)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lesson_window, "opened", lesson_window.inlined)
        visitor = Visitor(starting())
        visitor.wait(200)
        visitor.press("lessons")
        patch.setattr(pygame.event, "post", post)
        visitor.press("lesson:0")
        learner = Learner(visitor)
        learner.does_step()
        assert learner.window.runner.state == DONE
        print(f"first success after {pressed} clicks and keys from the list of lessons on")
        visitor.app.close()


def main() -> int:
    """Print every wait."""
    started = [float(subprocess.check_output([sys.executable, "-c", STARTS]).split()[-1]) for _ in range(3)]
    print(f"start screen usable after {min(started):.2f} s (warm, of three)")
    with tempfile.TemporaryDirectory() as home:
        for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            os.environ[name] = str(Path(home) / name)
        fast.begin()
        guide = Guide((1280, 720), 1.0)
        lessons(guide)
        guide.strikes(pygame.K_ESCAPE)
        drills(guide)
        guide.app.close()
        first_success()
    return 0


if __name__ == "__main__":
    sys.exit(main())
