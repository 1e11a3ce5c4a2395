"""The rough cover of a unit towards one of sixteen directions, cached, for evaluating positions by the hundred.

It applies the rules of cover to a straight path from that direction to the unit's nearest point. It judges nothing.
"""

from __future__ import annotations

import math

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.cache import Cache
from tabletop.geometry.measure import Point, bearing, heading
from tabletop.geometry.shapes import points_of
from tabletop.geometry.terrain import COVER_CLASSES
from tabletop.rules.tse.fire.cover import behind_cover, path_cover

Box = tuple[float, float, float, float]

#: The number of directions, and the assumed distance of an attacker in inches.
SIDES, OFF = 16, 6.0

_covers: Cache[str] = Cache(20_000)
_boxes: Cache[tuple[Box, ...]] = Cache(8)


def likely_cover(battle: Battle, unit: Unit, source: Point) -> str:
    """Return the likely class of cover of a unit against an attacker from ``source``."""
    if unit.at == source or not near_cover(battle, unit):
        return COVER_CLASSES[0]
    side = round(bearing(source[0] - unit.at[0], source[1] - unit.at[1]) / (360.0 / SIDES)) % SIDES
    key = (unit.at, unit.facing, unit.formation, unit.front, unit.strength, unit.troop, side)
    return _covers.of(battle.table, key, lambda: _cover_towards(battle, unit, side))


def near_cover(battle: Battle, unit: Unit) -> bool:
    """Return whether any piece of terrain that gives cover is near the unit."""
    near = behind_cover(battle)
    x0, y0, x1, y1 = unit.bounds
    boxes = _boxes.of(battle.table, "boxes", lambda: _covering(battle))
    return any(a <= x1 + near and b <= y1 + near and c >= x0 - near and d >= y0 - near for a, b, c, d in boxes)


def _covering(battle: Battle) -> tuple[Box, ...]:
    """Return the bounding boxes of the pieces that give cover."""
    none = COVER_CLASSES[0]
    pieces = (p for p in battle.table.terrain if (p.cover_assault, p.cover_fire) != (none, none))
    bounds = (shapely.bounds(piece.shape).tolist() for piece in pieces)
    return tuple((x0, y0, x1, y1) for x0, y0, x1, y1 in bounds)


def _cover_towards(battle: Battle, unit: Unit, side: int) -> str:
    dx, dy = heading(360.0 / SIDES * side)
    x0, y0, x1, y1 = unit.bounds
    far = OFF * battle.scale + math.hypot(x1 - x0, y1 - y0)
    start = shapely.Point(unit.at[0] + far * dx, unit.at[1] + far * dy)
    a, b = points_of(shapely.get_coordinates(shapely.shortest_line(start, unit.footprint)))
    return path_cover(battle, unit, (a, b)).name
