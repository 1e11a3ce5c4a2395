"""Atomic writing of files: a file exists complete or not at all, and half-written ones are removed."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
import threading
from functools import cache
from pathlib import Path

from tabletop.play.saves import lock

#: The suffix of a file that is being written, before it is moved to its place.
PART = ".tabletop-part"
#: The names of the files that this process is writing.
_ours: set[str] = set()
#: Held while a thread begins a file or looks for abandoned ones, so that none takes another's file for abandoned.
_beginning = threading.Lock()


def write_whole(target: Path, data: bytes) -> None:
    """Write a file beside its place, force it to the disk, and move it there in one step; OSError if that fails.

    A target that is not a regular file (a folder, a device, a pipe) is never replaced. Half-written files that killed
    programs left in the folder are removed.
    """
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "there is something there that is no file")
    sweep(target.parent)
    with _beginning:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=PART, dir=target.parent)
        _ours.add(Path(name).name)
    try:
        with os.fdopen(handle, "wb") as out:
            lock.hold(handle)
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        Path(name).chmod(0o666 & ~_mask())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    finally:
        _ours.discard(Path(name).name)
    _force_folder(target.parent)


def sweep(folder: Path) -> None:
    """Remove what ended programs left in a folder: half-written files, and lock files that no program holds."""
    try:
        leftovers = [
            path for path in folder.iterdir() if path.name.startswith(".") and path.suffix in (PART, lock.SUFFIX)
        ]
    except OSError:
        return
    for path in leftovers:
        with _beginning, contextlib.suppress(OSError):
            if path.name not in _ours and lock.abandoned(path):
                path.unlink(missing_ok=True)


@cache
def _mask() -> int:
    """Return the process's umask, read only once because reading it sets it to 0 for all threads for a moment."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _force_folder(folder: Path) -> None:
    """Force the new name to the disk, on systems that can do so for a folder."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
