"""What mouse and keys do at the table of a battle being played: take, bend, aim, put down, choose by number."""

from __future__ import annotations

import pygame

from tabletop.render.battle import choices, handles, shape, status_line
from tabletop.render.battle import context_menu as at_hand
from tabletop.render.battle.board import Board
from tabletop.render.battle.camera_follow import Gaze
from tabletop.render.battle.desk import GameDesk
from tabletop.render.battle.model import CHEAPEST
from tabletop.render.battle.offers import offers
from tabletop.render.table.pointing import unit_at
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
        stage = self.desk.game.stage
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
        if event.button == 1 and self.desk.model.tool is Tool.HAND:
            super()._press_down(event)
            point = self.camera.to_table(event.pos)
            if self.desk.shaping.grab(point, *(pixels / self.camera.drawn for pixels in (handles.NEAR, handles.KNOB))):
                return
            unit = unit_at(self.desk.model.battle, point)
            self.desk.click(unit.id if unit else None)
        elif event.button == 3 and self.desk.model.drag is not None and not shape.on_the_spot(self.desk.state):
            self.desk.drop_waypoint()
        else:
            super()._down(event)

    def _motion(self, event: pygame.event.Event) -> None:
        desk = self.desk
        if desk.state.chosen.grabbed is not None and self._press is not None:
            self._cursor = event.pos
            desk.shaping.pull(self.camera.to_table(event.pos), bool(pygame.key.get_mods() & pygame.KMOD_SHIFT))
        elif shape.on_the_spot(desk.state) and (self._press is None or self._press.button == 1):
            self._cursor = event.pos
        else:
            super()._motion(event)

    def _menu_at(self, event: pygame.event.Event) -> bool:
        """Open the menu of the unit under the cursor; return whether there is one to open."""
        desk, press = self.desk, self._press
        if press is None or press.button != 3 or press.moved:
            return False
        if desk.model.drag is not None or desk.state.chosen.proposal is not None:
            return False
        unit = unit_at(desk.model.battle, self.camera.to_table(event.pos)) if desk.model.tool is Tool.HAND else None
        if unit is None:
            return False
        if desk.state.may_act(unit) and unit.id != desk.model.selected:
            desk.select(unit.id)
        found = at_hand.about(desk.state, unit)
        self.at_hand.open(found, event.pos, self._view, self.scale)
        return bool(found)

    def _up(self, event: pygame.event.Event) -> None:
        if event.button == 3 and self._menu_at(event):
            self._press = None
            return
        if self.desk.state.chosen.grabbed is not None and event.button == 1:
            self._press = None
            self.desk.shaping.let_loose()
        elif not (shape.on_the_spot(self.desk.state) and event.button == 1):
            super()._up(event)
        else:
            self._press = None

    def _away(self) -> None:
        if self._press is not None and self.desk.state.chosen.grabbed is not None:
            self._press = None
            self.desk.shaping.let_loose()
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
        desk, asked = self.desk, status_line.asked(self.desk.state, self.desk.game.stage)
        if asked is not None:
            return [key.word for key in asked.keys]
        if listed:
            return [row.word for row in choices.rows(desk.state) if row.word and row.open]
        chosen = desk.state.chosen
        offered = chosen.proposal is None and (chosen.between or chosen.picked is not None)
        return [f"offer:{n}" for n in range(len(offers(desk.state)[: choices.OFFERED]))] if offered else []

    @property
    def _takes(self) -> bool:
        """An arrow takes the unit for which a way of moving is chosen."""
        chosen = self.desk.state.chosen
        return chosen.picked is not None and chosen.picked == self.desk.model.action and chosen.proposal is None

    def _enter(self, shift: bool) -> None:
        desk = self.desk
        if desk.state.turned_over:
            desk.game.hand_over()
            return
        if desk.state.chosen.proposal is not None:
            desk.proposals.confirm()
        elif desk.model.drag is not None:
            super()._enter(shift)
        elif desk.state.nearest is not None:
            desk.proposals.take_nearest()
        elif self._settles:
            desk.proposals.settle()
        elif desk.state.chosen.actor is not None and not desk.model.battle.pending:
            actor, groups = desk.state.chosen.actor, desk.state.facts.groups
            group = next((g for g in groups if any(u.id == actor for u in g.members)), None)
            if group is not None:
                desk.proposals.choose_group(group.id)

    @property
    def _settles(self) -> bool:
        """Whether what is picked needs neither way nor enemy, only what is set of it."""
        desk = self.desk
        return desk.state.chosen.picked is not None and not desk.state.chosen.between and choices.settles(desk.state)

    def _way(self, _: bool) -> None:
        self.desk.shaping.next_way()
        self._find_way = self.desk.state.chosen.way == CHEAPEST

    def _next(self, back: bool) -> None:
        """Go to the next unit that may act; with nobody to act, through all units as on the measuring table."""
        desk = self.desk
        names = sorted(desk.state.facts.ready)
        if not names or not desk.state.facts.human_turn:
            super()._next(back)
            return
        here = names.index(desk.state.chosen.actor) if desk.state.chosen.actor in names else (0 if back else -1)
        desk.call(names[(here + (-1 if back else 1)) % len(names)])
