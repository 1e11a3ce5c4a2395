"""How far a fall-back is sure to be carried by what is left of it, and how far at the most: never less than it is."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point, heading
from tabletop.rules.tse.morale import fall_back_budget
from tools.fields import equal_battle


@pytest.mark.parametrize("count", [2, pytest.param(40, marks=pytest.mark.sweep)])
def test_a_leg_is_between_what_is_sure_and_what_is_most(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-INV-01, TSE-INV-16: on ground of all kinds, from bends in the way too, and more often than not more."""
    monkeypatch.setattr(fall_back_budget, "MANY", 0)
    longer, shorter, legs = 0, 0, 0
    for seed in range(count):
        battle = equal_battle(4, 60, seed)
        for unit in battle.units:
            if not unit.is_general:
                found = sure_and_real(battle, unit.id, np.random.default_rng(seed))
                assert all(sure <= real + 1e-9 for sure, real, _, _, _ in found), unit.id
                assert all(real <= most + 1e-9 for _, real, most, _, _ in found), unit.id
                longer += sum(sure > short + 1e-3 for sure, _, _, short, _ in found)
                shorter += sum(most < left - 1e-3 for _, _, most, _, left in found)
                legs += len(found)
    assert longer > legs / 10
    assert shorter > legs / 10


def sure_and_real(battle: Battle, name: str, rng: np.random.Generator) -> list[tuple[float, ...]]:
    """Return of some legs what is sure, what they are, the most, and both of any leg; none on plain ground."""
    budget = fall_back_budget.Spending.of(battle, battle.unit(name), 5.0, "rear")
    if budget.plain:
        return []
    bends: list[tuple[Point, ...]] = [(), (), *(((float(x), float(y)),) for x, y in rng.uniform(-1.5, 1.5, (6, 2)))]
    directions = rng.uniform(0.0, 360.0, len(bends)).tolist()
    starts = np.array([before[-1] if before else (0.0, 0.0) for before in bends])
    sure, most = budget.between(bends, starts, np.array([heading(d) for d in directions]))
    real = [length for length, _ in budget.lengths(list(zip(bends, directions, strict=True)))]
    any_leg = [budget.shortest(before) for before in bends], [budget.left(before) for before in bends]
    return list(zip(sure.tolist(), real, most.tolist(), *any_leg, strict=True))
