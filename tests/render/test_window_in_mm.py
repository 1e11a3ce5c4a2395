"""The window on a table in millimetres, by rules that answer other questions."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from tabletop.geometry.verdict import Verdict
from tabletop.play.files.load import load_scene
from tabletop.render.drawing.lettering import width
from tabletop.render.table import captions
from tabletop.render.table.window import Window
from tabletop.render.widgets.styles import SMALL
from tests.render.test_window import SIZE, Player

SCENARIO = Path(__file__).parents[2] / "scenarios/realm-of-chance/wachau.yaml"


@pytest.fixture
def player() -> Iterator[Player]:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(SIZE, pygame.RESIZABLE)
    pygame.event.clear()
    window = Window.inline(load_scene(SCENARIO))
    window.step(0.2)
    yield Player(window)
    window.close()


@pytest.mark.parametrize("all_units", [False, pytest.param(True, marks=pytest.mark.sweep)])
def test_every_unit_can_be_picked_and_nothing_is_asked_in_vain(player: Player, all_units: bool) -> None:
    """Whatever the window asks these rules answer: no overlay's question comes back as a text of refusal.

    One unit of each troop and formation stands for the others but in the sweep.
    """
    units = player.controller.model.battle.units
    kinds = {(unit.troop, unit.formation): unit for unit in units}
    for unit in units if all_units else kinds.values():
        player.controller.select(unit.id)
        for enemy in player.controller.model.battle.enemies(unit)[:2]:
            player.point(enemy.at)
        player.settle()
        texts = {key: a for key, a in player.controller.model.answers.items() if isinstance(a, str)}
        assert not [key for key, text in texts.items() if "no question" in text], (unit.id, texts)


def test_a_move_in_millimetres(player: Player) -> None:
    player.pick("austrians")
    x, y = player.at("austrians")
    player.hold("austrians", (x, y + 20), (x, y + 35))
    verdict = player.controller.model.verdict("move")
    assert isinstance(verdict, Verdict) and verdict.holds, verdict
    player.up(player.pixel((x, y + 35)))
    assert player.at("austrians") == pytest.approx((x, y + 35), abs=1.0)
    player.hold("austrians", (x, y + 90))
    verdict = player.controller.model.verdict("move")
    assert isinstance(verdict, Verdict) and not verdict.holds
    player.key(pygame.K_ESCAPE)


def test_formations_by_button(player: Player) -> None:
    player.pick("austrians")
    assert {"move", "charge", "column", "square"} <= set(player.controller.actions)
    player.press("action:square")
    x, y = player.at("austrians")
    player.hold("austrians", (x, y + 10))
    verdict = player.controller.model.verdict("move")
    assert isinstance(verdict, Verdict) and verdict.holds
    assert player.controller.model.ghost is not None and player.controller.model.ghost.formation == "square"


def test_cards(player: Player) -> None:
    player.point(player.at("wuerttemberg"))
    assert "General" in captions.card(player.controller.model) and "General, " not in captions.card(
        player.controller.model
    )
    player.point(player.at("cuirassiers"))
    assert "russian, heavy cavalry, 4 bases" in captions.card(player.controller.model).lower()
    player.pick("french-guns")
    player.point(player.at("prussian-1"))
    player.settle()
    assert "ROC-ART" in captions.proof(player.controller.model)


def test_every_label_has_room_on_its_button(player: Player) -> None:
    """Nine ways to move take two rows; picking a general afterwards moves nothing."""
    player.pick("austrians")
    for button in player.window.panel._buttons:
        assert width(button.text, SMALL) <= button.get_abs_rect().width, button.text
    box = player.window.panel._boxes["proof"].get_abs_rect()
    player.pick("wuerttemberg")
    assert player.window.panel._boxes["proof"].get_abs_rect() == box
