"""Test settings: slow sweeps run only when asked for; no screen, no sound, and nobody's own folders are touched."""

import os
import shutil
import tempfile

import pytest

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
    config.own_home = tempfile.mkdtemp(prefix="tabletop-tests-")  # type: ignore[attr-defined]
    for name in FOLDERS:
        os.environ[name] = config.own_home  # type: ignore[attr-defined]


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(getattr(config, "own_home", ""), ignore_errors=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the slow sweeps too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--all"):
        return
    skip = pytest.mark.skip(reason="a slow sweep: run.py test --all")
    for item in items:
        if "sweep" in item.keywords:
            item.add_marker(skip)
