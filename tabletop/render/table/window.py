"""The window: what mouse and keys do on the table and its panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import pygame

from tabletop.battle.battle import Battle
from tabletop.play.workers.judge_worker import InlineJudgeWorker, JudgeWorker
from tabletop.render.destinations import Subject
from tabletop.render.drawing.camera import Camera
from tabletop.render.screens import Back, Look, Maker
from tabletop.render.settings.model import Overlay
from tabletop.render.table import steps
from tabletop.render.table.commands import ZOOM_STEP
from tabletop.render.table.model import TakeTool
from tabletop.render.table.pointing import unit_at
from tabletop.render.table.shown_window import Press, ShownWindow
from tabletop.render.table.tools import Tool
from tabletop.render.widgets.key_dispatch import press_key
from tabletop.render.widgets.links import rule_leaf

#: Pixels the mouse must move before a press becomes a drag or a pan.
SLACK = 5
PAN_STEP = 60


def measuring(battle: Battle) -> Maker:
    """Return what makes the measuring table of a battle: nothing is played, anything moves."""

    def make(look: Look) -> Window:
        window = Window(battle, JudgeWorker(battle), JudgeWorker(battle), look.scale)
        window.shown(look)
        return window

    return make


class Window(ShownWindow):
    """One window on one battle, and the hand in it."""

    @classmethod
    def inline(cls, battle: Battle, scale: float = 1.0) -> Window:
        """Return a window whose questions are answered in this process (tests, pictures of the window)."""
        return cls(battle, InlineJudgeWorker(battle), InlineJudgeWorker(battle), scale)

    # --- events ------------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Hand one event to the panel, or to the table."""
        if event.type == pygame.VIDEORESIZE:
            self._resize()
            return
        if self.leaf is not None and event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.leaf = None
            return
        word = self.panel.handle(event)
        if word is not None and word != "taken":
            self._pressed(word)
            return
        if self._on_legend(event):
            return
        at = getattr(event, "pos", None)
        if at is not None and self.panel.covers(at) and self._press is None:
            self._cursor = self._on_table(event).pos
            return
        if self._on_locator(event):
            return
        handler = self._handlers.get(event.type)
        if handler is not None and word != "taken":
            handler(self, self._on_table(event))

    def _on_table(self, event: pygame.event.Event) -> pygame.event.Event:
        """Return an event as the table sees it: its place counted from the table's own corner."""
        if not hasattr(event, "pos"):
            return event
        left, top = self.panel.table_rect.topleft
        moved = {**event.dict, "pos": (event.pos[0] - left, event.pos[1] - top)}
        return pygame.event.Event(event.type, moved)

    def _on_locator(self, event: pygame.event.Event) -> bool:
        """Show the place of the table that is clicked on the locator."""
        if event.type != pygame.MOUSEBUTTONDOWN or event.button != 1:
            return False
        point = self.locator.meant(self._on_table(event).pos, self.desk.model.battle)
        if point is None:
            return False
        x, y = self.camera.to_screen(point)
        self._pan(self.camera.width / 2 - x, self.camera.height / 2 - y)
        return True

    def _on_legend(self, event: pygame.event.Event) -> bool:
        """Let the legend have what is done over it: a click puts it away, the wheel scrolls it."""
        place, (left, top) = self.panel.layout.legend, self.panel.table_rect.topleft
        if not self.legend.open:
            return False
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and place.collidepoint(event.pos):
            self.legend.turn()
            return True
        if event.type == pygame.MOUSEWHEEL and place.collidepoint(self._cursor[0] + left, self._cursor[1] + top):
            self.legend.scroll(-event.y)
            return True
        return False

    def _pressed(self, word: str) -> None:
        self.commands.press(self, word)

    def _help(self, _: object = None) -> None:
        self.helping = not self.helping

    def _show_rule(self, id: str) -> None:  # noqa: A002 - the files' own word
        """Open the card of a rule."""
        self.leaf = rule_leaf(self.desk.model.battle, id) or self.leaf

    def _put_away(self, _: object = None) -> None:
        self.leaf = None

    def _tool(self, value: str) -> None:
        self.desk.update(TakeTool(Tool(value)))

    def _toggle(self, value: str) -> None:
        self.desk.toggle(Overlay(value))

    def _press_down(self, event: pygame.event.Event) -> None:
        self._press = Press(event.button, event.pos)

    def _down(self, event: pygame.event.Event) -> None:
        self._press_down(event)
        if event.button != 1:
            return
        point = self.camera.to_table(event.pos)
        if self.desk.model.tool is not Tool.HAND:
            laying = self.desk.model.stretch is not None and not self.desk.model.stretch.laid
            if laying:
                self.desk.lay_to(point, laid=True)
            else:
                self.desk.lay_from(point)
            return
        unit = unit_at(self.desk.model.battle, point)
        self.desk.select(unit.id if unit else None)

    def _motion(self, event: pygame.event.Event) -> None:
        before, self._cursor = self._cursor, event.pos
        point = self.camera.to_table(event.pos)
        press = self._press
        if press is not None and not press.moved:
            press.moved = max(abs(event.pos[0] - press.at[0]), abs(event.pos[1] - press.at[1])) > SLACK
        if press is not None and press.moved and (press.button != 1 or self._may_pan):
            self._pan(event.pos[0] - before[0], event.pos[1] - before[1])
        elif press is not None and press.moved and self.desk.model.tool is Tool.HAND:
            if self.desk.model.drag is None:
                self.desk.take(self.camera.to_table(press.at))
                self.desk.find_way(self._find_way)
            self.desk.drag_to(point)
        elif self.desk.model.drag is not None:
            self.desk.drag_to(point)
        else:
            hovered = unit_at(self.desk.model.battle, point)
            self.desk.point_at(hovered.id if hovered else None)
        if self.desk.model.stretch is not None:
            self.desk.lay_to(point)

    @property
    def _may_pan(self) -> bool:
        """A left drag on bare ground pans too (touchpads have one comfortable button)."""
        return self.desk.model.tool is Tool.HAND and self.desk.model.selected is None

    def _up(self, event: pygame.event.Event) -> None:
        press, self._press = self._press, None
        if press is None:
            return
        if press.button == 3 and not press.moved:
            self.desk.cancel()
        elif press.button == 1 and press.moved and self.desk.model.drag is not None:
            self.desk.drag_to(self.camera.to_table(event.pos))
            self.desk.listen()
            self.desk.release(anyway=bool(pygame.key.get_mods() & pygame.KMOD_ALT))

    def _away(self) -> None:
        """The keys go to another window, and the button may be let go of there: what is dragged goes back."""
        press, self._press = self._press, None
        if press is not None and self.desk.model.drag is not None:
            self.desk.cancel()

    def _wheel(self, event: pygame.event.Event) -> None:
        turning = self.desk.model.drag is not None or pygame.key.get_mods() & (pygame.KMOD_CTRL | pygame.KMOD_META)
        if turning:
            self.desk.turn(event.y, fine=bool(pygame.key.get_mods() & pygame.KMOD_SHIFT))
        else:
            self._zoom(ZOOM_STEP**event.y, self._cursor)

    def _zoom(self, factor: float, pixel: tuple[int, int]) -> None:
        self.camera = self.camera.zoomed(factor, pixel, self._fit_scale).kept_on(self.table)

    def _pan(self, right: float, down: float) -> None:
        self.camera = self.camera.panned(right, down).kept_on(self.table)

    def _key(self, event: pygame.event.Event) -> None:
        press_key(self, self.commands, event)

    def _escape(self) -> None:
        if self.helping:
            self.helping = False
        else:
            self._press = None
            self.desk.cancel()

    def _leave(self) -> None:
        self.going = Back()

    def subject(self) -> Subject:
        """Return what can be exported: the table as it is shown, without a report."""
        return Subject(self.desk.model.battle, self.camera, self.canvas.drawings(self.desk.picture(), self.camera))

    def _arrow(self, way: tuple[int, int], fine: bool) -> None:
        """Lead what is in hand a step; with nothing in hand drag the table about."""
        desk = self.desk
        if desk.model.drag is None and self._takes and desk.model.unit is not None:
            desk.take(desk.model.unit.at)
        if desk.model.drag is None:
            self._pan(-PAN_STEP * way[0], PAN_STEP * way[1])
            return
        far = steps.step(desk.model.battle.table.unit, fine)
        desk.drag_to(steps.led(desk.model.drag.cursor, way, far, self.table))

    @property
    def _takes(self) -> bool:
        """Whether an arrow takes the unit selected in hand; here Enter does."""
        return False

    def _enter(self, _: bool) -> None:
        if self.desk.model.drag is not None:
            self.desk.release()
        elif self.desk.model.unit is not None:
            self.desk.take(self.desk.model.unit.at)

    def _way(self, _: bool) -> None:
        self._find_way = not self._find_way
        self.desk.find_way(self._find_way)

    def _next(self, back: bool) -> None:
        names = [u.id for u in self.desk.model.battle.units]
        here = names.index(self.desk.model.selected) if self.desk.model.selected in names else (0 if back else -1)
        self.desk.select(names[(here + (-1 if back else 1)) % len(names)])

    def _fit(self, _: bool) -> None:
        self.camera = Camera.fitting(self.table, self._view, density=self.scale)

    _handlers: ClassVar[dict[int, Callable[[Window, pygame.event.Event], None]]] = {
        pygame.MOUSEBUTTONDOWN: lambda w, e: w._down(e) if e.button <= 3 else None,
        pygame.MOUSEBUTTONUP: lambda w, e: w._up(e) if e.button <= 3 else None,
        pygame.MOUSEMOTION: lambda w, e: w._motion(e),
        pygame.MOUSEWHEEL: lambda w, e: w._wheel(e),
        pygame.KEYDOWN: lambda w, e: w._key(e),
        pygame.WINDOWFOCUSLOST: lambda w, _: w._away(),
    }
