"""The seam of kernels: compiled where wanted, never waited for, as written elsewhere; all is well without numba."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tabletop.geometry import fast

SUM = "float64(float64[::1], int64)"


@fast.part
def twice(x: float) -> float:
    return 2.0 * x


def total(values: np.ndarray, n: int) -> float:
    """The sum of twice the first n values."""
    found = 0.0
    for k in range(n):
        found += twice(values[k])
    return found


@pytest.fixture
def numba() -> None:
    pytest.importorskip("numba", reason="numba is not installed")


def told(code: str, **environment: str) -> str:
    """What a fresh process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_no_kernel_before_it_is_compiled_nor_when_unwanted(numba: None, monkeypatch: pytest.MonkeyPatch) -> None:
    one = fast.Kernel(total, SUM)
    monkeypatch.setenv(fast.PLAIN, "")
    assert one.ready() is None
    fast.warm()
    one.compile(keep=False)
    quick = one.ready()
    assert quick is not None
    assert quick(np.arange(4.0), 3) == total(np.arange(4.0), 3) == 6.0
    monkeypatch.setenv(fast.PLAIN, "1")
    assert one.ready() is None


def test_what_cannot_be_compiled_says_so_and_is_left_out(numba: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fast.PLAIN, "")
    fast.warm()
    one = fast.Kernel(total, "float64(unicode_type, int64)")
    one.compile(keep=False)
    assert one.trouble
    assert one.ready() is None
    assert one.name == "test_fast.total"


def test_every_kernel_there_is_compiles(numba: None) -> None:
    assert [(one.name, one.trouble) for one in fast.warm() if one.trouble] == []


def test_the_program_does_not_load_numba_by_itself() -> None:
    code = "import sys, tabletop.judge, tabletop.cli; print('numba' in sys.modules, 'llvmlite' in sys.modules)"
    assert told(code, **{fast.PLAIN: ""}) == "False False"


#: What a fresh process begins with: every kernel, or one, since to compile all takes a minute.
ALL = "import sys, threading, time; from tabletop.geometry import fast"
ONE = f"""{ALL}
one = "from tabletop.geometry import fast; fast.PLACES = (); import tabletop.geometry.kernels.bridges"
exec(one)
fast._ELSEWHERE = one + '; fast.warm()'
"""
SIZES = pytest.mark.parametrize("some", [ONE, pytest.param(ALL, marks=pytest.mark.sweep)], ids=["one", "all"])


@SIZES
def test_kernels_are_kept_in_a_folder_of_the_users(numba: None, tmp_path: Path, some: str) -> None:
    """Compiled once, they are marked as kept there; a process that begins then has them.

    A window leaves kernels to the processes that judge for it, so it has them compiled without loading numba itself.
    """
    at = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels"), fast.PLAIN: ""}
    assert told(f"{some}\nprint(fast.compiled(), fast.folder())", **at).startswith("False ")
    code = f"{some}\nfast.begin(0.0, load=False)\n"
    code += "for t in threading.enumerate():\n    t is threading.main_thread() or t.join()\n"
    assert told(f"{code}print(fast.compiled(), 'numba' in sys.modules)", **at) == "True False"
    assert [path.suffix for path in (tmp_path / "kernels").iterdir() if path.is_file()] == [".ready"]
    code = f"{some}\nfast.begin(0.0); n = len(fast.every())\nassert n\n"
    wait = "t = time.time()\nwhile not all(k.ready() for k in fast.every()) and time.time() < t + 60: time.sleep(0.05)"
    assert told(f"{code}{wait}\nprint(sum(k.ready() is not None for k in fast.every()) == n)", **at) == "True"


def test_kernels_of_another_copy_of_the_program_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    own, other = (folder / "sight_1" / "look-1.nbi" for folder in (fast._own_folder(), tmp_path / "another"))
    for index in (own, other):
        index.parent.mkdir(parents=True)
        index.touch()
    fast._forget(["look"])
    assert (own.exists(), other.exists()) == (False, True)


#: A kernel whose argument is a record of a class with one name or another.
OF_A_RECORD = """
from typing import NamedTuple
from tabletop.geometry import fast
class {name}(NamedTuple):
    x: "float"
def double(a):
    return 2.0 * a.x
KERNEL = fast.Kernel(double, "float64({name})", {{"{name}": {name}}})
"""


def test_what_is_cached_with_a_record_of_another_name_is_compiled_anew(numba: None, tmp_path: Path) -> None:
    """An update of the program that renames a record must not leave its kernels uncompiled for good."""
    code = "import sys, numba; from tabletop.geometry import fast; numba.config.CACHE_DIR = str(fast._own_folder());"
    code += f"sys.path.insert(0, {str(tmp_path)!r}); from of_a_record import KERNEL; KERNEL.compile(True); print("
    code += "KERNEL.trouble or 'well', len(list(fast._own_folder().rglob('of_a_record.double-*.nbi'))))"
    for name in ("Before", "After"):
        (tmp_path / "of_a_record.py").write_text(OF_A_RECORD.format(name=name))
        assert told(code, NUMBA_CACHE_DIR=str(tmp_path / "kernels"), **{fast.PLAIN: ""}) == "well 1"


def test_it_runs_as_written_where_it_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """And there, as compiled, nothing over nothing is no number, without a word."""
    monkeypatch.setenv(fast.PLAIN, "1")
    assert fast.Kernel(total, SUM)(np.arange(4.0), 3) == 6.0
    assert np.isnan(fast.Kernel(lambda a: a[0] / a[0], "float64(float64[::1])")(np.zeros(1)))


def test_where_nothing_can_be_kept_the_plain_way_goes_on(numba: None, tmp_path: Path) -> None:
    """A cache folder that is a file: what begins in the background gives up without a word."""
    place = tmp_path / "file"
    place.write_text("")
    code = "import threading; from tabletop.geometry import fast; fast.begin(0.0)\n"
    code += "for t in threading.enumerate():\n    t is threading.main_thread() or t.join()\n"
    code += "print([k.ready() for k in fast.every() if k.ready()])"
    assert told(code, NUMBA_CACHE_DIR=str(place), **{fast.PLAIN: ""}) == "[]"


def test_another_that_compiles_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "_kept", lambda: tmp_path / "here.ready")
    with fast._first() as one, fast._first() as other:
        assert (one, other) == (True, False)
    (tmp_path / "here.lock").touch()
    os.utime(tmp_path / "here.lock", (1.0, 1.0))  # left by a process that died long ago
    with fast._first() as again:
        assert again


def test_without_numba_nothing_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    def never() -> None:
        raise AssertionError("begun")

    monkeypatch.setattr("threading.Thread", never)
    monkeypatch.setattr(fast, "installed", lambda: False)
    fast.begin()
    monkeypatch.setattr(fast, "installed", lambda: True)
    monkeypatch.setenv(fast.PLAIN, "1")
    fast.begin()
