"""A worker process for computer players, so that the screen never waits while one thinks.

A thought is a function of this module called with a battle; its answer is fetched later under its key. Players are
created for every thought from the game's seed and the number of the action, so that a choice never depends on how often
actions were undone or the game was closed. ``InlinePlayerWorker`` thinks in the caller's own process.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from tabletop.battle.action import Action, answer
from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.geometry import fast
from tabletop.geometry.terrain import Table
from tabletop.play.done import Done, done
from tabletop.play.engine import play_of
from tabletop.play.hints import ideas, suggested
from tabletop.play.players import player_kind
from tabletop.play.workers.battle_bundle import packed, unpacked
from tabletop.play.workers.judge_worker import lower_priority
from tabletop.play.workers.pools import follow_parent, stop

#: Factor of the game's seed in the seed of a player's own stream, so that different games rarely share one.
STRIDE = 1_000_003
#: Suggestions kept for one unit.
MOST_KEPT = 24

Thought = Callable[..., Any]


def think(battle: Battle, name: str, seed: int, number: int) -> Done:
    """Return the action that a computer player takes as action ``number`` of the game, with its events.

    Raises BadQuestion for a person.
    """
    make = player_kind(name).make
    if make is None:
        raise BadQuestion(f"'{name}' is a person: nobody thinks for people")
    chosen = make(STRIDE * seed + number).choose(battle)
    return done(battle, chosen.action, chosen.thought)


def suggestions(battle: Battle, unit: str | None) -> tuple[Action, ...]:
    """Return suggested actions of a unit (None: those that name no unit), all of them allowed, best first."""
    if battle.pending or battle.over:
        return ()
    own = suggested(battle, unit)
    return tuple(idea.action for idea in ideas(battle, own, MOST_KEPT, MOST_KEPT))


def promises(battle: Battle) -> dict[str, str]:
    """Return, in words, the expected value of each answer to the pending decision that the rules can evaluate."""
    decision = battle.pending[0]
    prospects = {c: play_of(battle).prospect(battle, answer(decision.side, c)) for c in decision.choices}
    weighed = {c: (worth, likeliest) for c, (worth, likeliest) in prospects.items() if likeliest}
    return {c: f"worth {worth:+.1f} bases on average, {likeliest}" for c, (worth, likeliest) in weighed.items()}


class AnyPlayerWorker(Protocol):
    """What the window needs of a worker."""

    def ask(self, key: Hashable, thought: Thought, battle: Battle, *what: Any) -> None: ...
    def take(self) -> list[tuple[Hashable, Any]]: ...
    def close(self) -> None: ...
    @property
    def busy(self) -> set[Hashable]: ...


class InlinePlayerWorker:
    """A worker in the caller's own process, which thinks when asked for answers."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, tuple[Thought, Battle, tuple[Any, ...]]] = {}

    def ask(self, key: Hashable, thought: Thought, battle: Battle, *what: Any) -> None:
        self._waiting[key] = (thought, battle, what)

    def take(self) -> list[tuple[Hashable, Any]]:
        waiting, self._waiting = self._waiting, {}
        return [(key, _calmly(thought, battle, arguments)) for key, (thought, battle, arguments) in waiting.items()]

    def close(self) -> None:
        self._waiting.clear()

    @property
    def busy(self) -> set[Hashable]:
        return set(self._waiting)


class PlayerWorker:
    """A worker in a separate process, which has the battle's table. Close it when the window closes.

    A newer thought of the same key takes the place of an older one. A process that dies is replaced at the next
    thought; the one it died on returns the error.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._pool: ProcessPoolExecutor | None = None
        self._asked: dict[Hashable, Future[Any]] = {}

    def ask(self, key: Hashable, thought: Thought, battle: Battle, *what: Any) -> None:
        """Hand over a thought; its answer, or its error, is fetched later under its key."""
        older = self._asked.pop(key, None)
        if older is not None:
            older.cancel()
        bundle = packed(battle, self._table)
        try:
            self._asked[key] = self._started_pool().submit(_run, thought, bundle, what)
        except BrokenProcessPool:
            self._pool = None
            self._asked[key] = self._started_pool().submit(_run, thought, bundle, what)

    def take(self) -> list[tuple[Hashable, Any]]:
        """Return the answers, or errors, that are ready; call it once per frame."""
        done = [key for key, future in self._asked.items() if future.done()]
        finished = [(key, self._asked.pop(key)) for key in done]
        return [(key, future.exception() or future.result()) for key, future in finished if not future.cancelled()]

    def close(self) -> None:
        """End the worker's process."""
        if self._pool is not None:
            stop(self._pool)
        self._asked.clear()

    @property
    def busy(self) -> set[Hashable]:
        return set(self._asked)

    def _started_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, context, _initialize, (self._table,))
        return self._pool


_TABLE: list[Table] = []


def _initialize(table: Table) -> None:
    """Prepare the new process: remember the table, and end with the window."""
    follow_parent()
    _TABLE[:] = [table]
    lower_priority()
    fast.begin()  # it lives as long as the window, so kernels are worth loading


def _run(thought: Thought, bundle: bytes, what: Iterable[Any]) -> Any:
    return thought(unpacked(bundle, _TABLE[0]), *what)


def _calmly(thought: Thought, battle: Battle, what: Iterable[Any]) -> Any:
    try:
        return thought(battle, *what)
    except Exception as error:
        return error
