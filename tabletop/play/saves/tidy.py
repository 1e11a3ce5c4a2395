"""Rename and delete saved games; no other file is ever lost."""

from __future__ import annotations

import re
from pathlib import Path

from tabletop.errors import Unsaved
from tabletop.play.saves.library import GAME_FILES

#: The most letters a name may have: a length that every system accepts.
LONGEST = 100
#: Characters that some system forbids in the names of files.
_BARRED = re.compile(r'[<>:"/\\|?*\x00-\x1f]')


def renamed(path: Path, name: str) -> Path:
    """Rename a saved game in its folder and return its path; Unsaved, in one line, when that is not possible.

    A file that has the name already stays as it is: the new name is claimed first, and only if it is free.
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
    """Return whether both names mean one file: they differ in capitals, on a system that ignores capitals."""
    return target.exists() and target.samefile(path) and target.name.lower() == path.name.lower()


def deleted(path: Path) -> None:
    """Delete a saved game; Unsaved, in one line, when that is not possible. Only the file of a game is deleted."""
    if path.suffix.lower() not in GAME_FILES or not (path.is_file() or path.is_symlink()):
        raise Unsaved(f"{path.name} is no file of a saved game")
    try:
        path.unlink()
    except OSError as error:
        raise Unsaved(f"{path.name} cannot be deleted ({error.strerror or error})") from None
