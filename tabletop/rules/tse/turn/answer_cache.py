"""The last few answers kept, so that an action judged and then resolved is measured once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from tabletop.battle.battle import Battle

Answer = TypeVar("Answer")
#: How many answers are kept: an action is judged, weighed up and resolved before many others are looked at.
KEPT = 16


def cached_answer(answer: Callable[..., Answer]) -> Callable[..., Answer]:
    """Keep the last answers of a pure function of a battle (the same object, which never changes) and plain values.

    What it returns is shared: nobody may change it.
    """
    kept: deque[tuple[Battle, tuple[Any, ...], Answer]] = deque(maxlen=KEPT)

    @wraps(answer)
    def cached(battle: Battle, *args: Any) -> Answer:
        for known, asked, result in kept:
            if known is battle and asked == args:
                return result
        result = answer(battle, *args)
        kept.append((battle, args, result))
        return result

    return cached
