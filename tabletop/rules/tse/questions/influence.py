"""Where an answer looks: the ground beyond which nothing that stands, stood or may be shifted can change it.

Each is generous: it holds all that the question reads when the units asked about are shifted by up to ``far``.
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
    """Tall terrain and hills between two units: sight looks at nothing else (TSE-LOS-01, TSE-LOS-04, TSE-LOS-20)."""
    proofs = {"holds": _line(verdict, 0.0)} if verdict.holds and verdict.witness else {}
    return Influence(hull(battle, request, far), None, hides, apart(battle, request, 0.0), _never, proofs=proofs)


def points_between(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Tall terrain and hills under the line between two points (TSE-LOS-01)."""
    ends = [request.options.get(name) for name in ("start", "end")]
    line = shapely.LineString([(float(end[0]), float(end[1])) for end in ends if end is not None])
    return Influence(line.buffer(room(battle)), None, hides)


def nothing_else(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Only the units asked about (TSE-FIR-05)."""
    return Influence()


def in_the_way_of_fire(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """What hides, what covers the target, and units that a line of fire keeps clear of (TSE-FIR-10, TSE-COV-09)."""
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
    """Say whether one of these rules forbids what was asked: then only what bears on it can make it hold."""
    return any(reason.rule in rules for reason in verdict.against)


def _shortest(battle: Battle, request: Request, verdict: Verdict) -> bool:
    """Say whether no line of another length than the witness's can bring the target into a nearer band."""
    from tabletop.rules.tse.fire.shot import band_of

    firer, target = asked(battle, request)[:2]
    bare = min(float(shapely.distance(base.polygon, target.footprint)) for base in firer.fronts)
    return band_of(battle, bare) == verdict.measured.get("band")


def _covered(battle: Battle, request: Request, pad: float) -> bool:
    """Say whether anything that gives cover from fire lies near the target."""
    target = battle.unit(request.args[1]).footprint
    return any(p.cover_fire != "none" and shapely.dwithin(p.shape, target, pad) for p in battle.table.terrain)


def generals(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """The generals of its side (TSE-ORD-03): the nearest, and those who may come to be nearest or in reach."""
    unit = battle.unit(request.args[0])
    others = [u for u in battle.units if u.is_general and u.side == unit.side]
    gaps = [float(shapely.distance(u.footprint, unit.footprint)) for u in others]
    least = max(length("command") * battle.scale, min(gaps, default=0.0) + far)
    near = unit.footprint.buffer(least + far + room(battle))
    return Influence(None, near, lambda thing: person(thing) and getattr(thing, "side", "") == unit.side, _anything)


def on_the_way(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """The ground a unit sweeps on a path, and the enemies whose zones it may come to (TSE-MOV-15..18)."""
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
        # Roads and obstacles change what a way costs and nothing else of it: they make nothing legal that fails for
        # another reason, nor illegal what is paid wherever they lie.
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
    """Return the units that bar a given path, each by where it stands alone (TSE-MOV-16, TSE-MOV-17, TSE-MOV-18).

    While one of them does, moving another thing makes nothing legal; nor does moving it where there is another fault.
    """
    unit = battle.unit(request.args[0])
    name = request.options.get("as") or ("general" if unit.is_general else "maneuver")
    if request.options.get("to") is not None or name not in ACTIONS_THAT_GO:
        return ()
    of_units = ("TSE-MOV-16", "TSE-MOV-17", "TSE-MOV-18")
    found = [r.feature for r in verdict.against if r.rule in of_units and r.feature is not None]
    return tuple(name for name in dict.fromkeys(found) if battle.has(name))


def about(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """All the ground a unit may be driven over: as far as its distance and on beyond friends (TSE-INV-06, -09)."""
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
    found = Influence(around, around, _in_the_way, apart(battle, request, 2.0 * zone), opens, {}, proofs)
    found = replace(found, seen_from=_driver(battle, request, most, verdict), lone=_lone(battle, request, verdict))
    # What bars the one way may open another to the other side, nearer than the next on this one: only where the way
    # found stays the same is it the same for all between.
    return found if straight else replace(found, facts={"deviation": replace(found, by="leg")})


def _driver(battle: Battle, request: Request, most: float, verdict: Verdict) -> Callable[[Unit, float], Point | None]:
    """Return who bears on it only by the direction he drives the unit in: he, where he is in no way's way (INV-03).

    A direction is that of centre-points; the arc it is turned into lies about the unit's rear or, where the unit is
    struck from behind or has no rear, reaches from there to its front.
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


#: No fan is drawn wider, in degrees to each side.
WIDEST = 80.0


def _way(battle: Battle, request: Request, verdict: Verdict) -> BaseGeometry | None:
    """Return the ground of the way found, where any legal way on the table will do (TSE-INV-06, TSE-INV-10).

    Not that of a way on beyond friends, which may end sooner or later.
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
    """Return the ground of a straight way that goes its distance and no farther, to which side it turns depends on.

    It is the first that is legal (TSE-INV-06).
    """
    way = _way(battle, request, verdict) if _tried(battle, request, verdict) is not None else None
    return {} if way is None else {"deviation": way.buffer(length("zone") * battle.scale + room(battle))}


def _tried(battle: Battle, request: Request, verdict: Verdict) -> BaseGeometry | None:
    """Return the ground of the ways that come before the one found, and of that one; None if that is all of the arc.

    A straight way that goes its distance and no farther is the first of those that turn no more than it does: to
    either hand, as nearly as directions are tried.
    """
    if not verdict.holds or len(verdict.witness or ()) != 2 or verdict.measured.get("past"):
        return None
    unit, told = battle.unit(request.args[0]), verdict.measured
    deviation = abs(float(told.get("deviation") or 0.0))
    if deviation == 0.0:
        (ax, ay), (bx, by) = verdict.witness or ()
        ends = [unit.footprint, unit.moved(bx - ax, by - ay).footprint]
        return shapely.convex_hull(shapely.union_all(ends))
    distance = float(request.options.get("distance") or 0.0)
    if float(told["cost"]) > distance + battle.tape.t:
        return None
    return _fan(unit, distance, float(told["direction"]), deviation + STEPS_OF_DIRECTION)


#: Two of the steps, in degrees, in which directions are tried.
STEPS_OF_DIRECTION = 2.0
#: By how much more than its shift a unit's ground is shifted where it is driven, for its direction turns with it.
TURNED = 3.0


def _driven(unit: Unit, distance: float, verdict: Verdict, far: float) -> BaseGeometry:
    """Return the ground a unit may be driven over so far.

    Each leg leads within 45 degrees of its rear or, where it is struck from behind, of the direction it is driven in
    (TSE-INV-04, TSE-INV-05); any way at all where who drives it may be shifted too.
    """
    if far > 0.0:
        return unit.footprint.buffer(distance)
    half = float(tables()["angles"]["rear_arc"]) + 1.0
    wanted = verdict.measured.get("direction")
    ways = [unit.facing + 180.0, *([float(wanted)] if wanted is not None else [])]
    fans = [_fan(unit, distance, way, half) for way in ways]
    return shapely.union_all(fans)


def _fan(unit: Unit, distance: float, way: float, half: float) -> BaseGeometry:
    """Return the ground a unit's outline covers when it is shifted by up to a distance, half an angle to each side."""
    far = distance / math.cos(math.radians(half / FAN))
    rim = [heading(way + half * k / FAN) for k in range(-FAN, FAN + 1)]
    shifts = [(0.0, 0.0), *((far * x, far * y) for x, y in rim)]
    return shapely.convex_hull(shapely.union_all([unit.moved(*shift).footprint for shift in shifts]))


#: Steps of a fan to each side: its corners stand out so far that no arc between them does.
FAN = 4


def out_of_range(battle: Battle, request: Request, far: float) -> bool:
    """Return whether the target is farther off than these troops fire: no line is shorter than the gap (TSE-FIR-01).

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
    """Return whether the path is longer than any move so far off its start could pay, all of it on roads (TSE-MOV-01).

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
    """Return whether the target is farther off than the assaulter reaches: a path costs its length or more.

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
    """Return whether A cannot break through: no cavalry, or too far from whom it has beaten to have assaulted it.

    ``far`` (table units) is how far anything may be shifted. In a battle that waits for this very decision it stands
    there already (TSE-ASL-70).

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


# --- what things do --------------------------------------------------------------------------------------------------


def covers(thing: Unit | Terrain) -> bool:
    return isinstance(thing, Terrain) and (thing.cover_fire != "none" or thing.cover_assault != "none")


def slows(thing: Unit | Terrain) -> bool:
    return isinstance(thing, Terrain) and (thing.movement != "open" or thing.kind in FORDS)


def _in_the_way(thing: Unit | Terrain) -> bool:
    """Whoever is driven back gains nothing by a road."""
    return stands(thing) or (slows(thing) and not road(thing))


def _bears_on_fire(thing: Unit | Terrain) -> bool:
    return hides(thing) or covers(thing) or stands(thing)


def road(thing: Unit | Terrain) -> bool:
    """Roads help marching columns only (TSE-TER-04)."""
    return isinstance(thing, Terrain) and thing.movement == "road" and not hides(thing) and not covers(thing)


def obstacle(thing: Unit | Terrain) -> bool:
    """Linear obstacles cost those who cross them, and bar nobody (TSE-MOV-08)."""
    return isinstance(thing, Terrain) and thing.movement == "linear"


def opens(thing: Unit | Terrain) -> bool:
    """Bridges, gates and fords let a path through (TSE-MOV-15); roads are gone along (TSE-MOV-11)."""
    return isinstance(thing, Terrain) and (thing.kind in FORDS or thing.movement in ("choke", "road"))


def _never(thing: Unit | Terrain) -> bool:
    return False


def _anything(thing: Unit | Terrain, r: float) -> bool:
    return True


def _spread_after(unit: Unit, verdict: Verdict) -> float:
    """Return how far a unit reaches from the middle of its front on its way: a file lies along its path behind."""
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
