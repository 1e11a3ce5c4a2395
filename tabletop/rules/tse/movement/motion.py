"""Planned moves: the kinds of move, the formation each requires, the motion along a path and its cost."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.base import Base
from tabletop.geometry.cache import Cache
from tabletop.geometry.measure import ANGLE_TOLERANCE, SAME_PLACE, Point, bearing, turn_between
from tabletop.geometry.movement.ground import Ground, ground_beyond, ground_of
from tabletop.geometry.movement.motion import (
    Body,
    Motion,
    Pivot,
    Step,
    file_motion,
    rigid_motion,
    shifts_along,
    steps_along,
)
from tabletop.geometry.movement.motion_cost import CostModel, MoveCost, Toll, met_by, on_road, toll
from tabletop.geometry.movement.sweep import TRACES
from tabletop.rules.tse.movement.formation import assume, chosen_base
from tabletop.rules.tse.tables import base_move, length, tables, troop


@dataclass(frozen=True)
class Action:
    """A kind of move: its formation, whether it is a march (in file, on roads, no choke cost), whether ``delayed``."""

    name: str
    formation: str | None
    marching: bool = False
    delayed: bool = False


#: The actions that follow a path (TSE-ACT-02, TSE-ACT-20, TSE-ACT-70, TSE-ACT-80).
ACTIONS = {
    "maneuver": Action("maneuver", "maneuver-column"),
    "march": Action("march", "march-column", marching=True),
    "route-march": Action("route-march", "march-column", marching=True),
    "general": Action("general", None),
}


#: The actions that need no orders (TSE-ACT-02, TSE-ACT-80).
WITHOUT_ORDERS = ("route-march", "general")
#: The actions that only change formation (TSE-ACT-10, TSE-ACT-30).
FORMING = {"deploy": "deployed", "square": "square"}


#: A turn of more degrees than this is a half turn; both directions are tried for the first few half turns of a path.
HALF_TURN, MOST_HALF_TURNS = 180.0 - 1e-9, 3
#: Recent motions: callers that ask about one table after another ask for the same motions again.
_MOTIONS: Cache[Motion] = Cache(512)


@dataclass(frozen=True)
class PlannedMove:
    """A planned move: the unit ``before`` it and as it sets out in the action's formation (``start``), motion and cost.

    ``allowed`` is the base move in table units; ``toll`` holds what the motion crosses, ``price`` what that costs.
    """

    battle: Battle
    before: Unit
    start: Unit
    action: Action
    motion: Motion
    toll: Toll
    allowed: float
    steps: tuple[Step, ...] = ()

    @cached_property
    def price(self) -> MoveCost:
        """The cost of the move, item by item (TSE-MOV-01)."""
        return self.toll.price()

    @cached_property
    def end(self) -> Unit:
        """The unit where the move ends."""
        return replace(self.start, bases=self.motion.end, facing=self.motion.facing)


def action_of(unit: Unit, name: str, delayed: bool = False) -> Action:
    """Return the action called ``name``, with ``delayed`` orders if so asked (TSE-ORD-05).

    Raises BadQuestion if there is no such action, the unit cannot take it, or it is to be delayed although it needs no
    orders (TSE-ACT-02, TSE-ACT-80).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> action_of(battle.unit("arnaud"), "maneuver").formation
    'maneuver-column'
    """
    if name not in ACTIONS:
        if name == "assault":
            raise BadQuestion("an assault goes for a unit; ask: assault A B")
        if name in FORMING:
            raise BadQuestion(f"'{name}' goes no way, so it has no reach; ask with --as maneuver or march")
        near = difflib.get_close_matches(name, [*ACTIONS, *FORMING], 1)
        hint = f"did you mean '{near[0]}'?" if near else f"one of: {', '.join([*ACTIONS, *FORMING])}"
        raise BadQuestion(f"no action '{name}'; {hint}")
    action = ACTIONS[name]
    if unit.is_general != (action.formation is None):
        kind = "a general; ask with --as general" if unit.is_general else "no general; ask with --as maneuver or march"
        raise BadQuestion(f"'{unit.id}' is {kind}")
    if delayed and name in WITHOUT_ORDERS:
        raise BadQuestion(f"'{name}' needs no orders, so it is never delayed; leave out --delayed")
    return replace(action, delayed=delayed)


#: Options that shape a column.
COLUMNS = ("front", "ranks", "align", "head")


def forming_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that shape the formation assumed."""
    return {key: options[key] for key in COLUMNS if options.get(key) is not None}


def allowance(battle: Battle, unit: Unit, action: Action) -> float:
    """Return the base move of this action in table units, whatever the unit's status (TSE-ACT-02, -80, TSE-FRM-03).

    Delayed orders leave half of it (TSE-ORD-05). Raises BadQuestion for troops that have no such action.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> [allowance(battle, unit, action_of(unit, "maneuver", delayed)) for delayed in (False, True)]
    [6.0, 3.0]
    """
    inches, flat = (base_move(unit.troop, unit.quality, action.name, flat) for flat in (False, True))
    if inches is None or flat is None:
        raise BadQuestion(f"'{unit.id}' ({unit.troop}) has no move as {action.name}")
    if flat != inches and battle.rulings["flat_maneuver"]:
        inches = flat
    return inches * battle.scale * (float(tables()["factors"]["delayed"]) if action.delayed else 1.0)


def cost_model(battle: Battle, unit: Unit, action: Action, leading: str = "front", slowed: bool = True) -> CostModel:
    """Return the cost model of this unit's moves (TSE-MOV-05..13, TSE-TER-03, TSE-LDR-04: no roads for generals).

    Prices are in table units. A route march counts as a march (TSE-ACT-83): both use roads and pay for no choke-point,
    bridges included (TSE-TER-05). If there is no rough ground near (not ``slowed``), it does not matter which part of a
    base is traced through it.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> [cost_model(battle, unit, action_of(unit, kind)).road for kind in ("maneuver", "march")]
    [1.0, 1.5]
    """
    return CostModel(
        rough=float(troop(unit.troop).rough_factor),
        linear=length("linear_cost") * battle.scale,
        choke=0.0 if action.marching else length("choke_cost") * battle.scale,
        road=float(tables()["factors"]["road"]) if action.marching else 1.0,
        trace=_trace(battle, unit) if slowed else TRACES[0],
        leading=leading,
        t=battle.tape.t,
        all_on_road=action.marching and battle.rulings["road_bases"] == "all",
    )


def _trace(battle: Battle, unit: Unit) -> str:
    """Return which part of a base is traced through rough ground: for a general, who has no front, his centre.

    Source: TSE-MOV-06.
    """
    trace = str(battle.rulings["rough_trace"])
    return "centre" if unit.is_general and trace != "footprint" else trace


def body_of(unit: Unit) -> Body:
    """Return the body of a unit: its bases and the middle of its front, in table units (TSE-MOV-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> body = body_of(open_battle("starter").unit("arnaud"))
    >>> body.width, body.length
    (2.0, 1.5)
    """
    return Body.of(unit.bases, unit.front_bases, unit.facing)


def set_out(
    battle: Battle, unit: Unit, action: Action, toward: Point | None, facing: float | None, **forming: Any
) -> Unit:
    """Return the unit in the action's formation, turned free about its fixed point to face ``toward`` (TSE-FRM-06).

    Points are in table units, facings in degrees. No unit moves deployed or in square: it first forms the action's
    column (TSE-FRM-16, TSE-FRM-31). Without ``toward`` it takes ``facing``, on the spot (TSE-ACT-22). The head of a
    march column is the base nearest ``toward`` unless given (TSE-FRM-24). A bent column keeps its track; a column still
    coming on to the table stays as it is (TSE-ACT-83).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> set_out(battle, unit, action_of(unit, "maneuver"), (20.0, unit.at[1]), None).facing
    90.0
    """
    if action.formation is None or (action.marching and unit.marks.get("coming_on")):
        return unit
    if action.marching and "head" not in forming:
        forming["head"] = nearest_base(unit, toward)
    pivot = unit.bases[chosen_base(unit, "head", forming["head"])].centre if action.marching else unit.at
    if toward is not None and math.dist(toward, pivot) > SAME_PLACE:
        facing = bearing(toward[0] - pivot[0], toward[1] - pivot[1])
    elif facing is None:
        facing = unit.facing
    if action.marching and forming["head"] == 0 and snakes(unit):
        forming["track"] = trail_of(unit)
    return assume(battle, unit, action.formation, facing=facing, **forming)


def nearest_base(unit: Unit, toward: Point | None) -> int:
    """Return the number of the base nearest to a point, the lowest if several tie; 0 without a point."""
    if toward is None:
        return 0
    return min(range(unit.strength), key=lambda i: (round(math.dist(unit.bases[i].centre, toward), 6), i))


def snakes(unit: Unit) -> bool:
    """Return whether the unit is a march column on a track that bends by more than rounding (TSE-FRM-25)."""
    if unit.formation != "march-column":
        return False
    head, *others = [b for b in unit.bases if isinstance(b, Base)]
    turned = any(abs(turn_between(head.facing, b.facing)) > ANGLE_TOLERANCE for b in others)
    return turned or any(abs(head.local(b.front_mid)[0]) > SAME_PLACE for b in others)


def trail_of(unit: Unit) -> tuple[Point, ...]:
    """Return the track a march column lies on, from the middle of its head's front edge back to its tail."""
    bases = [b for b in unit.bases if isinstance(b, Base)]
    return (*(b.front_mid for b in bases), bases[-1].at_local(0.0, -bases[-1].depth))


def along(
    battle: Battle,
    unit: Unit,
    action: Action,
    path: Sequence[Point],
    facing: float | None,
    *,
    pivots: Sequence[str] = (),
    **forming: Any,
) -> PlannedMove:
    """Return the planned move along ``path``: set out facing the first waypoint, then go leg by leg (TSE-MOV-04).

    Points are in table units, ``facing`` at the end in degrees. ``pivots`` names what it turns on at each waypoint:
    "middle" (the default), "left" or "right" (TSE-MOV-03, TSE-MOV-23). Raises BadQuestion if a general is to wheel on a
    corner, or if a point is too near the corner wheeled on.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> round(along(battle, unit, action_of(unit, "maneuver"), [(unit.at[0], 9.0)], None).price.total, 2)
    2.32
    """
    start = set_out(battle, unit, action, path[0] if path else None, facing, **forming)
    body = body_of(start)
    if action.formation is None:
        if any(pivot != "middle" for pivot in pivots):
            raise BadQuestion(f"'{unit.id}' is a general, who has no front to wheel: leave out @left and @right")
        return planned_move(battle, unit, start, action, shifts_along(body.mid, path))
    on_first_waypoint = bool(path) and _there(body, path[0], battle.tape.t)
    ways, named = (path[1:], tuple(pivots)) if on_first_waypoint else (path, ("middle", *pivots))
    try:
        steps = steps_along(body, ways, facing, named)
    except ValueError as too_near:
        raise BadQuestion(f"'{unit.id}': {too_near}; name @middle there, or a point farther on") from None
    return planned_move(battle, unit, start, action, steps)


def either_hand(plan: PlannedMove) -> tuple[PlannedMove, ...]:
    """Return the planned move in every version that turns left or right at each half turn (TSE-MOV-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> len(either_hand(along(battle, unit, action_of(unit, "maneuver"), [(unit.at[0], 9.0)], None)))
    1
    """
    about = [k for k, step in enumerate(plan.steps) if isinstance(step, Pivot) and abs(step.degrees) > HALF_TURN]
    moves = [plan]
    for k in about[:MOST_HALF_TURNS]:
        moves += [_other_hand(one, k) for one in moves]
    return tuple(moves)


def _other_hand(one: PlannedMove, k: int) -> PlannedMove:
    """Return the planned move with its step ``k``, a half turn, made in the other direction."""
    step = one.steps[k]
    assert isinstance(step, Pivot)
    turned = replace(step, degrees=step.degrees - math.copysign(360.0, step.degrees))
    steps = (*one.steps[:k], turned, *one.steps[k + 1 :])
    return planned_move(one.battle, one.before, one.start, one.action, steps)


def _there(body: Body, point: Point, t: float) -> bool:
    """Return whether the front already stands at the point: so short a leg has no direction."""
    return math.dist(body.mid, point) <= t


def planned_move(battle: Battle, before: Unit, start: Unit, action: Action, steps: Sequence[Step]) -> PlannedMove:
    """Return the planned move of a unit from ``start`` by ``steps``, which may wheel on a corner (TSE-MOV-03).

    The unit ends in the formation it set out in (TSE-FRM-23c, TSE-FRM-26).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.geometry.movement.motion import Straight
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> round(planned_move(battle, unit, unit, action_of(unit, "maneuver"), [Straight(2.0)]).price.total, 2)
    3.02
    """
    steps = tuple(steps)
    motion = motion_of(battle, start, action, steps)
    ground = met_by(motion, ground_under(battle, before, action), battle.tape.t)
    law = cost_model(battle, before, action, slowed=bool(ground.rough))
    price, allowed = toll(motion, ground, law), allowance(battle, before, action)
    return PlannedMove(battle, before, start, action, motion, price, allowed, steps)


def motion_of(battle: Battle, start: Unit, action: Action, steps: Sequence[Step]) -> Motion:
    """Return the motion of a unit from ``start`` by ``steps``: as a file for a march column, else as one body.

    Recent motions are cached. Of the terrain only roads matter, since a file bends along them (TSE-MOV-23).
    """
    pose = start.bases, tuple(start.front_bases), start.facing, tuple(steps)
    if not action.marching:
        return _MOTIONS.of((), pose, lambda: rigid_motion(body_of(start), steps))
    trail = trail_of(start) if snakes(start) else None

    def filed() -> Motion:
        ground = ground_under(battle, start, action)
        return file_motion(body_of(start), steps, lambda point: on_road(point, ground), trail)

    if start.marks.get("coming_on"):
        return filed()
    return _MOTIONS.of(battle.table.of_movement("road", "town"), (pose, trail, battle.table.scale), filed)


def ground_under(battle: Battle, unit: Unit, action: Action) -> Ground:
    """Return the ground for a unit's action in table units, extended beyond the edge if it is coming on (TSE-ACT-83).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> ground_under(battle, unit, action_of(unit, "maneuver")) is ground_of(battle.table)
    True
    """
    coming = action.marching and unit.marks.get("coming_on")
    return ground_beyond(battle.table) if coming else ground_of(battle.table, action.marching)
