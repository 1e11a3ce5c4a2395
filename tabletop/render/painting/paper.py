"""Drawing in design pixels on a part of the window, with the painter of the pictures."""

from __future__ import annotations

from collections.abc import Iterable

import pygame

from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.lettering import wrapped
from tabletop.render.drawing.primitives import Drawing, Frame, Item, Layer, Text
from tabletop.render.drawing.theme import colour
from tabletop.render.painting.painter import paint, within

#: Letter size, its row height; letter size of headings.
LETTERS, ROW, HEAD = 14.0, 19.0, 15.0

PAGE = Page(1.0, 0.0, 0.0)


def painted(surface: pygame.Surface, place: pygame.Rect, items: Iterable[Item], scale: float) -> None:
    """Paint items placed on ``PAGE``, in design pixels, on a part of the window."""
    part = within(surface, place)
    box = PAGE.box(0, 0, place.width / scale, place.height / scale)
    paint(part, Drawing((Layer("paper", tuple(items)),), box, 1.0), Frame(scale, 0.0, 0.0), scale)


def line(x: float, y: float, text: str, ink: str = "ink", face: str = "plain", size: float = LETTERS) -> Text:
    """Return one line of text, its left end at x, its middle at y, in an ink of the page."""
    return Text(PAGE.at(x, y), text, size, colour("page", ink), "bold" if face == "bold" else "plain", "start")


def block(text: str, room: float, most: int, size: float = LETTERS, face: str = "plain") -> list[str]:
    """Return a text in lines that fit, at most ``most``; a longer one ends in an ellipsis."""
    lines = wrapped(text, size, room, "bold" if face == "bold" else "plain")
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], lines[most - 1].rsplit(" ", 1)[0] + " …"] if most > 0 else []
