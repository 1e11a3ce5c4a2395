"""The sea, ships from above and the wind rose: what they show, and what is drawn anew when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pygame
import pytest
import shapely

from tabletop.play.files.opened import open_battle
from tabletop.render.battle import unit_card
from tabletop.render.drawing import scene as scene_drawing
from tabletop.render.drawing import sea, ships
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.ground import ground_layers
from tabletop.render.drawing.labels import text_box
from tabletop.render.drawing.locator import locator_items
from tabletop.render.drawing.primitives import Area, Circle, Item, Lines, Text
from tabletop.render.drawing.theme import side_styles
from tabletop.render.drawing.troops import unit_items
from tabletop.render.settings.model import Overlay
from tabletop.render.table.foreground import Foreground
from tabletop.render.table.tools import Tool
from tabletop.render.table.window import Window
from tests import loaded
from tests.render.battle.driver import DRILL, playing, session
from tests.sail import battle, ship


def fills(items: Sequence[Item], tint: str) -> int:
    return sum(isinstance(item, Area) and item.fill == tint for item in items)


def test_a_ship_shows_the_sails_and_guns_it_has_left() -> None:
    """SAIL-REC-01: a sail for each mast that stands, a dark port for each deck, a pale one for each silenced."""
    style = side_styles(["blue", "red"])["blue"]
    whole, hurt = (unit_items(s, style) for s in (ship("a"), ship("a", masts=(1, 0, 0), port=1)))
    assert (fills(whole, ships.CANVAS), fills(whole, ships.PORT), fills(whole, ships.SPENT)) == (3, 6, 0)
    assert (fills(hurt, ships.CANVAS), fills(hurt, ships.PORT), fills(hurt, ships.SPENT)) == (1, 4, 2)
    assert fills(unit_items(ship("a", afire=1), style), ships.FLAME) == 3
    assert fills(unit_items(ship("a", status="anchored"), style), ships.CANVAS) == 0
    assert fills(unit_items(ship("a", status="struck"), style), "#ffffff") == 1


def test_sides_differ_without_colour() -> None:
    """The sails of one side bear stripes that those of the other do not."""

    def strokes(side: str) -> int:
        items = unit_items(ship("a"), side_styles(["blue", "red"])[side])
        return sum(len(item.lines) for item in items if isinstance(item, Lines))

    assert strokes("blue") != strokes("red")


def test_a_sea_is_drawn_as_one_in_every_look() -> None:
    """Water, the shoal's dots, and land where there is some."""
    lissa = loaded.scenario("sail/lissa").table
    items = [item for layer in ground_layers(lissa) for item in layer.items]
    assert fills(items, sea.WATER) == 1 and fills(items, sea.BANK) == 1 and fills(items, sea.EARTH) == 1
    assert sea.is_sea(lissa) and not sea.is_sea(loaded.scenario("tse/starter").table)


def test_the_rose_shows_the_wind_as_it_blows() -> None:
    """SAIL-WND-06: its speed, an arrow along the flow; the same layer while nothing has changed."""
    scene = battle(ship("a"), wind=270.0, speed=5)
    (rose,) = sea.wind_layers(scene)
    assert [item.text for item in rose.items if isinstance(item, Text)] == ["N", "5"]
    shapes = [item.rings[0] for item in rose.items if isinstance(item, Area) and item.fill == sea.ARROW]
    head = next(ring for ring in shapes if len(ring) == 3)
    assert head[0][0] == max(x for x, _ in head)  # it points east
    assert sea.wind_layers(replace(scene, clock=replace(scene.clock, turn=2)))[0] is rose
    calmer = replace(scene, memory={**scene.memory, "wind": {"from": 270.0, "speed": 4}})
    assert sea.wind_layers(calmer)[0] is not rose


def test_the_rose_stays_in_view() -> None:
    """Zoomed in beside its place on the table, the wind stands in the corner of the view, at a fixed size."""
    scene = battle(ship("a"), wind=270.0, speed=5)
    wide, high = scene.table.width, scene.table.height
    assert sea.wind_in_view(scene, (-1.0, -1.0, wide + 1.0, high + 1.0), 8.0) == ()
    for scale in (40.0, 80.0):
        (rose,) = sea.wind_in_view(scene, (5.0, 5.0, 25.0, 20.0), scale)
        (disc,) = (
            item for item in rose.items if isinstance(item, Circle) and item.pen is not None and item.opacity < 1
        )
        x, y = disc.at
        assert disc.radius * scale == pytest.approx(1.12 * sea.IN_VIEW)
        assert x - disc.radius > 5.0 and x < 15.0 and y > 12.5 and y + disc.radius < 20.0
    assert sea.wind_in_view(open_battle("starter"), (5.0, 5.0, 9.0, 9.0), 40.0) == ()


def test_the_key_shows_ships_as_ships_and_counts_them_so() -> None:
    """Under a picture each kind of ship stands in the key as it looks, with all its masts if one has them."""
    drawing = scene_drawing.picture(open_battle("long-sand"))
    words = [item.text for item in drawing.items if isinstance(item, Text)]
    assert any(text.endswith("8 ships") for text in words) and {"frigate", "ship of the line"} <= set(words)
    (key,) = (layer for layer in drawing.layers if layer.name == "key")
    assert fills(list(key.items), ships.WOOD) == 2


def test_the_small_map_of_a_sea_is_a_sea() -> None:
    """The map beside a verdict that shows where the picture lies has the sea and the shoals of the table."""
    scene = open_battle("long-sand")
    items = locator_items(scene, (0.0, 0.0, 10.0, 10.0), Page(10.0, 0.0, 0.0), (0.0, 0.0, 200.0, 200.0))
    assert fills(items, sea.WATER) == 1 and fills(items, sea.BANK) == 1


def test_a_course_is_plotted_by_hand() -> None:
    """SAIL-MOV-11: the ship in hand is judged where the hand is, with the points left; let go there she has sailed."""
    with playing(session("sail/long-sand", ("human", "human"), 3)) as player:
        x, y = player.at("resolution")
        player.pick("resolution")
        player.move(player.pixel((x, y)))
        player.down(player.pixel((x, y)))
        player.move(player.pixel((x + 8.0, y - 3.0)))
        player.wait(3)
        verdict = player.controller.model.verdict("move")
        assert verdict is not None and verdict.holds and verdict.measured["points_left"] == 2
        assert any(shape.label == "2 points left" for shape in verdict.shapes)
        camera, ghost = player.window.camera, player.controller.model.ghost
        drawing = Foreground().drawing(player.controller.model, camera)
        texts = [item for layer in drawing.layers for item in layer.items if isinstance(item, Text)]
        (label,) = (text for text in texts if text.text == "2 points left")
        assert ghost is not None and not shapely.box(*text_box(label, camera.drawn)).intersects(ghost.footprint)
        player.up(player.pixel((x + 8.0, y - 3.0)))
        player.wait(3)
        sailed = player.controller.game.session.battle.unit("resolution")
        assert sailed.marks["sailed"] and sailed.at == tuple(verdict.measured["at"])


@pytest.mark.parametrize(
    ("scenario", "sight", "heights"),
    [("sail/long-sand", False, False), (DRILL, True, True), ("tse/starter", True, True)],
)
def test_switches_are_those_the_rules_have_a_use_for(scenario: str, sight: bool, heights: bool) -> None:
    """At sea there are no heights and no lines of sight; their keys do nothing either."""
    with playing(session(scenario, ("human", "human"), 3), measuring=False) as player:
        assert ("tool:sight" in player.words, "overlay:terrain" in player.words) == (sight, heights)
        assert {"tool:hand", "tool:tape"} <= set(player.words)
        player.key(pygame.K_v)
        assert (Overlay.TERRAIN in player.controller.model.overlays) is heights
        player.key(pygame.K_l)
        assert (player.controller.model.tool is Tool.SIGHT) is sight


def test_the_measuring_table_of_a_sea_has_no_sight_line() -> None:
    pygame.display.set_mode((1280, 720))
    window = Window.inline(loaded.scenario("sail/long-sand"))
    try:
        assert [key.word for key in window.panel.tools] == ["tool:hand", "tool:tape", "help:"]
    finally:
        window.close()


def test_the_boxes_of_a_ship_stand_in_lines_of_their_own() -> None:
    """SAIL-REC-01: on her card, apart from whether she may act."""
    with playing(session("sail/long-sand", ("human", "human"), 3), measuring=False) as player:
        player.pick("advice")
        lines = unit_card.card(player.controller.state).split("<br>")
    assert lines[1:5] == [
        "In good order, may act now",
        "Guns: port ■■■  starboard ■■■",
        "Hull ■■■  Masts: fore, main, mizzen",
        "Sailing, facing E 90°",
    ]
