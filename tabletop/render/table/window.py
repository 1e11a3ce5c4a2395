"""The window on a battle: a controller, input, a panel, a canvas and a legend; ``step`` runs one frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pygame

from tabletop.battle.battle import Battle
from tabletop.geometry.verdict import Verdict
from tabletop.play.workers.judge_worker import AnyJudgeWorker, InlineJudgeWorker, JudgeWorker
from tabletop.render.destinations import Subject
from tabletop.render.drawing.camera import Camera
from tabletop.render.screens import Back, Going, Keep, Look, Maker
from tabletop.render.settings.model import Overlay
from tabletop.render.table import bindings, captions, inset, legend, notices, plans
from tabletop.render.table.canvas import Canvas
from tabletop.render.table.commands import TABLE, TABLES
from tabletop.render.table.controller import TableController
from tabletop.render.table.input import TableInput
from tabletop.render.table.locator_view import Locator
from tabletop.render.table.model import Note, TableModel, TakeTool
from tabletop.render.table.panel import Key, Panel
from tabletop.render.table.questions import answered
from tabletop.render.table.tools import FREE, Tool
from tabletop.render.widgets.command_table import CommandTable
from tabletop.render.widgets.links import rule_page
from tabletop.render.widgets.panel_page import PanelPage
from tabletop.rules import rule_set

#: The note once the judge's process has ended.
GONE = "The judge's process has ended: nothing can be measured. Close the window and start the program again."
#: Milliseconds that the side view stays after the player stops looking at a line.
LINGERS = 250


def measuring(battle: Battle) -> Maker:
    """Return the function that makes the measuring table of a battle: anything may be moved, nothing is played."""

    def make(look: Look) -> Window:
        window = Window(battle, JudgeWorker(battle), JudgeWorker(battle), look.scale)
        window.shown(look)
        return window

    return make


class Window:
    """The window of one battle, drawn on the display surface; ``table_input`` handles mouse and keys on its table."""

    #: The commands of this window.
    commands: CommandTable = TABLES[TABLE]

    def __init__(self, battle: Battle, quick: AnyJudgeWorker, slow: AnyJudgeWorker, scale: float = 1.0) -> None:
        self.scale = scale
        self.surface = pygame.display.get_surface() or pygame.display.set_mode((1280, 800), pygame.RESIZABLE)
        self._overlays = plans.offered(battle.rules)
        #: Whether the rules know lines of sight.
        self.has_sight = answered(battle, "los")
        self.legend = legend.Legend()
        self.panel_open = self.log_open = True
        self.table = (battle.table.width, battle.table.height)
        self.panel = self._panel_made()
        self.controller = self._controller_made(battle, quick, slow)
        self.canvas, self.locator = Canvas(), Locator()
        self.camera = Camera.fitting(self.table, self.view, density=self.scale)
        self._fit_scale = self.camera.scale
        self.table_input = self._input_made()
        self.helping = False
        self.panel_page: PanelPage | None = None
        self.going: Going | None = None
        self._current_look: Look | None = None
        self._viewed: tuple[Verdict, int] | None = None

    def _panel_made(self) -> Panel:
        tools = self.commands.buttons("tools", self)
        return Panel(self.surface.get_size(), self.scale, self._overlays, tools, self.table)

    def _controller_made(self, battle: Battle, quick: AnyJudgeWorker, slow: AnyJudgeWorker) -> TableController:
        return TableController(TableModel(battle), quick, slow)

    def _input_made(self) -> TableInput:
        return TableInput(self)

    @classmethod
    def inline(cls, battle: Battle, scale: float = 1.0) -> Window:
        """Return a window whose questions are answered in this process (for tests and pictures)."""
        return cls(battle, InlineJudgeWorker(battle), InlineJudgeWorker(battle), scale)

    @property
    def view(self) -> tuple[int, int]:
        """The size of the table's surface in pixels."""
        return self.panel.table_rect.size

    @property
    def table_surface(self) -> pygame.Surface | None:
        """The part of the window that shows the table; None where none of it is visible."""
        place = self.panel.table_rect.clip(self.surface.get_rect())
        return self.surface.subsurface(place) if place.width and place.height else None

    def close(self) -> None:
        """Stop the workers and close the panel."""
        self.controller.close()
        self.panel.close()

    # --- one frame ---------------------------------------------------------------------------------------------------

    def step(self, seconds: float) -> bool:
        """Run one frame of this screen alone; return False when the window is to close."""
        events = pygame.event.get()
        if any(event.type == pygame.QUIT for event in events):
            return False
        self.frame(events, seconds)
        pygame.display.flip()
        return True

    def frame(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        """Handle events and draw one frame."""
        for event in events:
            self._while_the_judge_lives(self.handle, event)
        self._while_the_judge_lives(self.controller.listen)
        self.panel.update(seconds)
        self.draw()
        # Take in what arrived during painting, so that the workers need not wait a frame for the next question.
        self._while_the_judge_lives(self.controller.listen)
        self._keep_shown()

    def shown(self, look: Look) -> None:
        """Adapt the window to the settings; changed settings repaint everything."""
        if look != self._current_look:
            self._current_look, self.scale = look, look.scale
            self.panel.close()
            self.panel, self.canvas = self._panel_made(), Canvas()
            self.controller.show(Overlay(word) for word in look.settings.overlays)
            self.legend.open = look.settings.legend
            self.panel_open, self.log_open = look.settings.panel, look.settings.log
        self._resize()

    def _keep_shown(self) -> None:
        """Save the overlays and parts the player has just shown or hidden, for the next time."""
        if self._current_look is None or self.going is not None:
            return
        controller, kept = self.controller, self._current_look.settings.overlays
        shown = (o for o in Overlay if (o in controller.model.overlays if o in self._overlays else o in kept))
        settings = self._current_look.settings.changed(
            overlays=tuple(map(str, shown)), legend=self.legend.open, panel=self.panel_open, log=self.log_open
        )
        if settings != self._current_look.settings:
            self._current_look = Look(settings, self._current_look.density)
            self.going = Keep(settings)

    def covered(self) -> None:
        """Drop the painted pictures of the table."""
        self.canvas = Canvas()

    def _while_the_judge_lives(self, act: Callable[..., None], *what: Any) -> None:
        """Run ``act``; if the judge's process has ended, show a note and keep showing the table."""
        try:
            act(*what)
        except OSError:
            self.controller.update(Note(GONE))

    def draw(self) -> None:
        """Draw the table and the panel."""
        self._arrange()
        table = self.table_surface
        if table is None:
            return
        self.canvas.draw(table, self.controller.picture(), self.camera)
        self._draw_section(table)
        self.locator.draw(table, self.controller.model, self.camera)
        model = self.controller.model
        actions = [Key(f"action:{a}", *_way(self.controller.model.battle, a)) for a in self.controller.actions]
        pressed = self._pressed_words() | {f"action:{model.action}"}
        self.panel.show(captions.card(model), captions.proof(model), captions.status(model), actions, pressed)
        notices.working(table, captions.working(model), pygame.time.get_ticks(), self.scale)
        self._draw_round()

    def _pressed_words(self) -> set[str]:
        """Return the words of all pressed buttons."""
        model = self.controller.model
        words = {f"tool:{model.tool}", *(f"overlay:{overlay}" for overlay in model.overlays)}
        shown = {"help:": self.helping, "legend:": self.legend.open}
        shown |= {"part:panel": self.panel.parts.panel, "part:log": self.panel.parts.log}
        return words | {word for word, pressed in shown.items() if pressed}

    def _draw_round(self, *more: legend.Entry) -> None:
        """Draw the parts docked around the table, and the sheet of keys if it is open."""
        self.panel.lay_page(self.panel_page)
        self.panel.draw(self.surface)
        self._draw_on_panel()
        if self.legend.open:
            entries = (*legend.entries(self.controller.model), *more)
            self.legend.draw(self.surface, self.panel.layout.legend, entries, self.scale)
        self._draw_help()

    def _draw_section(self, table: pygame.Surface) -> None:
        """Make room for the side view of the line looked at: in the panel, else at an edge of the table.

        It stays for a moment afterwards, so that the panel does not jump as the cursor goes from enemy to enemy.
        """
        now, verdict = pygame.time.get_ticks(), inset.looked_at(self.controller.model)
        if verdict is not None:
            self._viewed = (verdict, now)
        elif self._viewed is not None and now - self._viewed[1] > LINGERS:
            self._viewed = None
        if self.panel.section(self._viewed is not None) is None:
            inset.draw(table, self.controller.model, self.camera)

    def _draw_on_panel(self) -> None:
        """Draw the side view into the panel if there is room."""
        place = self.panel.section(self._viewed is not None)
        if place is not None and self._viewed is not None:
            sheet = inset.picture(self._viewed[0], self.controller.model.battle, place.size, self.scale)
            self.surface.blit(sheet, place)

    # --- docked parts ------------------------------------------------------------------------------------------------

    @property
    def _needs_panel(self) -> bool:
        """Whether a hidden panel must be shown because a page lies over it."""
        return self.panel_page is not None

    def _arrange(self) -> None:
        """Dock the parts to be shown, and fit the table into the rest."""
        panel = self.panel_open or self._needs_panel
        if self.panel.arrange(panel=panel, log=self.log_open, legend=self.legend.open):
            self._refit()

    def _part(self, name: str) -> None:
        """Hide or show the panel or the log."""
        if name == "panel":
            self.panel_open = not self.panel_open
        else:
            self.log_open = not self.log_open

    def _refit(self) -> None:
        self.camera = self.camera.refitted(self.table, self.view, self.scale)
        self._fit_scale = Camera.fitting(self.table, self.view).scale

    def _draw_help(self) -> None:
        """Draw the sheet of keys over everything, with rebound keys last, if it is open."""
        if self.helping:
            moved = (
                bindings.rows(self._current_look.settings.keys, self.commands) if self._current_look is not None else ()
            )
            notices.help_sheet(self.surface, self.surface.get_size(), self.scale, self._key_rows + moved)

    @property
    def _key_rows(self) -> tuple[tuple[str, str], ...]:
        """The rows of the sheet of keys, without what the battle's rules have no answer for."""
        shown = {f"overlay:{overlay}" for overlay in self.controller.model.offered}
        missing = {c.name for c in self.commands.commands if c.group == "overlays" and c.word not in shown}
        return self.commands.sheet(missing if self.has_sight else {*missing, "sight"})

    def _resize(self) -> None:
        self.surface = pygame.display.get_surface() or self.surface
        self.panel.resized(self.surface.get_size())
        self._arrange()
        self._refit()

    # --- events ------------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Pass an event to the panel, or to the table."""
        if event.type == pygame.VIDEORESIZE:
            self._resize()
            return
        if self.panel_page is not None and event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.panel_page = None
            return
        word = self.panel.handle(event)
        if word is not None and word != "taken":
            self.pressed(word)
            return
        if self._on_legend(event):
            return
        at = getattr(event, "pos", None)
        if at is not None and self.panel.covers(at) and self.table_input.press is None:
            self.table_input.cursor = self._on_table(event).pos
            return
        if self._on_locator(event):
            return
        if word != "taken":
            self.table_input.handle(self._on_table(event))

    def _on_table(self, event: pygame.event.Event) -> pygame.event.Event:
        """Return an event with its position counted from the table's own corner."""
        if not hasattr(event, "pos"):
            return event
        left, top = self.panel.table_rect.topleft
        moved = {**event.dict, "pos": (event.pos[0] - left, event.pos[1] - top)}
        return pygame.event.Event(event.type, moved)

    def _on_locator(self, event: pygame.event.Event) -> bool:
        """Move the camera to the point clicked on the locator; return whether one was."""
        if event.type != pygame.MOUSEBUTTONDOWN or event.button != 1:
            return False
        point = self.locator.meant(self._on_table(event).pos, self.controller.model.battle)
        if point is None:
            return False
        x, y = self.camera.to_screen(point)
        self.pan(self.camera.width / 2 - x, self.camera.height / 2 - y)
        return True

    def _on_legend(self, event: pygame.event.Event) -> bool:
        """Let the legend handle an event over it: a click closes it, the wheel scrolls it."""
        place, (left, top) = self.panel.layout.legend, self.panel.table_rect.topleft
        if not self.legend.open:
            return False
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and place.collidepoint(event.pos):
            self.legend.turn()
            return True
        if event.type == pygame.MOUSEWHEEL and place.collidepoint(
            self.table_input.cursor[0] + left, self.table_input.cursor[1] + top
        ):
            self.legend.scroll(-event.y)
            return True
        return False

    def pressed(self, word: str) -> None:
        """Run the action of a button's word."""
        self.commands.press(self, word)

    def _help(self, _: object = None) -> None:
        self.helping = not self.helping

    def _show_rule(self, id: str) -> None:  # noqa: A002 - the files' own word
        """Open the page of a rule."""
        self.panel_page = rule_page(self.controller.model.battle, id) or self.panel_page

    def _put_away(self, _: object = None) -> None:
        self.panel_page = None

    def _tool(self, value: str) -> None:
        if value != Tool.SIGHT or self.has_sight:
            self.controller.update(TakeTool(Tool(value)))

    def _toggle(self, value: str) -> None:
        self.controller.toggle(Overlay(value))

    def _escape(self) -> None:
        if self.helping:
            self.helping = False
        else:
            self.table_input.press = None
            self.controller.cancel()

    def _leave(self) -> None:
        self.going = Back()

    def _enter(self, shift: bool) -> None:
        self.table_input.enter(shift)

    def subject(self) -> Subject:
        """Return what can be exported: the table as shown, without a report."""
        return Subject(
            self.controller.model.battle, self.camera, self.canvas.drawings(self.controller.picture(), self.camera)
        )

    # --- the camera --------------------------------------------------------------------------------------------------

    def zoom(self, factor: float, pixel: tuple[int, int]) -> None:
        """Zoom about a pixel of the table."""
        self.look(self.camera.zoomed(factor, pixel, self._fit_scale).kept_on(self.table))

    def pan(self, right: float, down: float) -> None:
        """Move the table by a number of pixels."""
        self.look(self.camera.panned(right, down).kept_on(self.table))

    def fit(self) -> None:
        """Show the whole table."""
        self.look(Camera.fitting(self.table, self.view, density=self.scale))

    def look(self, camera: Camera) -> None:
        """Use the camera the player chose."""
        self.camera = camera


def _way(battle: Battle, action: str) -> tuple[str, str]:
    """Return the label and hint of a way of moving a unit."""
    return ("Free", "Put it anywhere, by no rule") if action == FREE else rule_set.find(battle.rules).way(action)
