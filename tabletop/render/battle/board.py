"""The widgets of a battle being played: list, text and questions beside the table, the bar above it, the log.

Like the measuring panel, it reports presses as words: ``kind:fire``, ``offer:2``, ``answer:first``, ``log:17``.
Widgets are laid out again only when their content changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, takewhile
from typing import Any

import pygame
from pygame_gui.core import UIElement
from pygame_gui.elements import UIButton, UILabel, UIPanel, UITextBox

from tabletop.render.battle.choices import Row
from tabletop.render.drawing.lettering import shortened, width, wrapped
from tabletop.render.table.commands import BATTLE, TABLES
from tabletop.render.table.layout import Parts
from tabletop.render.table.panel import GAP, LEAST_SECTION, LEAST_WORDS, PAD, Key, Panel, moved
from tabletop.render.widgets.styles import FONT, SMALL, let_go, set_pressed, widen_bar

#: Pixels at scale 1: a row, the gap under it, the card, the status line, the main button.
ROW, AIR, CARD, STATUS, MAIN = 24, 2, 136, 66, 34
#: Line spacing of the log as a multiple of its letter size; margins beside and above its lines, at scale 1.
LOG_LINE, LOG_BESIDE, LOG_ABOVE = 1.72, 20, 10
#: Share of a line's width that text is sure to fit in: on screen each letter is rounded to whole pixels.
SURE = 0.92
#: Width of a row's button when a note stands beside it, and its maximum; minimum height of the long text.
LABEL, WIDEST_LABEL, LEAST_TEXT = 150, 190, 60
#: Minimum height of a row, used where there is little room.
LEAST_ROW = 19
#: Rows of a list that the lowest panel shows, and most rows of a page.
LEAST_ROWS, MOST_ROWS = 4, 20
#: Minimum width of text, however small the window.
LEAST_WIDE = 220
#: Window height from which the card gets more room, and its height then; maximum shares of the panel's height for card,
#: status line and main button.
TALL, CARD_TALL, MOST_CARD, MOST_STATUS, MOST_MAIN = 900, 190, 0.3, 0.16, 0.08


@dataclass(frozen=True)
class Asked:
    """A question laid over the panel: its text (html) and the keys that answer it."""

    text: str
    keys: tuple[Key, ...]


@dataclass(frozen=True)
class PanelContent:
    """Everything the board shows in a frame; texts are html."""

    card: str
    text: str
    status: str
    log: str
    rows: tuple[Row, ...]
    bar: tuple[Key, ...]
    asked: Asked | None
    pressed: frozenset[str] = field(default_factory=frozenset)
    main: Key | None = None
    main_open: bool = False


class Board(Panel):
    """The measuring panel extended with the parts of a game."""

    def __init__(
        self,
        window: tuple[int, int],
        scale: float = 1.0,
        overlays: Iterable[str] | None = None,
        tools: tuple[Key, ...] | None = None,
        table: tuple[float, float] = (4.0, 3.0),
    ) -> None:
        self._rows: tuple[Row, ...] = ()
        self._page, self._pages = 0, 1
        self._row_parts: list[UIElement] = []
        self._bar: tuple[Key, ...] = ()
        self._bar_parts: list[UIButton] = []
        self._asked: Asked | None = None
        self._asked_parts: list[UIElement] = []
        self._main: UIButton | None = None
        self._counts: UILabel | None = None
        self.asked_rect: pygame.Rect | None = None
        self.bar_left = 0
        super().__init__(window, scale, overlays, tools, table)

    # --- places ------------------------------------------------------------------------------------------------------

    @property
    def _usual_parts(self) -> Parts:
        return Parts(bar=True, log=True)

    @property
    def part_keys(self) -> tuple[Key, ...]:
        """The buttons that hide parts of the window."""
        return TABLES[BATTLE].buttons("legend")

    @property
    def bar_rect(self) -> pygame.Rect:
        """The strip over the table."""
        return self.layout.bar

    @property
    def log_rect(self) -> pygame.Rect:
        """The rectangle of the log; empty when the log is hidden."""
        return self.layout.log

    def log_fits(self, lines: Iterable[str]) -> int:
        """Return how many of these lines, from the first on, the log shows without scrolling."""
        if "log" not in self._boxes:
            return 0
        size, place = SMALL * self.scale, self._boxes["log"].rect
        room = SURE * (place.width - LOG_BESIDE * self.scale)
        rows = accumulate(len(wrapped(line, size, room)) or 1 for line in lines)
        most = (place.height - LOG_ABOVE * self.scale) / (LOG_LINE * size)
        return sum(1 for row in takewhile(lambda row: row <= most, rows))

    # --- showing -----------------------------------------------------------------------------------------------------

    def show_content(self, content: PanelContent, written: bool = True) -> None:
        """Show whatever has changed; with ``written`` False, texts wait for the next frame."""
        if content.rows != self._rows and self.layout.panel.width:
            self._lay_rows(content.rows)
        if content.bar != self._bar:
            self._lay_bar(content.bar)
        if content.asked != self._asked and self.layout.panel.width:
            self._lay_asked(content.asked)
        self._show_main(content.main, content.main_open)
        if written:
            self._write({"card": content.card, "proof": content.text, "status": content.status, "log": content.log})
        for button, word in self._buttons.items():
            if button.is_enabled and (word in content.pressed) != button.is_selected:
                set_pressed(button, word in content.pressed)

    def _write(self, texts: dict[str, str]) -> None:
        """Write texts as the panel does; a log with new text is scrolled to its newest line."""
        before = self._texts.get("log")
        super()._write(texts)
        bar: Any = self._boxes["log"].scroll_bar if self._texts.get("log") != before else None
        if bar is not None and bar.scrollable_height > 0:  # in a very low log the slider has no room to move
            bar.set_scroll_from_start_percentage(1.0)

    def _show_main(self, key: Key | None, enabled: bool) -> None:
        """Label the main button with what it does now; disabled, it names what the player has to do first."""
        button: Any = self._main
        if button is None or key is None:
            return
        label = shortened(key.label, SMALL * self.scale, button.rect.width - 10 * self.scale)
        if button.text != label:
            button.set_text(label)
            button.set_tooltip(key.hint)
        if button.is_enabled != enabled:
            (button.enable if enabled else button.disable)()

    # --- building ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        for name in ("_rows", "_bar"):
            setattr(self, name, ())
        self._asked, self.asked_rect, self._main, self._counts = None, None, None, None
        self._row_parts, self._bar_parts, self._asked_parts = [], [], []
        self._emptied()
        self._lay_switches()
        if self.layout.log.height:
            log = self.layout.log.copy()
            log.width = max(log.width, round(LEAST_WIDE * self.scale))
            self._boxes["log"] = UITextBox("", log, self._manager, object_id="#log")
            widen_bar(self._boxes["log"], self.scale)
        if self.layout.panel.width:
            self._lay_panel(self.layout.panel)

    def _lay_panel(self, place: pygame.Rect) -> None:
        """Lay out card, list, text and status line; in a low panel, card and status line are lower."""
        self._frame = UIPanel(place, 1, self._manager)
        pad, gap = (round(n * self.scale) for n in (PAD, 6))
        inner, high = self._inner, place.height
        card = CARD_TALL if self._window[1] / self.scale >= TALL else CARD
        card = min(round(card * self.scale), round(MOST_CARD * high))
        status = min(round(STATUS * self.scale), round(MOST_STATUS * high))
        self._boxes["card"] = self._box(pygame.Rect(pad, pad, inner, card))
        self._boxes["status"] = self._box(pygame.Rect(pad, high - status - pad, inner, status))
        main = min(round(MAIN * self.scale), round(MOST_MAIN * high))
        place = pygame.Rect(pad, high - status - pad - gap - main, inner, main)
        self._main = UIButton(place, "", self._manager, self._frame, object_id="#strong")
        self._buttons[self._main] = "main:"
        top = pad + card + gap
        least, room = round(LEAST_TEXT * self.scale), place.top - gap - top
        self._middle = self._proof_room = pygame.Rect(pad, top, inner, max(least, room))
        self._boxes["proof"] = self._box(self._middle)

    def _lay_rows(self, rows: tuple[Row, ...]) -> None:
        self._gone(self._row_parts)
        if [row.word for row in rows[:1]] != [row.word for row in self._rows[:1]] or len(rows) != len(self._rows):
            self._page = 0
        self._rows = rows
        room, top = max(0, self._middle.height - round(LEAST_TEXT * self.scale)), self._middle.top
        least, most = (round((high + AIR) * self.scale) for high in (LEAST_ROW, ROW))
        step = min(most, max(least, room // max(1, min(len(rows), MOST_ROWS))))
        shown, self._pages = paged(rows, min(MOST_ROWS, max(LEAST_ROWS, room // step)), self._page)
        own = self._own(shown)
        for row in shown:
            self._lay_row(row, top, step - AIR, own)
            top += step
        top += round(4 * self.scale) if rows else 0
        self._proof_room = pygame.Rect(self._middle.left, top, self._middle.width, max(1, self._middle.bottom - top))
        if self._section is None:
            moved(self._boxes["proof"], self._proof_room)
        else:
            self._lay_section()

    # --- the side view -----------------------------------------------------------------------------------------------

    def section(self, wanted: bool) -> pygame.Rect | None:
        """Make room as the measuring panel does; the side view hides a long list while it is shown."""
        return super().section(wanted and self._asked is None)

    def _lay_section(self) -> None:
        super()._lay_section()
        _shown(self._row_parts, self._section is None or self._section_room == self._proof_room)

    def _take_section(self) -> None:
        if self._section is not None:
            _shown(self._row_parts, True)
        super()._take_section()

    @property
    def _section_room(self) -> pygame.Rect:
        """The room for the side view: under a short list (a proposal, "Back"), else that of list and text together."""
        least = (LEAST_SECTION + LEAST_WORDS + GAP) * self.scale
        return self._proof_room if self._proof_room.height > least else self._middle

    # --- rows --------------------------------------------------------------------------------------------------------

    def turn_rows(self) -> None:
        """Show the next page of the list, if it has several."""
        if self._pages > 1:
            self._page += 1
            self._lay_rows(self._rows)

    def _own(self, rows: Iterable[Row]) -> int:
        """Return the width of the keys that have a note beside them: that of the longest name, within bounds."""
        wanted = (width(row.written, SMALL) + 14 for row in rows if row.word and row.note)
        return round(min(WIDEST_LABEL, max((LABEL, *wanted))) * self.scale)

    def _lay_row(self, row: Row, top: int, high: int, own: int) -> None:
        left, wide = self._middle.left, self._middle.width
        letters = SMALL * self.scale
        if not row.word:
            label = shortened(row.label, FONT * self.scale, wide - 4, "bold")
            place = pygame.Rect(left, top, wide, high)
            self._row_parts.append(UILabel(place, label, self._manager, self._frame, object_id="#heading"))
            return
        own = own if row.note else wide
        name = shortened(row.written, letters, own - 10 * self.scale)
        place = pygame.Rect(left, top, own, high)
        hint = row.label if name != row.written else None
        style = "#strong" if row.strong else "#faint" if row.faint else "#plain"
        button = UIButton(place, name, self._manager, self._frame, tool_tip_text=hint, object_id=style)
        self._buttons[button] = row.word
        self._row_parts.append(button)
        if not row.open:
            shut: Any = button.disable  # pygame_gui leaves some methods untyped
            shut()
        if row.note:
            self._lay_note(row, pygame.Rect(left + own + 6, top, wide - own - 6, high))

    def _lay_note(self, row: Row, place: pygame.Rect) -> None:
        letters, room = SMALL * self.scale, place.width - 6
        rule = f"  {row.rule}" if row.rule else ""
        note = shortened(row.note, letters, room - width(rule, letters)) + rule
        if row.rule:
            button = UIButton(
                place, note, self._manager, self._frame, tool_tip_text=f"{row.note}: what {row.rule} says",
                object_id="#rule",
            )  # fmt: skip
            self._buttons[button] = f"rule:{row.rule}"
            self._row_parts.append(button)
            return
        style = "#note" if row.open else "#closed"
        self._row_parts.append(UILabel(place, note, self._manager, self._frame, object_id=style))

    def explain_counts(self, text: str) -> None:
        """Set the tooltip over the counts left of the bar's keys; empty text removes it."""
        place = pygame.Rect(self.bar_rect.topleft, (max(1, self.bar_left), self.bar_rect.height))
        label: Any = self._counts
        if label is None:
            label = self._counts = UILabel(place, "", self._manager, object_id="#note")
        if label.tool_tip_text != (text or None):
            label.set_tooltip(text or None)
        if label.rect.size != place.size:
            label.set_dimensions(place.size)

    def _lay_bar(self, keys: tuple[Key, ...]) -> None:
        self._gone(self._bar_parts)
        self._bar = keys
        place, right = self.bar_rect, self.bar_rect.right - round(6 * self.scale)
        high = round(30 * self.scale)
        for key in reversed(keys):
            wide = round(width(key.label, SMALL * self.scale) + 18 * self.scale)
            right -= wide
            rect = pygame.Rect(right, place.top + (place.height - high) // 2, wide, high)
            button = UIButton(rect, key.label, self._manager, tool_tip_text=key.hint)
            self._buttons[button] = key.word
            self._bar_parts.append(button)
            right -= round(4 * self.scale)
        self.bar_left = right

    def _lay_asked(self, asked: Asked | None) -> None:
        """Lay a question over the panel, as high as its text needs; it covers none of the table."""
        self._gone(self._asked_parts)
        self._asked, self.asked_rect = asked, None
        if asked is None:
            return
        panel, pad, row = self.layout.panel, round(PAD * self.scale), round(32 * self.scale)
        wide = max(panel.width - pad, round(LEAST_WIDE * self.scale))
        lines = _key_lines(asked.keys, wide - 2 * pad, self.scale)
        text = UITextBox(asked.text, pygame.Rect(0, 0, wide - 2 * pad, -1), self._manager, visible=0)
        room = panel.height - 3 * pad - len(lines) * (row + 6)
        text_height = max(1, min(text.rect.height, room))
        let_go(self._manager, (text,))
        high = text_height + 2 * pad + len(lines) * (row + 6)
        top = min(self._middle.top, panel.height - pad // 2 - high)
        self.asked_rect = pygame.Rect(panel.left + pad // 2, panel.top + max(pad // 2, top), wide, high)
        frame = UIPanel(self.asked_rect, 6, self._manager, object_id="#asked")
        place = pygame.Rect(pad, pad, wide - 2 * pad, text_height)
        box = UITextBox(asked.text, place, self._manager, container=frame, object_id="#text")
        self._asked_parts = [frame, box]
        for number, keys in enumerate(lines):
            self._lay_keys(keys, frame, pad, pad + text_height + 6 + number * (row + 6), wide - 2 * pad, row)

    def _gone(self, parts: list[Any]) -> None:
        for part in parts:
            self._buttons.pop(part, None)
        let_go(self._manager, parts)
        parts.clear()

    def _lay_keys(self, keys: Sequence[Key], frame: UIPanel, left: int, top: int, wide: int, high: int) -> None:
        each = (wide - 6 * (len(keys) - 1)) // len(keys)
        for number, key in enumerate(keys):
            rect = pygame.Rect(left + number * (each + 6), top, each, high)
            button = UIButton(rect, key.label, self._manager, frame, tool_tip_text=key.hint, object_id="#strong")
            self._buttons[button] = key.word
            self._asked_parts.append(button)


def _shown(parts: Iterable[Any], there: bool) -> None:
    """Show widgets, or hide them."""
    for part in parts:
        part.show() if there else part.hide()


def _key_lines(keys: Sequence[Key], wide: int, scale: float) -> list[tuple[Key, ...]]:
    """Return the keys in rows wide enough for every label."""
    longest = max(width(key.label, SMALL * scale) + 24 * scale for key in keys)
    each = max(1, min(len(keys), int(wide // longest)))
    return [tuple(keys[k : k + each]) for k in range(0, len(keys), each)]


def paged(rows: tuple[Row, ...], most: int, page: int) -> tuple[tuple[Row, ...], int]:
    """Return one page of a list and its number of pages: all rows on one page where ``most`` rows have room for them.

    The heading is repeated on every page, and so are the rows that stay if there is room for three others; a key to the
    next page comes before these.
    """
    if len(rows) <= most:
        return rows, 1
    head, foot = rows[:1] if not rows[0].word else (), tuple(row for row in rows if row.stays)
    foot = foot if len(head) + len(foot) + 4 <= most else ()
    rest, each = [row for row in rows[len(head) :] if row not in foot], max(1, most - len(head) - len(foot) - 1)
    pages = -(-len(rest) // each)
    page %= pages
    more = Row("more:", f"More  ({page + 1} of {pages})  U")
    return (*head, *rest[page * each : (page + 1) * each], more, *foot), pages
