"""The unit under the cursor in a few words beside it, while another is selected."""

from __future__ import annotations

import pygame

from tabletop.render.battle import unit_card
from tabletop.render.battle.game_model import GameModel
from tabletop.render.drawing import measures
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.lettering import width
from tabletop.render.drawing.primitives import Drawing, Frame, Layer, Text
from tabletop.render.drawing.theme import colour, side_styles
from tabletop.render.painting.painter import paint
from tabletop.render.widgets.docking import beside, box_of

#: Pixels: letters, rows, margins, and how far from the unit.
LETTERS, ROW, PAD, AWAY = 14.0, 19.0, 8.0, 14.0

_kept: dict[tuple[tuple[str, ...], str, float], pygame.Surface] = {}


def draw(table: pygame.Surface, model: GameModel, camera: Camera) -> pygame.Rect | None:
    """Draw the card beside the unit under the cursor; return where, None where there is none to draw."""
    name = model.table.hovered
    if name is None or name == model.table.selected or model.table.drag is not None or not model.table.battle.has(name):
        return None
    unit = model.table.battle.unit(name)
    lines = tuple(measures.said(line) for line in unit_card.glimpse(model, unit))
    key = (lines, unit.side, camera.density)
    if key not in _kept:
        _kept.clear()
        styles = side_styles(u.side for u in model.table.battle.units)
        _kept[key] = _painted(lines, styles[unit.side].fill, camera.density)
    away, chosen = round(AWAY * camera.density), model.table.unit
    others = [box_of(other, camera) for other in (chosen,) if other is not None]
    place = beside(_kept[key].get_size(), box_of(unit, camera), away, table.get_rect(), others)
    table.blit(_kept[key], place)
    return place


def _painted(lines: tuple[str, ...], tint: str, density: float) -> pygame.Surface:
    wide = max(width(line, LETTERS, "bold") for line in lines) + 2 * PAD + 5
    high = 2 * PAD + ROW * len(lines)
    sheet = pygame.Surface((round(wide * density), round(high * density)))
    sheet.fill(colour("page", "panel"))
    page, ink = Page(1.0, 0.0, 0.0), colour("page", "ink")
    items = tuple(
        Text(page.at(PAD + 5, PAD + ROW * (n + 0.5)), line, LETTERS, ink, "plain" if n else "bold", "start")
        for n, line in enumerate(lines)
    )
    drawing = Drawing((Layer("card", items),), page.box(0, 0, wide, high), 1.0)
    paint(sheet, drawing, Frame(density, 0.0, 0.0), density)
    pygame.draw.rect(sheet, tint, (0, 0, round(5 * density), sheet.get_height()))
    pygame.draw.rect(sheet, colour("page", "panel_edge"), sheet.get_rect(), max(1, round(density)))
    return sheet
