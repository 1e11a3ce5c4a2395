"""What units are called decides nothing: with every one renamed, and so listed in another order, the same battle."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.positions_in_mm import realm_of_chance
from tests.renaming import play_both


@pytest.mark.parametrize("number", range(13))
def test_names_decide_nothing(number: int) -> None:
    """ROC-SEQ-01, ROC-RAL-02, ROC-RES-01: dice, routs, losses and pursuits go by place; players choose by it too."""
    play_both(realm_of_chance(Random(number)), number, "random")


@pytest.mark.parametrize("number", [40, *(pytest.param(other, marks=pytest.mark.sweep) for other in (41, 42))])
def test_the_computer_chooses_by_place(number: int) -> None:
    """The greedy player too: what it prefers among equals has nothing to do with names."""
    assert play_both(realm_of_chance(Random(number)), number, "greedy")


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(13, 400, 97))
def test_names_decide_nothing_in_many_battles(first: int) -> None:
    for number in range(first, first + 97):
        play_both(realm_of_chance(Random(number)), number, "random")
