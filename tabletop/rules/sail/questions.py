"""What can change the answers to questions about ships, and where a ship could strike in its next turn."""

from __future__ import annotations

from collections.abc import Mapping

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Verdict
from tabletop.rules.rule_set import Influence, Request
from tabletop.rules.sail.ships import all_decks, tables
from tabletop.rules.sail.wind import allowance


def nothing_else(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return the influence on a shot: the two ships alone (SAIL-ARC-01, SAIL-FIR-03)."""
    return Influence()


def on_the_way(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return the influence on a course: the water around its path and its end (SAIL-MOV-11)."""
    ship = battle.unit(request.args[0])
    points = [ship.at, *(tuple(p[:2]) for p in verdict.measured.get("path") or ())]
    room = 2.0 * float(tables()["base"]["length"]) + float(verdict.measured.get("allowed") or 0.0)
    ground = shapely.union(ship.footprint, shapely.MultiPoint(points)).convex_hull.buffer(room + far)
    return Influence(ground, ground)


def endangered(battle: Battle, ship: Unit) -> Mapping[str, BaseGeometry]:
    """Return the water where a ship may come alongside in its next move, and the water then in range of its guns."""
    far = allowance(battle, ship)
    near = ship.footprint.buffer(far)
    shot = near.buffer(float(tables()["hit"][-1]["upto"])) if all_decks(ship) else shapely.Polygon()
    return {"assault": near, "fire": shot}
