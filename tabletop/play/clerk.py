"""The clerk: takes questions to the judge in another process, so that whoever asks never waits.

The window hands errands over and goes on drawing. An errand is known by its key: a newer one of the same key replaces
one that still waits, and asks one under way to stop. Answers come back in the order they are ready. ``InlineClerk``
answers in the caller's own process, one errand a ``take``, for tests and for machines without processes.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Protocol

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import TabletopError
from tabletop.geometry.verdict import Verdict
from tabletop.judge import ask, judge

#: An answer: the verdict, or the one line that says why the question could not be put.
Answer = Verdict | str


@dataclass(frozen=True)
class Errand:
    """A question to be put; ``full`` asks for margin and rulings too; a lower ``rank`` goes first.

    ``placed`` are units that stand elsewhere for this question alone (a ghost under the player's hand).
    """

    key: Hashable
    question: str
    args: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    full: bool = False
    rank: int = 0
    placed: tuple[Unit, ...] = ()

    def answered(self, battle: Battle, **more: Any) -> Answer:
        """Return the answer on this battle."""
        options = {**self.options, **more}
        for unit in self.placed:
            battle = battle.with_unit(unit)
        try:
            verdict = (judge if self.full else ask)(battle, self.question, self.args, options)
            return verdict.with_(options=dict(self.options))
        except TabletopError as refused:
            return str(refused)


class AnyClerk(Protocol):
    """What the window needs of a clerk."""

    def put(self, errand: Errand) -> None: ...
    def take(self) -> list[tuple[Hashable, Answer]]: ...
    def moved(self, unit: Unit) -> None: ...
    def clear(self) -> None: ...
    def close(self) -> None: ...
    @property
    def busy(self) -> set[Hashable]: ...


class Waiting:
    """Errands that wait, by key; the lowest rank first, then the oldest."""

    def __init__(self) -> None:
        self._errands: dict[Hashable, Errand] = {}

    def put(self, errand: Errand) -> None:
        self._errands.pop(errand.key, None)
        self._errands[errand.key] = errand

    def next(self) -> Errand | None:
        if not self._errands:
            return None
        first = min(self._errands.values(), key=lambda errand: errand.rank)
        return self._errands.pop(first.key)

    def clear(self) -> None:
        self._errands.clear()

    @property
    def keys(self) -> set[Hashable]:
        return set(self._errands)


class InlineClerk:
    """A clerk in the caller's own process: each ``take`` answers at most ``batch`` errands."""

    def __init__(self, battle: Battle, batch: int = 1_000) -> None:
        self._battle = battle
        self._batch = batch
        self._waiting = Waiting()

    def put(self, errand: Errand) -> None:
        self._waiting.put(errand)

    def take(self) -> list[tuple[Hashable, Answer]]:
        found: list[tuple[Hashable, Answer]] = []
        while len(found) < self._batch and (errand := self._waiting.next()) is not None:
            found.append((errand.key, errand.answered(self._battle)))
        return found

    def moved(self, unit: Unit) -> None:
        self._battle = self._battle.with_unit(unit)

    def clear(self) -> None:
        self._waiting.clear()

    def close(self) -> None:
        self._waiting.clear()

    @property
    def busy(self) -> set[Hashable]:
        return self._waiting.keys


class Clerk:
    """A clerk in a process of its own. Close it when the window closes."""

    def __init__(self, battle: Battle) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._stop = context.Value("l", 0)
        self._process = context.Process(target=_serve, args=(theirs, self._stop), daemon=True, name="tabletop-clerk")
        self._process.start()
        theirs.close()
        self._waiting = Waiting()
        self._ticket = 0
        self._out: Errand | None = None
        self._stale = False
        self._pipe.send(("battle", battle))

    def put(self, errand: Errand) -> None:
        """Hand over an errand; it replaces a waiting one of its key and stops one under way."""
        if self._out is not None and self._out.key == errand.key:
            self._abandon()
        self._waiting.put(errand)
        self._send()

    def take(self) -> list[tuple[Hashable, Answer]]:
        """Return the answers that have come in; call it once a frame."""
        found: list[tuple[Hashable, Answer]] = []
        while self._out is not None and self._pipe.poll():
            answer = self._receive()
            if not self._stale:
                found.append((self._out.key, answer))
            self._out = None
            self._send()
        return found

    def moved(self, unit: Unit) -> None:
        """Tell the clerk where a unit now stands; what was asked before is dropped."""
        self.clear()
        self._pipe.send(("unit", unit))

    def clear(self) -> None:
        """Drop every errand, also the one under way."""
        self._waiting.clear()
        self._abandon()

    def close(self) -> None:
        """Send the clerk home."""
        self._abandon()
        try:
            self._pipe.send(None)
            self._process.join(0.5)
        except (OSError, ValueError):
            pass
        if self._process.is_alive():
            self._process.terminate()
        self._pipe.close()

    @property
    def busy(self) -> set[Hashable]:
        """Keys of the errands not answered yet."""
        out = {self._out.key} if self._out is not None and not self._stale else set()
        return self._waiting.keys | out

    def _receive(self) -> Answer:
        try:
            answer: Answer = self._pipe.recv()
        except (EOFError, OSError):
            return "the judge's process has ended; start the program again"
        return answer

    def _abandon(self) -> None:
        if self._out is not None:
            self._stale = True
            self._stop.value = self._ticket

    def _send(self) -> None:
        if self._out is not None or (errand := self._waiting.next()) is None:
            return
        self._ticket += 1
        self._out, self._stale = errand, False
        self._pipe.send(("ask", (self._ticket, errand)))


def _serve(pipe: Connection, stop: Any) -> None:
    """The clerk's own loop: keep the battle, answer errands until told to go."""
    battle: Battle | None = None
    while True:
        try:
            message: tuple[str, Any] | None = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        if message is None:
            return
        word, load = message
        if word == "battle":
            battle = load
        elif word == "unit" and battle is not None:
            battle = battle.with_unit(load)
        elif word == "ask" and battle is not None:
            ticket, errand = load
            pipe.send(_answer(battle, ticket, errand, stop))


def _answer(battle: Battle, ticket: int, errand: Errand, stop: Any) -> Answer:
    try:
        return errand.answered(battle, should_stop=lambda: stop.value >= ticket)
    except Exception as error:  # the window must live on: say it and keep the battle
        return f"the judge failed on '{errand.question}': {type(error).__name__}: {error}"
