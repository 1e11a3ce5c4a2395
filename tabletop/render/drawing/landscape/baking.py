"""Paints a table in a process of its own, so that the window does not wait: first coarse, then fine."""

from __future__ import annotations

import multiprocessing
import os
import threading
from contextlib import suppress
from multiprocessing.connection import Connection

from tabletop.geometry.terrain import Table
from tabletop.render.drawing.landscape import store

#: How much the priority of the painting process is lowered, and seconds between two checks on it.
NICER, GLANCE = 10, 0.1


class Baker:
    """Has the painting of one table made; ``done`` counts the finished paintings, so that views notice a new one."""

    def __init__(self) -> None:
        self.done = 0
        self._for = ""
        self._stop = threading.Event()

    def want(self, table: Table) -> None:
        """Start painting a table and stop painting another; a painting under way is not started again."""
        wanted = store.digest(table)
        if wanted == self._for:
            return
        self._stop.set()
        self._for, self._stop = wanted, threading.Event()
        threading.Thread(target=self._run, args=(table, self._stop), daemon=True, name="tabletop-painting").start()

    def close(self) -> None:
        """Stop painting."""
        self._stop.set()

    def _run(self, table: Table, stop: threading.Event) -> None:
        for density in (store.COARSE, store.FINE):
            if not store.kept(table, density):
                jpeg = _made_elsewhere(table, density, stop)
                if jpeg is None:
                    return
                store.keep(table, density, jpeg)
            if stop.is_set():
                return
            self.done += 1


def _made_elsewhere(table: Table, density: float, stop: threading.Event) -> bytes | None:
    """Return a painting as a file, made by another process; None if that was stopped, or ended without a result."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_bake, args=(table, density, theirs), daemon=True, name="tabletop-painting")
    process.start()
    theirs.close()
    try:
        while not ours.poll(GLANCE):
            if stop.is_set():
                process.terminate()
                return None
        return ours.recv_bytes()
    except (EOFError, OSError):
        return None
    finally:
        ours.close()


def _bake(table: Table, density: float, pipe: Connection) -> None:
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(NICER)
    with suppress(KeyboardInterrupt, BrokenPipeError):
        pipe.send_bytes(store.made(table, density))
    pipe.close()
