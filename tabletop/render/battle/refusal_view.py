"""What was tried and may not be: it stays in sight where it was tried, with the reason, until the next deed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import shapely

from tabletop.battle.naming import without_name
from tabletop.battle.unit import Unit, standing
from tabletop.explain import by_name
from tabletop.render.battle.game_model import GameModel
from tabletop.render.drawing import measures, scene
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.lettering import shortened, width
from tabletop.render.drawing.primitives import Area, Drawing, Item, Layer, Lines, Pen, Ring, Text
from tabletop.render.drawing.theme import colour

#: Pixels: letters of the plates, how long a reason may be, the plate's height, how far it stands off.
LETTERS, LONGEST, HIGH, OFF = 14.0, 280.0, 22.0, 8.0
#: What of a verdict's shapes is told of otherwise.
LEFT_OUT = ("ghost", "zone")


def drawing(model: GameModel, camera: Camera) -> Drawing:
    """Return the refused move where it was tried, and the nearest that is allowed, once it is known."""
    west, north = camera.to_table((0, 0))
    east, south = camera.to_table((camera.width, camera.height))
    layers = tuple(_layers(model, camera.drawn)) if model.chosen.tried is not None else ()
    return Drawing(layers, (west, south, east, north), camera.drawn)


def _layers(model: GameModel, scale: float) -> Iterator[Layer]:
    tried = model.chosen.tried
    assert tried is not None
    shapes = tuple(replace(s, label="") for s in tried.verdict.shapes if s.role not in LEFT_OUT)
    yield from scene.verdict_layer(tried.verdict.with_(shapes=shapes), scale, model.table.battle).layers
    if tried.ghost is not None:
        why = next((by_name(r, model.table.battle) for r in tried.verdict.against), "")
        said = f"× {without_name(why, tried.ghost).partition(':')[0]}"
        yield Layer("tried", (*figure(tried.ghost, "no"), *_plate(tried.ghost, said, "no", scale, over=True)))
    near = model.nearest
    if near is not None:
        unit = standing(model.table.battle.unit(near.args[0]), near.measured["after"])
        yield Layer("nearest", (*figure(unit, "yes"), *_plate(unit, "As near as allowed: Enter", "yes", scale)))


def figure(unit: Unit, answer: str) -> Iterator[Item]:
    """Yield a unit where it would stand, as what it is not yet: tinted by the answer."""
    tint = colour("answer", answer)
    for base in unit.bases:
        ring = _closed(base.polygon.exterior)
        yield Area((ring,), tint, opacity=0.3)
        yield Lines((ring,), Pen("#ffffff", 4.5, opacity=0.8))
        yield Lines((ring,), Pen(tint, 2.5, dash=(3.0, 2.0) if answer == "no" else ()))


def _plate(unit: Unit, text: str, answer: str, scale: float, over: bool = False) -> Iterator[Item]:
    """Yield a plate with a line on it, over or under a unit, clear of it at every scale."""
    ends = [y for _, y in shapely.get_coordinates(unit.footprint).tolist()]
    page = Page(scale, unit.at[0], max(ends) if over else min(ends))
    said = shortened(measures.said(text), LETTERS, LONGEST, "bold")
    half, top = width(said, LETTERS, "bold") / 2 + 9, -HIGH - OFF if over else OFF
    yield page.panel(-half, top, half, top + HIGH, colour("answer", answer), Pen("#ffffff", 1.5))
    yield Text(page.at(0, top + HIGH / 2), said, LETTERS, "#ffffff", face="bold")


def _closed(ring: shapely.LinearRing) -> Ring:
    return tuple((float(x), float(y)) for x, y in shapely.get_coordinates(ring).tolist())
