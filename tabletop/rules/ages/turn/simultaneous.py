"""The order of simultaneous events: by where units stand, never by their names."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import heading, right_of
from tabletop.rules.ages.morale.edges import bearing_home

#: Decimals of a mm to which distances are compared, so that places which differ only by rounding count as equal.
DECIMALS = 6
#: Added before rounding, so that no place on the grid of 1/1024 lies half-way between two decimals.
OFF_TIES = 1e-6 / 32


def in_sequence(battle: Battle, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return units in the order in which dice are thrown and results applied for them (ROC-RAL-01; reconstruction).

    The unit nearest its side's own edge comes first, so that of routed troops the hindmost run before those in front of
    them; if equal, the one farther to the left as its side faces the enemy. Of several edges the first counts. Names
    play no part.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> [unit.id for unit in in_sequence(battle, battle.side("french"))]
    ['colonel', 'french-guns', 'cuirassiers', 'french-2', 'french-1', 'french-3']
    """
    return tuple(sorted(units, key=lambda unit: _place(battle, unit)))


def _place(battle: Battle, unit: Unit) -> tuple[float, float, float]:
    """Return how far a unit stands from its edge, how far to the right along it, and how it faces."""
    (x, y), home = unit.at, bearing_home(battle, unit.side)
    fx, fy = heading(home)
    rx, ry = right_of((fx, fy))
    from_edge, to_right = -(x * fx + y * fy), -(x * rx + y * ry)
    return _rounded(from_edge), _rounded(to_right), _rounded(unit.facing - home) % 360.0


def _rounded(value: float) -> float:
    return round(value + OFF_TIES, DECIMALS)
