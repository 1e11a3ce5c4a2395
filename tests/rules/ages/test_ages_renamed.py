"""What units are called decides nothing in any of the Ages: with every one renamed, the same battle."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.positions import GENERATORS
from tests.renaming import play_both

AGES = ("destiny", "reason", "gloire", "glaube")


@pytest.mark.parametrize("rules", AGES)
@pytest.mark.parametrize("number", range(3))
def test_names_decide_nothing(rules: str, number: int) -> None:
    """AGE-SEQ-01, AGE-RAL-04, AGE-RES-01: throws, routs and losses go by place; players choose by it too."""
    play_both(GENERATORS[rules](Random(number)), number, "random")


@pytest.mark.sweep
@pytest.mark.parametrize("rules", AGES)
@pytest.mark.parametrize("first", range(3, 200, 49))
def test_names_decide_nothing_in_many_battles(rules: str, first: int) -> None:
    for number in range(first, first + 49):
        play_both(GENERATORS[rules](Random(number)), number, "random")
