"""Mouse and keys on the table: select, drag, lay the tape, pan, zoom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import pygame

from tabletop.render.drawing.camera import Camera
from tabletop.render.table import steps
from tabletop.render.table.commands import ZOOM_STEP
from tabletop.render.table.controller import TableController
from tabletop.render.table.pointing import unit_at
from tabletop.render.table.tools import Tool
from tabletop.render.widgets.command_table import CommandTable
from tabletop.render.widgets.key_dispatch import press_key

#: Pixels the mouse must move before a press becomes a drag or a pan.
SLACK = 5
PAN_STEP = 60


@dataclass
class Press:
    """A mouse button held down: where it was pressed, and whether it has become a drag or a pan."""

    button: int
    at: tuple[int, int]
    moved: bool = False


class InputWindow(Protocol):
    """What the mouse and keys need of their window."""

    commands: CommandTable
    camera: Camera
    table: tuple[float, float]

    @property
    def controller(self) -> TableController:
        """The controller that mouse and keys act on."""

    def pan(self, right: float, down: float) -> None:
        """Move the table by a number of pixels."""

    def zoom(self, factor: float, pixel: tuple[int, int]) -> None:
        """Zoom about a pixel of the table."""


class TableInput:
    """Mouse and keys on a table: the button held down, and the cursor in pixels of the table."""

    window: InputWindow

    def __init__(self, window: InputWindow) -> None:
        self.window = window
        self.press: Press | None = None
        self.cursor = (0, 0)
        self.find_way = False

    @property
    def controller(self) -> TableController:
        """The controller of the window."""
        return self.window.controller

    @property
    def camera(self) -> Camera:
        """The camera of the window."""
        return self.window.camera

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event whose position counts from the table's own corner."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button <= 3:
            self.down(event)
        elif event.type == pygame.MOUSEBUTTONUP and event.button <= 3:
            self.up(event)
        elif event.type == pygame.MOUSEMOTION:
            self.motion(event)
        elif event.type == pygame.MOUSEWHEEL:
            self.wheel(event)
        elif event.type == pygame.KEYDOWN:
            self.key(event)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self.away()

    def press_down(self, event: pygame.event.Event) -> None:
        """Note where a button was pressed."""
        self.press = Press(event.button, event.pos)

    def down(self, event: pygame.event.Event) -> None:
        """Begin a selection, a drag, or a tape."""
        self.press_down(event)
        if event.button != 1:
            return
        point = self.camera.to_table(event.pos)
        if self.controller.model.tool is not Tool.HAND:
            laying = self.controller.model.stretch is not None and not self.controller.model.stretch.laid
            if laying:
                self.controller.lay_to(point, laid=True)
            else:
                self.controller.lay_from(point)
            return
        unit = unit_at(self.controller.model.battle, point)
        self.controller.select(unit.id if unit else None)

    def motion(self, event: pygame.event.Event) -> None:
        """Move the unit in hand, pan the table, or set the unit under the cursor."""
        before, self.cursor = self.cursor, event.pos
        point = self.camera.to_table(event.pos)
        press = self.press
        if press is not None and not press.moved:
            press.moved = max(abs(event.pos[0] - press.at[0]), abs(event.pos[1] - press.at[1])) > SLACK
        if press is not None and press.moved and (press.button != 1 or self.may_pan):
            self.window.pan(event.pos[0] - before[0], event.pos[1] - before[1])
        elif press is not None and press.moved and self.controller.model.tool is Tool.HAND:
            if self.controller.model.drag is None:
                self.controller.take(self.camera.to_table(press.at))
                self.controller.find_way(self.find_way)
            self.controller.drag_to(point)
        elif self.controller.model.drag is not None:
            self.controller.drag_to(point)
        else:
            hovered = unit_at(self.controller.model.battle, point)
            self.controller.point_at(hovered.id if hovered else None)
        if self.controller.model.stretch is not None:
            self.controller.lay_to(point)

    @property
    def may_pan(self) -> bool:
        """Whether a left drag on bare ground pans too (touchpads have one comfortable button)."""
        return self.controller.model.tool is Tool.HAND and self.controller.model.selected is None

    def up(self, event: pygame.event.Event) -> None:
        """Put down a dragged unit; the right button cancels, unless the left one is held."""
        press = self.press
        if press is None or press.button != event.button:
            return
        self.press = None
        if press.button == 3 and not press.moved:
            self.controller.cancel()
        elif press.button == 1 and press.moved and self.controller.model.drag is not None:
            self.controller.drag_to(self.camera.to_table(event.pos))
            self.controller.listen()
            self.controller.release(anyway=bool(pygame.key.get_mods() & pygame.KMOD_ALT))

    def away(self) -> None:
        """Cancel a drag when the window loses the focus, since the button may be released elsewhere."""
        press, self.press = self.press, None
        if press is not None and self.controller.model.drag is not None:
            self.controller.cancel()

    def wheel(self, event: pygame.event.Event) -> None:
        """Turn the unit in hand, or zoom."""
        turning = self.controller.model.drag is not None or pygame.key.get_mods() & (
            pygame.KMOD_CTRL | pygame.KMOD_META
        )
        if turning:
            self.controller.turn(event.y, fine=bool(pygame.key.get_mods() & pygame.KMOD_SHIFT))
        else:
            self.window.zoom(ZOOM_STEP**event.y, self.cursor)

    def key(self, event: pygame.event.Event) -> None:
        """Do what a key does."""
        press_key(self.window, self.window.commands, event)

    def arrow(self, way: tuple[int, int], fine: bool) -> None:
        """Move the unit in hand one step; with none in hand, pan the table."""
        controller = self.controller
        if controller.model.drag is None and self.takes and controller.model.unit is not None:
            controller.take(controller.model.unit.at)
        if controller.model.drag is None:
            self.window.pan(-PAN_STEP * way[0], PAN_STEP * way[1])
            return
        far = steps.step(controller.model.battle.table.unit, fine)
        controller.drag_to(steps.led(controller.model.drag.cursor, way, far, self.window.table))

    @property
    def takes(self) -> bool:
        """Whether an arrow key takes the selected unit in hand; here only Enter does."""
        return False

    def enter(self, _: bool) -> None:
        """Take the selected unit in hand, or put it down."""
        if self.controller.model.drag is not None:
            self.controller.release()
        elif self.controller.model.unit is not None:
            self.controller.take(self.controller.model.unit.at)

    def way(self, _: bool) -> None:
        """Switch route finding by the judge on or off."""
        self.find_way = not self.find_way
        self.controller.find_way(self.find_way)

    def next(self, back: bool) -> None:
        """Select the next unit."""
        names = [u.id for u in self.controller.model.battle.units]
        index = (
            names.index(self.controller.model.selected)
            if self.controller.model.selected in names
            else (0 if back else -1)
        )
        self.controller.select(names[(index + (-1 if back else 1)) % len(names)])
