"""Games on the processors of other machines: the workers of a Dask scheduler, each checked before it is given a game.

A worker that lacks this program, or has another version, would fail or hang without anything in a log, or play other
games from the same seeds, so it is refused by name. So is a worker that does not answer.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import platform
import queue
import re
import sys
import threading
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tabletop.errors import BadQuestion, Broken, TabletopError
from tabletop.play.simulate.game import Failed, Game, Result, play
from tabletop.version import __version__

if TYPE_CHECKING:
    from distributed import Client, Future

#: Seconds within which a scheduler must answer, and a worker, which must first load the whole program.
ANSWERS, LOADS = 10.0, 30.0
#: Seconds between checks whether any worker is left; how many checks in a row may find none.
LOOKS, MISSED = 2.0, 5
#: Workers that are probed at a time.
ASKED = 32
#: Games handed out beforehand, for each worker.
AHEAD = 2
_ADDRESS = re.compile(r"(tcp|tls|ws|wss)://[^\s/]+:\d+\Z")
#: Expressions that any Python can evaluate, so that a worker without this program can answer too.
_VERSION = "getattr(__import__('tabletop'), '__version__', None)"
_PROBE = "__import__('tabletop.play.simulate.cluster', fromlist=['probe']).probe()"

Answer = TypeVar("Answer")


class Deserted(TabletopError):
    """Raised if no worker is left to play the unfinished games; the text says what is gone."""


# --- what a worker does ----------------------------------------------------------------------------------------------

#: Games are played one at a time in a process, however many threads the worker has.
_TABLE = threading.Lock()
#: The cancelled matches.
_OFF = set[str]()


def probe() -> dict[str, str]:
    """Return what must be the same in every process: the program's version and files, and the Python version."""
    return {"tabletop": __version__, "files": _files(), "Python": ".".join(platform.python_version_tuple()[:2])}


@cache
def _files() -> str:
    """Return the hash of all files of the program, to distinguish copies with the same version number.

    Maps, armies and scenarios are left out, since a game brings its own.
    """
    package, digest = Path(__file__).parents[2], hashlib.sha256()
    files = (p for p in package.rglob("*") if p.suffix in (".py", ".yaml", ".toml") and "_data" not in p.parts)
    for path in sorted(files):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def play_there(match: str, game: Game) -> Result:
    """Play a game in a worker; stop if the match is cancelled."""
    with _TABLE:
        return play(game, lambda: match not in _OFF)


def call_off(match: str) -> None:
    """Stop the games of a match that are being played in this process."""
    _OFF.add(match)


# --- what the caller does --------------------------------------------------------------------------------------------


@contextlib.contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """Give the cluster of the scheduler at ``address`` ("tcp://host:port") after checking every worker of it.

    Raises BadQuestion if nothing answers there or a worker is refused, Broken without the extra ``cluster``.
    """
    if not _ADDRESS.match(address):
        raise BadQuestion(f"--scheduler {address} is no address; give one such as tcp://192.168.0.10:8786")
    client = _client(address)
    try:
        yield Cluster(client, _workers(client, address))
    finally:
        with contextlib.suppress(Exception):
            client.close(timeout=2)


def _workers(client: Client, address: str) -> tuple[str, ...]:
    """Return the addresses of the workers; BadQuestion if there are none, or with a line for each one refused."""
    try:
        names = _names(client)
    except (OSError, TimeoutError) as error:
        raise BadQuestion(f"the scheduler at {address} gives no answer ({error}); start it again") from error
    if not names:
        raise BadQuestion(f"the scheduler at {address} has no workers; start some: dask worker {address}")
    probes, own = _answers(client, sorted(names)), probe()
    lacks = {worker: lack for worker in probes if (lack := _lack(probes[worker], own)) is not None}
    if lacks:
        raise BadQuestion("\ntabletop: ".join(f"worker {names[worker]} {lack}" for worker, lack in lacks.items()))
    return tuple(probes)


class Cluster:
    """The workers that were checked; workers that join later get no games."""

    def __init__(self, client: Client, workers: tuple[str, ...]) -> None:
        self.workers = workers
        self._client = client
        self._done: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()

    def played(self, games: Sequence[Game]) -> Iterator[Result]:
        """Yield the results of the games as they finish; closing the iterator cancels the others.

        Raises Deserted if all workers, or the scheduler, are gone.
        """
        match, waiting = uuid.uuid4().hex, iter(games)
        out: dict[Future[Any], Game] = {}
        try:
            self._hand_out(match, waiting, out, AHEAD * len(self.workers))
            while out:
                future = self._next()
                yield self._result(future, out.pop(future))
                self._hand_out(match, waiting, out, 1)
        finally:
            if out:
                self._call_off(match, list(out))

    def _hand_out(self, match: str, waiting: Iterator[Game], out: dict[Future[Any], Game], many: int) -> None:
        for _, game in zip(range(many), waiting, strict=False):
            key = f"tabletop-{match}-{game.number}"
            future = self._client.submit(play_there, match, game, key=key, workers=list(self.workers), pure=False)
            out[future] = game
            future.add_done_callback(self._done.put)

    def _next(self) -> Future[Any]:
        """Return the next finished future, checking from time to time whether any worker is left."""
        missed = 0
        while True:
            with contextlib.suppress(queue.Empty):
                return self._done.get(timeout=LOOKS)
            missed = 0 if self._any_left() else missed + 1
            if missed >= MISSED:
                raise Deserted("all workers of the cluster are gone")

    def _any_left(self) -> bool:
        try:
            return not set(self.workers).isdisjoint(_within(ANSWERS, self._client.nthreads))
        except Exception:
            return False

    def _result(self, future: Future[Any], game: Game) -> Result:
        if future.status == "cancelled":
            raise Deserted("the scheduler of the cluster is gone")
        error = future.exception() if future.status == "error" else None
        if error is None:
            result: Result = future.result()
            return result
        error_text = f"{type(error).__name__}: {error}"  # errors of a game are results, so here its worker has ended
        return Failed(game.number, game.seed, game.players, 0, " ".join(error_text.split())[:300], error_text)

    def _call_off(self, match: str, futures: list[Future[Any]]) -> None:
        with contextlib.suppress(Exception):
            self._client.cancel(futures, force=True)
            _within(ANSWERS, lambda: self._client.run(call_off, match, workers=list(self.workers)))


def _client(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError as error:
        cure = f'"{sys.executable}" -m pip install dask distributed'
        raise Broken(f"games on a cluster need the extra 'cluster' ({error}): {cure}") from None
    for name in ("tornado", "asyncio", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # we report an error ourselves, once
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _within(ANSWERS + 1, lambda: Client(address, timeout=ANSWERS, set_as_default=False, name="tabletop"))
    except (OSError, ValueError) as error:  # including a time-out
        cure = "start one (dask scheduler), or check the address"
        raise BadQuestion(f"no Dask scheduler answers at {address}; {cure}") from error


def _within(seconds: float, ask: Callable[[], Answer]) -> Answer:
    """Return the answer of ``ask``; TimeoutError if it takes longer than ``seconds``."""
    answers: queue.SimpleQueue[tuple[Answer | None, Exception | None]] = queue.SimpleQueue()

    def asking() -> None:
        try:
            answers.put((ask(), None))
        except Exception as error:
            answers.put((None, error))

    threading.Thread(target=asking, daemon=True).start()
    try:
        answer, error = answers.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError(f"no answer for {seconds:g} s") from None
    if error is not None:
        raise error
    return answer  # type: ignore[return-value]


def _names(client: Client) -> dict[str, str]:
    """Return what messages call each worker: its address, after its name if it has one."""
    workers = _within(ANSWERS, lambda: client.scheduler_info(n_workers=-1))["workers"]
    named = {worker: str(info.get("name", worker)) for worker, info in workers.items()}
    return {worker: worker if name == worker else f"'{name}' ({worker})" for worker, name in named.items()}


def _answers(client: Client, workers: Sequence[str]) -> dict[str, Any]:
    """Return each worker's probe, version or error, asking many at once."""
    with ThreadPoolExecutor(ASKED) as several:
        return dict(zip(workers, several.map(lambda worker: _answer(client, worker), workers), strict=True))


def _answer(client: Client, worker: str) -> Any:
    try:
        version = _ask(client, worker, _VERSION)
        if version is None:  # only a folder of that name
            return None
        return _ask(client, worker, _PROBE) if version == __version__ else {"tabletop": version}
    except Exception as error:
        return error


def _ask(client: Client, worker: str, expression: str) -> Any:
    return _within(LOADS, lambda: client.run(eval, expression, workers=[worker])[worker])


def _lack(theirs: Any, own: Mapping[str, str]) -> str | None:
    """Return why a worker with this probe is refused; None if it is accepted."""
    if isinstance(theirs, TimeoutError):
        return f"gives {theirs}; end it, and start it again"
    if theirs is None or (isinstance(theirs, ModuleNotFoundError) and theirs.name == "tabletop"):
        return f"has no tabletop; install tabletop {__version__} there, in the Python that runs dask worker"
    if isinstance(theirs, Exception):
        return f"cannot load tabletop: {' '.join(str(theirs).split())[:200]}; mend it there (tabletop doctor)"
    if theirs["tabletop"] != own["tabletop"]:
        return f"has tabletop {theirs['tabletop']}, here it is {own['tabletop']}; install the same there"
    differing = [key for key in own if theirs.get(key) != own[key]]
    if differing == ["files"]:
        return f"has another tabletop {__version__} (its files differ); install the same there, and start it again"
    if differing:
        return f"runs Python {theirs['Python']}, here it is {own['Python']}; start it with the same"
    return None
