"""The data that comes with the program and with published rule sets: its folders, and the names of its files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath

from tabletop.errors import AGAIN, Broken
from tabletop.play.files.nearest_words import nearest
from tabletop.rules.published import published

DATA_FOLDERS = ("maps", "armies", "scenarios")
#: The same folders in the order in which names are looked up.
FOLDERS = ("scenarios", "maps", "armies")
#: The suffix that may be left out of a file's name.
SUFFIX = ".yaml"


@cache
def installed_data() -> Path | None:
    """Return the folder of the data that comes with the program: inside the package, or the root of a checkout."""
    package = Path(__file__).resolve().parents[2]
    places = (package / "_data", package.parent)
    return next((place for place in places if (place / "maps").is_dir()), None)


@cache
def published_data() -> Mapping[Path, str]:
    """Return the packages of published rule sets that bring scenarios, maps or armies, with the rule set's name.

    Only the folders are looked for; no rule set is imported.
    """
    if not published():
        return {}
    from tabletop.rules.package_folders import folder_of  # loaded late: without published rule sets it is not needed

    folders = ((folder_of(name), name) for name in published())
    return {path: name for path, name in folders if path and any((path / data).is_dir() for data in DATA_FOLDERS)}


def data_folders() -> tuple[Path, ...]:
    """Return the folder of the program's own data, then those of published rule sets."""
    own = installed_data()
    return (*((own,) if own is not None else ()), *published_data())


def rules_of(path: Path) -> str:
    """Return the name of the rule set whose data an installed file is: the published one, else the file's folder."""
    return next((name for folder, name in published_data().items() if path.is_relative_to(folder)), path.parent.name)


def installed(name: str) -> Path:
    """Return a file of the installed data, the program's own first; Broken if it is missing."""
    found = next((folder / name for folder in data_folders() if (folder / name).is_file()), None)
    if found is None:
        raise Broken(f"the data of the program is missing ({name}); {AGAIN}")
    return found


@cache
def places() -> tuple[str, ...]:
    """Return the paths, below their data folder, of all files that come with the program or a published rule set."""
    if installed_data() is None:
        return ()
    roots = [(root, root / name) for name in FOLDERS for root in data_folders()]
    paths = (path.relative_to(root) for root, folder in roots for path in sorted(folder.rglob("*" + SUFFIX)))
    return tuple(dict.fromkeys(path.as_posix() for path in paths))


def names() -> list[str]:
    """Return the name of every file that comes with the program, each once."""
    return list(dict.fromkeys(PurePosixPath(place).stem for place in places()))


def near_name(word: str) -> str | None:
    """Return the name most like a word, None if none is similar."""
    return nearest(Path(word).name.removesuffix(SUFFIX), names())
