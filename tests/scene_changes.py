"""Scenes as plain data, and the changes of a scene that must not change a verdict.

A scene is a square table: pieces of terrain and units by the keys of the file format, and chosen rulings. A ``Change``
turns a scene and a question into another, and says what becomes of a point, a bearing and a length.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.geometry.terrain import Table, Terrain
from tabletop.rules import rule_set

Point = tuple[float, float]
Entry = dict[str, Any]


@dataclass(frozen=True)
class Scene:
    """A square table of ``size`` by ``size``, as data."""

    size: float
    terrain: tuple[Entry, ...] = ()
    units: tuple[Entry, ...] = ()
    rulings: Mapping[str, Any] = field(default_factory=dict)

    def battle(self) -> Battle:
        rules = rule_set.find("tse")
        values = rules.ruling_values(self.rulings)
        scale = float(values["scale"])
        pieces = [Terrain.of_kind(**entry, scale=scale) for entry in self.terrain]
        table = Table.of("in", self.size, self.size, pieces, scale)
        return Battle.of("tse", table, [rules.muster(entry, values) for entry in self.units], values)


@dataclass(frozen=True)
class Change:
    """What becomes of a point, a bearing, a length; ``flips`` where left and right change places."""

    name: str
    point: Callable[[Point], Point]
    bearing: Callable[[float], float]
    factor: float = 1.0
    flips: bool = False
    size: float | None = None
    rulings: Mapping[str, Any] = field(default_factory=dict)

    def scene(self, scene: Scene) -> Scene:
        return Scene(
            self.size or scene.size,
            tuple(self._terrain(entry) for entry in scene.terrain),
            tuple(self._unit(entry) for entry in scene.units),
            {**scene.rulings, **self.rulings},
        )

    def _points(self, points: list[Point]) -> list[Point]:
        return [self.point(p) for p in points]

    def _terrain(self, entry: Entry) -> Entry:
        changed = dict(entry)
        for key in ("outline", "line"):
            if key in changed:
                changed[key] = self._points(changed[key])
        for key in ("width", "see_through"):
            if key in changed:
                changed[key] *= self.factor
        return changed

    def _unit(self, entry: Entry) -> Entry:
        changed = dict(entry)
        for key in ("at", "front_mid"):
            if key in changed:
                changed[key] = list(self.point(tuple(changed[key])))
        if "facing" in changed:
            changed["facing"] = self.bearing(changed["facing"])
        if "track" in changed:
            changed["track"] = [list(p) for p in self._points(changed["track"])]
        if self.flips and "bend" in changed:
            changed["bend"] = [-b for b in reversed(changed["bend"])]
            changed["reference"] = changed["bases"] - 1 - changed.get("reference", 0)
        return changed

    def options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        changed = dict(options)
        for key in ("to",):
            if key in changed:
                changed[key] = self.point(changed[key])
        if "path" in changed:
            changed["path"] = self._points(changed["path"])
        if "facing" in changed:
            changed["facing"] = self.bearing(changed["facing"])
        if "distance" in changed:
            changed["distance"] *= self.factor
        if "shift" in changed:
            (x0, y0), (x1, y1) = self.point((0.0, 0.0)), self.point(changed["shift"])
            changed["shift"] = (x1 - x0, y1 - y0)
        return changed


def same(bearing: float) -> float:
    return bearing


def mirrored(size: float) -> Change:
    return Change("mirror", lambda p: (size - p[0], p[1]), lambda b: (360.0 - b) % 360.0, flips=True)


def turned(size: float, quarters: int) -> Change:
    def point(p: Point) -> Point:
        for _ in range(quarters):
            p = (p[1], size - p[0])
        return p

    return Change(f"{quarters} quarter turns", point, lambda b: (b + 90.0 * quarters) % 360.0)


def shifted(size: float, dx: int, dy: int) -> Change:
    """Shift everything by whole inches; the table grows so that its edge stays out of the way."""
    grown = size + 2.0 * max(abs(dx), abs(dy))
    return Change("shift", lambda p: (p[0] + dx, p[1] + dy), same, size=grown)


def doubled(size: float) -> Change:
    return Change("double", lambda p: (2 * p[0], 2 * p[1]), same, factor=2.0, size=2 * size, rulings={"scale": 2})


def reordered(scene: Scene) -> Scene:
    return replace(scene, terrain=scene.terrain[::-1], units=scene.units[::-1])


def split(scene: Scene) -> Scene:
    """Every convex piece of four corners or more cut along a diagonal into two touching parts.

    Both stand on the level the whole stands on: left to themselves they would stand on the hill under their own middle.
    """
    pieces: list[Entry] = []
    levels = {piece.id: piece.level for piece in scene.battle().table.terrain}
    for whole in scene.terrain:
        ring = whole.get("outline")
        if ring is None or len(ring) < 4 or not convex(ring):
            pieces.append(whole)
            continue
        entry = {**whole, "level": levels[whole["id"]]}
        pieces.append({**entry, "outline": ring[:3]})
        pieces.append({**entry, "id": entry["id"] + "-rest", "outline": [ring[0], *ring[2:]]})
    return replace(scene, terrain=tuple(pieces))


def convex(ring: list[Point]) -> bool:
    n = len(ring)
    turns = []
    for i in range(n):
        (ax, ay), (bx, by), (cx, cy) = ring[i], ring[(i + 1) % n], ring[(i + 2) % n]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return all(t > 0 for t in turns) or all(t < 0 for t in turns)


def near(a: float | None, b: float | None, tolerance: float = 1e-6) -> bool:
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=0.0, abs_tol=tolerance)
