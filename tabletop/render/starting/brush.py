"""How these screens are drawn: paper, letters and pictures on a surface, every length in pixels of the design."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import pygame

from tabletop.render.drawing import Face
from tabletop.render.lettering import shortened, wrapped
from tabletop.render.painter import font
from tabletop.render.theme import colour

Place = tuple[float, float, float, float]
Align = Literal["left", "middle", "right"]
#: Height of a line of text over its letter size.
LINE = 1.42


@lru_cache(maxsize=2048)
def _lettered(text: str, face: Face, size: int, ink: str) -> pygame.Surface:
    return font(face, size).render(text, True, ink)


def ink(name: str) -> str:
    """Return a colour of these screens: one of their own, else one of every page."""
    try:
        return colour("room", name)
    except KeyError:
        return colour("page", name)


class Brush:
    """Draws on a surface at a scale."""

    def __init__(self, surface: pygame.Surface, scale: float) -> None:
        self.surface = surface
        self.scale = scale

    def rect(self, place: Place) -> pygame.Rect:
        """Return a place in pixels of the window."""
        left, top, wide, high = place
        x, y = round(left * self.scale), round(top * self.scale)
        return pygame.Rect(x, y, round((left + wide) * self.scale) - x, round((top + high) * self.scale) - y)

    def paper(self, place: Place, fill: str, edge: str = "", radius: float = 6, border: float = 1) -> None:
        """Draw a sheet; ``fill`` and ``edge`` are names of colours, an empty one is left out."""
        rect, round_ = self.rect(place), round(radius * self.scale)
        if fill:
            pygame.draw.rect(self.surface, ink(fill), rect, border_radius=round_)
        if edge:
            pygame.draw.rect(self.surface, ink(edge), rect, max(1, round(border * self.scale)), border_radius=round_)

    def shade(self, place: Place, opacity: float, radius: float = 6) -> None:
        """Darken a place by a share."""
        rect = self.rect(place)
        sheet = pygame.Surface(rect.size, pygame.SRCALPHA)
        pygame.draw.rect(
            sheet, (20, 14, 8, round(255 * opacity)), sheet.get_rect(), border_radius=round(radius * self.scale)
        )
        self.surface.blit(sheet, rect)

    def line(
        self, text: str, x: float, y: float, room: float, size: float = 15, face: Face = "plain", fill: str = "ink",
        align: Align = "left",
    ) -> None:  # fmt: skip
        """Draw one line of text, cut where it is longer than ``room``; ``y`` is its middle."""
        said = shortened(text, size, room, face)
        if not said:
            return
        sheet = _lettered(said, face, round(size * self.scale), ink(fill))
        shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * sheet.get_width()
        self.surface.blit(sheet, (round(x * self.scale - shift), round(y * self.scale - sheet.get_height() / 2)))

    def lines(
        self, text: str, place: Place, size: float = 15, fill: str = "ink", face: Face = "plain",
        most: int | None = None,
    ) -> None:  # fmt: skip
        """Draw a text in as many lines as there is room for, the last one cut."""
        left, top, wide, high = place
        step = size * LINE
        rows = wrapped(text, size, wide, face)
        room = max(1, int(high / step + 0.05))
        room = room if most is None else min(room, most)
        if len(rows) > room:
            rows = [*rows[: room - 1], " ".join(rows[room - 1 :])]
        for number, row in enumerate(rows):
            self.line(row, left, top + (number + 0.5) * step, wide, size, face, fill)

    def picture(self, picture: pygame.Surface, place: Place) -> pygame.Rect:
        """Draw a picture as large as it fits into a place, in its middle; return where it lies."""
        rect = self.rect(place)
        wide, high = picture.get_size()
        share = min(rect.width / wide, rect.height / high)
        size = max(1, round(wide * share)), max(1, round(high * share))
        lies = pygame.Rect((0, 0), size)
        lies.center = rect.center
        self.surface.blit(_sized(picture, size), lies)
        return lies


_fitted: dict[tuple[int, tuple[int, int]], tuple[pygame.Surface, pygame.Surface]] = {}


def _sized(picture: pygame.Surface, size: tuple[int, int]) -> pygame.Surface:
    """Return a picture at a size; the last few are kept."""
    if picture.get_size() == size:
        return picture
    key = (id(picture), size)
    kept = _fitted.get(key)
    if kept is None or kept[0] is not picture:
        while len(_fitted) > 60:
            del _fitted[next(iter(_fitted))]
        kept = _fitted[key] = (picture, pygame.transform.smoothscale(picture, size))
    return kept[1]


def height_of(text: str, wide: float, size: float = 15, face: Face = "plain") -> float:
    """Return how high a text is when set ``wide``."""
    return len(wrapped(text, size, wide, face)) * size * LINE
