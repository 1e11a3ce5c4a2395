"""Routes as a player orders them: straight on, toward a place or along a road, as far as the rules allow."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import shapely
from shapely.ops import substring

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point, bearing, heading, snap_point, turn_between
from tabletop.geometry.terrain import Terrain
from tabletop.play import engine
from tabletop.play.requests import MOST_WAYPOINTS

#: A route not allowed in full is tried in this many steps of its length, then in this many finer ones.
PARTS, FINER = 16, 8
#: How often the stretch between two steps is halved.
HALVINGS = 10
#: Rule and feature of each reason against an action; none if it is allowed.
Against = frozenset[tuple[str, str | None]]
#: The words for directions: degrees clockwise from straight ahead.
DIRECTIONS = {"forward": 0.0, "ahead": 0.0, "right": 90.0, "back": 180.0, "left": 270.0}


def straight(unit: Unit, turn: float, far: float) -> tuple[Point, ...]:
    """Return the route straight on after a turn by ``turn`` degrees clockwise, ``far`` table units long."""
    (x, y), (east, north) = _turned(unit, turn), heading(unit.facing + turn)
    return ((x + far * east, y + far * north),)


def _turned(unit: Unit, turn: float) -> Point:
    """Return the middle of a unit's front once it has turned about its centre-point."""
    return unit.front_mid if turn == 0.0 or unit.is_general else unit.turned(turn, unit.at).front_mid


def toward(unit: Unit, place: Point, far: float | None) -> tuple[Point, ...]:
    """Return the route straight to a place, or ``far`` table units in its direction after a turn toward it."""
    (x, y), (px, py) = unit.at, place
    if far is None or (px, py) == (x, y):
        return (place,)
    return straight(unit, turn_between(unit.facing, bearing(px - x, py - y)), far)


def along(unit: Unit, road: Terrain, to: Point | None, far: float | None) -> tuple[Point, ...]:
    """Return the route on to a road by the shortest way and along it, as near to a place as it leads.

    Without a place it goes the way the unit faces, to the road's end. ``far`` limits the length of the whole route.
    """
    line = road.line
    assert line is not None, "a road is a line"
    start = line.project(shapely.Point(unit.front_mid))
    end = _end(unit, line, start) if to is None else line.project(shapely.Point(to))
    piece = substring(line, start, end)
    points = [unit.front_mid, *((x, y) for x, y in piece.coords)]
    if far is not None:
        points = _cut(points, far)
    near = math.sqrt(unit.footprint.area) / 2  # a unit that stands on the road need not step on to it
    if len(points) > 2 and math.dist(points[0], points[1]) < near:
        del points[1]
    return tuple(point for k, point in enumerate(points[1:]) if point != points[k])[:MOST_WAYPOINTS]


def roads(battle: Battle) -> tuple[Terrain, ...]:
    """Return the roads of a table."""
    return tuple(piece for piece in battle.table.of_movement("road") if piece.line is not None)


def nearest_road(battle: Battle, place: Point) -> Terrain | None:
    """Return the road nearest to a place, None if there is none."""
    point = shapely.Point(place)
    return min(roads(battle), key=lambda road: (round(point.distance(road.line), 6), road.id), default=None)


def _end(unit: Unit, line: shapely.LineString, here: float) -> float:
    """Return the end of a line toward which the unit faces, as the length along the line."""
    (x, y), (east, north) = unit.front_mid, unit.forward
    ends = ((0.0, line.coords[0]), (line.length, line.coords[-1]))
    return max(ends, key=lambda end: (end[1][0] - x) * east + (end[1][1] - y) * north)[0]


def _cut(points: Sequence[Point], far: float) -> list[Point]:
    """Return the first part of a route, ``far`` long."""
    line = substring(shapely.LineString(points), 0.0, max(far, 0.0))
    return [(x, y) for x, y in line.coords]


# --- as far as it goes -----------------------------------------------------------------------------------------------


def as_far_as_it_may(battle: Battle, action: Action) -> Action | None:
    """Return the action with about the longest first part of its route that the rules allow; None if they allow none.

    Every part tried is judged, so the one returned is allowed. Places halfway may be barred although farther ones are
    not, so the search starts at the far end, in large steps, then in small ones. A charge is allowed only at contact,
    between parts that are too long and parts that are too short: if no step is allowed, the search goes on where the
    reasons against the longer part cease.
    """
    unit = battle.anyone(str(action.unit))
    points = [unit.front_mid, *_points(battle, action)]
    whole = math.fsum(math.dist(a, b) for a, b in pairwise(points))
    if whole == 0.0:
        return None

    def part(share: float) -> Action:
        return _part(action, points if share == 1.0 else _cut(points, whole * share))

    def against(share: float) -> Against:
        return _against(battle, part(share))

    refused: list[Against] = []
    least = 0
    for k in range(PARTS, 0, -1):
        refused.append(against(k / PARTS))
        if not refused[-1]:
            least = k
            break
    if not least and (share := _between(against, refused)) is not None:
        return part(share)
    finer = range(FINER - 1, 0, -1) if least < PARTS else ()
    shares = [(least + k / FINER) / PARTS for k in finer]
    best = next((share for share in shares if not against(share)), least / PARTS)
    return part(best) if best else None


def _points(battle: Battle, action: Action) -> tuple[Point, ...]:
    """Return the route of an action: the one it names, or the one the judge finds to the place it names."""
    if action.options.get("path") is not None:
        return tuple(action.options["path"])
    try:
        path = engine.judge(battle, action).options.get("path")
    except BadQuestion:
        path = None
    return tuple((float(x), float(y)) for x, y in path) if path else (action.options["to"],)


def _part(action: Action, points: Sequence[Point]) -> Action:
    options = {key: value for key, value in action.options.items() if key != "to"}
    return replace(action, options={**options, "path": tuple(snap_point(point) for point in points[1:])})


def _between(against: Callable[[float], Against], refused: Sequence[Against]) -> float | None:
    """Return an allowed share between two steps, found by halving where reasons against the longer cease; else None.

    ``refused`` holds the reasons against each step, the longest first, all of them refused.
    """
    for k, (longer, shorter) in enumerate(pairwise(refused)):
        if longer <= shorter:
            continue
        high, low = (PARTS - k) / PARTS, (PARTS - k - 1) / PARTS
        for _ in range(HALVINGS):
            middle = (high + low) / 2
            reasons = against(middle)
            if not reasons:
                return middle
            low, high = (low, middle) if reasons & (longer - shorter) else (middle, high)
    return None


def _against(battle: Battle, action: Action) -> Against:
    """Return rule and feature of each reason against an action, nothing if it is allowed."""
    try:
        verdict = engine.judge(battle, action)
    except BadQuestion as refused:
        return frozenset({(str(refused), None)})
    if verdict.holds:
        return frozenset()
    return frozenset((r.rule, r.feature) for r in verdict.because if not r.holds) or frozenset({("", None)})


def length_of(unit: Unit, path: Sequence[Point]) -> float:
    """Return the length of a route, in table units, from the middle of a unit's front."""
    points = [unit.front_mid, *path]
    return math.fsum(math.dist(a, b) for a, b in pairwise(points))
