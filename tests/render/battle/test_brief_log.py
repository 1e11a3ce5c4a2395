"""While the computer plays, the log shows what is seen without scrolling: laying it out twice takes a frame."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from tabletop.render.battle.window import GameWindow
from tests.render.battle.driver import STARTER, session


def shown(box: Any) -> int:
    return int(box.html_text.count("<br>")) + 1


@pytest.mark.parametrize(
    ("size", "scale"), [((1600, 1000), 1.0), ((1280, 720), 1.0), ((1280, 900), 1.5), ((900, 640), 1.0)]
)
def test_the_log_fits_while_the_computer_plays_and_is_whole_when_it_rests(size: tuple[int, int], scale: float) -> None:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(size)
    window = GameWindow.inlined(session(STARTER, ("random", "random"), 3), scale)
    window.pace("at once")
    counts = []
    for _ in range(200):
        if len(window.controller.state.record.lines) > 24:
            break
        window.step(0.3)
        box: Any = window.panel._boxes["log"]
        assert box.scroll_bar is None
        counts.append(shown(box))
    assert len(window.controller.state.record.lines) > 24, "there is an earlier page, and its link"
    room, line = box.text_wrap_rect.height, box.text_box_layout.layout_rows[0].height
    assert max(counts) >= min(3, room // (2 * line)), "the room is used"
    window.controller.game.computers.paused = True
    for _ in range(10):
        window.step(0.3)
    assert box.scroll_bar is not None and shown(box) > max(counts)
    window.close()
