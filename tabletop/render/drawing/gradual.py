"""Work done a little in every frame, so that no frame waits for all of it.

The work is a generator that yields wherever it may pause, and returns its result.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Work = Generator[None, None, T]


def finished(work: Work[T]) -> T:
    """Do all of the work at once, and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result


@dataclass
class Gradual(Generic[T]):
    """Work under way, and the parts its result depends on."""

    of: tuple[Any, ...]
    work: Work[T]

    def go_on(self, seconds: float) -> tuple[T] | None:
        """Continue for about this many seconds, at least one step; return the result in a tuple of one, or None."""
        end = time.perf_counter() + seconds
        while True:
            try:
                next(self.work)
            except StopIteration as made:
                return (made.value,)
            if time.perf_counter() >= end:
                return None
