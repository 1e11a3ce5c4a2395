"""A lock so that only one program at a time writes a game, held with the operating system on a hidden file beside it.

The system releases the lock when the program that holds it ends, however it ends. The lock file is removed with the
lock; one left behind by a killed program is taken over, or removed (``writing.sweep``). Within one program a game may
be opened more than once, so the autosaves of one process share its lock.
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

#: The suffix of a lock file.
SUFFIX = ".tabletop-lock"


@dataclass
class _Held:
    """A lock of this process: its handle, the number of its users, and the process (a forked child holds none)."""

    handle: int
    sharing: int
    process: int


#: How often to try to take a lock whose file another program removes at the same moment.
_TRIES = 20

_held: dict[Path, _Held] = {}


def lock_file(path: Path) -> Path:
    """Return the file whose lock says that a program writes to ``path``."""
    return path.with_name(f".{path.name}{SUFFIX}")


def take(path: Path) -> bool:
    """Take the lock of a file, or share it within this process; return whether another program has it.

    Returns False on a system without locks, or in a folder where no file can be made.
    """
    place = _whole(lock_file(path))
    if (own_lock := _own(place)) is not None:
        own_lock.sharing += 1
        return False
    handle = _taken(place)
    if handle >= 0:
        _held[place] = _Held(handle, 1, os.getpid())
    return handle == _TAKEN


def _own(place: Path) -> _Held | None:
    own_lock = _held.get(place)
    return own_lock if own_lock is not None and own_lock.process == os.getpid() else None


#: Results of ``_taken`` that are not handles: another program has the lock; there are no locks here.
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
        os.close(handle)  # its owner removed it in the meantime
    return _TAKEN


def _locked(handle: int) -> bool:
    """Lock a file; return False if another program has it locked."""
    try:
        if fcntl is not None:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # on a file system without locks no program can have it
    return True


def _same(handle: int, place: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), place.stat())
    except OSError:
        return False


def let_go(path: Path) -> None:
    """Release a file's lock; the last holder in this process removes the lock file."""
    place = _whole(lock_file(path))
    own_lock = _own(place)
    if own_lock is None:
        return
    own_lock.sharing -= 1
    if own_lock.sharing:
        return
    del _held[place]
    if fcntl is not None:
        _remove(place)  # while locked, so that nobody takes the lock of a file about to be removed
    with contextlib.suppress(OSError):
        os.close(own_lock.handle)
    if fcntl is None:
        _remove(place)  # Windows cannot remove an open file; it removes this one if nobody has opened it since


def hold(handle: int) -> None:
    """Lock a file that is being written until it is closed, so that ``abandoned`` returns False for it."""
    _locked(handle)


def abandoned(place: Path) -> bool:
    """Return whether a file that is locked while in use is no longer used by any program."""
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
