"""What can matter to a question, derived from the rules independently of the search that the brute force checks.

Generous on purpose: the ground between the units asked about, the paths a unit may take, and around it all more than
the zones, clearances and cover that a rule reads. Only for sight is a whole kind of thing left out (TSE-LOS-20: troops
hide nobody). Everything else on the table is tried too, at random.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle import lengths
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.judge.things import Thing, things_of

#: How far beyond the ground asked about (inches): zones (1), clearance (0.5), cover (0.5) and crests (1) together; and
#: more than the range of infantry in Realm of Chance (50 mm). Command (TSE-ORD-03) looks at the whole table.
BEYOND = 3.0


@dataclass(frozen=True)
class Matters:
    """The ground that an answer may look at, the things that may get there, and all others."""

    ground: BaseGeometry
    things: tuple[Thing, ...]
    others: tuple[Thing, ...]

    def untouched(self, thing: Thing, asked: bool) -> float:
        """Return the length of shifts up to which the ground looked at stays exactly the same.

        Up to there no outline of the thing comes to the ground. Hills carry what stands on them and hedges join others,
        so theirs may matter from afar: 0 for them, and for the units asked about, which take the ground along.
        """
        body = thing.body
        if asked or (isinstance(body, Terrain) and (body.is_hill or body.movement == "linear")):
            return 0.0
        outline = shapely.boundary(thing.shape) if isinstance(body, Terrain) and body.is_area else thing.shape
        return float(shapely.distance(outline, self.ground))


def what_matters(
    battle: Battle, question: str, args: tuple[str, ...], options: Mapping[str, Any], radius: float, turn: float
) -> Matters:
    """Return what can matter when one thing is shifted by up to ``radius`` or turned by up to ``turn`` degrees."""
    ground = looked_at(battle, question, args, options)
    asked = asked_units(args, options)
    things: list[Thing] = []
    others: list[Thing] = []
    for thing in things_of(battle):
        reach = max(radius, thing.stir(turn))
        near = _may_matter(battle, question, thing) and shapely.dwithin(thing.shape, ground, reach)
        (things if near or (thing.is_unit and thing.id in asked) else others).append(thing)
    return Matters(ground, tuple(things), tuple(others))


def asked_units(args: tuple[str, ...], options: Mapping[str, Any]) -> set[str]:
    """Return the units that a question names."""
    return {*args, *(str(options[name]) for name in ("from", "after") if options.get(name) is not None)}


def looked_at(battle: Battle, question: str, args: tuple[str, ...], options: Mapping[str, Any]) -> BaseGeometry:
    """Return the ground that a question may look at while the units asked about stay where they are."""
    inch = lengths.inch(battle.table)
    units = [battle.unit(name) for name in sorted(asked_units(args, options))]
    if question == "command":
        return shapely.box(*battle.table.edge.bounds)
    bodies: list[BaseGeometry] = [unit.footprint for unit in units]
    points = [options.get("start"), options.get("end"), options.get("to"), *(options.get("path") or ())]
    ways = [tuple(map(float, point[:2])) for point in points if point is not None]
    bodies += [shapely.Point(point) for point in ways]
    pad = BEYOND * inch
    if question in ("move", "assault", "breakthrough"):
        pad += max(map(_across, units))
    if question == "fallback":
        deepest = max(_across(unit) for unit in battle.units)
        pad += float(options.get("distance") or 0.0) + _across(units[0]) + deepest
    return shapely.convex_hull(shapely.union_all(bodies)).buffer(pad)


def _across(unit: Unit) -> float:
    x0, y0, x1, y1 = unit.bounds
    return math.hypot(x1 - x0, y1 - y0)


def _may_matter(battle: Battle, question: str, thing: Thing) -> bool:
    body = thing.body
    if battle.rules == "tse" and question in ("los", "line"):
        return isinstance(body, Terrain) and (body.is_hill or body.sight == "tall")
    if battle.rules == "tse" and question == "arc":
        return False
    if question == "command":
        return isinstance(body, Unit) and body.is_general
    return True
