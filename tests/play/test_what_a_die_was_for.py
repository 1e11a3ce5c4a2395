"""What a die was thrown for is told in words, and for whom by name."""

import pytest

from tabletop.battle.event import Thrown
from tabletop.play.narration import thrown_for
from tests import loaded


@pytest.mark.parametrize(
    ("purpose", "said", "unit"),
    [
        ("regroup: auer", "regroup", "auer"),
        ("orders: maneuver, auer", "orders: maneuver", "auer"),
        ("orders: deployed-fire, auer", "orders: deployed fire", "auer"),
        ("army morale, austrian", "army morale, austrian", ""),
        ("initiative", "initiative", ""),
        ("emergency_square", "emergency square", ""),
    ],
)
def test_a_purpose_ends_on_the_unit(purpose: str, said: str, unit: str) -> None:
    assert thrown_for(loaded.scenario("tse/starter"), Thrown(purpose, 1000, 1)) == (said, unit)
