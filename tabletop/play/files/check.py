"""Check files: report every fault of every file at once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tabletop.errors import Fault
from tabletop.play.files.load import read_file, shortened


def check_files(paths: Iterable[str | Path]) -> list[Fault]:
    """Return every fault and warning of the files and of those they name, in order, each once."""
    faults = [fault for path in paths for fault in read_file(path).faults]
    wrong = shortened([fault for fault in faults if not fault.warning])
    return sorted([*wrong, *shortened([fault for fault in faults if fault.warning])])
