"""The page about the architecture says what the program does: the map as its imports are, the walks as they run."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pygame

from tabletop.render.table.window import Window
from tests.render.table import small_battle
from tools import house, package_map

PAGE = house.ROOT / "docs/architecture.md"


def called(what: Callable[[], Any]) -> list[str]:
    """Return the functions of the program that something calls on this thread, as ``module:function``, first calls."""
    found: dict[str, None] = {}
    names = {str(path): name for name, path in house.modules().items()}

    def seen(frame: FrameType, event: str, _arg: Any) -> None:
        module = names.get(frame.f_code.co_filename) if event == "call" else None
        if module is not None:
            found.setdefault(f"{module}:{frame.f_code.co_qualname}")

    sys.setprofile(seen)
    try:
        what()
    finally:
        sys.setprofile(None)
    return list(found)


def stops(heading: str) -> list[str]:
    """Return the stops of a walk of the page."""
    part = PAGE.read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\d+\. `([\w.]+:[\w.]+)`", part, re.MULTILINE)


def compare(heading: str, calls: list[str]) -> None:
    """Compare a walk of the page with what was called."""
    walk = stops(heading)
    assert len(walk) > 3
    missing = [stop for stop in walk if stop not in calls]
    assert not missing, f"docs/architecture.md, '{heading}': not called any more (renamed or moved?): {missing}"
    order = sorted(walk, key=calls.index)
    assert walk == order, f"docs/architecture.md, '{heading}': the stops are called in the order {order}"


def test_the_map_is_of_today() -> None:
    """Else: python -m tools.package_map."""
    assert package_map.PICTURE.read_text("utf-8") == package_map.drawing()


def test_a_judged_dispute() -> None:
    """In a process of its own: what an earlier question left behind would shorten the walk."""
    code = "import sys; from tests.test_architecture import *; print(*called(house.judged), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], cwd=house.ROOT, capture_output=True, text=True, check=True)
    compare("A judged dispute", done.stderr.split())


def test_a_unit_dragged() -> None:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((1280, 720))
    pygame.event.clear()
    window = Window.inline(small_battle())
    window.step(0.2)

    def dragged() -> None:
        for kind, point in (("DOWN", (10, 10)), ("MOTION", (10, 11)), ("MOTION", (10, 12.5)), ("MOTION", (10, 13))):
            x, y = window.camera.to_screen(point)
            more = {"rel": (0, 0), "buttons": (1, 0, 0)} if kind == "MOTION" else {"button": 1}
            named = pygame.MOUSEMOTION if kind == "MOTION" else pygame.MOUSEBUTTONDOWN
            pygame.event.post(pygame.event.Event(named, pos=(round(x), round(y)), **more))
            window.step(0.2)

    try:
        compare("A unit dragged in the window", called(dragged))
    finally:
        window.close()
