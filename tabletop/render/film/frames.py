"""The pictures of a film: the table with the action on it, above a strip of text. Needs no display."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pygame

from tabletop.battle.naming import side_name
from tabletop.play.environment import noun
from tabletop.render.drawing import scene
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.lettering import shortened
from tabletop.render.drawing.objectives import objective_layer
from tabletop.render.drawing.primitives import Drawing, Frame, Item, Layer, Text
from tabletop.render.drawing.theme import colour, side_styles
from tabletop.render.events import marks, telling
from tabletop.render.events.reel import Moment, Reel
from tabletop.render.events.traces import Traces
from tabletop.render.film.shots import Shot
from tabletop.render.painting.painter import paint, shrunk
from tabletop.render.painting.paper import block

#: Pixels: the strip under the table, its margins, the width for losses, letters, the height of its rows.
STRIP, PAD, LOSSES, LETTERS, ROW = 104, 14.0, 262.0, 15.0, 21.0
#: Letter size of names on the table; factor by which pictures are painted larger and then shrunk.
NAMES, FINE = 14.0, 2
#: Minimum and maximum width of a film in pixels.
NARROWEST, WIDEST = 320, 1920


@dataclass
class Studio:
    """Paints the pictures of one battle at one width; the ground is painted once."""

    reel: Reel
    wide: int

    def __post_init__(self) -> None:
        table = self.reel.opening.table
        self.scale = self.wide / table.width
        self.high = round(table.height * self.scale)
        self.high += (self.high + STRIP) % 2  # some viewers need even numbers
        self._ground = pygame.Surface((self.wide * FINE, self.high * FINE))
        self._ground.fill(colour("page", "paper"))
        self._paint(self._ground, scene.terrain_layer(self.reel.opening))
        self._traces = Traces()
        self._bases = {side: telling.bases(self.reel.opening, side) for side in self.reel.sides}

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of every picture."""
        return self.wide, self.high + STRIP

    def picture(self, shot: Shot) -> pygame.Surface:
        """Return one picture."""
        moment = self.reel.moments[shot.n]
        sheet = pygame.Surface(self.size)
        sheet.blit(self._table(moment, shot.share), (0, 0))
        strip = Drawing((Layer("strip", tuple(self._strip(moment, shot.share))),), (0, -STRIP, self.wide, 0), 1.0)
        place = sheet.subsurface((0, self.high, self.wide, STRIP))
        place.fill(colour("page", "panel"))
        pygame.draw.line(place, colour("page", "ink"), (0, 0), (self.wide, 0))
        paint(place, strip, Frame.of(strip))
        return sheet

    # --- the table ---------------------------------------------------------------------------------------------------

    def _table(self, moment: Moment, share: float) -> pygame.Surface:
        canvas = self._ground.copy()
        for drawing in self._drawings(moment, share):
            self._paint(canvas, drawing)
        return shrunk(canvas, FINE)

    def _paint(self, canvas: pygame.Surface, drawing: Drawing) -> None:
        height = self.reel.opening.table.height
        paint(canvas, drawing, Frame(self.scale * FINE, 0.0, height), FINE, smooth=False)

    def _drawings(self, moment: Moment, share: float) -> Iterator[Drawing]:
        seen = moment.act.seen(share)
        battle, mover = seen.battle, seen.mover
        whole = (0.0, 0.0, battle.table.width, battle.table.height)
        yield Drawing((objective_layer(battle),), whole, self.scale)
        left = self._traces.seen_in(self.reel, moment, seen)
        yield scene.unit_layer(battle, () if mover is None else (mover.id,), traces=left)
        if mover is not None:
            yield scene.unit_layer(seen.with_mover, only=(mover.id,))
        yield scene.name_layer(battle, self.scale, size=NAMES)
        beats = moment.act.beats
        layer = marks.done(beats, self.scale) if seen.beat is None else marks.doing(beats, seen, self.scale)
        yield Drawing((layer,), whole, self.scale)

    # --- the strip ---------------------------------------------------------------------------------------------------

    def _strip(self, moment: Moment, share: float) -> Iterator[Item]:
        page, ink, quiet = Page(1.0, 0.0, 0.0), colour("page", "ink"), colour("page", "quiet")
        room = self.wide - 2 * PAD - (LOSSES + PAD if self._roomy else 0.0)
        head = shortened(self._head(moment), LETTERS, room, "bold")
        yield Text(page.at(PAD, 18.0), head, LETTERS, ink, "bold", "start")
        for k, line in enumerate(block(self._story(moment), room, 3, LETTERS)):
            yield Text(page.at(PAD, 42.0 + ROW * k), line, LETTERS, ink, "plain", "start")
        if self._roomy:
            counted = moment if share >= 1.0 or moment.n == 0 else self.reel.moments[moment.n - 1]
            yield from self._losses(counted, page, quiet)

    @property
    def _roomy(self) -> bool:
        return self.wide >= 2.4 * LOSSES

    def _head(self, moment: Moment) -> str:
        if moment.n == 0:
            return self.reel.header.title
        return f"Turn {moment.turn}   ·   {telling.heading(moment)}"

    def _story(self, moment: Moment) -> str:
        if moment.n == 0:
            return f"{telling.armies(self.reel.sides)}. {moment.text}"
        end = telling.result(moment)
        return f"{end} {moment.text.replace(end, '')}".strip() if end else moment.text

    def _losses(self, moment: Moment, page: Page, quiet: str) -> Iterator[Item]:
        styles, left = side_styles(self.reel.sides), self.wide - PAD - LOSSES
        yield Text(page.at(left, 18.0), "Lost so far", LETTERS, quiet, "plain", "start")
        for k, side in enumerate(self.reel.sides):
            y = 42.0 + ROW * k
            yield page.panel(left, y - 7, left + 14, y + 7, styles[side].fill)
            words = f"{side_name(side)} {telling.lost(moment.tally, side, self._bases[side], noun(moment.battle))}"
            fitted = shortened(words, LETTERS, LOSSES - 22)
            yield Text(page.at(left + 22, y), fitted, LETTERS, colour("page", "ink"), anchor="start")
