"""Games on the processors of this machine, through joblib: told as they are finished, ended when nobody listens."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence

from tabletop.errors import TabletopError
from tabletop.play.simulate.game import Game, Result, play

#: Games handed out beforehand, for each process: none waits for the next one.
AHEAD = 2


class Ended(TabletopError):
    """Those who played are gone before all games were played; the text says how."""


def processors() -> int:
    """Return how many processors this process may use."""
    import joblib

    return int(joblib.cpu_count())


def played_here(games: Sequence[Game], jobs: int) -> Iterator[Result]:
    """Yield what came of the games as they are finished, played in up to ``jobs`` processes (1: in this one).

    Closing the iterator ends the processes, whatever they do. Ended when one of them died: no game's own error does
    that.
    """
    processes = min(jobs, len(games))
    if processes <= 1:
        yield from map(play, games)
        return
    from joblib.externals.loky.process_executor import BrokenProcessPool

    try:
        yield from _in_processes(games, processes)
    except BrokenProcessPool as error:
        text = "a process that played ended all at once (was there too little memory? try fewer: --jobs 1)"
        raise Ended(text) from error


def _in_processes(games: Sequence[Game], processes: int) -> Iterator[Result]:
    import joblib

    parallel = joblib.Parallel(
        n_jobs=processes,
        backend="loky",
        return_as="generator_unordered",
        batch_size=1,
        pre_dispatch=AHEAD * processes,
        initializer=_ready,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that not all was waited for is meant
        with contextlib.closing(parallel(map(joblib.delayed(play), games))) as results:
            yield from results


def _ready() -> None:
    """Prepare a process: Ctrl+C is for the caller, who ends it; remarks to programmers are no words for a player."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not sys.warnoptions and not os.environ.get("TABLETOP_DEBUG"):
        warnings.simplefilter("ignore")
