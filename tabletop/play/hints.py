"""Which of the suggested actions to show a player: the most valuable first, of several kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.play.engine import play_of

#: Ideas whose values differ by no more than this, in bases, are comparable: another kind is then shown first.
COMPARABLE = 0.25
#: So many of a unit's ideas are mixed by kind; those after them are ranked by value alone.
MIXED = 3
#: Suggestions for a side examined for those of one unit.
MOST_LOOKED_AT = 400


@dataclass(frozen=True)
class Idea:
    """An action, its expected value in bases by the computer player's evaluation, and why."""

    action: Action
    value: float = 0.0
    why: str = ""


def suggested(battle: Battle, unit: str | None) -> Iterator[Action]:
    """Yield the suggestions that name a unit (None: those that name none), of the first ``MOST_LOOKED_AT``.

    Those of a unit are followed by variations of them: other ranks, wheels on a corner.
    """
    play = play_of(battle)
    yield from (action for action in islice(play.suggest(battle), MOST_LOOKED_AT) if action.unit == unit)
    if unit is not None:
        yield from play.variations(battle, unit)


def ideas(battle: Battle, actions: Iterable[Action], each: int, most: int) -> list[Idea]:
    """Return at most ``most`` of some actions, no more than ``each`` for one unit.

    The ideas of each unit are ranked by value and mixed by kind; the unit with the most valuable idea comes first.
    Actions of no unit come last, and places are kept for them. The same action is shown once.
    """
    weighed = [Idea(action, *play_of(battle).prospect(battle, action)) for action in _once(actions)]
    of_units: dict[str | None, list[Idea]] = {}
    for idea in weighed:
        of_units.setdefault(idea.action.unit, []).append(idea)
    general = sorted(of_units.pop(None, []), key=_rank)
    groups = [mixed(candidates, each) for candidates in of_units.values()]
    shown = [idea for group in sorted(groups, key=lambda group: _rank(group[0])) for idea in group]
    return [*shown[: max(0, most - len(general))], *general][:most]


def mixed(candidates: Sequence[Idea], most: int) -> list[Idea]:
    """Return the ``most`` valuable of some ideas, the best first.

    Among the first ``MIXED``, of ideas with comparable values the one whose kind was chosen least often comes first.
    """
    left, chosen, kinds = sorted(candidates, key=_rank), list[Idea](), Counter[str]()
    while left and len(chosen) < min(MIXED, most):
        close = [idea for idea in left if idea.value >= left[0].value - COMPARABLE]
        best = min(close, key=lambda idea: (kinds[idea.action.kind], _rank(idea)))
        left.remove(best)
        chosen.append(best)
        kinds[best.action.kind] += 1
    return [*chosen, *left][:most]


def _rank(idea: Idea) -> float:
    return -round(idea.value, 6)


def _once(actions: Iterable[Action]) -> Iterable[Action]:
    return {repr(action): action for action in actions}.values()
