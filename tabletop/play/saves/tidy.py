"""Rename and delete saved games, without ever losing another file."""

from __future__ import annotations

import re
from pathlib import Path

from tabletop.errors import Unsaved
from tabletop.play.saves.library import GAME_FILES

#: The most letters in a name, a length that every system accepts.
LONGEST = 100
#: Characters that some systems forbid in file names.
_BARRED = re.compile(r'[<>:"/\\|?*\x00-\x1f]')


def renamed(path: Path, name: str) -> Path:
    """Rename a saved game in its folder and return its path; Unsaved, in one line, if that is not possible.

    An existing file of that name is never replaced: the new name is claimed first, and only if it is free.
    """
    target = path.with_name(_file_name(name))
    if target == path:
        return path
    try:
        if not path.is_file():
            raise Unsaved(f"{path.name} is not there any more")
        if not _only_letters_differ(path, target):
            target.touch(exist_ok=False)
        path.replace(target)
    except FileExistsError:
        raise Unsaved(f"{target.name} is there already; choose another name") from None
    except OSError as error:
        raise Unsaved(f"{path.name} cannot be renamed ({error.strerror or error})") from None
    return target


def _file_name(name: str) -> str:
    stem = name.strip().removesuffix(GAME_FILES[0]).strip()
    if not stem or stem.startswith(".") or len(stem) > LONGEST:
        raise Unsaved(f"a name has 1 to {LONGEST} letters and does not begin with a dot")
    barred = _BARRED.search(stem)
    if barred:
        raise Unsaved(f"a name cannot have {barred.group()!r} in it")
    return f"{stem}{GAME_FILES[0]}"


def _only_letters_differ(path: Path, target: Path) -> bool:
    """Return whether both names refer to one file, differing only in case on a system that ignores case."""
    return target.exists() and target.samefile(path) and target.name.lower() == path.name.lower()


def deleted(path: Path) -> None:
    """Delete a saved game; Unsaved, in one line, if that is not possible or the file is not a game."""
    if path.suffix.lower() not in GAME_FILES or not (path.is_file() or path.is_symlink()):
        raise Unsaved(f"{path.name} is no file of a saved game")
    try:
        path.unlink()
    except OSError as error:
        raise Unsaved(f"{path.name} cannot be deleted ({error.strerror or error})") from None
