"""Painted again in places, the pieces look as if they had been painted whole."""

import random
from dataclasses import replace

import numpy as np
import pygame
import pytest

from tabletop.battle.battle import Battle
from tabletop.render.drawing import scene
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.primitives import Area, Circle, Drawing, Item, Layer, Lines, Pen, Stamps, Text
from tabletop.render.painting.extents import pixels_of
from tabletop.render.painting.painter import paint
from tabletop.render.table.pieces import Pieces, PieceSheet, together
from tests import loaded

SIZE = (900, 640)


def sheet() -> pygame.Surface:
    return pygame.Surface(SIZE, pygame.SRCALPHA)


def pixels(surface: pygame.Surface) -> np.ndarray:
    return np.frombuffer(pygame.image.tobytes(surface, "RGBA"), np.uint8)


def layers(made: Pieces, battle: Battle, camera: Camera, faint: tuple[str, ...] = ()) -> list[Layer]:
    return [*made.units(battle, faint).layers, *made.apart([scene.name_layer(battle, camera.drawn)])]


def whole(battle: Battle, camera: Camera, faint: tuple[str, ...] = ()) -> np.ndarray:
    found = sheet()
    for drawing in (scene.unit_layer(battle, faint), scene.name_layer(battle, camera.drawn)):
        paint(found, drawing, camera, camera.density)
    return pixels(found)


def camera_on(battle: Battle, zoom: float = 1.0, density: float = 1.0) -> Camera:
    camera = Camera.fitting((battle.table.width, battle.table.height), SIZE, density=density)
    return camera.zoomed(zoom, (400, 300), camera.scale)


@pytest.mark.parametrize("scenario", ["tse/quatre-bras", "realm-of-chance/wachau"])
@pytest.mark.parametrize(("zoom", "density"), [(1.0, 1.0), (3.0, 1.0), (1.3, 2.0)])
def test_what_changed_is_painted_again_as_if_all_had_been(scenario: str, zoom: float, density: float) -> None:
    battle, draw = loaded.scenario(scenario), random.Random(7)
    camera = camera_on(battle, zoom, density)
    made, painter, surface = Pieces(), PieceSheet(), sheet()
    again = 0
    for round_ in range(12):
        faint = (draw.choice(battle.units).id,) if round_ % 4 == 3 else ()
        places = painter.paint(surface, layers(made, battle, camera, faint), camera)
        again += places is not None
        assert (pixels(surface) == whole(battle, camera, faint)).all(), round_
        unit = draw.choice(battle.units)
        if round_ % 3 == 2:
            battle = battle.without(unit.id)
        else:
            moved = unit.moved(draw.uniform(-3, 3), draw.uniform(-3, 3)).turned(draw.uniform(-90, 90))
            battle = battle.with_unit(replace(moved, status="shaken"))
    assert again >= 6


def test_with_another_camera_everything_is_painted_anew() -> None:
    battle = loaded.scenario("tse/starter")
    made, painter, surface = Pieces(), PieceSheet(), sheet()
    for camera in (camera_on(battle), camera_on(battle).panned(10, 5)):
        assert painter.paint(surface, layers(made, battle, camera), camera) is None
        assert painter.paint(surface, layers(made, battle, camera), camera) == []
        assert (pixels(surface) == whole(battle, camera)).all()


def test_a_unit_keeps_its_layer_as_long_as_it_stays_what_it_is() -> None:
    battle, made = loaded.scenario("tse/starter"), Pieces()
    first = made.units(battle).layers
    unit = battle.units[3]
    second = made.units(battle.with_unit(unit.moved(1.0, 0.0))).layers
    assert sum(a is not b for a, b in zip(first, second, strict=True)) == 1
    assert together(made.units(battle)).items == scene.unit_layer(battle).items


ITEMS: list[Item] = [
    Area((((4.0, 4.0), (9.0, 5.0), (7.0, 9.0)),), "#ff0000", Pen("#000000", 7.0)),
    Area((((4.0, 4.0), (9.0, 5.0), (7.0, 9.0)),), "#ff0000", Pen("#000000", 0.4, pixels=False), opacity=0.5),
    Lines((((4.0, 4.0), (9.0, 9.0)),), Pen("#000000", 9.0)),
    Lines((((4.0, 4.0), (9.0, 9.0), (9.0, 4.0)),), Pen("#000000", 0.7, pixels=False, opacity=0.5)),
    Circle((6.0, 6.0), 2.0, "#00ff00", Pen("#000000", 5.0)),
    Circle((6.0, 6.0), 40.0, "#00ff00", pixels=True),
    Stamps("star", ((5.0, 5.0), (8.0, 8.0)), 2.0, turns=(0.0, 30.0)),
    *(
        Text((6.0, 6.0), "Ägypten, 3½ fy", 30.0, "#000000", anchor=anchor, turn=turn, halo=halo, shift=(11.0, -7.0))
        for anchor in ("start", "middle", "end")
        for turn in (0.0, 35.0)
        for halo in (None, "#ffffff")
    ),
]


@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize("density", [1.0, 2.0])
def test_nothing_is_painted_outside_its_pixels(item: Item, density: float) -> None:
    camera, layer, surface = Camera(37.3, 0.1, 15.2, *SIZE, density), Layer("one", (item,)), sheet()
    paint(surface, Drawing((layer,), (0.0, 0.0, 1.0, 1.0), 1.0), camera, density)
    painted = surface.get_bounding_rect(1)
    assert painted.width and pixels_of(layer, camera).contains(painted)
