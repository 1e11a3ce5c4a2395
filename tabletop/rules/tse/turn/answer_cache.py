"""A small cache of answers, so that an action that is judged and then resolved is measured only once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from tabletop.battle.battle import Battle

Answer = TypeVar("Answer")
#: Answers kept per function: few other actions come between judging an action and resolving it.
KEPT = 16


def cached_answer(answer: Callable[..., Answer]) -> Callable[..., Answer]:
    """Cache the last answers of a pure function of a battle (by identity; battles are immutable) and plain values.

    Answers are shared: callers must not change them.

    >>> from tabletop.play.files.opened import open_battle
    >>> answer = cached_answer(lambda battle, name: battle.unit(name).at)
    >>> battle = open_battle("starter")
    >>> answer(battle, "arnaud") is answer(battle, "arnaud")
    True
    """
    cache: deque[tuple[Battle, tuple[Any, ...], Answer]] = deque(maxlen=KEPT)

    @wraps(answer)
    def cached(battle: Battle, *args: Any) -> Answer:
        for cached_battle, cached_args, result in cache:
            if cached_battle is battle and cached_args == args:
                return result
        result = answer(battle, *args)
        cache.append((battle, args, result))
        return result

    return cached
