"""A small card beside the unit under the cursor, while another unit is selected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pygame

from tabletop.play.families import Outlook, headline, outlook
from tabletop.render.battle import unit_card, words
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.prospects import at_target
from tabletop.render.drawing import measures
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.lettering import width, wrapped
from tabletop.render.drawing.primitives import Drawing, Frame, Item, Layer, Pen, Text
from tabletop.render.drawing.theme import colour, side_styles
from tabletop.render.painting.painter import paint
from tabletop.render.widgets.docking import beside, box_of

#: Pixels: letters, rows, margins, distance from the unit.
LETTERS, ROW, PAD, AWAY = 14.0, 19.0, 8.0, 14.0
#: Maximum width of a line of a headline, in pixels.
WIDEST = 260.0

#: Pixels of a bar of odds: its length, its height, its height with the gap below.
BAR, THICK, BAR_ROW = 220.0, 10.0, 15.0
#: Colours of good, neutral and bad results for the acting side, distinct without red and green.
GOOD, NOTHING, BAD = "#2f6db3", "#cfc6b2", "#c2540a"

#: An action's label, its headline, and its outlook.
Bar = tuple[str, str, Outlook]

_kept: dict[tuple[tuple[str, ...], tuple[Bar, ...], str, float], pygame.Surface] = {}


def draw(table: pygame.Surface, model: GameModel, camera: Camera) -> pygame.Rect | None:
    """Draw the card beside the unit under the cursor; return its place, None if there is no card."""
    name = model.table.hovered
    if name is None or name == model.table.selected or model.table.drag is not None or not model.table.battle.has(name):
        return None
    unit = model.table.battle.unit(name)
    lines = tuple(measures.in_chosen_unit(line) for line in unit_card.glimpse(model, unit))
    bars = tuple((words.label(model.table.battle, a.kind), headline(o), outlook(o)) for a, o in at_target(model, name))
    key = (lines, bars, unit.side, camera.density)
    if key not in _kept:
        _kept.clear()
        styles = side_styles(u.side for u in model.table.battle.units)
        _kept[key] = _painted(lines, bars, styles[unit.side].fill, camera.density)
    away, chosen = round(AWAY * camera.density), model.table.unit
    others = [box_of(actor, camera) for actor in (chosen,) if actor is not None]
    place = beside(_kept[key].get_size(), box_of(unit, camera), away, table.get_rect(), others)
    table.blit(_kept[key], place)
    return place


def _painted(lines: tuple[str, ...], bars: tuple[Bar, ...], tint: str, density: float) -> pygame.Surface:
    heads = [wrapped(f"{label}: {result}", LETTERS, WIDEST, "bold") for label, result, _ in bars]
    named = [line for head in heads for line in head]
    widest = [*(width(line, LETTERS, "bold") for line in (*lines, *named)), *([BAR] if bars else [])]
    wide = max(widest) + 2 * PAD + 5
    high = 2 * PAD + ROW * (len(lines) + len(named)) + BAR_ROW * len(bars)
    sheet = pygame.Surface((round(wide * density), round(high * density)))
    sheet.fill(colour("page", "panel"))
    page, ink = Page(1.0, 0.0, 0.0), colour("page", "ink")
    items: tuple[Item, ...] = tuple(
        Text(page.at(PAD + 5, PAD + ROW * (n + 0.5)), line, LETTERS, ink, "plain" if n else "bold", "start")
        for n, line in enumerate(lines)
    )
    top = PAD + ROW * len(lines)
    for head, (_, _, shares) in zip(heads, bars, strict=True):
        items += tuple(_bar(page, head, shares, top))
        top += ROW * len(head) + BAR_ROW
    drawing = Drawing((Layer("card", items),), page.box(0, 0, wide, high), 1.0)
    paint(sheet, drawing, Frame(density, 0.0, 0.0), density)
    pygame.draw.rect(sheet, tint, (0, 0, round(5 * density), sheet.get_height()))
    pygame.draw.rect(sheet, colour("page", "panel_edge"), sheet.get_rect(), max(1, round(density)))
    return sheet


def _bar(page: Page, head: Sequence[str], prospect: Outlook, top: float) -> Iterator[Item]:
    """Yield an action's headline and under it its bar: shares of good, neutral and bad results for the acting side."""
    for number, line in enumerate(head):
        at = page.at(PAD + 5, top + ROW * (number + 0.5))
        yield Text(at, line, LETTERS, colour("page", "ink"), "bold", "start")
    left, down = PAD + 5.0, top + ROW * len(head)
    for share, fill in ((prospect.good, GOOD), (prospect.nothing, NOTHING), (prospect.bad, BAD)):
        right = left + share * BAR
        if share > 0.0:
            yield page.panel(left, down, right, down + THICK, fill)
        left = right
    yield page.panel(PAD + 5, down, PAD + 5 + BAR, down + THICK, None, Pen(colour("page", "ink"), 1.0))
