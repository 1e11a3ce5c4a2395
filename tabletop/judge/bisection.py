"""Bisection: where between two lengths, or two angles, a condition becomes true."""

from __future__ import annotations

from collections.abc import Callable


def bisected(flips: Callable[[float], bool], low: float, high: float, fine: float) -> float:
    """Return, to ``fine``, where between ``low`` and ``high`` ``flips`` becomes true; it must be true at ``high``.

    >>> round(bisected(lambda length: length > 0.3, 0.0, 1.0, 1e-3), 3)
    0.301
    """
    return _bracketed(flips, low, high, fine)[1]


def bracketed_back(flips: Callable[[float], bool], high: float, step: float, fine: float) -> tuple[float, float]:
    """Return two lengths, at most ``fine`` apart, between which ``flips`` becomes true; fast if that is ``step`` below
    high.

    Steps back from ``high`` double until ``flips`` is false, or at 0; only the last is bisected.

    >>> bracketed_back(lambda length: length > 0.3, 1.0, 0.2, 0.2)
    (0.2, 0.4)
    """
    low = max(0.0, high - step)
    while low > 0.0 and flips(low):
        high, step = low, 2.0 * step
        low = max(0.0, high - step)
    return _bracketed(flips, low, high, fine)


def _bracketed(flips: Callable[[float], bool], low: float, high: float, fine: float) -> tuple[float, float]:
    while high - low > fine:
        middle = (low + high) / 2
        low, high = (low, middle) if flips(middle) else (middle, high)
    return low, high
