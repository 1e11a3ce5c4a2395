"""Actions a player may choose from: those a click left undecided, suggestions, attacks on a unit."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.progress import frozen
from tabletop.battle.unit import Unit
from tabletop.errors import TabletopError
from tabletop.geometry.verdict import Verdict
from tabletop.play import engine
from tabletop.render.battle import shape
from tabletop.render.battle.game_model import GameModel


def offers(model: GameModel) -> tuple[Action, ...]:
    """Return the actions to choose from: those a click left undecided, else suggestions of the chosen kind."""
    chosen = model.chosen
    if chosen.between or chosen.picked is None:
        return chosen.between
    likely = [action for action in chosen.suggested or () if action.kind == chosen.picked]
    plain = None if shape.on_the_spot(model) else model.facts.plain(chosen.actor, chosen.picked)
    every = [*([plain] if plain is not None else []), *likely]
    return tuple(action for number, action in enumerate(every) if action not in every[:number])


def against(model: GameModel, unit: Unit, kind: str, enemy: str) -> Action:
    """Return the action of a unit against an enemy, with the options set so far."""
    return Action(kind, unit.side, unit.id, enemy, frozen(shape.shaped(model, kind)))


def verdict_on(model: GameModel, kind: str, enemy: str) -> Verdict | None:
    """Return the verdict on such an action of the selected unit, None if the action makes no sense."""
    unit = model.table.unit
    verdict = judged(model, against(model, unit, kind, enemy)) if unit is not None else None
    return verdict if isinstance(verdict, Verdict) else None


def judged(model: GameModel, action: Action) -> Verdict | str:
    """Return the verdict on an action; a sentence if the action makes no sense."""
    try:
        return engine.judge(model.table.battle, action)
    except TabletopError as error:
        return str(error)
