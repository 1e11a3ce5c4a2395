"""The bar above the table tells the hour where a scenario names when it begins."""

from __future__ import annotations

import pytest

from tabletop.render.battle import words
from tests.render.battle.driver import playing, session


@pytest.mark.parametrize(
    ("name", "turn"),
    [
        ("destiny/waterloo-evening", "Turn 1 of 12, 19:30"),
        ("realm-of-chance/wachau", "Turn 1 of 10, 9:00"),
        ("tse/skirmish", "Turn 1 of 6"),
    ],
)
def test_the_bar_tells_the_turn_and_its_hour(name: str, turn: str) -> None:
    with playing(session(name, ("human", "human"), 1), measuring=False) as player:
        assert words.situation(player.controller.state, paused=False)[0] == turn
