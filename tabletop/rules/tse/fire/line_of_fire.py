"""Lines of fire: from a unit's front edges to a visible part of its target, clear of friends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.arc import Front, areas, fronts_of
from tabletop.geometry.cache import Cache
from tabletop.geometry.line_of_sight import (
    InterveningUnit,
    Sight,
    SightLine,
    clear_lines,
    distance_seen,
    exactly_seen_within,
    known_hidden,
    seen_by,
    sight,
    sight_line,
)
from tabletop.geometry.measure import Point
from tabletop.geometry.sight.nearby_line import Line, clear_near
from tabletop.geometry.sight.obstruction import as_seen
from tabletop.geometry.sight.parallel_lines import ParallelLines
from tabletop.geometry.terrain import Hill
from tabletop.rules.tse.sight.judge import law_of
from tabletop.rules.tse.tables import length

#: A line longer than a range by more than this many tolerances never proves that the target is in range.
ABOVE = 2.0
#: How close to a limit (table units) a distance must be measured exactly: more than the error a search may leave.
UNSURE = 2e-4


@dataclass(frozen=True)
class Aim:
    """One search for a line: where it starts, the part it must reach, and the units in its way."""

    start: shapely.Geometry
    part: shapely.Geometry
    intervening: tuple[InterveningUnit, ...]

    @property
    def least(self) -> float:
        """A lower bound on the length of the lines."""
        return float(shapely.distance(self.start, self.part))


def line_of_fire(
    battle: Battle, firer: Unit, target: Unit, part: shapely.Geometry, friends_block: bool = True
) -> Sight:
    """Return the shortest clear line from the firer's front edges to ``part`` of the target.

    Lines start at the front of any front-eligible base (TSE-FIR-02); the distance is the infimum of their lengths
    (TSE-FIR-03). They must see the target (TSE-FIR-08) and, if ``friends_block``, pass half an inch clear of friends
    or over their heads (TSE-FIR-10, TSE-FIR-11, TSE-FIR-12).
    """
    law = law_of(battle)
    sights: list[Sight] = []
    for aim in sorted(_aims(battle, firer, target, part, friends_block), key=lambda aim: aim.least):
        if not any(s.seen and s.distance is not None and s.distance <= aim.least for s in sights):
            sights.append(sight(battle.table, aim.start, aim.part, law, aim.intervening))
    return best_of(sights)


def line_of_fire_near(
    battle: Battle,
    firer: Unit,
    target: Unit,
    part: shapely.Geometry,
    hints: Sequence[Line],
    longest: float,
    along: bool = False,
) -> tuple[Point, Point] | None:
    """Return a clear line of fire near one of ``hints`` (or ``along`` it), up to ``longest``, if found quickly."""
    law = law_of(battle)
    for aim in _aims(battle, firer, target, part, True) if hints else ():
        line = clear_near(battle.table, (aim.start, aim.part), law, hints, aim.intervening, longest, along)
        if line is not None:
            return line
    return None


def lines_of_fire(
    battle: Battle, firer: Unit, target: Unit, part: shapely.Geometry, longest: float
) -> Iterator[Line | None]:
    """Yield, for each front and each piece of ``part``, a clear line of fire, or None if none is under ``longest``.

    Yield nothing if ``part`` is already known to be hidden.
    """
    return (line for _, line in _lines(battle, firer, target, part, longest))


def _lines(
    battle: Battle, firer: Unit, target: Unit, part: shapely.Geometry, longest: float
) -> Iterator[tuple[Aim, Line | None]]:
    law = law_of(battle)
    if _known_hidden(battle, firer, part):
        return
    for aim in _aims(battle, firer, target, part, True):
        yield aim, seen_by(battle.table, aim.start, aim.part, law, (), aim.intervening, longest)


def _known_hidden(battle: Battle, firer: Unit, part: shapely.Geometry) -> bool:
    """Return whether ``part`` is known, without a search, to be hidden from every front (TSE-FIR-08)."""
    fronts = shapely.multilinestrings([front.edge for front in fronts_of(firer.fronts)])
    return known_hidden(battle.table, fronts, part, law_of(battle))


def line_within(battle: Battle, firer: Unit, target: Unit, part: shapely.Geometry, reach: float) -> Line | None:
    """Return a clear line of fire from a front within ``reach`` of ``part``, None if there is none (TSE-FIR-01).

    Ranges are measured by the exact law: if the first clear line is longer than ``reach`` but within tolerance of it,
    the shortest distance by that law decides.
    """
    longer = []
    for aim, line in _lines(battle, firer, target, part, reach + ABOVE * battle.tape.t):
        if line is not None and math.dist(*line) <= reach:
            return line
        longer += [] if line is None else [(aim, line)]
    return next((line for aim, line in longer if _is_within(battle, aim, line, reach)), None)


def line_measured_within(
    battle: Battle, firer: Unit, target: Unit, part: shapely.Geometry, reach: float
) -> Line | None:
    """Return a clear line from a front whose distance, measured as for a shot, is within ``reach`` (TSE-FIR-01).

    None proves nothing: another line may still be in reach.
    """
    for aim, line in _lines(battle, firer, target, part, reach + ABOVE * battle.tape.t):
        if line is not None and _is_within(battle, aim, line, reach):
            return line
    return None


def _is_within(battle: Battle, aim: Aim, line: Line, reach: float) -> bool:
    """Return whether the shortest distance by the exact law is within ``reach``, given a clear ``line`` (TSE-FIR-01).

    One exactly clear line below the limit settles it; so does finding that all exactly clear lines are longer. If no
    line is exactly clear, lines that are clear within the tolerance decide.
    """
    law, limit = law_of(battle), reach + battle.tape.t
    clear_line_within = partial(exactly_seen_within, battle.table, aim.start, aim.part, law, aim.intervening)
    near = clear_line_within(limit + UNSURE)
    if near is not None and (math.dist(*near) < limit - UNSURE or clear_line_within(limit - UNSURE) is not None):
        return True
    if near is None and clear_line_within(math.inf) is not None:
        return False
    if near is None and math.dist(*line) <= limit:
        return True
    distance = distance_seen(battle.table, aim.start, aim.part, law, aim.intervening)
    return distance is not None and battle.tape.at_most(distance, reach)


def exact_line_within(battle: Battle, firer: Unit, target: Unit, part: shapely.Geometry, longest: float) -> Line | None:
    """Return a line of fire shorter than ``longest`` that the exact law calls clear; None if there is none."""
    if _known_hidden(battle, firer, part):
        return None
    for aim in _aims(battle, firer, target, part, True):
        line = exactly_seen_within(battle.table, aim.start, aim.part, law_of(battle), aim.intervening, longest)
        if line is not None:
            return line
    return None


def is_clear(battle: Battle, firer: Unit, target: Unit, line: Line, tolerance: float) -> bool:
    """Return whether one line from the firer's front is clear to within ``tolerance``; 0 means the exact law."""
    intervening = _intervening_at(battle, firer, target, line)
    starts, ends = np.array(line)[:, None]
    return bool(clear_lines(battle.table, starts, ends, law_of(battle), intervening, tolerance)[0])


def starts_clear(
    battle: Battle,
    firer: Unit,
    target: Unit,
    front: Front,
    part: shapely.Geometry,
    stretch: Line,
    longest: float,
) -> Point | None:
    """Return a point on a stretch of one front from which a clear line at most ``longest`` long reaches ``part``."""
    a, b = stretch
    start = shapely.Point(a) if a == b else shapely.LineString(stretch)
    others, law = in_the_way(battle, firer, target, part), law_of(battle)
    for piece, ahead in _split(battle, front, part):
        if not shapely.is_empty(piece):
            intervening = [s for unit in others for s in as_intervening(battle, front, unit, ahead)]
            line = seen_by(battle.table, start, piece, law, (), intervening, longest)
            if line is not None and math.dist(*line) <= longest:
                return line[0]
    return None


def best_of(sights: list[Sight]) -> Sight:
    """Return the shortest sight that is clear; if none is, the first (from the nearest front) joined with the rest."""
    clear = [s for s in sights if s.seen]
    if not clear:
        return sights[0].beside(sights[1:])
    return min(clear, key=lambda s: math.inf if s.distance is None else s.distance)


def _aims(battle: Battle, firer: Unit, target: Unit, part: shapely.Geometry, friends_block: bool) -> Iterator[Aim]:
    fronts = fronts_of(firer.fronts)
    others = in_the_way(battle, firer, target, part) if friends_block else ()
    if not others:
        edges = [front.edge for front in fronts]
        yield Aim(edges[0] if len(edges) == 1 else shapely.union_all(edges), part, ())
        return
    for front in fronts:
        for piece, ahead in _split(battle, front, part):
            if shapely.is_empty(piece):
                continue
            intervening = (s for unit in others for s in as_intervening(battle, front, unit, ahead))
            yield Aim(front.edge, piece, tuple(intervening))


def _split(battle: Battle, front: Front, part: shapely.Geometry) -> tuple[tuple[shapely.Geometry, bool], ...]:
    """Return the pieces of ``part`` ahead of a front line (True) and behind it (False).

    Friends abreast are ignored only when firing ahead; a square or a bent line also fires behind some of its fronts.
    """
    ahead = front.ahead(shapely.get_coordinates(part))
    if ahead.min() >= -battle.tape.t:
        return ((part, True),)
    if ahead.max() <= battle.tape.t:
        return ((part, False),)
    half = front.half_plane(2.0 * front.farthest(part))
    return (shapely.intersection(part, half), True), (shapely.difference(part, half), False)


def in_the_way(battle: Battle, firer: Unit, target: Unit, part: shapely.Geometry) -> tuple[Unit, ...]:
    """Return the units close enough to any line to restrict fire: friends (TSE-FIR-10, TSE-LOS-20).

    Under the ruling ``enemy_screen_blocks`` enemies count too (TSE-FIR-13). The answer depends only on the units, that
    ruling and the clearance, not on terrain, so it is cached while the same units stand on the table.
    """
    near = clearance(battle) + battle.tape.t

    def found() -> tuple[Unit, ...]:
        others: Iterable[Unit] = battle.friends(firer)
        if battle.rulings["enemy_screen_blocks"]:
            others = (*battle.friends(firer), *battle.enemies(firer))
        x0, y0, x1, y1 = shapely.bounds(part).tolist()
        u0, v0, u1, v1 = firer.bounds
        box = min(u0, x0) - near, min(v0, y0) - near, max(u1, x1) + near, max(v1, y1) + near
        about = [unit for unit in others if unit.id != target.id and _boxes_meet(unit.bounds, box)]
        if not about:
            return ()
        field = shapely.convex_hull(shapely.geometrycollections([firer.footprint, part]))
        return tuple(unit for unit in about if shapely.dwithin(unit.footprint, field, near))

    key = part, near, battle.rulings["enemy_screen_blocks"]
    return _IN_THE_WAY.of((battle.units, firer, target), key, found)


_IN_THE_WAY: Cache[tuple[Unit, ...]] = Cache(256)


def _boxes_meet(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def clearance(battle: Battle) -> float:
    """Return how far a line of fire must stay from friends (TSE-FIR-10)."""
    return length("clearance") * battle.scale


def as_intervening(battle: Battle, front: Front, unit: Unit, ahead: bool) -> tuple[InterveningUnit, ...]:
    """Return the unit in the way, in parts: one for each level of ground it stands on (TSE-FIR-11, TSE-FIR-12).

    Cached because the same friends stand in the way of one shot after another. Of the table only the hills under the
    unit matter, so the level and area of each, in order, are part of the key.
    """
    area: shapely.Geometry = unit.footprint
    if ahead and battle.rulings["clearance_ignores_abreast"]:
        area = _ahead_of(battle, front, area)
    if shapely.is_empty(area):
        return ()
    keep = clearance(battle)
    hills = [hill for hill in as_seen(battle.table).hills if shapely.intersects(hill.area, area)]
    parts = (InterveningUnit(part, level, keep, unit.id) for level, part in _by_level(hills, area))
    key = area, keep, unit.id, tuple((hill.level, hill.area) for hill in hills)
    return _INTERVENING.of((), key, lambda: tuple(parts))


_INTERVENING: Cache[tuple[InterveningUnit, ...]] = Cache(256)


def _ahead_of(battle: Battle, front: Front, area: shapely.Geometry) -> shapely.Geometry:
    """Return the part of ``area`` ahead of the front line; empty if it lies ahead by no more than the tolerance."""
    ahead = front.ahead(shapely.get_coordinates(area))
    if not battle.tape.over(float(ahead.max()), 0.0):
        return shapely.Polygon()
    if ahead.min() >= 0.0:
        return area
    return areas(shapely.intersection(area, front.half_plane(2.0 * front.farthest(area))))


def _by_level(hills: Sequence[Hill], area: shapely.Geometry) -> Iterator[tuple[int, shapely.Geometry]]:
    """Yield (level, piece) for the pieces into which hill contours divide ``area``."""
    rest = area
    for level in sorted({hill.level for hill in hills}, reverse=True):
        ground = shapely.union_all([hill.area for hill in hills if hill.level == level])
        standing = areas(shapely.intersection(rest, ground))
        if not shapely.is_empty(standing):
            yield level, standing
        rest = areas(shapely.difference(rest, ground))
    if not shapely.is_empty(rest):
        yield 0, rest


def judged_line(battle: Battle, firer: Unit, target: Unit, line: tuple[Point, Point]) -> SightLine:
    """Return one line from the firer's front with everything that hinders it, including friends in the way."""
    return sight_line(battle.table, *line, law_of(battle), _intervening_at(battle, firer, target, line))


def some_clear(battle: Battle, firer: Unit, target: Unit, lines: ParallelLines) -> bool:
    """Return whether one of the parallel lines from the firer's front sees its end and is clear of friends."""
    start, end = lines.ends
    result = sight(battle.table, start, end, law_of(battle), _intervening_at(battle, firer, target, lines.line(0.0)))
    return result.distance is not None and battle.tape.at_most(result.distance, math.dist(lines.start, lines.end))


def _intervening_at(
    battle: Battle, firer: Unit, target: Unit, line: tuple[Point, Point]
) -> tuple[InterveningUnit, ...]:
    """Return the units in the way of one line, as seen from the front it starts at."""
    start, end = (shapely.Point(point) for point in line)
    front = min(fronts_of(firer.fronts), key=lambda front: float(shapely.distance(front.edge, start)))
    ahead = float(front.ahead(np.array([line[1]]))[0]) >= -battle.tape.t
    others = in_the_way(battle, firer, target, end)
    return tuple(part for unit in others for part in as_intervening(battle, front, unit, ahead))
