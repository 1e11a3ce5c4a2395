"""Moving: what a way costs, and whether it may be gone."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, outline, pose_of
from tabletop.errors import BadQuestion
from tabletop.geometry.base import Base
from tabletop.geometry.clearance import closest, overhang, trespass
from tabletop.geometry.depth import overlap_depth
from tabletop.geometry.ground import ground_of
from tabletop.geometry.measure import Point, bearing
from tabletop.geometry.motion import (
    Body,
    Motion,
    Step,
    file_motion,
    rigid_motion,
    shifts_along,
    steps_along,
)
from tabletop.geometry.price import Price, Tariff, Toll, on_road, toll
from tabletop.geometry.shapes import line_shape, rings, shapes_of
from tabletop.geometry.verdict import Reason, Shape, Verdict
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.formation import assume, forming_faults
from tabletop.rules.tse.tables import base_move, length, tables, troop
from tabletop.rules.tse.zone_of_control import zone_limit, zone_width


@dataclass(frozen=True)
class Action:
    """A kind of move: the formation it assumes, and whether it marches (roads, no choke cost, a file)."""

    name: str
    formation: str | None
    marching: bool = False


#: The actions that go a way (TSE-ACT-02, TSE-ACT-20, TSE-ACT-70, TSE-ACT-80).
ACTIONS = {
    "maneuver": Action("maneuver", "maneuver-column"),
    "march": Action("march", "march-column", marching=True),
    "route-march": Action("route-march", "march-column", marching=True),
    "general": Action("general", None),
}
#: The actions that only change formation (TSE-ACT-10, TSE-ACT-30).
FORMING = {"deploy": "deployed", "square": "square"}


@dataclass(frozen=True)
class Going:
    """A unit on its way: as it stood, as it set out in the action's formation, its motion and its prices."""

    battle: Battle
    before: Unit
    start: Unit
    action: Action
    motion: Motion
    toll: Toll
    allowed: float

    @property
    def price(self) -> Price:
        return self.toll.price()

    @property
    def end(self) -> Unit:
        """The unit where it ends."""
        return replace(self.start, bases=self.motion.end, facing=self.motion.facing)


def move(battle: Battle, request: Request) -> Verdict:
    """Answer ``move A``: may it go this way, and what does it cost (TSE-MOV-01..23).

    Options: ``path`` (waypoints of the middle of the front) or ``to`` (the cheapest way there), ``facing`` at the end,
    ``as`` an action; ``front`` and ``head`` of the formation it assumes. ``deploy`` and ``square`` take ``ref``,
    ``shift``, ``facing`` and go no way.
    """
    unit = battle.unit(request.args[0])
    name = request.options.get("as") or ("general" if unit.is_general else "maneuver")
    if name in FORMING:
        return _formed(battle, unit, FORMING[name], request)
    action = action_of(unit, name)
    path, facing = request.options.get("path"), request.options.get("facing")
    if request.options.get("to") is not None:
        from tabletop.rules.tse.ways import cheapest

        return cheapest(battle, unit, action, request)
    if path is None and facing is None:
        raise BadQuestion(f"where shall '{unit.id}' move? give --to X,Y or --path X,Y X,Y ... (or --facing F)")
    return judged(along(battle, unit, action, tuple(path or ()), facing, **forming_options(request.options)), request)


def action_of(unit: Unit, name: str) -> Action:
    """Return the action called ``name``; BadQuestion if there is none or this unit cannot take it."""
    if name not in ACTIONS:
        if name == "assault":
            raise BadQuestion("an assault goes for a unit; ask: assault A B")
        near = difflib.get_close_matches(name, [*ACTIONS, *FORMING], 1)
        hint = f"did you mean '{near[0]}'?" if near else f"one of: {', '.join([*ACTIONS, *FORMING])}"
        raise BadQuestion(f"no action '{name}'; {hint}")
    action = ACTIONS[name]
    if unit.is_general != (action.formation is None):
        kind = "a general; ask with --as general" if unit.is_general else "no general; ask with --as maneuver or march"
        raise BadQuestion(f"'{unit.id}' is {kind}")
    return action


def forming_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those options that shape the formation assumed."""
    return {key: options[key] for key in ("front", "head") if options.get(key) is not None}


def allowance(battle: Battle, unit: Unit, action: Action) -> float:
    """Return the base move of this action in table units whatever its status (TSE-ACT-02, -80, TSE-FRM-03)."""
    found = base_move(unit.troop, unit.quality, action.name, bool(battle.rulings["flat_maneuver"]))
    if found is None:
        raise BadQuestion(f"'{unit.id}' ({unit.troop}) has no move as {action.name}")
    return found * battle.scale


def tariff(battle: Battle, unit: Unit, action: Action, leading: str = "front") -> Tariff:
    """Return the prices of this unit's moves (TSE-MOV-05..13, TSE-TER-03, TSE-LDR-04: roads are not for generals).

    A route march is a march (TSE-ACT-83): roads for both, chokes for neither, one on a bridge (TSE-TER-05) included.
    """
    return Tariff(
        rough=float(troop(unit.troop).rough_factor),
        linear=length("linear_cost") * battle.scale,
        choke=0.0 if action.marching else length("choke_cost") * battle.scale,
        road=float(tables()["factors"]["road"]) if action.marching else 1.0,
        trace=str(battle.rulings["rough_trace"]),
        leading=leading,
        t=battle.tape.t,
    )


def body_of(unit: Unit) -> Body:
    """Return the body of a unit: its bases with the middle of its front."""
    return Body.of(unit.bases, unit.front_bases, unit.facing)


def set_out(
    battle: Battle, unit: Unit, action: Action, toward: Point | None, facing: float | None, **forming: Any
) -> Unit:
    """Return the unit in the action's formation, facing ``toward`` (free), about the point that stays (TSE-FRM-06).

    No way is gone deployed or in square: the action's column is formed first (TSE-FRM-16, TSE-FRM-31).
    Without a way to go it takes ``facing``. A march column whose head is not said is headed by the base nearest
    ``toward`` (TSE-FRM-24); one that snakes already keeps its track.
    """
    if action.formation is None:
        return unit
    if action.marching and "head" not in forming:
        forming["head"] = nearest_base(unit, toward)
    pivot = unit.bases[forming["head"]].centre if action.marching else unit.at
    if toward is not None and toward != pivot:
        facing = bearing(toward[0] - pivot[0], toward[1] - pivot[1])
    elif facing is None:
        facing = unit.facing
    if action.marching and forming["head"] == 0 and snakes(unit):
        forming["track"] = trail_of(unit)
    return assume(battle, unit, action.formation, facing=facing, **forming)


def nearest_base(unit: Unit, toward: Point | None) -> int:
    """Return the number of the base nearest to a point, the lowest of several; 0 without a point."""
    if toward is None:
        return 0
    return min(range(unit.strength), key=lambda i: (round(math.dist(unit.bases[i].centre, toward), 6), i))


def snakes(unit: Unit) -> bool:
    """Return whether the unit is a march column along a bent track (TSE-FRM-25)."""
    facings = {b.facing for b in unit.bases if isinstance(b, Base)}
    return unit.formation == "march-column" and len(facings) > 1


def trail_of(unit: Unit) -> tuple[Point, ...]:
    """Return the track a march column lies on, from the middle of its head's front edge back to its tail."""
    bases = [b for b in unit.bases if isinstance(b, Base)]
    return (*(b.front_mid for b in bases), bases[-1].at_local(0.0, -bases[-1].depth))


def along(
    battle: Battle, unit: Unit, action: Action, path: Sequence[Point], facing: float | None, **forming: Any
) -> Going:
    """Return the going along ``path``: it sets out facing the first waypoint, then goes leg by leg (TSE-MOV-04)."""
    start = set_out(battle, unit, action, path[0] if path else None, facing, **forming)
    body = body_of(start)
    ways = path[1:] if path and _there(body, path[0], battle.tape.t) else path
    steps = shifts_along(body.mid, path) if action.formation is None else steps_along(body, ways, facing)
    return going(battle, unit, start, action, steps)


def _there(body: Body, point: Point, t: float) -> bool:
    """True when the front stands at the point already: no direction could be read off so short a leg."""
    return math.dist(body.mid, point) <= t


def going(battle: Battle, before: Unit, start: Unit, action: Action, steps: Sequence[Step]) -> Going:
    """Return the going of a unit that stands as ``start`` and takes ``steps`` (wheels on a corner too, TSE-MOV-03).

    It ends in the formation it set out in (TSE-FRM-23c, TSE-FRM-26).
    """
    ground = ground_of(battle.table, action.marching)
    body = body_of(start)
    if action.marching:
        trail = trail_of(start) if snakes(start) else None
        motion = file_motion(body, steps, lambda point: on_road(point, ground), trail)
    else:
        motion = rigid_motion(body, steps)
    law = tariff(battle, before, action)
    return Going(battle, before, start, action, motion, toll(motion, ground, law), allowance(battle, before, action))


# --- what forbids it -------------------------------------------------------------------------------------------------


def faults(going: Going) -> tuple[Reason, ...]:
    """Return every reason why a going may not be, the ground's and the enemy's first, then the cost."""
    checks: tuple[Callable[[Going], Iterator[Reason]], ...] = (
        _status,
        _forming,
        _barred,
        _zones,
        _edge,
        _ending,
        _cost,
    )
    return tuple(reason for check in checks for reason in check(going) if not reason.holds)


def _status(going: Going) -> Iterator[Reason]:
    """A demoralized unit may only regroup (TSE-ACT-91)."""
    if going.before.status == "demoralized":
        yield Reason("TSE-ACT-91", False, "a demoralized unit may only regroup")


def _forming(going: Going) -> Iterator[Reason]:
    """The formation must be one it can assume where it stands (TSE-FRM-02, TSE-FRM-07)."""
    if going.action.formation is not None:
        yield from forming_faults(going.battle, going.before, going.start)


def _barred(going: Going) -> Iterator[Reason]:
    """No part of it may enter impassable ground (TSE-MOV-15)."""
    ground = ground_of(going.battle.table, going.action.marching)
    for name in trespass(going.motion, ground, going.battle.tape.t):
        yield Reason("TSE-MOV-15", False, f"the way enters impassable ground, {name}", feature=name)


def _zones(going: Going) -> Iterator[Reason]:
    """All along the way it keeps off the enemy's zones, or leaves them without coming nearer (TSE-MOV-17, -18, -19)."""
    battle, width = going.battle, zone_width(going.battle)
    for enemy in battle.enemies(going.before):
        gap = closest(going.motion, outline(enemy), 2.0 * width)
        if math.isinf(gap):
            continue
        limit = zone_limit(battle, going.before, enemy)
        name = enemy.name or enemy.id
        holds = battle.tape.at_least(gap, limit)
        rule = "TSE-MOV-17" if limit == width else "TSE-MOV-18"
        text = f"the way keeps {gap:.2f} from {name}" if holds else f"the way comes within {gap:.2f} of {name}"
        yield Reason(rule, holds, text, gap, None if math.isinf(limit) else limit, enemy.id)


def _edge(going: Going) -> Iterator[Reason]:
    """It may not leave the table (TSE-MOV-21)."""
    table = going.battle.table
    out = overhang(going.motion, table.width, table.height)
    if going.battle.tape.over(out, 0.0):
        yield Reason("TSE-MOV-21", False, f"the way goes {out:.2f} over the table's edge", out, 0.0)


def _ending(going: Going) -> Iterator[Reason]:
    """It passes through friends but ends in none; generals obstruct nobody (TSE-MOV-16, TSE-LDR-05)."""
    if going.before.is_general:
        return
    for other in going.battle.friends(going.before):
        depth = ending_depth(going.motion.end, other)
        if going.battle.tape.over(depth, 0.0):
            text = f"it would end {depth:.2f} deep in {other.name or other.id}"
            yield Reason("TSE-MOV-16", False, text, depth, 0.0, other.id)


def ending_depth(bases: Sequence[Any], other: Unit) -> float:
    """Return how deep ``bases`` stand in another unit, 0 if they do not."""
    x0, y0, x1, y1 = other.footprint.bounds
    near = [b for b in bases if x0 - 2 * b.depth - b.frontage < b.x < x1 + 2 * b.depth + b.frontage]
    near = [b for b in near if y0 - 2 * b.depth - b.frontage < b.y < y1 + 2 * b.depth + b.frontage]
    return max((overlap_depth(a, b) for a in near for b in other.bases), default=0.0)


def _cost(going: Going) -> Iterator[Reason]:
    """The price, terrain and turns in it, is within the base move (TSE-MOV-01)."""
    cost, allowed = going.price.total, going.allowed
    holds = going.battle.tape.at_most(cost, allowed)
    text = f"it costs {cost:.2f} of {allowed:g}: {itemised(going.price)}"
    yield Reason("TSE-MOV-01", holds, text, cost, allowed)


def itemised(price: Price) -> str:
    """Return the items of a price in words."""
    named = {
        "length": f"{price.length:.2f} straight",
        "turns": f"{price.turns:.2f} in turns",
        "rough": f"{price.rough:.2f} of it in rough ground",
        "road": f"{price.road:.2f} of it on roads",
        "linear": f"{price.linear} linear obstacle{'s' * (price.linear != 1)}",
        "choke": f"{price.choke} choke-point{'s' * (price.choke != 1)}",
    }
    items = price.items()
    return ", ".join(words for name, words in named.items() if items[name] or name == "length")


def _behind(going: Going, path: Sequence[Point]) -> Iterator[Reason]:
    """Movement is forward: the first waypoint lies not behind the front it sets out with (TSE-MOV-02)."""
    if not path or going.action.formation is None:
        return
    body = body_of(going.start)
    (rear_x, rear_y), mid = body.axis
    dx, dy = mid[0] - rear_x, mid[1] - rear_y
    ahead = ((path[0][0] - mid[0]) * dx + (path[0][1] - mid[1]) * dy) / math.hypot(dx, dy)
    if not going.battle.tape.at_least(ahead, 0.0):
        text = f"the first waypoint is {-ahead:.2f} behind the front it sets out with; moves go forward"
        yield Reason("TSE-MOV-02", False, text, ahead, 0.0)


# --- the verdict -----------------------------------------------------------------------------------------------------


def judged(going: Going, request: Request) -> Verdict:
    """Return the verdict on a going along the request's path."""
    path = tuple(request.options.get("path") or ())
    against = (*_behind(going, path), *faults(going))
    kept = (*(r for check in (_cost, _zones) for r in check(going) if r.holds),)
    way = going.motion.way
    return Verdict(
        "move",
        request.args,
        going.battle.rules,
        not against,
        measured(going),
        (*against, *kept),
        witness=None if against else way,
        blockers=tuple(dict.fromkeys(r.feature for r in against if r.feature)),
        options=request.options,
        shapes=pictured(going, not against),
    )


def measured(going: Going) -> dict[str, Any]:
    """Return cost, allowance, path and items; where the unit would stand."""
    end = going.end
    way = [list(p) for k, p in enumerate(going.motion.way) if k == 0 or p != going.motion.way[k - 1]]
    return {
        "cost": going.price.total,
        "allowed": going.allowed,
        "path": way,
        **going.price.items(),
        "at": list(end.at),
        "facing": None if going.before.is_general else end.facing,
        "after": pose_of(end),
    }


def pictured(going: Going, holds: bool) -> tuple[Shape, ...]:
    """Return the way, the unit where it ends, and the stretches in rough ground of the base that has most of it."""
    label = f"{going.price.total:.2f} of {going.allowed:g}"
    way = line_shape("path" if holds else "blocked", going.motion.way, label)
    ghosts = tuple(s for base in going.motion.end for s in shapes_of("ghost", base.polygon))
    return (way, *ghosts, *rough_stretches(going))


def rough_stretches(going: Going) -> tuple[Shape, ...]:
    """Return, as lines along its track, where the base charged for rough ground is in it (TSE-MOV-06)."""
    worst = max(range(len(going.toll.rough)), key=lambda i: sum(hi - lo for lo, hi in going.toll.rough[i]))
    shapes: list[Shape] = []
    u = 0.0
    for sweep in going.motion.tracks[worst]:
        dx, dy = getattr(sweep, "dx", 0.0), getattr(sweep, "dy", 0.0)
        x, y = sweep.base.front_mid if isinstance(sweep.base, Base) else sweep.base.centre
        for lo, hi in going.toll.rough[worst]:
            a, b = max(lo, u) - u, min(hi, u + sweep.charge) - u
            if b > a and (dx or dy):
                ends = tuple((x + s / sweep.charge * dx, y + s / sweep.charge * dy) for s in (a, b))
                shapes.append(line_shape("mark", ends, f"rough {b - a:.2f}"))
        u += sweep.charge
    return tuple(shapes)


def _formed(battle: Battle, unit: Unit, formation: str, request: Request) -> Verdict:
    """Answer a move that only changes formation: deploy, square (TSE-ACT-10, TSE-ACT-11, TSE-ACT-30)."""
    names = ("ref", "shift", "facing", "bend")
    wanted = {name: request.options[name] for name in names if request.options.get(name) is not None}
    if request.options.get("path") or request.options.get("to"):
        raise BadQuestion(f"--as {request.options['as']} goes no way: give --ref N --shift X,Y --facing F")
    after = assume(battle, unit, formation, **wanted)
    status = [Reason("TSE-ACT-91", False, "a demoralized unit may only regroup")] * (unit.status == "demoralized")
    against = (*status, *forming_faults(battle, unit, after))
    good = Reason("TSE-FRM-07", True, f"{unit.name or unit.id} can form here")
    path = [list(unit.front_mid), list(after.front_mid)]
    return Verdict(
        "move",
        request.args,
        battle.rules,
        not against,
        {
            "cost": 0.0,
            "allowed": 0.0,
            "path": path,
            "at": list(after.at),
            "facing": after.facing,
            "after": pose_of(after),
        },
        against or (good,),
        witness=None if against else tuple(tuple(p) for p in path),  # type: ignore[misc]
        blockers=tuple(dict.fromkeys(r.feature for r in against if r.feature)),
        options=request.options,
        shapes=tuple(s for base in after.bases for s in shapes_of("ghost", base.polygon)),
    )


def reach(battle: Battle, request: Request) -> Verdict:
    """Answer ``reach A``: the ground where the middle of its front (a general's centre) can end (TSE-MOV-01..18).

    An inner approximation: every point of it is backed by a legal way. The option ``should_stop`` is asked now and then
    on behalf of whoever waits for it; once true, what is certain so far is returned.
    """
    from tabletop.geometry.reach import reach as ground_in_reach
    from tabletop.rules.tse.reaching import setting_of

    unit = battle.unit(request.args[0])
    should_stop: Callable[[], bool] = request.options.get("should_stop") or (lambda: False)
    action = action_of(unit, request.options.get("as") or ("general" if unit.is_general else "maneuver"))
    area = ground_in_reach(setting_of(battle, unit, action, **forming_options(request.options)), should_stop)
    size = float(area.area)
    polygons = [rings(p) for p in shapely.get_parts(area)] if size else []
    allowed = allowance(battle, unit, action)
    text = f"{size:.1f} square {battle.table.unit} of ground can be reached with a move of {allowed:g}"
    return Verdict(
        "reach",
        request.args,
        battle.rules,
        True,
        {"area": polygons, "size": size, "allowed": allowed},
        (Reason("TSE-MOV-01", True, text, size),),
        options=request.options,
        shapes=shapes_of("reach", area, unit.name or unit.id) if size else (),
    )
