"""Falling back: where a unit driven off ends, or that it surrenders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, beside, distance_between
from tabletop.errors import BadQuestion
from tabletop.geometry.base import Base
from tabletop.geometry.chokes import shifts_barred
from tabletop.geometry.fall_back import (
    FINE,
    Arc,
    Fall,
    bent_fall_back,
    fall_back,
    fall_back_at_all,
    fall_back_short,
    some_fall_back,
)
from tabletop.geometry.fall_beyond import fall_back_beyond, some_fall_back_beyond
from tabletop.geometry.ground import Ground, Opened, Patches, edges_of, edges_within, ground_of
from tabletop.geometry.measure import ANGLE_TOLERANCE, SAME_PLACE, Point, bearing, heading, turn_between
from tabletop.geometry.price import Tariff, Toll
from tabletop.geometry.remembered import Memory
from tabletop.geometry.shapes import ghosts, line_shape
from tabletop.geometry.spared import passages
from tabletop.geometry.straight_price import middle, straight_toll, straight_tolls
from tabletop.geometry.sweep import traced
from tabletop.geometry.translation import Obstacles, keeps, obstacle, obstacle_of
from tabletop.geometry.verdict import Reason, Shape, Verdict, features_of
from tabletop.rules.rule_set import Request, Shifted
from tabletop.rules.tse.morale.leading_edge import edge_walls, leading_middle, leading_side, led_by
from tabletop.rules.tse.morale.weaker_fall_back import Ways, as_from_home
from tabletop.rules.tse.movement.formation import stance
from tabletop.rules.tse.movement.motion import ACTIONS, tariff
from tabletop.rules.tse.movement.zone_of_control import zone_limit, zone_width
from tabletop.rules.tse.tables import tables

#: From so many legs priced on, for so many at once, sure lengths are worked out first; what rounding may do to one.
MANY, FEW, SLACK = 24, 4, 1e-6


@dataclass(frozen=True)
class Flight:
    """How a unit is driven: the arc it may use, which edge of its bases leads, the rule that sets the direction."""

    arc: Arc
    leading: str
    rule: str
    text: str
    lost: bool = False


def fallback(battle: Battle, request: Request) -> Verdict:
    """Answer ``fallback A --from B --distance D``: can the move be made, and where does it end.

    It keeps formation and facing (TSE-INV-02, TSE-INV-07). Terrain shortens the distance; it must be spent in full or
    the unit surrenders. Option ``assault``: driven back by an assault, along its path; ``away`` gives the path's
    bearing once it has gone home.
    """
    unit, source, distance = _asked(battle, request)
    flight = flight_of(battle, unit, source, bool(request.options.get("assault")), request.options.get("away"))
    if flight.lost:
        return _lost(battle, request, unit, flight, (Reason(flight.rule, False, flight.text),))
    budget = Spending.of(battle, unit, distance, flight.leading)
    shifted = request.options.get("shifted")
    obstacles = obstacles_of(battle, unit, distance, shifted, flight.leading)
    if request.brief and anywhere_on_table(battle, unit, distance):
        ways = Ways.of(shifted, source, obstacles, flight.leading)
        hints = request.options.get("hints", ())
        way = ways.inside(flight.arc) or ways.kept(fall_back_at_all(flight.arc, obstacles, budget, hints))
        way = way or _some_way(battle, unit, flight.arc, obstacles, budget, hints, shifted)
        return Verdict("fallback", request.args, battle.rules, way is not None, witness=way)
    if request.brief and battle.rulings["table_edge"] == "avoid":
        found = _kept_on_table(battle, unit, flight.arc, obstacles, budget, request)
        if found is not None or battle.rulings["fall_back_in_full"]:
            return Verdict("fallback", request.args, battle.rules, found is not None, witness=found)
    fall = _found(battle, unit, flight.arc, obstacles, budget)
    if fall is None and request.brief:
        return Verdict("fallback", request.args, battle.rules, False)
    if fall is None:
        return _lost(battle, request, unit, flight, _blocked(battle, unit, flight, obstacles, budget))
    off = _off_table(battle, unit, fall)
    if off is not None:
        return _lost(battle, request, unit, flight, (off,), fall)
    return _made(battle, request, unit, flight, budget, fall)


def surrenders(battle: Battle, request: Request) -> bool:
    """Say of a fall-back that cannot be made whether the unit surrenders: no way is legal, on the table or off it.

    TSE-INV-08, TSE-INV-10. Any legal way will do, the first need not be found.
    """
    unit, source, distance = _asked(battle, request)
    flight = flight_of(battle, unit, source, bool(request.options.get("assault")), request.options.get("away"))
    if flight.lost or not battle.rulings["fall_back_in_full"]:
        return False
    budget, shifted = Spending.of(battle, unit, distance, flight.leading), request.options.get("shifted")
    obstacles = obstacles_of(battle, unit, distance, shifted, flight.leading)
    if fall_back_at_all(flight.arc, obstacles, budget) or some_fall_back(flight.arc, obstacles, budget):
        return False
    if not obstacles.ends:
        return True
    most = _farther(battle, unit)
    farther = obstacles_of(battle, unit, distance + most, shifted, flight.leading)
    return some_fall_back_beyond(flight.arc, farther, budget, most) is None


def roughly(battle: Battle, request: Request, exactly: bool = False) -> Verdict:
    """Answer as ``fallback`` does, but for how far it turns out of the wanted direction: that is right in side only.

    ``exactly``: that too is right, and the cost is told.
    """
    unit, source, distance = _asked(battle, request)
    flight = flight_of(battle, unit, source, bool(request.options.get("assault")), request.options.get("away"))
    if flight.lost:
        return _no(battle, request, flight.rule)
    budget = Spending.of(battle, unit, distance, flight.leading)
    obstacles = obstacles_of(battle, unit, distance, request.options.get("shifted"), flight.leading)
    fall = _found(battle, unit, flight.arc, obstacles, budget, roughly=not exactly)
    if fall is None:
        return _no(battle, request, "TSE-INV-08")
    if _off_table(battle, unit, fall) is not None:
        return _no(battle, request, "TSE-INV-10")
    deviation = _deviation(flight, fall)
    measured = {"deviation": deviation, **({"cost": budget.cost(fall.way)} if exactly else {})}
    return Verdict("fallback", request.args, battle.rules, True, measured, witness=fall.way)


def _no(battle: Battle, request: Request, rule: str) -> Verdict:
    return Verdict("fallback", request.args, battle.rules, False, because=(Reason(rule, False, ""),))


def anywhere_on_table(battle: Battle, unit: Unit, distance: float) -> bool:
    """True when no way, wherever it leads, takes the unit off the table: then any legal way will do (TSE-INV-10)."""
    x0, y0, x1, y1 = unit.bounds
    return min(x0, y0, battle.table.width - x1, battle.table.height - y1) > distance


def _asked(battle: Battle, request: Request) -> tuple[Unit, Unit, float]:
    unit = battle.unit(request.args[0])
    name, distance = request.options.get("from"), request.options.get("distance")
    if unit.is_general:
        raise BadQuestion(f"'{unit.id}' is a general, and generals do not fall back; ask for a unit")
    if name is None or distance is None:
        raise BadQuestion("a fall-back needs the unit that caused it and how far: --from B --distance D")
    source = battle.unit(name)
    if source.is_general or source.id == unit.id:
        raise BadQuestion(f"'{unit.id}' cannot be driven back by '{source.id}'; give another unit as --from")
    if not (math.isfinite(distance) and distance >= 0.0):
        raise BadQuestion(f"--distance {distance} is no length; give inches, 0 or more")
    return unit, source, float(distance)


# --- the direction ---------------------------------------------------------------------------------------------------


def flight_of(battle: Battle, unit: Unit, source: Unit, by_assault: bool = False, along: float | None = None) -> Flight:
    """Return how ``unit`` is driven by ``source``: away, within 45 degrees of its rear (TSE-INV-03..05).

    Fire drives from centre-point to centre-point, an assault along its path (its bearing ``along``, where known). A
    square has no rear: it goes within 45 degrees of away, the side that looks there leading (TSE-FRM-32). A direction
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
    """Attacked from behind: it turns about, goes straight away, faces as before; or as ruled (TSE-INV-05)."""
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


# --- what it costs, and what stands in the way -----------------------------------------------------------------------


@dataclass(frozen=True)
class Spending:
    """The budget of a fall-back: its distance, spent on ground and obstacles as in a move (TSE-INV-01, TSE-INV-16)."""

    bases: tuple[Base, ...]
    ground: Ground
    law: Tariff
    distance: float
    plain: bool
    toll: float  # what obstacles and choke-points near cost a leg at most
    leading: str
    spent: dict[tuple[Point, ...], float] = field(default_factory=dict, compare=False)
    priced: dict[tuple[tuple[Point, ...], float], tuple[float, bool]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, battle: Battle, unit: Unit, distance: float, leading: str) -> Spending:
        """Return the budget of a unit driven by its ``leading`` edge; the last ones stay known, with what they priced.

        It depends on the table, the rulings and the unit alone: whoever else stands elsewhere changes nothing of it.
        """
        bases, edge = led_by(unit, leading)
        key = unit.bases, bases, distance, leading, tariff(battle, unit, ACTIONS["maneuver"], edge)
        return _SPENDING.of(battle.table, key, lambda: cls._of(battle, unit, distance, leading))

    @classmethod
    def _of(cls, battle: Battle, unit: Unit, distance: float, leading: str) -> Spending:
        reach = unit.footprint.buffer(distance + battle.tape.t)
        ground = ground_of(battle.table)
        near = replace(
            ground,
            rough=_in_reach(ground.rough, reach),
            linear=_in_reach(ground.linear, reach),
            choke=_in_reach(ground.choke, reach),
        )
        plain = not (near.rough or near.linear or near.choke)
        bases, edge = led_by(unit, leading)
        law = tariff(battle, unit, ACTIONS["maneuver"], edge, slowed=bool(near.rough))
        toll = sum(
            edges_within(kind.parts, reach) * price
            for kind, price in ((near.linear, law.linear), (near.choke, law.choke))
        )
        return cls(bases, near, law, distance, plain, toll, leading)

    def left(self, before: Sequence[Point]) -> float:
        """Return what is left of the distance after legs to ``before``."""
        key = tuple(before)
        if key not in self.spent:
            self.spent[key] = self.cost(((0.0, 0.0), *key))
        return max(0.0, self.distance - self.spent[key])

    def reckon(self, before: Sequence[tuple[Point, ...]]) -> None:
        """Work out at once what legs, one each to the point given, leave of the distance."""
        if self.plain:
            return
        new = [legs for legs in dict.fromkeys(before) if legs not in self.spent and len(legs) == 1]
        tolls = (
            straight_tolls(self.bases, [((0.0, 0.0), legs[0]) for legs in new], self.ground, self.law) if new else ()
        )
        for legs, toll in zip(new, tolls, strict=True):
            self.spent[legs] = toll.price().total

    def shortest(self, before: Sequence[Point]) -> float:
        """Return a length that what is left carries anywhere: all rough, every obstacle crossed as often as can be."""
        left = self.left(before)
        return left if self.plain else max(0.0, left - self.toll) / (self.law.rough if self.ground.rough else 1.0)

    def between(
        self, before: Sequence[Sequence[Point]], starts: np.ndarray, ways: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return for each last leg a length that what is left carries, and one that it does not exceed.

        Worked out leg by leg only where many are asked about, and not just a few at once. At the least all is rough
        where a base may be on rough ground, and every edge of a choke-point is paid for that the middle of the front
        may meet, or of an obstacle that a base may on all of the leg: one met aslant counts from where it is along the
        way, not from where it is met. At the most one point's way in rough ground is paid for, and that is the last of
        the leg.
        """
        each = {legs: (self.shortest(legs), self.left(legs)) for legs in dict.fromkeys(map(tuple, before))}
        short, left = np.array([each[tuple(legs)] for legs in before]).T
        if len(self.priced) < MANY or len(ways) < FEW:
            return short, left
        slow, slack = self.law.rough if self.ground.rough else 1.0, 4.0 * self.law.t
        most = left - (1.0 - 1.0 / slow) * self._rough_of_a_point(starts, left[:, None] * ways)
        back, far, all_of_it = slack * ways, (most + 2.0 * slack)[:, None] * ways, (left + 2.0 * slack)[:, None] * ways
        linear, choke = self._edges
        middles = _lines(starts + middle(self.bases, self.law.leading) - back, far)
        toll = self.law.linear * _met(linear, _lines(starts - back, all_of_it), slack)
        rest = left - toll - self.law.choke * _met(choke, middles, slack)
        rough = shapely.length(shapely.intersection(_lines(starts - back, far), self._slow[1]))
        sure = np.minimum(most, np.maximum(rest / slow, rest - (slow - 1.0) * rough)) - SLACK
        return np.maximum(short, sure), np.minimum(left, most + SLACK)

    def _rough_of_a_point(self, starts: np.ndarray, ways: np.ndarray) -> np.ndarray:
        """Return how much of straight ways the middle of one base's leading edge is in rough ground; 0 by roads.

        And 0 where choke-points may spare it some.
        """
        if not self.ground.rough or self.law.road != 1.0 or passages(self.ground):
            return np.zeros(len(ways))
        point = traced(self.bases[len(self.bases) // 2], "front_mid", self.law.leading)[0]
        return np.asarray(shapely.length(shapely.intersection(_lines(starts + point, ways), self._slow[0])))

    @cached_property
    def _slow(self) -> tuple[shapely.Geometry, shapely.Geometry]:
        """Rough ground without its very border, and where a shift may put some base on it."""
        rough = shapely.union_all(self.ground.rough.parts)
        grown = shapely.union_all([obstacle(self.bases, part) for part in self.ground.rough.parts])
        inside, about = (
            shapely.buffer(shape, by, join_style="mitre")
            for shape, by in ((rough, -self.law.t), (grown, 4.0 * self.law.t))
        )
        shapely.prepare(about)
        return inside, about

    @cached_property
    def _edges(self) -> tuple[shapely.STRtree, shapely.STRtree]:
        """Where a shift may put some base on each edge of an obstacle; and the edges of choke-points."""
        linear = [obstacle(self.bases, edge) for edge in edges_of(self.ground.linear.parts)]
        return shapely.STRtree(linear), shapely.STRtree(edges_of(self.ground.choke.parts))

    def lengths(self, legs: Sequence[tuple[Sequence[Point], float]]) -> list[tuple[float, bool]]:
        """Return, for each last leg (legs before it, direction), how far what is left carries; whether in full."""
        if self.plain:
            return [(self.left(before), True) for before, _ in legs]
        keys = [(tuple(before), direction) for before, direction in legs]
        new = [key for key in dict.fromkeys(keys) if key not in self.priced]
        left = [self.left(before) for before, _ in new]
        for key, toll, most in zip(new, self._tolls(new, left) if new else (), left, strict=True):
            self.priced[key] = _carried(toll, most, self.law.t)
        return [self.priced[key] for key in keys]

    def _tolls(self, legs: Sequence[tuple[Sequence[Point], float]], lengths: Sequence[float]) -> list[Toll]:
        ways = [(length * x, length * y) for length, (_, d) in zip(lengths, legs, strict=True) for x, y in [heading(d)]]
        starts = [before[-1] if before else (0.0, 0.0) for before, _ in legs]
        return straight_tolls(self.bases, list(zip(starts, ways, strict=True)), self.ground, self.law)

    def cost(self, way: Sequence[Point]) -> float:
        """Return the price of a way, leg by leg."""
        return sum(self._cost(a, b) for a, b in pairwise(way))

    def _cost(self, start: Point, end: Point) -> float:
        if self.plain:
            return math.dist(start, end)
        bases = [b.moved(*start) for b in self.bases]
        return straight_toll(bases, end[0] - start[0], end[1] - start[1], self.ground, self.law).price().total


#: The budgets of late.
_SPENDING: Memory[Spending] = Memory(16)


def _lines(starts: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """Return the lines (n,) from ``starts`` (n, 2) by ``ways`` (n, 2)."""
    return np.asarray(shapely.linestrings(np.stack([starts, starts + ways], axis=1)), object)


def _met(shapes: shapely.STRtree, lines: np.ndarray, within: float) -> np.ndarray:
    """Return how many of ``shapes`` come within a distance of each line."""
    near = shapes.query(lines, predicate="dwithin", distance=within)[0]
    return np.bincount(near, minlength=len(lines))


def _carried(toll: Toll, left: float, t: float) -> tuple[float, bool]:
    """Return how far ``left`` carries along a leg, and whether it is spent in full."""
    if left == 0.0:
        return left, True
    far = toll.affordable(left)
    return far, left - toll.total(far) <= t or far >= left


def _in_reach(patches: Patches, reach: shapely.Geometry) -> Patches:
    """Return those parts of the ground that lie in reach."""
    near = np.flatnonzero(shapely.intersects(patches.parts, reach))
    return Patches(patches.parts[near], tuple(patches.ids[k] for k in near))


def obstacles_of(
    battle: Battle, unit: Unit, distance: float, shifted: Shifted | None = None, leading: str = "rear"
) -> Obstacles:
    """Return what the unit must respect within ``distance``: impassable ground, enemies and their zones, friends.

    Zones are the moves' (TSE-MOV-17, TSE-MOV-18; TSE-INV-17: the enemy it is in contact with). Friends are passed
    through but not ended in (TSE-INV-09). Where it is asked of one shift of the unit after another (``shifted``), what
    the same others are to it is worked out once.
    """
    reach = distance + zone_width(battle)
    enemies = [e for e in beside(unit.bounds, battle.enemies(unit), reach) if distance_between(unit, e) <= reach]
    friends = [f for f in beside(unit.bounds, battle.friends(unit), distance) if distance_between(unit, f) <= distance]
    limits = tuple((e, zone_limit(battle, unit, e)) for e in enemies)
    if shifted is not None and shifted.home.id == unit.id and shifted.home.facing == unit.facing:
        others = tuple((e.id, limit) for e, limit in limits), tuple(f.id for f in friends)
        return as_from_home(
            shifted,
            unit.at,
            (distance, leading, *others),
            battle.scale,
            lambda home, more: _obstacles(battle, home, distance + more, leading, limits, friends),
        )
    pose = unit.bases, unit.formation, unit.front_bases, unit.facing
    key = pose, distance, leading, tuple((e.bases, limit) for e, limit in limits), tuple(f.bases for f in friends)
    return _OBSTACLES.of(battle.table, key, lambda: _obstacles(battle, unit, distance, leading, limits, friends))


def _obstacles(
    battle: Battle,
    unit: Unit,
    distance: float,
    leading: str,
    limits: Sequence[tuple[Unit, float]],
    friends: Sequence[Unit],
) -> Obstacles:
    solid = (obstacle_of(unit.bases, e.bases) for e, limit in limits if limit <= battle.tape.t)
    return Obstacles(
        walls=(*_barred(battle, unit, distance, leading), *solid),
        keeps=tuple(k for e, limit in limits for k in keeps(unit.bases, e.bases, limit)),
        ends=tuple(obstacle_of(unit.bases, f.bases) for f in friends),
        give=battle.tape.t,
    )


#: What stood in the way lately: most rulings a fall-back turns on change nothing of it.
_OBSTACLES: Memory[Obstacles] = Memory(64)


def _barred(battle: Battle, unit: Unit, distance: float, leading: str) -> list[shapely.Geometry]:
    """Return the shifts that take a unit into impassable ground in reach, one area a feature (TSE-MOV-15).

    Over bridges, gates and fords its rear overhangs as long as the middle of it (of the edge that leads) is clear, in
    line and in square the centre of every base too.
    """
    ground, t = ground_of(battle.table), battle.tape.t
    window = unit.footprint.envelope.buffer(distance + t, join_style="mitre")
    spread = stance(unit).centres
    found = []
    for part, opened in zip(ground.barred.parts, ground.opened, strict=True) if ground.barred else ():
        if not shapely.intersects(part, window):
            continue
        if opened is None:
            found.append(obstacle(unit.bases, shapely.intersection(part, window)))
            continue
        near = Opened(shapely.intersection(opened.closed, window), opened.gaps)
        found.append(shifts_barred(unit.bases, leading_middle(unit, leading), spread, near, t))
    return found


def _found(
    battle: Battle, unit: Unit, arc: Arc, obstacles: Obstacles, budget: Spending, roughly: bool = False
) -> Fall | None:
    """Return the way: searched (TSE-INV-06), else beyond friends (TSE-INV-09), else, if so ruled, as far as it goes.

    On the table if there is one, as ruled, before any off it (TSE-INV-10). ``roughly``: only to which side it turns
    matters, and that it stays on the table, not how far it turns.
    """
    most = budget.distance + _farther(battle, unit)
    on_table = anywhere_on_table(battle, unit, most)
    fine = math.inf if roughly and on_table else FINE
    if battle.rulings["table_edge"] == "avoid" and not on_table:
        kept = fall_back(arc, _edged(battle, unit, obstacles), budget)
        kept = kept or _beyond_friends(battle, unit, arc, obstacles, budget, edged=True)
        if kept is not None:
            return kept
    found = fall_back(arc, obstacles, budget, fine)
    found = found or _beyond_friends(battle, unit, arc, obstacles, budget, fine=fine)
    if found is None and not battle.rulings["fall_back_in_full"]:
        return fall_back_short(arc, obstacles, budget)
    return found


def _edged(battle: Battle, unit: Unit, obstacles: Obstacles) -> Obstacles:
    """Return the same obstacles, and the table's edge to keep to (TSE-INV-10)."""
    walls = (*obstacles.walls, *edge_walls(battle, unit))
    return Obstacles(walls, obstacles.keeps, obstacles.ends, obstacles.give)


def _farther(battle: Battle, unit: Unit) -> float:
    """Return how much farther than its distance a unit may go on to get clear of friends (TSE-INV-09)."""
    return _depth(unit) + max((_depth(f) for f in battle.friends(unit)), default=0.0)


def _kept_on_table(
    battle: Battle, unit: Unit, arc: Arc, obstacles: Obstacles, budget: Spending, request: Request
) -> tuple[Point, ...] | None:
    """Return some way that stays on the table, beyond friends if need be: by the ruling such a one comes first.

    TSE-INV-10. Where there is none, whatever is legal off the edge leads off the table.
    """
    hints = request.options.get("hints", ())
    edged = _edged(battle, unit, obstacles)
    way = fall_back_at_all(arc, edged, budget, hints)
    if way is not None:
        return way
    found = some_fall_back(arc, edged, budget)
    if found is None:
        shifted = request.options.get("shifted")
        found = _beyond_friends(battle, unit, arc, obstacles, budget, hints, shifted, edged=True)
    return None if found is None else found.way


def _some_way(
    battle: Battle,
    unit: Unit,
    arc: Arc,
    obstacles: Obstacles,
    budget: Spending,
    hints: Sequence[tuple[Point, ...]] = (),
    shifted: Shifted | None = None,
) -> tuple[Point, ...] | None:
    """Return a way where ``_found`` finds one on the table, what is quickly told first.

    It is asked where only the way beyond friends may lead off the table.
    """
    bent = bent_fall_back(arc, obstacles, budget, hints)
    if bent is not None:
        return bent
    edged = battle.rulings["table_edge"] == "avoid"
    beyond = _beyond_friends(battle, unit, arc, obstacles, budget, hints, shifted, edged=edged)
    if beyond is not None and _off_table(battle, unit, beyond) is None:
        return beyond.way
    if beyond is None and not battle.rulings["fall_back_in_full"]:
        return fall_back_short(arc, obstacles, budget).way
    found = some_fall_back(arc, obstacles, budget)
    return None if found is None else found.way


def _beyond_friends(
    battle: Battle,
    unit: Unit,
    arc: Arc,
    obstacles: Obstacles,
    budget: Spending,
    hints: Sequence[tuple[Point, ...]] | None = None,
    shifted: Shifted | None = None,
    *,
    edged: bool = False,
    fine: float = FINE,
) -> Fall | None:
    """Return the way on beyond friends; with ``hints`` any such way, if none that turns less leads off the table."""
    if not obstacles.ends:
        return None
    most = _farther(battle, unit)
    farther = obstacles_of(
        battle, unit, budget.distance + most, shifted, budget.leading
    )  # what stands there was out of reach so far
    farther = _edged(battle, unit, farther) if edged else farther
    if hints is not None:
        some = some_fall_back_beyond(arc, farther, budget, most, hints)
        if edged or some is None or _turned_on_table(battle, unit, arc, abs(some[1]), budget.distance + most):
            return some and some[0]
    return fall_back_beyond(arc, farther, budget, most, fine)


def _turned_on_table(battle: Battle, unit: Unit, arc: Arc, turn: float, distance: float) -> bool:
    """True when no straight way within an arc that turns by ``turn`` at most takes the unit off the table."""
    low, high = arc.wanted + max(arc.low, -turn), arc.wanted + min(arc.high, turn)
    quarters = [90.0 * k for k in range(math.ceil(low / 90.0), math.floor(high / 90.0) + 1)]
    ways = distance * np.array([(0.0, 0.0), *(heading(d) for d in (low, high, *quarters))])
    (west, south), (east, north) = ways.min(axis=0).tolist(), ways.max(axis=0).tolist()
    x0, y0, x1, y1 = unit.bounds
    room = min(x0 + west, y0 + south, battle.table.width - x1 - east, battle.table.height - y1 - north)
    return bool(room > 0.0)


def _depth(unit: Unit) -> float:
    """Return how deep the unit's formation is along its facing."""
    corners = np.concatenate([b.corners for b in unit.bases if isinstance(b, Base)])
    along = corners @ np.array(unit.forward)
    return float(along.max() - along.min())


def _off_table(battle: Battle, unit: Unit, fall: Fall) -> Reason | None:
    """A base that leaves the table takes the unit with it (TSE-INV-10)."""
    table = battle.table
    x0, y0, x1, y1 = unit.footprint.bounds
    out = max(max(-x0 - x, -y0 - y, x1 + x - table.width, y1 + y - table.height) for x, y in fall.way)
    if not battle.tape.over(out, 0.0):
        return None
    return Reason(
        "TSE-INV-10", False, f"it is driven {out:.2f} {table.unit} over the table's edge and is lost", out, 0.0
    )


# --- the verdict -----------------------------------------------------------------------------------------------------


def _made(battle: Battle, request: Request, unit: Unit, flight: Flight, budget: Spending, fall: Fall) -> Verdict:
    after = unit.moved(*fall.shift)
    path = tuple((unit.at[0] + x, unit.at[1] + y) for x, y in fall.way)
    cost = budget.cost(fall.way)
    deviation = _deviation(flight, fall)
    past = _friends_past(battle, unit, budget, fall) if cost > budget.distance + budget.law.t else ()
    return Verdict(
        "fallback",
        request.args,
        battle.rules,
        True,
        {
            "result": "moved",
            "at": list(after.at),
            "front_mid": list(after.front_mid),
            "cost": cost,
            "path": [list(p) for p in path],
            "direction": flight.arc.wanted,
            "deviation": deviation,
            "facing": after.facing,
            **({"past": [friend.id for friend in past]} if past else {}),
        },
        (Reason(flight.rule, True, flight.text), *_told(budget, fall, cost, deviation, past)),
        witness=path,
        options=request.options,
        shapes=_pictured(unit, flight, budget.distance, path, after),
    )


def _deviation(flight: Flight, fall: Fall) -> float:
    """Return by how many degrees clockwise of the direction it is driven in it sets out."""
    return turn_between(flight.arc.wanted, bearing(*fall.way[1])) if math.hypot(*fall.way[1]) else 0.0


def _friends_past(battle: Battle, unit: Unit, budget: Spending, fall: Fall) -> tuple[Unit, ...]:
    """Return the friends in whom the unit would end if it went no farther than its distance (TSE-INV-09)."""
    (x, y), direction = fall.shift, bearing(*fall.shift)
    ((reach, _),) = budget.lengths([((), direction)])
    share = min(1.0, reach / math.hypot(x, y))
    stopped = unit.moved(share * x, share * y).footprint
    return tuple(f for f in battle.friends(unit) if shapely.area(shapely.intersection(stopped, f.footprint)) > 0.0)


def _told(budget: Spending, fall: Fall, cost: float, deviation: float, past: Sequence[Unit] = ()) -> tuple[Reason, ...]:
    """Return what was done beyond the wanted direction: turned, bent, went on, stopped short."""
    found = [Reason("TSE-INV-01", True, f"it spends {cost:.2f} of {budget.distance:g}", cost, budget.distance)]
    if len(fall.way) > 2:
        found.append(Reason("TSE-INV-06", True, "it bends once, both legs in its rear arc"))
    elif abs(deviation) > ANGLE_TOLERANCE:
        side = "clockwise" if deviation > 0 else "anticlockwise"
        found.append(Reason("TSE-INV-06", True, f"turned {abs(deviation):.2f} degrees {side} to find a way", deviation))
    if cost > budget.distance + budget.law.t:
        names = " and ".join(friend.called for friend in past)
        why = f"{budget.distance:g} would end in {names}" if names else "it would end in friends"
        text = f"it goes on, {cost:.2f} instead of {budget.distance:g}, until it is clear of friends: {why}"
        feature = past[0].id if past else None
        found.append(Reason("TSE-INV-09", True, text, cost, budget.distance, feature))
    if not fall.in_full:
        found.append(Reason("TSE-INV-08", True, "it stops where it can go no farther"))
    return tuple(found)


def _lost(
    battle: Battle, request: Request, unit: Unit, flight: Flight, why: tuple[Reason, ...], fall: Fall | None = None
) -> Verdict:
    path = tuple((unit.at[0] + x, unit.at[1] + y) for x, y in fall.way) if fall else (unit.at,)
    return Verdict(
        "fallback",
        request.args,
        battle.rules,
        False,
        {
            "result": "surrenders" if fall is None else "leaves",
            "at": None,
            "front_mid": None,
            "direction": flight.arc.wanted,
        },
        why,
        blockers=features_of(why),
        options=request.options,
        shapes=_pictured(unit, flight, float(request.options["distance"]), path, None),
    )


def _blocked(battle: Battle, unit: Unit, flight: Flight, obstacles: Obstacles, budget: Spending) -> tuple[Reason, ...]:
    """Return the surrender, and what stands in the wanted direction (TSE-INV-08)."""
    e = heading(flight.arc.wanted)
    far = budget.distance
    swept = shapely.union_all([shapely.convex_hull(unit.footprint.union(unit.moved(far * e[0], far * e[1]).footprint))])
    end = unit.moved(far * e[0], far * e[1]).footprint
    near = swept.buffer(zone_width(battle) - battle.tape.t)
    met = [("TSE-MOV-17", u.id) for u in battle.enemies(unit) if shapely.intersects(near, u.footprint)]
    met += [("TSE-MOV-15", p.id) for p in battle.table.of_movement("impassable") if shapely.intersects(swept, p.shape)]
    met += [("TSE-INV-09", f.id) for f in battle.friends(unit) if shapely.intersects(end, f.footprint)]
    parts = tuple(Reason(rule, False, f"{name} is in the way", feature=name) for rule, name in met)
    away = f"{far:g} {battle.table.unit}"
    surrender = Reason("TSE-INV-08", False, f"no way of {away} within its arc is legal: it surrenders")
    return (surrender, *parts, Reason(flight.rule, True, flight.text))


def _pictured(
    unit: Unit, flight: Flight, distance: float, path: tuple[Point, ...], after: Unit | None
) -> tuple[Shape, ...]:
    """Return the arc the centre-point may use, the way, and the unit where it ends."""
    arc = flight.arc
    steps = np.linspace(arc.low, arc.high, 33) if arc.high > arc.low else np.zeros(1)
    rim = [heading(arc.wanted + float(d)) for d in steps]
    fan = (unit.at, *((unit.at[0] + distance * x, unit.at[1] + distance * y) for x, y in rim))
    arc_shape = Shape("arc", "polygon" if len(fan) > 2 else "line", fan, label="where it may fall back")
    way = (line_shape("path" if after else "blocked", path),) if len(path) > 1 else ()
    return (arc_shape, *way, *(ghosts(after.bases) if after else ()))
