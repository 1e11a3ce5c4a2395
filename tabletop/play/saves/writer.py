"""Writing a game at once, or on a separate thread so that the window does not wait for the disk.

Jobs run one after another, and a new one is accepted only when the last one has ended, so that a program that is killed
loses one action at most. A program that ends normally first finishes the job under way.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from tabletop.errors import Unsaved

Job = Callable[[], None]


class Writer:
    """Runs the jobs that write a game, in order: at once, or on a separate thread after ``go_apart``."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._under_way: Future[None] | None = None
        self._trouble: str | None = None
        self._end_reported = True

    def go_apart(self) -> None:
        """Write on a separate thread from now on."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "tabletop-writer")

    def put(self, job: Job) -> None:
        """Run a job, or hand it to the thread, once the job before it has ended.

        If it raises Unsaved, that becomes the ``trouble``; any other error is raised here, or by the next ``wait``.
        """
        try:
            self.wait()
        finally:  # even if the last job failed, this one must run
            self._trouble, self._end_reported = None, False
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
        """Why the last job could not write, None if it could; waits until that is known."""
        self.wait()
        return self._trouble

    def wait(self) -> None:
        """Wait until the last job has ended, successfully or not."""
        last, self._under_way = self._under_way, None
        if last is not None:
            last.result()

    def forget(self) -> None:
        """Clear the ``trouble``, as everything has been written in another way."""
        self._trouble = None

    def ended(self) -> bool:
        """Return True once after the last job has ended, and False at all other times."""
        if self._end_reported or self.busy:
            return False
        self._end_reported = True
        self.wait()
        return True

    def close(self) -> None:
        """Wait for the job under way and end the thread; later jobs run at once."""
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
