"""Kernels: loops that numba, where it is installed, makes many times faster. Everything works without it.

A kernel is a plain Python function in a file of ``geometry/kernels``, ``geometry/movement`` or ``geometry/sight``,
decorated with ``kernel`` and its types. Just call it: it runs compiled once compiled and as Python otherwise, with the
same result. Nobody waits for a compiler: numba is not imported until ``warm`` or ``begin`` needs it, ``begin`` compiles
in a separate process, and the compiled code is cached in the user's cache folder. If the environment variable
TABLETOP_PLAIN is set, everything runs as Python.
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
#: Seconds that ``begin`` waits first, so that loading numba does not slow down the first answers.
PATIENCE = 1.0
#: Longest time (seconds) to wait in the background while another process compiles the kernels.
LONGEST = 600.0
#: The packages beside this file that hold kernels and the functions they call.
PLACES = ("kernels", "movement", "sight")
#: The numba type for each annotation of a record's fields.
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
#: The program of the separate process that compiles.
_ELSEWHERE = "import os; getattr(os, 'nice', int)(10); from tabletop.geometry.fast import warm; warm()"

_kernels: list[Kernel[..., object]] = []
_parts: list[tuple[Callable[..., object], dict[str, bool]]] = []
_loading = threading.Lock()


class Kernel(Generic[P, R]):
    """A function and its types as numba writes them; ``trouble`` says why it could not be compiled.

    Arrays must be as the types say: C-contiguous for ``::1``, and writable. ``records`` are the named tuples that the
    types mention.
    """

    def __init__(self, function: Callable[P, R], types: str, records: Mapping[str, type] | None = None) -> None:
        self.function, self.types, self.records = function, types, records or {}
        self.trouble = ""
        self._compiled: Callable[P, R] | None = None

    @property
    def borrows(self) -> bool:
        """Whether it may call functions of other files: numba's cache does not notice when those change."""
        own = self.function.__module__
        values = self.function.__globals__.values()
        theirs = {getattr(value, "__module__", None) or own for value in values}
        theirs |= {value.__name__ for value in values if isinstance(value, ModuleType)}
        beside = own.rpartition(".")[0], *(f"{__package__}.{place}" for place in PLACES)
        return any(module.startswith(f"{place}.") for module in theirs - {own} for place in beside)

    @property
    def name(self) -> str:
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"

    def ready(self) -> Callable[P, R] | None:
        """Return the compiled function, or None if the kernel runs as Python."""
        return None if self._compiled is None or plain() else self._compiled

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the function, compiled if possible; either way 1.0 / 0.0 is infinite."""
        compiled = self.ready()
        if compiled is not None:
            return compiled(*args, **kwargs)
        with np.errstate(all="ignore"):
            return self.function(*args, **kwargs)

    def compile(self, keep: bool) -> None:
        """Compile, or load from numba's cache if ``keep``; an error is recorded in ``trouble``."""
        if self._compiled is None and not self.trouble:
            self._compile(keep)
            if self.trouble and keep:  # what is cached may name a record that an earlier version had
                _forget([self.name])
                self._compile(keep)

    def _compile(self, keep: bool) -> None:
        import numba

        try:
            types = _signature(self.types, self.records) if self.records else self.types
            self._compiled = numba.njit(types, cache=keep, nogil=True, error_model="numpy")(self.function)
            self.trouble = ""
        except Exception as error:
            self.trouble = " ".join(str(error).split())[:300] or type(error).__name__


def _signature(types: str, records: Mapping[str, type]) -> object:
    """Return the numba types of a kernel that takes named tuples; ``FIELDS`` translates the annotations of their
    fields."""
    from numba import types as known

    names = dict(vars(known))
    for name, record in records.items():
        kinds = [getattr(kind, "__forward_arg__", str(kind)) for kind in record.__annotations__.values()]
        fields = [eval(FIELDS[kind], names) for kind in kinds]
        alike = len(set(fields)) == 1
        names[name] = known.NamedUniTuple(fields[0], len(fields), record) if alike else known.NamedTuple(fields, record)
    return eval(types, names)


def kernel(types: str, **records: type) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Make a kernel of the decorated function; ``types`` as in ``"boolean(float64[:, ::1], int64)"``. They may name
    ``records``: named tuples whose fields are annotated as in ``FIELDS``."""

    def made(function: Callable[P, R]) -> Kernel[P, R]:
        wrapped = Kernel(function, types, records)
        _kernels.append(wrapped)  # type: ignore[arg-type]
        return wrapped

    return made


def part(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels call the decorated function."""
    _parts.append((function, {}))
    return function


def leaf(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels call the decorated function, which neither makes nor returns an array. It is compiled without
    reference counting, which would take longer than a small function itself."""
    _parts.append((function, {"_nrt": False}))
    return function


def plain() -> bool:
    """Return whether kernels are switched off."""
    return bool(os.environ.get(PLAIN))


def installed() -> bool:
    """Return whether numba is installed, without importing it."""
    return find_spec("numba") is not None


def every() -> tuple[Kernel[..., object], ...]:
    """Return every kernel."""
    for place in PLACES:
        package = importlib.import_module(f"{__package__}.{place}")
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")
    return tuple(_kernels)


def warm() -> tuple[Kernel[..., object], ...]:
    """Compile every kernel now, or load it from the cache (half a second; the first time longer), and return them all.

    Raises ImportError if numba is missing or broken; each kernel's ``trouble`` says whether it could not be compiled.
    """
    with _loading:
        import numba

        keep = _writable(folder())
        if keep:
            numba.config.CACHE_DIR = str(_own_folder())
        kernels = every()
        for function, options in _parts:
            numba.extending.register_jitable(error_model="numpy", **options)(function)
        _parts.clear()
        if keep and not compiled():
            _forget([each.name for each in kernels if each.borrows])
        for each in kernels:
            each.compile(keep)
        if keep:
            _kept().with_suffix(".lock").unlink(missing_ok=True)
            _kept().touch()
    return kernels


def begin(patience: float = PATIENCE, load: bool = True) -> None:
    """Get the kernels ready in the background, for processes that live long enough. Returns at once, never fails.

    Without ``load`` they are only compiled if need be, for other processes: this one does not import numba.
    """
    if installed() and not plain():
        threading.Thread(target=_begin, args=(patience, load), name="kernels", daemon=True).start()


def folder() -> Path:
    """Return the folder of compiled kernels: in the user's cache, so that the program's own folder may be read-only."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("tabletop", appauthor=False)) / "kernels"


def compiled() -> bool:
    """Return whether the kernels have been compiled and cached since their files last changed."""
    return _kept().exists()


def _forget(names: list[str]) -> None:
    """Delete the cached code of the named kernels, so that they are compiled again."""
    for name in names:
        for index in _own_folder().rglob(f"{name}-*.nbi"):
            index.unlink(missing_ok=True)


def _own_folder() -> Path:
    """Return the folder for the kernels of this copy of the program; other copies have folders of their own."""
    source = str(Path(__file__).resolve().parent)
    return folder() / hashlib.sha256(source.encode()).hexdigest()[:12]


def _begin(patience: float, load: bool) -> None:
    try:
        time.sleep(patience)
        if _writable(folder()) and (compiled() or _compiled_elsewhere()) and load:
            warm()
    except Exception:  # whatever is wrong with numba, the program works without it: `tabletop doctor` reports it
        return


def _compiled_elsewhere() -> bool:
    """Have a separate process compile the kernels, or wait for one already at it; return whether they are compiled."""
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
    """Yield whether no other process is compiling; a lock older than ``LONGEST`` was left by a process that died."""
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
    """Return the version of an installed package, or "" if its installation does not say."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _kept() -> Path:
    """Return the file that marks everything as compiled: for these files, this Python, this numba and this kind of
    machine."""
    files = sorted(path for place in PLACES for path in Path(__file__).with_name(place).glob("*.py"))
    stands = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in files]
    machine = (sys.version, _release("numba"), _release("llvmlite"), *_machine())
    return folder() / f"{hashlib.sha256(repr((stands, machine)).encode()).hexdigest()[:24]}.ready"


def _machine() -> tuple[str, ...]:
    """Return the kind of machine, as far as it is cheap to find out."""
    import platform

    return platform.system(), platform.machine(), platform.node()


def _writable(place: Path) -> bool:
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(place, os.W_OK)


#: Exit waits while kernels are being loaded (not while they are being compiled), and keeps more from being loaded.
atexit.register(_loading.acquire, timeout=5.0)
