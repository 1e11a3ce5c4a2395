"""Spots: the things on a page, each with the word it sends when pressed and the function that draws it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pygame

from tabletop.render.drawing.primitives import Face
from tabletop.render.widgets.pages.brush import Align, Brush, Place, height_of


@dataclass(frozen=True)
class State:
    """The state of a spot: under the cursor, held down by the mouse, focused by key."""

    hovered: bool = False
    held: bool = False
    focused: bool = False


Draw = Callable[[Brush, Place, State], None]


@dataclass(frozen=True)
class Spot:
    """A thing on a page. Without a ``word`` it cannot be pressed; ``fixed`` ones do not scroll with the rest.

    ``typed`` marks a line to type in; on ``light`` ones Space presses and Enter does what is usual on the page.
    """

    place: Place
    draw: Draw
    word: str = ""
    hint: str = ""
    open: bool = True
    fixed: bool = False
    typed: bool = False
    light: bool = False

    @property
    def live(self) -> bool:
        """True when it can be pressed."""
        return bool(self.word) and self.open

    def moved(self, down: float) -> Spot:
        """Return it moved down by ``down``."""
        left, top, wide, high = self.place
        return replace(self, place=(left, top + down, wide, high))

    def placed(self, place: Place) -> Spot:
        """Return it at another place."""
        return replace(self, place=place)


# --- common spots ----------------------------------------------------------------------------------------------------


def button(label: str, strong: bool = False, open_: bool = True, size: float = 15) -> Draw:
    """Return the function that draws a button; a ``strong`` one is the usual choice of its page."""

    def draw(brush: Brush, place: Place, state: State) -> None:
        left, top, wide, high = place
        lit = state.hovered or state.focused
        kind = ("strong" if strong else "button") + ("_lit" if lit else "")
        fill, edge, ink = (kind, "strong_edge" if strong else "edge", "light" if strong else "ink")
        if not open_:
            fill, edge, ink = "shut", "shut_edge", "shut_ink"
        brush.paper(place, fill, edge)
        shift = 1.0 if state.held else 0.0
        face: Face = "bold" if strong else "plain"
        brush.line(label, left + wide / 2, top + high / 2 + shift, wide - 12, size, face, ink, "middle")

    return draw


#: Width that a choice's label leaves for the ring beside it.
BESIDE = 36.0


def radio(label: str, on: bool) -> Draw:
    """Return the function that draws one of several choices: a ring, filled if it is chosen.

    A label longer than its place wraps to a second line if the place is high enough.
    """

    def draw(brush: Brush, place: Place, state: State) -> None:
        left, top, wide, high = place
        if state.hovered or state.focused:
            brush.paper(place, "button_lit")
        centre = brush.rect((left + 14, top + high / 2, 0, 0)).topleft
        pygame.draw.circle(brush.surface, "#fffdf7", centre, round(7 * brush.scale))
        pygame.draw.circle(brush.surface, "#5d5548", centre, round(7 * brush.scale), max(1, round(1.5 * brush.scale)))
        if on:
            pygame.draw.circle(brush.surface, "#3f5a73", centre, round(4 * brush.scale))
        face: Face = "bold" if on else "plain"
        tall = min(high, height_of(label, wide - BESIDE, 15, face))
        brush.lines(label, (left + 30, top + (high - tall) / 2, wide - BESIDE, tall), 15, "ink", face)

    return draw


def words(text: str, size: float = 15, face: Face = "plain", ink: str = "ink", align: Align = "left") -> Draw:
    """Return the function that draws one line of text."""

    def draw(brush: Brush, place: Place, _: State) -> None:
        left, top, wide, high = place
        x = {"left": left, "middle": left + wide / 2, "right": left + wide}[align]
        brush.line(text, x, top + high / 2, wide, size, face, ink, align)

    return draw


def text(wording: str, size: float = 15, ink: str = "ink") -> Draw:
    """Return the function that draws a text of several lines."""
    return lambda brush, place, _: brush.lines(wording, place, size, ink)


def sheet(fill: str = "panel", edge: str = "panel_edge", radius: float = 8) -> Draw:
    """Return the function that draws a plain sheet of paper."""
    return lambda brush, place, _: brush.paper(place, fill, edge, radius)


def nearest(spots: Sequence[Spot], here: Spot, right: int, down: int) -> Spot | None:
    """Return the spot an arrow key leads to: the nearest in that direction, with sideways distance counting double."""

    def cost(spot: Spot) -> float | None:
        a, b = here.place, spot.place
        dx, dy = (b[0] + b[2] / 2) - (a[0] + a[2] / 2), (b[1] + b[3] / 2) - (a[1] + a[3] / 2)
        along, aside = (dx * right, dy) if right else (dy * down, dx)
        gap = (
            max(b[0] - a[0] - a[2], a[0] - b[0] - b[2], 0.0)
            if down
            else max(b[1] - a[1] - a[3], a[1] - b[1] - b[3], 0.0)
        )
        return along + 2 * gap + 0.2 * abs(aside) if along > 4 else None

    candidates = [
        (c, n) for n, spot in enumerate(spots) if spot.live and spot is not here and (c := cost(spot)) is not None
    ]
    return spots[min(candidates)[1]] if candidates else None
