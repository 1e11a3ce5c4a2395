"""A limit to the processor time that answers may take: whoever asks sets it, long searches look at it.

An answer is given up where its time is up: of what was asked nothing is known then, and nothing is kept.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class TimeIsUp(Exception):
    """An answer was given up; whoever set the limit catches it."""


_UNTIL: ContextVar[float] = ContextVar("until", default=math.inf)


@contextmanager
def ended_by(until: float) -> Iterator[None]:
    """Give up what is asked inside once the processor time of this process (seconds) has come to ``until``."""
    before = _UNTIL.set(until)
    try:
        yield
    finally:
        _UNTIL.reset(before)


def look() -> None:
    """Raise TimeIsUp once the time of what is being answered is up.

    >>> with ended_by(time.process_time() - 1.0):
    ...     look()
    Traceback (most recent call last):
    tabletop.geometry.time_limit.TimeIsUp
    >>> look()
    """
    if time.process_time() > _UNTIL.get():
        raise TimeIsUp
