"""Games on the processors of this machine, through joblib: yielded as they finish, and stopped with the iterator."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence

from tabletop.geometry import fast
from tabletop.play.simulate.game import Failed, Game, Result, play
from tabletop.play.workers.batch_workers import interrupts_ignored

Task = Callable[[Game], Result]
#: Games handed out beforehand for each process, so that none waits for its next one.
AHEAD = 2
#: Seconds without a game after which a process ends itself, in case its caller is gone.
IDLE = 20
DIED = "the process that played it ended all at once (was there too little memory?)"


def processors() -> int:
    """Return the number of processors this process may use."""
    import joblib

    return int(joblib.cpu_count())


def played_here(games: Sequence[Game], jobs: int, task: Task = play) -> Iterator[Result]:
    """Yield the results of the games as they finish, played in up to ``jobs`` processes (1: in this one).

    Closing the iterator ends the processes, whatever they are doing. If one of them dies, the games that may have
    caused it are played last, each alone; a game that ends its process again has failed.
    """
    processes = min(jobs, len(games))
    if processes <= 1:
        yield from map(task, games)
        return
    from joblib.externals.loky.process_executor import BrokenProcessPool

    unplayed, suspects = {game.number: game for game in games}, list[Game]()
    while unplayed:
        try:
            for result in _in_processes(list(unplayed.values()), processes, task):
                del unplayed[result.number]
                yield result
        except BrokenProcessPool:
            suspects += [unplayed.pop(number) for number in list(unplayed)[: AHEAD * processes]]
    for game in suspects:
        try:
            yield from _in_processes([game], processes, task)
        except BrokenProcessPool as error:
            yield Failed(game.number, game.seed, game.players, 0, DIED, str(error))


def _in_processes(games: Sequence[Game], processes: int, task: Task) -> Iterator[Result]:
    import joblib

    parallel = joblib.Parallel(
        n_jobs=processes,
        backend="loky",
        return_as="generator_unordered",
        batch_size=1,
        pre_dispatch=AHEAD * processes,
        idle_worker_timeout=IDLE,
        initializer=_ready,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # joblib warns if the iterator is closed early, which is intended
        with interrupts_ignored():
            results = parallel(map(joblib.delayed(task), games))
        with contextlib.closing(results):
            yield from results


def _ready() -> None:
    """Prepare a process: ignore Ctrl+C, which is for the caller, and hide warnings that are for programmers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    fast.begin()
    if not sys.warnoptions and not os.environ.get("TABLETOP_DEBUG"):
        warnings.simplefilter("ignore")
