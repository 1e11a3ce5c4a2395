"""One allowed action drawn quickly at random from all kinds."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from random import Random

from tabletop.battle.action import Action, answer
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point, heading
from tabletop.rules.common.candidates import first_allowed
from tabletop.rules.tse.computer import suggest_combat
from tabletop.rules.tse.computer.in_order import groups_in_order, idle_in_order
from tabletop.rules.tse.computer.suggest import nearest_enemy, toward
from tabletop.rules.tse.movement.arrivals import way_left
from tabletop.rules.tse.movement.entry import with_unit_there
from tabletop.rules.tse.movement.layouts import FORMATIONS, legal_fronts
from tabletop.rules.tse.movement.motion import ACTIONS, allowance
from tabletop.rules.tse.tables import length
from tabletop.rules.tse.turn.actions import KINDS
from tabletop.rules.tse.turn.menu import is_open
from tabletop.rules.tse.turn.sequence import ACTING, CHOOSING, unfinished

#: How often a kind of action is tried with new options before another kind is drawn.
TRIES = 3
#: Draws one action of a kind for a unit; None if there is none to draw.
Drawer = Callable[[Battle, Unit, Random], Action | None]


def random_action(battle: Battle, rng: Random) -> Action:
    """Return one allowed action or answer for the side to move; the battle must not be over (TSE-TRN-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.turn.sequence import in_turn
    >>> random_action(in_turn(open_battle("starter"), "arnaud"), Random(1)).side
    'french'
    """
    if battle.pending:
        decision = battle.pending[0]
        return answer(decision.side, rng.choice(decision.choices))
    side = battle.clock.side
    assert side is not None, "a side is to move between two actions"
    if battle.clock.phase == CHOOSING:
        return Action("choose", side, options={"group": rng.choice(groups_in_order(battle))})
    assert battle.clock.phase == ACTING, "initiative takes itself"
    unit = unfinished(battle) or rng.choice(idle_in_order(battle, side, battle.clock.group))
    return _for_unit(battle, unit, rng)


def _for_unit(battle: Battle, unit: Unit, rng: Random) -> Action:
    """Return an action of a random open kind, drawing options until the judge allows them; hold if none is allowed."""
    kinds = [kind for kind in DRAWERS if is_open(battle, Action(kind, unit.side, unit.id))]
    rng.shuffle(kinds)
    for kind in kinds:
        draws = iter(partial(DRAWERS[kind], battle, unit, rng), None)  # up to the first None
        action = first_allowed(draws, lambda action: KINDS[action.kind].judge(battle, action).holds, TRIES)
        if action is not None:
            return action
    return Action("hold", unit.side, unit.id)


def _hold(battle: Battle, unit: Unit, rng: Random) -> Action | None:
    """Return a hold every other time, so that it is drawn less often than other kinds."""
    return Action("hold", unit.side, unit.id) if rng.random() < 0.5 else None


def _bearing(battle: Battle, unit: Unit, rng: Random) -> float:
    """Return a random bearing; every other time one within 30 degrees of the nearest enemy, so that units meet."""
    enemy = nearest_enemy(battle, unit) if rng.random() < 0.5 else None
    return rng.uniform(0.0, 360.0) if enemy is None else toward(unit, enemy.at) + rng.uniform(-30.0, 30.0)


def _some_way(battle: Battle, unit: Unit, far: float, rng: Random) -> tuple[Point, ...]:
    """Return a path of one or two legs from the unit's centre-point, at most ``far`` long in all."""
    total, first = far * rng.random(), _bearing(battle, unit, rng)
    turn = first + rng.uniform(-60.0, 60.0)
    share = 1.0 if rng.random() < 0.6 else rng.random()
    a = _from(unit.at, first, total * share)
    return (a,) if share == 1.0 else (a, _from(a, turn, total * (1.0 - share)))


def _from(start: Point, bearing: float, far: float) -> Point:
    fx, fy = heading(bearing)
    return start[0] + far * fx, start[1] + far * fy


def _move(kind: str) -> Drawer:
    def draw(battle: Battle, unit: Unit, rng: Random) -> Action | None:
        far = allowance(battle, unit, ACTIONS[kind])
        if rng.random() < 0.15 and not unit.is_general:
            return Action(kind, unit.side, unit.id, options={"facing": _bearing(battle, unit, rng) % 360.0})
        ahead = 0.0 if unit.is_general else unit.strength**0.5
        battle_with_unit = with_unit_there(battle, unit) if unit.is_general else battle
        way = _some_way(battle, battle_with_unit.unit(unit.id), far + ahead, rng)
        return Action(kind, unit.side, unit.id, options={"path": way})

    return draw


def _deploy(battle: Battle, unit: Unit, rng: Random) -> Action | None:
    far = length("deploy_shift") * battle.scale * math.sqrt(rng.random())
    shift = _from((0.0, 0.0), rng.uniform(0.0, 360.0), far)
    options = {"ref": rng.randrange(unit.strength), "shift": shift, "facing": _bearing(battle, unit, rng) % 360.0}
    return Action("deploy", unit.side, unit.id, options=options)


def _square(battle: Battle, unit: Unit, rng: Random) -> Action | None:
    return Action("square", unit.side, unit.id, options={"facing": rng.uniform(0.0, 360.0)})


def _regroup(battle: Battle, unit: Unit, rng: Random) -> Action | None:
    if rng.random() < 0.5:
        return Action("regroup", unit.side, unit.id)
    formation = rng.choice(FORMATIONS)
    options: dict[str, object] = {"formation": formation, "facing": rng.uniform(0.0, 360.0)}
    if formation == "maneuver-column":
        options["front"] = rng.choice(sorted(legal_fronts(unit.troop, unit.strength)))
    return Action("regroup", unit.side, unit.id, options=options)


def _route_march(battle: Battle, unit: Unit, rng: Random) -> Action | None:
    options: dict[str, object] = {"length": allowance(battle, unit, ACTIONS["route-march"]) * rng.uniform(0.3, 1.0)}
    if battle.has(unit.id) and not way_left(battle, unit):
        far = allowance(battle, unit, ACTIONS["route-march"])
        options = {"path": (_from(unit.front_mid, unit.facing + rng.uniform(-45.0, 45.0), far * rng.random()),)}
    return Action("route-march", unit.side, unit.id, options=options)


#: How each kind of action is drawn.
DRAWERS: dict[str, Drawer] = {
    "hold": _hold,
    "general": _move("general"),
    "deploy": _deploy,
    "maneuver": _move("maneuver"),
    "march": _move("march"),
    "route-march": _route_march,
    "square": _square,
    "regroup": _regroup,
    **{kind: suggest_combat.at_random(kind) for kind in ("deployed-fire", "advancing-fire", "assault")},
}
