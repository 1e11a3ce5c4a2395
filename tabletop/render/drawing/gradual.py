"""Work that is done a little in every frame, so that no frame waits for all of it.

The work is a generator that yields wherever it may be laid aside, and returns what it makes.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Work = Generator[None, None, T]


def finished(work: Work[T]) -> T:
    """Do all of some work at once, and return what it makes."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: T = end.value
            return found


@dataclass
class Gradual(Generic[T]):
    """Work under way, and what it is worked out from."""

    of: tuple[Any, ...]
    work: Work[T]

    def go_on(self, seconds: float) -> tuple[T] | None:
        """Go on for about so long, at least one piece of work; return what was made, in a tuple of one, at its end."""
        end = time.perf_counter() + seconds
        while True:
            try:
                next(self.work)
            except StopIteration as made:
                return (made.value,)
            if time.perf_counter() >= end:
                return None
