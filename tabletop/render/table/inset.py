"""A small side view of the sight line looked at, in a corner of the table clear of the line."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import SideView, Verdict
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.primitives import Frame
from tabletop.render.drawing.side_view import side_view
from tabletop.render.drawing.theme import colour
from tabletop.render.painting.painter import paint
from tabletop.render.table.model import TableModel
from tabletop.render.widgets.docking import box_of, least_hiding

#: Pixels: maximum width, height, minimum width; its share of the table's width; its distance from the table's corner.
WIDTH, HEIGHT, NARROW, SHARE, AWAY = 520, 210, 340, 0.42, 12
#: The smallest table on which it is shown.
LEAST = (600, 420)

_kept: list[tuple[Verdict, tuple[int, int], float, bool, pygame.Surface]] = []


def looked_at(model: TableModel) -> Verdict | None:
    """Return the verdict whose sight line is looked at: that of the line laid, or of the enemy under the cursor.

    An enemy under the cursor over level, open ground needs no side view: it would only hide the table.
    """
    if model.stretch is not None:
        verdict = model.verdict("stretch")
        return verdict if verdict is not None and verdict.side_view is not None else None
    verdict = model.why
    return verdict if verdict is not None and verdict.side_view is not None and telling(verdict.side_view) else None


def telling(view: SideView) -> bool:
    """Return whether the ground along a line is anything but level and open."""
    levels = {view.eye, view.target, *(level for _, _, level in view.ground)}
    return len(levels) > 1 or bool(view.obstructions or view.shadows)


def draw(table: pygame.Surface, model: TableModel, camera: Camera) -> pygame.Rect | None:
    """Draw the side view of the line looked at; return its place, None if there is no view or no room."""
    return draw_view(table, looked_at(model), model.battle, camera)


def draw_view(table: pygame.Surface, verdict: Verdict | None, battle: Battle, camera: Camera) -> pygame.Rect | None:
    """Draw the side view of a verdict; return its place, None if it has no view or there is no room."""
    wide, high = (n / camera.density for n in table.get_size())
    if verdict is None or verdict.side_view is None or wide < LEAST[0] or high < LEAST[1]:
        return None
    ends = [camera.to_screen(verdict.side_view.start), camera.to_screen(verdict.side_view.end)]
    units = [box_of(unit, camera) for unit in battle.units]
    place = _free_corner(table.get_rect(), ends, units, camera.density)
    table.blit(picture(verdict, battle, place.size, camera.density), place)
    return place


def _free_corner(
    table: pygame.Rect, ends: Sequence[Point], units: Sequence[pygame.Rect], density: float
) -> pygame.Rect:
    """Return the inset's place: the corner, clear of the line, that hides least of the units."""
    wide = max(NARROW * density, min(WIDTH * density, SHARE * table.width))
    place, away = pygame.Rect(0, 0, round(wide), round(HEIGHT * density)), round(AWAY * density)
    inner = table.inflate(-2 * away, -2 * away)
    places = []
    for corner in ("bottomleft", "bottomright", "topright", "topleft"):
        setattr(place, corner, getattr(inner, corner))
        places.append(place.copy())
    a, b = ends
    free = [p for p in places if not p.inflate(40, 40).clipline(a, b)] or places[:1]
    return least_hiding(free, (), units)


def picture(
    verdict: Verdict, battle: Battle, size: tuple[int, int], density: float, framed: bool = True
) -> pygame.Surface:
    """Return the side view of a verdict painted in ``size`` pixels; the last one is cached."""
    if not _kept or _kept[0][0] is not verdict or _kept[0][1:4] != (size, density, framed):
        sheet = pygame.Surface(size)
        sheet.fill(colour("page", "panel"))
        drawing = side_view(verdict, round(size[0] / density), round(size[1] / density), battle=battle)
        if drawing is not None:
            paint(sheet, drawing, Frame.of(drawing, density), density)
        if framed:
            pygame.draw.rect(sheet, colour("page", "panel_edge"), sheet.get_rect(), 1)
        _kept[:] = [(verdict, size, density, framed, sheet)]
    return _kept[0][4]
