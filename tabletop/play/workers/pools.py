"""Pools of worker processes, which end when the program ends, however it ends, and can be stopped at once."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor

#: How long to wait for the end of the thread that manages a pool, in seconds.
PARTING = 2.0


def follow_parent() -> None:
    """End this process when its parent has ended, and leave Ctrl+C to the parent; for a pool's initializer.

    Otherwise a pool's worker would wait for ever for work from a process that was killed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="follow", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def stop(pool: ProcessPoolExecutor) -> None:
    """Stop a pool at once, together with its work under way, which might take seconds more."""
    keeper = getattr(pool, "_executor_manager_thread", None)
    processes = set(getattr(pool, "_processes", None) or {})
    pool.shutdown(wait=False, cancel_futures=True)
    for process in multiprocessing.active_children():
        if process.pid in processes:
            process.terminate()
    if keeper is not None:  # otherwise Python, at exit, would write to a pipe that this thread is closing
        keeper.join(PARTING)
