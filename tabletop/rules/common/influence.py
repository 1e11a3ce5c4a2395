"""Parts of zones of influence that rule sets share: ground about units, what hides, what can only hinder or help."""

from __future__ import annotations

import math
from collections.abc import Callable

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import FORDS, Terrain
from tabletop.rules.rule_set import Request

#: Margin around the ground a rule reads, for each table unit, at scale 1.
ROOM = {"in": 0.1, "mm": 2.5, "cm": 0.25}


def room(battle: Battle) -> float:
    """Return the margin (table units) around the ground a rule reads, well above tolerance and rounding.

    >>> from tabletop.play.files.opened import open_battle
    >>> room(open_battle("starter")) > 0.0
    True
    """
    return ROOM[battle.table.unit] * battle.scale


def hides(thing: Unit | Terrain) -> bool:
    """Return whether a thing is a hill or terrain that blocks sight.

    >>> from tabletop.play.files.opened import open_battle
    >>> table = open_battle("starter").table
    >>> hides(table.piece("west-wood")), hides(table.piece("south-hedge"))
    (True, False)
    """
    return isinstance(thing, Terrain) and (thing.is_hill or thing.sight == "tall")


def person(thing: Unit | Terrain) -> bool:
    """Return whether a thing is a general or staff officer, who obstructs nobody.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> person(battle.unit("morel")), person(battle.unit("arnaud"))
    (True, False)
    """
    return isinstance(thing, Unit) and thing.is_general


def stands(thing: Unit | Terrain) -> bool:
    """Return whether a thing is a unit that obstructs others.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> stands(battle.unit("morel")), stands(battle.unit("arnaud"))
    (False, True)
    """
    return isinstance(thing, Unit) and not thing.is_general


def apart(battle: Battle, request: Request, pad: float) -> Callable[[Unit | Terrain, float], bool]:
    """Return the test ``Influence.one_way``: whether a thing shifted by up to r only hinders, or only helps.

    True if its outline comes no nearer than ``pad`` (table units) to the units asked about, so that these stay inside
    or outside it. False for what opens a path through other ground, for obstacles that count as one when joined, and
    for hills that may merge with another.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> test = apart(battle, Request("los", ("arnaud", "auer")), 0.5)
    >>> test(battle.unit("zichy"), 0.25), test(battle.unit("arnaud"), 0.25)
    (True, False)
    """
    them = shapely.union_all([unit.footprint for unit in asked(battle, request)])

    def one_way(thing: Unit | Terrain, r: float) -> bool:
        if isinstance(thing, Unit):
            return float(shapely.distance(thing.footprint, them)) > r + pad
        if thing.kind in FORDS or thing.movement in ("choke", "linear") or not thing.is_area:
            return False
        if float(shapely.distance(shapely.boundary(thing.uncut), them)) <= r + pad:
            return False
        return not (thing.is_hill and any(_may_join(thing, piece, 2.0 * r) for piece in battle.table.terrain))

    return one_way


def _may_join(hill: Terrain, other: Terrain, within: float) -> bool:
    if not other.is_hill or other.id == hill.id or other.level != hill.level:
        return False
    return bool(shapely.dwithin(hill.uncut, other.uncut, within))


def asked(battle: Battle, request: Request) -> list[Unit]:
    """Return the units a question is about.

    >>> from tabletop.play.files.opened import open_battle
    >>> [unit.id for unit in asked(open_battle("starter"), Request("los", ("arnaud", "auer")))]
    ['arnaud', 'auer']
    """
    names = (*request.args, request.options.get("from"), request.options.get("after"))
    return [battle.unit(name) for name in names if name is not None]


def girth(unit: Unit) -> float:
    """Return the diagonal (table units) of a unit's bounding box.

    >>> from tabletop.play.files.opened import open_battle
    >>> girth(open_battle("starter").unit("arnaud"))
    2.5
    """
    x0, y0, x1, y1 = unit.bounds
    return math.hypot(x1 - x0, y1 - y0)


def hull(battle: Battle, request: Request, far: float) -> BaseGeometry:
    """Return the convex hull of the units asked about, grown by ``far`` (table units) and a margin.

    >>> from tabletop.play.files.opened import open_battle
    >>> import shapely
    >>> battle = open_battle("starter")
    >>> bool(shapely.covers(hull(battle, Request("los", ("arnaud", "auer")), 1.0), battle.unit("auer").footprint))
    True
    """
    between = shapely.convex_hull(shapely.union_all([unit.footprint for unit in asked(battle, request)]))
    return between.buffer(far + room(battle))
