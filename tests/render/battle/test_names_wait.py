"""Names are placed over the frames after what the computer does, at once after what a person does."""

from dataclasses import replace

import pytest

from tabletop.play.workers import battle_bundle
from tabletop.play.workers.battle_bundle import packed, unpacked
from tabletop.render.battle.controller import BattleController
from tabletop.render.battle.window import GameWindow
from tabletop.render.drawing.names import name_layer
from tabletop.render.drawing.primitives import Item
from tabletop.render.settings.model import Overlay
from tabletop.render.table import canvas
from tabletop.render.table.canvas import Canvas
from tabletop.render.table.model import Stand
from tests import loaded
from tests.render.battle.driver import STARTER, playing, session


def written(window: GameWindow) -> list[Item]:
    """Return the names and the words on the ground that are shown."""
    return [item for layer in window.canvas.named(window.controller.picture(), window.camera) for item in layer.items]


def shifted(controller: BattleController) -> None:
    controller.update(Stand(controller.model.battle.with_unit(controller.model.battle.unit("auer").moved(0.0, 0.5))))


def test_names_are_placed_over_the_frames_after_what_a_computer_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "NAMING", 0.0)  # one name a frame
    with playing(session(STARTER, ("greedy", "greedy"), 3), measuring=False) as player:
        window, controller = player.window, player.controller
        controller.game.computers.paused = True
        controller.toggle(Overlay.TERRAIN)
        window.step(0.01)
        before = written(window)
        shifted(controller)
        frames = 0
        while written(window) == before:
            window.draw()
            frames += 1
        assert frames > len(before)  # a frame at least for each
        at_once = Canvas()
        at_once.draw(window.surface, controller.picture(), window.camera)
        assert written(window) == [
            item for part in at_once.named(controller.picture(), window.camera) for item in part.items
        ]


def test_names_begun_are_placed_to_the_end_though_the_battle_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "NAMING", 0.0)
    with playing(session(STARTER, ("greedy", "greedy"), 3), measuring=False) as player:
        window, controller = player.window, player.controller
        controller.game.computers.paused = True
        window.step(0.01)
        before = written(window)
        for _ in range(200):  # it never rests
            shifted(controller)
            controller.update(
                Stand(controller.model.battle.with_unit(controller.model.battle.unit("auer").moved(0.0, -0.5)))
            )
            shifted(controller)
            window.draw()
        assert written(window) != before


def test_names_follow_what_a_person_does_in_the_same_frame() -> None:
    with playing(session(STARTER, ("human", "human"), 3), measuring=False) as player:
        window, controller = player.window, player.controller
        window.step(0.01)
        before = written(window)
        shifted(controller)
        window.draw()
        assert written(window) != before


def test_names_of_places_are_kept_and_the_same() -> None:
    battle = loaded.scenario(STARTER)
    first = name_layer(battle, 12.0)
    again = name_layer(replace(battle, units=battle.units), 12.0)
    fresh = name_layer(replace(battle, table=replace(battle.table)), 12.0)
    assert first.items == again.items == fresh.items


def test_a_battle_is_packed_once_for_all_who_know_its_table() -> None:
    battle = loaded.scenario(STARTER)
    other = battle.with_unit(battle.unit("auer").moved(0.0, 0.1))
    once = packed(battle, battle.table)
    assert packed(battle, battle.table) is once
    assert unpacked(packed(other, battle.table), battle.table).unit("auer") == other.unit("auer")
    assert unpacked(packed(battle, battle.table), battle.table).unit("auer") == battle.unit("auer")
    assert battle_bundle.packed(battle, replace(battle.table)) != once
