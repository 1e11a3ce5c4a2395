"""Paths as somebody types them: whatever is typed, asking about it is no accident."""

from __future__ import annotations

import os
from pathlib import Path


def typed_path(text: str) -> Path:
    """Return the path somebody typed; ``~`` is his home, ``~name`` of somebody unknown stays as it is.

    >>> typed_path("  games/first.jsonl ").as_posix()
    'games/first.jsonl'
    """
    path = Path(text.strip())
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def is_there(path: Path) -> bool:
    """Return whether there is something; of a name no system takes there is nothing."""
    return os.path.exists(path)  # noqa: PTH110  (Path's own raises for a name too long)


def is_folder(path: Path) -> bool:
    """Return whether there is a folder."""
    return os.path.isdir(path)  # noqa: PTH112  (Path's own raises for a name too long)
