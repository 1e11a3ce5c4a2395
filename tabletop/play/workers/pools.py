"""Pools of processes that work for the program: they end when it ends, however that is, and at once when told to."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor

#: How long the thread that keeps a pool is waited for at its end, in seconds.
PARTING = 2.0


def follow_parent() -> None:
    """Let this process end when the one that started it has ended, and leave Ctrl+C to that; for a pool's initializer.

    A pool's worker would wait for ever for work from a process that was killed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="follow", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def stop(pool: ProcessPoolExecutor) -> None:
    """End a pool and what it is working at, which may take seconds more."""
    keeper = getattr(pool, "_executor_manager_thread", None)
    processes = set(getattr(pool, "_processes", None) or {})
    pool.shutdown(wait=False, cancel_futures=True)
    for process in multiprocessing.active_children():
        if process.pid in processes:
            process.terminate()
    if keeper is not None:  # Python, when it ends, would write to a pipe that this thread is about to close
        keeper.join(PARTING)
