"""Attacks of the selected unit on an enemy with their odds, for the list, the context menu and the hover card."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.errors import TabletopError
from tabletop.play.engine import play_of
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.offers import against, judged
from tabletop.rules.play import Odds

_kept: list[tuple[Action, Odds | None]] = []
_of: list[Battle | None] = [None]


def odds_of(model: GameModel, action: Action) -> Odds | None:
    """Return the odds of an allowed action in the present battle; None if no dice are thrown."""
    battle = model.table.battle
    if _of[0] is not battle:
        _of[0] = battle
        _kept.clear()
    known = next((row for row in _kept if row[0] == action), None)
    if known is None:
        known = (action, _odds(battle, action))
        _kept.append(known)
    return known[1]


def _odds(battle: Battle, action: Action) -> Odds | None:
    try:
        return play_of(battle).odds(battle, action)
    except TabletopError:
        return None


def at_target(model: GameModel, enemy: str) -> tuple[tuple[Action, Odds], ...]:
    """Return the actions with dice that the selected unit may now do to an enemy, each with its odds."""
    mine = model.table.unit
    if mine is None or not model.may_act(mine) or not model.table.battle.has(enemy):
        return ()
    if model.table.battle.unit(enemy).side == mine.side:
        return ()
    open_kinds = {choice.kind for choice in model.menu if choice.open}
    prospects = []
    for kind in model.aimed:
        action = against(model, mine, kind, enemy)
        verdict = judged(model, action) if kind in open_kinds else ""
        odds = odds_of(model, action) if not isinstance(verdict, str) and verdict.holds else None
        if odds is not None:
            prospects.append((action, odds))
    return tuple(prospects)
