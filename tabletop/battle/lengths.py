"""Units of length: how long an inch is in each of them, and on a table."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.geometry.terrain import Table

#: Length of an inch in each unit in which tables are measured.
PER_INCH: Mapping[str, float] = {"in": 1.0, "mm": 25.4, "cm": 2.54}


def inch(table: Table) -> float:
    """Return an inch on a table in its own unit, for figures of its scale.

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> table = open_battle("drill-ground").table
    >>> table.unit, inch(table), inch(replace(table, scale=2.0))
    ('mm', 25.4, 50.8)
    """
    return PER_INCH[table.unit] * table.scale


def converted(length: float, unit: str, wanted: str) -> float:
    """Return a length given in one unit in another.

    >>> converted(10.0, "in", "cm"), converted(254.0, "mm", "in")
    (25.4, 10.0)
    """
    return length * PER_INCH[wanted] / PER_INCH[unit]
