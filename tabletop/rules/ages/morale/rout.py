"""A rout: the unit turns its back to the enemy and runs for its own edge, through whatever is in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.event import Placed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between, pose_of
from tabletop.geometry.measure import Point, bearing, heading
from tabletop.rules.ages.morale.edges import bearing_home
from tabletop.rules.ages.movement import terrain
from tabletop.rules.ages.movement.layouts import COLUMN, ROUND, standing_in
from tabletop.rules.ages.movement.motion import barriers, solid, whole
from tabletop.rules.ages.tables import row
from tabletop.rules.ages.turn.simultaneous import DECIMALS, in_sequence

#: Degrees off the bearing to its edge that are tried if impassable ground is in the way (reconstruction).
ASIDE = (0.0, 15.0, -15.0, 30.0, -30.0, 45.0, -45.0, 60.0, -60.0, 75.0, -75.0, 90.0, -90.0)
#: How far (mm) past an obstacle a run ends that would otherwise end in it.
CLEAR = 1e-3


def charge_speed(unit: Unit) -> float:
    """Return how far (table units, mm) a unit runs or pursues in a turn: its move plus its charge.

    Source: ROC-RAL-02, ROC-MOV-07.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> charge_speed(battle.unit("french-1")), charge_speed(battle.unit("hussars"))
    (60, 170)
    """
    figures = row(unit)
    return figures.move + figures.charge


def turned_home(battle: Battle, unit: Unit, towards: float | None = None) -> Unit:
    """Return a routed unit turned about its centre to have its back to the enemy.

    A square or garrison breaks into a column, whose tail stands where its side nearest the enemy stood.
    """
    facing = bearing_home(battle, unit.side) if towards is None else towards
    if unit.formation not in ROUND:
        return standing_in(unit, unit.formation, unit.at, facing)
    after, (fx, fy) = standing_in(unit, COLUMN, unit.at, facing), heading(facing)
    on = max(0.0, _tail(unit, (fx, fy)) - _tail(after, (fx, fy)))
    return after.moved(on * fx, on * fy)


def _tail(unit: Unit, direction: Point) -> float:
    """Return how far along a direction the hindmost corner of a unit lies."""
    return float(min(shapely.get_coordinates(unit.footprint) @ list(direction)))


def run(
    unfolding: Unfolding,
    name: str,
    disrupt: Callable[[Unfolding, str], None],
    fled: Callable[[Unfolding, str], None],
) -> None:
    """Let a routed unit run at charge speed to its own edge, disrupting units it meets (ROC-RAL-02, ROC-RAL-05).

    It runs on until it overlaps no unit; over the edge it is lost (ROC-MOV-07, AGE-RAL-05, AGE-RAL-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.morale.effects import disrupt, lost_from_the_board
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> run(unfolding, "french-1", disrupt, lost_from_the_board)
    >>> unfolding.unit("french-1").at, unfolding.unit("french-1").facing
    ((140.0, 160.0), 180.0)
    """
    battle = unfolding.battle
    start, distance = _direction_and_distance(battle, unfolding.unit(name))
    met, after = passed(battle, start, distance)
    (x0, y0), (x1, y1) = start.at, after.at
    unfolding.happen(Placed(name, pose_of(after), ((x0, y0), (x1, y1)), "rout"))
    unfolding.tell("rout", {"distance": distance, "through": tuple(u.id for u in met)}, name, rules=("ROC-RAL-02",))
    for other in met:
        if battle.rulings["rout_disrupts"] == "any" or other.side == start.side:
            disrupt(unfolding, other.id)
    if over_the_edge(unfolding.battle, after):
        fled(unfolding, name)


def _direction_and_distance(battle: Battle, unit: Unit) -> tuple[Unit, float]:
    """Return the unit facing where it runs, and how far it runs (mm), never into impassable ground."""
    best: tuple[Unit, float] | None = None
    safety = _to_safety(battle, unit)
    for aside in ASIDE:
        start = turned_home(battle, unit, (safety + aside) % 360.0)
        distance = _clear(battle, start, charge_speed(unit))
        if best is None or distance > best[1] + CLEAR:
            best = start, distance
        if distance >= charge_speed(unit):
            break
    assert best is not None, "some bearing is tried"
    return best


def _to_safety(battle: Battle, unit: Unit) -> float:
    """Return the bearing of a rout: to its own edge or, if so ruled, away from the nearest enemy (ROC-RAL-02)."""
    enemies = in_sequence(battle, battle.enemies(unit))
    if battle.rulings["rout_direction"] == "own-edge" or not enemies:
        return bearing_home(battle, unit.side)
    nearest = min(enemies, key=lambda e: round(distance_between(unit, e), DECIMALS))
    return bearing(unit.at[0] - nearest.at[0], unit.at[1] - nearest.at[1])


def _clear(battle: Battle, unit: Unit, most: float) -> float:
    closed = terrain.barred_parts(battle)
    stretches = barriers(unit, closed, heading(unit.facing), most, battle.tape.t)
    return max(0.0, min([most, *(lo - CLEAR for lo, hi in stretches if hi > CLEAR)]))


def passed(battle: Battle, start: Unit, distance: float) -> tuple[tuple[Unit, ...], Unit]:
    """Return the units a run of ``distance`` passes through, in that order, and the unit at its end, clear of all."""
    direction = heading(start.facing)
    most = distance + battle.table.width + battle.table.height
    others = [u for u in battle.units if u.id != start.id and not u.is_general]
    stretches = {u.id: barriers(start, solid(u), direction, most, battle.tape.t) for u in _near(others, start, most)}
    end = _end_of_run([s for overlaps in stretches.values() for s in overlaps], distance)
    first = {name: min(lo for lo, _ in overlaps) for name, overlaps in stretches.items() if overlaps}
    met = sorted((u for u in others if first.get(u.id, end) < end), key=lambda u: (round(first[u.id], 6), u.at))
    return tuple(met), start.moved(end * direction[0], end * direction[1])


def _near(others: list[Unit], start: Unit, most: float) -> Iterator[Unit]:
    """Yield the units near the strip a run sweeps."""
    f = heading(start.facing)
    far = whole(start).moved(most * f[0], most * f[1])
    hull = shapely.convex_hull(shapely.geometrycollections([whole(start).polygon, far.polygon]))
    yield from (u for u in others if shapely.intersects(hull, u.footprint))


def _end_of_run(stretches: list[tuple[float, float]], distance: float) -> float:
    """Return the least distance that is at least ``distance`` and lies in no stretch."""
    end = distance
    for lo, hi in sorted(stretches):
        if lo < end < hi:
            end = hi + CLEAR
    return end


def over_the_edge(battle: Battle, unit: Unit) -> bool:
    """Return whether any part of a unit lies outside the table (ROC-MOV-07)."""
    x0, y0, x1, y1 = unit.footprint.bounds
    over = max(-x0, -y0, x1 - battle.table.width, y1 - battle.table.height)
    return battle.tape.over(over, 0.0)
