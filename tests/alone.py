"""A test in a process of its own, for what would otherwise look through all that the other tests are made of."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def alone(test: Callable[[], None]) -> Callable[[], None]:
    """Return the test run in a process of its own.

    In the process of a whole run a collection of garbage takes a second, and freezes or unfreezes the objects of all
    tests.
    """
    name, path = test.__name__, Path(inspect.getfile(test)).relative_to(ROOT)
    code = f"import {'.'.join(path.with_suffix('').parts)} as module; module.{name}.inside()"

    def run() -> None:
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    run.__name__, run.__doc__, run.__module__ = name, test.__doc__, test.__module__
    vars(run)["inside"] = test
    return run
