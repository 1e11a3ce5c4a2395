"""Scale and bases of the Ages, in each of them: the same table, with the words of its own armies."""

from __future__ import annotations

import pytest

from tabletop.rules import rule_set
from tabletop.rules.rule_set import MusterError
from tests import destiny, glaube, gloire, reason
from tests.ages import Builder

AGES: dict[str, Builder] = {
    "destiny": destiny.BUILDER,
    "reason": reason.BUILDER,
    "gloire": gloire.BUILDER,
    "glaube": glaube.BUILDER,
}


@pytest.mark.parametrize("age", AGES)
def test_the_scale(age: str) -> None:
    """AGE-EQP-02, AGE-EQP-04, AGE-EQP-09: a millimetre is two metres, a turn five minutes, a base 100 to 125 men."""
    scale = rule_set.find(age).profile.tables["scale"]
    assert (scale["metres"], scale["minutes"], scale["men"]) == (2.0, 5, [100, 125])


@pytest.mark.parametrize("age", ["destiny", "reason", "gloire"])
def test_bases_of_foot(age: str) -> None:
    """AGE-EQP-04: 20 by 15 mm; five of them side by side are 100."""
    x0, y0, x1, y1 = AGES[age].unit("a", bases=5).footprint.bounds
    assert (x1 - x0, y1 - y0) == (100.0, 15.0)


@pytest.mark.parametrize("age", AGES)
def test_bases_of_horse(age: str) -> None:
    """AGE-EQP-05: 30 by 40 mm; four of them side by side are 120, and there are no more than four."""
    troop = next(name for name in rule_set.find(age).profile.troops if name.endswith("cavalry"))
    x0, y0, x1, y1 = AGES[age].unit("a", "blue", troop, bases=4).footprint.bounds
    assert (x1 - x0, y1 - y0) == (120.0, 40.0)
    with pytest.raises(MusterError, match="5 is not between 1 and 4"):
        AGES[age].unit("a", "blue", troop, bases=5)
