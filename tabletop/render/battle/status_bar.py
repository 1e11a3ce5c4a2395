"""The bar above the table: the turn, the side to move, dusk, mist and wind, the strength of both sides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pygame

from tabletop.play.environment import environment
from tabletop.render.battle import words
from tabletop.render.battle.game_model import GameModel
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.lettering import shortened, width
from tabletop.render.drawing.primitives import Drawing, Frame, Item, Layer, Text
from tabletop.render.drawing.theme import colour, side_styles
from tabletop.render.painting.painter import paint, within

#: Letter sizes of the turn, and of the mover and the strengths, in pixels.
HEAD, SMALL = 17.0, 14.0
#: Left margin in pixels.
LEFT = 20.0


@dataclass(frozen=True)
class Bar:
    """The bar's rectangle, the pixel ``right`` at which its keys begin, and the screen's density."""

    place: pygame.Rect
    right: int
    density: float = 1.0


def draw(surface: pygame.Surface, bar: Bar, model: GameModel, paused: bool = False) -> None:
    """Draw the bar, its texts left of its keys. ``paused``: the computer waits."""
    place, right, density = bar.place, bar.right, bar.density
    pygame.draw.rect(surface, colour("page", "panel"), place)
    pygame.draw.line(surface, colour("page", "panel_edge"), place.bottomleft, place.bottomright, round(density))
    side = model.facts.mover
    if side is not None:
        style = side_styles(model.table.battle.setup.sides)[side]
        pygame.draw.rect(surface, style.fill, (place.left, place.top, round(10 * density), place.height))
    room = _room(right, density)
    page = Page(1.0, 0.0, 0.0)
    items = tuple(_items(model, words.situation(model, paused), page, place.height / density, room))
    drawing = Drawing((_layer(items),), page.box(0, 0, place.width / density, place.height / density), 1.0)
    paint(within(surface, place), drawing, Frame(density, 0.0, 0.0), density)


@lru_cache(maxsize=2)
def _layer(items: tuple[Item, ...]) -> Layer:
    """Return the layer of some texts; cached so that its rendered text is reused."""
    return Layer("bar", items)


def counts(model: GameModel) -> tuple[str, ...]:
    """Return dusk, mist, wind and the counts, shorter and shorter: first without what is left to do, then details."""
    battle, to_do = model.table.battle, words.to_do(model)
    around = environment(battle)
    full, brief = (
        "    ".join([*([around] if around else []), *words.standing(battle, short).values()]) for short in (False, True)
    )
    return (f"{full}    {to_do}" if to_do else full), full, brief


def fitting(texts: tuple[str, ...], room: float) -> str:
    """Return the first text that fits into a line; if none does, the last one cut."""
    return next((wording for wording in texts if width(wording, SMALL) <= room), shortened(texts[-1], SMALL, room))


def left_out(model: GameModel, right: int, density: float) -> str:
    """Return the full counts if the bar has no room for all of them, else ""."""
    wordings = counts(model)
    return "" if fitting(wordings, _room(right, density) - LEFT) == wordings[0] else wordings[0]


def _room(right: int, density: float) -> float:
    return max(20.0, right / density - 26.0)


def _items(model: GameModel, situation: tuple[str, str], page: Page, high: float, room: float) -> list[Item]:
    turn, whose = situation
    ink, quiet = colour("page", "ink"), colour("page", "quiet")
    tally = fitting(counts(model), room - LEFT)
    left = LEFT
    used = width(turn, HEAD, "bold") + 16
    heading = shortened(whose, HEAD, max(10.0, room - used - left), "bold")
    return [
        Text(page.at(left, high * 0.32), turn, HEAD, quiet, "bold", "start"),
        Text(page.at(left + used, high * 0.32), heading, HEAD, ink, "bold", "start"),
        Text(page.at(left, high * 0.74), tally, SMALL, quiet, anchor="start"),
    ]
