"""Positions made ahead by a separate process, so that nobody has to wait for one."""

from __future__ import annotations

import multiprocessing
import random
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Protocol

from tabletop.drills.families import FAMILIES
from tabletop.drills.family import Plan
from tabletop.drills.generate import Deck, made
from tabletop.drills.position import Position
from tabletop.geometry import fast
from tabletop.play.workers.judge_worker import lower_priority
from tabletop.play.workers.pools import follow_parent, stop


@dataclass(frozen=True)
class Order:
    """An order for a position: family, margin, plan and answer, and the seed of its random source."""

    family: str
    wanted: float
    plan: Plan
    answer: str
    seed: int

    def filled(self) -> Position | None:
        """Make the position and return it, None if none was found."""
        return made(FAMILIES[self.family], self.plan, self.answer, self.wanted, random.Random(self.seed))


class Orders:
    """Draws orders: each family has a deck in which every plan comes with every answer."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._decks = {name: Deck(family, rng) for name, family in FAMILIES.items()}

    def draw(self, family: str, wanted: float) -> Order:
        """Return the next order for a family at a margin."""
        plan, answer = self._decks[family].draw()
        return Order(family, min(wanted, FAMILIES[family].widest), plan, answer, self._rng.getrandbits(32))


class Supply(Protocol):
    """Something that makes positions."""

    def order(self, order: Order) -> Future[Position | None]:
        """Order a position; the future is done when it is made."""

    def close(self) -> None:
        """Stop the background work."""


class InlineSupply:
    """Makes positions at once in the caller's own process (tests, pictures)."""

    def order(self, order: Order) -> Future[Position | None]:
        """Return a future that is done already."""
        done: Future[Position | None] = Future()
        done.set_result(order.filled())
        return done

    def close(self) -> None:
        """Do nothing: nothing runs in the background."""


class ProcessSupply:
    """Makes positions in a separate process, which is started again if it has died; close it at the end."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def order(self, order: Order) -> Future[Position | None]:
        """Pass an order to the process."""
        try:
            return self._started().submit(_filled, order)
        except BrokenProcessPool:
            self._pool = None
            return self._started().submit(_filled, order)

    def close(self) -> None:
        """Stop the process."""
        if self._pool is not None:
            stop(self._pool)
        self._pool = None

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            way = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=way, initializer=_begun)
        return self._pool


def _begun() -> None:
    """Prepare the new process: it runs at low priority and ends with the program."""
    follow_parent()
    lower_priority()
    fast.begin()


def _filled(order: Order) -> Position | None:
    return order.filled()
