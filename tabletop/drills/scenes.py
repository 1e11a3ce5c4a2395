"""Building blocks of drill positions: a small table, units, and terrain of random place and shape."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point
from tabletop.play.files.load import load_scene_data

#: The rules of the drills, and the size of their table in inches.
RULES, WIDE, HIGH = "tse", 24.0, 18.0
#: The middle of the table.
MIDDLE: Point = (WIDE / 2, HIGH / 2)
#: Number of corners of a wood, a hill or a town.
CORNERS = 9
#: Maximum inset of a piece's corners from its largest outline, as a share.
UNEVEN = 0.18
#: Minimum distance of a unit from a piece of terrain, and from the table's edge, in inches.
CLEAR, EDGE = 0.05, 0.02

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Layout:
    """The rows of a scene, units and terrain, as written in a file."""

    units: Sequence[Row]
    terrain: Sequence[Row] = ()

    def battle(self, title: str) -> Battle:
        """Return the battle of the scene; Unreadable if it is faulty."""
        head = {"format": "tabletop-scene/1", "title": title, "rules": RULES}
        table = {"unit": "in", "width": WIDE, "height": HIGH}
        rows = {"terrain": list(self.terrain), "units": list(self.units)}
        return load_scene_data({**head, "table": table, **rows}, label="drill")

    def moved(self, name: str, shift: Point) -> Layout:
        """Return the scene with one thing, given by its id, shifted."""
        return Layout(
            [_shifted(row, name, shift) for row in self.units], [_shifted(r, name, shift) for r in self.terrain]
        )

    @property
    def movable(self) -> Sequence[str]:
        """The ids of everything on the table."""
        return [str(row["id"]) for row in (*self.units, *self.terrain)]

    def as_data(self) -> Mapping[str, Any]:
        """Return the rows as plain data."""
        return {"units": [dict(row) for row in self.units], "terrain": [dict(row) for row in self.terrain]}


def _shifted(row: Row, name: str, shift: Point) -> Row:
    if row["id"] != name:
        return row
    key = next(key for key in ("at", "outline", "line") if key in row)
    dx, dy = shift
    if key == "at":
        return {**row, key: [round(row[key][0] + dx, 6), round(row[key][1] + dy, 6)]}
    return {**row, key: [[round(x + dx, 6), round(y + dy, 6)] for x, y in row[key]]}


def beyond(at: Point, bearing: float, far: float) -> Point:
    """Return the point at this distance from another on a bearing (degrees clockwise from north).

    >>> beyond((0.0, 0.0), 90.0, 2.0)
    (2.0, 0.0)
    """
    angle = math.radians(bearing)
    return round(at[0] + far * math.sin(angle), 6), round(at[1] + far * math.cos(angle), 6)


def near(rng: random.Random, at: Point, far: float) -> Point:
    """Return a random point within a distance of another."""
    return beyond(at, rng.uniform(0.0, 360.0), far * math.sqrt(rng.random()))


def unit(name: str, side: str, at: Point, facing: float, **keys: Any) -> Row:
    """Return the row of a unit: infantry of four bases in maneuver column unless ``keys`` say otherwise."""
    form = {"troop": "infantry", "bases": 4, "formation": "maneuver-column", **keys}
    if form["formation"] == "maneuver-column" and form["bases"] > 1:
        form.setdefault("front", 2)
    place = [round(at[0], 2), round(at[1], 2)]
    return {"id": name.lower(), "name": name, "side": side, "at": place, "facing": round(facing % 360.0, 1), **form}


def area(rng: random.Random, name: str, kind: str, at: Point, radii: Point) -> Row:
    """Return the row of a wood, a hill or a town: an uneven outline around a point, turned at random."""
    turned, outline = rng.uniform(0.0, 2.0 * math.pi), list[list[float]]()
    for k in range(CORNERS):
        angle, share = 2.0 * math.pi * k / CORNERS, 1.0 - UNEVEN * rng.random()
        x, y = share * radii[0] * math.cos(angle), share * radii[1] * math.sin(angle)
        east, north = x * math.cos(turned) - y * math.sin(turned), x * math.sin(turned) + y * math.cos(turned)
        outline.append([round(at[0] + east, 2), round(at[1] + north, 2)])
    level = {"level": 1} if kind == "hill" else {}
    return {"id": name.lower(), "name": name, "kind": kind, "outline": outline, **level}


def line(name: str, kind: str, at: Point, bearing: float, long: float) -> Row:
    """Return the row of a wall or hedge: straight, of this length, centred at a point."""
    ends = [beyond(at, bearing, far) for far in (-long / 2, long / 2)]
    return {"id": name.lower(), "name": name, "kind": kind, "line": [[round(x, 2), round(y, 2)] for x, y in ends]}


def stands(battle: Battle) -> bool:
    """Return whether everything lies wholly on the table, with units clear of each other and of the terrain."""
    field = shapely.box(EDGE, EDGE, WIDE - EDGE, HIGH - EDGE)
    feet = [each.footprint for each in battle.units]
    pieces = [piece.uncut for piece in battle.table.terrain]
    if not all(shapely.covers(field, shape) for shape in (*feet, *pieces)):
        return False
    both = [*feet, *pieces]
    return all(shapely.distance(foot, other) > CLEAR for k, foot in enumerate(feet) for other in both[k + 1 :]) and all(
        shapely.distance(a, b) > CLEAR for k, a in enumerate(pieces) for b in pieces[k + 1 :]
    )
