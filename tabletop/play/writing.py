"""Writing files so that they are there whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path


def write_whole(target: Path, data: bytes) -> None:
    """Write a file beside its place, force it to the disk, and move it there in one step; OSError if that fails.

    What stands there and is no file (a folder, a device, a pipe) is never replaced.
    """
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "there is something there that is no file")
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        Path(name).chmod(0o666 & ~_mask())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _force_folder(target.parent)


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _force_folder(folder: Path) -> None:
    """Force the new name to the disk, where the system lets a folder be forced."""
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
