"""What ships are called decides nothing: with every one renamed, the same battle."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.positions import GENERATORS
from tests.renaming import play_both


@pytest.mark.parametrize("number", range(3))
def test_names_decide_nothing(number: int) -> None:
    """SAIL-SEQ-02, SAIL-SEQ-04, SAIL-FIR-10: throws go by place; players choose by it too."""
    play_both(GENERATORS["sail"](Random(number)), number, "random")


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(3, 100, 25))
def test_names_decide_nothing_in_many_battles(first: int) -> None:
    for number in range(first, first + 25):
        play_both(GENERATORS["sail"](Random(number)), number, "random")
