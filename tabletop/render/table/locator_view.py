"""A small view of the whole table with the visible part framed; a click on it moves the camera there."""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point
from tabletop.render.drawing import sea
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.locator import locator_items, locator_size
from tabletop.render.drawing.primitives import Drawing, Frame, Layer
from tabletop.render.drawing.theme import colour, current_palette
from tabletop.render.painting.painter import paint
from tabletop.render.table.model import TableModel
from tabletop.render.widgets.docking import at_an_edge, box_of

#: Pixels: its maximum longer side, its margin, its distance from the table's edge; the smallest view it is shown in.
SIDE, PAD, AWAY, LEAST = 150.0, 4.0, 10.0, 300.0


@dataclass
class Locator:
    """The locator: its rectangle on the table's surface, None while it is hidden."""

    place: pygame.Rect | None = None
    _kept: tuple[Battle, Camera, str, pygame.Surface] | None = field(default=None, repr=False)

    def draw(self, table: pygame.Surface, model: TableModel, camera: Camera) -> None:
        """Draw it at the edge where it hides neither the wind, the selected unit nor the one under the cursor, and few
        others."""
        if _all_in_sight(model.battle, camera) or min(table.get_size()) < LEAST * camera.density:
            self.place = None
            return
        kept = self._kept
        if kept is None or kept[0] is not model.battle or kept[1:3] != (camera, current_palette()):
            kept = self._kept = (model.battle, camera, current_palette(), _painted(model.battle, camera))
        away = round(2 * AWAY * camera.density)
        about = {model.selected, model.hovered}
        units = {unit.id: box_of(unit, camera) for unit in model.battle.units}
        subjects = [box for name, box in units.items() if name in about]
        if sea.wind_in_view(model.battle, camera.view, camera.drawn):
            side = round(2 * sea.CORNER * sea.IN_VIEW * camera.density)
            subjects.append(pygame.Rect(0, 0, side, side))
        others = [box for name, box in units.items() if name not in about]
        self.place = at_an_edge(kept[3].get_size(), table.get_rect().inflate(-away, -away), subjects, others)
        table.blit(kept[3], self.place)

    def meant(self, pixel: tuple[int, int], battle: Battle) -> Point | None:
        """Return the point of the table shown at a pixel of the locator; None outside it."""
        if self.place is None or not self.place.collidepoint(pixel):
            return None
        x, y = (pixel[0] - self.place.left) / self.place.width, (pixel[1] - self.place.top) / self.place.height
        return x * battle.table.width, (1.0 - y) * battle.table.height


def _all_in_sight(battle: Battle, camera: Camera) -> bool:
    """Return whether the whole table is visible."""
    (left, top), (right, bottom) = (
        camera.to_screen((0.0, battle.table.height)),
        camera.to_screen((battle.table.width, 0.0)),
    )
    return left >= -1 and top >= -1 and right <= camera.width + 1 and bottom <= camera.height + 1


def _painted(battle: Battle, camera: Camera) -> pygame.Surface:
    wide, high = locator_size(battle, SIDE, SIDE)
    (west, north), (east, south) = camera.to_table((0, 0)), camera.to_table((camera.width, camera.height))
    table = battle.table
    part = max(0.0, west), max(0.0, south), min(table.width, east), min(table.height, north)
    page, density = Page(1.0, 0.0, 0.0), camera.density
    size = round((wide + 2 * PAD) * density), round((high + 2 * PAD) * density)
    sheet = pygame.Surface(size)
    sheet.fill(colour("page", "panel"))
    items = tuple(locator_items(battle, part, page, (PAD, PAD, PAD + wide, PAD + high)))
    box = page.box(0, 0, wide + 2 * PAD, high + 2 * PAD)
    paint(sheet, Drawing((Layer("locator", items),), box, 1.0), Frame(density, 0.0, 0.0), density)
    pygame.draw.rect(sheet, colour("page", "ink"), sheet.get_rect(), max(1, round(density)))
    return sheet
