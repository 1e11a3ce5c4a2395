"""Terrain under these rules: difficult ground, roads, houses, impassable ground, advantage of ground."""

from __future__ import annotations

from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.terrain import Table, Terrain
from tabletop.rules.ages.movement.motion import Course, convex
from tabletop.rules.ages.tables import arm, length, tables
from tabletop.rules.traits import pieces_with

#: Movement classes that slow a move: rough ground and woods, houses, streams and walls (ROC-MOV-02).
SLOW = ("rough", "town", "linear")
#: The trait of terrain that is a rampart with a ditch (AGE-CBT-08).
WORKS = "works"


def _cached(table: Table, key: str, make: Any) -> Any:
    """Return ``make()``, cached on the table under ``key``, as many questions are asked about one table."""
    cache: dict[str, Any] = vars(table).setdefault("_realm", {})
    if key not in cache:
        cache[key] = make()
        if isinstance(cache[key], BaseGeometry):
            shapely.prepare(cache[key])
    return cache[key]


def difficult_area(battle: Battle) -> BaseGeometry:
    """Return all ground that slows a move, hills included unless ruled otherwise (ROC-MOV-02, AGE-SET-04)."""
    hills = bool(battle.rulings["hills_difficult"])

    def make() -> BaseGeometry:
        pieces = [p.shape for p in battle.table.of_movement(*SLOW)]
        pieces += [hill.area for hill in battle.table.hills] if hills else []
        return shapely.union_all(pieces) if pieces else shapely.Polygon()

    area: BaseGeometry = _cached(battle.table, f"difficult {hills}", make)
    return area


def road_area(battle: Battle) -> BaseGeometry:
    """Return the ground of all roads."""

    def make() -> BaseGeometry:
        pieces = [p.shape for p in battle.table.of_movement("road")]
        return shapely.buffer(shapely.union_all(pieces), battle.tape.t) if pieces else shapely.Polygon()

    area: BaseGeometry = _cached(battle.table, "road", make)
    return area


def is_difficult(battle: Battle, course: Course) -> bool:
    """Return whether any part of a unit crosses difficult ground at any moment of its move (ROC-MOV-02)."""
    area = difficult_area(battle)
    return not area.is_empty and course.meets(area)


def on_road(battle: Battle, course: Course) -> bool:
    """Return whether the middle of the front stays on roads throughout the course (ROC-MOV-02)."""
    area = road_area(battle)
    way = course.waypoints
    line = shapely.LineString(way) if len(way) > 1 else shapely.Point(way[0])
    return not area.is_empty and bool(shapely.covers(area, line))


def barred(battle: Battle) -> BaseGeometry | None:
    """Return the impassable ground, None if there is none."""
    ground = ground_of(battle.table).barred
    return ground.area if ground else None


def barred_parts(battle: Battle) -> tuple[BaseGeometry, ...]:
    """Return the impassable ground as convex pieces, in table units (ROC-MOV-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> len(barred_parts(open_battle("schellenberg"))), len(barred_parts(open_battle("drill-ground")))
    (10, 0)
    """
    area = barred(battle)
    parts: tuple[BaseGeometry, ...] = _cached(battle.table, "barred", lambda: () if area is None else convex(area))
    return parts


# --- houses ----------------------------------------------------------------------------------------------------------


def houses(battle: Battle) -> tuple[Terrain, ...]:
    """Return the houses, each of which shelters one unit (AGE-SET-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> [house.id for house in houses(open_battle("saint-amand"))]
    ['east-house', 'west-house']
    """
    return battle.table.of_movement("town")


def house_of(battle: Battle, unit: Unit) -> Terrain | None:
    """Return the house a unit stands in or touches; of several the one whose centre is nearest to the unit's.

    Source: AGE-SET-03, ROC-FRM-01.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("saint-amand")
    >>> house_of(battle, battle.unit("landwehr")).id
    'west-house'
    """
    near = length(battle, "contact")
    within_reach = [h for h in houses(battle) if battle.tape.at_most(_gap(h, unit), near)]
    return min(within_reach, key=lambda h: round(_far(h, unit), 6), default=None)


def _far(house: Terrain, unit: Unit) -> float:
    return float(shapely.distance(shapely.centroid(house.shape), shapely.Point(unit.at)))


def _gap(house: Terrain, unit: Unit) -> float:
    return float(shapely.distance(house.shape, unit.footprint))


def closed_houses(battle: Battle, unit: Unit) -> tuple[Terrain, ...]:
    """Return the houses that shelter no unit of this arm: all of them or none (AGE-SET-03)."""
    return houses(battle) if not unit.is_general and arm(unit) in tables(unit)["houses"]["closed_to"] else ()


def closed_house(battle: Battle, unit: Unit, before: Unit | None = None) -> Terrain | None:
    """Return the house that a unit of an arm no house shelters would stand in by more than a touch (AGE-SET-03).

    A house in which the unit stood ``before`` does not count, so that it can always leave.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("saint-amand")
    >>> house, guns = houses(battle)[0], next(u for u in battle.units if u.troop == "foot-artillery")
    >>> x, y = house.shape.centroid.coords[0]
    >>> closed_house(battle, guns.moved(x - guns.at[0], y - guns.at[1])) is house
    True
    """
    entered = (house for house in closed_houses(battle, unit) if _inside(battle, house, unit))
    return next((house for house in entered if before is None or not _inside(battle, house, before)), None)


def _inside(battle: Battle, house: Terrain, unit: Unit) -> bool:
    inner = shapely.buffer(unit.footprint, -battle.tape.t, join_style="mitre")
    return bool(shapely.intersects(house.shape, inner))


def taken(battle: Battle, house: Terrain, but: str) -> Unit | None:
    """Return the unit that holds a house already (AGE-SET-03)."""
    return next(
        (
            u
            for u in battle.units
            if u.id != but and u.formation == "garrison" and shapely.intersects_xy(house.shape, *u.at)
        ),
        None,
    )


# --- advantage of ground ---------------------------------------------------------------------------------------------


def in_cover(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit holds a house or stands in a wood (ROC-CBT-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> unit = battle.unit("french-1")
    >>> in_cover(battle, unit), in_cover(battle, unit.moved(160.0, -100.0))
    (False, True)
    """
    return unit.formation == "garrison" or _in_wood(battle, unit)


def has_the_ground(battle: Battle, unit: Unit, enemy: Unit) -> bool:
    """Return whether a unit has the advantage of ground over its enemy (ROC-CBT-06).

    It has if it stands higher, or if only it is in cover, on whatever level (AGE-CBT-08); so both may have it.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> uphill = battle.unit("prussian-1").moved(0.0, 30.0)
    >>> has_the_ground(battle, uphill, battle.unit("french-1"))
    True
    """
    level, other = battle.table.level_at(unit.at), battle.table.level_at(enemy.at)
    return level > other or (in_cover(battle, unit) and not in_cover(battle, enemy))


def behind_obstacle(battle: Battle, defender: Unit, enemy: Unit) -> bool:
    """Return whether the enemy's shortest way to a defender crosses a stream or a wall (ROC-CBT-06).

    It also does if it begins or ends at the wall, or if the enemy stands astride the wall, with the middles of the two
    units on either side of it. If the tables give a distance (``obstacle_near``), a wall or fence helps only a defender
    that near to it (AGE-CBT-08).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("behind-the-fence")
    >>> pairs = [(battle.unit(f"militia-{x}"), battle.unit(f"grenadiers-{x}")) for x in ("west", "east")]
    >>> [behind_obstacle(battle, militia, grenadiers) for militia, grenadiers in pairs]
    [True, False]
    """
    line = shapely.shortest_line(enemy.footprint, defender.footprint)
    near = tables(battle)["lengths"].get("obstacle_near")
    pieces = [
        p
        for p in battle.table.of_movement("linear")
        if near is None or p.kind == "stream" or battle.tape.at_most(_gap(p, defender), near)
    ]
    return any(
        shapely.crosses(line, p.shape) or _beyond(p, line) or _astride(battle, p, defender, enemy, line) for p in pieces
    )


def holds_works(battle: Battle, unit: Unit, enemy: Unit, defends: bool) -> bool:
    """Return whether a unit holds terrain with the trait ``works``, a rampart with a ditch, against an enemy.

    It does if it stands in works that the enemy is not in, or defends and the enemy's shortest way to it crosses them
    (AGE-CBT-08).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> holds_works(battle, battle.unit("french-1"), battle.unit("prussian-1"), defends=True)
    False
    """
    works = _cached(battle.table, f"{WORKS} {battle.rules}", lambda: pieces_with(battle, WORKS))
    inside = [shapely.intersects_xy(p.shape, *unit.at) and not shapely.intersects_xy(p.shape, *enemy.at) for p in works]
    line = shapely.shortest_line(enemy.footprint, unit.footprint)
    return any(inside) or (defends and any(shapely.intersects(line, p.shape) for p in works if p.line is not None))


def _beyond(piece: Terrain, line: BaseGeometry) -> bool:
    """Return whether a line meets an obstacle that has width."""
    return bool(shapely.get_dimensions(piece.shape) == 2 and shapely.intersects(piece.shape, line))


def _astride(battle: Battle, piece: Terrain, defender: Unit, enemy: Unit, line: BaseGeometry) -> bool:
    """Return whether the way between two units that are on either side of an obstacle begins, ends or lies on it."""
    if not shapely.crosses(shapely.LineString((enemy.at, defender.at)), piece.shape):
        return False
    near = shapely.dwithin(piece.shape, line, battle.tape.t)
    return bool(near or shapely.intersects(piece.shape, enemy.footprint))


def _in_wood(battle: Battle, unit: Unit) -> bool:
    pieces = [p for p in battle.table.terrain if p.kind == "woods" and not p.shape.is_empty]
    return any(shapely.intersects_xy(p.shape, *unit.at) for p in pieces)
