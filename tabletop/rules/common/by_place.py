"""By what equal choices among units are settled: by place and by what they are, never by what they are called."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.battle.unit import Unit

#: Lengths and angles are compared after so many decimals.
DECIMALS = 6


def place_of(unit: Unit) -> tuple[float | str, ...]:
    """Return by what units equal in all that counts are told apart: where they stand, how they face, what they are."""
    x, y = unit.at
    where = (round(x, DECIMALS), round(y, DECIMALS), round(unit.facing, DECIMALS))
    return (*where, unit.troop, unit.formation, unit.strength, unit.quality or "", unit.rank, unit.side)


def by_place(units: Iterable[Unit]) -> list[Unit]:
    """Return units in that order; those that differ in nothing but their names as they come."""
    return sorted(units, key=place_of)
