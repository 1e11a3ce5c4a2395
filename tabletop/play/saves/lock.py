"""A game is written by one program at a time: a lock of the operating system, on a hidden file beside the game.

The system lets go of the lock when the program that holds it ends, however it ends: no lock outlives its program. The
file itself is taken away with the lock; one left behind by a program that was killed is taken over, or swept away.
Within one program a game may be opened more than once: the journals of one process share its lock.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
    import msvcrt

#: How the file of a lock ends.
SUFFIX = ".tabletop-lock"


@dataclass
class _Held:
    """A lock this process has: its handle, how many share it, and the process (a child that was forked has none)."""

    handle: int
    sharing: int
    process: int


#: Times a lock is tried for whose file was taken away while it was waited for.
_TRIES = 20

_held: dict[Path, _Held] = {}


def lock_file(path: Path) -> Path:
    """Return the file whose lock says that a program writes to ``path``."""
    return path.with_name(f".{path.name}{SUFFIX}")


def take(path: Path) -> bool:
    """Take the lock of a file, or share it within this process; return whether another program has it.

    Where the system knows no locks, or lets no file be made there, nobody else can be known of: the answer is False.
    """
    place = _whole(lock_file(path))
    if (held := _own(place)) is not None:
        held.sharing += 1
        return False
    handle = _taken(place)
    if handle >= 0:
        _held[place] = _Held(handle, 1, os.getpid())
    return handle == _TAKEN


def _own(place: Path) -> _Held | None:
    held = _held.get(place)
    return held if held is not None and held.process == os.getpid() else None


#: Answers of ``_taken`` that are no handle: another program has the lock; there are no locks here.
_TAKEN, _NONE = -1, -2


def _taken(place: Path) -> int:
    for _ in range(_TRIES):
        try:
            handle = os.open(place, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError:
            return _NONE
        if not _locked(handle):
            os.close(handle)
            return _TAKEN
        if _same(handle, place):
            return handle
        os.close(handle)  # its owner took it away in the meantime: this is no file any more
    return _TAKEN


def _locked(handle: int) -> bool:
    """Lock a file; return False where another program has it locked."""
    try:
        if fcntl is not None:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # a system of files without locks: nobody can have it
    return True


def _same(handle: int, place: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), place.stat())
    except OSError:
        return False


def let_go(path: Path) -> None:
    """Let go of a file's lock; the last of this process that shares it takes its file away."""
    place = _whole(lock_file(path))
    held = _own(place)
    if held is None:
        return
    held.sharing -= 1
    if held.sharing:
        return
    del _held[place]
    if fcntl is not None:
        _remove(place)  # while it is held: nobody gets the lock of a file that is about to go
    with contextlib.suppress(OSError):
        os.close(held.handle)
    if fcntl is None:
        _remove(place)  # Windows takes no open file away, this one only if nobody has opened it since


def hold(handle: int) -> None:
    """Lock a file that is being written until it is closed: others see that it is in use (``abandoned``)."""
    _locked(handle)


def abandoned(place: Path) -> bool:
    """Return whether a file of ours, kept locked while it is in use, is in use by no program any more."""
    if _own(_whole(place)) is not None:
        return False
    try:
        handle = os.open(place, os.O_RDWR)
    except OSError:
        return False
    free = _locked(handle)
    os.close(handle)
    return free


def _remove(place: Path) -> None:
    with contextlib.suppress(OSError):
        place.unlink(missing_ok=True)


def _whole(place: Path) -> Path:
    return Path(os.path.realpath(place))
