"""What units are called decides nothing: with every one renamed, and so listed in another order, the same battle."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.positions import tse
from tests.renaming import play_both


@pytest.mark.parametrize("number", range(8))
def test_names_decide_nothing(number: int) -> None:
    """TSE-ASL-23, TSE-INV-10, TSE-STS-05: dice, neighbours, losses and fall-backs go by place.

    What is done is drawn from a list of units, which goes by name: so it is drawn once, and done under both names.
    """
    play_both(tse(Random(number)), number, "random", choosing=False)


def test_breakthroughs_are_offered_by_place() -> None:
    """TSE-ASL-70: the nearest enemy in reach comes first among the answers."""
    assert play_both(tse(Random(272)), 272, "random", choosing=False)


def test_the_computer_chooses_the_same_under_other_names() -> None:
    """In this battle; among several units as good as each other it takes the first by name."""
    assert play_both(tse(Random(40)), 40, "greedy")


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(12, 400, 97))
def test_names_decide_nothing_in_many_battles(first: int) -> None:
    for number in range(first, first + 97):
        play_both(tse(Random(number)), number, "random", choosing=False)
