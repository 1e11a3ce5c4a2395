"""Each side's own edge of the table, to which its routed troops run."""

from __future__ import annotations

import math

from tabletop.battle.battle import Battle
from tabletop.battle.event import Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.rules.common.keyed_option import given

#: Bearings of the four edges.
EDGES = {"north": 0.0, "east": 90.0, "south": 180.0, "west": 270.0}
NOTE = "edge:"


def settle(unfolding: Unfolding) -> None:
    """Record each side's edge for the whole battle: those the scenario sets, else the one behind it (ROC-MOV-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> settle(unfolding := Unfolding(open_battle("drill-ground")))
    >>> dict(unfolding.battle.memory)
    {'edge:french': 'south', 'edge:prussian': 'north'}
    """
    battle = unfolding.battle
    for side in battle.setup.sides:
        unfolding.happen(Remembered(NOTE + side, " ".join(_edges(battle, side))))


def bearing_home(battle: Battle, side: str) -> float:
    """Return the bearing straight to a side's own edge, the first if it has several, in degrees (ROC-RAL-02).

    Source: ROC-MOV-07.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> bearing_home(battle, "french"), bearing_home(battle, "prussian")
    (180.0, 0.0)
    """
    return EDGES[_of_side(battle, side)[0]]


def bearing_to_edge(battle: Battle, unit: Unit) -> float:
    """Return the bearing, in degrees, straight to the edge to which a unit routs (ROC-RAL-02, AGE-RAL-04).

    Its edges are those the scenario names for it, else its side's; the nearest to its centre counts, the first of
    equally near ones.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> bearing_to_edge(battle, battle.unit("hussars"))
    0.0
    """
    (x, y), table = unit.at, battle.table
    far = {"north": table.height - y, "east": table.width - x, "south": y, "west": x}
    edges = _given(battle, unit.id) if unit.id not in battle.setup.sides else ()
    return EDGES[min(edges or _of_side(battle, unit.side), key=lambda edge: round(far[edge], 6))]


def _of_side(battle: Battle, side: str) -> tuple[str, ...]:
    """Return a side's edges as recorded when the battle began; before that, as they would be."""
    return tuple(str(battle.memory.get(NOTE + side) or "").split()) or _edges(battle, side)


def _given(battle: Battle, who: str) -> tuple[str, ...]:
    """Return the edges that the scenario's option ``edge`` names for a side or a unit (AGE-RAL-04)."""
    named = given(battle.setup.options, "edge", who) or ()
    return tuple(edge for edge in ((named,) if isinstance(named, str) else named) if edge in EDGES)


def _edges(battle: Battle, side: str) -> tuple[str, ...]:
    """Return a side's edges: those of the scenario's option ``edge``, else the one on the far side from the enemy."""
    return _given(battle, side) or (_behind(battle, side),)


def _behind(battle: Battle, side: str) -> str:
    """Return the edge behind a side, on the far side from the enemy; south if there is no enemy."""
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
