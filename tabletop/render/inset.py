"""The side view of the sight line looked at, small, in the lower left corner of the table."""

from __future__ import annotations

import pygame

from tabletop.battle.battle import Battle
from tabletop.geometry.verdict import Verdict
from tabletop.render.desk import Desk
from tabletop.render.drawing import Frame
from tabletop.render.painter import paint
from tabletop.render.side_view import side_view
from tabletop.render.theme import colour

#: Pixels of the inset, its distance from the table's corner, and the smallest table it is shown on.
WIDTH, HEIGHT, AWAY = 520, 210, 12
LEAST = (600, 420)

_kept: list[tuple[Verdict, tuple[int, int], pygame.Surface]] = []


def looked_at(desk: Desk) -> Verdict | None:
    """Return the verdict whose sight line is looked at: the line laid, or the enemy's under the cursor."""
    verdict = desk.verdict("stretch") if desk.stretch is not None else desk.why
    return verdict if verdict is not None and verdict.side_view is not None else None


def draw(table: pygame.Surface, desk: Desk) -> pygame.Rect | None:
    """Draw the side view; return where, None when there is none or no room for it."""
    verdict = looked_at(desk)
    if verdict is None or table.get_width() < LEAST[0] or table.get_height() < LEAST[1]:
        return None
    size = min(WIDTH, table.get_width() - 2 * AWAY), HEIGHT
    place = pygame.Rect(AWAY, table.get_height() - AWAY - size[1], *size)
    table.blit(_picture(verdict, desk.battle, size), place)
    return place


def _picture(verdict: Verdict, battle: Battle, size: tuple[int, int]) -> pygame.Surface:
    """Return the side view painted, kept until another is asked for."""
    if not _kept or _kept[0][0] is not verdict or _kept[0][1] != size:
        sheet = pygame.Surface(size)
        sheet.fill(colour("page", "panel"))
        drawing = side_view(verdict, *size, battle=battle)
        if drawing is not None:
            paint(sheet, drawing, Frame.of(drawing))
        pygame.draw.rect(sheet, colour("page", "panel_edge"), sheet.get_rect(), 1)
        _kept[:] = [(verdict, size, sheet)]
    return _kept[0][2]
