"""A field for tests: units and terrain in the coordinates of a worked case, shifted to the middle of a table.

``Field(2)`` is the same field with every length doubled at figure scale 2 (TSE-SCL-01).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.judge import ask
from tabletop.rules.tse.muster import muster
from tabletop.rules.tse.rule_set import RULES

#: Where the worked case's origin lies, in inches at scale 1, and how wide and high the table is.
O = 40.0
FAR = 80.0


@dataclass(frozen=True)
class Field:
    scale: int = 1

    def put(self, point: Point) -> Point:
        """Return a point of the worked case on the table."""
        return self.scale * (O + point[0]), self.scale * (O + point[1])

    def back(self, point: Iterable[float]) -> tuple[float, float]:
        """Return a point of the table in the worked case."""
        x, y = point
        return x / self.scale - O, y / self.scale - O

    def unit(self, id: str, **keys: Any) -> Unit:  # noqa: A002
        """Return a unit; four infantry bases in a column of side "blue" facing north unless said."""
        entry = {"id": id, "side": "blue", "troop": "infantry", "bases": 4, "formation": "maneuver-column", "facing": 0}
        entry |= keys
        for key in ("at", "front_mid"):
            if key in keys:
                entry[key] = self.put(keys[key])
        if "base" in keys:
            entry["base"] = [self.scale * length for length in keys["base"]]
        return muster(entry, self.rulings())

    def line(self, id: str, corner: Point, n: int = 4, facing: float = 180.0, **keys: Any) -> Unit:  # noqa: A002
        """Return a deployed line of 0.75 deep bases facing south (or north) by its south-west corner."""
        at = corner[0] + n / 2, corner[1] + 0.375
        return self.unit(id, formation="deployed", bases=n, at=at, facing=facing, **keys)

    def box(self, id: str, kind: str, x: Point, y: Point, **keys: Any) -> Terrain:  # noqa: A002
        """Return a rectangle of terrain from the ranges of its coordinates."""
        outline = [self.put(p) for p in ((x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1]))]
        return Terrain.of_kind(id, kind, outline=outline, scale=self.scale, **keys)

    def path(self, id: str, kind: str, *points: Point, **keys: Any) -> Terrain:  # noqa: A002
        return Terrain.of_kind(id, kind, line=[self.put(p) for p in points], scale=self.scale, **keys)

    def rulings(self, **chosen: Any) -> dict[str, Any]:
        return RULES.ruling_values({"scale": self.scale, **chosen})

    def battle(self, *things: Unit | Terrain, **rulings: Any) -> Battle:
        terrain = [thing for thing in things if isinstance(thing, Terrain)]
        units = [thing for thing in things if isinstance(thing, Unit)]
        table = Table.of("in", FAR * self.scale, FAR * self.scale, terrain, self.scale)
        return Battle.of("tse", table, units, self.rulings(**rulings))

    def fall_back(self, battle: Battle, distance: float, unit: str = "unit", source: str = "source") -> Verdict:
        return ask(battle, "fallback", [unit], {"from": source, "distance": distance * self.scale})


FIELDS = (Field(), Field(2))
