"""The room around the table: its floor, and the table with a battle on it."""

from __future__ import annotations

from functools import lru_cache

import pygame

from tabletop.render.drawing.theme import colour, current_palette
from tabletop.render.widgets.pages.brush import Brush, Place, ink

#: Width of a plank, and of the table's rim, in design pixels.
PLANK, RIM = 96, 14
#: Floors cached: of the start screen and of the table.
MOST = 3


def floor(surface: pygame.Surface, scale: float) -> None:
    """Draw the floor."""
    surface.blit(_planks(surface.get_size(), scale, current_palette()), (0, 0))


def floor_and_table(brush: Brush, top: Place) -> Place:
    """Draw the floor and a table on it without what lies on its top, and return the place of the whole table."""
    surface = brush.surface
    surface.blit(_floor_and_table(surface.get_size(), brush.scale, current_palette(), top), (0, 0))
    return _whole(top)


@lru_cache(1)  # most frames have the table of the frame before, and the shadow of a whole table is slow to draw
def _floor_and_table(size: tuple[int, int], scale: float, palette: str, top: Place) -> pygame.Surface:
    made = _planks(size, scale, palette).copy()
    _rim(Brush(made, scale), top)
    return made


@lru_cache(MOST)
def _planks(size: tuple[int, int], scale: float, palette: str) -> pygame.Surface:
    """Return a floor of planks in different shades, with staggered ends, in the colours of the palette in use."""
    made = pygame.Surface(size)
    made.fill(ink("floor"))
    base, step = pygame.Color(ink("floor")), max(8, round(PLANK * scale))
    for number, top in enumerate(range(0, size[1], step)):
        shade = ((number * 37) % 11 - 5) / 160
        tone = base.lerp(pygame.Color("#000000") if shade < 0 else pygame.Color("#ffffff"), abs(shade))
        pygame.draw.rect(made, tone, (0, top, size[0], step))
        pygame.draw.line(made, ink("plank"), (0, top), (size[0], top), max(1, round(2 * scale)))
        long = 7 * step
        for left in range((number * 3 * step) % long - long, size[0], long):
            pygame.draw.line(made, ink("plank"), (left, top), (left, top + step), max(1, round(1.5 * scale)))
    return made


def table(brush: Brush, picture: pygame.Surface, place: Place) -> Place:
    """Draw the floor and a table with a picture on it, as large as fits, and return the table's place."""
    left, top, wide, high = place
    rect = brush.rect((left + RIM, top + RIM, wide - 2 * RIM, high - 2 * RIM))
    share = min(rect.width / picture.get_width(), rect.height / picture.get_height())
    size = (picture.get_width() * share / brush.scale, picture.get_height() * share / brush.scale)
    x, y = left + (wide - size[0]) / 2, top + (high - size[1]) / 2
    lies = floor_and_table(brush, (x, y, *size))
    brush.picture(picture, (x, y, *size))
    return lies


def _whole(top: Place) -> Place:
    """Return the place of a table with its rim, from the place of its top."""
    x, y, wide, high = top
    return (x - RIM, y - RIM, wide + 2 * RIM, high + 2 * RIM)


def _rim(brush: Brush, top: Place) -> None:
    """Draw the rim and the shadow of a table around its top."""
    x, y, wide, high = top
    lies = _whole(top)
    for spread, opacity in ((14, 0.12), (9, 0.14), (5, 0.16)):
        brush.shade(
            (lies[0] - spread + 4, lies[1] - spread + 8, lies[2] + 2 * spread, lies[3] + 2 * spread), opacity, 16
        )
    brush.paper(lies, "rim", "rim_edge", 6, 1.5)
    brush.paper((x - 2, y - 2, wide + 4, high + 4), "rim_edge", radius=1)


def under(surface: pygame.Surface, scale: float, top: tuple[float, float, float, float]) -> None:
    """Draw floor and table without what is on it; ``top`` is the place of the table's top, in pixels of the surface."""
    floor(surface, scale)
    out = round(4 * RIM * scale)
    place = pygame.Rect([round(n) for n in top]).clip(surface.get_rect().inflate(2 * out, 2 * out))
    x, y, wide, high = (n / scale for n in place)
    _rim(Brush(surface, scale), (x, y, wide, high))
    pygame.draw.rect(surface, colour("ground", "field"), place)
