"""A worker process for the judge, which answers questions so that the caller never waits.

The window hands over requests and goes on drawing. A newer request of the same key takes the place of one that still
waits, and asks one under way to stop, unless that is to be ``finished``. Answers come back in the order they are ready.
If the process dies, the request it died on is answered with an error, and a new process takes the rest.
``InlineJudgeWorker`` answers in the caller's own process, for tests and machines without processes.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Protocol

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import TabletopError
from tabletop.geometry import fast
from tabletop.geometry.verdict import Verdict
from tabletop.judge import ask, judge
from tabletop.play.workers.battle_bundle import packed, unpacked

#: The number of requests a worker's process may hold, so that it need not wait for the next frame.
HELD = 6
#: By how much ``os.nice`` lowers the priority of a process that works for the window, on systems that have it: users
#: notice a late frame, but not a late answer.
BEHIND = 5
#: How many processes in a row may die without an answer before no further one is started.
LIVES = 3

#: An answer: the verdict, or one line that says why the question could not be asked.
Answer = Verdict | str


@dataclass(frozen=True)
class JudgeRequest:
    """A question to be asked; ``full`` asks for margin and rulings too; a lower ``rank`` goes first.

    ``placed`` are units that stand elsewhere for this question only (a ghost under the pointer). With ``finished`` an
    request under way is completed even if a newer one of its key waits, so that a pointer that never rests still gets
    answers. A request waits until ``rest`` seconds after the last one of its key was sent.
    """

    key: Hashable
    question: str
    args: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    full: bool = False
    rank: int = 0
    placed: tuple[Unit, ...] = ()
    finished: bool = False
    rest: float = 0.0

    def answered(self, battle: Battle, **more: Any) -> Answer:
        """Return the answer for a battle."""
        options = {**self.options, **more}
        for unit in self.placed:
            battle = battle.with_unit(unit)
        try:
            verdict = (judge if self.full else ask)(battle, self.question, self.args, options)
            return verdict.with_(options=dict(self.options))
        except TabletopError as refused:
            return str(refused)


class AnyJudgeWorker(Protocol):
    """What the window needs of a worker."""

    def put(self, *requests: JudgeRequest) -> None: ...
    def take(self) -> list[tuple[Hashable, Answer]]: ...
    def moved(self, unit: Unit) -> None: ...
    def stands(self, battle: Battle) -> None: ...
    def clear(self) -> None: ...
    def close(self) -> None: ...
    @property
    def busy(self) -> set[Hashable]: ...


class Waiting:
    """The waiting requests by key, lowest rank first, then oldest."""

    def __init__(self) -> None:
        self._requests: dict[Hashable, JudgeRequest] = {}

    def put(self, request: JudgeRequest) -> None:
        """Add a request, in the place of an older one of its key if there is one."""
        self._requests[request.key] = request

    def put_back(self, request: JudgeRequest) -> None:
        """Put a request back before all others of its rank, unless a newer one of its key waits."""
        if request.key not in self._requests:
            self._requests = {request.key: request, **self._requests}

    def next(self, due: Callable[[JudgeRequest], bool] = lambda request: True) -> JudgeRequest | None:
        """Remove and return the first request that is ``due``, None if there is none."""
        first = min(filter(due, self._requests.values()), key=lambda request: request.rank, default=None)
        return self._requests.pop(first.key) if first is not None else None

    def clear(self) -> None:
        self._requests.clear()

    @property
    def keys(self) -> set[Hashable]:
        return set(self._requests)


class InlineJudgeWorker:
    """A worker in the caller's own process: each ``take`` answers at most ``batch`` requests."""

    def __init__(self, battle: Battle, batch: int = 1_000) -> None:
        self._battle = battle
        self._batch = batch
        self._waiting = Waiting()

    def put(self, *requests: JudgeRequest) -> None:
        for request in requests:
            self._waiting.put(request)

    def take(self) -> list[tuple[Hashable, Answer]]:
        answers: list[tuple[Hashable, Answer]] = []
        while len(answers) < self._batch and (request := self._waiting.next()) is not None:
            answers.append((request.key, _calmly(self._battle, request)))
        return answers

    def moved(self, unit: Unit) -> None:
        self._battle = self._battle.with_unit(unit)

    def stands(self, battle: Battle) -> None:
        self.clear()
        self._battle = battle

    def clear(self) -> None:
        self._waiting.clear()

    def close(self) -> None:
        self._waiting.clear()

    @property
    def busy(self) -> set[Hashable]:
        return self._waiting.keys


class JudgeWorker:
    """A worker in a separate process; close it when the window closes."""

    def __init__(self, battle: Battle) -> None:
        self._battle = battle
        self._waiting = Waiting()
        self._held: dict[int, JudgeRequest] = {}
        self._dropped: set[int] = set()
        self._ticket = 0
        #: When a request of each key was last sent, for requests with a ``rest``.
        self._sent_at: dict[Hashable, float] = {}
        self._lives = LIVES
        self._start_process()

    @property
    def pid(self) -> int | None:
        """The id of the worker's process."""
        return self._process.pid

    def put(self, *requests: JudgeRequest) -> None:
        """Hand over requests; each replaces one of its key and goes before waiting ones of higher rank number."""
        if not requests:
            return
        keys = {request.key for request in requests}
        for ticket in [t for t, sent in self._held.items() if sent.key in keys and not sent.finished]:
            self._drop(ticket)
        for request in requests:
            self._waiting.put(request)
        self._recall(min(request.rank for request in requests), keys)
        self._send()

    def take(self) -> list[tuple[Hashable, Answer]]:
        """Return the answers that have arrived; call it once per frame."""
        if not self._lives:
            return self._given_up()
        answers: list[tuple[Hashable, Answer]] = []
        try:
            while self._pipe.poll():
                answers += self._received(*self._pipe.recv())
        except (EOFError, OSError):
            answers += self._replaced()
        self._send()
        return answers

    def moved(self, unit: Unit) -> None:
        """Send the worker a unit's new place, and drop all earlier questions."""
        self.clear()
        self._battle = self._battle.with_unit(unit)
        self._post("unit", unit)

    def stands(self, battle: Battle) -> None:
        """Send the worker the present battle, and drop all earlier questions.

        A table it already has is not sent again, so that its caches for that table stay valid. Nor are unchanged units,
        since a long message would make the window wait if the worker is slow to read.
        """
        self.clear()
        previous, self._battle = self._battle, battle
        self._post("stands", packed(battle, previous.table, previous))

    def clear(self) -> None:
        """Drop every request, including the one under way."""
        self._waiting.clear()
        for ticket in self._held:
            self._drop(ticket)

    def close(self) -> None:
        """End the worker's process."""
        self.clear()
        self._post("go", None)
        self._process.join(0.5)
        self._dismiss()

    @property
    def busy(self) -> set[Hashable]:
        """Keys of the requests not answered yet."""
        return self._waiting.keys | {e.key for ticket, e in self._held.items() if ticket not in self._dropped}

    def _start_process(self) -> None:
        """Start a process with the present battle."""
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        #: The last dropped ticket of each slot: the process stops its request, or does not begin it.
        self._stale = context.Array("l", HELD, lock=False)
        self._process = context.Process(target=_serve, args=(theirs, self._stale), daemon=True, name="tabletop-worker")
        self._process.start()
        theirs.close()
        self._post("battle", self._battle)

    def _received(self, ticket: int, answer: Answer) -> list[tuple[Hashable, Answer]]:
        """Return an answer with its key; nothing for a dropped request."""
        self._lives = LIVES
        request = self._held.pop(ticket)
        if ticket in self._dropped:
            self._dropped.remove(ticket)
            return []
        return [(request.key, answer)]

    def _dismiss(self) -> None:
        if self._process.is_alive():
            self._process.terminate()
        self._pipe.close()

    def _replaced(self) -> list[tuple[Hashable, Answer]]:
        """Start a new process after the old one has died; return the answer to the request it died on.

        Requests it had not begun wait again.
        """
        self._dismiss()
        requests = [None if ticket in self._dropped else request for ticket, request in self._held.items()]
        self._held, self._dropped = {}, set()
        for request in filter(None, reversed(requests[1:])):
            self._waiting.put_back(request)
        self._lives -= 1
        if self._lives:
            self._start_process()
        return [(e.key, f"the judge's process ended over '{e.question}'; a new one goes on") for e in requests[:1] if e]

    def _given_up(self) -> list[tuple[Hashable, Answer]]:
        """Return an error for every request, after too many processes have died without an answer."""
        answers: list[tuple[Hashable, Answer]] = []
        while (request := self._waiting.next()) is not None:
            answers.append(
                (request.key, f"no judge for '{request.question}': its process ended {LIVES} times in a row")
            )
        return answers

    def _recall(self, rank: int, keys: set[Hashable]) -> None:
        """Take back requests handed over but not begun that rank lower than new ones and have none of their keys."""
        for ticket in reversed(list(self._held)[1:]):
            request = self._held[ticket]
            if request.rank > rank and request.key not in keys and ticket not in self._dropped:
                self._drop(ticket)
                self._waiting.put_back(request)

    def _drop(self, ticket: int) -> None:
        self._dropped.add(ticket)
        self._stale[ticket % HELD] = ticket

    def _send(self) -> None:
        """Send as many requests as may be held in one message, as the system may suspend the sender after each one."""
        sent: list[tuple[int, JudgeRequest]] = []
        while self._lives and len(self._held) + len(sent) < HELD:
            if (request := self._waiting.next(self._is_due)) is None:
                break
            sent.append((self._ticket + len(sent) + 1, request))
            if request.rest:
                self._sent_at[request.key] = time.monotonic()
        if not sent:
            return
        if self._post("ask", sent):
            self._held |= dict(sent)
            self._ticket += len(sent)
            return
        for _, request in reversed(sent):
            self._waiting.put_back(request)

    def _is_due(self, request: JudgeRequest) -> bool:
        """Return whether a request has waited long enough since the last one of its key."""
        return not request.rest or time.monotonic() - self._sent_at.get(request.key, -math.inf) >= request.rest

    def _post(self, word: str, load: Any) -> bool:
        """Send a message to the process; return False if it has died. ``take`` then starts a new one."""
        try:
            self._pipe.send((word, load))
        except OSError:
            return False
        return True


def _serve(pipe: Connection, stale: Any) -> None:
    """Run a worker: keep the battle, answer requests until the message "go"."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the window handles Ctrl+C and ends its workers
    lower_priority()
    fast.begin()
    battle: Battle | None = None
    while True:
        try:
            word, load = pipe.recv()
        except (EOFError, OSError):
            return
        if word == "go":
            return
        if word == "battle":
            battle = load
        elif word == "stands" and battle is not None:
            battle = unpacked(load, battle.table, battle)
        elif word == "unit" and battle is not None:
            battle = battle.with_unit(load)
        elif word == "ask" and battle is not None:
            for ticket, request in load:
                _report(pipe, battle, ticket, request, stale)


def lower_priority() -> None:
    """Lower the priority of this process so that the window, for which it works, gets the processor first."""
    getattr(os, "nice", int)(BEHIND)


def _report(pipe: Connection, battle: Battle, ticket: int, request: JudgeRequest, stale: Any) -> None:
    """Send the answer to a request; None for a dropped one."""

    def dropped() -> bool:
        return bool(stale[ticket % HELD] == ticket)

    answer = None if dropped() else _calmly(battle, request, should_stop=dropped)
    pipe.send((ticket, answer))


def _calmly(battle: Battle, request: JudgeRequest, **more: Any) -> Answer:
    try:
        return request.answered(battle, **more)
    except Exception as error:  # the window must go on: report it and keep the battle
        return f"the judge failed on '{request.question}': {type(error).__name__}: {error}"
