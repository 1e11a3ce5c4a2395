"""Drawing of pages: paper, letters and pictures on a surface, with all lengths in design pixels."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import pygame

from tabletop.render.drawing.lettering import shortened, wrapped
from tabletop.render.drawing.primitives import Face
from tabletop.render.drawing.theme import colour
from tabletop.render.painting.painter import font

Place = tuple[float, float, float, float]
Align = Literal["left", "middle", "right"]
#: Height of a line of text over its letter size.
LINE = 1.42
#: Corners are drawn this many times larger and shrunk.
FINE = 4


@lru_cache(maxsize=512)
def _lettered(text: str, face: Face, size: int, ink: str) -> pygame.Surface:
    return font(face, size).render(text, True, ink)


@lru_cache(maxsize=256)
def _corners(radius: int, fill: str, edge: str, line: int) -> tuple[pygame.Surface, ...]:
    """Return the four smooth corners of a sheet: upper left, upper right, lower left, lower right."""
    if radius < 1:
        return ()
    size = 2 * radius * FINE
    ring = pygame.Surface((size, size), pygame.SRCALPHA)
    ring.fill((*pygame.Color(fill or edge)[:3], 0))
    middle, reach = (size // 2, size // 2), size // 2
    if fill:
        pygame.draw.circle(ring, fill, middle, reach)
    if edge:
        pygame.draw.circle(ring, edge, middle, reach, line * FINE)
    whole = pygame.transform.smoothscale(ring, (2 * radius, 2 * radius))
    places = ((0, 0), (radius, 0), (0, radius), (radius, radius))
    return tuple(whole.subsurface((*place, radius, radius)).copy() for place in places)


def ink(name: str) -> str:
    """Return a colour of the pages: one of their own, else one of the drawings."""
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
        """Draw a sheet; ``fill`` and ``edge`` are names of colours, "" for none."""
        rect, line = self.rect(place), max(1, round(border * self.scale)) if edge else 0
        if rect.width < 1 or rect.height < 1:
            return
        if radius <= 1 and not edge:
            pygame.draw.rect(self.surface, ink(fill), rect)
            return
        round_ = min(round(radius * self.scale), rect.width // 2, rect.height // 2)
        corners = _corners(round_, ink(fill) if fill else "", ink(edge) if edge else "", line)
        self._straight(rect, round_, fill, edge, line)
        for number, corner in enumerate(corners):
            x = rect.left if number in (0, 2) else rect.right - round_
            y = rect.top if number in (0, 1) else rect.bottom - round_
            self.surface.blit(corner, (x, y))

    def _straight(self, rect: pygame.Rect, round_: int, fill: str, edge: str, line: int) -> None:
        """Draw the parts of a sheet between its corners."""
        upright = pygame.Rect(rect.left + round_, rect.top, max(0, rect.width - 2 * round_), rect.height)
        across = pygame.Rect(rect.left, rect.top + round_, rect.width, max(0, rect.height - 2 * round_))
        if fill:
            pygame.draw.rect(self.surface, ink(fill), upright)
            pygame.draw.rect(self.surface, ink(fill), across)
        if edge:
            for bar in (
                (upright.left, rect.top, upright.width, line),
                (upright.left, rect.bottom - line, upright.width, line),
                (rect.left, across.top, line, across.height),
                (rect.right - line, across.top, line, across.height),
            ):
                pygame.draw.rect(self.surface, ink(edge), bar)

    def shade(self, place: Place, opacity: float, radius: float = 6) -> None:
        """Darken a place by a share."""
        rect = self.rect(place)
        if rect.width < 1 or rect.height < 1:
            return
        sheet = pygame.Surface(rect.size, pygame.SRCALPHA)
        pygame.draw.rect(
            sheet, (20, 14, 8, round(255 * opacity)), sheet.get_rect(), border_radius=round(radius * self.scale)
        )
        self.surface.blit(sheet, rect)

    def line(
        self, text: str, x: float, y: float, room: float, size: float = 15, face: Face = "plain", fill: str = "ink",
        align: Align = "left",
    ) -> None:  # fmt: skip
        """Draw one line of text, cut if it is longer than ``room``; ``y`` is its vertical centre."""
        fitted = shortened(text, size, room, face)
        if not fitted:
            return
        sheet = _lettered(fitted, face, round(size * self.scale), ink(fill))
        shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * sheet.get_width()
        self.surface.blit(sheet, (round(x * self.scale - shift), round(y * self.scale - sheet.get_height() / 2)))

    def lines(
        self, text: str, place: Place, size: float = 15, fill: str = "ink", face: Face = "plain",
        most: int | None = None,
    ) -> None:  # fmt: skip
        """Draw a text in as many lines as there is room for, with the last one cut."""
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
        """Draw a picture centred and as large as it fits into a place; return its rectangle."""
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
    """Return a picture at a size; the last few are cached."""
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
    """Return the height of a text set ``wide``."""
    return len(wrapped(text, size, wide, face)) * size * LINE
