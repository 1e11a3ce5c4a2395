"""Saved games given another name, or taken away; no other file is ever lost with it."""

from __future__ import annotations

import re
from pathlib import Path

from tabletop.errors import Unsaved
from tabletop.play.saves.library import GAME_FILES

#: Letters a name may have: what every system takes.
LONGEST = 100
#: What no file's name may hold somewhere.
_BARRED = re.compile(r'[<>:"/\\|?*\x00-\x1f]')


def renamed(path: Path, name: str) -> Path:
    """Give a saved game another name in its folder, and return its path; Unsaved, in one line, when that cannot be.

    A file that has the name already stays as it is: the new name is taken first, and only if nobody has it.
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
    """Return whether both names are the same file: capitals are written otherwise, where a system takes them alike."""
    return target.exists() and target.samefile(path) and target.name.lower() == path.name.lower()


def deleted(path: Path) -> None:
    """Take a saved game away; Unsaved, in one line, when that cannot be. Nothing but a file of a game is taken."""
    if path.suffix.lower() not in GAME_FILES or not (path.is_file() or path.is_symlink()):
        raise Unsaved(f"{path.name} is no file of a saved game")
    try:
        path.unlink()
    except OSError as error:
        raise Unsaved(f"{path.name} cannot be deleted ({error.strerror or error})") from None
