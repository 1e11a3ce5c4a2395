"""Battles begun, one of each rule set, with somebody at the window."""

from collections.abc import Iterator

import pytest

from tests.render.battle.driver import DRILL, STARTER, Player, playing, session


@pytest.fixture
def starter() -> Iterator[Player]:
    """The starter's first turn: Brandis's division has been chosen to act."""
    with playing(session(STARTER, ("human", "human"), 1)) as player:
        player.press("answer:first")
        player.press("group:brandis")
        player.desk.select(None)
        yield player


@pytest.fixture
def drill() -> Iterator[Player]:
    """The drill ground's first phase, two units of which are in each other's range."""
    with playing(session(DRILL, ("human", "human"), 3)) as player:
        yield player


@pytest.fixture
def bras() -> Iterator[Player]:
    """Quatre Bras: Foy's division acts."""
    with playing(session("tse/quatre-bras", ("human", "human"), 3)) as player:
        player.press("answer:first")
        player.press("group:foy")
        player.desk.select(None)
        yield player
