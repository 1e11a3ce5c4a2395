"""The computer's last moves on the table: ways, aims and results, each with the number it has in the list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point
from tabletop.render.battle import recap
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.recap import Move
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.primitives import Circle, Drawing, Item, Layer, Pen, Text
from tabletop.render.events import marks

#: Pixels: a number's disc, its letters, how far it stands off its unit's corner.
RADIUS, LETTERS, OFF = 11.0, 14.0, 4.0

_kept: list[tuple[tuple[Move, ...], float, tuple[Layer, ...]]] = []


def drawing(model: GameModel, camera: Camera) -> Drawing:
    """Return the moves to be drawn over the table; nothing while they are not shown."""
    west, north = camera.to_table((0, 0))
    east, south = camera.to_table((camera.width, camera.height))
    found = _layers(recap.moves(model), model.table.battle, camera.drawn) if recap.shown(model) else ()
    return Drawing(found, (west, south, east, north), camera.drawn)


def _layers(moves: tuple[Move, ...], battle: Battle, scale: float) -> tuple[Layer, ...]:
    if not _kept or _kept[0][0] is not moves or _kept[0][1] != scale:
        done = tuple(marks.done(move.show.act.beats, scale) for move in moves)
        numbers = Layer("numbers of moves", tuple(_numbers(moves, battle, scale)))
        _kept[:] = [(moves, scale, (*done, numbers))]
    return _kept[0][2]


def _numbers(moves: tuple[Move, ...], battle: Battle, scale: float) -> Iterator[Item]:
    """Yield the numbers, side by side where several moves were one unit's."""
    taken: Counter[Point] = Counter()
    for move in moves:
        corner = _corner(move, battle, scale)
        if corner is None:
            continue
        at = (corner[0] + taken[corner] * (2 * RADIUS + 2) / scale, corner[1])
        taken[corner] += 1
        yield Circle(at, RADIUS, fill=marks.WAY, pen=Pen("#ffffff", 1.5), pixels=True)
        yield Text(at, str(move.number), LETTERS, "#ffffff", face="bold")


def _corner(move: Move, battle: Battle, scale: float) -> Point | None:
    """Return where a move's number stands: at its unit's upper left corner, else where something of it happened."""
    unit = move.unit
    if unit is not None and battle.has(unit):
        west, _, _, north = battle.unit(unit).bounds
        return west - OFF / scale, north + OFF / scale
    return move.show.at
