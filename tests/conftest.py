"""Test settings: slow sweeps run only when asked for; no screen, no sound, and nobody's own folders are touched.

Kernels are compiled where numba is installed, once for a machine, unless ``--plain`` is given.
"""

import gc
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.geometry.fast import PLAIN, installed, warm
from tabletop.geometry.fast import compiled as kept
from tabletop.geometry.sight import shortest
from tabletop.judge import certainty
from tabletop.render.drawing import theme

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

#: Thresholds of the garbage collector while tests run: a few megabytes of new objects, not some hundred kilobytes.
SELDOM = (10_000, 10, 5)
#: The theme before any test has changed it.
INITIAL_THEME = dict(theme._current)


def pytest_configure(config: pytest.Config) -> None:
    # A run begun in the background ignores Ctrl+C, and so would the processes that tests press it for.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    compiled = installed() and not config.getoption("--plain")
    os.environ[PLAIN] = "" if compiled else "1"
    os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(config.rootpath, ".pytest_cache", "kernels")))
    config.own_home = tempfile.mkdtemp(prefix="tabletop-tests-")  # type: ignore[attr-defined]
    for name in FOLDERS:
        os.environ[name] = config.own_home  # type: ignore[attr-defined]
    if compiled and (hasattr(config, "workerinput") or not config.getoption("numprocesses", None) or not kept()):
        warmed()  # by whoever hands out tests to others only if it must be done before these begin


def pytest_sessionstart(session: pytest.Session) -> None:
    within = session.config.getoption("--within")
    session.config.deadline = None if within is None else time.monotonic() + within  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def law_unshared(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that changes the law finds nothing that was found by the law as it is, and leaves nothing behind."""
    if "monkeypatch" in request.fixturenames:
        shortest.forget()
    yield
    if "monkeypatch" in request.fixturenames:
        shortest.forget()


def pytest_runtest_setup(item: pytest.Item) -> None:
    deadline = item.config.deadline  # type: ignore[attr-defined]
    if deadline is not None and time.monotonic() > deadline:
        pytest.skip("not begun within the time given")


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(getattr(config, "own_home", ""), ignore_errors=True)


@pytest.fixture(autouse=True)
def usual_look() -> Iterator[None]:
    """Every test begins in the usual colours, marks and look, whatever a window before it applied."""
    yield
    if theme._current != INITIAL_THEME:
        theme.apply_theme("plain")
        theme.view_from(0.0)


@pytest.fixture
def few_placements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether an answer is certain is tried with few placements, for tests that do not look at how many."""
    for name, few in (("PLACEMENTS", 20), ("ON_THE_RIM", 5), ("DIRECTIONS", 2)):
        monkeypatch.setattr(certainty, name, few)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the slow sweeps too")
    parser.addoption("--within", type=float, metavar="SECONDS", help="skip the tests that are not begun by then")
    parser.addoption("--plain", action="store_true", help="with kernels as they are written, not compiled")


def warmed() -> None:
    """Compile every kernel, or take what an earlier run kept; none may be left out."""
    troubles = [f"{one.name}: {one.trouble}" for one in warm() if one.trouble]
    assert not troubles, troubles


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow sweeps without ``--all``; those of files asked for by name are skipped, with the reason."""
    if config.getoption("--all"):
        return
    skip = pytest.mark.skip(reason="a slow sweep: run.py test --all")
    sweeps = [item for item in items if "sweep" in item.keywords]
    if any(".py" in arg for arg in config.args):
        for item in sweeps:
            item.add_marker(skip)
    elif sweeps:
        items[:] = [item for item in items if "sweep" not in item.keywords]
        config.hook.pytest_deselected(items=sweeps)


def pytest_collection_finish() -> None:
    """Keep the garbage collector from the millions of objects that all tests are made of, and let it look less often.

    A window at rest does the same (``render/housekeeping.py``); here it saves one second in sixteen.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)
