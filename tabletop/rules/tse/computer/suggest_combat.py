"""Candidate shots and assaults, all of them allowed; targets out of reach are not measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.rules.common.by_place import place_of
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.assault.judge import assaultable
from tabletop.rules.tse.assault.path import reach_of
from tabletop.rules.tse.assault.resolve import ASSAULT, judge_assault
from tabletop.rules.tse.fire.arc import arc_reason
from tabletop.rules.tse.fire.judge import fire
from tabletop.rules.tse.fire.resolve import ADVANCING, DEPLOYED, judge_fire
from tabletop.rules.tse.fire.shot import reach_of as range_of
from tabletop.rules.tse.turn.menu import is_open


def suggest_fire(battle: Battle, unit: Unit) -> Iterator[Action]:
    """Yield the shots in range that a unit may fire now, nearest target first (TSE-FIR-07)."""
    for kind in (DEPLOYED, ADVANCING):
        if is_open(battle, Action(kind, unit.side, unit.id)):
            for enemy in _within(battle, unit, range_of(battle, unit)):
                action = Action(kind, unit.side, unit.id, enemy.id)
                if arc_reason(battle, unit, enemy) and _in_range(battle, action) and judge_fire(battle, action).holds:
                    yield action


def _in_range(battle: Battle, action: Action) -> bool:
    """Return whether the target is in range and sight, without producing a proof."""
    return fire(battle, Request("fire", (str(action.unit), str(action.target))).briefly()).holds


def suggest_assaults(battle: Battle, unit: Unit) -> Iterator[Action]:
    """Yield the assaults a unit may make now, nearest target first."""
    if not is_open(battle, Action(ASSAULT, unit.side, unit.id)):
        return
    for enemy in _within(battle, unit, reach_of(battle, unit)):
        action = Action(ASSAULT, unit.side, unit.id, enemy.id)
        if assaultable(battle, unit, enemy) and judge_assault(battle, action).holds:
            yield action


def _within(battle: Battle, unit: Unit, reach: float | None) -> list[Unit]:
    """Return the enemies whose nearest edge is within reach, ordered by distance, then by place."""
    if reach is None:
        return []
    near = [(round(distance_between(unit, enemy), 6), place_of(battle, enemy), enemy) for enemy in battle.enemies(unit)]
    return [enemy for gap, _, enemy in sorted(near, key=lambda e: e[:2]) if battle.tape.at_most(gap, reach)]


def at_random(kind: str) -> Callable[[Battle, Unit, Random], Action | None]:
    """Return a function that draws a shot or assault at an enemy roughly in reach, or None; nothing is judged yet."""

    def drawer(battle: Battle, unit: Unit, rng: Random) -> Action | None:
        reach = reach_of(battle, unit) if kind == ASSAULT else range_of(battle, unit)
        enemies = _within(battle, unit, None if reach is None else reach + battle.scale)
        return Action(kind, unit.side, unit.id, rng.choice(enemies).id) if enemies else None

    return drawer
