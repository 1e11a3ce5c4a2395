"""Cards of battles with a picture of the field, and the marks of the sides."""

from __future__ import annotations

import re

import pygame

from tabletop.battle.battle import Battle
from tabletop.battle.naming import side_name
from tabletop.play.saves.library import Field, Unfit
from tabletop.render import descriptions
from tabletop.render.drawing.lettering import width, wrapped
from tabletop.render.drawing.theme import side_styles
from tabletop.render.widgets.pages.brush import LINE, Brush, Place
from tabletop.render.widgets.pages.spots import Draw, State

#: A card's minimum width, the picture's height over its width, the margin; the height besides picture, title and story.
CARD, SHAPE, PAD, FACTS = 282.0, 0.6, 14.0, 98.0
#: Maximum lines of a title and of a story, their letter sizes, and the height of a title line.
TITLES, STORY, TITLE_LETTERS, LETTERS, TITLE_ROW = 2, 6, 16, 14, 22.0
#: From a side's mark to its label, and from a label to the next mark.
MARK, BETWEEN = 24, 16


def swatch(brush: Brush, battle: Battle, side: str, x: float, y: float, high: float = 12) -> None:
    """Draw the mark of a side, in its colour, vertically centred at ``y``."""
    style = side_styles(battle.setup.sides)[side]
    rect = brush.rect((x, y - high / 2, high * 1.5, high))
    pygame.draw.rect(brush.surface, style.fill, rect)
    pygame.draw.rect(brush.surface, style.deep, rect, max(1, round(1.5 * brush.scale)))


def side_line(brush: Brush, battle: Battle, x: float, y: float, room: float, size: float = 14) -> None:
    """Draw the sides in one line, each with its mark, the attacker first; only its role is said if room is short."""
    for side, label in side_labels(battle, room, size):
        swatch(brush, battle, side, x, y)
        brush.line(label, x + MARK, y, max(1.0, room - MARK), size)
        step = MARK + width(label, size) + BETWEEN
        x, room = x + step, room - step
        if room < 30:
            return


def side_labels(battle: Battle, room: float, size: float) -> list[tuple[str, str]]:
    """Return each side with its label, those of the defenders without their role if the line has no room for it."""
    full = descriptions.sides(battle)
    needed = sum(MARK + width(label, size) for _, label in full) + BETWEEN * (len(full) - 1)
    if needed <= room:
        return full
    return [(side, label if side == battle.setup.attacker else side_name(side)) for side, label in full]


def _titles(field: Field, room: float) -> int:
    return min(TITLES, len(wrapped(field.battle.title, TITLE_LETTERS, room, "bold")))


def words_high(field: Field, wide: float) -> float:
    """Return the height of the words on a battle's card of this width."""
    room = wide - 2 * PAD
    story = len(wrapped(story_of(field.about, room), LETTERS, room))
    return FACTS + TITLE_ROW * _titles(field, room) + LETTERS * LINE * story + PAD


def story_of(about: str, room: float) -> str:
    """Return as many whole sentences of a battle's description as fit; a single one that is too long is returned whole.

    >>> story_of("One is short. " + 90 * "Another is far too long to fit, ", 200)
    'One is short.'
    """
    sentences = re.split(r"(?<=[.!?]) ", about)
    heads = (" ".join(sentences[:count]) for count in range(len(sentences), 0, -1))
    return next((story for story in heads if len(wrapped(story, LETTERS, room)) <= STORY), about)


def field_card(field: Field, picture: pygame.Surface | None) -> Draw:
    """Return the function that draws the card of a battle: its picture, and the main facts below."""

    def draw(brush: Brush, place: Place, state: State) -> None:
        left, top, wide, _ = place
        lit = state.hovered or state.focused
        brush.paper(place, "card_lit" if lit else "card", "strong" if lit else "edge", 8, 2 if lit else 1)
        shown = picture_high(wide)
        field_picture(brush, (left + 8, top + 8, wide - 16, shown - 8), picture)
        x, y, room, battle = left + PAD, top + shown + 20, wide - 2 * PAD, field.battle
        titles = _titles(field, room)
        brush.lines(battle.title, (x, y - 11, room, 46), TITLE_LETTERS, face="bold", most=TITLES)
        y += TITLE_ROW * (titles - 1)
        side_line(brush, battle, x, y + 26, room)
        brush.line(f"{descriptions.size(battle)}", x, y + 49, room, LETTERS)
        brush.line(descriptions.rules_title(battle), x, y + 70, room, LETTERS, "place", "quiet")
        brush.lines(story_of(field.about, room), (x, y + 84, room, LETTERS * LINE * STORY), LETTERS, "quiet")

    return draw


def picture_high(wide: float) -> float:
    """Return the height of the picture on a card of this width, with its margin."""
    return min(wide, 400) * SHAPE


def field_picture(brush: Brush, place: Place, picture: pygame.Surface | None) -> None:
    """Draw the picture of a field on its mat; only the mat while it is being painted."""
    brush.paper(place, "mat", radius=4)
    if picture is not None:
        left, top, wide, high = place
        lies = brush.picture(picture, (left + 6, top + 6, wide - 12, high - 12))
        pygame.draw.rect(brush.surface, "#8f8468", lies, max(1, round(brush.scale)))


def waiting_card(name: str) -> Draw:
    """Return the function that draws the card of a file that is still being read."""

    def draw(brush: Brush, place: Place, _: State) -> None:
        left, top, wide, _high = place
        shown = picture_high(wide)
        brush.paper(place, "card", "edge", 8)
        brush.paper((left + 8, top + 8, wide - 16, shown - 8), "mat", radius=4)
        brush.line(name, left + PAD, top + shown + 20, wide - 2 * PAD, 16, "bold", "shut_ink")

    return draw


def unfit_card(unfit: Unfit) -> Draw:
    """Return the function that draws the card of a file that cannot be opened, with the reason."""

    def draw(brush: Brush, place: Place, _: State) -> None:
        left, top, wide, high = place
        brush.paper(place, "shut", "shut_edge", 8)
        room = wide - 2 * PAD
        brush.line(unfit.path.name, left + PAD, top + 26, room, 16, "bold")
        brush.line("cannot be opened", left + PAD, top + 50, room, 15, "bold", "wrong")
        brush.lines(unfit.why, (left + PAD, top + 70, room, high - 84), 14, "ink")

    return draw


def plain_card(head: str, body: str) -> Draw:
    """Return the function that draws a card without a picture."""

    def draw(brush: Brush, place: Place, state: State) -> None:
        left, top, wide, high = place
        lit = state.hovered or state.focused
        brush.paper(place, "card_lit" if lit else "card", "strong" if lit else "edge", 8, 2 if lit else 1)
        room = wide - 2 * PAD
        brush.line(head, left + PAD, top + 28, room, 17, "bold")
        brush.lines(body, (left + PAD, top + 50, room, high - 60), 15, "quiet")

    return draw
