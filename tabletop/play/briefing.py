"""What a player must know before the first move: who leads his side, what to hold and how to win."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.battle.naming import amid, how_many, side_name
from tabletop.battle.progress import Objective
from tabletop.battle.unit import Unit
from tabletop.play import engine
from tabletop.play.environment import noun


@dataclass(frozen=True)
class Briefing:
    """The briefing of one side: who leads it, the ground it must hold (empty without any), how it wins."""

    who: str
    hold: str
    win: str


def briefing(battle: Battle, side: str) -> Briefing:
    """Return a player's briefing for a battle against the computer that is about to begin."""
    enemy = battle.setup.other(side)
    return Briefing(_who(battle, side), _hold(battle, side), engine.play_of(battle).won(battle, enemy))


def _who(battle: Battle, side: str) -> str:
    leader = _leader(battle, side)
    count = sum(unit.side == side and not unit.is_general for unit in (*battle.units, *battle.awaited))
    name = f"{leader.called}, with" if leader is not None else "You have"
    does, other = ("attack", "defends") if side == battle.setup.attacker else ("defend", "attacks")
    return f"{name} {how_many(count, f'{side_name(side)} {noun(battle)}')}. You {does}, the computer {other}."


def _leader(battle: Battle, side: str) -> Unit | None:
    """Return the only general of a side without a superior; None if there is none or several."""
    chiefs = [unit for unit in battle.units if unit.side == side and unit.is_general and unit.parent is None]
    return chiefs[0] if len(chiefs) == 1 else None


def _hold(battle: Battle, side: str) -> str:
    """Return a sentence naming the objectives, most valuable first, with those the side holds now."""
    objectives = sorted(battle.setup.objectives, key=lambda objective: -objective.points)
    named = [_ground(objective, side) for objective in objectives]
    text = " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _ground(objective: Objective, side: str) -> str:
    name = amid(objective.name or objective.id)
    yours = ", yours now" if objective.holder == side else ""
    return f"{name} ({how_many(objective.points, 'point')}{yours})"
