"""Games on a Dask cluster: the same as here, and a worker that will not do is refused by name, never waited for."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tabletop import __version__, cli
from tabletop.errors import BadQuestion, Broken
from tabletop.play.files.load import load_scene
from tabletop.play.match import named
from tabletop.play.simulate import cluster
from tabletop.play.simulate.crew import played_here
from tabletop.play.simulate.figures import result_hash
from tabletop.play.simulate.game import Game, Played, Result, games, opening_text, with_an_end

ROOT = Path(__file__).parents[2]
SKIRMISH = ROOT / "scenarios/tse/skirmish.yaml"
needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="needs the extra 'cluster' (dask, distributed)"
)
OWN = cluster.probe()


def todo(many: int) -> tuple[Game, ...]:
    battle = with_an_end(load_scene(SKIRMISH), None)
    return games(opening_text(battle), named(battle, "random,random"), many)


# --- without a cluster -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "lack"),
    [
        (OWN, None),
        (None, "has no tabletop"),
        (ModuleNotFoundError("No module named 'tabletop'", name="tabletop"), "has no tabletop"),
        (
            ModuleNotFoundError("No module named 'shapely'", name="shapely"),
            "cannot load tabletop: No module named 'sha",
        ),
        (TimeoutError("no answer for 30 s"), "gives no answer for 30 s; end it"),
        ({"tabletop": "0.0.9"}, f"has tabletop 0.0.9, here it is {__version__}"),
        ({**OWN, "files": "0"}, "its files differ"),
        ({**OWN, "Python": "3.99"}, f"runs Python 3.99, here it is {OWN['Python']}"),
        ({**OWN, "Python": "3.99", "files": "0"}, "runs Python 3.99"),
    ],
)
def test_what_a_worker_says_of_itself(found: object, lack: str | None) -> None:
    said = cluster._lack(found, OWN)
    assert (said is None) if lack is None else (said is not None and lack in said)


def test_a_match_called_off_is_left_in_the_midst_of_a_game() -> None:
    """The game of a match that was called off ends before its first action; others are played as ever."""
    game = todo(1)[0]
    cluster.call_off("this one")
    assert isinstance(cluster.play_there("another", game), Played)
    assert not isinstance(cluster.play_there("this one", game), Played)


@pytest.mark.parametrize("address", ["127.0.0.1:8786", "tcp://127.0.0.1", "http://127.0.0.1:8786", "tcp://a b:1", ""])
def test_no_address(address: str) -> None:
    with pytest.raises(BadQuestion, match="is no address; give one such as tcp://"), cluster.connected(address):
        pass


def test_without_the_extra_its_cure_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Broken, match=r"need the extra 'cluster'.*pip install"), cluster.connected("tcp://127.0.0.1:1"):
        pass


@needs_dask
def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ANSWERS", 0.3)
    with pytest.raises(BadQuestion, match="no Dask scheduler answers at"), cluster.connected("tcp://127.0.0.1:1"):
        pass


# --- a cluster on the loopback address -------------------------------------------------------------------------------

#: Python without what was installed as a checkout: ``tabletop`` is not among its packages.
BARE = f"import sys; sys.path.append({sysconfig.get_path('purelib')!r}); from dask.__main__ import main; main()"


class Loopback:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.address = self._scheduler()

    def _scheduler(self) -> str:
        told = self.folder / "scheduler.json"
        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told))
        self._start("scheduler", "-m", "dask", "scheduler", *options)
        return self._awaited(lambda: str(json.loads(told.read_text())["address"]))

    def worker(self, name: str, *python: str, env: Mapping[str, str] | None = None) -> None:
        """Start a worker and wait until the scheduler knows it; ``python``: how dask is begun."""
        options = ("--name", name, "--nthreads", "2", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        there = ("--local-directory", str(self.folder / name))
        begun = python or ("-m", "dask")
        self._start(name, *begun, "worker", self.address, *options, *there, env=env)
        self._awaited(lambda: self.names()[name])

    def names(self) -> dict[str, str]:
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            return {info["name"]: where for where, info in client.scheduler_info(n_workers=-1)["workers"].items()}

    def _start(self, name: str, *words: str, env: Mapping[str, str] | None = None) -> None:
        log = (self.folder / f"{name}.log").open("wb")
        self.processes[name] = subprocess.Popen(
            [sys.executable, *words], cwd=self.folder, stdout=log, stderr=log, env={**os.environ, **(env or {})}
        )

    def _awaited(self, ask: Callable[[], str]) -> str:
        for _ in range(600):
            with contextlib.suppress(OSError, ValueError, KeyError):
                return ask()
            time.sleep(0.1)
        raise AssertionError("it does not come up")

    def kill(self, name: str) -> None:
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def close(self) -> None:
        for name in list(self.processes):
            self.kill(name)


@pytest.fixture
def loopback(tmp_path: Path) -> Iterator[Loopback]:
    cluster._files.cache_clear()  # as of now, not of when the tests began: somebody may be at work on them
    found = Loopback(tmp_path)
    yield found
    found.close()


@needs_dask
def test_two_workers_play_the_same_games(loopback: Loopback, capfd: pytest.CaptureFixture[str]) -> None:
    """The hash is that of one processor here; by the command too, which says where it cannot be."""
    assert cli.status(["simulate", str(SKIRMISH), "--scheduler", loopback.address]) == 2
    assert "has no workers; start some: dask worker" in capfd.readouterr().err
    loopback.worker("one")
    loopback.worker("two")
    known = result_hash(played_here(todo(12), 1))
    with cluster.connected(loopback.address) as several:
        assert len(several.workers) == 2
        assert result_hash(several.played(todo(12))) == known
    assert cli.status(["simulate", str(SKIRMISH), "--games", "12", "--scheduler", loopback.address]) == 0
    said = capfd.readouterr()
    assert f"Result hash: {known}" in said.out
    assert said.err == ""


@needs_dask
def test_workers_that_will_not_do_are_refused_by_name(loopback: Loopback, capfd: pytest.CaptureFixture[str]) -> None:
    """Without the program, or with another version of it: each is named, nothing is waited for, nothing is played."""
    other = loopback.folder / "other" / "tabletop"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text('__version__ = "0.0.9"\n')
    loopback.worker("good")
    loopback.worker("bare", "-S", "-c", BARE)
    loopback.worker("old", env={"PYTHONPATH": str(other.parent)})
    assert cli.status(["simulate", str(SKIRMISH), "--scheduler", loopback.address]) == 2
    said, names = capfd.readouterr(), loopback.names()
    assert said.out == ""
    assert f"worker 'bare' ({names['bare']}) has no tabletop; install" in said.err
    assert f"worker 'old' ({names['old']}) has tabletop 0.0.9, here it is {__version__}" in said.err
    assert len(said.err.splitlines()) == 2


@needs_dask
@pytest.mark.sweep
@pytest.mark.skipif(os.name == "nt", reason="stops a process as POSIX does")
def test_a_worker_that_does_not_answer_is_refused(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    import signal

    monkeypatch.setattr(cluster, "LOADS", 3.0)
    loopback.worker("dumb")
    loopback.processes["dumb"].send_signal(signal.SIGSTOP)
    with (
        pytest.raises(BadQuestion, match=r"worker 'dumb' .* gives no answer for 3 s"),
        cluster.connected(loopback.address),
    ):
        pass


@needs_dask
@pytest.mark.sweep
def test_workers_that_die(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one is left all games are played, and come out as ever; when none is, that is said."""
    monkeypatch.setattr(cluster, "LOOKS", 0.5)
    loopback.worker("one")
    loopback.worker("two")
    results = list[Result]()
    with cluster.connected(loopback.address) as several:
        for result in several.played(todo(30)):
            results.append(result)
            if len(results) == 1:
                loopback.kill("one")
        assert result_hash(results) == result_hash(played_here(todo(30), 1))
        with pytest.raises(cluster.Deserted, match="gone"):
            for k, _ in enumerate(several.played(todo(200))):
                if k == 0:
                    loopback.kill("two")
