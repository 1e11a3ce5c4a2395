"""What units are called decides nothing: with every one renamed, and so listed in another order, the same battle."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.positions import tse
from tests.renaming import MOST, play_both


@pytest.mark.parametrize("number", range(8))
def test_names_decide_nothing(number: int) -> None:
    """TSE-ASL-23, TSE-INV-10, TSE-STS-05: dice, neighbours, losses, fall-backs and what is drawn go by place."""
    play_both(tse(Random(number)), number, "random")


def test_breakthroughs_are_offered_by_place() -> None:
    """TSE-ASL-70: the nearest enemy in reach comes first among the answers."""
    assert play_both(tse(Random(272)), 272, "random")


@pytest.mark.parametrize(
    ("number", "actions"), [(43, 32), *(pytest.param(number, MOST, marks=pytest.mark.sweep) for number in (40, 43))]
)
def test_the_computer_chooses_the_same_under_other_names(number: int, actions: int) -> None:
    """Among several units, or groups, as good as each other it takes the first by place.

    Taken by their names, units would act in another order at the 29th action of battle 43.
    """
    assert play_both(tse(Random(number)), number, "greedy", most=actions)


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(12, 400, 97))
def test_names_decide_nothing_in_many_battles(first: int) -> None:
    for number in range(first, first + 97):
        play_both(tse(Random(number)), number, "random")
