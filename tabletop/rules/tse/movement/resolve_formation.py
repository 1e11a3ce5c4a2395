"""Deploying and forming square as actions: judged by the question ``move``, ordered, carried out (TSE-ACT)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.event import Placed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, pose_of, standing
from tabletop.geometry.verdict import Verdict
from tabletop.rules.common.ruled import ruled
from tabletop.rules.play import ActionKind, Result
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.calculator.model import delayed_share
from tabletop.rules.tse.command.generals import overrun
from tabletop.rules.tse.command.orders import DELAYED, LOST, RECEIVED, movement_reasons, ordered
from tabletop.rules.tse.movement.formation import LINES, assume, forming_faults, standing_faults
from tabletop.rules.tse.movement.judge import move
from tabletop.rules.tse.movement.resolve import finish_move, put
from tabletop.rules.tse.movement.square import guns_kept_in_contact
from tabletop.rules.tse.movement.zone_of_control import placing_faults
from tabletop.rules.tse.tables import length, troop
from tabletop.rules.tse.turn.sequence import acted

#: The shifts a delayed unit tries in turn, as shares of the longest one allowed.
SHIFTS = tuple(k / 8 for k in range(8, -1, -1))


def _measured(battle: Battle, action: Action) -> Verdict:
    return move(battle, Request("move", (str(action.unit),), {**action.options, "as": action.kind}))


def judge_deploy(battle: Battle, action: Action) -> Verdict:
    """Return whether a unit may make this deployment (TSE-ACT-10, TSE-ACT-11, TSE-FRM-13..15)."""
    against = [r for r in movement_reasons(battle, action) if not r.holds]
    return ruled(battle, action, against) if against else _measured(battle, action)


def deploy(unfolding: Unfolding, action: Action) -> None:
    """Deploy; a delayed unit shifts at most half as far and may not fire afterwards (TSE-ACT-12, TSE-CMB-01)."""
    battle, unit = unfolding.battle, unfolding.unit(str(action.unit))
    orders = ordered(unfolding, battle, unit, action.kind)
    if orders == LOST:
        return
    after = deployed(battle, action) if orders == RECEIVED else deployed_late(battle, action)
    if after is not None:
        put(unfolding, after)
        overrun(unfolding, unit, after.footprint)
    finish_move(unfolding, unit.id, shot=orders == RECEIVED)


def deployed(battle: Battle, action: Action, share: float = 1.0) -> Unit:
    """Return the unit deployed as the action's options say, with ``share`` of the shift asked for."""
    wanted = {name: action.options[name] for name in LINES if action.options.get(name) is not None}
    dx, dy = wanted.pop("shift", (0.0, 0.0))
    return assume(battle, battle.unit(str(action.unit)), "deployed", shift=(dx * share, dy * share), **wanted)


def deployed_late(battle: Battle, action: Action) -> Unit | None:
    """Return the unit deployed with a shift of at most half the usual limit (TSE-ACT-12).

    If it cannot stand there, shorter shifts are tried; None if none of them works.
    """
    unit = battle.unit(str(action.unit))
    asked_shift = math.hypot(*(action.options.get("shift") or (0.0, 0.0)))
    limit = length("deploy_shift") * delayed_share() * battle.scale
    most = 1.0 if battle.tape.at_most(asked_shift, limit) else limit / asked_shift
    tries = (deployed(battle, action, most * share) for share in SHIFTS)
    ref = action.options.get("ref", unit.reference)
    return next((after for after in tries if not forming_faults(battle, unit, after, ref=ref, delayed=True)), None)


# --- squares ---------------------------------------------------------------------------------------------------------


def judge_square(battle: Battle, action: Action) -> Verdict:
    """Return whether infantry may form square here, keeping the guns beside it in contact (TSE-ACT-30, TSE-ACT-31)."""
    against = [r for r in movement_reasons(battle, action) if not r.holds]
    if against or troop(battle.unit(str(action.unit)).troop).family != "infantry":
        return ruled(battle, action, against) if against else _measured(battle, action)
    return _measured(with_guns_kept(battle, action), action)


def form_square(unfolding: Unfolding, action: Action) -> None:
    """Form square unless orders are lost; the guns beside it stay in contact (TSE-ACT-30..33)."""
    battle, unit = unfolding.battle, unfolding.unit(str(action.unit))
    if ordered(unfolding, battle, unit, action.kind) == LOST:
        return
    after = _measured(with_guns_kept(battle, action), action).measured["after"]
    for guns in kept(battle, action):
        unfolding.happen(Placed(guns.id, pose_of(guns), (battle.unit(guns.id).at, guns.at), "kept in contact"))
    square = standing(unit, after)
    put(unfolding, square)
    overrun(unfolding, unit, square.footprint)
    acted(unfolding, unit.id)


def kept(battle: Battle, action: Action) -> tuple[Unit, ...]:
    """Return the batteries beside the infantry, moved so that they touch its square (TSE-ACT-31).

    A battery that could not stand there is left out and does not move.
    """
    unit = battle.unit(str(action.unit))
    wanted: dict[str, Any] = {k: v for k in ("ref", "place", "facing") if (v := action.options.get(k)) is not None}
    square = assume(battle, unit, "square", **wanted)
    return tuple(_standing_guns(battle.with_unit(square), battle, guns_kept_in_contact(battle, unit, square)))


def _standing_guns(there: Battle, before: Battle, guns: tuple[Unit, ...]) -> Iterator[Unit]:
    for battery in guns:
        old = before.unit(battery.id)
        if not standing_faults(there, battery) and not placing_faults(there, old, battery):
            there = there.with_unit(battery)
            yield battery


def with_guns_kept(battle: Battle, action: Action) -> Battle:
    """Return the battle with the guns moved into contact with the square."""
    for battery in kept(battle, action):
        battle = battle.with_unit(battery)
    return battle


# --- odds ------------------------------------------------------------------------------------------------------------


def reckon(battle: Battle, action: Action, chance: Chance) -> Result:
    """Return the result of deploying or forming square for one course of chance."""
    orders = ordered(chance, battle, battle.unit(str(action.unit)), action.kind)
    if orders == LOST:
        return Result("orders lost: it stays as it is")
    late = orders == DELAYED and action.kind == "deploy"
    return Result(f"orders {orders}: it forms" + (", with half the shift and without a shot" if late else ""))


KINDS = (
    ActionKind("deploy", "Deploy", judge_deploy, deploy, reckon, ("unit", "facing"), ("TSE-ACT-10", "TSE-ACT-12")),
    ActionKind("square", "Form square", judge_square, form_square, reckon, ("unit",), ("TSE-ACT-30", "TSE-ACT-32")),
)
