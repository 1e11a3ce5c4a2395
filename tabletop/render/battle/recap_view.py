"""The computer's last moves on the table: paths, aims and results, each with its number in the list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tabletop.battle.battle import Battle
from tabletop.render.battle import recap
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.recap import Move
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.plates import boxes_of, least_hiding, text_boxes
from tabletop.render.drawing.primitives import Box, Circle, Drawing, Item, Layer, Pen, Text
from tabletop.render.events import marks

#: Pixels: radius of a number's disc, its letters, its distance from the unit's corner.
RADIUS, LETTERS, OFF = 11.0, 14.0, 4.0
NUMBERS = "numbers of moves"
#: Positions to try to either side of each corner.
ASIDE = 6

_kept: list[tuple[tuple[Move, ...], float, tuple[Layer, ...]]] = []


def drawing(model: GameModel, camera: Camera) -> Drawing:
    """Return the moves drawn over the table; nothing while they are hidden."""
    west, north = camera.to_table((0, 0))
    east, south = camera.to_table((camera.width, camera.height))
    layers = _layers(recap.moves(model), model.table.battle, camera.drawn) if recap.shown(model) else ()
    return Drawing(layers, (west, south, east, north), camera.drawn)


def split(recap_drawing: Drawing) -> tuple[tuple[Layer, ...], tuple[Layer, ...]]:
    """Return the layers under the units' badges (paths and aims), and those above (results and numbers)."""
    over = (marks.RESULTS, NUMBERS)
    below = tuple(layer for layer in recap_drawing.layers if layer.name not in over)
    return below, tuple(layer for layer in recap_drawing.layers if layer.name in over)


def _layers(moves: tuple[Move, ...], battle: Battle, scale: float) -> tuple[Layer, ...]:
    if not _kept or _kept[0][0] is not moves or _kept[0][1] != scale:
        done = marks.apart([marks.done(move.show.act.beats, scale) for move in moves], scale)
        plates = text_boxes(done, scale)
        numbers = Layer(NUMBERS, tuple(_numbers(moves, battle, scale, plates)))
        _kept[:] = [(moves, scale, (*done, numbers))]
    return _kept[0][2]


def _numbers(moves: tuple[Move, ...], battle: Battle, scale: float, plates: Sequence[Box]) -> Iterator[Item]:
    """Yield the numbers, side by side for several moves of one unit, clear of the result plates."""
    taken, step = boxes_of(plates), (2 * RADIUS + 2) / scale
    for move in moves:
        corners = _corners(move, battle, scale)
        if not len(corners):
            continue
        spots = np.vstack([corners + np.array((k * step * way, 0.0)) for k in range(ASIDE) for way in (1, -1)])
        at, taken = least_hiding(spots, RADIUS / scale, taken)
        yield Circle(at, RADIUS, fill=marks.WAY, pen=Pen("#ffffff", 1.5), pixels=True)
        yield Text(at, str(move.number), LETTERS, "#ffffff", face="bold")


def _corners(move: Move, battle: Battle, scale: float) -> np.ndarray:
    """Return possible places of a move's number (n, 2): the corners of its unit, else where the move happened."""
    unit = move.unit
    if unit is not None and battle.has(unit):
        (west, south, east, north), off = battle.unit(unit).bounds, OFF / scale
        return np.array([(x, y) for y in (north + off, south - off) for x in (west - off, east + off)])
    return np.array([] if move.show.at is None else [move.show.at], float).reshape(-1, 2)
