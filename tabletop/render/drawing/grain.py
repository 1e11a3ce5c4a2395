"""An inch in table units, the size of everything drawn on the ground, and the parts of a table without trees."""

from __future__ import annotations

import math

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.lengths import inch
from tabletop.geometry.terrain import Table

#: Kinds of terrain without trees.
WITHOUT_TREES = ("road", "track", "river", "lake", "town", "building", "bridge", "ford", "gate", "redoubt")


def grain_of(table: Table) -> float:
    """Return an inch in table units, the size of symbols; larger on huge tables, to limit their number."""
    return max(inch(table), math.sqrt(table.width * table.height) / 90.0)


def clearings_of(table: Table) -> BaseGeometry:
    """Return the ground without trees: roads, water, towns and works, with a small margin."""
    room = 0.16 * grain_of(table)
    shapes = [p.shape.buffer(room) for p in table.terrain if p.kind in WITHOUT_TREES]
    streams = [p.shape.buffer(1.6 * room) for p in table.terrain if p.kind == "stream"]
    return shapely.union_all(shapes + streams)
