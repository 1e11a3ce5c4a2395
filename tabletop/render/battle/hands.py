"""What mouse and keys do at the table of a battle being played: take, bend, aim, put down, choose by number."""

from __future__ import annotations

import pygame

from tabletop.render.battle import choices, handles, status_line
from tabletop.render.battle import context_menu as at_hand
from tabletop.render.battle.board import Board
from tabletop.render.battle.camera_follow import Gaze
from tabletop.render.battle.desk import GameDesk
from tabletop.render.battle.model import CHEAPEST
from tabletop.render.table.tools import Tool
from tabletop.render.table.window import Window


class HandWindow(Window):
    """A window in whose table a battle is played by hand."""

    desk: GameDesk
    panel: Board
    at_hand: at_hand.AtHand
    _gaze: Gaze

    def _hurried(self, event: pygame.event.Event) -> bool:
        """Show no more of what was done once the player goes on; return whether that was all the event is for."""
        stage = self.desk.stage
        if stage.show is None:
            return False
        running, space = stage.running, getattr(event, "key", None) == pygame.K_SPACE
        if running or space or event.type == pygame.MOUSEBUTTONDOWN:
            stage.skip()
        return space

    def _pan(self, right: float, down: float) -> None:
        self._gaze.stay()
        super()._pan(right, down)

    def _zoom(self, factor: float, pixel: tuple[int, int]) -> None:
        self._gaze.stay()
        super()._zoom(factor, pixel)

    def _fit(self, shift: bool) -> None:
        self._gaze.stay()
        super()._fit(shift)

    def _down(self, event: pygame.event.Event) -> None:
        if self.at_hand.rows:
            row = self.at_hand.row_at(event.pos)
            inside = self.at_hand.place.collidepoint(event.pos)
            if row is not None or not inside:
                self.at_hand.shut()
            if row is not None:
                self._pressed(row.word)
            if inside:
                return
        if event.button == 1 and self.desk.tool is Tool.HAND:
            super()._press_down(event)
            point = self.camera.to_table(event.pos)
            if self.desk.grab(point, *(pixels / self.camera.drawn for pixels in (handles.NEAR, handles.KNOB))):
                return
            unit = self.desk.unit_at(point)
            self.desk.click(unit.id if unit else None)
        elif event.button == 3 and self.desk.drag is not None and not self.desk.on_the_spot:
            self.desk.drop_waypoint()
        else:
            super()._down(event)

    def _motion(self, event: pygame.event.Event) -> None:
        desk = self.desk
        if desk.grabbed is not None and self._press is not None:
            self._cursor = event.pos
            desk.pull(self.camera.to_table(event.pos), bool(pygame.key.get_mods() & pygame.KMOD_SHIFT))
        elif desk.on_the_spot and (self._press is None or self._press.button == 1):
            self._cursor = event.pos
        else:
            super()._motion(event)

    def _menu_at(self, event: pygame.event.Event) -> bool:
        """Open the menu of the unit under the cursor; return whether there is one to open."""
        desk, press = self.desk, self._press
        if press is None or press.button != 3 or press.moved or desk.drag is not None or desk.proposal is not None:
            return False
        unit = desk.unit_at(self.camera.to_table(event.pos)) if desk.tool is Tool.HAND else None
        if unit is None:
            return False
        if desk.may_act(unit) and unit.id != desk.selected:
            desk.select(unit.id)
        found = at_hand.about(desk, unit)
        self.at_hand.open(found, event.pos, self._view, self.scale)
        return bool(found)

    def _up(self, event: pygame.event.Event) -> None:
        if event.button == 3 and self._menu_at(event):
            self._press = None
            return
        if self.desk.grabbed is not None and event.button == 1:
            self._press = None
            self.desk.let_loose()
        elif not (self.desk.on_the_spot and event.button == 1):
            super()._up(event)
        else:
            self._press = None

    def _away(self) -> None:
        if self._press is not None and self.desk.grabbed is not None:
            self._press = None
            self.desk.let_loose()
        else:
            super()._away()

    def _numbered(self, event: pygame.event.Event) -> bool:
        """Choose by number: an answer, one of several actions, with Alt any row of the list; return whether one was."""
        number = event.key - pygame.K_1
        if not 0 <= number < 9 or event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            return False
        found = self._choices(bool(event.mod & pygame.KMOD_ALT))
        if number < len(found):
            self._pressed(found[number])
        return bool(found)

    def _choices(self, listed: bool) -> list[str]:
        """Return the words that numbers stand for now; ``listed``: of the rows of the list."""
        desk, asked = self.desk, status_line.asked(self.desk)
        if asked is not None:
            return [key.word for key in asked.keys]
        if listed:
            return [row.word for row in choices.rows(desk) if row.word and row.open]
        offered = desk.proposal is None and (desk.between or desk.picked is not None)
        return [f"offer:{n}" for n in range(len(desk.offers[: choices.OFFERED]))] if offered else []

    @property
    def _takes(self) -> bool:
        """An arrow takes the unit for which a way of moving is chosen."""
        desk = self.desk
        return desk.picked is not None and desk.picked == desk.action and desk.proposal is None

    def _enter(self, shift: bool) -> None:
        desk = self.desk
        if desk.turned_over:
            desk.hand_over()
            return
        if desk.proposal is not None:
            desk.confirm()
        elif desk.drag is not None:
            super()._enter(shift)
        elif desk.nearest is not None:
            desk.take_nearest()
        elif self._settles:
            desk.settle()
        elif desk.actor is not None and not desk.battle.pending:
            group = next((g for g in desk.groups if any(u.id == desk.actor for u in g.members)), None)
            if group is not None:
                desk.choose_group(group.id)

    @property
    def _settles(self) -> bool:
        """Whether what is picked needs neither way nor enemy, only what is set of it."""
        desk = self.desk
        return desk.picked is not None and not desk.between and choices.settles(desk)

    def _way(self, _: bool) -> None:
        self.desk.next_way()
        self._find_way = self.desk.way == CHEAPEST

    def _next(self, back: bool) -> None:
        """Go to the next unit that may act; with nobody to act, through all units as on the measuring table."""
        desk = self.desk
        names = sorted(desk.ready)
        if not names or not desk.human_turn:
            super()._next(back)
            return
        here = names.index(desk.actor) if desk.actor in names else (0 if back else -1)
        desk.call(names[(here + (-1 if back else 1)) % len(names)])
