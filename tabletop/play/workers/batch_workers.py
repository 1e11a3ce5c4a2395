"""A batch on several processors: worker processes answer its lines, and the answers come in the order of the lines.

A batch begins in the caller's own process, and a small one ends there: workers are started only when it has gone on for
a while. A worker is sent a few lines at a time and returns its answers one by one, so that if it dies, the line it died
on is known; that line is answered with an error, and the lines it had not begun are handed out again.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import signal
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from tabletop.play.batch import USUAL, Scenes, answered

#: Lines handed to a worker at a time.
CHUNK = 8
#: The most answers that may wait for a slow line before them.
AHEAD = 4096
#: Seconds a batch goes on in the caller's process before workers are started.
PATIENCE = 0.5
#: After this many workers have died before they were ready, no further one is started.
LIVES = 3
_DIED = json.dumps({"error": "the process that judged this line ended without an answer; the others went on"})

Numbered = tuple[int, bytes]


def answers_at_once(
    lines: Iterable[bytes],
    folder: Path,
    jobs: int,
    patience: float = PATIENCE,
    chunk: int = CHUNK,
    usual: Mapping[str, Any] = USUAL,
) -> Iterator[str]:
    """Yield the same answers as ``batch.answers``, in the same order, computed by up to ``jobs`` processes."""
    crew = Crew(folder, jobs, chunk, enumerate(line for line in lines if line.strip()), usual)
    until = time.monotonic() + patience
    while not crew.done and (jobs < 2 or time.monotonic() < until):
        crew.answer_here()
        yield from crew.next_answers()
    try:
        while not crew.done:
            crew.work()
            yield from crew.next_answers()
    finally:
        crew.dismiss()


@dataclass(eq=False)
class Worker:
    """A process that answers lines, and the lines it was sent."""

    process: SpawnProcess
    pipe: Connection
    ready: bool = False
    held: deque[Numbered] = field(default_factory=deque)

    @classmethod
    def started(cls, folder: Path, usual: Mapping[str, Any] = USUAL) -> Worker:
        """Start a process, which sends a message when it is ready."""
        context = multiprocessing.get_context("spawn")
        pipe, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, folder, usual), daemon=True, name="tabletop-judge")
        with interrupts_ignored():
            process.start()
        theirs.close()
        return cls(process, pipe)

    def dismiss(self) -> None:
        self.process.terminate()
        self.process.join()
        self.pipe.close()


@dataclass(eq=False)
class Crew:
    """The lines of a batch, the workers that answer them, and the answers not yet yielded.

    ``next_line`` is the number of the first answer to be yielded; ``lost_a_line`` is True once a worker died on a line.
    """

    folder: Path
    jobs: int
    chunk: int
    lines: Iterator[Numbered]
    usual: Mapping[str, Any] = field(default_factory=lambda: USUAL)
    waiting: deque[Numbered] = field(default_factory=deque)
    workers: list[Worker] = field(default_factory=list)
    answers: dict[int, str] = field(default_factory=dict)
    next_line: int = 0
    lives: int = LIVES
    lost_a_line: bool = False

    def __post_init__(self) -> None:
        self.scenes = Scenes(self.folder, self.usual)

    @property
    def done(self) -> bool:
        """True when every line is answered and every answer yielded."""
        return not (self.waiting or self.answers or any(w.held for w in self.workers) or self._read(1))

    def next_answers(self) -> Iterator[str]:
        """Yield the answers that are ready and next in order."""
        while self.next_line in self.answers:
            yield self.answers.pop(self.next_line)
            self.next_line += 1

    def answer_here(self) -> None:
        """Answer the next line in this process."""
        if self._read(1):
            number, line = self.waiting.popleft()
            self.answers[number] = answered(line, self.scenes)

    def work(self) -> None:
        """Hand out lines and take answers; while workers are being started, answer a line here.

        Once a line has killed a worker, none is answered here, lest another such line kills this process.
        """
        self._start_workers()
        for worker in list(self.workers):
            if worker.ready and not worker.held and self._room and self._read(1):
                self._hand_out(worker)
        in_process = not self.workers or (not self.lost_a_line and not all(worker.ready for worker in self.workers))
        if in_process:
            self.answer_here()
        awaited = [worker.pipe for worker in self.workers if worker.held or not worker.ready]
        answering = wait(awaited, 0.0 if in_process and self.waiting else None) if awaited else []
        for worker in [w for w in self.workers if w.pipe in answering]:
            self._take(worker)

    def dismiss(self) -> None:
        """End every worker, whatever it is doing."""
        for worker in self.workers:
            worker.dismiss()

    @property
    def _room(self) -> bool:
        """True while few enough answers wait for an earlier one; the line they wait for may always be handed out."""
        return len(self.answers) < AHEAD or bool(self.waiting and self.waiting[0][0] == self.next_line)

    def _read(self, most: int) -> int:
        """Return the number of waiting lines, after reading more until there are ``most``."""
        while len(self.waiting) < most and (line := next(self.lines, None)) is not None:
            self.waiting.append(line)
        return len(self.waiting)

    def _start_workers(self) -> None:
        """Start as many workers as the waiting lines need."""
        with contextlib.suppress(OSError):  # if no process can be started, the batch goes on here
            while len(self.workers) < self.jobs and self.lives > 0 and self._read(self.jobs * self.chunk):
                if len(self.waiting) <= self.chunk * sum(not worker.ready for worker in self.workers):
                    return
                self.workers.append(Worker.started(self.folder, self.usual))

    def _hand_out(self, worker: Worker) -> None:
        lines = [self.waiting.popleft() for _ in range(min(self.chunk, self._read(self.chunk)))]
        try:
            worker.pipe.send(lines)
            worker.held.extend(lines)
        except OSError:  # it died before it received them, so none has been begun
            self.waiting.extendleft(reversed(lines))
            self._remove_dead(worker)

    def _take(self, worker: Worker) -> None:
        """Receive a worker's message: that it is ready, or the answer to the first line it holds."""
        try:
            answer = worker.pipe.recv()
        except (EOFError, OSError):
            self._remove_dead(worker)
            return
        if worker.ready:
            self.answers[worker.held.popleft()[0]] = answer
        worker.ready = True

    def _remove_dead(self, worker: Worker) -> None:
        """Remove a dead worker, answer the line it died on with an error, and put back the lines not begun."""
        self.lives -= not worker.ready
        self.workers.remove(worker)
        worker.dismiss()
        if worker.held:
            self.lost_a_line = True
            self.answers[worker.held.popleft()[0]] = _DIED
        self.waiting.extendleft(reversed(worker.held))


@contextlib.contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl+C in processes started meanwhile, as the caller handles it and ends the workers."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _serve(pipe: Connection, folder: Path, usual: Mapping[str, Any]) -> None:
    """Run a worker: send "ready", then answer lines until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    scenes = Scenes(folder, usual)
    with contextlib.suppress(EOFError, OSError):
        pipe.send("ready")
        while True:
            for _, line in pipe.recv():
                pipe.send(answered(line, scenes))
