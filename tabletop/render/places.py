"""The folders for exported files: the program's own, among the user's pictures and documents."""

from __future__ import annotations

import re
from pathlib import Path

import platformdirs

from tabletop.errors import Unsaved

#: Maximum files of the same name in a folder.
MOST = 10_000


#: The folder the player chose for all files; empty until then.
_chosen: list[Path] = []


def choose(folder: Path | None) -> None:
    """Write all files to this folder from now on; None: to the usual ones."""
    _chosen[:] = [] if folder is None else [folder]


def pictures_folder() -> Path:
    """Return the folder for pictures and films."""
    return _chosen[0] if _chosen else Path(platformdirs.user_pictures_dir()) / "tabletop"


def documents_folder() -> Path:
    """Return the folder for reports."""
    return _chosen[0] if _chosen else Path(platformdirs.user_documents_dir()) / "tabletop"


def free_path(folder: Path, title: str, suffix: str) -> Path:
    """Return the path of a new file named after its content; Unsaved if the folder cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unsaved(f"{folder}: the folder cannot be made ({reason}); make room, or give it the right") from None
    stem = re.sub(r"[^\w]+", "-", title.lower()).strip("-")[:60] or "table"
    names = [f"{stem}{suffix}", *(f"{stem}-{k}{suffix}" for k in range(2, MOST))]
    return next(path for name in names if not (path := folder / name).exists())
