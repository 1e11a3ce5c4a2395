"""Finding and reading the files a scenario names, and nothing else.

A name in a file is looked for below the file's own folder, then below the project folder (the nearest folder above it
that holds at least two of ``maps``, ``armies`` and ``scenarios``, else one), then among the installed data. It never
leads out of these: no absolute path, no ``..``, no symbolic link to somewhere else.
"""

from __future__ import annotations

import os
import stat
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath

from tabletop.errors import Fault, Unreadable
from tabletop.play.files.installed import DATA_FOLDERS, data_folders, installed, near_name
from tabletop.play.files.nearest_words import clip, nearest
from tabletop.play.files.yaml_text import LONGEST, MOST_VALUES, Document, decode, parse

#: The name under which a scene is read from standard input.
STANDARD_INPUT = "-"
#: The first bytes of a saved game.
GAME_WORDS = b'{"format": "tabletop-game/'


def first_battle(which: str = "battle") -> Path:
    """Return the scenario to begin if none is named, or the "sample" on which settings are shown."""
    rows = tomllib.loads(installed("scenarios/first.toml").read_text("utf-8"))
    return installed(str(rows[which]))


def project_folder(folder: Path) -> Path | None:
    """Return the nearest folder, from ``folder`` upwards, that holds two of maps, armies and scenarios, else one."""
    real = folder.resolve()
    folders = [(p, sum((p / name).is_dir() for name in DATA_FOLDERS)) for p in (real, *real.parents)]
    return next((p for p, count in folders if count > 1), next((p for p, count in folders if count), None))


def roots(folder: Path) -> list[Path]:
    """Return the folders in which files named by a file in ``folder`` are looked up, in order."""
    folders = [folder.resolve(), project_folder(folder), *data_folders()]
    return list(dict.fromkeys(root for root in folders if root is not None))


def shown(path: Path) -> str:
    """Return ``path`` as messages show it: relative to the current folder if it lies below it."""
    try:
        return path.relative_to(Path.cwd()).as_posix() if path.is_absolute() else path.as_posix()
    except (ValueError, OSError):
        return str(path)


def read(path: Path, most: int = MOST_VALUES) -> Document:
    """Return the document in the file at ``path``; Unreadable if there is none or it cannot be read."""
    label = shown(path)
    return parse(label, decode(label, _bytes(path, label)), most)


def is_game(path: str | Path) -> bool:
    """Return whether a file begins like a saved game."""
    try:
        if not Path(path).is_file():  # reading from a pipe or a device would block
            return False
        with Path(path).open("rb") as stream:
            return stream.read(len(GAME_WORDS)) == GAME_WORDS
    except (OSError, ValueError):
        return False


def _bytes(path: Path, label: str) -> bytes:
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise _nothing(label, "this is a folder; name a file in it")
        if not stat.S_ISREG(kind):
            cure = f"save it as a file, or pass it by standard input and name it '{STANDARD_INPUT}'"
            raise _nothing(label, f"this is a pipe or a device, not a file of text; {cure}")
        with path.open("rb") as stream:
            return stream.read(LONGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise _nothing(label, _missing(path)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the name cannot be that of a file"
        raise _nothing(label, f"cannot be read: {reason}; check its name and its rights") from None


def read_standard_input() -> Document:
    """Return the document on standard input; Unreadable if it cannot be read or is a saved game."""
    label = "standard input"
    try:
        raw = sys.stdin.buffer.read(LONGEST + 1)
    except (AttributeError, OSError, ValueError):  # closed, or none at all
        raise _nothing(label, "it cannot be read; pass a scene by it, or name a file") from None
    if raw.startswith(GAME_WORDS):
        raise _nothing(label, "this is a saved game; name its file instead")
    return parse(label, decode(label, raw))


def _missing(path: Path) -> str:
    names = [p.name for p in _siblings(path)]
    near = nearest(path.name, names) or near_name(path.name)
    return "there is no such file; " + (f"did you mean '{near}'?" if near else "check the path")


def _siblings(path: Path) -> Iterator[Path]:
    try:
        yield from sorted(path.parent.iterdir())[:2000]
    except OSError:
        return


def _nothing(label: str, text: str) -> Unreadable:
    return Unreadable([Fault(label, 1, 1, text)])


def find(name: str, folder: Path) -> Path:
    """Return the file that ``name`` refers to in a file of ``folder``.

    Raises ValueError with the sentence to show (fault and cure) if the name leads outside or there is no such file.
    """
    _forbid_escapes(name)
    outside = False
    for root in roots(folder):
        candidate = root / name
        real = Path(os.path.realpath(candidate))
        if not real.is_relative_to(root):
            outside = True
        elif os.path.isfile(real):  # noqa: PTH113 - unlike Path.is_file it does not raise for a name too long
            return real
    if outside:
        raise ValueError(f"'{clip(name)}' is a link that leads out of the project; put the file itself there")
    raise ValueError(
        f"there is no file '{clip(name)}' here, in the project or in the installed data; {_near(name, folder)}"
    )


def _forbid_escapes(name: str) -> None:
    cure = "name it from the project folder, as 'maps/quatre-bras.yaml'"
    if "\0" in name or len(name) > 200:
        raise ValueError(f"'{clip(name)}' cannot be the name of a file; {cure}")
    if "\\" in name:
        raise ValueError(f"'{clip(name)}' is written with '\\'; use '/': '{clip(name).replace(chr(92), '/')}'")
    if PurePosixPath(name).is_absolute() or PureWindowsPath(name).drive:
        raise ValueError(f"'{clip(name)}' is an absolute path; {cure}")
    if ".." in PurePosixPath(name).parts or name.startswith("~"):
        raise ValueError(f"'{clip(name)}' leads out of the project; {cure}")


def _near(name: str, folder: Path) -> str:
    """Return a cure for a name that matches no file: the most similar one there is."""
    parent = PurePosixPath(name).parent
    paths = [(parent / p.name).as_posix() for root in roots(folder) for p in _siblings(root / name)]
    near = nearest(name, paths)
    return f"did you mean '{near}'?" if near else "check the name"
