"""What ``tools.assault_targets`` counts: the causes for which other units may forbid an assault, and no others."""

from __future__ import annotations

import pytest

from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tests.field import Field
from tools import assault_targets as tool

FIELD = Field()
FOE = FIELD.line("foe", (-4, 4), n=8, side="red")
CASES = {
    "crossed": (FIELD.line("other", (-1, 2), n=2, side="red"), tool.CROSSED),
    "short": (FIELD.line("other", (0.5, 2), n=2, side="red"), tool.SHORT),
    "friend": (FIELD.unit("other", bases=2, front=1, front_mid=(0.5, 3.9)), tool.IN_FRIEND),
    "lake": (FIELD.box("lake", "lake", (-1, 1), (1, 2)), None),
}


@pytest.mark.parametrize(("thing", "cause"), CASES.values(), ids=CASES)
def test_causes(thing: Unit | Terrain, cause: str | None) -> None:
    """TSE-ASL-07, TSE-ASL-23: each is told apart; ground is no cause of other units."""
    verdict = ask(FIELD.battle(FIELD.unit("unit", front_mid=(0, 0)), FOE, thing), "assault", ["unit", "foe"])
    assert not verdict.holds
    assert tool.free(verdict) is (cause is not None)
    against = [reason for reason in verdict.because if not reason.holds]
    assert tool.cause(against[0]) == cause
