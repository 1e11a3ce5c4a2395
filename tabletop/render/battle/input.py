"""Mouse and keys at the table of a battle being played: take, bend, aim, put down, choose by number."""

from __future__ import annotations

from typing import Protocol

import pygame

from tabletop.render.battle import choices, context_menu, handles, shape, status_line
from tabletop.render.battle.controller import BattleController
from tabletop.render.battle.model import CHEAPEST
from tabletop.render.battle.next_step import NextStep
from tabletop.render.table.input import InputWindow, TableInput
from tabletop.render.table.pointing import unit_at
from tabletop.render.table.tools import Tool
from tabletop.render.widgets.docking import box_of


class BattleInputWindow(InputWindow, Protocol):
    """What the mouse and keys need of a battle's window."""

    context_menu: context_menu.ContextMenu
    scale: float

    @property
    def controller(self) -> BattleController:
        """The controller that mouse and keys act on."""

    @property
    def view(self) -> tuple[int, int]:
        """The size of the table's surface in pixels."""

    @property
    def next_step(self) -> NextStep:
        """What the main button does."""

    def pressed(self, word: str) -> None:
        """Run the action of a button's word."""


class BattleInput(TableInput):
    """Mouse and keys on the table of a battle being played."""

    window: BattleInputWindow

    @property
    def controller(self) -> BattleController:
        """The controller of the window."""
        return self.window.controller

    def key(self, event: pygame.event.Event) -> None:
        """Choose by number, else do what the key does."""
        if not self._numbered(event):
            super().key(event)

    def hurried(self, event: pygame.event.Event) -> bool:
        """End the playback when the player goes on; return whether the event is used up by that."""
        stage = self.controller.game.stage
        if stage.show is None:
            return False
        running, space = stage.running, getattr(event, "key", None) == pygame.K_SPACE
        if running or space or event.type == pygame.MOUSEBUTTONDOWN:
            stage.skip()
        return space

    def down(self, event: pygame.event.Event) -> None:
        """Choose from the menu, take a handle, click a unit; the right button fixes a waypoint."""
        if self.window.context_menu.rows:
            row = self.window.context_menu.row_at(event.pos)
            inside = self.window.context_menu.place.collidepoint(event.pos)
            if row is not None or not inside:
                self.window.context_menu.shut()
            if row is not None:
                self.window.pressed(row.word)
            if inside:
                return
        if event.button == 1 and self.controller.model.tool is Tool.HAND:
            super().press_down(event)
            point = self.camera.to_table(event.pos)
            if self.controller.shaping.grab(
                point, *(pixels / self.camera.drawn for pixels in (handles.NEAR, handles.KNOB))
            ):
                return
            unit = unit_at(self.controller.model.battle, point)
            self.controller.click(unit.id if unit else None)
        elif (
            event.button == 3
            and self.controller.model.drag is not None
            and not shape.on_the_spot(self.controller.state)
        ):
            self.controller.drop_waypoint()
        else:
            super().down(event)

    def motion(self, event: pygame.event.Event) -> None:
        """Pull the held handle, or move the unit in hand."""
        controller = self.controller
        if controller.state.chosen.grabbed is not None and self.press is not None:
            self.cursor = event.pos
            controller.shaping.pull(self.camera.to_table(event.pos), bool(pygame.key.get_mods() & pygame.KMOD_SHIFT))
        elif shape.on_the_spot(controller.state) and (self.press is None or self.press.button == 1):
            self.cursor = event.pos
        else:
            super().motion(event)

    def _menu_at(self, event: pygame.event.Event) -> bool:
        """Open the menu of the unit under the cursor; return whether there is one to open."""
        controller, press = self.controller, self.press
        if press is None or press.button != 3 or press.moved:
            return False
        if controller.model.drag is not None or controller.state.chosen.proposal is not None:
            return False
        unit = (
            unit_at(controller.model.battle, self.camera.to_table(event.pos))
            if controller.model.tool is Tool.HAND
            else None
        )
        if unit is None:
            return False
        if controller.state.may_act(unit) and unit.id != controller.model.selected:
            controller.select(unit.id)
        entries = context_menu.about(controller.state, unit)
        boxes = [box_of(shown, self.camera) for shown in (unit, controller.model.unit) if shown is not None]
        self.window.context_menu.open(entries, boxes, self.window.view, self.window.scale)
        return bool(entries)

    def up(self, event: pygame.event.Event) -> None:
        """Let go; the right button opens the menu of a unit."""
        if event.button == 3 and self._menu_at(event):
            self.press = None
            return
        if self.controller.state.chosen.grabbed is not None and event.button == 1:
            self.press = None
            self.controller.shaping.let_loose()
        elif not (shape.on_the_spot(self.controller.state) and event.button == 1):
            super().up(event)
        else:
            self.press = None

    def away(self) -> None:
        """Let go of the handle held."""
        if self.press is not None and self.controller.state.chosen.grabbed is not None:
            self.press = None
            self.controller.shaping.let_loose()
        else:
            super().away()

    def _numbered(self, event: pygame.event.Event) -> bool:
        """Choose the answer or list row with this number; return whether the key is a number."""
        number = event.key - pygame.K_0
        if not 1 <= number <= 9 or event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            return False
        word = self._numbers().get(number)
        if word is not None:
            self.window.pressed(word)
        return True

    def _numbers(self) -> dict[int, str]:
        """Return the word that each digit sends now."""
        asked = status_line.asked(self.controller.state, self.controller.game.stage)
        if asked is not None:
            return dict(enumerate((key.word for key in asked.keys), 1))
        return {row.number: row.word for row in choices.rows(self.controller.state) if row.number}

    @property
    def takes(self) -> bool:
        """Whether an arrow key takes the unit: a way of moving is chosen and nothing is proposed."""
        chosen = self.controller.state.chosen
        return chosen.picked is not None and chosen.picked == self.controller.model.action and chosen.proposal is None

    def enter(self, _: bool) -> None:
        """Do what the main button does."""
        step = self.window.next_step
        if step.word:
            self.window.pressed(step.word)

    def way(self, _: bool) -> None:
        """Go to the next way of moving."""
        self.controller.shaping.next_way()
        self.find_way = self.controller.state.chosen.way == CHEAPEST

    def next(self, back: bool) -> None:
        """Go to the next unit that may act; if none may, step through all units as on the measuring table."""
        controller = self.controller
        name = (
            controller.state.facts.next_ready(controller.state.chosen.actor, back)
            if controller.state.facts.human_turn
            else None
        )
        if name is None:
            super().next(back)
        else:
            controller.call(name)
