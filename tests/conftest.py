"""Test settings: slow sweeps run only when asked for; no screen, no sound, and nobody's own folders are touched."""

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from tabletop.geometry.fast import PLAIN, Kernel, installed, warm

T = TypeVar("T")

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

#: The folders a system gives its user, by the names it looks them up; every test run has its own.
FOLDERS = (
    *(
        f"XDG_{name}"
        for name in ("DATA_HOME", "CONFIG_HOME", "CACHE_HOME", "STATE_HOME", "DOCUMENTS_DIR", "PICTURES_DIR")
    ),
    *("LOCALAPPDATA", "APPDATA"),
)


def pytest_configure(config: pytest.Config) -> None:
    # A run begun in the background ignores Ctrl+C, and so would the processes that tests press it for.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    fast = config.getoption("--fast")
    if fast and not installed():
        raise pytest.UsageError("--fast needs numba: pip install numba")
    os.environ[PLAIN] = "" if fast else "1"
    os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(config.rootpath, ".pytest_cache", "kernels")))
    config.own_home = tempfile.mkdtemp(prefix="tabletop-tests-")  # type: ignore[attr-defined]
    for name in FOLDERS:
        os.environ[name] = config.own_home  # type: ignore[attr-defined]
    if fast:
        warmed()


def pytest_sessionstart(session: pytest.Session) -> None:
    within = session.config.getoption("--within")
    session.config.deadline = None if within is None else time.monotonic() + within  # type: ignore[attr-defined]


def pytest_runtest_setup(item: pytest.Item) -> None:
    deadline = item.config.deadline  # type: ignore[attr-defined]
    if deadline is not None and time.monotonic() > deadline:
        pytest.skip("not begun within the time given")


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(getattr(config, "own_home", ""), ignore_errors=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the slow sweeps too")
    parser.addoption("--within", type=float, metavar="SECONDS", help="skip the tests that are not begun by then")
    parser.addoption("--fast", action="store_true", help="with the kernels that numba compiles, which must be there")


def warmed() -> None:
    """Compile every kernel, or take what an earlier run kept; none may be left out."""
    troubles = [f"{one.name}: {one.trouble}" for one in warm() if one.trouble]
    assert not troubles, troubles


@pytest.fixture(params=["plain", "fast"])
def speed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The test that asks for this runs twice: without kernels, and with them where numba is installed."""
    if request.param == "plain":
        monkeypatch.setenv(PLAIN, "1")
    elif not installed():
        pytest.skip("numba is not installed: there is nothing but the plain way")
    else:
        monkeypatch.delenv(PLAIN, raising=False)
        warmed()
    return str(request.param)


@pytest.fixture
def divided_as_compiled() -> Iterator[None]:
    """Compiled, a division by nothing gives no number, without a word."""
    with np.errstate(all="ignore"):
        yield


@pytest.fixture
def loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels as the loops they are written as, not compiled."""
    monkeypatch.setattr(Kernel, "ready", lambda one: one.function)


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], T]], tuple[T, T]]:
    """Ask for something by kernels as the loops they are written as, and the plain way."""

    def asked(ask: Callable[[], T]) -> tuple[T, T]:
        found = []
        for ready in (lambda one: one.function, lambda one: None):
            monkeypatch.setattr(Kernel, "ready", ready)
            found.append(ask())
        return found[0], found[1]

    return asked


@pytest.fixture(params=["plain", "loops"])
def loops_too(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, divided_as_compiled: None) -> str:
    """The test that asks for this runs twice: without kernels, and with them as the loops they are written as."""
    found = {"plain": lambda one: None, "loops": lambda one: one.function}[request.param]
    monkeypatch.setattr(Kernel, "ready", found)
    return str(request.param)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--all"):
        return
    skip = pytest.mark.skip(reason="a slow sweep: run.py test --all")
    for item in items:
        if "sweep" in item.keywords:
            item.add_marker(skip)
