"""The drawing of a replay: table, bar, what happened, losses, log and timeline."""

from __future__ import annotations

from dataclasses import replace

import pygame

from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.lettering import shortened, width
from tabletop.render.drawing.primitives import Item, Pen
from tabletop.render.drawing.theme import colour
from tabletop.render.events.reel import Reel
from tabletop.render.painting.painter import within
from tabletop.render.painting.paper import LETTERS, PAGE, line, painted
from tabletop.render.replay import side
from tabletop.render.replay.commands import TABLE
from tabletop.render.replay.log import Entry, Log
from tabletop.render.replay.places import Places
from tabletop.render.replay.playhead import Playhead
from tabletop.render.replay.stage import Stage
from tabletop.render.replay.timeline import Rail
from tabletop.render.table import notices
from tabletop.render.table.pointing import unit_at
from tabletop.render.widgets.controls import Widgets


class View:
    """What a replay shows; the screen handles the events."""

    #: The commands of a replay.
    commands = TABLE

    def __init__(self, shown: Reel, head: Playhead, scale: float) -> None:
        self.reel, self.head, self.scale = shown, head, scale
        self.notice = ""
        self.helping = False
        #: The rows about rebound keys in the sheet of keys.
        self.moved: tuple[tuple[str, str], ...] = ()
        self.surface = pygame.display.get_surface() or pygame.display.set_mode((1280, 800), pygame.RESIZABLE)
        self.stage = Stage(shown.opening)
        self.table = (shown.opening.table.width, shown.opening.table.height)
        self.widgets = Widgets(self.surface.get_size(), scale)
        self._placed()
        self.camera = Camera.fitting(self.table, self.places.table.size, density=scale)
        self.cursor = (0, 0)
        self.held = False
        self.keys_from = 0.0
        self._shown_line = -1

    def _placed(self) -> None:
        """Lay everything out for the present window size."""
        self.places = Places(self.surface.get_size(), self.scale, side.losses_high(self.reel))
        place = self.places.log
        self.log = Log(self.reel, place.width / self.scale, place.height / self.scale)
        self.log.grow()
        self._shown_line = -1

    def fit(self, scale: float) -> None:
        """Adapt to a window that may have another size or scale."""
        self.surface = pygame.display.get_surface() or self.surface
        if scale != self.scale:
            self.scale, self.camera = scale, replace(self.camera, density=scale)
            self.widgets.close()
            self.widgets = Widgets(self.surface.get_size(), scale)
        self.widgets.resized(self.surface.get_size())
        self._placed()
        self.camera = self.camera.resized(self.places.table.size)

    @property
    def rail(self) -> Rail:
        """The timeline for the present window width."""
        return Rail(self.reel, self.places.rail.width / self.scale)

    def on_table(self, pixel: tuple[int, int]) -> tuple[int, int]:
        """Convert a pixel of the window to one of the table's surface."""
        left, top = self.places.table.topleft
        return pixel[0] - left, pixel[1] - top

    def entry_at(self, pixel: tuple[int, int]) -> Entry | None:
        """Return the entry of the log under a pixel."""
        place = self.places.log
        return self.log.at((pixel[1] - place.top) / self.scale) if place.collidepoint(pixel) else None

    def rule_at(self, pixel: tuple[int, int]) -> str:
        """Return the rule whose id is under a pixel, "" if none."""
        place = self.places.story
        if not place.collidepoint(pixel):
            return ""
        x, y = (pixel[0] - place.left) / self.scale, (pixel[1] - place.top) / self.scale
        wide, high = self.places.panel.width / self.scale, place.height / self.scale
        return side.rule_at(self.head.moment, self.reel, wide, high, x, y)

    def draw(self) -> None:
        """Draw table, bar, panel and rail."""
        surface, places = self.surface, self.places
        table = within(surface, places.table)
        if table.get_width() and table.get_height():
            self.stage.draw(table, self.head, self.camera)
        self._draw_card()
        for place in (places.bar, places.panel, places.foot):
            pygame.draw.rect(surface, colour("page", "panel"), place)
        self._draw_bar()
        self._draw_panel()
        self._draw_rail()
        self._draw_edges()
        self.widgets.draw(surface)
        if self.helping:
            notices.help_sheet(surface, surface.get_size(), self.scale, (*self.commands.sheet(), *self.moved))
        if self.notice:
            notices.word(surface, self.notice, self.scale)

    def _draw_edges(self) -> None:
        edge, thick = colour("page", "panel_edge"), max(1, round(self.scale))
        places = self.places
        pygame.draw.line(self.surface, edge, places.bar.bottomleft, places.bar.bottomright, thick)
        pygame.draw.line(self.surface, edge, places.panel.topleft, places.panel.bottomleft, thick)
        pygame.draw.line(self.surface, edge, places.foot.topleft, places.foot.topright, thick)
        for place in (places.losses, places.log):
            pygame.draw.line(self.surface, edge, place.topleft, place.topright, thick)

    def _draw_bar(self) -> None:
        title = self.reel.header.title or "The battle"
        left = 16.0 + width("Replay", 17.0, "bold") + 14.0
        room = max(10.0, self.keys_from - left - 12.0)
        middle = self.places.bar.height / self.scale / 2
        items = [
            line(16.0, middle, "Replay", "quiet", "bold", 17.0),
            line(left, middle, shortened(title, 17.0, room, "bold"), "ink", "bold", 17.0),
        ]
        painted(self.surface, self.places.bar, items, self.scale)

    def _draw_panel(self) -> None:
        places, moment = self.places, self.head.moment
        wide = places.panel.width / self.scale
        story = side.happened(moment, self.reel, wide, places.story.height / self.scale)
        painted(self.surface, places.story, story, self.scale)
        counted = moment if self.head.share >= 1.0 or moment.n == 0 else self.reel.moments[moment.n - 1]
        painted(self.surface, places.losses, side.losses(counted, self.reel, wide), self.scale)
        if self.head.at != self._shown_line:
            self._shown_line = self.head.at
            self.log.show(self.head.at)
        painted(self.surface, places.log, self.log.items(self.head.at, self.entry_at(self.cursor)), self.scale)

    def _draw_rail(self) -> None:
        rail, place = self.rail, self.places.rail
        items: list[Item] = [*rail.still(), *rail.slide(self.head.at, self.head.playing)]
        if place.collidepoint(self.cursor) and not self.held:
            items += rail.pointed(rail.n_of((self.cursor[0] - place.left) / self.scale))
        painted(self.surface, place, items, self.scale)

    def _draw_card(self) -> None:
        """Describe the unit under the cursor on a plate in the table's lower corner."""
        text = self._carded()
        if not text:
            return
        table = self.places.table
        room = table.width / self.scale - 40.0
        fitted = shortened(text, LETTERS, room)
        wide, high = round((width(fitted, LETTERS) + 24) * self.scale), round(28 * self.scale)
        place = pygame.Rect(table.left + round(8 * self.scale), table.bottom - high - round(8 * self.scale), wide, high)
        items: list[Item] = [
            PAGE.panel(0.5, 0.5, wide / self.scale - 1, 27.0, colour("page", "panel"), Pen(colour("page", "ink"), 1.0)),
            line(12.0, 14.0, fitted),
        ]
        painted(self.surface, place, items, self.scale)

    def _carded(self) -> str:
        if not self.reel.whole:
            return f"Reading the battle: {self.reel.last} of {self.reel.length - 1} actions"
        if not self.places.table.collidepoint(self.cursor) or self.head.share < 1.0:
            return ""
        unit = unit_at(self.stage.picture.drawn, self.camera.to_table(self.on_table(self.cursor)))
        return "" if unit is None else side.card(unit, self.head.moment)
