"""Choosing the suggested actions to show a player: the most valuable first, of several kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.play.engine import play_of

#: Ideas whose values differ by no more than this, in bases, are comparable: another kind is then shown first.
COMPARABLE = 0.25
#: Actions whose places, lengths and facings differ by less than this, by unit of the table, count as the same.
ALIKE = {"in": 0.05, "cm": 0.125, "mm": 1.25}
#: The number of a unit's ideas that are mixed by kind; the rest are ranked by value alone.
MIXED = 3
#: The number of a side's suggestions that are searched for those of one unit.
MOST_LOOKED_AT = 400


@dataclass(frozen=True)
class Idea:
    """An action, its expected value in bases by the computer player's evaluation, and why."""

    action: Action
    value: float = 0.0
    why: str = ""


def suggested(battle: Battle, unit: str | None) -> Iterator[Action]:
    """Yield the suggestions that name a unit (None: those that name none), of the first ``MOST_LOOKED_AT``.

    Those of a unit of the side to move are followed by variations of them: other ranks, wheels on a corner.
    """
    play = play_of(battle)
    yield from (action for action in islice(play.suggest(battle), MOST_LOOKED_AT) if action.unit == unit)
    if unit is not None and battle.has(unit) and battle.unit(unit).side == play.mover(battle):
        yield from play.variations(battle, unit)


def ideas(battle: Battle, actions: Iterable[Action], each: int, most: int) -> list[Idea]:
    """Return up to ``most`` of the actions, up to ``each`` for one unit, with their values.

    The ideas of each unit are ranked by value and mixed by kind; the unit with the most valuable idea comes first.
    Actions of no unit come last, and places are kept for them. Of actions that differ by less than ``ALIKE`` only the
    first is shown.
    """
    weighed = [Idea(action, *play_of(battle).prospect(battle, action)) for action in _apart(battle, actions)]
    of_units: dict[str | None, list[Idea]] = {}
    for idea in weighed:
        of_units.setdefault(idea.action.unit, []).append(idea)
    general = sorted(of_units.pop(None, []), key=_rank)
    groups = [mixed(candidates, each) for candidates in of_units.values()]
    shown = [idea for group in sorted(groups, key=lambda group: _rank(group[0])) for idea in group]
    return [*shown[: max(0, most - len(general))], *general][:most]


def mixed(candidates: Sequence[Idea], most: int) -> list[Idea]:
    """Return the ``most`` most valuable ideas, best first.

    Among the first ``MIXED``, of ideas with comparable values the one whose kind was chosen least often comes first.
    """
    remaining, chosen, kinds = sorted(candidates, key=_rank), list[Idea](), Counter[str]()
    while remaining and len(chosen) < min(MIXED, most):
        close = [idea for idea in remaining if idea.value >= remaining[0].value - COMPARABLE]
        best = min(close, key=lambda idea: (kinds[idea.action.kind], _rank(idea)))
        remaining.remove(best)
        chosen.append(best)
        kinds[best.action.kind] += 1
    return [*chosen, *remaining][:most]


def _rank(idea: Idea) -> float:
    return -round(idea.value, 6)


def _apart(battle: Battle, actions: Iterable[Action]) -> Iterable[Action]:
    """Return actions without near-duplicates of earlier ones, such as two moves stopped by the same obstacle."""
    distinct = list[tuple[Action, tuple[Any, ...], list[float]]]()
    for action in actions:
        numbers = list[float]()
        shape = (action.kind, action.side, action.unit, action.target, _shape(action.options, numbers))
        if not any(shape == other and _alike(battle, numbers, same) for _, other, same in distinct):
            distinct.append((action, shape, numbers))
    return [action for action, _, _ in distinct]


def _alike(battle: Battle, numbers: Sequence[float], others: Sequence[float]) -> bool:
    near = ALIKE[battle.table.unit] * battle.scale
    return all(abs(a - b) < near for a, b in zip(numbers, others, strict=True))


def _shape(value: Any, numbers: list[float]) -> Any:
    """Return a value with its fractional numbers taken out and put into ``numbers`` in order."""
    if isinstance(value, float):
        numbers.append(value)
        return float
    if isinstance(value, Mapping):
        return tuple((key, _shape(value[key], numbers)) for key in sorted(value))
    return tuple(_shape(one, numbers) for one in value) if isinstance(value, tuple | list) else value
