"""Each side's own edge of the table, to which its routed troops run."""

from __future__ import annotations

import math
from collections.abc import Mapping

from tabletop.battle.battle import Battle
from tabletop.battle.event import Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.geometry.measure import Point

#: Bearings of the four edges.
EDGES = {"north": 0.0, "east": 90.0, "south": 180.0, "west": 270.0}
NOTE = "edge:"


def settle(unfolding: Unfolding) -> None:
    """Record each side's edge for the whole battle: the one the scenario sets, else the one behind it (ROC-MOV-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> settle(unfolding := Unfolding(open_battle("drill-ground")))
    >>> dict(unfolding.battle.memory)
    {'edge:french': 'south', 'edge:prussian': 'north'}
    """
    battle = unfolding.battle
    for side in battle.setup.sides:
        unfolding.happen(Remembered(NOTE + side, _edge(battle, side)))


def bearing_home(battle: Battle, side: str) -> float:
    """Return the bearing straight to a side's own edge, in degrees (ROC-RAL-02, ROC-MOV-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> bearing_home(battle, "french"), bearing_home(battle, "prussian")
    (180.0, 0.0)
    """
    return EDGES[str(battle.memory.get(NOTE + side) or _edge(battle, side))]


def _edge(battle: Battle, side: str) -> str:
    """Return the side's edge: the scenario's option ``edge``, else the one on the far side from the enemy."""
    edges = battle.setup.options.get("edge", {})
    if isinstance(edges, Mapping) and edges.get(side) in EDGES:
        return str(edges[side])
    own = [u.at for u in battle.units if u.side == side]
    others = [u.at for u in battle.units if u.side != side]
    if not own or not others:
        return "south"
    (ax, ay), (bx, by) = _mean(own), _mean(others)
    dx, dy = ax - bx, ay - by
    if abs(dx) > abs(dy):
        return "east" if dx > 0 else "west"
    return "north" if dy > 0 else "south"


def _mean(points: list[Point]) -> Point:
    n = len(points)
    return math.fsum(p[0] for p in points) / n, math.fsum(p[1] for p in points) / n
