"""The exact distribution of an action's results, from a function that draws one of them."""

from __future__ import annotations

from collections.abc import Callable

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance, gathered
from tabletop.rules.play import Result

#: Draws one course of chance of an action.
Reckon = Callable[[Battle, Action, Chance], Result]


def distribution(battle: Battle, action: Action, reckon: Reckon) -> tuple[tuple[float, Result], ...]:
    """Return every result of an action with its probability, most likely first.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.fire.resolve import reckon
    >>> shot = Action("bombard", "prussian", "near-guns", "near")
    >>> [(round(p, 3), result.text) for p, result in distribution(open_battle("to-the-last-millimetre"), shot, reckon)]
    [(0.5, 'the defender is disrupted'), (0.333, 'the defender is routed'), (0.167, 'nothing happens')]
    """
    chances = gathered(lambda chance: reckon(battle, action, chance))
    return tuple((p, r) for r, p in sorted(chances.items(), key=lambda pair: (-pair[1], pair[0].text)))
