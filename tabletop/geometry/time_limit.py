"""A limit on the processor time of answers: the caller sets it, long searches check it.

When time is up the answer is abandoned: nothing is known about the question then, and nothing is cached.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class TimeIsUp(Exception):
    """An answer was abandoned; whoever set the limit catches this."""


_UNTIL: ContextVar[float] = ContextVar("until", default=math.inf)


@contextmanager
def ended_by(until: float) -> Iterator[None]:
    """Abandon what is computed inside once this process has used ``until`` seconds of processor time."""
    before = _UNTIL.set(until)
    try:
        yield
    finally:
        _UNTIL.reset(before)


def look() -> None:
    """Raise TimeIsUp once the time limit has passed.

    >>> with ended_by(time.process_time() - 1.0):
    ...     look()
    Traceback (most recent call last):
    tabletop.geometry.time_limit.TimeIsUp
    >>> look()
    """
    if time.process_time() > _UNTIL.get():
        raise TimeIsUp
