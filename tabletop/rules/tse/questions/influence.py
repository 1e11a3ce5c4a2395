"""The zones of influence of answers: the ground outside which nothing that stands or is shifted can change them.

Each is generous: it contains everything the question reads if the units asked about are shifted by up to ``far``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, standing
from tabletop.geometry.base import AnyBase, Base
from tabletop.geometry.measure import GRAZE, Point, bearing, heading, turn_between
from tabletop.geometry.terrain import FORDS, Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.rules.common.influence import apart, asked, girth, hides, hull, person, room, stands
from tabletop.rules.rule_set import Influence, Request
from tabletop.rules.tse.tables import length, tables, troops


def between(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return tall terrain and hills between two units, the only things that affect sight.

    Source: TSE-LOS-01, TSE-LOS-04, TSE-LOS-20.
    """
    proofs = {"holds": _line(verdict, 0.0)} if verdict.holds and verdict.witness else {}
    return Influence(hull(battle, request, far), None, hides, apart(battle, request, 0.0), _never, proofs=proofs)


def points_between(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return tall terrain and hills under the line between two points (TSE-LOS-01)."""
    ends = [request.options.get(name) for name in ("start", "end")]
    line = shapely.LineString([(float(end[0]), float(end[1])) for end in ends if end is not None])
    return Influence(line.buffer(room(battle)), None, hides)


def nothing_else(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return an empty influence: only the units asked about matter (TSE-FIR-05)."""
    return Influence()


def in_the_way_of_fire(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return what hides or covers the target, and units a line of fire must stay clear of (TSE-FIR-10, TSE-COV-09)."""
    pad = max(length("clearance"), length("behind_cover")) * battle.scale
    near = hull(battle, request, far + pad)
    one_way = apart(battle, request, pad + length("crest") * battle.scale)
    proofs: dict[str, BaseGeometry] = {}
    if verdict.question == "fire" and verdict.holds and verdict.witness:
        line = _line(verdict, length("clearance") * battle.scale)
        proofs = {"holds": line}
        if _shortest(battle, request, verdict):
            proofs["band"] = line
        if not _covered(battle, request, pad):
            proofs["cover"] = shapely.union(line, battle.unit(request.args[1]).footprint.buffer(pad))
    facts = {}
    if verdict.question == "fire":
        bare = Influence(near, near, lambda thing: hides(thing) or stands(thing), opens=_never)
        facts = {"holds": Influence() if fails(verdict, "TSE-FIR-05") else bare, "band": bare}
    return Influence(near, near, _bears_on_fire, one_way, _never, facts, proofs)


def fails(verdict: Verdict, *rules: str) -> bool:
    """Return whether one of these rules forbids what was asked; only what bears on that rule can then make it hold."""
    return any(reason.rule in rules for reason in verdict.against)


def _shortest(battle: Battle, request: Request, verdict: Verdict) -> bool:
    """Return whether no line shorter than the witness can bring the target into a nearer band."""
    from tabletop.rules.tse.fire.shot import band_of

    firer, target = asked(battle, request)[:2]
    bare = min(float(shapely.distance(base.polygon, target.footprint)) for base in firer.fronts)
    return band_of(battle, bare) == verdict.measured.get("band")


def _covered(battle: Battle, request: Request, pad: float) -> bool:
    """Return whether anything that gives cover from fire lies near the target."""
    target = battle.unit(request.args[1]).footprint
    return any(p.cover_fire != "none" and shapely.dwithin(p.shape, target, pad) for p in battle.table.terrain)


def generals(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return the generals of the unit's side who are nearest or in reach, or may come to be (TSE-ORD-03)."""
    unit = battle.unit(request.args[0])
    others = [u for u in battle.units if u.is_general and u.side == unit.side]
    gaps = [float(shapely.distance(u.footprint, unit.footprint)) for u in others]
    least = max(length("command") * battle.scale, min(gaps, default=0.0) + far)
    near = unit.footprint.buffer(least + far + room(battle))
    return Influence(None, near, lambda thing: person(thing) and getattr(thing, "side", "") == unit.side, _anything)


def on_the_way(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return the ground a unit sweeps on a path, and the enemies whose zones it may enter (TSE-MOV-15..18)."""
    from tabletop.rules.tse.questions.price_bounds import bounds_of_move, settled_by

    unit = battle.unit(request.args[0])
    path = [unit.front_mid, unit.at, *(tuple(p) for p in verdict.measured.get("path") or ())]
    path += [tuple(p) for p in request.options.get("path") or ()]
    spread = far + _spread_after(unit, verdict) + room(battle)
    swept = shapely.union(shapely.LineString(path).buffer(spread), unit.footprint.buffer(far + room(battle)))
    zone = length("zone") * battle.scale
    settled = settled_by(bounds_of_move(battle, request)) if far == 0.0 else _never
    slow = Influence(swept, None, lambda thing: ground.minds(thing) and not stands(thing), opens=opens, settled=settled)
    facts = {"in_budget": slow, **({"holds": slow} if fails(verdict, "TSE-MOV-01") else {})}
    marches = request.options.get("as") in ON_ROADS
    ground = Influence(
        swept,
        swept.buffer(2.0 * zone),
        lambda thing: stands(thing) or (slows(thing) and (marches or not road(thing))),
        apart(battle, request, 2.0 * zone),
        opens,
        facts,
        helps=lambda piece: marches and piece.movement in ("road", "choke"),
    )
    if "holds" not in facts and any(r.rule == "TSE-MOV-01" and r.holds for r in verdict.because):
        # Roads and obstacles only change what a path costs: they cannot make a move legal that fails for another
        # reason, nor make one illegal that is within budget wherever they lie.
        holds = replace(
            ground, facts={}, settled=lambda thing: obstacle(thing) and (not verdict.holds or settled(thing))
        )
        idle = _never if verdict.holds else road
        facts["holds"] = replace(holds, minds=lambda thing: ground.minds(thing) and not idle(thing))
    if fails(verdict, "TSE-MOV-02"):
        facts["holds"] = Influence()
    elif barring := _barring(battle, request, verdict):
        alone = all(reason.feature == barring[0] for reason in verdict.against)
        facts["holds"] = Influence(None, swept.buffer(2.0 * zone), lambda thing: alone and thing.id == barring[0])
    return ground


def _barring(battle: Battle, request: Request, verdict: Verdict) -> tuple[str, ...]:
    """Return the units that bar a given path simply by where they stand (TSE-MOV-16, TSE-MOV-17, TSE-MOV-18).

    While one of them does, moving anything else cannot make the move legal; nor can moving it if there is another
    fault.
    """
    unit = battle.unit(request.args[0])
    name = request.options.get("as") or ("general" if unit.is_general else "maneuver")
    if request.options.get("to") is not None or name not in ACTIONS_THAT_GO:
        return ()
    of_units = ("TSE-MOV-16", "TSE-MOV-17", "TSE-MOV-18")
    features = [r.feature for r in verdict.against if r.rule in of_units and r.feature is not None]
    return tuple(name for name in dict.fromkeys(features) if battle.has(name))


def about(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return all the ground a unit may be driven over: its distance, and farther beyond friends (TSE-INV-06, -09)."""
    unit = battle.unit(request.args[0])
    deep = [girth(friend) for friend in battle.friends(unit)]
    most = float(request.options.get("distance") or 0.0) + girth(unit) + max(deep, default=0.0)
    zone, near = length("zone") * battle.scale, room(battle)
    around = _driven(unit, most, verdict, far).buffer(far * TURNED + zone + near)
    straight = abs(float(verdict.measured.get("deviation") or 0.0)) == 0.0
    tried = _tried(battle, request, verdict)
    proofs = {} if tried is None else dict.fromkeys(("holds", "surrender", "deviation"), tried.buffer(zone + near))
    way = _way(battle, request, verdict)
    proofs |= {} if way is None else dict.fromkeys(("holds", "surrender"), way.buffer(zone + near))
    influence = Influence(around, around, _in_the_way, apart(battle, request, 2.0 * zone), opens, {}, proofs)
    influence = replace(
        influence, seen_from=_driver(battle, request, most, verdict), lone=_lone(battle, request, verdict)
    )
    # An obstacle on the path found may make a path on the other side the nearest. So the side is known to be the same
    # for all placements in between only if the path itself stays the same: hence the fact "leg".
    return influence if straight else replace(influence, facts={"deviation": replace(influence, by="leg")})


def _driver(battle: Battle, request: Request, most: float, verdict: Verdict) -> Callable[[Unit, float], Point | None]:
    """Return the test for the driving enemy mattering only by direction, since he is in the way of no path (INV-03).

    The test returns the unit's centre-point, from which he is seen, or None. The direction is that between
    centre-points; it is turned into an arc about the unit's rear or, if the unit is struck from behind or has no rear,
    one that reaches from there to its front.
    """
    unit, source = asked(battle, request)[:2]

    def seen_from(thing: Unit, r: float) -> Point | None:
        if thing.id != source.id or request.options.get("assault") or request.options.get("away") is not None:
            return None
        far = math.dist(unit.at, source.at)
        if far <= r:
            return None
        turned = math.degrees(math.asin(r / far))
        half = float(tables()["angles"]["rear_arc"]) + 1.0 + turned
        away = bearing(unit.at[0] - source.at[0], unit.at[1] - source.at[1])
        ways = [unit.facing + 180.0, away]
        rear = abs(turn_between(unit.facing + 180.0, away)) + turned
        ways += [unit.facing] if rear >= float(tables()["angles"]["behind"]) - 1.0 else []
        if half >= WIDEST:
            return None
        ground = shapely.union_all([_fan(unit, most, way, half) for way in ways])
        off = r + length("zone") * battle.scale + room(battle)
        return None if shapely.dwithin(source.footprint, ground, off) else unit.at

    return seen_from


#: The widest fan, in degrees to each side.
WIDEST = 80.0


def _way(battle: Battle, request: Request, verdict: Verdict) -> BaseGeometry | None:
    """Return the ground of the path found, if any legal path on the table will do (TSE-INV-06, TSE-INV-10).

    None for a path beyond friends, since where it ends depends on more.
    """
    if not verdict.holds or not verdict.witness or verdict.measured.get("past"):
        return None
    if battle.rulings["table_edge"] != "avoid":
        return None
    unit = battle.unit(request.args[0])
    (x, y), *_ = verdict.witness
    stood = [unit.moved(px - x, py - y).footprint for px, py in verdict.witness]
    legs = [shapely.convex_hull(shapely.union(a, b)) for a, b in pairwise(stood)]
    return shapely.union_all(legs) if legs else None


def _lone(battle: Battle, request: Request, verdict: Verdict) -> dict[str, BaseGeometry]:
    """Return the ground of a straight path of exactly the distance, on which the side it turns to depends.

    It is the first legal one (TSE-INV-06).
    """
    way = _way(battle, request, verdict) if _tried(battle, request, verdict) is not None else None
    return {} if way is None else {"deviation": way.buffer(length("zone") * battle.scale + room(battle))}


def _tried(battle: Battle, request: Request, verdict: Verdict) -> BaseGeometry | None:
    """Return the ground of the path found and of those tried before it; None if that may be the whole arc.

    A straight path of exactly the distance is found after all those that deviate less, to either side, up to the step
    by which directions are tried.
    """
    if not verdict.holds or len(verdict.witness or ()) != 2 or verdict.measured.get("past"):
        return None
    unit, measured = battle.unit(request.args[0]), verdict.measured
    deviation = abs(float(measured.get("deviation") or 0.0))
    if deviation == 0.0:
        (ax, ay), (bx, by) = verdict.witness or ()
        ends = [unit.footprint, unit.moved(bx - ax, by - ay).footprint]
        return shapely.convex_hull(shapely.union_all(ends))
    distance = float(request.options.get("distance") or 0.0)
    if float(measured["cost"]) > distance + battle.tape.t:
        return None
    return _fan(unit, distance, float(measured["direction"]), deviation + STEPS_OF_DIRECTION)


#: Two of the steps, in degrees, in which directions are tried.
STEPS_OF_DIRECTION = 2.0
#: Factor by which the ground a unit is driven over shifts more than the unit, since its direction turns too.
TURNED = 3.0


def _driven(unit: Unit, distance: float, verdict: Verdict, far: float) -> BaseGeometry:
    """Return the ground a unit may be driven over within ``distance``.

    Each leg lies within 45 degrees of the unit's rear or, if it is struck from behind, of the direction it is driven in
    (TSE-INV-04, TSE-INV-05). If things may be shifted (``far``), any direction is possible.
    """
    if far > 0.0:
        return unit.footprint.buffer(distance)
    half = float(tables()["angles"]["rear_arc"]) + 1.0
    wanted = verdict.measured.get("direction")
    ways = [unit.facing + 180.0, *([float(wanted)] if wanted is not None else [])]
    fans = [_fan(unit, distance, way, half) for way in ways]
    return shapely.union_all(fans)


def _fan(unit: Unit, distance: float, way: float, half: float) -> BaseGeometry:
    """Return the ground a unit covers if shifted by up to ``distance``, within ``half`` degrees of a bearing."""
    far = distance / math.cos(math.radians(half / FAN))
    rim = [heading(way + half * k / FAN) for k in range(-FAN, FAN + 1)]
    shifts = [(0.0, 0.0), *((far * x, far * y) for x, y in rim)]
    return shapely.convex_hull(shapely.union_all([unit.moved(*shift).footprint for shift in shifts]))


#: Steps of a fan to each side; its corners lie far enough out to contain the arc between them.
FAN = 4


def out_of_range(battle: Battle, request: Request, far: float) -> bool:
    """Return whether the target is out of range even in a straight line, so that no shot can reach it (TSE-FIR-01).

    ``far`` (table units) is how far anything may be shifted.

    >>> from tabletop.play.files.opened import open_battle
    >>> out_of_range(open_battle("starter"), Request("fire", ("arnaud", "auer")), 2.0)
    True
    """
    from tabletop.rules.tse.fire.shot import reach_of

    firer, target = asked(battle, request)[:2]
    reach = reach_of(battle, firer)
    return reach is None or float(shapely.distance(firer.footprint, target.footprint)) > reach + far + battle.tape.t


def out_of_budget(battle: Battle, request: Request, far: float) -> bool:
    """Return whether the path is too long for any allowance, even all on roads and with shifted ends (TSE-MOV-01).

    ``far`` (table units) is how far anything may be shifted.

    >>> from tabletop.play.files.opened import open_battle
    >>> requests = [Request("move", ("arnaud",), {"path": [(8.4, y)]}) for y in (9.0, 22.0)]
    >>> [out_of_budget(open_battle("starter"), request, 2.0) for request in requests]
    [False, True]
    """
    from tabletop.rules.tse.movement.motion import action_of, allowance

    unit, path = battle.unit(request.args[0]), request.options.get("path")
    name = request.options.get("as") or ("general" if unit.is_general else "maneuver")
    if not path or name not in ACTIONS_THAT_GO:
        return False
    ways = shapely.LineString([unit.front_mid, *(tuple(p) for p in path)])
    least = float(ways.length) / (float(tables()["factors"]["road"]) if name in ON_ROADS else 1.0)
    return least > allowance(battle, unit, action_of(unit, name)) + far + battle.tape.t


ACTIONS_THAT_GO = ("maneuver", "march", "route-march", "general")
ON_ROADS = ("march", "route-march")


def out_of_reach(battle: Battle, request: Request, far: float) -> bool:
    """Return whether the target is beyond the assaulter's reach, as a path costs at least its length.

    Source: TSE-ASL-05.

    ``far`` (table units) is how far anything may be shifted.

    >>> from tabletop.play.files.opened import open_battle
    >>> out_of_reach(open_battle("starter"), Request("assault", ("arnaud", "auer")), 1.0)
    True
    """
    from tabletop.rules.tse.assault.path import reach_of

    unit, target = asked(battle, request)[:2]
    reach = reach_of(battle, unit, bool(request.options.get("delayed")))
    return reach is None or float(shapely.distance(unit.footprint, target.footprint)) > reach + far + battle.tape.t


def no_first_assault(battle: Battle, request: Request, far: float) -> bool:
    """Return whether A cannot break through: it is not cavalry, or too far from the beaten enemy to have assaulted it.

    ``far`` (table units) is how far anything may be shifted. In a battle that is waiting for this decision, A already
    stands in contact (TSE-ASL-70).

    >>> from tabletop.play.files.opened import open_battle
    >>> no_first_assault(open_battle("starter"), Request("breakthrough", ("arnaud", "auer"), {"after": "zichy"}), 2.0)
    True
    """
    unit, after = battle.unit(request.args[0]), request.options.get("after")
    if troops()[unit.troop].family != "cavalry":
        return True
    if after is None or any(decision.unit == unit.id for decision in battle.pending):
        return False
    return out_of_reach(battle, replace(request, args=(unit.id, str(after))), far)


# --- how things affect answers ---------------------------------------------------------------------------------------


def covers(thing: Unit | Terrain) -> bool:
    return isinstance(thing, Terrain) and (thing.cover_fire != "none" or thing.cover_assault != "none")


def slows(thing: Unit | Terrain) -> bool:
    return isinstance(thing, Terrain) and (thing.movement != "open" or thing.kind in FORDS)


def _in_the_way(thing: Unit | Terrain) -> bool:
    """Return whether a thing bears on a fall-back; roads do not help a unit that is driven back."""
    return stands(thing) or (slows(thing) and not road(thing))


def _bears_on_fire(thing: Unit | Terrain) -> bool:
    return hides(thing) or covers(thing) or stands(thing)


def road(thing: Unit | Terrain) -> bool:
    """Return whether it is only a road, which helps nobody but marching columns (TSE-TER-04)."""
    return isinstance(thing, Terrain) and thing.movement == "road" and not hides(thing) and not covers(thing)


def obstacle(thing: Unit | Terrain) -> bool:
    """Return whether it is a linear obstacle, which adds to the cost of crossing but bars nobody (TSE-MOV-08)."""
    return isinstance(thing, Terrain) and thing.movement == "linear"


def opens(thing: Unit | Terrain) -> bool:
    """Return whether it may let a path through: a bridge, gate or ford (TSE-MOV-15), or a road (TSE-MOV-11)."""
    return isinstance(thing, Terrain) and (thing.kind in FORDS or thing.movement in ("choke", "road"))


def _never(thing: Unit | Terrain) -> bool:
    return False


def _anything(thing: Unit | Terrain, r: float) -> bool:
    return True


def _spread_after(unit: Unit, verdict: Verdict) -> float:
    """Return how far a moving unit reaches from the middle of its front; a file's tail lies along its path."""
    after = verdict.measured.get("after")
    stood = standing(unit, after) if after else unit
    widest = max(math.hypot(*_size(base)) for base in unit.bases)
    if len(stood.bases) > 1 and stood.formation in FILES:
        return 2.0 * widest
    return max(girth(unit), girth(stood))


FILES = ("march-column",)


def _size(base: AnyBase) -> tuple[float, float]:
    return (base.frontage, base.depth) if isinstance(base, Base) else (2.0 * base.radius, 2.0 * base.radius)


def _line(verdict: Verdict, clearance: float) -> BaseGeometry:
    return shapely.LineString(verdict.witness).buffer(clearance + GRAZE)
