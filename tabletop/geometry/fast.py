"""Kernels: loops that numba, where it is installed, makes many times faster. Everything works without it.

A kernel is a plain Python function in a file of ``geometry/kernels`` or ``geometry/sight``, told its types, with
``kernel``. Call it: it runs compiled where it has been compiled, and as it is written elsewhere, with the same answer.
Nobody waits for a compiler: nothing here imports numba until ``warm`` or ``begin`` asks for it, ``begin`` compiles in a
process of its own, and what was compiled is kept in the user's cache folder. With the environment variable
TABLETOP_PLAIN set everything runs as it is written.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib
import os
import pkgutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Generic, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")

PLAIN = "TABLETOP_PLAIN"
#: Seconds ``begin`` leaves to the first answers, which loading numba would slow down.
PATIENCE = 1.0
#: Seconds for which kernels are waited for in the background while another process compiles them.
LONGEST = 600.0
#: The packages beside this file that hold kernels and what they call.
PLACES = ("kernels", "movement", "sight")
#: What numba calls what is written beside the fields of a record.
FIELDS = {
    "float": "float64",
    "int": "int64",
    "bool": "boolean",
    "FloatColumn": "float64[::1]",
    "IntColumn": "int64[::1]",
    "BoolColumn": "boolean[::1]",
    "ByteColumn": "uint8[::1]",
    "FloatTable": "float64[:, ::1]",
    "ByteTable": "uint8[:, ::1]",
    "FloatBlock": "float64[:, :, ::1]",
}
#: What a process of its own does to compile.
_ELSEWHERE = "import os; getattr(os, 'nice', int)(10); from tabletop.geometry.fast import warm; warm()"

_kernels: list[Kernel[..., object]] = []
_parts: list[tuple[Callable[..., object], dict[str, bool]]] = []
_loading = threading.Lock()


class Kernel(Generic[P, R]):
    """A function and its types as numba writes them; ``trouble`` says why it could not be compiled.

    Arrays are taken as the types say: C-contiguous where they say ``::1``, and writable. ``records`` are named tuples
    that the types name.
    """

    def __init__(self, function: Callable[P, R], types: str, records: Mapping[str, type] | None = None) -> None:
        self.function, self.types, self.records = function, types, records or {}
        self.trouble = ""
        self._compiled: Callable[P, R] | None = None

    @property
    def borrows(self) -> bool:
        """Say whether it may call parts of other files: what was compiled does not tell when these were changed."""
        own = self.function.__module__
        values = self.function.__globals__.values()
        theirs = {getattr(value, "__module__", None) or own for value in values}
        theirs |= {value.__name__ for value in values if isinstance(value, ModuleType)}
        beside = own.rpartition(".")[0], *(f"{__package__}.{place}" for place in PLACES)
        return any(other.startswith(f"{place}.") for other in theirs - {own} for place in beside)

    @property
    def name(self) -> str:
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"

    def ready(self) -> Callable[P, R] | None:
        """Return the function compiled, or None where it runs as written."""
        return None if self._compiled is None or plain() else self._compiled

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the function: compiled, or as it is written where it is not; either way 1.0 / 0.0 is infinite."""
        compiled = self.ready()
        if compiled is not None:
            return compiled(*args, **kwargs)
        with np.errstate(all="ignore"):
            return self.function(*args, **kwargs)

    def compile(self, keep: bool) -> None:
        """Compile, or take what was ``kept``; what goes wrong is told by ``trouble``."""
        import numba

        if self._compiled is None and not self.trouble:
            try:
                types = _signature(self.types, self.records) if self.records else self.types
                jit = numba.njit(types, cache=keep, nogil=True, error_model="numpy")
                self._compiled = jit(self.function)
            except Exception as error:
                self.trouble = " ".join(str(error).split())[:300] or type(error).__name__


def _signature(types: str, records: Mapping[str, type]) -> object:
    """Return numba's types of a kernel that takes named tuples, each field as its annotation says (``FIELDS``)."""
    from numba import types as known

    names = dict(vars(known))
    for name, record in records.items():
        kinds = [getattr(kind, "__forward_arg__", str(kind)) for kind in record.__annotations__.values()]
        fields = [eval(FIELDS[kind], names) for kind in kinds]
        alike = len(set(fields)) == 1
        names[name] = known.NamedUniTuple(fields[0], len(fields), record) if alike else known.NamedTuple(fields, record)
    return eval(types, names)


def kernel(types: str, **records: type) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Make a kernel of the function below; ``types`` as in ``"boolean(float64[:, ::1], int64)"``, where they may name
    ``records``: named tuples whose fields are annotated as in ``FIELDS``."""

    def made(function: Callable[P, R]) -> Kernel[P, R]:
        one = Kernel(function, types, records)
        _kernels.append(one)  # type: ignore[arg-type]
        return one

    return made


def part(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels call the function below."""
    _parts.append((function, {}))
    return function


def leaf(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels call the function below, which neither makes nor returns an array: so nobody need count who uses
    those it is given, which takes longer than a small function itself."""
    _parts.append((function, {"_nrt": False}))
    return function


def plain() -> bool:
    """Say whether kernels are not wanted."""
    return bool(os.environ.get(PLAIN))


def installed() -> bool:
    """Say whether numba is there, without loading it."""
    return find_spec("numba") is not None


def every() -> tuple[Kernel[..., object], ...]:
    """Return every kernel there is."""
    for place in PLACES:
        package = importlib.import_module(f"{__package__}.{place}")
        for found in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{found.name}")
    return tuple(_kernels)


def warm() -> tuple[Kernel[..., object], ...]:
    """Compile every kernel or take what was kept, now: half a second, the first time longer. Returns every kernel.

    Raises ImportError where numba is missing or broken; see each kernel's ``trouble`` for what could not be compiled.
    """
    with _loading:
        import numba

        keep = _writable(folder())
        if keep:
            numba.config.CACHE_DIR = str(_own_folder())
        found = every()
        for function, options in _parts:
            numba.extending.register_jitable(error_model="numpy", **options)(function)
        _parts.clear()
        if keep and not compiled():
            _forget([one.name for one in found if one.borrows])
        for one in found:
            one.compile(keep)
        if keep:
            _kept().with_suffix(".lock").unlink(missing_ok=True)
            _kept().touch()
    return found


def begin(patience: float = PATIENCE, load: bool = True) -> None:
    """Get the kernels ready in the background: for processes that live long enough. Returns at once, never fails.

    Without ``load`` they are compiled if need be, for others: numba itself is not brought into this process.
    """
    if installed() and not plain():
        threading.Thread(target=_begin, args=(patience, load), name="kernels", daemon=True).start()


def folder() -> Path:
    """Return where compiled kernels are kept: a folder of the user's, so that the program's own may be read-only."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("tabletop", appauthor=False)) / "kernels"


def compiled() -> bool:
    """Say whether the kernels, as their files stand, have been compiled before and kept."""
    return _kept().exists()


def _forget(names: list[str]) -> None:
    """Have kernels compiled anew, whatever was kept of them."""
    for name in names:
        for index in _own_folder().rglob(f"{name}-*.nbi"):
            index.unlink(missing_ok=True)


def _own_folder() -> Path:
    """Return where kernels of this copy of the program are kept: another copy's are none of its business."""
    here = str(Path(__file__).resolve().parent)
    return folder() / hashlib.sha256(here.encode()).hexdigest()[:12]


def _begin(patience: float, load: bool) -> None:
    try:
        time.sleep(patience)
        if _writable(folder()) and (compiled() or _compiled_elsewhere()) and load:
            warm()
    except Exception:  # whatever ails numba, the program goes on without: `tabletop doctor` tells
        return


def _compiled_elsewhere() -> bool:
    """Have the kernels compiled by a process of its own, or wait for another that does so; say whether they are."""
    until = time.monotonic() + LONGEST
    while not compiled() and time.monotonic() < until:
        with _first() as first:
            if first:
                quiet = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "IDLE_PRIORITY_CLASS", 0)
                subprocess.run([sys.executable, "-c", _ELSEWHERE], capture_output=True, creationflags=quiet)
                break
        time.sleep(1.0)
    return compiled()


@contextmanager
def _first() -> Iterator[bool]:
    """Say whether nobody else is compiling; a mark older than anybody compiles was left by a process that died."""
    mark = _kept().with_suffix(".lock")
    if mark.exists() and time.time() - mark.stat().st_mtime > LONGEST:
        mark.unlink(missing_ok=True)
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        yield False
        return
    try:
        yield True
    finally:
        mark.unlink(missing_ok=True)


def _release(name: str) -> str:
    """Return the version of an installed package, nothing where its installation does not say."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _kept() -> Path:
    """Return the mark that says all is compiled: for these files, this Python, this numba and this kind of machine."""
    files = sorted(path for place in PLACES for path in Path(__file__).with_name(place).glob("*.py"))
    stands = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in files]
    machine = (sys.version, _release("numba"), _release("llvmlite"), *_machine())
    return folder() / f"{hashlib.sha256(repr((stands, machine)).encode()).hexdigest()[:24]}.ready"


def _machine() -> tuple[str, ...]:
    """Return what kind of machine this is, as far as it can be told cheaply."""
    import platform

    return platform.system(), platform.machine(), platform.node()


def _writable(place: Path) -> bool:
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(place, os.W_OK)


#: Leaving waits for what is being loaded (not for what is being compiled), and nothing is loaded after.
atexit.register(_loading.acquire, timeout=5.0)
