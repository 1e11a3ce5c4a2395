"""Paths as users type them; these functions never raise, however odd the text."""

from __future__ import annotations

import os
from pathlib import Path


def typed_path(text: str) -> Path:
    """Return the path a user typed; ``~`` is the home folder, ``~name`` of an unknown user is left unchanged.

    >>> typed_path("  games/first.jsonl ").as_posix()
    'games/first.jsonl'
    """
    path = Path(text.strip())
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def is_there(path: Path) -> bool:
    """Return whether the path exists; False for a name that no system accepts."""
    return os.path.exists(path)  # noqa: PTH110  (Path's own raises for a name too long)


def is_folder(path: Path) -> bool:
    """Return whether the path is a folder; False for a name that no system accepts."""
    return os.path.isdir(path)  # noqa: PTH112  (Path's own raises for a name too long)
