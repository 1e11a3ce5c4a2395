"""Candidate actions: a finite number of sensible, allowed actions for the side to move."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import shapely

from tabletop.battle.action import Action, answer
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.measure import Point, bearing, heading, snap_facing, snap_point, turn_between
from tabletop.geometry.movement.ground import ground_of
from tabletop.rules.common.by_place import place_of
from tabletop.rules.common.candidates import once
from tabletop.rules.tse.command.orders import general_near
from tabletop.rules.tse.computer.in_order import groups_in_order, idle_in_order
from tabletop.rules.tse.computer.suggest_combat import suggest_assaults, suggest_fire
from tabletop.rules.tse.movement.entry import with_unit_there
from tabletop.rules.tse.movement.formation import ranks_wanted
from tabletop.rules.tse.movement.layouts import rank_splits
from tabletop.rules.tse.movement.motion import ACTIONS, allowance, along
from tabletop.rules.tse.movement.partial_move import as_far_as
from tabletop.rules.tse.tables import length, troop
from tabletop.rules.tse.turn.actions import KINDS
from tabletop.rules.tse.turn.menu import is_open
from tabletop.rules.tse.turn.sequence import CHOOSING, unfinished

#: Maneuvers tried: degrees off the enemy's bearing, share of the move, whether the unit faces him at the end.
WAYS = (
    (0.0, 1.0, False),
    (0.0, 0.5, False),
    (0.0, 0.25, False),
    *((side * turn, share, False) for turn, share in ((30.0, 1.0), (60.0, 1.0), (30.0, 0.5)) for side in (-1, 1)),
    *((side * 90.0, 0.5, True) for side in (-1, 1)),
)
#: A unit marches if it is farther than this many maneuvers from every enemy.
FAR = 2.5
#: How near (inches) and how far round (degrees) an enemy on a flank is; how far (degrees) a wing is bent toward him.
NEAR_FLANK, FLANK, WING = 8.0, 45.0, 30.0
#: A narrower column is suggested if it gets more than this many inches farther.
FARTHER = 1.0
#: A march uses a road within this many inches.
NEAR_ROAD = 4.0
#: Suggests actions for one unit, without judging them.
Suggester = Callable[[Battle, Unit], Iterable[Action]]


def suggest(battle: Battle) -> Iterator[Action]:
    """Yield allowed actions for the side to move, sensible ones first; at least one until the battle is over.

    Source: TSE-TRN-03.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.turn.sequence import in_turn
    >>> next(suggest(in_turn(open_battle("starter"), "arnaud"))).kind
    'general'
    """
    if battle.pending:
        decision = battle.pending[0]
        yield from (answer(decision.side, choice) for choice in decision.choices)
        return
    side = battle.clock.side
    if side is None or battle.over:
        return
    if battle.clock.phase == CHOOSING:
        yield from (Action("choose", side, options={"group": group}) for group in groups_in_order(battle))
        return
    halfway = unfinished(battle)
    for unit in (halfway,) if halfway else idle_in_order(battle, side, battle.clock.group):
        yield from for_unit(battle, unit)
    yield Action("finish", side)


def for_unit(battle: Battle, unit: Unit) -> Iterator[Action]:
    """Yield allowed actions for one unit or general that may act now; the last is to hold."""
    for action in once(action for suggester in SUGGESTERS for action in suggester(battle, unit)):
        if is_open(battle, action) and KINDS[action.kind].judge(battle, action).holds:
            yield action
    yield Action("hold", unit.side, unit.id)


# --- where to go -----------------------------------------------------------------------------------------------------


def nearest_enemy(battle: Battle, unit: Unit) -> Unit | None:
    """Return the enemy whose centre-point is nearest, the first by place if several tie; None without any."""
    return _nearest(battle, unit, battle.enemies(unit))


def _nearest(battle: Battle, unit: Unit, others: Iterable[Unit]) -> Unit | None:
    return min(others, key=lambda e: (round(math.dist(e.at, unit.at), 6), place_of(battle, e)), default=None)


def aim(battle: Battle, unit: Unit) -> Point | None:
    """Return where a unit should head: the nearest enemy, or a nearer objective its side does not hold."""
    enemy = nearest_enemy(battle, unit)
    wanted = [o.at for o in battle.setup.objectives if o.holder != unit.side]
    points = [*wanted, *([] if enemy is None else [enemy.at])]
    return min(points, key=lambda p: (round(math.dist(p, unit.at), 6), p), default=None)


def weak(unit: Unit) -> bool:
    """Return whether a unit is better kept out of reach, being disordered or close to destruction."""
    return unit.status != "ok" or 4 * unit.strength <= 3 * int(unit.marks.get("started", unit.strength))


def toward(unit: Unit, point: Point) -> float:
    """Return the bearing of a point from a unit, on the grid of facings; the unit's own facing if it stands there."""
    dx, dy = point[0] - unit.at[0], point[1] - unit.at[1]
    return unit.facing if dx == dy == 0.0 else snap_facing(bearing(dx, dy))


# --- suggesters ------------------------------------------------------------------------------------------------------


def regrouping(battle: Battle, unit: Unit) -> Iterator[Action]:
    """Yield regrouping as the unit stands, and deployed toward the enemy or in its own facing."""
    if unit.is_general or unit.status == "ok" or not battle.has(unit.id):
        return
    yield Action("regroup", unit.side, unit.id)
    for facing in fronts(battle, unit):
        yield Action("regroup", unit.side, unit.id, options={"formation": "deployed", "facing": facing})


def fronts(battle: Battle, unit: Unit) -> Iterator[float]:
    """Yield facings for a line: to the nearest enemy, to the nearest not demoralized, and a column's own facing."""
    enemy = nearest_enemy(battle, unit)
    if enemy is None:
        return
    yield toward(unit, enemy.at)
    unbeaten = _nearest(battle, unit, (e for e in battle.enemies(unit) if e.status != "demoralized"))
    if unbeaten is not None and unbeaten is not enemy:
        yield toward(unit, unbeaten.at)
    if unit.formation != "deployed":
        yield unit.facing


def coming_on(battle: Battle, unit: Unit) -> Iterator[Action]:
    """Yield a route march on to the table, as far as the path is free."""
    yield Action("route-march", unit.side, unit.id)


def deploying(battle: Battle, unit: Unit) -> Iterator[Action]:
    """Yield deployments toward the nearest enemy about the middle base, on the spot and an inch forward and back.

    Further ones extend the front rank to its right or left (TSE-FRM-14), bend a wing back toward an enemy on the flank
    (TSE-FRM-11), or keep the unit's facing or face the nearest enemy who is not demoralized, so that it turns no flank
    to an enemy who matters.
    """
    facings = [] if unit.is_general else list(fronts(battle, unit))
    if not facings:
        return
    facing, *others = facings
    fx, fy = heading(facing)
    for ahead in (0.0, 1.0, -1.0):
        far = ahead * length("deploy_shift") * battle.scale
        options = {"ref": unit.strength // 2, "facing": facing, "shift": (far * fx, far * fy)}
        yield Action("deploy", unit.side, unit.id, options=options)
    for shaped in (*_beside_the_front(unit), *_wings(battle, unit, facing)):
        yield Action("deploy", unit.side, unit.id, options={"facing": facing, **shaped})
    for other in others:
        yield Action("deploy", unit.side, unit.id, options={"ref": unit.strength // 2, "facing": other})


def _beside_the_front(unit: Unit) -> Iterator[dict[str, Any]]:
    """Yield a column's deployments that keep its front rank in place, the other bases on its right or its left."""
    last = unit.strength - 1
    if unit.formation == "maneuver-column" and len(unit.front_bases) <= last:
        yield {"ref": 0, "place": 0}
        yield {"ref": unit.front_bases[-1], "place": last}


def _wings(battle: Battle, unit: Unit, facing: float) -> Iterator[dict[str, Any]]:
    """Yield lines with a third of the bases bent back toward an enemy near that flank."""
    wing, middle = unit.strength // 3, unit.strength // 2
    near = [e for e in battle.enemies(unit) if distance_between(unit, e) <= NEAR_FLANK * battle.scale]
    for side in (-1, 1) if wing else ():
        off = [side * turn_between(facing, toward(unit, e.at)) for e in near]
        if any(FLANK <= turn <= 180.0 - FLANK for turn in off):
            bent, straight = (side * WING,) * wing, (0.0,) * (unit.strength - wing)
            yield {"ref": middle, "bend": (*bent, *straight) if side < 0 else (*straight, *bent)}


def squares(battle: Battle, unit: Unit) -> Iterator[Action]:
    """Yield a square for infantry within reach of enemy cavalry."""
    if unit.is_general or troop(unit.troop).family != "infantry" or unit.formation == "square":
        return
    horse = [e for e in battle.enemies(unit) if troop(e.troop).family == "cavalry"]
    reach = max((float(troop(e.troop).assault_reach or 0.0) for e in horse), default=0.0) * battle.scale
    if any(distance_between(unit, e) <= reach for e in horse):
        yield Action("square", unit.side, unit.id)


def maneuvering(battle: Battle, unit: Unit) -> Iterator[Action]:
    """Yield full and partial maneuvers toward the enemy or objective and to either side; away from it if weak."""
    point = None if unit.is_general or not battle.has(unit.id) else aim(battle, unit)
    if point is None:
        return
    straight = toward(unit, point)
    ways = WAYS if not weak(unit) else ((180.0, 1.0, False), (180.0, 0.5, False), *WAYS)
    for turn, share, back in ways:
        yield from way_along(battle, unit, "maneuver", straight + turn, share, straight if back else None)
    yield from _narrower(battle, unit, straight)


def _narrower(battle: Battle, unit: Unit, straight: float) -> Iterator[Action]:
    """Yield a move straight on in the narrowest ranks, if it then gets markedly farther (TSE-FRM-20)."""
    split = min(rank_splits(unit.troop, unit.strength), key=lambda sizes: sizes[0])
    if split[0] >= ranks_wanted(unit, None)[0] or not is_open(battle, Action("maneuver", unit.side, unit.id)):
        return
    usual = next(way_along(battle, unit, "maneuver", straight, 1.0, None), None)
    narrow = next(way_along(battle, unit, "maneuver", straight, 1.0, None, ranks=split), None)
    if narrow is not None and _far(unit, narrow) > _far(unit, usual) + FARTHER * battle.scale:
        yield narrow


def _far(unit: Unit, action: Action | None) -> float:
    return 0.0 if action is None else math.dist(unit.front_mid, action.options["path"][-1])


def marching(battle: Battle, unit: Unit) -> Iterator[Action]:
    """Yield marches toward the enemy or objective, by the nearest road and across country, if no enemy is near."""
    point = None if unit.is_general or not battle.has(unit.id) else aim(battle, unit)
    if point is None:
        return
    enemy, far = nearest_enemy(battle, unit), FAR * allowance(battle, unit, ACTIONS["maneuver"])
    if enemy is not None and distance_between(unit, enemy) < far:
        return
    road = by_road(battle, unit, point)
    if road:
        yield from moves_along(battle, unit, "march", road, 1.0, None)
    for turn in (0.0, -30.0, 30.0):
        yield from way_along(battle, unit, "march", toward(unit, point) + turn, 1.0, None)


def by_road(battle: Battle, unit: Unit, point: Point) -> tuple[Point, ...]:
    """Return the path along the nearest road up to its point nearest to ``point``; empty if no road is near."""
    lines = ground_of(battle.table, marching=True).lines
    origin, destination = shapely.Point(unit.at), shapely.Point(point)
    near = [(float(shapely.distance(line, origin)), k) for k, line in enumerate(lines)]
    if not near or min(near)[0] > NEAR_ROAD * battle.scale:
        return ()
    line = lines[min(near)[1]]
    a, b = (float(shapely.line_locate_point(line, p)) for p in (origin, destination))
    corners = [(float(shapely.line_locate_point(line, p)), p) for p in map(shapely.Point, line.coords)]
    passed = [p for s, p in sorted(corners, key=lambda e: e[0], reverse=a > b) if min(a, b) < s < max(a, b)]
    onward = (*passed, shapely.line_interpolate_point(line, b))
    return tuple((p.x, p.y) for p in onward)


def way_along(
    battle: Battle, unit: Unit, kind: str, straight: float, share: float, facing: float | None, **forming: Any
) -> Iterator[Action]:
    """Yield the move straight along a bearing, as far as a share of the allowance and the ground permit."""
    far = 1.5 * allowance(battle, unit, ACTIONS[kind]) * share + unit.strength
    fx, fy = heading(snap_facing(straight))
    way = (unit.at[0] + far * fx, unit.at[1] + far * fy)
    yield from moves_along(battle, unit, kind, (way,), share, facing, **forming)


def moves_along(
    battle: Battle, unit: Unit, kind: str, way: tuple[Point, ...], share: float, facing: float | None, **forming: Any
) -> Iterator[Action]:
    """Yield the move along a path, as far as a share of the allowance and the ground permit."""
    if not is_open(battle, Action(kind, unit.side, unit.id)):
        return
    action = ACTIONS[kind]
    allowed = allowance(battle, unit, action) * share
    plan = as_far_as(along(battle, unit, action, way, None, **forming), allowed)
    if plan.motion.charge > length("clearance") * battle.scale:
        points = [snap_point(p) for p in plan.motion.way]
        options: dict[str, Any] = {
            **forming,
            "path": tuple(p for k, p in enumerate(points) if k and p != points[k - 1]),
        }
        if facing is not None:
            options["facing"] = snap_facing(facing)
        yield Action(kind, unit.side, unit.id, options=options)


def generals(battle: Battle, unit: Unit) -> Iterator[Action]:
    """Yield moves of a general toward the units that need him most: disordered, without a general, near the enemy."""
    if not unit.is_general:
        return
    followers = [f for f in battle.friends(unit) if f.parent == unit.id] or list(battle.friends(unit))
    ranked = sorted(followers, key=lambda f: (_need(battle, f), place_of(battle, f)))
    action, battle_with_unit = ACTIONS["general"], with_unit_there(battle, unit)
    for needy in ranked[:3]:
        plan = as_far_as(
            along(battle_with_unit, battle_with_unit.unit(unit.id), action, (needy.at,), None),
            allowance(battle, unit, action),
        )
        if plan.motion.charge > length("clearance") * battle.scale:
            yield Action("general", unit.side, unit.id, options={"path": (snap_point(plan.motion.way[-1]),)})


def _need(battle: Battle, unit: Unit) -> tuple[bool, bool, float]:
    enemy = nearest_enemy(battle, unit)
    gap = math.inf if enemy is None else round(distance_between(unit, enemy), 6)
    return unit.status == "ok", general_near(battle, unit), gap


#: The suggesters, in the order they are asked for every unit.
SUGGESTERS: list[Suggester] = [
    regrouping,
    coming_on,
    suggest_fire,
    suggest_assaults,
    squares,
    deploying,
    maneuvering,
    marching,
    generals,
]
