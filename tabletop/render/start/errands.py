"""Errands done beside the screen: files read and pictures painted while it goes on being drawn."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Hashable
from typing import Any, Generic, Protocol, TypeVar

Errand = Callable[[], Any]
Key = TypeVar("Key", bound=Hashable)


class AnyPorter(Protocol[Key]):
    """Somebody who does errands in the order they are given; what came of one is fetched under its key."""

    def ask(self, key: Key, errand: Errand, first: bool = False) -> None: ...
    def take(self) -> list[tuple[Key, Any]]: ...
    @property
    def busy(self) -> bool: ...
    def close(self) -> None: ...


class InlinePorter(Generic[Key]):
    """Does one errand each time he is asked for what is done (tests, pictures of the screens)."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Key, Errand]] = deque()

    def ask(self, key: Key, errand: Errand, first: bool = False) -> None:
        """Give him an errand."""
        (self._waiting.appendleft if first else self._waiting.append)((key, errand))

    def take(self) -> list[tuple[Key, Any]]:
        """Return what came of errands since last asked: a value, or the error met."""
        if not self._waiting:
            return []
        key, errand = self._waiting.popleft()
        return [(key, _done(errand))]

    @property
    def busy(self) -> bool:
        """True while something is not done yet."""
        return bool(self._waiting)

    def close(self) -> None:
        """Leave the rest undone."""
        self._waiting.clear()


class Porter(Generic[Key]):
    """Does errands in a thread of his own."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Key, Errand]] = deque()
        self._done: deque[tuple[Key, Any]] = deque()
        self._given = threading.Semaphore(0)
        self._open, self._out = True, 0
        self._thread: threading.Thread | None = None

    def ask(self, key: Key, errand: Errand, first: bool = False) -> None:
        """Give him an errand."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="porter", daemon=True)
            self._thread.start()
        self._out += 1
        (self._waiting.appendleft if first else self._waiting.append)((key, errand))
        self._given.release()

    def take(self) -> list[tuple[Key, Any]]:
        """Return what came of errands since last asked: a value, or the error met."""
        found = []
        while self._done:
            found.append(self._done.popleft())
        self._out -= len(found)
        return found

    @property
    def busy(self) -> bool:
        """True while something is not done yet."""
        return self._out > 0

    def close(self) -> None:
        """Leave the rest undone; the errand he is on is waited for, so that nothing is drawn after the end."""
        self._open = False
        self._waiting.clear()
        self._given.release()
        if self._thread is not None:
            self._thread.join(5.0)

    def _work(self) -> None:
        while self._open:
            self._given.acquire()
            try:
                key, errand = self._waiting.popleft()
            except IndexError:
                continue
            self._done.append((key, _done(errand)))


def _done(errand: Errand) -> Any:
    try:
        return errand()
    except Exception as error:  # whoever asked is told
        return error
