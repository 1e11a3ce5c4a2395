"""A move shown, led and done by keys alone: the same action as by dragging."""

import pygame
import pytest

from tests.render.battle.driver import DRILL, Player, playing, session

SHIFT = pygame.KMOD_LSHIFT


def led(player: Player, *pressed: int, mod: int = 0) -> None:
    for key in pressed:
        player.key(key, mod)
        player.wait()


def test_a_move_is_led_by_the_arrows_and_done_with_enter() -> None:
    """10 mm a step, 1 mm with Shift; the step is told; Enter puts the unit down where its ghost stands."""
    with playing(session(DRILL, ("human", "human"), 1)) as player:
        player.press("end:0")
        player.press("unit:french-3")
        player.press("kind:move")
        x, y = player.at("french-3")
        led(player, pygame.K_UP, pygame.K_UP)
        assert player.controller.model.drag is not None and player.controller.model.drag.cursor == (x, y + 20.0)
        led(player, pygame.K_DOWN, mod=SHIFT)
        player.wait(3)
        ghost = player.controller.model.ghost
        assert ghost is not None and ghost.at == pytest.approx((x, y + 19.0), abs=0.01)
        led(player, pygame.K_RETURN)
        assert player.at("french-3") == pytest.approx((x, y + 19.0), abs=0.01)
        assert player.controller.game.session.steps[-1].action.kind == "move"  # type: ignore[union-attr]


def test_with_nothing_chosen_the_arrows_drag_the_table_about() -> None:
    with playing(session(DRILL, ("human", "human"), 1), measuring=False) as player:
        player.press("end:0")
        player.window.camera = player.window.camera.zoomed(2.0, (200, 200), 0.1)
        before = player.window.camera
        player.press("unit:french-3")
        led(player, pygame.K_RIGHT)
        assert player.controller.model.drag is None and player.window.camera != before
