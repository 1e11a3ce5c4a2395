"""The card that reports the last action: who did it, the draws on a scale of a hundred, the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import pygame

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point
from tabletop.render.battle.playback import Draw, Show, Stage
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.lettering import shortened, wrapped
from tabletop.render.drawing.primitives import Circle, Drawing, Frame, Item, Layer, Lines, Pen, Text
from tabletop.render.drawing.theme import colour, side_styles
from tabletop.render.painting.painter import paint, within
from tabletop.render.widgets.docking import box_of, box_round

#: Pixels: the card's width, margins, letters and rows, the strip in the side's colour, its distance from the event.
WIDE, PAD, LETTERS, ROW, STRIP, AWAY = 330.0, 12.0, 14.0, 20.0, 6.0, 56.0
#: Width of the card where the usual one has no room beside the event.
NARROW = 250.0
#: Pixels of the scale that shows a draw, and of the words beside it.
GAUGE, READS = 76.0, 80.0
#: Lines of the result before the rest is left to the log.
MOST = 7
#: How much farther away the card may lie for every unit it then does not cover, in ``AWAY``.
WORTH = 4.0


def draw(
    surface: pygame.Surface,
    stage: Stage,
    camera: Camera,
    battle: Battle,
    density: float = 1.0,
) -> pygame.Rect | None:
    """Draw the card on the table's surface near its event, clear of the units involved; return its place.

    Where there is room it also leaves other units and objectives uncovered.
    """
    show = stage.show
    if show is None or not show.card:
        return None
    boxes = [box_of(unit, camera) for unit in battle.units]
    at = [camera.to_screen(point) for point in show.spots]
    about = [box for box in boxes if any(box.inflate(2, 2).collidepoint(spot) for spot in at)]
    worth = [box_round(objective.at, objective.radius, camera) for objective in battle.setup.objectives]
    spots = [*at, *(corner for box in about for corner in _corners(box))]
    others = [corner for box in (*boxes, *worth) for corner in _corners(box)]
    for wide in (WIDE, NARROW):  # narrow where the usual one has no room beside the event
        rows, whole = list(_rows(show, wide, done=not stage.running)), list(_rows(show, wide, done=True))
        high = 2 * PAD + ROW * max(len(rows), len(whole))  # so that it neither grows nor moves when the result appears
        size = (wide * density, high * density)
        place = placed(surface.get_size(), size, spots, others, AWAY * density)
        lies = pygame.Rect([round(n) for n in (*place, *size)])
        if lies.collidelist(about) == -1:
            break
    page = Page(1.0, 0.0, 0.0)
    drawing = Drawing((Layer("card", tuple(_items(page, show, rows, (wide, high)))),), page.box(0, 0, wide, high), 1.0)
    paint(within(surface, lies), drawing, Frame(density, 0.0, 0.0), density)
    return lies


def _corners(box: pygame.Rect) -> tuple[Point, ...]:
    """Return the middle and the corners of a unit's box."""
    return box.center, box.topleft, box.topright, box.bottomleft, box.bottomright


Rows = list[tuple[str, str, Draw | None]]


def _rows(show: Show, wide: float, done: bool) -> Iterator[tuple[str, str, Draw | None]]:
    """Yield the card's rows: typeface, text, draw."""
    room = wide - 2 * PAD - STRIP
    for line in wrapped(show.heading, LETTERS, room, "bold"):
        yield "bold", line, None
    for thrown in show.draws:
        yield "plain", thrown.purpose, thrown
    if not done:
        yield "plain", "…", None
        return
    lines = [line for text in show.texts for line in wrapped(text, LETTERS, room)]
    for line in lines[:MOST]:
        yield "plain", line, None
    if len(lines) > MOST:
        yield "plain", "The log tells the rest.", None


def _items(page: Page, show: Show, rows: Rows, size: tuple[float, float]) -> Iterator[Item]:
    wide, high = size
    gauge = GAUGE if wide == WIDE else 0.0  # a narrow card has room for the words and the number only
    style = side_styles(unit.side for unit in (*show.act.before.units, *show.act.before.awaited))[show.side]
    ink, quiet = colour("page", "ink"), colour("page", "quiet")
    yield page.panel(0.5, 0.5, wide - 0.5, high - 0.5, colour("page", "panel"), Pen(ink, 1.0))
    yield page.panel(1, 1, STRIP, high - 1, style.fill)
    left = STRIP + PAD
    for number, (face, text, thrown) in enumerate(rows):
        down = PAD + ROW * (number + 0.5)
        if thrown is None:
            yield Text(page.at(left, down), text, LETTERS, ink, "bold" if face == "bold" else "plain", "start")
            continue
        room = wide - PAD - left - gauge - READS - 10
        yield Text(page.at(left, down), shortened(text, LETTERS, room), LETTERS, quiet, anchor="start")
        if gauge:
            yield from _gauge(page, thrown, wide - PAD - READS - gauge, down)
        yield Text(page.at(wide - PAD, down), thrown.reads, LETTERS, ink, "bold", "end")


def _gauge(page: Page, card_draw: Draw, left: float, down: float) -> Iterator[Item]:
    """Yield the scale of a draw: the higher the draw, the farther right its mark."""
    ink, edge = colour("page", "ink"), colour("page", "panel_edge")
    yield Lines(((page.at(left, down), page.at(left + GAUGE, down)),), Pen(edge, 4.0))
    for tenth in (0.0, 0.5, 1.0):
        x = left + tenth * GAUGE
        yield Lines(((page.at(x, down - 5), page.at(x, down + 5)),), Pen(edge, 1.0))
    yield Circle(page.at(left + card_draw.height * GAUGE, down), 5.0, fill=ink, pen=Pen("#ffffff", 1.0), pixels=True)


def placed(
    size: tuple[int, int],
    card: tuple[float, float],
    spots: Sequence[Point],
    units: Sequence[Point],
    away: float,
) -> Point:
    """Return the upper left corner of a card of this size: inside, over no spot, over few units, near the spots.

    >>> [round(n) for n in placed((800, 600), (200, 100), [(100.0, 300.0)], [], 50.0)]
    [8, 169]
    """
    return _placed(size, card, tuple(spots), tuple(units), away)


@lru_cache(maxsize=8)
def _placed(
    size: tuple[int, int],
    card: tuple[float, float],
    spots: tuple[Point, ...],
    units: tuple[Point, ...],
    away: float,
) -> Point:
    """Return it as ``placed`` does, cached because it tries many places and is asked every frame."""
    (wide, high), (w, h) = size, card
    edge = away / 6
    if not spots:
        return max(edge, (wide - w) / 2), max(edge, high - h - edge)
    x, y = spots[0]
    across = (x + away, x - away - w, x - w / 2, *_spread(edge, wide - w - edge, away))
    down = (y - h / 2, y + away, y - away - h, *_spread(edge, high - h - edge, away))
    inside = [(max(edge, min(a, wide - w - edge)), max(edge, min(b, high - h - edge))) for a in across for b in down]
    corners = np.array(inside, float)
    far = np.abs(corners + np.array([w / 2 - x, h / 2 - y])).sum(axis=1)
    first = _covered(corners, card, spots, away / 2)
    second = _covered(corners, card, units, away / 3) * WORTH * away + far
    return inside[int(np.lexsort((second, first))[0])]


def _covered(corners: np.ndarray, card: tuple[float, float], points: Sequence[Point], margin: float) -> np.ndarray:
    """Return how many points lie under a card, or within ``margin`` of it, at each of its corners (n, 2)."""
    off = np.array(points, float).reshape(-1, 2)[None, :, :] - corners[:, None, :]
    under: np.ndarray = (off >= -margin) & (off <= np.array(card) + margin)
    return np.asarray(under.all(axis=2).sum(axis=1))


def _spread(least: float, most: float, step: float) -> list[float]:
    """Return evenly spaced places from one edge to the other."""
    count = max(1, int((most - least) // step))
    return [least + (most - least) * k / count for k in range(count + 1)]
