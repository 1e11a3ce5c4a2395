"""Candidate actions without repeats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
