"""A small view, in a corner of the table, of the table as it was at a line of the log: "Turn 3, then"."""

from __future__ import annotations

import pygame

from tabletop.battle.battle import Battle
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.tokens import LOOK, TRACE
from tabletop.render.drawing import scene
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.primitives import Circle, Drawing, Frame, Item, Layer, Lines, Pen, Text
from tabletop.render.drawing.theme import colour
from tabletop.render.events import log_lines
from tabletop.render.events.log_lines import Line
from tabletop.render.painting.painter import paint
from tabletop.render.widgets.docking import at_an_edge, box_of, box_round

#: Pixels: the view's size, its heading, letters, the distance from the table's corner; the smallest table it fits on.
WIDE, HIGH, HEAD, LETTERS, AWAY, LEAST = 300, 200, 26, 14.0, 10, (520, 380)
#: The share of the table's longer side that it shows.
SHARE = 0.4
#: The area around the event's place, in table units, that the view must not cover.
RINGED = 1.5

_kept: list[tuple[Line, Battle, float, pygame.Surface]] = []


def draw(table: pygame.Surface, model: GameModel, camera: Camera) -> pygame.Rect | None:
    """Draw the past moment at an edge of the table, clear of its place on the table and of the selected unit."""
    density = camera.density
    line = model.chosen.looked_at
    if line is None or line.at is None or line.n >= len(model.record.steps):
        return None
    if table.get_width() < LEAST[0] * density or table.get_height() < LEAST[1] * density:
        return None
    after = model.record.steps[line.n].battle
    if not _kept or _kept[0][0] is not line or _kept[0][1] is not after or _kept[0][2] != density:
        _kept[:] = [(line, after, density, _painted(model, line, after, density))]
    sheet, inner = _kept[0][3], table.get_rect().inflate(-2 * round(AWAY * density), -2 * round(AWAY * density))
    units = {unit.id: box_of(unit, camera) for unit in model.table.battle.units}
    subjects = [
        box_round(line.at, RINGED, camera),
        *(box for name, box in units.items() if name == model.table.selected),
    ]
    place = at_an_edge(sheet.get_size(), inner, subjects, units.values())
    table.blit(sheet, place)
    return place


def _painted(model: GameModel, line: Line, after: Battle, density: float) -> pygame.Surface:
    size = (round(WIDE * density), round((HIGH + HEAD) * density))
    sheet = pygame.Surface(size)
    sheet.fill(colour("page", "panel"))
    assert line.at is not None
    view = sheet.subsurface(pygame.Rect(0, round(HEAD * density), size[0], size[1] - round(HEAD * density)))
    table, (x, y) = (after.table.width, after.table.height), line.at
    scale = max(view.get_width() / (SHARE * max(table)), view.get_width() / table[0])
    corner = (x - view.get_width() / scale / 2, y + view.get_height() / scale / 2)
    camera = Camera(scale, *corner, *view.get_size(), density)
    view.fill(colour("page", "paper"))
    for drawing in (scene.terrain_layer(after, wait=False), scene.unit_layer(after)):
        paint(view, drawing, camera, density)
    ways = [trace.way for trace in log_lines.traces(model.record.steps[line.n])]
    items: list[Item] = [Lines(tuple(ways), Pen(TRACE, 2.5, dash=(4.0, 2.0)))]
    items.append(Circle(line.at, 18.0, pen=Pen(LOOK, 3.0), pixels=True))
    paint(view, Drawing((Layer("then", tuple(items)),), (0.0, 0.0, 1.0, 1.0), camera.drawn), camera, density)
    page = Page(1.0, 0.0, 0.0)
    head = Text(page.at(8, HEAD / 2), f"Turn {line.turn}, then", LETTERS, colour("page", "ink"), "bold", "start")
    paint(sheet, Drawing((Layer("head", (head,)),), page.box(0, 0, WIDE, HEAD), 1.0), Frame(density, 0.0, 0.0), density)
    pygame.draw.rect(sheet, colour("page", "ink"), sheet.get_rect(), max(1, round(density)))
    return sheet
