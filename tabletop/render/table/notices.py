"""Notices over the table: what the judge is working on, captions of sounds, and the sheet of keys and marks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import pygame

from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.lettering import width, wrapped
from tabletop.render.drawing.primitives import Box, Circle, Drawing, Frame, Layer, Sheet, Text
from tabletop.render.drawing.theme import colour, current_palette
from tabletop.render.painting.painter import paint, within
from tabletop.render.table.foreground import BADGES
from tabletop.render.table.tools import Mark
from tabletop.render.widgets.docking import at_an_edge

MEANINGS = {
    Mark.FIRE: "can be fired at from here",
    Mark.ASSAULT: "can be assaulted from here",
    Mark.BLOCKED: "in arc and near enough, but no shot",
    Mark.SEEN: "seen, out of arc or range",
    Mark.HIDDEN: "not seen",
}
#: Pixels: letters, rows, margins.
LETTERS, ROW, PAD = 15.0, 25.0, 22.0
#: Milliseconds between two dots of the notice that the judge is working.
BEAT = 350
#: Pixels of the corner that shows what is being measured.
CORNER = (220.0, 44.0)


def corner(camera: Camera) -> Box:
    """Return the corner that shows what is being measured, in table units, for plates to avoid."""
    wide, high = (n * camera.density for n in CORNER)
    (west, north), (east, south) = camera.to_table((0, 0)), camera.to_table((wide, high))
    return west, south, east, north


def working(surface: pygame.Surface, words: str, now: int, density: float = 1.0) -> None:
    """Show in the upper left corner what is being measured; moving dots show that the work goes on."""
    if not words:
        return
    text = "Measuring " + words
    wide, high = round(width(text, 14.0)) + 48, 28
    place = pygame.Rect([round(n * density) for n in (10, 10, wide, high)])
    pygame.draw.rect(surface, colour("page", "panel"), place, border_radius=round(6 * density))
    pygame.draw.rect(surface, colour("page", "panel_edge"), place, round(density), border_radius=round(6 * density))
    page = Page(1.0, 0.0, 0.0)
    dots = "." * (1 + now // BEAT % 3)
    ink = colour("page", "ink")
    items = (
        Text(page.at(20, 24), text, 14.0, ink, anchor="start"),
        Text(page.at(wide - 20, 24), dots, 14.0, ink, "bold", "start"),
    )
    drawing = Drawing((Layer("working", items),), page.box(0, 0, wide, high), 1.0)
    paint(surface, drawing, Frame(density, 0.0, 0.0), density)


def draw_sound_caption(
    surface: pygame.Surface, words: str, others: Iterable[pygame.Rect], density: float = 1.0
) -> pygame.Rect:
    """Draw a sound's caption on a plate at the table's edge where it hides least of the others; return its place."""
    size = round((width(words, LETTERS, "bold") + 2 * CAPTION) * density), round(CAPTION_HIGH * density)
    place = at_an_edge(size, surface.get_rect().inflate(-round(20 * density), -round(20 * density)), (), others)
    page, (wide, high) = Page(1.0, 0.0, 0.0), (size[0] / density, size[1] / density)
    pygame.draw.rect(surface, colour("page", "ink"), place)
    text = Text(page.at(wide / 2, high / 2), words, LETTERS, colour("page", "panel"), "bold")
    drawing = Drawing((Layer("caption", (text,)),), page.box(0, 0, wide, high), 1.0)
    paint(within(surface, place), drawing, Frame(density, 0.0, 0.0), density)
    return place


#: Margin beside a caption, and its height.
CAPTION, CAPTION_HIGH = 12, 28
#: Width of a notice, its letters and the height of its lines.
NOTICE, NOTICE_LETTERS, NOTICE_ROW = 560, 15.0, 22


def word(surface: pygame.Surface, words: str, density: float = 1.0) -> None:
    """Show a sentence over the middle of the window, until the next click or key."""
    wide = min(NOTICE, int(surface.get_width() / density) - 20)
    lines = wrapped(words, NOTICE_LETTERS, wide - 2 * PAD)
    high = round(2 * PAD + NOTICE_ROW * (len(lines) + 1.4))
    place = pygame.Rect(0, 0, round(wide * density), round(high * density))
    place.center = surface.get_rect().center
    pygame.draw.rect(surface, colour("page", "panel"), place)
    pygame.draw.rect(surface, colour("page", "ink"), place, round(2 * density))
    page, ink = Page(1.0, 0.0, 0.0), colour("page", "ink")
    rows = [Text(page.at(PAD, PAD + NOTICE_ROW * (n + 0.5)), line, NOTICE_LETTERS, ink, anchor="start")
            for n, line in enumerate(lines)]  # fmt: skip
    cure = Text(page.at(PAD, high - PAD), "Any key goes on.", 14.0, colour("page", "quiet"), anchor="start")
    drawing = Drawing((Layer("notice", (*rows, cure)),), page.box(0, 0, wide, high), 1.0)
    paint(within(surface, place), drawing, Frame(density, 0.0, 0.0), density)


#: Keys and their actions, in the order shown.
Keys = tuple[tuple[str, str], ...]
#: The colour that darkens the window under the sheet of keys.
VEIL = (20, 14, 8, 120)
#: Pixels between two columns of the sheet, and between a key and its action.
BETWEEN, GAP = 34.0, 18.0

#: The last sheet painted.
_help: dict[tuple[float, Keys, bool, str, int], pygame.Surface] = {}


def help_sheet(
    surface: pygame.Surface, view: tuple[int, int], density: float = 1.0, keys: Keys = (), marks: bool = True
) -> None:
    """Draw the sheet of keys (and marks) over the middle of the view, in as many columns as its height requires.

    In a window too small for three columns it is shrunk.
    """
    rows = _rows(keys, marks)
    columns = min(3, max(1, math.ceil(ROW * len(rows) / max(1.0, view[1] / density - 2 * PAD - 20))))
    kept = (density, keys, marks, current_palette(), columns)
    if kept not in _help:
        _help.clear()
        _help[kept] = _painted(density, _columns(rows, columns))
    sheet = _help[kept]
    wide, high = sheet.get_size()
    share = min(1.0, view[0] / (wide + 20), view[1] / (high + 20))
    if share < 1.0:
        sheet = pygame.transform.smoothscale(sheet, (max(1, int(wide * share)), max(1, int(high * share))))
    veil = pygame.Surface(view, pygame.SRCALPHA)
    veil.fill(VEIL)
    surface.blit(veil, (0, 0))
    surface.blit(sheet, sheet.get_rect(center=(view[0] // 2, view[1] // 2)))


@dataclass(frozen=True)
class Row:
    """One row of the sheet: a heading, a key or a mark, and what it means."""

    name: str
    meaning: str = ""
    mark: Mark | None = None

    @property
    def indent(self) -> float:
        """Pixels taken by a mark's badge before its name."""
        return 28.0 if self.mark is not None else 0.0


def _rows(keys: Keys, marks: bool) -> list[Row]:
    rows = [Row("Keys"), *(Row(key, meaning) for key, meaning in keys)]
    return [*rows, Row("Marks on enemies"), *(Row(m, t, m) for m, t in MEANINGS.items())] if marks else rows


def _columns(rows: list[Row], count: int) -> list[list[Row]]:
    """Return rows in columns of about equal length; a heading never ends a column."""
    each = math.ceil(len(rows) / count)
    cuts = [min(each * k, len(rows)) for k in range(count + 1)]
    cuts = [cut - 1 if 0 < cut < len(rows) and not rows[cut - 1].meaning else cut for cut in cuts]
    return [rows[a:b] for a, b in pairwise(cuts) if b > a]


def _painted(density: float, columns: list[list[Row]]) -> pygame.Surface:
    drawing = _drawing(columns)
    sheet = pygame.Surface([round(n * density) for n in drawing.size])
    sheet.fill(colour("page", "panel"))
    paint(sheet, drawing, Frame.of(drawing, density), density)
    pygame.draw.rect(sheet, colour("page", "ink"), sheet.get_rect(), round(2 * density))
    return sheet


def _drawing(columns: list[list[Row]]) -> Drawing:
    page, made, left = Page(1.0, 0.0, 0.0), Sheet("help"), PAD
    for rows in columns:
        names = max(row.indent + width(row.name, LETTERS, "bold") for row in rows if row.meaning)
        for number, row in enumerate(rows):
            _add_row(made, page, row, (left, PAD + ROW * (number + 0.5)), names + GAP)
        left += names + GAP + max(width(row.meaning, LETTERS) for row in rows) + BETWEEN
    high = 2 * PAD + ROW * max(len(rows) for rows in columns)
    return Drawing((made.layer,), page.box(0, 0, left - BETWEEN + PAD, high), 1.0)


def _add_row(made: Sheet, page: Page, row: Row, at: tuple[float, float], tab: float) -> None:
    (x, y), ink = at, colour("page", "ink")
    if not row.meaning:
        made.add(Text(page.at(x, y), row.name, LETTERS + 3, ink, "bold", "start"))
        return
    if row.mark is not None:
        fill, sign = BADGES[row.mark]
        made.add(Circle(page.at(x + 10, y), 10.0, fill=fill, pixels=True))
        made.add(Text(page.at(x + 10, y), sign, 14.0, "#ffffff", "bold"))
    made.add(Text(page.at(x + row.indent, y), row.name, LETTERS, ink, "bold", "start"))
    made.add(Text(page.at(x + tab, y), row.meaning, LETTERS, ink, anchor="start"))
