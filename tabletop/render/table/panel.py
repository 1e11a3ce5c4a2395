"""The panel beside the table with the judge's answers in words, and the bar of tools and overlays at the bottom.

The widgets are pygame_gui's, used only here and in the files that share its helpers. The panel reports presses as words
(``tool:tape``, ``action:march``, ``overlay:arc``) and shows the texts it is given.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pygame
import pygame_gui
from pygame_gui.elements import UIButton, UILabel, UIPanel, UITextBox

from tabletop.render.drawing import measures
from tabletop.render.drawing.lettering import shortened, width
from tabletop.render.table.commands import TABLE, TABLES
from tabletop.render.table.layout import Layout, Parts, laid_out
from tabletop.render.widgets.links import linked
from tabletop.render.widgets.panel_page import Key, PanelPage
from tabletop.render.widgets.styles import FONT, SMALL, let_go, manager, set_pressed, shut, widen_bar, wipe, write
from tabletop.render.widgets.walking import Walk

__all__ = ["Key", "Panel"]

#: Heights and distances in pixels at UI scale 1.
ROW, GAP, PAD = 30, 6, 12
#: Minimum pixels around a label on its button, both sides together.
AIR = 8
#: Heights of the card and of the status line.
CARD, STATUS = 134, 84
#: A page over the panel: its minimum height, and the margin around it.
LEAST_PAGE, PAGE_AWAY = 90, 6
#: Minimum width of a page: a smaller window shows only part of it, since a narrower box could not hold a long word.
NARROWEST_PAGE = 220
#: Margins of a switch around its label, and gaps between two switches and between groups.
SWITCH, BETWEEN, GROUPS = 14, 3, 12
#: The side view in the panel: its height, its minimum height, and the minimum height left for the words under it.
SECTION, LEAST_SECTION, LEAST_WORDS = 210, 130, 60
#: Minimum seconds between two texts of a box: setting text takes longer than a frame can spare.
TEXT_REST = 0.12


class Panel:
    """The parts docked around a table: the panel at the right edge, the bar of switches at the bottom."""

    def __init__(
        self,
        window: tuple[int, int],
        scale: float = 1.0,
        overlays: Iterable[str] | None = None,
        tools: tuple[Key, ...] | None = None,
        table: tuple[float, float] = (4.0, 3.0),
    ) -> None:
        """Lay a panel out; ``overlays`` are those the rules can answer, None means all."""
        self.scale = scale
        shown = None if overlays is None else {f"overlay:{name}" for name in overlays}
        overlays_ = TABLES[TABLE].buttons("overlays")
        self.overlays = tuple(key for key in overlays_ if shown is None or key.word in shown)
        self.tools = TABLES[TABLE].buttons("tools") if tools is None else tools
        self._manager: pygame_gui.UIManager = manager(window, scale)
        self.walk = Walk(self._manager)
        self._buttons: dict[UIButton, str] = {}
        self._boxes: dict[str, UITextBox] = {}
        self._texts: dict[str, str] = {}
        self._set_at: dict[str, float] = {}
        self._clock = 0.0
        self._actions: tuple[str, ...] = ()
        self._action_rows = 1
        self._window, self._table = window, table
        self.parts = self._usual_parts
        self._panel_page: PanelPage | None = None
        self._page_parts: list[Any] = []
        self.page_rect: pygame.Rect | None = None
        self._section: pygame.Rect | None = None
        self.layout = self._laid_out()
        self._build()

    @property
    def _usual_parts(self) -> Parts:
        """The parts docked before the player hides any."""
        return Parts()

    @property
    def part_keys(self) -> tuple[Key, ...]:
        """The buttons that hide parts of the window."""
        return TABLES[TABLE].buttons("legend")

    def resized(self, window: tuple[int, int]) -> None:
        """Lay the panel out for a window of another size."""
        self._window = window
        self._manager.set_window_resolution(window)
        self._laid_anew()

    def arrange(self, panel: bool = True, log: bool = False, legend: bool = False) -> bool:
        """Dock these parts and no others; return whether anything changed."""
        wanted = replace(self.parts, panel=panel, log=log and self._usual_parts.log, legend=legend)
        if wanted == self.parts:
            return False
        self.parts = wanted
        self._laid_anew()
        return True

    def _laid_anew(self) -> None:
        self.layout = self._laid_out()
        panel_page = self._panel_page
        wipe(self._manager)
        self._build()
        self.lay_page(panel_page)

    def _laid_out(self) -> Layout:
        rows = replace(self.parts, rows=len(self._switch_rows()))
        return laid_out(self._window, self.scale, self._table, rows)

    def close(self) -> None:
        """Destroy the widgets."""
        shut(self._manager)

    def handle(self, event: pygame.event.Event) -> str | None:
        """Return the word of the button pressed by ``event``, ``taken`` if the panel used the event up, else None."""
        used = self.walk.handle(event) or self._manager.process_events(event)
        if self.walk.word:
            return self.walk.word
        if event.type == pygame_gui.UI_BUTTON_PRESSED:
            return self._buttons.get(event.ui_element)
        if event.type == pygame_gui.UI_TEXT_BOX_LINK_CLICKED:
            return str(event.link_target)
        return "taken" if used else None

    def covers(self, pixel: tuple[int, int]) -> bool:
        """Return whether a pixel lies outside the table."""
        return not self.table_rect.collidepoint(pixel)

    @property
    def table_rect(self) -> pygame.Rect:
        """The rectangle left for the table."""
        return self.layout.table

    def show(self, card: str, proof: str, status: str, actions: Iterable[Key], pressed: set[str]) -> None:
        """Show the unit's card, the proof and the status line (html), and which buttons are pressed."""
        actions = tuple(actions)
        if tuple(a.word for a in actions) != self._actions and self.layout.panel.width:
            self._lay_actions(actions)
        self._write({"card": card, "proof": proof, "status": status})
        for button, word in self._buttons.items():
            if (word in pressed) != button.is_selected:
                set_pressed(button, word in pressed)

    def _write(self, texts: dict[str, str]) -> None:
        """Write the due box that has waited longest; at most one a frame, and each only a few times a second."""
        laid = ((name, text) for name, text in texts.items() if name in self._boxes)
        due = [n for n, text in laid if self._texts.get(n) != text and self._rested(n)]
        if due:
            name = min(due, key=lambda n: self._set_at.get(n, -1.0))
            self._texts[name], self._set_at[name] = texts[name], self._clock
            write(self._boxes[name], linked(measures.in_chosen_unit(texts[name])))

    def _rested(self, name: str) -> bool:
        return self._clock - self._set_at.get(name, -1.0) >= TEXT_REST

    def update(self, seconds: float) -> None:
        """Advance the widgets' time."""
        self._clock += seconds
        self._manager.update(seconds)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the panel over the table."""
        self._manager.draw_ui(surface)
        self.walk.draw(surface, self.scale)

    def _page_high(self, wanted: int, away: int) -> int:
        """Return the height of a page: as wanted, extended to the end of any text it would cut through."""
        room = self.layout.panel
        bottom, most = room.top + away + wanted, room.bottom - away
        texts = [box.rect for box in self._boxes.values() if room.contains(box.rect)]
        ends = (text.bottom for text in texts if text.top < bottom)
        return int(min(most, max((bottom, *ends)))) - room.top - away

    def lay_page(self, panel_page: PanelPage | None) -> None:
        """Lay a page over the panel, as high as its text and keys; None removes it."""
        if panel_page == self._panel_page:
            return
        self._remove_page()
        self._panel_page = panel_page
        if panel_page is None or not self.layout.panel.width:
            return
        room, pad, row, away = (self.layout.panel, *(round(n * self.scale) for n in (PAD, ROW, PAGE_AWAY)))
        wide = max(round(NARROWEST_PAGE * self.scale), room.width - 2 * away)
        html, inner = linked(measures.in_chosen_unit(panel_page.html)), wide - 2 * pad
        text = UITextBox(html, pygame.Rect(0, 0, inner, -1), self._manager, visible=0)
        lines = self._rows_of(panel_page.keys, inner)
        rest = row + pad // 2 + len(lines) * (row + pad // 2) + 2 * pad
        high = self._page_high(max(round(LEAST_PAGE * self.scale), text.rect.height + rest), away)
        let_go(self._manager, (text,))
        self.page_rect = pygame.Rect(room.left + away, room.top + away, wide, high)
        frame = UIPanel(self.page_rect, 8, self._manager, object_id="#asked")
        title = pygame.Rect(pad, pad, inner - row - pad, row)
        close = pygame.Rect(wide - pad - row, pad, row, row)
        place = pygame.Rect(pad, pad + row + pad // 2, inner, max(1, high - rest))
        shut = UIButton(close, "×", self._manager, frame, tool_tip_text="Put it away (Esc)")
        box = UITextBox(html, place, self._manager, container=frame, object_id="#text")
        heading = shortened(panel_page.title, FONT * self.scale, title.width - 4, "bold")
        self._page_parts = [frame, UILabel(title, heading, self._manager, frame, object_id="#heading"), shut, box]
        self._buttons[shut] = "close-page:"
        for number, keys in enumerate(lines):
            top = place.bottom + pad // 2 + number * (row + pad // 2)
            self._page_parts += self._keys(keys, frame, pad, top, inner)

    def _remove_page(self) -> None:
        for part in self._page_parts:
            self._buttons.pop(part, None)
        let_go(self._manager, self._page_parts)
        self._page_parts, self._panel_page, self.page_rect = [], None, None

    # --- building ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._emptied()
        self._lay_switches()
        if not self.layout.panel.width:
            return
        place = self.layout.panel
        self._frame = UIPanel(place, 1, self._manager)
        s = self.scale
        pad, row, gap = round(PAD * s), round(ROW * s), round(GAP * s)
        inner, top = self._inner, pad
        card = round(CARD * s)
        self._boxes["card"] = self._box(pygame.Rect(pad, top, inner, card))
        self._actions_top = top + card + gap
        top = self._actions_top + self._action_rows * (row + gap)
        status = round(STATUS * s)
        high = max(row, place.height - top - status - 2 * pad)
        self._proof_room = pygame.Rect(pad, top, inner, high)
        self._boxes["proof"] = self._box(self._proof_room)
        self._boxes["status"] = self._box(pygame.Rect(pad, place.height - status - pad, inner, status))

    def _emptied(self) -> None:
        """Forget the old widgets."""
        self._buttons.clear()
        self._boxes.clear()
        self._texts.clear()
        self._set_at.clear()
        self._actions, self._action_buttons = (), list[UIButton]()
        self._page_parts, self._panel_page, self.page_rect = [], None, None
        self._section = None

    # --- the side view -----------------------------------------------------------------------------------------------

    def section(self, wanted: bool) -> pygame.Rect | None:
        """Make room for a side view over the proof, or remove it; return its rectangle in the window, or None."""
        if not wanted or self._panel_page is not None or "proof" not in self._boxes:
            self._take_section()
        elif self._section is None:
            self._lay_section()
        return self._section

    def _lay_section(self) -> None:
        room, gap = self._section_room, round(GAP * self.scale)
        high = min(round(SECTION * self.scale), room.height - gap - round(LEAST_WORDS * self.scale))
        if high < LEAST_SECTION * self.scale:
            return
        moved(self._boxes["proof"], pygame.Rect(room.left, room.top + high + gap, room.width, room.height - high - gap))
        self._section = pygame.Rect(room.left, room.top, room.width, high).move(self.layout.panel.topleft)

    def _take_section(self) -> None:
        if self._section is not None:
            self._section = None
            moved(self._boxes["proof"], self._proof_room)

    @property
    def _section_room(self) -> pygame.Rect:
        """The part of the panel that the side view and the words of the proof share."""
        return self._proof_room

    @property
    def _inner(self) -> int:
        """The panel's width in pixels between its margins."""
        return self.layout.panel.width - 2 * round(PAD * self.scale) - 4

    # --- the switches ------------------------------------------------------------------------------------------------

    def _switch_rows(self) -> list[tuple[tuple[Key, ...], ...]]:
        """Return the rows of the switches, each made of groups; a narrow bar uses short labels, then two rows."""
        short = tuple(Key(key.word, key.label.split(" ")[0], f"{key.label}: {key.hint}") for key in self.overlays)
        parts = self.part_keys
        for groups in ((self.tools, self.overlays, parts), (self.tools, short, parts)):
            if sum(map(self._switches_wide, groups)) + 3 * GROUPS * self.scale <= self._window[0]:
                return [groups]
        return [(self.tools, parts), (short,)]

    def _switches_wide(self, keys: tuple[Key, ...]) -> float:
        return sum(self._switch_wide(key) + round(BETWEEN * self.scale) for key in keys)

    def _switch_wide(self, key: Key) -> int:
        return round(width(key.label, SMALL * self.scale) + SWITCH * self.scale)

    def _lay_switches(self) -> None:
        """Lay tools and overlays along the bottom of the window; the buttons that hide parts stand at its right end."""
        place, rows = self.layout.switches, self._switch_rows()
        self._switch_frame = UIPanel(place, 1, self._manager, object_id="#switches")
        high, step = round(ROW * self.scale), place.height // len(rows)
        for number, groups in enumerate(rows):
            top, left = number * step + (step - high) // 2, round(GROUPS / 2 * self.scale)
            for place_in_row, keys in enumerate(groups):
                if place_in_row and place_in_row == len(groups) - 1:
                    left = max(left, place.width - round(self._switches_wide(keys) + 6 * self.scale))
                for key in keys:
                    rect = pygame.Rect(left, top, self._switch_wide(key), high)
                    button = UIButton(rect, key.label, self._manager, self._switch_frame, tool_tip_text=key.hint)
                    self._buttons[button] = key.word
                    left = rect.right + round(BETWEEN * self.scale)
                left += round(GROUPS * self.scale)

    def _row(self, keys: tuple[Key, ...], top: int, inner: int) -> list[UIButton]:
        return self._keys(keys, self._frame, round(PAD * self.scale), top, inner)

    def _keys(self, keys: tuple[Key, ...], frame: UIPanel, left: int, top: int, inner: int) -> list[UIButton]:
        gap, height, made = round(3 * self.scale), round(ROW * self.scale), list[UIButton]()
        for key, wide in zip(keys, self._widths(keys, inner - gap * (len(keys) - 1)), strict=True):
            rect = pygame.Rect(left, top, wide, height)
            button = UIButton(rect, key.label, self._manager, frame, tool_tip_text=key.hint)
            self._buttons[button] = key.word
            made.append(button)
            left += wide + gap
        return made

    def _widths(self, keys: tuple[Key, ...], room: int) -> list[int]:
        """Return button widths that fill a row: each label's width plus the same margin."""
        labels = [width(key.label, SMALL * self.scale) for key in keys]
        spare = (room - sum(labels)) / max(1, len(keys))
        return [int(label + spare) for label in labels]

    def _lay_actions(self, actions: tuple[Key, ...]) -> None:
        for button in self._action_buttons:
            del self._buttons[button]
            kill: Any = button.kill
            kill()
        inner = self._inner
        rows = self._rows_of(actions, inner)
        if len(rows) > self._action_rows:
            self._action_rows = len(rows)  # the panel keeps the room, so that it does not jump from unit to unit
            self.resized(self._window)
        self._actions = tuple(key.word for key in actions)
        step = round(ROW * self.scale) + round(GAP * self.scale)
        laid = (self._row(keys, self._actions_top + k * step, inner) for k, keys in enumerate(rows))
        self._action_buttons = [button for row in laid for button in row]

    def _rows_of(self, actions: tuple[Key, ...], inner: int) -> list[tuple[Key, ...]]:
        """Return the actions in as few rows of about equal length as leave room for every label."""
        for count in range(1, len(actions) + 1):
            each = -(-len(actions) // count)
            rows = [actions[k : k + each] for k in range(0, len(actions), each)]
            if all(self._fits(row, inner) for row in rows):
                return rows
        return [actions] if actions else []

    def _fits(self, keys: tuple[Key, ...], inner: int) -> bool:
        labels = sum(width(key.label, SMALL * self.scale) for key in keys)
        return labels + len(keys) * (AIR * self.scale) + (len(keys) - 1) * round(3 * self.scale) <= inner

    def _box(self, rect: pygame.Rect) -> UITextBox:
        made = UITextBox("", rect, self._manager, container=self._frame)
        widen_bar(made, self.scale)
        return made


def moved(box: Any, rect: pygame.Rect) -> None:
    """Move and resize a text box in its panel, unless it is in place already."""
    if box.get_relative_rect() != rect:
        box.set_relative_position(rect.topleft)
        box.set_dimensions(rect.size)
        # pygame_gui gives the shape its new size a fifth of a second later; until then the box would take clicks on
        # what lies where it was.
        shape = box.drawable_shape
        shape.click_area_shape.size = [size - 2 * shape.shadow_width for size in rect.size]
