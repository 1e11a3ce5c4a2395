"""Candidate actions for the computer: without repeats, and the first allowed one of several drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from tabletop.battle.action import Action


def once(actions: Iterable[Action]) -> Iterator[Action]:
    """Yield each action once, in order, since different ways of making candidates may give the same one.

    >>> one, other = Action("hold", "red", "a"), Action("hold", "red", "b")
    >>> [action.unit for action in once([one, other, one])]
    ['a', 'b']
    """
    earlier: dict[tuple[object, ...], list[Action]] = {}
    for action in actions:
        like = earlier.setdefault((action.kind, action.side, action.unit, action.target), [])
        if action not in like:
            like.append(action)
            yield action


def first_allowed(draws: Iterable[Action | None], allowed: Callable[[Action], bool], tries: int) -> Action | None:
    """Return the first allowed action of at most ``tries`` draws of a random player; None if there is none.

    A draw of None, which found nothing to do, counts as a try. No more is drawn than needed, so that the same random
    numbers always give the same actions.

    >>> draws = iter([None, Action("fire", "red", "a"), Action("fire", "red", "b"), Action("hold", "red", "c")])
    >>> found = first_allowed(draws, lambda action: action.unit == "b", 3)
    >>> found.unit, next(draws).unit, first_allowed(draws, lambda action: True, 3)
    ('b', 'c', None)
    """
    return next((action for action in islice(draws, tries) if action is not None and allowed(action)), None)
