"""The side view of the sight line asked about, in a strip of its own below the table."""

from __future__ import annotations

import pygame

from tabletop.geometry.verdict import Verdict
from tabletop.render.drawing.theme import colour
from tabletop.render.judge.controller import JudgeController, Mode
from tabletop.render.table import inset

#: The strip's share of the window's height, and its minimum and maximum height (design pixels).
SHARE, LOWEST, HIGHEST = 0.27, 170.0, 300.0
#: Maximum width of a side view as a multiple of its height: drawn wider, a short line looks flat.
WIDEST = 4.5
#: Margin around the side view in design pixels.
AWAY = 8.0


def height(controller: JudgeController, view: tuple[int, int], density: float, now: int) -> int:
    """Return the height of the strip in pixels for a view of this size; 0 if there is nothing to show.

    While an answer is pending the strip keeps its height ``now``, so that the table does not jump.
    """
    if controller.mode is not Mode.ASK or min(view[0] / inset.LEAST[0], view[1] / inset.LEAST[1]) < density:
        return 0
    if controller.verdict is None and controller.asking.complete:
        return now
    return round(max(LOWEST * density, min(HIGHEST * density, SHARE * view[1]))) if _telling(controller.verdict) else 0


def draw(strip: pygame.Surface, controller: JudgeController, density: float) -> None:
    """Draw the strip: the side view of the answer, nothing while one is pending."""
    strip.fill(colour("page", "panel"))
    edge = max(1, round(2 * density))
    pygame.draw.line(strip, colour("page", "panel_edge"), (0, 0), (strip.get_width(), 0), edge)
    verdict = controller.verdict
    if verdict is None or not _telling(verdict):
        return
    inner = strip.get_rect().inflate(-2 * round(AWAY * density), -2 * round(AWAY * density))
    place = pygame.Rect(0, 0, min(inner.width, round(WIDEST * inner.height)), inner.height)
    place.center = inner.center
    strip.blit(inset.picture(verdict, controller.battle, place.size, density, framed=False), place)


def _telling(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.side_view is not None and inset.telling(verdict.side_view)
