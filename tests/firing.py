"""Units as plain rectangles for the tests of arcs, fire, cover, zones and command: [x0, x1] x [y0, y1], inches."""

from __future__ import annotations

from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base, Disc
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.rules import rule_set
from tabletop.rules.rule_set import Request

RULES = rule_set.find("tse")
#: Added to every coordinate, so that cases drawn about the origin stand on the table.
SHIFT = 40.0


def block(id: str, side: str, x: tuple[float, float], y: tuple[float, float], **keys: Any) -> Unit:  # noqa: A002
    """Return a deployed unit facing north that fills a rectangle, in bases 1 wide (or of ``bases`` in number)."""
    keys = {"troop": "infantry", "formation": "deployed", "quality": "average", **keys}
    n = keys.pop("bases", None) or max(1, round(x[1] - x[0]))
    w, d = (x[1] - x[0]) / n, y[1] - y[0]
    facing, cy = keys.get("facing", 0.0), (y[0] + y[1]) / 2
    order = range(n) if facing != 180.0 else reversed(range(n))
    bases = tuple(Base(x[0] + (k + 0.5) * w + SHIFT, cy + SHIFT, facing, w, d) for k in order)
    return Unit(id, side, bases=bases, front_bases=tuple(range(n)), **keys)


def general(id: str, side: str, x: float, y: float, radius: float = 0.5) -> Unit:  # noqa: A002
    return Unit(id, side, "general", (Disc(x + SHIFT, y + SHIFT, radius),), rank="division")


def piece(id: str, kind: str, points: list[tuple[float, float]], **keys: Any) -> Terrain:  # noqa: A002
    """Return a piece of terrain: a line for walls and hedges, else an outline."""
    placed = [(x + SHIFT, y + SHIFT) for x, y in points]
    if kind in ("wall", "hedge", "stream"):
        return Terrain.of_kind(id, kind, line=placed, **keys)
    return Terrain.of_kind(id, kind, outline=placed, **keys)


def strip(id: str, kind: str, x: tuple[float, float], y: tuple[float, float], **keys: Any) -> Terrain:  # noqa: A002
    return piece(id, kind, [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])], **keys)


def battle(*units: Unit, terrain: tuple[Terrain, ...] = (), **rulings: Any) -> Battle:
    values = RULES.ruling_values(rulings)
    return Battle.of("tse", Table.of("in", 96.0, 96.0, terrain, float(values["scale"])), units, values)


def doubled(scene: Battle) -> Battle:
    """Return the same position on a table twice as large, judged at figure scale 2."""

    def grown(base: Base | Disc) -> Base | Disc:
        if isinstance(base, Disc):
            return Disc(2 * base.x, 2 * base.y, 2 * base.radius)
        return Base(2 * base.x, 2 * base.y, base.facing, 2 * base.frontage, 2 * base.depth)

    from dataclasses import replace

    import shapely

    def twice(shape: Any) -> Any:
        return None if shape is None else shapely.transform(shape, lambda xy: 2 * xy)

    terrain = tuple(
        replace(p, shape=twice(p.shape), line=twice(p.line), width=2 * p.width, see_through=2 * p.see_through)
        for p in scene.table.terrain
    )
    table = Table.of("in", 2 * scene.table.width, 2 * scene.table.height, terrain, 2.0)
    units = tuple(replace(u, bases=tuple(grown(b) for b in u.bases)) for u in scene.units)
    return Battle.of("tse", table, units, {**scene.rulings, "scale": 2})


def ask(scene: Battle, question: str, *args: str, **options: Any) -> Verdict:
    return RULES.question(question).answer(scene, Request(question, args, options))
