"""What the computers of several rule sets share: draws that end with the first allowed one, and values."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tabletop.battle.action import Action
from tabletop.play.engine import play_of
from tabletop.play.files.opened import open_battle
from tabletop.rules.common.candidates import first_allowed
from tabletop.rules.common.evaluation import balance, lead


def test_no_more_is_drawn_than_tried() -> None:
    """A seventh draw would use up random numbers, and change every action after it."""
    drawn: list[int] = []

    def draws() -> Iterator[Action]:
        for number in range(9):
            drawn.append(number)
            yield Action("move", "red", str(number))

    assert first_allowed(draws(), lambda action: False, 6) is None and drawn == [0, 1, 2, 3, 4, 5]
    drawn.clear()
    found = first_allowed(draws(), lambda action: action.unit == "2", 6)
    assert found is not None and found.unit == "2" and drawn == [0, 1, 2]


@pytest.mark.parametrize("name", ["drill-ground", "wachau", "long-sand"])
def test_a_position_is_worth_to_one_side_what_it_costs_the_other(name: str) -> None:
    """In points, in troops, and by the rule set's own evaluation of both."""
    battle = open_battle(name)
    a, b = battle.setup.sides
    assert balance(battle, a, lambda unit: unit.strength) == -balance(battle, b, lambda unit: unit.strength)
    worth = play_of(battle).worth
    assert worth(battle, a) == pytest.approx(-worth(battle, b))
    assert lead(battle, a) == -lead(battle, b)
