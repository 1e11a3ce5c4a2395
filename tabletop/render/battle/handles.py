"""Handles of a unit in hand: a dot on each base that can bend, a knob before its front to turn it."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.geometry.measure import compass_point
from tabletop.render.battle import shape
from tabletop.render.battle.game_model import GameModel
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.primitives import Circle, Drawing, Item, Layer, Lines, Pen, Text

#: Pixels: reach of a handle, distance from the front to the knob, radii of dots and knob.
NEAR, KNOB, DOT, HEAD = 11.0, 58.0, 5.0, 8.0
INK, PAPER, HELD = "#14202c", "#fffdf6", "#d9480f"
LETTERS = 14.0


def drawing(model: GameModel, camera: Camera) -> Drawing:
    """Return the dots and the knob of the unit in hand; nothing unless it forms up on the spot."""
    west, north = camera.to_table((0, 0))
    east, south = camera.to_table((camera.width, camera.height))
    items = tuple(_items(model, camera.drawn)) if shape.on_the_spot(model) else ()
    return Drawing((Layer("grips", items),), (west, south, east, north), camera.drawn)


def _items(model: GameModel, scale: float) -> Iterator[Item]:
    ghost, held = model.table.ghost, model.chosen.grabbed
    if ghost is None:
        return
    for grip in shape.grips(model):
        mine = held is not None and held.what == "bend" and held.base == grip.base
        yield Circle(grip.at, DOT, fill=HELD if mine else PAPER, pen=Pen(INK, 1.5), pixels=True)
    if shape.grips(model):
        yield Circle(ghost.bases[ghost.reference].centre, DOT + 1.0, pen=Pen(PAPER, 4.0), pixels=True)
        yield Circle(ghost.bases[ghost.reference].centre, DOT + 1.0, pen=Pen(INK, 2.0), pixels=True)
    knob = shape.knob(model, KNOB / scale)
    if knob is not None:
        yield Lines(((ghost.front_mid, knob),), Pen(PAPER, 4.0, opacity=0.85))
        yield Lines(((ghost.front_mid, knob),), Pen(INK, 1.5))
        turning = held is not None and held.what == "turn"
        yield Circle(knob, HEAD, fill=HELD if turning else PAPER, pen=Pen(INK, 1.5), pixels=True)
        if turning:
            bearing = f"{compass_point(ghost.facing)} {ghost.facing:.0f}°"
            yield Text(knob, bearing, LETTERS, INK, face="bold", halo=PAPER, shift=(0.0, -20.0))
