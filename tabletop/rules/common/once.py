"""Actions thought of, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tabletop.battle.action import Action


def once(actions: Iterable[Action]) -> Iterator[Action]:
    """Yield each action the first time it is thought of: two thoughts may come to the same."""
    known: list[Action] = []
    for action in actions:
        if action not in known:
            known.append(action)
            yield action
