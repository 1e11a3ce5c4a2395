"""Shifts that put a base wholly inside a piece of terrain that hardly holds it.

A base lies inside a convex piece if all of its corners do. So the shifts that put it there are the common part of
copies of the piece, one for each corner of the base. Where the piece is hardly larger than the base, that region may be
too narrow for any ring of shifts; it is represented by its point nearest to no shift, and by one in its middle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import reduce

import numpy as np
import shapely
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from tabletop.battle.unit import Unit
from tabletop.geometry.base import AnyBase
from tabletop.geometry.measure import Point
from tabletop.geometry.shapes import points_of
from tabletop.geometry.terrain import Terrain
from tabletop.judge.things import Placement, Thing, on_grid


def fits(things: Sequence[Thing], asked: int, radius: float, apart: float) -> Iterator[Placement]:
    """Yield placements that shift a base of a unit asked about into a piece of terrain, or the piece about the base.

    ``asked`` is how many of the things, first in the list, are asked about. Shifts are at most ``radius`` long (table
    units); regions of shifts wide enough to hold a circle of diameter ``apart`` are left out.
    """
    units = [(thing, thing.body) for thing in things[:asked] if isinstance(thing.body, Unit)]
    areas = [thing for thing in things if isinstance(thing.body, Terrain) and thing.body.is_area]
    for one, unit in units:
        for area in areas:
            if not shapely.dwithin(unit.footprint, area.shape, radius):
                continue
            for shift in _shifts(unit.bases, area.shape, radius, apart):
                yield Placement(one, shift)
                yield Placement(area, (-shift[0], -shift[1]))


def _shifts(bases: Sequence[AnyBase], area: BaseGeometry, radius: float, apart: float) -> Iterator[Point]:
    """Yield shifts on the grid that put one of the bases inside the area, where such shifts are few."""
    for base in bases:
        region = _inside(base, area)
        for part in shapely.get_parts(region).tolist():
            if shapely.is_empty(part) or not shapely.is_empty(shapely.buffer(part, -apart / 2.0)):
                continue
            for x, y in _within(part):
                shift = on_grid(x), on_grid(y)
                if 0.0 < math.hypot(*shift) <= radius:
                    yield shift


def _inside(base: AnyBase, area: BaseGeometry) -> BaseGeometry:
    """Return the shifts (as points) that put all corners of a base inside an area."""
    corners = np.unique(shapely.get_coordinates(base.polygon), axis=0).tolist()
    return reduce(shapely.intersection, (affinity.translate(area, -x, -y) for x, y in corners))


def _within(part: BaseGeometry) -> Iterator[Point]:
    """Yield the point of a region nearest to no shift, and one in its middle."""
    nearest = shapely.shortest_line(part, shapely.Point(0.0, 0.0))
    yield points_of(shapely.get_coordinates(nearest))[0]
    yield points_of(shapely.get_coordinates(shapely.point_on_surface(part)))[0]
