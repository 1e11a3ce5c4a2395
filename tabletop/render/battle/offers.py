"""What a player may choose from: actions between which a click left it open, suggestions, what may be done to whom."""

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
    """Return actions to choose from: those between which a click left it open, or suggestions of the picked kind."""
    chosen = model.chosen
    if chosen.between or chosen.picked is None:
        return chosen.between
    likely = [action for action in chosen.suggested or () if action.kind == chosen.picked]
    plain = None if shape.on_the_spot(model) else model.facts.plain(chosen.actor, chosen.picked)
    every = [*([plain] if plain is not None else []), *likely]
    return tuple(action for number, action in enumerate(every) if action not in every[:number])


def against(model: GameModel, unit: Unit, kind: str, enemy: str) -> Action:
    """Return what a unit would do to an enemy, as its options are set."""
    return Action(kind, unit.side, unit.id, enemy, frozen(shape.shaped(model, kind)))


def verdict_on(model: GameModel, kind: str, enemy: str) -> Verdict | None:
    """Return whether the unit selected may do this to an enemy, None where it makes no sense."""
    unit = model.table.unit
    verdict = judged(model, against(model, unit, kind, enemy)) if unit is not None else None
    return verdict if isinstance(verdict, Verdict) else None


def judged(model: GameModel, action: Action) -> Verdict | str:
    """Return whether an action may be done; a sentence where it makes no sense."""
    try:
        return engine.judge(model.table.battle, action)
    except TabletopError as error:
        return str(error)
