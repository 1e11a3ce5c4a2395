"""Background jobs of a screen, such as reading files and painting pictures, while it keeps being drawn."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Hashable
from typing import Any, Generic, Protocol, TypeVar

Job = Callable[[], Any]
Key = TypeVar("Key", bound=Hashable)


class AnyJobs(Protocol[Key]):
    """Does jobs in the order given; the result of each is fetched with its key."""

    def ask(self, key: Key, job: Job, first: bool = False) -> None: ...
    def take(self) -> list[tuple[Key, Any]]: ...
    @property
    def busy(self) -> bool: ...
    def close(self) -> None: ...


class InlineJobs(Generic[Key]):
    """Does one job each time results are fetched (for tests and pictures)."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Key, Job]] = deque()

    def ask(self, key: Key, job: Job, first: bool = False) -> None:
        """Add a job, at the front of the queue if ``first``."""
        (self._waiting.appendleft if first else self._waiting.append)((key, job))

    def take(self) -> list[tuple[Key, Any]]:
        """Do the next job and return its result: a value, or the error raised."""
        if not self._waiting:
            return []
        key, job = self._waiting.popleft()
        return [(key, _done(job))]

    @property
    def busy(self) -> bool:
        """True while a job is not done yet."""
        return bool(self._waiting)

    def close(self) -> None:
        """Drop the remaining jobs."""
        self._waiting.clear()


class BackgroundJobs(Generic[Key]):
    """Does jobs in a thread of its own."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Key, Job]] = deque()
        self._done: deque[tuple[Key, Any]] = deque()
        self._given = threading.Semaphore(0)
        self._open, self._out = True, 0
        self._thread: threading.Thread | None = None

    def ask(self, key: Key, job: Job, first: bool = False) -> None:
        """Add a job, at the front of the queue if ``first``."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="background jobs", daemon=True)
            self._thread.start()
        self._out += 1
        (self._waiting.appendleft if first else self._waiting.append)((key, job))
        self._given.release()

    def take(self) -> list[tuple[Key, Any]]:
        """Return the results since the last call: values, or the errors raised."""
        results = []
        while self._done:
            results.append(self._done.popleft())
        self._out -= len(results)
        return results

    @property
    def busy(self) -> bool:
        """True while a job is not done yet."""
        return self._out > 0

    def close(self) -> None:
        """Drop the remaining jobs and wait for the present one, so that nothing is drawn after the end."""
        self._open = False
        self._waiting.clear()
        self._given.release()
        if self._thread is not None:
            self._thread.join(5.0)

    def _work(self) -> None:
        while self._open:
            self._given.acquire()
            try:
                key, job = self._waiting.popleft()
            except IndexError:
                continue
            self._done.append((key, _done(job)))


def _done(job: Job) -> Any:
    try:
        return job()
    except Exception as error:  # passed on as the job's result
        return error
