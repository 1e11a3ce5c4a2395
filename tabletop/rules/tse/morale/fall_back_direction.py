"""Which way a unit falls back: away from what drives it, within 45 degrees of its rear."""

from __future__ import annotations

import math
from dataclasses import dataclass

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import ANGLE_TOLERANCE, SAME_PLACE, bearing, turn_between
from tabletop.geometry.movement.fall_back import (
    Arc,
)
from tabletop.rules.tse.morale.leading_edge import leading_side
from tabletop.rules.tse.tables import tables


@dataclass(frozen=True)
class Flight:
    """How a unit is driven: the arc it may use, the leading edge of its bases, the rule that sets the direction."""

    arc: Arc
    leading: str
    rule: str
    text: str
    lost: bool = False


def flight_of(battle: Battle, unit: Unit, source: Unit, by_assault: bool = False, along: float | None = None) -> Flight:
    """Return how ``source`` drives ``unit``: directly away, within 45 degrees of its rear (TSE-INV-03..05).

    Fire drives along the line between centre-points, an assault along its path (bearing ``along``, if known). A square
    has no rear: it goes within 45 degrees of directly away, led by the side facing that way (TSE-FRM-32). A direction
    outside the arc is turned to its nearest edge, unless the attack comes from behind.
    """
    away = _away(unit, source, by_assault) if along is None else along
    half, behind = float(tables()["angles"]["rear_arc"]), float(tables()["angles"]["behind"])
    rear = (unit.facing + 180.0) % 360.0
    off = turn_between(rear, away)
    if unit.formation == "square":
        text = f"a square has no rear: away from {source.name}, within {half:g} degrees"
        return Flight(Arc(away, -half, half), leading_side(unit, away), "TSE-FRM-32", text)
    if abs(off) <= half + ANGLE_TOLERANCE:
        off = max(-half, min(half, off))
        return _within(rear, off, half, "TSE-INV-03", f"away from {source.name}, {abs(off):.2f} degrees off its rear")
    if abs(off) >= behind - ANGLE_TOLERANCE:
        return _from_behind(unit, source, away, rear, off, half, str(battle.rulings["attack_from_behind"]))
    if battle.rulings["fall_back_clamp"]:
        text = f"away is {abs(off):.2f} degrees off its rear: turned to the edge of the rear arc"
        return _within(rear, math.copysign(half, off), half, "TSE-INV-04", text)
    return _within(rear, 0.0, half, "TSE-INV-04", f"away is {abs(off):.2f} degrees off its rear: straight back instead")


def _within(rear: float, off: float, half: float, rule: str, text: str) -> Flight:
    """Return a flight ``off`` degrees clockwise of straight back, inside the rear arc."""
    return Flight(Arc((rear + off) % 360.0, -half - off, half - off), "rear", rule, text)


def _from_behind(unit: Unit, source: Unit, away: float, rear: float, off: float, half: float, ruling: str) -> Flight:
    """Return the flight of a unit attacked from behind: straight away, led by its front, or as ruled (TSE-INV-05)."""
    text = f"{source.name} attacks from behind ({abs(off):.2f} degrees off its rear)"
    if ruling == "surrender":
        return Flight(Arc(away, 0.0, 0.0), "front", "TSE-INV-05", f"{text}: it is lost", lost=True)
    if ruling == "clamp":
        return _within(rear, math.copysign(half, off), half, "TSE-INV-05", f"{text}: to the edge of its rear arc")
    ahead = turn_between(unit.facing, away)
    arc = Arc(away, min(0.0, -half - ahead), max(0.0, half - ahead))
    return Flight(arc, "front", "TSE-INV-05", f"{text}: straight away through its own front")


def _away(unit: Unit, source: Unit, by_assault: bool) -> float:
    start, end = source.at, unit.at
    if by_assault:
        start = source.front_mid
        near = shapely.shortest_line(shapely.Point(start), unit.footprint)
        x, y = shapely.get_coordinates(near)[-1].tolist()
        end = (x, y) if math.dist((x, y), start) > SAME_PLACE else unit.at
    if math.dist(start, end) <= SAME_PLACE:
        return (unit.facing + 180.0) % 360.0
    return bearing(end[0] - start[0], end[1] - start[1])
