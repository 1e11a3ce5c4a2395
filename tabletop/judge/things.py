"""The things that stand on a table and were measured: every unit and every piece of terrain, and how to move one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import FACING_GRID, GRID, Point
from tabletop.geometry.terrain import Terrain


@dataclass(frozen=True, eq=False)
class Thing:
    """One unit, or one piece of terrain, in its place."""

    body: Unit | Terrain

    @property
    def id(self) -> str:
        return self.body.id

    @property
    def is_unit(self) -> bool:
        return isinstance(self.body, Unit)

    @property
    def shape(self) -> BaseGeometry:
        """The ground it covers, including what hangs over the table's edge."""
        return self.body.footprint if isinstance(self.body, Unit) else self.body.uncut

    @cached_property
    def centre(self) -> Point:
        """The point it is turned about: a unit's centre-point, the centroid of a piece of terrain."""
        if isinstance(self.body, Unit):
            return self.body.at
        centroid = self.body.uncut.centroid
        return centroid.x, centroid.y

    @property
    def turns(self) -> bool:
        """Whether turning it matters: not for a single man, whose base is a disc."""
        return not (isinstance(self.body, Unit) and self.body.is_general)

    @cached_property
    def girth(self) -> float:
        """The greatest distance of its points from its centre."""
        coordinates = shapely.get_coordinates(self.shape) - self.centre
        return float(max(math.hypot(x, y) for x, y in coordinates)) if len(coordinates) else 0.0

    def stir(self, degrees: float) -> float:
        """Return the greatest distance that any point of it moves when it is turned by ``degrees`` about its centre."""
        return 2.0 * self.girth * math.sin(math.radians(min(degrees, 180.0)) / 2.0) if self.turns else 0.0


def things_of(battle: Battle) -> tuple[Thing, ...]:
    """Return everything that was measured: units in order of id, then the terrain."""
    pieces = (piece for piece in battle.table.terrain if not shapely.is_empty(piece.shape))
    return (*map(Thing, battle.units), *map(Thing, pieces))


@dataclass(frozen=True)
class Placement:
    """One thing moved: turned clockwise by ``turn`` degrees about its centre, and shifted."""

    thing: Thing
    shift: Point = (0.0, 0.0)
    turn: float = 0.0

    @property
    def distance(self) -> float:
        return math.hypot(*self.shift)

    def body(self) -> Unit | Terrain:
        """Return the thing in its new place."""
        body, (dx, dy) = self.thing.body, self.shift
        if isinstance(body, Unit):
            turned = body.turned(self.turn) if self.turn else body
            return turned.moved(dx, dy) if dx or dy else turned
        return body.moved(dx, dy, self.turn)

    def as_json(self) -> dict[str, Any]:
        """Return the placement as a verdict's JSON shows it."""
        if self.turn:
            return {"id": self.thing.id, "turn": self.turn}
        return {"id": self.thing.id, "shift": list(self.shift)}


def placed(battle: Battle, bodies: Iterable[Unit | Terrain]) -> Battle:
    """Return a battle in which ``bodies`` replace the units and pieces of the same ids."""
    every = tuple(bodies)
    units = {body.id: body for body in every if isinstance(body, Unit)}
    pieces = [body for body in every if isinstance(body, Terrain)]
    if units:
        battle = replace(battle, units=tuple(units.get(unit.id, unit) for unit in battle.units))
    return replace(battle, table=battle.table.with_pieces(pieces)) if pieces else battle


def without(battle: Battle, *things: Thing) -> Battle:
    """Return a battle without some of the things on its table."""
    units = tuple(unit for unit in battle.units if not any(unit is thing.body for thing in things))
    rest = tuple(piece for piece in battle.table.terrain if not any(piece is thing.body for thing in things))
    battle = battle if len(units) == len(battle.units) else replace(battle, units=units)
    if len(rest) == len(battle.table.terrain):
        return battle
    return replace(battle, table=replace(battle.table, terrain=rest))


def on_grid(length: float) -> float:
    """Return a length on the grid of files, so that a placement can be written to one."""
    return round(length * GRID) / GRID


def on_facing_grid(degrees: float) -> float:
    return round(degrees * FACING_GRID) / FACING_GRID
