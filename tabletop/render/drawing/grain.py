"""An inch in table units, by which all that stands on the ground is sized, and where on a table no tree stands."""

from __future__ import annotations

import math

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.terrain import Table

#: An inch at figure scale 1, in table units.
INCH = {"in": 1.0, "mm": 25.4, "cm": 2.54}
#: Kinds of terrain that trees keep off.
WITHOUT_TREES = ("road", "track", "river", "lake", "town", "building", "bridge", "ford", "gate", "redoubt")


def grain_of(table: Table) -> float:
    """Return an inch in table units: what symbols are sized by. Larger on huge tables, to bound their number."""
    return max(INCH[table.unit] * table.scale, math.sqrt(table.width * table.height) / 90.0)


def clearings_of(table: Table) -> BaseGeometry:
    """Return where no tree stands: ways, water, towns and works, with a little room."""
    room = 0.16 * grain_of(table)
    shapes = [p.shape.buffer(room) for p in table.terrain if p.kind in WITHOUT_TREES]
    streams = [p.shape.buffer(1.6 * room) for p in table.terrain if p.kind == "stream"]
    return shapely.union_all(shapes + streams)
