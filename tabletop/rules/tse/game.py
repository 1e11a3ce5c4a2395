"""The record by which There Stand Empires is played."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.rules.play import Odds, Play
from tabletop.rules.tse import at_random, menu, soundness, suggest, turn
from tabletop.rules.tse.kinds import KINDS


def _no_odds(battle: Battle, action: Action) -> Odds | None:
    return None


PLAY = Play(
    kinds=KINDS,
    answers={"go-first": turn.go_first},
    begin=turn.begin,
    advance=turn.advance,
    mover=lambda battle: battle.clock.side,
    menu=menu.menu,
    suggest=suggest.suggest,
    random_action=at_random.random_action,
    odds=_no_odds,
    worth=lambda battle, side: float(sum(u.strength for u in battle.side(side))),
    prospect=lambda battle, action: (0.0, ""),
    faults=soundness.faults,
    groups=turn.groups,
    marks=("acted", "started", "lost_orders", "may_fire", "route_march", "coming_on"),
)
