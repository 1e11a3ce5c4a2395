"""Direct sight: hills, woods, houses and other units stand in its way."""

from __future__ import annotations

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.line_of_sight import Sight, SightLaw, sight
from tabletop.geometry.measure import GRAZE, Point
from tabletop.geometry.shapes import line_shape
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.common.sight import ends_of, seen_or_not
from tabletop.rules.realm_of_chance.tables import length, tables
from tabletop.rules.rule_set import Request


def law() -> SightLaw:
    """Return the law of sight in mm: straight lines, higher ground sees over lower (ROC-ART-07)."""
    return SightLaw(budget=length("woods_sight"))


def los(battle: Battle, request: Request) -> Verdict:
    """Answer ``los A B``: some point of A sees some point of B, past hills and all other units (ROC-ART-07)."""
    a, b = ends_of(battle, request)
    found = seen(battle, a, b)
    rule = "ROC-ART-07"
    if found.seen:
        text = f"a clear line of {found.distance:.1f} mm runs from {a.called} to {b.called}"
        because = (Reason(rule, True, text, found.distance),)
    else:
        because = (Reason(rule, False, f"no line from {a.called} to {b.called} is clear"),)
    shown = found.line or (found.best_blocked and (found.best_blocked.start, found.best_blocked.end))
    label = "" if found.distance is None else f"{found.distance:.1f} mm"
    shapes = (line_shape("witness" if found.seen else "blocked", shown, label),) if shown else ()
    return seen_or_not(battle, request, found, because, shapes)


def seen(battle: Battle, a: Unit, b: Unit, start: BaseGeometry | None = None) -> Sight:
    """Return what a unit, or a part ``start`` of it, sees of another: no line over or through others (ROC-ART-07).

    Generals and staff officers hide nothing.
    """
    return sight(_with_units(battle, a, b), start or a.footprint, b.footprint, law())


def sees(battle: Battle, a: Unit, b: Unit) -> bool:
    """Return whether one unit sees another (ROC-ART-07)."""
    return seen(battle, a, b).seen


def _with_units(battle: Battle, a: Unit, b: Unit) -> Table:
    """Return the table with every unit between two as a wall nobody sees over; itself where there is none."""
    field = shapely.convex_hull(shapely.geometrycollections([a.footprint, b.footprint]))
    between = tuple(
        unit
        for unit in battle.units
        if not unit.is_general and unit.id not in (a.id, b.id) and shapely.intersects(field, unit.footprint)
    )
    if not between:
        return battle.table
    table = battle.table
    level = int(tables()["sight"]["units_level"])
    walls = [_wall(unit, level) for unit in between]
    return Table(table.unit, table.width, table.height, (*table.terrain, *walls), table.scale)


def _wall(unit: Unit, level: int) -> Terrain:
    """Joints of bases on a straight side are left out: they are no corners."""
    shape = shapely.simplify(unit.footprint, GRAZE)
    return Terrain(unit.id, "unit", shape, sight="tall", level=level, name=unit.name)


def nearest(a: BaseGeometry, b: BaseGeometry) -> tuple[Point, Point]:
    """Return the nearest points of two shapes."""
    (ax, ay), (bx, by) = shapely.get_coordinates(shapely.shortest_line(a, b)).tolist()
    return (ax, ay), (bx, by)
