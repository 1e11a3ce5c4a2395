"""A rout: the unit turns its back to the enemy and runs for its own edge, through whatever is in the way."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.event import Placed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between, pose_of
from tabletop.geometry.measure import Point, bearing, heading
from tabletop.rules.ages.combat.zones import extent
from tabletop.rules.ages.morale.edges import bearing_to_edge
from tabletop.rules.ages.movement import terrain
from tabletop.rules.ages.movement.layouts import COLUMN, ROUND, standing_in
from tabletop.rules.ages.movement.messengers import ride_down
from tabletop.rules.ages.movement.motion import barriers, over_the_edge, solid, whole
from tabletop.rules.ages.tables import row
from tabletop.rules.ages.turn.simultaneous import DECIMALS, in_sequence

#: Degrees off the bearing to its edge that are tried if impassable ground is in the way (reconstruction).
ASIDE = (0.0, 15.0, -15.0, 30.0, -30.0, 45.0, -45.0, 60.0, -60.0, 75.0, -75.0, 90.0, -90.0)
#: How far (mm) past an obstacle a run ends that would otherwise end in it.
CLEAR = 1e-3
#: The least share of a run that takes it towards an edge; less is rounding.
AHEAD = 1e-9


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


def turned_home(battle: Battle, unit: Unit, facing: float, safety: float) -> Unit:
    """Return a routed unit turned about its centre to run, at a bearing, for safety at another, both in degrees.

    A square or garrison breaks into a column, whose tail stands where its side nearest the enemy stood. A unit that
    would reach over an edge it does not run to, or into impassable ground, is shifted out of there (AGE-RAL-04).
    """
    after = standing_in(unit, COLUMN if unit.formation in ROUND else unit.formation, unit.at, facing)
    if unit.formation in ROUND:
        fx, fy = heading(facing)
        on = max(0.0, _tail(unit, (fx, fy)) - _tail(after, (fx, fy)))
        after = after.moved(on * fx, on * fy)
    return _off_barred_ground(battle, after.moved(*_back_on(battle, after, safety)), safety)


def _back_on(battle: Battle, unit: Unit, safety: float) -> tuple[float, float]:
    """Return the shift (mm) that brings a unit back from over those edges that do not lie on its way to safety."""
    west, south, east, north = (max(0.0, over) for over in _over_closed_edges(battle, unit, safety))
    return west - east, south - north


def _over_closed_edges(battle: Battle, unit: Unit, safety: float) -> tuple[float, float, float, float]:
    """Return how far (mm) a unit reaches over the west, south, east, north edge, never over those on its way."""
    (x0, y0, x1, y1), (fx, fy) = unit.footprint.bounds, heading(safety)
    over = (-fx, -x0), (-fy, -y0), (fx, x1 - battle.table.width), (fy, y1 - battle.table.height)
    west, south, east, north = (-math.inf if towards > AHEAD else far for towards, far in over)
    return west, south, east, north


def _off_barred_ground(battle: Battle, unit: Unit, safety: float) -> Unit:
    """Return a unit shifted to its right or left, by at most half its size, out of the impassable ground it stands in.

    The shorter way counts; without room on either side the unit stays.
    """
    closed, (fx, fy), most = terrain.barred_parts(battle), heading(unit.facing), max(extent(unit)) / 2
    found = []
    for way in ((fy, -fx), (-fy, fx)):
        shift = _end_of_run(barriers(unit, closed, way, 2 * most, battle.tape.t), 0.0, most)
        after = unit.moved(shift * way[0], shift * way[1])
        if shift >= 0.0 and not battle.tape.over(max(_over_closed_edges(battle, after, safety)), 0.0):
            found.append((round(shift, DECIMALS), after))
    return min(found, key=lambda shifted: shifted[0], default=(0.0, unit))[1]


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

    It runs on until it overlaps no unit and takes the enemy messengers in its way (AGE-ORD-05); over the edge it is
    lost (ROC-MOV-07, AGE-RAL-05, AGE-RAL-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.morale.effects import disrupt, lost_from_the_board
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> run(unfolding, "french-1", disrupt, lost_from_the_board)
    >>> unfolding.unit("french-1").at, unfolding.unit("french-1").facing
    ((140.0, 160.0), 180.0)
    """
    battle = unfolding.battle
    unit = unfolding.unit(name)
    start, distance, end = _run(battle, unit)
    met, after = passed(battle, start, end)
    (x0, y0), (x1, y1) = start.at, after.at
    unfolding.happen(Placed(name, pose_of(after), ((x0, y0), (x1, y1)), "rout"))
    unfolding.tell("rout", {"distance": distance, "through": tuple(u.id for u in met)}, name, rules=("ROC-RAL-02",))
    ride_down(unfolding, start, after)
    for other in met:
        if battle.rulings["rout_disrupts"] == "any" or other.side == start.side:
            disrupt(unfolding, other.id)
    if battle.tape.over(over_the_edge(battle, after), 0.0):
        fled(unfolding, name)


def _run(battle: Battle, unit: Unit) -> tuple[Unit, float, float]:
    """Return the unit facing where it runs, how far it runs, and how far with what it needs to end clear of units (mm).

    It never runs into impassable ground, nor over an edge that does not lie on its way to safety: the first bearing on
    which it can run its whole way counts, else the one on which it comes farthest. Without any it stays (AGE-RAL-04).
    """
    best: tuple[Unit, float, float] | None = None
    safety, most = _to_safety(battle, unit), charge_speed(unit)
    far = most + battle.table.width + battle.table.height
    for aside in ASIDE:
        start = turned_home(battle, unit, (safety + aside) % 360.0, safety)
        limit = _limit(battle, start, safety, far)
        end = _end_of_run([s for each in _overlaps(battle, start, far).values() for s in each], min(most, limit), limit)
        distance = min(most, limit, end)
        if distance >= 0.0 and (best is None or distance > best[1] + CLEAR):
            best = start, distance, end
        if distance >= most:
            break
    return best or (unit, 0.0, 0.0)


def _to_safety(battle: Battle, unit: Unit) -> float:
    """Return the bearing of a rout: to its own edge or, if so ruled, away from the nearest enemy (ROC-RAL-02)."""
    enemies = in_sequence(battle, battle.enemies(unit))
    if battle.rulings["rout_direction"] == "own-edge" or not enemies:
        return bearing_to_edge(battle, unit)
    nearest = min(enemies, key=lambda e: round(distance_between(unit, e), DECIMALS))
    return bearing(unit.at[0] - nearest.at[0], unit.at[1] - nearest.at[1])


def _limit(battle: Battle, unit: Unit, safety: float, most: float) -> float:
    """Return how far (mm), at most ``most``, a unit can run before impassable ground or an edge not on its way.

    The result is below 0 if it stands in impassable ground.
    """
    closed, (fx, fy) = terrain.barred_parts(battle), heading(unit.facing)
    stretches = barriers(unit, closed, (fx, fy), most, battle.tape.t)
    edges = zip((-fx, -fy, fx, fy), _over_closed_edges(battle, unit, safety), strict=True)
    to_edges = [max(0.0, -over / rate) for rate, over in edges if rate > AHEAD]
    return min([most, *to_edges, *(lo - CLEAR for lo, hi in stretches if hi > CLEAR)])


def passed(battle: Battle, start: Unit, end: float) -> tuple[tuple[Unit, ...], Unit]:
    """Return the units a run of ``end`` mm passes through, in that order, and the unit at its end."""
    direction, stretches = heading(start.facing), _overlaps(battle, start, end + CLEAR)
    first = {name: min(lo for lo, _ in overlaps) for name, overlaps in stretches.items() if overlaps}
    met = [battle.unit(name) for name, lo in first.items() if lo < end]
    met.sort(key=lambda u: (round(first[u.id], 6), u.at))
    return tuple(met), start.moved(end * direction[0], end * direction[1])


def _overlaps(battle: Battle, start: Unit, most: float) -> dict[str, list[tuple[float, float]]]:
    """Return where along a run of up to ``most`` mm a unit overlaps others, as pairs (from, to) by their ids."""
    others = [u for u in battle.units if u.id != start.id and not u.is_general]
    direction, t = heading(start.facing), battle.tape.t
    return {u.id: barriers(start, solid(u), direction, most, t) for u in _near(others, start, most)}


def _near(others: list[Unit], start: Unit, most: float) -> Iterator[Unit]:
    """Yield the units near the strip a run sweeps."""
    f = heading(start.facing)
    far = whole(start).moved(most * f[0], most * f[1])
    hull = shapely.convex_hull(shapely.geometrycollections([whole(start).polygon, far.polygon]))
    yield from (u for u in others if shapely.intersects(hull, u.footprint))


def _end_of_run(stretches: list[tuple[float, float]], distance: float, limit: float) -> float:
    """Return the least distance that is at least ``distance`` and lies in no stretch.

    If that is beyond ``limit`` the unit stops short instead: the greatest distance below ``distance`` that lies in no
    stretch, or -1.0 if there is none.
    """
    end = distance
    for lo, hi in sorted(stretches):
        if lo <= end < hi:
            end = hi + CLEAR
    if end <= limit:
        return end
    end = distance
    for lo, hi in sorted(stretches, reverse=True):
        if lo <= end < hi:
            end = lo - CLEAR
    return end if end >= 0.0 else -1.0
