"""The values of units and positions in bases, and how results change them."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.rules.play import Result
from tabletop.rules.tse.calculator.calculator import CalculatorResult
from tabletop.rules.tse.calculator.model_data import Effects, model
from tabletop.rules.tse.morale.status import STATUSES, Status, destroyed, worsened

Effect = tuple[str, str, float]


def value(unit: Unit) -> float:
    """Return the value of a unit in average infantry bases: its bases, weighted by quality, troops and status."""
    return unit.strength * rate(unit) * model().worth.status[unit.status].value


def rate(unit: Unit) -> float:
    """Return the value of one base of these troops in good order; a general has a value of his own."""
    weights = model().worth
    if unit.is_general:
        return weights.general.value
    quality = weights.quality[unit.quality].value if unit.quality else 1.0
    return quality * weights.troops[unit.troop].value


def worth(battle: Battle, side: str) -> float:
    """Return the value of a position to a side: its units less the enemy's, and the points scored and held.

    The value is a number of average infantry bases; points are those of TSE-TRN-09.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> round(worth(battle, "french"), 2), round(worth(battle, "austrian"), 2)
    (0.0, 0.0)
    """
    own = sum(value(u) for u in battle.units if u.side == side)
    enemy = sum(value(u) for u in battle.units if u.side != side)
    points = model().worth.point.value
    held_points = sum(points * o.points * (1 if o.holder == side else -1) for o in battle.setup.objectives if o.holder)
    scored = sum(points * (n if name == side else -n) for name, n in sorted(battle.scores.items()))
    return own - enemy + held_points + scored + _ending(battle, side)


def _ending(battle: Battle, side: str) -> float:
    """Return the value of having won or lost the battle, greater than all units together; 0 if undecided."""
    if battle.outcome is None or battle.outcome.winner is None:
        return 0.0
    prize = model().worth.victory.value
    return prize if battle.outcome.winner == side else -prize


def result_of(battle: Battle, action: Action, outcome: CalculatorResult) -> Result:
    """Return a calculator's result with its effects on either unit and its value to the actor (TSE-APP-01).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.calculator.calculator import result
    >>> form = {"actor": "light-foot-artillery", "target": "average infantry", "target_formation": "deployed"}
    >>> outcome = result("deployed-fire", form, ScriptedDice([0.95]))
    >>> shot = Action("deployed-fire", "austrian", "kessler-guns", "daumas")
    >>> result_of(open_battle("starter"), shot, outcome).effects
    (('daumas', 'status:disordered', 1.0), ('daumas', 'back', 3.0))
    """
    unit, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    own, own_effects = suffered(unit, outcome.actor)
    other, other_effects = suffered(target, outcome.target)
    spent = model().worth.action.value * value(target) if outcome.home and not target.marks.get("acted") else 0.0
    return Result(outcome.text, other - own + spent, (*own_effects, *other_effects), family(outcome))


def family(outcome: CalculatorResult) -> str:
    """Return, in words, the family an assault's result belongs to; "" for a shot (TSE-ASL-13, TSE-ASL-20)."""
    if outcome.home is None:
        return ""
    if not outcome.home:
        return "stopped by fire"
    if any(effect.back or effect.broken for effect in outcome.target):
        return "the target gives way"
    return "repelled hand to hand" if outcome.actor[-1].back or outcome.actor[-1].broken else "neither gives way"


def suffered(unit: Unit, effects: tuple[Effects, ...]) -> tuple[float, tuple[Effect, ...]]:
    """Return the value a unit's side loses through successive effects, and the effects as (unit, name, amount)."""
    status, lost = _status(unit), 0
    for effect in effects:
        lost += effect.lose
        if effect.broken or (effect.lose and destroyed(_start(unit), _start(unit) - unit.strength + lost)):
            return value(unit), ((unit.id, "removed", float(unit.strength)),)
        status = worsened(status, effect.status) if effect.status else status
    after = (unit.strength - lost) * rate(unit) * model().worth.status[status].value
    driven = sum(model().worth.back[e.back].value for e in effects if e.back) * value(unit)
    return value(unit) - after + driven, tuple(_plain(unit, effects, status, lost))


def _plain(unit: Unit, effects: tuple[Effects, ...], status: Status, lost: int) -> Iterator[Effect]:
    if status != unit.status:
        yield unit.id, f"status:{status}", 1.0
    if lost:
        yield unit.id, "lost", float(lost)
    for back in (effect.back for effect in effects if effect.back):
        yield unit.id, "back", _distance(unit, back)


def _distance(unit: Unit, back: str) -> float:
    row = model().fall_back[unit.troop]
    return {"short": row.short, "long": row.long}.get(back, 0.0)


def _start(unit: Unit) -> int:
    return int(unit.marks.get("started", unit.strength))


def _status(unit: Unit) -> Status:
    return next(s for s in STATUSES if s == unit.status)
