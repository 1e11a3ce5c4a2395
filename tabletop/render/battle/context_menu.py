"""The menu opened by a right click on a unit: what may be done now, and why the rest may not."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import pygame

from tabletop.battle.naming import without_name
from tabletop.battle.unit import Unit
from tabletop.play.families import headline, outlook
from tabletop.render.battle import choices as rows
from tabletop.render.battle import words
from tabletop.render.battle.choices import Row
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.offers import against, verdict_on
from tabletop.render.battle.prospects import odds_of
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.lettering import shortened, width, wrapped
from tabletop.render.drawing.primitives import Drawing, Frame, Item, Layer, Pen, Text
from tabletop.render.drawing.theme import colour
from tabletop.render.painting.painter import paint, within
from tabletop.render.widgets.docking import beside

#: Pixels: letters, row height, height of each further line of a note, margins, maximum widths of the column of labels
#: and of the notes.
LETTERS, HIGH, LINE, PAD, LABELS, NOTES = 14.0, 24.0, 18.0, 8.0, 150.0, 300.0
#: Maximum share of the table's width, so that the menu has room beside its unit; its minimum width.
SHARE, LEAST = 0.48, 280.0
#: Pixels between the menu and its unit.
AWAY = 8.0


@dataclass
class ContextMenu:
    """The menu: its rows and its position in pixels of the table's surface; without rows it is closed."""

    rows: tuple[Row, ...] = ()
    at: tuple[int, int] = (0, 0)
    scale: float = 1.0
    room: tuple[int, int] = (0, 0)

    def open(self, menu_rows: Sequence[Row], boxes: Sequence[pygame.Rect], room: tuple[int, int], scale: float) -> None:
        """Open it beside the first of the boxes, inside ``room``, covering as little of the others as possible."""
        self.rows, self.room, self.scale = tuple(menu_rows), room, scale
        place = beside(self.place.size, boxes[0], round(AWAY * scale), pygame.Rect((0, 0), room), boxes[1:])
        self.at = place.topleft

    def shut(self) -> None:
        self.rows = ()

    @property
    def wide(self) -> float:
        """Its width in design pixels."""
        notes = max((width(_note(row), LETTERS) for row in self.rows), default=0.0)
        heads = max((width(row.label, LETTERS, "bold") for row in self.rows if not row.note), default=0.0)
        wanted = max(self._labels + min(NOTES, notes) + 3 * PAD, min(LABELS + NOTES, heads) + 2 * PAD)
        return min(wanted, max(LEAST, SHARE * self.room[0] / self.scale)) if self.room[0] else wanted

    @property
    def _labels(self) -> float:
        """The width of the column of labels."""
        return min(LABELS, max((width(row.label, LETTERS, "bold") for row in self.rows if row.note), default=0.0))

    def _lines(self, row: Row) -> list[str]:
        """Return the lines of a row's note; one empty line if it has none."""
        return wrapped(_note(row), LETTERS, self.wide - self._labels - 3 * PAD) or [""]

    @property
    def _tops(self) -> list[float]:
        """The top of each row and the bottom of the last, in design pixels."""
        highs = (HIGH + LINE * (len(self._lines(row)) - 1) for row in self.rows)
        return list(accumulate(highs, initial=PAD))

    @property
    def place(self) -> pygame.Rect:
        """Its rectangle, kept inside the surface."""
        wide, high = (round(n * self.scale) for n in (self.wide, self._tops[-1] + PAD))
        left = max(0, min(self.at[0], self.room[0] - wide))
        top = max(0, min(self.at[1], self.room[1] - high))
        return pygame.Rect(left, top, wide, high)

    def row_at(self, pixel: tuple[int, int]) -> Row | None:
        """Return the row under a pixel if it can be pressed."""
        if not self.rows or not self.place.collidepoint(pixel):
            return None
        number = bisect_right(self._tops, (pixel[1] - self.place.top) / self.scale) - 1
        row = self.rows[number] if 0 <= number < len(self.rows) else None
        return row if row is not None and row.word and row.open else None

    def draw(self, surface: pygame.Surface, cursor: tuple[int, int]) -> None:
        """Draw it; the row under the cursor is tinted."""
        if not self.rows:
            return
        page, high = Page(1.0, 0.0, 0.0), self._tops[-1] + PAD
        items = tuple(self._items(page, self.row_at(cursor), high))
        drawing = Drawing((Layer("menu", items),), page.box(0, 0, self.wide, high), 1.0)
        paint(within(surface, self.place), drawing, Frame(self.scale, 0.0, 0.0), self.scale)

    def _items(self, page: Page, under: Row | None, high: float) -> Iterator[Item]:
        ink, quiet, edge = (colour("page", name) for name in ("ink", "quiet", "panel_edge"))
        yield page.panel(0.5, 0.5, self.wide - 0.5, high - 0.5, colour("page", "panel"), Pen(ink, 1.0))
        for row, (top, bottom) in zip(self.rows, pairwise(self._tops), strict=True):
            middle = top + HIGH / 2
            if row is under:
                yield page.panel(2, top, self.wide - 2, bottom, edge)
            bold = not row.word or row.strong
            whole = self._labels if row.note else self.wide - 2 * PAD
            label = shortened(row.label, LETTERS, whole, "bold" if bold else "plain")
            ink_of = ink if row.open and not row.faint else quiet
            yield Text(page.at(PAD, middle), label, LETTERS, ink_of, "bold" if bold else "plain", "start")
            for number, line in enumerate(self._lines(row) if row.note else ()):
                yield Text(
                    page.at(self._labels + 2 * PAD, middle + LINE * number), line, LETTERS, quiet, anchor="start"
                )


def _note(row: Row) -> str:
    return f"{row.note}  {row.rule}" if row.rule else row.note


def about(model: GameModel, unit: Unit) -> tuple[Row, ...]:
    """Return what may be done with an own unit, or by the selected unit to an enemy; nothing where no unit may act."""
    if model.table.battle.pending or not model.facts.human_turn:
        return ()
    if model.may_act(unit):
        return tuple(rows.menu(model, unit))
    mine = model.table.unit
    if mine is None or not model.may_act(mine):
        return ()
    choices = [_against(model, mine, unit, kind) for kind in model.aimed]
    return (Row("", f"{mine.called} against {unit.called}"), *choices) if choices else ()


def _against(model: GameModel, mine: Unit, enemy: Unit, kind: str) -> Row:
    verdict, label = verdict_on(model, kind, enemy.id), words.label(model.table.battle, kind)
    if verdict is None or verdict.holds:
        odds = None if verdict is None else odds_of(model, against(model, mine, kind, enemy.id))
        if odds is not None:
            return Row(f"aim:{kind}/{enemy.id}", label, headline(odds), faint=outlook(odds).wasted)
        return Row(f"aim:{kind}/{enemy.id}", label, "" if verdict is None else "allowed")
    reason = next(reason for reason in verdict.because if not reason.holds)
    return Row(f"aim:{kind}/{enemy.id}", label, without_name(reason.text, mine), open=False, rule=reason.rule)
