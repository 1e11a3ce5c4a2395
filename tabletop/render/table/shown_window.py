"""One frame of the window on a battle: the desk listens, table, panel and notices are drawn. ``step`` is one frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pygame

from tabletop.battle.battle import Battle
from tabletop.play.workers.judge_worker import AnyJudgeWorker
from tabletop.render.drawing.camera import Camera
from tabletop.render.screens import Going, Keep, Look
from tabletop.render.settings.model import Overlay
from tabletop.render.table import bindings, captions, legend, notices, plans
from tabletop.render.table.canvas import Canvas
from tabletop.render.table.commands import TABLE, TABLES
from tabletop.render.table.desk import Desk
from tabletop.render.table.locator_view import Locator
from tabletop.render.table.model import Note, TableModel
from tabletop.render.table.panel import Key, Panel
from tabletop.render.table.tools import FREE
from tabletop.render.widgets.command_table import CommandTable
from tabletop.render.widgets.panel_page import Leaf

#: What is said when the judge's process has ended.
GONE = "The judge's process has ended: nothing can be measured. Close the window and start the program again."

ACTION_LABELS = {
    "maneuver": "Maneuver",
    "march": "March",
    "deploy": "Deploy",
    "square": "Square",
    "general": "Ride",
    FREE: "Free",
}


@dataclass
class Press:
    """A mouse button held down: where it went down, and whether it has become a drag or a pan."""

    button: int
    at: tuple[int, int]
    moved: bool = False


class ShownWindow:
    """What one window on one battle shows, drawn on the display surface."""

    #: The commands it takes.
    commands: CommandTable = TABLES[TABLE]

    def __init__(self, battle: Battle, quick: AnyJudgeWorker, slow: AnyJudgeWorker, scale: float = 1.0) -> None:
        self.scale = scale
        self.surface = pygame.display.get_surface() or pygame.display.set_mode((1280, 800), pygame.RESIZABLE)
        self._overlays = plans.offered(battle.rules)
        self.legend = legend.Legend()
        self.panel_open = self.log_open = True
        self.table = (battle.table.width, battle.table.height)
        self.panel = self._panel_made()
        self.desk = self._desk_made(battle, quick, slow)
        self.canvas, self.locator = Canvas(), Locator()
        self.camera = Camera.fitting(self.table, self._view, density=self.scale)
        self._fit_scale = self.camera.scale
        self._press: Press | None = None
        self._cursor = (0, 0)
        self._find_way = False
        self.helping = False
        self.leaf: Leaf | None = None
        self.going: Going | None = None
        self._worn: Look | None = None

    def _panel_made(self) -> Panel:
        return Panel(self.surface.get_size(), self.scale, self._overlays, table=self.table)

    def _desk_made(self, battle: Battle, quick: AnyJudgeWorker, slow: AnyJudgeWorker) -> Desk:
        return Desk(TableModel(battle), quick, slow)

    @property
    def _view(self) -> tuple[int, int]:
        return self.panel.table_rect.size

    @property
    def table_surface(self) -> pygame.Surface | None:
        """The part of the window that shows the table; None where nothing of it can be seen."""
        place = self.panel.table_rect.clip(self.surface.get_rect())
        return self.surface.subsurface(place) if place.width and place.height else None

    def close(self) -> None:
        """Send the clerks home; be done with the panel."""
        self.desk.close()
        self.panel.close()

    # --- one frame ---------------------------------------------------------------------------------------------------

    def step(self, seconds: float) -> bool:
        """Show one frame of this screen alone; False when the window is to close."""
        events = pygame.event.get()
        if any(event.type == pygame.QUIT for event in events):
            return False
        self.frame(events, seconds)
        pygame.display.flip()
        return True

    def frame(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        """Handle what has happened and draw one frame."""
        for event in events:
            self._while_the_judge_lives(self.handle, event)
        self._while_the_judge_lives(self.desk.listen)
        self.panel.update(seconds)
        self.draw()
        # What came in while painting: the clerks need not wait a frame for their next errand.
        self._while_the_judge_lives(self.desk.listen)
        self._keep_shown()

    def shown(self, look: Look) -> None:
        """Fit the window as it is now; with other settings everything is painted anew."""
        if look != self._worn:
            self._worn, self.scale = look, look.scale
            self.panel.close()
            self.panel, self.canvas = self._panel_made(), Canvas()
            self.desk.show(Overlay(word) for word in look.settings.overlays)
            self.legend.open = look.settings.legend
            self.panel_open, self.log_open = look.settings.panel, look.settings.log
        self._resize()

    def _keep_shown(self) -> None:
        """Keep what the player wants to be shown, as he has just changed it, for the next time."""
        if self._worn is None or self.going is not None:
            return
        desk, kept = self.desk, self._worn.settings.overlays
        shown = (o for o in Overlay if (o in desk.model.overlays if o in self._overlays else o in kept))
        settings = self._worn.settings.changed(
            overlays=tuple(map(str, shown)), legend=self.legend.open, panel=self.panel_open, log=self.log_open
        )
        if settings != self._worn.settings:
            self._worn = Look(settings, self._worn.density)
            self.going = Keep(settings)

    def covered(self) -> None:
        """Let go of the pictures of the table."""
        self.canvas = Canvas()

    def _while_the_judge_lives(self, act: Callable[..., None], *what: Any) -> None:
        """Act; when the judge's process is no longer there, say so and go on showing the table."""
        try:
            act(*what)
        except OSError:
            self.desk.update(Note(GONE))

    def draw(self) -> None:
        """Draw the table and the panel."""
        self._arrange()
        table = self.table_surface
        if table is None:
            return
        self.canvas.draw(table, self.desk.picture(), self.camera)
        self.locator.draw(table, self.desk.model, self.camera)
        model = self.desk.model
        actions = [Key(f"action:{a}", ACTION_LABELS.get(a, a.capitalize()), _hint(a)) for a in self.desk.actions]
        pressed = self._pressed_words() | {f"action:{model.action}"}
        self.panel.show(captions.card(model), captions.proof(model), captions.status(model), actions, pressed)
        notices.working(table, captions.working(model), pygame.time.get_ticks(), self.scale)
        self._draw_round()

    def _pressed_words(self) -> set[str]:
        """Return the words of all buttons that are in."""
        model = self.desk.model
        found = {f"tool:{model.tool}", *(f"overlay:{overlay}" for overlay in model.overlays)}
        shown = {"help:": self.helping, "legend:": self.legend.open}
        shown |= {"part:panel": self.panel.parts.panel, "part:log": self.panel.parts.log}
        return found | {word for word, there in shown.items() if there}

    def _draw_round(self, *more: legend.Entry) -> None:
        """Draw what is docked round the table, then the sheet of keys if it is asked for."""
        self.panel.lay_leaf(self.leaf)
        self.panel.draw(self.surface)
        if self.legend.open:
            found = (*legend.entries(self.desk.model), *more)
            self.legend.draw(self.surface, self.panel.layout.legend, found, self.scale)
        self._draw_help()

    # --- what is docked ----------------------------------------------------------------------------------------------

    @property
    def _needs_panel(self) -> bool:
        """Whether the panel has to be there though it was put away: a page lies over it."""
        return self.leaf is not None

    def _arrange(self) -> None:
        """Dock what is to be seen, and fit the table into the rest."""
        panel = self.panel_open or self._needs_panel
        if self.panel.arrange(panel=panel, log=self.log_open, legend=self.legend.open):
            self._refit()

    def _part(self, name: str) -> None:
        """Put the panel or the log away, or bring it back."""
        if name == "panel":
            self.panel_open = not self.panel_open
        else:
            self.log_open = not self.log_open

    def _refit(self) -> None:
        self.camera = self.camera.refitted(self.table, self._view, self.scale)
        self._fit_scale = Camera.fitting(self.table, self._view).scale

    def _draw_help(self) -> None:
        """Lay the window's sheet of keys, those put elsewhere last, over everything, if it is asked for."""
        if self.helping:
            moved = bindings.rows(self._worn.settings.keys, self.commands) if self._worn is not None else ()
            notices.help_sheet(self.surface, self.surface.get_size(), self.scale, self.commands.sheet() + moved)

    def handle(self, event: pygame.event.Event) -> None:
        """Do what an event says: a window that is only looked at fits itself to its size."""
        if event.type == pygame.VIDEORESIZE:
            self._resize()

    def _resize(self) -> None:
        self.surface = pygame.display.get_surface() or self.surface
        self.panel.resized(self.surface.get_size())
        self._arrange()
        self._refit()


def _hint(action: str) -> str:
    hints = {
        "maneuver": "Assume maneuver column, any facing, and move",
        "march": "Assume march column and move; roads help",
        "deploy": "Form line: shift the reference base up to 1 in, turn with Q and E",
        "square": "Form square where it stands (infantry)",
        "general": "A general rides in any direction",
        FREE: "Put it anywhere, by no rule",
    }
    return hints.get(action, action)
