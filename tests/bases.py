"""What units stand on, for the tests that read a corner, a front or a radius."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base, Disc


def rectangles(bases: Iterable[Base | Disc]) -> tuple[Base, ...]:
    """Return the bases of a unit of troops as what they are, rectangles; fails for a disc among them."""
    given = tuple(bases)
    found = tuple(base for base in given if isinstance(base, Base))
    assert len(found) == len(given)
    return found


def disc(unit: Unit) -> Disc:
    """Return the one disc a general stands on."""
    (base,) = unit.bases
    assert isinstance(base, Disc)
    return base
