"""The question ``fallback``: where does a unit that is driven back end, or does it surrender?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.cache import Cache
from tabletop.geometry.measure import ANGLE_TOLERANCE, Point, bearing, heading, turn_between
from tabletop.geometry.movement.fall_back import (
    Fall,
    fall_back_at_all,
)
from tabletop.geometry.shapes import ghosts, line_shape
from tabletop.geometry.verdict import Reason, Shape, Verdict, features_of
from tabletop.rules.rule_set import Request, Shifted
from tabletop.rules.tse.morale.fall_back_budget import Spending
from tabletop.rules.tse.morale.fall_back_direction import Flight, flight_of
from tabletop.rules.tse.morale.fall_back_obstacles import obstacles_of
from tabletop.rules.tse.morale.fall_back_path import (
    Falling,
    any_kept,
    anywhere_on_table,
    first_path,
    gets_away,
    off_table,
    path_on_table,
    some_path,
)
from tabletop.rules.tse.morale.weaker_fall_back import Ways
from tabletop.rules.tse.movement.zone_of_control import zone_width


def fallback(battle: Battle, request: Request) -> Verdict:
    """Answer ``fallback A --from B --distance D``: whether A can fall back, and where it ends.

    A keeps its formation and facing (TSE-INV-02, TSE-INV-07). Terrain shortens the distance (table units); A must spend
    all of it or surrender. The option ``assault`` means an assault drives A along its path; ``away`` is the path's
    bearing (degrees) if it has gone home. Raises BadQuestion for a general, and without ``from`` or ``distance``.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request, Shifted
    >>> verdict = fallback(open_battle("starter"), Request("fallback", ("arnaud",), {"from": "auer", "distance": 3.0}))
    >>> verdict.measured["result"], verdict.measured["cost"]
    ('moved', 3.0)
    """
    unit, source, distance = _asked(battle, request)
    flight = _flight(battle, request, unit, source)
    if flight.lost:
        return _lost(battle, request, unit, flight, (Reason(flight.rule, False, flight.text),))
    return _answer(battle, request, source, flight, _falling(battle, request, unit, flight, distance))


def _answer(battle: Battle, request: Request, source: Unit, flight: Flight, falling: Falling) -> Verdict:
    unit = falling.unit
    briefly = falling.kept("briefly", lambda: _briefly(falling, request, source)) if request.brief else None
    if briefly is not None:
        return briefly
    fall = first_path(falling)
    if fall is None and request.brief:
        return Verdict("fallback", request.args, battle.rules, False)
    if fall is None:
        return _lost(battle, request, unit, flight, _blocked(falling, flight))
    off = off_table(battle, unit, fall)
    if off is not None:
        return _lost(battle, request, unit, flight, (off,), fall)
    return _made(battle, request, unit, flight, falling.budget, fall)


def _briefly(falling: Falling, request: Request, source: Unit) -> Verdict | None:
    """Answer whether the move can be made if any path will do; None if it matters which path comes first."""
    battle, unit, budget = falling.battle, falling.unit, falling.budget
    hints = request.options.get("hints", ())

    def answer(way: tuple[Point, ...] | None) -> Verdict:
        return Verdict("fallback", request.args, battle.rules, way is not None, witness=way)

    if anywhere_on_table(battle, unit, budget.distance):
        ways = Ways.of(falling.shifted, source, falling.obstacles, budget.leading)
        way = ways.inside(falling.arc) or ways.kept(fall_back_at_all(falling.arc, falling.obstacles, budget, hints))
        return answer(way or some_path(falling, hints))
    if battle.rulings["table_edge"] == "avoid":
        way = path_on_table(falling, hints)
        if way is not None or battle.rulings["fall_back_in_full"]:
            return answer(way)
    return None


def made_or_surrenders(battle: Battle, request: Request, alone: bool = False) -> tuple[Verdict | None, bool]:
    """Answer as ``fallback`` does, and whether the unit surrenders.

    It surrenders if no path is legal, on or off the table (TSE-INV-08, TSE-INV-10); finding any legal path settles
    that. With ``alone`` only surrender matters: the answer is None if some path is legal but whether one stays on the
    table was not decided. Raises BadQuestion as ``fallback`` does.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request, Shifted
    >>> request = Request("fallback", ("arnaud",), {"from": "auer", "distance": 3.0})
    >>> answer, surrenders = made_or_surrenders(open_battle("starter"), request)
    >>> answer.holds, surrenders
    (True, False)
    """
    unit, source, distance = _asked(battle, request)
    flight = _flight(battle, request, unit, source)
    if flight.lost:
        return _lost(battle, request, unit, flight, (Reason(flight.rule, False, flight.text),)), False
    falling = _falling(battle, request, unit, flight, distance)
    if alone and gets_away(falling, request.options.get("hints", ())):
        return None, False
    answer = _answer(battle, request, source, flight, falling)
    in_full = battle.rulings["fall_back_in_full"]
    return answer, not answer.holds and in_full and not any_kept(falling)


def roughly(battle: Battle, request: Request, exactly: bool = False) -> Verdict:
    """Answer as ``fallback`` does, but with only the sign of the deviation (degrees) from the wanted direction right.

    With ``exactly`` its size is right too, and ``measured`` has the cost (TSE-INV-01, TSE-INV-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request, Shifted
    >>> roughly(open_battle("starter"), Request("fallback", ("arnaud",), {"from": "auer", "distance": 3.0})).holds
    True
    """
    unit, source, distance = _asked(battle, request)
    flight = _flight(battle, request, unit, source)
    if flight.lost:
        return _no(battle, request, flight.rule)
    falling = _falling(battle, request, unit, flight, distance)
    hints, name = request.options.get("hints", ()), "exactly" if exactly else "roughly"
    fall = falling.kept(name, lambda: first_path(falling, roughly=not exactly, hints=hints))
    if fall is None:
        return _no(battle, request, "TSE-INV-08")
    if off_table(battle, unit, fall) is not None:
        return _no(battle, request, "TSE-INV-10")
    measured = {"deviation": _deviation(flight, fall), **({"cost": falling.budget.cost(fall.way)} if exactly else {})}
    return Verdict("fallback", request.args, battle.rules, True, measured, witness=fall.way)


def _flight(battle: Battle, request: Request, unit: Unit, source: Unit) -> Flight:
    """Return how the unit is driven, according to the options of the question."""
    return flight_of(battle, unit, source, bool(request.options.get("assault")), request.options.get("away"))


def _falling(battle: Battle, request: Request, unit: Unit, flight: Flight, distance: float) -> Falling:
    """Return the unit about to fall back by ``distance`` (table units), cached with what was found about it.

    Tables that have the same obstacles and the same budget for it share the record. In a series of shifts of one unit
    it is cached by where that unit stands.
    """
    shifted = request.options.get("shifted")
    if shifted is not None:
        late: Cache[Falling] = shifted.kept.setdefault("falling", Cache(LATE_SHIFTS))
        key = battle.unit(shifted.home.id).at, flight.arc, flight.leading, distance
        return late.of((), key, lambda: _made_up(battle, unit, flight, distance, shifted))
    falling, table = _made_up(battle, unit, flight, distance), battle.table
    alike = (
        id(battle.units),
        id(battle.rulings),
        id(falling.obstacles),
        id(falling.budget),
    )  # none is another while kept
    return _FALLING.of((), (alike, table.width, table.height, battle.tape, unit.id, flight.arc), lambda: falling)


def _made_up(battle: Battle, unit: Unit, flight: Flight, distance: float, shifted: Shifted | None = None) -> Falling:
    obstacles = obstacles_of(battle, unit, distance, shifted, flight.leading)
    passing = shifted is not None and shifted.home.id == unit.id
    budget = Spending.of(battle, unit, distance, flight.leading, passing)
    return Falling(battle, unit, flight.arc, obstacles, budget, shifted)


#: Recent units about to fall back; how many shifts of one are kept.
_FALLING: Cache[Falling] = Cache(64)
LATE_SHIFTS = 256


def _no(battle: Battle, request: Request, rule: str) -> Verdict:
    return Verdict("fallback", request.args, battle.rules, False, because=(Reason(rule, False, ""),))


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
        (Reason(flight.rule, True, flight.text), *_path_reasons(budget, fall, cost, deviation, past)),
        witness=path,
        options=request.options,
        shapes=_pictured(unit, flight, budget.distance, path, after),
    )


def _deviation(flight: Flight, fall: Fall) -> float:
    """Return how many degrees clockwise of the wanted direction the path sets out."""
    return turn_between(flight.arc.wanted, bearing(*fall.way[1])) if math.hypot(*fall.way[1]) else 0.0


def _friends_past(battle: Battle, unit: Unit, budget: Spending, fall: Fall) -> tuple[Unit, ...]:
    """Return the friends the unit would overlap if it went no farther than its distance (TSE-INV-09)."""
    (x, y), direction = fall.shift, bearing(*fall.shift)
    ((reach, _),) = budget.lengths([((), direction)])
    share = min(1.0, reach / math.hypot(x, y))
    stopped = unit.moved(share * x, share * y).footprint
    return tuple(f for f in battle.friends(unit) if shapely.area(shapely.intersection(stopped, f.footprint)) > 0.0)


def _path_reasons(
    budget: Spending, fall: Fall, cost: float, deviation: float, past: Sequence[Unit] = ()
) -> tuple[Reason, ...]:
    """Return the reasons that describe the path: what it spends, and any turn, bend, extension or early stop."""
    reasons = [Reason("TSE-INV-01", True, f"it spends {cost:.2f} of {budget.distance:g}", cost, budget.distance)]
    if len(fall.way) > 2:
        reasons.append(Reason("TSE-INV-06", True, "it bends once, both legs in its rear arc"))
    elif abs(deviation) > ANGLE_TOLERANCE:
        side = "clockwise" if deviation > 0 else "anticlockwise"
        reasons.append(
            Reason("TSE-INV-06", True, f"turned {abs(deviation):.2f} degrees {side} to find a way", deviation)
        )
    if cost > budget.distance + budget.law.t:
        names = " and ".join(friend.called for friend in past)
        why = f"{budget.distance:g} would end in {names}" if names else "it would end in friends"
        text = f"it goes on, {cost:.2f} instead of {budget.distance:g}, until it is clear of friends: {why}"
        feature = past[0].id if past else None
        reasons.append(Reason("TSE-INV-09", True, text, cost, budget.distance, feature))
    if not fall.in_full:
        reasons.append(Reason("TSE-INV-08", True, "it stops where it can go no farther"))
    return tuple(reasons)


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


def _blocked(falling: Falling, flight: Flight) -> tuple[Reason, ...]:
    """Return the reason for the surrender, with what stands in the wanted direction (TSE-INV-08)."""
    battle, unit, far = falling.battle, falling.unit, falling.budget.distance
    e = heading(flight.arc.wanted)
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
    """Return the arc the centre-point may use, the path, and the unit where it ends."""
    arc = flight.arc
    steps = np.linspace(arc.low, arc.high, 33) if arc.high > arc.low else np.zeros(1)
    rim = [heading(arc.wanted + float(d)) for d in steps]
    fan = (unit.at, *((unit.at[0] + distance * x, unit.at[1] + distance * y) for x, y in rim))
    arc_shape = Shape("arc", "polygon" if len(fan) > 2 else "line", fan, label="where it may fall back")
    way = (line_shape("path" if after else "blocked", path),) if len(path) > 1 else ()
    return (arc_shape, *way, *(ghosts(after.bases) if after else ()))
