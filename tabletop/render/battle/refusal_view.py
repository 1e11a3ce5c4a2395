"""A refused move on the table: drawn where it was tried, with the reason, until the next action."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import shapely

from tabletop.battle.naming import without_name
from tabletop.battle.saying import by_name
from tabletop.battle.unit import Unit, standing
from tabletop.render.battle.game_model import GameModel
from tabletop.render.drawing import measures, scene
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.lettering import shortened
from tabletop.render.drawing.plates import Look, Plates, beside_units
from tabletop.render.drawing.primitives import Area, Box, Drawing, Item, Layer, Lines, Pen, Ring
from tabletop.render.drawing.theme import colour
from tabletop.render.table import notices

#: Pixels: letters of the plates, maximum length of a reason, height of a plate, its distance from the unit.
LETTERS, LONGEST, HIGH, OFF = 14.0, 280.0, 22.0, 8.0
#: Shapes of a verdict that are not drawn here.
LEFT_OUT = ("ghost", "zone")


def drawing(model: GameModel, camera: Camera) -> Drawing:
    """Return the refused move where it was tried, and the nearest allowed one once it is known."""
    west, north = camera.to_table((0, 0))
    east, south = camera.to_table((camera.width, camera.height))
    view = (west, south, east, north)
    layers = tuple(_layers(model, camera, view)) if model.chosen.refused_move is not None else ()
    return Drawing(layers, view, camera.drawn)


def _layers(model: GameModel, camera: Camera, view: Box) -> Iterator[Layer]:
    refused, scale = model.chosen.refused_move, camera.drawn
    assert refused is not None
    shapes = tuple(replace(s, label="") for s in refused.verdict.shapes if s.role not in LEFT_OUT)
    yield from scene.verdict_layer(refused.verdict.with_(shapes=shapes), scale, model.table.battle).layers
    near, ghost = model.nearest, refused.ghost
    stood = standing(model.table.battle.unit(near.args[0]), near.measured["after"]) if near is not None else None
    boxes = [unit.footprint.bounds for unit in (ghost, stood) if unit is not None]
    plates = Plates(scale, [*beside_units(model.table.battle, scale), *boxes, notices.corner(camera)], view)
    if ghost is not None:
        why = next((by_name(r, model.table.battle) for r in refused.verdict.against), "")
        refusal = f"× {without_name(why, ghost).partition(':')[0]}"
        yield Layer("tried", (*figure(ghost, "no"), *_plate(plates, ghost, refusal, "no")))
    if stood is not None:
        suggestion = _plate(plates, stood, "As near as allowed: Enter", "yes")
        yield Layer("nearest", (*figure(stood, "yes"), *suggestion))


def figure(unit: Unit, answer: str) -> Iterator[Item]:
    """Yield the outline of a unit where it would stand, in the colour of the answer."""
    tint = colour("answer", answer)
    for base in unit.bases:
        ring = _closed(base.polygon.exterior)
        yield Area((ring,), tint, opacity=0.3)
        yield Lines((ring,), Pen("#ffffff", 4.5, opacity=0.8))
        yield Lines((ring,), Pen(tint, 2.5, dash=(3.0, 2.0) if answer == "no" else ()))


def _plate(plates: Plates, unit: Unit, text: str, answer: str) -> tuple[Item, ...]:
    """Return a plate with one line of text beside a unit."""
    label = shortened(measures.in_chosen_unit(text), LETTERS, LONGEST, "bold")
    look = Look(LETTERS, HIGH, "#ffffff", "#ffffff", colour("answer", answer))
    return plates.lay_beside(label, unit.footprint.bounds, OFF, look)


def _closed(ring: shapely.LinearRing) -> Ring:
    return tuple((float(x), float(y)) for x, y in shapely.get_coordinates(ring).tolist())
