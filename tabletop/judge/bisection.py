"""Where between two lengths, or two angles, something begins to be otherwise."""

from __future__ import annotations

from collections.abc import Callable


def bisected(flips: Callable[[float], bool], low: float, high: float, fine: float) -> float:
    """Return, to ``fine``, where between ``low`` and ``high`` ``flips`` begins to be true: it is at ``high``.

    >>> round(bisected(lambda length: length > 0.3, 0.0, 1.0, 1e-3), 3)
    0.301
    """
    while high - low > fine:
        middle = (low + high) / 2
        low, high = (low, middle) if flips(middle) else (middle, high)
    return high
