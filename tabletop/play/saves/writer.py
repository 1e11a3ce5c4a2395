"""Who writes a game: whoever plays it, or a thread of its own, so that nobody at a window waits for the disk.

One thing is written after the other, and nothing is taken on before what was handed over last has ended: a program that
is killed has lost one action at most. A program that ends by itself first ends what is under way.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from tabletop.errors import Unsaved

Job = Callable[[], None]


class Writer:
    """Does what writes a game, in order: at once, or on a thread of its own after ``go_apart``."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._under_way: Future[None] | None = None
        self._trouble: str | None = None
        self._told = True

    def go_apart(self) -> None:
        """Write on a thread of its own from now on."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "tabletop-writer")

    def put(self, job: Job) -> None:
        """Do something that writes the game, or have it done, once what was handed over before has ended.

        If it raises Unsaved, that becomes the ``trouble``; any other error is raised here, or by the next ``wait``.
        """
        try:
            self.wait()
        finally:  # whatever became of the last one, this one is not lost
            self._trouble, self._told = None, False
            if self._thread is None:
                self._note(job)
            else:
                self._under_way = self._thread.submit(self._note, job)

    @property
    def busy(self) -> bool:
        """Whether something is still being written."""
        return self._under_way is not None and not self._under_way.done()

    @property
    def trouble(self) -> str | None:
        """Why what was handed over last could not be written, None if it was; waits until that is known."""
        self.wait()
        return self._trouble

    def wait(self) -> None:
        """Wait until everything handed over has been written, or could not be."""
        last, self._under_way = self._under_way, None
        if last is not None:
            last.result()

    def forget(self) -> None:
        """Forget what went wrong: all has been written in another way."""
        self._trouble = None

    def ended(self) -> bool:
        """Return, once for what was handed over last, that it has ended."""
        if self._told or self.busy:
            return False
        self._told = True
        self.wait()
        return True

    def close(self) -> None:
        """Wait for what is being written and end the thread; what comes later is written at once."""
        thread, self._thread = self._thread, None
        try:
            self.wait()
        finally:
            if thread is not None:
                thread.shutdown()

    def _note(self, job: Job) -> None:
        try:
            job()
        except Unsaved as lack:
            self._trouble = str(lack)
