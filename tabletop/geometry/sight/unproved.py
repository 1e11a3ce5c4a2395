"""Searches for a sight line that were cut short: what they did not find is not proved absent.

They are recorded with the table, because its answers are cached and reused on all tables with the same hiding pieces:
whoever reports an answer checks whether a search about its units was cut short.
"""

from __future__ import annotations

from collections.abc import Iterable

import shapely

from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight.obstruction import as_seen
from tabletop.geometry.terrain import Table

Noted = list[tuple[shapely.Geometry, shapely.Geometry, int]]


def note(table: Table, a: shapely.Geometry, b: shapely.Geometry, bundles: int) -> None:
    """Record that a search between two shapes was cut short after so many bundles of lines."""
    noted: Noted = vars(as_seen(table)).setdefault("_unproved", [])
    noted.append((a, b, bundles))


def cut_short(table: Table) -> int:
    """Return how many searches on a table were cut short."""
    return len(vars(as_seen(table)).get("_unproved", ()))


def unproved(table: Table, shapes: Iterable[shapely.Geometry]) -> int:
    """Return after how many bundles of lines a search on a table was cut short that began or ended at one of the
    shapes.

    A count; 0 if every such search was completed (TSE-LOS-01).

    >>> from tabletop.geometry import Table
    >>> unproved(Table.of("in", 20, 20, []), [shapely.box(9.0, 2.0, 11.0, 3.0)])
    0
    """
    noted: Noted = vars(as_seen(table)).get("_unproved", [])
    if not noted:
        return 0
    about = shapely.buffer(shapely.union_all(list(shapes)), GRAZE)
    return max((n for a, b, n in noted if shapely.intersects(about, a) or shapely.intersects(about, b)), default=0)
